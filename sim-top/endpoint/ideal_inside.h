/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_inside.h -- the state of an ideal endpoint
 *
 * ideal.c uses it, and the test of loaded states (tests/unit/loaded_test.cc).
 */
#ifndef IDEAL_INSIDE_H
#define IDEAL_INSIDE_H

#include "ace_node.h"
#include "ideal_starts.h"

typedef struct work {
    uint64_t left[ACE_DIMENSIONS];      /* cycles of a link, Q8 */
    uint64_t forwarded[ACE_DIMENSIONS]; /* of these: rows of others, which need not wait for us */
    /* first: the first start of another member, or this node's; credited: from when on the links'
     * idle cycles before `start` were used for what they forward */
    uint64_t start, earliest, first, credited;
    uint64_t from_hubs; /* cycles in which rows cross links out of hubs into this node */
    uint64_t number;    /* of a command of messages, else 0 */
    uint32_t ordinal;   /* of a collective: the commands along these dimensions before it */
    uint16_t tag;
    uint8_t dims; /* of the command, one bit each */
    bool waits;   /* for the starts of other members */
} work;

/* The notice of a message. It waits for a link, in the order of the cycles from which it may be
 * sent, or until the command `number` has been served. */
typedef struct notice {
    uint64_t number, cycle, route;
} notice;
typedef struct notices {
    notice *at;
    size_t count, room;
} notices;
enum { SERVED = ACE_LINKS, QUEUES }; /* a queue for each link, and one for commands being served */

enum { IDEAL_PEERS = 64 }; /* members of a hub */

/* The latest periods in which the links of a dimension carried commands, in order. Cycles before
 * `used` were given away as idle ones, or cannot be. */
enum { IDEAL_PERIODS = 16 };
typedef struct links_past {
    uint64_t from[IDEAL_PERIODS], to[IDEAL_PERIODS], count;
    uint64_t used;
} links_past;

typedef struct ideal {
    ace_node node;
    ace_config cfg;
    const ideal_steps *steps;
    uint64_t step[ACE_DIMENSIONS]; /* cycles from member to member, plus one at the endpoint */
    ideal_starts *starts;          /* of all nodes; NULL: all nodes are like this one */
    unsigned representative;       /* the index of this node there */
    uint64_t queued;               /* rows of an all-to-all that the queues of a link hold */
    uint32_t begun[1 << ACE_DIMENSIONS]; /* commands so far along each set of dimensions */
    ideal_report *report;                /* collectives begun since the last window */
    size_t reports, reported, report_room;
    unsigned shared; /* dimensions that share a server, one bit each */
    unsigned direct; /* dimensions with a link to each other member, one bit each */
    /* the cycle from which the link to each member has no more messages, by ranks up the
     * dimension */
    uint64_t link_free[ACE_DIMENSIONS][IDEAL_PEERS];
    uint64_t now;
    uint64_t busy[ACE_DIMENSIONS];
    links_past past[ACE_DIMENSIONS]; /* of dimensions that share an interface: at the first */
    work *at;                        /* in order of submission */
    size_t count, room;
    ace_completion *done; /* [taken, finished) wait to be taken */
    size_t taken, finished, done_room;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    notices notices[QUEUES];
    uint64_t numbers;
    unsigned owed[ACE_LINKS]; /* credits to return to a hub */
    ace_arrival *arrived;     /* messages in order; the NPU has taken the first `arrivals_taken` */
    size_t arrivals_taken, arrivals, arrival_room;
    int error;
} ideal;

#endif
