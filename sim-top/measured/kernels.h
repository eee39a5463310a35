/* SPDX-License-Identifier: Apache-2.0 */
/*
 * kernels.h -- kernels that were timed on an accelerator, compared with the model of an NPU
 *
 * Products alone (CSV with a head; scripts/measure-gpu.py writes both tables):
 *
 *   m n k time_us   as of gemm_table.h
 *   type            optional: bf16 or fp16 [bf16]
 *   set             optional: of "grid" constants are fitted, each other set is one of the check
 *                   [grid]
 *
 * Kernels in parallel to communication, which was a kernel that sums two arrays on some SMs:
 *
 *   work flops read_bytes written_bytes   of one call; a work named "gemm ..." is of matrix units
 *   sms             that communication ran on
 *   exclusive       1: nothing else had room on them
 *   alone_us beside_us                    of one call
 *   traffic_alone_GBps traffic_beside_GBps   bytes that communication read and wrote
 *
 * The model: what the SMs and the bandwidth that communication takes leave over is the NPU's share
 * (npu.h), so that a call is slower in proportion.
 */
#ifndef KERNELS_H
#define KERNELS_H

#include <stdbool.h>
#include <stddef.h>

#include "npu.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct kernel {
    char set[16];
    operation o;
    double us;
} kernel;
typedef struct kernels {
    kernel *at;
    unsigned count;
} kernels;

typedef struct kernel_beside {
    char work[48];
    operation o;
    double sms;
    bool exclusive;
    double alone_us, beside_us, traffic_alone_GBps, traffic_GBps;
} kernel_beside;
typedef struct kernels_beside {
    kernel_beside *at;
    unsigned count;
} kernels_beside;

/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory.
 * To be freed in either case.  most_sms: communication has fewer. */
int kernels_read(const char *file, kernels *to);
int kernels_beside_read(const char *file, unsigned most_sms, kernels_beside *to);
void kernels_free(kernels *k);
void kernels_beside_free(kernels_beside *k);

/* gemm_efficiency, memory_efficiency and launch_us for which the mean error of the set "grid" is
 * least. */
void kernels_fit(const kernels *k, npu *n);
double kernel_us(const npu *n, const kernel *k);
/* The time of a call in parallel to communication, divided by its time alone. */
double kernel_beside_slower(const npu *n, const kernel_beside *b);

#ifdef __cplusplus
}
#endif

#endif
