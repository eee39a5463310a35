/* SPDX-License-Identifier: Apache-2.0 */
/* fabric.h -- the simulated nodes of a cluster and the links between them, on one clock */
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

/* The calls by which the fabric drives and informs the owner of a run. The calls for one
 * representative come from one thread at a time. */
typedef struct driver {
    void *self;
    void (*completed)(void *self, unsigned representative, const ace_completion *c);
    /* A message, or a part of one, has arrived. NULL: there are no messages. */
    void (*arrived)(void *self, unsigned representative, const ace_arrival *a);
    /* Acts in cycle `now`; returns the cycle it wants to act in next (UINT64_MAX:
     * only after a completion).  *reaction: a completion at c causes no submission
     * before c + 1 + *reaction. */
    uint64_t (*act)(void *self, unsigned representative, uint64_t now, uint64_t *reaction);
    /* Called between two windows, when fabric_wake() may be called; NULL: nothing to do. */
    void (*between)(void *self);
    bool (*finished)(void *self, unsigned representative);
    double (*progress)(void *self); /* 0..1 */
    /* Writes a label of the timeline as text. The driver chose the number. */
    void (*label)(void *self, uint32_t label, char *to, size_t room);
    void (*state)(void *self, ace_state *s); /* all state that the calls above use */
    /* In a hang: prints what the representative waits for and returns true. Returns false if the
     * node must print it. NULL: the node always does. */
    bool (*waits)(void *self, unsigned representative, FILE *to);
} driver;

enum { STATISTICS = 256 }; /* the most counters of a node */

typedef struct fabric fabric;
/* Facts about the nodes' work that the driver has and the machine lacks. All zero: the
 * machine's collective, or work that is the same at all nodes of the same position. */
typedef struct fabric_work {
    const char
        *no_folding_reason; /* why no node represents another; NULL: nodes of one position do */
    /* along each dimension, the distance in nodes at which work repeats; 0: all nodes do the
     * same */
    uint16_t period[ACE_CLUSTER_DIMENSIONS];
    bool messages; /* some nodes send one another messages (ACE_MESSAGES) */
} fabric_work;
/* The observers of a run, whose array is copied, and the waveform to record, or NULL. */
typedef struct fabric_watch {
    const fabric_observer *observer;
    unsigned observers;
    const wave_request *wave;
} fabric_watch;
/* Makes a fabric. Returns EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int fabric_create(const machine *m, const execution *e, const fabric_work *work,
                  const fabric_watch *watch, fabric **f);
/* Returns as text why nodes have different work in a collective, or NULL if they have the same. A
 * fabric checks only the kind of a run of one collective. A driver that submits several sets
 * fabric_work.no_folding_reason. */
const char *fabric_no_folding_reason(ace_kind kind);
/* NULL is allowed. Returns EXIT_OK, or another status after a message: the waveform could not be
 * written. */
int fabric_destroy(fabric *f);
/* Submits a command in cycle `cycle`. Called from the representative's act() only. Returns an
 * ace_err. */
int fabric_submit(fabric *f, unsigned representative, const ace_command *c, uint64_t cycle);
/* Runs until every representative's driver has finished. The options may start the run from a
 * checkpoint, and make it write checkpoints. configuration: the digest of the run, which
 * checkpoints carry. Returns EXIT_OK, or EXIT_CHECK or EXIT_USAGE after a message. */
int fabric_run(fabric *f, const driver *d, uint64_t configuration);
/* Sets how long the watchdog waits, before the run. The default is 10 million cycles. After so
 * many simulated cycles without any progress, the run ends as hung and prints which node waits for
 * which. Progress is a packet of a node or a hub, a row to or from memory, a completion, or an act.
 * Skipped idle cycles and periods that are left out do not count. */
void fabric_set_watchdog_cycles(fabric *f, uint64_t cycles);
/* Limits windows to `cycles`, at least 1. No periods are left out then. Call it before the run. */
void fabric_limit_window(fabric *f, uint64_t cycles);
/* From driver.between only: the representative acts in this cycle, or earlier. */
void fabric_wake(fabric *f, unsigned representative, uint64_t cycle);
/* A representative is a simulated node. It represents itself, or all nodes that behave alike
 * and are on one rung. Drivers, and the calls below, number representatives. Representative 0
 * represents node 0. */
unsigned fabric_representatives(const fabric *f);
/* Returns the first node that it represents. */
unsigned fabric_first_node(const fabric *f, unsigned representative);
unsigned fabric_weight(const fabric *f, unsigned representative); /* number of its nodes */
/* Returns the representative of a node. */
unsigned fabric_representative_of(const fabric *f, unsigned node);
/* speed of memory and compute, 1 is nominal */
double fabric_speed(const fabric *f, unsigned representative);
const char *fabric_folding(const fabric *f);  /* as text: what folds, or why nothing does */
const char *fabric_left_out(const fabric *f); /* after the run, as text: the cycles left out */
uint64_t fabric_now(const fabric *f);         /* all representatives have run to this cycle */
/* Returns the largest value of a counter among all nodes; 0 when no node has a counter of this
 * name. All processes must call it. */
uint64_t fabric_most(fabric *f, const char *counter);
uint64_t fabric_ran(const fabric *f, unsigned representative); /* this one has run to this cycle */
const char *fabric_rung(const fabric *f, unsigned representative);
/* Digest of the configuration that fabric_run() was given; 0 before. */
uint64_t fabric_configuration(const fabric *f);
/* Returns whether this process simulates the representative (processes.h). The driver is called
 * only for such representatives, and the calls below are valid only for them. */
bool fabric_is_local(const fabric *f, unsigned representative);
ace_node *fabric_node(fabric *f, unsigned representative);
ace_memory *fabric_memory(fabric *f, unsigned representative); /* NULL without payload */
/* Bytes that a representative has sent on dimension d, and the bytes of the closed form. */
uint64_t fabric_sent(const fabric *f, unsigned representative, unsigned d);
uint64_t fabric_expected(const fabric *f, unsigned representative, unsigned d);
/* Adds to the expected bytes, before the run: messages cross nodes that neither send nor receive
 * them. */
void fabric_expect(fabric *f, unsigned representative, unsigned d, uint64_t bytes);
/* Bytes sent on one link; 0 at an ideal endpoint. */
uint64_t fabric_link_bytes(const fabric *f, unsigned representative, unsigned link);
/* Frames sent on the link that a fault changed, and that have arrived. */
uint64_t fabric_link_faults(const fabric *f, unsigned representative, unsigned link);
bool fabric_has_hubs(const fabric *f);
/* Counts over all hubs and representatives of this process: the frames from hubs that a fault
 * changed and that have arrived, and the hub ports' counters (ACE_LINK_COUNTS). */
void fabric_hub_faults(const fabric *f, uint64_t *changed, uint64_t counts[ACE_LINK_COUNTS]);
/* Counters of the switch reducer to which `link` of the nodes leads. Among several of this process
 * it is the one that reduced the most rows, and among equals the first. */
struct hub_reduction_counts fabric_reduced(const fabric *f, unsigned link);
/* Called by a representative's driver: notifies the observers of a step of the driver's work. */
void fabric_notify_work(fabric *f, unsigned representative, const driver_work *w);
/* The graph of the links that a file lists, owned by the setup; NULL: there are no such links. */
const struct link_graph *fabric_link_graph(const fabric *f);
/* Bytes that one of these links carried in the run, and the cycles this took. If several groups of
 * nodes have such links, the largest value of all groups. The same at all processes. */
uint64_t fabric_link_graph_bytes(const fabric *f, unsigned link);
uint64_t fabric_link_graph_busy(const fabric *f, unsigned link);
/* The wires from and to a representative's neighbours or hubs, NULL where there is none. The fabric
 * owns them. */
ace_wire *const *fabric_in(const fabric *f, unsigned representative);
ace_wire *const *fabric_out(const fabric *f, unsigned representative);
/* Returns the representative at the other end of a link. */
unsigned fabric_to(const fabric *f, unsigned representative, unsigned link);
/* Checks law 4: each representative has sent the bytes of the closed form on each dimension.
 * Returns EXIT_CHECK after a message on the first difference. All processes must call it. */
int fabric_check_bytes(const fabric *f);

#ifdef __cplusplus
}
#endif

#endif
