/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_ids.c -- ids as sorted ranges, found by bisection
 *
 * Adding an id extends a range, joins two, or inserts a new one.
 */
#include "graph_ids.h"

#include <stdlib.h>
#include <string.h>

/* Returns the index of the first range that ends at the id or later. */
static size_t find(const graph_ids *s, uint64_t id) {
    size_t low = 0, high = s->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (s->at[middle].last < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool graph_ids_have(const graph_ids *s, uint64_t id) {
    const size_t i = find(s, id);

    return i < s->count && s->at[i].first <= id;
}

static bool grow(graph_ids *s) {
    const size_t room = s->room ? 2 * s->room : 16;
    graph_range *at = s->count < s->room ? s->at : realloc(s->at, room * sizeof *at);

    if (!at) return false;
    if (s->count == s->room) s->room = room;
    s->at = at;
    return true;
}

bool graph_ids_add(graph_ids *s, uint64_t id) {
    const size_t i = find(s, id);
    const bool after = i && s->at[i - 1].last + 1 == id;
    const bool before = i < s->count && id != UINT64_MAX && s->at[i].first == id + 1;

    if (i < s->count && s->at[i].first <= id) return true;
    if (after && before) {
        s->at[i - 1].last = s->at[i].last;
        memmove(&s->at[i], &s->at[i + 1], (--s->count - i) * sizeof *s->at);
    } else if (after) {
        s->at[i - 1].last = id;
    } else if (before) {
        s->at[i].first = id;
    } else {
        if (!grow(s)) return false;
        memmove(&s->at[i + 1], &s->at[i], (s->count++ - i) * sizeof *s->at);
        s->at[i] = (graph_range){ id, id };
    }
    return true;
}

void graph_ids_free(graph_ids *s) {
    free(s->at);
    *s = (graph_ids){ 0 };
}

void graph_ids_state(graph_ids *s, ace_state *to) {
    uint64_t count = s->count;
    void *at = s->at;

    ACE_STATE(to, count);
    ace_state_array(to, &at, count, sizeof *s->at);
    s->at = at;
    if (!to->loading || to->failed) return;
    s->count = s->room = (size_t)count;
    for (size_t i = 0; i < s->count && !to->failed; i++)
        ace_state_must(
            to, s->at[i].first <= s->at[i].last && (!i || s->at[i - 1].last < s->at[i].first),
            "graph_ids.range");
}
