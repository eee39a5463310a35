/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu.c -- the roofline of an operation on a share of the NPU
 *
 * A time from a table is scaled by the ratio of the roofline on the share to the roofline on the
 * whole NPU. A rate is the time alone over the present time, as an integer, so progress needs no
 * floating point.
 */
#include "npu.h"

#include <math.h>

#include "gemm_table.h"

static double or_one(double factor) { return factor > 0 ? factor : 1; }

bool npu_set_precision(npu *n, precision p) {
    const double peak = p == PRECISION_16     ? n->matrix_TFLOPS
                        : p == PRECISION_TF32 ? n->tf32_TFLOPS
                                              : n->vector_TFLOPS;

    if (!(peak > 0)) return false;
    n->table_efficiency = or_one(n->table_efficiency) * peak / n->matrix_TFLOPS;
    n->matrix_TFLOPS = peak;
    return true;
}

npu_share npu_less(npu_share from, npu_share taken) {
    return (npu_share){ fmax(from.sms - taken.sms, 0), fmax(from.GBps - taken.GBps, 0) };
}

npu_share npu_whole(const npu *n) { return (npu_share){ n->sms, n->memory_GBps }; }

static double over(double work, double rate) { return work > 0 ? work / rate : 0; }

double npu_product_reads(double buffer, bool tiled, double m, double n, double left, double right) {
    if (tiled) {
        const double x = fmax(floor(sqrt(buffer / 2)), 1);

        return ceil(n / x) * left + ceil(m / x) * right;
    }
    return fmin(left + ceil(left / buffer) * right, right + ceil(right / buffer) * left);
}

static double reads(const npu *n, const operation *o) {
    if (!n->buffer_bytes || !(o->products > 0)) return (double)o->read_bytes;
    return o->products * npu_product_reads((double)n->buffer_bytes, n->buffer_tiled, o->m, o->n,
                                           o->left_bytes, o->right_bytes);
}

double npu_attention(const npu *n, const operation *o) {
    if (!o->fused) return 0;
    return n->attention && o->attention.heads > 0
               ? attention_table_share(n->attention, &o->attention)
               : n->attention_efficiency;
}

static bool as_attention(const npu *n, const operation *o) {
    return o->fused && (n->attention || n->attention_efficiency > 0);
}

/* Microseconds of its arithmetic, its reads and its writes. */
static void parts(const npu *n, const operation *o, npu_share share, double us[3]) {
    const double left = or_one(o->cold ? n->cold : n->hot);
    const double part = share.sms / n->sms;
    const double bytes_a_us = share.GBps * 1e3 * n->memory_efficiency * left;
    const double TFLOPS = as_attention(n, o)            ? n->matrix_TFLOPS * npu_attention(n, o)
                          : o->class_ == OPERATION_GEMM ? n->matrix_TFLOPS * n->gemm_efficiency
                          : o->class_ == OPERATION_CONVOLUTION
                              ? n->matrix_TFLOPS * n->convolution_efficiency
                              : n->vector_TFLOPS * n->vector_efficiency;

    const double times = as_attention(n, o)              ? 0
                         : o->class_ == OPERATION_VECTOR ? or_one(n->vector_traffic)
                                                         : 1;

    us[0] = over((double)o->flops, part * TFLOPS * 1e6);
    us[1] = over(times * reads(n, o), bytes_a_us);
    us[2] = over(times * (double)o->written_bytes, bytes_a_us);
    if (!n->memory_together) return;
    if (us[1] >= us[2])
        us[1] += us[2];
    else
        us[2] += us[1];
}

static double roofline_us(const npu *n, const operation *o, npu_share share) {
    double us[3];

    parts(n, o, share, us);
    return fmax(us[0], fmax(us[1], us[2])) + (double)o->launches * n->launch_us;
}

double npu_table_us(const gemm_table *t, const operation *o) {
    const double launches = fmin(fmax((double)o->launches, 1), o->products);
    const gemm_launch l = { .layout = o->layout,
                            .batch = o->products / launches,
                            .m = o->m,
                            .n = o->n,
                            .k = (double)o->flops / (2 * o->products * o->m * o->n) };

    return launches * gemm_table_us(t, &l);
}

double npu_table_run_us(const gemm_table *t, const operation *o) {
    const double us = npu_table_us(t, o);
    const double lasting = (double)o->flops / gemm_table_lasting(t, o->layout);

    return lasting > us * (1 + 1e-9) ? lasting : us; /* a time of the table stays as it is */
}

/* Returns the time on the whole NPU, by its table. */
static double timed_us(const npu *n, const operation *o) {
    return npu_table_us(n->products, o) / or_one(n->table_efficiency) +
           (double)o->launches * n->launch_us;
}

uint64_t npu_tables_digest(const npu *n, uint64_t hash) {
    if (n->products) hash = gemm_table_digest(n->products, hash);
    return n->attention ? attention_table_digest(n->attention, hash) : hash;
}

/* Returns whether the table has the time of an operation. */
static bool is_timed(const npu *n, const operation *o) {
    return n->products && o->class_ == OPERATION_GEMM && o->products > 0 && !as_attention(n, o);
}

double npu_time(const npu *n, double clock_MHz, const operation *o, npu_share share) {
    const bool timed = is_timed(n, o);
    double cycles = (double)o->cycles;

    if (o->class_ != OPERATION_TIME) {
        const double us = roofline_us(n, o, share);

        if (timed && !o->cycles) cycles = timed_us(n, o) * clock_MHz;
        if (timed || o->cycles)
            cycles *= us / roofline_us(n, o, npu_whole(n));
        else
            cycles = us * clock_MHz;
    }
    return cycles * n->compute_scale;
}

const char *npu_bound(const npu *n, const operation *o) {
    double us[3];

    if (o->class_ == OPERATION_TIME) return "given";
    parts(n, o, npu_whole(n), us);
    return us[0] >= fmax(us[1], us[2]) ? "arithmetic" : us[1] >= us[2] ? "reads" : "writes";
}

uint64_t npu_cycles(const npu *n, double clock_MHz, const operation *o, npu_share share) {
    const bool lasting = is_timed(n, o) && !o->cycles;
    const double longer =
        lasting ? npu_table_run_us(n->products, o) / npu_table_us(n->products, o) : 1;
    const double cycles = ceil(longer * npu_time(n, clock_MHz, o, share));

    return cycles < 0x1p63 ? (uint64_t)cycles : UINT64_MAX;
}

uint32_t npu_rate(const npu *n, double clock_MHz, const operation *o, npu_share alone,
                  npu_share share) {
    const double fastest = npu_time(n, clock_MHz, o, alone);
    const double now = npu_time(n, clock_MHz, o, share);

    return fastest < now ? (uint32_t)lround(fastest / now * NPU_RATE_ONE) : NPU_RATE_ONE;
}
