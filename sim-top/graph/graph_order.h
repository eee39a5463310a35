/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_order.h -- the order in which a graph's collectives, sends and receives are submitted
 *
 *     graph_order_open(&reader, &setup, &o);
 *     while ((more = graph_order_next(o, &node)) > 0) ...
 *     graph_order_close(o);
 *
 * The members of a group must submit their collectives in one order, whatever else they do. The
 * order follows from running the graph without a clock: the ready node with the lowest id begins,
 * and ends at once. So graphs with the same dependencies among collectives agree on the order. Each
 * collective can begin when earlier ones have ended, and no node waits for ever.
 *
 * Reading the order before a run also finds faults of the graph, with the memory of one window: a
 * missing parent, a cycle, or an id that occurs twice.
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
    uint32_t window; /* most nodes in memory at a time; as for the engine */
    unsigned npu;    /* for messages */
    bool quiet;      /* no message if nodes remain that cannot begin */
} graph_order_setup;

typedef struct graph_order graph_order;
/* Takes ownership of the reader, also on failure. */
int graph_order_open(const graph_reader *r, const graph_order_setup *s, graph_order **o);
void graph_order_close(graph_order *o); /* NULL is allowed */

/* Other results of graph_order_next(); 1 means that *n is the next node. */
enum { GRAPH_ORDER_END = 0, GRAPH_ORDER_FAILED = -1, GRAPH_ORDER_STUCK = -2 };
int graph_order_next(graph_order *o, graph_node *n);
/* Goes back to the beginning. */
int graph_order_rewind(graph_order *o);
uint64_t graph_order_nodes(const graph_order *o); /* number of nodes read so far */
/* After GRAPH_ORDER_STUCK: the number of missing parents, and of nodes that wait for these or in a
 * cycle. */
void graph_order_left(const graph_order *o, uint32_t *missing, uint32_t *waiting);

#ifdef __cplusplus
}
#endif

#endif
