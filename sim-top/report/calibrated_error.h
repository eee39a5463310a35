/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_error.h -- the expected error of a result of the rung calibrated */
#ifndef CALIBRATED_ERROR_H
#define CALIBRATED_ERROR_H

#include <cjson/cJSON.h>

#include "calibration_file.h"
#include "machine.h"

/* Adds `expected_error`: the error of the held-out collectives nearest to the command. For an
 * iteration command is NULL, and the error comes from all held-out runs with several collectives at
 * a time. Adds `unsure_cycles` if there are any: cycles in which chunks requested links that an
 * all-to-all filled, or shared a phase with chunks of other dimensions. The form does not predict
 * there which chunks go first. On request it adds `interval`, which these cycles widen. Without a
 * calibration nothing is added. */
void calibrated_error_add(cJSON *root, const machine *m, bool interval, const ace_command *command,
                          uint64_t cycles, uint64_t unsure);

/* Prints the same for people, with a line for each, after a label of so many columns. Prints
 * nothing if the result has none. */
void calibrated_error_print(const cJSON *root, int label);

#endif
