/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_window.h -- the nodes of a graph that have been read and are not finished
 *
 *     graph_window_open(&w, &reader, limit, npu);
 *     for (;;) {
 *         rc = graph_window_fill(&w);                          reads nodes while there is room
 *         while ((i = graph_window_ready(&w)) != GRAPH_NONE)   may begin: each is returned once
 *             ...
 *         graph_window_sent(&w, i);      the fabric has it now
 *         graph_window_finish(&w, i);    its children wait for one node less
 *         if (graph_window_over(&w)) break;
 *     }
 *     graph_window_close(&w);
 *
 * Rules that hold for every call
 *   Memory    At most `limit` nodes, and the parents named by them that have not been read.  A node
 *             of a graph cannot begin before it is read.
 *   Indices   A node keeps its index until it is finished.  w->at may move when nodes are
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

#define GRAPH_NONE UINT32_MAX /* no index */
/* The combinations of other work under way for which an operation has a rate. */
enum {
    GRAPH_WITH_COMMUNICATION = 1, /* a collective or a send */
    GRAPH_WITH_BACKGROUND = 2,
    GRAPH_WITH_TRANSFER = 4,
    GRAPH_SHARES = 8
};

typedef enum graph_entry_state {
    ENTRY_FREE,
    ENTRY_EXPECTED, /* a parent that has not been read */
    ENTRY_WAITING,
    ENTRY_READY,
    ENTRY_RUNNING
} graph_entry_state;

/* The progress of a node. The engine sets it. */
typedef struct graph_progress {
    uint64_t began;     /* cycle */
    uint64_t left;      /* of its operation: cycles alone, in 1 / NPU_RATE_ONE */
    unsigned operation; /* index of that operation */
    uint32_t rate[GRAPH_SHARES];
    uint16_t tag;     /* of its command, while `sending` */
    bool sending;     /* a command is outstanding */
    bool summing;     /* by messages: received data are being summed */
    uint32_t step;    /* by messages */
    uint32_t awaits;  /* messages that have not come */
    uint64_t ordinal; /* of its messages in their channels */
    bool sent;        /* the fabric has it */
} graph_progress;

typedef struct graph_window_entry {
    graph_node node; /* .parent is not valid */
    graph_progress progress;
    uint32_t waits;    /* unfinished parents */
    uint32_t others;   /* unfinished parents that the fabric does not have */
    uint32_t children; /* first link to a child */
    uint32_t next;     /* next entry of its bucket, or of the free list */
    uint32_t front;    /* index in the front, or GRAPH_NONE */
    graph_entry_state state;
} graph_window_entry;

typedef struct graph_link {
    uint32_t child, next;
} graph_link;

typedef struct graph_window {
    graph_reader reader;
    unsigned npu;
    uint32_t limit;
    graph_window_entry *at;
    uint32_t room, nodes, expected; /* entries; nodes in memory; parents that have not been read */
    uint32_t free;
    uint32_t *bucket, buckets; /* hash table of entries by id */
    graph_link *link;
    uint32_t links, link_room, free_link;
    uint32_t *fresh, fresh_count, fresh_room; /* may begin, and not returned yet */
    /* Nodes whose unfinished parents are all in the fabric. */
    uint32_t *front, front_count, front_room;
    graph_ids finished;
    graph_ids labels; /* labels of the collectives that were read again for a checkpoint */
    uint64_t read_count, finished_count; /* nodes */
    bool ended;                          /* all nodes have been read */
} graph_window;

/* Returns whether the node is submitted to the endpoint: a collective, a send or a receive. */
bool graph_goes_to_fabric(const graph_node *n);

/* Opens a window, which owns the reader from now on. limit: nodes, at least 1. */
void graph_window_open(graph_window *w, const graph_reader *r, uint32_t limit, unsigned npu);
void graph_window_close(graph_window *w);
int graph_window_fill(graph_window *w);
/* Goes back to the first node, with an empty window. */
int graph_window_rewind(graph_window *w);
/* Returns a node that may begin, or GRAPH_NONE. */
uint32_t graph_window_ready(graph_window *w);
void graph_window_sent(graph_window *w, uint32_t index);
/* Finishes a node. Returns false when there is no memory. */
bool graph_window_finish(graph_window *w, uint32_t index);
/* Returns the index of a node that has been read and is not finished, or GRAPH_NONE. */
uint32_t graph_window_find(const graph_window *w, uint64_t id);
/* Returns whether all nodes have been read and finished. */
bool graph_window_over(const graph_window *w);
/* Prints why no node can begin any more: it names a missing parent, or a cycle. Returns the
 * status. */
int graph_window_stuck(const graph_window *w);
/* Saves or loads the unfinished nodes with their progress. Loading reads the graph again. */
void graph_window_state(graph_window *w, ace_state *s);

#ifdef __cplusplus
}
#endif

#endif
