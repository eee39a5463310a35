/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_network.h -- packets and grants under way over a graph of links
 *
 *     link_network_send(n, now, from, to, plane, &flit, row);
 *     while (link_network_next(n) <= now && link_network_take(n, &event)) ...
 *
 * A packet takes its pair's way (link_graph.h).  A link serves one packet after the other, as they
 * come, each for the link's cost; then the packet is under way for the link's latency.  A grant
 * needs no bandwidth and takes the latencies of the way.
 *
 * Two events are told: a packet has left the first link's queue, which is when its sender has the
 * place back; and what was sent is there.  The last link's latency ends `wire` + 1 cycles early: so
 * much do the wires between hub and nodes take.
 *
 * Why nothing waits for ever in here: a node holds back what it has no place for, at its end of the
 * wire to the first queue; behind that queue there is always room, so each packet waits for links
 * alone, which serve in turn and wait for nobody.  So everything that is in arrives.  How much can
 * be in is bounded where it enters: a port has no more packets in first queues than the node's
 * credits.
 *
 * Events come in the order of their cycles, those of one cycle in the order in which they were
 * caused: the same in each run.  Of one thread, the hub's.
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
    uint8_t from, to; /* NPUs of the run */
    uint8_t plane;    /* as it was sent */
    ace_flit flit;
    const uint32_t *row; /* of a packet with payload; until the next call */
} network_event;

typedef struct link_network link_network;
/* graph: the caller's, and stays.  payload: rows are carried.  wire: cycles from the hub to a node.
 * NULL: no memory. */
link_network *link_network_create(const link_graph *graph, bool payload, uint32_t wire);
void link_network_destroy(link_network *n); /* NULL is allowed */
/* The flit's packet (packet), or its grant.  row: with payload, copied.  False: no memory. */
bool link_network_send(link_network *n, uint64_t now, unsigned from, unsigned to, unsigned plane,
                       bool packet, const ace_flit *f, const uint32_t *row);
/* Nothing is told before this cycle; UINT64_MAX: nothing is under way. */
uint64_t link_network_next(const link_network *n);
/* The next event, at `now` or before.  False: none. */
bool link_network_take(link_network *n, uint64_t now, network_event *e);
/* What has left on a link of the graph, and the cycles that it took. */
uint64_t link_network_bytes(const link_network *n, unsigned link);
uint64_t link_network_busy(const link_network *n, unsigned link);
/* See ace_state.h; like: a wire of the engines whose contexts are named. */
void link_network_state(link_network *n, const ace_wire *like, ace_state *s);

#endif
