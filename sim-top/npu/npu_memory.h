/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_memory.h -- divides an NPU's data over local and expanded memory, and gives the bandwidth
 *
 *     npu_memory_fill(&npu, bytes, cold, &m);     npu.hot and npu.cold are set, for npu_time()
 *     if (!m.fits) ...
 *
 * Data beyond the local capacity are in expanded memory, such as memory behind CXL. With l bytes
 * local at a bandwidth of L and x bytes expanded at E, the bandwidth is:
 *
 *   proportion   Each byte is equally likely to be used, and the memories are read one after the
 *                other: (l + x) / (l / L + x / E).
 *   together     Like proportion, but both are read at once: (l + x) / max(l / L, x / E).
 *   heat         The optimizer's state, used once an iteration, is expanded first and has a
 *                bandwidth of its own. The other data are in proportion.
 *
 * The model `proportion` follows COMET (Kadiyala et al., arXiv 2211.16648) from memory.
 *
 * Rules that hold for every call
 *   Bytes   Of one NPU.
 *   Limits  Local memory of 0 bytes is as large as it has to be.  Data that fit in neither memory
 *           count as expanded memory, or as local memory without it, and `fits` is false.
 */
#ifndef NPU_MEMORY_H
#define NPU_MEMORY_H

#include <stdbool.h>

#include "npu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct npu_memory {
    double local, expanded; /* bytes in use */
    bool fits;
} npu_memory;

/* GB/s of bytes in both memories, of which neither is below 0; `together`: both at once. */
double npu_memory_GBps(double local, double local_GBps, double expanded, double expanded_GBps,
                       bool together);
/* cold: the part of `bytes` that is the optimizer's state. */
void npu_memory_fill(npu *n, double bytes, double cold, npu_memory *m);

#ifdef __cplusplus
}
#endif

#endif
