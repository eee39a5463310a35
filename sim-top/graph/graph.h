/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph.h -- the work of an NPU, as nodes that wait for each other
 *
 * Layer models, tables and traces all become graphs, and one engine runs them (graph_engine.h). A
 * graph belongs to one NPU, or to all NPUs that do the same. A reader returns it node by node, so
 * that no graph need be in memory as a whole.
 *
 *   kind         begins when its parents are finished and    is finished
 *                its lane has a slot, and
 *   compute      runs on the NPU                             after its operations, one by one
 *   memory       moves data of its own NPU, or requests a    after its operations, one by one
 *                transfer of memory that NPUs share
 *   collective   is submitted to the endpoint, or goes in    when the endpoint has completed it, or
 *                steps of messages (graph_messages.h)        the last step has ended
 *   send         is submitted to the endpoint                when its bytes have left
 *   receive      begins at once: it takes no slot            when all bytes have arrived
 *   mark         takes no slot                              at once; calls the source's marked()
 *
 * Rules that hold for all graphs
 *   Ids       Each node has a unique id in its graph.  A parent may come after its child.
 *   Order     Among the nodes of a lane that may begin, the one with the lowest priority begins,
 *             and among equals the one with the lowest id.
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

/* The resource that a node occupies while it runs. Compute lanes have one slot each. */
typedef enum graph_lane {
    LANE_COMPUTE,       /* the NPU, without the shares of other lanes and of collectives */
    LANE_BACKGROUND,    /* a fixed share of the NPU (GRAPH_BACKGROUND_SHARE) */
    LANE_HOST,          /* the CPU next to the NPU: only given times */
    LANE_COMMUNICATION, /* collectives, sends, receives; and memory other than the NPU's own */
    LANES
} graph_lane;

typedef struct graph_node {
    uint64_t id;
    graph_kind kind;
    graph_lane lane;   /* a mark has none */
    uint32_t priority; /* among ready nodes of the lane the lowest goes first */
    uint32_t label;    /* the source's number; it gives the name in timelines and messages */
    /* compute, memory: `operations` operations from `first_operation` on, which must last as long
     * as the graph. NULL: one operation, `single`. Operations without time are skipped. */
    const operation *first_operation;
    unsigned operations;
    operation single;
    bool shared; /* memory: a transfer of memory that NPUs share (graph_pool.h) */
    bool moves;  /* memory: uses bandwidth of the NPU's own memory while it lasts (graph_source) */
    /* collective, send, receive: the endpoint's command, without its tag */
    ace_command command;
    uint64_t work; /* collective: a number that is the same for this collective at all NPUs */
    /* A collective that is a part of another: the number of parts, which share one slot, and the
     * index of this one. The first part's id is this id minus `part`. 0 parts: it is whole. */
    unsigned parts, part;
    unsigned peer; /* send, receive: an NPU */
    /* of its channels (graph_messages.h); the low 8 bits of a collective's tag are 0 */
    uint64_t tag;
    /* A collective by messages: its members, in an order on which all agree, and this NPU's index.
     * They must last as long as the graph. 0 members: the collective runs on the endpoint. */
    const unsigned *member;
    unsigned members, own;
    /* The least time from when this node may begin to the next submission, in cycles at the NPU's
     * full speed. It covers this node's own submission, and those of collectives, sends and
     * receives that wait for this node, directly or not. 0: unknown. */
    uint64_t cycles_to_submission;
    const uint64_t *parent; /* ids; owned by the reader, valid until its next call */
    unsigned parents;
} graph_node;

/* Returns a priority with which the collective of the fewest bytes goes first. */
static inline uint32_t graph_smallest_first(uint64_t bytes) {
    const uint64_t rows = bytes / ACE_ROW_BYTES;

    return rows < UINT32_MAX ? (uint32_t)rows : UINT32_MAX;
}

/* Reads the nodes of a graph, each once, in any order. */
typedef struct graph_reader {
    void *self;
    const char *name; /* for messages: a file, or the source of the graph */
    /* 1: *n is the next node; 0: end; -1 after a message. */
    int (*next)(void *self, graph_node *n);
    /* Goes back to the first node. Returns EXIT_OK, or another status after a message. */
    int (*rewind)(void *self);
    void (*close)(void *self); /* frees the reader's memory */
} graph_reader;

#ifdef __cplusplus
}
#endif

#endif
