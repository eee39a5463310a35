/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_memory.h -- how long a load from or a store to remote memory takes
 *
 * ASTRA-sim 2.x has three simple kinds: a memory of each NPU, of a node, or a pool. There a
 * transfer takes the latency plus the bytes divided by the bandwidth, in whole nanoseconds. NPUs
 * that share a memory wait for one another (graph_pool.h).
 *
 * The hierarchical pool is described in ASTRA-sim 2.0's paper (Won et al., ISPASS 2023), but its
 * code is not public. So the formula here is ours. There are N NPUs in K nodes, G memory groups,
 * and W switches outside the nodes, each with a link to the switch in each node. All NPUs take part
 * in a transfer. It proceeds in rounds, in which each group moves a chunk of c bytes. Rounds are
 * pipelined over four stages: group, switches' link, NPU's link, NPU's memory.
 *
 *     each NPU has its own D bytes    N D / (G c) rounds; a stage moves c, c G / (W K), c G / N,
 *                                     c G / N bytes
 *     gathered or reduced (in_switch) D / (G c) rounds; a stage moves c, c G / W, c G, c G bytes
 *     time                            latency + (rounds + 3) x the slowest of the four stages
 *
 * In a gathered load all NPUs get the same D bytes, which are read once. In a reduced store each
 * NPU sends D bytes, and the memory writes their sum.
 */
#ifndef ASTRA_MEMORY_H
#define ASTRA_MEMORY_H

#include "astra_files.h"

/* Returns the time in ns of a transfer of `bytes` for each NPU, without waiting for other NPUs. */
double astra_memory_ns(const astra_memory *m, unsigned npus, uint64_t bytes);
/* Returns whether NPUs wait for one another. */
bool astra_memory_shared(const astra_memory *m, unsigned npus);
/* Returns how many consecutive NPUs share a memory and wait for one another; 0: none do. */
unsigned astra_memory_sharers(const astra_memory *m, unsigned npus);
/* Returns the bandwidth that a transfer takes from an NPU's own memory while it lasts, B/ns. */
double astra_memory_rate(const astra_memory *m, unsigned npus);

#endif
