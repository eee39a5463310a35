/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_graph.h -- a checked algorithm of MSCCL as the graphs of the NPUs
 *
 *     msccl_graph_create(&setup, &g)
 *     msccl_graph_open(g, npu, &reader)      as a graph_source's open
 *     msccl_graph_destroy(g)
 *
 * GPU i is the NPU at node i. The steps of a thread block run one after the other, and each step
 * waits for its dependency:
 *
 *   send      a message of cnt chunks to the peer; ends when its bytes have left
 *   receive   the peer's messages on the same channel, in order; ends when one has fully arrived
 *   cpy       reads and writes its bytes: 2 x cnt chunks at the NPU's memory
 *   re, rr..  reads two operands and writes one: 3 x cnt chunks
 *   nop       a node that takes no time
 *
 * `rcs` and similar types are a receive, then the sum, then a send. Copies and sums of an NPU share
 * its memory: they run one by one with its full bandwidth, like the sums of collectives by
 * messages.
 *
 * Nodes come loop by loop in the order that the check has found. In this order each node comes
 * after those that it waits for, at whichever NPU. A window of any size therefore holds a node that
 * can run.
 */
#ifndef MSCCL_GRAPH_H
#define MSCCL_GRAPH_H

#include "graph.h"
#include "graph_messages.h"
#include "msccl_order.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct msccl_graph_setup {
    const msccl_algorithm *a;
    const msccl_order *order;
    const ace_config *cfg; /* shared by all nodes */
    uint64_t chunk_bytes;  /* bytes of a chunk in one loop */
    unsigned loops;
    double memory_bytes; /* bytes a cycle; 0: copies and sums take no time */
} msccl_graph_setup;

typedef struct msccl_graph msccl_graph;
/* The setup and what it points to belong to the caller, which keeps them to msccl_graph_destroy().
 * Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int msccl_graph_create(const msccl_graph_setup *s, msccl_graph **g);
void msccl_graph_destroy(msccl_graph *g); /* NULL is allowed */
int msccl_graph_open(const msccl_graph *g, unsigned npu, graph_reader *to);

const graph_messages *msccl_graph_messages(const msccl_graph *g);
uint64_t msccl_graph_nodes(const msccl_graph *g); /* of all NPUs */
uint32_t msccl_graph_window(const msccl_graph *g);
/* Returns whether all NPUs do the same, shifted along the dimensions. */
bool msccl_graph_alike(const msccl_graph *g);
uint64_t msccl_graph_sent(const msccl_graph *g, unsigned npu); /* bytes of its messages */
const char *msccl_graph_label(uint32_t label);                 /* a name for a kind of node */

#ifdef __cplusplus
}
#endif

#endif
