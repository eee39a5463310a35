/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_bound.h -- checks a result against the bandwidth in a network file (law 13)
 *
 * A file gives the bandwidth of a link. The wiring gives the number of links on which an NPU sends
 * in a dimension. The product is the most that an NPU can send there, in one direction:
 *
 *   Ring            two links, one to each neighbour; a ring of two has one, as both are the same
 *   Switch          one link, to the switch
 *   FullyConnected  one link to each other member
 *   Links           the links that the links' file lists; the caller adds up their bandwidths
 *
 * A run checks its own result against this bound: an NPU sends no more bytes into a dimension than
 * its links carry in the time that the run takes.
 */
#ifndef ASTRA_BOUND_H
#define ASTRA_BOUND_H

#include "astra_files.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the number of links on which an NPU sends in a dimension; 1 for Links. */
unsigned astra_network_links(const astra_network *n, unsigned dimension);
/* Returns the bandwidth of all links on which an NPU sends in a dimension, GB/s (of 10^9). */
double astra_network_npu_GBps(const astra_network *n, unsigned dimension);

/* The bytes that an NPU sent into a dimension in a run, and the bandwidth of its links there. */
typedef struct astra_sent {
    unsigned npu, dimension;
    uint64_t bytes, cycles; /* of the whole run */
    double clock_MHz, GBps; /* of all its links in the dimension */
} astra_sent;
/* Checks the bound. Returns EXIT_OK, or EXIT_CHECK after a message that names the NPU, dimension,
 * bytes, time and bound. file: the network file, for the message. */
int astra_bound_check(const char *file, const astra_sent *sent);

#ifdef __cplusplus
}
#endif

#endif
