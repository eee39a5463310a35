/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_composition.h -- collectives made of others: what goes on the command pins for them
 *
 *     ace_composition p;
 *     if (ace_compose(&command, &config, &p) != ACE_OK) ...
 *     p.step[0]; p.step[1]        one after the other, when the one before is done
 *     ace_composition_free(&p);
 *
 *   all-to-all-v    a list of transfers, a block for each member that gets one
 *   scatter, gather, send    likewise; who has no part in it has an empty list
 *   broadcast       a list, in which the root scatters the vector in the layout of an all-gather;
 *                   then the all-gather.  Each link carries about what it does in an all-gather
 *                   and a scatter, instead of the whole vector.  A vector of fewer rows than
 *                   members goes to each directly: one trip instead of several.
 *   reduce          a reduce-scatter; then a list, in which the root gathers the shards
 *   barrier         a list: one row that writes nothing to each other member of a ring, and from
 *                   it, then the same on the next ring.  A row each on the way to all members would
 *                   meet on links that take a row in 14 cycles; log2(n) rounds of one row would
 *                   wait for the memory as often; a round a dimension is two or three waits, and as
 *                   many rows as the rings have nodes.
 *   messages        a list of sends alone, which ends by itself: no node waits in its exchange for
 *                   another.  A message is one transfer for each way it goes; its trailer is the
 *                   last row of it, of which ACE_TRAILER_BYTES are written, at an address that is
 *                   its label.  A way keeps the order of its rows, so what stands before the
 *                   trailer is in memory when the trailer is, and trailers of one label come in the
 *                   order in which they were sent.
 *
 * A node has two ports to a hub, each of half its bandwidth.  So a message over a hub goes two
 * ways, half of it by each port; so does a transfer of a list along one hub, where keys for all
 * such ways exist.
 *
 * Members are counted as in an all-to-all: over the dimensions of the command, x fastest.  The keys
 * under which rows are counted stand for the way they come, which is the offset from the sender to
 * the receiver in the whole torus.  A peer halfway round a ring or over a hub has a key for each of
 * two directions.  So no timing depends on a rank, and lists over any dimensions may be under way
 * at once.  There are ace_list_keys() of them; a command that needs more is refused
 * (ace_command_check).
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
    ace_command step[2]; /* kinds up to ACE_LIST, whose source is left open */
    uint32_t steps;
    uint32_t list_bytes;
    uint32_t *list; /* NULL: empty, or no list */
} ace_composition;

/* Trailers of messages are written from here on, a row each; what they name is the row behind it.
 * Where the rows of data lie does not matter: they are only moved. */
#define ACE_TRAILERS_ADDRESS (UINT64_C(1) << 39)
enum {
    ACE_TRAILER_BYTES = 8,
    ACE_MESSAGES_MOST = 16384 /* of a command: two items each fill the room of a list */
};
/* Is a write of so many bytes that of a trailer?  Its label is then in *label. */
static inline bool ace_trailer(uint64_t address, unsigned bytes, uint32_t *label) {
    *label = (uint32_t)((address - ACE_TRAILERS_ADDRESS) / ACE_ROW_BYTES);
    return bytes == ACE_TRAILER_BYTES && address >= ACE_TRAILERS_ADDRESS &&
           address < 2 * ACE_TRAILERS_ADDRESS;
}
/* In how many ways, 1 or 2, a message from the node of *cfg to a peer goes: each brings a trailer.
 */
unsigned ace_message_ways(const ace_config *cfg, uint32_t peer, uint64_t bytes);
/* Rows on a way, and its hops as in a route; way: below ace_message_ways(). */
typedef struct ace_message_way {
    uint64_t rows; /* with the trailer */
    uint32_t hops;
} ace_message_way;
ace_message_way ace_message_on(const ace_config *cfg, const ace_message *m, unsigned way);
/* The transfer that stands at a place of the list of ACE_MESSAGES, 0 to 2 c->messages - 1: of which
 * message, and which way; without rows: there is none.  Over hubs the two ways of a message stand
 * one behind the other, so that both ports have work; else all first ways are before the second
 * ones. */
ace_message_way ace_message_at(const ace_config *cfg, const ace_command *c, uint32_t at,
                               uint32_t *message, unsigned *way);
/* Calls `link` for each link that the rows of a way cross, with the node that sends on it. */
typedef void ace_message_link(void *self, uint32_t node, unsigned link, uint64_t rows);
void ace_message_links(const ace_config *cfg, const ace_message *m, ace_message_link *link,
                       void *self);

/* The steps for the node of *cfg.  ACE_OK or ACE_ENOMEM; the command has passed
 * ace_composition_check. */
int ace_compose(const ace_command *c, const ace_config *cfg, ace_composition *p);
void ace_composition_free(ace_composition *p);

/* Are root, peer, counts and the keys of a composed command in range?  ACE_OK or ACE_EINVAL. */
int ace_composition_check(const ace_command *c, const ace_config *cfg);

/* Bytes that the lists of a composed command put on each link of this node; of messages none, which
 * cross nodes that have no part in them: ace_message_links(). */
void ace_composition_list_bytes(const ace_command *c, const ace_config *cfg,
                                uint64_t link[ACE_LINKS]);
/* Is one of its steps a collective on rings?  That one is then in *ring. */
bool ace_composition_ring(const ace_command *c, const ace_config *cfg, ace_command *ring);

#ifdef __cplusplus
}
#endif
#endif
