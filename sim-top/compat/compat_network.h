/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_network.h -- messages in ASTRA-sim 2.x's analytical networks
 *
 *   unaware  A message of s bytes arrives after floor(h L + s / B), with h hops, latency L and
 *            bandwidth B of the first dimension in which sender and receiver differ.  Further
 *            dimensions cost nothing, and no link is shared.
 *   aware    There is one dimension.  Each link serves whole messages in order of arrival,
 *            separately in each direction.  A message has crossed it after floor(L + s / B), and
 *            the link is free after floor(s / B).  On a ring a message takes the shorter direction,
 *            and upward if both are equal.  Through a switch it crosses a link up and a link down.
 *            With a full connection it crosses the pair's own link.
 *
 * Files give bandwidths in 2^30 bytes a second. astra_network has them in 10^9 bytes a second.
 */
#ifndef COMPAT_NETWORK_H
#define COMPAT_NETWORK_H

#include "astra_files.h"
#include "compat_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compat_network compat_network;
/* Makes a network. The caller owns the clock and `n`, which must outlive it. Returns NULL when
 * there is no memory. */
compat_network *compat_network_create(const astra_network *n, bool aware, compat_clock *c);
void compat_network_destroy(compat_network *n); /* NULL is allowed */
/* Sends a message, and calls `there` when it has arrived. */
void compat_network_send(compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                         compat_call there);

/* Splits a message's time into latency and bytes over bandwidth, without waiting for links. */
void compat_network_parts(const compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                          uint64_t *latency_ns, uint64_t *serial_ns);

/* The load of a link of an NPU in one direction, and the least time that it takes, ns. The time of
 * each message is rounded down to whole ns. */
typedef struct compat_carried {
    uint64_t bytes, messages;
    unsigned npu;
    double least_ns;
} compat_carried;
/* Returns whether a link of an aware network carried more than it can until now. Sets *worst to
 * that link. */
bool compat_network_beaten(const compat_network *n, compat_carried *worst);

#ifdef __cplusplus
}
#endif

#endif
