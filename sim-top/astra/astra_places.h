/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_places.h -- which NPU of a run is which rank of the traces
 *
 * A rank of a trace is a node of the network's files.  NPUs of a run are numbered otherwise where a
 * file of links says no order: round the ring that was found through them (machine_moved()).  All
 * that is read by rank is moved to its NPU before the run, and what is printed is printed by rank.
 */
#ifndef ASTRA_PLACES_H
#define ASTRA_PLACES_H

#include "astra_jobs.h"
#include "setup.h"

typedef struct astra_places {
    unsigned *npu_of, *rank_of; /* NULL: rank i is NPU i */
    unsigned npus;
} astra_places;

/* EXIT_OK, or EXIT_CHECK after a message: no memory; freed in either case. */
int astra_places_make(const machine *s, unsigned npus, astra_places *p);
void astra_places_free(astra_places *p);
static inline unsigned astra_npu_of(const astra_places *p, unsigned rank) {
    return p && p->npu_of ? p->npu_of[rank] : rank;
}
static inline unsigned astra_rank_of(const astra_places *p, unsigned npu) {
    return p && p->rank_of ? p->rank_of[npu] : npu;
}
/* From ranks to NPUs: members of groups, NPUs of jobs, rungs and speeds of nodes; and an array of
 * a value of `bytes` for each (NULL: there is none).  False, after a message: no memory. */
bool astra_places_move(const astra_places *p, void *of_each, size_t bytes);
bool astra_places_move_groups(const astra_places *p, astra_groups *g);
bool astra_places_move_jobs(const astra_places *p, astra_jobs *j);
bool astra_places_move_plan(const astra_places *p, node_plan *n);

#endif
