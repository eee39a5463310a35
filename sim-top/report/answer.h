/* SPDX-License-Identifier: Apache-2.0 */
/*
 * answer.h -- what a run says first: how long, how much, how good, why, and what to try
 *
 * What bounded it is read from the counters of this run (bottleneck.h) and not put to the test,
 * which is what acesim explain does.
 */
#ifndef ANSWER_H
#define ANSWER_H

#include <cjson/cJSON.h>

#include "report.h"

/* To stdout.  root: the whole result of r, as it is written as JSON.  EXIT_OK, or EXIT_CHECK after
 * a message: no memory to find out what bounded it. */
int answer_print(const report *r, cJSON *root);

#endif
