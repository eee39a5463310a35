/* SPDX-License-Identifier: Apache-2.0 */
/* graph_map.h -- numbers by number: a hash table that grows, of entries that may be taken out */
#ifndef GRAPH_MAP_H
#define GRAPH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct graph_map_entry {
    uint64_t key, value;
    bool used;
} graph_map_entry;
typedef struct graph_map {
    graph_map_entry *at;
    size_t count, room; /* room: 0, or a power of two */
} graph_map;

static inline size_t graph_map_home(const graph_map *m, uint64_t key) {
    key = (key ^ key >> 32) * UINT64_C(0x9E3779B97F4A7C15);
    return (size_t)(key >> 20) & (m->room - 1);
}

/* Where a key is, or would be. */
static inline size_t graph_map_place(const graph_map *m, uint64_t key) {
    size_t i = graph_map_home(m, key);

    while (m->at[i].used && m->at[i].key != key) i = (i + 1) & (m->room - 1);
    return i;
}

static inline bool graph_map_has(const graph_map *m, uint64_t key) {
    return m->room && m->at[graph_map_place(m, key)].used;
}

/* The value of a key, 0 where it is new; until the next call.  NULL: no memory. */
static inline uint64_t *graph_map_at(graph_map *m, uint64_t key) {
    size_t i;

    if (2 * m->count >= m->room) {
        const size_t room = m->room ? 2 * m->room : 16;
        graph_map more = { .at = calloc(room, sizeof *m->at), .count = m->count, .room = room };

        if (!more.at) return NULL;
        for (i = 0; i < m->room; i++)
            if (m->at[i].used) more.at[graph_map_place(&more, m->at[i].key)] = m->at[i];
        free(m->at);
        *m = more;
    }
    i = graph_map_place(m, key);
    if (!m->at[i].used) {
        m->at[i] = (graph_map_entry){ .key = key, .used = true };
        m->count++;
    }
    return &m->at[i].value;
}

/* Takes a key out that is there; its value.  Those behind it that it had displaced move up. */
static inline uint64_t graph_map_take(graph_map *m, uint64_t key) {
    size_t i = graph_map_place(m, key);
    const uint64_t value = m->at[i].value;

    m->at[i].used = false;
    m->count--;
    for (size_t k = (i + 1) & (m->room - 1); m->at[k].used; k = (k + 1) & (m->room - 1)) {
        const graph_map_entry e = m->at[k];

        m->at[k].used = false;
        m->at[graph_map_place(m, e.key)] = e;
    }
    return value;
}

static inline void graph_map_free(graph_map *m) {
    free(m->at);
    *m = (graph_map){ 0 };
}

#endif
