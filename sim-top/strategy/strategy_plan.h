/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_plan.h -- an iteration of training under a strategy: what the ranks of each stage do
 *
 *     strategy_plan_make(&model, &strategy, &pipeline, bucket, &p);
 *     ... p->stage[r].node[i], whose parents have lower numbers ...
 *     strategy_plan_free(p);
 *
 * All ranks of a stage do the same.  A stage works through its list of the pipeline: an entry is a
 * pass of a micro-batch through a chunk's layers, layer by layer, and the next one begins when it
 * is over.  What is computed is one chain; what is communicated stands in it or beside it:
 *
 *   tensor parallelism   each block's all-reduce is waited for; backward, it runs beside the
 *                        weights' gradient.  With sp a gather in front of the block and a
 *                        reduce-scatter behind it; backward, the gather of kept inputs runs beside
 *                        the input's gradient
 *                        With splitN the products at the block's ends are of a part of the tokens
 *                        each, and a part's collective runs beside the next part's product: of a
 *                        product of G and a collective of C max(G, C) + min(G, C) / N are seen
 *   context parallelism  a ring: while scores with a block of keys are computed, the next block
 *                        comes. Or all-to-alls of heads around them, waited for
 *   expert parallelism   all-to-alls in front of the experts and behind them, waited for. Ranks
 *                        that an expert is divided over gather tokens between these, and sum
 *   full, selective      the layer's forward pass again, or its scores, before its backward pass
 *   pipeline             what an entry makes is sent when it is over, which the stage does not wait
 *                        for; an entry begins when its input has come
 *   data parallelism     buckets of layers, when the gradients of their last micro-batch are there,
 *                        beside the layers in front of them.  zero1 and zero2 reduce-scatter, and
 *                        gather parameters behind the optimizer.  zero3 gathers a layer's
 *                        parameters while the layer before is computed, and reduce-scatters in
 *                        every micro-batch
 *   tied embedding       its gradients on the first and the last stage are summed
 *
 * Left out: the few bytes of the gradients' norm, and adding micro-batches' gradients, which
 * products do as they end.
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

/* Of whom a node of communication is. */
typedef enum plan_group {
    GROUP_TENSOR,
    GROUP_CONTEXT,
    GROUP_EXPERTS,
    GROUP_DATA, /* ranks that hold the same shard: of data and context parallelism */
    GROUP_EXPERT_DATA,
    GROUP_EXPERT_TENSOR,
    GROUP_TIED, /* a rank of the first stage and its like of the last */
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
    uint32_t message;           /* of a send and its receive: the same, apart from others */
    uint8_t kind;               /* graph_kind */
    uint8_t block, mode, group;
    uint8_t collective; /* ace_kind */
    bool gradient;      /* elements of the gradients' size */
} plan_node;

/* An entry of the stage's list: its nodes; the last of them end it. */
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

/* bucket: bytes of gradients that are reduced together, at least; 0: each layer's.  The pipeline's
 * lists are of the strategy's stages, chunks and micro-batches, and do not wait for one another for
 * ever. EXIT_OK; EXIT_USAGE or EXIT_CHECK after a message: too many nodes, no memory. */
int strategy_plan_make(const training_model *m, const strategy *s, const pipeline *p,
                       uint64_t bucket, strategy_plan **to);
/* Each layer's gradients for themselves; *to is NULL, without a message, where there are too many
 * nodes. */
int strategy_plan_try(const training_model *m, const strategy *s, const pipeline *p,
                      strategy_plan **to);
void strategy_plan_free(strategy_plan *p); /* NULL is allowed */
/* The stage from which a message comes, of a node that receives it on stage r. */
uint32_t strategy_plan_from(const strategy_plan *p, uint32_t r, const plan_node *n);
double plan_members(const strategy_plan *p, plan_group g); /* ranks of a group */

#ifdef __cplusplus
}
#endif

#endif
