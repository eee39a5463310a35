/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_map.c -- open addressing with linear probing, at most half full
 *
 * Removing an entry moves up the entries that it had displaced, so the table needs no markers for
 * deleted entries.
 */
#include "graph_map.h"

#include <stdlib.h>

static size_t home(const graph_map *m, uint64_t key) {
    key = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key >> 20) & (m->room - 1);
}

/* Returns the index of a key, or where it would be inserted. */
static size_t index(const graph_map *m, uint64_t key) {
    size_t i = home(m, key);

    while (m->at[i].used && m->at[i].key != key) i = (i + 1) & (m->room - 1);
    return i;
}

bool graph_map_has(const graph_map *m, uint64_t key) {
    return m->room && m->at[index(m, key)].used;
}

uint64_t *graph_map_at(graph_map *m, uint64_t key) {
    size_t i;

    if (2 * m->count >= m->room) {
        const size_t room = m->room ? 2 * m->room : 16;
        graph_map more = { .at = calloc(room, sizeof *m->at), .count = m->count, .room = room };

        if (!more.at) return NULL;
        for (i = 0; i < m->room; i++)
            if (m->at[i].used) more.at[index(&more, m->at[i].key)] = m->at[i];
        free(m->at);
        *m = more;
    }
    i = index(m, key);
    if (!m->at[i].used) {
        m->at[i] = (graph_map_entry){ .key = key, .used = true };
        m->count++;
    }
    return &m->at[i].value;
}

/* Moves up the later entries that this one had displaced. */
uint64_t graph_map_take(graph_map *m, uint64_t key) {
    size_t i = index(m, key);
    const uint64_t value = m->at[i].value;

    m->at[i].used = false;
    m->count--;
    for (size_t k = (i + 1) & (m->room - 1); m->at[k].used; k = (k + 1) & (m->room - 1)) {
        const graph_map_entry e = m->at[k];

        m->at[k].used = false;
        m->at[index(m, e.key)] = e;
    }
    return value;
}

void graph_map_free(graph_map *m) {
    free(m->at);
    *m = (graph_map){ 0 };
}
