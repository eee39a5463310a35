/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_types.h -- the types shared by every twin, bridge and program
 *
 * Parameters fix the hardware (RTL `parameter`s); the configuration is what
 * software writes before a run (RTL `cfg_*` inputs, constant while running).
 * Time is in cycles of the node clock.  A rate is stored as its inverse, the cycles that a row
 * costs, in Q16.8 (ACE_COST_ONE is one cycle).  A server that is never idle then repeats its
 * pattern after at most 256 rows.  Bandwidths from 5 MB/s to 319 GB/s (at 1245 MHz) are
 * represented to within 0.2 %.
 */
#ifndef ACE_TYPES_H
#define ACE_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_parameters.def"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_OKAY = 0, /* AXI responses */
    ACE_EXOKAY = 1,
    ACE_SLVERR = 2,
    ACE_DECERR = 3,
    ACE_ROW_BYTES = 256, /* a packet, a flit, a scratchpad row */
    ACE_ROW_WORDS = ACE_ROW_BYTES / 4,
    ACE_DIMENSIONS = 4,              /* of an engine, at most: x (L), y (V), z (H) and w */
    ACE_LINKS = 2 * ACE_DIMENSIONS,  /* link 2d is +d, link 2d+1 is -d */
    ACE_PHASES = ACE_DIMENSIONS + 1, /* phases of the longest collective */
    ACE_PARTITIONS = ACE_PHASES + 1, /* one for each phase, and the terminal one */
    ACE_BANKS = 4,
    ACE_COST_ONE = 1 << 8, /* a row in each cycle */
    ACE_COST_MAX = (1 << 24) - 1
};

/* Limits of a cluster.  Its nodes need not be engines (the `calibrated` rung), and may have more
 * dimensions than an engine.  The arrays by dimension in configurations, commands and plans have
 * these sizes; an engine uses their first ACE_DIMENSIONS elements. */
enum {
    ACE_CLUSTER_DIMENSIONS = 6,
    ACE_CLUSTER_LINKS = 2 * ACE_CLUSTER_DIMENSIONS,
    ACE_CLUSTER_PHASES = ACE_CLUSTER_DIMENSIONS + 1,
    ACE_CLUSTER_PARTITIONS = ACE_CLUSTER_PHASES + 1,
    ACE_MEMBERS = 128,        /* most members of one dimension of engines */
    ACE_CLUSTER_MEMBERS = 512 /* most members of one dimension of other nodes */
};

#define ACE_DIMENSION_LETTERS "xyzwuv"

/* One list: the enum, the names and the messages are all made from it. */
#define ACE_ERR_MAP(X)                                                                        \
    X(OK, 0, "success")                                                                       \
    X(EINVAL, -1, "argument out of range")                                                    \
    X(ENOMEM, -2, "out of memory")                                                            \
    X(EPROTO, -3, "stream rule broken by the caller")                                         \
    X(ENODE, -4, "nodes disagree on the order of chunks")                                     \
    X(EMEMORY, -5, "the memory answered with an error")                                       \
    X(EBUSY, -6, "no room, or nothing there, at present")                                     \
    X(ETIME, -7, "nothing happened in the time given")                                        \
    X(EFAILED, -8, "the engine has seen an error")                                            \
    X(ESCRATCHPAD, -9, "a row of the scratchpad could not be corrected")                      \
    X(ELINK, -10, "a link has failed: what was sent on it did not arrive")                    \
    X(ETRANSFER, -11, "a row for memory outside a window, or an item of a list out of range") \
    X(EPARITY, -12, "a word of a program, or a row in a buffer, had a wrong bit")

#define X(name, value, text) ACE_##name = (value),
typedef enum ace_err { ACE_ERR_MAP(X) } ace_err;
#undef X

const char *ace_strerror(int err); /* static string, never NULL */

typedef enum ace_kind {
    ACE_ALL_REDUCE,
    ACE_REDUCE_SCATTER,
    ACE_ALL_GATHER,
    ACE_ALL_TO_ALL,
    ACE_LIST, /* of transfers, at `source`: see ace_list_walk.h */
    /* made of those above: see ace_composition.h */
    ACE_BROADCAST,
    ACE_REDUCE,
    ACE_GATHER,
    ACE_SCATTER,
    ACE_SEND, /* point to point */
    ACE_BARRIER,
    ACE_ALL_TO_ALL_V,
    ACE_MESSAGES /* rows to other nodes; ace_node_arrival reports them there: timing-only */
} ace_kind;
/* Types of the elements and what is done to them; rtl/ace_alu.v says exactly what.  E4M3 and
 * E5M2 are the 8-bit formats of the Open Compute Project. */
typedef enum ace_type {
    ACE_FP32,
    ACE_FP16,
    ACE_BF16,
    ACE_E4M3,
    ACE_E5M2,
    ACE_INT8,
    ACE_INT32,
    ACE_TYPES /* how many there are */
} ace_type;
typedef enum ace_op {
    ACE_SUM,
    ACE_AVERAGE,
    ACE_MINIMUM,
    ACE_MAXIMUM,
    ACE_PRODUCT,
    ACE_OPS /* how many there are */
} ace_op;

static inline unsigned ace_type_bytes(ace_type type) {
    static const uint8_t bytes[ACE_TYPES] = { 4, 2, 2, 1, 1, 1, 4 };
    return bytes[type];
}
typedef enum ace_order { ACE_LIFO, ACE_FIFO } ace_order;

/* Rows of data to another node, followed by a trailer.  The trailer arrives after
 * the data. */
typedef struct ace_message {
    uint32_t peer;  /* the peer's number, x fastest over all dimensions */
    uint32_t label; /* below 2^31 and even: what the peer reports.  A message to a peer halfway
                       round a ring is split over both directions; its second part has label + 1 */
    uint64_t bytes; /* 0..2^38; whole rows move */
} ace_message;

/* A collective, as the NPU hands it over (the `s_cmd_*` pins). */
typedef struct ace_command {
    ace_kind kind;
    ace_type type;
    ace_op op;
    uint8_t dim_count;                    /* 0..dimensions; 0 copies source to destination */
    uint8_t dims[ACE_CLUSTER_DIMENSIONS]; /* distinct, in the order the phases take them */
    uint64_t source;                      /* byte address, a multiple of 4096; the vector ends
                                      128 KiB below ACE_LISTS_ADDRESS, or before */
    uint64_t destination;       /* byte address, with the same rules; may equal source.  In an
                                   all-to-all, scatter, gather, send and all-to-all-v it is the
                                   same at all nodes, below 2^40, and does not overlap source.
                                   A reduce uses it as scratch memory at all nodes but the root */
    uint64_t bytes;             /* length of the whole vector, 1..2^40: the input of an all-reduce,
                                   reduce-scatter, all-to-all and, at the root, of a scatter; the
                                   result of an all-gather and, at the root, of a gather.  Scatter
                                   and gather cut it into blocks as an all-to-all does.  A send,
                                   a barrier and an all-to-all-v may have 0.  An all-to-all-v packs
                                   blocks of whole rows; no node has more than `bytes` of them */
    uint16_t tag;               /* returned with the completion; 65535 is reserved when the
                                   command is composed of several steps */
    uint16_t root;              /* member number, as in an all-to-all; the sender of a send */
    uint16_t peer;              /* the receiver of a send; else 0 */
    const uint64_t *counts;     /* of an all-to-all-v, members x members: bytes that i sends j
                                      at [i * members + j]; the caller's, for the call; else NULL */
    uint32_t scale;             /* ace_node_submit() sets it: the factor of an average */
    const ace_message *message; /* of messages: to whom; the caller's, for the call; else NULL */
    uint32_t messages;
} ace_command;

/* Hardware sizes.  Each is the RTL parameter of the same (upper case) name.  ace_parameters.def
 * describes each size, with its range and its default. */
#define ACE_PARAMETER(name, least, most, initial, text) unsigned name;
typedef struct ace_parameters {
    ACE_PARAMETER_MAP(ACE_PARAMETER)
} ace_parameters;
#undef ACE_PARAMETER
#define ACE_PARAMETER_INITIAL(name, least, most, initial, text) .name = (initial),
#define ACE_PARAMETERS_DEFAULT \
    { ACE_PARAMETER_MAP(ACE_PARAMETER_INITIAL) }
/* ACE_LEAST_fsms and ACE_MOST_fsms, and so on. */
enum {
#define ACE_PARAMETER(name, least, most, initial, text) \
    ACE_LEAST_##name = (least), ACE_MOST_##name = (most),
    ACE_PARAMETER_MAP(ACE_PARAMETER)
#undef ACE_PARAMETER
};

/* Does the hardware have ALUs for the type and operation?  A kind that does not reduce needs none.
 */
static inline bool ace_can_reduce(const ace_parameters *p, ace_kind kind, ace_type type,
                                  ace_op op) {
    const bool reduces = kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER || kind == ACE_REDUCE;
    return !reduces || (p->alu_types >> type & p->alu_ops >> op & 1);
}

/* The windows of memory in which other members may write rows: one for all-to-alls, one for lists
 * of transfers. */
enum { ACE_WINDOW_ALL_TO_ALL, ACE_WINDOW_LIST, ACE_WINDOWS };

/* Commands for the dispatcher are of two classes, which share its chunks. */
enum { ACE_COMMAND_CLASSES = 2 };

/* The format of the packets of collectives on the links, see ace_wire_encode. */
typedef enum ace_wire_format {
    ACE_WIRE_NONE, /* as in memory: 256 bytes a row */
    ACE_WIRE_BF16,
    ACE_WIRE_E4M3,
    ACE_WIRE_E5M2,
    ACE_WIRE_MXFP8, /* E4M3 with a scale for each 32 numbers */
    ACE_WIRE_FORMATS
} ace_wire_format;

/* The configuration that software sets before a run: the `cfg_*` inputs. */
typedef struct ace_config {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS]; /* nodes on each ring, 1..128; 1 for a dimension that
                                            the node does not have */
    uint16_t rank[ACE_CLUSTER_DIMENSIONS]; /* this node's index on each ring, < ring */
    uint16_t chunk_rows;                   /* rows in a chunk, 1..1024 */
    uint16_t partition_rows[ACE_CLUSTER_PARTITIONS]; /* rows of each partition in each bank: one
                                            partition for each phase, then the terminal one;
                                            together at most bank_rows */
    uint32_t link_cost[ACE_CLUSTER_DIMENSIONS];      /* cycles a row takes on a link, Q16.8, link
                                            efficiency included, ACE_COST_ONE..ACE_COST_MAX */
    uint32_t read_cost;                              /* cycles to read a row from memory, Q16.8 */
    uint32_t write_cost;                             /* cycles to write a row to memory, Q16.8 */
    uint16_t memory_latency;                         /* cycles from request to first beat, >= 2 */
    uint16_t retry;                                  /* cycles after which links send unacknowledged
                                                packets again; 0: never, see ace_link_guard */
    uint16_t epoch;      /* a number that differs at each start of this node, with which the
                                                links synchronise.  0: links are up at once, which
                                                needs all nodes to be reset together */
    uint8_t epoch_links; /* links that synchronise by epoch, a bit each; the neighbour's
                                                end of the link must do the same */
    uint8_t silence;     /* intervals of 64 cycles, 2..255: such a link has failed when no frame
                        arrives for so long, and a failed link ends all others, see
                        ace_link_sync.  0: off */
    ace_order order;
    uint8_t
        agreed; /* dimensions, a bit each, on which the nodes agree that all of them have a command
                   before any node chooses it.  The set contains all dimensions that commands
                   name, and is the same at all these nodes.  0: off */
    uint16_t class_tag; /* commands with this tag or a greater one are of class 1, all others of
                           class 0; 0: all are of class 0 */
    uint8_t
        class_weight[ACE_COMMAND_CLASSES]; /* chunks of a class in a round of both classes, 0..15 */
    uint8_t chunk_window; /* chunks inside the engine before the next one is begun; 0: no limit */
    uint8_t routed_rows;  /* rows of all-to-alls and lists that a link sends before a waiting row
                             of another collective; 0: all */
    uint8_t wire_format;  /* an ace_wire_format, other than none only with wire_formats; alike at
                             all nodes */
    uint32_t window_first[ACE_WINDOWS]; /* rows of memory below each window */
    uint32_t window_after[ACE_WINDOWS]; /* rows above it, up to 2^40 bytes; both 0: all memory */
    bool hub[ACE_CLUSTER_DIMENSIONS];   /* no ring: both links lead to all members */
    uint8_t algorithm[ACE_CLUSTER_DIMENSIONS]; /* a shipped program: 1 + its index in
                                          ace_program_names; 0: ring, or direct on a hub */
    uint32_t program[128]; /* the FSMs' program memory, see ace_program.h; a dimension
                                          without a program here gets its algorithm's program */
} ace_config;

/* The last row of a window.  If it is below the first row, the window is empty and no row may be
 * written. */
static inline uint32_t ace_window_last(const ace_config *cfg, unsigned window) {
    return UINT32_MAX - cfg->window_after[window];
}

/* An upset of the scratchpad: these bits of a stored word flip. */
typedef struct ace_fault {
    uint8_t bank;
    uint8_t word; /* 0..63: a word of the row's data; 64..71: a check word (ace_secded.h) */
    uint16_t row;
    uint32_t mask;
} ace_fault;

#ifdef __cplusplus
}
#endif
#endif
