/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_time.c -- advances an NPU's operations by whole cycles at whole rates
 *
 * Rates depend on three facts: communication is outstanding, the background computes, memory moves
 * data. Each operation has a rate for every combination. graph_time_pass() subtracts the rate times
 * the cycles from each operation, and adds the cycles to the account.
 */
#include "graph_time.h"

#include <math.h>
#include <stdlib.h>

#include "graph_pool.h"

uint64_t graph_operation_cycles_on(const npu *n, double clock_MHz, const operation *op,
                                   graph_lane lane) {
    return npu_cycles(n, clock_MHz, op,
                      lane == LANE_BACKGROUND ? GRAPH_BACKGROUND_SHARE : npu_whole(n));
}

uint64_t graph_operation_cycles(const machine *of, const operation *op, graph_lane lane) {
    return graph_operation_cycles_on(&of->cluster.npu, of->cluster.clock_MHz, op, lane);
}

uint64_t graph_paced(const npu_run *n, uint64_t cycles) {
    return (uint64_t)ceil((double)cycles / n->speed);
}

static bool computes(graph_lane lane) { return lane == LANE_COMPUTE || lane == LANE_BACKGROUND; }

static bool moves(const npu_run *n) {
    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_window_entry *p = &n->window.at[n->timed[k]];

        if (p->node.moves && p->progress.rate[0]) return true;
    }
    return false;
}

unsigned graph_share_of(const npu_run *n) {
    return (n->open ? GRAPH_WITH_COMMUNICATION : 0U) |
           (n->busy[LANE_BACKGROUND] ? GRAPH_WITH_BACKGROUND : 0U) |
           (moves(n) ? GRAPH_WITH_TRANSFER : 0U);
}

uint64_t graph_needs(uint64_t left, uint32_t rate) { return (left + rate - 1) / rate; }

bool graph_is_timed(const graph_node *n) {
    return n->kind == GRAPH_COMPUTE || n->kind == GRAPH_MEMORY;
}

uint64_t graph_launch(const graph_engine *e, npu_run *n, double launches) {
    const double us = launches * n->on->host_us;

    n->host += (uint64_t)llround(us * e->machine->cluster.clock_MHz);
    return us > 0 && n->host > n->account.now ? n->host - n->account.now : 0;
}

bool graph_operation_start(graph_engine *e, npu_run *n, graph_window_entry *p) {
    const graph_node *node = &p->node;
    const double clock_MHz = e->machine->cluster.clock_MHz;

    for (; p->progress.operation < node->operations; p->progress.operation++) {
        const operation *o =
            node->first_operation ? &node->first_operation[p->progress.operation] : &node->single;
        const uint64_t whole = graph_operation_cycles_on(n->on, clock_MHz, o, node->lane);
        const uint64_t alone = node->shared ? whole : graph_paced(n, whole);

        const uint64_t launched =
            node->lane == LANE_COMPUTE ? graph_launch(e, n, (double)o->launches) : 0;
        const uint64_t takes = alone > launched ? alone : launched;

        if (!takes) continue;
        p->progress.left = takes * NPU_RATE_ONE;
        for (unsigned i = 0; i < GRAPH_SHARES; i++)
            p->progress.rate[i] = node->lane == LANE_COMPUTE
                                      ? npu_rate(n->on, clock_MHz, o, e->full_npu, e->share[i])
                                      : NPU_RATE_ONE;
        if (node->lane == LANE_COMPUTE) {
            n->account.alone += alone;
            n->account.launching += takes - alone;
        }
        return true;
    }
    return false;
}

void graph_time_pass(npu_run *n, uint64_t to) {
    const uint64_t cycles = to - n->account.now;
    const unsigned share = graph_share_of(n);
    const bool communicates = n->open || n->posted;
    bool any = false, memory = false;

    for (unsigned k = 0; k < n->timed_count; k++) {
        graph_window_entry *p = &n->window.at[n->timed[k]];
        const uint64_t made = cycles * p->progress.rate[share];

        any = any || computes(p->node.lane);
        memory = memory || p->node.kind == GRAPH_MEMORY;
        p->progress.left -= made < p->progress.left ? made : p->progress.left;
    }
    if (n->busy[LANE_COMPUTE]) n->account.compute_lane += cycles;
    if (any) n->account.computing += cycles;
    if (communicates) n->account.communication += cycles;
    if (communicates && !any) n->account.exposed += cycles;
    if (memory && !communicates && !any) n->account.memory += cycles;
    if (n->busy[LANE_HOST] && !memory && !communicates && !any) n->account.host += cycles;
    n->account.now = to;
}

bool graph_timed_add(npu_run *n, uint32_t index) {
    const graph_lane lane = n->window.at[index].node.lane;
    unsigned k = n->timed_count;

    if (n->timed_count == n->timed_room) {
        const unsigned room = n->timed_room ? 2 * n->timed_room : 4;
        uint32_t *at = realloc(n->timed, room * sizeof *at);

        if (!at) return false;
        n->timed = at;
        n->timed_room = room;
    }
    for (; k && n->window.at[n->timed[k - 1]].node.lane > lane; k--) n->timed[k] = n->timed[k - 1];
    n->timed[k] = index;
    n->timed_count++;
    return true;
}

void graph_timed_begin(graph_engine *e, npu_run *n, uint32_t index) {
    graph_window_entry *p = &n->window.at[index];

    p->progress.operation = 0;
    p->progress.began = n->account.now;
    if (!graph_operation_start(e, n, p)) {
        graph_finish(n, index);
        return;
    }
    p->state = ENTRY_RUNNING;
    n->busy[p->node.lane]++;
    if (!graph_timed_add(n, index) || (p->node.shared && !graph_pool_request(n, index)))
        (void)graph_no_memory(n);
}
