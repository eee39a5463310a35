/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_work.c -- operations of each block and mode, as ranges of one array
 *
 * Backward operations are derived from the products of the forward pass. A block that is computed
 * in parts gets the same products with a share of their rows.
 */
#include "strategy_work.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model_work.h"

const char *const work_block_names[BLOCKS] = { "attention",    "MLP",     "experts",
                                               "output layer", "queries", "scores",
                                               "projection",   "MLP up",  "MLP down",
                                               "embedding" };
const char *const work_mode_names[MODES] = { "forward", "forward again of", "input gradient of",
                                             "weight gradient of" };

static void add_operation(strategy_work *w, work_range *to, const operation *o) {
    if (w->count == w->room) {
        const uint32_t room = w->room ? 2 * w->room : 64;
        operation *more = realloc(w->operation, room * sizeof *more);

        if (!more) {
            w->failed = true;
            return;
        }
        w->operation = more;
        w->room = room;
    }
    if (!to->count) to->first = w->count;
    w->operation[w->count++] = *o;
    to->count++;
}

static uint64_t round_up(double v) { return (uint64_t)llround(ceil(v)); }

/* A product C (m x n) = A (m x k) B (k x n): Y = X w, dX = dY w^T and, as
 * PyTorch keeps w^T, dw^T = dY^T X. */
static void add_product(strategy_work *w, work_range *to, const model_gemm *p, gemm_layout layout,
                        double m, double n, double k) {
    add_operation(
        w, to,
        &(operation){ .what = p->what,
                      .class_ = OPERATION_GEMM,
                      .flops = round_up(2 * p->count * m * n * k),
                      .read_bytes = round_up(w->element * p->count * (m * k + k * n)),
                      .written_bytes = round_up(w->element * p->count * m * n),
                      .launches = 1,
                      .products = p->count,
                      .m = m,
                      .n = n,
                      .left_bytes = w->element * m * k,
                      .right_bytes = w->element * k * n,
                      .layout = layout,
                      .frozen = p->frozen,
                      .fused = w->fused && p->activations && p->heads > 0,
                      .attention = { p->heads, p->sequence, p->width, layout != GEMM_TN } });
}

/* Vector kernels of a block: a norm, a residual, and two of an activation or a softmax. Frameworks
 * with fused attention fuse these, too. */
enum { VECTOR_KERNELS = 4 };

/* Half of the bytes are read, half are written. */
static void add_vector(strategy_work *w, work_range *to, const char *what, double bytes) {
    if (bytes > 0)
        add_operation(w, to,
                      &(operation){ .what = what,
                                    .class_ = OPERATION_VECTOR,
                                    .read_bytes = round_up(bytes / 2),
                                    .written_bytes = round_up(bytes / 2),
                                    .launches = w->fused ? 1 : VECTOR_KERNELS });
}

/* A block in one mode: its products, then its vector operations. */
static void add_block(strategy_work *w, work_range *to, const model_gemm *p, unsigned count,
                      work_mode how, double vectors) {
    for (unsigned i = 0; i < count; i++) {
        const model_gemm *x = &p[i];

        if (how == MODE_FORWARD) add_product(w, to, x, GEMM_TN, x->m, x->n, x->k);
        if (how == MODE_INPUT) add_product(w, to, x, GEMM_NN, x->m, x->k, x->n);
        /* both inputs of scores are activations, and each has a gradient */
        if (how == MODE_INPUT && x->activations) add_product(w, to, x, GEMM_NT, x->n, x->k, x->m);
        if (how == MODE_WEIGHT && !x->activations && !x->frozen)
            add_product(w, to, x, w->sums, x->n, x->k, x->m);
    }
    if (how != MODE_WEIGHT) add_vector(w, to, "vectors", how == MODE_INPUT ? 2 * vectors : vectors);
}

/* The products of attention end with the projection. Those before experts end with the router. */
static unsigned behind(const model_gemm *p, unsigned count, const char *what) {
    for (unsigned i = 0; i < count; i++)
        if (!strcmp(p[i].what, what)) return i + 1;
    return 0;
}

/* `share` of the products of scores and context, and of the softmax between them. */
static void add_core(strategy_work *w, const model_gemm *p, unsigned count, double softmax,
                     double share, work_range to[MODES]) {
    for (unsigned i = 0; i < count; i++) {
        model_gemm part = p[i];

        if (!part.activations) continue;
        part.count *= share;
        add_product(w, &to[MODE_FORWARD], &part, GEMM_TN, part.m, part.n, part.k);
    }
    add_vector(w, &to[MODE_FORWARD], "vectors", share * softmax);
    for (unsigned i = 0; i < count; i++) {
        model_gemm part = p[i];

        if (!part.activations) continue;
        part.count *= share;
        add_product(w, &to[MODE_INPUT], &part, GEMM_NN, part.m, part.k, part.n);
        add_product(w, &to[MODE_INPUT], &part, GEMM_NT, part.n, part.k, part.m);
    }
    add_vector(w, &to[MODE_INPUT], "vectors", 2 * share * softmax);
}

/* The same products with a share of the rows of each. */
static void add_rows(strategy_work *w, work_range *to, const model_gemm *p, unsigned count,
                     work_mode how, double vectors, double share) {
    for (unsigned i = 0; i < count; i++) {
        model_gemm part = p[i];

        part.m *= share;
        add_block(w, to, &part, 1, how, 0);
    }
    add_block(w, to, NULL, 0, how, share * vectors);
}

/* Bytes that each pass moves once, where add_block() counts two for the backward pass. */
static double once(double bytes, work_mode how) { return how == MODE_INPUT ? bytes / 2 : bytes; }

static void make_parts(strategy_work *w, const model_gemm *p, unsigned count, double half,
                       const vector_bytes *v, const strategy *s, work_range to[BLOCKS][MODES]) {
    const double share = s->split > 1 ? 1 / (double)s->split : 1;
    unsigned queries = 0, rear = count;

    while (queries < count && !p[queries].activations) queries++;
    while (rear && !p[rear - 1].activations) rear--;
    for (work_mode how = 0; how < MODES; how++) {
        if (how == MODE_AGAIN) continue;
        add_rows(w, &to[BLOCK_QUERIES][how], p, queries, how, half + once(v->rotations, how),
                 share);
        add_rows(w, &to[BLOCK_PROJECTION][how], p + rear, count - rear, how, 0, share);
    }
    /* A ring computes with one block of keys after the other, an exchange with all of its heads. */
    add_core(w, p, count, v->softmax, s->exchange ? 1 : 1 / (double)s->degree[AXIS_CP],
             to[BLOCK_CORE]);
}

/* The last product of an MLP goes down. */
static void make_mlp_parts(strategy_work *w, const model_gemm *p, unsigned count, double vectors,
                           double share, work_range to[BLOCKS][MODES]) {
    for (work_mode how = 0; how < MODES; how++) {
        if (how == MODE_AGAIN) continue;
        add_rows(w, &to[BLOCK_UP][how], p, count - 1, how, vectors, share);
        add_rows(w, &to[BLOCK_DOWN][how], p + count - 1, 1, how, 0, share);
    }
}

static unsigned kind_of(model_layer l) { return l.only ? 1U + l.only : l.moe; }

/* A hybrid's layer: one block. */
static void make_hybrid(strategy_work *w, const training_model *m, const strategy *s,
                        model_block only) {
    const model_layer l = { .only = only };
    model_gemm p[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(m, l, s, p);
    const vector_bytes v = model_layer_vector_bytes(m, l, s);
    const work_block b = model_layer_mixes(l) ? BLOCK_ATTENTION : BLOCK_MLP;

    for (work_mode how = 0; how < MODES; how++) {
        if (how == MODE_AGAIN) continue; /* the forward pass */
        add_block(w, &w->block[kind_of(l)][b][how], p, n, how,
                  v.norms + v.residuals + v.softmax + v.activation + v.scan +
                      once(v.rotations, how));
    }
}

/* A softmax that is not fused is five kernels instead of one, forward and backward. */
enum { SOFTMAX_KERNELS_MORE = 4 };

static void add_softmax_kernels(strategy_work *w, const work_range *attention) {
    if (attention->count)
        w->operation[attention->first + attention->count - 1].launches += SOFTMAX_KERNELS_MORE;
}

static void make_layer(strategy_work *w, const training_model *m, const strategy *s, bool moe) {
    const model_layer l = { .moe = moe };
    model_gemm p[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(m, l, s, p);
    const unsigned attention = behind(p, n, "projection"), router = behind(p, n, "router");
    const vector_bytes v = model_layer_vector_bytes(m, l, s);
    const double half = (v.norms + v.residuals) / 2;

    for (work_mode how = 0; how < MODES; how++) {
        if (how == MODE_AGAIN) continue; /* the forward pass */
        add_block(w, &w->block[moe][BLOCK_ATTENTION][how], p, attention, how,
                  half + v.softmax + once(v.rotations, how));
        if (how != MODE_WEIGHT && model_softmax_apart(m, s))
            add_softmax_kernels(w, &w->block[moe][BLOCK_ATTENTION][how]);
        add_block(w, &w->block[moe][BLOCK_MLP][how], p + attention, (moe ? router : n) - attention,
                  how, half + (moe ? 0 : v.activation));
        if (moe)
            add_block(w, &w->block[moe][BLOCK_EXPERTS][how], p + router, n - router, how,
                      v.activation + once(v.routing, how));
    }
    if (s->degree[AXIS_CP] > 1 || s->split > 1)
        make_parts(w, p, attention, half, &v, s, w->block[moe]);
    if (s->split > 1 && !moe)
        make_mlp_parts(w, p + attention, n - attention, half + v.activation, 1 / (double)s->split,
                       w->block[moe]);
    for (unsigned i = 0; !moe && i < attention; i++)
        if (p[i].activations) add_product(w, &w->scores, &p[i], GEMM_TN, p[i].m, p[i].n, p[i].k);
    if (!moe) add_vector(w, &w->scores, "softmax", v.softmax);
}

/* Passes over Megatron-Core's buffer of FP32 gradients: it is set to zero, read for NaNs and
 * divided by the number of replicas. Then the norm of the rank's share is read, and the share is
 * scaled to the largest norm. Bytes of each gradient. */
enum { ZEROING_BYTES = 4, CHECKING_BYTES = 4, AVERAGING_BYTES = 8, CLIPPING_BYTES = 12 };

static bool has_buffer(const strategy *s) {
    return s->precision == PRECISION_16 && s->gradient_bytes == 4 && s->zero < 2 && !s->lora;
}

static void make_updates(strategy_work *w, const training_model *m, const strategy *s) {
    const double replicas = s->zero ? strategy_replicas(s) : 1;
    const double experts = s->zero ? strategy_expert_replicas(s) : 1;
    const double whole =
        ZEROING_BYTES + CHECKING_BYTES + (strategy_replicas(s) > 1 ? AVERAGING_BYTES : 0);

    for (uint64_t r = 0; r < s->degree[AXIS_PP]; r++) {
        const stage_parameters own = strategy_stage(s, m, r);
        const double dense = own.dense + own.ends;
        const double trained =
            s->lora ? own.adapters / replicas : dense / replicas + own.experts / experts;

        add_vector(w, &w->update[r], "Adam", model_adam_bytes(s) * trained);
        for (uint32_t i = 0; i < w->update[r].count; i++)
            w->operation[w->update[r].first + i].cold = true;
        if (has_buffer(s))
            add_vector(w, &w->update[r], "gradients",
                       whole * (dense + own.experts) + CLIPPING_BYTES * trained);
    }
}

bool strategy_work_make(const training_model *m, const strategy *s, strategy_work *w) {
    const model_gemm output = model_logits_gemm(m, s);
    const double logits = output.m * output.n;
    const double casts = s->precision == PRECISION_16 ? LOSS_CAST_BYTES : 0;

    *w = (strategy_work){ .update = calloc(s->degree[AXIS_PP], sizeof *w->update),
                          .element = strategy_element_bytes(s),
                          .fused = s->fused,
                          .sums = s->gradient_bytes == 4 ? GEMM_NT_FP32 : GEMM_NT };
    if (!w->update) return false;
    make_layer(w, m, s, false);
    if (m->experts.count) make_layer(w, m, s, true);
    for (model_block k = LAYER_OF_ATTENTION; *m->pattern && k <= LAYER_OF_MAMBA; k++)
        make_hybrid(w, m, s, k);
    for (work_mode how = 0; how < MODES; how++) {
        if (how == MODE_AGAIN) continue;
        add_block(w, &w->block[0][BLOCK_OUTPUT][how], &output, 1, how, 0);
        if (how != MODE_WEIGHT)
            add_vector(w, &w->block[0][BLOCK_OUTPUT][how], "loss",
                       (casts + (how == MODE_INPUT ? LOSS_BACKWARD_BYTES : LOSS_BYTES)) * logits);
    }
    add_vector(w, &w->block[0][BLOCK_EMBEDDING][MODE_WEIGHT], "embedding",
               model_embedding_bytes(s) * (double)(m->vocabulary * m->hidden) /
                   (double)s->degree[AXIS_TP]);
    make_updates(w, m, s);
    return !w->failed;
}

void strategy_work_free(strategy_work *w) {
    free(w->operation);
    free(w->update);
    *w = (strategy_work){ 0 };
}

work_range strategy_work_of(const strategy_work *w, const training_model *m, uint64_t layer,
                            work_block b, work_mode how) {
    const bool apart = b == BLOCK_OUTPUT || b == BLOCK_EMBEDDING;
    const unsigned kind = apart ? 0 : kind_of(model_layer_at(m, layer));

    return w->block[kind][b][how == MODE_AGAIN ? MODE_FORWARD : how];
}
