/* SPDX-License-Identifier: Apache-2.0 */
/*
 * watch.h -- chunks in the phases of a node, as they show on its wires
 *
 * A grant leaves a node in the cycle after a chunk has entered a phase, and says its context
 * and mark; the packets of the chunk that come and go carry both.  So a chunk's stay in a
 * phase is known from the wires alone, on every rung alike.
 *
 *     before a member runs to `until`     watch_arrivals(w, member, in, until);
 *     after it                            watch_departures(w, member, out);
 *
 * The first chunks of each context are kept, as many of each, so that what one node sent
 * another is found at both; the rest is counted.
 */
#ifndef WATCH_H
#define WATCH_H

#include <stddef.h>

#include "ace_node.h"

enum { WATCH_CONTEXTS = 16 }; /* of a phase, at most */

/* Cycles are 0 where it has not happened: that is never in cycle 0. */
typedef struct watch_stay {
    uint64_t entered, granted;     /* its own grant left; the neighbour's came */
    uint64_t sent[2], received[2]; /* first and last packet */
    uint32_t packets_sent, packets_received;
    uint32_t turn; /* the how many-th in this context, from 0 */
    uint8_t phase, context, mark;
    uint8_t link; /* it sends on */
} watch_stay;

typedef struct watch watch;
/* Of all members; those in [first, past) are watched.  NULL: no memory. */
watch *watch_create(unsigned members, unsigned first, unsigned past);
void watch_destroy(watch *w); /* NULL is allowed */
/* One member, one thread at a time. */
void watch_arrivals(watch *w, unsigned member, ace_wire *const in[ACE_LINKS], uint64_t until);
void watch_departures(watch *w, unsigned member, ace_wire *const out[ACE_LINKS]);
/* In the order of phases, contexts and turns; after the run.  *left_out: how many more. */
const watch_stay *watch_stays(watch *w, unsigned member, size_t *count, uint64_t *left_out);
unsigned watch_turns(const watch *w); /* kept of a context */
void watch_state(watch *w, ace_state *s);

#endif
