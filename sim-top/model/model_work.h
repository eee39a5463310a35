/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_work.h -- what training a model computes and moves: matrix products, FLOPs, vector traffic
 *
 * A multiplication and an addition are two FLOPs. Products of scores count the full square of a
 * sequence, even if a causal mask would halve them, because published formulas count so.
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
    /* both inputs are activations: the backward pass has two input gradients and no weight
     * gradient */
    bool activations;
    bool frozen;                   /* its weights have no gradient */
    double heads, sequence, width; /* of attention that may be one kernel; see attention_table.h */
} model_gemm;
enum { LAYER_GEMMS = 24 };

double model_gemm_flops(const model_gemm *g);

/* Lists the forward products of a layer for a micro-batch on one rank. Returns their number. */
unsigned model_layer_gemms(const training_model *m, model_layer l, const strategy *s,
                           model_gemm to[LAYER_GEMMS]);
/* Returns the product of the output layer on the last stage. k is 0 if there is none. */
model_gemm model_logits_gemm(const training_model *m, const strategy *s);
/* Returns the forward FLOPs of a layer for a micro-batch on one rank. *scores becomes the part of
 * scores and context. */
double model_layer_flops(const training_model *m, model_layer l, const strategy *s, double *scores);

/* Return the FLOPs of an iteration on all ranks: those that the model requires, and those that are
 * executed, including recomputation. Frozen weights have no gradient. A DLRM recomputes nothing, so
 * both are the same. */
double model_flops(const training_model *m, const strategy *s);
double model_executed_flops(const training_model *m, const strategy *s);

/* Bytes that memory-bound operations read and write in a forward pass of a layer, for a micro-batch
 * on one rank. Each operation is one kernel. The backward pass moves
 * about twice as much. */
typedef struct vector_bytes {
    double norms, residuals, activation, softmax;
    double scan; /* of Mamba-2: the convolution, the scan and its states, the gate with its norm */
    /* Copies, whose backward pass moves as much: rotations of queries and keys with their parts put
     * together, and tokens in the order of their experts. */
    double rotations, routing;
} vector_bytes;
/* Returns whether a softmax is five kernels. Megatron-LM's fused softmax takes the heads of a
 * micro-batch on a rank in fours (FusedScaleMaskSoftmax.is_kernel_available). */
bool model_softmax_apart(const training_model *m, const strategy *s);
vector_bytes model_layer_vector_bytes(const training_model *m, model_layer l, const strategy *s);
/* Bytes that Adam with FP32 state and gradients moves for each parameter that a rank updates: 30,
 * or 28 where the parameter is its own master copy. */
double model_adam_bytes(const strategy *s);
/* Bytes that the gradient of the embedding's table moves for each of its parameters, in each
 * micro-batch: it is set to zero and added to the sum of the micro-batches. 0 with frozen weights.
 */
double model_embedding_bytes(const strategy *s);
/* Bytes that cross-entropy in FP32 moves for each logit, kernel by kernel as in Megatron-LM:
 * maximum 4, subtract 8, exponential 8, sum 4, divide 8; backward scale 8; and casts of 16 bits 6
 * each. */
enum { LOSS_BYTES = 32, LOSS_BACKWARD_BYTES = 8, LOSS_CAST_BYTES = 6 };

#ifdef __cplusplus
}
#endif

#endif
