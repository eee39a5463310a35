/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fold.c -- finds nodes of a torus that behave alike, so one node represents all
 *
 * A node's timing does not depend on its rank. So two nodes of one colour (the same hardware, the
 * same work) behave alike if they receive alike on each port. Refinement finds the coarsest such
 * division: two nodes stay together while their colours are the same and the colours of their
 * neighbours, port by port, are the same. At the end the neighbours of a class on each port are one
 * class, too. The classes, wired like their members, are a smaller cluster that goes through the
 * same cycles. On a torus, nodes are alike if a shift along the dimensions that keeps all colours
 * maps one to the other. A hub serves its ports by their distance (hub.c), so a shift along its
 * dimension changes nothing there either.
 *
 * Two cases separate nodes by their rank. Where programs name members by number or by bits of the
 * number, every rank differs. Where work repeats along a dimension, ranks within a period differ.
 *
 * Nodes of the rung calibrated only wait for all members of a ring, and the last member decides
 * when the ring continues. So they stay together while each of their rings holds the same set of
 * classes, in any order. At the end, the classes on a ring appear only on rings with the same set.
 */
#include "fold.h"

#include <stdlib.h>

/* Gives each distinct pair a number, in the order in which the pairs are first seen. */
typedef struct pairs {
    uint64_t *key;
    uint32_t *number, count;
    size_t mask;
} pairs;

static uint32_t pair_number(pairs *p, uint32_t a, uint32_t b) {
    const uint64_t key = ((uint64_t)a << 32 | b) + 1; /* 0: a free slot */
    size_t i = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 20) & p->mask;

    while (p->key[i] && p->key[i] != key) i = (i + 1) & p->mask;
    if (!p->key[i]) {
        p->key[i] = key;
        p->number[i] = p->count++;
    }
    return p->number[i];
}

unsigned torus_neighbour(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned node,
                         unsigned link) {
    const unsigned d = link / 2;
    unsigned stride = 1;

    for (unsigned e = 0; e < d; e++) stride *= ring[e];
    const unsigned rank = node / stride % ring[d];
    if (link & 1) return rank ? node - stride : node + (ring[d] - 1U) * stride;
    return rank + 1 < ring[d] ? node + stride : node - rank * stride;
}

/* Returns a node's rank within the periods, as one number for all dimensions. */
static uint32_t rank_within(const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                            const uint16_t period[ACE_CLUSTER_DIMENSIONS], unsigned node) {
    uint32_t rank = 0;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; node /= ring[d++])
        rank = rank * period[d] + node % ring[d] % period[d];
    return rank;
}

static unsigned stride_of(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned d) {
    unsigned stride = 1;

    for (unsigned e = 0; e < d; e++) stride *= ring[e];
    return stride;
}

static int by_number(const void *a, const void *b) {
    const uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

/* Lists the classes on a node's ring, each once, sorted by number. Returns how many. */
static unsigned on_ring(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], const uint32_t *class_of,
                        unsigned node, unsigned d, uint32_t on[ACE_CLUSTER_MEMBERS]) {
    const unsigned stride = stride_of(ring, d), first = node - node / stride % ring[d] * stride;
    unsigned count = 0;

    for (unsigned i = 0; i < ring[d]; i++) on[i] = class_of[first + i * stride];
    qsort(on, ring[d], sizeof *on, by_number);
    for (unsigned i = 0; i < ring[d]; i++)
        if (!count || on[i] != on[count - 1]) on[count++] = on[i];
    return count;
}

uint32_t fold_neighbour(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], const uint32_t *class_of,
                        unsigned node, unsigned link) {
    uint32_t on[ACE_CLUSTER_MEMBERS];
    const unsigned count = on_ring(ring, class_of, node, link / 2, on);
    unsigned at = 0;

    while (on[at] != class_of[node]) at++;
    return on[(at + (link & 1 ? count - 1 : 1)) % count];
}

static void clear(pairs *p) {
    for (size_t i = 0; i <= p->mask; i++) p->key[i] = 0;
    p->count = 0;
}

/* Numbers the rings along d so that two rings have one number if they have the same classes. */
static void number_rings(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned nodes, unsigned d,
                         const uint32_t *class_of, pairs *sets, uint32_t *number) {
    const unsigned stride = stride_of(ring, d);

    clear(sets);
    sets->count = 1; /* 0: no class yet */
    for (unsigned i = 0; i < nodes; i++) {
        const unsigned rank = i / stride % ring[d];
        uint32_t on[ACE_CLUSTER_MEMBERS];

        number[i] = rank ? number[i - rank * stride] : 0;
        if (rank) continue;
        const unsigned count = on_ring(ring, class_of, i, d, on);
        for (unsigned k = 0; k < count; k++) number[i] = pair_number(sets, number[i], on[k]);
    }
}

/* Splits each class: nodes stay together only if their numbers are equal. */
static void divide(pairs *p, unsigned nodes, uint32_t *class_of, const uint32_t *number) {
    clear(p);
    for (unsigned i = 0; i < nodes; i++) class_of[i] = pair_number(p, class_of[i], number[i]);
}

/* Refines the classes once, by the neighbours or rings of all nodes. */
static void refine(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned nodes, fold_by by,
                   pairs *p, uint32_t *class_of, uint32_t *number) {
    for (unsigned link = 0; link < ACE_CLUSTER_LINKS; link++) {
        if (ring[link / 2] == 1 || (by == FOLD_RINGS && link & 1)) continue;
        if (by == FOLD_RINGS)
            number_rings(ring, nodes, link / 2, class_of, p, number);
        else
            for (unsigned i = 0; i < nodes; i++)
                number[i] = class_of[torus_neighbour(ring, i, link)];
        divide(p, nodes, class_of, number);
    }
}

bool fold_torus(const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                const uint16_t period[ACE_CLUSTER_DIMENSIONS], fold_by by, unsigned most,
                uint32_t *class_of, unsigned *classes) {
    unsigned nodes = 1, before = 0;
    pairs p = { .mask = 1 };

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) nodes *= ring[d];
    uint32_t *number = malloc(nodes * sizeof *number);
    while (p.mask < 2 * (size_t)nodes) p.mask *= 2;
    p.key = malloc(p.mask * sizeof *p.key);
    p.number = malloc(p.mask * sizeof *p.number);
    p.mask--;
    if (!number || !p.key || !p.number) {
        free(number);
        free(p.key);
        free(p.number);
        return false;
    }
    for (unsigned i = 0; i < nodes; i++) number[i] = rank_within(ring, period, i);
    divide(&p, nodes, class_of, number);
    while (p.count != before && p.count != 1 && p.count <= most) {
        before = p.count;
        refine(ring, nodes, by, &p, class_of, number);
    }
    *classes = p.count;
    free(number);
    free(p.key);
    free(p.number);
    return true;
}
