/* SPDX-License-Identifier: Apache-2.0 */
/*
 * calibrated_node.h -- the rung `calibrated`: chunk_flow.h behind the interface of all nodes
 *
 * Calibrated nodes have no wires, so no frames cross links. Two effects remain: the members of a
 * ring wait for each other, and messages arrive. A barrier passes both between the nodes:
 *
 *     barrier *m = barrier_create(nodes, up, &config);
 *     barrier_join(m, i, node);                            each node, once
 *     note = barrier_messages(m, &notes);                  after each window: what nodes pass on
 *     barrier_receive(m, note, notes, until);              nodes whose ring is complete continue
 *
 * With several processes, each has a barrier of all nodes, which its own nodes have joined. Each
 * process then passes the notes of all processes to barrier_receive(), in the order of the
 * processes.
 *
 * A ring continues one link latency after the last member's token. A message arrives at least one
 * link latency after its last row. Neither delay is shorter than a window, so the order in which
 * nodes run a window does not matter (law 2). A node that is its own neighbour along a dimension
 * needs no barrier there (chunk_flow_setup.own).
 */
#ifndef CALIBRATED_NODE_H
#define CALIBRATED_NODE_H

#include "calibration_file.h"
#include "chunk_flow.h"

/* Makes a node. range: the least and the most bytes of a collective; others are refused. Returns
 * ACE_OK or ACE_ENOMEM. */
int calibrated_node_create(const chunk_flow_setup *setup, const double range[2], ace_node **node);
chunk_flow *calibrated_node_flow(ace_node *node);

typedef struct barrier barrier;
/* Makes a barrier. up: for each node the next node up each dimension, or itself if it is alone; the
 * barrier owns the array, also on failure. cfg: the configuration of one node, which must outlive
 * the barrier. Returns NULL when there is no memory. */
barrier *barrier_create(unsigned nodes, unsigned (*up)[ACE_CLUSTER_DIMENSIONS],
                        const ace_config *cfg);
void barrier_destroy(barrier *m); /* NULL is allowed */
void barrier_join(barrier *m, unsigned i, ace_node *node);
/* A node has reached a phase with a chunk, or has sent a message. */
typedef struct barrier_message {
    uint32_t node;
    bool is_mail;
    union {
        flow_token token;
        flow_mail mail;
    };
} barrier_message;
/* Prepares barrier_pass() for these dimensions, one bit each. Returns ACE_OK or ACE_ENOMEM. */
int barrier_inside(barrier *m, unsigned dims);
/* Handles the tokens of node i over these dimensions only, within a group of nodes that are all
 * here, on this thread, and have run to `until`. The dimensions lead to no other nodes. *went is
 * set if some nodes continue. Returns as barrier_receive() does. */
int barrier_pass(barrier *m, unsigned i, unsigned dims, uint64_t until, bool *went);
/* Prefetches the state of node i of such a group, which runs soon, and of some later nodes. */
void barrier_fetch(const barrier *m, unsigned i);
/* Returns the messages of the nodes that joined since the last call. Returns NULL when there is no
 * memory. */
const barrier_message *barrier_messages(barrier *m, unsigned *messages);
/* Handles the messages of a window, after all nodes have run to `until`. Returns ACE_OK, ACE_EPROTO
 * if members of a ring came with different work, or ACE_ENOMEM. */
int barrier_receive(barrier *m, const barrier_message *message, unsigned messages, uint64_t until);

#endif
