/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_algorithm.h -- an algorithm in MSCCL's XML, as it is written
 *
 *     msccl_read("ring.xml", &a)          EXIT_OK, or another status after a message
 *     msccl_free(&a)
 *
 *   algo   name, proto, nchannels, nchunksperloop, ngpus, coll, inplace, outofplace, minBytes,
 *          maxBytes, nthreads, nthreadblocks, redop, maxcount
 *   gpu    id, i_chunks, o_chunks, s_chunks: its buffers i, o and s, of chunks
 *   tb     id, send, recv, chan: a thread block, whose steps go one after the other
 *   step   s, type, srcbuf, srcoff, dstbuf, dstoff, cnt, depid, deps, hasdep
 *
 *   type   receives   does                                      sends
 *   s                                                           source
 *   r      to destination
 *   cpy               destination = source
 *   re                destination = destination + source
 *   rcs    to destination                                       what came
 *   rrc    yes        destination = source + what came
 *   rrs    yes                                                  source + what came
 *   rrcs   yes        destination = source + what came          destination
 *   nop               nothing: it waits for its dependency
 *
 * Source and destination of a step belong to its own GPU, as in MSCCL's interpreter. The source of
 * `r` and the destination of `s` name the peer's buffers, and no code reads them. A step moves
 * `cnt` consecutive chunks. Facts of the format: microsoft/msccl (src/graph/topo.cc and
 * src/collectives/device/msccl_interpreter.h) and microsoft/msccl-tools (msccl/language).
 *
 * proto, nchannels, nthreads, nthreadblocks, redop and maxcount describe how a GPU's runtime works.
 * They are checked and have no effect on timing.
 *
 * One array holds all thread blocks: GPU by GPU in the order of the file, and by id within a GPU.
 * Another array holds all steps. Input files are not trusted: all counts have a limit.
 */
#ifndef MSCCL_ALGORITHM_H
#define MSCCL_ALGORITHM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    MSCCL_GPUS = 1024,
    MSCCL_BLOCKS = 1024,        /* of a GPU; MSCCL itself takes 216 */
    MSCCL_CHANNELS = 1024,      /* MSCCL itself takes 32 */
    MSCCL_STEPS = 1 << 21,      /* of all thread blocks */
    MSCCL_CHUNKS = 1 << 20,     /* of a buffer */
    MSCCL_POSITIONS = 1 << 22,  /* chunks of all buffers */
    MSCCL_COUNT = 1 << 16,      /* chunks that a step moves; MSCCL itself takes 71 */
    MSCCL_MOVED = 1 << 25,      /* chunks that all steps move */
    MSCCL_FILE_BYTES = 1 << 29, /* of the text */
    MSCCL_NAME = 128
};
#define MSCCL_NONE UINT32_MAX

typedef enum msccl_collective {
    MSCCL_ALL_REDUCE,
    MSCCL_ALL_GATHER,
    MSCCL_REDUCE_SCATTER,
    MSCCL_ALL_TO_ALL,
    MSCCL_BROADCAST,
    MSCCL_REDUCE,
    MSCCL_CUSTOM, /* no result is defined, so contents are not checked */
    MSCCL_COLLECTIVES
} msccl_collective;
extern const char *const msccl_collective_names[MSCCL_COLLECTIVES + 1]; /* "allreduce"; NULL */

typedef enum msccl_type {
    MSCCL_S,
    MSCCL_R,
    MSCCL_CPY,
    MSCCL_RE,
    MSCCL_RCS,
    MSCCL_RRC,
    MSCCL_RRS,
    MSCCL_RRCS,
    MSCCL_NOP,
    MSCCL_TYPES
} msccl_type;
extern const char *const msccl_type_names[MSCCL_TYPES + 1]; /* "rrcs"; NULL */

/* The actions of a step of one type. */
typedef struct msccl_action {
    bool receives, sends;
    bool reads;  /* the source */
    bool writes; /* the destination */
    bool sums;
} msccl_action;
msccl_action msccl_action_of(msccl_type t);

typedef enum msccl_buffer { MSCCL_I, MSCCL_O, MSCCL_SCRATCH, MSCCL_BUFFERS } msccl_buffer;

typedef struct msccl_step {
    uint32_t line, column;        /* where it begins in the file */
    uint32_t block;               /* index of its thread block among all */
    uint32_t source, destination; /* chunks of their buffers, if the type uses them */
    uint32_t count;
    uint32_t dependency; /* index of a step among all; MSCCL_NONE: none */
    uint32_t partner;    /* of a receive: its send, see msccl_connect(); else MSCCL_NONE */
    uint32_t partner_to; /* of a send: its receive */
    int32_t depends_block, depends_step; /* depid, deps as written; -1: none */
    uint32_t operation; /* of a plan: index of the operation that it is a part of, among all */
    uint8_t type, source_buffer, destination_buffer;
    bool has_dependents; /* hasdep: other steps may wait for it */
} msccl_step;

/* An operation of a plan of MSCCL++, with the plan's own numbers, which messages print. */
typedef struct msccl_operation {
    uint32_t gpu, block, number; /* number: in its block, from 0 */
    const char *name;            /* "put"; a constant */
} msccl_operation;

typedef struct msccl_block {
    uint32_t gpu, id;
    int32_t send, receive; /* GPUs; -1: none */
    uint32_t channel;
    uint32_t first, steps;
    uint32_t line, column;
} msccl_block;

typedef struct msccl_gpu {
    uint32_t first, blocks;         /* thread blocks, sorted by id */
    uint32_t chunks[MSCCL_BUFFERS]; /* as in the file */
    uint32_t line, column;          /* line 0: this GPU has not been read */
} msccl_gpu;

typedef struct msccl_algorithm {
    char file[4096]; /* for messages */
    char name[MSCCL_NAME], protocol[8];
    msccl_collective collective;
    uint32_t gpus, chunks;            /* nchunksperloop */
    bool in_place, out_of_place;      /* how a caller may call it; at least one is true */
    uint64_t least_bytes, most_bytes; /* of a call, both inclusive; most_bytes 0: no limit */
    uint32_t line, column;            /* of <algo> */
    msccl_gpu *gpu;
    msccl_block *block;
    uint32_t blocks;
    msccl_step *step;
    uint32_t steps;
    msccl_operation *operation; /* of a plan; NULL: the algorithm is in XML */
    uint32_t operations;
    uint64_t digest; /* of the file's bytes */
} msccl_algorithm;

int msccl_read(const char *file, msccl_algorithm *a);
void msccl_free(msccl_algorithm *a);

/* Prints "FILE:LINE:COLUMN: gpu 3, tb 1, step 4" on standard error; for a plan "... gpu 3, block 1,
 * operation 4 (put)". */
void msccl_print_location(const msccl_algorithm *a, uint32_t step);
/* Prints "gpu 3, tb 1, step 4"; for a plan "gpu 3, block 1, operation 4 (put)". */
void msccl_print_step(const msccl_algorithm *a, uint32_t step);
/* Prints the same with the line: "gpu 3, tb 1, step 4 (line 7)"; for a plan "gpu 3, block 1,
 * operation 4 (put, line 7)". */
void msccl_print_step_line(const msccl_algorithm *a, uint32_t step);
static inline const msccl_block *msccl_block_of(const msccl_algorithm *a, uint32_t step) {
    return &a->block[a->step[step].block];
}

#ifdef __cplusplus
}
#endif

#endif
