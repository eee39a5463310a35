/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_plan.h -- an execution plan of MSCCL++ while it is read (mscclpp_read.h)
 *
 *   mscclpp_json.c        reads nodes of the file, and reports faults in them
 *   mscclpp_operations.c  translates an operation of a block into steps
 *   mscclpp_steps.c       puts steps into lanes, resolves waits, makes the algorithm
 *   mscclpp_read.c        reads the file: its head, its GPUs, their blocks
 *
 * A function that returns bool returns false after a message, and sets the plan's status.
 */
#ifndef MSCCLPP_PLAN_H
#define MSCCLPP_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "msccl_algorithm.h"

enum {
    MSCCLPP_PARTS = 64,
    MSCCLPP_BLOCKS = MSCCL_CHANNELS / 2, /* of a GPU: a block has two channels (lane_of()) */
    MSCCLPP_BUFFERS = 16,
    MSCCLPP_MOST_CHUNKS = 1 << 16,
    MSCCLPP_MOST_WAITS = 1 << 15
};

/* A lane: an ordered list of steps at a GPU, later one thread block of the algorithm. */
typedef struct mscclpp_lane {
    uint32_t gpu, channel;
    int32_t send, receive;
    uint32_t owner, kind; /* the plan's block that it serves, by index among all; an enum below */
    uint32_t *step;       /* indexes into the plan's steps, in the order in which they were made */
    uint32_t steps, room;
    uint32_t line, column;
} mscclpp_lane;
/* Kinds of lane: a block's own steps, its sends to a peer, their arrivals there, answers that the
 * peer sends to the block's reads, and the arrivals of these answers. */
enum { MSCCLPP_OWN, MSCCLPP_SEND, MSCCLPP_ARRIVE, MSCCLPP_ANSWER, MSCCLPP_ANSWERED };

/* A wait for a step that may be made later. */
typedef struct mscclpp_wait {
    uint32_t step;
    /* waits for the n-th message on the peer's pair-th channel to this GPU */
    uint32_t gpu, peer, pair;
    uint32_t number;
    bool packets; /* or: waits for the one step that writes chunk `number` of the GPU's scratch */
} mscclpp_wait;

typedef struct mscclpp_sent_signal {
    uint32_t gpu, peer, pair, step; /* a message without chunks that has arrived at gpu */
} mscclpp_sent_signal;

typedef struct mscclpp_chunks {
    uint32_t rank; /* the owner */
    uint8_t buffer;
    uint32_t at, count;
    bool remote;
} mscclpp_chunks;

typedef struct mscclpp_plan {
    msccl_algorithm *a;
    yaml_document_t doc;
    uint32_t parts_per_chunk; /* parts of each chunk of the plan */
    mscclpp_lane *lane;
    uint32_t lanes, lane_room;
    msccl_step *step;
    uint32_t steps, step_room;
    mscclpp_wait *wait;
    uint32_t waits, wait_room;
    mscclpp_sent_signal *signal;
    uint32_t signals, signal_room;
    /* For each chunk of all scratch buffers: the step that writes packets there, MSCCLPP_NONE or
     * MSCCLPP_SEVERAL. */
    uint32_t *writer;
    uint64_t *scratch;         /* where the scratch buffer of each GPU begins in writer[] */
    uint64_t positions, moved; /* chunks of all buffers; chunks that all steps move */
    uint32_t operation_room;
    yaml_node_t *gpu, *block, *op; /* being read */
    uint32_t rank, number, all; /* numbers of the GPU, of its block, and of the block among all */
    int status;
} mscclpp_plan;
#define MSCCLPP_NONE    UINT32_MAX /* no step, no lane */
#define MSCCLPP_SEVERAL (UINT32_MAX - 1)

/* ---- the file -------------------------------------------------------------------------------- */

/* Reports what was found at a node and what is expected there. n NULL: at the beginning of the
 * file. Returns false. */
bool mscclpp_fault(mscclpp_plan *p, const yaml_node_t *n, const char *found, const char *expected);
bool mscclpp_no_memory(mscclpp_plan *p);
/* Returns the text of a scalar, or "" for any other node and for NULL. */
const char *mscclpp_text(const yaml_node_t *n);
/* Returns the value of a key, or NULL if the node does not have the key. */
yaml_node_t *mscclpp_value(mscclpp_plan *p, const yaml_node_t *n, const char *key);
/* Return the number of items of a list, which is 0 for any other node, and an item. */
uint32_t mscclpp_length(const yaml_node_t *n);
yaml_node_t *mscclpp_item(mscclpp_plan *p, const yaml_node_t *n, uint32_t i);
/* Reads a whole number up to `most`. name: what messages call it. at: the node that a message
 * points to if n is NULL. */
bool mscclpp_unsigned(mscclpp_plan *p, const yaml_node_t *at, const yaml_node_t *n,
                      const char *name, uint64_t most, uint32_t *to);
bool mscclpp_number(mscclpp_plan *p, const yaml_node_t *n, const char *key, uint64_t most,
                    uint32_t *to);
/* Checks that each key is one of the names, which end with NULL. */
bool mscclpp_known(mscclpp_plan *p, const yaml_node_t *n, const char *const *names);

/* ---- steps, of the block that is read -------------------------------------------------------- */

/* Makes room for one more item. */
bool mscclpp_grow(mscclpp_plan *p, void **at, uint32_t *room, uint32_t count, size_t size);
uint32_t mscclpp_own_lane(mscclpp_plan *p);
uint32_t mscclpp_last_own(mscclpp_plan *p);
/* Adds a step to a lane and returns its index, or MSCCLPP_NONE after a failure. */
uint32_t mscclpp_add(mscclpp_plan *p, uint32_t to, msccl_type type, const mscclpp_chunks *source,
                     const mscclpp_chunks *destination, uint32_t dependency);
/* Sends chunks, or a message without chunks, to a peer. Returns the step that receives them
 * there. */
uint32_t mscclpp_send(mscclpp_plan *p, uint32_t peer, const mscclpp_chunks *source,
                      const mscclpp_chunks *destination);
/* Requests a peer's chunks, and stores them or adds them to those of `with`. */
void mscclpp_request(mscclpp_plan *p, const mscclpp_chunks *from, const mscclpp_chunks *with,
                     const mscclpp_chunks *to);
/* Send a signal to a peer over their pair-th channel, and wait for the next signal from the
 * peer. */
bool mscclpp_signal(mscclpp_plan *p, uint32_t peer, uint32_t pair);
bool mscclpp_wait_for(mscclpp_plan *p, uint32_t peer, uint32_t pair);
/* Packets carry their own signal. A reader waits for each chunk's writer, which is `step`. */
bool mscclpp_await_packets(mscclpp_plan *p, const mscclpp_chunks *c);
void mscclpp_write_packets(mscclpp_plan *p, const mscclpp_chunks *c, uint32_t step);
/* Resolves all waits. */
bool mscclpp_resolve_waits(mscclpp_plan *p);
/* Turns lanes into thread blocks, GPU by GPU, with the steps of each in a row. */
bool mscclpp_lay_out(mscclpp_plan *p);

/* ---- an operation ---------------------------------------------------------------------------- */

/* Translates the plan's op, which has this number in its block. */
bool mscclpp_operation(mscclpp_plan *p, uint32_t number_in_block);

#endif
