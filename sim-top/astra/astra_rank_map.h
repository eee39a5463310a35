/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_rank_map.h -- maps the ranks of traces to the NPUs of a run
 *
 * A rank of a trace is a node of the network files. The NPUs of a run may be numbered differently:
 * where a file of links gives no order, NPUs follow the ring that was found through them
 * (machine_moved()). Everything that is read by rank is reordered by NPU before the run, and
 * results are printed by rank.
 */
#ifndef ASTRA_RANK_MAP_H
#define ASTRA_RANK_MAP_H

#include "astra_jobs.h"
#include "setup.h"

typedef struct astra_rank_map {
    unsigned *npu_of, *rank_of; /* NULL: rank i is NPU i */
    unsigned npus;
} astra_rank_map;

/* Returns EXIT_OK, or EXIT_CHECK after a message when there is no memory. The caller frees *p in
 * either case. */
int astra_rank_map_make(const machine *s, unsigned npus, astra_rank_map *p);
void astra_rank_map_free(astra_rank_map *p);
static inline unsigned astra_npu_of(const astra_rank_map *p, unsigned rank) {
    return p && p->npu_of ? p->npu_of[rank] : rank;
}
static inline unsigned astra_rank_of(const astra_rank_map *p, unsigned npu) {
    return p && p->rank_of ? p->rank_of[npu] : npu;
}
/* Reorder from ranks to NPUs: members of groups, NPUs of jobs, rungs and speeds of nodes, and an
 * array with a value of `bytes` bytes for each (NULL: none). Return false after a message when
 * there is no memory. */
bool astra_rank_map_move(const astra_rank_map *p, void *of_each, size_t bytes);
bool astra_rank_map_move_groups(const astra_rank_map *p, astra_groups *g);
bool astra_rank_map_move_jobs(const astra_rank_map *p, astra_jobs *j);
bool astra_rank_map_move_plan(const astra_rank_map *p, node_plan *n);

#endif
