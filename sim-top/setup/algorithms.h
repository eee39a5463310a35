/* SPDX-License-Identifier: Apache-2.0 */
/* algorithms.h -- chooses the algorithm of each dimension of a cluster */
#ifndef ALGORITHMS_H
#define ALGORITHMS_H

#include "machine.h"

struct refusal;

/* Fills cfg's algorithms and programs as the cluster's `algorithm` names them, and checks that each
 * computes what its phases require. in_network becomes the dimensions whose switches reduce, one
 * bit each; NULL: not wanted. Returns EXIT_OK, or EXIT_USAGE with a refusal or after a message
 * about a file. */
int machine_programs(const machine *m, ace_config *cfg, unsigned *in_network, struct refusal *why);

/* Returns the algorithm of a dimension that was taken from the table of small collectives, because
 * nobody named one; otherwise NULL. */
const char *machine_small_algorithm(const machine *m, unsigned dim);
/* Returns the algorithm that the table has for a dimension, whatever the rung of the nodes; NULL:
 * the default. */
const char *machine_engine_algorithm(const machine *m, unsigned dim);

/* Gives the name of a dimension's algorithm and returns its length, or 0 if there is none. The last
 * name in the list also holds for all later dimensions. */
size_t cluster_algorithm(const cluster *c, unsigned dim, const char **word);
/* Returns whether a dimension that is not wired as a ring still runs a ring, in which a node sends
 * only to the next member. */
bool cluster_runs_ring(const cluster *c, unsigned dim);

/* Returns the shards of a chunk that a member may have in flight through a dimension's switch,
 * which reduces them. 0: the switch reduces none. See ace_program_in_network(). */
unsigned cluster_in_network(const ace_config *cfg, unsigned dim);

/* Chunks that a member may have under way to a switch that reduces: the contexts for chunks of one
 * parity, in all phases but the phase of the first dimension's shards.  The switch holds
 * ACE_HUB_CONTEXTS. */
unsigned cluster_hub_contexts(const ace_parameters *p);

/* The whole text of a program's file; the caller frees it.  NULL after a message. */
char *program_file(const char *file);

#endif
