/* SPDX-License-Identifier: Apache-2.0 */
/* machine_words.h -- which machine an answer is of, and how far off it may be, in one line */
#ifndef MACHINE_WORDS_H
#define MACHINE_WORDS_H

#include <cjson/cJSON.h>

#include "machine_about.h"
#include "model.h"
#include "strategy.h"

/* machine_file, machine_measured, machine_fitted_on, machine_error and the runs that it is of.
 * file: the accelerator's, or the cluster's where none is named.  EXIT_OK, or another status after
 * a message. */
int machine_words_add(cJSON *root, const machine_about *a, const char *file,
                      const training_model *m, const strategy *s);
/* Of an object that has them; width: of the first column. */
void machine_words_print(const cJSON *root, int width);

#endif
