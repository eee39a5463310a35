/* SPDX-License-Identifier: Apache-2.0 */
/* machine_text.h -- the machine of a result and the error of its times, in one line */
#ifndef MACHINE_TEXT_H
#define MACHINE_TEXT_H

#include <cjson/cJSON.h>

#include "machine_about.h"
#include "model.h"
#include "strategy.h"

/* Adds machine_file, machine_measured, machine_fitted_on, machine_error and the runs of this error.
 * file: the accelerator's file; without one, the cluster's. Returns EXIT_OK, or another status
 * after a message. */
int machine_text_add(cJSON *root, const machine_about *a, const char *file, const training_model *m,
                     const strategy *s);
/* Prints these members of an object. width: of the first column. */
void machine_text_print(const cJSON *root, int width);

#endif
