/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bottleneck.h -- finds what bounded a collective from the cycle classes of its units
 *
 * A unit that worked most of the time set the pace: links, memory, ALUs, the scratchpad's ports,
 * the SMs of a software endpoint, or a switch with a bandwidth of its own. If there was no such
 * unit, chunks waited for credits, for a slot in an FSM or for room in the scratchpad. If all
 * chunks had a slot, they were bound by the latency of links and memory, or there were too few
 * chunks to keep a unit busy.
 *
 * Not every collective is divided into chunks. The rows of an all-to-all and of a list of transfers
 * go straight to their receivers. Then either the busiest unit or the latency of the longest route
 * is the bound. The same holds for the ideal endpoint, which has only links. In a collective made
 * of two steps each step may be bound by another unit. The counts of both steps together do not
 * show this, so a caller has to try changes.
 */
#ifndef BOTTLENECK_H
#define BOTTLENECK_H

#include "machine.h"
#include "result_read.h"

typedef enum bottleneck_kind {
    BOUND_LINKS,
    BOUND_MEMORY,
    BOUND_ALU,
    BOUND_PORTS,
    BOUND_SMS,
    BOUND_ROUTER,
    BOUND_SWITCH, /* the bandwidth of a switch of the topology */
    BOUND_CREDITS,
    BOUND_CONTEXTS,
    BOUND_SCRATCHPAD,
    BOUND_LATENCY,
    BOUND_CHUNKS,
    BOUND_STEPS,   /* by one unit in the first step, and perhaps by another in the second */
    BOUND_ENDPOINT /* unknown; a change of the endpoint may help: see command_explain.c */
} bottleneck_kind;

enum {
    USE_LINK,
    USE_READ = ACE_DIMENSIONS,
    USE_WRITE,
    USE_ALU,
    USE_SEND,
    USE_STORE,
    USE_SMS,
    USE_ROUTER,
    USE_SWITCH, /* the busiest switch with a bandwidth of its own */
    USES
};

/* Which units a collective uses. */
typedef enum bottleneck_way {
    WAY_CHUNKS, /* through an ACE's FSMs and scratchpad, or an endpoint in software */
    WAY_ROWS,   /* straight to the receivers: an all-to-all, a list */
    WAY_STEPS,  /* a list and chunks, one after the other */
    WAY_IDEAL   /* links only */
} bottleneck_way;

/* The slowest nodes of a cluster, compared with the fastest. */
typedef struct slow_nodes {
    char nodes[48];        /* "7" or "3,7"; "": all have one speed */
    double speed, fastest; /* of full speed, which is 1 */
    double use, fast_use;  /* share of the cycles in which their memory is in use */
    double waits,
        fast_waits; /* share of the cycles in which rows wait for the memory's bandwidth */
} slow_nodes;

typedef struct bottleneck {
    bottleneck_kind kind;
    bottleneck_way way;
    bool dims[ACE_DIMENSIONS]; /* LINKS, CREDITS: of these dimensions */
    double share;              /* of the cycles in which this bound applied */
    double use[USES]; /* share of the cycles in which each unit is in use, at the busiest node */
    double credits[ACE_DIMENSIONS]; /* share of cycles in which links waited for credits */
    /* Packets of the kind that is sent that a link's input buffer holds; 0: there are no such
     * buffers. */
    unsigned rows;
    unsigned needed[ACE_DIMENSIONS]; /* packets that a round trip needs (cluster_round_trip) */
    double latency;  /* the latencies that a chunk or row meets, as a share of the cycles */
    uint64_t chunks; /* 0: it is not divided into chunks */
    bool software;   /* its chunks need no FSM and no scratchpad */
    /* UINT32_MAX: there is no such limit, or the collective does not use it. */
    unsigned contexts;  /* chunks that a phase's FSMs hold; in software, chunks in flight */
    unsigned fits;      /* chunks that the smallest partition holds */
    unsigned partition; /* the smallest partition */
    slow_nodes slow;    /* MEMORY: the nodes that bound it, if the fastest nodes do not */
} bottleneck;

/* Finds the bound of collective c, whose result is r, on nodes with this configuration. c includes
 * the counts of an all-to-all-v. Returns EXIT_OK; EXIT_USAGE without a message if the result has no
 * units; or EXIT_CHECK after a message if there is no memory. */
int bottleneck_find(const saved_run *r, const machine *m, const ace_config *cfg,
                    const ace_command *c, bottleneck *b);
/* Finds the slowest nodes of a cluster: `nodes`, `speed` and `fastest`. Returns false if there is
 * no memory. */
bool bottleneck_slowest(const cluster *c, unsigned nodes, slow_nodes *slow);
/* Returns, for a training run, whether the slow nodes would save more cycles of compute with the
 * speed of the fastest nodes than all exposed communication costs. */
bool bottleneck_slow_compute(const slow_nodes *slow, double compute, double exposed);
/* Writes a name such as "memory bandwidth", "memory bandwidth of node 7" or "links of y, z". */
void bottleneck_name(const bottleneck *b, char *to, size_t room);
const char *bottleneck_remedy(const bottleneck *b); /* a text with a remedy */

#endif
