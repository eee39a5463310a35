/* SPDX-License-Identifier: Apache-2.0 */
/*
 * residuals.c -- groups the held-out errors, as JSON and as tables
 *
 * A group is a kind, a number at a time and a class of sizes. Printing reads the JSON object, so
 * the table and the JSON always agree.
 */
#include "residuals.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calibration_interval.h"
#include "experiment.h"
#include "values.h"

enum { KINDS = 4, SEVERAL = EXPERIMENT_WORKS + 1 /* two and more */ };
static const unsigned kinds[KINDS] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                       ACE_ALL_TO_ALL };

typedef struct group {
    char name[64];
    const char *kind; /* NULL: any kind */
    unsigned works;
    int large; /* -1: any size */
} group;

static bool belongs(const group *g, const held_out *h) {
    if (g->kind && strcmp(g->kind, h->kind)) return false;
    if (g->works == SEVERAL ? h->works < 2 : h->works != g->works) return false;
    return g->large < 0 || (h->bytes >= CALIBRATION_LARGE) == g->large;
}

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Returns the quantile of n sorted values: at least `fraction` of the values do not exceed it. */
static double quantile(const double *v, unsigned n, double fraction) {
    const unsigned at = (unsigned)ceil(fraction * n);

    return v[at ? at - 1 : 0];
}

/* Adds a group with the statistics of n errors, which this sorts. */
static void add_errors(cJSON *to, const char *name, double *v, unsigned n) {
    cJSON *o = cJSON_CreateObject();
    double sum = 0;

    qsort(v, n, sizeof *v, ascending);
    for (unsigned i = 0; i < n; i++) sum += v[i];
    cJSON_AddStringToObject(o, "group", name);
    cJSON_AddNumberToObject(o, "count", n);
    cJSON_AddNumberToObject(o, "mean", sum / n);
    cJSON_AddNumberToObject(o, "median", quantile(v, n, 0.5));
    cJSON_AddNumberToObject(o, "p90", quantile(v, n, 0.9));
    cJSON_AddNumberToObject(o, "worst", v[n - 1]);
    cJSON_AddItemToArray(to, o);
}

static void add_group(cJSON *to, const group *g, const calibration *c, double *v) {
    unsigned n = 0;

    for (unsigned i = 0; i < c->held_count; i++) {
        const held_out *h = &c->held[i];

        if (belongs(g, h)) v[n++] = fabs(h->predicted / h->measured - 1);
    }
    if (n) add_errors(to, g->name, v, n);
}

static void add_point(cJSON *points, const held_out *h, const calibration *set) {
    cJSON *o = cJSON_CreateObject();

    cJSON_AddStringToObject(o, "experiment", h->text);
    cJSON_AddStringToObject(o, "kind", h->kind);
    cJSON_AddNumberToObject(o, "bytes", h->bytes);
    cJSON_AddNumberToObject(o, "at_a_time", h->works);
    cJSON_AddNumberToObject(o, "measured", h->measured);
    cJSON_AddNumberToObject(o, "predicted", h->predicted);
    cJSON_AddNumberToObject(o, "error", h->predicted / h->measured - 1);
    cJSON_AddBoolToObject(o, "unsure", calibration_unsure(h));
    if (set) {
        const calibration_interval n = calibration_interval_of(set, h->kind, h->bytes, h->works);

        cJSON_AddNumberToObject(o, "low", floor(n.low * h->low));
        cJSON_AddNumberToObject(o, "high", ceil(n.high * h->high));
    }
    cJSON_AddItemToArray(points, o);
}

cJSON *residuals_object(const calibration *c, const calibration *set) {
    double *v = calloc(c->held_count + 1, sizeof *v);
    cJSON *root = cJSON_CreateObject();
    cJSON *groups = cJSON_AddArrayToObject(root, "groups");
    cJSON *points = cJSON_AddArrayToObject(root, "points");

    for (int large = 1; v && large >= 0; large--) {
        const char *size = large ? "1 MiB and more" : "below 1 MiB";
        group all = { .works = 1, .large = large };

        snprintf(all.name, sizeof all.name, "all kinds, %s", size);
        add_group(groups, &all, c, v);
        for (unsigned k = 0; k < KINDS; k++) {
            group g = { .kind = kind_names[kinds[k]], .works = 1, .large = large };
            snprintf(g.name, sizeof g.name, "%s, %s", g.kind, size);
            add_group(groups, &g, c, v);
        }
    }
    const group several = { .name = "two and three at a time", .works = SEVERAL, .large = -1 };
    if (v) add_group(groups, &several, c, v);
    for (unsigned i = 0; i < c->held_count; i++) add_point(points, &c->held[i], set);
    free(v);
    if (v) return root;
    cJSON_Delete(root);
    return NULL;
}

void residuals_add_iterations(cJSON *object, const iteration_check *each, unsigned count) {
    cJSON *list = cJSON_AddArrayToObject(object, "iterations");
    double v[ITERATIONS_MOST];

    for (unsigned i = 0; i < count; i++) {
        const double error = each[i].predicted / each[i].measured - 1;
        cJSON *o = cJSON_CreateObject();

        cJSON_AddStringToObject(o, "workload", each[i].name);
        cJSON_AddNumberToObject(o, "measured", each[i].measured);
        cJSON_AddNumberToObject(o, "predicted", each[i].predicted);
        cJSON_AddNumberToObject(o, "error", error);
        cJSON_AddItemToArray(list, o);
        v[i] = fabs(error);
    }
    add_errors(cJSON_GetObjectItemCaseSensitive(object, "groups"), "iterations of training", v,
               count);
}

/* Adds how many of a group lie in their intervals, and the mean width of the intervals relative to
 * the predicted times. */
static void add_covered(cJSON *o, const calibration *set, const calibration *seen, const group *g) {
    unsigned count = 0, inside = 0;
    double width = 0;

    for (unsigned i = 0; i < seen->held_count; i++) {
        const held_out *h = &seen->held[i];

        if (!belongs(g, h)) continue;
        const calibration_interval n = calibration_interval_of(set, h->kind, h->bytes, h->works);
        if (!n.count) continue;
        count++;
        width += (n.high * h->high - n.low * h->low) / h->predicted;
        inside += h->measured >= n.low * h->low && h->measured <= n.high * h->high;
    }
    cJSON_AddNumberToObject(o, "count", count);
    cJSON_AddNumberToObject(o, "inside", inside);
    if (count) cJSON_AddNumberToObject(o, "mean_width", width / count);
}

void residuals_add_coverage(cJSON *object, const calibration *set, const calibration *seen) {
    static const char *const names[] = { "alone", "several_at_a_time" };
    cJSON *root = cJSON_AddObjectToObject(object, "coverage");

    cJSON_AddNumberToObject(root, "share", CALIBRATION_SHARE);
    cJSON_AddNumberToObject(root, "set_by_seed", set->seed);
    for (unsigned at_once = 0; at_once < 2; at_once++) {
        const group g = { .works = at_once ? SEVERAL : 1, .large = -1 };

        add_covered(cJSON_AddObjectToObject(root, names[at_once]), set, seen, &g);
    }
    cJSON *classes = cJSON_AddArrayToObject(root, "classes");
    for (unsigned works = 1; works <= EXPERIMENT_WORKS; works++)
        for (unsigned k = 0; k < KINDS; k++)
            for (int large = 0; large < 2; large++) {
                const group g = { .kind = kind_names[kinds[k]], .works = works, .large = large };
                cJSON *o = cJSON_CreateObject();

                cJSON_AddStringToObject(o, "kind", g.kind);
                cJSON_AddNumberToObject(o, "at_a_time", works);
                cJSON_AddBoolToObject(o, "large", large);
                add_covered(o, set, seen, &g);
                cJSON_AddItemToArray(classes, o);
            }
}

/* Prints, as in "12 of 12", a class for each number of collectives at a time. */
static void print_class(const cJSON *classes, const char *kind, bool large) {
    const cJSON *o;

    cJSON_ArrayForEach(o, classes) {
        char text[32];

        if (strcmp(kind, cJSON_GetObjectItemCaseSensitive(o, "kind")->valuestring) != 0 ||
            !!cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(o, "large")) != large)
            continue;
        snprintf(text, sizeof text, "%.0f of %.0f",
                 cJSON_GetObjectItemCaseSensitive(o, "inside")->valuedouble,
                 cJSON_GetObjectItemCaseSensitive(o, "count")->valuedouble);
        printf("%14s", text);
    }
    printf("\n");
}

static void print_coverage(const cJSON *c) {
    const cJSON *o;

    if (!c) return;
    printf("\nin the 90 %% interval that seed %.0f sets\n",
           cJSON_GetObjectItemCaseSensitive(c, "set_by_seed")->valuedouble);
    cJSON_ArrayForEach(o, c) {
        const cJSON *inside =
            cJSON_IsObject(o) ? cJSON_GetObjectItemCaseSensitive(o, "inside") : NULL;
        const cJSON *width = cJSON_GetObjectItemCaseSensitive(o, "mean_width");
        double count;

        if (!inside) continue;
        count = cJSON_GetObjectItemCaseSensitive(o, "count")->valuedouble;
        printf("  %-20s", strcmp(o->string, "alone") ? "several at a time" : "alone");
        if (count > 0)
            printf("%5.0f of %4.0f, %5.1f %%; mean width %.2f %%\n", inside->valuedouble, count,
                   100 * inside->valuedouble / count, 100 * width->valuedouble);
        else
            printf("  too few held out to set one\n");
    }
    printf("\n%-15s %-16s %9s %13s %13s %13s\n", "by class", "", "at a time", "1", "2", "3");
    for (unsigned k = 0; k < KINDS; k++)
        for (int large = 0; large < 2; large++) {
            printf("  %-15s %-24s", kind_names[kinds[k]], large ? "1 MiB and more" : "below 1 MiB");
            print_class(cJSON_GetObjectItemCaseSensitive(c, "classes"), kind_names[kinds[k]],
                        large);
        }
}

static void print_iterations(const cJSON *list) {
    const cJSON *o;

    if (!list) return;
    printf("\n%-44s %13s %13s %8s\n", "two iterations of", "exact", "calibrated", "error");
    cJSON_ArrayForEach(o, list)
        printf("%-44s %13.0f %13.0f %7.2f%%\n",
               cJSON_GetObjectItemCaseSensitive(o, "workload")->valuestring,
               cJSON_GetObjectItemCaseSensitive(o, "measured")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(o, "predicted")->valuedouble,
               100 * cJSON_GetObjectItemCaseSensitive(o, "error")->valuedouble);
}

void residuals_print(const cJSON *object) {
    static const char *const columns[] = { "mean", "median", "p90", "worst" };
    const cJSON *g;

    printf("%-32s %6s %8s %8s %8s %8s\n", "held out, never fitted", "count", "mean", "median",
           "p90", "worst");
    cJSON_ArrayForEach(g, cJSON_GetObjectItemCaseSensitive(object, "groups")) {
        printf("%-32s %6.0f", cJSON_GetObjectItemCaseSensitive(g, "group")->valuestring,
               cJSON_GetObjectItemCaseSensitive(g, "count")->valuedouble);
        for (unsigned i = 0; i < 4; i++)
            printf("%8.2f%%", 100 * cJSON_GetObjectItemCaseSensitive(g, columns[i])->valuedouble);
        printf("\n");
    }
    print_iterations(cJSON_GetObjectItemCaseSensitive(object, "iterations"));
    print_coverage(cJSON_GetObjectItemCaseSensitive(object, "coverage"));
}

void residuals_print_points(const cJSON *object) {
    const char *before = "";
    const cJSON *p;

    printf("%-16s %13s %13s %13s %9s %13s %13s\n", "collective", "bytes", "exact", "calibrated",
           "error", "90 % from", "to");
    cJSON_ArrayForEach(p, cJSON_GetObjectItemCaseSensitive(object, "points")) {
        const char *text = cJSON_GetObjectItemCaseSensitive(p, "experiment")->valuestring;

        if (strcmp(text, before)) printf("%s\n", text);
        before = text;
        printf("%-16s %13.0f %13.0f %13.0f %7.2f %%%14.0f %13.0f%s\n",
               cJSON_GetObjectItemCaseSensitive(p, "kind")->valuestring,
               cJSON_GetObjectItemCaseSensitive(p, "bytes")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(p, "measured")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(p, "predicted")->valuedouble,
               100 * cJSON_GetObjectItemCaseSensitive(p, "error")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(p, "low")->valuedouble,
               cJSON_GetObjectItemCaseSensitive(p, "high")->valuedouble,
               cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(p, "unsure"))
                   ? "  unsure: a few cycles decide"
                   : "");
    }
}
