/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_pool.h -- schedules the transfers of memory that several NPUs share
 *
 * A memory node that is `shared` begins to take time when it is served:
 *
 *   one by one   Each server belongs to some NPUs and serves one transfer after the other, in the
 *                order of the cycles of the requests, and within a cycle by NPU.
 *   together     The n-th transfer of each NPU is one transfer of all.  It begins when the last NPU
 *                has requested it, and the previous one has ended.
 *
 * NPUs run alone within a window of the fabric (fabric.h), and request transfers there. Between two
 * windows all requests are known and are served. No transfer may end before it is served, so
 * windows are no longer than the shortest transfer, whose length the source gives.
 */
#ifndef GRAPH_POOL_H
#define GRAPH_POOL_H

#include "graph_npu.h"

/* Returns EXIT_OK, or EXIT_CHECK after a message when there is no memory. */
int graph_pool_open(graph_engine *e);
void graph_pool_close(graph_engine *e);
/* Requests a transfer for a node that has begun. Returns false when there is no memory. */
bool graph_pool_request(npu_run *n, uint32_t index);
/* Returns whether the node waits to be served. */
bool graph_pool_waits(const graph_window_entry *p);
/* Between two windows: serves all requests that can be served. */
void graph_pool_serve(graph_engine *e);
/* In a hang: prints which NPU a transfer of all waits for. Returns false if there is no such
 * transfer. */
bool graph_pool_print(const graph_engine *e, const npu_run *n, FILE *to);
void graph_pool_state(graph_engine *e, ace_state *s);

#endif
