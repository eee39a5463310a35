/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_pool.h -- memory that several NPUs share: whose transfer is when
 *
 * A memory node of a graph that is `shared` takes its time from when it is served:
 *
 *   one by one   each server has some NPUs, and serves one transfer after the other, in the order
 *                of the cycles in which they were asked for; of those of a cycle, by NPU
 *   together     the n-th transfer of each NPU is one transfer of all, which begins when the last
 *                has asked for it, and the one before it is over
 *
 * NPUs run alone within a window of the fabric (fabric.h), and ask there; between two windows all
 * that was asked is known, and is served.  So that no transfer ends before it is served, windows
 * are no longer than the shortest transfer: the maker says how long that is.
 */
#ifndef GRAPH_POOL_H
#define GRAPH_POOL_H

#include "graph_npu.h"

/* EXIT_OK, or EXIT_CHECK after a message: no memory. */
int graph_pool_open(graph_engine *e);
void graph_pool_close(graph_engine *e);
/* A node that has begun waits to be served.  False: no memory. */
bool graph_pool_ask(npu_run *n, uint32_t place);
/* Is the place's node one that waits? */
bool graph_pool_waits(const graph_place *p);
/* Between two windows: all that was asked for is served, as far as that can be. */
void graph_pool_serve(graph_engine *e);
/* In a hang: says whom a transfer of all waits for.  False: none does. */
bool graph_pool_tell(const graph_engine *e, const npu_run *n, FILE *to);
void graph_pool_state(graph_engine *e, ace_state *s);

#endif
