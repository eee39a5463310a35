/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.h -- faults that a run injects: --faults LIST
 *
 *   link:RATE[:SEED]               a random bit of a frame on a link changes with probability RATE;
 *                                  0: no bit changes, but the links' retry is on
 *   link:NODE.LINK@CYCLE=BIT       this bit changes (enum ace_frame_bit), in the first frame that
 *                                  leaves in this cycle or later and has the bit.  LINK from
 *                                  LINK_FROM_HUB on means what the hub sends to the node
 *   scratchpad:RATE[:SEED]         in each cycle and node, one random stored bit, data or check
 *                                  bit, flips with probability RATE
 *   scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE
 *                                  these bits of a word flip; words 64 to 71 are check words
 *   dead:NODE.LINK@CYCLE           this link, both directions, carries no good frame from this
 *                                  cycle of the collective on
 *   dead:NODE@CYCLE                no link of this node does
 *
 * Items of a list are separated by commas. The same list gives the same faults on every rung and
 * with any number of threads.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "ace_core.h"
#include "ace_node_faults.h"
#include "cluster.h"

struct refusal;

/* Numbers of a fault's position: each link of a node, then the hub at the other end of each
 * link. */
enum { LINK_FROM_HUB = ACE_LINKS, LINK_FAULT_PLACES = 2 * ACE_LINKS };

/* A bit of a frame that changes, once. */
typedef struct link_fault {
    unsigned node, link;
    uint64_t cycle;
    uint16_t bit;
    bool done;
} link_fault;

typedef struct link_faults {
    bool any;
    uint64_t chance, seed; /* probability for a frame, times 2^64 */
    link_fault *listed;
    size_t count;
} link_faults;

typedef struct scratchpad_faults {
    uint64_t chance, seed; /* see ace_upsets */
    unsigned *node;        /* the node of each listed upset, */
    ace_upset *listed;     /* in the order of the nodes */
    size_t count;
} scratchpad_faults;

/* A link or a node that fails for good; see failure_run.h. */
typedef struct dead_part {
    bool any, whole_node;
    unsigned node, link; /* the link leaves the node; valid unless whole_node */
    uint64_t cycle;      /* since the members got the collective */
} dead_part;

typedef struct faults {
    link_faults link;
    scratchpad_faults scratchpad;
    dead_part dead; /* alone: then there are no other faults */
} faults;

#define FAULTS_ACCEPTED                                                   \
    "link:RATE[:SEED] or link:NODE.LINK@CYCLE=BIT for bits of frames; "   \
    "scratchpad:RATE[:SEED] or scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE " \
    "for stored bits; RATE is a probability, at most 1; commas separate " \
    "items; or alone dead:NODE.LINK@CYCLE or dead:NODE@CYCLE"

/* Reads a list. The caller calls faults_free() in any case. Returns false if the list is malformed,
 * or there is no memory. */
bool faults_read(const char *list, faults *to);
void faults_free(faults *f);
/* Reads a list, and checks that the cluster supports the faults. nodes: of the cluster. control:
 * the value of --control where commands come through registers, else NULL. Returns EXIT_OK,
 * EXIT_USAGE with a refusal, or EXIT_CHECK after a message if there is no memory: the list was
 * checked when its option was read. */
int faults_make(const char *list, const cluster *c, unsigned nodes, const char *control, faults *to,
                struct refusal *why);

/* Reads one item, without the text before its first colon. */
bool dead_part_read(const char *item, dead_part *to);
/* Refuses a node or a link that does not exist. */
int dead_part_check(const dead_part *f, const cluster *c, unsigned nodes, struct refusal *why);
bool scratchpad_faults_read(const char *item, scratchpad_faults *to);
int scratchpad_faults_check(const scratchpad_faults *f, const cluster *c, unsigned nodes,
                            struct refusal *why);
/* Returns the upsets of a node; they point into f. */
ace_upsets scratchpad_faults_of(const scratchpad_faults *f, unsigned node);
bool link_faults_read(const char *item, link_faults *to);
int link_faults_check(const link_faults *f, const cluster *c, unsigned nodes, struct refusal *why);
/* Returns the value of the nodes' pins cfg_retry. */
uint16_t link_faults_retry(const cluster *c);

/* Changes bits on one wire; for ace_wire_set_disturb(). */
typedef struct link_disturber {
    link_faults *faults;
    unsigned node, link;
    uint32_t latency;
    uint64_t changed; /* number of frames changed so far */
} link_disturber;
ace_wire_disturb link_disturb;

#endif
