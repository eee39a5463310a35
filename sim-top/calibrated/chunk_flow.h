/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_flow.h -- the calibrated node: chunks through pipelined servers
 *
 *     commands --> dispatcher --> stage 0 (load) --> phases, each on a ring --> store --> done
 *                                    |                  |                         |
 *                                 memory's           links, one a              memory's
 *                                 reads              direction                 writes
 *
 * The model keeps the parts of the engine that make collectives wait for each other. It leaves out
 * single rows.
 *   Window     A stage takes chunks in the order of dispatch, when its partition has room in the
 *              chunk's bank.  A phase holds as many chunks as it has contexts.  These numbers and
 *              rules come from the configuration and the scheduler.
 *   Server     A phase of a chunk consists of m shards of s rows on one link.  Each shard begins at
 *              least a hop after the previous one.  With c cycles for a row, the phase occupies the
 *              link for m s c cycles and lasts at least (m - 1) max(s c, hop) + s c.  The quotient
 *              is the largest share of the link that it can use.  At a hub, and on a ring of two,
 *              shards go one by one.  Phases on a link share it evenly.  Within a phase, the oldest
 *              chunks that together fill its share proceed at equal rates.
 *   Latency    A phase waits for all members of its ring before its first row, and lasts a hop
 *              longer than its last row.
 *   Memory     Loads follow each other at the memory's rate, and so do stores.
 *   Scratchpad All rows that are reduced or copied share a pipe, and all that are stored another.
 *   Exchange   Only one all-to-all runs at a time.  It uses all links and the memory, and its rate
 *              is limited by the slowest one.  It reads ahead of the links, alternating with
 *              loads. A command of messages (message_list.h) runs in the same way.  Each message
 *              then travels its route after its last row.
 *
 * Between two events everything moves at constant rates. So a chunk costs a few events for each
 * phase, or for each of its shards at a hub, however many rows it has. Times are cycles, with a
 * fraction.
 *
 * The members of a ring meet in each phase. A flow reports with a token that it has arrived
 * (chunk_flow_token), and the barrier lets it continue when all have arrived (chunk_flow_go).
 * Chunks are numbered in the order of dispatch, which is the same at all members, as in the
 * hardware.
 */
#ifndef CHUNK_FLOW_H
#define CHUNK_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "flow_parameters.h"
#include "message_list.h"

/* A node has arrived with a chunk at a phase on a dimension, or at the end of an all-to-all. */
typedef struct flow_token {
    uint64_t cycle;  /* in which the node arrived */
    uint32_t number; /* of the chunk, or of the all-to-all */
    uint8_t phase;   /* 0..ACE_CLUSTER_PHASES - 1; FLOW_EXCHANGE */
    uint8_t dims;    /* one bit each: the dimension of the phase, or those of the all-to-all */
} flow_token;
enum {
    FLOW_EXCHANGE = ACE_CLUSTER_PHASES,
    FLOW_CHUNKS = 64, /* in flight, as in the scheduler */
    /* chunk_flow_setup.own of a node that stands for all */
    FLOW_ALONE = (1 << ACE_CLUSTER_DIMENSIONS) - 1
};

/* An all-to-all may fill links of several dimensions, or of one dimension to which its rows turn
 * from a hub. Chunks on these links then either wait or pass: in the engine a few cycles decide
 * which. A few cycles also decide whether links of several dimensions share one phase, and whether
 * loads or the all-to-all request memory first. */
typedef enum flow_full {
    FLOW_LIKELY, /* as the form decides */
    FLOW_PASSES, /* chunks always get `exchange_gap` of these, share no phase, and load first */
    FLOW_WAITS   /* chunks never get any of them, and an all-to-all requests first */
} flow_full;

typedef struct chunk_flow chunk_flow;
typedef struct chunk_flow_setup {
    ace_parameters parameters;
    ace_config config;
    /* factor by which the links to peers divide a port's bandwidth; 1: each peer may have all */
    double divided[ACE_CLUSTER_DIMENSIONS];
    uint32_t latency[ACE_CLUSTER_DIMENSIONS]; /* from node to node, by a link or over a hub */
    /* dimensions, one bit each, along which the node is its own neighbour, so that no member is
     * awaited */
    uint8_t own;
    bool plain; /* everything is recomputed at every event: chunks, rates and decisions */
    flow_full full;
    const flow_parameters *flow; /* the same for all nodes of a run; must outlive the flow */
} chunk_flow_setup;

/* Returns NULL when there is no memory. */
chunk_flow *chunk_flow_create(const chunk_flow_setup *setup);
void chunk_flow_destroy(chunk_flow *f); /* NULL is allowed */
/* Returns whether the form covers the command. */
bool chunk_flow_covers(const ace_command *c);
/* Submits a command in `cycle`, which is not before the cycle that the flow has run to. Returns
 * ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int chunk_flow_submit(chunk_flow *f, const ace_command *c, uint64_t cycle);
/* Runs to cycle `until`. */
void chunk_flow_run(chunk_flow *f, uint64_t until);
/* Prefetch a flow that runs soon. First chunk_flow_fetch() fetches the struct, which is as large
 * as another flow `like`, then chunk_flow_fetch_lists() the lists that it points to. For a flow
 * that only receives a go: first its head, then the list entries that the go will write. */
void chunk_flow_fetch(const chunk_flow *f, const chunk_flow *like);
void chunk_flow_fetch_lists(const chunk_flow *f);
void chunk_flow_fetch_head(const chunk_flow *f);
void chunk_flow_fetch_slot(const chunk_flow *f);
/* Returns the cycle of the next event; UINT64_MAX: none before a go or a command. */
uint64_t chunk_flow_next(const chunk_flow *f);
/* Takes the oldest completion. Returns false if there is none. */
bool chunk_flow_completion(chunk_flow *f, ace_completion *c);
/* Takes the oldest token whose dimensions are all in `over`, a bit mask. */
bool chunk_flow_token(chunk_flow *f, unsigned over, flow_token *t);
bool chunk_flow_has_output(const chunk_flow *f); /* has a token, or a message for another node */
/* Returns the cycles from the last member's token to the go. */
uint64_t chunk_flow_latency(const chunk_flow *f, const flow_token *t);
/* Lets a chunk continue when all members of the token's ring have arrived: its phase begins in
 * `cycle`, which is not before the cycle that the flow has run to. */
void chunk_flow_go(chunk_flow *f, const flow_token *t, uint64_t cycle);
/* Takes the oldest message that must be passed to its receiver. Returns false if there is none. */
bool chunk_flow_mail(chunk_flow *f, flow_mail *m);
/* chunk_flow_deliver() delivers a message of another node in `cycle`, which is not before the cycle
 * that the flow has run to. chunk_flow_cross() counts rows of a message that cross a link on their
 * route. */
void chunk_flow_deliver(chunk_flow *f, uint32_t label, uint64_t cycle);
void chunk_flow_cross(chunk_flow *f, unsigned link, uint64_t rows);
bool chunk_flow_arrival(chunk_flow *f, ace_arrival *a);
/* Returns whether the flow has no work. */
bool chunk_flow_idle(const chunk_flow *f);
/* Returns how many rows were sent on a link so far. */
uint64_t chunk_flow_sent(const chunk_flow *f, unsigned link);
/* Returns the number of events so far. */
uint64_t chunk_flow_events(const chunk_flow *f);
/* Returns the cycles so far in which chunks wanted such links that an all-to-all fills, or in which
 * links shared a phase. Whether chunks pass then is uncertain. */
uint64_t chunk_flow_unsure(const chunk_flow *f);
int chunk_flow_error(const chunk_flow *f); /* ACE_OK or ACE_ENOMEM */
/* Prints the state, for a person. */
void chunk_flow_dump(const chunk_flow *f, FILE *to);

#endif
