/* SPDX-License-Identifier: Apache-2.0 */
/*
 * simplex.c -- Nelder and Mead's simplex, begun again around the best point
 *
 * Each round starts a smaller simplex at the best point so far, in alternating directions.
 * Constants that do not change the error are not moved.
 */
#include "simplex.h"

#include <math.h>
#include <string.h>

typedef struct simplex {
    const simplex_problem *p;
    double x[SIMPLEX_MOST + 1][SIMPLEX_MOST], y[SIMPLEX_MOST + 1]; /* logarithms; their error */
} simplex;

static double error_of(const simplex *f, const double x[SIMPLEX_MOST]) {
    double c[SIMPLEX_MOST];

    for (unsigned i = 0; i < f->p->constants; i++) c[i] = exp(x[i]);
    return f->p->error(f->p->self, c);
}

static void sort_points(simplex *f) {
    for (unsigned i = 1; i <= f->p->constants; i++) {
        for (unsigned k = i; k && f->y[k] < f->y[k - 1]; k--) {
            double x[SIMPLEX_MOST];
            const double y = f->y[k];

            memcpy(x, f->x[k], sizeof x);
            memcpy(f->x[k], f->x[k - 1], sizeof x);
            memcpy(f->x[k - 1], x, sizeof x);
            f->y[k] = f->y[k - 1];
            f->y[k - 1] = y;
        }
    }
}

/* The worst point, moved through the middle of the others. */
static double move_worst(const simplex *f, double by, double to[SIMPLEX_MOST]) {
    const unsigned n = f->p->constants;

    for (unsigned i = 0; i < n; i++) {
        double middle = 0;

        for (unsigned k = 0; k < n; k++) middle += f->x[k][i] / n;
        to[i] = middle + by * (f->x[n][i] - middle);
    }
    return error_of(f, to);
}

static void step(simplex *f) {
    const unsigned n = f->p->constants;
    double x[SIMPLEX_MOST] = { 0 }, far[SIMPLEX_MOST] = { 0 };
    double y, y_far;

    sort_points(f);
    y = move_worst(f, -1, x);
    if (y < f->y[0]) {
        y_far = move_worst(f, -2, far);
        memcpy(f->x[n], y_far < y ? far : x, sizeof x);
        f->y[n] = y_far < y ? y_far : y;
        return;
    }
    if (y >= f->y[n - 1]) y = move_worst(f, y < f->y[n] ? -0.5 : 0.5, x);
    if (y < f->y[n]) {
        memcpy(f->x[n], x, sizeof x);
        f->y[n] = y;
        return;
    }
    for (unsigned k = 1; k <= n; k++) {
        for (unsigned i = 0; i < n; i++) f->x[k][i] = (f->x[k][i] + f->x[0][i]) / 2;
        f->y[k] = error_of(f, f->x[k]);
    }
}

/* Returns whether the error depends on a constant. */
static int matters(const simplex *f, const double best[SIMPLEX_MOST], unsigned i) {
    double x[SIMPLEX_MOST];

    memcpy(x, best, sizeof x);
    x[i] -= 1;
    return error_of(f, x) != error_of(f, best);
}

void simplex_minimise(const simplex_problem *p, double c[]) {
    simplex f = { .p = p };
    double best[SIMPLEX_MOST] = { 0 };

    for (unsigned i = 0; i < p->constants; i++) best[i] = log(c[i]);
    for (unsigned round = 0; round < p->rounds; round++) {
        for (unsigned k = 0; k <= p->constants; k++) {
            memcpy(f.x[k], best, sizeof best);
            if (k) f.x[k][k - 1] += (round % 2 ? -1.0 : 1.0) / (1 + round);
            f.y[k] = error_of(&f, f.x[k]);
        }
        for (unsigned i = 0; i < p->steps; i++) step(&f);
        sort_points(&f);
        memcpy(best, f.x[0], sizeof best);
    }
    for (unsigned i = 0; i < p->constants; i++)
        if (matters(&f, best, i)) c[i] = exp(best[i]);
}
