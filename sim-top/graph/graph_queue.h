/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_queue.h -- the ready nodes of a lane: the lowest priority first, then the lowest id
 *
 * A binary heap. An entry refers to a node by its index in a window (graph_window.h).
 */
#ifndef GRAPH_QUEUE_H
#define GRAPH_QUEUE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct graph_entry {
    uint64_t id;
    uint32_t priority, index;
} graph_entry;
typedef struct graph_queue {
    graph_entry *at;
    uint32_t count, room;
} graph_queue;

static inline bool graph_entry_before(const graph_entry *a, const graph_entry *b) {
    return a->priority < b->priority || (a->priority == b->priority && a->id < b->id);
}

/* Returns false when there is no memory. */
static inline bool graph_queue_put(graph_queue *q, graph_entry e) {
    uint32_t i = q->count;

    if (q->count == q->room) {
        const uint32_t room = q->room ? 2 * q->room : 16;
        graph_entry *at = realloc(q->at, room * sizeof *at);

        if (!at) return false;
        q->at = at;
        q->room = room;
    }
    for (; i && graph_entry_before(&e, &q->at[(i - 1) / 2]); i = (i - 1) / 2)
        q->at[i] = q->at[(i - 1) / 2];
    q->at[i] = e;
    q->count++;
    return true;
}

/* Removes the first entry, which must exist, and returns its node's index. */
static inline uint32_t graph_queue_take(graph_queue *q) {
    const uint32_t index = q->at[0].index;
    const graph_entry last = q->at[--q->count];
    uint32_t i = 0;

    for (uint32_t child; (child = 2 * i + 1) < q->count; i = child) {
        if (child + 1 < q->count && graph_entry_before(&q->at[child + 1], &q->at[child])) child++;
        if (!graph_entry_before(&q->at[child], &last)) break;
        q->at[i] = q->at[child];
    }
    q->at[i] = last;
    return index;
}

#endif
