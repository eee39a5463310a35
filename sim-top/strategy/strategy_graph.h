/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_graph.h -- the plan of an iteration (strategy_plan.h) as the graphs of the NPUs of a
 * cluster
 *
 *     strategy_graph_create(&plan, &placement, &options, &config, &g);
 *     ... a graph_source whose open() calls strategy_graph_open(g, npu, &reader) ...
 *     strategy_graph_destroy(g);
 *
 * Groups that are products of whole dimensions go on the rings of the endpoint, all others by
 * messages. Where there are messages, so do all-to-alls, since an exchange holds up all that stands
 * behind it (docs/design/groups.md).  NPUs that differ in nothing but whole dimensions do the same:
 * one of them may stand for all.  So do those that are a part of a dimension apart after which all
 * groups repeat.
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

/* What is not modelled: EXIT_OK, or EXIT_USAGE after a message. */
int strategy_graph_check(const training_model *m);

/* cfg: that all nodes share; NULL: nothing is run, and who sends what to whom is not looked at.
 * Plan, placement and options stay the caller's and in place.  EXIT_OK, or another status after a
 * message. */
int strategy_graph_create(const strategy_plan *plan, const placement *p, const machine *of,
                          const ace_config *cfg, strategy_graph **g);
void strategy_graph_destroy(strategy_graph *g); /* NULL is allowed */

/* How far apart NPUs do the same along each dimension (fabric_work.period), when the groups that
 * `groups` has a bit for work and stages do not do the same. */
void strategy_graph_period(const strategy_graph *g, unsigned groups, bool stages,
                           uint16_t period[ACE_CLUSTER_DIMENSIONS]);
bool strategy_graph_along(const strategy_graph *g, plan_group w,
                          axis a); /* members differ along it */
bool strategy_graph_by_messages(const strategy_graph *g, plan_group w);
const graph_messages *strategy_graph_messages(const strategy_graph *g); /* NULL: there are none */
int strategy_graph_open(const strategy_graph *g, unsigned npu, graph_reader *r);
uint32_t strategy_graph_window(const strategy_graph *g);
uint32_t strategy_graph_stage(const strategy_graph *g, unsigned npu);
/* The NPU of a stage that is first in all else, and that from which an NPU receives a message. */
unsigned strategy_graph_npu(const strategy_graph *g, uint32_t stage);
unsigned strategy_graph_from(const strategy_graph *g, unsigned npu, const plan_node *n);
/* The node of a label: its stage, and its number there. */
uint32_t strategy_graph_node(const strategy_graph *g, uint32_t label, uint32_t *stage);
graph_names strategy_graph_names(const strategy_graph *g, uint32_t label);
void strategy_graph_label(const strategy_graph *g, uint32_t label, char *to, size_t room);

#ifdef __cplusplus
}
#endif

#endif
