/* SPDX-License-Identifier: Apache-2.0 */
/*
 * faults.h -- what goes wrong in a run, on purpose: --faults LIST
 *
 *   scratchpad:RATE[:SEED]                     in each cycle and node one stored bit, any of
 *                                              data and check bits, is upset with chance RATE
 *   scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE   these bits of a word are; words 64 to 71 are
 *                                              check words
 *
 * Items stand in one list with commas.  The same list gives the same upsets on every rung and
 * for any threads and ranks.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include "ace_node_pins.h"
#include "acesim.h"

typedef struct scratchpad_faults {
    uint64_t chance, seed; /* see ace_upsets */
    unsigned *node;        /* of each that is listed, */
    ace_upset *listed;     /* in the order of the nodes */
    size_t count;
} scratchpad_faults;

typedef struct faults {
    scratchpad_faults scratchpad;
} faults;

#define FAULTS_ACCEPTED                                                   \
    "upset the scratchpad: scratchpad:RATE[:SEED], a chance a cycle, or " \
    "scratchpad:NODE.BANK.ROW.WORD.MASK@CYCLE; a list has commas"

/* Reads a list; what it holds then is faults_free()'s, also after false: it is none, or there
 * is no memory. */
bool faults_read(const char *list, faults *to);
void faults_free(faults *f);
/* Can this cluster have them, run with these options?  EXIT_OK, or EXIT_USAGE after a message. */
int faults_check(const faults *f, const options *o);

/* One item, without the word before its first colon. */
bool scratchpad_faults_read(const char *item, scratchpad_faults *to);
int scratchpad_faults_check(const scratchpad_faults *f, const cluster *c);
/* Those of a node; they point into f. */
ace_upsets scratchpad_faults_of(const scratchpad_faults *f, unsigned node);

#endif
