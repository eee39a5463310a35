/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iteration_result.c -- the result of an iteration as JSON
 *
 * The parts of the time are means over the NPUs, of all stages and of each stage. They add up to
 * the iteration.
 */
#include "iteration_result.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "calibrated_error.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "model_work.h"
#include "processes.h"
#include "strategy_bound.h"

const iteration_kind iteration_kinds[ITERATION_KINDS] = {
    { "exposed_tensor_cycles", "  of tensor parallelism", { GROUP_TENSOR }, 1 },
    { "exposed_context_cycles", "  of context parallelism", { GROUP_CONTEXT }, 1 },
    { "exposed_expert_cycles",
      "  of expert parallelism",
      { GROUP_EXPERTS, GROUP_EXPERT_TENSOR },
      2 },
    { "exposed_data_cycles",
      "  of data parallelism",
      { GROUP_DATA, GROUP_EXPERT_DATA, GROUP_TIED },
      3 },
    { "exposed_pipeline_cycles", "  of the pipeline", { GROUP_PIPELINE }, 1 },
};

/* The means over NPUs, in cycles. They add up to the iteration. */
typedef struct outcome {
    double computing, alone, bubble, exposed, of[ITERATION_KINDS];
} outcome;

static void add_share(outcome *u, const strategy_share *s, double weight) {
    u->computing += weight * (double)s->computing;
    u->bubble += weight * (double)s->bubble;
    for (unsigned k = 0; k < ITERATION_KINDS; k++)
        for (unsigned i = 0; i < iteration_kinds[k].groups; i++) {
            u->of[k] += weight * (double)s->exposed[iteration_kinds[k].group[i]];
            u->exposed += weight * (double)s->exposed[iteration_kinds[k].group[i]];
        }
}

/* Returns the number of representatives of the run, or of stages if the iteration is composed. */
static unsigned accounts(const strategy_iteration *r, const fabric *f) {
    return r->composed ? (unsigned)r->s.degree[AXIS_PP] : fabric_representatives(f);
}
static uint32_t stage_of(const strategy_iteration *r, const fabric *f, unsigned i) {
    return r->composed ? i : strategy_graph_stage(r->g, fabric_first_node(f, i));
}
static double weight_of(const strategy_iteration *r, const fabric *f, unsigned i) {
    return r->composed ? 1 : fabric_weight(f, i);
}

/* Returns the cycles that the operations of NPU i would take alone. In a composed iteration these
 * are the cycles that they took. */
static uint64_t alone_of(const strategy_iteration *r, const graph_engine *e, unsigned i) {
    return r->composed ? strategy_times_share(r->times, i).computing
                       : graph_engine_account(e, i).alone;
}

/* Computes the mean of the NPUs of a stage, or of all NPUs if stage is `stages`. */
static int outcome_of(const strategy_iteration *r, const fabric *f, const graph_engine *e,
                      uint32_t stage, outcome *u) {
    const uint32_t stages = (uint32_t)r->s.degree[AXIS_PP];
    const unsigned count = accounts(r, f);
    uint64_t *alone = calloc(count, sizeof *alone);
    double nodes = 0;

    *u = (outcome){ 0 };
    if (!alone) return message_no_memory();
    for (unsigned i = 0; i < count; i++) alone[i] = alone_of(r, e, i);
    processes_maximum(alone, count);
    for (unsigned i = 0; i < count; i++)
        if (stage == stages || stage_of(r, f, i) == stage) nodes += weight_of(r, f, i);
    for (unsigned i = 0; i < count; i++) {
        const strategy_share s = strategy_times_share(r->times, i);
        const double weight = weight_of(r, f, i) / nodes;

        if (stage != stages && stage_of(r, f, i) != stage) continue;
        add_share(u, &s, weight);
        u->alone += weight * (double)alone[i];
    }
    free(alone);
    return EXIT_OK;
}

static void add_outcome(cJSON *to, const outcome *u) {
    cJSON_AddNumberToObject(to, "compute_cycles", u->computing);
    cJSON_AddNumberToObject(to, "compute_alone_cycles", u->alone);
    cJSON_AddNumberToObject(to, "exposed_communication_cycles", u->exposed);
    for (unsigned k = 0; k < ITERATION_KINDS; k++)
        cJSON_AddNumberToObject(to, iteration_kinds[k].key, u->of[k]);
    cJSON_AddNumberToObject(to, "bubble_cycles", u->bubble);
}

/* Adds the memory if the cluster's file gives an NPU's memory. */
static void add_memory(const memory_of_stage *m, cJSON *to) {
    const npu *n = &m->npu;

    if (!n->memory_bytes) return;
    cJSON_AddBoolToObject(to, "memory_fits", m->held.fits);
    cJSON_AddNumberToObject(to, "memory_local_bytes", m->held.local);
    cJSON_AddNumberToObject(to, "memory_expanded_bytes", m->held.expanded);
    cJSON_AddNumberToObject(to, "memory_bandwidth_GBps", n->hot * n->memory_GBps);
    cJSON_AddNumberToObject(to, "memory_bandwidth_optimizer_GBps", n->cold * n->memory_GBps);
}

static int add_stages(const strategy_iteration *r, const fabric *f, const graph_engine *e,
                      cJSON *root) {
    cJSON *list = cJSON_AddArrayToObject(root, "stages");

    for (uint32_t i = 0; i < r->s.degree[AXIS_PP]; i++) {
        cJSON *one = cJSON_CreateObject();
        outcome u;
        const int rc = outcome_of(r, f, e, i, &u);

        cJSON_AddItemToArray(list, one);
        if (rc != EXIT_OK) return rc;
        cJSON_AddNumberToObject(one, "stage", i);
        add_outcome(one, &u);
        cJSON_AddNumberToObject(one, "memory_peak_bytes", r->memory.stage[i].peak);
        if (r->accelerators.count)
            cJSON_AddStringToObject(one, "accelerator",
                                    r->accelerators.of[r->memory.stage[i].slowest].file);
        add_memory(&r->memory.stage[i], one);
    }
    return EXIT_OK;
}

static uint64_t collectives(const strategy_iteration *r) {
    uint64_t n = 0;

    for (uint32_t i = 0; i < r->s.degree[AXIS_PP]; i++) n += r->plan->stage[i].collectives;
    return n;
}

static cJSON *span_of(pipeline_span s) {
    const double both[] = { s.start, s.end };

    return cJSON_CreateDoubleArray(both, 2);
}

/* Adds the times of passes as they were composed, and as they ran. */
static int add_passes(const strategy_iteration *r, cJSON *to) {
    pipeline_result composed;
    cJSON *list = cJSON_AddArrayToObject(to, "passes");
    const int rc = strategy_times_pipeline(r->times, &r->lists, &composed);

    if (rc != EXIT_OK) return rc;
    for (uint32_t s = 0; s < r->lists.stages; s++)
        for (size_t i = r->lists.first[s]; i < r->lists.first[s + 1]; i++) {
            const pipeline_entry *e = &r->lists.entry[i];
            cJSON *one = cJSON_CreateObject();

            cJSON_AddNumberToObject(one, "stage", s);
            cJSON_AddStringToObject(one, "pass", (char[]){ pipeline_letters[e->pass], 0 });
            cJSON_AddNumberToObject(one, "micro_batch", e->micro_batch);
            cJSON_AddNumberToObject(one, "chunk", e->chunk);
            cJSON_AddItemToObject(one, "composed", span_of(composed.span[i]));
            cJSON_AddItemToObject(one, "run", span_of(r->passes.span[i]));
            cJSON_AddItemToArray(list, one);
        }
    pipeline_result_free(&composed);
    return EXIT_OK;
}

static int add_composition(const strategy_iteration *r, cJSON *root) {
    const composition_error *e = &r->error;
    cJSON *o = cJSON_AddObjectToObject(root, "composition"), *list;
    char share[8];

    json_count(o, "run_cycles", e->run_cycles);
    cJSON_AddNumberToObject(o, "batch_error", e->batch);
    cJSON_AddNumberToObject(o, "activity_error", e->mean);
    cJSON_AddNumberToObject(o, "worst_activity_error", e->worst);
    cJSON_AddItemToObject(o, "stage_medians", cJSON_CreateDoubleArray(e->stage, (int)e->stages));
    list = cJSON_AddObjectToObject(o, "quantiles");
    for (unsigned i = 0; i < QUANTILES; i++) {
        snprintf(share, sizeof share, "%g", composition_quantiles[i]);
        cJSON_AddNumberToObject(list, share, e->quantile[i]);
    }
    list = cJSON_AddArrayToObject(o, "devices");
    for (unsigned i = 0; i < e->devices; i++) {
        cJSON *one = cJSON_CreateObject();

        cJSON_AddNumberToObject(one, "npu", e->device[i].npu);
        cJSON_AddNumberToObject(one, "like", e->device[i].like);
        cJSON_AddNumberToObject(one, "stage", e->device[i].stage);
        cJSON_AddNumberToObject(one, "activity_error", e->device[i].mean);
        cJSON_AddNumberToObject(one, "worst", e->device[i].worst);
        cJSON_AddItemToArray(list, one);
    }
    return add_passes(r, o);
}

int iteration_result_add(const strategy_iteration *r, fabric *f, const graph_engine *e) {
    cJSON *const root = r->result;
    const uint64_t cycles = strategy_times_iteration(r->times);
    const double us = (double)cycles / r->o.machine.cluster.clock_MHz;
    const double tokens = strategy_sequences(&r->s) * (double)r->m.sequence;
    const double could = us * 1e-6 * (double)strategy_ranks(&r->s) * r->memory.matrix_TFLOPS * 1e12;
    char topology[TOPOLOGY_TEXT], digest[24];
    uint64_t sent = 0;
    uint64_t bound;
    outcome u;
    int rc = outcome_of(r, f, e, (uint32_t)r->s.degree[AXIS_PP], &u);

    if (rc == EXIT_OK) rc = strategy_bound(r->plan, &r->p, &r->o.machine, &r->memory, &bound);
    if (rc != EXIT_OK) return rc;
    print_topology(&r->o.machine.cluster, topology);
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    cJSON_AddStringToObject(root, "topology", topology);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(r->o.machine.cluster.endpoint));
    cJSON_AddStringToObject(root, "rung", r->composed ? "composed" : fabric_rung(f, 0));
    if (r->composed) {
        cJSON_AddNumberToObject(root, "unique_events", strategy_events_unique(r->events));
        cJSON_AddNumberToObject(root, "extended_events", strategy_events_extended(r->events));
        json_count(root, "events", strategy_events_total(r->events));
    } else {
        cJSON_AddStringToObject(root, "folding", fabric_folding(f));
    }
    json_count(root, "cycles", cycles);
    cJSON_AddNumberToObject(root, "time_us", us);
    calibrated_error_add(root, &r->o.machine, r->o.output.interval, NULL, cycles,
                         f && r->o.machine.calibration ? fabric_most(f, "calibrated.unsure") : 0);
    json_count(root, "bound_cycles", bound);
    add_outcome(root, &u);
    cJSON_AddNumberToObject(root, "tokens_per_s", tokens / (us * 1e-6));
    cJSON_AddNumberToObject(root, "model_flops_utilization", model_flops(&r->m, &r->s) / could);
    cJSON_AddNumberToObject(root, "hardware_flops_utilization",
                            model_executed_flops(&r->m, &r->s) / could);
    for (unsigned d = 0; !r->composed && d < ACE_CLUSTER_DIMENSIONS; d++)
        sent += fabric_sent(f, 0, d);
    if (!r->composed) json_count(root, "bytes_sent_per_npu", sent);
    json_count(root, "nodes", r->plan->nodes);
    json_count(root, "collectives", collectives(r));
    if (!r->composed)
        json_count(root, "messages",
                   strategy_graph_messages(r->g)
                       ? graph_messages_count(strategy_graph_messages(r->g))
                       : 0);
    cJSON_AddStringToObject(root, "config_digest", digest);
    rc = add_stages(r, f, e, root);
    cJSON_AddNumberToObject(root, "memory_peak_bytes", r->memory.stage[r->memory.fullest].peak);
    add_memory(&r->memory.stage[r->memory.fullest], root);
    return rc == EXIT_OK && r->compared ? add_composition(r, root) : rc;
}
