/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_sequence.h -- which collective or message begins before which
 *
 * Two orders hold at an NPU.  Collectives of the endpoint take turns in the order of graph_order.h,
 * which is the same at all NPUs.  Messages of one channel, and steps of collectives that go by
 * messages, begin in the order of their sequence, since the other side takes them in that order: a
 * node is given its ordinal when the order comes to it, and its gate opens when all before it have
 * begun.
 */
#ifndef GRAPH_SEQUENCE_H
#define GRAPH_SEQUENCE_H

#include "graph_npu.h"

/* Is it a collective of the endpoint that waits for its turn? */
bool graph_takes_turns(const graph_engine *e, const graph_node *n);
/* Is there a collective whose turn it is?  Its id. */
bool graph_turn_next(const graph_engine *e, npu_run *n, uint64_t *id);
/* Gives the node its ordinal. */
void graph_ordinal_find(const graph_engine *e, npu_run *n, graph_place *p);
/* Have all before it in its sequence begun, in their present step? */
bool graph_gate_open(const graph_engine *e, npu_run *n, const graph_place *p);
/* It begins in that step, and lets the one behind it. */
void graph_gate_pass(const graph_engine *e, npu_run *n, const graph_node *node, unsigned step);
/* After a checkpoint: as far on in the order as when `passed` nodes had been looked at.  False: the
 * checkpoint does not fit the graph. */
bool graph_turn_resume(const graph_engine *e, npu_run *n, uint64_t passed);

#endif
