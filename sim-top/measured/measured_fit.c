/* SPDX-License-Identifier: Apache-2.0 */
/* measured_fit.c -- predicts the rows of a file, and fits constants to some rows */
#include "measured_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

void measured_fit_constants(const cluster *c, double to[COMPOSED_CONSTANTS]) {
    to[COMPOSED_EFFICIENCY] = c->npu.products ? c->npu.table_efficiency : c->npu.gemm_efficiency;
    to[COMPOSED_FLOOR] = c->npu.host_us;
    to[COMPOSED_VECTOR] = c->npu.vector_traffic / c->npu.memory_efficiency;
    to[COMPOSED_NODE] = c->runs.node_share;
    to[COMPOSED_NODES] = c->runs.nodes_share;
    to[COMPOSED_REPLICAS] = c->runs.replica_share;
    to[COMPOSED_STAGES] = c->runs.stage_share;
    to[COMPOSED_LATENCY] = c->runs.start_us;
    to[COMPOSED_ITERATION] = c->runs.iteration_us / 1e3;
    to[COMPOSED_TABLE] = c->npu.products != NULL;
    to[COMPOSED_HOP] = c->runs.hop_us;
}

/* Checks that a row ran on the machine of the file: a row with another peak did not. */
static int put_on(const measured_fit_how *q, const char *file, measured_row *r) {
    npu n;
    char found[64], expected[64];

    if (!q->machine) return EXIT_OK;
    n = q->machine->npu;
    if (!npu_set_precision(&n, r->strategy.precision)) {
        yaml_error(file, r->line, 1, "a row in tf32", "an accelerator with the key npu.tf32");
        return EXIT_USAGE;
    }
    if (r->peak_column && fabs(r->on.peak_TFLOPS / n.matrix_TFLOPS - 1) > 0.01) {
        snprintf(found, sizeof found, "a row of %g TFLOP/s", r->on.peak_TFLOPS);
        snprintf(expected, sizeof expected, "%g, which the accelerator has", n.matrix_TFLOPS);
        yaml_error(file, r->line, r->peak_column, found, expected);
        return EXIT_USAGE;
    }
    r->on.peak_TFLOPS = n.matrix_TFLOPS;
    r->on.memory_GBps = n.memory_GBps;
    r->on.products = n.products;
    r->on.products_TFLOPS = q->machine->npu.matrix_TFLOPS;
    r->on.attention = n.attention_efficiency;
    r->on.attention_table = n.attention;
    return EXIT_OK;
}

static int predict(const measured_fit *t, const double c[COMPOSED_CONSTANTS], double *to) {
    for (unsigned i = 0; i < t->rows.count; i++) {
        to[i] = composed_ms(t->composed[i], c);
        if (isnan(to[i])) return message_no_memory();
    }
    return EXIT_OK;
}

/* True if the number is in a list like "16,42". */
static bool listed(const char *list, uint64_t number) {
    char word[24];

    for (const char *p = list; p && *p; p += strcspn(p, ","), p += *p == ',') {
        snprintf(word, sizeof word, "%.*s", (int)strcspn(p, ","), p);
        if (strtoull(word, NULL, 10) == number) return true;
    }
    return false;
}

static int make_rows(measured_fit *t, const measured_fit_how *q) {
    const int fit = t->other ? FIT_NONE : q->fit;
    const unsigned n = t->rows.count;
    int rc = EXIT_OK;

    t->composed = calloc(n, sizeof(composed *));
    t->fitted = calloc(3 * (size_t)n, sizeof *t->fitted);
    t->sheet = calloc(2 * (size_t)n, sizeof *t->sheet);
    if (!t->composed || !t->fitted || !t->sheet) return message_no_memory();
    t->unseen = t->fitted + n;
    t->all = t->fitted + 2 * (size_t)n;
    t->predicted = t->sheet + n;
    for (unsigned i = 0; rc == EXIT_OK && i < n; i++) {
        t->all[i] = !listed(q->left_out, t->rows.at[i].number);
        t->fitted[i] = t->all[i] && (fit == FIT_ALL || (fit == FIT_HALF && i % 2 == 0));
        t->unseen[i] = t->all[i] && !t->fitted[i];
        rc = put_on(q, t->file, &t->rows.at[i]);
        if (rc == EXIT_OK) rc = composed_make(&t->rows.at[i], &t->composed[i]);
    }
    return rc;
}

enum { NINTHS = 9 };

/* Predicts each ninth of the fitted rows by a fit to the other rows. */
static int cross_validate(measured_fit *t, unsigned without) {
    const unsigned n = t->rows.count;
    bool *take = calloc(n, sizeof *take);
    double *one = calloc(n, sizeof *one), *out = calloc(n, sizeof *out);
    int rc = take && one && out ? EXIT_OK : message_no_memory();

    for (unsigned f = 0; rc == EXIT_OK && f < NINTHS; f++) {
        double value[COMPOSED_CONSTANTS];

        for (unsigned i = 0, k = 0; i < n; i++) take[i] = t->fitted[i] && k++ % NINTHS != f;
        memcpy(value, t->value, sizeof value);
        composed_fit(t->composed, &t->rows, take, without, value);
        rc = predict(t, value, one);
        for (unsigned i = 0; i < n; i++)
            if (t->fitted[i] && !take[i]) out[i] = one[i];
    }
    if (rc == EXIT_OK) rc = statistics_of(&t->rows, out, t->fitted, NULL, &t->of_crossed);
    free(take);
    free(one);
    free(out);
    return rc;
}

/* Warns if fitted constants predict rows that were not fitted with more than twice the error that
 * the constants before the fit have. */
static int warn(const measured_fit *t) {
    statistics before;
    const int rc = statistics_of(&t->rows, t->sheet, t->unseen, NULL, &before);

    if (rc == EXIT_OK && t->of_unseen.mean > 2 * before.mean)
        fprintf(stderr,
                "acesim fit measured: warning: %s: the fit makes the mean error of rows that were "
                "not fitted %.2f %% instead of %.2f %%; its constants are not for runs of this "
                "kind\n",
                t->file, 100 * t->of_unseen.mean, 100 * before.mean);
    return rc;
}

int measured_fit_make(measured_fit *t, const measured_fit_how *q) {
    const bool fitted = q->fit != FIT_NONE && !t->other;
    char file[DATA_PATH];
    int rc = data_path_find(t->file, file) ? measured_read(file, &t->rows) : EXIT_USAGE;

    if (rc == EXIT_OK) rc = make_rows(t, q);
    memcpy(t->value, t->other ? t->other->value : q->given, sizeof t->value);
    if (rc == EXIT_OK) rc = predict(t, q->given, t->sheet);
    if (rc == EXIT_OK && fitted)
        composed_fit(t->composed, &t->rows, t->fitted, q->without, t->value);
    if (rc == EXIT_OK && q->cross && fitted) rc = cross_validate(t, q->without);
    if (rc == EXIT_OK) rc = predict(t, t->value, t->predicted);
    if (rc == EXIT_OK) rc = statistics_of(&t->rows, t->predicted, t->fitted, NULL, &t->of_fitted);
    if (rc == EXIT_OK) rc = statistics_of(&t->rows, t->predicted, t->unseen, NULL, &t->of_unseen);
    return rc == EXIT_OK ? warn(t) : rc;
}

void measured_fit_free(measured_fit *t) {
    for (unsigned i = 0; t->composed && i < t->rows.count; i++) composed_free(t->composed[i]);
    free(t->composed);
    free(t->fitted);
    free(t->sheet);
    measured_free(&t->rows);
}
