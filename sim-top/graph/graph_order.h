/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_order.h -- the order in which a graph's collectives, sends and receives are handed over
 *
 *     graph_order_open(&reader, &setup, &o);
 *     while ((more = graph_order_next(o, &node)) > 0) ...
 *     graph_order_close(o);
 *
 * The members of a group must take their collectives in one order, whatever else they do
 * meanwhile. It is that of a graph without a clock: of the nodes that can begin, the one of the
 * lowest id does, and is over at once.  Graphs that give their collectives the same dependencies
 * thus agree on it, and each that is next in it can begin once those before it are over: nobody
 * waits for ever.
 *
 * What a run would find out in the middle, a parent that never comes, a cycle, an id twice, is
 * found by going through the order before it, in the memory of one window.
 *
 * Rules that hold for every call
 *   Errors   EXIT_OK, or another status after a message.
 */
#ifndef GRAPH_ORDER_H
#define GRAPH_ORDER_H

#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct graph_order_setup {
    uint32_t window; /* nodes held at a time; as the engine's */
    unsigned npu;    /* for messages */
    bool quiet;      /* no message where nodes are left that cannot begin */
} graph_order_setup;

typedef struct graph_order graph_order;
/* Takes the reader over, also on failure. */
int graph_order_open(const graph_reader *r, const graph_order_setup *s, graph_order **o);
void graph_order_close(graph_order *o); /* NULL is allowed */

/* What graph_order_next() gives beside 1: *n is the next. */
enum { GRAPH_ORDER_END = 0, GRAPH_ORDER_FAILED = -1, GRAPH_ORDER_STUCK = -2 };
int graph_order_next(graph_order *o, graph_node *n);
/* To the beginning. */
int graph_order_rewind(graph_order *o);
uint64_t graph_order_nodes(const graph_order *o); /* gone through so far */
/* Where it is stuck: parents that have not come, and nodes that wait, for those or in a circle. */
void graph_order_left(const graph_order *o, uint32_t *missing, uint32_t *waiting);

#ifdef __cplusplus
}
#endif

#endif
