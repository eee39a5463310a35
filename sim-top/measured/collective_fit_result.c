/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_fit_result.c -- prints fitted and predicted collectives as tables
 *
 * The tables read the JSON object of collective_fit(). So they print the numbers that programs get.
 */
#include <math.h>
#include <stdio.h>

#include "collective_fit.h"
#include "figures.h"

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

/* The file and its fabric. */
static void print_file(const cJSON *object, const char *what) {
    printf("%s%s: %.0f ranks in %.0f %s; times out of place\n", what,
           item(object, "measured")->valuestring, number(object, "ranks"), number(object, "nodes"),
           number(object, "nodes") > 1 ? "nodes" : "node");
    print_left_out(object);
}

static void print_rows(const cJSON *object) {
    const cJSON *o;
    char figure[FIGURE];

    printf("\n%-16s%16s%14s%14s%9s  %s\n", "collective", "bytes", "measured us", "predicted us",
           "error", "as");
    cJSON_ArrayForEach(o, item(object, "rows")) printf(
        "%-16s%16s%14.2f%14.2f%7.2f %%  %s, %s%s\n", item(o, "collective")->valuestring,
        figure_count(number(o, "bytes"), figure), number(o, "measured_us"),
        number(o, "predicted_us"), 100 * number(o, "error"), item(o, "algorithm")->valuestring,
        item(o, "protocol")->valuestring, cJSON_IsTrue(item(o, "fitted")) ? "; fitted" : "");
}

static void print_predicted(const cJSON *o, const char *name, const char *fitted) {
    printf("%-16s%-16s", name, fitted);
    if (item(o, "start_us"))
        printf("%9.2f us%9.2f GB/s", number(o, "start_us"), number(o, "bandwidth_GBps"));
    else
        printf("%26s", "");
    printf("%6.0f", number(item(o, "not_fitted"), "count"));
    print_errors(item(o, "not_fitted"));
    print_mean(item(o, "not_fitted_from_1MiB"));
    printf("\n");
}

static void print_prediction(const cJSON *object, bool all) {
    const cJSON *o;

    printf("\n");
    print_file(object, "predicted ");
    printf("\n%-16s%-16s%12s%14s%6s%27s%11s\n", "", "constants", "", "", "", "error, not fitted",
           "1 MiB");
    printf("%-16s%-16s%12s%14s%6s%9s%9s%9s%11s\n", "collective", "of", "start", "bandwidth",
           "sizes", "mean", "median", "worst", "and more");
    cJSON_ArrayForEach(o, item(object, "kinds")) print_predicted(
        o, item(o, "collective")->valuestring, item(o, "fitted_collective")->valuestring);
    print_predicted(item(object, "all"), "all", "");
    if (all) print_rows(object);
}

void collective_fit_print(const cJSON *object, bool all) {
    const cJSON *o;

    print_file(object, "");
    print_sizes(object, NULL, "fitted on");
    print_sizes(object, "alpha_beta", " or the nearest of each kind; alpha-beta on");
    printf("\n\n%-16s%12s%14s%7s%6s%27s%11s%11s\n", "", "", "", "", "", "error, not fitted",
           "1 MiB", "alpha-beta");
    printf("%-16s%12s%14s%7s%6s%9s%9s%9s%11s%11s\n", "collective", "start", "bandwidth", "slow",
           "sizes", "mean", "median", "worst", "and more", "the same");
    cJSON_ArrayForEach(o, item(object, "kinds")) print_kind(o, item(o, "collective")->valuestring);
    print_kind(item(object, "all"), "all");
    if (all) print_rows(object);
    if (item(object, "prediction")) print_prediction(item(object, "prediction"), all);
}
