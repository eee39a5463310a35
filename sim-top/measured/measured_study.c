/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_study.c -- groups rows of a set by accelerator, predicts them, and prints one table
 *
 * A group borrows rows from its set.  Its rows are predicted zero-shot first; ratios within
 * platforms and the reach to larger systems follow from these times.
 */
#include "measured_study.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "exit_status.h"
#include "figures.h"
#include "measured_errors.h"
#include "message.h"
#include "statistics.h"

enum { FITTED_FROM = 12, REACH = 8192 };

typedef struct group {
    measured_rows rows;
    composed **composed;
    double *sheet, *fitted_ms; /* ms of each row */
    bool *all, *seen, *unseen;
    double constant_[COMPOSED_CONSTANTS];
} group;

/* ---- a group ------------------------------------------------------------------------------- */

static double tokens(const measured_row *r, double ms) {
    return strategy_sequences(&r->strategy) * (double)r->model.sequence / (ms / 1e3) /
           (double)strategy_ranks(&r->strategy);
}

static int predict(const group *g, const double c[COMPOSED_CONSTANTS], double *to) {
    for (unsigned i = 0; i < g->rows.count; i++) {
        to[i] = composed_ms(g->composed[i], c);
        if (isnan(to[i])) return message_no_memory();
    }
    return EXIT_OK;
}

static void free_group(group *g) {
    for (unsigned i = 0; g->composed && i < g->rows.count; i++) composed_free(g->composed[i]);
    free(g->composed);
    free(g->sheet);
    free(g->all);
    free(g->rows.at);
}

/* The rows of the set that ran on the accelerator of its row `first`. */
static int make_group(const measured_rows *set, unsigned first, measured_machine of, group *g) {
    const unsigned n = set->count;
    int rc = EXIT_OK;

    *g = (group){ .rows.at = calloc(n, sizeof *g->rows.at),
                  .composed = calloc(n, sizeof(composed *)),
                  .sheet = calloc(2 * (size_t)n, sizeof *g->sheet),
                  .all = calloc(3 * (size_t)n, sizeof *g->all) };
    if (!g->rows.at || !g->composed || !g->sheet || !g->all) return message_no_memory();
    g->fitted_ms = g->sheet + n;
    g->seen = g->all + n;
    g->unseen = g->seen + n;
    for (unsigned i = first; rc == EXIT_OK && i < n; i++) {
        const unsigned k = g->rows.count;

        if (strcmp(set->at[i].accelerator, set->at[first].accelerator) != 0) continue;
        g->rows.at[k] = set->at[i];
        g->all[k] = true;
        g->seen[k] = k % 2 == 0;
        g->unseen[k] = k % 2 != 0;
        rc = of(&g->rows.at[k], g->constant_);
        if (rc == EXIT_OK) rc = composed_make(&g->rows.at[k], &g->composed[k]);
        g->rows.count++;
    }
    return rc == EXIT_OK ? predict(g, g->constant_, g->sheet) : rc;
}

static int fit_group(group *g, cJSON *to) {
    double value[COMPOSED_CONSTANTS];
    int rc;

    if (g->rows.count < FITTED_FROM) return EXIT_OK;
    memcpy(value, g->constant_, sizeof value);
    composed_fit(g->composed, &g->rows, g->seen, 0, value);
    rc = predict(g, value, g->fitted_ms);
    return rc == EXIT_OK ? measured_section(to, "calibrated_unseen_rows", &g->rows, g->fitted_ms,
                                            g->unseen, false)
                         : rc;
}

/* ---- what each mechanism is worth ---------------------------------------------------------- */

/* Constants that take the value of a data sheet, or a part of the plan's times. */
typedef struct mechanism {
    const char *name;
    unsigned constants; /* a bit each */
    bool casts, attention;
} mechanism;
static const mechanism mechanisms[] = {
    { .name = "host", .constants = 1U << COMPOSED_FLOOR },
    { .name = "products", .constants = 1U << COMPOSED_TABLE | 1U << COMPOSED_EFFICIENCY },
    { .name = "attention", .attention = true },
    { .name = "vectors", .constants = 1U << COMPOSED_VECTOR },
    { .name = "casts", .casts = true },
    { .name = "links",
      .constants = 1U << COMPOSED_NODE | 1U << COMPOSED_NODES | 1U << COMPOSED_REPLICAS |
                   1U << COMPOSED_STAGES },
    { .name = "starts", .constants = 1U << COMPOSED_LATENCY | 1U << COMPOSED_HOP },
};
enum { MECHANISMS = sizeof mechanisms / sizeof *mechanisms };

static int leave_out(group *g, const mechanism *m, cJSON *to) {
    double value[COMPOSED_CONSTANTS], mean = 0;

    for (unsigned i = 0; i < COMPOSED_CONSTANTS; i++)
        value[i] = m->constants >> i & 1 ? composed_sheet[i] : g->constant_[i];
    for (unsigned i = 0; i < g->rows.count; i++) {
        composed_leave_out(g->composed[i], m->casts, m->attention);
        const double ms = composed_ms(g->composed[i], value);

        composed_leave_out(g->composed[i], false, false);
        if (isnan(ms)) return message_no_memory();
        mean += fabs(ms / g->rows.at[i].iteration_ms - 1) / g->rows.count;
    }
    cJSON_AddNumberToObject(to, m->name, mean);
    return EXIT_OK;
}

/* The mean error without each. */
static int add_left_out(group *g, cJSON *to) {
    cJSON *const o = cJSON_AddObjectToObject(to, "left_out");
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < MECHANISMS; i++) rc = leave_out(g, &mechanisms[i], o);
    return rc;
}

/* ---- ratios -------------------------------------------------------------------------------- */

static unsigned first_of(const group *g, unsigned i) {
    unsigned k = 0;

    while (strcmp(g->rows.at[k].platform, g->rows.at[i].platform) != 0 ||
           strcmp(g->rows.at[k].model.name, g->rows.at[i].model.name) != 0)
        k++;
    return k;
}

/* Adds the ratio of each row to the first row of its platform. */
static void add_ratios(const group *g, cJSON *to) {
    cJSON *const list = cJSON_AddArrayToObject(to, "ratios");

    for (unsigned i = 0; i < g->rows.count; i++) {
        const measured_row *r = &g->rows.at[i], *f = &g->rows.at[first_of(g, i)];
        const double measured = tokens(r, r->iteration_ms) / tokens(f, f->iteration_ms);
        const double predicted = tokens(r, g->sheet[i]) / tokens(f, g->sheet[first_of(g, i)]);
        cJSON *o;

        if (!*r->platform || r == f) continue;
        o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "platform", r->platform);
        cJSON_AddStringToObject(o, "model", r->model.name);
        cJSON_AddNumberToObject(o, "from_gpus", (double)strategy_ranks(&f->strategy));
        cJSON_AddNumberToObject(o, "gpus", (double)strategy_ranks(&r->strategy));
        cJSON_AddNumberToObject(o, "measured_ratio", measured);
        cJSON_AddNumberToObject(o, "predicted_ratio", predicted);
        cJSON_AddNumberToObject(o, "error", predicted / measured - 1);
        cJSON_AddItemToArray(list, o);
    }
}

/* The platform's last row with twice as many replicas, and so on, and a batch of about its own. */
static int add_reach(const group *g, unsigned i, cJSON *list) {
    const measured_row *f = &g->rows.at[first_of(g, i)];
    const double own = tokens(f, g->sheet[first_of(g, i)]);
    const uint64_t pp = f->strategy.degree[AXIS_PP];
    measured_row r = g->rows.at[i];
    const uint64_t batch = r.strategy.degree[AXIS_DP] * r.strategy.micro_batches;
    int rc = EXIT_OK;

    for (uint64_t gpus = 512; rc == EXIT_OK && gpus <= REACH; gpus *= 2) {
        const uint64_t each = strategy_ranks(&r.strategy) / r.strategy.degree[AXIS_DP];
        composed *c = NULL;
        cJSON *o;
        double ms;

        r.strategy.degree[AXIS_DP] = gpus / each;
        r.strategy.micro_batches = batch / r.strategy.degree[AXIS_DP] / pp * pp;
        if (!r.strategy.micro_batches) r.strategy.micro_batches = pp;
        rc = composed_make(&r, &c);
        ms = rc == EXIT_OK ? composed_ms(c, g->constant_) : 1;
        composed_free(c);
        o = cJSON_CreateObject();
        cJSON_AddStringToObject(o, "platform", r.platform);
        cJSON_AddNumberToObject(o, "gpus", (double)gpus);
        cJSON_AddNumberToObject(o, "batch", strategy_sequences(&r.strategy));
        cJSON_AddNumberToObject(o, "predicted_ms", ms);
        cJSON_AddNumberToObject(o, "predicted_ratio", tokens(&r, ms) / own);
        cJSON_AddItemToArray(list, o);
    }
    return rc;
}

/* Adds the last row of each platform with pipelines. */
static int add_reaches(const group *g, cJSON *to) {
    cJSON *const list = cJSON_AddArrayToObject(to, "reach");
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < g->rows.count; i++) {
        const measured_row *r = &g->rows.at[i];
        bool last = *r->platform && strcmp(r->model.name, "llama3-405b") == 0;

        for (unsigned k = i + 1; k < g->rows.count; k++)
            last = last && strcmp(g->rows.at[k].platform, r->platform) != 0;
        if (last) rc = add_reach(g, i, list);
    }
    return rc;
}

/* ---- the study ----------------------------------------------------------------------------- */

static int add_group(const char *file, const measured_rows *set, unsigned first,
                     measured_machine of, cJSON *list) {
    group g;
    cJSON *const o = cJSON_CreateObject();
    int rc = make_group(set, first, of, &g);

    cJSON_AddItemToArray(list, o);
    cJSON_AddStringToObject(o, "rows_of", file);
    cJSON_AddStringToObject(o, "accelerator", set->at[first].accelerator);
    cJSON_AddNumberToObject(o, "rows", g.rows.count);
    if (rc == EXIT_OK) rc = measured_section(o, "zero_shot", &g.rows, g.sheet, g.all, false);
    if (rc == EXIT_OK) rc = add_left_out(&g, o);
    if (rc == EXIT_OK) rc = fit_group(&g, o);
    if (rc == EXIT_OK) add_ratios(&g, o);
    if (rc == EXIT_OK) rc = add_reaches(&g, o);
    free_group(&g);
    return rc;
}

int measured_study_add(const char *file, measured_machine of, cJSON *list) {
    char path[DATA_PATH];
    measured_rows set;
    int rc = data_path_find(file, path) ? measured_read(path, &set) : EXIT_USAGE;

    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; rc == EXIT_OK && i < set.count; i++) {
        bool first = true;

        for (unsigned k = 0; k < i; k++)
            first = first && strcmp(set.at[k].accelerator, set.at[i].accelerator) != 0;
        if (first) rc = add_group(file, &set, i, of, list);
    }
    measured_free(&set);
    return rc;
}

/* ---- what is printed ----------------------------------------------------------------------- */

/* The part of a path behind its last slash, without ".csv". */
static void print_name(const char *path) {
    const char *const slash = strrchr(path, '/');
    const char *const name = slash ? slash + 1 : path;

    printf("%-28.*s", (int)strcspn(name, "."), name);
}

static void print_cell(const cJSON *o, const char *name, double scale, const char *unit) {
    const double v = measured_get(o, name);
    char text[32];

    if (isnan(v))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.*f%s", scale > 1 ? 1 : 3, v * scale, unit);
    printf("%9s", text);
}

/* The line of all models. */
static const cJSON *all_of(const cJSON *group, const char *name) {
    const cJSON *const list = cJSON_GetObjectItem(group, name);

    return list ? cJSON_GetArrayItem(list, cJSON_GetArraySize(list) - 1) : NULL;
}

static void print_errors(const cJSON *o) {
    print_cell(o, "mean_error", 100, " %");
    print_cell(o, "median_error", 100, " %");
    print_cell(o, "worst_error", 100, " %");
    print_cell(o, "rank_correlation", 1, "");
    print_cell(o, "chosen_over_best_mean", 1, "");
}

static void print_left_out(const cJSON *list) {
    const cJSON *g;

    printf("\nzero-shot mean error, and without a mechanism\n%-28s%-20s%9s", "set", "accelerator",
           "none");
    for (unsigned i = 0; i < MECHANISMS; i++) printf("%10s", mechanisms[i].name);
    printf("\n");
    cJSON_ArrayForEach(g, list) {
        const cJSON *const o = cJSON_GetObjectItem(g, "left_out");

        print_name(json_string(g, "rows_of"));
        printf("%-20s", json_string(g, "accelerator"));
        print_cell(all_of(g, "zero_shot"), "mean_error", 100, " %");
        for (unsigned i = 0; i < MECHANISMS; i++) {
            printf(" ");
            print_cell(o, mechanisms[i].name, 100, " %");
        }
        printf("\n");
    }
}

static void print_ratios(const cJSON *list) {
    const cJSON *g, *o;

    printf("\nratios of tokens a second and GPU within a platform, zero-shot\n"
           "%-36s%7s%7s%10s%10s%9s\n",
           "platform", "from", "to", "measured", "predicted", "error");
    cJSON_ArrayForEach(g, list) cJSON_ArrayForEach(o, cJSON_GetObjectItem(g, "ratios")) printf(
        "%-36s%7.0f%7.0f%10.3f%10.3f%7.1f %%\n", json_string(o, "platform"),
        measured_get(o, "from_gpus"), measured_get(o, "gpus"), measured_get(o, "measured_ratio"),
        measured_get(o, "predicted_ratio"), 100 * measured_get(o, "error"));
    printf("\nLlama 3.1 405B on more GPUs, zero-shot\n%-36s%7s%7s%12s%10s\n", "platform", "GPUs",
           "batch", "ms", "ratio");
    cJSON_ArrayForEach(g, list) cJSON_ArrayForEach(o, cJSON_GetObjectItem(g, "reach"))
        printf("%-36s%7.0f%7.0f%12.1f%10.3f\n", json_string(o, "platform"), measured_get(o, "gpus"),
               measured_get(o, "batch"), measured_get(o, "predicted_ms"),
               measured_get(o, "predicted_ratio"));
}

void measured_study_print(const cJSON *list) {
    const cJSON *g;

    printf("%-50s zero-shot%41s fitted: other rows\n%-28s%-20s%5s", "", "", "set", "accelerator",
           "rows");
    for (unsigned i = 0; i < 2; i++)
        printf("%9s%9s%9s%9s%9s", "mean", "median", "worst", "rank", "chosen");
    printf("\n");
    cJSON_ArrayForEach(g, list) {
        print_name(json_string(g, "rows_of"));
        printf("%-20s%5.0f", json_string(g, "accelerator"), measured_get(g, "rows"));
        print_errors(all_of(g, "zero_shot"));
        print_errors(all_of(g, "calibrated_unseen_rows"));
        printf("\n");
    }
    print_left_out(list);
    print_ratios(list);
}
