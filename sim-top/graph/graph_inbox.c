/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_inbox.c -- counts arrivals of each label, and lists those that wait for a channel
 *
 * An arrival's number is its count on its label. A receive has the number of the arrival that it
 * needs, so a message that comes early is only counted. Entries come from a free list. The entries
 * of a channel form a chain.
 */
#include "graph_inbox.h"

#include <stdlib.h>
#include <string.h>

#include "graph_window.h"

bool graph_inbox_open(graph_inbox *b, uint32_t channels) {
    const size_t n = channels ? channels : 1;

    *b = (graph_inbox){ .channels = channels, .free = GRAPH_NONE };
    b->came = calloc(2 * n, sizeof *b->came);
    b->first = malloc(n * sizeof *b->first);
    if (!b->came || !b->first) return false;
    memset(b->first, 0xff, n * sizeof *b->first); /* GRAPH_NONE */
    return true;
}

void graph_inbox_close(graph_inbox *b) {
    free(b->came);
    free(b->first);
    free(b->want);
    *b = (graph_inbox){ 0 };
}

/* Returns an unused entry; GRAPH_NONE when there is no memory. */
static uint32_t entry(graph_inbox *b) {
    const uint32_t i = b->free;

    if (i != GRAPH_NONE) {
        b->free = b->want[i].next;
        return i;
    }
    if (b->wants == b->room) {
        const uint32_t room = b->room ? 2 * b->room : 16;
        graph_want *at = realloc(b->want, room * sizeof *at);

        if (!at) return GRAPH_NONE;
        b->want = at;
        b->room = room;
    }
    return b->wants++;
}

/* Adds an entry. Returns false when there is no memory. */
static bool add(graph_inbox *b, const graph_want *w, uint32_t open) {
    const uint32_t i = entry(b);

    if (i == GRAPH_NONE) return false;
    b->want[i] = *w;
    b->want[i].open = open;
    b->want[i].next = b->first[w->channel];
    b->first[w->channel] = i;
    b->waiting++;
    return true;
}

int graph_inbox_want(graph_inbox *b, const graph_want *w) {
    uint32_t open = w->open;

    for (unsigned route = 0; route < 2; route++)
        if (b->came[2 * w->channel + route] > w->ordinal) open &= ~(1U << route);
    if (!open) return 0;
    return add(b, w, open) ? 1 : -1;
}

uint32_t graph_inbox_take(graph_inbox *b, uint32_t label) {
    const uint64_t ordinal = b->came[label]++;
    uint32_t *at = &b->first[graph_inbox_channel(label)];

    for (; *at != GRAPH_NONE; at = &b->want[*at].next) {
        const uint32_t i = *at;
        graph_want *w = &b->want[i];

        if (w->ordinal != ordinal) continue;
        w->open &= ~(1U << label % 2);
        if (w->open) break;
        *at = w->next;
        w->next = b->free;
        b->free = i;
        b->waiting--;
        return w->index;
    }
    return GRAPH_NONE;
}

void graph_inbox_state(graph_inbox *b, ace_state *s) {
    uint32_t waiting = b->waiting, at = 0, i = GRAPH_NONE;

    ACE_STATE(s, waiting);
    ace_state_bytes(s, b->came, 2 * (size_t)b->channels * sizeof *b->came);
    if (s->loading) {
        b->wants = b->waiting = 0;
        b->free = GRAPH_NONE;
        memset(b->first, 0xff, b->channels * sizeof *b->first);
    }
    for (uint32_t k = 0; k < waiting && !s->failed; k++) {
        graph_want w = { 0 };

        while (!s->loading && i == GRAPH_NONE) i = b->first[at++];
        if (!s->loading) {
            w = b->want[i];
            i = w.next;
        }
        ACE_STATE(s, w);
        if (s->loading && !s->failed) s->failed = w.channel >= b->channels || !add(b, &w, w.open);
    }
}
