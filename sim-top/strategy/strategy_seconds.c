/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_seconds.c -- estimates the run time from rows sent or from nodes of the graph
 *
 * The time of one NPU of each stage is added up, and multiplied by the number of classes of NPUs
 * that do different things.
 */
#include "strategy_seconds.h"

static const double ROW_S = 2.2e-6, NODE_S = 60e-6;

/* Returns the rows that an NPU of a stage sends. */
static double rows_of(const strategy_plan *p, const plan_stage *s) {
    double rows = 0;

    for (uint32_t i = 0; i < s->nodes; i++) {
        const plan_node *n = &s->node[i];
        const double part = 1 - 1 / plan_members(p, (plan_group)n->group);

        if (n->kind == GRAPH_COLLECTIVE)
            rows +=
                (n->collective == ACE_ALL_REDUCE ? 2 : 1) * part * (double)n->bytes / ACE_ROW_BYTES;
        if (n->kind == GRAPH_SEND) rows += (double)n->bytes / ACE_ROW_BYTES;
    }
    return rows;
}

/* Returns the number of NPUs of a stage that do different things, because they are members of
 * groups on a part of a dimension. */
static double classes_of(const placement *at) {
    double classes = 1;

    for (axis a = 0; a < AXIS_PP; a++)
        for (unsigned i = 0; i < at->axis[a].legs; i++) {
            const placement_leg *l = &at->axis[a].leg[i];

            if (l->stride == 1 && l->extent < at->ring[l->dimension]) classes *= l->extent;
        }
    return classes;
}

double strategy_seconds(const strategy_plan *p, const placement *at, const machine *of) {
    const bool rows = of->cluster.endpoint != ENDPOINT_IDEAL && !of->calibration_file;
    double seconds = 0;

    for (uint64_t r = 0; r < p->s.degree[AXIS_PP]; r++)
        seconds += rows ? ROW_S * rows_of(p, &p->stage[r]) : NODE_S * p->stage[r].nodes;
    return classes_of(at) * seconds;
}
