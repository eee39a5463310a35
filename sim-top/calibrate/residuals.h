/* SPDX-License-Identifier: Apache-2.0 */
/* residuals.h -- how far the held-out experiments of a calibration are from what was measured */
#ifndef RESIDUALS_H
#define RESIDUALS_H

#include <cjson/cJSON.h>

#include "calibration_file.h"
#include "iterations.h"

/* An object with `groups` and `points`.  There is a group for each kind and size and for two and
 * three at a time, of errors |predicted / measured - 1|: count, mean, median, p90, worst.  Each
 * point has its signed error, the interval that `set` has for it, and whether that is wide because
 * a few cycles decide (`unsure`).  set: other held-out ones, or NULL.  NULL: no memory. */
cJSON *residuals_object(const calibration *c, const calibration *set);
/* Adds how many of `seen` lie in the interval that `set`, of another seed, has for them, together
 * and in each class. */
void residuals_add_coverage(cJSON *object, const calibration *set, const calibration *seen);
/* Adds `iterations`, each with its signed error, and a group of them. */
void residuals_add_iterations(cJSON *object, const iteration_check *each, unsigned count);
/* The groups as a table for people, and each collective in a line. */
void residuals_print(const cJSON *object);
void residuals_print_points(const cJSON *object);

#endif
