/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_astra.c -- acesim astra: takes ASTRA-sim 2.x's options and files, prints its lines, and
 * runs this cluster's engine
 *
 * A rank is a node of the network files, and traces are by rank. The run may number NPUs in another
 * order, if a file of links gives no order (astra_rank_map.h). Values are by NPU during the run,
 * and by rank when they are printed.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "astra_bound.h"
#include "astra_run.h"
#include "calibrated_error.h"
#include "calibrated_rung.h"
#include "command.h"
#include "compat_csv.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "graph_run.h"
#include "message.h"
#include "observers.h"
#include "processes.h"
#include "refusal.h"
#include "result_print.h"
#include "run_cost.h"

/* ---- calls from the engine ------------------------------------------------------------------- */

static int open_graph(void *self, unsigned npu, graph_reader *to) {
    const astra_run *r = self;

    return chakra_graph_open(&r->chakra, npu, r->ranks.data_only[npu], to);
}

static graph_names names(const void *self, uint32_t label) {
    (void)self;
    return (graph_names){ chakra_label(label), "" };
}

static void label(const void *self, uint32_t number, char *to, size_t room) {
    (void)self;
    snprintf(to, room, "%s", chakra_label(number));
}

static double progress(const void *self, const graph_account *a) {
    const astra_run *r = self;

    return (double)a->finished * r->network.npus / (double)(r->ranks.nodes + 1);
}

/* ---- printing ---------------------------------------------------------------------------------
 */

/* The columns of a table with the times of each representative. */
enum {
    TIME_FINISHED,
    TIME_EXPOSED,
    TIME_COMMUNICATION,
    TIME_COMPUTING,
    TIME_MEMORY,
    TIME_HOST,
    TIMES
};

/* Prints ranks in the order in which they finished, then by number. A cycle takes `ns`
 * nanoseconds. */
static void print_ranks(const compat_time *time, unsigned npus, double ns) {
    uint64_t last = 0, next;

    for (bool first = true;; first = false) {
        next = UINT64_MAX;
        for (unsigned i = 0; i < npus; i++)
            if ((first || time[i].finished > last) && time[i].finished < next)
                next = time[i].finished;
        if (next == UINT64_MAX) return;
        for (unsigned i = 0; i < npus; i++) {
            const compat_time *t = &time[i];

            if (t->finished != next) continue;
            printf("[workload] [info] sys[%u] finished, %" PRIu64
                   " cycles, exposed communication %" PRIu64 " cycles.\n",
                   i, figure_scaled(t->finished, ns), figure_scaled(t->exposed, ns));
            printf("[statistics] [info] sys[%u], Wall time: %" PRIu64 "\n", i,
                   figure_scaled(t->finished, ns));
            printf("[statistics] [info] sys[%u], Comm time: %" PRIu64 "\n", i,
                   figure_scaled(t->communication, ns));
            printf("[statistics] [info] sys[%u], GPU time: %" PRIu64 "\n", i,
                   figure_scaled(t->computing, ns));
        }
        last = next;
    }
}

/* Reorders an array with an entry for each NPU so that it has an entry for each rank. Returns false
 * if there is no memory. */
static bool by_rank(const astra_run *r, void *values, size_t bytes) {
    const astra_rank_map *p = &r->rank_map;
    /* the inverse permutation */
    const astra_rank_map inverse = { .npu_of = p->rank_of, .rank_of = p->npu_of, .npus = p->npus };

    return astra_rank_map_move(&inverse, values, bytes);
}

/* Prints when each job ended, and how long that was after its start. */
static void print_jobs(const astra_run *r, const compat_time *time, double ns) {
    for (unsigned k = 0; r->a.jobs && k < r->jobs.count; k++) {
        const astra_job *j = &r->jobs.at[k];
        uint64_t last = 0;

        for (unsigned i = 0; i < j->count; i++) {
            const compat_time *t = &time[astra_rank_of(&r->rank_map, j->npu[i])];

            if (t->finished > last) last = t->finished;
        }
        printf("[acesim] [info] job %s of %u NPUs finished, %" PRIu64
               " cycles, begun at %.0f, took %" PRIu64 "\n",
               j->name, j->count, figure_scaled(last, ns), j->start_ns,
               figure_scaled(last, ns) - (uint64_t)j->start_ns);
    }
}

static int write_links(const astra_run *r, fabric *f) {
    fabric_link_count *of = fabric_links(f, r->network.npus, r->network.dims);
    int rc = of && by_rank(r, of, 2 * r->network.dims * sizeof *of) ? EXIT_OK : EXIT_CHECK;

    if (rc == EXIT_OK && !processes_rank())
        rc = compat_csv_links(r->a.csv, of, r->network.npus, r->network.dims,
                              1000 / r->o.machine.cluster.clock_MHz);
    free(of);
    return processes_agree(rc);
}

/* Prints the error of the rung calibrated on the held-out runs, which ran other workloads. */
static void print_error(const astra_run *r, uint64_t unsure) {
    cJSON *root = cJSON_CreateObject();

    calibrated_error_add(root, &r->o.machine, r->o.output.interval, NULL, 0, unsure);
    calibrated_error_print(root, 10);
    cJSON_Delete(root);
}

/* Returns the bandwidth in GB/s of all links of an NPU in a dimension, in one direction. */
static double links_of(const astra_run *r, unsigned npu, unsigned dimension) {
    unsigned coordinate = npu;

    if (r->network.wiring[dimension] != WIRING_LINKS)
        return astra_network_npu_GBps(&r->network, dimension);
    for (unsigned d = 0; d < dimension; d++) coordinate /= r->network.members[d];
    return machine_member_GBps(&r->o.machine, coordinate % r->network.members[dimension]);
}

/* Returns the bytes that an NPU sent into a dimension. Messages that an ideal endpoint forwards for
 * other NPUs cost nothing and are not counted. */
static uint64_t sent_by(const astra_run *r, const fabric *f, unsigned representative, unsigned d) {
    const unsigned npu = fabric_first_node(f, representative);
    const graph_messages *const m = r->ranks.messages;
    const uint64_t all = fabric_sent(f, representative, d);

    if (!m || r->o.machine.cluster.endpoint != ENDPOINT_IDEAL) return all;
    return all - graph_messages_bytes(m, npu, d) + graph_messages_own_bytes(m, npu, d);
}

/* Law 13: no result is faster than the links that the file describes. */
static int check_bound(const astra_run *r, const fabric *f, const compat_time *time) {
    astra_sent sent = { .clock_MHz = r->o.machine.cluster.clock_MHz };

    for (unsigned i = 0; i < r->network.npus; i++)
        if (time[i].finished > sent.cycles) sent.cycles = time[i].finished;
    for (unsigned i = 0; i < fabric_representatives(f); i++)
        for (unsigned d = 0; d < r->network.dims && fabric_is_local(f, i); d++) {
            sent.npu = fabric_first_node(f, i);
            sent.dimension = d;
            sent.bytes = sent_by(r, f, i, d);
            sent.GBps = links_of(r, sent.npu, d);
            if (astra_bound_check(r->a.network, &sent) != EXIT_OK) return EXIT_CHECK;
        }
    return EXIT_OK;
}

/* Prints the lines that ASTRA-sim prints. */
static void print_lines(const astra_run *r, const astra_outcome *of) {
    const double ns = of->f ? 1000 / r->o.machine.cluster.clock_MHz : 1;
    char topology[TOPOLOGY_TEXT];

    if (!of->f) {
        printf("[acesim] [info] %u NPUs, ASTRA-sim 2.x's times, network %s of congestion, %" PRIu64
               " nodes, %" PRIu64 " collectives, %" PRIu64 " messages, %" PRIu64 " bytes\n",
               r->network.npus, r->aware ? "aware" : "unaware", r->ranks.nodes,
               r->ranks.collectives, r->ranks.sent, r->ranks.bytes);
    } else {
        print_topology(&r->o.machine.cluster, topology);
        printf("[acesim] [info] %u NPUs on %s, endpoint %s, %" PRIu64 " nodes, %" PRIu64
               " collectives, %" PRIu64 " messages, %" PRIu64 " bytes; folding: %s\n",
               r->network.npus, topology, endpoint_name(r->o.machine.cluster.endpoint),
               r->ranks.nodes, r->ranks.collectives, r->ranks.sent, r->ranks.bytes,
               fabric_folding(of->f));
        print_error(r, of->unsure);
    }
    print_ranks(of->time, r->network.npus, ns);
    if (of->f) print_jobs(r, of->time, ns);
}

/* The JSON result is built only for the formats of programs: the lines need no list of all
 * ranks. */
static int print(const astra_run *r, const astra_outcome *of) {
    cJSON *result;

    if (r->a.format == FORMAT_TABLE) {
        print_lines(r, of);
        return EXIT_OK;
    }
    result = astra_result(r, of);
    return result ? result_print(result, r->a.format, &(result_form){ .rows = "rank_list" })
                  : message_no_memory();
}

static int report(const astra_run *r, fabric *f, const graph_engine *e) {
    const unsigned count = fabric_representatives(f), npus = r->network.npus;
    uint64_t *sum = calloc((size_t)count * TIMES, sizeof *sum);
    compat_time *time = calloc(npus, sizeof *time);
    int rc = EXIT_OK;

    if (!sum || !time) {
        free(sum);
        free(time);
        return message_no_memory();
    }
    for (unsigned i = 0; i < count; i++) {
        const graph_account a = graph_engine_account(e, i);

        sum[TIMES * i + TIME_FINISHED] = a.now;
        sum[TIMES * i + TIME_EXPOSED] = a.exposed;
        sum[TIMES * i + TIME_COMMUNICATION] = a.communication;
        sum[TIMES * i + TIME_COMPUTING] = a.computing;
        sum[TIMES * i + TIME_MEMORY] = a.memory;
        sum[TIMES * i + TIME_HOST] = a.host;
    }
    processes_maximum(sum, count * TIMES);
    const uint64_t unsure = r->o.machine.calibration ? fabric_most(f, "calibrated.unsure") : 0;
    for (unsigned i = 0; i < npus; i++) {
        const uint64_t *t = &sum[TIMES * fabric_representative_of(f, i)];

        time[i] = (compat_time){ .finished = t[TIME_FINISHED],
                                 .exposed = t[TIME_EXPOSED],
                                 .communication = t[TIME_COMMUNICATION],
                                 .computing = t[TIME_COMPUTING],
                                 .memory = t[TIME_MEMORY],
                                 .host = t[TIME_HOST] };
    }
    const int bound = check_bound(r, f, time); /* by NPU, so before by_rank() */
    if (!by_rank(r, time, sizeof *time)) rc = EXIT_CHECK;
    if (rc == EXIT_OK && !processes_rank())
        rc = print(r, &(astra_outcome){ .time = time, .f = f, .unsure = unsure });
    if (rc == EXIT_OK) rc = bound;
    if (rc == EXIT_OK && !processes_rank() && r->a.csv)
        rc = compat_csv_end_to_end(r->a.csv, time, npus, 1000 / r->o.machine.cluster.clock_MHz,
                                   true);
    free(sum);
    free(time);
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r->a.csv && r->o.machine.cluster.endpoint != ENDPOINT_IDEAL)
        rc = write_links(r, f);
    return rc == EXIT_OK ? fabric_check_bytes(f) : rc;
}

/* Warns of traces without communication, if their check ended with EXIT_OK. */
static void warn_about_traces(const astra_run *r, int rc) {
    if (rc == EXIT_OK && r->ranks.empty_nodes)
        fprintf(stderr, "acesim: %s: %" PRIu64 " nodes communicate no bytes: they end at once\n",
                r->a.workload, r->ranks.empty_nodes);
    if (rc == EXIT_OK && !r->ranks.bytes)
        fprintf(stderr, "acesim: %s: the traces move no byte between NPUs\n", r->a.workload);
}

/* ---- with ASTRA-sim 2.x's own times ---------------------------------------------------------- */

static const char *refuse_with_compat(const void *self, const graph_node *n) {
    const astra_run *r = self;

    return compat_collectives_refuse(&r->compat, &r->network, n);
}

static int run_with_compat(astra_run *r) {
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

    r->chakra.refuse = refuse_with_compat;
    r->chakra.refuse_of = r;
    rc = time ? astra_check(&r->chakra, NULL, (astra_deps)r->a.deps, r->a.window, &r->ranks)
              : message_no_memory();
    warn_about_traces(r, rc);
    if (rc == EXIT_OK && r->a.csv)
        rc = compat_csv_open(&csv, r->a.csv, "collectives.csv", compat_csv_collectives);
    s.collectives = csv.file.to;
    if (rc == EXIT_OK) rc = compat_run(&s, time);
    if (rc != EXIT_OK && csv.file.to) atomic_file_drop(&csv.file);
    if (rc == EXIT_OK && csv.file.to) rc = compat_csv_close(&csv);
    if (rc == EXIT_OK && r->a.csv) rc = compat_csv_end_to_end(r->a.csv, time, npus, 1, false);
    if (rc == EXIT_OK) rc = print(r, &(astra_outcome){ .time = time });
    free(time);
    return rc;
}

/* Returns the memory that NPUs share. */
static graph_pool pool_of(const astra_run *r) {
    const astra_memory *m = &r->memory;

    return (graph_pool){ .npus = astra_memory_sharers(m, r->network.npus),
                         .together = m->type == ASTRA_MEMORY_HIERARCHICAL,
                         .shortest =
                             (uint64_t)(m->latency_ns * r->o.machine.cluster.clock_MHz / 1000) };
}

/* Runs the traces, watched as the options say. The caller destroys `run`, also after a message. */
static int run_on(astra_run *r, const observers *watch, graph_run *run) {
    const graph_source m = { .self = r,
                             .open = open_graph,
                             .window = r->a.window,
                             .in_order = !r->system.smallest_first,
                             .messages = r->ranks.messages,
                             .sum_bytes = cluster_memory_GBps(&r->o.machine.cluster) * 1e3 /
                                          r->o.machine.cluster.clock_MHz,
                             .pool = pool_of(r),
                             .moved_GBps = astra_memory_rate(&r->memory, r->network.npus),
                             .slots = r->slots,
                             .names = names,
                             .label = label,
                             .progress = progress };
    const int rc =
        graph_run_create(&m, &r->o.machine, &r->o.execution, &r->work,
                         &(fabric_watch){ watch->list, watch->count, &r->o.output.wave }, run);

    return rc == EXIT_OK ? graph_run_end(run, r->digest) : rc;
}

static int run(astra_run *r) {
    observers watch;
    graph_run g = { 0 };
    int closed, rc = processes_agree(observers_create(&r->o.machine, &r->o.output, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &g);
    if (rc == EXIT_OK) rc = report(r, g.f, g.e);
    closed = graph_run_destroy(&g);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

/* Decides whether NPUs start the smallest waiting collective first. */
static void resolve_smallest_first(astra_run *r, bool alike) {
    if (!r->system.smallest_first) return;
    if (alike && !r->ranks.messages && !r->ranks.shared) {
        if (r->a.slots == ASTRA_NO_SLOTS) r->slots = (unsigned)r->system.smallest_first;
        return;
    }
    r->system.smallest_first = 0;
    fprintf(
        stderr,
        "acesim: %s: intra-dimension-scheduling SCF has no effect where NPUs are not alike or "
        "send messages: NPUs would pick different collectives, and a ring needs the same one at "
        "all members\n",
        r->a.system);
}

/* Returns, as bits, the dimensions along which engines agree on the order of collectives where NPUs
 * are not alike. These are the dimensions of the rings, because all NPUs of a ring issue the same
 * sequence. Returns 0 if the nodes have no such engines or if there are jobs, which have several
 * rings. */
static unsigned agreed_along(const astra_run *r) {
    const cluster *c = &r->o.machine.cluster;
    const bool engines = c->endpoint == ENDPOINT_ACE && !strstr(c->rungs, "calibrated");

    return engines && !r->chakra.jobs ? r->ranks.rings[0].along : 0;
}

/* Where NPUs are not alike, LIFO applies to collectives that all NPUs of a ring have submitted. It
 * needs engines that agree on these. */
static void resolve_lifo(astra_run *r) {
    const unsigned along = agreed_along(r);

    r->o.machine.config.order = along ? ACE_LIFO : ACE_FIFO;
    r->o.machine.config.agreed = (uint8_t)along;
    if (along) r->o.machine.cluster.order = CLUSTER_AGREED;
    fprintf(
        stderr,
        along ? "acesim: %s: LIFO, where NPUs are not alike, applies only to collectives that all "
                "members of a ring have submitted: their engines agree on these\n"
              : "acesim: %s: LIFO has no effect where NPUs are not alike: their collectives run in "
                "an order on which all NPUs agree\n",
        r->a.system);
}

/* Permutes arrays that the user gave by rank into the order of NPUs. */
static int reorder_by_npu(astra_run *r) {
    const unsigned npus = r->network.npus, sharers = astra_memory_sharers(&r->memory, npus);
    astra_rank_map *p = &r->rank_map;
    int rc = astra_rank_map_make(&r->o.machine, npus, p);

    if (rc != EXIT_OK || !p->npu_of) return rc;
    if (sharers && sharers < npus)
        return astra_run_refuse(
            "remote-memory-configuration", "per-node memory with a link file that has no order",
            "an order in the link file, with the NPUs of a node next to each other");
    r->chakra.rank_map = p;
    return astra_rank_map_move_groups(p, &r->groups) &&
                   (!r->chakra.jobs || astra_rank_map_move_jobs(p, &r->jobs)) &&
                   astra_rank_map_move_plan(p, &r->o.machine.plan) &&
                   astra_rank_map_move(p, r->scale, sizeof *r->scale) &&
                   astra_rank_map_move(p, r->late_ns, sizeof *r->late_ns) &&
                   astra_rank_map_move(p, r->peak_TFLOPS, sizeof *r->peak_TFLOPS) &&
                   astra_rank_map_move(p, r->memory_GBps, sizeof *r->memory_GBps)
               ? EXIT_OK
               : EXIT_CHECK;
}

/* Returns why no NPU can represent another, or NULL if one can. */
static const char *no_folding_reason(const astra_run *r) {
    const char *why = NULL;

    if (!r->ranks.alike) return "the NPUs do not do the same";
    if (r->ranks.shared) return "NPUs take turns at memory that they share";
    for (unsigned k = 0; k <= ACE_ALL_TO_ALL_V && !why; k++)
        if (r->ranks.kinds >> k & 1) why = fabric_no_folding_reason((ace_kind)k);
    return why;
}

static int check(astra_run *r) {
    refusal why = { .form = REFUSAL_NONE };
    int rc = astra_check(&r->chakra, &r->o.machine.config, (astra_deps)r->a.deps, r->a.window,
                         &r->ranks);

    for (unsigned i = 0; i < 2 && rc == EXIT_OK; i++)
        rc = calibrated_rung_covers(&r->o.machine, "a collective of the traces",
                                    r->ranks.carried[i], &why);
    rc = setup_refuse(&r->o, rc, &why);
    const bool shared = r->ranks.shared;
    const bool alike = r->ranks.alike && !*r->o.machine.cluster.speeds;
    const double moved = astra_memory_rate(&r->memory, r->network.npus);

    r->work.no_folding_reason = no_folding_reason(r);
    r->work.messages = r->ranks.messages != NULL;
    r->digest = fnv1a(r->digest, &r->ranks.digest, sizeof r->ranks.digest);
    resolve_smallest_first(r, alike);
    r->digest = fnv1a(r->digest, &r->slots, sizeof r->slots);
    r->digest = fnv1a(r->digest, &r->system.balanced, sizeof r->system.balanced);
    r->digest = fnv1a(r->digest, &r->system.smallest_first, sizeof r->system.smallest_first);
    r->digest = fnv1a(r->digest, &r->memory.type, sizeof r->memory.type);
    r->digest = fnv1a(r->digest, &moved, sizeof moved);
    if (rc == EXIT_OK && shared && processes_count() > 1) {
        fprintf(stderr,
                "acesim: %s: found memory that NPUs share over %u ranks, expected one: a rank does "
                "not see the transfers of another\n",
                r->a.memory, processes_count());
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && !alike && r->o.machine.config.order == ACE_LIFO) resolve_lifo(r);
    warn_about_traces(r, rc);
    return rc;
}

int astra_fields(int argc, char **argv, setup *o) {
    static astra_run r;
    int rc;

    (void)astra_run_read(argc, argv, &r, &rc);
    *o = r.o;
    astra_run_free(&r);
    return rc;
}

int command_astra(int argc, char **argv) {
    static astra_run r;
    const double start = run_cost_start();
    int rc;
    const bool read = astra_run_read(argc, argv, &r, &rc);

    if (!read && rc == EXIT_OK) return rc;
    rc = processes_agree(rc);
    if (rc == EXIT_OK && r.with_compat) {
        rc = run_with_compat(&r);
        if (!r.o.execution.quiet) run_cost_print(start, rc);
    } else if (rc == EXIT_OK) {
        rc = setup_make(&r.o);
        if (rc == EXIT_OK) rc = reorder_by_npu(&r);
        rc = processes_agree(rc);
        if (rc == EXIT_OK) rc = processes_agree(check(&r));
        if (rc == EXIT_OK) rc = run(&r);
        if (!r.o.execution.quiet) run_cost_print(start, rc);
        machine_free(&r.o.machine);
    }
    astra_run_free(&r);
    return rc;
}
