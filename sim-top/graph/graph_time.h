/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_time.h -- what an NPU computes and moves, and the cycles that takes
 *
 * An operation starts as the cycles it takes alone and in each cycle makes a rate's worth of them
 * (graph_engine.h).  A sum of a collective that goes by messages takes time here, too.
 */
#ifndef GRAPH_TIME_H
#define GRAPH_TIME_H

#include "graph_npu.h"

bool graph_is_timed(const graph_node *n); /* a node that computes or moves */
/* On this NPU, what takes one of full speed `cycles`. */
uint64_t graph_paced(const npu_run *n, uint64_t cycles);
/* What communication, the background and transfers take of the NPU now: 0..GRAPH_SHARES - 1. */
unsigned graph_share_of(const npu_run *n);
/* The cycles that `left` needs at a rate above 0. */
uint64_t graph_needs(uint64_t left, uint32_t rate);
/* Starts the next operation of the node that takes time; false: there is none. */
bool graph_operation_start(graph_engine *e, npu_run *n, graph_place *p);
/* From now on it takes time, behind those of its lane.  False: no memory. */
bool graph_timed_add(npu_run *n, uint32_t place);
/* A node that computes or moves begins, or waits for its turn to; one that takes no time has ended
 * with that. */
void graph_timed_begin(graph_engine *e, npu_run *n, uint32_t place);
/* All that takes time does so until cycle `to`, before which nothing ends. */
void graph_time_pass(npu_run *n, uint64_t to);

#endif
