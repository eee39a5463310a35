/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_times.h -- when each node of an iteration began and ended, and where its time went
 *
 *     strategy_times_create(g, &plan, &t);
 *     observer = strategy_times_observer(t);      one of the run's observers
 *     ... fabric_run() ...
 *     strategy_times_end(t, f);
 *     share = strategy_times_share(t, representative);
 *
 * An NPU computes, or it waits. It waits for the last node to end among those that its next
 * computation needs. That node may have waited for another node, so the path is followed backwards.
 * The time of a wait is charged to
 *   a group      while its collective runs or is queued
 *   messages     while a receive waits and its sender has begun
 *   the bubble   before the sender has begun, and after the last node of an NPU
 *
 * Rules that hold for every call
 *   Time        Cycles.
 *   Processes   All call strategy_times_end(), which sends all times to each process.
 *   Errors      EXIT_OK, or EXIT_CHECK after a message when there is no memory.
 */
#ifndef STRATEGY_TIMES_H
#define STRATEGY_TIMES_H

#include "fabric.h"
#include "fabric_observer.h"
#include "strategy_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The sum of all members is the iteration's time. */
typedef struct strategy_share {
    uint64_t computing;
    uint64_t exposed[GROUPS]; /* waiting for communication of a group */
    uint64_t bubble;          /* for other stages */
} strategy_share;

typedef struct strategy_times strategy_times;
int strategy_times_create(const strategy_graph *g, const strategy_plan *p, strategy_times **t);
void strategy_times_destroy(strategy_times *t); /* NULL is allowed */
fabric_observer strategy_times_observer(strategy_times *t);
/* Call it after the run, before the functions below. */
int strategy_times_end(strategy_times *t);
/* The order in which an endpoint serves several collectives. Collectives on rings share the
 * endpoint, whatever their groups and dimensions, because it dispatches one chunk after the
 * other. */
typedef enum strategy_queue {
    QUEUE_BY_GROUP, /* one of each group: groups do not affect one another */
    QUEUE_FIFO,     /* the oldest one, to its end */
    QUEUE_LIFO      /* the newest one, after the bytes in flight; older ones continue after it */
} strategy_queue;
/* Composes the times without a run. A node begins when its parents have ended, in the order of the
 * queue, and lasts takes() cycles; a message lasts until it has arrived. Collectives by messages
 * run one at a time in each group. Each stage has one representative. A host launches the kernels
 * of its NPU one after the other, and no node ends before its launches. A host that receives waits
 * for its NPU. */
typedef struct strategy_costs {
    void *self;
    uint64_t (*takes)(void *self, uint32_t stage, const plan_node *n); /* cycles */
    uint64_t (*launch)(void *self, const plan_node *n); /* cycles of the host for its kernels */
    bool (*in_queue)(void *self, const plan_node *n);   /* the collective is in the shared queue */
    strategy_queue queue;
    uint64_t in_flight; /* most bytes that the endpoint has dispatched: nothing overtakes them */
} strategy_costs;
int strategy_times_compose(strategy_times *t, const strategy_costs *c);
/* The errors of composed times, for a representative of the run: |start - start'| and |end - end'|
 * of each computation, collective and send. Both clocks start with the iteration. */
typedef struct strategy_error {
    double mean, worst; /* cycles */
    uint64_t count;
} strategy_error;
/* to: NULL, or room for two errors of each node of the stage; receives 2 * `count` errors. */
strategy_error strategy_times_error(const strategy_times *composed, const strategy_times *run,
                                    unsigned representative, double *to);
uint64_t strategy_times_iteration(const strategy_times *t); /* the end of the last node */
strategy_share strategy_times_share(const strategy_times *t, unsigned representative);
/* Makes the data of a picture: when each entry of the lists ran, and the gaps between the entries.
 * A gap is computing outside the lists, a wait for a group's communication, or the bubble.
 * pipeline_result_free() frees. */
int strategy_times_pipeline(const strategy_times *t, const pipeline *l, pipeline_result *r);

#ifdef __cplusplus
}
#endif

#endif
