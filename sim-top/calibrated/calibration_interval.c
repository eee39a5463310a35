/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibration_interval.c -- conformal intervals from the held-out residuals
 *
 * Each residual is divided by the expected residual of its kind and size. The quotients are sorted,
 * and order statistics give the limit that a new result keeps with the given share. A limit for the
 * class alone can only widen the interval.
 */
#include "calibration_interval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NEAREST = 8 };
/* A result is a whole number of cycles, so even an exact prediction has an expected residual of one
 * in 10,000. */
#define LEAST 1e-4

static double residual(const held_out *h) {
    return fmax(fmax(log(h->low / h->measured), log(h->measured / h->high)), 0);
}

bool calibration_unsure(const held_out *h) {
    return h->high > CALIBRATION_UNSURE * h->predicted ||
           h->low * CALIBRATION_UNSURE < h->predicted;
}

/* Returns the expected residual: the mean of the nearest residuals in size of a kind, averaged with
 * the mean of all. A few exact predictions alone would promise too much. The held-out collective
 * `but` is left out. */
static double expected(const calibration *c, const char *kind, double bytes, bool at_once,
                       const held_out *but) {
    double far[NEAREST], error[NEAREST], sum = 0, all = 0;
    unsigned n = 0, of_all = 0;

    for (unsigned i = 0; i < c->held_count; i++) {
        const held_out *h = &c->held[i];
        const double away = fabs(log(h->bytes / bytes));
        unsigned at = n;

        if ((h->works > 1) != at_once || h == but) continue;
        all += residual(h);
        of_all++;
        if (!kind || strcmp(kind, h->kind) != 0) continue;
        if (n == NEAREST && away >= far[NEAREST - 1]) continue;
        if (n == NEAREST) at = --n;
        for (; at && far[at - 1] > away; at--) {
            far[at] = far[at - 1];
            error[at] = error[at - 1];
        }
        far[at] = away;
        error[at] = residual(h);
        n++;
    }
    for (unsigned i = 0; i < n; i++) sum += error[i];
    all = of_all ? all / of_all : 0;
    return LEAST + ((n ? sum / n : all) + all) / 2;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the least k for which the k-th of n sorted values is at least the quantile of the share,
 * with the confidence. The sum is the probability that at most k of n draws fall below the
 * quantile. Returns 0 if n is too small. */
static unsigned limit(unsigned n) {
    double below = 0;

    for (unsigned k = 0; k < n; k++) {
        below += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) +
                     k * log(CALIBRATION_SHARE) + (n - k) * log(1 - CALIBRATION_SHARE));
        if (below >= CALIBRATION_CONFIDENCE) return k + 1;
    }
    return 0;
}

static unsigned conformal(unsigned n) { return (unsigned)ceil((n + 1) * CALIBRATION_SHARE); }

/* Returns the limit that at least the share of new residuals keep, with the confidence, if the
 * residuals have an exponential distribution, and n of them have this mean. 2 n times the ratio of
 * the means is chi-square with 2 n degrees of freedom. Its quantile is approximated as Wilson and
 * Hilferty do. */
static double exponential_limit(double mean, unsigned n) {
    /* quantile of a normal distribution: a twentieth is below */
    const double one = -1.6448536269514722;
    const double part = 1 / (9.0 * n), root = 1 - part + one * sqrt(part);

    return mean * -log(1 - CALIBRATION_SHARE) / (root * root * root);
}

/* Returns the limit of the residuals of a kind (NULL: of all kinds) on a side of 1 MiB and with so
 * many at a time; 0: there are none. Sets *count to their number. score: room for all. */
static double limit_of(const calibration *c, const char *kind, double bytes, unsigned works,
                       double *score, unsigned *count) {
    double sum = 0;
    unsigned n = 0;

    for (unsigned i = 0; i < c->held_count; i++) {
        const held_out *h = &c->held[i];

        if (h->works == works && (!kind || !strcmp(h->kind, kind)) &&
            (h->bytes >= CALIBRATION_LARGE) == (bytes >= CALIBRATION_LARGE))
            sum += score[n++] = residual(h);
    }
    *count = n;
    if (!n) return 0;
    qsort(score, n, sizeof *score, ascending);
    return LEAST +
           fmax(score[conformal(n) > n ? n - 1 : conformal(n) - 1], exponential_limit(sum / n, n));
}

/* Returns the limit of a class. For a small class it is at least the limit of all kinds. */
static double limit_of_class(const calibration *c, const char *kind, double bytes, unsigned works,
                             double *score) {
    unsigned own, all;
    const double limit = limit_of(c, kind, bytes, works, score, &own);

    if (own >= CALIBRATION_CLASS) return limit;
    return fmax(limit, limit_of(c, NULL, bytes, works, score, &all));
}

calibration_interval calibration_interval_of(const calibration *c, const char *kind, double bytes,
                                             unsigned works) {
    double *score = calloc(c->held_count + 1, sizeof *score);
    calibration_interval to = { 1, 1, 0 };
    const bool at_once = works != 1;
    unsigned n = 0;

    for (unsigned i = 0; score && i < c->held_count; i++) {
        const held_out *h = &c->held[i];

        if ((h->works > 1) != at_once) continue;
        const double r = residual(h) / expected(c, kind ? h->kind : NULL, h->bytes, at_once, h);
        if (n && h->work && i && !strcmp(h->text, h[-1].text))
            /* residuals of one experiment depend on each other, so only the largest counts */
            score[n - 1] = fmax(score[n - 1], r);
        else
            score[n++] = r;
    }
    const unsigned at = at_once ? conformal(n) : limit(n);
    if (score && at && at <= n) {
        qsort(score, n, sizeof *score, ascending);
        double half = score[at - 1] * expected(c, kind, bytes, at_once, NULL);

        if (kind) half = fmax(half, limit_of_class(c, kind, bytes, works, score));

        to = (calibration_interval){ exp(-half), exp(half), n };
    }
    free(score);
    return to;
}
