/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.h -- what goes wrong in a run, on purpose: --faults LIST
 *
 *   link:RATE[:SEED]               a bit of a frame on a link, any of those sent, changes on the
 *                                  way with chance RATE; 0: none does, but the links' retry is on
 *   link:NODE.LINK@CYCLE=BIT       this bit changes, of the first frame that leaves in this
 *                                  cycle or later and has it (enum ace_frame_bit); LINK from
 *                                  LINK_FROM_HUB on: of what the hub sends to the node
 *   scratchpad:RATE[:SEED]         in each cycle and node one stored bit, any of data and check
 *                                  bits, is upset with chance RATE
 *   scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE
 *                                  these bits of a word are; words 64 to 71 are check words
 *
 * Items stand in one list with commas.  The same list gives the same faults on every rung and
 * for any threads.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "ace_core.h"
#include "ace_node_faults.h"
#include "cluster.h"

struct refusal;

/* Where frames leave, by number: each link of a node; the hub at the other end of it. */
enum { LINK_FROM_HUB = ACE_LINKS, LINK_FAULT_PLACES = 2 * ACE_LINKS };

/* A bit of a frame that is to change; done once. */
typedef struct link_fault {
    unsigned node, link;
    uint64_t cycle;
    uint16_t bit;
    bool done;
} link_fault;

typedef struct link_faults {
    bool any;
    uint64_t chance, seed; /* of a frame, / 2^64 */
    link_fault *listed;
    size_t count;
} link_faults;

typedef struct scratchpad_faults {
    uint64_t chance, seed; /* see ace_upsets */
    unsigned *node;        /* of each that is listed, */
    ace_upset *listed;     /* in the order of the nodes */
    size_t count;
} scratchpad_faults;

typedef struct faults {
    link_faults link;
    scratchpad_faults scratchpad;
} faults;

#define FAULTS_ACCEPTED                                                    \
    "change bits on links: link:RATE[:SEED], a chance a frame from 0, or " \
    "link:NODE.LINK@CYCLE=BIT; in scratchpads: scratchpad:RATE[:SEED], a " \
    "chance a cycle, or scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE; a list has commas"

/* Reads a list; what it holds then is faults_free()'s, also after false: it is none, or there
 * is no memory. */
bool faults_read(const char *list, faults *to);
void faults_free(faults *f);
/* Can this cluster have them?  registers: commands come by registers.  EXIT_OK, or EXIT_USAGE with
 * a refusal. */
int faults_check(const faults *f, const cluster *c, bool registers, struct refusal *why);

/* One item, without the word before its first colon. */
bool scratchpad_faults_read(const char *item, scratchpad_faults *to);
int scratchpad_faults_check(const scratchpad_faults *f, const cluster *c, struct refusal *why);
/* Those of a node; they point into f. */
ace_upsets scratchpad_faults_of(const scratchpad_faults *f, unsigned node);
bool link_faults_read(const char *item, link_faults *to);
int link_faults_check(const link_faults *f, const cluster *c, struct refusal *why);
/* The pins cfg_retry of the nodes. */
uint16_t link_faults_retry(const cluster *c);

/* What changes bits on one wire, for ace_wire_set_disturb(). */
typedef struct link_disturber {
    link_faults *faults;
    unsigned node, link;
    uint32_t latency;
    uint64_t changed; /* frames, so far */
} link_disturber;
ace_wire_disturb link_disturb;

#endif
