/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_inside.h -- what an ideal endpoint's node is made of, for ideal.c and for the test of
 * what a loaded state must hold (tests/unit/loaded_test.cc)
 */
#ifndef IDEAL_INSIDE_H
#define IDEAL_INSIDE_H

#include "ace_node.h"
#include "ideal_steps.h"

typedef struct work {
    uint64_t left[ACE_DIMENSIONS]; /* cycles of a link, Q8 */
    uint64_t start, earliest;
    uint64_t number; /* of messages, else 0 */
    uint16_t tag;
} work;

/* A message on its way: to a link, in the order of the cycles from which it may be sent, or while
 * the command `number` is served. */
typedef struct notice {
    uint64_t number, cycle, route;
} notice;
typedef struct notices {
    notice *at;
    size_t count, room;
} notices;
enum { SERVED = ACE_LINKS, QUEUES }; /* a queue a link, and the notices of what is served */

enum { IDEAL_PEERS = 64 }; /* members of a hub */

typedef struct ideal {
    ace_node node;
    ace_config cfg;
    uint64_t step[ACE_DIMENSIONS]; /* cycles from member to member, and one at the endpoint */
    /* Steps of each phase until its result is complete: here, and at the member that is first. */
    uint16_t own[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS];
    uint16_t least[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS];
    unsigned shared; /* a bit for each dimension that is one server with others */
    unsigned direct; /* a bit for each dimension with a link to each other member */
    /* the cycle from which each of these links is free of messages, by how far up its member is */
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
    unsigned owed[ACE_LINKS]; /* credits to a hub */
    ace_arrival *arrived;     /* messages, in order; those before `heard` were taken */
    size_t heard, arrivals, arrival_room;
    int error;
} ideal;

#endif
