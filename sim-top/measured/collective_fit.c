/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_fit.c -- fits the form to three sizes of each kind, and reports all errors
 *
 * The sizes that were fitted are left out of the errors. A line of alpha and beta is fitted next
 * to the form for comparison.
 */
#include "collective_fit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "values.h"

/* Where protocols no longer change, and alpha and beta are commonly fitted. */
#define LARGE 1048576.0 /* bytes */
static const double alpha_beta_sizes[FORM_SIZES] = { LARGE, 64 * LARGE, 1024 * LARGE };

enum { FORM, PLAIN, FORMS }; /* the form, alpha and beta */

/* Errors of the rows that a form was not fitted to. */
typedef struct errors {
    double *at;
    unsigned count;
} errors;

typedef struct work {
    const collective_question *q;
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

static void put(errors *e, double error) { e->at[e->count++] = fabs(error); }

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

static void add_rows(work *w, unsigned count, const double constant_[FORM_CONSTANTS],
                     const alpha_beta *line, unsigned at[FORMS][FORM_SIZES]) {
    for (unsigned i = 0; i < count; i++) {
        const collective_row *r = &w->of_kind[i];
        form_choice chosen;
        const double us[FORMS] = { form_us(&w->q->fabric, r->kind, r->bytes, constant_, &chosen),
                                   line->alpha_us + line->us_per_byte * r->bytes };
        cJSON *o = cJSON_CreateObject();

        for (unsigned f = 0; f < FORMS; f++) {
            if (fitted(at[f], i)) continue;
            put(&w->of[f][0], us[f] / r->us - 1);
            put(&w->all[f][0], us[f] / r->us - 1);
            if (r->bytes < LARGE) continue;
            put(&w->of[f][1], us[f] / r->us - 1);
            put(&w->all[f][1], us[f] / r->us - 1);
        }
        cJSON_AddStringToObject(o, "collective", kind_names[r->kind]);
        cJSON_AddNumberToObject(o, "bytes", r->bytes);
        cJSON_AddNumberToObject(o, "measured_us", r->us);
        cJSON_AddNumberToObject(o, "predicted_us", us[FORM]);
        cJSON_AddNumberToObject(o, "error", us[FORM] / r->us - 1);
        cJSON_AddBoolToObject(o, "fitted", fitted(at[FORM], i));
        cJSON_AddStringToObject(o, "algorithm", chosen.algorithm);
        cJSON_AddStringToObject(o, "protocol", chosen.protocol);
        cJSON_AddNumberToObject(o, "alpha_beta_us", us[PLAIN]);
        cJSON_AddItemToArray(w->lines, o);
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

static int take_kind(work *w, ace_kind kind) {
    double constant_[FORM_CONSTANTS], size[FORM_SIZES];
    unsigned count = 0, at[FORMS][FORM_SIZES] = { 0 };

    for (unsigned i = 0; i < w->rows.count; i++)
        if (w->rows.at[i].kind == kind) w->of_kind[count++] = w->rows.at[i];
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
    const alpha_beta line = alpha_beta_fit(w->of_kind, at[PLAIN]);
    add_rows(w, count, constant_, &line, at);

    cJSON *o = cJSON_CreateObject();
    cJSON_AddItemToArray(w->kinds, o);
    cJSON_AddStringToObject(o, "collective", kind_names[kind]);
    add_sizes(o, w->of_kind, at[FORM]);
    cJSON_AddNumberToObject(o, "start_us", constant_[FORM_START]);
    cJSON_AddNumberToObject(o, "bandwidth_GBps", constant_[FORM_BANDWIDTH]);
    if (kind == ACE_ALL_TO_ALL)
        cJSON_AddNullToObject(o, "slow");
    else
        cJSON_AddNumberToObject(o, "slow", constant_[FORM_SLOW]);
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

int collective_fit(const collective_question *q, cJSON **object) {
    static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                      ACE_ALL_TO_ALL, ACE_BROADCAST,      ACE_REDUCE };
    cJSON *root = cJSON_CreateObject();
    work w = { .q = q, .kinds = cJSON_CreateArray(), .lines = cJSON_CreateArray() };
    int rc = collective_rows_read(q->file, q->fabric.ranks, q->fabric.nodes, q->kind, &w.rows);

    cJSON_AddStringToObject(root, "measured", q->file);
    cJSON_AddStringToObject(root, "fabric", q->fabric_text);
    cJSON_AddNumberToObject(root, "ranks", q->fabric.ranks);
    cJSON_AddNumberToObject(root, "nodes", q->fabric.nodes);
    cJSON_AddNumberToObject(root, "lines_passed_over", w.rows.lines_passed_over);
    cJSON_AddNumberToObject(root, "rows_of_0_bytes", w.rows.rows_of_0_bytes);
    cJSON_AddNumberToObject(root, "rows_cut", w.rows.rows_cut);
    cJSON_AddItemToObject(root, "kinds", w.kinds);
    if (rc == EXIT_OK && !make_room(&w)) rc = message_no_memory();
    for (unsigned k = 0; rc == EXIT_OK && k < sizeof kinds / sizeof *kinds; k++)
        rc = take_kind(&w, kinds[k]);
    if (rc == EXIT_OK) {
        cJSON *all = cJSON_AddObjectToObject(root, "all");

        add_both(all, w.all[FORM]);
        add_both(cJSON_AddObjectToObject(all, "alpha_beta"), w.all[PLAIN]);
    }
    cJSON_AddItemToObject(root, "rows", w.lines);
    free(w.room);
    free(w.of_kind);
    collective_rows_free(&w.rows);
    if (rc == EXIT_OK)
        *object = root;
    else
        cJSON_Delete(root);
    return rc;
}

/* ---- for people -------------------------------------------------------------------------- */

static const cJSON *item(const cJSON *o, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(o, name);
}
static double number(const cJSON *o, const char *name) { return item(o, name)->valuedouble; }

static void print_errors(const cJSON *o) {
    static const char *const columns[] = { "mean", "median", "worst" };

    for (unsigned i = 0; i < 3; i++)
        if (number(o, "count") > 0)
            printf("%7.2f %%", 100 * number(o, columns[i]));
        else
            printf("%9s", "-");
}

static void print_mean(const cJSON *o) {
    if (number(o, "count") > 0)
        printf("%9.2f %%", 100 * number(o, "mean"));
    else
        printf("%11s", "-");
}

static void print_kind(const cJSON *o, const char *name) {
    const cJSON *slow = item(o, "slow");

    printf("%-16s", name);
    if (item(o, "start_us"))
        printf("%9.2f us%9.2f GB/s", number(o, "start_us"), number(o, "bandwidth_GBps"));
    else
        printf("%26s", "");
    if (cJSON_IsNumber(slow))
        printf("%7.2f", slow->valuedouble);
    else
        printf("%7s", item(o, "start_us") ? "-" : "");
    printf("%6.0f", number(item(o, "not_fitted"), "count"));
    print_errors(item(o, "not_fitted"));
    print_mean(item(o, "not_fitted_from_1MiB"));
    print_mean(item(item(o, "alpha_beta"), "not_fitted_from_1MiB"));
    printf("\n");
}

static void print_sizes(const cJSON *object, const char *of, const char *text) {
    const cJSON *k = cJSON_GetArrayItem(item(object, "kinds"), 0), *v;
    const char *between = "";
    char figure[FIGURE];

    printf("%s ", text);
    cJSON_ArrayForEach(v, item(of ? item(k, of) : k, "fitted_bytes")) {
        printf("%s%s", between, figure_bytes(v->valuedouble, figure));
        between = ", ";
    }
}

/* Prints the lines and rows that the reader left out, if any. */
static void print_left_out(const cJSON *object) {
    static const struct {
        const char *key, *one, *more;
    } of[] = { { "lines_passed_over", "line of another program", "lines of other programs" },
               { "rows_of_0_bytes", "row of 0 bytes", "rows of 0 bytes" },
               { "rows_cut", "row that another line cuts", "rows that other lines cut" } };
    const char *between = "left out: ";

    for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
        const double count = number(object, of[i].key);

        if (!(count > 0)) continue;
        printf("%s%.0f %s", between, count, count > 1 ? of[i].more : of[i].one);
        between = ", ";
    }
    if (*between == ',') printf("\n");
}

void collective_fit_print(const cJSON *object, bool all) {
    const cJSON *o;
    char figure[FIGURE];

    printf("%s: %.0f ranks in %.0f %s; times out of place\n", item(object, "measured")->valuestring,
           number(object, "ranks"), number(object, "nodes"),
           number(object, "nodes") > 1 ? "nodes" : "node");
    print_left_out(object);
    print_sizes(object, NULL, "fitted on");
    print_sizes(object, "alpha_beta", " or the nearest of each kind; alpha-beta on");
    printf("\n\n%-16s%12s%14s%7s%6s%27s%11s%11s\n", "", "", "", "", "", "error, not fitted",
           "1 MiB", "alpha-beta");
    printf("%-16s%12s%14s%7s%6s%9s%9s%9s%11s%11s\n", "collective", "start", "bandwidth", "slow",
           "sizes", "mean", "median", "worst", "and more", "the same");
    cJSON_ArrayForEach(o, item(object, "kinds")) print_kind(o, item(o, "collective")->valuestring);
    print_kind(item(object, "all"), "all");
    if (!all) return;
    printf("\n%-16s%16s%14s%14s%9s  %s\n", "collective", "bytes", "measured us", "predicted us",
           "error", "as");
    cJSON_ArrayForEach(o, item(object, "rows")) printf(
        "%-16s%16s%14.2f%14.2f%7.2f %%  %s, %s%s\n", item(o, "collective")->valuestring,
        figure_count(number(o, "bytes"), figure), number(o, "measured_us"),
        number(o, "predicted_us"), 100 * number(o, "error"), item(o, "algorithm")->valuestring,
        item(o, "protocol")->valuestring, cJSON_IsTrue(item(o, "fitted")) ? "; fitted" : "");
}
