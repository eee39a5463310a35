/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_schedule.h -- what an NPU does in an iteration of training, step by step
 *
 * A program has two streams that run side by side.  Each begins its steps anew in every
 * iteration, the background one not before the main one is in it.
 *
 *   data-parallel layers   forward waits for the layer's all-reduce of the iteration before;
 *                          backward, last layer first: weight gradient, issue the all-reduce,
 *                          input gradient
 *   sharded embeddings     lookup, issue the all-to-all, which the interaction waits for; the
 *                          interaction's backward pass issues the one back, which the update
 *                          waits for
 *   optimised              the background stream updates for the iteration before and looks up
 *                          for the next one.  The first lookup and the last update have nothing
 *                          to hide behind and are the main stream's.
 *   layer tables           whose collectives are others: as layer_table_walk() goes over them
 *   no-overlap             issues at the end of the backward pass one all-reduce for all
 *                          layers (of a table one for each set of dimensions), and waits for
 *                          whatever it issues (R)
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
    STEP_WAIT_BACKGROUND, /* it has done all iterations */
    STEP_BACKWARD         /* marks where the backward pass begins */
} step_kind;

/* Of the first and the last iteration; all bits clear: a step of each. */
enum { NOT_FIRST = 1, NOT_LAST = 2, ONLY_FIRST = 4, ONLY_LAST = 8 };

typedef struct step {
    step_kind kind;
    uint8_t when;
    int8_t lag;     /* ISSUE, WAIT: of how many iterations before */
    unsigned layer; /* COMPUTE */
    pass pass;
    unsigned slot;  /* ISSUE, WAIT */
    uint64_t ahead; /* cycles to the next ISSUE of its stream, or to the iteration's end: it is
                       no sooner, whatever goes on */
} step;

/* A collective that is issued once an iteration.  Where two iterations' may be under way at a
 * time, slot and slot + 1 take turns. */
typedef struct slot {
    ace_kind kind;
    unsigned dims; /* that it is of, a bit each; 0: those of the run */
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

/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message. */
int npu_schedule_create(const workload *w, const machine *of, npu_schedule *p);
void npu_schedule_free(npu_schedule *p);
/* The dimensions of a collective in their order; returns how many. */
uint8_t npu_schedule_dims(const slot *s, const machine *of, uint8_t dims[ACE_CLUSTER_DIMENSIONS]);
/* Where a stream computes. */
graph_lane npu_schedule_lane(unsigned stream);
/* For the names of the spans. */
extern const char *const pass_names[PASSES];

#endif
