/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_times.h -- when each node of an iteration began and ended, and where its time went
 *
 *     strategy_times_create(g, &plan, &t);
 *     observer = strategy_times_observer(t);      beside others of the run
 *     ... fabric_run() ...
 *     strategy_times_end(t, f);
 *     strategy_times_share(t, npu, f, &share);    of the NPU that a representative is
 *
 * An NPU computes, or it waits.  It waits for the node that ends last among those that its next
 * computation needs.  That node waited for another in turn, so the path is followed backwards.  The
 * time of a wait goes to
 *   a group      while its collective is under way or waits for its turn
 *   messages     while a receive waits and its sender has begun
 *   the bubble   before the sender has begun, and after the last node of an NPU
 *
 * Rules that hold for every call
 *   Time        Cycles.
 *   Processes   All call strategy_times_end(), which brings all times to each.
 *   Errors      EXIT_OK, or EXIT_CHECK after a message: no memory.
 */
#ifndef STRATEGY_TIMES_H
#define STRATEGY_TIMES_H

#include "fabric.h"
#include "fabric_observer.h"
#include "strategy_graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* They add up to the iteration. */
typedef struct strategy_share {
    uint64_t computing;
    uint64_t exposed[GROUPS]; /* waiting for communication of a group */
    uint64_t bubble;          /* for other stages */
} strategy_share;

typedef struct strategy_times strategy_times;
int strategy_times_create(const strategy_graph *g, const strategy_plan *p, strategy_times **t);
void strategy_times_destroy(strategy_times *t); /* NULL is allowed */
fabric_observer strategy_times_observer(strategy_times *t);
/* After the run, before the others. */
int strategy_times_end(strategy_times *t);
/* Which of several collectives that an endpoint has goes on.  Those on rings share it, whatever
 * their groups and dimensions: chunks are dispatched one behind the other. */
typedef enum strategy_queue {
    QUEUE_BY_GROUP, /* one of each group: groups do not know of one another */
    QUEUE_FIFO,     /* the first one, to its end */
    QUEUE_LIFO /* the last one, behind what is in flight; the rest of those before it goes on behind
                  it */
} strategy_queue;
/* In place of a run: nodes begin as soon as what they wait for has ended, in the order of the
 * queue, and take what `takes` says, a message until it has come.  Collectives by messages are one
 * at a time in each group. An NPU of each stage then is a representative.  A host launches the
 * kernels of its NPU one after the other: no node ends before its launches.  A host that
 * receives waits for its NPU. */
typedef struct strategy_costs {
    void *self;
    uint64_t (*takes)(void *self, uint32_t stage, const plan_node *n); /* cycles */
    uint64_t (*launch)(void *self, const plan_node *n); /* cycles of the host for its kernels */
    bool (*in_queue)(void *self, const plan_node *n);   /* of a collective: that of all groups */
    strategy_queue queue;
    uint64_t
        in_flight; /* bytes that the endpoint has dispatched at most, which nothing overtakes */
} strategy_costs;
int strategy_times_compose(strategy_times *t, const strategy_costs *c);
/* How far composed times are off those of a run, of a representative of the run: of each event, a
 * computation, collective or send, |start - start'| and |end - end'|, both clocks being 0 where the
 * iteration begins. */
typedef struct strategy_error {
    double mean, worst; /* cycles */
    uint64_t count;
} strategy_error;
/* to: of room for two of each node of the stage, or NULL: each of them; how many is 2 `count`. */
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
