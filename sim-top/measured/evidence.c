/* SPDX-License-Identifier: Apache-2.0 */
/*
 * evidence.c -- reads measured and predicted runs, and takes the errors of the nearest
 *
 * The distance of two runs is the distance of the logarithms of their sizes and degrees. Runs that
 * are too far away are counted and not used.
 */
#include "evidence.h"

#include <math.h>
#include <string.h>

#include "csv_file.h"
#include "exit_status.h"

enum {
    E_GPUS,
    E_PARAMETERS,
    E_TOKENS,
    E_TP,
    E_PP,
    E_LIKE,
    E_MEASURED = E_LIKE,
    E_PREDICTED,
    E_ALL
};
static const csv_column columns[] = { { "gpus", true },         { "parameters_billion", true },
                                      { "tokens", true },       { "tp", true },
                                      { "pp", true },           { "measured_ms", true },
                                      { "predicted_ms", true }, { NULL, false } };

static int read_run(const csv_file *c, const csv_field at[E_ALL], double to[E_ALL]) {
    static const struct {
        const char *what;
        double low, high;
    } of[E_ALL] = { { "GPUs", 1, 1 << 24 },        { "parameters", 1e-3, 1e6 },
                    { "tokens", 1, 1 << 30 },      { "a degree", 1, 1 << 24 },
                    { "a degree", 1, 1 << 24 },    { "milliseconds", 1e-3, 1e12 },
                    { "milliseconds", 1e-3, 1e12 } };
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < E_ALL; i++)
        rc = csv_number(c, &at[i], of[i].what, of[i].low, of[i].high, &to[i]);
    return rc;
}

/* Keeps the errors of the nearest, the nearest first. */
static void keep(evidence *e, double error[EVIDENCE_RUNS], double distance, double of) {
    unsigned i = e->near;

    e->known++;
    if (distance >= EVIDENCE_FAR ||
        (i == EVIDENCE_RUNS && distance >= e->distance[EVIDENCE_RUNS - 1]))
        return;
    if (i < EVIDENCE_RUNS)
        e->near++;
    else
        i--;
    for (; i && e->distance[i - 1] > distance; i--) {
        e->distance[i] = e->distance[i - 1];
        error[i] = error[i - 1];
    }
    e->distance[i] = distance;
    error[i] = of;
}

int evidence_find(const char *file, const training_model *m, const strategy *s, evidence *e) {
    const double like[E_LIKE] = { (double)strategy_ranks(s), model_parameters(m) / 1e9,
                                  (double)(s->micro_batch * m->sequence),
                                  (double)s->degree[AXIS_TP], (double)s->degree[AXIS_PP] };
    double error[EVIDENCE_RUNS] = { 0 }, run[E_ALL];
    csv_field at[E_ALL];
    csv_file c;
    bool row = true;
    int rc = csv_open(file, columns, &c);

    *e = (evidence){ .mean = NAN, .worst = NAN };
    while (rc == EXIT_OK && (rc = csv_next(&c, at, &row)) == EXIT_OK && row) {
        double square = 0;

        rc = read_run(&c, at, run);
        for (unsigned i = 0; rc == EXIT_OK && i < E_LIKE; i++)
            square += log2(run[i] / like[i]) * log2(run[i] / like[i]);
        if (rc == EXIT_OK)
            keep(e, error, sqrt(square), fabs(run[E_PREDICTED] / run[E_MEASURED] - 1));
    }
    csv_close(&c);
    for (unsigned i = 0; rc == EXIT_OK && i < e->near; i++) {
        e->mean = (i ? e->mean : 0) + error[i] / e->near;
        e->worst = fmax(i ? e->worst : 0, error[i]);
    }
    return rc;
}
