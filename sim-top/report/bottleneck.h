/* SPDX-License-Identifier: Apache-2.0 */
/*
 * bottleneck.h -- what bounded a collective, from the cycle classes of its units
 *
 * A unit that worked most of the time set the pace: links, memory, ALUs, the scratchpad's
 * ports.  Where none did, chunks waited for each other: for the round trip of credits, for
 * a place in an FSM or in the scratchpad.  Where all chunks had a place, each went its own
 * way at once, and that takes as long as it takes: for the latency of links and memory, or
 * since so few chunks fill one unit after the other.
 */
#ifndef BOTTLENECK_H
#define BOTTLENECK_H

#include "options.h"
#include "result_read.h"

typedef enum bottleneck_kind {
    BOUND_LINKS,
    BOUND_MEMORY,
    BOUND_ALU,
    BOUND_PORTS,
    BOUND_CREDITS,
    BOUND_CONTEXTS,
    BOUND_SCRATCHPAD,
    BOUND_LATENCY,
    BOUND_CHUNKS
} bottleneck_kind;

enum { USE_LINK, USE_READ = ACE_DIMENSIONS, USE_WRITE, USE_ALU, USE_SEND, USE_STORE, USES };

typedef struct bottleneck {
    bottleneck_kind kind;
    bool dims[ACE_DIMENSIONS];      /* LINKS, CREDITS: of which */
    double share;                   /* of the cycles in which that was so */
    double use[USES];               /* of what each can do, on the node where it is most */
    double credits[ACE_DIMENSIONS]; /* share of cycles in which links waited for credits */
    double latency;                 /* the latencies a chunk meets on its way, of the cycles */
    uint64_t chunks;
    unsigned contexts;  /* chunks that a phase's FSMs hold */
    unsigned fits;      /* chunks that the smallest partition holds */
    unsigned partition; /* which */
} bottleneck;

/* Of a collective c that r is the result of, on nodes with this configuration.  False: its
 * endpoint counts no cycles of these units.  Messages: none. */
bool bottleneck_find(const saved_run *r, const options *o, const ace_config *cfg,
                     const ace_command *c, bottleneck *b);
/* "memory bandwidth", "links of y, z" */
void bottleneck_name(const bottleneck *b, char *to, size_t room);
const char *bottleneck_remedy(const bottleneck *b); /* what would help, in words */

#endif
