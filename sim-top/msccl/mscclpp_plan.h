/* SPDX-License-Identifier: Apache-2.0 */
/*
 * mscclpp_plan.h -- an execution plan of MSCCL++ while it is read (mscclpp_read.h)
 *
 *   mscclpp_json.c        what a node of the file says, and messages about it
 *   mscclpp_operations.c  an operation of a block, in steps
 *   mscclpp_steps.c       steps, in lanes; what waits for what; the algorithm of all
 *   mscclpp_read.c        the file: its head, its GPUs, their blocks
 *
 * A function that returns bool returns false after a message, which also stands in the plan's
 * status.
 */
#ifndef MSCCLPP_PLAN_H
#define MSCCLPP_PLAN_H

#include <stdbool.h>
#include <stdint.h>
#include <yaml.h>

#include "msccl_algorithm.h"

enum {
    MSCCLPP_PARTS = 64,
    MSCCLPP_BUFFERS = 16,
    MSCCLPP_MOST_CHUNKS = 1 << 16,
    MSCCLPP_MOST_WAITS = 1 << 15
};

/* A block of the algorithm that is made: its steps so far. */
typedef struct mscclpp_lane {
    uint32_t gpu, channel;
    int32_t send, receive;
    uint32_t owner, kind; /* the plan's block that it serves, of all; and what for */
    uint32_t *step;       /* of all steps, in the order in which they were made */
    uint32_t steps, room;
    uint32_t line, column;
} mscclpp_lane;
/* Beside a block's own steps: what it sends to a peer, which comes in there, and the answer to
 * what it asks. */
enum { MSCCLPP_OWN, MSCCLPP_SEND, MSCCLPP_ARRIVE, MSCCLPP_ANSWER, MSCCLPP_ANSWERED };

/* What a step waits for that is made later. */
typedef struct mscclpp_wait {
    uint32_t step;
    uint32_t gpu, peer, pair; /* the n-th message of the peer's pair-th channel to it */
    uint32_t number;
    bool packets; /* or the one step that writes chunk `number` of the GPU's scratch */
} mscclpp_wait;

typedef struct mscclpp_told {
    uint32_t gpu, peer, pair, step; /* a message without chunks, that came to gpu */
} mscclpp_told;

typedef struct mscclpp_chunks {
    uint32_t rank; /* whose */
    uint8_t buffer;
    uint32_t at, count;
    bool remote;
} mscclpp_chunks;

typedef struct mscclpp_plan {
    msccl_algorithm *a;
    yaml_document_t doc;
    uint32_t fine; /* of each chunk of the plan so many */
    mscclpp_lane *lane;
    uint32_t lanes, lane_room;
    msccl_step *step;
    uint32_t steps, step_room;
    mscclpp_wait *wait;
    uint32_t waits, wait_room;
    mscclpp_told *told;
    uint32_t tolds, told_room;
    /* Of each chunk of all scratch buffers: a step of packets; or MSCCLPP_NOBODY, or
     * MSCCLPP_SEVERAL. */
    uint32_t *writer;
    uint64_t *scratch;         /* where a GPU's begin */
    uint64_t positions, moved; /* chunks: of all buffers; that all steps move */
    uint32_t operation_room;
    yaml_node_t *gpu, *block, *op; /* that are read */
    uint32_t rank, number, all;    /* the GPU, its block, the block of all */
    int status;
} mscclpp_plan;
#define MSCCLPP_NOBODY  UINT32_MAX
#define MSCCLPP_SEVERAL (UINT32_MAX - 1)

/* ---- the file -------------------------------------------------------------------------------- */

/* Says what was found at a node (NULL: at the beginning), and what is expected there.  Returns
 * false. */
bool mscclpp_fault(mscclpp_plan *p, const yaml_node_t *n, const char *found, const char *expected);
bool mscclpp_no_memory(mscclpp_plan *p);
/* The text of a scalar.  Any other node, and NULL, gives "". */
const char *mscclpp_text(const yaml_node_t *n);
/* Of a key; NULL: the node has none. */
yaml_node_t *mscclpp_value(mscclpp_plan *p, const yaml_node_t *n, const char *key);
/* Items of a list; 0 of anything else. */
uint32_t mscclpp_length(const yaml_node_t *n);
yaml_node_t *mscclpp_item(mscclpp_plan *p, const yaml_node_t *n, uint32_t i);
/* A whole number of a node: what it is called, and the most it may be.  at: of a message where
 * there is none. */
bool mscclpp_whole(mscclpp_plan *p, const yaml_node_t *at, const yaml_node_t *n, const char *name,
                   uint64_t most, uint32_t *to);
bool mscclpp_number(mscclpp_plan *p, const yaml_node_t *n, const char *key, uint64_t most,
                    uint32_t *to);
/* Each key is one of the names, which end with NULL. */
bool mscclpp_known(mscclpp_plan *p, const yaml_node_t *n, const char *const *names);

/* ---- steps, of the block that is read -------------------------------------------------------- */

/* Room for one item more. */
bool mscclpp_grow(mscclpp_plan *p, void **at, uint32_t *room, uint32_t count, size_t size);
uint32_t mscclpp_own_lane(mscclpp_plan *p);
uint32_t mscclpp_last_own(mscclpp_plan *p);
/* One more step of a lane; NOBODY: failed. */
uint32_t mscclpp_add(mscclpp_plan *p, uint32_t to, msccl_type type, const mscclpp_chunks *source,
                     const mscclpp_chunks *destination, uint32_t dependency);
/* Chunks, or none, to a peer; the step there that they come in with. */
uint32_t mscclpp_send(mscclpp_plan *p, uint32_t peer, const mscclpp_chunks *source,
                      const mscclpp_chunks *destination);
/* A peer's chunks are asked for, and stored, or added to those of `with`. */
void mscclpp_ask(mscclpp_plan *p, const mscclpp_chunks *from, const mscclpp_chunks *with,
                 const mscclpp_chunks *to);
/* A signal to a peer over their pair-th channel, and a wait for the next one from there. */
bool mscclpp_signal(mscclpp_plan *p, uint32_t peer, uint32_t pair);
bool mscclpp_wait_for(mscclpp_plan *p, uint32_t peer, uint32_t pair);
/* Packets carry their own signal: their reader waits for each chunk's writer, which is `step`. */
bool mscclpp_await_packets(mscclpp_plan *p, const mscclpp_chunks *c);
void mscclpp_write_packets(mscclpp_plan *p, const mscclpp_chunks *c, uint32_t step);
/* What was waited for before it was made. */
bool mscclpp_settle(mscclpp_plan *p);
/* Lanes become blocks, GPU by GPU, and their steps stand together. */
bool mscclpp_lay_out(mscclpp_plan *p);

/* ---- an operation ---------------------------------------------------------------------------- */

/* The plan's op, which is this one of its block. */
bool mscclpp_operation(mscclpp_plan *p, uint32_t number_in_block);

#endif
