/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gemm_table.h -- the time of a matrix product on one accelerator, from timed products
 *
 * A product C (m x n) = A (m x k) B (k x n) does not run at a fixed share of the peak.  Tiles are
 * padded, the last wave of tiles leaves SMs idle, and a small product does not hide the cost of a
 * kernel.  A table of shapes covers these effects.  Its file is CSV with a head (csv_file.h):
 *
 *   m n k       sizes, each from 1 to 2^24: a whole grid, each m with each n and each k; a cross;
 *               or products of whatever shapes, which are less than half of a grid
 *   time_us     of one product, alone on the accelerator, above 0
 *   start_us    optional: the part of time_us that a host took, which waited for each product; it
 *               is not used here
 *   set         optional: "grid"; rows of other sets are not in the table, such as the rows for its
 *               error (scripts/measure-gpu.py)
 *   layout      optional, of irregular tables: TN, NN or NT as BLAS names it.  Frameworks compute a
 *               forward pass by TN, an input's gradient by NN and a weight's gradient by NT
 *   out_type    optional, next to layout: "fp32" marks a weight's gradient that is added to a sum
 *               in FP32, as Megatron-LM adds it.  Others are added in 16 bits
 *   batch       optional, of irregular tables: number of equal products in one launch, such as the
 *               products of experts [1]
 *
 * Between points the logarithm of time is linear in the logarithms of m, n and k. A size below the
 * least of the grid takes as long as the least, because tiles have a size. Beyond the largest size,
 * the time is proportional to the size.
 *
 * A cross is two lines of products with n = k.  Line N has each n with one m, called M; line M has
 * each m with one n.  The rate (FLOPs a microsecond) of a product is N(sqrt(n k)) M(m) / M(M).  On
 * a line the logarithm of the rate is linear in the logarithm of the size.  A size below the least
 * takes as much time as the least.  A size beyond the largest has the rate of the largest.
 *
 * An irregular table may have a product several times. The logarithm of a product's rate is then a
 * mean over the products of its layout, either those with one product a launch or those with
 * several. If a table has weights' gradients of one kind of sum, this kind stands for both. The
 * weight of each is 1 / (d + 0.05)^4, where d is the distance of the logarithms of batch, m, n and
 * k. A size below the least takes as much time as the least. Without one of the two columns a table
 * has no such distinction: products of one launch then count as one product with all their rows.
 * The mean error for shapes that are left out of their table is 9.8 % on a B200 (432 products) and
 * 3.9 % on an A100 PCIe (183). For grouped products it is 15.5 % (60) and 7.7 % (12).
 *
 * Rules that hold for every call
 *   Ownership  Tables stay until the program ends; a file is read once.
 *   Threads    gemm_table_of() by the main thread only; gemm_table_us() by any.
 */
#ifndef GEMM_TABLE_H
#define GEMM_TABLE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gemm_table gemm_table;

/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory. */
int gemm_table_of(const char *file, const gemm_table **table);
/* Equal products of one launch. */
typedef enum gemm_layout {
    GEMM_TN,
    GEMM_NN,
    GEMM_NT,
    GEMM_NT_FP32, /* the result is added to a sum of FP32 */
    GEMM_LAYOUTS
} gemm_layout;
typedef struct gemm_launch {
    gemm_layout layout;
    double batch, m, n, k; /* above 0 */
} gemm_launch;
double gemm_table_us(const gemm_table *t, const gemm_launch *l); /* microseconds */
/* Returns the FLOPs a microsecond that products of a layout reach one after the other: the FLOPs of
 * all of them over their time, of which the long ones take most. */
double gemm_table_lasting(const gemm_table *t, gemm_layout layout);
/* The file name with which the table was requested. */
const char *gemm_table_file(const gemm_table *t);
/* Adds the table's contents to an FNV-1a hash. */
uint64_t gemm_table_digest(const gemm_table *t, uint64_t hash);

#ifdef __cplusplus
}
#endif

#endif
