/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_seconds.h -- roughly how long the exact engine takes for an iteration, before it is run
 *
 * Nodes of ACE and of its baselines take 2.2 us for each row of 256 bytes that an NPU sends, in
 * each class of NPUs that do the same.  Links alone, and the rung calibrated, take 60 us for each
 * node of the graph.  Eight iterations of 16 to 64 NPUs took 0.6 to 1.5 times as long on one core
 * of a server of 2026.
 */
#ifndef STRATEGY_SECONDS_H
#define STRATEGY_SECONDS_H

#include "machine.h"
#include "placement.h"
#include "strategy_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

double strategy_seconds(const strategy_plan *p, const placement *at, const machine *of);

#ifdef __cplusplus
}
#endif

#endif
