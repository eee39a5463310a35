/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_composition.h -- composed collectives: the commands that go on the pins instead
 *
 *     ace_composition p;
 *     if (ace_compose(&command, &config, &p) != ACE_OK) ...
 *     p.step[0]; p.step[1]        the second step starts when the first is done
 *     ace_composition_free(&p);
 *
 *   all-to-all-v    a list of transfers, one block for each member that receives a block
 *   scatter, gather, send    a list of transfers; a member without a part has an empty list
 *   broadcast       two steps: a list, in which the root scatters the vector in the layout of an
 *                   all-gather; then the all-gather.  Each link then carries about the load of a
 *                   scatter and an all-gather instead of the whole vector.  A vector with fewer
 *                   rows than members is sent to each member directly: one trip, not several.
 *   reduce          two steps: a reduce-scatter; then a list, in which the root gathers the shards
 *   barrier         a list.  The node exchanges one row, which writes nothing, with each other
 *                   member of a ring, then does the same on the next ring.  The cost is two or
 *                   three waits, and as many rows as the rings have nodes.  One row to every member
 *                   would congest links, which take a row in 14 cycles.  log2(n) rounds of one row
 *                   would wait for the memory log2(n) times.
 *   messages        a list of sends only.  The list ends by itself: no node's exchange waits for
 *                   another.  A message is one transfer for each route it takes.  Its last row is
 *                   its trailer: ACE_TRAILER_BYTES are written, at an address that encodes the
 *                   label.  A route keeps its rows in order.  When a trailer is in memory, the rows
 *                   before the trailer are too, and trailers of one label arrive in send order.
 *
 * A node has two ports to a hub, each with half its bandwidth.  A message over a hub therefore
 * takes two routes, half of the message through each port.  A transfer of a list along one hub does
 * the same, if keys for all such routes exist.
 *
 * Members are counted as in an all-to-all: over the dimensions of the command, x fastest.  Rows are
 * counted under a key.  A key stands for a route: the offset from the sender to the receiver in the
 * whole torus.  A peer halfway round a ring, or over a hub, has one key for each of two directions.
 * Therefore no timing depends on a rank, and lists over any dimensions may run at once.  There are
 * ace_list_keys() keys; a command that needs more is refused (ace_command_check).
 */
#ifndef ACE_COMPOSITION_H
#define ACE_COMPOSITION_H

#include <stdbool.h>

#include "ace_flit.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_composition {
    ace_command step[2]; /* kinds up to ACE_LIST; the caller sets a list's source */
    uint32_t steps;
    uint32_t list_bytes;
    uint32_t *list; /* NULL: empty, or no list */
} ace_composition;

/* The trailers of messages are written from this address on, one row each; a trailer's row number
 * is its label.  The addresses of the data rows do not matter, because the data is only moved. */
#define ACE_TRAILERS_ADDRESS (UINT64_C(1) << 39)
enum {
    ACE_TRAILER_BYTES = 8,
    ACE_MESSAGES_MOST = 16384 /* messages of a command: two items each fill a list */
};
/* Is a write of this many bytes at this address a trailer?  If so, its label is in *label. */
static inline bool ace_trailer(uint64_t address, unsigned bytes, uint32_t *label) {
    *label = (uint32_t)((address - ACE_TRAILERS_ADDRESS) / ACE_ROW_BYTES);
    return bytes == ACE_TRAILER_BYTES && address >= ACE_TRAILERS_ADDRESS &&
           address < 2 * ACE_TRAILERS_ADDRESS;
}
/* The number of routes, 1 or 2, of a message from the node of *cfg to a peer.  Each route ends with
 * a trailer. */
unsigned ace_message_routes(const ace_config *cfg, uint32_t peer, uint64_t bytes);
/* One route of a message; route: its number, below ace_message_routes(). */
typedef struct ace_message_route {
    uint64_t rows; /* with the trailer */
    uint32_t hops; /* as in a route: ace_route_hops() */
} ace_message_route;
ace_message_route ace_message_on(const ace_config *cfg, const ace_message *m, unsigned route);
/* The transfer at an index of the list of ACE_MESSAGES, 0 to 2 c->messages - 1, with its message
 * and route; 0 rows: there is no transfer at this index.  Over hubs the two routes of a message are
 * adjacent, so that both ports have work.  Else all first routes precede the second ones. */
ace_message_route ace_message_at(const ace_config *cfg, const ace_command *c, uint32_t at,
                                 uint32_t *message, unsigned *route);
/* Calls `link` for each link that the rows of a message cross, with the node that sends on it. */
typedef void ace_message_link(void *self, uint32_t node, unsigned link, uint64_t rows);
void ace_message_links(const ace_config *cfg, const ace_message *m, ace_message_link *link,
                       void *self);

/* A route of a list's rows to another member, and the key under which that member counts them. */
typedef struct ace_list_route {
    uint32_t hops;
    uint8_t key;
} ace_list_route;
/* The member at step k, below the number of members, of the order in which a list visits them; step
 * 0 is this node.  The order spreads sends in progress over different first links. */
uint64_t ace_list_member(const ace_command *c, const ace_config *cfg, uint64_t k);
/* The routes to a member: their number, 1 or 2. */
unsigned ace_list_routes(const ace_command *c, const ace_config *cfg, uint64_t member,
                         ace_list_route to[2]);

/* The steps for the node of *cfg.  ACE_OK or ACE_ENOMEM; the command has passed
 * ace_composition_check. */
int ace_compose(const ace_command *c, const ace_config *cfg, ace_composition *p);
void ace_composition_free(ace_composition *p);

/* The bytes of the vector of an all-to-all-v: it holds what any member sends or receives, with each
 * block padded to rows.  counts: members x members, at most 2^40 each. */
uint64_t ace_exchange_vector(const uint64_t *counts, uint64_t members);
/* Are root, peer, counts and the keys of a composed command in range?  ACE_OK or ACE_EINVAL. */
int ace_composition_check(const ace_command *c, const ace_config *cfg);

/* Bytes that the lists of a composed command put on each link of this node.  Messages are left out,
 * because they also cross nodes that have no part in the command: see ace_message_links(). */
void ace_composition_list_bytes(const ace_command *c, const ace_config *cfg,
                                uint64_t link[ACE_LINKS]);
/* Bytes that the same lists put on each link out of a hub into this node; 0 where there is no
 * hub. */
void ace_composition_hub_bytes(const ace_command *c, const ace_config *cfg,
                               uint64_t link[ACE_LINKS]);
/* Is one of the steps a collective with phases?  If so, that step is in *ring. */
bool ace_composition_ring(const ace_command *c, const ace_config *cfg, ace_command *ring);

#ifdef __cplusplus
}
#endif
#endif
