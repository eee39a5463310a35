/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_form.h -- the time of one collective as ASTRA-sim's system layer and analytical network
 * have it
 *
 * What is evaluated is the published algorithm of github.com/astra-sim/astra-sim: master at 518bd51
 * (2.x) and the branch ASTRA-sim-1.0 at 07d5d19, with the congestion-unaware network, for ranks
 * that are all alike and begin at once.
 *
 *   chunks     the buffer in `splits` chunks, each a stream of phases over the dimensions:
 *              all-reduce reduce-scatters up to the last dimension, all-reduces there and gathers
 *              back
 *              (localBWAware); the other kinds go through the dimensions once
 *   queues     one for each dimension, first come first served, `active` phases at a time in each
 *   a message  hops x latency + bytes / bandwidth, truncated to ns; nothing shares a link
 *   a phase    its messages one behind another, the endpoint's delay between them, and for a
 *              reduced one three times its bytes by the local memory, which in 1.0 is 500,000 GB/s
 *
 * In 1.0 a message takes at least what memory takes, `hbm`.
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
    unsigned hops;    /* of a message to a neighbour: 1, through a switch 2 */
    bool ring;        /* its wiring: messages to others go over several links */
    double GBps;      /* of 2^30 bytes, a message */
    double latency_ns;
    double hbm_GBps; /* 1.0: of 10^9 bytes, the memory that a message takes; 0: none */
    astra_algorithm reduce, exchange; /* of reductions and gathers; of all-to-alls */
} astra_dimension;

typedef struct astra_form {
    unsigned dims;
    astra_dimension dim[ACE_CLUSTER_DIMENSIONS];
    uint64_t endpoint_ns;
    unsigned splits, active;
    double memory_GBps; /* of 10^9 bytes; 0: reductions take none */
    bool first;         /* 1.0 */
} astra_form;

enum { ASTRA_SPLITS = 1024 }; /* at most */

/* ns.  bytes: the buffer of a rank, of an all-gather the result.  NAN: kind or numbers that it has
 * not. */
double astra_form_ns(const astra_form *f, ace_kind kind, double bytes);

#ifdef __cplusplus
}
#endif

#endif
