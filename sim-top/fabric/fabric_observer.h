/* SPDX-License-Identifier: Apache-2.0 */
/*
 * fabric_observer.h -- who watches a run without changing it
 *
 * The fabric knows no observer by name.  Whoever starts a run makes the observers, hands them
 * to fabric_create(), and keeps them until the fabric is destroyed.  The calls, in their order:
 *
 *     wrap(node's core)                     while the fabric is made, for one node
 *     attach(fabric, driver)                the run starts; what state() moves is made here
 *     state(loading)                        where the run is resumed from a checkpoint
 *     begin()                               nothing has run yet, or not since the checkpoint
 *     each window [now, until)
 *         before_window(until)
 *         for each representative that does not sleep through it, one step or several
 *             awake(representative, now)            it had slept until now
 *             horizon(now, next)            how far the next step may go
 *             before_run(representative, to)
 *             after_run(representative, to)
 *         after_window(until)
 *         state(saving)                     where a checkpoint is due
 *     end(now, failed)
 *
 *     submitted, completed, worked          at any point in a representative's steps
 *
 * Rules that hold for every call
 *   Missing    A call that an observer has no use for is NULL.
 *   Threads    Calls that name a representative come from one thread at a time for that
 *   representative, and from
 *              several threads for several representatives.  All others come between two windows.
 *   Processes  A representative's calls come at the process that simulates it (processes.h).  All
 *   others
 *              come at every process, in the same order, so they may exchange and agree.
 *   Order      The observers are called in the order in which they were handed over.
 *   Errors     EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message on stderr.
 *   Effect     No cycle of a result depends on an observer: it may cut a representative's way into
 *              shorter steps, and that is all (law 2).
 */
#ifndef FABRIC_OBSERVER_H
#define FABRIC_OBSERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_core.h"
#include "ace_state.h"

struct fabric;
struct driver;

/* What the driver of a representative has done, in cycles [from, to). */
typedef enum work_kind {
    WORK_COMPUTE,    /* a step of the program */
    WORK_BACKGROUND, /* one beside it */
    WORK_COLLECTIVE  /* a collective, from its submission to its completion */
} work_kind;
typedef struct driver_work {
    work_kind kind;
    uint32_t label; /* see driver.label */
    uint64_t id;    /* of a collective: the same for the same one at all representatives */
    uint64_t from, to;
} driver_work;

typedef struct fabric_observer {
    void *self;
    /* It looks at the packets on the wires, so a window is no longer than the shortest link. */
    bool wires;

    /* ---- making ---- */

    /* The node whose core it stands before, where wrap() is not NULL. */
    unsigned wrapped_node;
    /* Takes `core` over, also on failure; gives the core to run in its place.  cfg: the node's.
     * payload: its rows carry bits. */
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
    /* A representative is in cycle `now`, and nothing happens to it before `next` (which is `now`
     * where it does not rest).  It runs to the cycle returned at most, which is after `now`. */
    uint64_t (*horizon)(const void *self, uint64_t now, uint64_t next);
    void (*before_run)(void *self, unsigned representative, uint64_t until);
    void (*after_run)(void *self, unsigned representative, uint64_t now);
    void (*submitted)(void *self, unsigned representative, uint64_t cycle);
    void (*completed)(void *self, unsigned representative,
                      uint64_t cycle); /* the first without it */
    void (*worked)(void *self, unsigned representative, const driver_work *w);

    /* ---- checkpoints ---- */

    /* What it has recorded so far (ace_state.h), under a name of at most 15 letters and a key.  An
     * observer finds its state again by both: recording cannot begin in the middle of a run.  A
     * run resumed without the observer passes over the state. */
    const char *name;
    uint64_t key;
    void (*state)(void *self, ace_state *s);
    /* NULL: a run cannot be resumed with it where the checkpoint has no state of it.  Otherwise
     * it is left out then, and this is what the user is told. */
    const char *left_out;
    /* What else of the state of a run is different with it, beside what state() moves: goes into
     * the digest by which a checkpoint is found to be of this run. */
    uint64_t (*digest)(const void *self, const struct fabric *f, uint64_t digest);
} fabric_observer;

#endif
