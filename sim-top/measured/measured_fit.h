/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_fit.h -- the rows of a file, predicted from their parts, with constants of data sheets
 * and with constants that were fitted to some of the rows
 *
 *     measured_fit t = { .file = "rows.csv" };
 *     status = measured_fit_make(&t, &how);           the predictions and their errors
 *     status = measured_fit_result(&t, &how, root);   as JSON
 *     measured_fit_free(&t);
 */
#ifndef MEASURED_FIT_H
#define MEASURED_FIT_H

#include "cluster.h"
#include "composed.h"
#include "measured_errors.h"
#include "statistics.h"

/* The options of a fit, for each file. */
typedef struct measured_fit_how {
    const cluster *machine;           /* that all rows ran on, or NULL */
    const char *machine_file;         /* of it, or NULL */
    double given[COMPOSED_CONSTANTS]; /* constants before a fit */
    int fit;                          /* a fit_name */
    bool cross, list;                 /* cross-validate; the result has each row */
    unsigned without;                 /* constants to leave out, one bit each */
    const char *left_out;             /* numbers of rows such as "6,16", or NULL */
} measured_fit_how;

typedef struct measured_fit {
    const char *file;
    const struct measured_fit *other; /* its constants predict these rows; NULL: their own */
    measured_rows rows;
    composed **composed;
    bool *fitted, *unseen, *all; /* for each row; a left-out row has none set */
    double *sheet, *predicted;   /* ms */
    double value[COMPOSED_CONSTANTS];
    statistics of_fitted, of_unseen, of_crossed;
} measured_fit;

/* Gives the constants of composed iterations that the file of an accelerator sets. */
void measured_fit_constants(const cluster *c, double to[COMPOSED_CONSTANTS]);
/* Reads, fits and predicts the rows of t->file. Returns EXIT_OK, or another status after a message.
 * The caller calls measured_fit_free() in either case. */
int measured_fit_make(measured_fit *t, const measured_fit_how *q);
void measured_fit_free(measured_fit *t);

/* Returns a list of the rows. */
cJSON *measured_fit_rows(const measured_fit *t, int fit);
/* Adds constants and errors to root. Returns EXIT_OK, or EXIT_CHECK after a message. */
int measured_fit_result(const measured_fit *t, const measured_fit_how *q, cJSON *root);
/* Prints this result as tables. */
void measured_fit_print(const cJSON *root);
/* Writes the file of an accelerator: the machine that the rows ran on, with the constants that
 * acesim train uses. Returns EXIT_OK, or EXIT_CHECK after a message. */
int measured_fit_write(const measured_fit *t, const measured_fit_how *q, const char *file);

#endif
