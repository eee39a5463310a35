/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_memory.c -- splits a footprint into local and expanded memory, and sets the factors
 *
 * The factors scale the NPU's bandwidth for operations on hot and on cold data.
 */
#include "npu_memory.h"

#include <math.h>

double npu_memory_GBps(double local, double local_GBps, double expanded, double expanded_GBps,
                       bool together) {
    const double l = local / local_GBps, x = expanded / expanded_GBps;

    if (!(expanded > 0)) return local_GBps; /* to the last bit */
    return (local + expanded) / (together ? fmax(l, x) : l + x);
}

/* Over the local memory's bandwidth. */
static double factor(const npu *n, double bytes, double expanded) {
    return npu_memory_GBps(bytes - expanded, n->memory_GBps, expanded, n->expanded_GBps,
                           n->expansion == EXPANSION_TOGETHER) /
           n->memory_GBps;
}

void npu_memory_fill(npu *n, double bytes, double cold, npu_memory *m) {
    const double local = (double)n->memory_bytes, more = (double)n->expanded_bytes;
    const double over = n->memory_bytes ? fmax(bytes - local, 0) : 0;
    const double expanded = more > 0 && n->expanded_GBps > 0 ? over : 0;
    const double first = n->expansion == EXPANSION_HEAT ? fmin(expanded, cold) : 0;

    *m = (npu_memory){ .local = bytes - expanded,
                       .expanded = expanded,
                       .fits = over <= (expanded > 0 ? more : 0) };
    if (n->expansion == EXPANSION_HEAT) {
        n->cold = factor(n, cold, first);
        n->hot = factor(n, bytes - cold, expanded - first);
    } else {
        n->cold = n->hot = factor(n, bytes, expanded);
    }
}
