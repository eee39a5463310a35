/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_graph.h -- reads a Chakra execution trace as the graph of an NPU
 *
 *   COMP_NODE          compute: num_ops and tensor_size with a roofline, else duration_micros,
 *                      where 0 means 1 ns; with is_cpu_op it runs on the host, in parallel to the
 *                      NPU
 *   COMM_COLL_NODE     a collective of comm_size bytes, the buffer of an NPU, or its shard in an
 *                      all-gather.  The members are the group pg_name, where "" and "0" are all, or
 *                      the dimensions of involved_dim.  A group of one becomes a mark, a node that
 *                      takes no time.  Groups that are whole dimensions run on the endpoint where
 *                      `rings` allows it; all other groups become messages
 *   COMM_SEND, _RECV   a message of comm_size bytes to comm_dst or from comm_src, with comm_tag
 *   MEM_LOAD, _STORE   remote memory: tensor_size bytes (astra_memory.h)
 *   METADATA, INVALID  a mark
 *
 * The system file may replace a collective by a trace (astra_custom). Then the nodes of that trace
 * replace it. They wait for the collective's parents, and a mark with the collective's id waits
 * for all of them.
 *
 * An all-reduce on the endpoint that the system file balances is replaced in the same way, by its
 * parts (schedule.h).
 *
 * With replay-only, a node that has a duration takes that duration.
 */
#ifndef CHAKRA_GRAPH_H
#define CHAKRA_GRAPH_H

#include "astra_files.h"
#include "astra_jobs.h"
#include "astra_rank_map.h"
#include "graph.h"
#include "setup.h"

/* Labels of nodes; chakra_label() returns their text. */
enum {
    CHAKRA_LABEL_COMPUTE = 16,
    CHAKRA_LABEL_HOST,
    CHAKRA_LABEL_MEMORY,
    CHAKRA_LABEL_REPLAY,
    CHAKRA_LABEL_SEND,
    CHAKRA_LABEL_RECEIVE,
    CHAKRA_LABEL_DELAY,
    CHAKRA_LABEL_NOTHING /* a mark instead of communication of 0 bytes */
};
const char *chakra_label(uint32_t label); /* below CHAKRA_LABEL_COMPUTE the label is an ace_kind */

/* Which collectives run on the endpoint. */
enum { CHAKRA_MASKS = 1 << ASTRA_DIMENSIONS, CHAKRA_TRACE_NAME = 4096 + 16 };
typedef struct chakra_rings {
    uint32_t masks;  /* sets of whole dimensions whose groups do, one bit for each set */
    bool reductions; /* only reductions and gathers do, because no exchange stalls them */
    /* dimensions of these sets, one bit each: NPUs along them submit one sequence */
    unsigned along;
} chakra_rings;

typedef struct chakra_setup {
    const char *prefix;     /* without jobs, NPU i reads prefix.i.et */
    const astra_jobs *jobs; /* each has a prefix of its own; NULL: there are no jobs */
    const astra_network *network;
    const astra_system *system;
    const astra_memory *memory;
    const astra_groups *groups;
    const astra_rank_map *rank_map; /* NULL: rank i is NPU i */
    ace_type type;                  /* of the elements */
    ace_op op;
    double clock_MHz;          /* of the node */
    const cluster *cluster;    /* the cluster for balanced all-reduces; NULL: none are balanced */
    const ace_config *config;  /* the configuration for these; NULL: none are balanced */
    const chakra_rings *rings; /* for each job, or one for all */
    bool lenient;              /* communication of 0 bytes completes at once */
    bool calibrated;           /* the endpoints are on the rung calibrated */
    bool software;             /* the endpoints are software, which supports no list of transfers */
    /* As ASTRA-sim 2.x does: a group of some NPUs is one ring, whatever its dimensions, and a
     * BROADCAST takes its duration. */
    bool with_compat;
    /* Returns why a collective cannot run and what could instead; NULL if it can. NULL as function:
     * all can. */
    const char *(*refuse)(const void *of, const graph_node *n);
    const void *refuse_of;
    const double *scale;   /* for each NPU: a factor on its compute time; NULL: 1 */
    const double *late_ns; /* for each NPU: none of its nodes begin earlier; NULL: 0 */
    /* For each NPU: the values of its roofline; NULL: the system's. */
    const double *peak_TFLOPS, *memory_GBps;
} chakra_setup;

/* Return the name of an NPU's trace, "" if it has none, and the NPU's job, 0 without jobs. */
void chakra_trace_name(const chakra_setup *s, unsigned npu, char *to, size_t room);
unsigned chakra_job(const chakra_setup *s, unsigned npu);

/* Reads an attribute of any integer type or bool. Returns false for other types and negative
 * values. */
struct Chakra__Attribute;
bool chakra_unsigned(const struct Chakra__Attribute *a, uint64_t *v);

/* Opens a reader of an NPU's graph. data_only: ctrl_deps are no dependencies. The caller owns the
 * setup and keeps it at its address. Returns EXIT_OK, or another status after a message. */
int chakra_graph_open(const chakra_setup *s, unsigned npu, bool data_only, graph_reader *r);

/* Returns the first member of an NPU's collective over these dimensions. */
unsigned chakra_leader(const astra_network *n, unsigned npu, unsigned dims);
/* Return the tag of collectives on whole dimensions, the tag of collectives of another group (by
 * its index in the list), and this index from a node's tag. */
uint64_t chakra_dims_tag(unsigned dims);
uint64_t chakra_group_tag(unsigned group);
unsigned chakra_group(const graph_node *n);
/* Returns the dimensions of a collective on whole dimensions, one bit each; 0: another group. */
unsigned chakra_dims(const graph_node *n);

#endif
