/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_ids.h -- a growing set of ids, stored as ranges of consecutive ones
 *
 * Ids of a graph are mostly consecutive and are finished roughly in order. So there are about as
 * many ranges as unfinished nodes, however long the graph is. Adding an id searches the ranges, and
 * moves later ranges if a new one is inserted.
 */
#ifndef GRAPH_IDS_H
#define GRAPH_IDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ace_state.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graph_range {
    uint64_t first, last;
} graph_range;
typedef struct graph_ids {
    graph_range *at; /* ascending, with gaps between */
    size_t count, room;
} graph_ids;

bool graph_ids_have(const graph_ids *s, uint64_t id);
/* Returns false when there is no memory. Adding an id twice has no effect. */
bool graph_ids_add(graph_ids *s, uint64_t id);
void graph_ids_free(graph_ids *s);
void graph_ids_state(graph_ids *s, ace_state *to);

#ifdef __cplusplus
}
#endif

#endif
