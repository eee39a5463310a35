/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire.c -- one direction of one link: a delay line of flits
 *
 * Single producer (the sending node), single consumer (the receiving node), each
 * on its own thread.  At most one flit is sent in a cycle, so latency + slack
 * entries can be alive; two more keep the entry a receiver still looks at intact.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ace_node.h"

enum { CACHE_LINE = 64 };

struct ace_wire {
    /* constant */
    uint64_t mask;
    ace_flit *flit;
    uint32_t *rows; /* NULL when timing-only */
    uint32_t latency;
    /* producer's */
    _Alignas(CACHE_LINE) atomic_uint_fast64_t tail;
    uint64_t head_seen;
    uint64_t packets;
    /* consumer's */
    _Alignas(CACHE_LINE) atomic_uint_fast64_t head;
    uint64_t tail_seen;
};

ace_wire *ace_wire_create(uint32_t latency, uint32_t slack, bool payload) {
    uint64_t capacity = 4;
    const uint64_t need = (uint64_t)latency + slack + 2;
    ace_wire *w;

    if (latency < 1 || slack < 1) return NULL;
    while (capacity < need) capacity *= 2;
    w = aligned_alloc(CACHE_LINE, sizeof *w);
    if (!w) return NULL;
    memset(w, 0, sizeof *w);
    w->mask = capacity - 1;
    w->latency = latency;
    w->flit = calloc(capacity, sizeof *w->flit);
    w->rows = payload ? malloc(capacity * ACE_ROW_BYTES) : NULL;
    if (!w->flit || (payload && !w->rows)) {
        ace_wire_destroy(w);
        return NULL;
    }
    atomic_init(&w->tail, 0);
    atomic_init(&w->head, 0);
    return w;
}

void ace_wire_destroy(ace_wire *w) {
    if (!w) return;
    free(w->flit);
    free(w->rows);
    free(w);
}

uint32_t ace_wire_latency(const ace_wire *w) { return w->latency; }

void ace_wire_send(ace_wire *w, uint64_t now, const ace_flit *f, const uint32_t *row) {
    const uint64_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);
    const uint64_t i = tail & w->mask;

    /* One entry stays free: the one the receiver may still be looking at. */
    if (tail - w->head_seen >= w->mask) {
        w->head_seen = atomic_load_explicit(&w->head, memory_order_acquire);
        if (tail - w->head_seen >= w->mask) abort(); /* caller ran ahead of its slack */
    }
    w->flit[i] = *f;
    w->flit[i].cycle = now + w->latency;
    if (f->data) {
        w->packets++;
        if (w->rows) {
            uint32_t *to = w->rows + i * ACE_ROW_WORDS;
            if (row)
                memcpy(to, row, ACE_ROW_BYTES);
            else
                memset(to, 0, ACE_ROW_BYTES);
        }
    }
    atomic_store_explicit(&w->tail, tail + 1, memory_order_release);
}

const ace_flit *ace_wire_receive(ace_wire *w, uint64_t now, const uint32_t **row) {
    const uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);
    const uint64_t i = head & w->mask;

    if (head == w->tail_seen) {
        w->tail_seen = atomic_load_explicit(&w->tail, memory_order_acquire);
        if (head == w->tail_seen) return NULL;
    }
    if (w->flit[i].cycle != now) return NULL;
    if (row) *row = w->rows ? w->rows + i * ACE_ROW_WORDS : NULL;
    atomic_store_explicit(&w->head, head + 1, memory_order_release);
    return &w->flit[i];
}

uint64_t ace_wire_next(const ace_wire *w) {
    const uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);

    if (head == w->tail_seen && head == atomic_load_explicit(&w->tail, memory_order_acquire))
        return UINT64_MAX;
    return w->flit[head & w->mask].cycle;
}

uint64_t ace_wire_packets(const ace_wire *w) { return w->packets; }

void ace_wire_reset(ace_wire *w) {
    atomic_store(&w->tail, 0);
    atomic_store(&w->head, 0);
    w->head_seen = w->tail_seen = w->packets = 0;
}
