/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_messages.h -- all messages of a set of graphs: senders, receivers and labels
 *
 *     graph_messages *m = graph_messages_create(npus, &config);
 *     graph_messages_add(m, &node, npu)       each node of each NPU's graph, once
 *     graph_messages_check(m)                 every send has a receive, and the reverse
 *     graph_messages_label(m, &key)           the label on which sender and receiver agree
 *
 * A message belongs to a *channel*, which is a sender, a receiver, a tag and a number of bytes. The
 * n-th send of a channel belongs to the n-th receive, in the order of graph_order.h at either end.
 * Messages of a channel are sent in this order, and messages of other channels may overtake them. A
 * channel has a number at its receiver, in the order of the receiver's graph. So NPUs that do the
 * same use the same numbers.
 *
 * A collective that does not run on rings goes in steps of messages. In each step a member sends
 * equally many bytes to some of the other members, and receives from some:
 *
 *   all-to-all       a block to each
 *   all-gather       a shard to each
 *   reduce-scatter   a shard to each; then the received shards and the own one are summed
 *   all-reduce       like a reduce-scatter, then like an all-gather
 *   broadcast        a shard from the first to each, then like an all-gather; with fewer rows than
 *                    members, everything from the first to each
 *   barrier          a message without data to each
 *
 * Rules that hold for every call
 *   Threads   After the last addition, any thread may call the reading functions.
 *   Memory    Some 80 bytes for each channel; a graph_balance needs none.
 */
#ifndef GRAPH_MESSAGES_H
#define GRAPH_MESSAGES_H

#include <stddef.h>

#include "ace_types.h"
#include "graph.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Which members of a group. */
typedef enum graph_who { WHO_NOBODY, WHO_OTHERS, WHO_FIRST } graph_who;
typedef struct graph_step {
    graph_who to, from; /* the members to which this one sends, and from which it receives */
    uint64_t bytes;     /* of each message */
    uint64_t sum_bytes; /* bytes read and written to sum the received data; 0: no sum */
} graph_step;
unsigned graph_steps(const graph_node *n); /* number of steps of a collective by messages */
graph_step graph_step_of(const graph_node *n, unsigned step);
/* Returns whether a collective runs as steps of messages. */
static inline bool graph_by_messages(const graph_node *n) {
    return n->kind == GRAPH_COLLECTIVE && n->members;
}
/* Returns the k-th other member, beginning after this one; k is below n->members - 1. */
static inline unsigned graph_other(const graph_node *n, unsigned k) {
    return n->member[(n->own + 1 + k) % n->members];
}

typedef struct graph_channel {
    uint32_t from, to; /* NPUs */
    uint64_t tag, bytes;
} graph_channel;
uint64_t graph_channel_hash(const graph_channel *c);
/* Returns the tag of a step's channel: the node's tag, the kind, and the step's number. */
static inline uint64_t graph_step_tag(const graph_node *n, unsigned step) {
    return n->tag | (uint64_t)n->command.kind << 4 | step;
}

/*
 * Checks that all sends have a receive, without a table: two sums of 64-bit digests, of sends minus
 * receives. Both are 0 if sends and receives match. If they do not match, both are 0 with a
 * probability of 1 in 2^128.
 */
typedef struct graph_balance {
    uint64_t sent;
    uint64_t sum[2];
} graph_balance;
/* Adds a node of an NPU. Only sends and receives count. */
void graph_balance_add(graph_balance *b, const graph_node *n, unsigned npu);
static inline bool graph_balance_even(const graph_balance *b) { return !b->sum[0] && !b->sum[1]; }

typedef struct graph_messages graph_messages;
/* cfg: the nodes' common configuration, for which bytes and routes on links are counted; NULL: they
 * are not counted. Returns NULL when there is no memory. */
graph_messages *graph_messages_create(unsigned npus, const ace_config *cfg);
void graph_messages_destroy(graph_messages *m); /* NULL is allowed */
/* Adds a node. Returns EXIT_OK, or EXIT_CHECK after a message when there is no memory. */
int graph_messages_add(graph_messages *m, const graph_node *n, unsigned npu);
/* Checks that sends and receives match. Returns EXIT_OK, or EXIT_USAGE after a message. The message
 * calls a graph `prefix`.NPU.et, or by the text that `name` writes. */
int graph_messages_check(const graph_messages *m, const char *prefix);
typedef void graph_messages_name(const void *self, unsigned npu, char *to, size_t room);
int graph_messages_check_named(const graph_messages *m, graph_messages_name *name,
                               const void *self);
uint64_t graph_messages_count(const graph_messages *m); /* sent by all NPUs */
/* Returns the bytes on an NPU's links of a dimension, trailers included. */
uint64_t graph_messages_bytes(const graph_messages *m, unsigned npu, unsigned d);
/* Returns the part of these bytes that the NPU sends itself, without forwarded messages. */
uint64_t graph_messages_own_bytes(const graph_messages *m, unsigned npu, unsigned d);
/* number of channels that the NPU receives */
unsigned graph_messages_channels(const graph_messages *m, unsigned npu);
/* Returns a channel's number at its receiver; UINT32_MAX: unknown channel. */
uint32_t graph_messages_label(const graph_messages *m, const graph_channel *c);
/* Finds the channel of a number, by searching. Returns false if there is none. */
bool graph_messages_channel(const graph_messages *m, unsigned npu, uint32_t number,
                            graph_channel *c);
unsigned graph_messages_routes(const graph_messages *m, const graph_channel *c);

#ifdef __cplusplus
}
#endif

#endif
