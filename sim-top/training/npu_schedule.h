/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_schedule.h -- the steps of an NPU in an iteration of training
 *
 * A program has two streams that run in parallel. Each starts its steps again in every iteration.
 * The background stream does not start an iteration before the main stream does.
 *
 *   data-parallel layers   forward waits for the layer's all-reduce of the previous iteration;
 *                          backward, last layer first: weight gradient, issue the all-reduce,
 *                          input gradient
 *   sharded embeddings     lookup, issue the all-to-all; the interaction waits for it.  The
 *                          interaction's backward pass issues another all-to-all; the update
 *                          waits for this one
 *   optimised              the background stream updates for the previous iteration and looks up
 *                          for the next one.  The first lookup and the last update run in the
 *                          main stream, because nothing hides them.
 *   layer tables           in the order of layer_table_walk(), for other collectives
 *   no-overlap             issues at the end of the backward pass one all-reduce for all layers
 *                          (for a table, one for each set of dimensions), and waits for
 *                          everything that it issues (R)
 */
#ifndef NPU_SCHEDULE_H
#define NPU_SCHEDULE_H

#include "graph.h"
#include "machine.h"
#include "npu.h"
#include "operations.h"
#include "values.h"
#include "workload.h"

typedef enum step_kind {
    STEP_COMPUTE,
    STEP_ISSUE,
    STEP_WAIT,
    STEP_WAIT_BACKGROUND, /* until the background stream has done all iterations */
    STEP_BACKWARD         /* marks where the backward pass begins */
} step_kind;

/* Conditions on the iteration of a step. No bit set: the step is in each iteration. */
enum { NOT_FIRST = 1, NOT_LAST = 2, ONLY_FIRST = 4, ONLY_LAST = 8 };

typedef struct step {
    step_kind kind;
    uint8_t when;
    int8_t lag;     /* ISSUE, WAIT: how many iterations back */
    unsigned layer; /* COMPUTE */
    pass pass;
    unsigned slot;  /* ISSUE, WAIT */
    uint64_t ahead; /* Minimum cycles to the next ISSUE of its stream, or to the iteration's end. */
} step;

/* A collective that is issued once an iteration. If two iterations may run it at a time, slot
 * and slot + 1 alternate. */
typedef struct slot {
    ace_kind kind;
    unsigned dims; /* the dimensions, one bit each; 0: the run's dimensions */
    uint64_t bytes;
    const char *name; /* of a layer, or "" */
    bool alternates;
    uint64_t source, destination;
} slot;

enum { MAIN, BACKGROUND, STREAMS };
typedef struct npu_schedule {
    step *step[STREAMS];
    unsigned steps[STREAMS];
    slot *slot;
    unsigned slots;
} npu_schedule;

/* Builds the schedule. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int npu_schedule_create(const workload *w, const machine *of, npu_schedule *p);
void npu_schedule_free(npu_schedule *p);
/* Lists the dimensions of a collective in their order, and returns their number. */
uint8_t npu_schedule_dims(const slot *s, const machine *of, uint8_t dims[ACE_CLUSTER_DIMENSIONS]);
/* Returns the lane in which a stream computes. */
graph_lane npu_schedule_lane(unsigned stream);
/* Names for spans. */
extern const char *const pass_names[PASSES];

#endif
