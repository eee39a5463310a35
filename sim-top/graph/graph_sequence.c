/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_sequence.c -- reads the graph's order ahead, and numbers what must keep a sequence
 *
 * The order is a second reader of the same graph, advanced only as far as needed. A node may begin
 * when the number of its predecessors that have begun equals its ordinal. Resuming reads the order
 * from its start and counts again what has begun.
 */
#include "graph_sequence.h"

#include "exit_status.h"

/* Returns the sequence to which a node's step belongs. One of the step's channels identifies it. */
static uint64_t sequence_of(const graph_engine *e, const npu_run *n, const graph_node *node,
                            unsigned step) {
    const uint64_t received = UINT64_C(1) << 63;
    const unsigned npu = n->window.npu;
    graph_channel c = { npu, node->peer, node->tag, node->command.bytes };
    bool sends = node->kind == GRAPH_SEND;

    if (graph_by_messages(node)) {
        const graph_step s = graph_step_of(node, step);

        sends = s.to == WHO_OTHERS;
        c = (graph_channel){ npu, graph_other(node, 0), graph_step_tag(node, step), s.bytes };
        if (!sends) c = (graph_channel){ node->member[0], npu, c.tag, c.bytes };
    } else if (!sends) {
        c = (graph_channel){ node->peer, npu, c.tag, c.bytes };
    }
    return (sends ? (uint64_t)c.to << 32 : received) | graph_messages_label(e->source.messages, &c);
}

bool graph_begins_in_order(const graph_engine *e, const graph_node *n) {
    return e->source.in_order && n->kind == GRAPH_COLLECTIVE && !graph_by_messages(n);
}

/* Reads the next node of the order, and gives it its ordinal. Returns false if there is none. */
static bool read_next(const graph_engine *e, npu_run *n, graph_node *node) {
    const int more = n->order ? graph_order_next(n->order, node) : GRAPH_ORDER_END;
    void *agreed = n->agreed;
    uint64_t *in, *to;

    if (more < 0) n->failed = EXIT_USAGE; /* after a message */
    if (more <= 0) return false;
    n->passed++;
    if (graph_begins_in_order(e, node)) {
        if (n->agreed_first == n->agreed_count) n->agreed_first = n->agreed_count = 0;
        if (!graph_room_for(&agreed, n->agreed_count, &n->agreed_room, sizeof *n->agreed))
            return graph_no_memory(n), false;
        n->agreed = agreed;
        n->agreed[n->agreed_count++] = node->id;
        return true;
    }
    in = graph_map_at(&n->ordered, sequence_of(e, n, node, 0));
    to = graph_map_at(&n->ordinal, node->id);
    if (!in || !to) return graph_no_memory(n), false;
    *to = ++*in;
    return true;
}

void graph_ordinal_find(const graph_engine *e, npu_run *n, graph_window_entry *p) {
    graph_node node;

    while (!graph_map_has(&n->ordinal, p->node.id))
        if (!read_next(e, n, &node)) return; /* cannot happen: the graphs were checked */
    p->progress.ordinal = *graph_map_at(&n->ordinal, p->node.id) - 1;
}

bool graph_gate_open(const graph_engine *e, npu_run *n, const graph_window_entry *p) {
    const uint64_t *begun = graph_map_at(&n->begun, sequence_of(e, n, &p->node, p->progress.step));

    if (!begun) return graph_no_memory(n), false;
    return *begun == p->progress.ordinal;
}

void graph_gate_pass(const graph_engine *e, npu_run *n, const graph_node *node, unsigned step) {
    uint64_t *begun = graph_map_at(&n->begun, sequence_of(e, n, node, step));

    if (begun)
        ++*begun;
    else
        (void)graph_no_memory(n);
}

bool graph_agreed_next(const graph_engine *e, npu_run *n, uint64_t *id) {
    graph_node node;

    while (n->agreed_first == n->agreed_count)
        if (!read_next(e, n, &node)) return false;
    *id = n->agreed[n->agreed_first];
    return true;
}

/* Counts a node that had begun, and its steps. */
static void begin_again(const graph_engine *e, npu_run *n, const graph_node *node) {
    const uint32_t i = graph_window_find(&n->window, node->id);
    unsigned steps = graph_by_messages(node) ? graph_steps(node) : 1;

    if (i != GRAPH_NONE && n->window.at[i].state != ENTRY_RUNNING) return;
    /* not read yet */
    if (i == GRAPH_NONE && !graph_ids_have(&n->window.finished, node->id)) return;
    if (i != GRAPH_NONE && graph_by_messages(node))
        steps = n->window.at[i].progress.step + !graph_is_due(&n->window.at[i]);
    (void)graph_map_take(&n->ordinal, node->id);
    for (unsigned k = 0; k < steps && node->kind != GRAPH_RECEIVE; k++)
        graph_gate_pass(e, n, node, k);
}

bool graph_sequence_resume(const graph_engine *e, npu_run *n, uint64_t passed) {
    graph_node node;

    if (!n->order) return true;
    if (graph_order_rewind(n->order) != EXIT_OK) return false;
    graph_map_free(&n->ordinal);
    graph_map_free(&n->ordered);
    graph_map_free(&n->begun);
    n->agreed_first = n->agreed_count = 0;
    n->passed = 0;
    while (n->passed < passed && read_next(e, n, &node))
        if (!graph_begins_in_order(e, &node)) begin_again(e, n, &node);
    n->agreed_first = (unsigned)n->collectives_begun;
    return n->failed == EXIT_OK && n->collectives_begun <= n->agreed_count;
}
