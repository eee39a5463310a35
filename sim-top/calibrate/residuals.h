/* SPDX-License-Identifier: Apache-2.0 */
/* residuals.h -- the errors of a calibration on its held-out experiments */
#ifndef RESIDUALS_H
#define RESIDUALS_H

#include <cjson/cJSON.h>

#include "calibration_file.h"
#include "iterations.h"

/* Returns an object with `groups` and `points`; NULL when there is no memory. There is a group for
 * each kind and size, and for two and three collectives at a time. It has the errors |predicted /
 * measured - 1|: count, mean, median, p90, worst. Each point has its signed error, its interval
 * from `set`, and whether the form itself is uncertain there (`unsure`). set: another calibration's
 * held-out experiments, or NULL. */
cJSON *residuals_object(const calibration *c, const calibration *set);
/* Adds how many points of `seen` lie in their interval from `set`, which has another seed: in all
 * and in each class. */
void residuals_add_coverage(cJSON *object, const calibration *set, const calibration *seen);
/* Adds `iterations`, each with its signed error, and a group for them. */
void residuals_add_iterations(cJSON *object, const iteration_check *each, unsigned count);
/* Prints the groups as a table, and each collective on a line. */
void residuals_print(const cJSON *object);
void residuals_print_points(const cJSON *object);

#endif
