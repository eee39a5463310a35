/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_traffic.c -- lists the messages of a stage, one line for each kind of parallelism
 *
 * Each line has the tensor's bytes, the size of the group, how often the message occurs and the
 * formula. Lines whose group has one member are left out.
 */
#include "strategy_traffic.h"

#include <math.h>

const char *const traffic_names[TRAFFIC_KINDS] = { "all-reduce", "reduce-scatter", "all-gather",
                                                   "all-to-all", "send" };

double traffic_sent(const traffic_message *t) {
    const double part = (t->group - 1) / t->group;

    return t->kind == TRAFFIC_SEND         ? t->bytes
           : t->kind == TRAFFIC_ALL_REDUCE ? 2 * part * t->bytes
                                           : part * t->bytes;
}

/* The list while it is being made. */
typedef struct talk {
    const training_model *m;
    const strategy *s;
    uint64_t stage;
    traffic_message *to;
    unsigned count;
    double t, c, tensor;         /* A */
    double element;              /* bytes of one */
    double tokens;               /* b s / c */
    double layers, crossed, moe; /* of the stage */
    double mixed;                /* layers that have attention */
    double blocks;               /* of these layers: attention, MLP or the one that they have */
    double again; /* 1 with full recomputation, because the forward pass runs a second time */
} talk;

static void say(talk *k, const char *what, const char *when, traffic_kind kind, const char *formula,
                double bytes, double group, double count) {
    if (group > 1 && bytes > 0 && count > 0)
        k->to[k->count++] = (traffic_message){ what, when, kind, formula, bytes, group, count };
}

/* Returns the number of blocks of a stage's layers that end in a sum over the ranks: attention,
 * cross attention, MLP. Experts are not divided and need no sum; experts that all tokens share
 * do. */
static double summed_blocks(const talk *k) {
    const double experts = k->m->experts.shared_ffn ? 0 : k->moe;

    return k->blocks + k->crossed - experts;
}

/* Adds the messages of n blocks, with each tensor in `parts` parts. */
static void say_blocks(talk *k, double n, double parts) {
    static const char what[] = "tensor parallelism";
    const char *const formula = parts > 1 ? "A / split" : "A";
    const double bytes = k->tensor / parts, forward = parts * n * (1 + k->again);

    if (!k->s->sequence) {
        say(k, what, "forward", TRAFFIC_ALL_REDUCE, formula, bytes, k->t, forward);
        say(k, what, "backward", TRAFFIC_ALL_REDUCE, formula, bytes, k->t, parts * n);
        return;
    }
    say(k, what, "forward", TRAFFIC_ALL_GATHER, formula, bytes, k->t, forward);
    say(k, what, "forward", TRAFFIC_REDUCE_SCATTER, formula, bytes, k->t, forward);
    say(k, what, "backward", TRAFFIC_ALL_GATHER, formula, bytes, k->t, parts * n);
    say(k, what, "backward", TRAFFIC_REDUCE_SCATTER, formula, bytes, k->t, parts * n);
    /* For the gradients of weights, which of a frozen layer attention's adapters alone have. */
    say(k, what, "backward, kept inputs", TRAFFIC_ALL_GATHER, "A", k->tensor, k->t,
        k->s->lora ? n * k->mixed / k->blocks : n);
}

/* The experts that all tokens share are not split. */
static void say_tensor(talk *k) {
    const double m = (double)k->s->micro_batches, shared = k->m->experts.shared_ffn ? k->moe : 0;

    say_blocks(k, (summed_blocks(k) - shared) * m, k->s->split > 1 ? (double)k->s->split : 1);
    say_blocks(k, shared * m, 1);
}

static void say_context(talk *k) {
    static const char what[] = "context parallelism";
    const training_model *m = k->m;
    const double heads = (double)(m->latent.key_value_rank ? m->heads : strategy_kv_heads(k->s, m));
    const double wide = k->element * k->tokens, all = (double)m->heads;
    const double key = wide * heads * model_key_size(m) / k->t;
    const double value = wide * heads * model_value_size(m) / k->t;
    const double query = wide * all * model_key_size(m) / k->t;
    const double output = wide * all * model_value_size(m) / k->t;
    const double n = (k->layers + k->crossed) * (double)k->s->micro_batches, f = n * (1 + k->again);

    if (!k->s->exchange) {
        say(k, what, "forward, keys and values", TRAFFIC_SEND, "2 A (k/a) / t", key + value, k->c,
            f * (k->c - 1));
        say(k, what, "backward, and their gradients", TRAFFIC_SEND, "4 A (k/a) / t",
            2 * (key + value), k->c, n * (k->c - 1));
        return;
    }
    say(k, what, "queries", TRAFFIC_ALL_TO_ALL, "A / t", query, k->c, f + n);
    say(k, what, "keys", TRAFFIC_ALL_TO_ALL, "A (k/a) / t", key, k->c, f + n);
    say(k, what, "values", TRAFFIC_ALL_TO_ALL, "A (k/a) / t", value, k->c, f + n);
    say(k, what, "output", TRAFFIC_ALL_TO_ALL, "A / t", output, k->c, f + n);
}

/* Ranks that share a divided expert gather their tokens in front of it, then sum its results. */
static void say_divided_experts(talk *k, double routed, double n) {
    static const char what[] = "tensor parallelism of experts";
    static const char formula[] = "A top C x / t";
    const double x = (double)k->s->expert_tensor, forward = n * (1 + k->again);

    say(k, what, "forward", TRAFFIC_ALL_GATHER, formula, x * routed, x, forward);
    say(k, what, "forward", TRAFFIC_REDUCE_SCATTER, formula, x * routed, x, forward);
    say(k, what, "backward", TRAFFIC_ALL_GATHER, formula, x * routed, x, n);
    say(k, what, "backward", TRAFFIC_REDUCE_SCATTER, formula, x * routed, x, n);
}

static void say_experts(talk *k) {
    static const char what[] = "expert parallelism";
    const model_experts *x = &k->m->experts;
    const double own = k->tokens / k->t, all = (double)x->count, top = (double)x->top;
    const double routed = x->capacity > 0 ? all * ceil(x->capacity * own * top / all) : own * top;
    const double bytes = k->element * (double)k->m->hidden * routed;
    const double n = 2 * k->moe * (double)k->s->micro_batches; /* to the experts and back */

    say(k, what, "forward", TRAFFIC_ALL_TO_ALL, "A top C / t", bytes, (double)k->s->experts,
        n * (1 + k->again));
    say(k, what, "backward", TRAFFIC_ALL_TO_ALL, "A top C / t", bytes, (double)k->s->experts, n);
    say_divided_experts(k, bytes, n / 2);
}

static void say_pipeline(talk *k) {
    const double p = (double)k->s->degree[AXIS_PP], v = (double)k->s->chunks;
    const double m = (double)k->s->micro_batches, last = p - 1, r = (double)k->stage;
    const bool divided = k->s->sequence && k->t > 1;
    const double bytes = divided ? k->tensor / k->t : k->tensor;
    const char *const formula = divided ? "A / t" : "A";

    if (p < 2) return;
    say(k, "pipeline", "forward", TRAFFIC_SEND, formula, bytes, 2, m * (r < last ? v : v - 1));
    say(k, "pipeline", "backward", TRAFFIC_SEND, formula, bytes, 2, m * (r > 0 ? v : v - 1));
}

static void say_gradients(talk *k, const char *what, double parameters, double replicas,
                          const char *const formula[2]) {
    const strategy *s = k->s;
    const double g = (double)s->gradient_bytes * parameters, w = k->element * parameters;
    const double m = (double)s->micro_batches;

    switch (s->zero) {
    case 0: say(k, what, "gradients", TRAFFIC_ALL_REDUCE, formula[0], g, replicas, 1); break;
    case 3:
        say(k, what, "parameters, forward", TRAFFIC_ALL_GATHER, formula[1], w, replicas, m);
        say(k, what, "parameters, backward", TRAFFIC_ALL_GATHER, formula[1], w, replicas, m);
        say(k, what, "gradients", TRAFFIC_REDUCE_SCATTER, formula[0], g, replicas, m);
        break;
    default:
        say(k, what, "gradients", TRAFFIC_REDUCE_SCATTER, formula[0], g, replicas, 1);
        say(k, what, "parameters", TRAFFIC_ALL_GATHER, formula[1], w, replicas, 1);
    }
}

static void say_replicas(talk *k) {
    const strategy *s = k->s;
    const bool wide = s->precision != PRECISION_16;
    const char *const dense[] = { "g P", wide ? "4 P" : "2 P" };
    const char *const experts[] = { "g Pe", wide ? "4 Pe" : "2 Pe" };
    const end_parameters e = model_end_parameters(k->m);
    const uint64_t p = s->degree[AXIS_PP];
    const stage_parameters n = strategy_stage(s, k->m, k->stage);

    say_gradients(k, "data parallelism", s->lora ? n.adapters : n.dense + n.ends,
                  strategy_replicas(s), dense);
    if (!s->lora)
        say_gradients(k, "data parallelism of experts", n.experts, strategy_expert_replicas(s),
                      experts);
    if (!s->lora && k->m->tied && p > 1 && (k->stage == 0 || k->stage == p - 1))
        say(k, "tied embedding", "gradients", TRAFFIC_ALL_REDUCE, "g W h / t",
            (double)s->gradient_bytes * e.embedding / k->t, 2, 1);
    say(k, "gradients' norm and overflow", "before the update", TRAFFIC_ALL_REDUCE, "4", 4,
        (double)strategy_ranks(s), 2);
}

/* Tables are dealt to the ranks, and each rank loads its own samples. */
static void say_dlrm(talk *k) {
    const model_dlrm *d = &k->m->dlrm;
    const double n = (double)k->s->degree[AXIS_DP], b = (double)k->s->micro_batch;
    const double vectors = b * (double)d->tables, bytes = k->element * vectors * (double)d->width;
    const char *const formula = k->s->precision == PRECISION_16 ? "2 b T D" : "4 b T D";
    const double mlps =
        mlp_parameters(&d->bottom, k->m->biases) + mlp_parameters(&d->top, k->m->biases);

    say(k, "indices", "before the lookup", TRAFFIC_ALL_TO_ALL, "8 b T F",
        8 * vectors * (double)d->lookups, n, 1);
    say(k, "looked-up vectors", "forward", TRAFFIC_ALL_TO_ALL, formula, bytes, n, 1);
    say(k, "gradients of vectors", "backward", TRAFFIC_ALL_TO_ALL, formula, bytes, n, 1);
    say(k, "data parallelism of the MLPs", "gradients", TRAFFIC_ALL_REDUCE, "g P",
        (double)k->s->gradient_bytes * mlps, n, 1);
}

unsigned strategy_messages(const training_model *m, const strategy *s, uint64_t stage,
                           traffic_message to[TRAFFIC_MESSAGES]) {
    talk k = { .m = m,
               .s = s,
               .stage = stage,
               .to = to,
               .t = (double)s->degree[AXIS_TP],
               .c = (double)s->degree[AXIS_CP],
               .element = strategy_element_bytes(s),
               .again = s->recompute == RECOMPUTE_FULL };

    if (m->kind == MODEL_DLRM) {
        say_dlrm(&k);
        return k.count;
    }
    k.tokens = (double)s->micro_batch * (double)m->sequence / k.c;
    k.tensor = k.element * k.tokens * (double)m->hidden;
    for (uint64_t x = stage; x < s->degree[AXIS_PP] * s->chunks; x += s->degree[AXIS_PP]) {
        const uint64_t first = strategy_first_layer(s, m, x);

        for (uint64_t i = first; i < first + strategy_layers(s, m, x); i++) {
            const model_layer l = model_layer_at(m, i);

            k.layers++;
            k.blocks += l.only ? 1 : 2;
            k.mixed += model_layer_mixes(l);
            k.crossed += l.cross;
            k.moe += l.moe;
        }
    }
    say_tensor(&k);
    say_context(&k);
    say_experts(&k);
    say_pipeline(&k);
    say_replicas(&k);
    return k.count;
}
