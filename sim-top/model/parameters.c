/* SPDX-License-Identifier: Apache-2.0 */
/*
 * parameters.c -- counts parameters, for a layer, for the ends and for the whole model
 *
 * Counts are divided into what tensor parallelism splits and what each rank has whole.
 * model_parts() lists them with formulas.
 */
#include "model.h"

uint64_t model_layers(const training_model *m) { return m->layers + m->decoder_layers; }

model_layer model_layer_at(const training_model *m, uint64_t i) {
    static const model_block only[] = {
        ['*'] = LAYER_OF_ATTENTION, ['-'] = LAYER_OF_MLP, ['M'] = LAYER_OF_MAMBA
    };

    const model_experts *e = &m->experts;
    const uint64_t every = e->every ? e->every : 1;

    if (*m->pattern) return (model_layer){ .only = only[(unsigned char)m->pattern[i]] };
    return (model_layer){ .cross = m->kind == MODEL_ENCODER_DECODER && i >= m->layers,
                          .moe = e->count && i >= e->dense_layers &&
                                 (i - e->dense_layers + 1) % every == 0 };
}

bool model_layer_mixes(model_layer l) { return l.only != LAYER_OF_MLP; }
bool model_layer_has_mlp(model_layer l) {
    return l.only == LAYER_OF_TWO_BLOCKS || l.only == LAYER_OF_MLP;
}

double model_mamba_width(const model_mamba *m) {
    return (double)(2 * m->heads * m->head_size + 2 * m->groups * m->state + m->heads);
}

double model_gates(const training_model *m) { return m->gated ? 3 : 2; }

double model_key_size(const training_model *m) {
    return (double)(m->head_size + (m->latent.key_value_rank ? m->latent.rotary_size : 0));
}
double model_value_size(const training_model *m) {
    return (double)(m->latent.key_value_rank ? m->latent.value_size : m->head_size);
}

/* Returns a weight for each normalized element, and for a layer norm also a bias. */
static double norm_size(const training_model *m, double width) {
    return m->norm == NORM_LAYER ? 2 * width : width;
}

/* ---- a layer ------------------------------------------------------------------------------ */

/* Queries, keys and values are projected down to a rank, normalized there, and expanded for the
 * heads. Without a query_rank, queries are projected from the input directly. */
static void add_latent(const training_model *m, layer_parameters *p) {
    const double h = (double)m->hidden, a = (double)m->heads, q = (double)m->head_size;
    const double rq = (double)m->latent.query_rank, rk = (double)m->latent.key_value_rank;
    const double rope = (double)m->latent.rotary_size, v = (double)m->latent.value_size;

    p->attention_whole += h * (rq + rk + rope);
    p->norms += (rq > 0 ? norm_size(m, rq) : 0) + norm_size(m, rk);
    p->attention += (rq > 0 ? rq : h) * a * (q + rope) + rk * a * (q + v) + a * v * h;
}

static void add_attention(const training_model *m, layer_parameters *p) {
    const double h = (double)m->hidden, q = (double)m->head_size;
    const double a = (double)m->heads, k = (double)m->kv_heads;

    p->attention += h * (a + 2 * k) * q + a * q * h;
    if (m->sinks) p->attention += a;
    if (m->query_key_norm) p->norms += 2 * norm_size(m, q);
    if (!m->biases) return;
    p->attention += (a + 2 * k) * q;
    p->attention_whole += h;
}

/* The output's bias is added after the sum over the ranks of tensor parallelism, so each rank has
 * it. */
static void add_mlp(const training_model *m, double ffn, layer_parameters *p) {
    const double h = (double)m->hidden, gates = model_gates(m);

    p->mlp += gates * h * ffn;
    if (!m->biases) return;
    p->mlp += (gates - 1) * ffn;
    p->mlp_whole += h;
}

/* Two products, the convolution with its bias, and for each head A, D and the bias of its step; the
 * norm in front of the second product is divided as its input is. */
static void add_mamba(const training_model *m, layer_parameters *p) {
    const model_mamba *x = &m->mamba;
    const double h = (double)m->hidden, inner = (double)(x->heads * x->head_size);
    const double convolved = inner + (double)(2 * x->groups * x->state);

    p->attention += h * model_mamba_width(x) + convolved * (double)(x->kernel + 1) +
                    3 * (double)x->heads + inner + inner * h;
}

layer_parameters model_layer_parameters(const training_model *m, model_layer l) {
    const double h = (double)m->hidden;
    const model_experts *e = &m->experts;
    const double blocks = l.only ? 1 : l.cross ? 3 : 2;
    layer_parameters p = { .norms = blocks * (m->post_norms ? 2 : 1) * norm_size(m, h) };

    if (l.only == LAYER_OF_MAMBA)
        add_mamba(m, &p);
    else if (model_layer_mixes(l) && m->latent.key_value_rank)
        add_latent(m, &p);
    else if (model_layer_mixes(l))
        add_attention(m, &p);
    if (l.cross) add_attention(m, &p);
    if (!l.moe) {
        if (model_layer_has_mlp(l)) add_mlp(m, (double)m->ffn, &p);
        return p;
    }
    p.router = h * (double)e->count + (e->bias ? (double)e->count : 0);
    p.experts = (double)e->count * (model_gates(m) * h * (double)e->ffn +
                                    (m->biases ? (model_gates(m) - 1) * (double)e->ffn : 0));
    p.experts_whole = m->biases ? (double)e->count * h : 0;
    if (e->shared_ffn) add_mlp(m, (double)e->shared_ffn, &p);
    return p;
}

double layer_parameters_sum(const layer_parameters *p) {
    return p->attention + p->attention_whole + p->mlp + p->mlp_whole + p->norms + p->router +
           p->experts + p->experts_whole;
}

end_parameters model_end_parameters(const training_model *m) {
    const double h = (double)m->hidden, w = (double)m->vocabulary;
    const double rows = m->kind == MODEL_ENCODER_DECODER ? 2 : 1;
    end_parameters p = { .embedding = w * h };

    if (m->positions == POSITIONS_LEARNED) p.positions = (double)m->sequence * h;
    if (m->positions == POSITIONS_RELATIVE)
        p.positions = rows * (double)(m->position_buckets * m->heads);
    p.positions += (double)m->token_types * h;
    if (m->kind == MODEL_ENCODER)
        p.positions += norm_size(m, h); /* the one norm of BERT outside its layers */
    else
        p.norm = rows * norm_size(m, h);
    if (!m->tied) p.head = w * h;
    if (m->pooler) p.pooler = h * h + h;
    return p;
}

/* ---- DLRM --------------------------------------------------------------------------------- */

double mlp_parameters(const model_mlp *l, bool biases) {
    double sum = 0;

    for (unsigned i = 1; i < l->sizes; i++)
        sum += (double)l->size[i] * ((double)l->size[i - 1] + (biases ? 1 : 0));
    return sum;
}

double dlrm_table_rows(const model_dlrm *d, uint64_t i) {
    return d->rows_given > 1 ? (double)d->rows[i] : (double)d->rows[0] / (double)d->tables;
}

double dlrm_rows(const model_dlrm *d) {
    double sum = 0;

    for (unsigned i = 0; i < d->rows_given; i++) sum += (double)d->rows[i];
    return sum;
}

/* ---- the whole ---------------------------------------------------------------------------- */

static void part(model_part *to, unsigned *n, const char *name, const char *formula, double each,
                 double count) {
    if (each > 0 && count > 0) to[(*n)++] = (model_part){ name, formula, each, count };
}

/* Returns the number of layers of one of the four kinds. */
static double layers_like(const training_model *m, bool cross, bool moe) {
    double count = 0;

    for (uint64_t i = 0; i < model_layers(m); i++) {
        const model_layer l = model_layer_at(m, i);

        count += l.cross == cross && l.moe == moe;
    }
    return count;
}

static void layer_parts(const training_model *m, model_part *to, unsigned *n) {
    const double all = (double)model_layers(m);
    const double crossed = layers_like(m, true, false) + layers_like(m, true, true);
    const double moe = layers_like(m, false, true) + layers_like(m, true, true);
    const layer_parameters plain = model_layer_parameters(m, (model_layer){ 0 });
    const layer_parameters cross = model_layer_parameters(m, (model_layer){ .cross = true });
    const layer_parameters expert = model_layer_parameters(m, (model_layer){ .moe = true });
    const double attention = plain.attention + plain.attention_whole;

    part(to, n, "attention",
         m->latent.key_value_rank ? "h (rq + rk + rope) + rq a (q + rope) + rk a (q + v) + a v h"
         : m->biases              ? "h (a + 2k) q + a q h + (a + 2k) q + h"
                                  : "h (a + 2k) q + a q h",
         attention, all);
    part(to, n, "cross attention", "as attention",
         cross.attention + cross.attention_whole - attention, crossed);
    part(to, n, "MLP", m->biases ? "G h f + (G - 1) f + h" : "G h f", plain.mlp + plain.mlp_whole,
         all - moe);
    part(to, n, "router", m->experts.bias ? "h E + E" : "h E", expert.router, moe);
    part(to, n, "experts", m->biases ? "E (G h f + (G - 1) f + h)" : "E G h f",
         expert.experts + expert.experts_whole, moe);
    part(to, n, "shared experts", "G h f", expert.mlp + expert.mlp_whole, moe);
    part(to, n, "norms of layers", m->norm == NORM_LAYER ? "2 h each" : "h each", plain.norms, all);
    part(to, n, "norms of cross attention", m->norm == NORM_LAYER ? "2 h each" : "h each",
         cross.norms - plain.norms, crossed);
}

static void hybrid_parts(const training_model *m, model_part *to, unsigned *n) {
    static const model_block kinds[] = { LAYER_OF_ATTENTION, LAYER_OF_MLP, LAYER_OF_MAMBA };
    static const char *const names[] = { "attention", "MLP", "Mamba-2" };
    static const char *const formulas[] = { "h (a + 2k) q + a q h", "G h f",
                                            "h (3 d + 2 g N + a') + 5 (d + 2 g N) + 3 a' + d" };
    const double all = (double)model_layers(m);

    for (unsigned i = 0; i < 3; i++) {
        const layer_parameters p = model_layer_parameters(m, (model_layer){ .only = kinds[i] });
        double count = 0;

        for (uint64_t k = 0; k < model_layers(m); k++)
            count += model_layer_at(m, k).only == kinds[i];
        part(to, n, names[i], formulas[i], layer_parameters_sum(&p) - p.norms, count);
    }
    part(to, n, "norms of layers", "h each", norm_size(m, (double)m->hidden), all);
}

unsigned model_parts(const training_model *m, model_part to[MODEL_PARTS]) {
    unsigned n = 0;

    if (m->kind == MODEL_DLRM) {
        part(to, &n, "bottom MLP", m->biases ? "sum of (in + 1) out" : "sum of in out",
             mlp_parameters(&m->dlrm.bottom, m->biases), 1);
        part(to, &n, "top MLP", m->biases ? "sum of (in + 1) out" : "sum of in out",
             mlp_parameters(&m->dlrm.top, m->biases), 1);
        part(to, &n, "embeddings", "rows D", dlrm_rows(&m->dlrm) * (double)m->dlrm.width, 1);
        return n;
    }
    const end_parameters e = model_end_parameters(m);

    part(to, &n, "embedding", "W h", e.embedding, 1);
    part(to, &n, "positions and types",
         m->positions == POSITIONS_RELATIVE ? "32 a, of encoder and decoder"
         : m->kind == MODEL_ENCODER         ? "s h + types h + 2 h of the norm"
                                            : "s h",
         e.positions, 1);
    if (*m->pattern)
        hybrid_parts(m, to, &n);
    else
        layer_parts(m, to, &n);
    part(to, &n, "final norm", m->norm == NORM_LAYER ? "2 h" : "h", e.norm, 1);
    part(to, &n, "output layer", "W h", e.head, 1);
    part(to, &n, "pooler", "h h + h", e.pooler, 1);
    return n;
}

double model_parameters(const training_model *m) {
    model_part parts[MODEL_PARTS];
    const unsigned n = model_parts(m, parts);
    double sum = 0;

    for (unsigned i = 0; i < n; i++) sum += parts[i].each * parts[i].count;
    return sum;
}

double model_active_parameters(const training_model *m) {
    const layer_parameters p = model_layer_parameters(m, (model_layer){ .moe = true });
    const double moe = layers_like(m, false, true) + layers_like(m, true, true);
    const double idle =
        m->experts.count ? 1 - (double)m->experts.top / (double)m->experts.count : 0;

    if (m->kind == MODEL_DLRM) return model_parameters(m);
    return model_parameters(m) - moe * idle * (p.experts + p.experts_whole);
}
