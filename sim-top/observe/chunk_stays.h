/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_stays.h -- chunks in the phases of a node, as they show on its wires
 *
 * A grant leaves a node in the cycle after a chunk has entered a phase, and says its context
 * and mark; the packets of the chunk that come and go carry both.  So a chunk's stay in a
 * phase is known from the wires alone, on every rung alike.
 *
 *     before a representative runs to `until`     chunk_stays_arrivals(w, representative, in,
 *     until); after it                            chunk_stays_departures(w, representative, out);
 *     when it holds nothing               chunk_stays_rests(w, representative);
 *
 * A stay is told when it is known to be over: when the next chunk enters its context, or the
 * node rests.  Its end is the last that was seen of it.
 */
#ifndef CHUNK_STAYS_H
#define CHUNK_STAYS_H

#include <stddef.h>

#include "ace_node.h"

enum { WATCH_CONTEXTS = 16 }; /* of a phase, at most */

/* Cycles are 0 where it has not happened: that is never in cycle 0. */
typedef struct chunk_stay {
    uint64_t entered, granted;     /* its own grant left; the neighbour's came */
    uint64_t sent[2], received[2]; /* first and last packet */
    uint32_t packets_sent, packets_received;
    uint32_t turn; /* the how many-th in this context, from 0 */
    uint8_t phase, context, mark;
    uint8_t link; /* it sends on */
} chunk_stay;

/* before: the stay of the same chunk in the last phase it was in, or NULL. */
typedef void chunk_stay_over(void *self, unsigned representative, const chunk_stay *stay,
                             const chunk_stay *before);

typedef struct chunk_stays chunk_stays;
/* Representatives in [first, past) are watched.  NULL: no memory. */
chunk_stays *chunk_stays_create(unsigned first, unsigned past, chunk_stay_over *over, void *self);
void chunk_stays_destroy(chunk_stays *w); /* NULL is allowed */
/* One representative, one thread at a time. */
void chunk_stays_arrivals(chunk_stays *w, unsigned representative, ace_wire *const in[ACE_LINKS],
                          uint64_t until);
void chunk_stays_departures(chunk_stays *w, unsigned representative,
                            ace_wire *const out[ACE_LINKS]);
void chunk_stays_rests(chunk_stays *w, unsigned representative);
/* Stays that are told from now on begin in this cycle or later; `now` where none is under way. */
uint64_t chunk_stays_settled(const chunk_stays *w, unsigned representative, uint64_t now);
uint64_t chunk_stays_end(const chunk_stay *s); /* the last that was seen of it */
void chunk_stays_state(chunk_stays *w, ace_state *s);

#endif
