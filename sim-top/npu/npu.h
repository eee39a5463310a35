/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu.h -- the time of an operation on a share of the NPU
 *
 * An operation is a set of counts.  Its time is a roofline: the longest of the times of its
 * arithmetic on the share's SMs, its reads and its writes at the share's bandwidth.  Reads and
 * writes have that bandwidth each, or together, as a data sheet counts it.  The launches of its
 * kernels are added, and nothing slows them down.  The host's launches are not part of this
 * time, because the host works ahead of the NPU (graph_time.h, strategy_times.h).
 *
 * A table of operations, or of timed products (gemm_table.h), may give the time on the whole NPU.
 * On a share of the NPU that time grows like the roofline.  Fused attention has a table of its own
 * (attention_table.h).  An operation without counts takes the given time.
 *
 * A run keeps no floating-point progress. An operation starts with its whole number of cycles alone
 * on the NPU, in units of 1 / NPU_RATE_ONE. Each cycle subtracts a rate: NPU_RATE_ONE on the whole
 * NPU, and less on a share. A rate is rounded once, for an operation and a share. So each cycle has
 * an error of at most one part in 2^25 of a full-speed cycle, the same in every run.
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
    /* A GEMM with known sizes: `products` equal products of m x n x k. Each reads operands of
     * left_bytes and right_bytes, which are part of read_bytes. */
    double products, m, n, left_bytes, right_bytes;
    gemm_layout layout;
    bool fused;                /* of fused attention: a part of a kernel that keeps no scores */
    attention_shape attention; /* of that kernel */
    bool frozen;               /* of weights without a gradient */
    bool cold;                 /* uses the optimizer's state, which is expanded first */
} operation;

/* The use of local and expanded memory, see npu_memory.h. */
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
    /* The share of matrix_TFLOPS at which a kernel of fused attention was timed, whatever bounds
     * it. Its whole square of scores is counted. 0: its products are like others. */
    double attention_efficiency;
    const attention_table *attention; /* for attention_efficiency, by shape; or NULL */
    double vector_traffic; /* bytes that vector operations move, over those counted; 0: 1 */
    double launch_us;
    double host_us;        /* that a host takes to launch a kernel; a collective: half of it */
    double compute_scale;  /* every operation takes this many times as long */
    uint64_t buffer_bytes; /* on the chip, for the operands of a product; 0: each is read once */
    bool buffer_tiled;     /* it has square tiles, not an operand in segments */
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
/* Returns the remaining share of the NPU; no member is below 0. */
npu_share npu_less(npu_share from, npu_share taken);
npu_share npu_whole(const npu *n);
/* Returns INFINITY if the share lacks SMs or bandwidth that the operation needs. */
double npu_time(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* Adds the contents of its tables to an FNV-1a hash. */
uint64_t npu_tables_digest(const npu *n, uint64_t hash);
/* Microseconds of a product whose sizes are known, by a table; its launches one after the other. */
double npu_table_us(const gemm_table *t, const operation *o);
/* The same in a run, where products follow one another and power limits the clock: no faster than
 * the rate that lasts (gemm_table_lasting()). */
double npu_table_run_us(const gemm_table *t, const operation *o);
/* Share of the matrix peak that fused attention has; 0: its products are as others. */
double npu_attention(const npu *n, const operation *o);
/* Returns what limits the operation: "arithmetic", "reads" or "writes"; or "given". */
const char *npu_bound(const npu *n, const operation *o);
/* The host's time for a collective over its time for a kernel. NCCL's smallest all-reduce takes
 * 35 us on eight A100 (SuperBench 700d6501), mostly its launch. A kernel of a model takes 72 us
 * there, with the framework's work before it. */
#define NPU_COLLECTIVE_LAUNCH 0.5
/* Whole cycles in a run, rounded up; UINT64_MAX where it never ends. */
uint64_t npu_cycles(const npu *n, double clock_MHz, const operation *o, npu_share share);
/* Progress a cycle on `share` of an operation started on `alone`: 0 to NPU_RATE_ONE. */
uint32_t npu_rate(const npu *n, double clock_MHz, const operation *o, npu_share alone,
                  npu_share share);

#endif
