/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_command.h -- begins, advances and ends collectives, sends and receives
 *
 * A collective on the endpoint is one command, and so is a send. A receive is none. A collective by
 * messages is one command for each step. Between two steps, received data may have to be summed.
 */
#ifndef GRAPH_COMMAND_H
#define GRAPH_COMMAND_H

#include "graph_npu.h"

/* Begins a node in cycle `now`, to which its NPU has run. */
void graph_command_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                         uint64_t now);
/* Begins the current step of a collective by messages: submits its sends and waits for its
 * receives. */
void graph_step_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                      uint64_t now);
/* Called when a step has ended except for its sum, or with its sum. */
void graph_step_end(graph_engine *e, unsigned representative, npu_run *n, uint32_t index);
/* Called when a command of the node has completed, or a message has come. Ends the step or the node
 * if nothing more is awaited. */
void graph_advance(graph_engine *e, unsigned representative, npu_run *n, uint32_t index);
/* Queues a node whose next step begins when earlier nodes of its sequence allow it. */
void graph_due_push(npu_run *n, uint32_t index);
/* Adds the node to the number of those under way, or subtracts it. */
void graph_open_count(npu_run *n, const graph_node *node, bool begins);
/* graph_part_held() returns whether a part has its slot already, because another part of its
 * collective has begun. graph_part_resume() restores this after a checkpoint, for collectives with
 * a finished part. */
bool graph_part_held(const npu_run *n, const graph_node *node);
void graph_part_resume(npu_run *n, const graph_node *node);
/* Records when a collective ran, if the source wants that. */
void graph_span_keep(const graph_engine *e, npu_run *n, const ended *c);

#endif
