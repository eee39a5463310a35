/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.c -- makes a setup ready to run, in steps that each use the results of earlier ones
 *
 * The order is: configuration, links, command, rungs and speeds, switches, calibration, faults.
 * Each check fills a refusal, and setup_refuse() prints it with the position where the field was
 * given.
 */
#include "setup.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_command.h"
#include "ace_plan.h"
#include "calibrated_rung.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "link_graph.h"
#include "machine_config.h"
#include "machine_links.h"
#include "message.h"
#include "refusal.h"
#include "values.h"

enum { COMPOSED_MOST = 4096 /* members of a list of transfers; memory grows with its square */ };

/* ---- refusals ----------------------------------------------------------------------------- */

int setup_refuse(const setup *s, int status, const refusal *why) {
    const setup_id id = (setup_id)(why->form != REFUSAL_TEXT && why->form != REFUSAL_NONE &&
                                           !setup_given(s->source, (setup_id)why->field)
                                       ? why->instead
                                       : why->field);
    char where[400];

    if (status == EXIT_OK) return EXIT_OK;
    switch (why->form) {
    case REFUSAL_NONE: break;
    case REFUSAL_TEXT: fprintf(stderr, "acesim: %s\n", why->text); break;
    case REFUSAL_OPTION:
        fprintf(stderr, "acesim: --%s: %s\n", setup_fields[id].option, why->text);
        break;
    case REFUSAL_AT:
        setup_place(&s->source[id], where, sizeof where);
        fprintf(stderr, "%s: %s\n", where, why->text);
        break;
    case REFUSAL_VALUE:
        setup_found(s, id, where, sizeof where);
        fprintf(stderr, "%s, expected %s\n", where, why->text);
        break;
    }
    return status;
}

/* ---- a machine, ready ----------------------------------------------------------------------- */

int machine_refuse_agreed(const machine *m, refusal *why) {
    if (!m->config.agreed) return EXIT_OK;
    return refuse_value(why, SETUP_ORDER, "lifo or fifo: of NPUs that may do different things");
}

/* Puts the destination after the source. */
static void place(ace_command *c) { c->destination = (c->bytes + 4095) / 4096 * 4096 + 4096; }

ace_command machine_collective(const machine *m) {
    ace_command c = { .kind = m->kind,
                      .type = m->type,
                      .op = m->op,
                      .dim_count = m->dim_count,
                      .bytes = m->size,
                      .root = (uint16_t)m->root,
                      .peer = (uint16_t)m->peer };

    memcpy(c.dims, m->dims, sizeof c.dims);
    place(&c);
    return c;
}

machine machine_plain(const machine *m, bool with_faults) {
    machine plain = *m;

    plain.payload = false;
    if (with_faults) return plain;
    plain.fault_list = NULL;
    plain.faults = (faults){ 0 };
    return plain;
}

/* Makes the command with its counts, or refuses what the endpoint does not model. */
static int make_command(machine *m, refusal *why) {
    const endpoint e = m->cluster.endpoint;
    ace_command *c = &m->command;

    *c = machine_collective(m);
    const uint64_t members = ace_plan_members(c, &m->config);
    if (ace_composed(c) && endpoint_is_baseline(e))
        return refuse(why,
                      "found %s at endpoint '%s', expected endpoint ace or ideal: lists of "
                      "transfers in software are not modelled yet",
                      kind_names[c->kind], endpoint_name(e));
    if (ace_composed(c) && members > COMPOSED_MOST)
        return refuse(why, "found %s over %" PRIu64 " nodes, expected at most %d",
                      kind_names[c->kind], members, COMPOSED_MOST);
    if (c->kind == ACE_ALL_TO_ALL_V) {
        const int rc = exchange_counts_make(m, members, &m->counts);
        if (rc != EXIT_OK) return rc;
        c->counts = m->counts;
        c->bytes = exchange_counts_vector(m->counts, members);
        place(c);
    }
    if (ace_composed(c) && e == ENDPOINT_ACE && ace_command_check(c, &m->config) != ACE_OK)
        return refuse(why,
                      "found %s over %" PRIu64
                      " nodes, expected at most %d ways in which rows come to "
                      "a node (128 nodes always fit) and vectors of at most 1 TiB",
                      kind_names[c->kind], members, ace_list_keys(&m->config));
    return machine_reduces(m, c->kind, c->type, why);
}

/* Checks that there is memory for each node's vector, its reference, and the simulated memory,
 * which holds source and destination. */
static int check_payload(const machine *m, refusal *why) {
    const double bytes = (double)m->command.bytes * (m->check ? 4 : 3) * m->nodes;
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);

    if (!m->payload || bytes <= memory) return EXIT_OK;
    return refuse(why,
                  "--payload: found %.1f GiB of payload over %u nodes, expected what the %.1f GiB "
                  "of memory here can hold: a smaller --size, or no --payload",
                  bytes / 0x1p30, m->nodes, memory / 0x1p30);
}

static int make_plan(machine *m, refusal *why) {
    m->plan = (node_plan){ .nodes = m->nodes,
                           .rung = malloc(m->nodes),
                           .speed = malloc(m->nodes * sizeof *m->plan.speed) };
    return m->plan.rung && m->plan.speed ? node_plan_read(m, &m->plan, why) : message_no_memory();
}

/* Checks that nodes exist for the outputs about single nodes. */
static int check_output(const output *o, const node_plan *p, endpoint e, refusal *why) {
    const wave_request *w = &o->wave;

    if (w->file && (w->node >= p->nodes || p->rung[w->node] != RUNG_RTL))
        return refuse(why,
                      "found --wave-node %u, expected a node on the rtl rung, as with "
                      "--rung 'rtl:%u;cycle:rest'",
                      w->node, w->node);
    if (o->record && (o->record_node >= p->nodes || e != ENDPOINT_ACE))
        return refuse(why,
                      "found --record-node %u of endpoint %s, expected a node from 0 to %u of "
                      "endpoint ace",
                      o->record_node, endpoint_name(e), p->nodes - 1);
    if (e == ENDPOINT_IDEAL && o->samples)
        return refuse(why, "the ideal endpoint puts nothing on links or memory, expected it "
                           "without --samples");
    return EXIT_OK;
}

/* The list was checked when it was read, so only a lack of memory can go wrong here. */
static int make_faults(machine *m, refusal *why) {
    if (!m->fault_list) return EXIT_OK;
    return faults_read(m->fault_list, &m->faults)
               ? faults_check(&m->faults, &m->cluster, m->nodes, m->registers, why)
               : message_no_memory();
}

int setup_make(setup *s) {
    machine *const m = &s->machine;
    refusal why = { .form = REFUSAL_NONE };
    int rc = machine_config(m, &m->config, &why);

    if (rc == EXIT_OK) rc = machine_links_read(m, &m->graph);
    if (rc == EXIT_OK && !m->workload) rc = make_command(m, &why);
    if (rc == EXIT_OK && !m->workload) rc = check_payload(m, &why);
    if (rc == EXIT_OK) rc = make_plan(m, &why);
    if (rc == EXIT_OK) rc = check_output(&s->output, &m->plan, m->cluster.endpoint, &why);
    if (rc == EXIT_OK) rc = node_plan_switches(m, &m->config, &m->plan, &why);
    if (rc == EXIT_OK)
        rc = calibrated_rung_make(m, &s->execution, &s->output,
                                  m->calibration_file ? setup_cluster_digest(s) : 0, &why);
    if (rc == EXIT_OK) rc = make_faults(m, &why);
    return setup_refuse(s, rc, &why);
}

void machine_free(machine *m) {
    free(m->plan.rung);
    free(m->plan.speed);
    free(m->counts);
    calibrated_rung_free(m);
    link_graph_destroy(m->graph);
    faults_free(&m->faults);
    m->plan = (node_plan){ 0 };
    m->counts = NULL;
    m->graph = NULL;
}
