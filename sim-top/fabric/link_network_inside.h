/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_network_inside.h -- the state of a link network
 *
 * link_network.c uses it, and the test of loaded states (tests/unit/loaded_test.cc).
 */
#ifndef LINK_NETWORK_INSIDE_H
#define LINK_NETWORK_INSIDE_H

#include "ace_types.h"
#include "link_network.h"

/* The next step of something under way, which happens at its `time`. */
typedef enum stage {
    QUEUED,  /* it joins the queue of its next link */
    LEAVING, /* it leaves the link, which has served it */
    THERE
} stage;

typedef struct in_transit {
    uint64_t time, number; /* among equal times the lower number goes first */
    ace_flit flit;
    uint32_t slot; /* of its row, with payload */
    uint8_t from, to, plane, hop, stage;
    bool packet;
} in_transit;

typedef struct link_state {
    uint64_t free;    /* the link is busy until then, cycles in Q16.8 */
    uint64_t packets; /* packets that joined its queue */
} link_state;

struct link_network {
    /* constant */
    const link_graph *graph;
    bool payload;
    uint32_t wire;
    /* state */
    uint64_t number;
    in_transit *heap; /* the earliest is at index 0 */
    size_t count, room;
    uint32_t (*row)[ACE_ROW_WORDS]; /* slots, as many as `room` */
    uint32_t *spare;                /* free slots: at most room - count */
    size_t spares;
    link_state link[LINK_GRAPH_LINKS];
    uint32_t shown[ACE_ROW_WORDS]; /* the row of the last event reported */
};

#endif
