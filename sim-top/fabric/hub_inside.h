/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_inside.h -- the state of a hub
 *
 * hub.c runs a hub. hub_state.c saves, loads and compares its state.
 */
#ifndef HUB_INSIDE_H
#define HUB_INSIDE_H

#include "ace_link_guard.h"
#include "hub.h"

enum { PORTS = 2 * HUB_MEMBERS };

/* The kinds of packet for which a node has separate buffers, in the order of precedence. */
typedef enum channel { ROUTED, PLAIN, CHANNELS } channel;

/* Where a packet goes: its port, and by how many ranks the receiver is above the sender. */
typedef struct target {
    unsigned port, distance;
} target;

/* The check codes of a row for the reducer, made when the CRC of its frame has been checked; 0 for
 * other packets. */
typedef struct codes {
    uint32_t row, header;
} codes;

typedef struct packet {
    ace_flit flit;
    target to; /* its destination, while it waits at its input port */
    codes code;
    uint32_t row[ACE_ROW_WORDS]; /* with payload */
} packet;

/* A queue of packets, as a ring that grows. */
typedef struct lane {
    packet *at;
    size_t first, count, room;
} lane;

/* The queues for a link to a node. */
typedef struct server {
    lane lane[CHANNELS];
    uint64_t acc; /* cycles already spent on the first packet, Q16.8 */
} server;

typedef struct grant {
    uint8_t context, tag, from;
} grant;

/* A queue of grants, as a ring that grows. */
typedef struct grant_lane {
    grant *at;
    size_t first, count, room;
} grant_lane;

typedef struct port {
    unsigned waiting;           /* packets queued for this port */
    unsigned next_server;       /* the server that is polled first, as a distance in ports */
    unsigned favour[CHANNELS];  /* the sender that is polled first, where senders wait for room */
    unsigned credits[CHANNELS]; /* free slots at the node */
    unsigned owed[CHANNELS];    /* credits to return to the node */
    uint16_t number;            /* number of the next frame to the node */
} port;

struct hub {
    /* constant */
    hub_setup setup;
    unsigned ports;
    uint64_t cost; /* cycles a server needs for a packet, Q16.8 */
    bool inside;   /* packets wait at their input port for room or for the switch's bandwidth */
    unsigned rank[PORTS], node[PORTS]; /* of the node at a port */
    ace_wire *from[PORTS], *to[PORTS];
    ace_link_guard *guard[PORTS]; /* NULL: no retry; what it points to is state */
    bool planes;                  /* a member has two ports */
    link_network *network;        /* over a graph, else NULL; what it points to is state */
    hub_reduction *reducer;       /* or NULL; what it points to is state */
    /* state */
    uint64_t now;
    unsigned pending;   /* packets, grants and credits still to be passed on */
    bool out_of_memory; /* a packet was lost */
    port port[PORTS];
    lane up[PORTS];        /* packets for the reducer */
    server *server[PORTS]; /* of a port: hub_servers() links, by the distance to their sender */
    /* to the node, which distinguishes a context's grants by their sender */
    grant_lane grants[PORTS];
    lane input[PORTS][CHANNELS]; /* packets that wait at their input port */
    /* the switch's unused bandwidth in 1 / HUB_COST_ONE cycles, as of cycle saved_at */
    uint64_t saved, saved_at;
    unsigned first; /* the port that may use the bandwidth first */
};

static inline packet *packet_at(const lane *l, size_t i) {
    return &l->at[(l->first + i) % l->room];
}
/* Appends a packet. Returns its slot, or NULL when there is no memory. */
packet *hub_lane_push(lane *l);
static inline grant *grant_at(const grant_lane *l, size_t i) {
    return &l->at[(l->first + i) % l->room];
}
grant *hub_grant_push(grant_lane *l);

/* Returns how many links lead to a node: one in a switch. */
static inline unsigned hub_servers(const hub *h) { return h->setup.direct ? h->setup.members : 1; }

static inline unsigned member_at(const hub *h, unsigned port) { return port >> h->planes; }

/* Returns the port by which a member receives what port `at` sends: the same plane, or on a ring
 * the facing port. */
static inline unsigned facing(const hub *h, unsigned at, unsigned member) {
    return h->planes ? 2 * member + ((at & 1) != h->setup.rings) : member;
}

/* Returns the port whose packets travel `distance` ranks to reach port `at`. */
static inline unsigned sender_at(const hub *h, unsigned at, unsigned distance) {
    const unsigned n = h->setup.simulated;

    return facing(h, at, (member_at(h, at) + n - distance % n) % n);
}

#endif
