/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_time.h -- the operations of an NPU that take time, and their cycles
 *
 * An operation starts with the cycles that it takes alone, and each cycle reduces them by a rate
 * (graph_engine.h). The sums of collectives by messages take time here, too.
 */
#ifndef GRAPH_TIME_H
#define GRAPH_TIME_H

#include "graph_npu.h"

bool graph_is_timed(const graph_node *n); /* the node computes or moves data */
/* Returns the cycles on this NPU of what takes `cycles` at full speed. */
uint64_t graph_paced(const npu_run *n, uint64_t cycles);
/* Returns which combination of communication, background and transfers uses the NPU now:
 * 0..GRAPH_SHARES - 1. */
unsigned graph_share_of(const npu_run *n);
/* Returns the cycles that `left` takes at a rate above 0. */
uint64_t graph_needs(uint64_t left, uint32_t rate);
/* Launches kernels after the earlier ones of the NPU's host. Returns the cycles until they are
 * launched. No kernel ends before that. */
uint64_t graph_launch(const graph_engine *e, npu_run *n, double launches);
/* Starts the node's next operation that takes time. Returns false if there is none. */
bool graph_operation_start(graph_engine *e, npu_run *n, graph_window_entry *p);
/* Adds a node to those that take time, after the others of its lane. Returns false when there is no
 * memory. */
bool graph_timed_add(npu_run *n, uint32_t index);
/* Begins a node that computes or moves, or requests its transfer of shared memory. Finishes a node
 * that takes no time. */
void graph_timed_begin(graph_engine *e, npu_run *n, uint32_t index);
/* Advances all operations to cycle `to`. Nothing may end earlier. */
void graph_time_pass(npu_run *n, uint64_t to);

#endif
