/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_plan.h -- an iteration of training under a strategy: what the ranks of each stage do
 *
 *     strategy_plan_make(&model, &strategy, &pipeline, bucket, &p);
 *     ... p->stage[r].node[i], whose parents have lower numbers ...
 *     strategy_plan_free(p);
 *
 * A run, its lower bound, --composed and a prediction all read this plan. Separate models would
 * disagree about which work overlaps.
 *
 * All ranks of a stage do the same. A stage works through its list of the pipeline. An entry of the
 * list is a pass of a micro-batch through a chunk's layers, and the next entry begins when it ends.
 * Computation is one chain. Communication is part of the chain (blocking) or runs in parallel:
 *
 *   tensor parallelism   Each block's all-reduce blocks. Backward, it runs in parallel with the
 *                        weights' gradient. With sp, a gather comes before the block and a
 *                        reduce-scatter after it. Backward, the gather of stored inputs runs in
 *                        parallel with the input's gradient.
 *                        With splitN, the products at the block's ends are cut into N parts of the
 *                        tokens. A part's collective runs in parallel with the next part's product.
 *                        A product of time G and a collective of time C then take
 *                        max(G, C) + min(G, C) / N.
 *   context parallelism  A ring: while scores with a block of keys are computed, the next block
 *                        arrives. Or blocking all-to-alls of heads before and after the scores.
 *   expert parallelism   Blocking all-to-alls before and after the experts. Ranks that share a
 *                        divided expert gather tokens between these, and sum the results.
 *   full, selective      The layer's forward pass, or its scores, are computed again before its
 *                        backward pass.
 *   pipeline             The result of an entry is sent when the entry ends, without blocking. An
 *                        entry begins when its input has arrived.
 *   data parallelism     A bucket of layers is reduced when the gradients of its last micro-batch
 *                        are complete, in parallel with earlier layers. zero1 and zero2
 *                        reduce-scatter, and gather parameters after the optimizer. zero3 gathers a
 *                        layer's parameters during the previous layer, and reduce-scatters in every
 *                        micro-batch.
 *   tied embedding       Its gradients on the first and the last stage are summed.
 *
 * Not modelled: the few bytes of the gradients' norm, and adding the gradients of micro-batches,
 * which is part of the products.
 */
#ifndef STRATEGY_PLAN_H
#define STRATEGY_PLAN_H

#include <stddef.h>

#include "ace_types.h"
#include "graph.h"
#include "pipeline.h"
#include "strategy_work.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The group of a communication node. */
typedef enum plan_group {
    GROUP_TENSOR,
    GROUP_CONTEXT,
    GROUP_EXPERTS,
    GROUP_DATA, /* ranks that hold the same shard: of data and context parallelism */
    GROUP_EXPERT_DATA,
    GROUP_EXPERT_TENSOR,
    GROUP_TIED, /* a rank of the first stage and the same rank of the last */
    GROUP_PIPELINE,
    GROUPS
} plan_group;
extern const char *const plan_group_names[GROUPS];

enum { PLAN_NODES = 1 << 22 /* of all stages, at most */, PLAN_PAGE = 4096 };
#define PLAN_NONE UINT32_MAX

typedef struct plan_node {
    uint64_t bytes, source, destination; /* of communication */
    size_t parent;                       /* the first, in the stage's pool */
    uint32_t parents;
    uint32_t layer, micro_batch;
    uint32_t first, operations; /* of compute */
    uint32_t message;           /* number that a send and its receive share */
    uint8_t kind;               /* graph_kind */
    uint8_t block, mode, group;
    uint8_t collective; /* ace_kind */
    bool gradient;      /* elements have the size of gradients */
} plan_node;

/* An entry of the stage's list: the range of its nodes, and the last ones, which end it. */
typedef struct plan_entry {
    uint32_t first, past;
    uint32_t end[2]; /* PLAN_NONE: none */
} plan_entry;

typedef struct plan_stage {
    plan_node *node;
    uint32_t nodes, node_room;
    uint32_t *pool; /* parents */
    size_t pooled, pool_room;
    plan_entry *entry; /* of the pipeline's list, in its order */
    uint32_t entries;
    uint32_t collectives;
} plan_stage;

typedef struct strategy_plan {
    training_model m;
    strategy s;
    strategy_work work;
    plan_stage *stage;
    uint64_t nodes; /* of all stages */
    uint32_t messages, message_room;
    uint32_t *sender; /* of each message: the node that sends it, in its stage */
} strategy_plan;

/* bucket: the least bytes of gradients that are reduced together; 0: each layer's alone. The
 * pipeline's lists must have the strategy's stages, chunks and micro-batches, and no deadlock.
 * Returns EXIT_OK, or after a message EXIT_USAGE (too many nodes) or EXIT_CHECK (no memory). */
int strategy_plan_make(const training_model *m, const strategy *s, const pipeline *p,
                       uint64_t bucket, strategy_plan **to);
/* Like strategy_plan_make() with bucket 0. *to is NULL, without a message, if the plan has too many
 * nodes. */
int strategy_plan_try(const training_model *m, const strategy *s, const pipeline *p,
                      strategy_plan **to);
void strategy_plan_free(strategy_plan *p); /* NULL is allowed */
/* Returns the stage that sends the message of a receive on stage r. */
uint32_t strategy_plan_from(const strategy_plan *p, uint32_t r, const plan_node *n);
double plan_members(const strategy_plan *p, plan_group g); /* ranks of a group */

#ifdef __cplusplus
}
#endif

#endif
