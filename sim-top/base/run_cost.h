/* SPDX-License-Identifier: Apache-2.0 */
/* run_cost.h -- reports the time and the memory that a run took */
#ifndef RUN_COST_H
#define RUN_COST_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

double run_cost_start(void); /* seconds of a monotonic clock */
/* Writes ", 3 min 05 s left", for a line of progress. */
void run_cost_left(char *to, size_t room, double seconds);
/* Prints on stderr the wall time since `start` (seconds) and the most memory used so far. Prints
 * nothing after a refusal, where nothing ran. */
void run_cost_print(double start, int status);

#ifdef __cplusplus
}
#endif

#endif
