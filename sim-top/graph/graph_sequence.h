/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_sequence.h -- which collective or message begins before which
 *
 * Two orders hold at an NPU. Collectives on the endpoint begin in the order of graph_order.h,
 * which is the same at all NPUs. Messages of one channel, and steps of collectives by messages,
 * begin in the order of their sequence, because the other side expects them in that order. A node
 * gets its ordinal when the order reaches it. It may begin when all earlier nodes of the sequence
 * have begun.
 */
#ifndef GRAPH_SEQUENCE_H
#define GRAPH_SEQUENCE_H

#include "graph_npu.h"

/* Returns whether the node is a collective on the endpoint that begins in the agreed order. */
bool graph_begins_in_order(const graph_engine *e, const graph_node *n);
/* Returns whether the order has a next collective on the endpoint, and sets its id. */
bool graph_agreed_next(const graph_engine *e, npu_run *n, uint64_t *id);
/* Sets the node's ordinal. */
void graph_ordinal_find(const graph_engine *e, npu_run *n, graph_window_entry *p);
/* Returns whether all earlier nodes in the sequence of the node's current step have begun. */
bool graph_gate_open(const graph_engine *e, npu_run *n, const graph_window_entry *p);
/* Records that the node begins this step, which may let the next node of the sequence begin. */
void graph_gate_pass(const graph_engine *e, npu_run *n, const graph_node *node, unsigned step);
/* After a checkpoint: reads the order again up to `passed` nodes. Returns false if the checkpoint
 * does not fit the graph. */
bool graph_sequence_resume(const graph_engine *e, npu_run *n, uint64_t passed);

#endif
