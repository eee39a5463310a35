/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_window.h -- the nodes of a graph that have been read and are not finished
 *
 *     graph_window_open(&w, &reader, limit, npu);
 *     for (;;) {
 *         rc = graph_window_fill(&w);                          reads on while there is room
 *         while ((i = graph_window_ready(&w)) != GRAPH_NONE)   may begin: each is told once
 *             ...
 *         graph_window_sent(&w, i);      it is on its way in the fabric
 *         graph_window_finish(&w, i);    its children wait for one less
 *         if (graph_window_over(&w)) break;
 *     }
 *     graph_window_close(&w);
 *
 * Rules that hold for every call
 *   Memory    `limit` nodes at most, and the parents they name that have not come yet.  A node of a
 *             graph cannot begin before it is read.
 *   Places    A node keeps its place (an index) until it is finished; w->at may move when nodes are
 *             read.
 *   Errors    EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message with the graph's name, the node
 *             and the NPU.
 *   Threads   One window, one thread at a time.
 */
#ifndef GRAPH_WINDOW_H
#define GRAPH_WINDOW_H

#include "ace_state.h"
#include "graph.h"
#include "graph_ids.h"

#ifdef __cplusplus
extern "C" {
#endif

#define GRAPH_NONE UINT32_MAX /* no place */
/* Shares of the NPU a rate is for: bit 0, a collective is under way; bit 1, so is background
 * work; bit 2, so is a transfer of memory. */
enum { GRAPH_SHARES = 8 };

typedef enum graph_place_state {
    PLACE_FREE,
    PLACE_EXPECTED, /* a parent that has not come */
    PLACE_WAITING,
    PLACE_READY,
    PLACE_RUNNING
} graph_place_state;

/* How far a node has got: the engine's. */
typedef struct graph_progress {
    uint64_t began;     /* cycle */
    uint64_t left;      /* of its operation, in cycles alone and 1 / NPU_RATE_ONE */
    unsigned operation; /* which that is */
    uint32_t rate[GRAPH_SHARES];
    uint16_t tag;     /* in the fabric, while `sending` */
    bool sending;     /* a command is outstanding */
    bool summing;     /* by messages: what came is summed */
    uint32_t step;    /* by messages */
    uint32_t awaits;  /* messages that have not come */
    uint64_t ordinal; /* of its messages, in their channels */
    bool sent;        /* is in the fabric */
} graph_progress;

typedef struct graph_place {
    graph_node node; /* .parent is not valid */
    graph_progress progress;
    uint32_t waits;    /* for parents that are not finished */
    uint32_t others;   /* for those of them that are not in the fabric */
    uint32_t children; /* the first link */
    uint32_t next;     /* of its bucket, or of the free places */
    uint32_t front;    /* where in the front, or GRAPH_NONE */
    graph_place_state state;
} graph_place;

typedef struct graph_link {
    uint32_t child, next;
} graph_link;

typedef struct graph_window {
    graph_reader reader;
    unsigned npu;
    uint32_t limit;
    graph_place *at;
    uint32_t room, nodes, expected; /* places; nodes held; parents that have not come */
    uint32_t free;
    uint32_t *bucket, buckets; /* places by id */
    graph_link *link;
    uint32_t links, link_room, free_link;
    uint32_t *fresh, fresh_count, fresh_room; /* may begin, and nobody was told */
    /* Nodes that wait for nothing but what is in the fabric. */
    uint32_t *front, front_count, front_room;
    graph_ids finished;
    graph_ids labels;    /* of the collectives that were read again for a checkpoint */
    uint64_t read, over; /* nodes read; nodes finished */
    bool ended;          /* all nodes were read */
} graph_window;

/* Is it handed to the endpoint: a collective, a send, a receive? */
bool graph_goes_to_fabric(const graph_node *n);

/* Takes the reader over.  limit: nodes, at least 1. */
void graph_window_open(graph_window *w, const graph_reader *r, uint32_t limit, unsigned npu);
void graph_window_close(graph_window *w);
int graph_window_fill(graph_window *w);
/* Begins anew, with nothing read. */
int graph_window_rewind(graph_window *w);
/* GRAPH_NONE: there is none. */
uint32_t graph_window_ready(graph_window *w);
void graph_window_sent(graph_window *w, uint32_t place);
/* False: no memory. */
bool graph_window_finish(graph_window *w, uint32_t place);
/* The place of a node that has come and is not finished, or GRAPH_NONE. */
uint32_t graph_window_find(const graph_window *w, uint64_t id);
/* All nodes were read and are finished. */
bool graph_window_over(const graph_window *w);
/* Why nothing can begin any more: a message that names a parent that does not come, or a cycle. */
int graph_window_stuck(const graph_window *w);
/* Nodes read and not finished, and how far each has got; the graph is read again for it. */
void graph_window_state(graph_window *w, ace_state *s);

#ifdef __cplusplus
}
#endif

#endif
