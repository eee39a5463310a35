/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_error.h -- what a result of the rung calibrated says of its error */
#ifndef CALIBRATED_ERROR_H
#define CALIBRATED_ERROR_H

#include <cjson/cJSON.h>

#include "calibration_file.h"
#include "run_fields.h"

/* Adds `expected_error`, of the held-out collectives nearest to the command, or where it is NULL, of an
 * iteration, of all that were several at a time; and with o->interval `interval`.  c NULL: of another
 * rung, which has none. */
void calibrated_error_add(cJSON *root, const calibration *c, const run_fields *o,
                          const ace_command *command, uint64_t cycles);

/* The same as a line each for people, behind a label of so many columns; nothing where there is none. */
void calibrated_error_print(const cJSON *root, int label);

#endif
