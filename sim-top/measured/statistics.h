/* SPDX-License-Identifier: Apache-2.0 */
/* statistics.h -- how far predictions are from what was measured, and what they would choose */
#ifndef STATISTICS_H
#define STATISTICS_H

#include <stdbool.h>

#include "measured_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Errors are |predicted / measured - 1|. */
typedef struct statistics {
    unsigned rows;
    double mean, median, worst;
    double rank; /* Spearman's correlation of predicted and measured times; NAN below three rows */
    /* A choice is several rows with the same model, ranks and batch: the measured time of the row
     * that is predicted fastest, divided by the shortest measured time. */
    unsigned choices;
    double chosen_mean, chosen_worst; /* NAN without choices */
} statistics;

/* Computes the statistics of the rows that `take` marks and whose model is `model` (NULL: any
 * model). Returns EXIT_OK, or EXIT_CHECK after a message when there is no memory. */
int statistics_of(const measured_rows *r, const double *predicted_ms, const bool *take,
                  const char *model, statistics *s);

/* Rows, mean, median and worst of n errors, 1 or more, which are sorted. */
void statistics_errors(double *error, unsigned n, statistics *s);
/* Computes the rank correlation of n pairs. Equal values share the mean of their ranks.  NAN: fewer
 * than three pairs, or all equal. */
int statistics_rank(const double *a, const double *b, unsigned n, double *correlation);

#ifdef __cplusplus
}
#endif

#endif
