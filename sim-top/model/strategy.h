/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy.h -- how a model is divided over the ranks of a cluster, as text
 *
 *     tp8.pp16.dp8.sp.zero1.full.b1.m192.v2.interleaved
 *
 *   tpN ppN dpN cpN epN   degrees of tensor, pipeline, data, context and expert parallelism [1]
 *   etpN                  an expert's MLP is divided over N ranks of tensor parallelism [1]
 *   sp                    sequence parallelism also divides what tensor parallelism leaves whole
 *   zeroN                 what replicas divide: 1 optimizer, 2 gradients, 3 parameters [0]
 *   full selective        what the backward pass recomputes [nothing]
 *   shard                 checkpoints of `full` are divided over the ranks of tensor parallelism
 *   fused                 attention keeps no scores
 *   fused-loss            the loss keeps logits of 16 bits and overwrites them with their gradient,
 *                         as Transformer Engine's does [it makes a copy in FP32]
 *   bN mN                 sequences of a micro-batch, micro-batches of a replica and iteration [1]
 *   vN                    model chunks of a pipeline stage [1]
 *   gpipe 1f1b dapple interleaved zb-h1    the schedule [1f1b; with chunks interleaved]
 *   gradN                 bytes of a gradient, 2 or 4 [2; with fp32 and tf32 4]
 *   fp32 tf32             elements have 32 bits, and products run on vector units, or on matrix
 *                         units in TF32 [16 bits, with an FP32 master copy of the parameters]
 *   loraN                 the model is frozen, and adapters of rank N next to products of attention
 *                         are trained (Hu et al. 2021) [the model is trained]
 *   splitN                parts of a product, so that tensor parallelism's collective of one part
 *                         overlaps the next part [1]
 *   all-to-all            context parallelism exchanges heads [a ring of keys and values]
 *   ends                  embedding and output layer count as a layer each, and layers are dealt as
 *                         evenly as they go: 126 are 64 chunks of 1, 2 ... 2, 1 [layers divide]
 *
 * Ranks of a cluster: tp cp dp pp. Without a placement (placement.h), tensor parallelism varies
 * fastest, then context and data, and pipeline slowest, as in Megatron-LM. A group of expert
 * parallelism is a block of neighbours in this order, as in Megatron-Core. So dp8.ep4 has two
 * groups of four ranks. In tp4.dp4.ep8 each of two groups has all ranks of tp and two of dp. etpN
 * first divides neighbours of tensor parallelism.
 */
#ifndef STRATEGY_H
#define STRATEGY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model.h"
#include "pipeline.h"
#include "precision.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STRATEGY_TEXT = 192, STRATEGY_MOST = 65536, STAGES_MOST = 1024, SPLIT_MOST = 64 };

typedef enum recomputation { RECOMPUTE_NOTHING, RECOMPUTE_SELECTIVE, RECOMPUTE_FULL } recomputation;
extern const char *const recomputation_names[];

/* Kinds of parallelism, in the order in which ranks vary. */
typedef enum axis { AXIS_TP, AXIS_CP, AXIS_DP, AXIS_PP, AXES } axis;
extern const char *const axis_names[AXES + 1];

typedef struct strategy {
    uint64_t degree[AXES];  /* t, c, d, p */
    uint64_t experts;       /* e */
    uint64_t expert_tensor; /* x: ranks that an expert is divided over */
    uint64_t micro_batch;   /* b: sequences */
    uint64_t micro_batches; /* m */
    uint64_t chunks;        /* v */
    uint64_t zero;
    uint64_t gradient_bytes;
    uint64_t lora;  /* r: rank of the adapters; 0: the model is trained */
    uint64_t split; /* j: parts of products and collectives */
    bool sequence, fused, fused_loss, sharded, exchange, ends;
    recomputation recompute;
    precision precision;
    pipeline_kind schedule;
    /* Layers of each chunk, in the order of virtual stages. stages_given 0: an even division. */
    uint32_t stage_layers[STAGES_MOST];
    unsigned stages_given;
    bool fractional; /* heads and widths that do not divide evenly are cut into fractions */
} strategy;

/* Describes why a call returned false: the column (from 1), what was found and what was
 * expected. */
typedef struct strategy_fault {
    size_t column;
    char found[96], expected[160];
} strategy_fault;
bool strategy_parse(const char *text, strategy *s, strategy_fault *why);
/* Prints "acesim COMMAND: WHAT: found ..., expected ...", with the column if there is one. Returns
 * EXIT_USAGE. */
int strategy_refuse(const char *command, const char *what, const strategy_fault *why);
/* Reads the layers of each virtual stage, such as "7,9,9,9". */
bool strategy_parse_layers(const char *text, strategy *s);
/* Returns the text of a strategy, without parts that have their default. */
const char *strategy_print(const strategy *s, char to[STRATEGY_TEXT]);

uint64_t strategy_ranks(const strategy *s);
double strategy_element_bytes(const strategy *s); /* of parameters and activations: 2 or 4 */
double strategy_sequences(const strategy *s);     /* B: of an iteration */
/* Returns the key-value heads that all ranks of tensor parallelism hold together. Each rank holds
 * at least one. */
uint64_t strategy_kv_heads(const strategy *s, const training_model *m);
/* Returns how many ranks along an axis a group of expert parallelism has. A group is a block of
 * neighbours along each axis; along tensor parallelism they are `expert_tensor` apart. */
uint64_t strategy_expert_part(const strategy *s, axis a);
/* Returns the parameters that a rank has of a layer's experts. */
double strategy_expert_parameters(const strategy *s, const layer_parameters *l);
/* Return the number of ranks that hold the same shard: N of dense parameters, and of experts. */
double strategy_replicas(const strategy *s);
double strategy_expert_replicas(const strategy *s);

/* Returns whether the model can be divided that way. If not, sets *why, without a column. */
bool strategy_fits(const strategy *s, const training_model *m, strategy_fault *why);
/* Return the first layer, and the number of layers, of virtual stage x = chunk * p + stage. */
uint64_t strategy_first_layer(const strategy *s, const training_model *m, uint64_t x);
uint64_t strategy_layers(const strategy *s, const training_model *m, uint64_t x);

/* The parameters that a rank of a stage has. */
typedef struct stage_parameters {
    double layers;   /* number of layers */
    double dense;    /* of layers, without their experts */
    double experts;  /* of the experts that the rank holds */
    double ends;     /* of embedding, output layer, and the copy of a tied embedding */
    double largest;  /* of the largest layer, with its experts */
    double adapters; /* of layers, in addition to `dense` */
} stage_parameters;
/* Adapters of a layer on a rank. Tensor parallelism divides the second matrix of the adapter of
 * queries, keys and values, and the first matrix of the projection's adapter. */
double strategy_adapters(const strategy *s, const training_model *m, model_layer l);
stage_parameters strategy_stage(const strategy *s, const training_model *m, uint64_t stage);

#ifdef __cplusplus
}
#endif

#endif
