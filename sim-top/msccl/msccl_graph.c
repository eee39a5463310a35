/* SPDX-License-Identifier: Apache-2.0 */
/*
 * msccl_graph.c -- a reader that makes graph nodes of an algorithm's steps
 *
 * A step has up to three nodes: receive, local work and send. Ids follow from the loop, the step's
 * rank and the part, so a parent's id is computed and needs no table. Creating the graph reads it
 * once for each NPU to count its messages.
 */
#include "msccl_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "digest.h"
#include "exit_status.h"
#include "message.h"

/* A step has up to three graph nodes, depending on its type. */
enum { PART_RECEIVE, PART_LOCAL, PART_SEND, PARTS };
enum { LABEL_RECEIVE, LABEL_SUM, LABEL_COPY, LABEL_SEND, LABEL_NOP };

#define MOST_MESSAGE_BYTES (UINT64_C(1) << 38)
enum { MOST_WINDOW = 1 << 16 };

struct msccl_graph {
    msccl_graph_setup s;
    uint32_t *step;  /* sorted by GPU, then in the order of steps */
    uint32_t *first; /* index of each GPU's first step in `step`; one entry more for the end */
    uint32_t *rank;  /* of each step among those of its GPU */
    uint64_t *sent;
    graph_messages *messages;
    uint64_t nodes;
    uint32_t window;
    bool alike;
};

/* Reads the nodes of one NPU. */
typedef struct npu_reader {
    const msccl_graph *g;
    char name[64];
    unsigned npu;
    uint32_t at; /* index among its steps */
    unsigned loop, part;
    uint64_t work, parent[2];
} npu_reader;

const char *msccl_graph_label(uint32_t label) {
    static const char *const names[] = { "receive", "sum", "copy", "send", "nop" };

    return names[label];
}

/* ---- nodes ---------------------------------------------------------------------------------- */

/* A nop has neither receive, sum nor send. Its node is a mark in the slot of the receive. */
static bool has_part(const msccl_step *s, unsigned part) {
    const msccl_action does = msccl_action_of((msccl_type)s->type);

    if (part == PART_RECEIVE) return does.receives || s->type == MSCCL_NOP;
    return part == PART_LOCAL ? does.sums || s->type == MSCCL_CPY : does.sends;
}

static uint64_t id_of(const msccl_graph *g, uint32_t step, unsigned loop, unsigned part) {
    const unsigned gpu = msccl_block_of(g->s.a, step)->gpu;

    return ((uint64_t)loop * (g->first[gpu + 1] - g->first[gpu]) + g->rank[step]) * PARTS + part;
}

static uint64_t last_of(const msccl_graph *g, uint32_t step, unsigned loop) {
    unsigned part = PARTS - 1;

    while (!has_part(&g->s.a->step[step], part)) part--;
    return id_of(g, step, loop, part);
}

/* Adds the parents of a step's first node: the previous step of its thread block, and its
 * dependency. */
static void wait_for_others(npu_reader *r, uint32_t step, graph_node *n) {
    const msccl_graph *g = r->g;
    const msccl_step *s = &g->s.a->step[step];
    const msccl_block *b = msccl_block_of(g->s.a, step);

    if (step != b->first)
        r->parent[n->parents++] = last_of(g, step - 1, r->loop);
    else if (r->loop)
        r->parent[n->parents++] = last_of(g, b->first + b->steps - 1, r->loop - 1);
    if (s->dependency != MSCCL_NONE) r->parent[n->parents++] = last_of(g, s->dependency, r->loop);
}

static void make_node(npu_reader *r, uint32_t step, graph_node *n) {
    const msccl_graph *g = r->g;
    const msccl_step *s = &g->s.a->step[step];
    const msccl_block *b = msccl_block_of(g->s.a, step);
    const uint64_t bytes = s->count * g->s.chunk_bytes;
    const bool sums = msccl_action_of((msccl_type)s->type).sums;

    if (s->type == MSCCL_NOP) {
        n->kind = GRAPH_MARK;
        n->label = LABEL_NOP;
    } else if (r->part == PART_LOCAL) {
        const double all = (double)bytes * (sums ? 3 : 2), rate = g->s.memory_bytes;

        n->kind = GRAPH_MEMORY;
        n->lane = LANE_COMPUTE;
        n->label = sums ? LABEL_SUM : LABEL_COPY;
        n->operations = 1;
        n->single = (operation){ .what = msccl_graph_label(n->label),
                                 .class_ = OPERATION_TIME,
                                 .cycles = rate > 0 ? (uint64_t)ceil(all / rate) : 0 };
    } else {
        n->kind = r->part == PART_SEND ? GRAPH_SEND : GRAPH_RECEIVE;
        n->lane = LANE_COMMUNICATION;
        n->label = r->part == PART_SEND ? LABEL_SEND : LABEL_RECEIVE;
        n->peer = (unsigned)(r->part == PART_SEND ? b->send : b->receive);
        n->tag = b->channel;
        n->command.bytes = bytes;
        n->work = r->work++;
    }
}

static int next(void *self, graph_node *n) {
    npu_reader *r = self;
    const msccl_graph *g = r->g;
    const uint32_t first = g->first[r->npu], count = g->first[r->npu + 1] - first;
    uint32_t step;

    for (;; r->part++) {
        if (r->part == PARTS) {
            r->part = 0;
            r->at++;
        }
        if (r->at == count) {
            r->at = 0;
            r->loop++;
        }
        if (r->loop >= g->s.loops || !count) return 0;
        step = g->step[first + r->at];
        if (has_part(&g->s.a->step[step], r->part)) break;
    }
    *n = (graph_node){ .id = id_of(g, step, r->loop, r->part), .parent = r->parent };
    for (unsigned before = r->part; before-- && !n->parents;)
        if (has_part(&g->s.a->step[step], before))
            r->parent[n->parents++] = id_of(g, step, r->loop, before);
    if (!n->parents) wait_for_others(r, step, n);
    make_node(r, step, n);
    r->part++;
    return 1;
}

static int rewind_graph(void *self) {
    npu_reader *r = self;

    r->at = r->loop = r->part = 0;
    r->work = 0;
    return EXIT_OK;
}

int msccl_graph_open(const msccl_graph *g, unsigned npu, graph_reader *to) {
    npu_reader *r = calloc(1, sizeof *r);

    if (!r) return message_no_memory();
    *r = (npu_reader){ .g = g, .npu = npu };
    snprintf(r->name, sizeof r->name, "%.48s", g->s.a->name);
    *to = (graph_reader){
        .self = r, .name = r->name, .next = next, .rewind = rewind_graph, .close = free
    };
    return EXIT_OK;
}

/* ---- all of them ---------------------------------------------------------------------------- */

static void sort_by_gpu(msccl_graph *g) {
    const msccl_algorithm *a = g->s.a;

    for (uint32_t i = 0; i < a->steps; i++) g->first[msccl_block_of(a, i)->gpu + 1]++;
    for (uint32_t i = 0; i < a->gpus; i++) g->first[i + 1] += g->first[i];
    for (uint32_t i = 0; i < a->steps; i++) { /* advances first[], which is restored below */
        const uint32_t step = g->s.order->step[i];

        g->step[g->first[msccl_block_of(a, step)->gpu]++] = step;
    }
    for (uint32_t i = a->gpus; i; i--) g->first[i] = g->first[i - 1];
    g->first[0] = 0;
    for (uint32_t i = 0; i < a->gpus; i++)
        for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++)
            g->rank[g->step[k]] = k - g->first[i];
}

/* Returns the position of an NPU relative to another: steps up in each dimension. */
static uint64_t offset_to(const ace_config *cfg, unsigned from, unsigned to) {
    uint64_t offset = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        const unsigned ring = cfg->ring[d];

        offset = offset << 8 | (to % ring + ring - from % ring) % ring;
        to /= ring;
        from /= ring;
    }
    return offset;
}

/* Counts the messages of one NPU. *digest is equal for NPUs that do the same. */
static int add_npu(msccl_graph *g, unsigned npu, uint64_t *digest) {
    graph_reader r;
    graph_node n;
    uint64_t nodes = 0;
    int rc = msccl_graph_open(g, npu, &r);

    *digest = FNV1A_START;
    if (rc != EXIT_OK) return rc;
    while (rc == EXIT_OK && r.next(r.self, &n) > 0) {
        const bool far = n.kind == GRAPH_SEND || n.kind == GRAPH_RECEIVE;
        const uint64_t v[] = { n.id,
                               n.kind,
                               n.label,
                               n.single.cycles,
                               n.command.bytes,
                               n.tag,
                               n.parents,
                               far ? offset_to(g->s.cfg, npu, n.peer) : 0,
                               n.parents > 0 ? n.parent[0] : 0,
                               n.parents > 1 ? n.parent[1] : 0 };

        *digest = fnv1a(*digest, v, sizeof v);
        if (n.kind == GRAPH_SEND) g->sent[npu] += n.command.bytes;
        rc = graph_messages_add(g->messages, &n, npu);
        nodes++;
    }
    r.close(r.self);
    g->nodes += nodes;
    if (nodes > g->window) g->window = nodes < MOST_WINDOW ? (uint32_t)nodes : MOST_WINDOW;
    return rc;
}

static int add_all(msccl_graph *g) {
    uint64_t first = 0;
    int rc = EXIT_OK;

    g->alike = true;
    for (uint32_t i = 0; rc == EXIT_OK && i < g->s.a->gpus; i++) {
        uint64_t digest;

        rc = add_npu(g, i, &digest);
        if (!i) first = digest;
        g->alike = g->alike && digest == first;
    }
    return rc == EXIT_OK ? graph_messages_check(g->messages, g->s.a->name) : rc;
}

static int check_bytes(const msccl_graph_setup *s) {
    for (uint32_t i = 0; i < s->a->steps; i++) {
        if (s->a->step[i].count <= MOST_MESSAGE_BYTES / s->chunk_bytes) continue;
        msccl_print_location(s->a, i);
        fprintf(stderr,
                ": found cnt='%" PRIu32 "' chunks of %" PRIu64
                " bytes, expected 256 GiB at most: a smaller --size, or more --loops\n",
                s->a->step[i].count, s->chunk_bytes);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

int msccl_graph_create(const msccl_graph_setup *s, msccl_graph **to) {
    const uint32_t gpus = s->a->gpus, steps = s->a->steps;
    msccl_graph *g = *to = calloc(1, sizeof *g);
    const int rc = check_bytes(s);

    if (rc != EXIT_OK) return rc;
    if (!g) return message_no_memory();
    g->s = *s;
    g->window = 1;
    g->step = calloc(steps + 1, sizeof *g->step);
    g->rank = calloc(steps + 1, sizeof *g->rank);
    g->first = calloc(gpus + 1, sizeof *g->first);
    g->sent = calloc(gpus, sizeof *g->sent);
    g->messages = graph_messages_create(gpus, s->cfg);
    if (!g->step || !g->rank || !g->first || !g->sent || !g->messages) return message_no_memory();
    sort_by_gpu(g);
    return add_all(g);
}

void msccl_graph_destroy(msccl_graph *g) {
    if (!g) return;
    free(g->step);
    free(g->rank);
    free(g->first);
    free(g->sent);
    graph_messages_destroy(g->messages);
    free(g);
}

const graph_messages *msccl_graph_messages(const msccl_graph *g) { return g->messages; }
uint64_t msccl_graph_nodes(const msccl_graph *g) { return g->nodes; }
uint32_t msccl_graph_window(const msccl_graph *g) { return g->window; }
bool msccl_graph_alike(const msccl_graph *g) { return g->alike; }
uint64_t msccl_graph_sent(const msccl_graph *g, unsigned npu) { return g->sent[npu]; }
