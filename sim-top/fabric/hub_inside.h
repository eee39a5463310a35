/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_inside.h -- what a hub is made of, for the files that run it (hub.c) and that save, load and
 * compare its state (hub_state.c)
 */
#ifndef HUB_INSIDE_H
#define HUB_INSIDE_H

#include "ace_link_guard.h"
#include "hub.h"

enum { PORTS = 2 * HUB_MEMBERS };

/* What has places of its own at a node; the first goes first. */
typedef enum channel { ROUTED, PLAIN, CHANNELS } channel;

/* Where a packet goes: the port, and how many places up the dimension its member is. */
typedef struct way {
    unsigned port, places;
} way;

/* Of a row for the reducer, made where the CRC of its frame ends; of others 0. */
typedef struct codes {
    uint32_t row, header;
} codes;

typedef struct packet {
    ace_flit flit;
    way to; /* of one that waits at the port it came by */
    codes code;
    uint32_t row[ACE_ROW_WORDS]; /* with payload */
} packet;

/* Packets in order; it grows. */
typedef struct lane {
    packet *at;
    size_t first, count, room;
} lane;

/* A link to a node. */
typedef struct server {
    lane lane[CHANNELS];
    uint64_t acc; /* cycles of what is first, Q16.8 */
} server;

typedef struct grant {
    uint8_t context, tag, from;
} grant;

/* Grants in order; it grows. */
typedef struct grant_lane {
    grant *at;
    size_t first, count, room;
} grant_lane;

typedef struct port {
    unsigned waiting;           /* packets for it */
    unsigned turn;              /* the server that is asked first, by how far on the port is */
    unsigned favour[CHANNELS];  /* likewise the sender, where senders wait for room */
    unsigned credits[CHANNELS]; /* places at the node */
    unsigned owed[CHANNELS];    /* credits to the node */
    uint16_t number;            /* of the next frame to the node */
} port;

struct hub {
    /* constant */
    hub_setup setup;
    unsigned ports;
    uint64_t cost; /* of a server */
    bool inside;   /* packets wait at the port they came by: for room, or for the switch itself */
    unsigned rank[PORTS], place[PORTS]; /* of the node at a port */
    ace_wire *from[PORTS], *to[PORTS];
    ace_link_guard *guard[PORTS]; /* NULL: without retry; its state is state */
    bool planes;                  /* a member has two ports */
    link_network *network;        /* over a graph; its state is state */
    hub_reduction *reducer;       /* or NULL; its state is state */
    /* state */
    uint64_t now;
    unsigned pending;   /* what is still to be passed on */
    bool out_of_memory; /* a packet is lost */
    port port[PORTS];
    lane up[PORTS];              /* to the reducer */
    server *server[PORTS];       /* of a port: hub_servers() links, by how far on it is */
    grant_lane grants[PORTS];    /* to the node: a context's are told apart by who grants */
    lane input[PORTS][CHANNELS]; /* what has come by a port and waits inside */
    uint64_t saved, saved_at;    /* 1 / HUB_COST_ONE cycles for rows to pass, and up to when */
    unsigned first;              /* the port that passes are given to first */
};

static inline packet *place(const lane *l, size_t i) { return &l->at[(l->first + i) % l->room]; }
/* A place behind the last; NULL: no memory. */
packet *hub_lane_push(lane *l);
static inline grant *grant_place(const grant_lane *l, size_t i) {
    return &l->at[(l->first + i) % l->room];
}
grant *hub_grant_push(grant_lane *l);

/* Links to a node; of a switch one. */
static inline unsigned hub_servers(const hub *h) { return h->setup.direct ? h->setup.members : 1; }

static inline unsigned member_at(const hub *h, unsigned port) { return port >> h->planes; }

/* A member's port for what comes from `at`: of two the same, or on a ring the one that faces it. */
static inline unsigned facing(const hub *h, unsigned at, unsigned member) {
    return h->planes ? 2 * member + ((at & 1) != h->setup.rings) : member;
}

/* The port from which a packet comes to `at` over so many places. */
static inline unsigned sender_at(const hub *h, unsigned at, unsigned places) {
    const unsigned n = h->setup.simulated;

    return facing(h, at, (member_at(h, at) + n - places % n) % n);
}

#endif
