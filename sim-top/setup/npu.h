/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu.h -- how long an operation takes on what the NPU has left for it
 *
 * An operation is its counts.  Its time is a roofline: the longest of its arithmetic on the
 * SMs it has, its reads and its writes at the bandwidth it has (reads and writes go apart, each
 * way at that bandwidth), and on top the launches of its kernels, which nothing slows down.
 * Where its time alone is given, by a table, it is that much, and longer on a part of the NPU in
 * the proportion in which its counts are; an operation without counts takes what is given.
 *
 * A run keeps no floating-point progress.  An operation starts as a whole number of cycles
 * alone on the NPU, in units of 1 / NPU_RATE_ONE; in each cycle it makes a rate's worth of
 * progress, NPU_RATE_ONE alone and less where it has less.  A rate is rounded once, for an
 * operation and a share: what it makes of a duration is off by at most one part in 2^25 of a
 * full-speed cycle for each cycle, and the same in every run.
 */
#ifndef NPU_H
#define NPU_H

#include <stdint.h>

enum { NPU_RATE_ONE = 1 << 24 };
#define NPU_MOST_CYCLES (UINT64_C(1) << 38) /* of one operation; progress fits in 64 bits */

typedef enum operation_class {
    OPERATION_GEMM,
    OPERATION_CONVOLUTION,
    OPERATION_VECTOR, /* not of matrices: element-wise, reductions, lookups */
    OPERATION_TIME    /* its cycles are given, and no counts */
} operation_class;

typedef struct operation {
    const char *what; /* "gemm", "batch norm backward", ... */
    operation_class class_;
    uint64_t flops; /* a multiplication and an addition are two */
    uint64_t read_bytes, written_bytes;
    uint64_t launches; /* of kernels */
    uint64_t cycles;   /* alone on a whole NPU, where given; 0: by its counts */
} operation;

typedef struct npu {
    unsigned sms;
    double matrix_TFLOPS, vector_TFLOPS; /* peaks, of all SMs */
    double memory_GBps;                  /* each way */
    double gemm_efficiency, convolution_efficiency, vector_efficiency, memory_efficiency;
    double launch_us;
    double compute_scale; /* every operation takes this many times as long */
} npu;

/* A part of an NPU. */
typedef struct npu_share {
    double sms, GBps;
} npu_share;

/* What of the NPU is left; never below 0. */
npu_share npu_less(npu_share from, npu_share taken);
npu_share npu_whole(const npu *n);
/* INFINITY where the share lacks what the operation needs. */
double npu_time(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* What takes it longest: "arithmetic", "reads", "writes"; or "given". */
const char *npu_bound(const npu *n, const operation *o);
/* Whole cycles, rounded up; UINT64_MAX where it never ends. */
uint64_t npu_cycles(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* Progress a cycle on `share` of an operation started on `alone`: 0 to NPU_RATE_ONE. */
uint32_t npu_rate(const npu *n, double clock_MHz, const operation *o, npu_share alone,
                  npu_share share);

#endif
