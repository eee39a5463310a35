/* SPDX-License-Identifier: Apache-2.0 */
/* graph_map.h -- numbers by number: a hash table that grows, of entries that may be taken out */
#ifndef GRAPH_MAP_H
#define GRAPH_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graph_map_entry {
    uint64_t key, value;
    bool used;
} graph_map_entry;
typedef struct graph_map {
    graph_map_entry *at;
    size_t count, room; /* room: 0, or a power of two */
} graph_map;

bool graph_map_has(const graph_map *m, uint64_t key);
/* The value of a key, 0 where it is new; until the next call.  NULL: no memory. */
uint64_t *graph_map_at(graph_map *m, uint64_t key);
/* Takes a key out that is there; its value. */
uint64_t graph_map_take(graph_map *m, uint64_t key);
void graph_map_free(graph_map *m);

#ifdef __cplusplus
}
#endif

#endif
