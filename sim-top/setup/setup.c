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
#include <stdlib.h>
#include <string.h>

#include "ace_command.h"
#include "ace_composition.h"
#include "ace_plan.h"
#include "calibrated_rung.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "link_graph.h"
#include "machine_config.h"
#include "machine_links.h"
#include "refusal.h"
#include "values.h"

enum { COMPOSED_MOST = 4096 /* members of a list of transfers; memory grows with its square */ };

/* ---- a machine, ready ----------------------------------------------------------------------- */

int machine_refuse_agreed(const machine *m, refusal *why) {
    if (!m->config.agreed) return EXIT_OK;
    return refuse_value(why, SETUP_ORDER, "lifo or fifo: of NPUs that may do different things");
}

/* Puts the destination after the source. */
static void set_destination(ace_command *c) {
    c->destination = (c->bytes + 4095) / 4096 * 4096 + 4096;
}

ace_command machine_collective(const machine *m) {
    ace_command c = { .kind = m->kind,
                      .type = m->type,
                      .op = m->op,
                      .dim_count = m->dim_count,
                      .bytes = m->size,
                      .root = (uint16_t)m->root,
                      .peer = (uint16_t)m->peer };

    memcpy(c.dims, m->dims, sizeof c.dims);
    set_destination(&c);
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

/* Completes a command that is composed of lists of transfers: an all-to-all-v gets its counts.
 * Refuses a command that the endpoint does not model. */
static int compose(machine *m, ace_command *c, refusal *why) {
    const endpoint e = m->cluster.endpoint;
    const uint64_t members = ace_plan_members(c, &m->config);

    if (endpoint_is_baseline(e) && c->kind != ACE_ALL_TO_ALL_V)
        return refuse(why,
                      "found %s at endpoint '%s', expected endpoint ace or ideal: lists of "
                      "transfers in software are not modelled yet",
                      kind_names[c->kind], endpoint_name(e));
    if (members > COMPOSED_MOST)
        return refuse(why, "found %s over %" PRIu64 " nodes, expected at most %d",
                      kind_names[c->kind], members, COMPOSED_MOST);
    if (c->kind == ACE_ALL_TO_ALL_V) {
        const int rc = exchange_counts_make(m, members, &m->counts);
        if (rc != EXIT_OK) return rc;
        c->counts = m->counts;
        c->bytes = ace_exchange_vector(m->counts, members);
        set_destination(c);
    }
    if (e != ENDPOINT_IDEAL && ace_command_check(c, &m->config) != ACE_OK)
        return refuse(why,
                      "found %s over %" PRIu64
                      " nodes, expected at most %d ways in which rows come to "
                      "a node (128 nodes always fit) and vectors of at most 1 TiB",
                      kind_names[c->kind], members, ace_list_keys(&m->config));
    return EXIT_OK;
}

/* Makes the command, and checks that the endpoint and this computer can run it. */
static int make_command(machine *m, refusal *why) {
    ace_command *const c = &m->command;
    int rc = EXIT_OK;

    *c = machine_collective(m);
    if (ace_composed(c)) rc = compose(m, c, why);
    if (rc == EXIT_OK) rc = machine_reduces(m, c->kind, c->type, why);
    return rc == EXIT_OK ? machine_payload(m, why) : rc;
}

int setup_make(setup *s) {
    machine *const m = &s->machine;
    refusal why = { .form = REFUSAL_NONE };
    unsigned in_network;
    int rc = machine_config(m, &m->config, &in_network, &why);

    if (rc == EXIT_OK) rc = machine_links_read(m, &m->graph);
    if (rc == EXIT_OK && !m->workload) rc = make_command(m, &why);
    if (rc == EXIT_OK) rc = node_plan_make(m, &s->output, in_network, &m->plan, &why);
    if (rc == EXIT_OK)
        rc = calibrated_rung_make(m, &s->execution, &s->output,
                                  m->calibration_file ? setup_cluster_digest(s) : 0, &why);
    if (rc == EXIT_OK && m->fault_list)
        rc = faults_make(m->fault_list, &m->cluster, m->nodes,
                         m->control == CONTROL_PINS      ? NULL
                         : m->control == CONTROL_TRIGGER ? "trigger"
                                                         : "registers",
                         &m->faults, &why);
    if (rc == EXIT_OK) rc = machine_refuse_failure(m, &s->output, &why);
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
