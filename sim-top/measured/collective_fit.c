/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_fit.c -- fits the form to three sizes of each kind, predicts, and reports all errors
 *
 * The sizes that were fitted are left out of the errors. A line of alpha and beta is fitted next
 * to the form for comparison. A second table is predicted with the constants of the first one.
 */
#include "collective_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

/* Where protocols no longer change, and alpha and beta are commonly fitted. */
#define LARGE 1048576.0 /* bytes */
static const double alpha_beta_sizes[FORM_SIZES] = { LARGE, 64 * LARGE, 1024 * LARGE };

enum { FORM, PLAIN, FORMS }; /* the form, alpha and beta */

/* Errors of the rows that a form was not fitted to. */
typedef struct errors {
    double *at;
    unsigned count;
} errors;

/* The constants of a kind, and the rows that they were fitted to. */
typedef struct fitted_kind {
    bool found;
    double constant_[FORM_CONSTANTS];
    collective_row rows[FORM_SIZES];
} fitted_kind;

/* In the order in which they are fitted and printed. */
static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                  ACE_ALL_TO_ALL, ACE_BROADCAST,      ACE_REDUCE };
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct work {
    const collective_question *q;
    fitted_kind fitted[KINDS];
    collective_rows rows;
    collective_row *of_kind;
    errors of[FORMS][2], all[FORMS][2]; /* [0] of any size, [1] of LARGE and more */
    double *room;
    cJSON *kinds, *lines;
} work;

/* ---- errors ------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Keeps the error of a row of w->of_kind. */
static void put(work *w, unsigned form, const collective_row *r, double us) {
    for (unsigned large = 0; large < (r->bytes < LARGE ? 1 : 2); large++) {
        errors *const to[] = { &w->of[form][large], &w->all[form][large] };

        for (unsigned i = 0; i < 2; i++) to[i]->at[to[i]->count++] = fabs(us / r->us - 1);
    }
}

static void add_errors(cJSON *to, const char *name, errors *e) {
    cJSON *o = cJSON_AddObjectToObject(to, name);
    double sum = 0;

    cJSON_AddNumberToObject(o, "count", e->count);
    if (!e->count) return;
    qsort(e->at, e->count, sizeof *e->at, ascending);
    for (unsigned i = 0; i < e->count; i++) sum += e->at[i];
    cJSON_AddNumberToObject(o, "mean", sum / e->count);
    cJSON_AddNumberToObject(o, "median", e->at[(e->count - 1) / 2]);
    cJSON_AddNumberToObject(o, "p90", e->at[(unsigned)ceil(0.9 * e->count) - 1]);
    cJSON_AddNumberToObject(o, "worst", e->at[e->count - 1]);
}

static void add_both(cJSON *to, errors e[2]) {
    add_errors(to, "not_fitted", &e[0]);
    add_errors(to, "not_fitted_from_1MiB", &e[1]);
}

/* ---- a kind ------------------------------------------------------------------------------ */

static void add_sizes(cJSON *to, const collective_row *rows, const unsigned at[FORM_SIZES]) {
    cJSON *sizes = cJSON_AddArrayToObject(to, "fitted_bytes");

    for (unsigned s = 0; s < FORM_SIZES; s++)
        cJSON_AddItemToArray(sizes, cJSON_CreateNumber(rows[at[s]].bytes));
}

static bool fitted(const unsigned at[FORM_SIZES], unsigned i) {
    return at[0] == i || at[1] == i || at[2] == i;
}

static cJSON *add_row(work *w, const collective_row *r, double us, const form_choice *chosen,
                      bool is_fitted) {
    cJSON *o = cJSON_CreateObject();

    cJSON_AddStringToObject(o, "collective", kind_names[r->kind]);
    cJSON_AddNumberToObject(o, "bytes", r->bytes);
    cJSON_AddNumberToObject(o, "measured_us", r->us);
    cJSON_AddNumberToObject(o, "predicted_us", us);
    cJSON_AddNumberToObject(o, "error", us / r->us - 1);
    cJSON_AddBoolToObject(o, "fitted", is_fitted);
    cJSON_AddStringToObject(o, "algorithm", chosen->algorithm);
    cJSON_AddStringToObject(o, "protocol", chosen->protocol);
    cJSON_AddItemToArray(w->lines, o);
    return o;
}

static void add_rows(work *w, unsigned count, const double constant_[FORM_CONSTANTS],
                     const alpha_beta *line, unsigned at[FORMS][FORM_SIZES]) {
    for (unsigned i = 0; i < count; i++) {
        const collective_row *r = &w->of_kind[i];
        form_choice chosen;
        const double us[FORMS] = { form_us(&w->q->fabric, r->kind, r->bytes, constant_, &chosen),
                                   line->alpha_us + line->us_per_byte * r->bytes };

        for (unsigned f = 0; f < FORMS; f++)
            if (!fitted(at[f], i)) put(w, f, r, us[f]);
        cJSON *const o = add_row(w, r, us[FORM], &chosen, fitted(at[FORM], i));
        cJSON_AddNumberToObject(o, "alpha_beta_us", us[PLAIN]);
    }
}

/* Sets the requested sizes. Without any, sets the smallest and the largest measured size from 4 KiB
 * to 4 GiB, and their geometric mean. */
static void choose_sizes(const collective_question *q, const collective_row *rows, unsigned count,
                         double size[FORM_SIZES]) {
    double least = INFINITY, most = 0;

    memcpy(size, q->size, FORM_SIZES * sizeof *size);
    if (size[0] > 0) return;
    for (unsigned i = 0; i < count; i++) {
        least = fmin(least, rows[i].bytes);
        most = fmax(most, rows[i].bytes);
    }
    size[0] = fmax(least, 4096);
    size[2] = fmin(most, 4096 * LARGE);
    size[1] = sqrt(size[0] * size[2]);
}

/* Sets w->of_kind to the rows of a kind. Returns their number. */
static unsigned rows_of(work *w, ace_kind kind) {
    unsigned count = 0;

    for (unsigned i = 0; i < w->rows.count; i++)
        if (w->rows.at[i].kind == kind) w->of_kind[count++] = w->rows.at[i];
    return count;
}

static void add_constants(cJSON *o, ace_kind kind, const double constant_[FORM_CONSTANTS]) {
    cJSON_AddNumberToObject(o, "start_us", constant_[FORM_START]);
    cJSON_AddNumberToObject(o, "bandwidth_GBps", constant_[FORM_BANDWIDTH]);
    if (kind == ACE_ALL_TO_ALL)
        cJSON_AddNullToObject(o, "slow");
    else
        cJSON_AddNumberToObject(o, "slow", constant_[FORM_SLOW]);
}

static int take_kind(work *w, ace_kind kind, fitted_kind *result) {
    double *const constant_ = result->constant_, size[FORM_SIZES];
    unsigned at[FORMS][FORM_SIZES] = { 0 };
    const unsigned count = rows_of(w, kind);

    if (!count) return EXIT_OK;
    if (count <= FORM_SIZES) {
        fprintf(stderr, "%s: found only %u %s of %s, expected 4 or more: three are fitted\n",
                w->q->file, count, count == 1 ? "size" : "sizes", kind_names[kind]);
        return EXIT_USAGE;
    }
    for (unsigned f = 0; f < FORMS; f++) w->of[f][0].count = w->of[f][1].count = 0;
    choose_sizes(w->q, w->of_kind, count, size);
    form_nearest(w->of_kind, count, size, at[FORM]);
    form_nearest(w->of_kind, count, alpha_beta_sizes, at[PLAIN]);
    form_fit(&w->q->fabric, w->of_kind, at[FORM], constant_);
    result->found = true;
    for (unsigned i = 0; i < FORM_SIZES; i++) result->rows[i] = w->of_kind[at[FORM][i]];
    const alpha_beta line = alpha_beta_fit(w->of_kind, at[PLAIN]);
    add_rows(w, count, constant_, &line, at);

    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(w->kinds, o);
    cJSON_AddStringToObject(o, "collective", kind_names[kind]);
    add_sizes(o, w->of_kind, at[FORM]);
    add_constants(o, kind, constant_);
    add_both(o, w->of[FORM]);
    cJSON *plain = cJSON_AddObjectToObject(o, "alpha_beta");
    add_sizes(plain, w->of_kind, at[PLAIN]);
    cJSON_AddNumberToObject(plain, "alpha_us", line.alpha_us);
    cJSON_AddNumberToObject(plain, "us_per_byte", line.us_per_byte);
    add_both(plain, w->of[PLAIN]);
    return EXIT_OK;
}

/* ---- all --------------------------------------------------------------------------------- */

static bool make_room(work *w) {
    const unsigned n = w->rows.count;
    double *next = calloc((size_t)n + 1, 4 * FORMS * sizeof *next);

    w->room = next;
    w->of_kind = calloc((size_t)n + 1, sizeof *w->of_kind);
    for (unsigned f = 0; next && f < FORMS; f++)
        for (unsigned large = 0; large < 2; large++) {
            w->of[f][large].at = next;
            w->all[f][large].at = next + n;
            next += 2 * (size_t)n;
        }
    return w->room && w->of_kind;
}

/* Reads a table, and adds it and its lists to an object. */
static int begin(work *w, const char *file, const char *fabric_text, const collective_fabric *f,
                 cJSON *to) {
    const int rc = collective_rows_read(file, f->ranks, f->nodes, w->q->kind, &w->rows);

    w->kinds = cJSON_CreateArray();
    w->lines = cJSON_CreateArray();
    cJSON_AddStringToObject(to, "measured", file);
    cJSON_AddStringToObject(to, "fabric", fabric_text);
    cJSON_AddNumberToObject(to, "ranks", f->ranks);
    cJSON_AddNumberToObject(to, "nodes", f->nodes);
    cJSON_AddNumberToObject(to, "lines_passed_over", w->rows.lines_passed_over);
    cJSON_AddNumberToObject(to, "rows_of_0_bytes", w->rows.rows_of_0_bytes);
    cJSON_AddNumberToObject(to, "rows_cut", w->rows.rows_cut);
    cJSON_AddItemToObject(to, "kinds", w->kinds);
    return rc == EXIT_OK && !make_room(w) ? message_no_memory() : rc;
}

/* Adds the rows, and frees all but the object. */
static void end(work *w, cJSON *to) {
    cJSON_AddItemToObject(to, "rows", w->lines);
    free(w->room);
    free(w->of_kind);
    collective_rows_free(&w->rows);
}

/* ---- a second table ---------------------------------------------------------------------- */

/* A time this many times as long or as short as the predicted one has another unit, or comes from
 * another machine. */
#define OTHER_MACHINE 20.0

static int refuse_row(const char *file, const collective_row *r, const char *found,
                      const char *expected) {
    yaml_error(file, r->line, r->column, found, expected);
    return EXIT_USAGE;
}

static int check_time(const work *w, const collective_row *r, double us) {
    char found[80], expected[120];

    if (r->us < us * OTHER_MACHINE && us < r->us * OTHER_MACHINE) return EXIT_OK;
    snprintf(found, sizeof found, "%.4g us", r->us);
    snprintf(expected, sizeof expected,
             "about %.4g us, which the fit predicts: microseconds of the "
             "same machine",
             us);
    return refuse_row(w->q->predict, r, found, expected);
}

static int check_accelerator(const collective_question *q, const collective_rows *fitted_,
                             const collective_rows *predicted) {
    char expected[100];

    if (!*fitted_->accelerator || !*predicted->accelerator ||
        !strcmp(fitted_->accelerator, predicted->accelerator))
        return EXIT_OK;
    snprintf(expected, sizeof expected, "%s, which the fitted table has", fitted_->accelerator);
    yaml_error(q->predict, predicted->accelerator_line, predicted->accelerator_column,
               predicted->accelerator, expected);
    return EXIT_USAGE;
}

/* The constants of the same kind, or of the first fitted kind. An all-to-all has no factor. */
static const fitted_kind *constants_of(const fitted_kind fitted_[KINDS], ace_kind kind,
                                       ace_kind *of) {
    unsigned take = KINDS;

    for (unsigned k = KINDS; k-- > 0;) {
        if (!fitted_[k].found) continue;
        if (kinds[k] == kind) return *of = kind, &fitted_[k];
        if (kinds[k] != ACE_ALL_TO_ALL || kind == ACE_ALL_TO_ALL) take = k;
    }
    if (take == KINDS) return NULL;
    *of = kinds[take];
    return &fitted_[take];
}

/* Whether the row is one of those that the constants were fitted to. */
static bool was_fitted(const work *w, const fitted_kind *f, const collective_row *r) {
    const collective_fabric *a = &w->q->fabric, *b = &w->q->predict_fabric;
    bool is = false;

    for (unsigned i = 0; i < FORM_SIZES; i++)
        is |= f->rows[i].kind == r->kind && f->rows[i].bytes == r->bytes && f->rows[i].us == r->us;
    return is && a->ranks == b->ranks && a->nodes == b->nodes;
}

static int predict_kind(work *w, const fitted_kind fitted_[KINDS], ace_kind kind) {
    const collective_question *q = w->q;
    const unsigned count = rows_of(w, kind);
    double c[FORM_CONSTANTS];
    ace_kind of;

    if (!count) return EXIT_OK;
    const fitted_kind *const from = constants_of(fitted_, kind, &of);
    if (!from)
        return refuse_row(q->predict, w->of_kind, kind_names[kind],
                          "all-to-all: the fitted table has no other collective");
    memcpy(c, from->constant_, sizeof c);
    c[FORM_START] = fmax(c[FORM_START], form_least_us(&q->predict_fabric, kind));
    w->of[FORM][0].count = w->of[FORM][1].count = 0;
    for (unsigned i = 0; i < count; i++) {
        const collective_row *r = &w->of_kind[i];
        form_choice chosen;
        const double us = form_us(&q->predict_fabric, kind, r->bytes, c, &chosen);
        const bool known = was_fitted(w, from, r);
        const int rc = check_time(w, r, us);

        if (rc != EXIT_OK) return rc;
        if (!known) put(w, FORM, r, us);
        add_row(w, r, us, &chosen, known);
    }
    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(w->kinds, o);
    cJSON_AddStringToObject(o, "collective", kind_names[kind]);
    cJSON_AddStringToObject(o, "fitted_collective", kind_names[of]);
    add_constants(o, kind, c);
    add_both(o, w->of[FORM]);
    return EXIT_OK;
}

static int predict(const work *of, cJSON *root) {
    const collective_question *q = of->q;
    cJSON *to = cJSON_AddObjectToObject(root, "prediction");
    work w = { .q = q };
    int rc = begin(&w, q->predict, q->predict_fabric_text, &q->predict_fabric, to);

    if (rc == EXIT_OK) rc = check_accelerator(q, &of->rows, &w.rows);
    for (unsigned k = 0; rc == EXIT_OK && k < KINDS; k++)
        rc = predict_kind(&w, of->fitted, kinds[k]);
    if (rc == EXIT_OK) add_both(cJSON_AddObjectToObject(to, "all"), w.all[FORM]);
    end(&w, to);
    return rc;
}

int collective_fit(const collective_question *q, cJSON **object) {
    cJSON *root = cJSON_CreateObject();
    work w = { .q = q };
    int rc = begin(&w, q->file, q->fabric_text, &q->fabric, root);

    for (unsigned k = 0; rc == EXIT_OK && k < KINDS; k++)
        if (q->kind < 0 || kinds[k] == (ace_kind)q->kind)
            rc = take_kind(&w, kinds[k], &w.fitted[k]);
    if (rc == EXIT_OK && !cJSON_GetArraySize(w.kinds)) {
        fprintf(stderr, "%s: found no rows of %s, which --collective says\n", q->file,
                kind_names[q->kind]);
        rc = EXIT_USAGE;
    }
    if (rc == EXIT_OK) {
        cJSON *all = cJSON_AddObjectToObject(root, "all");

        add_both(all, w.all[FORM]);
        add_both(cJSON_AddObjectToObject(all, "alpha_beta"), w.all[PLAIN]);
    }
    if (rc == EXIT_OK && q->predict) rc = predict(&w, root);
    end(&w, root);
    if (rc == EXIT_OK)
        *object = root;
    else
        cJSON_Delete(root);
    return rc;
}
