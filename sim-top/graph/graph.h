/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h -- what an NPU does: nodes, and which of them waits for which
 *
 * Layer models, tables and traces all become graphs, and one engine runs them (graph_engine.h).  A
 * graph is of one NPU, or of all that do the same; it comes from a reader, node by node, so that
 * none need be held whole.
 *
 *   kind         begins when its parents are finished and    is finished
 *                its lane has a slot, and
 *   compute      runs on the NPU                             after its operations, one by one
 *   memory       moves data of its own NPU, or waits for     likewise
 *                its turn at memory that NPUs share
 *   collective   is handed to the endpoint, or goes in       when the endpoint has completed it, or
 *                steps of messages (graph_messages.h)        the last step is over
 *   send         is handed to the endpoint                   when its bytes have left
 *   receive      at once: it takes no slot                   when all bytes have arrived
 *   mark         -                                           at once; its maker is told
 *
 * Rules that hold for all graphs
 *   Ids       Each node has one of its own in its graph.  A parent may come after its child.
 *   Order     Of the nodes of a lane that may begin, the one of the lowest priority does, and among
 *             those the one of the lowest id.
 *   Time      Cycles of the node clock.  A parent that is finished in cycle c lets a child begin in
 *             c; a completion in c finishes its node in c + 1.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"
#include "npu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum graph_kind {
    GRAPH_COMPUTE,
    GRAPH_MEMORY,
    GRAPH_COLLECTIVE,
    GRAPH_SEND,
    GRAPH_RECEIVE,
    GRAPH_MARK,
    GRAPH_KINDS
} graph_kind;
extern const char *const graph_kind_names[GRAPH_KINDS];

/* What a node occupies while it runs.  Compute lanes have one slot each. */
typedef enum graph_lane {
    LANE_COMPUTE,       /* the NPU, less what the other lanes and collectives take of it */
    LANE_BACKGROUND,    /* a fixed share of the NPU (GRAPH_BACKGROUND_SHARE) */
    LANE_HOST,          /* the CPU beside the NPU: given times only */
    LANE_COMMUNICATION, /* collectives, sends, receives; and memory that is not the NPU's own */
    LANES
} graph_lane;

typedef struct graph_node {
    uint64_t id;
    graph_kind kind;
    graph_lane lane;   /* of a mark: none */
    uint32_t priority; /* among nodes of the lane that may begin: the lowest first */
    uint32_t label;    /* the maker's number, for names in timelines and messages */
    /* compute, memory: `operations` from `first_operation` on, which last as long as the graph;
     * NULL: one, `single`.  Those of no time are passed over. */
    const operation *first_operation;
    unsigned operations;
    operation single;
    bool shared; /* memory: of several NPUs, which take turns (graph_pool.h) */
    bool moves;  /* memory: while it lasts, the NPU's own memory gives it bandwidth (graph_maker) */
    /* collective, send, receive: as the endpoint takes it, but for its tag */
    ace_command command;
    uint64_t work; /* collective: the same number for the same one at all NPUs */
    /* collective that is a part of another: of how many, which take one slot together, and which;
     * the first's id is this one's less `part`.  0 parts: it is whole */
    unsigned parts, part;
    unsigned peer; /* send, receive: an NPU */
    uint64_t tag;  /* of its channels (graph_messages.h); of a collective the low 8 bits are 0 */
    /* collective by messages: who takes part, in an order that all agree on, and which of them
     * this NPU is; they last as long as the graph.  0: on the endpoint */
    const unsigned *member;
    unsigned members, own;
    /* No collective, send or receive that waits for this node, by whatever way, nor the node itself
     * begins sooner after it may: cycles at full speed of the NPU.  0: not known. */
    uint64_t ahead;
    const uint64_t *parent; /* ids; the reader's, until its next call */
    unsigned parents;
} graph_node;

/* The priority by which the collective of the fewest bytes goes first. */
static inline uint32_t graph_smallest_first(uint64_t bytes) {
    const uint64_t rows = bytes / ACE_ROW_BYTES;

    return rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}

/* The nodes of a graph, in an order of its own, each once. */
typedef struct graph_reader {
    void *self;
    const char *name; /* for messages: a file, or what the graph was made of */
    /* 1: *n is the next node; 0: there is no more; -1: failed, after a message. */
    int (*next)(void *self, graph_node *n);
    /* Begins anew, with the same nodes.  EXIT_OK, or another status after a message. */
    int (*rewind)(void *self);
    void (*close)(void *self); /* frees what is its own */
} graph_reader;

#ifdef __cplusplus
}
#endif

#endif
