/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_types.h -- the words shared by every twin, bridge and program
 *
 * Parameters fix the hardware (RTL `parameter`s); the configuration is what
 * software writes before a run (RTL `cfg_*` inputs, constant while running).
 * Time is in cycles of the node clock.  A rate is held as its inverse, the cycles that a
 * row costs, in Q16.8: a server that is never idle then repeats itself after 256 rows at the
 * latest, and bandwidths from 5 MB/s to 319 GB/s (at 1245 MHz) are met to 0.2 %.
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
    ACE_ROW_BYTES = 256, /* a packet, a flit, a scratchpad row */
    ACE_ROW_WORDS = ACE_ROW_BYTES / 4,
    ACE_DIMENSIONS = 4,              /* of an engine, at most: x (L), y (V), z (H) and w */
    ACE_LINKS = 2 * ACE_DIMENSIONS,  /* link 2d is +d, link 2d+1 is -d */
    ACE_PHASES = ACE_DIMENSIONS + 1, /* phases of the longest collective */
    ACE_PARTITIONS = ACE_PHASES + 1, /* one a phase, and the terminal one */
    ACE_BANKS = 4,
    ACE_COST_ONE = 1 << 8, /* a row in each cycle */
    ACE_COST_MAX = (1 << 24) - 1
};

/* Of a cluster, whose nodes need not be engines (rung `calibrated`): what is kept by dimension in a
 * configuration, a command and a plan is kept of so many, and an engine has the first of them. */
enum {
    ACE_CLUSTER_DIMENSIONS = 6,
    ACE_CLUSTER_LINKS = 2 * ACE_CLUSTER_DIMENSIONS,
    ACE_CLUSTER_PHASES = ACE_CLUSTER_DIMENSIONS + 1,
    ACE_CLUSTER_PARTITIONS = ACE_CLUSTER_PHASES + 1,
    ACE_MEMBERS = 128,        /* of a dimension of engines, at most */
    ACE_CLUSTER_MEMBERS = 512 /* and of one of other nodes */
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
    ACE_MESSAGES /* rows to other nodes, who are told (ace_node_arrival): timing-only */
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

/* Rows of data to another node and, behind them, a trailer that tells it that they are there. */
typedef struct ace_message {
    uint32_t peer;  /* its number, x fastest over all dimensions */
    uint32_t label; /* below 2^31 and even: what the peer hears; odd, of what goes the other way
                       round a ring, to a peer halfway */
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
    uint64_t destination;       /* likewise; may equal source.  Of an all-to-all the same at
                                   all nodes, below 2^40, and apart from source; likewise of
                                   scatter, gather, send, all-to-all-v.  Of reduce scratch at
                                   all nodes but the root */
    uint64_t bytes;             /* the whole vector: what an all-reduce reduces, a
                                      reduce-scatter takes, an all-gather gives, an
                                      all-to-all takes and gives, a scatter takes and a
                                      gather gives at the root, cut into blocks like an
                                      all-to-all's; 1..2^40.  0 too for a send, a barrier and
                                      an all-to-all-v, whose blocks of whole rows, of no node
                                      together more, lie one behind the other */
    uint16_t tag;               /* returned with the completion; not 65535 for what is
                                      made of several steps */
    uint16_t root;              /* member (counted as in an all-to-all): of a send, who sends */
    uint16_t peer;              /* of a send: who receives; else 0 */
    const uint64_t *counts;     /* of an all-to-all-v, members x members: bytes that i sends j
                                      at [i * members + j]; the caller's, for the call; else NULL */
    uint32_t scale;             /* ace_node_submit() sets it: the factor of an average */
    const ace_message *message; /* of messages: to whom; the caller's, for the call; else NULL */
    uint32_t messages;
} ace_command;

/* Hardware sizes, each the RTL parameter of the same (upper case) name: ace_parameters.def says
 * what they are, from where to where they go, and what they are where nothing else is said. */
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

/* Are there ALUs for it?  Always where a kind does not reduce. */
static inline bool ace_can_reduce(const ace_parameters *p, ace_kind kind, ace_type type,
                                  ace_op op) {
    const bool reduces = kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER || kind == ACE_REDUCE;
    return !reduces || (p->alu_types >> type & p->alu_ops >> op & 1);
}

/* Where rows of other members may be written: those of all-to-alls, and those of lists. */
enum { ACE_WINDOW_ALL_TO_ALL, ACE_WINDOW_LIST, ACE_WINDOWS };

/* What software sets before a run: the `cfg_*` inputs. */
typedef struct ace_config {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS]; /* nodes on each ring, 1..128; 1 of a dimension that
                                            the node has not */
    uint16_t rank[ACE_CLUSTER_DIMENSIONS]; /* this node's place on it, < ring */
    uint16_t chunk_rows;                   /* rows in a chunk, 1..1024 */
    uint16_t
        partition_rows[ACE_CLUSTER_PARTITIONS]; /* rows of each partition in each bank, one a phase
                                            and then the terminal one; together at most
                                            bank_rows */
    uint32_t link_cost[ACE_CLUSTER_DIMENSIONS]; /* cycles a row takes on a link, Q16.8, link
                                            efficiency included, ACE_COST_ONE..ACE_COST_MAX */
    uint32_t read_cost;                         /* cycles a row takes from memory, likewise */
    uint32_t write_cost;                        /* and to memory */
    uint16_t memory_latency;                    /* cycles from request to first beat, >= 2 */
    uint16_t retry;                             /* cycles after which links send again what was not
                                                acknowledged; 0: never, see ace_link_guard */
    uint16_t epoch;      /* names the life that the links begin: another one at each
                                                start of this node; 0: they are up at once, as those
                                                of all nodes that are reset together are */
    uint8_t epoch_links; /* links that begin so, a bit each: those with a
                                                neighbour that does, too */
    ace_order order;
    uint8_t
        agreed; /* dimensions, a bit each, whose nodes agree on which commands all have, before any
                   is chosen; all that commands name, and the same at all these nodes.  0: off */
    uint32_t window_first[ACE_WINDOWS]; /* rows of memory in front of each window, */
    uint32_t window_after[ACE_WINDOWS]; /* and behind it, to 2^40 bytes; 0 and 0: all of it */
    bool hub[ACE_CLUSTER_DIMENSIONS];   /* no ring: both links lead to all members */
    uint8_t algorithm[ACE_CLUSTER_DIMENSIONS]; /* a shipped program: 1 + its place among
                                          ace_program_names; 0: ring, or direct on a hub */
    uint32_t program[128]; /* of the FSMs, see ace_program.h; a dimension that has
                                          none here gets that of its algorithm */
} ace_config;

/* The last row of a window; one below its first: nothing may be written. */
static inline uint32_t ace_window_last(const ace_config *cfg, unsigned window) {
    return UINT32_MAX - cfg->window_after[window];
}

/* An upset of the scratchpad: these bits of a stored word are turned over. */
typedef struct ace_fault {
    uint8_t bank;
    uint8_t word; /* 0..63: of the row's data; 64..71: of its check words (ace_secded.h) */
    uint16_t row;
    uint32_t mask;
} ace_fault;

#ifdef __cplusplus
}
#endif
#endif
