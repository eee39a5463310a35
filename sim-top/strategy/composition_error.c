/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composition_error.c -- distances between composed and simulated times, as statistics
 *
 * All distances of all devices go into one array, which is sorted for the quantiles. A device is
 * weighted by the nodes that it represents.
 */
#include "composition_error.h"

#include <stdlib.h>

#include "exit_status.h"
#include "message.h"

const double composition_quantiles[QUANTILES] = { 0.5, 0.9, 0.99, 1 };

static int ascending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Returns the smallest of the sorted values that is not below `share` of them. */
static double quantile(const double *sorted, size_t count, double share) {
    size_t at = (size_t)((double)count * share);

    if (at >= count) at = count - 1;
    return sorted[at];
}

static double median(const double *sorted, size_t count) {
    return count % 2 ? sorted[count / 2] : (sorted[count / 2 - 1] + sorted[count / 2]) / 2;
}

/* sorted: room for an error of each device. */
static void make_stages(composition_error *e, double *sorted) {
    for (uint32_t r = 0; r < e->stages; r++) {
        size_t n = 0;

        for (unsigned i = 0; i < e->devices; i++)
            if (e->device[i].stage == r) sorted[n++] = e->device[i].mean;
        if (!n) continue;
        qsort(sorted, n, sizeof *sorted, ascending);
        e->stage[r] = median(sorted, n);
    }
}

static void make_devices(const strategy_times *composed, const strategy_times *run,
                         const strategy_graph *g, const fabric *f, composition_error *e,
                         double *all) {
    const double whole = (double)e->run_cycles;
    double nodes = 0;
    size_t n = 0;

    for (unsigned i = 0; i < e->devices; i++) {
        const strategy_error one = strategy_times_error(composed, run, i, all + n);
        composition_device *const d = &e->device[i];

        *d = (composition_device){ .npu = fabric_first_node(f, i),
                                   .like = fabric_weight(f, i),
                                   .stage = strategy_graph_stage(g, fabric_first_node(f, i)),
                                   .mean = one.mean / whole,
                                   .worst = one.worst / whole };
        n += 2 * one.count;
        nodes += d->like;
        e->mean += d->like * d->mean;
        if (d->mean > e->worst) e->worst = d->mean;
    }
    e->mean /= nodes;
    e->events = n / 2;
    if (!n) return;
    qsort(all, n, sizeof *all, ascending);
    for (unsigned i = 0; i < QUANTILES; i++)
        e->quantile[i] = quantile(all, n, composition_quantiles[i]) / whole;
}

int composition_error_make(const strategy_times *composed, const strategy_times *run,
                           const strategy_graph *g, const strategy_plan *p, const fabric *f,
                           composition_error *e) {
    const unsigned devices = fabric_representatives(f);
    size_t room = devices + 1U;
    double *all;

    *e = (composition_error){ .run_cycles = strategy_times_iteration(run),
                              .devices = devices,
                              .stages = (uint32_t)p->s.degree[AXIS_PP] };
    for (unsigned i = 0; i < devices; i++)
        room += 2 * (size_t)p->stage[strategy_graph_stage(g, fabric_first_node(f, i))].nodes;
    e->device = calloc(devices, sizeof *e->device);
    e->stage = calloc(e->stages, sizeof *e->stage);
    all = calloc(room, sizeof *all);
    if (!e->device || !e->stage || !all) {
        free(all);
        return message_no_memory();
    }
    e->batch = (double)strategy_times_iteration(composed) / (double)e->run_cycles - 1;
    make_devices(composed, run, g, f, e, all);
    make_stages(e, all);
    free(all);
    return EXIT_OK;
}

void composition_error_free(composition_error *e) {
    free(e->device);
    free(e->stage);
}
