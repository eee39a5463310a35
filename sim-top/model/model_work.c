/* SPDX-License-Identifier: Apache-2.0 */
/*
 * model_work.c -- matrix products of a layer on one rank, and FLOPs of an iteration
 *
 * The list of products is the base. FLOPs and the simulated operations both come from this list, so
 * they agree. Bytes of vector operations are counted by kind.
 */
#include "model_work.h"

#include <math.h>

double model_gemm_flops(const model_gemm *g) { return 2 * g->count * g->m * g->n * g->k; }

/* Sizes of one rank, named as in the formulas. */
typedef struct sizes {
    double t, e, x;
    double tokens; /* T = b s / c */
    double h, a, k, b, s, c;
    double parts; /* of the queries of a head: c, or 1 where ranks exchange heads */
} sizes;

static sizes sizes_of(const training_model *m, const strategy *s) {
    const double b = (double)s->micro_batch, c = (double)s->degree[AXIS_CP];

    return (sizes){ .t = (double)s->degree[AXIS_TP],
                    .e = (double)s->experts,
                    .x = (double)s->expert_tensor,
                    .tokens = b * (double)m->sequence / c,
                    .h = (double)m->hidden,
                    .a = (double)m->heads,
                    .k = (double)strategy_kv_heads(s, m),
                    .b = b,
                    .s = (double)m->sequence,
                    .c = c,
                    .parts = s->exchange ? 1 : c };
}

/* ---- products ------------------------------------------------------------------------------ */

static void add(model_gemm *to, unsigned *n, const char *what, double count, double rows,
                double columns, double inner) {
    to[(*n)++] = (model_gemm){ .what = what, .count = count, .m = rows, .n = columns, .k = inner };
}

static void add_scores(const training_model *m, const sizes *z, model_gemm *to, unsigned *n) {
    const double key = model_key_size(m), value = model_value_size(m);
    model_gemm p = { .what = "scores",
                     .count = z->b * z->a / z->t * z->parts / z->c,
                     .m = z->s / z->parts,
                     .n = z->s,
                     .k = key,
                     .activations = true,
                     .sequence = z->s / z->parts,
                     .width = key + value };

    p.heads = p.count;
    to[(*n)++] = p;
    p.what = "context";
    p.n = value;
    p.k = z->s;
    to[(*n)++] = p;
}

/* Adds the products of latent attention. Each rank of tensor parallelism computes the whole
 * down-projection, and the up-projection for its own heads. */
static void add_latent(const training_model *m, const sizes *z, model_gemm *to, unsigned *n) {
    const double rq = (double)m->latent.query_rank, rk = (double)m->latent.key_value_rank;
    const double q = (double)m->head_size, v = (double)m->latent.value_size;

    if (rq > 0) add(to, n, "query down", 1, z->tokens, rq, z->h);
    add(to, n, "query up", 1, z->tokens, z->a * model_key_size(m) / z->t, rq > 0 ? rq : z->h);
    add(to, n, "key value down", 1, z->tokens, rk + (double)m->latent.rotary_size, z->h);
    add(to, n, "key value up", 1, z->tokens, z->a * (q + v) / z->t, rk);
    add_scores(m, z, to, n);
    add(to, n, "projection", 1, z->tokens, z->h, z->a * v / z->t);
}

/* Adds two products of rank r. Their result is added to the frozen product's. */
static void add_adapter(const strategy *s, const sizes *z, double inputs, double outputs,
                        model_gemm *to, unsigned *n) {
    if (!s->lora) return;
    add(to, n, "adapter down", 1, z->tokens, (double)s->lora, inputs);
    add(to, n, "adapter up", 1, z->tokens, outputs, (double)s->lora);
}

static void add_attention(const training_model *m, const strategy *s, const sizes *z,
                          model_gemm *to, unsigned *n) {
    const double q = (double)m->head_size, outputs = (z->a + 2 * z->k) * q / z->t;

    add(to, n, "query, key, value", 1, z->tokens, outputs, z->h);
    to[*n - 1].frozen = s->lora > 0;
    add_adapter(s, z, z->h, outputs, to, n);
    add_scores(m, z, to, n);
    add_adapter(s, z, z->a * q / z->t, z->h, to, n);
    add(to, n, "projection", 1, z->tokens, z->h, z->a * q / z->t);
    to[*n - 1].frozen = s->lora > 0;
}

/* Adds the products of a scan in chunks of Q tokens (Dao and Gu 2024, section 6). Each group has
 * scores C B^T, and each head multiplies them by X. A chunk's state is B^T X. C times the states
 * before a chunk is added to its output. */
static void add_mamba(const training_model *m, const sizes *z, model_gemm *to, unsigned *n) {
    const model_mamba *x = &m->mamba;
    const double q = (double)x->chunk, state = (double)x->state, p = (double)x->head_size;
    const double chunks = z->tokens / q, heads = chunks * (double)x->heads / z->t;
    const model_gemm scan[] = {
        { .what = "chunk scores",
          .count = chunks * (double)x->groups / z->t,
          .m = q,
          .n = q,
          .k = state },
        { .what = "chunk outputs", .count = heads, .m = q, .n = p, .k = q },
        { .what = "chunk states", .count = heads, .m = state, .n = p, .k = q },
        { .what = "states' outputs", .count = heads, .m = q, .n = p, .k = state },
    };

    add(to, n, "in projection", 1, z->tokens, model_mamba_width(x) / z->t, z->h);
    for (unsigned i = 0; i < sizeof scan / sizeof *scan; i++) {
        to[*n] = scan[i];
        to[(*n)++].activations = true;
    }
    add(to, n, "projection", 1, z->tokens, z->h, (double)x->heads * p / z->t);
}

/* The matrices of a gate and of its values lie side by side, so one product has the columns of
 * both. */
static void add_mlp(const training_model *m, const sizes *z, double ffn, model_gemm *to,
                    unsigned *n) {
    add(to, n, "MLP up", 1, z->tokens, (model_gates(m) - 1) * ffn / z->t, z->h);
    add(to, n, "MLP down", 1, z->tokens, z->h, ffn / z->t);
}

/* Tensor parallelism divides a rank's tokens, which go to all experts. A rank's own E / e experts
 * get the tokens of e ranks, or of e x ranks where x ranks divide each expert. */
static void add_experts(const training_model *m, const sizes *z, model_gemm *to, unsigned *n) {
    const model_experts *x = &m->experts;
    const double all = (double)x->count, own = z->tokens / z->t;
    const double sent = own * (double)x->top / all;
    const double rows = z->x * z->e * (x->capacity > 0 ? ceil(x->capacity * sent) : sent);

    add(to, n, "router", 1, own, all, z->h);
    add(to, n, "expert up", all / z->e, rows, (model_gates(m) - 1) * (double)x->ffn / z->x, z->h);
    add(to, n, "expert down", all / z->e, rows, z->h, (double)x->ffn / z->x);
    if (x->shared_ffn) add_mlp(m, z, (double)x->shared_ffn, to, n);
}

unsigned model_layer_gemms(const training_model *m, model_layer l, const strategy *s,
                           model_gemm to[LAYER_GEMMS]) {
    const sizes z = sizes_of(m, s);
    unsigned n = 0, blocks;

    if (l.only == LAYER_OF_MAMBA)
        add_mamba(m, &z, to, &n);
    else if (model_layer_mixes(l) && m->latent.key_value_rank)
        add_latent(m, &z, to, &n);
    else if (model_layer_mixes(l))
        add_attention(m, s, &z, to, &n);
    if (l.cross) add_attention(m, s, &z, to, &n);
    blocks = l.only == LAYER_OF_MAMBA ? 0 : n;
    if (l.moe)
        add_experts(m, &z, to, &n);
    else if (model_layer_has_mlp(l))
        add_mlp(m, &z, (double)m->ffn, to, &n);
    for (unsigned i = blocks; i < n; i++) to[i].frozen = s->lora > 0 && !to[i].activations;
    return n;
}

model_gemm model_logits_gemm(const training_model *m, const strategy *s) {
    const sizes z = sizes_of(m, s);

    return (model_gemm){ .what = "logits",
                         .count = 1,
                         .m = z.tokens,
                         .n = (double)m->vocabulary / z.t,
                         .k = z.h,
                         .frozen = s->lora > 0 };
}

double model_layer_flops(const training_model *m, model_layer l, const strategy *s,
                         double *scores) {
    model_gemm gemms[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(m, l, s, gemms);
    double sum = 0;

    *scores = 0;
    for (unsigned i = 0; i < n; i++) {
        sum += model_gemm_flops(&gemms[i]);
        if (gemms[i].activations && l.only != LAYER_OF_MAMBA)
            *scores += model_gemm_flops(&gemms[i]);
    }
    return sum;
}

/* ---- an iteration -------------------------------------------------------------------------- */

/* Forward FLOPs of one undivided sequence: of all layers, of the scores and context among them, and
 * of the logits. */
typedef struct forward_flops {
    double layers, scores, logits;
    double frozen; /* of these, products without a gradient of their weights */
} forward_flops;

static double frozen_flops(const training_model *m, model_layer l, const strategy *s) {
    model_gemm gemms[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(m, l, s, gemms);
    double sum = 0;

    for (unsigned i = 0; i < n; i++) sum += gemms[i].frozen ? model_gemm_flops(&gemms[i]) : 0;
    return sum;
}

static forward_flops forward(const training_model *m, uint64_t lora) {
    const strategy one = { .degree = { 1, 1, 1, 1 },
                           .experts = 1,
                           .expert_tensor = 1,
                           .micro_batch = 1,
                           .micro_batches = 1,
                           .chunks = 1,
                           .lora = lora };
    const model_gemm logits = model_logits_gemm(m, &one);
    forward_flops f = { .logits = model_gemm_flops(&logits) };

    if (lora) f.frozen = f.logits;
    training_model unpadded = *m;

    unpadded.experts.capacity = 0; /* padding is not work of the model */
    for (uint64_t i = 0; i < model_layers(m); i++) {
        double scores;

        f.layers += model_layer_flops(&unpadded, model_layer_at(m, i), &one, &scores);
        f.scores += scores;
        f.frozen += frozen_flops(&unpadded, model_layer_at(m, i), &one);
    }
    return f;
}

static double mlp_flops(const model_mlp *l) {
    double sum = 0;

    for (unsigned i = 1; i < l->sizes; i++) sum += 2 * (double)(l->size[i - 1] * l->size[i]);
    return sum;
}

/* Returns the FLOPs of a sample: its MLPs, the full square of its dot products, and the sums of
 * pooled rows. */
static double dlrm_flops(const model_dlrm *d) {
    const double t = (double)d->tables, w = (double)d->width;
    const double dots = d->interaction == INTERACTION_DOT ? 2 * w * (t + 1) * (t + 1) : 0;

    return mlp_flops(&d->bottom) + mlp_flops(&d->top) + dots + t * ((double)d->lookups - 1) * w;
}

double model_flops(const training_model *m, const strategy *s) {
    if (m->kind == MODEL_DLRM) return 3 * strategy_sequences(s) * dlrm_flops(&m->dlrm);
    const forward_flops f = forward(m, s->lora);

    return strategy_sequences(s) * (3 * (f.layers + f.logits) - f.frozen);
}

double model_executed_flops(const training_model *m, const strategy *s) {
    if (m->kind == MODEL_DLRM) return model_flops(m, s);
    const forward_flops f = forward(m, s->lora);
    const double again = s->recompute == RECOMPUTE_FULL        ? f.layers
                         : s->recompute == RECOMPUTE_SELECTIVE ? f.scores
                                                               : 0;

    return strategy_sequences(s) * (3 * (f.layers + f.logits) - f.frozen + again);
}

double model_adam_bytes(const strategy *s) { return s->precision == PRECISION_16 ? 30 : 28; }

double model_embedding_bytes(const strategy *s) {
    const double element = strategy_element_bytes(s);

    return s->lora ? 0 : 2 * element + 2 * (double)s->gradient_bytes;
}

/* ---- vectors ------------------------------------------------------------------------------- */

bool model_softmax_apart(const training_model *m, const strategy *s) {
    const uint64_t batches = s->micro_batch * m->heads / s->degree[AXIS_TP];

    return !s->fused && s->precision == PRECISION_16 && batches % 4 != 0;
}

/* Bytes of a score. Scale, mask and softmax are one kernel. Dropout is another; its mask takes a
 * byte. The fused softmax of Megatron-LM has 16 bits alone; in 32 the mask is a kernel, too. Where
 * it is not fused, scores are converted to FP32, scaled, masked, normalized and converted back. */
static double softmax_bytes(const training_model *m, const strategy *s) {
    const double read_and_written = 2 * strategy_element_bytes(s);
    const unsigned kernels = 1U + m->dropout + (s->precision != PRECISION_16);

    if (model_softmax_apart(m, s))
        return (2 + 4) + 3 * (4 + 4) + (4 + 2) + m->dropout * (read_and_written + 1);
    return kernels * read_and_written + m->dropout;
}

/* The convolution reads and writes x, B and C. The scan reads these and the steps, and writes y.
 * Each chunk has a state in FP32: written, read and written by the pass over chunks, read. The gate
 * and its norm read y and z and write. */
static double scan_bytes(const training_model *m, const strategy *s, double tokens) {
    const model_mamba *x = &m->mamba;
    const double inner = (double)(x->heads * x->head_size);
    const double convolved = inner + (double)(2 * x->groups * x->state);
    const double elements = 2 * convolved + (convolved + (double)x->heads + inner) + 3 * inner;

    return tokens * (strategy_element_bytes(s) * elements +
                     4 * 4 * inner * (double)x->state / (double)x->chunk);
}

/* Megatron-Core rotates queries and keys, each read and written. Latent attention joins the rotated
 * part of each head to the rest, and copies the values there. */
static double rotation_bytes(const training_model *m, const sizes *z) {
    if (m->positions != POSITIONS_ROTARY) return 0;
    if (!m->latent.key_value_rank)
        return 2 * z->tokens * (z->a + z->k) * (double)m->head_size / z->t;
    return 2 * z->tokens * z->a / z->t *
           (2 * model_key_size(m) + (double)(m->latent.rotary_size + m->latent.value_size));
}

/* A token is copied for each of its experts before the exchange. Behind the exchange, a rank with
 * several experts sorts what it got. Results take the same two steps back. */
static double routing_bytes(const training_model *m, const sizes *z) {
    const model_experts *const x = &m->experts;
    const double copies = (double)x->top * (x->capacity > 0 ? x->capacity : 1);
    const bool sorted = z->e > 1 && (double)x->count > z->e;

    return 2 * z->tokens * z->h / z->t * (1 + copies + (sorted ? 2 * copies : 0));
}

vector_bytes model_layer_vector_bytes(const training_model *m, model_layer l, const strategy *s) {
    const sizes z = sizes_of(m, s);
    const double unit = z.tokens * z.h; /* b s h, for a rank of context parallelism */
    const double whole = s->sequence ? z.t : 1;
    const double f = (double)m->ffn, times = l.cross ? 1.5 : 1;
    const double width = strategy_element_bytes(s) / 2;
    /* A norm reads and writes. A residual reads two tensors and writes one, and a mask takes one
     * byte. */
    vector_bytes v = { .norms = width * (m->post_norms ? 16 : 8) * times * unit / whole,
                       .residuals = (width * 12 + (m->dropout ? 2 : 0)) * times * unit / whole };

    if (l.only) {
        v.norms /= 2;
        v.residuals /= 2;
    }
    if (l.only == LAYER_OF_MAMBA) v.scan = scan_bytes(m, s, z.tokens) / z.t;
    if (l.moe)
        /* Each expert that a token passes reads and writes this. A gated MLP reads one matrix
         * more. */
        v.activation = width * (m->gated ? 6 : 4) * z.tokens / z.t *
                       ((double)(m->experts.ffn * m->experts.top) + (double)m->experts.shared_ffn);
    else if (model_layer_has_mlp(l))
        v.activation = width * (m->gated ? 6 : 4) * z.tokens * f / z.t;
    if (l.moe) v.routing = strategy_element_bytes(s) * routing_bytes(m, &z);
    if (model_layer_mixes(l) && l.only != LAYER_OF_MAMBA)
        v.rotations = strategy_element_bytes(s) * rotation_bytes(m, &z);
    if (!s->fused && model_layer_mixes(l) && l.only != LAYER_OF_MAMBA)
        v.softmax = softmax_bytes(m, s) * (l.cross ? 2 : 1) * z.tokens * z.a * z.s / z.t;
    return v;
}
