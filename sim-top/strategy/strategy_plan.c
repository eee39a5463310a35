/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_plan.c -- builds each stage's list of operations, pass by pass and block by block
 *
 * The table in strategy_plan.h shows the operations of a stage; a graph calls them nodes. The
 * builder keeps the nodes that the next node has to wait for. Computation is appended to this
 * chain, and collectives that may overlap are added next to it and waited for later. Gradients are
 * collected in buckets. Collectives that never run together share addresses.
 */
#include "strategy_plan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

const char *const plan_group_names[GROUPS] = {
    "tensor parallelism",          "context parallelism",
    "expert parallelism",          "data parallelism",
    "data parallelism of experts", "tensor parallelism of experts",
    "the tied embedding",          "the pipeline"
};

enum { BEFORES = 8, SLOTS = 4 };

/* A stage while it is made. */
typedef struct stage_builder {
    strategy_plan *p;
    plan_stage *to;
    const pipeline *list;
    uint32_t r, chunk, micro_batch, layer;
    uint64_t bucket;
    uint32_t before[BEFORES]; /* nodes for which the next node waits */
    unsigned befores;
    uint32_t *awaited; /* collectives of replicas */
    size_t awaiteds, awaited_room;
    double pending[2];    /* parameters whose gradients wait for their bucket: dense, experts */
    uint32_t *left;       /* of each chunk: passes to come that make weights' gradients */
    uint32_t gathered;    /* zero3: the gather of the next layer's parameters */
    uint64_t address;     /* the first unused address */
    uint64_t slot[SLOTS]; /* addresses shared by collectives that never run together */
    bool failed;          /* no memory, or too many nodes */
} stage_builder;

/* ---- nodes --------------------------------------------------------------------------------- */

static bool room_for(void **at, size_t count, size_t *room, size_t size) {
    const size_t more = *room ? 2 * *room : 1024;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return false;
    *at = to;
    *room = more;
    return true;
}

static void add_parent(stage_builder *k, uint32_t id) {
    void *at = k->to->pool;

    if (!room_for(&at, k->to->pooled, &k->to->pool_room, sizeof *k->to->pool)) {
        k->failed = true;
        return;
    }
    k->to->pool = at;
    k->to->pool[k->to->pooled++] = id;
    k->to->node[k->to->nodes - 1].parents++;
}

/* Adds a node that waits for the nodes in `before`. Returns its index. */
static uint32_t add_node(stage_builder *k, const plan_node *n) {
    size_t room = k->to->node_room;
    void *at = k->to->node;

    if (k->p->nodes == PLAN_NODES || !room_for(&at, k->to->nodes, &room, sizeof *k->to->node)) {
        k->failed = true;
        return 0;
    }
    k->to->node = at;
    k->to->node_room = (uint32_t)room;
    k->to->node[k->to->nodes] = *n;
    k->to->node[k->to->nodes].parent = k->to->pooled;
    k->to->node[k->to->nodes].layer = k->layer;
    k->to->node[k->to->nodes].micro_batch = k->micro_batch;
    k->to->nodes++;
    k->p->nodes++;
    for (unsigned i = 0; i < k->befores; i++) add_parent(k, k->before[i]);
    return k->to->nodes - 1;
}

/* The next node waits only for this node. */
static void then(stage_builder *k, uint32_t id) {
    k->before[0] = id;
    k->befores = 1;
}
static void and_for(stage_builder *k, uint32_t id) {
    if (id != PLAN_NONE) k->before[k->befores++] = id;
}

static uint32_t compute_range(stage_builder *k, work_block b, work_mode how, work_range r) {
    return add_node(k, &(plan_node){ .kind = GRAPH_COMPUTE,
                                     .block = (uint8_t)b,
                                     .mode = (uint8_t)how,
                                     .first = r.first,
                                     .operations = r.count });
}
static void compute(stage_builder *k, work_block b, work_mode how) {
    then(k, compute_range(k, b, how, strategy_work_of(&k->p->work, &k->p->m, k->layer, b, how)));
}

static uint64_t round_up(double v) { return (uint64_t)llround(ceil(v)); }

static uint64_t give_address(stage_builder *k, uint64_t bytes) {
    const uint64_t at = k->address;

    k->address += (bytes + PLAN_PAGE - 1) / PLAN_PAGE * PLAN_PAGE;
    return at;
}

/* slot: which of the shared addresses, or -1: one of its own. */
static uint32_t collective(stage_builder *k, plan_group g, ace_kind kind, work_block b,
                           work_mode how, double bytes, int slot) {
    const uint64_t size = round_up(bytes);
    const uint64_t source = slot < 0 ? give_address(k, size) : k->slot[slot];

    k->to->collectives++;
    return add_node(k, &(plan_node){ .kind = GRAPH_COLLECTIVE,
                                     .block = (uint8_t)b,
                                     .mode = (uint8_t)how,
                                     .group = (uint8_t)g,
                                     .collective = (uint8_t)kind,
                                     .bytes = size,
                                     .source = source,
                                     .destination = slot == 2 ? k->slot[3] : source });
}

static uint32_t add_message(stage_builder *k, graph_kind kind, plan_group g, work_mode how,
                            uint32_t number, double bytes) {
    const uint32_t id = add_node(k, &(plan_node){ .kind = (uint8_t)kind,
                                                  .mode = (uint8_t)how,
                                                  .group = (uint8_t)g,
                                                  .message = number,
                                                  .bytes = round_up(bytes) });

    if (kind == GRAPH_SEND && !k->failed) k->p->sender[number] = id;
    return id;
}

/* A receive waits for nothing of its own stage. */
static uint32_t receive(stage_builder *k, plan_group g, work_mode how, uint32_t number,
                        double bytes) {
    const unsigned befores = k->befores;
    uint32_t id;

    k->befores = 0;
    id = add_message(k, GRAPH_RECEIVE, g, how, number, bytes);
    k->befores = befores;
    return id;
}

/* ---- sizes --------------------------------------------------------------------------------- */

double plan_members(const strategy_plan *p, plan_group g) {
    const strategy *s = &p->s;

    switch (g) {
    case GROUP_TENSOR: return (double)s->degree[AXIS_TP];
    case GROUP_CONTEXT: return (double)s->degree[AXIS_CP];
    case GROUP_EXPERTS: return (double)s->experts;
    case GROUP_DATA: return strategy_replicas(s);
    case GROUP_EXPERT_DATA: return p->m.experts.count ? strategy_expert_replicas(s) : 1;
    case GROUP_EXPERT_TENSOR: return (double)s->expert_tensor;
    case GROUP_TIED: return p->m.tied && s->degree[AXIS_PP] > 1 ? 2 : 1;
    default: return (double)s->degree[AXIS_PP];
    }
}

static bool divided(const stage_builder *k, plan_group g) { return plan_members(k->p, g) > 1; }

static double tensor_bytes(const strategy_plan *p) {
    return strategy_element_bytes(&p->s) * (double)(p->s.micro_batch * p->m.sequence) /
           (double)p->s.degree[AXIS_CP] * (double)p->m.hidden;
}
/* Bytes that a rank sends to experts: each token goes to `top` experts, padded. */
static double routed_bytes(const strategy_plan *p) {
    const model_experts *x = &p->m.experts;
    const double own = (double)(p->s.micro_batch * p->m.sequence) /
                       (double)(p->s.degree[AXIS_TP] * p->s.degree[AXIS_CP]);
    const double all = (double)x->count, top = (double)x->top;
    const double rows = x->capacity > 0 ? all * ceil(x->capacity * own * top / all) : own * top;

    return strategy_element_bytes(&p->s) * (double)p->m.hidden * rows;
}
/* Keys and values of a rank's tokens, or its queries and output. */
static double keys_bytes(const strategy_plan *p, bool queries) {
    const double heads =
        queries || p->m.latent.key_value_rank ? (double)p->m.heads : (double)p->m.kv_heads;
    const double tokens = (double)(p->s.micro_batch * p->m.sequence) / (double)p->s.degree[AXIS_CP];

    return strategy_element_bytes(&p->s) * tokens * heads *
           (model_key_size(&p->m) + model_value_size(&p->m)) / (double)p->s.degree[AXIS_TP];
}
/* Bytes that a rank sends to the same rank of the next stage. */
static double boundary_bytes(const strategy_plan *p) {
    return tensor_bytes(p) / (p->s.sequence ? (double)p->s.degree[AXIS_TP] : 1);
}

static uint32_t virtual_stage(const stage_builder *k) { return k->chunk * k->list->stages + k->r; }
static uint32_t virtual_stages(const stage_builder *k) { return k->list->stages * k->list->chunks; }
static uint32_t first_layer(const stage_builder *k) {
    return (uint32_t)strategy_first_layer(&k->p->s, &k->p->m, virtual_stage(k));
}
static uint32_t layers(const stage_builder *k) {
    return (uint32_t)strategy_layers(&k->p->s, &k->p->m, virtual_stage(k));
}

/* Returns the parameters of embedding and output layer in the present virtual stage. */
static double ends(const stage_builder *k, bool first, bool last) {
    const end_parameters e = model_end_parameters(&k->p->m);
    const double t = (double)k->p->s.degree[AXIS_TP];
    double n = 0;

    if (first) n += e.embedding / t + e.positions;
    if (last) n += e.norm + e.head / t + e.pooler;
    if (last && k->list->stages > 1 && k->p->m.tied) n += e.embedding / t;
    return n;
}

static model_layer layer_of(const stage_builder *k) { return model_layer_at(&k->p->m, k->layer); }

/* Trained parameters of the present layer on a rank. `all` includes the embedding or the output
 * layer if the layer is the first or the last. */
static void parameters_of(const stage_builder *k, bool all, double parameters[2]) {
    const layer_parameters l = model_layer_parameters(&k->p->m, model_layer_at(&k->p->m, k->layer));

    parameters[0] = (l.attention + l.mlp) / (double)k->p->s.degree[AXIS_TP] + l.attention_whole +
                    l.mlp_whole + l.norms + l.router;
    parameters[1] = strategy_expert_parameters(&k->p->s, &l);
    if (k->p->s.lora) {
        parameters[0] = strategy_adapters(&k->p->s, &k->p->m, layer_of(k));
        parameters[1] = 0;
        return;
    }
    if (all) parameters[0] += ends(k, k->layer == 0, k->layer + 1U == model_layers(&k->p->m));
}

/* ---- gradients and parameters of replicas -------------------------------------------------- */

static void await(stage_builder *k, uint32_t id) {
    void *at = k->awaited;

    if (!room_for(&at, k->awaiteds, &k->awaited_room, sizeof *k->awaited)) {
        k->failed = true;
        return;
    }
    k->awaited = at;
    k->awaited[k->awaiteds++] = id;
}

static const plan_group replicas[2] = { GROUP_DATA, GROUP_EXPERT_DATA };

/* Starts the gradient reduction over the replicas, in parallel with what comes next. It waits for
 * the gradient of the weights, before[0], and not for the sum that runs at the same time. */
static void reduce(stage_builder *k, const double parameters[2], work_block b) {
    const unsigned befores = k->befores;

    for (unsigned i = 0; i < 2; i++) {
        const ace_kind kind = k->p->s.zero ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE;
        uint32_t id;

        if (!divided(k, replicas[i]) || !(parameters[i] > 0)) continue;
        k->befores = 1;
        id = collective(k, replicas[i], kind, i ? BLOCK_EXPERTS : b, MODE_WEIGHT,
                        (double)k->p->s.gradient_bytes * parameters[i], -1);
        if (!k->failed) k->to->node[id].gradient = true;
        await(k, id);
        k->befores = befores;
    }
}

static void empty_bucket(stage_builder *k) {
    reduce(k, k->pending, BLOCK_MLP);
    k->pending[0] = k->pending[1] = 0;
}

/* Called when the weight gradient of the present layer is computed. `last` is true for the last
 * micro-batch. */
static void layer_done(stage_builder *k, bool last) {
    double own[2];

    parameters_of(k, k->p->s.zero == 3, own);
    if (k->p->s.zero == 3) {
        reduce(k, own, BLOCK_MLP);
        return;
    }
    if (!last) return;
    k->pending[0] += own[0];
    k->pending[1] += own[1];
    if ((double)k->p->s.gradient_bytes * (k->pending[0] + k->pending[1]) >= (double)k->bucket)
        empty_bucket(k);
}

/* zero3: gathers the parameters of a layer. Returns the node; PLAN_NONE: the group has no
 * replicas. */
static uint32_t gather_layer(stage_builder *k, uint32_t layer, work_mode how) {
    const uint32_t present = k->layer;
    uint32_t id = PLAN_NONE;
    double own[2];

    k->layer = layer;
    parameters_of(k, true, own);
    for (unsigned i = 0; i < 2; i++) {
        if (!divided(k, replicas[i]) || !(own[i] > 0)) continue;
        if (id != PLAN_NONE) and_for(k, id);
        id = collective(k, replicas[i], ACE_ALL_GATHER, i ? BLOCK_EXPERTS : BLOCK_MLP, how,
                        strategy_element_bytes(&k->p->s) * own[i], -1);
    }
    k->layer = present;
    return id;
}

/* Before the layers of an entry: gathers the parameters of the first layer. */
static void gather_first(stage_builder *k, uint32_t layer, work_mode how) {
    const unsigned befores = k->befores;

    k->gathered = PLAN_NONE;
    if (k->p->s.zero != 3 || !layers(k)) return;
    k->gathered = gather_layer(k, layer, how);
    k->befores = befores;
}

/* The present layer waits for its parameters, and the gather of the next layer's begins. */
static void gather_next(stage_builder *k, bool more, uint32_t next, work_mode how) {
    const uint32_t own = k->gathered;
    const unsigned befores = k->befores;

    if (own == PLAN_NONE) return;
    and_for(k, own);
    k->gathered = more ? gather_layer(k, next, how) : PLAN_NONE;
    k->befores = befores + 1;
}

/* ---- blocks -------------------------------------------------------------------------------- */

static bool moe(const stage_builder *k) { return layer_of(k).moe; }
static bool routed(const stage_builder *k, work_block b) {
    return b == BLOCK_EXPERTS && (divided(k, GROUP_EXPERTS) || divided(k, GROUP_EXPERT_TENSOR));
}
/* Routed experts are whole on their rank and need no sum. Experts that all tokens share are divided
 * and need one. */
static bool summed(const stage_builder *k, work_block b) {
    return divided(k, GROUP_TENSOR) && (b == BLOCK_ATTENTION || (b == BLOCK_MLP && !moe(k)) ||
                                        (b == BLOCK_EXPERTS && k->p->m.experts.shared_ffn));
}

static void exchange(stage_builder *k, work_mode how) {
    if (divided(k, GROUP_EXPERTS))
        then(k, collective(k, GROUP_EXPERTS, ACE_ALL_TO_ALL, BLOCK_EXPERTS, how, routed_bytes(k->p),
                           2));
}

/* Ranks that share a divided expert gather the tokens that each rank has received, or sum and deal
 * the expert's results. */
static void share_tokens(stage_builder *k, ace_kind kind, work_mode how) {
    const double bytes = (double)k->p->s.expert_tensor * routed_bytes(k->p);

    if (divided(k, GROUP_EXPERT_TENSOR))
        then(k, collective(k, GROUP_EXPERT_TENSOR, kind, BLOCK_EXPERTS, how, bytes, 2));
}
static void bring_tokens(stage_builder *k, work_mode how) {
    exchange(k, how);
    share_tokens(k, ACE_ALL_GATHER, how);
}
static void return_tokens(stage_builder *k, work_mode how) {
    share_tokens(k, ACE_REDUCE_SCATTER, how);
    exchange(k, how);
}

/* Returns the first of some new message numbers, which are unique in the plan. */
static uint32_t take_messages(stage_builder *k, uint32_t count) {
    const uint32_t first = k->p->messages;
    uint32_t *more = k->p->sender;

    if (first + count > k->p->message_room) {
        const uint32_t room = 2 * (first + count);

        more = realloc(k->p->sender, room * sizeof *more);
        if (!more) {
            k->failed = true;
            return first;
        }
        k->p->sender = more;
        k->p->message_room = room;
    }
    k->p->messages += count;
    return first;
}

/* Sends keys and values to the next rank of context parallelism. The send waits for node `behind`,
 * or, with PLAN_NONE, for the nodes that the next node waits for. */
static void pass_on(stage_builder *k, work_mode how, uint32_t number, uint32_t behind) {
    uint32_t before[BEFORES];
    const unsigned befores = k->befores;

    memcpy(before, k->before, sizeof before);
    if (behind != PLAN_NONE) then(k, behind);
    (void)add_message(k, GRAPH_SEND, GROUP_CONTEXT, how, number, keys_bytes(k->p, false));
    memcpy(k->before, before, sizeof before);
    k->befores = befores;
}

/* Scores with the keys of all ranks of context parallelism. While scores with one block of keys are
 * computed, the next block arrives and is passed on. Backward, the sums of the keys' gradients
 * follow the keys. */
static void ring(stage_builder *k, work_mode how) {
    const uint32_t c = (uint32_t)k->p->s.degree[AXIS_CP];
    const double bytes = keys_bytes(k->p, false);
    uint32_t keys = PLAN_NONE, sums = PLAN_NONE;

    for (uint32_t step = 0; step < c && !k->failed; step++) {
        const bool more = step + 1 < c;
        const uint32_t number = more ? take_messages(k, how == MODE_INPUT ? 2 : 1) : 0;

        if (more) pass_on(k, how, number, keys);
        and_for(k, keys);
        and_for(k, sums);
        compute(k, BLOCK_CORE, how);
        if (!more) break;
        keys = receive(k, GROUP_CONTEXT, how, number, bytes);
        if (how != MODE_INPUT) continue;
        pass_on(k, how, number + 1, PLAN_NONE);
        sums = receive(k, GROUP_CONTEXT, how, number + 1, bytes);
    }
}

/* An all-to-all from all heads of some tokens to some heads of all tokens, or back. */
static void exchange_heads(stage_builder *k, work_mode how, bool output) {
    const double all[2] = { keys_bytes(k->p, true), keys_bytes(k->p, false) };
    const double key =
        model_key_size(&k->p->m) / (model_key_size(&k->p->m) + model_value_size(&k->p->m));
    const double inputs[] = { all[0] * key, all[1] * key, all[1] * (1 - key) };

    for (unsigned i = 0; i < (output ? 1 : 3); i++)
        then(k, collective(k, GROUP_CONTEXT, ACE_ALL_TO_ALL, BLOCK_CORE, how,
                           output ? all[0] * (1 - key) : inputs[i], 2));
}

/* Scores and context. */
static void core(stage_builder *k, work_mode how) {
    const bool backward = how == MODE_INPUT;

    if (!divided(k, GROUP_CONTEXT)) {
        compute(k, BLOCK_CORE, how);
    } else if (k->p->s.exchange) {
        exchange_heads(k, how, backward);
        compute(k, BLOCK_CORE, how);
        exchange_heads(k, how, !backward);
    } else {
        ring(k, how);
    }
}

/* Queries, keys and values, then their scores, then the projection. Backward in reverse order. */
static void attention(stage_builder *k, work_mode how) {
    const bool backward = how == MODE_INPUT;

    compute(k, backward ? BLOCK_PROJECTION : BLOCK_QUERIES, how);
    core(k, how);
    compute(k, backward ? BLOCK_QUERIES : BLOCK_PROJECTION, how);
}

static void work(stage_builder *k, work_block b, work_mode how) {
    if (b == BLOCK_ATTENTION && divided(k, GROUP_CONTEXT) && how != MODE_WEIGHT)
        attention(k, how);
    else
        compute(k, b, how);
}

/* ---- blocks whose products are split -------------------------------------------------------- */

/* Shared experts are not split, because they come after the exchange of the routed experts. */
static bool split(const stage_builder *k, work_block b) {
    return k->p->s.split > 1 && b != BLOCK_EXPERTS && summed(k, b);
}

/* Adds a part's collective. It waits for the nodes in `before` and for the previous part's
 * collective, because a group's collectives are one stream. */
static uint32_t part_of(stage_builder *k, ace_kind kind, work_block b, work_mode how,
                        uint32_t last) {
    const unsigned befores = k->befores;
    uint32_t id;

    and_for(k, last);
    id = collective(k, GROUP_TENSOR, kind, b, how, tensor_bytes(k->p) / (double)k->p->s.split, 0);
    k->befores = befores;
    return id;
}

/* With sp: the parts of a block's input. */
static void gather_parts(stage_builder *k, work_block b, work_mode how, uint32_t in[SPLIT_MOST]) {
    const unsigned befores = k->befores;

    for (uint64_t i = 0; i < k->p->s.split; i++) {
        in[i] = PLAN_NONE;
        if (!k->p->s.sequence) continue;
        in[i] = part_of(k, ACE_ALL_GATHER, b, how, i ? in[i - 1] : PLAN_NONE);
    }
    k->befores = befores;
}

/* The products of the parts of a block. Each begins when its own input has arrived. */
static void compute_gathered(stage_builder *k, work_block part, work_mode how,
                             const uint32_t in[SPLIT_MOST]) {
    for (uint64_t i = 0; i < k->p->s.split; i++) {
        and_for(k, in[i]);
        compute(k, part, how);
    }
}

/* Sends each part's result while the next part is computed. Returns the last collective. */
static uint32_t compute_summed(stage_builder *k, work_block b, work_block part, work_mode how) {
    const ace_kind kind = k->p->s.sequence ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE;
    uint32_t over = PLAN_NONE;

    for (uint64_t i = 0; i < k->p->s.split; i++) {
        compute(k, part, how);
        over = part_of(k, kind, b, how, over);
    }
    return over;
}

/* Computes a block after the gathers of its input, or of its output's gradient. Returns the last
 * collective, for which nothing waits yet. */
static uint32_t split_block(stage_builder *k, work_block b, work_mode how,
                            const uint32_t in[SPLIT_MOST]) {
    const bool backward = how == MODE_INPUT, scores = b == BLOCK_ATTENTION;
    const work_block front = scores ? BLOCK_QUERIES : BLOCK_UP;
    const work_block rear = scores ? BLOCK_PROJECTION : BLOCK_DOWN;

    compute_gathered(k, backward ? rear : front, how, in);
    if (scores) core(k, how);
    return compute_summed(k, b, backward ? front : rear, how);
}

/* ---- passes through a layer ---------------------------------------------------------------- */

static void forward_block(stage_builder *k, work_block b, work_mode how) {
    const bool sum = summed(k, b), sp = k->p->s.sequence;
    const double bytes = tensor_bytes(k->p);

    if (split(k, b)) {
        uint32_t in[SPLIT_MOST];

        gather_parts(k, b, how, in);
        then(k, split_block(k, b, how, in));
        return;
    }
    if (sum && sp) then(k, collective(k, GROUP_TENSOR, ACE_ALL_GATHER, b, how, bytes, 0));
    if (routed(k, b)) bring_tokens(k, how);
    work(k, b, how);
    if (routed(k, b)) return_tokens(k, how);
    if (sum)
        then(k, collective(k, GROUP_TENSOR, sp ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE, b, how, bytes,
                           0));
}

static void forward_layer(stage_builder *k, work_mode how) {
    if (model_layer_mixes(layer_of(k))) forward_block(k, BLOCK_ATTENTION, how);
    if (model_layer_has_mlp(layer_of(k))) forward_block(k, BLOCK_MLP, how);
    if (moe(k)) forward_block(k, BLOCK_EXPERTS, how);
}

/* With sp: gathers the gradient of the block's output, whole or in parts. Sets the parts' nodes in
 * `in`. */
static void gather_gradient(stage_builder *k, work_block b, uint32_t in[SPLIT_MOST]) {
    if (split(k, b))
        gather_parts(k, b, MODE_INPUT, in);
    else if (summed(k, b) && k->p->s.sequence)
        then(k, collective(k, GROUP_TENSOR, ACE_ALL_GATHER, b, MODE_INPUT, tensor_bytes(k->p), 0));
}

/* Computes the input's gradient. *over is its sum over the ranks, for which nothing waits yet. */
static void input_block(stage_builder *k, work_block b, const uint32_t in[SPLIT_MOST],
                        uint32_t *over) {
    const bool sum = summed(k, b), sp = k->p->s.sequence;
    const double bytes = tensor_bytes(k->p);

    if (routed(k, b)) bring_tokens(k, MODE_INPUT);
    if (b == BLOCK_ATTENTION && k->p->s.recompute == RECOMPUTE_SELECTIVE && !k->p->s.fused &&
        layer_of(k).only != LAYER_OF_MAMBA)
        then(k, compute_range(k, b, MODE_AGAIN, k->p->work.scores));
    if (split(k, b)) {
        *over = split_block(k, b, MODE_INPUT, in);
        return;
    }
    work(k, b, MODE_INPUT);
    if (routed(k, b)) return_tokens(k, MODE_INPUT);
    *over = sum ? collective(k, GROUP_TENSOR, sp ? ACE_REDUCE_SCATTER : ACE_ALL_REDUCE, b,
                             MODE_INPUT, bytes, 0)
                : PLAN_NONE;
}

/* With sp: gathers the block's input again for the gradient of its weights, after `last`. */
static uint32_t gather_kept(stage_builder *k, work_block b, uint32_t last) {
    const unsigned befores = k->befores;
    uint32_t id = PLAN_NONE;

    if (!summed(k, b) || !k->p->s.sequence || (k->p->s.lora && b != BLOCK_ATTENTION)) return id;
    and_for(k, last);
    id = collective(k, GROUP_TENSOR, ACE_ALL_GATHER, b, MODE_WEIGHT, tensor_bytes(k->p), 1);
    k->befores = befores;
    return id;
}

static void backward_block(stage_builder *k, work_block b) {
    uint32_t kept, over, in[SPLIT_MOST];

    gather_gradient(k, b, in);
    kept = gather_kept(k, b, split(k, b) ? in[k->p->s.split - 1] : PLAN_NONE);
    input_block(k, b, in, &over);
    and_for(k, kept);
    compute(k, b, MODE_WEIGHT);
    and_for(k, over);
}

/* For schedules in which the weights' gradients are separate passes. */
static void input_of_block(stage_builder *k, work_block b) {
    uint32_t over, in[SPLIT_MOST];

    gather_gradient(k, b, in);
    input_block(k, b, in, &over);
    if (over != PLAN_NONE) then(k, over);
}
static void weight_of_block(stage_builder *k, work_block b) {
    const uint32_t kept = gather_kept(k, b, PLAN_NONE);

    if (kept != PLAN_NONE) then(k, kept);
    compute(k, b, MODE_WEIGHT);
}

static void backward_layer(stage_builder *k, pipeline_pass pass) {
    void (*const block)(stage_builder *, work_block) = pass == PIPELINE_W ? weight_of_block
                                                       : k->list->split   ? input_of_block
                                                                          : backward_block;

    if (pass == PIPELINE_B && k->p->s.recompute == RECOMPUTE_FULL) forward_layer(k, MODE_AGAIN);
    if (moe(k)) block(k, BLOCK_EXPERTS);
    if (model_layer_has_mlp(layer_of(k))) block(k, BLOCK_MLP);
    if (model_layer_mixes(layer_of(k))) block(k, BLOCK_ATTENTION);
}

/* ---- entries of the list ------------------------------------------------------------------- */

/* The message of micro-batch i that virtual stage x makes in a pass. */
static uint32_t boundary(const stage_builder *k, pipeline_pass pass, uint32_t x) {
    return ((pass == PIPELINE_B ? virtual_stages(k) : 0) + x) * k->list->micro_batches +
           k->micro_batch;
}

/* Messages go between stages. Chunks of one stage pass data on in the order of the stage's list. */
static bool has_input(const stage_builder *k, pipeline_pass pass) {
    const uint32_t x = virtual_stage(k);

    return k->list->stages > 1 &&
           ((pass == PIPELINE_F && x > 0) || (pass == PIPELINE_B && x + 1 < virtual_stages(k)));
}
static bool has_output(const stage_builder *k, pipeline_pass pass) {
    const uint32_t x = virtual_stage(k);

    return k->list->stages > 1 &&
           ((pass == PIPELINE_B && x > 0) || (pass == PIPELINE_F && x + 1 < virtual_stages(k)));
}

static void forward_pass(stage_builder *k) {
    const uint32_t first = first_layer(k), count = layers(k);

    for (uint32_t i = first; i < first + count; i++) {
        k->layer = i;
        gather_next(k, i + 1 < first + count, i + 1, MODE_FORWARD);
        forward_layer(k, MODE_FORWARD);
    }
    if (virtual_stage(k) + 1 == virtual_stages(k)) compute(k, BLOCK_OUTPUT, MODE_FORWARD);
}

static void backward_pass(stage_builder *k, pipeline_pass pass) {
    const uint32_t first = first_layer(k), count = layers(k);
    const bool weights = pass == PIPELINE_W || !k->list->split;
    const bool last = weights && !--k->left[k->chunk];

    k->layer = first + count - (count > 0);
    if (virtual_stage(k) + 1 == virtual_stages(k)) {
        if (pass == PIPELINE_B) compute(k, BLOCK_OUTPUT, MODE_INPUT);
        if (weights) compute(k, BLOCK_OUTPUT, MODE_WEIGHT);
    }
    for (uint32_t i = first + count; i-- > first;) {
        k->layer = i;
        if (pass == PIPELINE_B) gather_next(k, i > first, i - 1, MODE_INPUT);
        backward_layer(k, pass);
        if (weights) layer_done(k, last);
    }
    if (weights && virtual_stage(k) == 0 && !k->p->s.lora) compute(k, BLOCK_EMBEDDING, MODE_WEIGHT);
}

static void make_entry(stage_builder *k, const pipeline_entry *e, plan_entry *to) {
    const uint32_t x = (k->chunk = e->chunk, virtual_stage(k)), count = layers(k);
    const double bytes = boundary_bytes(k->p);
    const work_mode how = e->pass == PIPELINE_F ? MODE_FORWARD : MODE_INPUT;

    k->micro_batch = e->micro_batch;
    k->layer = first_layer(k) + (e->pass == PIPELINE_F || !count ? 0 : count - 1);
    to->first = k->to->nodes;
    if (e->pass != PIPELINE_W) gather_first(k, k->layer, how);
    if (has_input(k, e->pass))
        and_for(k, receive(k, GROUP_PIPELINE, how,
                           boundary(k, e->pass, e->pass == PIPELINE_F ? x - 1 : x + 1), bytes));
    if (e->pass == PIPELINE_F)
        forward_pass(k);
    else
        backward_pass(k, e->pass);
    to->end[0] = to->end[1] = PLAN_NONE;
    for (unsigned i = 0; i < k->befores && i < 2; i++) to->end[i] = k->before[i];
    if (has_output(k, e->pass))
        (void)add_message(k, GRAPH_SEND, GROUP_PIPELINE, how, boundary(k, e->pass, x), bytes);
    to->past = k->to->nodes;
}

/* ---- behind the lists ---------------------------------------------------------------------- */

static void wait_for_all(stage_builder *k) {
    for (size_t i = 0; i < k->awaiteds; i++) add_parent(k, k->awaited[i]);
    k->awaiteds = 0;
}

static double own_ends(const stage_builder *k) {
    return k->p->s.lora ? 0 : strategy_stage(&k->p->s, &k->p->m, k->r).ends;
}

static void reduce_ends(stage_builder *k) {
    const double bytes = (double)k->p->s.gradient_bytes * model_end_parameters(&k->p->m).embedding /
                         (double)k->p->s.degree[AXIS_TP];

    k->pending[0] += k->p->s.zero == 3 ? 0 : own_ends(k);
    reduce(k, k->pending, BLOCK_OUTPUT);
    if (k->p->s.lora || !divided(k, GROUP_TIED) || (k->r && k->r + 1 < k->list->stages)) return;
    for (size_t i = 0; i < k->awaiteds && i < 1; i++) and_for(k, k->awaited[k->awaiteds - 1]);
    await(k, collective(k, GROUP_TIED, ACE_ALL_REDUCE, BLOCK_OUTPUT, MODE_WEIGHT, bytes, -1));
    if (!k->failed) k->to->node[k->to->nodes - 1].gradient = true;
}

/* Gathers the updated parameters of each layer, and of the embedding and the output layer. */
static void gather(stage_builder *k) {
    for (k->chunk = 0; k->chunk < k->list->chunks; k->chunk++)
        for (uint32_t i = first_layer(k), n = i + layers(k); i < n; i++) {
            double own[2];

            k->layer = i;
            parameters_of(k, false, own);
            for (unsigned g = 0; g < 2; g++)
                if (divided(k, replicas[g]) && own[g] > 0)
                    await(k,
                          collective(k, replicas[g], ACE_ALL_GATHER, g ? BLOCK_EXPERTS : BLOCK_MLP,
                                     MODE_FORWARD, strategy_element_bytes(&k->p->s) * own[g], -1));
        }
    if (divided(k, GROUP_DATA) && own_ends(k) > 0)
        await(k, collective(k, GROUP_DATA, ACE_ALL_GATHER, BLOCK_OUTPUT, MODE_FORWARD,
                            strategy_element_bytes(&k->p->s) * own_ends(k), -1));
}

static void finish(stage_builder *k) {
    k->layer = 0;
    k->micro_batch = k->list->micro_batches - 1;
    reduce_ends(k);
    then(k, compute_range(k, BLOCK_OUTPUT, MODE_FORWARD, k->p->work.update[k->r]));
    wait_for_all(k);
    if (k->p->s.zero == 1 || k->p->s.zero == 2) gather(k);
    then(k, add_node(k, &(plan_node){ .kind = GRAPH_MARK }));
    wait_for_all(k);
}

static void make_stage(stage_builder *k) {
    const pipeline *l = k->list;
    const size_t first = l->first[k->r], count = l->first[k->r + 1] - first;
    const double largest =
        fmax(tensor_bytes(k->p),
             fmax(keys_bytes(k->p, true),
                  k->p->m.experts.count ? (double)k->p->s.expert_tensor * routed_bytes(k->p) : 0));

    k->to = &k->p->stage[k->r];
    k->to->entry = calloc(count, sizeof *k->to->entry);
    k->to->entries = (uint32_t)count;
    k->left = calloc(l->chunks, sizeof *k->left);
    k->failed = !k->to->entry || !k->left;
    for (unsigned i = 0; i < SLOTS; i++) k->slot[i] = give_address(k, round_up(largest));
    for (uint32_t i = 0; !k->failed && i < l->chunks; i++) k->left[i] = l->micro_batches;
    for (size_t i = 0; !k->failed && i < count; i++)
        make_entry(k, &l->entry[first + i], &k->to->entry[i]);
    if (!k->failed) finish(k);
    free(k->left);
    free(k->awaited);
}

/* ---- all of it ----------------------------------------------------------------------------- */

/* *to is NULL, without a message, if the plan has too many nodes. */
static int make_plan(const training_model *m, const strategy *s, const pipeline *l, uint64_t bucket,
                     strategy_plan **to) {
    strategy_plan *p = calloc(1, sizeof *p);
    bool ok, many;

    *to = NULL;
    if (!p) return message_no_memory();
    p->m = *m;
    p->s = *s;
    p->m.kv_heads =
        strategy_kv_heads(s, m); /* of all ranks, if several ranks have a copy of each */
    p->message_room = p->messages = 2 * l->stages * l->chunks * l->micro_batches;
    p->sender = calloc(p->message_room, sizeof *p->sender);
    p->stage = calloc(l->stages, sizeof *p->stage);
    ok = strategy_work_make(m, s, &p->work) && p->sender && p->stage;
    for (uint32_t r = 0; ok && r < l->stages; r++) {
        stage_builder k = { .p = p, .list = l, .r = r, .bucket = bucket, .gathered = PLAN_NONE };

        make_stage(&k);
        ok = !k.failed;
    }
    many = p->nodes >= PLAN_NODES;
    if (ok)
        *to = p;
    else
        strategy_plan_free(p);
    return ok || many ? EXIT_OK : message_no_memory();
}

int strategy_plan_make(const training_model *m, const strategy *s, const pipeline *l,
                       uint64_t bucket, strategy_plan **to) {
    const int rc = make_plan(m, s, l, bucket, to);

    if (rc != EXIT_OK || *to) return rc;
    fprintf(stderr,
            "acesim: found an iteration of more than %d operations, expected fewer layers "
            "or micro-batches\n",
            PLAN_NODES);
    return EXIT_USAGE;
}

int strategy_plan_try(const training_model *m, const strategy *s, const pipeline *l,
                      strategy_plan **to) {
    return make_plan(m, s, l, 0, to);
}

void strategy_plan_free(strategy_plan *p) {
    if (!p) return;
    for (uint64_t r = 0; p->stage && r < p->s.degree[AXIS_PP]; r++) {
        free(p->stage[r].node);
        free(p->stage[r].pool);
        free(p->stage[r].entry);
    }
    free(p->stage);
    free(p->sender);
    strategy_work_free(&p->work);
    free(p);
}

uint32_t strategy_plan_from(const strategy_plan *p, uint32_t r, const plan_node *n) {
    const uint32_t stages = (uint32_t)p->s.degree[AXIS_PP];

    if (n->group != GROUP_PIPELINE) return r;
    return n->mode == MODE_FORWARD ? (r + stages - 1) % stages : (r + 1) % stages;
}
