/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_npu.h -- one NPU's run of its graph: what the engine's parts share
 *
 * graph_engine.c says when something happens; what happens has a home each:
 *
 *     graph_time.h       what computes or moves, and the cycles that takes
 *     graph_sequence.h   which collective or message must begin before which
 *     graph_command.h    collectives, sends and receives: begun, stepped on, ended
 *     graph_resume.h     all of it written to a checkpoint and found again
 *
 * None of them calls the engine back.  What fails says so once, in npu_run.failed, and nothing of
 * that NPU begins after it.
 */
#ifndef GRAPH_NPU_H
#define GRAPH_NPU_H

#include "graph_engine.h"
#include "graph_inbox.h"
#include "graph_map.h"
#include "graph_order.h"
#include "graph_queue.h"
#include "graph_window.h"

/* A command under way. */
typedef struct issued {
    uint32_t place; /* GRAPH_NONE: the tag is free */
    uint64_t id;    /* of the node */
} issued;

/* A collective that has ended: its words are found again by the label. */
typedef struct ended {
    uint32_t label;
    uint64_t from, to;
} ended;

/* Parts of a collective, which have one slot. */
typedef struct cut {
    uint64_t first; /* the id of the first */
    unsigned left;  /* that are not over */
} cut;

typedef struct npu_run {
    double speed;
    const npu *on;
    graph_account account;
    graph_window window;
    graph_queue ready[LANES];
    unsigned busy[LANES]; /* slots taken */
    uint32_t *timed;      /* places of what computes or moves, by lane, then as they began */
    unsigned timed_count, timed_room;
    issued *tag;
    unsigned tags;
    uint32_t *asked; /* places that wait for memory that NPUs share */
    unsigned asks, ask_room;
    cut *cut; /* collectives of which a part has begun, and not all are over */
    unsigned cuts, cut_room;
    unsigned open;     /* collectives and sends under way */
    unsigned posted;   /* receives that wait */
    unsigned stepping; /* collectives under way that go by messages */
    unsigned handed;   /* collectives at the endpoint */
    graph_inbox inbox;
    ace_message *message; /* of the command that is made */
    unsigned message_room;
    uint32_t *due; /* places whose next step begins */
    unsigned dues, due_room;
    ace_arrival *came; /* arrivals that were not yet looked at, in order */
    unsigned comes, come_room;
    /* Where collectives go in order: the order, how many nodes of it were looked at, and of those
     * the collectives at the endpoint whose turn has not come, by id. */
    graph_order *order;
    uint64_t passed, turn; /* turn: collectives begun */
    uint64_t *turns;
    unsigned turn_first, turn_count, turn_room;
    /* By messages: of nodes that were looked at and have not begun, 1 + their place in their
     * sequence; and of each sequence, how many were looked at, and how many have begun. */
    graph_map ordinal, ordered, begun;
    uint32_t *gated; /* places that could begin, but for those before them in their sequence */
    unsigned gateds, gated_room;
    unsigned held;        /* that may begin but for their turn or a slot */
    ace_completion *over; /* completions that were not yet looked at, in order */
    unsigned overs, over_room;
    int failed; /* a status after a message, or EXIT_OK */
    bool ended;
    spans spans;
    uint32_t *span_label; /* of each span */
    size_t span_room;
} npu_run;

struct graph_engine {
    graph_maker maker;
    const machine *machine;
    fabric *f;
    npu_share whole, share[GRAPH_SHARES]; /* of the compute lane: alone, and as it is */
    uint64_t *server_free;                /* of shared memory: busy until then */
    unsigned servers;
    unsigned representatives;
    npu_run *npu; /* of each; empty where another process simulates it */
};

/* Room for one more than `count` of `size` bytes at *at, of which there are *room.  False: no
 * memory, and nothing has changed. */
bool graph_room_for(void **at, unsigned count, unsigned *room, size_t size);
/* After a message the NPU has failed; returns that status. */
int graph_no_memory(npu_run *n);
/* The node at the place has run: those that depend on it may begin. */
void graph_finish(npu_run *n, uint32_t place);
/* Of a collective by messages under way: has its next step not begun? */
bool graph_is_due(const graph_place *p);

#endif
