/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_bound.h -- a time below which no iteration of a plan can be, on any endpoint
 *
 * The bound assumes the best of everything.  An operation has its NPU alone.  The bytes of a
 * collective or a message go at the rate of all links of its dimensions at an NPU.  Nothing waits
 * for a link, for memory or for its turn, and the sums of gradients take no part of an NPU.  The
 * longest path through all stages is the bound.  Every run has the dependences of the plan, and no
 * step of the path takes less time there.
 */
#ifndef STRATEGY_BOUND_H
#define STRATEGY_BOUND_H

#include "machine.h"
#include "placement.h"
#include "stage_memory.h"
#include "strategy_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles.  EXIT_OK, or EXIT_CHECK after a message: no memory. */
int strategy_bound(const strategy_plan *p, const placement *at, const machine *of,
                   const stage_memory *m, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
