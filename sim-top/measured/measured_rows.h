/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_rows.h -- measured iterations of training, from a CSV with a head
 *
 * Columns are found by their names, in any order. Other columns are ignored.
 *
 *   layers sequence tp dp pp       required in every row
 *   hidden heads                   of a decoder with an MLP of 4 hidden, or
 *   model                          a file of models/; `layers`, `sequence`, `dense_layers` and
 *                                  `capacity` replace its own values
 *   micro_batch                    empty: unknown; the one predicted fastest is taken
 *   global_batch or micro_batches
 *   iteration_ms                   measured
 *   gpus, row, vocabulary, cp, ep  optional: checked against tp dp pp cp; the row's name; tokens
 *   parts                          of the strategy without degrees, such as sp.fused.zero1 [full]
 *   stage_layers                   of each stage, with blanks between them
 *   products                       a table of products that were timed on such a GPU (gemm_table.h)
 *                                  [of an A100 SXM, without peak_tflops]
 *   accelerator                    the file of accelerators/ that a study predicts the row with
 *   platform                       rows of one platform are compared with one another
 *   linear_tflops                  the peak of linear layers that run in FP8 or FP4
 *   stages_first                   1: stages lie closer together than replicas [replicas do]
 *   serial                         1: no collective of tensor, context or expert
 *                                  parallelism overlaps with compute
 *   sums                           1: a kernel of its own adds each micro-batch's gradients of
 *                                  weights to their sum [the products add them]
 *   graphs                         1: no pass waits for the host, which launches graphs of kernels
 *   peak_tflops memory_gbps link_gbps nic_gbps gpus_per_node
 *                                  of the hardware [A100 SXM, 8 a node with 800 Gbit/s];
 *                                  bandwidths are of one GPU, in one direction
 */
#ifndef MEASURED_ROWS_H
#define MEASURED_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The hardware of a row, from data sheets. */
typedef struct measured_hardware {
    double peak_TFLOPS, memory_GBps;
    double link_GBps, nic_GBps;                    /* of a GPU: within a node, and between nodes */
    unsigned gpus;                                 /* of a node */
    const struct gemm_table *products;             /* that were timed on one, or NULL */
    const struct attention_table *attention_table; /* the same of fused attention */
    double products_TFLOPS;                        /* the peak of the GPU that they were timed on */
    double linear_TFLOPS;                          /* the peak of linear layers; 0: peak_TFLOPS */
    double attention; /* share of the peak of fused attention; 0: unknown, as other products */
    bool stages_first, graphs, serial, sums;
} measured_hardware;

typedef struct measured_row {
    uint64_t number; /* its `row`, or its index in the file, from 1 */
    training_model model;
    strategy strategy;
    bool any_micro_batch; /* it is unknown: strategy has b1, and the whole batch as micro-batches */
    measured_hardware on;
    double iteration_ms;
    char accelerator[48], platform[48]; /* "": not given */
    size_t line, peak_column;           /* position of its peak_tflops; column 0: it has none */
} measured_row;

typedef struct measured_rows {
    measured_row *at;
    unsigned count;
} measured_rows;

/* The vocabulary of a row that gives none: GPT-2's. It is padded to a multiple of t. */
enum { MEASURED_VOCABULARY = 50257 };

/* EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no memory. */
int measured_read(const char *file, measured_rows *r);
void measured_free(measured_rows *r);

#ifdef __cplusplus
}
#endif

#endif
