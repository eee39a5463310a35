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
 *     when it holds nothing               watch_rests(w, member);
 *
 * A stay is told when it is known to be over: when the next chunk enters its context, or the
 * node rests.  Its end is the last that was seen of it.
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

/* before: the stay of the same chunk in the last phase it was in, or NULL. */
typedef void watch_over(void *self, unsigned member, const watch_stay *stay,
                        const watch_stay *before);

typedef struct watch watch;
/* Members in [first, past) are watched.  NULL: no memory. */
watch *watch_create(unsigned first, unsigned past, watch_over *over, void *self);
void watch_destroy(watch *w); /* NULL is allowed */
/* One member, one thread at a time. */
void watch_arrivals(watch *w, unsigned member, ace_wire *const in[ACE_LINKS], uint64_t until);
void watch_departures(watch *w, unsigned member, ace_wire *const out[ACE_LINKS]);
void watch_rests(watch *w, unsigned member);
/* Stays that are told from now on begin in this cycle or later; `now` where none is under way. */
uint64_t watch_settled(const watch *w, unsigned member, uint64_t now);
uint64_t watch_end(const watch_stay *s); /* the last that was seen of it */
void watch_state(watch *w, ace_state *s);

#endif
