/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_recurrence.h -- leaves out the periods of a long collective, exactly
 *
 *     ace_recurrence *r = ace_recurrence_create(node);
 *     ace_recurrence_submitted(r);                       whenever the node is given a command
 *     now = ace_recurrence_run(r, until, limit);         for ace_node_run(node, until)
 *     ace_recurrence_destroy(r);                         before the node
 *
 * A long collective does the same chunk after chunk.  Every 16 chunks the state of the node
 * and of its wires is normalised and compared with an earlier one, byte by byte.  When the
 * same state has come back, whole periods are left out: the command is shortened by their
 * chunks, time and counters go on by what the period took, times as often.
 *
 * Why the result is that of the run step by step
 *   Closed      The node hears itself alone (it stands for all nodes of a torus), holds one
 *               command and carries no payload.  Nothing enters between the two states but
 *               what its own wires and its memory give back, and both are in the state.  So
 *               the next state follows from the state: a deterministic machine.
 *   Normalised  The state is compared without what the machine does not look at: counters;
 *               addresses, scratchpad rows and bytes to the limit, which only name bits; what
 *               stands in places that hold nothing; where in its ring a queue begins.
 *               Times are taken from the present cycle and marks from the next chunk's: the
 *               machine compares them with one another and never with a constant.  Chunks
 *               in flight are numbered from the oldest: numbers only tell them apart, but
 *               for the bank and the context of a chunk, and those are numbers modulo 16 at
 *               most, as states are apart.
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
 * Errors and threads are the node's.
 */
#ifndef ACE_RECURRENCE_H
#define ACE_RECURRENCE_H

#include "ace_node.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_recurrence ace_recurrence;

/* node: of ace_cycle_node_create, timing-only, what leaves it on a link comes back on the
 * opposite one.  NULL: it is not, or no memory. */
ace_recurrence *ace_recurrence_create(ace_node *node);
void ace_recurrence_destroy(ace_recurrence *r); /* NULL is allowed */
void ace_recurrence_submitted(ace_recurrence *r);
/* Advances to `until`; or beyond it, to `limit` at most, where periods were left out.
 * Returns the cycle reached. */
uint64_t ace_recurrence_run(ace_recurrence *r, uint64_t until, uint64_t limit);

/* Cycles left out so far, and those of the last period; 0 before the first. */
void ace_recurrence_skipped(const ace_recurrence *r, uint64_t *cycles, uint64_t *period);

/* With the node's state, which is saved and loaded beside it. */
void ace_recurrence_state(ace_recurrence *r, ace_state *s);

#ifdef __cplusplus
}
#endif
#endif
