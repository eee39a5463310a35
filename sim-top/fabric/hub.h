/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub.h -- the switch, or the direct links, between the nodes of a dimension that is no ring
 *
 * A hub connects at most HUB_MEMBERS members. An engine has one port to a switch. A packet goes to
 * the port that its flit names, and a grant names its sender by rank. Endpoints in software
 * know only their two ring neighbours. For them `rings` is set: member i has the ports 2i (up) and
 * 2i + 1 (down). A packet sent up arrives at the next member's port down, as on a ring.
 *
 *     switch   A packet waits for the one link to its receiver, which takes `cost` for each.
 *              By default this is an output-queued switch with unlimited buffers.  With
 *              `buffer_rows` or `pass_cost` a packet waits at its input port, in order of arrival,
 *              until its receiver's queue has room and the switch has bandwidth.  Each cycle one
 *              packet passes to each output port, round-robin among the inputs that wait for it.
 *              Routed packets have queues of their own, and precedence.  The sender gets its credit
 *              back when the packet passes.
 *     graph    Links that a file lists connect the members (link_network.h).  Each member has two
 *              ports, 2i and 2i + 1, for its two links.  The same links between members carry the
 *              packets of both ports.  Members of a graph do not fold.
 *     direct   Each pair of nodes has its own link in each direction.  Each member has two ports,
 *              2i and 2i + 1.  A packet takes half of `cost` times the number of other members on a
 *              link, so a member's links together carry what its ports send.  Where packets of
 *              both ports wait for one link, each port has half of the link.  When several links
 *              deliver to a port in one cycle, the port takes the packets one after the other.
 *
 * Packets of one cycle are served by the distance to their sender, not by its number. So members
 * that do the same work see the same order. Where nodes fold (fold.h), the hub has ports only for
 * the simulated members, but as many links to each port as there are members.
 *
 * A switch may have a reducer (hub_reduction.h). Members send rows to the reducer instead of to a
 * peer, and the sums go to all members through the same links as other packets. A row waits at its
 * input port until the reducer takes it. Only then does its sender get the credit back. Where
 * members fold, only the simulated ones send to the reducer: rows of the others would come in the
 * same cycles.
 *
 * A packet leaves the hub once its receiver has a free slot. When the sender gets its credit back
 * depends on the wiring. In general that is at once. Over a graph it is when the packet has left
 * the first link's queue, and in a switch with finite buffers when it has passed.
 *
 * No packet waits for ever in a switch with finite buffers. A plain packet was granted (decision
 * 7), so its node accepts it in any case, and the queue here moves on. A routed packet waits for a
 * node's router, which waits only for later dimensions. Neither kind waits for the other. So the
 * first packet at each port gets through, and then the packets behind it do. Sums are plain
 * packets. A slot is read only while all queues have room for its sum and for the sums already
 * under way.
 *
 * With `retry` each port has an ace_link_guard, like the node at the other end of its wires. Routed
 * packets go first, as on the nodes' links. The hops of a route (ace_router.h) count steps on a
 * ring of the ports, and the hub takes all remaining hops of its dimension at once. So no ring of
 * buffers can fill up.
 *
 * A hub is run by one thread, between two windows of the nodes. A window is not longer than the
 * latency of the wires from the hub.
 */
#ifndef HUB_H
#define HUB_H

#include "ace_node.h"
#include "ace_recurrence.h"
#include "hub_reduction.h"
#include "link_network.h"

enum {
    HUB_MEMBERS = LINK_GRAPH_NPUS,
    HUB_COST_ONE = 1 << 16 /* finer than ACE_COST_ONE of links: many rows may pass in one cycle */
};

typedef struct hub_setup {
    unsigned members;
    /* members that have ports; each represents members / simulated nodes (fold.h) */
    unsigned simulated;
    bool rings;
    bool direct;
    const link_graph *graph; /* owned by the caller; NULL: a switch, or direct */
    uint32_t wire;           /* over a graph: latency from the hub to a node, cycles */
    bool payload;
    unsigned node; /* the first member, as messages name it */
    unsigned link; /* the nodes' link number that leads here; with `rings` the link up */
    uint32_t cost; /* cycles a link needs for a packet, Q16.8 */
    /* of a switch: packets of each kind that may wait for a link; 0: unlimited */
    unsigned buffer_rows;
    uint32_t pass_cost;   /* of a switch: its time for a packet, cycles / HUB_COST_ONE; 0: none */
    unsigned input_rows;  /* packets that a node's input buffer holds */
    unsigned router_rows; /* packets that a node's router holds */
    uint16_t retry;       /* timeout of the ace_link_guard, cycles; 0: no retry */
    bool reduces, rtl;    /* of a switch: it has a reducer; the reducer is the RTL */
} hub_setup;

typedef struct hub hub;
/* Returns NULL when there is no memory. */
hub *hub_create(const hub_setup *setup);
void hub_destroy(hub *h); /* NULL is allowed */
/* Connects a port to the wires from and to its node. The caller owns the wires. `rank` is the
 * node's rank on the dimension; packets and grants name their receiver by it. */
void hub_connect(hub *h, unsigned port, unsigned node, unsigned rank, ace_wire *from, ace_wire *to);
/* Passes on all that arrives before cycle `until`. */
void hub_run(hub *h, uint64_t until);
/* Returns the first cycle in which something can happen if no node sends; UINT64_MAX when idle. */
uint64_t hub_next(const hub *h);
/* Returns ACE_OK, or the first error after a message on stderr.
 *   ACE_ENOMEM   there was no memory for a packet
 *   ACE_ELINK    the link of a port failed
 *   ACE_ENODE    members sent rows to be reduced that do not belong together
 *   ACE_EINVAL   the reducer does not support the reduction of a row
 *   ACE_EPARITY  a bit of a row for the reducer is wrong */
int hub_error(const hub *h);
/* Returns how many packets the hub has sent to its nodes so far. */
uint64_t hub_packets(const hub *h);
/* Prints to stderr which rows wait in a reducer, and which members are missing, if any wait. */
void hub_print(const hub *h);
/* Adds the counters of all ports' link-layer retry, in the order of ACE_LINK_COUNTS. */
void hub_count(const hub *h, uint64_t counts[ACE_LINK_COUNTS]);
/* Returns the reducer's counters. All are 0 when there is no reducer, or when `link` of the nodes
 * leads to another hub. */
hub_reduction_counts hub_reduced(const hub *h, unsigned link);
/* Returns the links that a file lists, with their counters; NULL when the hub has no graph. */
const link_network *hub_network(const hub *h);
/* Saves or loads the state (ace_state.h). `now` is the cycle to which the hub has run. The owner of
 * the wires saves them first. */
void hub_state(hub *h, uint64_t now, ace_state *s);
/* For ace_between (ace_recurrence.h). hub_put() appends the state and what arrives at the hub.
 * It returns false where periods cannot be left out. This is so while part of an all-to-all is
 * under way, with retry, over a graph, and in a switch with pass_cost. hub_keep() remembers the
 * counters of now. hub_shift() moves all times by `cycles` and adds the counters of `times`
 * periods. */
bool hub_put(const hub *h, ace_recurrence *to);
void hub_keep(hub *h);
void hub_shift(hub *h, uint64_t cycles, uint64_t times);

#endif
