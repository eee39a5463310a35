/* SPDX-License-Identifier: Apache-2.0 */
/* algorithms.h -- which algorithm each dimension of a cluster runs */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include "machine.h"

struct refusal;

/* Fills cfg's algorithms and programs from the words of the cluster's algorithms, and checks that
 * each does what its phases promise.  EXIT_OK, or EXIT_USAGE with a refusal or after a message
 * about a file. */
int machine_programs(const machine *m, ace_config *cfg, struct refusal *why);

/* The word of a dimension, of so many letters, 0 where there is none: the last is also that of
 * those behind it. */
size_t cluster_algorithm(const cluster *c, unsigned dim, const char **word);
/* Does a dimension that is no ring run one all the same, where a node sends to the next member
 * alone? */
bool cluster_runs_ring(const cluster *c, unsigned dim);

/* Shards of a chunk that a member may have on their way through the switch of a dimension, which
 * reduces them; 0: none.  See ace_program_in_network(). */
unsigned cluster_in_network(const ace_config *cfg, unsigned dim);

/* Chunks that a member may have under way to a switch that reduces: the contexts for chunks of one
 * parity, in all phases but the phase of the first dimension's shards.  The switch holds
 * ACE_HUB_CONTEXTS. */
unsigned cluster_hub_contexts(const ace_parameters *p);

/* The whole text of a program's file; the caller frees it.  NULL after a message. */
char *program_file(const char *file);

#endif
