/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrated_node.c -- wraps chunk_flow as a node
 *
 * Checkpoints are refused before a run, so the state function always fails. Collectives with bytes
 * outside the measured range are refused.
 */
#include "calibrated_node.h"

#include <stdlib.h>

typedef struct calibrated_node {
    ace_node node; /* first */
    chunk_flow *flow;
    double range[2];
} calibrated_node;

static chunk_flow *flow_of(const ace_node *n) { return ((const calibrated_node *)n)->flow; }

static void destroy(ace_node *n) {
    chunk_flow_destroy(flow_of(n));
    free(n);
}

static void run(ace_node *n, uint64_t until) { chunk_flow_run(flow_of(n), until); }
static uint64_t quiet_until(const ace_node *n) { return chunk_flow_next(flow_of(n)); }
static uint64_t moved(const ace_node *n) { return chunk_flow_events(flow_of(n)); }

static int submit(ace_node *n, const ace_command *c, uint64_t cycle) {
    const calibrated_node *k = (const calibrated_node *)n;

    if (c->kind != ACE_MESSAGES &&
        ((double)c->bytes < k->range[0] || (double)c->bytes > k->range[1]))
        return ACE_EINVAL;
    return chunk_flow_submit(k->flow, c, cycle);
}

static bool completion(ace_node *n, ace_completion *c) {
    return chunk_flow_completion(flow_of(n), c);
}

static bool arrival(ace_node *n, ace_arrival *a) { return chunk_flow_arrival(flow_of(n), a); }

static size_t statistics(const ace_node *n, ace_statistic *to, size_t capacity) {
    if (capacity) to[0] = (ace_statistic){ "calibrated.events", chunk_flow_events(flow_of(n)) };
    if (capacity > 1) to[1] = (ace_statistic){ "calibrated.unsure", chunk_flow_unsure(flow_of(n)) };
    return 2;
}

static void dump(const ace_node *n, FILE *to) { chunk_flow_dump(flow_of(n), to); }
static int error(const ace_node *n) { return chunk_flow_error(flow_of(n)); }

/* Checkpoints are refused before a run. */
static void state(ace_node *n, uint64_t now, ace_state *s) {
    (void)n;
    (void)now;
    s->failed = true;
}

int calibrated_node_create(const chunk_flow_setup *setup, const double range[2], ace_node **node) {
    static const ace_node_class class_ = { "calibrated", destroy,    run,     quiet_until,
                                           submit,       completion, arrival, statistics,
                                           dump,         error,      state,   moved };
    calibrated_node *k = calloc(1, sizeof *k);

    if (k) k->flow = chunk_flow_create(setup);
    if (!k || !k->flow) {
        free(k);
        return ACE_ENOMEM;
    }
    k->node.class_ = &class_;
    k->range[0] = range[0];
    k->range[1] = range[1];
    *node = &k->node;
    return ACE_OK;
}

chunk_flow *calibrated_node_flow(ace_node *node) { return flow_of(node); }
