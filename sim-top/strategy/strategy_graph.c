/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_graph.c -- see strategy_graph.h */
#include "strategy_graph.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "model_work.h"
#include "values.h"

enum { NODES_MOST = 1 << 22, PAGE = 4096 };

/* What a node computes, or which part of the model a collective is of. */
typedef enum block { BLOCK_ATTENTION, BLOCK_MLP, BLOCK_EXPERTS, BLOCK_OUTPUT, BLOCKS } block;
static const char *const block_names[BLOCKS] = { "attention", "MLP", "experts", "output layer" };
typedef enum mode { MODE_FORWARD, MODE_AGAIN, MODE_INPUT, MODE_WEIGHT, MODES } mode;
static const char *const mode_names[MODES] = { "forward", "forward again of", "input gradient of",
                                               "weight gradient of" };

/* Of whom a collective is. */
typedef enum whose { WHOSE_TENSOR, WHOSE_EXPERTS, WHOSE_DATA, WHOSE_EXPERT_DATA, GROUPS } whose;
static const char *const group_names[GROUPS] = { "tensor parallelism", "expert parallelism",
                                                 "data parallelism",
                                                 "data parallelism of experts" };

typedef struct dimensions {
    uint8_t at[ACE_DIMENSIONS], count;
} dimensions;

typedef struct plan_node {
    graph_kind kind;
    block block;
    mode mode;
    whose whose;
    strategy_mark mark;
    ace_kind collective;
    bool gradient; /* elements of the gradients' size */
    uint32_t layer, micro_batch;
    uint32_t first, operations; /* compute */
    uint64_t bytes, source, destination;
    size_t parent; /* in the pool */
    unsigned parents;
} plan_node;

typedef struct range {
    uint32_t first, count;
} range;

struct strategy_graph {
    training_model m;
    strategy s;
    const run_fields *o;
    dimensions group[GROUPS];
    double members[GROUPS];
    operation *operation;
    uint32_t operations, operation_room;
    range work[2][BLOCKS][MODES]; /* of layers without and with experts */
    range scores;                 /* that `selective` computes again */
    range update;
    plan_node *node;
    uint64_t nodes, node_room, collectives;
    uint64_t *pool; /* parents */
    size_t pooled, pool_room;
    uint64_t address; /* up to here addresses are given out */
    uint64_t slot[4]; /* addresses that collectives share which never run side by side */
    bool failed;      /* no memory, or too many nodes */
    /* While it is made: what the next node waits for. */
    uint64_t before[4];
    unsigned befores;
    uint64_t *awaited; /* collectives of replicas */
    unsigned awaiteds;
    uint32_t micro_batch, layer;
};

/* ---- operations ---------------------------------------------------------------------------- */

static void add_operation(strategy_graph *g, range *to, const operation *o) {
    if (g->operations == g->operation_room) {
        const uint32_t room = g->operation_room ? 2 * g->operation_room : 64;
        operation *more = realloc(g->operation, room * sizeof *more);

        if (!more) {
            g->failed = true;
            return;
        }
        g->operation = more;
        g->operation_room = room;
    }
    if (!to->count) to->first = g->operations;
    g->operation[g->operations++] = *o;
    to->count++;
}

static uint64_t whole(double v) { return (uint64_t)llround(ceil(v)); }

/* Y (m x n) = X (m x k) w (k x n), 16 bits an element. */
static void add_product(strategy_graph *g, range *to, const model_gemm *p, double m, double n,
                        double k) {
    add_operation(g, to,
                  &(operation){ .what = p->what,
                                .class_ = OPERATION_GEMM,
                                .flops = whole(2 * p->count * m * n * k),
                                .read_bytes = whole(2 * p->count * (m * k + k * n)),
                                .written_bytes = whole(2 * p->count * m * n),
                                .launches = 1 });
}

/* Half of the bytes are read, half are written. */
static void add_vector(strategy_graph *g, range *to, const char *what, double bytes) {
    if (bytes > 0)
        add_operation(g, to,
                      &(operation){ .what = what,
                                    .class_ = OPERATION_VECTOR,
                                    .read_bytes = whole(bytes / 2),
                                    .written_bytes = whole(bytes / 2),
                                    .launches = 1 });
}

/* A block in one mode: its products, then its vector operations. */
static void add_block(strategy_graph *g, range *to, const model_gemm *p, unsigned count, mode how,
                      double vectors) {
    for (unsigned i = 0; i < count; i++) {
        const model_gemm *x = &p[i];

        if (how == MODE_FORWARD) add_product(g, to, x, x->m, x->n, x->k);
        if (how == MODE_INPUT) add_product(g, to, x, x->m, x->k, x->n);
        /* Both inputs of scores are activations: their gradients are one and the other. */
        if (how == MODE_INPUT && x->activations) add_product(g, to, x, x->k, x->n, x->m);
        if (how == MODE_WEIGHT && !x->activations) add_product(g, to, x, x->k, x->n, x->m);
    }
    if (how != MODE_WEIGHT) add_vector(g, to, "vectors", how == MODE_INPUT ? 2 * vectors : vectors);
}

/* The products of attention end with its projection, those in front of experts with their
 * router. */
static unsigned behind(const model_gemm *p, unsigned count, const char *what) {
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(p[i].what, what)) return i + 1;
    return 0;
}

static void make_layer(strategy_graph *g, bool moe) {
    const model_layer l = { .moe = moe };
    model_gemm p[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(&g->m, l, &g->s, p);
    const unsigned attention = behind(p, n, "projection"), router = behind(p, n, "router");
    const vector_bytes v = model_layer_vector_bytes(&g->m, l, &g->s);
    const double half = (v.norms + v.residuals) / 2;

    for (mode how = 0; how < MODES; how++) {
        range *const to = g->work[moe][0] + how;

        if (how == MODE_AGAIN) continue; /* the forward pass */
        add_block(g, to, p, attention, how, half + v.softmax);
        add_block(g, &g->work[moe][BLOCK_MLP][how], p + attention, (moe ? router : n) - attention,
                  how, half + (moe ? 0 : v.activation));
        if (moe)
            add_block(g, &g->work[moe][BLOCK_EXPERTS][how], p + router, n - router, how,
                      v.activation);
    }
    for (unsigned i = 0; !g->scores.count && i < attention; i++)
        if (p[i].activations) add_product(g, &g->scores, &p[i], p[i].m, p[i].n, p[i].k);
}

static void make_operations(strategy_graph *g) {
    const model_gemm output = model_logits_gemm(&g->m, &g->s);
    const stage_parameters own = strategy_stage(&g->s, &g->m, 0);
    const double logits = output.m * output.n;
    const double replicas = g->s.zero ? strategy_replicas(&g->s) : 1;
    const double experts = g->s.zero ? strategy_expert_replicas(&g->s) : 1;

    make_layer(g, false);
    if (g->m.experts.count) make_layer(g, true);
    for (mode how = 0; how < MODES; how++)
        if (how != MODE_AGAIN) /* the softmax in FP32: read 16 bits, write 32 */
            add_block(g, &g->work[0][BLOCK_OUTPUT][how], &output, 1, how, 6 * logits);
    add_vector(g, &g->update, "Adam",
               ADAM_BYTES * ((own.dense + own.ends) / replicas + own.experts / experts));
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void add_parent(strategy_graph *g, uint64_t id) {
    if (g->pooled == g->pool_room) {
        const size_t room = g->pool_room ? 2 * g->pool_room : 1024;
        uint64_t *more = realloc(g->pool, room * sizeof *more);

        if (!more) {
            g->failed = true;
            return;
        }
        g->pool = more;
        g->pool_room = room;
    }
    g->pool[g->pooled++] = id;
    g->node[g->nodes - 1].parents++;
}

/* Its id; it waits for what is in `before`. */
static uint64_t add_node(strategy_graph *g, const plan_node *n) {
    if (g->nodes == g->node_room) {
        const uint64_t room = g->node_room ? 2 * g->node_room : 1024;
        plan_node *more = room > NODES_MOST ? NULL : realloc(g->node, room * sizeof *more);

        if (!more) {
            g->failed = true;
            return 0;
        }
        g->node = more;
        g->node_room = room;
    }
    g->node[g->nodes] = *n;
    g->node[g->nodes].parent = g->pooled;
    g->node[g->nodes].parents = 0;
    g->node[g->nodes].layer = g->layer;
    g->node[g->nodes].micro_batch = g->micro_batch;
    g->nodes++;
    for (unsigned i = 0; i < g->befores; i++) add_parent(g, g->before[i]);
    return g->nodes - 1;
}

/* What comes next waits for this alone. */
static void then(strategy_graph *g, uint64_t id) {
    g->before[0] = id;
    g->befores = 1;
}
static void and_for(strategy_graph *g, uint64_t id) { g->before[g->befores++] = id; }

static uint64_t compute(strategy_graph *g, block b, mode how, range r) {
    return add_node(g, &(plan_node){ .kind = GRAPH_COMPUTE,
                                     .block = b,
                                     .mode = how,
                                     .first = r.first,
                                     .operations = r.count });
}

static uint64_t room_for(strategy_graph *g, uint64_t bytes) {
    const uint64_t at = g->address;

    g->address += (bytes + PAGE - 1) / PAGE * PAGE;
    return at;
}

/* slot: which of the shared addresses, or -1: one of its own. */
static uint64_t collective(strategy_graph *g, whose w, ace_kind kind, block b, mode how,
                           double bytes, int slot) {
    const uint64_t size = whole(bytes);
    const uint64_t source = slot < 0 ? room_for(g, size) : g->slot[slot];

    g->collectives++;
    return add_node(g, &(plan_node){ .kind = GRAPH_COLLECTIVE,
                                     .block = b,
                                     .mode = how,
                                     .whose = w,
                                     .collective = kind,
                                     .gradient = w == WHOSE_DATA || w == WHOSE_EXPERT_DATA,
                                     .bytes = size,
                                     .source = source,
                                     .destination = slot == 2 ? g->slot[3] : source });
}

static void mark(strategy_graph *g, strategy_mark m) {
    then(g, add_node(g, &(plan_node){ .kind = GRAPH_MARK, .mark = m }));
}

/* ---- passes -------------------------------------------------------------------------------- */

static double tensor_bytes(const strategy_graph *g) {
    return 2. * (double)(g->s.micro_batch * g->m.sequence * g->m.hidden);
}
/* What a rank sends to experts: its tokens, top of them, padded. */
static double routed_bytes(const strategy_graph *g) {
    const model_experts *x = &g->m.experts;
    const double own = (double)(g->s.micro_batch * g->m.sequence) / (double)g->s.degree[AXIS_TP];
    const double all = (double)x->count, top = (double)x->top;
    const double rows = x->capacity > 0 ? all * ceil(x->capacity * own * top / all) : own * top;

    return 2 * (double)g->m.hidden * rows;
}

static bool divided(const strategy_graph *g, whose w) { return g->members[w] > 1; }
static bool routed(const strategy_graph *g, block b) {
    return b == BLOCK_EXPERTS && divided(g, WHOSE_EXPERTS);
}
/* Experts are whole and need no sum, but those that all tokens share do, which are among them. */
static bool summed(const strategy_graph *g, block b) {
    return divided(g, WHOSE_TENSOR) &&
           (b == BLOCK_ATTENTION || (b == BLOCK_MLP && !model_layer_at(&g->m, g->layer).moe) ||
            (b == BLOCK_EXPERTS && g->m.experts.shared_ffn));
}

static void exchange(strategy_graph *g, mode how) {
    then(g, collective(g, WHOSE_EXPERTS, ACE_ALL_TO_ALL, BLOCK_EXPERTS, how, routed_bytes(g), 2));
}

static range work_of(const strategy_graph *g, block b, mode how) {
    return g->work[model_layer_at(&g->m, g->layer).moe][b][how];
}

static void forward_block(strategy_graph *g, block b, mode how) {
    const bool sum = summed(g, b), sp = g->s.sequence;
    const double bytes = tensor_bytes(g);

    if (sum && sp) then(g, collective(g, WHOSE_TENSOR, ACE_ALL_GATHER, b, how, bytes, 0));
    if (routed(g, b)) exchange(g, how);
    then(g, compute(g, b, how, work_of(g, b, MODE_FORWARD)));
    if (routed(g, b)) exchange(g, how);
    if (sum)
        then(g, collective(g, WHOSE_TENSOR, sp ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE, b, how, bytes,
                           0));
}

static void backward_block(strategy_graph *g, block b) {
    const bool sum = summed(g, b), sp = g->s.sequence;
    const double bytes = tensor_bytes(g);
    uint64_t kept = 0, over = 0;

    if (sum && sp) {
        then(g, collective(g, WHOSE_TENSOR, ACE_ALL_GATHER, b, MODE_INPUT, bytes, 0));
        kept = collective(g, WHOSE_TENSOR, ACE_ALL_GATHER, b, MODE_WEIGHT, bytes, 1);
    }
    if (routed(g, b)) exchange(g, MODE_INPUT);
    if (b == BLOCK_ATTENTION && g->s.recompute == RECOMPUTE_SELECTIVE && !g->s.fused)
        then(g, compute(g, b, MODE_AGAIN, g->scores));
    then(g, compute(g, b, MODE_INPUT, work_of(g, b, MODE_INPUT)));
    if (routed(g, b)) exchange(g, MODE_INPUT);
    if (sum)
        over = collective(g, WHOSE_TENSOR, sp ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE, b, MODE_INPUT,
                          bytes, 0);
    if (sum && sp) and_for(g, kept);
    then(g, compute(g, b, MODE_WEIGHT, work_of(g, b, MODE_WEIGHT)));
    if (sum) and_for(g, over);
}

/* Its gradients to the replicas, beside what comes next. */
static void reduce(strategy_graph *g, whose w, block b, double parameters) {
    const double bytes = (double)g->s.gradient_bytes * parameters;

    const unsigned befores = g->befores;

    if (!divided(g, w) || !(parameters > 0)) return;
    g->befores = 1; /* the weights' gradient, and not the sum beside it */
    g->awaited[g->awaiteds++] = collective(g, w, g->s.zero ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE, b,
                                           MODE_WEIGHT, bytes, -1);
    g->befores = befores;
}

/* Of one layer on a rank. */
static void parameters_of(const strategy_graph *g, uint64_t i, double *dense, double *experts) {
    const layer_parameters l = model_layer_parameters(&g->m, model_layer_at(&g->m, i));

    *dense = (l.attention + l.mlp) / (double)g->s.degree[AXIS_TP] + l.attention_whole +
             l.mlp_whole + l.norms + l.router;
    *experts = l.experts / (double)g->s.experts;
}

static void forward_layer(strategy_graph *g, mode how) {
    forward_block(g, BLOCK_ATTENTION, how);
    forward_block(g, BLOCK_MLP, how);
    if (model_layer_at(&g->m, g->layer).moe) forward_block(g, BLOCK_EXPERTS, how);
}

static void backward_layer(strategy_graph *g, bool last) {
    double dense, experts;

    if (g->s.recompute == RECOMPUTE_FULL) forward_layer(g, MODE_AGAIN);
    if (model_layer_at(&g->m, g->layer).moe) backward_block(g, BLOCK_EXPERTS);
    backward_block(g, BLOCK_MLP);
    backward_block(g, BLOCK_ATTENTION);
    if (!last) return;
    parameters_of(g, g->layer, &dense, &experts);
    reduce(g, WHOSE_DATA, BLOCK_MLP, dense);
    reduce(g, WHOSE_EXPERT_DATA, BLOCK_EXPERTS, experts);
}

static void micro_batch(strategy_graph *g, bool last) {
    const uint32_t layers = (uint32_t)model_layers(&g->m);

    for (g->layer = 0; g->layer < layers; g->layer++) forward_layer(g, MODE_FORWARD);
    g->layer = layers - 1;
    for (mode how = 0; how < MODES; how++)
        if (how != MODE_AGAIN)
            then(g, compute(g, BLOCK_OUTPUT, how, g->work[0][BLOCK_OUTPUT][how]));
    for (g->layer = layers; g->layer--;) backward_layer(g, last);
    g->layer = 0;
}

/* Each layer's parameters, as the replicas have updated them, and the ends'. */
static void gather(strategy_graph *g) {
    const stage_parameters own = strategy_stage(&g->s, &g->m, 0);
    const uint64_t updated = g->before[0];
    unsigned first = g->awaiteds;

    for (uint64_t i = 0; i <= model_layers(&g->m); i++) {
        double part[2] = { own.ends, 0 };

        if (i < model_layers(&g->m)) parameters_of(g, i, &part[0], &part[1]);
        g->layer = (uint32_t)i;
        for (unsigned w = 0; w < 2; w++) {
            const whose of = w ? WHOSE_EXPERT_DATA : WHOSE_DATA;

            if (!divided(g, of) || !(part[w] > 0)) continue;
            then(g, updated);
            g->awaited[g->awaiteds++] =
                collective(g, of, ACE_ALL_GATHER, w ? BLOCK_EXPERTS : BLOCK_MLP, MODE_FORWARD,
                           2 * part[w], -1);
            g->node[g->nodes - 1].gradient = false;
        }
    }
    g->layer = 0;
    then(g, updated);
    mark(g, STRATEGY_END);
    for (; first < g->awaiteds; first++) add_parent(g, g->awaited[first]);
}

static void make_nodes(strategy_graph *g) {
    const uint32_t m = (uint32_t)g->s.micro_batches;
    const stage_parameters own = strategy_stage(&g->s, &g->m, 0);
    unsigned awaited;

    for (g->micro_batch = 0; g->micro_batch < m; g->micro_batch++)
        micro_batch(g, g->micro_batch + 1 == m);
    g->micro_batch = m - 1;
    reduce(g, WHOSE_DATA, BLOCK_OUTPUT, own.ends);
    mark(g, STRATEGY_BACKWARD_OVER);
    awaited = g->awaiteds;
    mark(g, STRATEGY_GRADIENTS_THERE);
    for (unsigned i = 0; i < awaited; i++) add_parent(g, g->awaited[i]);
    then(g, compute(g, BLOCK_OUTPUT, MODE_FORWARD, g->update));
    mark(g, STRATEGY_UPDATED);
    if (g->s.zero)
        gather(g);
    else
        mark(g, STRATEGY_END);
}

/* ---- what is not modelled ------------------------------------------------------------------ */

static int refuse(const char *found, const char *expected) {
    fprintf(stderr, "acesim train: strategy: found %s, which is not modelled, expected %s\n", found,
            expected);
    return EXIT_USAGE;
}

static int check(const training_model *m, const strategy *s, const placement *p) {
    char found[96];

    if (m->kind == MODEL_DLRM || m->kind == MODEL_ENCODER_DECODER) {
        snprintf(found, sizeof found, "a model that is a %s", model_kind_names[m->kind]);
        return refuse(found, "a decoder or an encoder");
    }
    if (s->degree[AXIS_PP] > 1) return refuse("a pipeline", "pp1");
    if (s->degree[AXIS_CP] > 1) return refuse("context parallelism", "cp1");
    if (s->zero == 3) return refuse("zero3", "zero0, zero1 or zero2");
    if (s->experts > 1 && s->experts != s->degree[AXIS_DP])
        return refuse("ep that is a part of dp", "ep1, or ep as large as dp");
    for (axis a = 0; a < AXES; a++) {
        if (p->axis[a].whole) continue;
        snprintf(found, sizeof found, "%s%" PRIu64 " on parts of dimensions", axis_names[a],
                 s->degree[a]);
        return refuse(found, "degrees that are products of whole dimensions, or --placement");
    }
    return EXIT_OK;
}

static void add_dimensions(strategy_graph *g, whose w, const placement *p, axis a) {
    g->members[w] *= (double)p->degree[a];
    for (unsigned i = 0; i < p->axis[a].legs; i++)
        if (p->axis[a].leg[i].extent > 1)
            g->group[w].at[g->group[w].count++] = p->axis[a].leg[i].dimension;
}

static void make_groups(strategy_graph *g, const placement *p) {
    for (whose w = 0; w < GROUPS; w++) g->members[w] = 1;
    add_dimensions(g, WHOSE_TENSOR, p, AXIS_TP);
    add_dimensions(g, WHOSE_DATA, p, AXIS_DP);
    if (!g->m.experts.count) return;
    if (g->s.experts > 1)
        add_dimensions(g, WHOSE_EXPERTS, p, AXIS_DP);
    else
        add_dimensions(g, WHOSE_EXPERT_DATA, p, AXIS_DP);
    add_dimensions(g, WHOSE_EXPERT_DATA, p, AXIS_TP); /* they are not cut by it */
}

int strategy_graph_create(const training_model *m, const strategy *s, const placement *p,
                          const run_fields *o, strategy_graph **to) {
    const int rc = check(m, s, p);
    strategy_graph *g;
    double largest;

    *to = NULL;
    if (rc != EXIT_OK) return rc;
    g = calloc(1, sizeof *g);
    if (!g) return message_no_memory();
    g->m = *m;
    g->s = *s;
    g->o = o;
    g->awaited = calloc(4 * model_layers(m) + 8, sizeof *g->awaited);
    make_groups(g, p);
    largest = fmax(tensor_bytes(g), m->experts.count ? routed_bytes(g) : 0);
    for (unsigned i = 0; i < 4; i++) g->slot[i] = room_for(g, whole(largest));
    make_operations(g);
    if (g->awaited) make_nodes(g);
    if (g->awaited && !g->failed) {
        *to = g;
        return EXIT_OK;
    }
    if (g->node_room >= NODES_MOST) {
        fprintf(stderr,
                "acesim train: found an iteration of more than %d nodes, expected fewer layers or "
                "micro-batches\n",
                NODES_MOST);
        strategy_graph_destroy(g);
        return EXIT_USAGE;
    }
    strategy_graph_destroy(g);
    return message_no_memory();
}

void strategy_graph_destroy(strategy_graph *g) {
    if (!g) return;
    free(g->operation);
    free(g->node);
    free(g->pool);
    free(g->awaited);
    free(g);
}

/* ---- reading ------------------------------------------------------------------------------- */

typedef struct cursor {
    const strategy_graph *g;
    uint64_t next, work;
} cursor;

static int next(void *self, graph_node *n) {
    cursor *c = self;
    const strategy_graph *g = c->g;
    const plan_node *p = &g->node[c->next];
    const dimensions *d;

    if (c->next == g->nodes) return 0;
    *n = (graph_node){ .id = c->next,
                       .kind = p->kind,
                       .lane = p->kind == GRAPH_COLLECTIVE ? LANE_COMMUNICATION : LANE_COMPUTE,
                       .label = (uint32_t)c->next,
                       .parent = g->pool + p->parent,
                       .parents = p->parents };
    c->next++;
    if (p->kind == GRAPH_COMPUTE) {
        n->first_operation = g->operation + p->first;
        n->operations = p->operations;
    }
    if (p->kind != GRAPH_COLLECTIVE) return 1;
    d = &g->group[p->whose];
    n->work = c->work++;
    n->command = (ace_command){ .kind = p->collective,
                                .type = p->gradient && g->s.gradient_bytes == 4 ? ACE_FP32
                                        : g->o->type_given                      ? g->o->type
                                                                                : ACE_FP16,
                                .op = g->o->op,
                                .dim_count = d->count,
                                .source = p->source,
                                .destination = p->destination,
                                .bytes = p->bytes };
    memcpy(n->command.dims, d->at, sizeof n->command.dims);
    return 1;
}

static int again(void *self) {
    cursor *c = self;

    c->next = c->work = 0;
    return EXIT_OK;
}

int strategy_graph_open(const strategy_graph *g, graph_reader *r) {
    cursor *c = calloc(1, sizeof *c);

    if (!c) return message_no_memory();
    c->g = g;
    *r = (graph_reader){
        .self = c, .name = g->m.name, .next = next, .rewind = again, .close = free
    };
    return EXIT_OK;
}

/* The collectives of replicas that may be under way, and some of what comes next. */
uint32_t strategy_graph_window(const strategy_graph *g) {
    return 4 * (uint32_t)model_layers(&g->m) + 256;
}
uint64_t strategy_graph_nodes(const strategy_graph *g) { return g->nodes; }
uint64_t strategy_graph_collectives(const strategy_graph *g) { return g->collectives; }

strategy_mark strategy_graph_mark(const strategy_graph *g, uint32_t label) {
    return (strategy_mark)g->node[label].mark;
}

graph_words strategy_graph_words(const strategy_graph *g, uint32_t label) {
    return (graph_words){ kind_names[g->node[label].collective],
                          group_names[g->node[label].whose] };
}

void strategy_graph_label(const strategy_graph *g, uint32_t label, char *to, size_t room) {
    const plan_node *n = &g->node[label];

    if (n->kind == GRAPH_MARK)
        snprintf(to, room, "mark");
    else if (n->kind == GRAPH_COLLECTIVE)
        snprintf(to, room, "%s of %s, layer %u, micro-batch %u", kind_names[n->collective],
                 group_names[n->whose], n->layer, n->micro_batch);
    else if (n->first == g->update.first && g->update.count)
        snprintf(to, room, "optimizer");
    else
        snprintf(to, room, "%s %s, layer %u, micro-batch %u", mode_names[n->mode],
                 block_names[n->block], n->layer, n->micro_batch);
}
