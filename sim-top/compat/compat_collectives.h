/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_collectives.h -- collectives as ASTRA-sim 2.x's system layer runs them, rank by rank
 *
 *   chunks    A buffer is cut into `splits` chunks of whole bytes.  A remainder becomes one more
 *             chunk of full size.  A chunk of anything but an all-gather has at least a byte for
 *             each NPU.
 *   phases    A chunk uses its dimensions one after the other: reduce-scatters and all-to-alls
 *             upward, all-gathers downward.  All-reduces reduce-scatter upward, all-reduce in the
 *             last dimension and gather back (localBWAware), or all-reduce in each (baseline).
 *   queues    A dimension has `queues` queues.  Each runs ceil(active / queues) phases of a rank at
 *             a time, first come first served, or with LIFO newer collectives first.
 *   a phase   It consists of steps, each with a message sent and one received.  The first message
 *             may be sent `endpoint_ns` after the phase begins, and the next one when a message has
 *             been received.  Receiving takes endpoint_ns.  A reduction also takes three times its
 *             bytes by the local memory's bandwidth: one write and two reads.
 *   a group   A group of some NPUs is one ring in the order of its file. Its endpoint_ns is 10, as
 *             in ASTRA-sim.
 *
 * There is one deviation. If ranks begin at different times, a phase that waits in a queue starts
 * at once when a message for it arrives, even if others run. ASTRA-sim's own order lets ranks wait
 * for each other for ever (its issue 370). If all ranks begin at once, no message comes that early,
 * and nothing changes.
 */
#ifndef COMPAT_COLLECTIVES_H
#define COMPAT_COLLECTIVES_H

#include "compat_network.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum compat_algorithm { COMPAT_RING, COMPAT_DIRECT, COMPAT_HALVING } compat_algorithm;
/* The algorithm by which a dimension runs a kind of collective. */
typedef struct compat_choice {
    compat_algorithm algorithm;
    unsigned window; /* for direct: most messages under way; 0: all */
} compat_choice;

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
    bool baseline;      /* the all-reduce of each dimension; false: localBWAware */
    double memory_GBps; /* bandwidth for sums; 0: sums take no time */
    compat_choice choice[COMPAT_KINDS][ASTRA_DIMENSIONS];
    unsigned choices[COMPAT_KINDS];   /* number of entries in the file */
    bool one_dimension[COMPAT_KINDS]; /* all NPUs are one dimension */
} compat_system;

/* The time of a member's part in a collective, divided by cause and by the dimension of its phases.
 * It follows the critical path from the member's end back to the first member's begin. All times
 * together are the time from that begin to the member's end. */
typedef enum compat_cause {
    COMPAT_LATENCY,
    COMPAT_SERIAL,   /* bytes divided by bandwidth */
    COMPAT_ENDPOINT, /* endpoint-delay */
    COMPAT_REDUCTION,
    COMPAT_WAITING, /* for a member that begins later, another collective, or a link */
    COMPAT_CAUSES
} compat_cause;
extern const char *const compat_cause_names[COMPAT_CAUSES];
typedef struct compat_breakdown {
    uint64_t ns[ASTRA_DIMENSIONS][COMPAT_CAUSES];
    uint64_t messages[ASTRA_DIMENSIONS], bytes[ASTRA_DIMENSIONS]; /* that the member sent */
} compat_breakdown;
/* Called for each member that has finished, with its breakdown. */
typedef void compat_explain(void *self, unsigned npu, uint32_t node_index,
                            const compat_breakdown *b);

typedef struct compat_collectives compat_collectives;
/* Creates the collectives. The arguments are the caller's, and must outlive them. on_member_done:
 * called for each member that has finished. Its argument has the NPU in its upper 32 bits, and the
 * node's index in its lower 32 bits. Returns NULL when there is no memory. */
compat_collectives *compat_collectives_create(const compat_system *s, const astra_network *of,
                                              compat_network *n, compat_clock *c,
                                              compat_call on_member_done);
void compat_collectives_destroy(compat_collectives *c); /* NULL is allowed */
/* Before any collective begins: sets the function that gets breakdowns. It is called while the node
 * is still under way. */
void compat_collectives_explain(compat_collectives *c, compat_explain *explain, void *self);
/* Begins an NPU's `ordinal`-th collective of the node's group. node_index: the node's index in the
 * caller's window. Returns false when there is no memory. */
bool compat_collectives_begin(compat_collectives *c, unsigned npu, const graph_node *n,
                              uint64_t ordinal, uint32_t node_index);
/* Returns why a collective is not supported and what is; NULL: it is supported. */
const char *compat_collectives_refuse(const compat_system *s, const astra_network *of,
                                      const graph_node *n);
/* The collective that exceeded its links' bandwidth most, and how many did. */
typedef struct compat_bound_violation {
    uint64_t count; /* members' collectives that ended too soon; 0: none */
    uint64_t ns, least_ns, bytes;
    unsigned npu;
} compat_bound_violation;
compat_bound_violation compat_collectives_bound_violation(const compat_collectives *c);
/* Returns how many members have not begun the ordinal-th collective of the node's group. */
unsigned compat_collectives_missing(const compat_collectives *c, unsigned npu, const graph_node *n,
                                    uint64_t ordinal);

#ifdef __cplusplus
}
#endif

#endif
