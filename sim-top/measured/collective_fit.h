/* SPDX-License-Identifier: Apache-2.0 */
/* collective_fit.h -- measured collectives, those that were not fitted, and how far the form is
 * from them */
#ifndef COLLECTIVE_FIT_H
#define COLLECTIVE_FIT_H

#include <cjson/cJSON.h>

#include "collective_form.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct collective_question {
    const char *file, *fabric_text;
    collective_fabric fabric;
    const char *predict; /* another table, which is not fitted, or NULL */
    const char *predict_fabric_text;
    collective_fabric predict_fabric;
    /* Bytes: fitted are the rows of each kind nearest to them.  0: both ends of the table between
     * 4 KiB and 4 GiB, and the middle of their logarithms. */
    double size[FORM_SIZES];
    /* The kind that is fitted, and that of rows of nccl-tests that do not name theirs; -1: all
     * kinds that the table names. */
    int kind;
} collective_question;

/* An object with the constants of each kind, errors |predicted / measured - 1| of the rows that
 * were not fitted, the same of time = alpha + beta bytes, and `rows`. With q->predict, also
 * `prediction`: the same of the other table. It takes the constants of the same kind, or of the
 * first fitted one; its start is at least the latency that NCCL estimates. Refused are a table that
 * names another accelerator, and a time 20 times as long or as short as the predicted one. EXIT_OK,
 * or after a message another status; *object is the caller's where it is EXIT_OK. */
int collective_fit(const collective_question *q, cJSON **object);
/* As a table for people; all: a line for each row, too. */
void collective_fit_print(const cJSON *object, bool all);

#ifdef __cplusplus
}
#endif

#endif
