/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_fit.c -- damped least squares over the parameters, with coordinate steps between
 *
 * Slopes are differences of the form, and a damped normal equation gives the next point
 * (Levenberg-Marquardt). Where the error has steps, sweeps move one value at a time. The fit has
 * two stages. The first uses experiments with one collective. The second fits parameters that only
 * several collectives at a time determine. A logarithm damps large errors.
 */
#include "flow_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 14, TRIES = 6 };
#define PRIOR     0.03
#define ONE_CHUNK 0.01 /* target of one chunk alone */
#define ENOUGH    1e-4 /* of the sum of squares: a round that gains less is the last */

double sample_error(const sample *s, unsigned work) {
    return fabs(s->predicted[work] / s->measured[work] - 1);
}

double sample_aim(const experiment *e, unsigned work) {
    return e->works > 1 ? 0.02 : e->work[work].bytes >= (1u << 20) ? 0.01 : 0.03;
}

bool flow_predict(sample *s, unsigned count, const flow_parameters *p) {
    for (unsigned i = 0; i < count; i++)
        if (!experiment_model(&s[i].e, &s[i].setup.machine, p, s[i].predicted)) return false;
    return true;
}

bool flow_range(sample *s, unsigned count, const flow_parameters *p) {
    for (unsigned i = 0; i < count; i++)
        if (!experiment_range(&s[i].e, &s[i].setup.machine, p, s[i].low, s[i].high)) return false;
    return true;
}

static unsigned works_of(const sample *s, unsigned count) {
    unsigned n = 0;

    for (unsigned i = 0; i < count; i++) n += s[i].e.works;
    return n;
}

/* A chunk alone waits for nothing, and its time is a sum of latencies. So it decides them. In
 * larger collectives a few cycles may change which chunk waits, and a fit would follow that. */
static double aim_of(const sample *s, unsigned work) {
    const experiment_work *w = &s->e.work[work];
    const uint64_t chunk = s->setup.machine.cluster.chunk_bytes;
    const bool one = s->e.works == 1 && w->bytes <= (s->e.chunk ? s->e.chunk : chunk);

    return one && w->kind != ACE_ALL_TO_ALL ? ONE_CHUNK : sample_aim(&s->e, work);
}

/* Damps errors above three targets. Such an error shows that the form lacks something there, and it
 * must not dominate the fit. */
static double pull(double r) {
    const double a = fabs(r);

    return a <= 3 ? r : copysign(3 + 3 * log(a / 3), r);
}

static double residuals(sample *s, unsigned count, const flow_parameters *p, double *r) {
    double sum = 0;
    unsigned n = 0;

    if (!flow_predict(s, count, p)) return NAN;
    for (unsigned i = 0; i < count; i++)
        for (unsigned w = 0; w < s[i].e.works; w++, n++) {
            r[n] = pull((s[i].predicted[w] / s[i].measured[w] - 1) / aim_of(&s[i], w));
            sum += r[n] * r[n];
        }
    return sum;
}

static bool is_share(const flow_parameter *p) { return p->most <= 20; }

/* Returns the step for a parameter's slope, within the parameter's range. */
static double step_of(const flow_parameter *p, double value) {
    const double step = is_share(p) ? 0.01 : fmax(3, 0.02 * value);

    return value + step <= p->most ? step : -step;
}

/* Solves a x = b by elimination. a is n x n, symmetric and positive, and is destroyed. */
static void solve(double *a, double *b, unsigned n) {
    for (unsigned i = 0; i < n; i++)
        for (unsigned k = i + 1; k < n; k++) {
            const double f = a[i * n + i] > 0 ? a[k * n + i] / a[i * n + i] : 0;

            for (unsigned j = i; j < n; j++) a[k * n + j] -= f * a[i * n + j];
            b[k] -= f * b[i];
        }
    for (unsigned i = n; i-- > 0;) {
        for (unsigned j = i + 1; j < n; j++) b[i] -= a[i * n + j] * b[j];
        b[i] = a[i * n + i] > 0 ? b[i] / a[i * n + i] : 0;
    }
}

typedef struct fitting {
    sample *s;
    unsigned count, rows;
    /* dimensions of the experiments, one bit each, and one bit for values without a dimension */
    unsigned used;
    bool open[FLOW_VALUES];     /* values that are fitted; the others are fixed */
    double *r, *trial, *slopes; /* slopes: for each value and row */
    double squares[FLOW_VALUES * FLOW_VALUES], right[FLOW_VALUES];
} fitting;

static const flow_parameter *parameter_at(unsigned value) {
    unsigned i = 0;

    while (value >= flow_parameter_list[i].at + flow_parameter_list[i].count) i++;
    return &flow_parameter_list[i];
}

/* Returns the dimension of a value, or ACE_CLUSTER_DIMENSIONS if it has none. */
static unsigned dimension_at(unsigned value) {
    const flow_parameter *of = parameter_at(value);

    return of->count > 1 ? value - of->at : ACE_CLUSTER_DIMENSIONS;
}

/* Values that the experiments do not determine stay where they began: a change of 1 % of a share,
 * or of 10 cycles, costs PRIOR targets. */
static double prior(unsigned value) {
    const double unit = is_share(parameter_at(value)) ? 0.003 : 10;

    return PRIOR * PRIOR / (unit * unit);
}

static bool slopes(fitting *f, const flow_parameters *p) {
    for (unsigned v = 0; v < FLOW_VALUES; v++) {
        flow_parameters moved = *p;
        double *value = (double *)&moved + v, *to = f->slopes + (size_t)v * f->rows;
        const double step = step_of(parameter_at(v), *value);

        if (!f->open[v]) continue;
        *value += step;
        if (isnan(residuals(f->s, f->count, &moved, f->trial))) return false;
        for (unsigned i = 0; i < f->rows; i++) to[i] = (f->trial[i] - f->r[i]) / step;
    }
    return true;
}

/* Returns the next point for a given damping. */
static flow_parameters next_point(fitting *f, const flow_parameters *p, double damping) {
    flow_parameters to = *p;
    double *value = (double *)&to;

    for (unsigned a = 0; a < FLOW_VALUES; a++) {
        const double *sa = f->slopes + (size_t)a * f->rows;

        f->right[a] = 0;
        for (unsigned i = 0; i < f->rows; i++) f->right[a] -= sa[i] * f->r[i];
        for (unsigned b = 0; b < FLOW_VALUES; b++) {
            const double *sb = f->slopes + (size_t)b * f->rows;
            double sum = 0;

            for (unsigned i = 0; i < f->rows; i++) sum += sa[i] * sb[i];
            f->squares[a * FLOW_VALUES + b] = sum;
        }
        f->squares[a * FLOW_VALUES + a] *= 1 + damping;
        f->squares[a * FLOW_VALUES + a] += prior(a);
        if (f->open[a])
            f->right[a] -= prior(a) * (((const double *)p)[a] - parameter_at(a)->initial);
    }
    solve(f->squares, f->right, FLOW_VALUES);
    for (unsigned v = 0; v < FLOW_VALUES; v++) {
        const flow_parameter *of = parameter_at(v);

        if (f->open[v]) value[v] = fmin(fmax(value[v] + f->right[v], of->least), of->most);
    }
    return to;
}

static bool rounds(fitting *f, flow_parameters *p, bool verbose) {
    double sum = residuals(f->s, f->count, p, f->r), damping = 0.1;

    for (unsigned round = 0; round < ROUNDS; round++) {
        const double was = sum;

        if (isnan(sum) || !slopes(f, p)) return false;
        for (unsigned i = 0; i < TRIES; i++) {
            const flow_parameters to = next_point(f, p, damping);
            const double here = residuals(f->s, f->count, &to, f->trial);

            if (isnan(here)) return false;
            if (here < sum) {
                *p = to;
                sum = here;
                memcpy(f->r, f->trial, f->rows * sizeof *f->r);
                damping *= 0.3;
                break;
            }
            damping *= 4;
        }
        if (verbose)
            fprintf(stderr, "round %u: %.3f of the aims, root mean square\n", round + 1,
                    sqrt(sum / f->rows));
        if (was - sum <= ENOUGH * was) break;
    }
    return true;
}

/* Where the sum of squares has steps and edges, slopes do not help. So one value after the other is
 * moved by a step while that improves the sum, and then by smaller steps. The first steps are wide,
 * 0.16 of a share, to cross between local minima. */
static bool sweeps(fitting *f, flow_parameters *p) {
    double sum = residuals(f->s, f->count, p, f->trial);

    for (double size = 16; size > 0.4; size /= 2) {
        for (unsigned v = 0; v < FLOW_VALUES; v++) {
            const flow_parameter *of = parameter_at(v);
            const double by = size * (is_share(of) ? 0.01 : 5);

            if (!f->open[v]) continue;
            for (int sign = -1; sign <= 1; sign += 2) {
                flow_parameters to = *p;
                double *value = (double *)&to + v;

                *value = fmin(fmax(*value + sign * by, of->least), of->most);
                const double here = residuals(f->s, f->count, &to, f->trial);
                if (isnan(here)) return false;
                if (here >= (1 - ENOUGH) * sum) continue;
                sum = here;
                *p = to;
                break;
            }
        }
    }
    memcpy(f->r, f->trial, f->rows * sizeof *f->r);
    return true;
}

/* Stage 0 fits all values to the first `alone` experiments. Stage 1 fits the values that only
 * several collectives determine, to all experiments. */
static bool stages(fitting *f, unsigned alone, flow_parameters *p, bool verbose) {
    const unsigned all = f->count;

    for (unsigned stage = 0; stage < 2; stage++) {
        for (unsigned v = 0; v < FLOW_VALUES; v++)
            f->open[v] = parameter_at(v)->beside == stage && (f->used >> dimension_at(v) & 1);
        memset(f->slopes, 0, (size_t)f->rows * FLOW_VALUES * sizeof *f->slopes);
        f->count = stage ? all : alone;
        f->rows = works_of(f->s, f->count);
        if (f->count && !(rounds(f, p, verbose) && sweeps(f, p) && rounds(f, p, verbose)))
            return false;
    }
    return true;
}

bool flow_fit(sample *s, unsigned count, flow_parameters *p, bool verbose) {
    fitting *f = calloc(1, sizeof *f);
    unsigned alone = 0;
    bool good = false;

    if (!f) return false;
    while (alone < count && s[alone].e.works == 1) alone++;
    f->used = 1u << ACE_CLUSTER_DIMENSIONS;
    for (unsigned i = 0; i < count; i++)
        for (unsigned w = 0; w < s[i].e.works; w++)
            for (unsigned k = 0; k < s[i].e.work[w].dim_count; k++)
                f->used |= 1u << s[i].e.work[w].dims[k];
    f->s = s;
    f->count = count;
    f->rows = works_of(s, count);
    f->r = calloc(f->rows, sizeof *f->r);
    f->trial = calloc(f->rows, sizeof *f->trial);
    f->slopes = calloc((size_t)f->rows * FLOW_VALUES, sizeof *f->slopes);
    if (f->r && f->trial && f->slopes)
        good = stages(f, alone, p, verbose) && flow_predict(s, count, p);
    free(f->r);
    free(f->trial);
    free(f->slopes);
    free(f);
    return good;
}
