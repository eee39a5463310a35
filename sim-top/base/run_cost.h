/* SPDX-License-Identifier: Apache-2.0 */
/* run_cost.h -- the time and the memory that a run took */
#ifndef RUN_COST_H
#define RUN_COST_H

#ifdef __cplusplus
extern "C" {
#endif

double run_cost_start(void); /* seconds of a clock that only goes on */
/* Wall time since then and the most memory held so far, on stderr. */
void run_cost_print(double start);

#ifdef __cplusplus
}
#endif

#endif
