/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_order.c -- runs a graph without a clock: the ready node with the lowest id ends at once
 *
 * The nodes come from a window and wait in a queue ordered by id. Only nodes that go to the fabric
 * are returned.
 */
#include "graph_order.h"

#include <stdlib.h>

#include "exit_status.h"
#include "graph_queue.h"
#include "graph_window.h"
#include "message.h"

struct graph_order {
    graph_order_setup setup;
    graph_window window;
    graph_queue ready;
};

int graph_order_open(const graph_reader *r, const graph_order_setup *s, graph_order **to) {
    graph_order *o = calloc(1, sizeof *o);

    *to = o;
    if (!o) {
        if (r->close) r->close(r->self);
        return message_no_memory();
    }
    o->setup = *s;
    graph_window_open(&o->window, r, s->window, s->npu);
    return EXIT_OK;
}

void graph_order_close(graph_order *o) {
    if (!o) return;
    graph_window_close(&o->window);
    free(o->ready.at);
    free(o);
}

static int no_memory(void) {
    (void)message_no_memory();
    return GRAPH_ORDER_FAILED;
}

int graph_order_next(graph_order *o, graph_node *n) {
    graph_window *w = &o->window;

    for (;;) {
        uint32_t i;

        if (graph_window_fill(w) != EXIT_OK) return GRAPH_ORDER_FAILED;
        while ((i = graph_window_ready(w)) != GRAPH_NONE)
            if (!graph_queue_put(&o->ready, (graph_entry){ w->at[i].node.id, 0, i }))
                return no_memory();
        if (!o->ready.count) break;
        i = graph_queue_take(&o->ready);
        *n = w->at[i].node;
        if (!graph_window_finish(w, i)) return no_memory();
        if (graph_goes_to_fabric(n)) return 1;
    }
    if (graph_window_over(w)) return GRAPH_ORDER_END;
    if (!o->setup.quiet) (void)graph_window_stuck(w);
    return GRAPH_ORDER_STUCK;
}

int graph_order_rewind(graph_order *o) {
    o->ready.count = 0;
    return graph_window_rewind(&o->window);
}

void graph_order_left(const graph_order *o, uint32_t *missing, uint32_t *waiting) {
    *missing = o->window.expected;
    *waiting = o->window.nodes;
}

uint64_t graph_order_nodes(const graph_order *o) { return o->window.finished_count; }
