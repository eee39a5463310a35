/* SPDX-License-Identifier: Apache-2.0 */
/*
 * iteration.c -- makes the graphs of an iteration, and runs or composes it
 *
 * The steps are placement, pipeline lists, memory, plan, graph. The graph of each NPU then runs on
 * the fabric. A composed iteration is put together from the times of its events, each measured
 * alone.
 */
#include "iteration.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "calibrated_rung.h"
#include "cluster_file.h"
#include "digest.h"
#include "exit_status.h"
#include "graph_run.h"
#include "iteration_result.h"
#include "machine_config.h"
#include "machine_text.h"
#include "message.h"
#include "observers.h"
#include "processes.h"
#include "program_digest.h"
#include "refusal.h"
#include "report.h"
#include "result_print.h"
#include "setup_fields.h"
#include "strategy_seconds.h"
#include "yaml_file.h"

static int make_placement(strategy_iteration *r) {
    const setup_source *const topology = &r->o.source[SETUP_TOPOLOGY];
    strategy_fault why = { 0 };
    char what[192];

    if (placement_make(&r->s, r->o.machine.cluster.ring, r->placement_text, &r->p, &why))
        return EXIT_OK;
    if (!r->placement_text && topology->file) {
        yaml_error(topology->file, topology->line, topology->column, why.found, why.expected);
        return EXIT_USAGE;
    }
    snprintf(what, sizeof what, r->placement_text ? "--placement '%.100s'" : "--topology '%.100s'",
             r->placement_text ? r->placement_text
             : topology->text  ? topology->text
                               : "");
    return strategy_refuse("train", what, &why);
}

/* Makes the stages' lists, and checks that they do not deadlock. */
static int make_lists(strategy_iteration *r) {
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
static uint64_t digest_of(const strategy_iteration *r) {
    char text[STRATEGY_TEXT];
    uint64_t h = model_digest(&r->m);

    strategy_print(&r->s, text);
    h = fnv1a(h, text, strlen(text) + 1);
    h = fnv1a(h, r->s.stage_layers, r->s.stages_given * sizeof *r->s.stage_layers);
    h = fnv1a(h, &r->bucket, sizeof r->bucket);
    if (r->composed) h = fnv1a(h, "composed", sizeof "composed");
    if (r->accelerators.count > 1)
        h = fnv1a(h, r->accelerators.node, cluster_nodes(&r->o.machine.cluster));
    for (unsigned i = 0; i < r->accelerators.count; i++)
        (void)accelerator_file_digest(r->accelerators.of[i].file, &h); /* it was read before */
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
    return strategy_graph_open(((strategy_iteration *)self)->g, npu, reader);
}
static graph_names names(const void *self, uint32_t label) {
    return strategy_graph_names(((const strategy_iteration *)self)->g, label);
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    strategy_graph_label(((const strategy_iteration *)self)->g, number, to, room);
}
static double progress(const void *self, const graph_account *a) {
    return (double)a->finished / (double)((const strategy_iteration *)self)->plan->stage[0].nodes;
}

static const npu *npu_of(const void *self, unsigned at) {
    const strategy_iteration *r = self;

    return &r->memory.stage[strategy_graph_stage(r->g, at)].npu;
}

static void settle_graphs(strategy_iteration *r) {
    strategy_graph_period(r->g, ~0U, r->s.degree[AXIS_PP] > 1, r->work.period);
    r->work.messages = strategy_graph_messages(r->g) != NULL;
}

static int run_on(strategy_iteration *r, const observers *watch, graph_run *run) {
    const graph_source m = { .self = r,
                             .open = open_graph,
                             .npu = npu_of,
                             .window = strategy_graph_window(r->g),
                             .in_order = true,
                             .messages = strategy_graph_messages(r->g),
                             .sum_bytes = cluster_memory_GBps(&r->o.machine.cluster) * 1e3 /
                                          r->o.machine.cluster.clock_MHz,
                             .names = names,
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

/* Returns EXIT_CHECK after a message if the fullest stage does not fit. */
static int check_memory(const strategy_iteration *r) {
    const memory_of_stage *const m = &r->memory.stage[r->memory.fullest];

    if (m->held.fits || r->oversize) return EXIT_OK;
    fprintf(stderr,
            "acesim train: found %.4g GB on stage %u, expected at most the %.4g GB of an NPU, or "
            "--oversize\n",
            m->peak * 1e-9, r->memory.fullest, m->capacity * 1e-9);
    return EXIT_CHECK;
}

static int print(strategy_iteration *r, fabric *f, const graph_engine *e) {
    const char *const machine = r->o.machine.cluster.accelerator;
    cJSON *const root = r->result;
    int rc = iteration_result_add(r, f, e);

    if (rc == EXIT_OK)
        rc = machine_text_add(root, &r->o.about, *machine ? machine : r->cluster, &r->m, &r->s);
    if (rc == EXIT_OK && !r->composed) rc = fabric_check_bytes(f);
    if (rc == EXIT_OK && r->svg && !processes_rank()) rc = iteration_draw(r);
    if (rc != EXIT_OK || processes_rank()) return rc;
    r->result = NULL; /* result_print() deletes it */
    rc = result_print(root, r->o.output.format,
                      &(result_form){ .table = iteration_table, .self = r });
    return rc == EXIT_OK ? check_memory(r) : rc;
}

static int run(strategy_iteration *r) {
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
static int compare(strategy_iteration *r) {
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
static bool context_of(const strategy_iteration *r, uint64_t *h) {
    *h = setup_digest(&r->o);
    *h = fnv1a(*h, acesim_version, strlen(acesim_version) + 1);
    return program_digest(h);
}

/* Measures each event alone. */
static int measure(strategy_iteration *r) {
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
static int compose(strategy_iteration *r) {
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
static int look_at_range(const strategy_iteration *r, refusal *why) {
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

static int make_memory(strategy_iteration *r) {
    const cluster *const c = &r->o.machine.cluster;
    const stage_accelerators on = {
        .list = &r->accelerators, .at = &r->p, .work = &r->plan->work, .clock_MHz = c->clock_MHz
    };
    int rc;

    if (!accelerators_several(c->accelerator))
        return stage_memory_make(&r->m, &r->s, &r->lists, &c->npu, &r->memory);
    rc = accelerators_read(&r->o, &r->accelerators);
    return rc == EXIT_OK ? stage_memory_make_of(&r->m, &r->s, &r->lists, &on, &r->memory) : rc;
}

/* Does all steps up to the graphs. Returns EXIT_OK, or another status with a refusal or after a
 * message. */
static int make_graphs(strategy_iteration *r, refusal *why) {
    int rc = make_placement(r);

    if (rc == EXIT_OK)
        rc = machine_reduces(&r->o.machine, ACE_ALL_REDUCE,
                             r->o.machine.type_given ? r->o.machine.type : ACE_FP16, why);
    if (rc == EXIT_OK) rc = strategy_graph_check(&r->m);
    if (rc == EXIT_OK) rc = make_lists(r);
    if (rc == EXIT_OK) rc = strategy_plan_make(&r->m, &r->s, &r->lists, r->bucket, &r->plan);
    if (rc == EXIT_OK) rc = make_memory(r);
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
static void warn_of_long_run(const strategy_iteration *r) {
    const double minutes = strategy_seconds(r->plan, &r->p, &r->o.machine) / 60;

    if (minutes > 1 && !r->o.execution.quiet && !processes_rank())
        fprintf(stderr,
                "acesim train: this run takes about %.0f minutes; --composed measures each event "
                "once, and is faster\n",
                minutes);
}

int iteration_run(strategy_iteration *r) {
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
    cJSON_Delete(r->result);
    machine_free(&r->o.machine);
    strategy_events_destroy(r->events);
    composition_error_free(&r->error);
    pipeline_result_free(&r->passes);
    strategy_times_destroy(r->times);
    strategy_graph_destroy(r->g);
    strategy_plan_free(r->plan);
    pipeline_free(&r->lists);
    stage_memory_free(&r->memory);
    accelerators_free(&r->accelerators);
    return rc;
}
