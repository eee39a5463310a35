/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operations.h -- the operations of a layer, counted from its shape
 *
 *   forward   what the layer computes
 *   weight    what comes before any gradient of a product (activation, batch norm, the steps
 *             back through time), and the gradients of the parameters
 *   input     the gradient of the layer's input: left out for the first layer
 *
 * With B samples an NPU and E bytes an element, a product C[m,n] = A[m,k] B[k,n] is a GEMM
 * (m, n, k): 2mnk flops, (mk + kn) E bytes read and mn E written.  Its gradients are (m, k, n)
 * and (k, n, m).  Each operand is read once and each result written once: caches are as good as
 * they can be.  A convolution is the GEMM (B * output pixels, filters, channels / groups *
 * kernel) without an im2col matrix in memory: input, weights and output move once each.  An
 * activation, a bias and a residual addition are part of the operation before them.
 */
#ifndef OPERATIONS_H
#define OPERATIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "npu.h"
#include "values.h"

typedef enum layer_kind {
    LAYER_CONVOLUTION,
    LAYER_LINEAR,
    LAYER_LSTM,
    LAYER_ATTENTION,
    LAYER_EMBEDDING,
    LAYER_INTERACTION,
    LAYER_BATCH_NORM,
    LAYER_POOL,
    LAYER_SOFTMAX,
    LAYER_ELEMENTWISE,
    LAYER_KINDS
} layer_kind;

/* Sizes are of one sample.  A kind looks at those that it names (workloads/README.md). */
typedef struct shape {
    layer_kind kind;
    char name[64];
    uint64_t channels, filters, groups, size[2], kernel[2], stride[2], padding; /* images */
    uint64_t inputs, outputs, rows;                                             /* linear */
    uint64_t hidden, steps, directions;                                         /* LSTM */
    uint64_t queries, keys;                                                     /* attention */
    uint64_t tables, width, lookups, uses;                                      /* embedding */
    uint64_t vectors;                                                           /* interaction */
    uint64_t reads, writes, flops;                                              /* element-wise */
    bool bias, batch_norm, activation, add, pooled, sharded;
    bool concatenate; /* interaction: the vectors side by side, no dot products */
    bool input_gradient;
} shape;

typedef enum pass { PASS_FORWARD, PASS_WEIGHT, PASS_INPUT, PASSES } pass;

enum { LAYER_OPERATIONS = 12 }; /* the most a pass of a layer has */
typedef struct counted_layer {
    uint64_t parameters;
    uint64_t exchanged; /* bytes this NPU gives to an all-to-all, each way; sharded only */
    operation at[PASSES][LAYER_OPERATIONS];
    unsigned count[PASSES];
} counted_layer;

/* Counts stop at COUNT_LIMIT: a layer that reaches it is too large. */
#define COUNT_LIMIT (UINT64_C(1) << 56)
bool operations_count(const shape *s, uint64_t samples, unsigned element_bytes, counted_layer *l);
/* NULL, or what is wrong with the shape, and in *accepted what would be right. */
const char *shape_problem(const shape *s, const char **accepted);
extern const char *const layer_kind_names[LAYER_KINDS + 1];
/* Pixels of a convolution's or a pool's output. */
uint64_t shape_output(const shape *s, unsigned axis);
/* For a person: "64 -> 256, 56x56, kernel 1x1". */
void shape_print(const shape *s, char *to, size_t room);

#endif
