/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bottleneck.h -- what bounded a collective, from the cycle classes of its units
 *
 * A unit that worked most of the time set the pace: links, memory, ALUs, the scratchpad's
 * ports, the SMs of a software endpoint.  Where none did, chunks waited for each other: for the
 * round trip of credits, for a place in an FSM or in the scratchpad.  Where all chunks had a
 * place, each went its own way at once, and that takes as long as it takes: for the latency of
 * links and memory, or since so few chunks fill one unit after the other.
 *
 * Not every collective is cut into chunks.  The rows of an all-to-all and of a list of transfers
 * go straight to their receivers: the busiest unit sets the pace, or the way takes longer than
 * that.  The ideal endpoint has nothing but links, and is bound likewise.  A collective made of
 * two steps may be bound by another unit in each: no count of both together tells, so a caller
 * has to try.
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
    BOUND_CREDITS,
    BOUND_CONTEXTS,
    BOUND_SCRATCHPAD,
    BOUND_LATENCY,
    BOUND_CHUNKS,
    BOUND_STEPS,   /* by one unit in the first step, maybe by another in the second */
    BOUND_ENDPOINT /* a change that may help whatever it is: see command_explain.c */
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
    USES
};

/* Which units there are to be in use. */
typedef enum bottleneck_way {
    WAY_CHUNKS, /* through an ACE's FSMs and scratchpad, or an endpoint in software */
    WAY_ROWS,   /* straight to the receivers: an all-to-all, a list */
    WAY_STEPS,  /* a list and chunks, one after the other */
    WAY_IDEAL   /* links alone */
} bottleneck_way;

/* The slowest nodes of a cluster, beside the fastest. */
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
    bool dims[ACE_DIMENSIONS];      /* LINKS, CREDITS: of which */
    double share;                   /* of the cycles in which that was so */
    double use[USES];               /* of what each can do, on the node where it is most */
    double credits[ACE_DIMENSIONS]; /* share of cycles in which links waited for credits */
    unsigned rows; /* packets that an input buffer of a link holds, of the kind that is sent; 0: no
                      such buffers */
    unsigned needed[ACE_DIMENSIONS]; /* and that a round trip needs (cluster_round_trip) */
    double latency;                  /* the latencies a chunk or row meets, of the cycles */
    uint64_t chunks;                 /* 0: it is not cut into any */
    bool software;                   /* its chunks need no FSM and no scratchpad */
    /* UINT32_MAX where there is no such limit, or a collective needs none. */
    unsigned contexts;  /* chunks that a phase's FSMs hold; in software, that are under way */
    unsigned fits;      /* chunks that the smallest partition holds */
    unsigned partition; /* which */
    slow_nodes slow;    /* MEMORY: the nodes that bound it, if the fastest nodes do not */
} bottleneck;

/* Of a collective c that r is the result of, on nodes with this configuration; counts of an
 * all-to-all-v included.  EXIT_OK; EXIT_USAGE, without a message: a result without its units;
 * EXIT_CHECK, after one: no memory. */
int bottleneck_find(const saved_run *r, const machine *m, const ace_config *cfg,
                    const ace_command *c, bottleneck *b);
/* The slowest nodes of a cluster: `nodes`, `speed` and `fastest`.  False: no memory. */
bool bottleneck_slowest(const cluster *c, unsigned nodes, slow_nodes *slow);
/* For a training run: would the speed of the fastest nodes save more cycles of the slow nodes'
 * compute than all exposed communication costs? */
bool bottleneck_slow_compute(const slow_nodes *slow, double compute, double exposed);
/* "memory bandwidth", "memory bandwidth of node 7", "links of y, z" */
void bottleneck_name(const bottleneck *b, char *to, size_t room);
const char *bottleneck_remedy(const bottleneck *b); /* what would help, in words */

#endif
