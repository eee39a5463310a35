/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_command.h -- collectives, sends and receives: begun, stepped on and ended
 *
 * A collective of the endpoint and a send are one command; a receive is none; a collective by
 * messages is a command a step, and between two steps what has come may have to be summed.
 */
#ifndef GRAPH_COMMAND_H
#define GRAPH_COMMAND_H

#include "graph_npu.h"

/* The node begins in cycle `now`, to which its NPU has run. */
void graph_command_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                         uint64_t now);
/* So does the present step of a collective by messages: what it sends, and what it waits for. */
void graph_step_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                      uint64_t now);
/* All of a step is over but its sum, or that, too. */
void graph_step_end(graph_engine *e, unsigned representative, npu_run *n, uint32_t place);
/* A command of the node has completed, or a message that it waits for has come: where that is all,
 * its step or the node has ended. */
void graph_advance(graph_engine *e, unsigned representative, npu_run *n, uint32_t place);
/* Its next step begins when those before it let it. */
void graph_due_push(npu_run *n, uint32_t place);
/* Counts the node as under way, or no more. */
void graph_open_count(npu_run *n, const graph_node *node, bool begins);
/* Has a part its slot, as another part of its collective has begun?  And after a checkpoint: those
 * of which one is over have it. */
bool graph_part_held(const npu_run *n, const graph_node *node);
void graph_part_resume(npu_run *n, const graph_node *node);
/* Keeps when a collective ran, where the maker asks for it. */
void graph_span_keep(const graph_engine *e, npu_run *n, const ended *c);

#endif
