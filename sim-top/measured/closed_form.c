/* SPDX-License-Identifier: Apache-2.0 */
/*
 * closed_form.c -- evaluates the closed form for a row, and fits its constants
 *
 * The fit minimises the mean relative error by a simplex. Constants beyond the hardware are
 * penalised. A constant that the error does not depend on keeps its start value.
 */
#include "closed_form.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "model_work.h"
#include "simplex.h"

const char *const constant_names[CONSTANTS] = { "product_efficiency", "node_bandwidth",
                                                "nodes_bandwidth",    "replica_bandwidth",
                                                "collective_latency", "vector_factor",
                                                "stage_bandwidth" };
const char *const constant_units[CONSTANTS] = { "", "GB/s", "GB/s", "GB/s", "us", "", "GB/s" };
const double constants_of_data_sheets[CONSTANTS] = { 1, 300, 100, 12.5, 0, 1, 12.5 };
/* A send may stay in a node; a ring across nodes crosses once for each of a node's interfaces. */
const double constants_most[CONSTANTS] = { 1, 300, 100, 12.5, 1000, 100, 300 };

/* ---- a row --------------------------------------------------------------------------------- */

/* Milliseconds from bytes at GB/s. */
static double moved(double bytes, double GBps) { return bytes / (GBps * 1e6); }

static double all_reduce(const double c[CONSTANTS], double bytes, double n, double GBps) {
    if (n < 2) return 0;
    return c[CONSTANT_LATENCY] / 1e3 + moved(2 * (n - 1) / n * bytes, GBps);
}

/* Returns how many ranks of a group of replicas are in one node, which has whole tensor groups. */
static double in_node(const closed_form_node *n, const strategy *s) {
    const double groups = floor((double)n->gpus / (double)s->degree[AXIS_TP]);
    const double d = (double)s->degree[AXIS_DP];

    return groups < 1 ? 1 : groups < d ? groups : d;
}

static double replicas_ms(const closed_form_node *n, const double c[CONSTANTS],
                          const measured_row *r) {
    const strategy *s = &r->strategy;
    const stage_parameters own = strategy_stage(s, &r->model, 0);
    const double d = (double)s->degree[AXIS_DP], here = in_node(n, s);
    const double bytes = (double)s->gradient_bytes * (own.dense + own.ends);

    return all_reduce(c, bytes, d, d <= here ? c[CONSTANT_NODE] : c[CONSTANT_REPLICAS] * here);
}

double closed_form_ms(const closed_form_node *n, const double c[CONSTANTS], const measured_row *r) {
    const training_model *m = &r->model;
    const strategy *s = &r->strategy;
    const double t = (double)s->degree[AXIS_TP], p = (double)s->degree[AXIS_PP];
    const double tensor = 2. * (double)(s->micro_batch * m->sequence * m->hidden);
    const double rate = c[CONSTANT_EFFICIENCY] * n->peak_TFLOPS * 1e9; /* FLOPs a ms */
    const model_layer plain = { 0 };
    const vector_bytes v = model_layer_vector_bytes(m, plain, s);
    const double vectors = c[CONSTANT_VECTOR] *
                           moved(v.norms + v.residuals + v.activation + v.softmax, n->memory_GBps);
    const model_gemm output = model_logits_gemm(m, s);
    double scores;
    const double products = model_layer_flops(m, plain, s, &scores) / rate;
    const double sum =
        all_reduce(c, tensor, t, t <= n->gpus ? c[CONSTANT_NODE] : c[CONSTANT_NODES]);
    const double layer = 4 * (products + vectors) + 6 * sum;
    const double logits = 3 * model_gemm_flops(&output) / rate;
    const double layers = (double)m->layers, slowest = layers / p * layer + logits;
    const stage_parameters own = strategy_stage(s, m, 0);
    const double send = p > 1 ? c[CONSTANT_LATENCY] / 1e3 + moved(tensor, c[CONSTANT_STAGES]) : 0;

    return layers * layer + logits + ((double)s->micro_batches - 1) * slowest + 2 * (p - 1) * send +
           replicas_ms(n, c, r) +
           c[CONSTANT_VECTOR] * moved(model_adam_bytes(s) * (own.dense + own.ends), n->memory_GBps);
}

/* ---- the fit ------------------------------------------------------------------------------- */

enum { ROUNDS = 6, STEPS = 600, BEYOND = 1000 };

typedef struct fit {
    const closed_form_node *node;
    const measured_rows *rows;
    const bool *take;
    bool limited;
} fit;

static double error_of(void *self, const double c[]) {
    const fit *f = self;
    double sum = 0;
    unsigned count = 0;

    for (unsigned i = 0; i < CONSTANTS; i++) {
        /* Far beyond the hardware a constant has no part in the sum any more, and no end. */
        const bool limited = f->limited || i == CONSTANT_EFFICIENCY;
        const double most = constants_most[i] * (limited ? 1 : BEYOND);

        if (c[i] > most) return 1e9 * c[i] / most;
    }
    for (unsigned i = 0; i < f->rows->count; i++) {
        const measured_row *r = &f->rows->at[i];

        if (!f->take[i]) continue;
        sum += fabs(closed_form_ms(f->node, c, r) / r->iteration_ms - 1);
        count++;
    }
    return count ? sum / count : 0;
}

void closed_form_fit(const closed_form_node *n, const measured_rows *r, const bool *take,
                     bool limited, double c[CONSTANTS]) {
    fit f = { .node = n, .rows = r, .take = take, .limited = limited };
    const simplex_problem p = {
        .constants = CONSTANTS, .rounds = ROUNDS, .steps = STEPS, .self = &f, .error = error_of
    };
    double start[CONSTANTS], best[CONSTANTS];

    for (unsigned i = 0; i < CONSTANTS; i++)
        start[i] = best[i] =
            c[i] > 0 ? c[i] < constants_most[i] / 2 ? c[i] : constants_most[i] / 2 : 10;
    simplex_minimise(&p, best);
    for (unsigned i = 0; i < CONSTANTS; i++)
        if (best[i] < start[i] || best[i] > start[i]) c[i] = best[i];
}
