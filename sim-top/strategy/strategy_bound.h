/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_bound.h -- a time below which no iteration of a plan can be, on any endpoint
 *
 * Every operation takes what it takes on an NPU of its own, a collective or a message what its
 * bytes take at the rate of all links of its dimensions at an NPU, nothing waits for a link, for
 * memory or for a turn, and the gradients' sums take no part of an NPU.  The longest way through
 * all stages is the bound: what a plan waits for it waits for in every run, and each step of the
 * way takes no less there.
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
