/* SPDX-License-Identifier: Apache-2.0 */
/*
 * activations.c -- the bytes that a layer keeps for its backward pass, term by term
 *
 * Each term has a name and a formula in the symbols of footprint.h, next to the expression that
 * computes it. The same walk sums the bytes and lists the terms.
 */
#include <math.h>

#include "footprint.h"
#include "model_work.h"

/* Terms of a layer while they are collected. */
typedef struct collector {
    footprint_term *term;
    unsigned *terms;
    double sum;
    bool wide;   /* elements of 32 bits */
    bool frozen; /* inputs of products whose weights have no gradient are not kept */
} collector;

static void collect(collector *c, const footprint_term *t) {
    if (!(t->bytes > 0)) return;
    c->sum += t->bytes;
    if (c->term) c->term[(*c->terms)++] = *t;
}

/* bytes: of elements of 16 bits. */
static void keep(collector *c, const char *name, const char *formula, double bytes) {
    collect(c, &(footprint_term){ FOOTPRINT_ACTIVATIONS, name, formula, (c->wide ? 2 : 1) * bytes,
                                  c->wide });
}

/* Adds data with the same bytes in each precision: masks, and values that are always FP32. */
static void keep_bytes(collector *c, const char *name, const char *formula, double bytes) {
    collect(c, &(footprint_term){ FOOTPRINT_ACTIVATIONS, name, formula, bytes, false });
}

/* unit: b s h / c bytes. u: the divisor of tensors that tensor parallelism does not divide. */
typedef struct units {
    double tokens, unit, u, t, h;
} units;

/* The scores of a sequence are a square matrix. Context parallelism divides one of its sides. Where
 * ranks exchange heads, the kernel's output is kept for its backward pass, and the projection keeps
 * what the exchange made of it (Transformer Engine 2.11, AttnFuncWithCPAndQKVOA2A). */
static void keep_scores(const training_model *m, const strategy *s, const units *n, collector *c) {
    const double square = (double)m->heads * (double)m->sequence * n->tokens / n->t;

    if (s->fused) {
        keep_bytes(c, "log of the softmax's sums", "4 b a s / t",
                   4 * (double)m->heads * n->tokens / n->t);
        if (s->exchange && s->degree[AXIS_CP] > 1)
            keep(c, "output of attention before heads are exchanged", "2 b s a q / t",
                 2 * (double)m->heads * model_value_size(m) * n->tokens / n->t);
        return;
    }
    if (s->recompute == RECOMPUTE_SELECTIVE) return;
    keep(c, "softmax", "2 b a s s / t", 2 * square);
    if (!m->dropout) return;
    keep_bytes(c, "mask of the softmax", "b a s s / t", square);
    keep(c, "softmax behind its mask", "2 b a s s / t", 2 * square);
}

static void keep_latent(const training_model *m, const units *n, collector *c) {
    const double a = (double)m->heads, rope = (double)m->latent.rotary_size;
    const double rq = (double)m->latent.query_rank, rk = (double)m->latent.key_value_rank;

    keep(c, "latent queries, keys and values, and their norms' inputs",
         "4 b s (rq + rk) + 2 b s rope", (4 * (rq + rk) + 2 * rope) * n->tokens / n->u);
    keep(c, "queries and keys", "4 b s a (q + rope) / t",
         4 * a * model_key_size(m) * n->tokens / n->t);
    keep(c, "values", "2 b s a v / t", 2 * a * model_value_size(m) * n->tokens / n->t);
}

static void keep_attention(const training_model *m, const strategy *s, const units *n,
                           collector *c) {
    const double a = (double)m->heads, q = (double)m->head_size;
    const double k = (double)strategy_kv_heads(s, m);

    keep(c, "input of query, key, value", "2 b s h / u", 2 * n->unit / n->u);
    if (m->latent.key_value_rank) {
        keep_latent(m, n, c);
    } else {
        keep(c, "queries and keys", "2 b s (a + k) q / t", 2 * (a + k) * q * n->tokens / n->t);
        keep(c, "values", "2 b s k q / t", 2 * k * q * n->tokens / n->t);
    }
    keep_scores(m, s, n, c);
    keep(c, "input of the projection", "2 b s a q / t",
         2 * a * model_value_size(m) * n->tokens / n->t);
    keep(c, "adapters behind their first matrices", "4 b s r", 4 * (double)s->lora * n->tokens);
    if (m->dropout) keep_bytes(c, "mask behind attention", "b s h / u", n->unit / n->u);
}

/* The scan's inputs are computed again from what the first product gave, as the public kernels do
 * (state-spaces/mamba, mamba_split_conv1d_scan_combined). */
static void keep_mamba(const training_model *m, const units *n, collector *c) {
    const double inner = (double)(m->mamba.heads * m->mamba.head_size);

    keep(c, "input of the Mamba-2 block", "2 b s h / u", 2 * n->unit / n->u);
    keep(c, "output of its first product", "2 b s (2 d + 2 g N + a') / t",
         2 * model_mamba_width(&m->mamba) * n->tokens / n->t);
    keep(c, "output of the scan", "2 b s d / t", 2 * inner * n->tokens / n->t);
    keep(c, "input of the projection", "2 b s d / t", 2 * inner * n->tokens / n->t);
}

/* rows_of_ffn: tokens times the width of the MLP, divided by the ranks that share them. */
static void keep_mlp(const training_model *m, double rows_of_ffn, const char *const name[3],
                     const char *const formula[3], collector *c) {
    if (m->gated) {
        keep(c, name[0], formula[0], 4 * rows_of_ffn);
    } else {
        keep(c, name[2], formula[1], 2 * rows_of_ffn);
    }
    if (!c->frozen) keep(c, name[1], formula[1], 2 * rows_of_ffn);
}

static void keep_dense(const training_model *m, const units *n, double ffn, collector *c) {
    static const char *const name[] = { "gate and up", "input of the MLP's second product",
                                        "input of GeLU" };
    static const char *const formula[] = { "4 b s f / t", "2 b s f / t", "2 b s f / t" };

    keep_mlp(m, n->tokens * ffn / n->t, name, formula, c);
}

/* Tokens are divided over the ranks of tensor parallelism before they are routed. Ranks that
 * share a divided expert gather their tokens in front of the expert, and keep the gathered ones. */
static void keep_experts(const training_model *m, const strategy *s, const units *n, collector *c) {
    static const char *const name[] = { "gate and up of experts",
                                        "input of experts' second product",
                                        "input of experts' GeLU" };
    static const char *const formula[] = { "4 b s top C fe / t", "2 b s top C fe / t",
                                           "2 b s top C fe / t" };
    const model_experts *x = &m->experts;
    const double own = n->tokens / n->t, all = (double)x->count, top = (double)x->top;
    const double padded = x->capacity > 0 ? all * ceil(x->capacity * own * top / all) : own * top;

    keep_bytes(c, "router's probabilities", "4 b s E / t", 4 * own * all);
    keep(c, "input of experts", s->expert_tensor > 1 ? "2 b s h top C x / t" : "2 b s h top C / t",
         2 * padded * n->h * (double)s->expert_tensor);
    keep_mlp(m, padded * (double)x->ffn, name, formula, c);
    keep(c, "output of experts", "2 b s h top C / t", 2 * padded * n->h);
    if (x->shared_ffn) keep_dense(m, n, (double)x->shared_ffn, c);
}

double footprint_layer_activations(const training_model *m, model_layer l, const strategy *s,
                                   footprint_term *term, unsigned *terms) {
    static const char *const norms[2][3] = {
        { "2 b s h / u", "4 b s h / u", "6 b s h / u" },
        { "4 b s h / u", "8 b s h / u", "12 b s h / u" },
    };
    const double t = (double)s->degree[AXIS_TP], h = (double)m->hidden;
    const double tokens = (double)s->micro_batch * (double)m->sequence / (double)s->degree[AXIS_CP];
    const units n = { tokens, tokens * h, s->sequence ? t : 1, t, h };
    collector c = { term, terms, 0, s->precision != PRECISION_16, s->lora > 0 };

    keep(&c, "inputs of norms", norms[m->post_norms][l.only ? 0 : 1 + l.cross],
         (m->post_norms ? 4 : 2) *
             (l.only    ? 1
              : l.cross ? 3
                        : 2) *
             n.unit / n.u);
    if (l.only == LAYER_OF_MAMBA)
        keep_mamba(m, &n, &c);
    else if (model_layer_mixes(l))
        keep_attention(m, s, &n, &c);
    if (l.cross) keep_attention(m, s, &n, &c);
    if (!model_layer_has_mlp(l)) return c.sum;
    if (!c.frozen) keep(&c, "input of the MLP", "2 b s h / u", 2 * n.unit / n.u);
    if (l.moe)
        keep_experts(m, s, &n, &c);
    else
        keep_dense(m, &n, (double)m->ffn, &c);
    if (m->dropout) keep_bytes(&c, "mask behind the MLP", "b s h / u", n.unit / n.u);
    return c.sum;
}
