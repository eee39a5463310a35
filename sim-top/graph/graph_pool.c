/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_pool.c -- serves the transfers of shared memory between two windows
 *
 * A request sets its node's rate to 0, so the node makes no progress. Serving sorts all requests by
 * cycle, NPU and id, computes when each one ends, and wakes the NPU for that cycle. The fabric's
 * windows are limited to the shortest transfer.
 */
#include "graph_pool.h"

#include <inttypes.h>
#include <stdlib.h>

#include "exit_status.h"
#include "message.h"

/* A requested transfer. */
typedef struct request {
    uint64_t began, id;
    unsigned npu; /* a representative */
    uint32_t index;
} request;

int graph_pool_open(graph_engine *e) {
    const graph_pool *pool = &e->source.pool;
    const unsigned servers = pool->npus ? (e->representatives + pool->npus - 1) / pool->npus : 0;

    if (!servers) return EXIT_OK;
    e->servers = servers;
    e->server_free = calloc(servers, sizeof *e->server_free);
    if (!e->server_free) return message_no_memory();
    fabric_limit_window(e->f, pool->shortest);
    return EXIT_OK;
}

void graph_pool_close(graph_engine *e) { free(e->server_free); }

bool graph_pool_waits(const graph_window_entry *p) {
    return p->node.shared && !p->progress.rate[0];
}

bool graph_pool_request(npu_run *n, uint32_t index) {
    void *requested = n->requested;
    graph_progress *p = &n->window.at[index].progress;

    if (!graph_room_for(&requested, n->requests, &n->request_room, sizeof *n->requested))
        return false;
    n->requested = requested;
    n->requested[n->requests++] = index;
    for (unsigned i = 0; i < GRAPH_SHARES; i++) p->rate[i] = 0;
    return true;
}

/* ---- serving ------------------------------------------------------------------------------ */

static int in_order(const void *a, const void *b) {
    const request *x = a, *y = b;

    if (x->began != y->began) return x->began < y->began ? -1 : 1;
    if (x->npu != y->npu) return x->npu < y->npu ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

/* Returns all requests, in the order of their cycles; NULL when there are none, or no memory. */
static request *gather(graph_engine *e, unsigned *count) {
    request *all;

    *count = 0;
    for (unsigned i = 0; i < e->representatives; i++) *count += e->npu[i].requests;
    if (!*count) return NULL;
    all = malloc(*count * sizeof *all);
    if (!all) {
        for (unsigned i = 0; i < e->representatives; i++)
            if (e->npu[i].requests) (void)graph_no_memory(&e->npu[i]);
        return NULL;
    }
    *count = 0;
    for (unsigned i = 0; i < e->representatives; i++)
        for (unsigned k = 0; k < e->npu[i].requests; k++) {
            const graph_window_entry *p = &e->npu[i].window.at[e->npu[i].requested[k]];

            all[(*count)++] = (request){ p->progress.began, p->node.id, i, e->npu[i].requested[k] };
        }
    qsort(all, *count, sizeof *all, in_order);
    return all;
}

static void serve_until(graph_engine *e, const request *r, uint64_t end) {
    npu_run *const n = &e->npu[r->npu];
    graph_progress *const p = &n->window.at[r->index].progress;
    unsigned k = 0;

    p->left = (end - n->account.now) * NPU_RATE_ONE;
    for (unsigned i = 0; i < GRAPH_SHARES; i++) p->rate[i] = NPU_RATE_ONE;
    while (n->requested[k] != r->index) k++;
    n->requested[k] = n->requested[--n->requests];
    fabric_wake(e->f, r->npu, end);
}

static uint64_t cycles_of(const graph_engine *e, const request *r) {
    return e->npu[r->npu].window.at[r->index].progress.left / NPU_RATE_ONE;
}

static void one_by_one(graph_engine *e, const request *all, unsigned count) {
    for (unsigned i = 0; i < count; i++) {
        uint64_t *const free =
            &e->server_free[fabric_first_node(e->f, all[i].npu) / e->source.pool.npus];

        *free = (*free > all[i].began ? *free : all[i].began) + cycles_of(e, &all[i]);
        serve_until(e, &all[i], *free);
    }
}

/* Serves the oldest requests of all NPUs together, while each NPU has one. */
static void together(graph_engine *e, request *all, unsigned count) {
    for (;;) {
        uint64_t begin = e->server_free[0], cycles = 0;
        unsigned waiting = 0;

        for (unsigned i = 0; i < e->representatives; i++) waiting += e->npu[i].requests != 0;
        if (waiting < e->representatives) return;
        for (unsigned npu = 0; npu < e->representatives; npu++) {
            unsigned i = 0;

            while (all[i].npu != npu || all[i].index == GRAPH_NONE) i++;
            if (all[i].began > begin) begin = all[i].began;
            if (cycles_of(e, &all[i]) > cycles) cycles = cycles_of(e, &all[i]);
        }
        e->server_free[0] = begin + cycles;
        for (unsigned npu = 0; npu < e->representatives; npu++) {
            unsigned i = 0;

            while (i < count && (all[i].npu != npu || all[i].index == GRAPH_NONE)) i++;
            serve_until(e, &all[i], begin + cycles);
            all[i].index = GRAPH_NONE;
        }
    }
}

void graph_pool_serve(graph_engine *e) {
    unsigned count;
    request *all = e->servers ? gather(e, &count) : NULL;

    if (!all) return;
    if (e->source.pool.together)
        together(e, all, count);
    else
        one_by_one(e, all, count);
    free(all);
}

bool graph_pool_print(const graph_engine *e, const npu_run *n, FILE *to) {
    const graph_node *node;

    if (!n->requests) return false;
    node = &n->window.at[n->requested[0]].node;
    for (unsigned i = 0; i < e->representatives; i++) {
        if (e->npu[i].requests) continue;
        fprintf(to,
                "-- %s: node %" PRIu64
                ", NPU %u, waits for a transfer of all, which NPU %u has not "
                "begun\n",
                n->window.reader.name, node->id, n->window.npu, e->npu[i].window.npu);
        return true;
    }
    return false;
}

void graph_pool_state(graph_engine *e, ace_state *s) {
    if (e->servers) ace_state_bytes(s, e->server_free, e->servers * sizeof *e->server_free);
}
