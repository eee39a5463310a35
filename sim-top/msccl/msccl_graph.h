/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_graph.h -- a checked algorithm of MSCCL as the graphs of the NPUs
 *
 *     msccl_graph_create(&setup, &g)
 *     msccl_graph_open(g, npu, &reader)      as a graph_maker's open
 *     msccl_graph_destroy(g)
 *
 * GPU i is the NPU at node i.  A thread block's steps go one after the other, each after its
 * dependency:
 *
 *   send      a message of cnt chunks to the peer; over when its bytes have left
 *   receive   that of the peer, on the same channel, in order; over when it is whole
 *   cpy       reads and writes its bytes: 2 x cnt chunks at the NPU's memory
 *   re, rr..  reads two operands and writes one: 3 x cnt chunks
 *   nop       a mark
 *
 * `rcs` and the like are a receive, then the sum, then a send.  Copies and sums of an NPU share its
 * memory: they go one by one, at all of its bandwidth, like the sums of collectives by messages.
 *
 * Nodes come in the order that the check has found, loop by loop: in it each comes after those it
 * waits for, at whichever NPU, so that a window of any size holds one that can go.
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
    const ace_config *cfg; /* that all nodes share */
    uint64_t chunk_bytes;  /* that a loop moves of a chunk */
    unsigned loops;
    double memory_bytes; /* a cycle; 0: copies and sums take no time */
} msccl_graph_setup;

typedef struct msccl_graph msccl_graph;
/* The setup and what it points at stay the caller's and in place.  EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message. */
int msccl_graph_create(const msccl_graph_setup *s, msccl_graph **g);
void msccl_graph_destroy(msccl_graph *g); /* NULL is allowed */
int msccl_graph_open(const msccl_graph *g, unsigned npu, graph_reader *to);

const graph_messages *msccl_graph_messages(const msccl_graph *g);
uint64_t msccl_graph_nodes(const msccl_graph *g); /* of all NPUs */
uint32_t msccl_graph_window(const msccl_graph *g);
/* All NPUs do the same, shifted against each other along the dimensions. */
bool msccl_graph_alike(const msccl_graph *g);
uint64_t msccl_graph_sent(const msccl_graph *g, unsigned npu); /* bytes of its messages */
const char *msccl_graph_label(uint32_t label);                 /* what a node is, in words */

#ifdef __cplusplus
}
#endif

#endif
