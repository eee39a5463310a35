/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_work.h -- the operations of a rank: a layer's blocks, the embedding and the output layer
 *
 *     strategy_work w;
 *     if (strategy_work_make(&model, &strategy, &w)) ... w.operation[strategy_work_of(...).first]
 *     strategy_work_free(&w);
 *
 * Half of a vector operation's bytes are read, half written.
 */
#ifndef STRATEGY_WORK_H
#define STRATEGY_WORK_H

#include "model.h"
#include "npu.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum work_block {
    BLOCK_ATTENTION,
    BLOCK_MLP,     /* with experts: their router */
    BLOCK_EXPERTS, /* includes the experts that all tokens share */
    BLOCK_OUTPUT,  /* the output layer */
    /* The parts of attention with context parallelism, and of attention and MLP with split
     * products. Split products have their share of the tokens, except for BLOCK_CORE. */
    BLOCK_QUERIES,    /* queries, keys and values; norm and residual */
    BLOCK_CORE,       /* a share of scores and context: with one block of keys of c */
    BLOCK_PROJECTION, /* of the output */
    BLOCK_UP,         /* with the activation, norm and residual */
    BLOCK_DOWN,
    BLOCK_EMBEDDING, /* the gradient of its table */
    BLOCKS
} work_block;
extern const char *const work_block_names[BLOCKS];

typedef enum work_mode {
    MODE_FORWARD,
    MODE_AGAIN,  /* the forward pass, recomputed: the same operations */
    MODE_INPUT,  /* the input's gradient */
    MODE_WEIGHT, /* the weights' gradient */
    MODES
} work_mode;
extern const char *const work_mode_names[MODES];

/* Layers without and with experts, and those of a hybrid: attention, MLP, Mamba-2, of which each
 * has BLOCK_ATTENTION or BLOCK_MLP. */
enum { LAYER_KINDS_OF_WORK = 5 };

/* A range of consecutive operations. */
typedef struct work_range {
    uint32_t first, count;
} work_range;

typedef struct strategy_work {
    operation *operation;
    uint32_t count, room;
    work_range block[LAYER_KINDS_OF_WORK][BLOCKS][MODES]; /* see strategy_work_of() */
    work_range scores;                                    /* computed again with `selective` */
    work_range *update;                                   /* the optimizer's, of each stage */
    double element;                                       /* bytes of one */
    bool fused;       /* one kernel computes scores and context */
    gemm_layout sums; /* of weights' gradients */
    bool failed;      /* no memory */
} strategy_work;

/* Returns false when there is no memory. The caller calls strategy_work_free() in either case. */
bool strategy_work_make(const training_model *m, const strategy *s, strategy_work *w);
void strategy_work_free(strategy_work *w);
work_range strategy_work_of(const strategy_work *w, const training_model *m, uint64_t layer,
                            work_block b, work_mode how);

#ifdef __cplusplus
}
#endif

#endif
