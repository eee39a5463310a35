/* SPDX-License-Identifier: Apache-2.0 */
/* command_msccl.c -- acesim msccl: checks an algorithm in MSCCL's XML or a plan of MSCCL++, then
 * runs its messages */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_composition.h"
#include "build_info.h"
#include "command.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "graph_run.h"
#include "message.h"
#include "msccl_contents.h"
#include "msccl_graph.h"
#include "names.h"
#include "observers.h"
#include "options.h"
#include "processes.h"
#include "refusal.h"
#include "report.h"
#include "result_print.h"
#include "run_cost.h"
#include "setup.h"
#include "values.h"

typedef struct msccl_run {
    setup o;
    fabric_work work;
    unsigned loops;
    msccl_algorithm a;
    msccl_order order;
    msccl_graph *g;
    uint64_t digest;
    /* The time that the busiest link needs without any pause, and which link this is. */
    double bound_us;
    unsigned bound_npu, bound_link;
    uint64_t bound_bytes;
    uint64_t cycles;
} msccl_run;

/* ---- the request ----------------------------------------------------------------------------- */

/* Checks that the file and the cluster match. */
static int match(const msccl_run *r) {
    const msccl_algorithm *a = &r->a;
    const setup *o = &r->o;
    const uint64_t parts = (uint64_t)a->chunks * r->loops,
                   unit = parts * ace_type_bytes(o->machine.type);
    const unsigned nodes = cluster_nodes(&o->machine.cluster);
    const bool rooted = a->collective == MSCCL_BROADCAST || a->collective == MSCCL_REDUCE;
    char text[TOPOLOGY_TEXT];

    if (a->gpus != nodes) {
        print_topology(&o->machine.cluster, text);
        fprintf(stderr,
                "acesim: %s:%" PRIu32 ":%" PRIu32 ": algo: found ngpus='%" PRIu32
                "', expected %u: the NPUs of --topology %s\n",
                a->file, a->line, a->column, a->gpus, nodes, text);
        return EXIT_USAGE;
    }
    if (o->machine.size < a->least_bytes || (a->most_bytes && o->machine.size > a->most_bytes)) {
        fprintf(stderr,
                "acesim: --size: found %" PRIu64 " bytes, expected minBytes='%" PRIu64
                "' to maxBytes='%" PRIu64 "' (0: no limit) of %s:%" PRIu32 "\n",
                o->machine.size, a->least_bytes, a->most_bytes, a->file, a->line);
        return EXIT_USAGE;
    }
    if (!o->machine.size || o->machine.size % unit) {
        fprintf(stderr,
                "acesim: --size: found %" PRIu64 " bytes, expected a multiple of %" PRIu64
                ", such as %" PRIu64 ": %" PRIu32
                " chunks (nchunksperloop of %s), --loops %u, %s\n",
                o->machine.size, unit, (o->machine.size / unit + 1) * unit, a->chunks, a->file,
                r->loops, type_names[o->machine.type]);
        return EXIT_USAGE;
    }
    if (setup_given(o->source, SETUP_ROOT) && !rooted) {
        fprintf(stderr,
                "acesim: --root: found it with coll='%s' of %s, expected broadcast or reduce\n",
                msccl_collective_names[a->collective], a->file);
        return EXIT_USAGE;
    }
    if (o->machine.root >= a->gpus) {
        fprintf(stderr, "acesim: --root: found %u, expected a GPU: 0 to %u\n", o->machine.root,
                a->gpus - 1);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int refuse_form(const cluster *c) {
    if (strstr(c->rungs, "calibrated")) {
        fprintf(stderr, "acesim: --rung: found calibrated, expected cycle or rtl: no messages "
                        "of an algorithm are calibrated\n");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

static int prepare(msccl_run *r) {
    const cluster *c = &r->o.machine.cluster;
    msccl_graph_setup s;
    int rc = msccl_read(r->o.machine.workload, &r->a);

    if (rc == EXIT_OK) rc = match(r);
    if (rc == EXIT_OK) rc = msccl_connect(&r->a);
    if (rc == EXIT_OK) rc = msccl_order_make(&r->a, &r->order);
    if (rc == EXIT_OK) rc = msccl_contents_check(&r->a, &r->order, r->o.machine.root);
    if (rc != EXIT_OK) return rc;
    s = (msccl_graph_setup){ .a = &r->a,
                             .order = &r->order,
                             .cfg = &r->o.machine.config,
                             .chunk_bytes = r->o.machine.size / r->a.chunks / r->loops,
                             .loops = r->loops,
                             .memory_bytes = cluster_memory_GBps(c) * 1e3 / c->clock_MHz };
    rc = msccl_graph_create(&s, &r->g);
    if (rc != EXIT_OK) return rc;
    if (!msccl_graph_alike(r->g)) r->work.no_folding_reason = "the NPUs do not do the same";
    r->work.messages = true;
    r->digest = fnv1a(setup_digest(&r->o), &r->a.digest, sizeof r->a.digest);
    r->digest = fnv1a(r->digest, &r->loops, sizeof r->loops);
    r->digest = fnv1a(r->digest, acesim_version, strlen(acesim_version) + 1);
    return EXIT_OK;
}

/* ---- the bound of the links -------------------------------------------------------------------
 */

typedef uint64_t link_rows[ACE_LINKS];

static void cross(void *self, uint32_t node, unsigned link, uint64_t rows) {
    ((link_rows *)self)[node][link] += rows;
}

/* Counts all rows of all messages on the links that they cross. */
static int find_bound(msccl_run *r) {
    const cluster *c = &r->o.machine.cluster;
    const unsigned npus = r->a.gpus;
    link_rows *rows = calloc(npus, sizeof *rows);

    if (!rows) return message_no_memory();
    for (uint32_t i = 0; i < r->a.steps; i++) {
        const msccl_block *b = msccl_block_of(&r->a, i);
        const ace_message m = { .peer = (uint32_t)b->send,
                                .bytes = r->a.step[i].count *
                                         (r->o.machine.size / r->a.chunks / r->loops) };
        ace_config cfg = r->o.machine.config;
        unsigned rest = b->gpu;

        if (!msccl_action_of((msccl_type)r->a.step[i].type).sends) continue;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            cfg.rank[d] = (uint16_t)(rest % cfg.ring[d]);
            rest /= cfg.ring[d];
        }
        ace_message_links(&cfg, &m, cross, rows);
    }
    for (unsigned i = 0; i < npus; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const double bytes = (double)(rows[i][l] * ACE_ROW_BYTES * r->loops);
            const double us = bytes / (c->link_GBps[l / 2] * c->efficiency * 1e3);

            if (us <= r->bound_us) continue;
            r->bound_us = us;
            r->bound_npu = i;
            r->bound_link = l;
            r->bound_bytes = (uint64_t)bytes;
        }
    free(rows);
    return EXIT_OK;
}

/* ---- the run ----------------------------------------------------------------------------------
 */

static int open_graph(void *self, unsigned npu, graph_reader *to) {
    return msccl_graph_open(((const msccl_run *)self)->g, npu, to);
}
static graph_names names(const void *self, uint32_t label) {
    (void)self;
    return (graph_names){ msccl_graph_label(label), "" };
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    (void)self;
    snprintf(to, room, "%s", msccl_graph_label(number));
}
static double progress(const void *self, const graph_account *a) {
    const msccl_run *r = self;

    return (double)a->finished * r->a.gpus / (double)(msccl_graph_nodes(r->g) + 1);
}

/* Runs the algorithm, watched as the options say. The caller destroys `run`, also after a
 * message. */
static int run_on(msccl_run *r, const observers *watch, graph_run *run) {
    const cluster *c = &r->o.machine.cluster;
    const graph_source m = { .self = r,
                             .open = open_graph,
                             .window = msccl_graph_window(r->g),
                             .in_order = true,
                             .messages = msccl_graph_messages(r->g),
                             .sum_bytes = cluster_memory_GBps(c) * 1e3 / c->clock_MHz,
                             .names = names,
                             .label = label,
                             .progress = progress };
    int rc = graph_run_create(&m, &r->o.machine, &r->o.execution, &r->work,
                              &(fabric_watch){ watch->list, watch->count, &r->o.output.wave }, run);

    if (rc == EXIT_OK) rc = graph_run_end(run, r->digest);
    for (unsigned i = 0; rc == EXIT_OK && i < fabric_representatives(run->f); i++) {
        const uint64_t now = graph_engine_account(run->e, i).now;

        if (now > r->cycles) r->cycles = now;
    }
    processes_maximum(&r->cycles, 1);
    return rc;
}

/* ---- the result -------------------------------------------------------------------------------
 */

static uint64_t most_sent(const msccl_run *r) {
    uint64_t most = 0;

    for (unsigned i = 0; i < r->a.gpus; i++)
        if (msccl_graph_sent(r->g, i) > most) most = msccl_graph_sent(r->g, i);
    return most;
}

static const char *rung_of(const msccl_run *r, const fabric *f) {
    return r->o.machine.cluster.endpoint == ENDPOINT_ACE ? r->o.machine.cluster.rungs
                                                         : fabric_rung(f, 0);
}

static double us_of(const msccl_run *r) {
    return (double)r->cycles / r->o.machine.cluster.clock_MHz;
}

static void link_name(const msccl_run *r, char to[32]) {
    snprintf(to, 32, "%c%c of NPU %u", r->bound_link % 2 ? '-' : '+',
             ACE_DIMENSION_LETTERS[r->bound_link / 2], r->bound_npu);
}

static cJSON *result_of(const msccl_run *r, const fabric *f) {
    const double bound = fmin(r->bound_us * r->o.machine.cluster.clock_MHz, (double)r->cycles);
    cJSON *root = result_begin();
    char topology[TOPOLOGY_TEXT], text[32];

    print_topology(&r->o.machine.cluster, topology);
    result_add_command(root, r->o.arguments, r->o.argument_count);
    snprintf(text, sizeof text, "%016" PRIx64, r->digest);
    cJSON_AddStringToObject(root, "config_digest", text);
    cJSON_AddStringToObject(root, "algorithm", r->a.name);
    cJSON_AddStringToObject(root, "collective", msccl_collective_names[r->a.collective]);
    cJSON_AddBoolToObject(root, "checked", r->a.collective != MSCCL_CUSTOM);
    cJSON_AddStringToObject(root, "topology", topology);
    cJSON_AddNumberToObject(root, "npus", r->a.gpus);
    json_count(root, "size_bytes", r->o.machine.size);
    cJSON_AddNumberToObject(root, "loops", r->loops);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(r->o.machine.cluster.endpoint));
    cJSON_AddStringToObject(root, "rung", rung_of(r, f));
    cJSON_AddStringToObject(root, "folding", fabric_folding(f));
    cJSON_AddNumberToObject(root, "clock_MHz", r->o.machine.cluster.clock_MHz);
    json_count(root, "cycles", r->cycles);
    cJSON_AddNumberToObject(root, "time_us", us_of(r));
    cJSON_AddNumberToObject(root, "bound_cycles", bound);
    cJSON_AddNumberToObject(root, "waiting_cycles", (double)r->cycles - bound);
    cJSON_AddNumberToObject(root, "algorithm_bandwidth_GBps",
                            (double)r->o.machine.size / us_of(r) / 1e3);
    cJSON_AddNumberToObject(root, "steps", r->a.steps);
    cJSON_AddNumberToObject(root, "messages",
                            (double)graph_messages_count(msccl_graph_messages(r->g)));
    json_count(root, "most_bytes_sent_by_npu", most_sent(r));
    link_name(r, text);
    cJSON_AddStringToObject(root, "busiest_link", text);
    json_count(root, "busiest_link_bytes", r->bound_bytes);
    cJSON_AddNumberToObject(root, "bound_us", r->bound_us);
    return root;
}

/* The data that print_table() needs. */
typedef struct shown {
    const msccl_run *r;
    const fabric *f;
} shown;

static void print_table(const cJSON *root, const void *self) {
    const msccl_run *const r = ((const shown *)self)->r;
    const fabric *const f = ((const shown *)self)->f;
    const msccl_algorithm *a = &r->a;
    const time_unit in = figure_time_unit(us_of(r));
    const uint64_t messages = graph_messages_count(msccl_graph_messages(r->g));
    char topology[TOPOLOGY_TEXT], one[FIGURE], two[FIGURE], name[32];

    (void)root;
    print_topology(&r->o.machine.cluster, topology);
    printf("%s, %s of %s on %s, %u NPUs; endpoint %s, rung %s\n\n", a->name,
           msccl_collective_names[a->collective], figure_bytes((double)r->o.machine.size, one),
           topology, a->gpus, endpoint_name(r->o.machine.cluster.endpoint), rung_of(r, f));
    printf("time       %s (%s cycles at %g MHz)\n", figure_time(us_of(r), in, one),
           figure_count((double)r->cycles, two), r->o.machine.cluster.clock_MHz);
    printf("bandwidth  %.1f GB/s: the size over the time\n",
           (double)r->o.machine.size / us_of(r) / 1e3);
    link_name(r, name);
    printf("bound      %s: link %s carries %s", figure_time(r->bound_us, in, one), name,
           figure_bytes((double)r->bound_bytes, two));
    printf(", %.1f %% of the time\n", 100 * r->bound_us / us_of(r));
    printf("messages   %s", figure_count((double)messages, one));
    printf(", at most %s sent by an NPU\n", figure_bytes((double)most_sent(r), two));
    printf("checked    %s\n", a->collective == MSCCL_CUSTOM
                                  ? "the order of steps; not what `custom` should do"
                                  : "the order of steps, and what every output chunk holds");
    printf("folding    %s\n", fabric_folding(f));
}

static int run(msccl_run *r) {
    observers watch;
    graph_run g = { 0 };
    int closed, rc = processes_agree(observers_create(&r->o.machine, &r->o.output, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &g);
    if (rc == EXIT_OK) rc = fabric_check_bytes(g.f);
    if (rc == EXIT_OK) rc = processes_agree(find_bound(r));
    if (rc == EXIT_OK && !processes_rank())
        rc = result_print(result_of(r, g.f), r->o.output.format,
                          &(result_form){ .table = print_table, .self = &(shown){ r, g.f } });
    closed = graph_run_destroy(&g);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

int msccl_fields(int argc, char **argv, setup *o) {
    unsigned loops = 1;
    int rc;

    (void)options_msccl(argc, argv, o, &loops, &rc);
    return rc;
}

int command_msccl(int argc, char **argv) {
    static msccl_run r;
    refusal why = { .form = REFUSAL_NONE };
    double start;
    int rc;

    r = (msccl_run){ .loops = 1 };
    if (!options_msccl(argc, argv, &r.o, &r.loops, &rc)) return rc;
    rc = refuse_form(&r.o.machine.cluster);
    if (rc != EXIT_OK) return rc;
    start = run_cost_start();
    r.o.machine.keep_numbers = true; /* messages follow no ring, and GPU i is node i */
    rc = processes_agree(setup_make(&r.o));
    if (rc == EXIT_OK) rc = setup_refuse(&r.o, machine_refuse_agreed(&r.o.machine, &why), &why);
    if (rc == EXIT_OK) rc = processes_agree(prepare(&r));
    if (rc == EXIT_OK) rc = run(&r);
    if (!r.o.execution.quiet) run_cost_print(start, rc);
    machine_free(&r.o.machine);
    msccl_graph_destroy(r.g);
    msccl_order_free(&r.order);
    msccl_free(&r.a);
    return rc;
}
