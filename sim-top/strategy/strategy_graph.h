/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_graph.h -- the plan of an iteration (strategy_plan.h) as one graph for each NPU
 *
 *     strategy_graph_create(&plan, &placement, &options, &config, &g);
 *     ... a graph_source whose open() calls strategy_graph_open(g, npu, &reader) ...
 *     strategy_graph_destroy(g);
 *
 * Groups that are products of whole dimensions use the rings of the endpoint. All other groups use
 * messages. If a plan has messages, all-to-alls use messages, too, because an exchange stalls all
 * later commands (docs/design/groups.md). NPUs that differ only along whole dimensions do the same,
 * so one NPU may represent them. This also holds along a part of a dimension after which all groups
 * repeat.
 */
#ifndef STRATEGY_GRAPH_H
#define STRATEGY_GRAPH_H

#include "graph_engine.h"
#include "graph_messages.h"
#include "machine.h"
#include "placement.h"
#include "strategy_plan.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct strategy_graph strategy_graph;

/* Returns EXIT_OK, or EXIT_USAGE after a message if the model has a feature that is not
 * modelled. */
int strategy_graph_check(const training_model *m);

/* cfg: the configuration that all nodes share; NULL: nothing is run, and messages are not matched.
 * The caller owns plan, placement and options, and keeps them at their addresses. Returns EXIT_OK,
 * or another status after a message. */
int strategy_graph_create(const strategy_plan *plan, const placement *p, const machine *of,
                          const ace_config *cfg, strategy_graph **g);
void strategy_graph_destroy(strategy_graph *g); /* NULL is allowed */

/* Sets the distance at which work repeats along each dimension (fabric_work.period). groups: a bit
 * for each group that works. stages: stages differ in their work. */
void strategy_graph_period(const strategy_graph *g, unsigned groups, bool stages,
                           uint16_t period[ACE_CLUSTER_DIMENSIONS]);
bool strategy_graph_along(const strategy_graph *g, plan_group w,
                          axis a); /* members differ along it */
bool strategy_graph_by_messages(const strategy_graph *g, plan_group w);
const graph_messages *strategy_graph_messages(const strategy_graph *g); /* NULL: there are none */
int strategy_graph_open(const strategy_graph *g, unsigned npu, graph_reader *r);
uint32_t strategy_graph_window(const strategy_graph *g);
uint32_t strategy_graph_stage(const strategy_graph *g, unsigned npu);
/* The first NPU of a stage, and the NPU from which an NPU receives a message. */
unsigned strategy_graph_npu(const strategy_graph *g, uint32_t stage);
unsigned strategy_graph_from(const strategy_graph *g, unsigned npu, const plan_node *n);
/* Returns the index of a label's node in its stage, and sets the stage. */
uint32_t strategy_graph_node(const strategy_graph *g, uint32_t label, uint32_t *stage);
graph_names strategy_graph_names(const strategy_graph *g, uint32_t label);
void strategy_graph_label(const strategy_graph *g, uint32_t label, char *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
