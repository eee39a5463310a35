/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h -- the first lines of a run's output: time, bytes, quality, the bound, and what to try
 *
 * The bound is read from the counters of this run (bottleneck.h). It is not tested here; acesim
 * explain tests it.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <cjson/cJSON.h>

#include "report.h"

/* Prints to stdout. root: the whole result of r, as it is written as JSON. Returns EXIT_OK, or
 * EXIT_CHECK after a message if there is no memory. */
int answer_print(const report *r, cJSON *root);

#endif
