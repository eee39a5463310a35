/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_work.h -- what training a model computes and moves: matrix products, FLOPs, vector traffic
 *
 * A multiplication and an addition are two FLOPs.  Products of scores count the full square of a
 * sequence, whether or not a causal mask would halve them, as published formulas do.
 */
#ifndef MODEL_WORK_H
#define MODEL_WORK_H

#include <stdbool.h>

#include "model.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* `count` products Y (m x n) = X (m x k) w (k x n). */
typedef struct model_gemm {
    const char *what;
    double count, m, n, k;
    bool activations; /* both inputs are: two input gradients, and no weight's */
} model_gemm;
enum { LAYER_GEMMS = 16 };

double model_gemm_flops(const model_gemm *g);

/* Forward products of a layer, a micro-batch and one rank; how many lines. */
unsigned model_layer_gemms(const training_model *m, model_layer l, const strategy *s,
                           model_gemm to[LAYER_GEMMS]);
/* Of the output layer, on the last stage.  k 0: there is none. */
model_gemm model_logits_gemm(const training_model *m, const strategy *s);
/* Forward FLOPs of a layer, a micro-batch and one rank; of these the ones of scores and context. */
double model_layer_flops(const training_model *m, model_layer l, const strategy *s, double *scores);

/* Of an iteration on all ranks: what the model asks for, and what is executed with what is computed
 * again.  Of a DLRM, which recomputes nothing, both are the same. */
double model_flops(const training_model *m, const strategy *s);
double model_executed_flops(const training_model *m, const strategy *s);

/* Bytes that operations bound by memory read and write in a forward pass of a layer, a micro-batch
 * and one rank, 16 bits an element, one kernel an operation; backward is about twice as much. */
typedef struct vector_bytes {
    double norms, residuals, activation, softmax;
} vector_bytes;
vector_bytes model_layer_vector_bytes(const training_model *m, model_layer l, const strategy *s);
/* Adam with FP32 state and gradients, for each parameter that a rank updates; and what adding a
 * micro-batch's gradient to an FP32 sum moves. */
enum { ADAM_BYTES = 30, ACCUMULATION_BYTES = 8 };

#ifdef __cplusplus
}
#endif

#endif
