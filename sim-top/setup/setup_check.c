/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_check.c -- derives fields of a setup from others, and refuses fields that contradict
 *
 * The reader of setup_fields.def has already checked each single value. A check here returns
 * EXIT_OK, or EXIT_USAGE with a refusal, which setup_check() prints. `from` has the position of
 * each field.
 */
#include <stdio.h>
#include <string.h>

#include "ace_rtl_set.h"
#include "algorithms.h"
#include "digest.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "link_graph.h"
#include "machine_links.h"
#include "refusal.h"
#include "rtl_sets.h"
#include "setup.h"
#include "values.h"

enum { NODES_MOST = 1 << 20 /* each node takes some bytes, even if it is not simulated */ };

/* Returns whether an option gave the value. Values of a cluster file are not refused if this run
 * does not use them. */
static bool by_option(const setup_source *from, setup_id id) { return from[id].text != NULL; }

/* ---- the cluster ------------------------------------------------------------------------- */

/* If programs address the members of a hub, a chunk must distinguish the grants of all members. */
static void derive_peers(cluster *c) {
    unsigned *const peers = &c->parameters.peers;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        while (c->wiring[d] != WIRING_RING && !cluster_runs_ring(c, d) && c->ring[d] > *peers &&
               *peers < ACE_MOST_peers)
            *peers *= 2;
}

/* Derives the hardware's dimensions and their values from the topology. */
static int derive_dimensions(machine *m, const setup_source *from, refusal *why) {
    cluster_derive(&m->cluster);
    m->nodes = cluster_nodes(&m->cluster);
    if (m->nodes > NODES_MOST)
        return refuse_value(why, SETUP_TOPOLOGY, "sizes of together at most 1048576 nodes");
    const unsigned dimensions = m->cluster.parameters.dimensions;
    m->dims_given = setup_given(from, SETUP_DIMS);
    if (!m->dims_given) {
        m->dim_count = (uint8_t)dimensions;
        for (uint8_t d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) m->dims[d] = d;
    }
    for (unsigned i = 0; i < m->dim_count; i++) {
        char text[200];

        if (m->dims[i] < dimensions) continue;
        setup_help(&setup_fields[SETUP_DIMS], text, sizeof text);
        return refuse_value(why, SETUP_DIMS, "%s", text);
    }
    m->type_given = setup_given(from, SETUP_TYPE);
    return EXIT_OK;
}

/* Returns the part of `rows` that fits next to the given buffer. It is at least one, so that a
 * message names the given buffer. */
static unsigned rows_beside(unsigned given, unsigned rows) {
    const unsigned left = given < ACE_LINK_PLACES_MAX ? ACE_LINK_PLACES_MAX - given : 1;

    return left < rows ? left : rows;
}

int setup_derive_rows(cluster *c, const setup_source *from) {
    ace_parameters *const p = &c->parameters;
    if (c->wire_format) p->wire_formats = 1;
    const bool link = setup_given(from, SETUP_LINK_INPUT_ROWS),
               router = setup_given(from, SETUP_ROUTER_INPUT_ROWS);
    const int rc = machine_shortest_link(c, &c->shortest_link);

    if (rc != EXIT_OK) return rc;
    const unsigned rows = c->round_trip_rows = cluster_link_rows(c);
    if (!link) p->link_input_rows = router ? rows_beside(p->router_input_rows, rows) : rows;
    if (!router) p->router_input_rows = link ? rows_beside(p->link_input_rows, rows) : rows;
    return EXIT_OK;
}

/* Only the calibrated form of an engine has no wires. All other endpoints are limited to what an
 * engine has. */
static int check_engine(const cluster *c, bool compared, refusal *why) {
    if (cluster_of_engines(c) ||
        (c->endpoint == ENDPOINT_ACE && !compared && strstr(c->rungs, "calibrated")))
        return EXIT_OK;
    return refuse_value(
        why, SETUP_TOPOLOGY,
        "at most four dimensions, of 128 members on a ring and 64 on a switch or fully "
        "connected; the rung calibrated takes six, of 512 members");
}

/* An endpoint with wires simulates each cycle of a row on a link, so the latency is limited. */
static int check_latency(const cluster *c, refusal *why) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (c->ring[d] > 1 && c->link_latency[d] > CLUSTER_WIRE_LATENCY)
            return refuse_value(why, SETUP_LINK_LATENCY,
                                "at most %d cycles on wires; --endpoint ideal takes more",
                                CLUSTER_WIRE_LATENCY);
    return EXIT_OK;
}

/* Hardware parameters that were not given come from the requested RTL. Given ones must be
 * equal. */
static int derive_rtl(machine *m, const setup_source *from, refusal *why) {
    const ace_rtl_parameter_set *set;

    if (!*m->rtl) return EXIT_OK;
    m->rtl_content = FNV1A_START;
    set = rtl_set_load(m->rtl);
    if (!set || !rtl_set_digest(m->rtl, &m->rtl_content)) return EXIT_USAGE;
    snprintf(m->rtl_digest, sizeof m->rtl_digest, "%s", set->rtl);
    if (m->cluster.parameters.dimensions != set->parameters.dimensions)
        return refuse_value(why, SETUP_TOPOLOGY, "%u dimensions, which --rtl %s has",
                            set->parameters.dimensions, m->rtl);
    for (unsigned i = 0; i < SETUP_FIELDS; i++) {
        const size_t at = setup_fields[i].at - offsetof(setup, machine.cluster.parameters);
        unsigned found, its;

        /* For a field before the parameters the difference wraps round, and is therefore too large
         * as well. */
        if (at >= sizeof set->parameters || !setup_given(from, (setup_id)i)) continue;
        memcpy(&found, (const char *)&m->cluster.parameters + at, sizeof found);
        memcpy(&its, (const char *)&set->parameters + at, sizeof its);
        if (found != its) return refuse_value(why, i, "%u, which --rtl %s has", its, m->rtl);
    }
    m->cluster.parameters = set->parameters;
    return EXIT_OK;
}

/* ---- what goes together ------------------------------------------------------------------- */

/* Checks the links that a file lists for one dimension. The ideal endpoint does not model these
 * links. */
static int check_graph(const cluster *c, const setup_source *from, bool ideal, refusal *why) {
    const int d = cluster_links_dimension(c);

    if (d < 0) {
        if (!by_option(from, SETUP_LINKS)) return EXIT_OK;
        return refuse_value(why, SETUP_LINKS, "a topology with Links(N) beside it");
    }
    if (!*c->links)
        return refuse_value(why, SETUP_TOPOLOGY,
                            "--links FILE, or links_file of the cluster, beside Links(N)");
    for (unsigned e = (unsigned)d + 1; e < ACE_CLUSTER_DIMENSIONS; e++)
        if (c->wiring[e] == WIRING_LINKS)
            return refuse_value(why, SETUP_TOPOLOGY, "Links(N) in one dimension at most");
    if (!ideal) return EXIT_OK;
    return refuse_value(why, SETUP_ENDPOINT,
                        "ace or one in software: the ideal endpoint over links that a "
                        "file lists is not modelled");
}

/* Rows of all dimensions of an interface wait in one queue. A row that waits there is not lost, but
 * the sender's retry timer would not know this. */
static int check_interface(const machine *m, refusal *why) {
    const cluster *c = &m->cluster;
    const unsigned dims = cluster_shared(c);
    const unsigned first = dims ? (unsigned)__builtin_ctz(dims) : 0;

    if (!*c->shared_links) return EXIT_OK;
    if (!(dims & (dims - 1)))
        return refuse_value(why, SETUP_SHARED_LINKS,
                            "dimensions of the topology with two members or more, each once");
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (dims >> d & 1 &&
            (c->link_GBps[d] < c->link_GBps[first] || c->link_GBps[d] > c->link_GBps[first]))
            return refuse_value(why, SETUP_SHARED_LINKS,
                                "dimensions of one link bandwidth, which is the interface's");
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (dims >> d & 1 && c->wiring[d] == WIRING_LINKS)
            return refuse_value(why, SETUP_SHARED_LINKS,
                                "none of dimensions whose links a file lists");
    if (!m->fault_list) return EXIT_OK;
    return refuse_value(why, SETUP_SHARED_LINKS,
                        "none with --faults: rows that wait for an interface would be sent again");
}

/* Options of switches need a switch, and an endpoint that simulates rows in it. */
static int check_switch(const cluster *c, setup_id id, bool ideal, refusal *why) {
    bool any = false;

    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        any = any || (c->wiring[d] == WIRING_SWITCH && c->ring[d] > 1);
    if (!any) return refuse_value(why, id, "a topology with Switch(N) beside it");
    if (!ideal) return EXIT_OK;
    return refuse_value(
        why, id, "endpoint ace or one in software: the ideal endpoint has no rows in a switch");
}

/* A list has one value for all dimensions, or a value for each dimension of the topology or of the
 * hardware. */
static int check_links(const cluster *c, const setup_source *from, refusal *why) {
    const setup_id ids[] = { SETUP_LINK_BANDWIDTH, SETUP_LINK_LATENCY };

    for (unsigned i = 0; i < 2; i++) {
        const unsigned n = from[ids[i]].values;

        if (n > 1 && n != c->sizes && n != c->parameters.dimensions)
            return refuse_value(
                why, ids[i],
                "one value for all dimensions, or %u: one for each dimension of the topology",
                c->sizes);
    }
    return EXIT_OK;
}

/* Refuses options that the endpoint ignores. */
static int check_software(endpoint e, const setup_source *from, refusal *why) {
    const setup_id ids[] = { SETUP_SMS, SETUP_LAZY_LAST_REDUCTION };

    for (unsigned i = 0; i < 2 && !endpoint_is_baseline(e); i++)
        if (by_option(from, ids[i]))
            return refuse_option(why, ids[i],
                                 "found endpoint '%s', which uses no SMs, expected --endpoint "
                                 "comm-opt, comp-opt or no-overlap with it",
                                 endpoint_name(e));
    return EXIT_OK;
}

/* A share of the NPU that is reserved for communication must leave something for compute. */
static int check_shares(const machine *m, refusal *why) {
    const cluster *c = &m->cluster;
    const npu_share left = npu_less(npu_whole(&c->npu), cluster_reserved(c));

    if (!c->reserved) return EXIT_OK;
    if (!m->contention)
        return refuse_value(why, SETUP_SHARES,
                            "outstanding: with --contention off nothing is taken");
    if (left.sms > 0 && left.GBps > 0) return EXIT_OK;
    return refuse_value(
        why, SETUP_SHARES,
        "outstanding, or less --memory-bandwidth and --sms than the NPU has: compute "
        "would never end");
}

/* Refuses options that need another option. */
static int check_options(const machine *m, const execution *e, const output *o,
                         const setup_source *from, refusal *why) {
    const char *const beside = m->cluster.endpoint != ENDPOINT_ACE
                                   ? endpoint_name(m->cluster.endpoint)
                               : o->record     ? "--record"
                               : e->checkpoint ? "--checkpoint"
                               : e->resume     ? "--resume"
                                               : NULL;
    const bool two = m->schedule || m->kind == ACE_BROADCAST || m->kind == ACE_REDUCE;

    if (m->check && !m->payload)
        return refuse(why, "--check: found no payload, expected --payload random with it");
    if (by_option(from, SETUP_CHECKPOINT_EVERY) && !e->checkpoint)
        return refuse(why, "--checkpoint-every: found no file, expected --checkpoint FILE");
    if (m->control != CONTROL_PINS && beside)
        return refuse(why,
                      "--control %s: found %s, expected --endpoint ace without --record, "
                      "--checkpoint and --resume",
                      m->control == CONTROL_TRIGGER ? "trigger" : "registers", beside);
    if (m->control == CONTROL_TRIGGER && (two || o->wave.file))
        return refuse(why, "--control trigger: found %s, expected --control registers",
                      two ? "a collective of two commands" : "--wave");
    return EXIT_OK;
}

/* ---- collectives ------------------------------------------------------------------------ */

static bool has_root(ace_kind k) {
    return k == ACE_BROADCAST || k == ACE_REDUCE || k == ACE_GATHER || k == ACE_SCATTER;
}

/* Refuses options that the kind of collective ignores. */
static int check_kind(const machine *m, const setup_source *from, refusal *why) {
    const bool tokens = m->counts_file && exchange_counts_experts(m->counts_file);
    const struct {
        setup_id option;
        bool fits;
        const char *kinds;
    } only[] = {
        { SETUP_ROOT, has_root(m->kind), "broadcast, reduce, gather or scatter" },
        { SETUP_FROM, m->kind == ACE_SEND, "send-receive" },
        { SETUP_TO, m->kind == ACE_SEND, "send-receive" },
        { SETUP_COUNTS, m->kind == ACE_ALL_TO_ALL_V && !by_option(from, SETUP_SKEW),
          "all-to-all-v, without --skew" },
        { SETUP_SKEW, m->kind == ACE_ALL_TO_ALL_V, "all-to-all-v" },
        { SETUP_TRANSPOSE, m->kind == ACE_ALL_TO_ALL_V, "all-to-all-v" },
        { SETUP_EXPERTS, m->kind == ACE_ALL_TO_ALL_V && tokens,
          "all-to-all-v, with --counts of the tokens of experts" },
        { SETUP_SCHEDULE, m->kind == ACE_ALL_REDUCE || !m->schedule, "all-reduce" },
        { SETUP_SIZE, m->kind != ACE_BARRIER && (tokens || !by_option(from, SETUP_COUNTS)),
          "a collective other than barrier, without --counts of bytes" },
    };

    for (size_t i = 0; i < sizeof only / sizeof *only; i++)
        if (by_option(from, only[i].option) && !only[i].fits)
            return refuse_option(why, only[i].option, "found it with %s, expected %s",
                                 kind_names[m->kind], only[i].kinds);
    if (m->size || m->kind == ACE_SEND) return EXIT_OK;
    return refuse_value(why, SETUP_SIZE, "at least 1 byte; a send-receive may be of nothing");
}

/* Refuses members that do not exist. */
static int check_members(machine *m, const setup_source *from, refusal *why) {
    const bool send = m->kind == ACE_SEND;
    unsigned members = 1;

    for (unsigned i = 0; i < m->dim_count; i++) members *= m->cluster.ring[m->dims[i]];
    if (!send || (members == 1 && !by_option(from, SETUP_TO))) m->peer = 0;
    const bool by_root = m->root >= members;
    if (!by_root && m->peer < members) return EXIT_OK;
    return refuse_option(why, by_root ? send ? SETUP_FROM : SETUP_ROOT : SETUP_TO,
                         "found member %u, expected one of 0 to %u", by_root ? m->root : m->peer,
                         members - 1);
}

/* ---- order and chunk ----------------------------------------------------------------------- */

/* Nodes of different speeds reach their commands at different times. With LIFO each node would then
 * serve a different newest command. A requested LIFO therefore becomes the agreed order
 * (ace_agreement); otherwise the default is FIFO. Balanced schedules default to FIFO, too. There
 * the number of a part decides its direction round a ring, and thereby the rounding of float sums,
 * which must not depend on timing. */
static void derive_order(machine *m, bool given, bool compared, bool quiet) {
    cluster *const c = &m->cluster;
    const bool speeds = m->workload && *c->speeds, parts = !m->workload && m->schedule;

    if (speeds && given && c->order == CLUSTER_LIFO && c->endpoint == ENDPOINT_ACE && !compared &&
        !strstr(c->rungs, "calibrated")) {
        c->order = CLUSTER_AGREED;
        if (!quiet)
            fprintf(stderr, "acesim: note: --order lifo is agreed between nodes here, since slow "
                            "and fast nodes would choose differently\n");
    }
    if (!(speeds || parts) || given) return;
    c->order = CLUSTER_FIFO;
    if (!quiet)
        fprintf(stderr,
                "acesim: note: collectives run first in, first out here (--order), since %s\n",
                speeds ? "slow and fast nodes would choose differently with lifo"
                       : "float sums of --schedule balanced would depend on timing with lifo");
}

/* Only engines agree on an order; their calibrated form has no rounds. */
static int check_order(const cluster *c, bool compared, refusal *why) {
    if (c->order != CLUSTER_AGREED) return EXIT_OK;
    if (c->endpoint != ENDPOINT_ACE || compared)
        return refuse_value(why, SETUP_ORDER,
                            "lifo or fifo: software agrees on no order in hardware");
    if (!strstr(c->rungs, "calibrated")) return EXIT_OK;
    return refuse_value(why, SETUP_ORDER,
                        "lifo or fifo on the rung calibrated, which has no rounds");
}

/* ---- all together ----------------------------------------------------------------------- */

/* Derives the hardware, and checks that an endpoint can have it. compared: several endpoints run,
 * each with the options that it uses. */
static int check_hardware(machine *m, const setup_source *from, bool compared, refusal *why) {
    cluster *const c = &m->cluster;
    /* the ideal endpoint has links, but no rows on them */
    const bool ideal = c->endpoint == ENDPOINT_IDEAL && !compared;
    int rc;

    if (!setup_given(from, SETUP_PEERS)) derive_peers(c);
    rc = derive_dimensions(m, from, why);
    if (rc == EXIT_OK) rc = check_engine(c, compared, why);
    if (rc == EXIT_OK && !ideal) rc = check_latency(c, why);
    /* the reader of the file has printed a message */
    if (rc == EXIT_OK && setup_derive_rows(c, from) != EXIT_OK) rc = EXIT_USAGE;
    if (rc == EXIT_OK) rc = derive_rtl(m, from, why);
    if (rc == EXIT_OK && !compared) rc = check_software(c->endpoint, from, why);
    if (rc == EXIT_OK) rc = check_links(c, from, why);
    if (rc == EXIT_OK) rc = check_graph(c, from, ideal, why);
    if (rc == EXIT_OK) rc = check_interface(m, why);
    if (rc == EXIT_OK && c->switch_rows) rc = check_switch(c, SETUP_SWITCH_BUFFER, ideal, why);
    if (rc == EXIT_OK && c->switch_GBps > 0)
        rc = check_switch(c, SETUP_SWITCH_BANDWIDTH, ideal, why);
    return rc == EXIT_OK && !compared ? check_shares(m, why) : rc;
}

int setup_check(setup *s) {
    machine *const m = &s->machine;
    const bool compared = s->output.compare != NULL;
    refusal why = { .form = REFUSAL_NONE };
    int rc = check_hardware(m, s->source, compared, &why);

    if (rc == EXIT_OK) rc = check_options(m, &s->execution, &s->output, s->source, &why);
    if (rc == EXIT_OK && !m->workload) rc = check_kind(m, s->source, &why);
    if (rc == EXIT_OK && !m->workload) rc = check_members(m, s->source, &why);
    if (rc != EXIT_OK) return setup_refuse(s, rc, &why);
    if (m->kind == ACE_BARRIER) m->size = 0;
    derive_order(m, setup_given(s->source, SETUP_ORDER), compared, s->execution.quiet);
    rc = check_order(&m->cluster, compared, &why);
    if (rc == EXIT_OK && !setup_given(s->source, SETUP_CHUNK)) cluster_settle_chunk(&m->cluster);
    return setup_refuse(s, rc, &why);
}
