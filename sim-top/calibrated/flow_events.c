/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_events.c -- the heap of events, and the lists of results that wait to be read
 *
 * Events compare by time and then by number. Lists double when they are full, and are emptied by
 * their reader.
 */
#include "flow_events.h"

#include <stdlib.h>

/* Makes room for one more entry of `bytes` bytes. Returns false, and sets the error, when there is
 * no memory. */
bool flow_grow(chunk_flow *f, void **list, unsigned count, unsigned *room, size_t bytes) {
    if (count < *room) return true;
    const unsigned more = *room ? 2 * *room : bytes < FETCHED ? FEW : 2;
    void *to = realloc(*list, more * bytes);

    if (!to) {
        f->error = ACE_ENOMEM;
        return false;
    }
    *list = to;
    *room = more;
    return true;
}
static bool before(const event *a, const event *b) {
    return a->at < b->at || (a->at == b->at && a->order < b->order);
}

void flow_later(chunk_flow *f, double at, event_kind kind, unsigned stage, uint32_t chunk) {
    if (!GROW(f, f->heap, f->heap_count, f->heap_room)) return;
    const event e = { .at = at,
                      .order = f->order++,
                      .chunk = chunk,
                      .kind = (uint8_t)kind,
                      .stage = (uint8_t)stage };
    unsigned i = f->heap_count++;

    f->next = fmin(f->next, at);

    while (i && before(&e, &f->heap[(i - 1) / 2])) {
        f->heap[i] = f->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    f->heap[i] = e;
}

event flow_take_first(chunk_flow *f) {
    const event first = f->heap[0], last = f->heap[--f->heap_count];
    unsigned i = 0;

    for (unsigned c; (c = 2 * i + 1) < f->heap_count; i = c) {
        if (c + 1 < f->heap_count && before(&f->heap[c + 1], &f->heap[c])) c++;
        if (!before(&f->heap[c], &last)) break;
        f->heap[i] = f->heap[c];
    }
    f->heap[i] = last;
    return first;
}

void flow_complete(chunk_flow *f, uint16_t tag) {
    if (f->done_first == f->done_count) f->done_first = f->done_count = 0;
    if (!GROW(f, f->done, f->done_count, f->done_room)) return;
    /* the cycle of `now`: the cycle that a node has run to is not over yet */
    f->done[f->done_count++] = (ace_completion){ .cycle = (uint64_t)f->now, .tag = tag };
}

/* A node that is its own only neighbour waits for no other. */
void flow_at_barrier(chunk_flow *f, flow_token t) {
    if (!(t.dims & ~f->s.own))
        chunk_flow_go(f, &t, t.cycle + chunk_flow_latency(f, &t));
    else if (GROW(f, f->tokens, f->token_count, f->token_room))
        f->tokens[f->token_count++] = t;
}
