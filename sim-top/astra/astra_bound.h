/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_bound.h -- what the links of a network's file carry at most (law 13)
 *
 * A file says the bandwidth of a link.  From its wiring follows how many links an NPU sends on in a
 * dimension, and from both what it sends there at most, one way:
 *
 *   Ring            two links, one to each neighbour; of a ring of two one, as both are the same
 *   Switch          one link, to the switch
 *   FullyConnected  one link to each other member
 *   Links           those of the links' file, which the caller adds up
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

/* Links on which an NPU sends in a dimension; of Links one. */
unsigned astra_network_links(const astra_network *n, unsigned dimension);
/* All that an NPU sends into a dimension, one way, GB/s (of 10^9). */
double astra_network_npu_GBps(const astra_network *n, unsigned dimension);

/* What an NPU sent into a dimension in a run, and what its links carry. */
typedef struct astra_sent {
    unsigned npu, dimension;
    uint64_t bytes, cycles; /* of the whole run */
    double clock_MHz, GBps; /* of all its links in the dimension */
} astra_sent;
/* Is the bound kept?  EXIT_OK; or EXIT_CHECK after a message that names NPU, dimension, bytes, time
 * and bound. file: the network's, for the message. */
int astra_bound_check(const char *file, const astra_sent *sent);

#ifdef __cplusplus
}
#endif

#endif
