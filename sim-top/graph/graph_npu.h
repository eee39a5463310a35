/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_npu.h -- the state of one NPU's run, shared by the parts of the engine
 *
 * graph_engine.c decides when something happens. The other parts carry it out:
 *
 *     graph_time.h       operations that take time, and their cycles
 *     graph_sequence.h   which collective or message must begin before which
 *     graph_command.h    begins, advances and ends collectives, sends and receives
 *     graph_resume.h     saves all of it to a checkpoint, and loads it
 *
 * None of them calls the engine. An error is stored once, in npu_run.failed, and after that nothing
 * of that NPU begins.
 */
#ifndef GRAPH_NPU_H
#define GRAPH_NPU_H

#include "graph_engine.h"
#include "graph_inbox.h"
#include "graph_map.h"
#include "graph_order.h"
#include "graph_queue.h"
#include "graph_window.h"

/* A command that the endpoint has not completed. */
typedef struct issued {
    uint32_t index; /* GRAPH_NONE: the tag is free */
    uint64_t id;    /* of the node */
} issued;

/* A collective that has ended; its label gives its names. */
typedef struct ended {
    uint32_t label;
    uint64_t from, to;
} ended;

/* A collective split into parts, which share one slot. */
typedef struct cut {
    uint64_t first; /* id of the first part */
    unsigned left;  /* unfinished parts */
} cut;

typedef struct npu_run {
    double speed;
    const npu *on;
    uint64_t host; /* cycle in which the host has launched all that has begun */
    graph_account account;
    graph_window window;
    graph_queue ready[LANES];
    unsigned busy[LANES]; /* slots taken */
    uint32_t *timed;      /* nodes that compute or move, by lane, then by begin */
    unsigned timed_count, timed_room;
    issued *tag;
    unsigned tags;
    uint32_t *requested; /* nodes that wait for memory that NPUs share */
    unsigned requests, request_room;
    cut *cut; /* collectives with a part that has begun and one that has not finished */
    unsigned cuts, cut_room;
    unsigned open;      /* collectives and sends under way */
    unsigned posted;    /* receives that wait */
    unsigned stepping;  /* collectives by messages under way */
    unsigned submitted; /* collectives submitted to the endpoint */
    graph_inbox inbox;
    ace_message *message; /* messages of the command that is being made */
    unsigned message_room;
    uint32_t *due; /* nodes whose next step may begin */
    unsigned due_count, due_room;
    ace_arrival *arrival; /* arrivals not handled yet, in order */
    unsigned arrivals, arrival_room;
    /* With collectives in order: the order, the number of its nodes read so far, and the ids of
     * collectives on the endpoint read but not begun. */
    graph_order *order;
    uint64_t passed, collectives_begun;
    uint64_t *agreed;
    unsigned agreed_first, agreed_count, agreed_room;
    /* With messages: for nodes that were read and have not begun, 1 + their index in their
     * sequence. For each sequence, how many nodes were read, and how many have begun. */
    graph_map ordinal, ordered, begun;
    uint32_t *gated; /* ready nodes that wait for earlier ones in their sequence */
    unsigned gated_count, gated_room;
    unsigned queued;            /* number of ready nodes that wait for the agreed order or a slot */
    ace_completion *completion; /* completions not handled yet, in order */
    unsigned completions, completion_room;
    int failed; /* an exit status after a message, or EXIT_OK */
    bool ended;
    spans spans;
    uint32_t *span_label; /* label of each span */
    size_t span_room;
} npu_run;

struct graph_engine {
    graph_source source;
    const machine *machine;
    fabric *f;
    /* share of the compute lane: alone, and in each combination (GRAPH_WITH_...) */
    npu_share full_npu, share[GRAPH_SHARES];
    uint64_t *server_free; /* for each server of shared memory: busy until this cycle */
    unsigned servers;
    unsigned representatives;
    npu_run *npu; /* for each representative; empty if another process simulates it */
};

/* Makes room in *at for one more than `count` entries of `size` bytes; *room is the capacity.
 * Returns false when there is no memory; then nothing has changed. */
bool graph_room_for(void **at, unsigned count, unsigned *room, size_t size);
/* Prints that there is no memory, and marks the NPU as failed. Returns that status. */
int graph_no_memory(npu_run *n);
/* Finishes a node, so that its children may begin. */
void graph_finish(npu_run *n, uint32_t index);
/* Returns whether a collective by messages waits to begin its next step. */
bool graph_is_due(const graph_window_entry *p);

#endif
