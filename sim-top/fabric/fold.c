/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.c -- which nodes of a torus behave alike, so that one of them stands for all
 *
 * Nothing in a node's timing depends on its rank, so two nodes of one colour (the same
 * hardware, the same work) that receive alike on each port behave alike.  The coarsest
 * such division is found by refinement: nodes stay together while their colours, and
 * those of their neighbours port by port, are the same.  In the end the neighbours of a
 * class, on each port, are one class too: the classes wired like their members are a
 * smaller cluster that goes through the same cycles.  On a torus these are the moves along its
 * dimensions that keep all colours.  A hub serves its ports by how far apart they are (hub.c), so a
 * move along its dimension changes nothing there either.  Where programs name members, by number
 * or by its bits, nodes are told apart by their rank.
 * Where work repeats along a dimension, they are by their rank within a period.
 */
#include "fold.h"

#include <stdlib.h>

/* A table of pairs, each numbered in the order of its first sight. */
typedef struct pairs {
    uint64_t *key;
    uint32_t *number, count;
    size_t mask;
} pairs;

static uint32_t pair_number(pairs *p, uint32_t a, uint32_t b) {
    const uint64_t key = ((uint64_t)a << 32 | b) + 1; /* 0: a free place */
    size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & p->mask;

    while (p->key[i] && p->key[i] != key) i = (i + 1) & p->mask;
    if (!p->key[i]) {
        p->key[i] = key;
        p->number[i] = p->count++;
    }
    return p->number[i];
}

unsigned torus_neighbour(const uint8_t ring[ACE_DIMENSIONS], unsigned node, unsigned link) {
    const unsigned d = link / 2;
    unsigned stride = 1;

    for (unsigned e = 0; e < d; e++) stride *= ring[e];
    const unsigned rank = node / stride % ring[d];
    if (link & 1) return rank ? node - stride : node + (ring[d] - 1U) * stride;
    return rank + 1 < ring[d] ? node + stride : node - rank * stride;
}

/* The rank of a node within the periods. */
static uint32_t rank_within(const uint8_t ring[ACE_DIMENSIONS],
                            const uint8_t period[ACE_DIMENSIONS], unsigned node) {
    uint32_t rank = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; node /= ring[d++])
        rank = rank * period[d] + node % ring[d] % period[d];
    return rank;
}

bool fold_torus(const uint8_t ring[ACE_DIMENSIONS], const uint8_t period[ACE_DIMENSIONS],
                unsigned most, uint32_t *class_of, unsigned *classes) {
    unsigned nodes = 1;
    pairs p = { .mask = 1 };
    unsigned before = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) nodes *= ring[d];
    uint32_t *next = malloc(nodes * sizeof *next);
    while (p.mask < 2 * (size_t)nodes) p.mask *= 2;
    p.key = malloc(p.mask * sizeof *p.key);
    p.number = malloc(p.mask * sizeof *p.number);
    p.mask--;
    if (!next || !p.key || !p.number) {
        free(next);
        free(p.key);
        free(p.number);
        return false;
    }
    for (p.count = 0; p.count != before || !before;) {
        before = p.count;
        for (unsigned link = 0; link <= ACE_LINKS; link++) { /* first the colours and ranks */
            if (link && ring[(link - 1) / 2] == 1) continue;
            for (size_t i = 0; i <= p.mask; i++) p.key[i] = 0;
            p.count = 0;
            for (unsigned i = 0; i < nodes; i++)
                next[i] = pair_number(&p, class_of[i],
                                      link ? class_of[torus_neighbour(ring, i, link - 1)]
                                           : rank_within(ring, period, i));
            for (unsigned i = 0; i < nodes; i++) class_of[i] = next[i];
        }
        if (p.count == 1 || p.count > most) break;
    }
    *classes = p.count;
    free(next);
    free(p.key);
    free(p.number);
    return true;
}
