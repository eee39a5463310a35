/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_network.h -- packets and grants under way over a graph of links
 *
 *     link_network_send(n, now, from, to, plane, &flit, row);
 *     while (link_network_next(n) <= now && link_network_take(n, &event)) ...
 *
 * A packet takes the route of its pair of NPUs (link_graph.h). A link serves packets one at a time,
 * in order of arrival, and needs the link's cost for each. After a link, the packet travels for the
 * link's latency. A grant needs no bandwidth and takes only the latencies of the route.
 *
 * The network reports two events. One is that a packet has left the first link's queue; then its
 * sender gets the credit back. The other is that a packet or grant has arrived. The last link's
 * latency ends `wire` + 1 cycles early, because the wires between hub and nodes take that long.
 *
 * No packet waits here for ever. A node stalls a packet that it cannot accept at its end of the
 * wire, before the first queue. All later queues are unlimited, so a packet waits only for links,
 * and a link serves in order and waits for nobody. The number of packets in the network is bounded
 * at its entry: a port has no more packets in first queues than the node has credits.
 *
 * Events come in the order of their cycles, and within a cycle in the order in which they were
 * caused. So the order is the same in each run. Only the hub's thread calls these functions.
 */
#ifndef LINK_NETWORK_H
#define LINK_NETWORK_H

#include "ace_flit.h"
#include "ace_node.h"
#include "ace_state.h"
#include "link_graph.h"

typedef enum network_event_kind { NETWORK_LEFT, NETWORK_PACKET, NETWORK_GRANT } network_event_kind;

typedef struct network_event {
    network_event_kind kind;
    uint8_t from, to; /* the NPUs of the run, by number */
    uint8_t plane;    /* the plane given to link_network_send() */
    ace_flit flit;
    const uint32_t *row; /* with payload, the packet's row; valid until the next call */
} network_event;

typedef struct link_network link_network;
/* Creates a network over `graph`, which the caller owns and keeps. payload: rows carry bits. wire:
 * latency from the hub to a node, cycles. Returns NULL when there is no memory. */
link_network *link_network_create(const link_graph *graph, bool payload, uint32_t wire);
void link_network_destroy(link_network *n); /* NULL is allowed */
/* Sends the flit's packet (`packet`), or else its grant. With payload the row is copied. Returns
 * false when there is no memory. */
bool link_network_send(link_network *n, uint64_t now, unsigned from, unsigned to, unsigned plane,
                       bool packet, const ace_flit *f, const uint32_t *row);
/* Returns the cycle of the next step of anything under way, before which there is no event;
 * UINT64_MAX when nothing is under way. */
uint64_t link_network_next(const link_network *n);
/* Takes the next event, at cycle `now` or before. Returns false when there is none. */
bool link_network_take(link_network *n, uint64_t now, network_event *e);
/* Return the bytes that were queued for a link of the graph, and the cycles they take there. */
uint64_t link_network_bytes(const link_network *n, unsigned link);
uint64_t link_network_busy(const link_network *n, unsigned link);
/* Saves or loads the state (ace_state.h). `like`: a wire of the engines, by which a loaded packet's
 * context is checked. */
void link_network_state(link_network *n, const ace_wire *like, ace_state *s);

#endif
