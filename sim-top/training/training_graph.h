/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training_graph.h -- the graph of training iterations, made step by step from a schedule
 *
 * The steps of a stream run one after the other. A node waits for the previous computation, and for
 * the collectives that were awaited since then. Issuing a collective does not block; only a step
 * that waits for the collective does. The background of an iteration comes first. It waits for the
 * mark at the end of the main stream's previous iteration.
 */
#ifndef TRAINING_GRAPH_H
#define TRAINING_GRAPH_H

#include "graph.h"
#include "npu_schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Return the labels of steps, by pass and layer, and of collectives, by slot. Marks have label 2i
 * where the backward pass of iteration i begins, and 2i + 1 where the iteration ends. */
uint32_t training_step_label(const workload *w, const step *s);
uint32_t training_slot_label(const workload *w, unsigned slot);
enum { TRAINING_MARKS = 2 };
#define TRAINING_NO_MARK UINT32_MAX

/* Opens a reader of the graph. The arguments stay the caller's and must not move. Returns EXIT_OK,
 * or EXIT_CHECK after a message. */
int training_graph_open(const workload *w, const machine *of, const npu_schedule *p,
                        graph_reader *r);
/* Returns how many nodes a window must hold so that each node can begin when it may. */
uint32_t training_graph_window(const npu_schedule *p);

#ifdef __cplusplus
}
#endif

#endif
