/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_recurrence.h -- skips the repeating periods of a long collective, with an exact result
 *
 *     ace_recurrence *r = ace_recurrence_create(&node, 1, NULL, 0);
 *     ace_recurrence_submitted(r, 0);                    whenever the node gets a command
 *     now = ace_recurrence_run(r, until, limit);         instead of ace_node_run(node, until)
 *     ace_recurrence_destroy(r);                         before the node
 *
 * Several nodes, in windows; the first of them leads:
 *
 *     ace_recurrence_run(r, until, limit);               the first node; run the others as usual
 *     if (now == ace_recurrence_due(r))                  at the end of a window, all nodes there
 *         now += ace_recurrence_compare(r, now, limit);
 *
 * Nodes in several processes: each process has an ace_recurrence for its own nodes.  The leader is
 * the first node of the first process.  ace_between.maximum combines values of all processes.  All
 * processes call ace_recurrence_compare() in the same cycle, which the leader's
 * ace_recurrence_due() returns, and all of them skip the same number of cycles.
 *
 * A long collective repeats itself chunk after chunk.  After every 16 chunks of the leader, the
 * state of the whole system (nodes, wires, and anything between the nodes) is normalised.  It is
 * then compared with an earlier state, byte by byte.  When they are equal, whole periods are
 * skipped: the commands are shortened by the skipped chunks, and time and counters advance by the
 * period's values for each skipped period.
 *
 * Why the result equals the result of a run step by step
 *   Closed      The nodes receive only from each other, or from what is between them.  Each holds
 *               one command and carries no payload.  Between two states nothing enters except
 *               through the nodes' own wires and memories, which are part of the state.  The next
 *               state thus depends only on the state: the system is a deterministic machine.
 *   One cycle   A single node is compared in the cycle in which its 16th chunk ends.  Several nodes
 *               are compared a window later, when all can be run to the same cycle.
 *   Normalised  Parts that cannot affect later cycles are not compared. These are counters, the
 *               content of empty slots, and the index at which a queue begins in its ring.
 *               Addresses, scratchpad rows and bytes to the limit only select bits, and are not
 *               compared either.
 *               Times are relative to the present cycle, and marks to the next chunk's mark,
 *               because the machine compares them only with each other, never with a constant.
 *               Chunks in flight are numbered from the oldest.  A number serves to distinguish
 *               chunks; it also selects a chunk's bank and context, by the number modulo 16 at
 *               most, and compared states are multiples of 16 chunks apart.  For nodes other than
 *               the leader these numbers, and the distance to the leader, are compared.
 *               All else is compared unchanged, as whole structs.  A member that is added later
 *               may prevent equal states, but cannot make different states equal.
 *   Remaining   The rows left of the command are not compared.  The machine only checks whether
 *               more than a chunk is left.  At least two chunks are always left, so the check has
 *               the same result in every skipped cycle.
 *   Conclusion  Equal states are followed by equal states, period after period, until the
 *               last chunks, which run step by step.
 *
 * If no state repeats, the node runs step by step.  Comparing costs little: one state is kept, and
 * after Brent's method it is replaced at growing intervals.
 *
 * Errors and threads are the nodes'.
 */
#ifndef ACE_RECURRENCE_H
#define ACE_RECURRENCE_H

#include "ace_node.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_recurrence ace_recurrence;

/* Callbacks for parts of the system outside the nodes and their wires, such as hubs, and for other
 * processes.  Each call may be NULL. */
typedef struct ace_between {
    void *self;
    /* Puts the complete state of these parts, with the calls below; false: do not compare now. */
    bool (*put)(void *self, ace_recurrence *r);
    /* Saves the present counters, together with the state that later states are compared with. */
    void (*keep)(void *self);
    /* Advances the time of these parts, and of wires from them or from other processes.  Adds to
     * each counter `times` its growth since keep(). */
    void (*shift)(void *self, uint64_t cycles, uint64_t times);
    /* Sets each v[i] to its maximum over all processes.  NULL: this process has all nodes. */
    void (*maximum)(void *self, uint64_t *v, unsigned values);
    bool follows; /* the leader is in another process */
} ace_between;

/* nodes: created by ace_cycle_node_create(), timing-only; their links lead to each other, or to
 * parts in `between` (NULL: there are none).  count: 0 if other processes have all nodes.  window:
 * at least the longest window in cycles; 0 for a single node.  Returns NULL if out of memory. */
ace_recurrence *ace_recurrence_create(ace_node *const *nodes, unsigned count,
                                      const ace_between *between, uint32_t window);
void ace_recurrence_destroy(ace_recurrence *r); /* NULL is allowed */
/* May be called for different nodes on different threads at a time, like ace_recurrence_run(). */
void ace_recurrence_submitted(ace_recurrence *r, unsigned node);
/* Runs the first node to `until`.  A single node may skip periods and go beyond `until`, at most to
 * `limit`.  Returns the cycle reached. */
uint64_t ace_recurrence_run(ace_recurrence *r, uint64_t until, uint64_t limit);
/* For several nodes: the cycle of the next comparison.  UINT64_MAX while none is due, and in a
 * process without the leader. */
uint64_t ace_recurrence_due(const ace_recurrence *r);
/* Compares all nodes in that cycle, `now`, while no node runs.  Returns the number of cycles
 * skipped: at most up to `limit`, the least of all processes' limits. */
uint64_t ace_recurrence_compare(ace_recurrence *r, uint64_t now, uint64_t limit);

/* ---- calls for ace_between.put ---- */
void ace_recurrence_put(ace_recurrence *r, const void *bytes, size_t count);
uint8_t ace_recurrence_mark(const ace_recurrence *r, uint8_t mark); /* normalised */
/* The normalised mark of a grant.  The number of a round (ace_agreement.h) is left unchanged. */
uint8_t ace_recurrence_grant_mark(const ace_recurrence *r, uint8_t context, uint8_t mark);
/* Puts the flits on a wire to a hub; false: the wire carries a part of an all-to-all. */
bool ace_recurrence_put_wire(ace_recurrence *r, ace_wire *w);

/* The cycles skipped so far, and the length of the last period; 0 before the first. */
void ace_recurrence_skipped(const ace_recurrence *r, uint64_t *cycles, uint64_t *period);

/* The state; save and load it together with the node's state. */
void ace_recurrence_state(ace_recurrence *r, ace_state *s);

#ifdef __cplusplus
}
#endif
#endif
