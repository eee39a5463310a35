/* SPDX-License-Identifier: Apache-2.0 */
/* calibrated_error.c -- adds a calibration's expected error to a result, and prints both */
#include "calibrated_error.h"

#include <math.h>
#include <stdio.h>

#include "calibration_interval.h"
#include "figures.h"
#include "values.h"

/* Adds the interval of a result. For an iteration it covers all cycles. This includes compute,
 * which has no error, so the interval is wider than necessary. */
static void add_interval(cJSON *root, const calibration *c, const machine *m,
                         const ace_command *command, double cycles, double unsure) {
    const double us = 1 / m->cluster.clock_MHz;
    const calibration_interval i =
        command ? calibration_interval_of(c, kind_names[command->kind], (double)command->bytes, 1)
                : calibration_interval_of(c, NULL, 1, 0);
    const double low = fmax(cycles * i.low - unsure, 0), high = cycles * i.high + unsure;
    cJSON *to = cJSON_AddObjectToObject(root, "interval");

    cJSON_AddNumberToObject(to, "share", CALIBRATION_SHARE);
    cJSON_AddNumberToObject(to, "held_out_points", i.count);
    if (!i.count) return;
    cJSON_AddNumberToObject(to, "low_cycles", floor(low));
    cJSON_AddNumberToObject(to, "high_cycles", ceil(high));
    cJSON_AddNumberToObject(to, "low_us", low * us);
    cJSON_AddNumberToObject(to, "high_us", high * us);
}

/* Adds [value of the cluster, largest measured value] if the cluster exceeds what was measured. */
static void add_pair(cJSON *to, const char *name, unsigned requested, unsigned measured) {
    cJSON *pair = requested > measured ? cJSON_AddArrayToObject(to, name) : NULL;

    if (!pair) return;
    cJSON_AddItemToArray(pair, cJSON_CreateNumber(requested));
    cJSON_AddItemToArray(pair, cJSON_CreateNumber(measured));
}

static void add_beyond(cJSON *root, const calibration *c, const cluster *of) {
    unsigned live = 0;

    if (!c->beyond.dimensions) return;
    cJSON *to = cJSON_AddObjectToObject(root, "beyond_measured");
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) live += of->ring[d] > 1;
    add_pair(to, "dimensions", live, c->beyond.dimensions);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (of->ring[d] > 1)
            add_pair(to, (const char[]){ ACE_DIMENSION_LETTERS[d], 0 }, of->ring[d],
                     c->beyond.members[d]);
}

void calibrated_error_add(cJSON *root, const setup *s, const ace_command *command, uint64_t cycles,
                          uint64_t unsure) {
    const calibration *c = s->machine.calibration;
    expected_error e;

    if (!c) return;
    e = command ? calibration_error(c, kind_names[command->kind], (double)command->bytes, false)
                : calibration_error(c, NULL, 1, true);
    cJSON *to = cJSON_AddObjectToObject(root, "expected_error");
    cJSON_AddNumberToObject(to, "held_out_points", e.count);
    if (e.count) {
        cJSON_AddNumberToObject(to, "mean", e.mean);
        cJSON_AddNumberToObject(to, "worst", e.worst);
    }
    add_beyond(root, c, &s->machine.cluster);
    if (unsure) cJSON_AddNumberToObject(root, "unsure_cycles", (double)unsure);
    if (s->output.interval)
        add_interval(root, c, &s->machine, command, (double)cycles, (double)unsure);
}

/* ---- for people -------------------------------------------------------------------------- */

static double number(const cJSON *o, const char *name) {
    return cJSON_GetObjectItemCaseSensitive(o, name)->valuedouble;
}

/* Prints what exceeds the measurements, such as "dimensions 6 of 4 measured, x 512 of 128". */
static void print_beyond(const cJSON *root, int label) {
    const cJSON *one;
    const char *before = "";

    if (!root) return;
    printf("%-*s", label, "beyond");
    cJSON_ArrayForEach(one, root) {
        printf("%s%s %.0f, of %.0f at most", before, one->string,
               cJSON_GetArrayItem(one, 0)->valuedouble, cJSON_GetArrayItem(one, 1)->valuedouble);
        before = "; ";
    }
    printf(" that were measured:\n%-*sthe error is that of as large a step\n", label, "");
}

void calibrated_error_print(const cJSON *root, int label) {
    const cJSON *e = cJSON_GetObjectItemCaseSensitive(root, "expected_error");
    const cJSON *i = cJSON_GetObjectItemCaseSensitive(root, "interval");
    char low[FIGURE], high[FIGURE];

    if (e && number(e, "held_out_points") > 0)
        printf("%-*s%.2f %% to be expected, %.2f %% at the worst of the %.0f held-out collectives "
               "nearest\n",
               label, "error", 100 * number(e, "mean"), 100 * number(e, "worst"),
               number(e, "held_out_points"));
    else if (e)
        printf("%-*snot known: no held-out collective is of its kind\n", label, "error");
    print_beyond(cJSON_GetObjectItemCaseSensitive(root, "beyond_measured"), label);
    if (cJSON_HasObjectItem(root, "unsure_cycles"))
        printf(
            "%-*schunks wanted links of two dimensions that an all-to-all filled, for %.0f cycles:\n"
            "%-*sthe engine may make them wait or let them pass\n",
            label, "unsure", number(root, "unsure_cycles"), label, "");
    if (i && number(i, "held_out_points") > 0) {
        const time_unit in = figure_time_unit(number(i, "high_us"));

        printf("%-*s%s to %s: nine of ten lie in it, by %.0f held-out experiments\n", label,
               "interval", figure_time(number(i, "low_us"), in, low),
               figure_time(number(i, "high_us"), in, high), number(i, "held_out_points"));
    } else if (i) {
        printf("%-*snot known: too few held out; acesim calibrate --points N takes more\n", label,
               "interval");
    }
}
