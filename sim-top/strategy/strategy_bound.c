/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_bound.c -- the longest path through a plan, with ideal times
 *
 * Stages advance round-robin. Each advances until it must receive a message that has not been sent,
 * so every node is visited once.
 */
#include "strategy_bound.h"

#include <stdlib.h>

#include "exit_status.h"
#include "graph_engine.h"
#include "message.h"

typedef struct bound {
    const strategy_plan *p;
    const machine *machine;
    const stage_memory *m;
    double **compute;    /* of each stage: cycles of the operations before each */
    double rate[GROUPS]; /* bytes a cycle */
    double **end;        /* of each stage and node */
    double *free;        /* of each stage's NPU */
    uint32_t *next;      /* of each stage: its current node */
} bound;

/* Returns the rate of an NPU's links of a dimension, in bytes a cycle. A ring has two links, and a
 * hub has at most two ports. */
static double links_rate(const machine *of, unsigned dimension) {
    return 2 * of->cluster.link_GBps[dimension] * 1e3 / of->cluster.clock_MHz;
}

static void add_axis(bound *b, const placement *at, plan_group g, axis a) {
    bool seen[ACE_CLUSTER_DIMENSIONS] = { false };

    for (unsigned i = 0; i < at->axis[a].legs; i++) {
        const unsigned d = cluster_interface(&b->machine->cluster, at->axis[a].leg[i].dimension);

        if (!seen[d]) b->rate[g] += links_rate(b->machine, d);
        seen[d] = true;
    }
}

/* A group's rings and messages use only the dimensions along which its members differ. */
static void set_rates(bound *b, const placement *at) {
    add_axis(b, at, GROUP_TENSOR, AXIS_TP);
    add_axis(b, at, GROUP_CONTEXT, AXIS_CP);
    for (axis a = 0; a < AXES; a++)
        if (strategy_expert_part(&b->p->s, a) > 1) add_axis(b, at, GROUP_EXPERTS, a);
    add_axis(b, at, GROUP_DATA, AXIS_DP);
    add_axis(b, at, GROUP_DATA, AXIS_CP);
    add_axis(b, at, GROUP_EXPERT_DATA, AXIS_DP);
    add_axis(b, at, GROUP_EXPERT_DATA, AXIS_CP);
    add_axis(b, at, GROUP_EXPERT_DATA, AXIS_TP);
    add_axis(b, at, GROUP_EXPERT_TENSOR, AXIS_TP);
    add_axis(b, at, GROUP_TIED, AXIS_PP);
    add_axis(b, at, GROUP_PIPELINE, AXIS_PP);
}

static double takes(const bound *b, uint32_t r, const plan_node *n) {
    const double part = 1 - 1 / plan_members(b->p, (plan_group)n->group);

    switch (n->kind) {
    case GRAPH_COMPUTE: return b->compute[r][n->first + n->operations] - b->compute[r][n->first];
    case GRAPH_COLLECTIVE:
        return (n->collective == ACE_ALL_REDUCE ? 2 : 1) * part * (double)n->bytes /
               b->rate[n->group];
    case GRAPH_SEND: return (double)n->bytes / b->rate[n->group];
    default: return 0;
    }
}

/* Visits a stage's next node. Returns false if that receives a message that has not been sent. */
static bool step(bound *b, uint32_t r) {
    const plan_stage *s = &b->p->stage[r];
    const plan_node *n = &s->node[b->next[r]];
    double at = 0;

    if (n->kind == GRAPH_RECEIVE) {
        const uint32_t from = strategy_plan_from(b->p, r, n), k = b->p->sender[n->message];

        if (k >= b->next[from]) return false;
        at = b->end[from][k];
    }
    for (uint32_t i = 0; i < n->parents; i++) {
        const double end = b->end[r][s->pool[n->parent + i]];

        if (end > at) at = end;
    }
    if (n->kind == GRAPH_COMPUTE && b->free[r] > at) at = b->free[r];
    b->end[r][b->next[r]++] = at + takes(b, r, n);
    if (n->kind == GRAPH_COMPUTE) b->free[r] = at + takes(b, r, n);
    return true;
}

static double longest(bound *b) {
    const uint32_t stages = (uint32_t)b->p->s.degree[AXIS_PP];
    double last = 0;

    for (bool any = true; any;) {
        any = false;
        for (uint32_t r = 0; r < stages; r++)
            while (b->next[r] < b->p->stage[r].nodes && step(b, r)) any = true;
    }
    for (uint32_t r = 0; r < stages; r++)
        for (uint32_t i = 0; i < b->next[r]; i++)
            if (b->end[r][i] > last) last = b->end[r][i];
    return last;
}

static bool make(bound *b) {
    const uint64_t stages = b->p->s.degree[AXIS_PP];
    const strategy_work *w = &b->p->work;

    b->compute = calloc(stages, sizeof *b->compute);
    b->end = calloc(stages, sizeof *b->end);
    b->free = calloc(stages, sizeof *b->free);
    b->next = calloc(stages, sizeof *b->next);
    if (!b->compute || !b->end || !b->free || !b->next) return false;
    for (uint64_t r = 0; r < stages; r++) {
        b->compute[r] = calloc((size_t)w->count + 1, sizeof **b->compute);
        b->end[r] = calloc(b->p->stage[r].nodes, sizeof **b->end);
        if (!b->compute[r] || !b->end[r]) return false;
        for (uint32_t i = 0; i < w->count; i++)
            b->compute[r][i + 1] =
                b->compute[r][i] + (double)graph_operation_cycles_on(
                                       &b->m->stage[r].npu, b->machine->cluster.clock_MHz,
                                       &w->operation[i], LANE_COMPUTE);
    }
    return true;
}

int strategy_bound(const strategy_plan *p, const placement *at, const machine *of,
                   const stage_memory *m, uint64_t *cycles) {
    bound b = { .p = p, .machine = of, .m = m };
    const bool ok = make(&b);

    set_rates(&b, at);
    if (ok) *cycles = (uint64_t)longest(&b);
    for (uint64_t r = 0; b.end && r < p->s.degree[AXIS_PP]; r++) free(b.end[r]);
    for (uint64_t r = 0; b.compute && r < p->s.degree[AXIS_PP]; r++) free(b.compute[r]);
    free(b.compute);
    free(b.end);
    free(b.free);
    free(b.next);
    return ok ? EXIT_OK : message_no_memory();
}
