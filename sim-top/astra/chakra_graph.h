/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_graph.h -- a Chakra execution trace as the graph of an NPU
 *
 *   COMP_NODE          compute: by the roofline num_ops and tensor_size, else duration_micros, of
 *                      which 0 is 1 ns; with is_cpu_op beside the NPU
 *   COMM_COLL_NODE     a collective of comm_size bytes, the buffer of an NPU; of an all-gather its
 *                      shard.  The members are those of pg_name, "" and "0" are all, or of the
 *                      dimensions of involved_dim.  A group of one: a mark.  Groups that are whole
 *                      dimensions go on the endpoint where `rings` says so, all others by messages
 *   COMM_SEND, _RECV   a message of comm_size bytes to comm_dst, or from comm_src, of comm_tag
 *   MEM_LOAD, _STORE   remote memory: tensor_size, by astra_memory.h
 *   METADATA, INVALID  a mark
 *
 * A collective that the system's file gives a trace of its own (astra_custom) is the nodes of that,
 * which wait for what the collective waits for, and a mark of its id behind all of them.
 *
 * So is an all-reduce on the endpoint that the system's file has balanced: nodes of its parts
 * (schedule.h), and its mark.
 *
 * With replay-only whatever has a duration takes that.
 */
#ifndef CHAKRA_GRAPH_H
#define CHAKRA_GRAPH_H

#include "astra_files.h"
#include "astra_jobs.h"
#include "astra_places.h"
#include "graph.h"
#include "setup.h"

/* Labels of nodes: what they are, in words (chakra_label). */
enum {
    CHAKRA_LABEL_COMPUTE = 16,
    CHAKRA_LABEL_HOST,
    CHAKRA_LABEL_MEMORY,
    CHAKRA_LABEL_REPLAY,
    CHAKRA_LABEL_SEND,
    CHAKRA_LABEL_RECEIVE,
    CHAKRA_LABEL_DELAY,
    CHAKRA_LABEL_NOTHING /* a mark in place of communication of no bytes */
};
const char *chakra_label(uint32_t label); /* below CHAKRA_LABEL_COMPUTE: an ace_kind */

/* Which collectives go on the endpoint. */
enum { CHAKRA_MASKS = 1 << ASTRA_DIMENSIONS, CHAKRA_TRACE_NAME = 4096 + 16 };
typedef struct chakra_rings {
    uint32_t
        masks; /* of groups that are these whole dimensions: a bit for each set of the engine's */
    bool reductions; /* of them only reductions and gathers, which no exchange waits for */
    unsigned along;  /* dimensions of these, a bit each: NPUs along them hand over one sequence */
} chakra_rings;

typedef struct chakra_setup {
    const char *prefix;     /* NPU i reads prefix.i.et, or */
    const astra_jobs *jobs; /* what its job says; NULL: there are no jobs */
    const astra_network *network;
    const astra_system *system;
    const astra_memory *memory;
    const astra_groups *groups;
    const astra_places *places; /* NULL: rank i is NPU i */
    ace_type type;              /* of the elements */
    ace_op op;
    double clock_MHz;          /* of the node */
    const cluster *cluster;    /* of what is balanced; NULL: nothing is */
    const ace_config *config;  /* likewise */
    const chakra_rings *rings; /* of each job, or of all */
    bool lenient;              /* communication of no bytes is over at once */
    bool calibrated;           /* the endpoints are on that rung */
    bool software;             /* the endpoints are software, which has no list of transfers */
    bool theirs; /* as ASTRA-sim 2.x has it: a group of some is a ring of its own, whatever its
                              dimensions, and a BROADCAST takes its duration */
    /* Why a collective cannot be carried out, and what could; NULL where it can.  No function: all
     * can. */
    const char *(*refuse)(const void *of, const graph_node *n);
    const void *refuse_of;
    const double *scale;   /* of each NPU: its compute takes so many times as long; NULL: once */
    const double *late_ns; /* of each NPU: nothing of it begins before; NULL: 0 */
    /* Of each NPU, of its roofline; NULL: as the system has it. */
    const double *peak_TFLOPS, *memory_GBps;
} chakra_setup;

/* The name of an NPU's trace, or "" of one that has none; and its job, 0 where there are none. */
void chakra_trace_name(const chakra_setup *s, unsigned npu, char *to, size_t room);
unsigned chakra_job(const chakra_setup *s, unsigned npu);

/* An attribute of any kind of integer or truth value; false: it is another kind, or negative. */
struct Chakra__Attribute;
bool chakra_whole(const struct Chakra__Attribute *a, uint64_t *v);

/* A reader of the graph of an NPU.  data_only: ctrl_deps are no dependencies.  The setup stays the
 * caller's and in place.  EXIT_OK, or another status after a message. */
int chakra_graph_open(const chakra_setup *s, unsigned npu, bool data_only, graph_reader *r);

/* The first member of the collective that an NPU takes part in, over these dimensions. */
unsigned chakra_leader(const astra_network *n, unsigned npu, unsigned dims);
/* The tag of collectives on whole dimensions, and on another group, by its place in the file; and
 * that place from a node's tag. */
uint64_t chakra_dims_tag(unsigned dims);
uint64_t chakra_group_tag(unsigned group);
unsigned chakra_group(const graph_node *n);
/* The dimensions of a collective of whole ones, a bit each; 0: it is of another group. */
unsigned chakra_dims(const graph_node *n);

#endif
