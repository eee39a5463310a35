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
 *                   meet on links that take a row in 14 cycles; log2(n) rounds of one row would wait
 *                   for the memory as often; a round a dimension is two or three waits, and as
 *                   many rows as the rings have nodes.
 *
 * Members are counted as in an all-to-all: over the dimensions of the command, x fastest.  The keys
 * under which rows are counted stand for the way they come: the offset from the sender to the receiver,
 * in the whole torus, and for a peer halfway round a ring which of the two directions.  So no
 * timing depends on a rank, and lists over any dimensions may be under way at once.  There are
 * ace_list_keys() of them; a command that needs more is refused (ace_command_check).
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

/* The steps for the node of *cfg.  ACE_OK or ACE_ENOMEM; the command has passed
 * ace_composition_check. */
int ace_compose(const ace_command *c, const ace_config *cfg, ace_composition *p);
void ace_composition_free(ace_composition *p);

/* Are root, peer, counts and the keys of a composed command in range?  ACE_OK or ACE_EINVAL. */
int ace_composition_check(const ace_command *c, const ace_config *cfg);

/* Bytes that the lists of a composed command put on each link of this node. */
void ace_composition_list_bytes(const ace_command *c, const ace_config *cfg,
                                uint64_t link[ACE_LINKS]);
/* Is one of its steps a collective on rings?  That one is then in *ring. */
bool ace_composition_ring(const ace_command *c, const ace_config *cfg, ace_command *ring);

#ifdef __cplusplus
}
#endif
#endif
