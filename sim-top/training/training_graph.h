/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training_graph.h -- the graph of training iterations, made step by step of a schedule
 *
 * The steps of a stream follow one another: a node waits for the computation before it, and for
 * the collectives that were waited for since.  Whoever issues a collective goes on, so nothing
 * waits for it but who says so.  Of each iteration the background comes first, which waits for
 * the mark at the end of the main stream's iteration before.
 */
#ifndef TRAINING_GRAPH_H
#define TRAINING_GRAPH_H

#include "graph.h"
#include "npu_schedule.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Labels: of steps by pass and layer, of collectives by slot.  Of marks: 2i where the backward pass
 * of iteration i begins, 2i + 1 where the iteration ends. */
uint32_t training_step_label(const workload *w, const step *s);
uint32_t training_slot_label(const workload *w, unsigned slot);
enum { TRAINING_MARKS = 2 };
#define TRAINING_NO_MARK UINT32_MAX

/* A reader of the graph; what it is made of stays the caller's and in place.  EXIT_OK, or
 * EXIT_CHECK after a message. */
int training_graph_open(const workload *w, const machine *of, const npu_schedule *p,
                        graph_reader *r);
/* How many nodes of it must be held for each to begin when it may. */
uint32_t training_graph_window(const npu_schedule *p);

#ifdef __cplusplus
}
#endif

#endif
