/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_recurrence.h -- leaves out the periods of a long collective, exactly
 *
 *     ace_recurrence *r = ace_recurrence_create(&node, 1, NULL, 0);
 *     ace_recurrence_submitted(r, 0);                    whenever the node is given a command
 *     now = ace_recurrence_run(r, until, limit);         for ace_node_run(node, until)
 *     ace_recurrence_destroy(r);                         before the node
 *
 * Several nodes, in windows; the first of them leads:
 *
 *     ace_recurrence_run(r, until, limit);               for the first node, others as ever
 *     if (now == ace_recurrence_due(r))                  an edge of a window, all have come to it
 *         now += ace_recurrence_compare(r, now, limit);
 *
 * Nodes of several processes: each has an ace_recurrence of its own nodes, the leader is the first
 * of the first process, and ace_between.maximum asks them all.  ace_recurrence_compare is called by
 * all in the same cycle, that which the leader's ace_recurrence_due says, and leaves out the same
 * at each.
 *
 * A long collective does the same chunk after chunk.  Every 16 chunks of the leader the state of
 * all nodes, of their wires, and of what is between them is normalised and compared with an earlier
 * one, byte by byte.  When the same state has come back, whole periods are left out: the commands
 * are shortened by their chunks, time and counters go on by what the period took, times as often.
 *
 * Why the result is that of the run step by step
 *   Closed      The nodes hear one another alone, or what is between them; each holds one
 *               command and carries no payload.  Nothing enters between the two states but
 *               what their own wires and memories give back, and both are in the state.  So
 *               the next state follows from the state: a deterministic machine.
 *   One cycle   A node that is alone is looked at in the cycle its 16th chunk ends; several are
 *               a window later, when all can be brought to that cycle.
 *   Normalised  The state is compared without what the machine does not look at: counters;
 *               addresses, scratchpad rows and bytes to the limit, which only name bits; what
 *               stands in places that hold nothing; where in its ring a queue begins.
 *               Times are taken from the present cycle and marks from the next chunk's: the
 *               machine compares them with one another and never with a constant.  Chunks
 *               in flight are numbered from the oldest: numbers only tell them apart, but
 *               for the bank and the context of a chunk, and those are numbers modulo 16 at
 *               most, as states are apart; of nodes other than the leader that is compared, and
 *               how far each is from the leader.
 *               All else is compared as it is, whole structs: a member that is added later
 *               can keep states from coming back, and cannot make different ones alike.
 *   Remaining   The rows left of the command are not compared.  The machine asks only whether
 *               they are more than a chunk.  Two chunks and more are always left, so they
 *               are, in every cycle left out.
 *   So          equal states are followed by equal states, period after period, until the
 *               last chunks, which run step by step.
 *
 * A node whose states do not come back runs step by step; looking costs little (one state is
 * kept, after Brent: it is replaced ever more rarely).
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

/* What is between nodes beside their wires, and who has the others.  Each call may be NULL. */
typedef struct ace_between {
    void *self;
    /* All that its next state follows from, by the calls below; false: not one to compare. */
    bool (*put)(void *self, ace_recurrence *r);
    /* What it has counted up to here belongs to the state that later ones are compared with. */
    void (*keep)(void *self);
    /* Its time goes on by so much, and that of the wires from it, or from other processes; what it
     * has counted since it was told to keep it comes `times` more. */
    void (*shift)(void *self, uint64_t cycles, uint64_t times);
    /* Each v[i] becomes the largest of all processes.  NULL: this one has all nodes. */
    void (*maximum)(void *self, uint64_t *v, unsigned values);
    bool follows; /* the leader is another process's */
} ace_between;

/* nodes: of ace_cycle_node_create, timing-only; what leaves them on links comes to one of them, or
 * to what is between them (NULL: nothing is).  count: 0 where other processes have all.  window:
 * cycles, no fewer than a window has; a node alone needs none.  NULL: no memory. */
ace_recurrence *ace_recurrence_create(ace_node *const *nodes, unsigned count,
                                      const ace_between *between, uint32_t window);
void ace_recurrence_destroy(ace_recurrence *r); /* NULL is allowed */
/* Of different nodes on different threads at a time, as ace_recurrence_run. */
void ace_recurrence_submitted(ace_recurrence *r, unsigned node);
/* The first node advances to `until`; where it is alone also beyond it, to `limit` at most, where
 * periods were left out.  Returns the cycle reached. */
uint64_t ace_recurrence_run(ace_recurrence *r, uint64_t until, uint64_t limit);
/* Of several: the cycle in which all are to be compared, UINT64_MAX while there is none, and where
 * the leader is at another process. */
uint64_t ace_recurrence_due(const ace_recurrence *r);
/* In that cycle, `now`, no node running.  Returns the cycles that were left out: at most to
 * `limit`, or to the least of all processes. */
uint64_t ace_recurrence_compare(ace_recurrence *r, uint64_t now, uint64_t limit);

/* For ace_between.put. */
void ace_recurrence_put(ace_recurrence *r, const void *bytes, size_t count);
uint8_t ace_recurrence_mark(const ace_recurrence *r, uint8_t mark); /* normalised */
/* That of a grant of a context: a number of a round is what it is. */
uint8_t ace_recurrence_grant_mark(const ace_recurrence *r, uint8_t context, uint8_t mark);
/* What is on the way to a hub; false: part of an all-to-all. */
bool ace_recurrence_put_wire(ace_recurrence *r, ace_wire *w);

/* Cycles left out so far, and those of the last period; 0 before the first. */
void ace_recurrence_skipped(const ace_recurrence *r, uint64_t *cycles, uint64_t *period);

/* With the node's state, which is saved and loaded beside it. */
void ace_recurrence_state(ace_recurrence *r, ace_state *s);

#ifdef __cplusplus
}
#endif
#endif
