/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub.h -- what stands between the nodes of a dimension that is no ring
 *
 * A hub has no more than HUB_MEMBERS members.  Of engines each has
 * one port to a switch; a packet goes to the port that its flit names, and arrives with where it
 * came from. Software knows only its two neighbours: with `rings` a member has two ports, 2i up and
 * 2i + 1 down, and what it sends up arrives at the next member's port down, as on a ring.
 *
 *     switch   A packet waits for the one link to its receiver, which takes `cost` for each:
 *              an output-queued switch whose buffers have no end.  With `buffer_rows` or
 *              `pass_cost` it waits where it came in, first come first passed, until its receiver's
 *              queue has room and the switch itself has bandwidth.  To each port one packet a cycle
 *              passes, in turn among those that wait for it; what is routed has queues of its own,
 *              and goes first.  Its sender has its place back when it passes.
 *     graph    Links that a file lists lie between the members (link_network.h).  Each member has
 *              two ports, 2i and 2i + 1, for its two links: the same links between members carry
 *              what comes from both.  Its members do not fold.
 *     direct   Each pair of nodes has a link of its own, each way.  Each member has two ports, 2i
 *              and 2i + 1: half of `cost` times the other members is what a packet takes on a link,
 *              so that the links of a member carry what its ports send.  Where packets of both
 *              ports wait for one link, each port has half of it.  What several links bring a port
 *              in one cycle is taken one after the other.
 *
 * What would be served at a time is served by how far its sender is away, and not by number, so
 * that members that do the same see the same: where nodes fold (fold.h) the hub has the ports of
 * those that are simulated, and its links to each are those of all members.
 *
 * A switch may have a reducer (hub_reduction.h): what members send to it, and to no peer, it sums
 * up, and the sums go to all of them, through the same links as other packets.  A row waits at the
 * port where it came until the reducer takes it, and only then its sender has its place back.  Of
 * members that fold those that are simulated take part: rows of the others would come in the same
 * cycles.
 *
 * A packet leaves once the receiver has a place for it; its sender has its place back at once, over
 * a graph once it has left the first link's queue, in a switch of finite buffers once it has
 * passed.
 *
 * Why nothing waits for ever in such a switch: what is plain was granted (decision 7), so a node
 * takes it whatever else happens, and its queue here goes on; what is routed waits for a node's
 * router, which waits for later dimensions alone.  Neither waits for the other.  So the first
 * packet at each port gets through, and so do those behind it.  Sums are plain; a slot is only read
 * while all queues have room for it and for the sums under way. With `retry` each port has an
 * ace_link_guard, as the node at the other end of its wires has. What is routed goes first, as on
 * the nodes' links.  Its hops (ace_router.h) are those of a ring of the ports, and the hub takes it
 * over all that are left: so no ring of buffers can fill up. Of one thread; between two windows of
 * the nodes, which are no longer than the wires from the hub.
 */
#ifndef HUB_H
#define HUB_H

#include "ace_node.h"
#include "ace_recurrence.h"
#include "hub_reduction.h"
#include "link_network.h"

enum {
    HUB_MEMBERS = LINK_GRAPH_NPUS,
    HUB_COST_ONE = 1 << 16 /* finer than of links: many rows may pass in a cycle */
};

typedef struct hub_setup {
    unsigned members;
    unsigned simulated; /* of them; each other one does as that many places before it (fold.h) */
    bool rings;
    bool direct;
    const link_graph *graph; /* the caller's, or NULL: a switch or direct */
    uint32_t wire;           /* over a graph: latency from the hub to a node, cycles */
    bool payload;
    unsigned node;        /* the first member, as messages name it */
    unsigned link;        /* of the nodes, that leads here; with `rings` the one up */
    uint32_t cost;        /* of a packet, cycles in Q16.8 */
    unsigned buffer_rows; /* of a switch: packets of each kind that wait for a link; 0: no end */
    uint32_t pass_cost;   /* of a switch: of a packet through it, cycles / HUB_COST_ONE; 0: none */
    unsigned input_rows;  /* packets a node's input buffer holds */
    unsigned router_rows; /* and its router's */
    uint16_t retry;       /* cycles, as of ace_link_guard; 0: off */
    bool reduces, rtl;    /* of a switch: it has a reducer; that is the RTL */
} hub_setup;

typedef struct hub hub;
/* NULL: no memory. */
hub *hub_create(const hub_setup *setup);
void hub_destroy(hub *h); /* NULL is allowed */
/* The wires of a port: from its node, and to it.  They are the caller's.  rank: of the node on the
 * dimension, by which its packets and grants say whom they are for. */
void hub_connect(hub *h, unsigned port, unsigned node, unsigned rank, ace_wire *from, ace_wire *to);
/* All that arrives before `until` is passed on. */
void hub_run(hub *h, uint64_t until);
/* Nothing happens before this cycle unless a node sends; UINT64_MAX at rest. */
uint64_t hub_next(const hub *h);
/* A message for what has failed first: memory (ACE_ENOMEM), the link of a port (ACE_ELINK), rows
 * that members sent to be reduced and that do not belong together (ACE_ENODE), that the switch
 * does not reduce (ACE_EINVAL), or of which a bit is wrong (ACE_EPARITY); or ACE_OK. */
int hub_error(const hub *h);
/* Packets that it has sent to its nodes so far. */
uint64_t hub_packets(const hub *h);
/* Tells, on stderr, whose rows wait in a reducer and for whose; nothing when none do. */
void hub_tell(const hub *h);
/* What the guards of all ports count, in the order of ACE_LINK_COUNTS, is added. */
void hub_count(const hub *h, uint64_t counts[ACE_LINK_COUNTS]);
/* What its reducer has counted, where that link of the nodes leads to it and it has one. */
hub_reduction_counts hub_reduced(const hub *h, unsigned link);
/* What its links have carried; NULL: it has no graph. */
const link_network *hub_network(const hub *h);
/* See ace_state.h; now: up to where it ran.  The wires are their owner's to list, before it. */
void hub_state(hub *h, uint64_t now, ace_state *s);
/* For ace_between (ace_recurrence.h): what it holds, and what is on the way to it; that what it has
 * counted is to be kept; then that much later.  hub_put: false when part of an all-to-all is under
 * way, links are guarded, over a graph, or in a switch with a bandwidth of its own. */
bool hub_put(const hub *h, ace_recurrence *to);
void hub_keep(hub *h);
void hub_shift(hub *h, uint64_t cycles, uint64_t times);

#endif
