/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_network.h -- messages as ASTRA-sim 2.x's analytical networks carry them
 *
 *   unaware  A message of s bytes is there after floor(h L + s / B): h hops, of latency L and
 *            bandwidth B of the first dimension in which its ends differ; further dimensions cost
 *            nothing, and nothing shares a link.
 *   aware    One dimension.  Each link one way serves whole messages in the order in which they
 *            come: one is over it after floor(L + s / B), and the link is free after floor(s / B).
 *            Round a ring the shorter way, up where both are as long; through a switch over a link
 *            up and one down; fully connected over a link of each pair.
 *
 * Bandwidths are of 2^30 bytes a second in the files, and of 10^9 in astra_network.
 */
#ifndef COMPAT_NETWORK_H
#define COMPAT_NETWORK_H

#include "astra_files.h"
#include "compat_clock.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compat_network compat_network;
/* The clock and the network are the caller's and stay.  NULL: no memory. */
compat_network *compat_network_create(const astra_network *n, bool aware, compat_clock *c);
void compat_network_destroy(compat_network *n); /* NULL is allowed */
/* `there` is called once it has arrived. */
void compat_network_send(compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                         compat_call there);

/* What of the time of a message is latency, and bytes over bandwidth; an aware one may wait beside.
 */
void compat_network_parts(const compat_network *n, unsigned from, unsigned to, uint64_t bytes,
                          uint64_t *latency_ns, uint64_t *serial_ns);

/* What a link carried one way, of which NPU it is, and the ns that this takes at least: each
 * message takes whole ones, rounded down. */
typedef struct compat_carried {
    uint64_t bytes, messages;
    unsigned npu;
    double least_ns;
} compat_carried;
/* Did a link of a network that is aware of congestion carry more by now than it can?  Then *worst
 * is that link. */
bool compat_network_beaten(const compat_network *n, compat_carried *worst);

#ifdef __cplusplus
}
#endif

#endif
