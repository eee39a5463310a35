/* SPDX-License-Identifier: Apache-2.0 */
/* graph_map.h -- a growing hash table from numbers to numbers, from which entries can be removed */
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
/* Returns the value of a key, which is 0 if the key is new. Valid until the next call. NULL: no
 * memory. */
uint64_t *graph_map_at(graph_map *m, uint64_t key);
/* Removes a key, which must be there. Returns its value. */
uint64_t graph_map_take(graph_map *m, uint64_t key);
void graph_map_free(graph_map *m);

#ifdef __cplusplus
}
#endif

#endif
