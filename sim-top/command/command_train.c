/* SPDX-License-Identifier: Apache-2.0 */
/* command_train.c -- acesim train: an iteration of a model under a strategy, run on a cluster */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "build_info.h"
#include "calibrated_error.h"
#include "calibrated_rung.h"
#include "command.h"
#include "composition_error.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "footprint.h"
#include "graph_run.h"
#include "machine_config.h"
#include "machine_words.h"
#include "message.h"
#include "model_work.h"
#include "names.h"
#include "observers.h"
#include "option_table.h"
#include "options.h"
#include "placement.h"
#include "processes.h"
#include "program_digest.h"
#include "refusal.h"
#include "report.h"
#include "result_print.h"
#include "run_cost.h"
#include "setup_fields.h"
#include "setup_rows.h"
#include "stage_memory.h"
#include "strategy_bound.h"
#include "strategy_events.h"
#include "strategy_graph.h"
#include "strategy_seconds.h"
#include "strategy_times.h"
#include "strategy_words.h"
#include "values.h"
#include "yaml_file.h"

typedef struct train_run {
    strategy_words words;
    const char *cluster, *placement, *schedule, *svg, *kept;
    uint64_t bucket;
    bool composed, compared, oversize;
    setup_rows given;
    training_model m;
    strategy s;
    placement p;
    setup o;
    fabric_work work; /* what the fabric needs to know about the graphs */
    pipeline lists;
    strategy_plan *plan;
    strategy_graph *g;
    strategy_times *times;
    strategy_events *events; /* NULL: the iteration is run */
    composition_error error; /* if the iteration is composed and run */
    pipeline_result passes;  /* of that run */
    stage_memory memory;
    uint64_t digest;
} train_run;

/* ---- arguments ----------------------------------------------------------------------------- */

static const option_row rows[] = {
    OPTION_TEXT_ROW(train_run, cluster, "cluster", "FILE",
                    "file with the NPUs and the fabric between them"),
    OPTION_TEXT_ROW(train_run, words.strategy, "strategy", "STRATEGY",
                    "how the model is divided, such as tp4.dp4.sp.zero1.m2"),
    OPTION_TEXT_ROW(train_run, placement, "placement", "LIST",
                    "dimensions of each degree: tp:x,dp:yz [ranks are nodes]"),
    OPTION_TEXT_ROW(train_run, schedule, "schedule", "FILE",
                    "a list of work for each stage, in the form that acesim pipeline reads"),
    { "bucket", "SIZE", OPTION_SIZE, offsetof(train_run, bucket),
      .text = "least size of the gradients that replicas sum together [a layer's]",
      .accepted = "a size such as 25MiB" },
    OPTION_TEXT_ROW(train_run, svg, "svg", "FILE", "writes a picture of the pipeline"),
    OPTION_FLAG_ROW(
        train_run, composed, "composed",
        "measure each distinct collective and message once, alone, and compose the iteration "
        "from these times; compute also runs as if alone"),
    OPTION_FLAG_ROW(
        train_run, compared, "compare-run",
        "with --composed: also run the iteration, and print the error of the composed one"),
    OPTION_FLAG_ROW(train_run, oversize, "oversize",
                    "run a strategy that does not fit in memory, too"),
    OPTION_TEXT_ROW(train_run, kept, "events", "FILE",
                    "with --composed: SQLite database of measured events, which are reused"),
};
static const option_table options = {
    .command = "train",
    .about = "usage: acesim train MODEL --cluster FILE --strategy STRATEGY [OPTIONS]\n\n"
             "Runs one training iteration of a model that a strategy divides over the NPUs of a\n"
             "cluster, on any endpoint and rung. Prints the time, the compute, the exposed\n"
             "communication, the utilization of the NPUs and their memory. acesim plan strategy\n"
             "--help lists the parts of a strategy.\n\n",
    .tail = "\nexample: acesim train models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml \\\n"
            "    --strategy tp4.dp4.fused --layers 2\n",
    .least = 1,
    .most = 1,
    .expected = "one MODEL, --cluster and --strategy",
    .group = { OPTION_GROUP(rows), { strategy_rows, STRATEGY_ROWS, offsetof(train_run, words) } },
};

/* Returns false if --help was given and printed, or if *rc is not EXIT_OK. */
static bool take_words(int argc, char **argv, train_run *r, int *rc) {
    option_table all = options;
    char **model;

    all.group[2] = setup_rows_group(&r->given, strategy_takes_to_run, offsetof(train_run, given));
    model = option_table_read(&all, argc, argv, r, rc);
    if (!model) return false;
    *rc = EXIT_USAGE;
    if (!r->cluster || !r->words.strategy) {
        fprintf(stderr, "acesim train: found no --%s, expected %s\n",
                r->cluster ? "strategy" : "cluster", options.expected);
        return false;
    }
    if ((r->compared || r->kept) && !r->composed) {
        fprintf(stderr, "acesim train: found --%s without --composed, expected both\n",
                r->compared ? "compare-run" : "events");
        return false;
    }
    r->words.model = *model;
    *rc = EXIT_OK;
    return true;
}

/* ---- the run ------------------------------------------------------------------------------- */

static int make_fields(train_run *r) {
    const int rc = strategy_fields(&r->words, &r->given, r->cluster, &r->o);

    r->o.output.format = r->words.format;
    if (rc != EXIT_OK || !r->composed || r->compared || !r->o.output.timeline) return rc;
    fprintf(stderr,
            "acesim train: found --timeline with --composed, expected --compare-run with both\n");
    return EXIT_USAGE;
}

static int make_placement(train_run *r) {
    const setup_source *const topology = &r->o.source[SETUP_TOPOLOGY];
    strategy_fault why = { 0 };
    char what[192];

    if (placement_make(&r->s, r->o.machine.cluster.ring, r->placement, &r->p, &why)) return EXIT_OK;
    if (!r->placement && topology->file) {
        yaml_error(topology->file, topology->line, topology->column, why.found, why.expected);
        return EXIT_USAGE;
    }
    snprintf(what, sizeof what, r->placement ? "--placement '%.100s'" : "--topology '%.100s'",
             r->placement     ? r->placement
             : topology->text ? topology->text
                              : "");
    return strategy_refuse("train", what, &why);
}

/* Makes the stages' lists, and checks that they do not deadlock. */
static int make_lists(train_run *r) {
    const uint32_t p = (uint32_t)r->s.degree[AXIS_PP], v = (uint32_t)r->s.chunks;
    const uint32_t m = (uint32_t)r->s.micro_batches;
    pipeline_times *times;
    pipeline_result result;
    int rc = r->schedule ? pipeline_read(r->schedule, &r->lists)
                         : pipeline_make(r->s.schedule, p, v, m, &r->lists);

    if (rc != EXIT_OK || !r->schedule) return rc;
    if (r->lists.stages != p || r->lists.chunks != v || r->lists.micro_batches != m) {
        char found[96], expected[96];

        snprintf(found, sizeof found, "%u stages, %u chunks, %u micro-batches", r->lists.stages,
                 r->lists.chunks, r->lists.micro_batches);
        snprintf(expected, sizeof expected, "the strategy's pp%u, v%u and m%u", p, v, m);
        yaml_error(r->schedule, 1, 1, found, expected);
        return EXIT_USAGE;
    }
    times = calloc((size_t)p * v, sizeof *times);
    if (!times) return message_no_memory();
    rc = pipeline_run(&r->lists, times, 0, &result);
    if (rc == EXIT_OK) pipeline_result_free(&result);
    free(times);
    return rc;
}

/* Returns a digest of everything that the result depends on except the setup. */
static uint64_t digest_of(const train_run *r) {
    char text[STRATEGY_TEXT];
    uint64_t h = model_digest(&r->m);

    strategy_print(&r->s, text);
    h = fnv1a(h, text, strlen(text) + 1);
    h = fnv1a(h, r->s.stage_layers, r->s.stages_given * sizeof *r->s.stage_layers);
    h = fnv1a(h, &r->bucket, sizeof r->bucket);
    if (r->composed) h = fnv1a(h, "composed", sizeof "composed");
    for (size_t i = 0; r->schedule && i < r->lists.first[r->lists.stages]; i++) {
        const pipeline_entry *e = &r->lists.entry[i];
        const uint32_t word[] = { (uint32_t)e->pass, e->micro_batch, e->chunk };

        h = fnv1a(h, word, sizeof word);
    }
    for (axis a = 0; a < AXES; a++) {
        for (unsigned i = 0; i < r->p.axis[a].legs; i++) {
            const placement_leg *l = &r->p.axis[a].leg[i];
            const uint32_t leg[] = { (uint32_t)a, l->dimension, l->extent, l->stride };

            h = fnv1a(h, leg, sizeof leg);
        }
    }
    return h;
}

static int open_graph(void *self, unsigned npu, graph_reader *reader) {
    return strategy_graph_open(((train_run *)self)->g, npu, reader);
}
static graph_words words(const void *self, uint32_t label) {
    return strategy_graph_words(((const train_run *)self)->g, label);
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    strategy_graph_label(((const train_run *)self)->g, number, to, room);
}
static double progress(const void *self, const graph_account *a) {
    return (double)a->finished / (double)((const train_run *)self)->plan->stage[0].nodes;
}

static const npu *npu_of(const void *self, unsigned at) {
    const train_run *r = self;

    return &r->memory.stage[strategy_graph_stage(r->g, at)].npu;
}

static void settle_graphs(train_run *r) {
    strategy_graph_period(r->g, ~0U, r->s.degree[AXIS_PP] > 1, r->work.period);
    r->work.messages = strategy_graph_messages(r->g) != NULL;
}

static int run_on(train_run *r, const observers *watch, graph_run *run) {
    const graph_maker m = { .self = r,
                            .open = open_graph,
                            .npu = npu_of,
                            .window = strategy_graph_window(r->g),
                            .in_order = true,
                            .messages = strategy_graph_messages(r->g),
                            .sum_bytes = cluster_memory_GBps(&r->o.machine.cluster) * 1e3 /
                                         r->o.machine.cluster.clock_MHz,
                            .words = words,
                            .label = label,
                            .progress = progress };
    fabric_observer list[sizeof watch->list / sizeof *watch->list + 1];
    int rc;

    memcpy(list, watch->list, sizeof watch->list);
    list[watch->count] = strategy_times_observer(r->times);
    rc = graph_run_create(&m, &r->o.machine, &r->o.execution, &r->work,
                          &(fabric_watch){ list, watch->count + 1, &r->o.output.wave }, run);
    if (rc == EXIT_OK) rc = graph_run_end(run, r->digest);
    return rc == EXIT_OK ? strategy_times_end(r->times) : rc;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* Kinds of parallelism under which people look for their time. */
typedef struct kind {
    const char *key, *name;
    plan_group group[3];
    unsigned groups;
} kind;
static const kind kinds[] = {
    { "exposed_tensor_cycles", "  of tensor parallelism", { GROUP_TENSOR }, 1 },
    { "exposed_context_cycles", "  of context parallelism", { GROUP_CONTEXT }, 1 },
    { "exposed_expert_cycles", "  of expert parallelism", { GROUP_EXPERTS }, 1 },
    { "exposed_data_cycles",
      "  of data parallelism",
      { GROUP_DATA, GROUP_EXPERT_DATA, GROUP_TIED },
      3 },
    { "exposed_pipeline_cycles", "  of the pipeline", { GROUP_PIPELINE }, 1 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The means over NPUs, in cycles. They add up to the iteration. */
typedef struct outcome {
    double computing, alone, bubble, exposed, of[KINDS];
} outcome;

static void add_share(outcome *u, const strategy_share *s, double weight) {
    u->computing += weight * (double)s->computing;
    u->bubble += weight * (double)s->bubble;
    for (unsigned k = 0; k < KINDS; k++)
        for (unsigned i = 0; i < kinds[k].groups; i++) {
            u->of[k] += weight * (double)s->exposed[kinds[k].group[i]];
            u->exposed += weight * (double)s->exposed[kinds[k].group[i]];
        }
}

/* Returns the number of representatives of the run, or of stages if the iteration is composed. */
static unsigned accounts(const train_run *r, const fabric *f) {
    return r->composed ? (unsigned)r->s.degree[AXIS_PP] : fabric_representatives(f);
}
static uint32_t stage_of(const train_run *r, const fabric *f, unsigned i) {
    return r->composed ? i : strategy_graph_stage(r->g, fabric_place(f, i));
}
static double weight_of(const train_run *r, const fabric *f, unsigned i) {
    return r->composed ? 1 : fabric_weight(f, i);
}

/* Returns the cycles that the operations of NPU i would take alone. In a composed iteration these
 * are the cycles that they took. */
static uint64_t alone_of(const train_run *r, const graph_engine *e, unsigned i) {
    return r->composed ? strategy_times_share(r->times, i).computing
                       : graph_engine_account(e, i).alone;
}

/* Computes the mean of the NPUs of a stage, or of all NPUs if stage is `stages`. */
static int outcome_of(const train_run *r, const fabric *f, const graph_engine *e, uint32_t stage,
                      outcome *u) {
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
    for (unsigned k = 0; k < KINDS; k++) cJSON_AddNumberToObject(to, kinds[k].key, u->of[k]);
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

static int add_stages(const train_run *r, const fabric *f, const graph_engine *e, cJSON *root) {
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
        add_memory(&r->memory.stage[i], one);
    }
    return EXIT_OK;
}

static uint64_t collectives(const train_run *r) {
    uint64_t n = 0;

    for (uint32_t i = 0; i < r->s.degree[AXIS_PP]; i++) n += r->plan->stage[i].collectives;
    return n;
}

static cJSON *span_of(pipeline_span s) {
    const double both[] = { s.start, s.end };

    return cJSON_CreateDoubleArray(both, 2);
}

/* Adds the times of passes as they were composed, and as they ran. */
static int add_passes(const train_run *r, cJSON *to) {
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

static int add_composition(const train_run *r, cJSON *root) {
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

static int make(const train_run *r, fabric *f, const graph_engine *e, cJSON *root) {
    const uint64_t cycles = strategy_times_iteration(r->times);
    const double us = (double)cycles / r->o.machine.cluster.clock_MHz;
    const double tokens = strategy_sequences(&r->s) * (double)r->m.sequence;
    const double could =
        us * 1e-6 * (double)strategy_ranks(&r->s) * r->o.machine.cluster.npu.matrix_TFLOPS * 1e12;
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

static void print_part(const cJSON *root, const char *name, const char *key, time_unit in,
                       double clock_MHz) {
    char time[FIGURE];

    printf("%-24s %13s %9.2f %%\n", name, figure_time(json_number(root, key) / clock_MHz, in, time),
           100 * json_number(root, key) / json_number(root, "cycles"));
}

static void print_stages(const train_run *r, const cJSON *root) {
    const bool spills = r->memory.stage[r->memory.fullest].held.expanded > 0;
    const cJSON *one;

    if (r->s.degree[AXIS_PP] == 1) return;
    printf("\n%-8s %11s %11s %11s %15s%s\n", "stage", "compute", "exposed", "bubble", "memory",
           spills ? "       bandwidth" : "");
    cJSON_ArrayForEach(one, cJSON_GetObjectItem(root, "stages")) {
        const double cycles = json_number(root, "cycles");

        printf("%-8.0f %9.2f %%%10.2f %%%10.2f %%%12.3f GiB", json_number(one, "stage"),
               100 * json_number(one, "compute_cycles") / cycles,
               100 * json_number(one, "exposed_communication_cycles") / cycles,
               100 * json_number(one, "bubble_cycles") / cycles,
               json_number(one, "memory_peak_bytes") / (1024.0 * 1024 * 1024));
        if (spills) printf("%11.1f GB/s", json_number(one, "memory_bandwidth_GBps"));
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
    printf("\n%-24s %11.2f %%   of the %.0f cycles of the run\n", "composed too long",
           100 * json_number(o, "batch_error"), json_number(o, "run_cycles"));
    printf("%-24s %11.2f %%   of the iteration, on average over the NPUs; at most %.2f %%\n",
           "activity apart", 100 * json_number(o, "activity_error"),
           100 * json_number(o, "worst_activity_error"));
    printf("%-24s %11.2f %%   90 %% below %.2f, 99 %% below %.2f, all up to %.2f %%\n",
           "  half of the events", 100 * json_number(q, "0.5"), 100 * json_number(q, "0.9"),
           100 * json_number(q, "0.99"), 100 * json_number(q, "1"));
}

static void print_table(const cJSON *root, const void *self) {
    const train_run *const r = self;
    const time_unit in = figure_time_unit(json_number(root, "time_us"));
    const double clock = r->o.machine.cluster.clock_MHz;
    char time[FIGURE], count[FIGURE];

    printf("%s, %s on %s, %.0f NPUs; endpoint %s, rung %s\n\n", json_word(root, "model"),
           json_word(root, "strategy"), json_word(root, "topology"), json_number(root, "ranks"),
           json_word(root, "endpoint"), json_word(root, "rung"));
    printf("%-24s %13s   %s cycles\n", "iteration",
           figure_time(json_number(root, "time_us"), in, time),
           figure_count(json_number(root, "cycles"), count));
    calibrated_error_print(root, 24);
    print_part(root, "compute", "compute_cycles", in, clock);
    print_part(root, "  had it been alone", "compute_alone_cycles", in, clock);
    print_part(root, "exposed", "exposed_communication_cycles", in, clock);
    for (unsigned k = 0; k < KINDS; k++)
        if (json_number(root, kinds[k].key) > 0)
            print_part(root, kinds[k].name, kinds[k].key, in, clock);
    if (r->s.degree[AXIS_PP] > 1) print_part(root, "bubble", "bubble_cycles", in, clock);
    print_part(root, "never below", "bound_cycles", in, clock);
    machine_words_print(root, 24);
    printf("\n%-24s %13s\n", "tokens a second",
           figure_count(json_number(root, "tokens_per_s"), count));
    printf("%-24s %11.2f %%   of %g TFLOP/s\n%-24s %11.2f %%\n", "model FLOPs",
           100 * json_number(root, "model_flops_utilization"),
           r->o.machine.cluster.npu.matrix_TFLOPS, "hardware FLOPs",
           100 * json_number(root, "hardware_flops_utilization"));
    print_memory(root);
    printf("%-24s %13s   in %s nodes of the graph\n", "collectives",
           figure_count(json_number(root, "collectives"), time),
           figure_count(json_number(root, "nodes"), count));
    if (r->composed)
        printf("%-24s %13s   measured once each, of %s of an NPU a stage\n", "unique events",
               figure_count(json_number(root, "unique_events"), time),
               figure_count(json_number(root, "events"), count));
    if (r->composed && json_number(root, "extended_events") > 0)
        printf("%-24s %13s   messages, of whose bytes %d or %d MiB ran\n", "  extended",
               figure_count(json_number(root, "extended_events"), time), 2 * EVENT_PART >> 20,
               2 * EVENT_PART_OF_TWO >> 20);
    print_composition(cJSON_GetObjectItem(root, "composition"));
    print_stages(r, root);
}

static int draw(const train_run *r, const cJSON *root) {
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
                 json_word(root, "model"), json_word(root, "strategy"), figure_time(us, in, text),
                 100 * json_number(root, "bubble_cycles") / json_number(root, "cycles"));
        pipeline_svg(to.to, &r->lists, &times, title, r->o.machine.cluster.clock_MHz * in.us,
                     in.name);
        rc = atomic_file_close(&to);
    }
    pipeline_result_free(&times);
    return rc;
}

static void add_word(cJSON *words, const char *option, const char *value) {
    char text[NAME_MOST + 64];

    if (!value) return;
    snprintf(text, sizeof text, "%s%s", option, value);
    cJSON_AddItemToArray(words, cJSON_CreateString(text));
}

static void add_count(cJSON *words, const char *option, uint64_t count) {
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, count);
    if (count) add_word(words, option, text);
}

/* Adds the command that gives the same result again: acesim explain runs it with a change. */
static void add_command(cJSON *root, const train_run *r) {
    cJSON *const words = cJSON_AddArrayToObject(root, "command");
    const strategy_words *const w = &r->words;

    add_word(words, "", "train");
    add_word(words, "", w->model);
    add_word(words, "--cluster=", r->cluster);
    add_word(words, "--strategy=", w->strategy);
    add_word(words, "--placement=", r->placement);
    add_count(words, "--batch=", w->batch);
    add_count(words, "--sequence=", w->sequence);
    add_count(words, "--layers=", w->layers);
    add_word(words, "--layers-per-stage=", w->layers_of_stages);
    add_word(words, "--schedule=", r->schedule);
    add_count(words, "--bucket=", r->bucket);
    if (r->composed) add_word(words, "", "--composed");
    if (r->oversize) add_word(words, "", "--oversize");
    if (w->fractional) add_word(words, "", "--fractional");
    for (unsigned i = 0; i < r->o.word_count; i++) {
        char option[48];

        if (!r->o.words[i].name) continue;
        snprintf(option, sizeof option, "--%s%s", r->o.words[i].name,
                 r->o.words[i].value ? "=" : "");
        add_word(words, option, r->o.words[i].value ? r->o.words[i].value : "");
    }
}

/* Returns EXIT_CHECK after a message if the fullest stage does not fit. */
static int check_memory(const train_run *r) {
    const memory_of_stage *const m = &r->memory.stage[r->memory.fullest];
    const npu *const n = &m->npu;

    if (m->held.fits || r->oversize) return EXIT_OK;
    fprintf(stderr,
            "acesim train: found %.4g GB on stage %u, expected at most the %.4g GB of an NPU, or "
            "--oversize\n",
            m->peak * 1e-9, r->memory.fullest,
            (double)(n->memory_bytes + n->expanded_bytes) * 1e-9);
    return EXIT_CHECK;
}

static int print(const train_run *r, fabric *f, const graph_engine *e) {
    cJSON *root = result_begin();
    int rc;

    add_command(root, r);
    strategy_add(root, &r->m, &r->s);
    rc = make(r, f, e, root);
    const char *const machine = r->o.machine.cluster.accelerator;

    if (rc == EXIT_OK)
        rc = machine_words_add(root, &r->o.about, *machine ? machine : r->cluster, &r->m, &r->s);
    if (rc == EXIT_OK && !r->composed) rc = fabric_check_bytes(f);
    if (rc == EXIT_OK && r->svg && !processes_rank()) rc = draw(r, root);
    if (rc != EXIT_OK || processes_rank()) {
        cJSON_Delete(root);
        return rc;
    }
    rc = result_print(root, r->o.output.format, &(result_form){ .table = print_table, .self = r });
    return rc == EXIT_OK ? check_memory(r) : rc;
}

static int run(train_run *r) {
    observers watch;
    graph_run g = { 0 };
    int closed, rc = processes_agree(observers_create(&r->o.machine, &r->o.output, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &g);
    if (rc == EXIT_OK) rc = print(r, g.f, g.e);
    closed = graph_run_destroy(&g);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

/* Runs the iteration that was composed, to measure the error of the composition. */
static int compare(train_run *r) {
    strategy_times *const composed = r->times;
    observers watch;
    graph_run g = { 0 };
    int closed, rc = observers_create(&r->o.machine, &r->o.output, &watch);

    settle_graphs(r);
    r->times = NULL;
    if (rc == EXIT_OK) rc = strategy_times_create(r->g, r->plan, &r->times);
    if (rc == EXIT_OK) rc = run_on(r, &watch, &g);
    if (rc == EXIT_OK) rc = fabric_check_bytes(g.f);
    if (rc == EXIT_OK)
        rc = composition_error_make(composed, r->times, r->g, r->plan, g.f, &r->error);
    if (rc == EXIT_OK) rc = strategy_times_pipeline(r->times, &r->lists, &r->passes);
    strategy_times_destroy(r->times);
    r->times = composed;
    closed = graph_run_destroy(&g);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

/* Computes a digest of what the cycles of an event depend on, except the event and where it
 * runs. */
static bool context_of(const train_run *r, uint64_t *h) {
    *h = setup_digest(&r->o);
    *h = fnv1a(*h, acesim_version, strlen(acesim_version) + 1);
    return program_digest(h);
}

/* Measures each event alone. */
static int measure(train_run *r) {
    event_store *store = NULL;
    uint64_t context = 0;
    int rc = EXIT_OK;

    if (r->kept) rc = context_of(r, &context) ? event_store_open(r->kept, &store) : EXIT_CHECK;
    if (rc == EXIT_OK)
        rc = strategy_events_create(r->plan, r->g, &r->p, &r->memory, &r->o.machine,
                                    &r->o.execution, store, context, &r->events);
    event_store_close(store);
    return rc;
}

/* Composes the plan from events that were measured alone. */
static int compose(train_run *r) {
    int rc = measure(r);

    if (rc == EXIT_OK) {
        const strategy_costs costs = strategy_events_costs(r->events);

        rc = strategy_times_compose(r->times, &costs);
    }
    if (rc == EXIT_OK && r->compared) rc = compare(r);
    return rc == EXIT_OK ? print(r, NULL, NULL) : rc;
}

/* Checks that the rung calibrated was measured for all sizes that the plan sends on rings. Messages
 * have no range. */
static int look_at_range(const train_run *r, refusal *why) {
    int rc = EXIT_OK;

    for (uint32_t s = 0; r->o.machine.calibration && s < r->s.degree[AXIS_PP]; s++)
        for (uint32_t i = 0; i < r->plan->stage[s].nodes && rc == EXIT_OK; i++) {
            const plan_node *n = &r->plan->stage[s].node[i];
            char what[96];

            if (n->kind != GRAPH_COLLECTIVE ||
                strategy_graph_by_messages(r->g, (plan_group)n->group))
                continue;
            snprintf(what, sizeof what, "%s for %s", kind_names[n->collective],
                     plan_group_names[n->group]);
            rc = calibrated_rung_covers(&r->o.machine, what, n->bytes, why);
        }
    return rc;
}

/* Does all steps up to the graphs. Returns EXIT_OK, or another status with a refusal or after a
 * message. */
static int make_graphs(train_run *r, refusal *why) {
    int rc = make_placement(r);

    if (rc == EXIT_OK)
        rc = machine_reduces(&r->o.machine, ACE_ALL_REDUCE,
                             r->o.machine.type_given ? r->o.machine.type : ACE_FP16, why);
    if (rc == EXIT_OK) rc = strategy_graph_check(&r->m, &r->s);
    if (rc == EXIT_OK) rc = make_lists(r);
    if (rc == EXIT_OK)
        rc = stage_memory_make(&r->m, &r->s, &r->lists, &r->o.machine.cluster.npu, &r->memory);
    if (rc == EXIT_OK) rc = strategy_plan_make(&r->m, &r->s, &r->lists, r->bucket, &r->plan);
    if (rc == EXIT_OK)
        rc =
            strategy_graph_create(r->plan, &r->p, &r->o.machine,
                                  r->composed && !r->compared ? NULL : &r->o.machine.config, &r->g);
    if (rc == EXIT_OK) rc = look_at_range(r, why);
    if (rc == EXIT_OK) rc = strategy_times_create(r->g, r->plan, &r->times);
    if (rc != EXIT_OK) return rc;
    settle_graphs(r);
    return EXIT_OK;
}

/* Warns before a run that takes minutes. */
static void warn_of_long_run(const train_run *r) {
    const double minutes = strategy_seconds(r->plan, &r->p, &r->o.machine) / 60;

    if (minutes > 1 && !r->o.execution.quiet && !processes_rank())
        fprintf(stderr,
                "acesim train: this run takes about %.0f minutes; --composed measures each event "
                "once, and is faster\n",
                minutes);
}

static int make_and_run(train_run *r) {
    refusal why = { .form = REFUSAL_NONE };
    report about;
    int rc = processes_agree(setup_make(&r->o));

    if (rc == EXIT_OK) rc = machine_refuse_agreed(&r->o.machine, &why);
    if (rc == EXIT_OK) rc = make_graphs(r, &why);
    rc = processes_agree(setup_refuse(&r->o, rc, &why));
    if (rc == EXIT_OK) {
        about = (report){ .setup = &r->o, .kind = r->m.name, .digest_of = digest_of(r) };
        r->digest = report_digest(&about);
        if (!r->composed || r->compared) warn_of_long_run(r);
        rc = r->composed ? compose(r) : run(r);
    }
    machine_free(&r->o.machine);
    strategy_events_destroy(r->events);
    composition_error_free(&r->error);
    pipeline_result_free(&r->passes);
    strategy_times_destroy(r->times);
    strategy_graph_destroy(r->g);
    strategy_plan_free(r->plan);
    pipeline_free(&r->lists);
    stage_memory_free(&r->memory);
    return rc;
}

int train_fields(int argc, char **argv, setup *o) {
    train_run *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    r->words.command = "train";
    if (take_words(argc, argv, r, &rc)) rc = make_fields(r);
    if (rc == EXIT_OK) *o = r->o;
    free(r);
    return rc;
}

int command_train(int argc, char **argv) {
    const double start = run_cost_start();
    train_run *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    r->words.command = "train";
    if (take_words(argc, argv, r, &rc)) {
        rc = make_fields(r);
        if (rc == EXIT_OK) rc = strategy_from_words(&r->words, &r->m, &r->s);
        if (rc == EXIT_OK) {
            rc = make_and_run(r);
            if (!r->o.execution.quiet) run_cost_print(start, rc);
        }
    }
    free(r);
    return rc;
}
