/* SPDX-License-Identifier: Apache-2.0 */
/*
 * footprint.c -- adds up the memory of a rank: parameters, optimizer, activations
 *
 * Terms with the same name and formula are merged. Activations are weighted by the number of
 * micro-batches that the schedule holds at its peak. A DLRM is summed separately: its tables are
 * dealt to the ranks, the largest first.
 */
#include "footprint.h"

#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "model_work.h"

const char *const footprint_names[FOOTPRINT_CLASSES] = { "parameters", "gradients", "optimizer",
                                                         "activations" };

/* Bytes of a parameter: FP32 moments, and a master copy where the parameter is not FP32. */
enum { MOMENT_BYTES = 8, MASTER_BYTES = 4, GATHERED_LAYERS = 2 };

static void add_term(footprint *f, const footprint_term *t) {
    const double bytes = t->bytes;

    if (!(bytes > 0)) return;
    f->sum[t->class_] += bytes;
    f->peak += bytes;
    for (unsigned i = 0; i < f->terms; i++) {
        if (f->term[i].class_ != t->class_ || strcmp(f->term[i].name, t->name) ||
            strcmp(f->term[i].formula, t->formula))
            continue;
        f->term[i].bytes += bytes;
        return;
    }
    if (f->terms < FOOTPRINT_TERMS) f->term[f->terms++] = *t;
}

static void add(footprint *f, footprint_class class_, const char *name, const char *formula,
                double bytes) {
    add_term(f, &(footprint_term){ class_, name, formula, bytes, false });
}

/* bytes: of elements of 16 bits. */
static void add_elements(footprint *f, const strategy *s, footprint_class class_, const char *name,
                         const char *formula, double bytes) {
    const bool wide = s->precision != PRECISION_16;

    add_term(f, &(footprint_term){ class_, name, formula, (wide ? 2 : 1) * bytes, wide });
}

/* ---- parameters, gradients, optimizer ------------------------------------------------------ */

/* The divisors of parameters, gradients and optimizer state among replicas, with their formulas. */
typedef struct share {
    double parameters, gradients, optimizer;
    const char *formula[3];
} share;

static share share_of(const strategy *s, double replicas, bool experts) {
    static const char *const formulas[2][2][4] = {
        { { "2 P", "g P", "12 P", "8 P" }, { "2 P / N", "g P / N", "12 P / N", "8 P / N" } },
        { { "2 Pe", "g Pe", "12 Pe", "8 Pe" },
          { "2 Pe e x / (d c t)", "g Pe e x / (d c t)", "12 Pe e x / (d c t)",
            "8 Pe e x / (d c t)" } },
    };
    const bool master = s->precision == PRECISION_16;
    share n = { .parameters = s->zero >= 3 ? replicas : 1,
                .gradients = s->zero >= 2 ? replicas : 1,
                .optimizer = s->zero >= 1 ? replicas : 1 };

    for (unsigned i = 0; i < 3; i++)
        n.formula[i] = formulas[experts][s->zero >= 3 - i][i < 2 || master ? i : 3];
    return n;
}

static void add_state(footprint *f, const strategy *s, const char *const name[3], double parameters,
                      bool experts) {
    const share n =
        share_of(s, experts ? strategy_expert_replicas(s) : strategy_replicas(s), experts);

    f->parameters += parameters;
    add_elements(f, s, FOOTPRINT_PARAMETERS, name[0], n.formula[0], 2 * parameters / n.parameters);
    add(f, FOOTPRINT_GRADIENTS, name[1], n.formula[1],
        (double)s->gradient_bytes * parameters / n.gradients);
    add(f, FOOTPRINT_OPTIMIZER, name[2], n.formula[2],
        (MOMENT_BYTES + (s->precision == PRECISION_16 ? MASTER_BYTES : 0)) * parameters /
            n.optimizer);
}

/* The model is read alone, and adapters are trained. */
static void add_frozen(const strategy *s, const stage_parameters *n, footprint *f) {
    static const char *const adapters[] = { "of adapters", "gradients of adapters",
                                            "master and moments of adapters" };

    f->parameters += n->dense + n->experts + n->ends;
    add_elements(f, s, FOOTPRINT_PARAMETERS, "of the frozen model", "2 P",
                 2 * (n->dense + n->experts + n->ends));
    add_state(f, s, adapters, n->adapters, false);
}

static void add_states(const training_model *m, const strategy *s, footprint *f) {
    static const char *const layers[] = { "of layers", "gradients of layers",
                                          "master and moments of layers" };
    static const char *const experts[] = { "of experts", "gradients of experts",
                                           "master and moments of experts" };
    static const char *const ends[] = { "of embedding and output layer",
                                        "gradients of embedding and output layer",
                                        "master and moments of embedding and output layer" };
    const stage_parameters n = strategy_stage(s, m, f->stage);

    f->layers = n.layers;
    f->expert_parameters = n.experts;
    if (s->lora) {
        add_frozen(s, &n, f);
        return;
    }
    add_state(f, s, layers, n.dense, false);
    add_state(f, s, experts, n.experts, true);
    add_state(f, s, ends, n.ends, false);
    if (s->zero >= 3)
        add_elements(f, s, FOOTPRINT_PARAMETERS, "gathered layers in use", "2 x 2 P of a layer",
                     GATHERED_LAYERS * 2 * n.largest);
}

/* ---- dummy gradients ----------------------------------------------------------------------- */

enum { SHAPES_MOST = 4 * LAYER_GEMMS };

typedef struct shapes {
    model_gemm of[SHAPES_MOST];
    unsigned count;
} shapes;

static void add_shape(shapes *to, const model_gemm *g) {
    if (g->activations || g->frozen || !strcmp(g->what, "router")) return;
    for (unsigned i = 0; i < to->count; i++)
        if (to->of[i].n == g->n && to->of[i].k == g->k) return;
    if (to->count < SHAPES_MOST) to->of[to->count++] = *g;
}

/* Products that add to FP32 gradients give autograd a tensor of the weight's shape and type that
 * nothing reads. Transformer Engine 2.11 keeps one for each shape (get_dummy_wgrad), and the output
 * layer of Megatron-LM takes its own from there (LinearWithGradAccumulationAndAsyncCommunication).
 * The router is no such product. Replicas of these frameworks do not divide gradients. */
static void add_dummies(const training_model *m, const strategy *s, footprint *f) {
    const uint64_t p = s->degree[AXIS_PP];
    const model_gemm logits = model_logits_gemm(m, s);
    shapes all = { .count = 0 };
    double sum = 0;

    if (s->lora || s->zero > 1 || s->precision != PRECISION_16 || s->gradient_bytes != 4) return;
    for (uint64_t x = f->stage; x < p * s->chunks; x += p) {
        const uint64_t begin = strategy_first_layer(s, m, x);

        for (uint64_t i = begin; i < begin + strategy_layers(s, m, x); i++) {
            model_gemm gemms[LAYER_GEMMS];
            const unsigned n = model_layer_gemms(m, model_layer_at(m, i), s, gemms);

            for (unsigned k = 0; k < n; k++) add_shape(&all, &gemms[k]);
        }
    }
    if (f->stage == p - 1) add_shape(&all, &logits);
    for (unsigned i = 0; i < all.count; i++) sum += 2 * all.of[i].n * all.of[i].k;
    add(f, FOOTPRINT_GRADIENTS, "dummies, one for each shape of weights", "2 rows cols", sum);
}

/* ---- activations --------------------------------------------------------------------------- */

/* Returns the bytes of one micro-batch that virtual stage x holds from its forward to its backward
 * pass. If f is not NULL, adds `times` of each term to f. Raises *largest to the most bytes that a
 * layer would keep. */
static double stage_activations(const training_model *m, const strategy *s, uint64_t x,
                                double times, double *largest, footprint *f) {
    const uint64_t begin = strategy_first_layer(s, m, x);
    const double t = (double)s->degree[AXIS_TP];
    const double whole = s->sequence || s->sharded ? t : 1;
    const double checkpoint = 2 * (double)s->micro_batch * (double)m->sequence * (double)m->hidden /
                              (double)s->degree[AXIS_CP] / whole;
    const double width = strategy_element_bytes(s) / 2;
    double sum = 0;

    for (uint64_t i = begin; i < begin + strategy_layers(s, m, x); i++) {
        footprint_term term[FOOTPRINT_TERMS];
        unsigned terms = 0;
        const double all = footprint_layer_activations(m, model_layer_at(m, i), s, term, &terms);

        if (all > *largest) *largest = all;
        sum += s->recompute == RECOMPUTE_FULL ? width * checkpoint : all;
        if (!f) continue;
        if (s->recompute == RECOMPUTE_FULL)
            add_elements(f, s, FOOTPRINT_ACTIVATIONS, "checkpoint of each layer",
                         whole > 1 ? "2 b s h / t" : "2 b s h", times * checkpoint);
        for (unsigned k = 0; s->recompute != RECOMPUTE_FULL && k < terms; k++) {
            term[k].bytes *= times;
            add_term(f, &term[k]);
        }
    }
    return sum;
}

/* As Megatron-LM's LinearWithGradAccumulationAndAsyncCommunication. With sequence parallelism the
 * layer gathers its input in a buffer that lasts, and has its gradient whole and divided. Without a
 * fused loss, logits are largest before this gradient is made. */
static void add_output_backward(const strategy *s, double unit, footprint *f) {
    const double t = (double)s->degree[AXIS_TP];
    const bool divided = s->sequence && t > 1;

    if (divided && !s->lora)
        add_elements(f, s, FOOTPRINT_ACTIVATIONS, "gathered input of the output layer", "2 b s h",
                     2 * unit);
    if (s->fused_loss)
        add_elements(f, s, FOOTPRINT_ACTIVATIONS, "gradient of the output layer's input",
                     divided ? "2 b s h (1 + 1 / t)" : "2 b s h",
                     2 * unit * (divided ? 1 + 1 / t : 1));
}

static void add_ends(const training_model *m, const strategy *s, const uint32_t *count,
                     footprint *f) {
    const double t = (double)s->degree[AXIS_TP], u = s->sequence ? t : 1;
    const double tokens = (double)s->micro_batch * (double)m->sequence / (double)s->degree[AXIS_CP];
    const double unit = tokens * (double)m->hidden / u, behind = count[s->chunks - 1];
    const double logits = tokens * (double)m->vocabulary / t;

    if (f->stage == 0 && m->dropout)
        add(f, FOOTPRINT_ACTIVATIONS, "mask behind the embedding", "b s h / u", count[0] * unit);
    if (f->stage != s->degree[AXIS_PP] - 1) return;
    add_elements(f, s, FOOTPRINT_ACTIVATIONS, "input of the final norm", "2 b s h / u",
                 behind * 2 * unit);
    if (!s->lora)
        add_elements(f, s, FOOTPRINT_ACTIVATIONS, "input of the output layer", "2 b s h / u",
                     behind * 2 * unit);
    if (s->precision == PRECISION_16)
        add(f, FOOTPRINT_ACTIVATIONS, "logits in 16 bits", "2 b s W / t", behind * 2 * logits);
    if (s->precision != PRECISION_16 || !s->fused_loss)
        add(f, FOOTPRINT_ACTIVATIONS, "logits in FP32", "4 b s W / t", behind * 4 * logits);
    add_output_backward(s, tokens * (double)m->hidden, f);
}

static int add_activations(const training_model *m, const strategy *s, const pipeline *lists,
                           footprint *f) {
    const uint32_t p = (uint32_t)s->degree[AXIS_PP], v = (uint32_t)s->chunks;
    uint32_t count[STAGES_MOST] = { 0 };
    double weight[STAGES_MOST], largest = 0;
    int rc;

    for (uint32_t j = 0; j < v; j++)
        weight[j] = stage_activations(m, s, f->stage + (uint64_t)j * p, 0, &largest, NULL);
    rc = lists ? pipeline_lists_peak(lists, (uint32_t)f->stage, weight, count)
               : pipeline_peak(s->schedule, p, v, (uint32_t)s->micro_batches, (uint32_t)f->stage,
                               weight, count);
    if (rc != EXIT_OK) return rc;
    for (uint32_t j = 0; j < v; j++) {
        const uint64_t x = f->stage + (uint64_t)j * p;

        f->held += count[j] * (double)strategy_layers(s, m, x);
        (void)stage_activations(m, s, x, count[j], &largest, f);
    }
    if (s->recompute == RECOMPUTE_FULL)
        add(f, FOOTPRINT_ACTIVATIONS, "a layer while it is computed again",
            "as without recomputation", largest);
    add_ends(m, s, count, f);
    return EXIT_OK;
}

/* ---- DLRM ---------------------------------------------------------------------------------- */

static int descending(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;

    return (x < y) - (x > y);
}

/* Deals tables to ranks, largest first, each to the rank that has least. With more ranks than
 * tables, each table is cut by columns. */
double footprint_dealt_tables(const model_dlrm *d, uint64_t ranks) {
    const uint64_t parts = ranks > d->tables ? (ranks + d->tables - 1) / d->tables : 1;
    const uint64_t ways = ranks < d->tables ? ranks : d->tables;
    double rows[TABLES_MOST], load[TABLES_MOST] = { 0 }, most = 0;

    for (uint64_t i = 0; i < d->tables; i++) rows[i] = dlrm_table_rows(d, i);
    qsort(rows, d->tables, sizeof *rows, descending);
    for (uint64_t i = 0; i < d->tables; i++) {
        uint64_t at = 0;

        for (uint64_t r = 1; r < ways; r++)
            if (load[r] < load[at]) at = r;
        load[at] += rows[i];
        if (load[at] > most) most = load[at];
    }
    return most * (double)((d->width + parts - 1) / parts);
}

static double mlp_outputs(const model_mlp *l) {
    double sum = 0;

    for (unsigned i = 0; i < l->sizes; i++) sum += (double)l->size[i];
    return sum;
}

static void make_dlrm(const training_model *m, const strategy *s, footprint *f) {
    static const char *const mlps[] = { "of the MLPs", "gradients of the MLPs",
                                        "master and moments of the MLPs" };
    const model_dlrm *d = &m->dlrm;
    const double b = (double)s->micro_batch, t = (double)d->tables, w = (double)d->width;
    const double dealt = footprint_dealt_tables(d, s->degree[AXIS_DP]);

    add_state(f, s, mlps,
              mlp_parameters(&d->bottom, m->biases) + mlp_parameters(&d->top, m->biases), false);
    f->parameters += dealt;
    add_elements(f, s, FOOTPRINT_PARAMETERS, "of embedding tables, the fullest rank", "2 rows D",
                 2 * dealt);
    add(f, FOOTPRINT_OPTIMIZER, "state of rows (row-wise Adagrad)", "4 rows", 4 * dealt / w);
    add_elements(f, s, FOOTPRINT_ACTIVATIONS, "inputs and outputs of the MLPs", "2 b sizes",
                 2 * b * (mlp_outputs(&d->bottom) + mlp_outputs(&d->top)));
    add_elements(f, s, FOOTPRINT_ACTIVATIONS, "looked-up vectors", "2 b T D", 2 * b * t * w);
}

int footprint_make_of(const training_model *m, const strategy *s, const pipeline *lists,
                      uint64_t stage, footprint *f) {
    *f = (footprint){ .stage = stage };
    if (m->kind == MODEL_DLRM) {
        make_dlrm(m, s, f);
        return EXIT_OK;
    }
    add_states(m, s, f);
    add_dummies(m, s, f);
    return add_activations(m, s, lists, f);
}

int footprint_make(const training_model *m, const strategy *s, uint64_t stage, footprint *f) {
    return footprint_make_of(m, s, NULL, stage, f);
}
