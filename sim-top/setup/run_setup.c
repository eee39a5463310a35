/* SPDX-License-Identifier: Apache-2.0 */
/*
 * run_setup.c -- a run made ready: its fields looked at together, what follows from them and what does
 * not go together; then what their texts say, read once
 *
 * Each value by itself is as setup_fields.def wants it.
 */
#include "run_setup.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_command.h"
#include "ace_core.h"
#include "ace_flit.h"
#include "ace_plan.h"
#include "ace_rtl_set.h"
#include "algorithms.h"
#include "calibrated_rung.h"
#include "digest.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "link_graph.h"
#include "message.h"
#include "rtl_sets.h"
#include "setup_fields.h"
#include "values.h"

enum {
    NODES_MOST = 1 << 20, /* some bytes of each are kept, whether it is simulated or not */
    COMPOSED_MOST = 4096  /* members of a list of transfers: each is known of each */
};

/* The members of a hub whose grants a chunk keeps apart are all, where programs name them. */
static void settle_peers(run_fields *o) {
    cluster *c = &o->cluster;
    unsigned *const peers = &c->parameters.peers;

    if (setup_given(o, SETUP_PEERS)) return;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        while (c->wiring[d] != WIRING_RING && !cluster_runs_ring(c, d) && c->ring[d] > *peers &&
               *peers < ACE_MOST_peers)
            *peers *= 2;
}

/* An option's, not a key's of a cluster file: what that says may be of no use to this run. */
static bool by_option(const run_fields *o, setup_id id) { return o->source[id].text != NULL; }

static bool refuse(const run_fields *o, setup_id id, const char *expected) {
    char found[400];

    setup_found(o, id, found, sizeof found);
    fprintf(stderr, "%s, expected %s\n", found, expected);
    return false;
}

/* The hardware's dimensions follow from the topology, and what is of all of them. */
static bool settle_dimensions(run_fields *o) {
    const unsigned dimensions = (cluster_settle(&o->cluster), o->cluster.parameters.dimensions);
    char text[200];

    if (cluster_nodes(&o->cluster) > NODES_MOST)
        return refuse(o, SETUP_TOPOLOGY, "sizes of together at most 1048576 nodes");
    if (!setup_given(o, SETUP_DIMS)) {
        o->dim_count = (uint8_t)dimensions;
        for (uint8_t d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) o->dims[d] = d;
    }
    for (unsigned i = 0; i < o->dim_count; i++) {
        if (o->dims[i] < dimensions) continue;
        setup_help(&setup_fields[SETUP_DIMS], text, sizeof text);
        return refuse(o, SETUP_DIMS, text);
    }
    o->type_given = setup_given(o, SETUP_TYPE);
    return true;
}

/* As many of `rows` as the given buffer leaves.  One at least: a message then names the given one. */
static unsigned rows_beside(unsigned given, unsigned rows) {
    const unsigned left = given < ACE_LINK_PLACES_MAX ? ACE_LINK_PLACES_MAX - given : 1;

    return left < rows ? left : rows;
}

/* What links of the file have of which it says nothing. */
static link_defaults defaults_of(const cluster *c, unsigned dimension) {
    return (link_defaults){ .GBps = c->links_GBps > 0            ? c->links_GBps
                                    : c->npu_GBps[dimension] > 0 ? c->npu_GBps[dimension]
                                                                 : c->link_GBps[dimension],
                            .efficiency = c->efficiency,
                            .clock_MHz = c->clock_MHz,
                            .latency = c->link_latency[dimension],
                            .npus = c->ring[dimension] };
}

/* The latency of the shortest link that a file lists. */
static bool settle_shortest(cluster *c) {
    const int d = cluster_links_dimension(c);
    link_graph *g;

    c->shortest_link = 0;
    if (d < 0 || !*c->links) return true;
    link_defaults of = defaults_of(c, (unsigned)d);
    of.links_alone = true;
    if (link_graph_read(c->links, &of, &g) != EXIT_OK) return false;
    c->shortest_link = g->shortest;
    link_graph_destroy(g);
    return true;
}

bool setup_settle_rows(run_fields *o) {
    ace_parameters *const p = &o->cluster.parameters;
    const bool link = setup_given(o, SETUP_LINK_INPUT_ROWS),
               router = setup_given(o, SETUP_ROUTER_INPUT_ROWS);

    if (!settle_shortest(&o->cluster)) return false;
    const unsigned rows = cluster_link_rows(&o->cluster);
    if (!link) p->link_input_rows = router ? rows_beside(p->router_input_rows, rows) : rows;
    if (!router) p->router_input_rows = link ? rows_beside(p->link_input_rows, rows) : rows;
    return true;
}

/* All endpoints but the form of an engine have wires: as many as an engine. */
static bool match_engine(const run_fields *o) {
    const cluster *c = &o->cluster;

    if (cluster_of_engines(c) ||
        (c->endpoint == ENDPOINT_ACE && !o->compare && strstr(c->rungs, "calibrated")))
        return true;
    return refuse(o, SETUP_TOPOLOGY,
                  "at most four dimensions, of 128 members on a ring and 64 on a switch or fully "
                  "connected; the rung calibrated takes six, of 512 members");
}

/* Rows on a link are kept cycle by cycle, where the endpoint has wires. */
static bool match_latency(const run_fields *o) {
    const cluster *c = &o->cluster;
    char expected[120];

    if (c->endpoint == ENDPOINT_IDEAL && !o->compare) return true;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (c->ring[d] < 2 || c->link_latency[d] <= CLUSTER_WIRE_LATENCY) continue;
        snprintf(expected, sizeof expected,
                 "at most %d cycles on wires; --endpoint ideal takes more", CLUSTER_WIRE_LATENCY);
        return refuse(o, SETUP_LINK_LATENCY, expected);
    }
    return true;
}

/* What of the hardware nobody has set is as in the RTL that is asked for; the rest has to be. */
static bool settle_rtl(run_fields *o) {
    const ace_rtl_parameter_set *set;
    char expected[120];

    if (!*o->rtl) return true;
    o->rtl_content = FNV1A_START;
    set = rtl_set_load(o->rtl);
    if (!set || !rtl_set_digest(o->rtl, &o->rtl_content)) return false;
    snprintf(o->rtl_digest, sizeof o->rtl_digest, "%s", set->rtl);
    if (o->cluster.parameters.dimensions != set->parameters.dimensions) {
        snprintf(expected, sizeof expected, "%u dimensions, which --rtl %s has",
                 set->parameters.dimensions, o->rtl);
        return refuse(o, SETUP_TOPOLOGY, expected);
    }
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const size_t at = setup_fields[i].at - offsetof(run_fields, cluster.parameters);
        unsigned found, its;

        /* of a field that lies before them the difference wraps round, and is past their end too */
        if (at >= sizeof set->parameters || !setup_given(o, (setup_id)i)) continue;
        memcpy(&found, (const char *)&o->cluster.parameters + at, sizeof found);
        memcpy(&its, (const char *)&set->parameters + at, sizeof its);
        if (found == its) continue;
        snprintf(expected, sizeof expected, "%u, which --rtl %s has", its, o->rtl);
        return refuse(o, (setup_id)i, expected);
    }
    o->cluster.parameters = set->parameters;
    return true;
}

/* A file lists the links of one dimension, and software that is links alone has its own. */
static bool match_graph(const run_fields *o) {
    const int d = cluster_links_dimension(&o->cluster);
    const bool ideal = o->cluster.endpoint == ENDPOINT_IDEAL && !o->compare;

    if (d < 0) {
        if (!by_option(o, SETUP_LINKS)) return true;
        return refuse(o, SETUP_LINKS, "a topology with Links(N) beside it");
    }
    if (!*o->cluster.links)
        return refuse(o, SETUP_TOPOLOGY,
                      "--links FILE, or links_file of the cluster, beside Links(N)");
    for (unsigned e = (unsigned)d + 1; e < ACE_CLUSTER_DIMENSIONS; e++)
        if (o->cluster.wiring[e] == WIRING_LINKS)
            return refuse(o, SETUP_TOPOLOGY, "Links(N) in one dimension at most");
    if (!ideal) return true;
    return refuse(o, SETUP_ENDPOINT,
                  "ace or one in software: the ideal endpoint over links that a "
                  "file lists is not modelled");
}

/* Rows of all dimensions of an interface go one behind the other behind their ports.  A row that waits there is
 * not yet lost for who waits for its receipt. */
static bool match_interface(const run_fields *o) {
    const cluster *c = &o->cluster;
    const unsigned dims = cluster_shared(c);
    const unsigned first = dims ? (unsigned)__builtin_ctz(dims) : 0;

    if (!*c->shared_links) return true;
    if (!(dims & (dims - 1)))
        return refuse(o, SETUP_SHARED_LINKS,
                      "dimensions of the topology with two members or more, each once");
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (dims >> d & 1 &&
            (c->link_GBps[d] < c->link_GBps[first] || c->link_GBps[d] > c->link_GBps[first]))
            return refuse(o, SETUP_SHARED_LINKS,
                          "dimensions of one link bandwidth, which is the interface's");
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (dims >> d & 1 && c->wiring[d] == WIRING_LINKS)
            return refuse(o, SETUP_SHARED_LINKS, "none of dimensions whose links a file lists");
    if (!o->faults) return true;
    return refuse(o, SETUP_SHARED_LINKS,
                  "none with --faults: rows that wait for an interface would be sent again");
}

/* What is of switches wants one, and an endpoint that has rows in it. */
static bool match_switch(const run_fields *o, setup_id id, bool asked) {
    const bool ideal = o->cluster.endpoint == ENDPOINT_IDEAL && !o->compare;
    bool any = false;

    if (!asked) return true;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        any = any || (o->cluster.wiring[d] == WIRING_SWITCH && o->cluster.ring[d] > 1);
    if (!any) return refuse(o, id, "a topology with Switch(N) beside it");
    if (!ideal) return true;
    return refuse(o, id,
                  "endpoint ace or one in software: the ideal endpoint has no rows in a switch");
}

/* One value is that of all dimensions; more are as many as the topology is written with, or as the
 * hardware has. */
static bool match_links(const run_fields *o, setup_id id) {
    const unsigned n = o->source[id].values;
    char expected[120];

    if (n <= 1 || n == o->cluster.sizes || n == o->cluster.parameters.dimensions) return true;
    snprintf(expected, sizeof expected,
             "one value for all dimensions, or %u: one for each dimension of the topology",
             o->cluster.sizes);
    return refuse(o, id, expected);
}

/* Refuses what the endpoint would not look at; of several, each is given what it looks at. */
static bool only_in_software(const run_fields *o, setup_id id) {
    if (o->compare || !by_option(o, id) || endpoint_is_baseline(o->cluster.endpoint)) return true;
    fprintf(stderr,
            "acesim: --%s: found endpoint '%s', which uses no SMs, expected --endpoint comm-opt, "
            "comp-opt or no-overlap with it\n",
            setup_fields[id].option, endpoint_name(o->cluster.endpoint));
    return false;
}

/* Shares that are kept all the time leave compute something, and take it. */
static bool match_shares(const run_fields *o) {
    const npu_share left = npu_less(npu_whole(&o->cluster.npu), cluster_reserved(&o->cluster));

    if (!o->cluster.reserved || o->compare) return true;
    if (!o->contention)
        return refuse(o, SETUP_SHARES, "outstanding: with --contention off nothing is taken");
    if (left.sms > 0 && left.GBps > 0) return true;
    return refuse(o, SETUP_SHARES,
                  "outstanding, or less --memory-bandwidth and --sms than the NPU has: compute "
                  "would never end");
}

/* Options that are about another one. */
static bool match_options(const run_fields *o) {
    const char *const beside = o->cluster.endpoint != ENDPOINT_ACE
                                   ? endpoint_name(o->cluster.endpoint)
                               : o->record     ? "--record"
                               : o->checkpoint ? "--checkpoint"
                               : o->resume     ? "--resume"
                                               : NULL;

    if (o->check && !o->payload) {
        fprintf(stderr, "acesim: --check: found no payload, expected --payload random with it\n");
        return false;
    }
    if (by_option(o, SETUP_CHECKPOINT_EVERY) && !o->checkpoint) {
        fprintf(stderr, "acesim: --checkpoint-every: found no file, expected --checkpoint FILE\n");
        return false;
    }
    if (o->registers && beside) {
        fprintf(stderr,
                "acesim: --control registers: found %s, expected --endpoint ace without --record, "
                "--checkpoint and --resume\n",
                beside);
        return false;
    }
    return true;
}

/* ---- collectives ------------------------------------------------------------------------ */

static bool has_root(ace_kind k) {
    return k == ACE_BROADCAST || k == ACE_REDUCE || k == ACE_GATHER || k == ACE_SCATTER;
}

/* Options that a kind does not look at are refused. */
static bool match_kind(const run_fields *o) {
    const struct {
        setup_id option;
        bool fits;
        const char *kinds;
    } only[] = {
        { SETUP_ROOT, has_root(o->kind), "broadcast, reduce, gather or scatter" },
        { SETUP_FROM, o->kind == ACE_SEND, "send-receive" },
        { SETUP_TO, o->kind == ACE_SEND, "send-receive" },
        { SETUP_COUNTS, o->kind == ACE_ALL_TO_ALL_V && !by_option(o, SETUP_SKEW),
          "all-to-all-v, without --skew" },
        { SETUP_SKEW, o->kind == ACE_ALL_TO_ALL_V, "all-to-all-v" },
        { SETUP_SCHEDULE, o->kind == ACE_ALL_REDUCE || !o->schedule, "all-reduce" },
        { SETUP_SIZE, o->kind != ACE_BARRIER && !by_option(o, SETUP_COUNTS),
          "a collective other than barrier, without --counts" },
    };

    for (size_t i = 0; i < sizeof only / sizeof *only; i++) {
        if (!by_option(o, only[i].option) || only[i].fits) continue;
        fprintf(stderr, "acesim: --%s: found it with %s, expected %s\n",
                setup_fields[only[i].option].option, kind_names[o->kind], only[i].kinds);
        return false;
    }
    if (o->size || o->kind == ACE_SEND) return true;
    return refuse(o, SETUP_SIZE, "at least 1 byte; a send-receive may be of nothing");
}

/* Members that there are not. */
static bool match_members(run_fields *o) {
    const setup_id root = o->kind == ACE_SEND ? SETUP_FROM : SETUP_ROOT;
    unsigned members = 1;
    bool by_root;

    for (unsigned i = 0; i < o->dim_count; i++) members *= o->cluster.ring[o->dims[i]];
    if (o->kind != ACE_SEND || (members == 1 && !by_option(o, SETUP_TO))) o->peer = 0;
    by_root = o->root >= members;
    if (!by_root && o->peer < members) return true;
    fprintf(stderr, "acesim: --%s: found member %u, expected one of 0 to %u\n",
            setup_fields[by_root ? root : SETUP_TO].option, by_root ? o->root : o->peer,
            members - 1);
    return false;
}

/* Engines alone agree on an order; forms of them have no rounds. */
static bool match_order(const run_fields *o) {
    const cluster *c = &o->cluster;

    if (c->order != CLUSTER_AGREED) return true;
    if (c->endpoint != ENDPOINT_ACE || o->compare)
        return refuse(o, SETUP_ORDER, "lifo or fifo: software agrees on no order in hardware");
    if (!strstr(c->rungs, "calibrated")) return true;
    return refuse(o, SETUP_ORDER, "lifo or fifo on the rung calibrated, which has no rounds");
}

/* Nodes of several speeds come to their commands at other times, and LIFO would have some serve the
 * one that others have not got yet: engines that are to go so agree on what all have.  Parts of a balanced schedule are numbered in their order, which decides which way
 * around a ring each chunk goes, and so the last bits of sums of floats: LIFO would have the moment decide it. */
static void settle_order(run_fields *o) {
    const bool speeds = o->workload && *o->cluster.speeds, parts = !o->workload && o->schedule;

    if (speeds && setup_given(o, SETUP_ORDER) && o->cluster.order == CLUSTER_LIFO &&
        o->cluster.endpoint == ENDPOINT_ACE && !o->compare &&
        !strstr(o->cluster.rungs, "calibrated")) {
        o->cluster.order = CLUSTER_AGREED;
        if (!o->quiet)
            fprintf(stderr, "acesim: --speed: the order is agreed: lifo of what all nodes have\n");
    }
    if (!(speeds || parts) || setup_given(o, SETUP_ORDER)) return;
    o->cluster.order = CLUSTER_FIFO;
    if (!o->quiet)
        fprintf(stderr, "acesim: --%s: the order is fifo, as %s; --order says otherwise\n",
                speeds ? "speed" : "schedule balanced",
                speeds ? "nodes of other speeds may reach their commands in another order"
                       : "sums of floats would depend on the moment with lifo");
}

int run_setup_refuse_agreed(const run_setup *s) {
    if (!s->config.agreed ||
        refuse(&s->fields, SETUP_ORDER, "lifo or fifo: of NPUs that may do different things"))
        return EXIT_OK;
    return EXIT_USAGE;
}

/* ---- all together ----------------------------------------------------------------------- */

int setup_settle(run_fields *o) {
    settle_peers(o);
    bool ok = settle_dimensions(o) && match_engine(o) && match_latency(o) && setup_settle_rows(o) &&
              settle_rtl(o) && only_in_software(o, SETUP_SMS) &&
              only_in_software(o, SETUP_LAZY_LAST_REDUCTION) &&
              match_links(o, SETUP_LINK_BANDWIDTH) && match_links(o, SETUP_LINK_LATENCY) &&
              match_graph(o) && match_interface(o) &&
              match_switch(o, SETUP_SWITCH_BUFFER, o->cluster.switch_rows != 0) &&
              match_switch(o, SETUP_SWITCH_BANDWIDTH, o->cluster.switch_GBps > 0) &&
              match_shares(o) && match_options(o);

    if (ok && !o->workload) ok = match_kind(o) && match_members(o);
    if (o->kind == ACE_BARRIER) o->size = 0;
    settle_order(o);
    ok = ok && match_order(o);
    if (ok && !setup_given(o, SETUP_CHUNK)) cluster_settle_chunk(&o->cluster);
    return ok ? EXIT_OK : EXIT_USAGE;
}

/* ---- a run, ready ----------------------------------------------------------------------- */

/* The destination lies behind the source. */
static void place(ace_command *c) { c->destination = (c->bytes + 4095) / 4096 * 4096 + 4096; }

ace_command collective_command(const run_fields *o) {
    ace_command c = { .kind = o->kind,
                      .type = o->type,
                      .op = o->op,
                      .dim_count = o->dim_count,
                      .bytes = o->size,
                      .root = (uint16_t)o->root,
                      .peer = (uint16_t)o->peer };

    memcpy(c.dims, o->dims, sizeof c.dims);
    place(&c);
    return c;
}

/* The command with its counts, or what of it the endpoint does not model. */
static int make_command(run_setup *s) {
    const endpoint e = s->fields.cluster.endpoint;
    ace_command *c = &s->command;

    *c = collective_command(&s->fields);
    const uint64_t members = ace_plan_members(c, &s->config);
    if (ace_composed(c) && endpoint_is_baseline(e)) {
        fprintf(stderr,
                "acesim: found %s at endpoint '%s', expected endpoint ace or ideal: lists of "
                "transfers in software are not modelled yet\n",
                kind_names[c->kind], endpoint_name(e));
        return EXIT_USAGE;
    }
    if (ace_composed(c) && members > COMPOSED_MOST) {
        fprintf(stderr, "acesim: found %s over %" PRIu64 " nodes, expected at most %d\n",
                kind_names[c->kind], members, COMPOSED_MOST);
        return EXIT_USAGE;
    }
    if (c->kind == ACE_ALL_TO_ALL_V) {
        const int rc = exchange_counts_make(&s->fields, members, &s->counts);
        if (rc != EXIT_OK) return rc;
        c->counts = s->counts;
        c->bytes = exchange_counts_vector(s->counts, members);
        place(c);
    }
    if (ace_composed(c) && e == ENDPOINT_ACE && ace_command_check(c, &s->config) != ACE_OK) {
        fprintf(stderr,
                "acesim: found %s over %" PRIu64 " nodes, expected at most %d ways in which rows "
                "come to a node (128 nodes always fit) and vectors of at most 1 TiB\n",
                kind_names[c->kind], ace_plan_members(c, &s->config), ace_list_keys(&s->config));
        return EXIT_USAGE;
    }
    return cluster_reduces(&s->fields, c->kind, c->type);
}

/* Each node's vector, what it is to become, and its memory, which holds both. */
static int check_payload(const run_setup *s) {
    const double bytes =
        (double)s->command.bytes * (s->fields.check ? 4 : 3) * cluster_nodes(&s->fields.cluster);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if (!s->fields.payload || bytes <= memory) return EXIT_OK;
    fprintf(stderr,
            "acesim: --payload: found %.1f GiB of payload over %u nodes, expected what the "
            "%.1f GiB of memory here can hold: a smaller --size, or no --payload\n",
            bytes / 0x1p30, cluster_nodes(&s->fields.cluster), memory / 0x1p30);
    return EXIT_USAGE;
}

static int make_plan(run_setup *s) {
    const unsigned nodes = cluster_nodes(&s->fields.cluster);

    s->plan = (node_plan){ .nodes = nodes,
                           .rung = malloc(nodes),
                           .speed = malloc(nodes * sizeof *s->plan.speed) };
    return s->plan.rung && s->plan.speed ? node_plan_read(&s->fields, &s->plan)
                                         : message_no_memory();
}

/* The links that a file lists, where a dimension is of such. */
static int read_graph(const run_fields *o, link_graph **graph) {
    const cluster *const c = &o->cluster;
    const int d = cluster_links_dimension(c);

    if (d < 0) return EXIT_OK;
    link_defaults of = defaults_of(c, (unsigned)d);

    of.keep_numbers = o->keep_numbers;
    return link_graph_read(c->links, &of, graph);
}

int run_setup_links_GBps(const run_fields *o, double *GBps) {
    link_graph *g = NULL;
    const int rc = read_graph(o, &g);

    *GBps = 0;
    for (unsigned i = 0; rc == EXIT_OK && g && i < g->npus; i++)
        *GBps = fmax(*GBps, link_graph_GBps(g, i));
    link_graph_destroy(g);
    return rc;
}

double run_setup_member_GBps(const run_setup *s, unsigned rank) {
    return link_graph_GBps(s->graph, s->graph->order[rank]);
}

/* The list was looked at when it was taken: what can go wrong now is memory. */
static int make_faults(run_setup *s) {
    if (!s->fields.faults) return EXIT_OK;
    return faults_read(s->fields.faults, &s->faults) ? faults_check(&s->faults, &s->fields)
                                                     : message_no_memory();
}

int run_setup_make(const run_fields *o, run_setup *s) {
    int rc;

    *s = (run_setup){ .fields = *o };
    rc = cluster_config(&s->fields, &s->config);
    if (rc == EXIT_OK) rc = read_graph(&s->fields, &s->graph);
    if (rc == EXIT_OK && !o->workload) rc = make_command(s);
    if (rc == EXIT_OK && !o->workload) rc = check_payload(s);
    if (rc == EXIT_OK) rc = make_plan(s);
    if (rc == EXIT_OK) rc = node_plan_switches(&s->fields, &s->config, &s->plan);
    if (rc == EXIT_OK) rc = calibrated_rung_make(s);
    return rc == EXIT_OK ? make_faults(s) : rc;
}

bool run_setup_moved(const run_setup *s, unsigned *npu_of) {
    const link_graph *const g = s->graph;
    const int d = cluster_links_dimension(&s->fields.cluster);
    unsigned stride = 1, place[LINK_GRAPH_NPUS];
    bool moved = false;

    if (!g || g->ordered || d < 0) return false;
    for (int k = 0; k < d; k++) stride *= s->fields.cluster.ring[k];
    for (unsigned i = 0; i < g->npus; i++) {
        place[g->order[i]] = i;
        moved = moved || g->order[i] != i;
    }
    for (unsigned n = 0; n < cluster_nodes(&s->fields.cluster); n++) {
        const unsigned at = n / stride % g->npus;

        npu_of[n] = n + place[at] * stride - at * stride;
    }
    return moved;
}

void run_setup_free(run_setup *s) {
    free(s->plan.rung);
    free(s->plan.speed);
    free(s->counts);
    calibrated_rung_free(s);
    link_graph_destroy(s->graph);
    faults_free(&s->faults);
    *s = (run_setup){ 0 };
}

run_setup run_setup_plain(const run_setup *s, bool with_faults) {
    run_setup plain = *s;

    plain.fields.payload = false;
    plain.fields.wave_file = plain.fields.checkpoint = plain.fields.resume = NULL;
    if (with_faults) return plain;
    plain.fields.faults = NULL;
    plain.faults = (faults){ 0 };
    return plain;
}
