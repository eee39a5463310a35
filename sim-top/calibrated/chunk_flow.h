/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chunk_flow.h -- the calibrated node: chunks through pipelined servers
 *
 *     commands --> dispatcher --> stage 0 (load) --> phases, each on a ring --> store --> done
 *                                    |                  |                         |
 *                                 memory's           links, one a              memory's
 *                                 reads              direction                 writes
 *
 * What is kept of the engine is what makes collectives wait for each other; what is left out is the
 * single row.
 *   Window     A stage takes a chunk in the order of dispatch, when its partition has room in the
 *              chunk's bank, and a phase holds as many chunks as it has contexts.  These are the
 *              configuration's numbers and rules, as the scheduler has them.
 *   Server     A phase of a chunk is m shards of s rows on one link, each after the one before
 *              by a hop at least.  So it takes the link m s c cycles (c: of a row) and
 *              lasts (m - 1) max(s c, hop) + s c at the least: the quotient is the most of the link
 *              that it can use.  At a hub, shards go to one peer behind the other.  Phases on a
 *              link share it evenly, and in a phase the oldest chunks that together fill its part
 *              go on alike.
 *   Latency    Before its first row a phase waits for all members of its ring; behind the last it
 *              lasts a hop.
 *   Memory     Loads, and stores, follow each other at the memory's rate.
 *   Scratchpad All that is reduced or copied shares a pipe, and all that is stored another.
 *   Exchange   An all-to-all is one piece of work on all links and the memory at a time, and goes
 *              as fast as the tightest of them lets it.  It reads ahead of the links, in turns with
 *              loads.  So is a command of messages (message_list.h), of which each has its way
 *              behind its last row.
 *
 * Between two events everything moves at constant rates, so a chunk costs a few events a phase,
 * however many rows it has.  Times are cycles, with a fraction.
 *
 * Members of a ring meet in each phase: a flow tells when it is there (chunk_flow_token), and is
 * told when all are (chunk_flow_go).  Chunks are numbered in the order of dispatch, which is the
 * same at all members as it is in the hardware.
 */
#ifndef CHUNK_FLOW_H
#define CHUNK_FLOW_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"
#include "flow_parameters.h"
#include "message_list.h"

/* Is here with a chunk: a phase of it on a dimension, or the end of an all-to-all. */
typedef struct flow_token {
    uint64_t cycle;  /* in which it is there */
    uint32_t number; /* of the chunk, or of the all-to-all */
    uint8_t phase;   /* 0..ACE_CLUSTER_PHASES - 1; FLOW_EXCHANGE */
    uint8_t dims;    /* a bit each: of the phase one, of an all-to-all those with members */
} flow_token;
enum {
    FLOW_EXCHANGE = ACE_CLUSTER_PHASES,
    FLOW_CHUNKS = 64, /* in flight, as the scheduler has them */
    FLOW_ALONE =
        (1 << ACE_CLUSTER_DIMENSIONS) - 1 /* chunk_flow_setup.own of a node that stands for all */
};

/* An all-to-all that fills links of several dimensions makes chunks on them wait or lets them pass:
 * the engine turns from one to the other with a few cycles. */
typedef enum flow_full {
    FLOW_LIKELY, /* what the form finds */
    FLOW_PASSES, /* chunks always have `exchange_gap` of such links */
    FLOW_WAITS   /* chunks never have anything of them */
} flow_full;

typedef struct chunk_flow chunk_flow;
typedef struct chunk_flow_setup {
    ace_parameters parameters;
    ace_config config;
    double divided
        [ACE_CLUSTER_DIMENSIONS]; /* one peer's part of what a port sends; 1: it may have all */
    uint32_t latency[ACE_CLUSTER_DIMENSIONS]; /* from node to node, by a link or over a hub */
    uint8_t own; /* dimensions, a bit each, along which it is its own neighbour: all are there at
                    once */
    bool plain; /* nothing that has not changed is kept: each chunk, rate and decision is found anew
                 */
    flow_full full;
    const flow_parameters *flow; /* of all nodes of a run; they outlive the flow */
} chunk_flow_setup;

/* NULL: no memory. */
chunk_flow *chunk_flow_create(const chunk_flow_setup *setup);
void chunk_flow_destroy(chunk_flow *f); /* NULL is allowed */
/* Does the form cover the command? */
bool chunk_flow_covers(const ace_command *c);
/* Hands over a command in a cycle that is not before those run.  ACE_OK, ACE_EINVAL or
 * ACE_ENOMEM. */
int chunk_flow_submit(chunk_flow *f, const ace_command *c, uint64_t cycle);
/* To cycle `until`. */
void chunk_flow_run(chunk_flow *f, uint64_t until);
/* It runs soon: what it looks at is fetched from memory meanwhile, first itself, which is as large
 * as another like it, then what it points to.  Of one that is only told something its head, then
 * the place for it, and for what it tells. */
void chunk_flow_fetch(const chunk_flow *f, const chunk_flow *like);
void chunk_flow_fetch_lists(const chunk_flow *f);
void chunk_flow_fetch_head(const chunk_flow *f);
void chunk_flow_fetch_place(const chunk_flow *f);
/* The cycle of the next event, UINT64_MAX: none without a go or a command. */
uint64_t chunk_flow_next(const chunk_flow *f);
/* Takes the oldest; false: there is none. */
bool chunk_flow_completion(chunk_flow *f, ace_completion *c);
/* Of those over dimensions of `over` alone, a bit each. */
bool chunk_flow_token(chunk_flow *f, unsigned over, flow_token *t);
bool chunk_flow_tells(const chunk_flow *f); /* has a token, or a message to be brought */
/* Cycles from the last member's token to the go. */
uint64_t chunk_flow_way(const chunk_flow *f, const flow_token *t);
/* All members of the token's ring are there: its phase begins in `cycle`, which is not before those
 * run. */
void chunk_flow_go(chunk_flow *f, const flow_token *t, uint64_t cycle);
/* Takes the oldest message that is on its way, to be brought to who gets it; false: there is none.
 */
bool chunk_flow_mail(chunk_flow *f, flow_mail *m);
/* One of another node is there in `cycle`, which is not before those run; its rows cross a link on
 * their way. */
void chunk_flow_deliver(chunk_flow *f, uint32_t label, uint64_t cycle);
void chunk_flow_cross(chunk_flow *f, unsigned link, uint64_t rows);
bool chunk_flow_arrival(chunk_flow *f, ace_arrival *a);
/* Nothing is held. */
bool chunk_flow_idle(const chunk_flow *f);
/* Rows sent on a link so far. */
uint64_t chunk_flow_sent(const chunk_flow *f, unsigned link);
/* Events so far. */
uint64_t chunk_flow_events(const chunk_flow *f);
/* Cycles so far in which chunks wanted links of several dimensions that an all-to-all fills:
 * whether they pass is not sure. */
uint64_t chunk_flow_unsure(const chunk_flow *f);
int chunk_flow_error(const chunk_flow *f); /* ACE_OK or ACE_ENOMEM */
/* What it holds, for a person. */
void chunk_flow_dump(const chunk_flow *f, FILE *to);

#endif
