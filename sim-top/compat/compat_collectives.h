/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_collectives.h -- collectives as ASTRA-sim 2.x's system layer carries them out, rank by
 * rank
 *
 *   chunks    a buffer is cut into `splits` of whole bytes, a remainder is one chunk more, of full
 *             size; but of all-gathers a chunk has a byte for each NPU at least
 *   phases    a chunk goes through its dimensions: reduce-scatters and all-to-alls upward,
 *             all-gathers downward; all-reduces reduce-scatter upward, all-reduce in the last one
 *             and gather back (localBWAware), or all-reduce in each (baseline)
 *   queues    a dimension has `queues`, each of which runs ceil(active / queues) phases of a rank
 *             at a time, first come first served, newer collectives first with LIFO
 *   a phase   goes in steps, each a message sent and one received; a message may be sent
 *             `endpoint_ns` after the phase begins, and the next when one has been received, which
 *             takes endpoint_ns and for one that is reduced three times its bytes by the local
 *             memory
 *   a group   smaller than all is one ring in the order of its file, of endpoint_ns 10
 *
 * Where ranks begin at different times a phase that waits in a queue starts at once when a message
 * for it is there, whoever else runs: ASTRA-sim's own order lets ranks wait for each other for ever
 * (its issue 370). Where they do all at once, no message comes that early, and nothing changes.
 */
#ifndef COMPAT_COLLECTIVES_H
#define COMPAT_COLLECTIVES_H

#include "compat_network.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum compat_algorithm { COMPAT_RING, COMPAT_DIRECT, COMPAT_HALVING } compat_algorithm;
/* How a dimension carries out a kind. */
typedef struct compat_way {
    compat_algorithm algorithm;
    unsigned window; /* of direct: messages under way; 0: all */
} compat_way;

enum {
    COMPAT_ALL_REDUCE,
    COMPAT_REDUCE_SCATTER,
    COMPAT_ALL_GATHER,
    COMPAT_ALL_TO_ALL,
    COMPAT_KINDS
};

typedef struct compat_system {
    ace_order order;
    uint64_t endpoint_ns;
    unsigned splits, active, queues;
    bool baseline;      /* all-reduces; else localBWAware */
    double memory_GBps; /* that sums take; 0: none */
    compat_way way[COMPAT_KINDS][ASTRA_DIMENSIONS];
    unsigned ways[COMPAT_KINDS]; /* that the file says */
    bool one[COMPAT_KINDS];      /* all NPUs are one dimension */
} compat_system;

/* What a member's part in a collective took, by the dimension of its phases: the way that led to
 * its end, back to the first member's begin.  All times together are those from there to its end.
 */
typedef enum compat_cause {
    COMPAT_LATENCY,
    COMPAT_SERIAL,   /* bytes over the bandwidth */
    COMPAT_ENDPOINT, /* endpoint-delay */
    COMPAT_REDUCTION,
    COMPAT_WAITING, /* for a member that begins later, another collective, or a link */
    COMPAT_CAUSES
} compat_cause;
extern const char *const compat_cause_names[COMPAT_CAUSES];
typedef struct compat_breakdown {
    uint64_t ns[ASTRA_DIMENSIONS][COMPAT_CAUSES];
    uint64_t messages[ASTRA_DIMENSIONS], bytes[ASTRA_DIMENSIONS]; /* that it sent */
} compat_breakdown;
/* Called for each member that is through, with what it took. */
typedef void compat_explain(void *self, unsigned npu, uint32_t place, const compat_breakdown *b);

typedef struct compat_collectives compat_collectives;
/* All are the caller's and stay.  over: called for each member that is through, with the npu in
 * `what`'s upper and the place it gave in its lower 32 bits.  NULL: no memory. */
compat_collectives *compat_collectives_create(const compat_system *s, const astra_network *of,
                                              compat_network *n, compat_clock *c, compat_call over);
void compat_collectives_destroy(compat_collectives *c); /* NULL is allowed */
/* Before any begins: whom to tell, while the node is still under way. */
void compat_collectives_explain(compat_collectives *c, compat_explain *tell, void *self);
/* An NPU begins its `ordinal`-th collective of the group that the node is of.  False: no memory. */
bool compat_collectives_begin(compat_collectives *c, unsigned npu, const graph_node *n,
                              uint64_t ordinal, uint32_t place);
/* Why a collective cannot be carried out, and what could; NULL: it can. */
const char *compat_collectives_refuse(const compat_system *s, const astra_network *of,
                                      const graph_node *n);
/* Of collectives that were over sooner than links of their bandwidth carry their bytes, the worst.
 */
typedef struct compat_beaten {
    uint64_t count; /* of members' collectives; 0: none was */
    uint64_t ns, least_ns, bytes;
    unsigned npu;
} compat_beaten;
compat_beaten compat_collectives_beaten(const compat_collectives *c);
/* Of what was begun: members that have not begun the ordinal-th of the node's group. */
unsigned compat_collectives_missing(const compat_collectives *c, unsigned npu, const graph_node *n,
                                    uint64_t ordinal);

#ifdef __cplusplus
}
#endif

#endif
