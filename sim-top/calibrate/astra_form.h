/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_form.h -- the time of one collective by ASTRA-sim's system layer and analytical network
 *
 * This evaluates the published algorithm of github.com/astra-sim/astra-sim: master at 518bd51 (2.x)
 * and the branch ASTRA-sim-1.0 at 07d5d19. It uses the congestion-unaware network, and ranks that
 * are all alike and begin at the same time.
 *
 *   chunks     The buffer is cut into `splits` chunks.  Each is a stream of phases over the
 *              dimensions.  An all-reduce reduce-scatters in each dimension but the last,
 *                           all-reduces
 *              in the last one, and gathers back (localBWAware).  Other kinds use each dimension
 *              once.
 *   queues     Each dimension has one queue, first come first served, with `active` phases at a
 *              time.
 *   a message  It takes hops x latency + bytes / bandwidth, truncated to ns.  No link is shared.
 *   a phase    Its messages follow each other, with the endpoint's delay between them.  A phase
 *   that
 *              reduces also takes three times its bytes by the local memory's bandwidth, which is
 *              500,000 GB/s in 1.0.
 *
 * In 1.0 a message takes at least as long as its bytes take in memory, `hbm`.
 */
#ifndef ASTRA_FORM_H
#define ASTRA_FORM_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum astra_algorithm { ASTRA_RING, ASTRA_DIRECT, ASTRA_HALVING } astra_algorithm;

typedef struct astra_dimension {
    unsigned members; /* 2 or more */
    unsigned hops;    /* links a message to a neighbour crosses: 1, or 2 through a switch */
    bool ring;        /* wired as a ring: messages to other members cross several links */
    double GBps;      /* of a message, in 2^30 bytes a second */
    double latency_ns;
    /* 1.0: memory bandwidth of a message, in 10^9 bytes a second; 0: not limited */
    double hbm_GBps;
    astra_algorithm reduce, exchange; /* for reductions and gathers; for all-to-alls */
} astra_dimension;

typedef struct astra_form {
    unsigned dims;
    astra_dimension dim[ACE_CLUSTER_DIMENSIONS];
    uint64_t endpoint_ns;
    unsigned splits, active;
    double memory_GBps; /* in 10^9 bytes a second; 0: reductions take no time */
    bool first;         /* version 1.0 */
} astra_form;

enum { ASTRA_SPLITS = 1024 }; /* most splits */

/* Returns the time in ns. bytes: the buffer of a rank, or the result of an all-gather. Returns NAN
 * for a kind or numbers that ASTRA-sim does not support. */
double astra_form_ns(const astra_form *f, ace_kind kind, double bytes);

#ifdef __cplusplus
}
#endif

#endif
