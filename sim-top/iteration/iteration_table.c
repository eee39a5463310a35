/* SPDX-License-Identifier: Apache-2.0 */
/* iteration_table.c -- the result of an iteration for people: a table, and a picture */
#include <stdio.h>

#include "atomic_file.h"
#include "calibrated_error.h"
#include "exit_status.h"
#include "figures.h"
#include "iteration_result.h"
#include "machine_text.h"

static void print_part(const cJSON *root, const char *name, const char *key, time_unit in,
                       double clock_MHz) {
    char time[FIGURE];

    printf("%-24s %13s %9.2f %%\n", name, figure_time(json_number(root, key) / clock_MHz, in, time),
           100 * json_number(root, key) / json_number(root, "cycles"));
}

static void print_stages(const strategy_iteration *r, const cJSON *root) {
    const bool spills = r->memory.stage[r->memory.fullest].held.expanded > 0;
    const cJSON *one;

    if (r->s.degree[AXIS_PP] == 1) return;
    printf("\n%-8s %11s %11s %11s %15s%s%s\n", "stage", "compute", "exposed", "bubble", "memory",
           spills ? "       bandwidth" : "", r->accelerators.count ? "  slowest accelerator" : "");
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(root, "stages")) {
        const double cycles = json_number(root, "cycles");

        printf("%-8.0f %9.2f %%%10.2f %%%10.2f %%%12.3f GiB", json_number(one, "stage"),
               100 * json_number(one, "compute_cycles") / cycles,
               100 * json_number(one, "exposed_communication_cycles") / cycles,
               100 * json_number(one, "bubble_cycles") / cycles,
               json_number(one, "memory_peak_bytes") / (1024.0 * 1024 * 1024));
        if (spills) printf("%11.1f GB/s", json_number(one, "memory_bandwidth_GBps"));
        if (r->accelerators.count) printf("  %s", json_string(one, "accelerator"));
        putchar('\n');
    }
}

static void print_memory(const cJSON *root) {
    const double GiB = 1024.0 * 1024 * 1024;

    printf("%-24s %9.3f GiB   a rank, without workspace\n", "memory",
           json_number(root, "memory_peak_bytes") / GiB);
    if (!cJSON_GetObjectItem(root, "memory_fits")) return;
    printf("%-24s %9.3f GiB   and %.3f GiB expanded%s\n", "  local",
           json_number(root, "memory_local_bytes") / GiB,
           json_number(root, "memory_expanded_bytes") / GiB,
           cJSON_IsTrue(cJSON_GetObjectItem(root, "memory_fits"))
               ? ""
               : ": more than there is; the times are as if there were");
    printf("%-24s %9.1f GB/s  %.1f GB/s of the optimizer's state\n", "  bandwidth",
           json_number(root, "memory_bandwidth_GBps"),
           json_number(root, "memory_bandwidth_optimizer_GBps"));
}

static void print_composition(const cJSON *o) {
    const cJSON *q = cJSON_GetObjectItem(o, "quantiles");

    if (!o) return;
    const double error = json_number(o, "batch_error");
    printf("\n%-24s %11.2f %%   %s than the run of %.0f cycles\n", "composed against run",
           100 * error, error < 0 ? "shorter" : "longer", json_number(o, "run_cycles"));
    printf("%-24s %11.2f %%   of the iteration, on average over the NPUs; at most %.2f %%\n",
           "activity apart", 100 * json_number(o, "activity_error"),
           100 * json_number(o, "worst_activity_error"));
    printf(
        "%-24s %11.2f %%   90 %% of events below %.2f %%, 99 %% below %.2f %%, all up to %.2f %%\n",
        "  median of an event", 100 * json_number(q, "0.5"), 100 * json_number(q, "0.9"),
        100 * json_number(q, "0.99"), 100 * json_number(q, "1"));
}

void iteration_table(const cJSON *root, const void *self) {
    const strategy_iteration *const r = self;
    const time_unit in = figure_time_unit(json_number(root, "time_us"));
    const double clock = r->o.machine.cluster.clock_MHz;
    char time[FIGURE], count[FIGURE];

    printf("%s, %s on %s, %.0f NPUs; endpoint %s, rung %s\n\n", json_string(root, "model"),
           json_string(root, "strategy"), json_string(root, "topology"), json_number(root, "ranks"),
           json_string(root, "endpoint"), json_string(root, "rung"));
    printf("%-24s %13s   %s cycles\n", "iteration",
           figure_time(json_number(root, "time_us"), in, time),
           figure_count(json_number(root, "cycles"), count));
    calibrated_error_print(root, 24);
    print_part(root, "compute", "compute_cycles", in, clock);
    print_part(root, "  had it been alone", "compute_alone_cycles", in, clock);
    print_part(root, "exposed", "exposed_communication_cycles", in, clock);
    for (unsigned k = 0; k < ITERATION_KINDS; k++)
        if (json_number(root, iteration_kinds[k].key) > 0)
            print_part(root, iteration_kinds[k].name, iteration_kinds[k].key, in, clock);
    if (r->s.degree[AXIS_PP] > 1) print_part(root, "bubble", "bubble_cycles", in, clock);
    print_part(root, "never below", "bound_cycles", in, clock);
    machine_text_print(root, 24);
    printf("\n%-24s %13s\n", "tokens a second",
           figure_count(json_number(root, "tokens_per_s"), count));
    printf("%-24s %11.2f %%   of %g TFLOP/s\n%-24s %11.2f %%\n", "model FLOPs",
           100 * json_number(root, "model_flops_utilization"), r->memory.matrix_TFLOPS,
           "hardware FLOPs", 100 * json_number(root, "hardware_flops_utilization"));
    print_memory(root);
    printf("%-24s %13s   in %s nodes of the graph\n", "collectives",
           figure_count(json_number(root, "collectives"), time),
           figure_count(json_number(root, "nodes"), count));
    if (r->composed)
        printf("%-24s %13s   measured once each, of %s of an NPU a stage\n", "unique events",
               figure_count(json_number(root, "unique_events"), time),
               figure_count(json_number(root, "events"), count));
    if (r->composed && json_number(root, "extended_events") > 0)
        printf("%-24s %13s   large messages: %d or %d MiB of each ran, the rest is extrapolated\n",
               "  extended", figure_count(json_number(root, "extended_events"), time),
               2 * EVENT_PART >> 20, 2 * EVENT_PART_OF_TWO >> 20);
    print_composition(cJSON_GetObjectItem(root, "composition"));
    print_stages(r, root);
}

int iteration_draw(const strategy_iteration *r) {
    const cJSON *const root = r->result;
    const double us = json_number(root, "time_us");
    const time_unit in = figure_time_unit(us);
    char title[STRATEGY_TEXT + 128 + FIGURE], text[FIGURE];
    atomic_file to;
    pipeline_result times;
    int rc = strategy_times_pipeline(r->times, &r->lists, &times);

    if (rc != EXIT_OK) return rc;
    rc = atomic_file_open(&to, r->svg);
    if (rc == EXIT_OK) {
        snprintf(title, sizeof title, "%.60s, %s: %s an iteration, bubble %.1f %%",
                 json_string(root, "model"), json_string(root, "strategy"),
                 figure_time(us, in, text),
                 100 * json_number(root, "bubble_cycles") / json_number(root, "cycles"));
        pipeline_svg(to.to, &r->lists, &times, title, r->o.machine.cluster.clock_MHz * in.us,
                     in.name);
        rc = atomic_file_close(&to);
    }
    pipeline_result_free(&times);
    return rc;
}
