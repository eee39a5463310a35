/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_memory.h -- what a load or a store of remote memory takes
 *
 * Of one's own memory, one of a node and a pool of ASTRA-sim 2.x: the latency and the bytes by the
 * bandwidth, in whole nanoseconds; those that share a memory wait for one another (graph_pool.h).
 *
 * Of the hierarchical pool of ASTRA-sim 2.0's paper (Won et al., ISPASS 2023), whose code is not
 * public, the times are ours: N NPUs in K nodes, G groups of memory, W switches out of the nodes,
 * with a link from each of them to the switch in each node.  A transfer is one of all NPUs, in
 * rounds of a chunk c from each group, pipelined over the group, the switches' link, the NPU's link
 * and its memory:
 *
 *     each its own bytes D          N D / (G c) rounds of c, c G / (W K), c G / N, c G / N bytes
 *     gathered or reduced (in_switch) D / (G c) rounds of c, c G / W, c G, c G bytes
 *     time                          latency + (rounds + 3) x the slowest of the four
 *
 * Gathered: all NPUs get the same D bytes, which are read once.  Reduced: of each NPU D bytes come,
 * and their sum is written.
 */
#ifndef ASTRA_MEMORY_H
#define ASTRA_MEMORY_H

#include "astra_files.h"

/* Of `bytes` of each NPU, once it is served. */
double astra_memory_ns(const astra_memory *m, unsigned npus, uint64_t bytes);
/* Do NPUs wait for one another? */
bool astra_memory_shared(const astra_memory *m, unsigned npus);
/* NPUs that wait for one another: each so many, by number; 0: none. */
unsigned astra_memory_sharers(const astra_memory *m, unsigned npus);
/* What a transfer takes of an NPU's own memory while it lasts, B/ns. */
double astra_memory_rate(const astra_memory *m, unsigned npus);

#endif
