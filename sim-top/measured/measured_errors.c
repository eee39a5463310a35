/* SPDX-License-Identifier: Apache-2.0 */
/* measured_errors.c -- tables of errors, per model or per strategy, as JSON and as text */
#include "measured_errors.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "statistics.h"

enum { GROUP = 64 };

/* Adds null for an unknown number, because JSON has no NAN. */
static void add_number(cJSON *to, const char *name, double v) {
    if (isnan(v))
        cJSON_AddNullToObject(to, name);
    else
        cJSON_AddNumberToObject(to, name, v);
}

static int add_line(cJSON *to, const char *name, const measured_rows *r, const double *predicted,
                    const bool *take) {
    cJSON *o;
    statistics s;
    const int rc = statistics_of(r, predicted, take, NULL, &s);

    if (rc != EXIT_OK || !s.rows) return rc;
    o = cJSON_CreateObject();
    cJSON_AddStringToObject(o, "model", name);
    cJSON_AddNumberToObject(o, "rows", s.rows);
    add_number(o, "mean_error", s.mean);
    add_number(o, "median_error", s.median);
    add_number(o, "worst_error", s.worst);
    add_number(o, "rank_correlation", s.rank);
    cJSON_AddNumberToObject(o, "choices", s.choices);
    add_number(o, "chosen_over_best_mean", s.chosen_mean);
    add_number(o, "chosen_over_best_worst", s.chosen_worst);
    cJSON_AddItemToArray(to, o);
    return EXIT_OK;
}

static void name_group(const measured_row *r, bool strategies, char to[GROUP]) {
    if (strategies)
        snprintf(to, GROUP, "tp%" PRIu64 ".pp%" PRIu64, r->strategy.degree[AXIS_TP],
                 r->strategy.degree[AXIS_PP]);
    else
        snprintf(to, GROUP, "%s", r->model.name);
}

int measured_section(cJSON *root, const char *name, const measured_rows *r,
                     const double *predicted_ms, const bool *take, bool strategies) {
    cJSON *list = cJSON_AddArrayToObject(root, name);
    bool *own = calloc((size_t)r->count + 1, sizeof *own);
    char group[GROUP], other[GROUP];
    int rc = own ? EXIT_OK : message_no_memory();

    for (unsigned i = 0; rc == EXIT_OK && i < r->count; i++) {
        bool first = true;

        name_group(&r->at[i], strategies, group);
        for (unsigned k = 0; k < r->count; k++) {
            name_group(&r->at[k], strategies, other);
            own[k] = take[k] && !strcmp(group, other);
            first = first && (k >= i || strcmp(group, other) != 0);
        }
        if (first) rc = add_line(list, group, r, predicted_ms, own);
    }
    free(own);
    return rc == EXIT_OK ? add_line(list, "all", r, predicted_ms, take) : rc;
}

double measured_get(const cJSON *o, const char *name) {
    const cJSON *v = cJSON_GetObjectItem(o, name);

    return cJSON_IsNumber(v) ? v->valuedouble : NAN;
}

const char *const fit_names[] = { "none", "half", "all", NULL };

void measured_row_add(cJSON *to, const measured_row *r, const strategy *s, const char *use,
                      double zero_shot, double predicted) {
    char text[STRATEGY_TEXT];

    cJSON_AddNumberToObject(to, "row", (double)r->number);
    cJSON_AddStringToObject(to, "model", r->model.name);
    cJSON_AddStringToObject(to, "strategy", strategy_print(s, text));
    cJSON_AddStringToObject(to, "use", use);
    cJSON_AddNumberToObject(to, "measured_ms", r->iteration_ms);
    cJSON_AddNumberToObject(to, "zero_shot_ms", zero_shot);
    cJSON_AddNumberToObject(to, "predicted_ms", predicted);
    cJSON_AddNumberToObject(to, "error", predicted / r->iteration_ms - 1);
}

void measured_rows_print(const cJSON *list, int model, int strategy, int use) {
    const cJSON *o;

    printf("\n%-5s %-*s %-*s %-*s %13s %13s %13s %9s\n", "row", model, "model", strategy,
           "strategy", use, "use", "measured ms", "zero-shot ms", "predicted ms", "error");
    cJSON_ArrayForEach(o, list) printf(
        "%-5.0f %-*s %-*s %-*s %13.1f %13.1f %13.1f %7.1f %%\n", measured_get(o, "row"), model,
        json_string(o, "model"), strategy, json_string(o, "strategy"), use, json_string(o, "use"),
        measured_get(o, "measured_ms"), measured_get(o, "zero_shot_ms"),
        measured_get(o, "predicted_ms"), 100 * measured_get(o, "error"));
}

/* "-" where there is none. */
static void print_cell(double v, double scale, int decimals, const char *unit, int width) {
    char text[48];

    if (isnan(v))
        snprintf(text, sizeof text, "-");
    else
        snprintf(text, sizeof text, "%.*f%s", decimals, v * scale, unit);
    printf("%*s", width, text);
}

void measured_print_section(const cJSON *root, const char *name, const char *title) {
    const cJSON *list = cJSON_GetObjectItem(root, name), *o;

    if (!list) return;
    printf("\n%s\n%-14s%6s%10s%10s%10s%8s%9s%10s%10s\n", title, "model", "rows", "mean", "median",
           "worst", "rank", "choices", "chosen", "worst");
    cJSON_ArrayForEach(o, list) {
        printf("%-14s%6.0f", json_string(o, "model"), measured_get(o, "rows"));
        print_cell(measured_get(o, "mean_error"), 100, 2, " %", 10);
        print_cell(measured_get(o, "median_error"), 100, 2, " %", 10);
        print_cell(measured_get(o, "worst_error"), 100, 2, " %", 10);
        print_cell(measured_get(o, "rank_correlation"), 1, 3, "", 8);
        printf("%9.0f", measured_get(o, "choices"));
        print_cell(measured_get(o, "chosen_over_best_mean"), 1, 3, " x", 10);
        print_cell(measured_get(o, "chosen_over_best_worst"), 1, 3, " x", 10);
        putchar('\n');
    }
}
