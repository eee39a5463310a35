/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_bound.h -- a lower bound on the time of an iteration of a plan, on any endpoint
 *
 * The bound is the longest path through all stages, with ideal times. An operation has its NPU
 * alone. A collective or message sends at the rate of all links of its dimensions at an NPU.
 * Nothing waits for a link, for memory or in a queue, and summing gradients takes no part of an
 * NPU. Every run has the dependences of the plan, and no step of the path takes less time in a run.
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

/* Sets the bound in cycles. Returns EXIT_OK, or EXIT_CHECK after a message when there is no
 * memory. */
int strategy_bound(const strategy_plan *p, const placement *at, const machine *of,
                   const stage_memory *m, uint64_t *cycles);

#ifdef __cplusplus
}
#endif

#endif
