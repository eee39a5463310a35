/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu.h -- how long an operation takes on what the NPU has left for it
 *
 * An operation is its counts.  Its time is a roofline: the longest of three times, of its
 * arithmetic on the SMs it has, of its reads and of its writes at the bandwidth it has.  Reads and
 * writes have that bandwidth each way, or together, as a data sheet counts it.  The launches of its
 * kernels come on top, and nothing slows them down.  The host's launches are no part of this
 * time, because the host works ahead of the NPU (graph_time.h, strategy_times.h).
 * A table of operations, or of products that were timed on such an NPU (gemm_table.h), may give the
 * time alone.  On a part of the NPU that time grows in the proportion in which the counts do.  An
 * operation without counts takes the time that is given.  Fused attention goes by a table of its
 * own (attention_table.h).
 *
 * A run keeps no floating-point progress.  An operation starts as a whole number of cycles
 * alone on the NPU, in units of 1 / NPU_RATE_ONE; in each cycle it makes a rate's worth of
 * progress, NPU_RATE_ONE alone and less where it has less.  A rate is rounded once, for an
 * operation and a share: what it makes of a duration is off by at most one part in 2^25 of a
 * full-speed cycle for each cycle, and the same in every run.
 */
#ifndef NPU_H
#define NPU_H

#include <stdbool.h>
#include <stdint.h>

#include "attention_table.h"
#include "gemm_table.h"
#include "precision.h"

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
    /* Of a GEMM, where its sizes are known: `products` alike of m x n x k, whose operands are
     * left_bytes and right_bytes each, a part of read_bytes. */
    double products, m, n, left_bytes, right_bytes;
    gemm_layout layout;
    bool fused;                /* of fused attention: a part of a kernel that keeps no scores */
    attention_shape attention; /* of that kernel */
    bool frozen;               /* of weights without a gradient */
    bool cold;                 /* of what lies in expanded memory first: the optimizer's state */
} operation;

/* How what lies in two memories is touched, see npu_memory.h. */
typedef enum npu_expansion {
    EXPANSION_PROPORTION,
    EXPANSION_TOGETHER,
    EXPANSION_HEAT
} npu_expansion;

typedef struct npu {
    unsigned sms;
    double matrix_TFLOPS, vector_TFLOPS; /* peaks, of all SMs */
    double tf32_TFLOPS;                  /* of the matrix units in TF32; 0: they have none */
    double memory_GBps;                  /* each way */
    bool memory_together;                /* of reads and writes together */
    double gemm_efficiency, convolution_efficiency, vector_efficiency, memory_efficiency;
    const gemm_table *products; /* for gemm_efficiency, where sizes are known; or NULL */
    double table_efficiency;    /* within a run, of the rates of `products`; 0: 1 */
    /* Of matrix_TFLOPS, by fused attention, whose square of scores is counted whole: what its
     * kernel was timed at, whatever bounds it.  0: its products are as others. */
    double attention_efficiency;
    const attention_table *attention; /* for attention_efficiency, by shape; or NULL */
    double vector_traffic; /* bytes that vector operations move, over those counted; 0: 1 */
    double launch_us;
    double host_us;        /* that a host takes to launch a kernel or a collective */
    double compute_scale;  /* every operation takes this many times as long */
    uint64_t buffer_bytes; /* on the chip, for the operands of a product; 0: each is read once */
    bool buffer_tiled;     /* it holds square tiles, not an operand in pieces */
    uint64_t memory_bytes; /* local; 0: as much as is needed */
    uint64_t expanded_bytes;
    double expanded_GBps;
    npu_expansion expansion;
    double hot, cold; /* bandwidth over the local memory's, of what spills (npu_memory.h); 0: 1 */
} npu;

/* A part of an NPU. */
typedef struct npu_share {
    double sms, GBps;
} npu_share;

/* Bytes that a product C (m x n) = A B reads through a buffer of `buffer` bytes, its operands being
 * left and right bytes.  Kept, the buffer holds pieces of one operand, for each of which the other
 * is read: left + ceil(left / S) right, or the other way round, whichever is less.  Tiled, it holds
 * square tiles of x by x results with S / 2 elements of 16 bits: ceil(n / x) left + ceil(m / x)
 * right. */
double npu_product_reads(double buffer, bool tiled, double m, double n, double left, double right);

/* Makes products run in a precision: at its peak, at the shares of peaks that 16 bits reach.
 * Returns false, and changes nothing, for an NPU without TF32. */
bool npu_set_precision(npu *n, precision p);
/* What of the NPU is left; never below 0. */
npu_share npu_less(npu_share from, npu_share taken);
npu_share npu_whole(const npu *n);
/* INFINITY where the share lacks what the operation needs. */
double npu_time(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* Adds the contents of its tables to an FNV-1a hash. */
uint64_t npu_tables_digest(const npu *n, uint64_t hash);
/* Microseconds of a product whose sizes are known, by a table; its launches one after the other. */
double npu_table_us(const gemm_table *t, const operation *o);
/* Share of the matrix peak that fused attention has; 0: its products are as others. */
double npu_attention(const npu *n, const operation *o);
/* What takes it longest: "arithmetic", "reads", "writes"; or "given". */
const char *npu_bound(const npu *n, const operation *o);
/* Whole cycles, rounded up; UINT64_MAX where it never ends. */
uint64_t npu_cycles(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* Progress a cycle on `share` of an operation started on `alone`: 0 to NPU_RATE_ONE. */
uint32_t npu_rate(const npu *n, double clock_MHz, const operation *o, npu_share alone,
                  npu_share share);

#endif
