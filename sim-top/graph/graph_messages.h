/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_messages.h -- all messages of a set of graphs: who sends what to whom, under which label
 *
 *     graph_messages *m = graph_messages_create(npus, &config);
 *     graph_messages_add(m, &node, npu)       each node of each NPU's graph, once
 *     graph_messages_check(m)                 what is sent is received, and the reverse
 *     graph_messages_label(m, &key)           what the sender's and the receiver's nodes agree on
 *
 * A message is one of a *channel*: of a sender, a receiver, a tag and a number of bytes.  The n-th
 * send of a channel is for the n-th receive, in the order of graph_order.h at either end; they are
 * sent in this order, too, while those of other channels pass them.  A channel has a number at its
 * receiver, in the order of that one's graph: NPUs that do the same number theirs alike.
 *
 * A collective that does not run on rings goes in steps of messages.  In each a member sends some
 * of the others as many bytes, and hears from some:
 *
 *   all-to-all       a block to each
 *   all-gather       a shard to each
 *   reduce-scatter   a shard to each; then the shards that came are summed with the own one
 *   all-reduce       as a reduce-scatter, then as an all-gather
 *   broadcast        a shard from the first to each, then as an all-gather; of fewer rows than
 *                    members all of it from the first to each
 *   barrier          a message without data to each
 *
 * Rules that hold for every call
 *   Threads   Those that ask come from any thread, once nothing is added any more.
 *   Memory    Some 80 bytes a channel; of a graph_balance none.
 */
#ifndef GRAPH_MESSAGES_H
#define GRAPH_MESSAGES_H

#include <stddef.h>

#include "ace_types.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which of a group. */
typedef enum graph_who { WHO_NOBODY, WHO_OTHERS, WHO_FIRST } graph_who;
typedef struct graph_step {
    graph_who to, from; /* this member sends to, and hears from */
    uint64_t bytes;     /* of each message */
    uint64_t sum_bytes; /* then read and written, to sum what came; 0: nothing is */
} graph_step;
unsigned graph_steps(const graph_node *n); /* of a collective by messages */
graph_step graph_step_of(const graph_node *n, unsigned step);
/* Does a collective go in steps of messages? */
static inline bool graph_by_messages(const graph_node *n) {
    return n->kind == GRAPH_COLLECTIVE && n->members;
}
/* The k-th of the other members, from the one behind this on; k below n->members - 1. */
static inline unsigned graph_other(const graph_node *n, unsigned k) {
    return n->member[(n->own + 1 + k) % n->members];
}

typedef struct graph_channel {
    uint32_t from, to; /* NPUs */
    uint64_t tag, bytes;
} graph_channel;
uint64_t graph_channel_hash(const graph_channel *c);
/* That of a step of a collective has the node's tag, the kind, and the step's number. */
static inline uint64_t graph_step_tag(const graph_node *n, unsigned step) {
    return n->tag | (uint64_t)n->command.kind << 4 | step;
}

/*
 * Whether all that is sent is received, without a table: sums of two digests of 64 bits, of sends
 * less receives.  Both are 0 where sends and receives are alike.  Where they are not, both are 0
 * once in 2^128 sets.
 */
typedef struct graph_balance {
    uint64_t sent;
    uint64_t sum[2];
} graph_balance;
/* A node of an NPU: a send or a receive counts, any other does not. */
void graph_balance_add(graph_balance *b, const graph_node *n, unsigned npu);
static inline bool graph_balance_even(const graph_balance *b) { return !b->sum[0] && !b->sum[1]; }

typedef struct graph_messages graph_messages;
/* cfg: that all nodes share, of whose links bytes and ways are counted; NULL: of none.  Becomes
 * NULL: no memory. */
graph_messages *graph_messages_create(unsigned npus, const ace_config *cfg);
void graph_messages_destroy(graph_messages *m); /* NULL is allowed */
/* EXIT_OK or EXIT_CHECK, no memory, after a message. */
int graph_messages_add(graph_messages *m, const graph_node *n, unsigned npu);
/* EXIT_OK, or EXIT_USAGE after a message, in which a graph is called `prefix`.NPU.et, or what
 * `name` writes. */
int graph_messages_check(const graph_messages *m, const char *prefix);
typedef void graph_messages_name(const void *self, unsigned npu, char *to, size_t room);
int graph_messages_check_named(const graph_messages *m, graph_messages_name *name,
                               const void *self);
uint64_t graph_messages_count(const graph_messages *m); /* sent by all */
/* Bytes on the links of a dimension at an NPU, trailers too. */
uint64_t graph_messages_bytes(const graph_messages *m, unsigned npu, unsigned d);
/* Of these, what it sends itself: not what it passes on. */
uint64_t graph_messages_own_bytes(const graph_messages *m, unsigned npu, unsigned d);
unsigned graph_messages_channels(const graph_messages *m, unsigned npu); /* that it hears */
/* The number of a channel at its receiver; UINT32_MAX: it was not added. */
uint32_t graph_messages_label(const graph_messages *m, const graph_channel *c);
/* The channel of a number; false: there is none.  It is searched for. */
bool graph_messages_channel(const graph_messages *m, unsigned npu, uint32_t number,
                            graph_channel *c);
unsigned graph_messages_ways(const graph_messages *m, const graph_channel *c);

#ifdef __cplusplus
}
#endif

#endif
