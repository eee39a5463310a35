/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub.h -- what stands between the nodes of a dimension that is no ring
 *
 * Each node has one port to the hub, and a hub has no more than ACE_PROGRAM_PEERS ports.  A
 * packet goes to the port that its flit names, and arrives with where it came from.
 *
 *     switch   A packet waits for the one link to its receiver, which takes `cost` for each:
 *              an output-queued switch whose buffers have no end.
 *     direct   Each pair of nodes has a link of its own, which takes `cost` times the other
 *              members for each packet: a port's lanes share its bandwidth.  What several
 *              lanes bring in one cycle is taken one after the other.
 *
 * A packet leaves once the receiver has a place for it; its sender has its place back at once.
 * Of one thread; between two windows of the nodes, which are no longer than the wires from the
 * hub.
 */
#ifndef HUB_H
#define HUB_H

#include "ace_node.h"

typedef struct hub_setup {
    unsigned ports;
    bool direct;
    bool payload;
    uint32_t cost;       /* of a packet, cycles in Q16.8 */
    unsigned input_rows; /* packets a node's input buffer holds */
} hub_setup;

typedef struct hub hub;
/* NULL: no memory. */
hub *hub_create(const hub_setup *setup);
void hub_destroy(hub *h); /* NULL is allowed */
/* The wires of a port: from its node, and to it.  They are the caller's. */
void hub_connect(hub *h, unsigned port, ace_wire *from, ace_wire *to);
/* All that arrives before `until` is passed on. */
void hub_run(hub *h, uint64_t until);
/* Nothing happens before this cycle unless a node sends; UINT64_MAX at rest. */
uint64_t hub_next(const hub *h);
/* See ace_state.h; the wires' is their owner's to list. */
void hub_state(hub *h, ace_state *s);

#endif
