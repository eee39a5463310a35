/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training.h -- training iterations: the schedule of an NPU as a graph, and what they took
 *
 * All NPUs have the same graph, made step by step of the schedule (npu_schedule.h) and run by
 * graph_engine.h.
 */
#ifndef TRAINING_H
#define TRAINING_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"
#include "fabric.h"
#include "spans.h"
#include "workload.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles of an iteration. */
typedef struct iteration {
    uint64_t cycles, forward; /* the whole, and the forward pass of it */
    uint64_t compute;         /* in which the NPU computes */
    uint64_t main, alone;     /* of the main stream; and had it had the whole NPU */
} iteration;
typedef struct training training;
/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message. */
int training_create(const workload *w, const machine *of, fabric *f, training **t);
void training_destroy(training *t);
driver training_driver(training *t);
/* After the run: what follows is of all processes.  EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a
 * message. */
int training_end(training *t);
const spans *training_spans(const training *t, unsigned representative);
/* Over all nodes: an iteration ends when the last of them has ended it; each of the rest is
 * the longest. */
iteration training_iteration(const training *t, unsigned i);
/* Kind, dimensions and bytes of the collective of an iteration that moves most; of no bytes:
 * there is none. */
ace_command training_largest(const training *t);
uint64_t training_cycles(const training *t);
/* Cycles in which node 0 had a collective outstanding. */
uint64_t training_communication(const training *t);

#ifdef __cplusplus
}
#endif

#endif
