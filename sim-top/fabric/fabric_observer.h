/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_observer.h -- the interface of tools that watch a run without changing it
 *
 * The fabric has no list of observers by name. The code that starts a run makes the observers,
 * passes them to fabric_create(), and keeps them until the fabric is destroyed. The calls come in
 * this order:
 *     wrap(node's core)                     while the fabric is made, for one node
 *     wrap(node's core)                     while the fabric is made, for one node
 *     attach(fabric, driver)                the run starts; state that state() moves is made here
 *     state(loading)                        if the run is resumed from a checkpoint
 *     begin()                               before the first cycle, or the first one after resuming
 *     each window [now, until)
 *         before_window(until)
 *         for each representative that does not sleep through the window, one or more steps
 *             awake(representative, now)            it slept until now
 *             horizon(now, next)                    how far the next step may go
 *             before_run(representative, to)
 *             after_run(representative, to)
 *         after_window(until)
 *         state(saving)                     if a checkpoint is due
 *     end(now, failed)
 *
 *     submitted, completed, worked          at any point in a representative's steps
 *
 * Rules that hold for every call
 *   Missing    A call that an observer does not need is NULL.
 *   Threads    Calls that name a representative come from one thread at a time for this
 *              representative, and from several threads for several representatives.  All other
 *              calls come between two windows.
 *   Processes  A representative's calls come at the process that simulates it (processes.h).  All
 *              other calls come at every process, in the same order, so they may exchange and
 *              agree.
 *   Order      The observers are called in the order in which they were passed to fabric_create().
 *   Errors     EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message on stderr.
 *   Effect     No cycle of a result depends on an observer.  An observer may only cut a
 *              representative's run into shorter steps (law 2).
 */
#ifndef FABRIC_OBSERVER_H
#define FABRIC_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_core.h"
#include "ace_state.h"

struct fabric;
struct driver;

/* A step of a representative's driver, in cycles [from, to). */
typedef enum work_kind {
    WORK_COMPUTE,    /* a step of the program */
    WORK_BACKGROUND, /* a step next to the program's own */
    WORK_COLLECTIVE  /* a collective, from its submission to its completion */
} work_kind;
typedef struct driver_work {
    work_kind kind;
    uint32_t label; /* see driver.label */
    uint64_t id;    /* of a collective: equal at all representatives that take part */
    uint64_t from, to;
} driver_work;

typedef struct fabric_observer {
    void *self;
    /* It reads the packets on the wires, so a window must not be longer than the shortest link. */
    bool wires;

    /* ---- making ---- */

    /* The node whose core it wraps, where wrap() is not NULL. */
    unsigned wrapped_node;
    /* Takes ownership of `core`, also on failure, and sets *wrapped to the core to run instead.
     * cfg: the node's configuration. payload: its rows carry bits. */
    int (*wrap)(void *self, const ace_parameters *parameters, const ace_config *cfg, bool payload,
                ace_core *core, ace_core **wrapped);

    /* ---- the run ---- */

    int (*attach)(void *self, struct fabric *f, const struct driver *d);
    int (*begin)(void *self);
    int (*end)(void *self, uint64_t now, bool failed);
    void (*before_window)(void *self, uint64_t until);
    void (*after_window)(void *self, uint64_t now);

    /* ---- a representative ---- */

    void (*awake)(void *self, unsigned representative, uint64_t now);
    /* A representative is in cycle `now`, and nothing happens to it before `next`, which is `now`
     * while it is busy. Returns the cycle to which it may run at most, after `now`. */
    uint64_t (*horizon)(const void *self, uint64_t now, uint64_t next);
    void (*before_run)(void *self, unsigned representative, uint64_t until);
    void (*after_run)(void *self, unsigned representative, uint64_t now);
    void (*submitted)(void *self, unsigned representative, uint64_t cycle);
    void (*completed)(void *self, unsigned representative,
                      uint64_t cycle); /* the first cycle after it */
    void (*worked)(void *self, unsigned representative, const driver_work *w);

    /* ---- checkpoints ---- */

    /* Saves or loads what it has recorded so far (ace_state.h). Its state in a checkpoint is
     * identified by a name of at most 15 letters and a key, because recording cannot begin in the
     * middle of a run. A run that resumes without the observer skips the state. */
    const char *name;
    uint64_t key;
    void (*state)(void *self, ace_state *s);
    /* NULL: the observer must have its state in the checkpoint, or the run is not resumed.
     * Otherwise a run resumes without the observer, and this text is the user's message. */
    const char *left_out;
    /* Adds to the digest what the observer changes in a run's state, apart from what state() moves.
     * A checkpoint belongs to a run if the digests are equal. */
    uint64_t (*digest)(const void *self, const struct fabric *f, uint64_t digest);
} fabric_observer;

#endif
