/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_stays.h -- the stays of chunks in the phases of a node, derived from the node's wires
 *
 * A grant leaves a node in the cycle after a chunk has entered a phase, and carries the chunk's
 * context and tag. The chunk's packets carry both as well. A chunk's stay in a phase can therefore
 * be derived from the wires alone, at every rung alike.
 *
 *     before a representative runs to `until`     chunk_stays_arrivals(w, representative, in,
 *     until); after it                            chunk_stays_departures(w, representative, out);
 *     when it holds nothing               chunk_stays_idle(w, representative);
 *
 * A stay is reported when it is known to be over: when the next chunk enters its context, or the
 * node is idle. A stay ends with its last packet or grant.
 */
#ifndef CHUNK_STAYS_H
#define CHUNK_STAYS_H

#include <stddef.h>

#include "ace_node.h"

enum { WATCH_CONTEXTS = 16 }; /* of a phase, maximum */

/* A cycle is 0 if the event has not happened: no event happens in cycle 0. */
typedef struct chunk_stay {
    uint64_t entered, granted;     /* cycles: its own grant left; the neighbour's grant came */
    uint64_t sent[2], received[2]; /* cycles of the first and last packet */
    uint32_t packets_sent, packets_received;
    uint32_t number; /* of the stay in this context, from 0 */
    uint8_t phase, context, mark;
    uint8_t link; /* on which it sends */
} chunk_stay;

/* before: the stay of the same chunk in the last phase it was in, or NULL. */
typedef void chunk_stay_over(void *self, unsigned representative, const chunk_stay *stay,
                             const chunk_stay *before);

typedef struct chunk_stays chunk_stays;
/* Watches the representatives from `first` to `past` (exclusive). Returns NULL if there is no
 * memory. */
chunk_stays *chunk_stays_create(unsigned first, unsigned end, chunk_stay_over *over, void *self);
void chunk_stays_destroy(chunk_stays *w); /* NULL is allowed */
/* These may run in parallel for different representatives. */
void chunk_stays_arrivals(chunk_stays *w, unsigned representative, ace_wire *const in[ACE_LINKS],
                          uint64_t until);
void chunk_stays_departures(chunk_stays *w, unsigned representative,
                            ace_wire *const out[ACE_LINKS]);
void chunk_stays_idle(chunk_stays *w, unsigned representative);
/* Returns the first cycle in which a stay that is not yet reported may begin; `now` if none is
 * current. */
uint64_t chunk_stays_known(const chunk_stays *w, unsigned representative, uint64_t now);
uint64_t chunk_stays_end(const chunk_stay *s); /* cycle of its last packet or grant */
void chunk_stays_state(chunk_stays *w, ace_state *s);

#endif
