/* SPDX-License-Identifier: Apache-2.0 */
/* measured_errors.h -- errors of predicted iterations, as commands print them */
#ifndef MEASURED_ERRORS_H
#define MEASURED_ERRORS_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "measured_rows.h"
#include "option_table.h"

/* Adds an array `name` to `root`, with the errors of the rows that `take` marks. It has a line for
 * each model in the order of the rows, or for each tp and pp, and one line for all. Returns
 * EXIT_OK, or EXIT_CHECK after a message. */
int measured_section(cJSON *root, const char *name, const measured_rows *r,
                     const double *predicted_ms, const bool *take, bool strategies);
/* Prints such an array of an object. */
void measured_print_section(const cJSON *root, const char *name, const char *title);
double measured_get(const cJSON *o, const char *name); /* returns NAN if the member is no number */

/* The rows that a fit uses: none, each second row, or all. */
typedef enum fit_name { FIT_NONE, FIT_HALF, FIT_ALL } fit_name;
extern const char *const fit_names[];
#define FIT_ROW(type, member)                                                        \
    {                                                                                \
        "fit", "NAME", OPTION_WORD, offsetof(type, member),                          \
            .text = "half (each second row from the first on), all, or none [half]", \
            .accepted = "half, all or none", .names = fit_names                      \
    }
/* Adds what was measured and predicted for a row. use: such as "fitted". Times are in ms. */
void measured_row_add(cJSON *to, const measured_row *r, const strategy *s, const char *use,
                      double zero_shot, double predicted);
/* Prints such rows as a table with columns of these widths. */
void measured_rows_print(const cJSON *list, int model, int strategy, int use);

#endif
