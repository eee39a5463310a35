/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.h -- all nodes of a cluster and the links between them, on one clock */
#ifndef FABRIC_H
#define FABRIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ace_node.h"
#include "execution.h"
#include "fabric_observer.h"
#include "hub_reduction.h"
#include "machine.h"
#include "output.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Who drives the representatives.  The calls for one come from one thread at a time. */
typedef struct driver {
    void *self;
    void (*completed)(void *self, unsigned representative, const ace_completion *c);
    /* A message has come, or the part of one; NULL: there are none. */
    void (*arrived)(void *self, unsigned representative, const ace_arrival *a);
    /* Acts in cycle `now`; returns the cycle it wants to act in next (UINT64_MAX:
     * only after a completion).  *reaction: a completion at c causes no submission
     * before c + 1 + *reaction. */
    uint64_t (*act)(void *self, unsigned representative, uint64_t now, uint64_t *reaction);
    /* Between two windows, in which fabric_wake() may be called; NULL: nothing is to be done then.
     */
    void (*between)(void *self);
    bool (*finished)(void *self, unsigned representative);
    double (*progress)(void *self); /* 0..1 */
    /* A label of the timeline in words; the numbers are the driver's. */
    void (*label)(void *self, uint32_t label, char *to, size_t room);
    void (*state)(void *self, ace_state *s); /* all that the calls above go by */
    /* In a hang: says what it waits for; false: that is for its node to say.  NULL: likewise. */
    bool (*waits)(void *self, unsigned representative, FILE *to);
} driver;

enum { STATISTICS = 256 }; /* counters of a node, at most */

typedef struct fabric fabric;
/* What a driver knows of its nodes' work and the machine does not say.  All zero: the machine's
 * collective, or work that is the same at nodes of the same position. */
typedef struct fabric_work {
    const char
        *unlike; /* why no node can stand for another, in words; NULL: nodes of one position can */
    uint16_t period[ACE_CLUSTER_DIMENSIONS]; /* along each dimension nodes so far apart do the same,
                                                and no others; 0: all do */
    bool messages;                           /* nodes send one another some (ACE_MESSAGES) */
} fabric_work;
/* Who watches a run: observers, whose array is copied, and a waveform, or NULL. */
typedef struct fabric_watch {
    const fabric_observer *observer;
    unsigned observers;
    const wave_request *wave;
} fabric_watch;
/* EXIT_OK, or EXIT_USAGE / EXIT_CHECK after a message. */
int fabric_create(const machine *m, const execution *e, const fabric_work *work,
                  const fabric_watch *watch, fabric **f);
/* Why nodes do not have the same work in a collective, in words; NULL: they do.  A fabric sees
 * the kind of a run of one collective; a driver that hands over several says so by
 * fabric_work.unlike. */
const char *fabric_unlike(ace_kind kind);
/* EXIT_OK, or after a message another status: the waveform could not be written. */
int fabric_destroy(fabric *f);
/* Hands over a command in cycle `cycle`; the calls for a representative come from its act(). */
int fabric_submit(fabric *f, unsigned representative, const ace_command *c, uint64_t cycle);
/* Runs until every representative's driver has finished; from a checkpoint, and writing
 * checkpoints, where the options say so.  configuration: the digest of the run, which they carry.
 * EXIT_OK, or EXIT_CHECK or EXIT_USAGE after a message. */
int fabric_run(fabric *f, const driver *d, uint64_t configuration);
/* The patience of the watchdog, to be set before the run: 10 million cycles unless this sets
 * another.  After so many simulated cycles in which nothing moves the run ends as hung, and
 * tells who waits on whom.  What moves is a packet of a node or a hub, a row to or from memory,
 * a completion, or an act.  Cycles that are passed over, as nothing happens in them, or left
 * out, as they only repeat, do not count. */
void fabric_patience(fabric *f, uint64_t cycles);
/* Windows are no longer than this from now on, of at least 1 cycle, and no periods are left out.
 * Before the run. */
void fabric_window_most(fabric *f, uint64_t cycles);
/* From driver.between: the representative acts in this cycle at the latest. */
void fabric_wake(fabric *f, unsigned representative, uint64_t cycle);
/* A representative is a node that is simulated: each node, or one for all that behave alike and
 * stand on one rung.  Drivers and what follows speak of representatives; representative 0 is node
 * 0's. */
unsigned fabric_representatives(const fabric *f);
unsigned fabric_place(const fabric *f, unsigned representative);  /* the first node it stands for */
unsigned fabric_weight(const fabric *f, unsigned representative); /* how many it stands for */
unsigned fabric_representative_of(const fabric *f, unsigned node); /* who stands for it */
double fabric_speed(const fabric *f, unsigned representative);     /* of its memory and compute */
const char *fabric_folding(const fabric *f);                       /* in words: what, or why not */
const char *fabric_skipping(const fabric *f); /* after the run: what was left out */
uint64_t fabric_now(const fabric *f);         /* all representatives have run to here */
/* The largest value of a counter among all nodes of all processes, which all call this; 0: no node
 * has a counter of the name. */
uint64_t fabric_most(fabric *f, const char *counter);
uint64_t fabric_ran(const fabric *f, unsigned representative); /* and this one to here */
const char *fabric_rung(const fabric *f, unsigned representative);
/* Digest of the configuration that fabric_run() was given; 0 before. */
uint64_t fabric_configuration(const fabric *f);
/* Whether this process simulates it (processes.h).  The driver is called for those representatives
 * only, and what follows is theirs. */
bool fabric_here(const fabric *f, unsigned representative);
ace_node *fabric_node(fabric *f, unsigned representative);
ace_memory *fabric_memory(fabric *f, unsigned representative); /* NULL when timing-only */
/* Bytes a representative put on dimension d, and what the closed form asks for. */
uint64_t fabric_sent(const fabric *f, unsigned representative, unsigned d);
uint64_t fabric_expected(const fabric *f, unsigned representative, unsigned d);
/* More bytes to expect: of messages, which cross nodes that have no part in them.  Before the run.
 */
void fabric_expect(fabric *f, unsigned representative, unsigned d, uint64_t bytes);
/* On one link, 0 for an ideal endpoint. */
uint64_t fabric_link_bytes(const fabric *f, unsigned representative, unsigned link);
/* Frames sent on it that were changed on the way and have arrived. */
uint64_t fabric_link_faults(const fabric *f, unsigned representative, unsigned link);
bool fabric_has_hubs(const fabric *f);
/* Of all hubs and representatives of this process: frames from hubs that were changed on the way
 * and have arrived; what the hubs' ports count, see ACE_LINK_COUNTS. */
void fabric_hub_faults(const fabric *f, uint64_t *changed, uint64_t counts[ACE_LINK_COUNTS]);
/* What the reducers of switches have counted to which that link of nodes leads: of the one that
 * reduced most rows, the first of those of this process. */
struct hub_reduction_counts fabric_reduced(const fabric *f, unsigned link);
/* A representative's driver tells the observers what it has done. */
void fabric_tell(fabric *f, unsigned representative, const driver_work *w);
/* The links that a file lists, of the setup; NULL: there are none. */
const struct link_graph *fabric_graph(const fabric *f);
/* What one of them has carried in the run, and the cycles that this took; where several groups of
 * nodes have such links, in the group where it was most.  The same at all processes. */
uint64_t fabric_graph_bytes(const fabric *f, unsigned link);
uint64_t fabric_graph_busy(const fabric *f, unsigned link);
/* The wires from and to a representative's neighbours or hubs, NULL where it has none. */
ace_wire *const *fabric_in(const fabric *f, unsigned representative);
ace_wire *const *fabric_out(const fabric *f, unsigned representative);
/* The representative at the other end of a link. */
unsigned fabric_to(const fabric *f, unsigned representative, unsigned link);
/* Law 4 on every representative and dimension, of all processes: a message and EXIT_CHECK at the
 * first difference. */
int fabric_check_bytes(const fabric *f);

#ifdef __cplusplus
}
#endif

#endif
