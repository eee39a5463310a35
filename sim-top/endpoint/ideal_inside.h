/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_inside.h -- the state of an ideal endpoint
 *
 * ideal.c uses it, and the test of loaded states (tests/unit/loaded_test.cc).
 */
#ifndef IDEAL_INSIDE_H
#define IDEAL_INSIDE_H

#include "ace_node.h"
#include "ideal_steps.h"

typedef struct work {
    uint64_t left[ACE_DIMENSIONS]; /* cycles of a link, Q8 */
    uint64_t start, earliest;
    uint64_t number; /* of a command of messages, else 0 */
    uint16_t tag;
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

typedef struct ideal {
    ace_node node;
    ace_config cfg;
    uint64_t step[ACE_DIMENSIONS]; /* cycles from member to member, plus one at the endpoint */
    /* Steps of each phase until its result is complete: here, and at the first member to have
     * it. */
    uint16_t own[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS];
    uint16_t least[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS];
    unsigned shared; /* dimensions that share a server, one bit each */
    unsigned direct; /* dimensions with a link to each other member, one bit each */
    /* the cycle from which the link to each member has no more messages, by ranks up the
     * dimension */
    uint64_t link_free[ACE_DIMENSIONS][IDEAL_PEERS];
    uint64_t now;
    uint64_t busy[ACE_DIMENSIONS];
    work *at; /* in order of submission */
    size_t count, room;
    ace_completion *done; /* [taken, finished) wait to be taken */
    size_t taken, finished, done_room;
    ace_wire *in[ACE_LINKS], *out[ACE_LINKS];
    notices notices[QUEUES];
    uint64_t numbers;
    unsigned owed[ACE_LINKS]; /* credits to return to a hub */
    ace_arrival *arrived;     /* messages in order; the first `heard` of them were taken */
    size_t heard, arrivals, arrival_room;
    int error;
} ideal;

#endif
