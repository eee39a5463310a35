/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node.h -- the common interface of all nodes: every rung, and every endpoint
 *
 *     ace_wire *in[ACE_LINKS], *out[ACE_LINKS];    the fabric's links
 *     ace_node *node = ...create(...);             rtl, cycle, or an endpoint
 *     ace_node_submit(node, &command, cycle);      NPU hands over a collective
 *     ace_node_run(node, until);                   cycles [now, until)
 *     while (ace_node_completion(node, &done)) ...
 *     ace_node_destroy(node);
 *
 * Rules that hold for every call
 *   Moore       The flits that a node sends in cycle t depend only on its state at the
 *               start of t.  A wire takes >= 1 cycle, so a node may run alone for
 *               as many cycles as the shortest latency of its in-wires.
 *   Ownership   Wires and memory belong to the caller and outlive the node.
 *   Threads     One node, one thread at a time.  Distinct nodes share only wires.
 *   Payload     With memory == NULL the run is timing-only: wires carry headers
 *               without bits.  Timing is the same.
 */
#ifndef ACE_NODE_H
#define ACE_NODE_H

#include <stddef.h>
#include <stdio.h>

#include "ace_flit.h"
#include "ace_state.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- wires: one direction of one link, with its latency ------------------ */

typedef struct ace_wire ace_wire;

/* Creates a wire of `latency` >= 1 cycles. The sender may be up to `slack` >= 1 cycles ahead of the
 * receiver. `slack` covers the fabric's window and the shortest latency of the receiver's wires,
 * because a node frees slots that often. payload: it carries bits. NULL: no memory. */
ace_wire *ace_wire_create(uint32_t latency, uint32_t slack, bool payload);
void ace_wire_destroy(ace_wire *w);
uint32_t ace_wire_latency(const ace_wire *w);
/* Declares the engines at the wire's ends: phases, 1..ACE_PHASES, and contexts of each, 1..32.  A
 * loaded state may then name no other contexts.  A node calls this for its wires. */
void ace_wire_set_contexts(ace_wire *w, unsigned phases, unsigned contexts);
/* Makes two wires of one sending node share an interface.  Each row on either wire occupies the
 * interface for row_cost, in units of 1/ACE_COST_ONE cycle.  Rows pass in the order in which they
 * are sent; a row waits for earlier rows.  More wires are joined one by one.  The slack of a wire
 * must cover its waiting rows. */
void ace_wire_share(ace_wire *w, ace_wire *with, uint32_t row_cost);
/* How long rows of this wire still occupy the shared interface, in units of 1/ACE_COST_ONE cycle;
 * 0 if the wire shares none. */
uint64_t ace_wire_owed(const ace_wire *w, uint64_t now);
/* Sends in cycle `now` (f->cycle is set to now + latency, or later on an interface that others
 * use).  row: ACE_ROW_BYTES, or NULL. */
void ace_wire_send(ace_wire *w, uint64_t now, const ace_flit *f, const uint32_t *row);
/* Chooses the bit of a frame that changes on the wire: returns ace_flit.flip, or ACE_WIRE_LOSES for
 * a frame that never arrives.  Called for each frame, with f->cycle set, on the sender's thread. */
enum { ACE_WIRE_LOSES = UINT16_MAX };
typedef uint16_t ace_wire_disturb(void *self, const ace_flit *f);
void ace_wire_set_disturb(ace_wire *w, ace_wire_disturb *disturb, void *self);
/* The number of flits with a changed bit that arrive in cycle `now` or later.  Call it at the
 * sender's end while the sender does not run. */
uint64_t ace_wire_disturbed(const ace_wire *w, uint64_t now);
/* The flit that arrives in exactly cycle `now`, or NULL; it is then consumed.
 * *row points into the wire until the next call (NULL when timing-only). */
const ace_flit *ace_wire_receive(ace_wire *w, uint64_t now, const uint32_t **row);
/* Arrival cycle of the next flit, UINT64_MAX when the wire is empty. */
uint64_t ace_wire_next(const ace_wire *w);
/* Packets (data flits) sent so far: ACE_ROW_BYTES each. */
uint64_t ace_wire_packets(const ace_wire *w);
/* Delays all flits on the wire by `cycles`, and adds to the count of packets sent.  Neither end may
 * be running. */
void ace_wire_shift(ace_wire *w, uint64_t cycles, uint64_t packets);
void ace_wire_reset(ace_wire *w);
/* The state: the flits on the wire and the count of packets.  Neither end may be running.  now: the
 * sender's cycle, to check loaded flits against; UINT64_MAX: not known. */
void ace_wire_state(ace_wire *w, uint64_t now, ace_state *s);

/* ---- node ---------------------------------------------------------------- */

typedef struct ace_completion {
    uint64_t cycle;
    uint16_t tag;
} ace_completion;

/* A message has arrived (ACE_MESSAGES): the rows of one of its routes are in memory. */
typedef struct ace_arrival {
    uint64_t cycle;
    uint32_t label;
} ace_arrival;

/* A counter by name, e.g. {"link.x+.busy", 123}. */
typedef struct ace_statistic {
    const char *name;
    uint64_t value;
} ace_statistic;

typedef struct ace_node ace_node;
typedef struct ace_node_class {
    const char *rung; /* "cycle", "rtl", "ideal", ... */
    void (*destroy)(ace_node *);
    void (*run)(ace_node *, uint64_t until);
    uint64_t (*quiet_until)(const ace_node *);
    int (*submit)(ace_node *, const ace_command *, uint64_t cycle);
    bool (*completion)(ace_node *, ace_completion *);
    bool (*arrival)(ace_node *, ace_arrival *);
    size_t (*statistics)(const ace_node *, ace_statistic *to, size_t capacity);
    void (*dump)(const ace_node *, FILE *);
    int (*error)(const ace_node *);
    void (*state)(ace_node *, uint64_t now, ace_state *);
    uint64_t (*moved)(const ace_node *);
} ace_node_class;
struct ace_node { /* every implementation begins with this */
    const ace_node_class *class_;
};

static inline void ace_node_destroy(ace_node *n) {
    if (n) n->class_->destroy(n);
}
/* Advances to cycle `until` (outputs of cycles now..until-1 are on the wires). */
static inline void ace_node_run(ace_node *n, uint64_t until) { n->class_->run(n, until); }
/* Nothing changes before this cycle unless a flit arrives: the caller may run()
 * straight to it.  The present cycle when busy, UINT64_MAX when idle. */
static inline uint64_t ace_node_quiet_until(const ace_node *n) { return n->class_->quiet_until(n); }
/* Presents a command on the command pins from `cycle` (>= now) on; commands are taken
 * one after the other in the order of the calls.  ACE_EINVAL: a field out of range. */
static inline int ace_node_submit(ace_node *n, const ace_command *c, uint64_t cycle) {
    return n->class_->submit(n, c, cycle);
}
/* Takes the oldest completion not yet taken; false when there is none. */
static inline bool ace_node_completion(ace_node *n, ace_completion *c) {
    return n->class_->completion(n, c);
}
/* Takes the oldest arrival not yet taken; false when there is none.  Take all arrivals of a run
 * before the next run: they are no part of the state. */
static inline bool ace_node_arrival(ace_node *n, ace_arrival *a) {
    return n->class_->arrival(n, a);
}
/* Fills at most `capacity` counters, returns how many there are.  Names are static. */
static inline size_t ace_node_statistics(const ace_node *n, ace_statistic *to, size_t capacity) {
    return n->class_->statistics(n, to, capacity);
}
/* Live state for a person: what each unit holds and waits for. */
static inline void ace_node_dump(const ace_node *n, FILE *f) { n->class_->dump(n, f); }
/* ACE_OK, or the first protocol error the node has seen (ACE_EPROTO, ACE_ENODE). */
static inline int ace_node_error(const ace_node *n) { return n->class_->error(n); }
/* The node's state (ace_state.h), between two runs; wires and memory are the caller's.  now: the
 * cycle it has run to, or UINT64_MAX: the caller does not know. */
static inline void ace_node_state(ace_node *n, uint64_t now, ace_state *s) {
    n->class_->state(n, now, s);
}
/* A number that grows while the node makes progress: rows to and from memory, or internal steps of
 * another kind of node.  Packets are counted by the wires (ace_wire_packets()). */
static inline uint64_t ace_node_moved(const ace_node *n) { return n->class_->moved(n); }
static inline const char *ace_node_rung(const ace_node *n) { return n->class_->rung; }

/* The arguments with which a node is created. */
typedef struct ace_memory ace_memory; /* ace_memory.h */
typedef struct ace_node_setup {
    ace_parameters parameters;
    ace_config config;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS]; /* NULL where ring == 1 */
    ace_memory *memory;                       /* NULL: timing-only */
} ace_node_setup;

/* The `cycle` rung: the C twin.  ACE_OK, ACE_EINVAL, ACE_ENOMEM. */
int ace_cycle_node_create(const ace_node_setup *setup, ace_node **node);
/* Creates a node around a core (ace_core.h).  The node owns the core; on failure it is destroyed.
 */
typedef struct ace_core ace_core;
int ace_driver_create(ace_core *core, const ace_node_setup *setup, ace_node **node);

/* Checks the fields of a command for a node with this configuration: ACE_OK or ACE_EINVAL. */
int ace_command_check(const ace_command *c, const ace_config *cfg);

#ifdef __cplusplus
}
#endif

#endif
