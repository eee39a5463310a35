/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_resume.h -- an NPU's run, written to a checkpoint and found again
 *
 * The graph itself is read again (graph_engine.h); kept is where each node of the window is.  Who
 * is ready, who takes time and who waits is found from that.
 */
#ifndef GRAPH_RESUME_H
#define GRAPH_RESUME_H

#include "graph_npu.h"

/* s->failed afterwards: no memory, or the checkpoint does not fit the graph. */
void graph_npu_state(graph_engine *e, npu_run *n, ace_state *s);

#endif
