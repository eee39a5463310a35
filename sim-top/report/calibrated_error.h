/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_error.h -- what a result of the rung calibrated says of its error */
#ifndef CALIBRATED_ERROR_H
#define CALIBRATED_ERROR_H

#include <cjson/cJSON.h>

#include "calibration_file.h"
#include "setup.h"

/* Adds `expected_error`.  It is that of the held-out collectives nearest to the command; of an
 * iteration, where the command is NULL, that of all that were several at a time.  Adds
 * `unsure_cycles` where there are any: cycles in which chunks wanted links of several dimensions
 * that an all-to-all filled.  With --interval it adds `interval`, which is wider by these cycles.
 * Without a calibration nothing is added. */
void calibrated_error_add(cJSON *root, const setup *s, const ace_command *command, uint64_t cycles,
                          uint64_t unsure);

/* The same as a line each for people, behind a label of so many columns; nothing where there is
 * none. */
void calibrated_error_print(const cJSON *root, int label);

#endif
