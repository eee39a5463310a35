/* SPDX-License-Identifier: Apache-2.0 */
/*
 * statistics.c -- errors, rank correlation, and the cost of a choice by prediction
 *
 * Rows that differ only in the strategy form a question. The choice is the row with the best
 * prediction, and the cost is its measured time over the best measured time.
 */
#include "statistics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* The rank of each value, from 1; sorted: the same values in order.  Values that differ by rounding
 * alone are equal. */
static void ranks_of(const double *v, const double *sorted, unsigned n, double *rank) {
    for (unsigned i = 0; i < n; i++) {
        const double rounding = 1e-12 * fabs(v[i]);
        unsigned below = 0, equal = 0;

        while (sorted[below] < v[i] - rounding) below++;
        while (below + equal < n && sorted[below + equal] <= v[i] + rounding) equal++;
        rank[i] = below + (equal + 1) / 2.0;
    }
}

static double correlation_of(const double *a, const double *b, unsigned n) {
    const double middle = (n + 1) / 2.0;
    double ab = 0, aa = 0, bb = 0;

    for (unsigned i = 0; i < n; i++) {
        ab += (a[i] - middle) * (b[i] - middle);
        aa += (a[i] - middle) * (a[i] - middle);
        bb += (b[i] - middle) * (b[i] - middle);
    }
    return aa > 0 && bb > 0 ? ab / sqrt(aa * bb) : NAN;
}

int statistics_rank(const double *a, const double *b, unsigned n, double *correlation) {
    double *const room = malloc(3 * (size_t)n * sizeof *room + 1);
    double *const sorted = room, *const ra = room + n, *const rb = room + 2 * (size_t)n;

    *correlation = NAN;
    if (!room) return message_no_memory();
    memcpy(sorted, a, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    ranks_of(a, sorted, n, ra);
    memcpy(sorted, b, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, ascending);
    ranks_of(b, sorted, n, rb);
    if (n > 2) *correlation = correlation_of(ra, rb, n);
    free(room);
    return EXIT_OK;
}

/* ---- what would be chosen ------------------------------------------------------------------ */

static bool same_question(const measured_row *a, const measured_row *b) {
    return !strcmp(a->model.name, b->model.name) && a->model.heads == b->model.heads &&
           a->model.sequence == b->model.sequence &&
           strategy_ranks(&a->strategy) == strategy_ranks(&b->strategy) &&
           strategy_sequences(&a->strategy) == strategy_sequences(&b->strategy);
}

/* at: the compared rows. Rows with one model, sequence and number of ranks are one question, which
 * is counted at its first row. */
static void choose(const measured_rows *r, const double *predicted, const unsigned *at, unsigned n,
                   statistics *s) {
    double sum = 0;

    s->chosen_worst = s->chosen_mean = NAN;
    for (unsigned i = 0; i < n; i++) {
        unsigned picked = at[i], best = at[i], rows = 0;
        bool first = true;

        for (unsigned k = 0; k < n; k++) {
            if (!same_question(&r->at[at[i]], &r->at[at[k]])) continue;
            first = first && k >= i;
            rows++;
            if (predicted[at[k]] < predicted[picked]) picked = at[k];
            if (r->at[at[k]].iteration_ms < r->at[best].iteration_ms) best = at[k];
        }
        if (!first || rows < 2) continue;
        const double over = r->at[picked].iteration_ms / r->at[best].iteration_ms;

        sum += over;
        s->choices++;
        if (!(s->chosen_worst >= over)) s->chosen_worst = over;
    }
    if (s->choices) s->chosen_mean = sum / s->choices;
}

void statistics_errors(double *error, unsigned n, statistics *s) {
    qsort(error, n, sizeof *error, ascending);
    s->rows = n;
    s->mean = 0;
    for (unsigned i = 0; i < n; i++) s->mean += error[i] / n;
    s->median = (error[(n - 1) / 2] + error[n / 2]) / 2;
    s->worst = error[n - 1];
}

int statistics_of(const measured_rows *r, const double *predicted, const bool *take,
                  const char *model, statistics *s) {
    unsigned *const at = calloc((size_t)r->count + 1, sizeof *at);
    double *const error = calloc(3 * (size_t)r->count + 1, sizeof *error);
    double *const a = error + r->count, *const b = error + 2 * (size_t)r->count;
    int rc = EXIT_OK;

    *s = (statistics){ .mean = NAN, .median = NAN, .worst = NAN, .rank = NAN };
    for (unsigned i = 0; at && error && i < r->count; i++) {
        if (!take[i] || (model && strcmp(r->at[i].model.name, model))) continue;
        at[s->rows] = i;
        a[s->rows] = predicted[i];
        b[s->rows] = r->at[i].iteration_ms;
        error[s->rows++] = fabs(predicted[i] / r->at[i].iteration_ms - 1);
    }
    if (!at || !error) {
        rc = message_no_memory();
    } else if (s->rows) {
        statistics_errors(error, s->rows, s);
        rc = statistics_rank(a, b, s->rows, &s->rank);
        choose(r, predicted, at, s->rows, s);
    }
    free(at);
    free(error);
    return rc;
}
