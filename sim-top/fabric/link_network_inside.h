/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_network_inside.h -- what is under way over a graph of links, for link_network.c and for
 * the test of what a loaded state must hold (tests/unit/loaded_test.cc)
 */
#ifndef LINK_NETWORK_INSIDE_H
#define LINK_NETWORK_INSIDE_H

#include "ace_types.h"
#include "link_network.h"

/* Where something under way will be at `time`. */
typedef enum stage {
    QUEUED,  /* at the tail of its next link */
    LEAVING, /* at the head of the first link's queue, whose turn is over */
    THERE
} stage;

typedef struct under_way {
    uint64_t time, number; /* of equal times the lower number goes first */
    ace_flit flit;
    uint32_t slot; /* of its row, with payload */
    uint8_t from, to, plane, hop, stage;
    bool packet;
} under_way;

typedef struct link_state {
    uint64_t free;    /* the queue is served until then, cycles in Q16.8 */
    uint64_t packets; /* that it was given */
} link_state;

struct link_network {
    /* constant */
    const link_graph *graph;
    bool payload;
    uint32_t wire;
    /* state */
    uint64_t number;
    under_way *heap; /* the earliest at 0 */
    size_t count, room;
    uint32_t (*row)[ACE_ROW_WORDS]; /* slots, as many as `room` */
    uint32_t *spare;                /* those without a packet: room - count of them at most */
    size_t spares;
    link_state link[LINK_GRAPH_LINKS];
    uint32_t shown[ACE_ROW_WORDS]; /* the row of the event told last */
};

#endif
