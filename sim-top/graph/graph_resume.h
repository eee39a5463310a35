/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_resume.h -- saves an NPU's run to a checkpoint, and loads it
 *
 * The graph itself is read again (graph_engine.h). The checkpoint holds the state of each node in
 * the window. Ready nodes, running nodes and waiting nodes are found from these states.
 */
#ifndef GRAPH_RESUME_H
#define GRAPH_RESUME_H

#include "graph_npu.h"

/* Saves or loads the run. Sets s->failed if there is no memory, or the checkpoint does not fit the
 * graph. */
void graph_npu_state(graph_engine *e, npu_run *n, ace_state *s);

#endif
