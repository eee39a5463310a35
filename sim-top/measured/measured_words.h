/* SPDX-License-Identifier: Apache-2.0 */
/* measured_words.h -- errors of predicted iterations, as commands say them */
#ifndef MEASURED_WORDS_H
#define MEASURED_WORDS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "measured_rows.h"

/* An array `name` of `root`: a line for each model in the order of the rows, or for each tp and pp,
 * and one for all, of the rows that `take` marks.  EXIT_OK, or EXIT_CHECK after a message. */
int measured_section(cJSON *root, const char *name, const measured_rows *r,
                     const double *predicted_ms, const bool *take, bool strategies);
/* Of an object that has it. */
void measured_print_section(const cJSON *root, const char *name, const char *title);
double measured_get(const cJSON *o, const char *name); /* NAN: it is no number */

#endif
