/* SPDX-License-Identifier: Apache-2.0 */
/* command_astra.c -- acesim astra: ASTRA-sim 2.x's flags, files and lines, on this cluster's
 * engine */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "astra_run.h"
#include "calibrated_rung.h"
#include "command.h"
#include "compat_csv.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "observers.h"
#include "processes.h"
#include "run_cost.h"

/* ---- what the engine asks -------------------------------------------------------------------- */

static int open_graph(void *self, unsigned npu, graph_reader *to) {
    const astra_run *r = self;

    return chakra_graph_open(&r->chakra, npu, r->ranks.data_only[npu], to);
}

static graph_words words(const void *self, uint32_t label) {
    (void)self;
    return (graph_words){ chakra_label(label), "" };
}

static void label(const void *self, uint32_t number, char *to, size_t room) {
    (void)self;
    snprintf(to, room, "%s", chakra_label(number));
}

static double progress(const void *self, const graph_account *a) {
    const astra_run *r = self;

    return (double)a->finished * r->network.npus / (double)(r->ranks.nodes + 1);
}

/* What a user may not expect of traces that were looked at with that status. */
static void tell_traces(const astra_run *r, int rc) {
    if (rc == EXIT_OK && r->ranks.nothing)
        fprintf(stderr,
                "acesim: %s: %" PRIu64 " nodes communicate no bytes: they are over at once\n",
                r->a.workload, r->ranks.nothing);
    if (rc == EXIT_OK && !r->ranks.bytes)
        fprintf(stderr, "acesim: %s: the traces move no byte between NPUs\n", r->a.workload);
}

/* ---- with ASTRA-sim 2.x's own times ---------------------------------------------------------- */

static const char *refuse_theirs(const void *self, const graph_node *n) {
    const astra_run *r = self;

    return compat_collectives_refuse(&r->compat, &r->network, n);
}

static int run_theirs(astra_run *r) {
    const unsigned npus = r->network.npus;
    compat_time *time = calloc(npus, sizeof *time);
    compat_csv csv = { 0 };
    compat_setup s = { .chakra = &r->chakra,
                       .ranks = &r->ranks,
                       .system = &r->compat,
                       .aware = r->aware,
                       .slots = r->slots,
                       .window = r->a.window };
    int rc;

    r->chakra.refuse = refuse_theirs;
    r->chakra.refuse_of = r;
    rc = time ? astra_check(&r->chakra, NULL, (astra_deps)r->a.deps, r->a.window, &r->ranks)
              : message_no_memory();
    tell_traces(r, rc);
    if (rc == EXIT_OK && r->a.csv)
        rc = compat_csv_open(&csv, r->a.csv, "collectives.csv", compat_csv_collectives);
    s.collectives = csv.file.to;
    if (rc == EXIT_OK) rc = compat_run(&s, time);
    if (rc != EXIT_OK && csv.file.to) atomic_file_drop(&csv.file);
    if (rc == EXIT_OK && csv.file.to) rc = compat_csv_close(&csv);
    if (rc == EXIT_OK && r->a.csv) rc = compat_csv_end_to_end(r->a.csv, time, npus, 1, false);
    if (rc == EXIT_OK) {
        printf("[acesim] [info] %u NPUs, ASTRA-sim 2.x's times, network %s of congestion, %" PRIu64
               " nodes, %" PRIu64 " collectives, %" PRIu64 " messages, %" PRIu64 " bytes\n",
               npus, r->aware ? "aware" : "unaware", r->ranks.nodes, r->ranks.collectives,
               astra_result_messages(r), r->ranks.bytes);
        astra_result_ranks(time, npus, 1);
    }
    free(time);
    return rc;
}

/* Memory that NPUs share. */
static graph_pool pool_of(const astra_run *r) {
    const astra_memory *m = &r->memory;

    return (graph_pool){ .npus = astra_memory_sharers(m, r->network.npus),
                         .together = m->type == ASTRA_MEMORY_HIERARCHICAL,
                         .shortest = (uint64_t)(m->latency_ns * r->o.cluster.clock_MHz / 1000) };
}

/* Watched as the options say; *f and *e are the caller's, also after a message. */
static int run_on(astra_run *r, const observers *watch, fabric **f, graph_engine **e) {
    const graph_maker m = { .self = r,
                            .open = open_graph,
                            .window = r->a.window,
                            .in_order = !r->system.smallest_first,
                            .messages = r->ranks.messages,
                            .sum_bytes =
                                cluster_memory_GBps(&r->o.cluster) * 1e3 / r->o.cluster.clock_MHz,
                            .pool = pool_of(r),
                            .moved_GBps = astra_memory_rate(&r->memory, r->network.npus),
                            .slots = r->slots,
                            .words = words,
                            .label = label,
                            .progress = progress };
    driver d;
    int rc = fabric_create(&r->setup, watch->list, watch->count, f);

    if (rc != EXIT_OK) return rc;
    rc = processes_agree(graph_engine_create(&m, &r->setup.fields, *f, e));
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; r->ranks.messages && i < fabric_representatives(*f); i++)
        for (unsigned k = 0; k < ACE_CLUSTER_DIMENSIONS; k++)
            fabric_expect(*f, i, k,
                          graph_messages_bytes(r->ranks.messages, fabric_place(*f, i), k));
    d = graph_engine_driver(*e);
    rc = fabric_run(*f, &d, r->digest);
    return rc == EXIT_OK ? graph_engine_end(*e) : rc;
}

static int run(astra_run *r) {
    observers watch;
    fabric *f = NULL;
    graph_engine *e = NULL;
    int closed, rc = processes_agree(observers_create(&r->o, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &f, &e);
    if (rc == EXIT_OK) rc = astra_result_print(r, f, e);
    graph_engine_destroy(e);
    closed = fabric_destroy(f);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

/* Who hands over the smallest collective first. */
static void settle_smallest_first(astra_run *r, bool alike) {
    if (!r->system.smallest_first) return;
    if (alike && !r->ranks.messages && !r->ranks.shared) {
        if (r->a.slots == ASTRA_NO_SLOTS) r->slots = (unsigned)r->system.smallest_first;
        return;
    }
    r->system.smallest_first = 0;
    fprintf(
        stderr,
        "acesim: %s: intra-dimension-scheduling SCF makes no cycle where NPUs are not alike or send messages: "
        "each would choose by its own moment, and rings join those that choose the same\n",
        r->a.system);
}

/* Dimensions along which engines agree on which collectives all have, where NPUs are not alike:
 * those of the rings, along which all hand over one sequence.  0: there are no such engines, or
 * jobs have several. */
static unsigned agreed_along(const astra_run *r) {
    const cluster *c = &r->setup.fields.cluster;
    const bool engines = c->endpoint == ENDPOINT_ACE && !strstr(c->rungs, "calibrated");

    return engines && !r->chakra.jobs ? r->ranks.rings[0].along : 0;
}

/* LIFO where NPUs are not alike is of what those on a ring have, if they can agree on that. */
static void settle_lifo(astra_run *r) {
    const unsigned along = agreed_along(r);

    r->setup.config.order = along ? ACE_LIFO : ACE_FIFO;
    r->setup.config.agreed = (uint8_t)along;
    if (along) r->setup.fields.cluster.order = r->o.cluster.order = CLUSTER_AGREED;
    fprintf(
        stderr,
        along
            ? "acesim: %s: LIFO, where NPUs are not alike, is of the collectives that all of a ring "
              "have: their engines agree on these\n"
            : "acesim: %s: LIFO makes no cycle where NPUs are not alike: their collectives are "
              "carried out in the order that all agree on\n",
        r->a.system);
}

/* What is said by rank goes to the NPU that stands at its node. */
static int stand(astra_run *r) {
    const unsigned npus = r->network.npus, sharers = astra_memory_sharers(&r->memory, npus);
    astra_places *p = &r->places;
    int rc = astra_places_make(&r->setup, npus, p);

    if (rc != EXIT_OK || !p->npu_of) return rc;
    if (sharers && sharers < npus)
        return astra_run_refuse(
            "remote-memory-configuration", "memory of each node beside links without an order",
            "an order in the file of links, by which NPUs of a node follow one another");
    r->chakra.places = p;
    return astra_places_move_groups(p, &r->groups) &&
                   (!r->chakra.jobs || astra_places_move_jobs(p, &r->jobs)) &&
                   astra_places_move_plan(p, &r->setup.plan) &&
                   astra_places_move(p, r->scale, sizeof *r->scale) &&
                   astra_places_move(p, r->late_ns, sizeof *r->late_ns) &&
                   astra_places_move(p, r->peak_TFLOPS, sizeof *r->peak_TFLOPS) &&
                   astra_places_move(p, r->memory_GBps, sizeof *r->memory_GBps)
               ? EXIT_OK
               : EXIT_CHECK;
}

/* Why no NPU stands for another; NULL: one may. */
static const char *unlike(const astra_run *r) {
    const char *why = NULL;

    if (!r->ranks.alike) return "the NPUs do not do the same";
    if (r->ranks.shared) return "NPUs take turns at memory that they share";
    for (unsigned k = 0; k <= ACE_ALL_TO_ALL_V && !why; k++)
        if (r->ranks.kinds >> k & 1) why = fabric_unlike((ace_kind)k);
    return why;
}

static int check(astra_run *r) {
    int rc =
        astra_check(&r->chakra, &r->setup.config, (astra_deps)r->a.deps, r->a.window, &r->ranks);

    for (unsigned i = 0; i < 2 && rc == EXIT_OK; i++)
        rc = calibrated_rung_covers(&r->setup, "a collective of the traces", r->ranks.carried[i]);
    const bool turns = r->ranks.shared;
    const bool alike = r->ranks.alike && !*r->setup.fields.cluster.speeds;
    const double moved = astra_memory_rate(&r->memory, r->network.npus);

    r->setup.fields.unlike = unlike(r);
    r->setup.fields.messages = r->ranks.messages != NULL;
    r->digest = fnv1a(r->digest, &r->ranks.digest, sizeof r->ranks.digest);
    settle_smallest_first(r, alike);
    r->digest = fnv1a(r->digest, &r->slots, sizeof r->slots);
    r->digest = fnv1a(r->digest, &r->system.balanced, sizeof r->system.balanced);
    r->digest = fnv1a(r->digest, &r->system.smallest_first, sizeof r->system.smallest_first);
    r->digest = fnv1a(r->digest, &r->memory.type, sizeof r->memory.type);
    r->digest = fnv1a(r->digest, &moved, sizeof moved);
    if (rc == EXIT_OK && turns && processes_count() > 1) {
        fprintf(stderr,
                "acesim: %s: found memory that NPUs share over %u ranks, expected one: several do "
                "not know of one another's transfers\n",
                r->a.memory, processes_count());
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && !alike && r->setup.config.order == ACE_LIFO) settle_lifo(r);
    tell_traces(r, rc);
    return rc;
}

int command_astra(int argc, char **argv) {
    static astra_run r;
    const double start = run_cost_start();
    int rc;
    const bool read = astra_run_read(argc, argv, &r, &rc);

    if (!read && rc == EXIT_OK) return rc;
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r.theirs) {
        rc = run_theirs(&r);
        if (!r.o.quiet) run_cost_print(start);
    } else if (rc == EXIT_OK) {
        rc = run_setup_make(&r.o, &r.setup);
        if (rc == EXIT_OK) rc = stand(&r);
        rc = processes_agree(rc);
        if (rc == EXIT_OK) rc = processes_agree(check(&r));
        if (rc == EXIT_OK) rc = run(&r);
        if (!r.o.quiet) run_cost_print(start);
        run_setup_free(&r.setup);
    }
    astra_run_free(&r);
    return rc;
}
