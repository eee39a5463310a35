/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training.h -- runs training iterations: the schedule of an NPU as a graph, and its times
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
    uint64_t cycles, forward; /* the whole iteration, and its forward pass */
    uint64_t compute;         /* in which the NPU computes */
    uint64_t main, alone;     /* cycles of the main stream; and if it had the whole NPU */
    uint64_t launching;       /* cycles of it in which the NPU waited for the host's launches */
} iteration;
/* Returns the cycles that the main stream lost to collectives and to what is reserved for them. */
static inline uint64_t iteration_contention(const iteration *i) {
    const uint64_t without = i->alone + i->launching;

    return i->main > without ? i->main - without : 0;
}
typedef struct training training;
/* Creates the training. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int training_create(const workload *w, const machine *of, fabric *f, training **t);
void training_destroy(training *t);
driver training_driver(training *t);
/* Call it after the run: it combines the times of all processes, which the next functions return.
 * Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int training_end(training *t);
const spans *training_spans(const training *t, unsigned representative);
/* Returns the times of an iteration over all nodes. It ends when the last node has ended it. Each
 * other member is the largest value of all nodes. */
iteration training_iteration(const training *t, unsigned i);
/* Returns the collective of an iteration that moves most bytes: its kind, dimensions and bytes. 0
 * bytes: there is none. */
ace_command training_largest(const training *t);
uint64_t training_cycles(const training *t);
/* Returns the cycles in which node 0 had a collective outstanding. */
uint64_t training_communication(const training *t);

#ifdef __cplusplus
}
#endif

#endif
