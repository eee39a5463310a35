/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_seconds.h -- estimates the run time of an iteration on the exact engine
 *
 * Nodes of ACE and of its baselines take 2.2 us for each row of 256 bytes that an NPU sends, in
 * each class of NPUs that do the same. The ideal endpoint, and the rung calibrated, take 60 us for
 * each node of the graph. Eight iterations of 16 to 64 NPUs took 0.6 to 1.5 times the estimate on
 * one core of a server of 2026.
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
