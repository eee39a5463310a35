/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_graph.h -- an iteration of training under a strategy, as the graph of every NPU
 *
 *     strategy_graph_create(&model, &strategy, &placement, o, &g);
 *     ... a graph_maker whose open() calls strategy_graph_open(g, &reader) ...
 *     strategy_graph_destroy(g);
 *
 * For strategies without a pipeline, whose groups are products of whole dimensions: all NPUs then
 * do the same.  A micro-batch goes forward through all layers and backward again, layer by layer:
 *
 *   tensor parallelism   each block's all-reduce is waited for; backward, it runs beside the
 *                        weights' gradient.  With sp a gather in front of the block and a
 *                        reduce-scatter behind it; backward, the gather of kept inputs runs beside
 *                        the input's gradient
 *   expert parallelism   all-to-alls in front of the experts and behind them, waited for
 *   full, selective      the layer's forward pass again, or its scores, before its backward pass
 *   data parallelism     of each layer when its last micro-batch's gradient is there, beside the
 *                        layers in front of it.  zero1 and zero2 reduce-scatter, and gather
 *                        parameters behind the optimizer
 *
 * Left out: the few bytes of the gradients' norm, and adding micro-batches' gradients, which
 * products do as they end.
 */
#ifndef STRATEGY_GRAPH_H
#define STRATEGY_GRAPH_H

#include "graph_engine.h"
#include "model.h"
#include "placement.h"
#include "run_fields.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where an iteration's time is told apart. */
typedef enum strategy_mark {
    STRATEGY_BACKWARD_OVER,
    STRATEGY_GRADIENTS_THERE, /* of all replicas */
    STRATEGY_UPDATED,
    STRATEGY_END, /* parameters are gathered, too */
    STRATEGY_MARKS
} strategy_mark;

typedef struct strategy_graph strategy_graph;

/* The model, the strategy and the placement are looked at now, the options stay the caller's and in
 * place.  EXIT_OK; EXIT_USAGE after a message: what is not modelled; EXIT_CHECK: no memory. */
int strategy_graph_create(const training_model *m, const strategy *s, const placement *p,
                          const run_fields *o, strategy_graph **g);
void strategy_graph_destroy(strategy_graph *g); /* NULL is allowed */

int strategy_graph_open(const strategy_graph *g, graph_reader *r);
uint32_t strategy_graph_window(const strategy_graph *g);
uint64_t strategy_graph_nodes(const strategy_graph *g);
uint64_t strategy_graph_collectives(const strategy_graph *g);
/* Of a node's label. */
graph_words strategy_graph_words(const strategy_graph *g, uint32_t label);
void strategy_graph_label(const strategy_graph *g, uint32_t label, char *to, size_t room);
strategy_mark strategy_graph_mark(const strategy_graph *g, uint32_t label);

#ifdef __cplusplus
}
#endif

#endif
