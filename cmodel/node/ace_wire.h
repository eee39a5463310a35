/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire.h -- one direction of one link: a delay line of flits
 *
 * Single producer (the sending node), single consumer (the receiving node), each
 * on its own thread.  At most one flit is sent in a cycle, so latency + slack
 * entries can be alive; two more keep the entry that a receiver still reads intact.
 * This header has inline forms of the calls of ace_node.h, for a node's loop.
 */
#ifndef ACE_WIRE_H
#define ACE_WIRE_H

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "ace_node.h"

enum { ACE_CACHE_LINE = 64 };

struct ace_wire {
    /* constant */
    uint64_t mask;
    ace_flit *flit;
    uint32_t *rows; /* NULL when timing-only */
    uint32_t latency;
    uint8_t phases, contexts;  /* of the engines at its ends; 0 phases: other kinds of nodes */
    ace_wire_disturb *disturb; /* NULL: nothing changes on the way */
    void *disturber;
    ace_wire *next_shared; /* the next wire of a shared interface, in a ring; NULL: not shared */
    uint32_t row_cost;     /* cost of a row on the interface, in 1/ACE_COST_ONE cycle */
    /* producer's */
    _Alignas(ACE_CACHE_LINE) atomic_uint_fast64_t tail;
    uint64_t head_seen;
    uint64_t packets;
    uint64_t passed; /* when the interface finishes its last row, in 1/ACE_COST_ONE cycle */
    /* consumer's */
    _Alignas(ACE_CACHE_LINE) atomic_uint_fast64_t head;
    uint64_t tail_seen;
};

/* Sending: fill the slot (all but its cycle), then commit.  data: is it a packet; row: its
 * bits, see ace_wire_send. */
static inline ace_flit *ace_wire_slot(ace_wire *w) {
    const uint64_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);

    /* One entry stays free: the one the receiver may still be looking at. */
    if (tail - w->head_seen >= w->mask) {
        w->head_seen = atomic_load_explicit(&w->head, memory_order_acquire);
        if (tail - w->head_seen >= w->mask) abort(); /* caller ran ahead of its slack */
    }
    return &w->flit[tail & w->mask];
}

/* For a wire with a shared interface: the cycle in which a flit sent now arrives.  The flit is the
 * entry at the tail. */
uint64_t ace_wire_shared_arrival(ace_wire *w, uint64_t now, bool data);

static inline void ace_wire_commit(ace_wire *w, uint64_t now, bool data, const uint32_t *row) {
    const uint64_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);
    const uint64_t i = tail & w->mask;

    w->flit[i].cycle = w->next_shared ? ace_wire_shared_arrival(w, now, data) : now + w->latency;
    if (w->disturb) {
        w->flit[i].flip = w->disturb(w->disturber, &w->flit[i]);
        if (w->flit[i].flip == ACE_WIRE_LOSES) return;
    }
    w->packets += data;
    if (w->rows) {
        uint32_t *to = w->rows + i * ACE_ROW_WORDS;
        if (data && row)
            memcpy(to, row, ACE_ROW_BYTES);
        else if (data)
            memset(to, 0, ACE_ROW_BYTES);
    }
    atomic_store_explicit(&w->tail, tail + 1, memory_order_release);
}

/* The number-th flit sent, counted from 0, for an observer of the sender; NULL when it is not sent
 * yet.  Flits of the last `slack` cycles are available, taken or not. */
static inline const ace_flit *ace_wire_sent(const ace_wire *w, uint64_t number) {
    const uint64_t tail = atomic_load_explicit(&w->tail, memory_order_relaxed);

    return number < tail ? &w->flit[number & w->mask] : NULL;
}

/* Receiving: the flit `ahead` entries behind the oldest, NULL when there is none.  *row points
 * into the wire until the flit is dropped (NULL when timing-only). */
static inline const ace_flit *ace_wire_peek(ace_wire *w, uint64_t ahead, const uint32_t **row) {
    const uint64_t at = atomic_load_explicit(&w->head, memory_order_relaxed) + ahead;
    const uint64_t i = at & w->mask;

    if (at == w->tail_seen) {
        w->tail_seen = atomic_load_explicit(&w->tail, memory_order_acquire);
        if (at == w->tail_seen) return NULL;
    }
    *row = w->rows ? w->rows + i * ACE_ROW_WORDS : NULL;
    return &w->flit[i];
}

/* The oldest `count` flits have been taken. */
static inline void ace_wire_drop(ace_wire *w, uint64_t count) {
    const uint64_t head = atomic_load_explicit(&w->head, memory_order_relaxed);
    atomic_store_explicit(&w->head, head + count, memory_order_release);
}

#endif
