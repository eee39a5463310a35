/* SPDX-License-Identifier: Apache-2.0 */
/* model_read.c -- reads a model from its file, which has about a dozen lines of YAML */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "model.h"
#include "names.h"
#include "values.h"
#include "yaml_file.h"
#include "yaml_schema.h"

const char *const model_kind_names[] = { "decoder", "encoder", "encoder-decoder", "dlrm", NULL };

/* ---- values ------------------------------------------------------------------------------ */

static bool read_text(void *to, const char *s) {
    if (!*s || strlen(s) > 63 || name_fault(s)) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_size(void *to, const char *s) { return parse_unsigned(s, 1, UINT32_MAX, to); }
static bool read_parameters(void *to, const char *s) {
    return parse_unsigned(s, 1, UINT64_C(1) << 52, to);
}
static bool read_name(int *to, const char *s, const char *const *names) {
    return parse_name(s, names, to);
}
static bool read_flag(void *to, const char *s) {
    static const char *const names[] = { "no", "yes", NULL };
    int v;

    if (!read_name(&v, s, names)) return false;
    *(bool *)to = v != 0;
    return true;
}
static bool read_kind(void *to, const char *s) {
    int v;

    if (!read_name(&v, s, model_kind_names)) return false;
    *(model_kind *)to = (model_kind)v;
    return true;
}
static bool read_positions(void *to, const char *s) {
    static const char *const names[] = { "learned", "rotary", "relative", "none", NULL };
    int v;

    if (!read_name(&v, s, names)) return false;
    *(model_positions *)to = (model_positions)v;
    return true;
}
static bool read_norm(void *to, const char *s) {
    static const char *const names[] = { "layer", "rms", NULL };
    int v;

    if (!read_name(&v, s, names)) return false;
    *(model_norm *)to = (model_norm)v;
    return true;
}
static bool read_interaction(void *to, const char *s) {
    static const char *const names[] = { "dot", "other", NULL };
    int v;

    if (!read_name(&v, s, names)) return false;
    *(model_interaction *)to = (model_interaction)v;
    return true;
}
static bool read_pattern(void *to, const char *s) {
    if (!*s || strlen(s) >= PATTERN_MOST || s[strspn(s, "M*-")]) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_capacity(void *to, const char *s) {
    char *end;
    const double v = strtod(s, &end);

    if (end == s || *end || !(v >= 1 && v <= 1000)) return false;
    *(double *)to = v;
    return true;
}

/* ---- lists ------------------------------------------------------------------------------- */

/* Sizes of a list. If there are more than `most`, the first one too many is reported with its
 * line. */
typedef struct size_list {
    const char *file;
    uint64_t *to;
    unsigned *count, most;
} size_list;

static bool take_size(void *self, const yaml_item *item) {
    const size_list *l = self;
    char found[128], expected[64];

    if (item->index < l->most && read_size(&l->to[item->index], item->value)) {
        *l->count = item->index + 1;
        return true;
    }
    snprintf(found, sizeof found, "'%.80s'", item->value);
    snprintf(expected, sizeof expected, "at most %u sizes, 1 to 4294967295", l->most);
    yaml_error(l->file, item->line, item->column, found, expected);
    return false;
}

/* ---- keys -------------------------------------------------------------------------------- */

#define SIZE "a size, 1 to 4294967295"
#define FLAG "yes or no"

typedef struct model_yaml {
    size_list list[3]; /* bottom, top, rows */
    yaml_items items[3];
    uint64_t parameters;
    yaml_key experts[9], latent[5], mamba[7], keys[35];
} model_yaml;

/* Sets the values that a file may leave out. A value that follows from others is 0 until
 * settle_transformer(). */
static void initial(training_model *m) {
    *m = (training_model){ .positions = POSITIONS_LEARNED,
                           .position_buckets = 32,
                           .tied = true,
                           .biases = true,
                           .mamba = { .groups = 1, .kernel = 4, .chunk = 256 },
                           .dlrm = { .lookups = 1 } };
}

/* Sets what the keys of `y` refer to: its lists, and the mappings within a model. */
static void make_mappings(model_yaml *y, const char *file, training_model *m) {
    model_dlrm *const d = &m->dlrm;
    model_experts *const e = &m->experts;
    model_latent *const l = &m->latent;
    model_mamba *const x = &m->mamba;

    *y = (model_yaml){
        .list = { { file, d->bottom.size, &d->bottom.sizes, MLP_MOST },
                  { file, d->top.size, &d->top.sizes, MLP_MOST },
                  { file, d->rows, &d->rows_given, TABLES_MOST } },
        .experts = { { "count", true, read_size, &e->count, SIZE, NULL },
                     { "top", true, read_size, &e->top, SIZE, NULL },
                     { "ffn", true, read_size, &e->ffn, SIZE, NULL },
                     { "shared_ffn", false, read_size, &e->shared_ffn, SIZE, NULL },
                     { "dense_layers", false, read_size, &e->dense_layers, SIZE, NULL },
                     { "every", false, read_size, &e->every,
                       "of so many layers the last one has experts, 1 to 4294967295", NULL },
                     { "capacity", false, read_capacity, &e->capacity,
                       "the factor to which an expert's tokens are padded, 1 to 1000", NULL },
                     { "bias", false, read_flag, &e->bias, FLAG, NULL },
                     { 0 } },
        .latent = { { "query_rank", false, read_size, &l->query_rank, SIZE, NULL },
                    { "key_value_rank", true, read_size, &l->key_value_rank, SIZE, NULL },
                    { "rotary_size", true, read_size, &l->rotary_size, SIZE, NULL },
                    { "value_size", true, read_size, &l->value_size, SIZE, NULL },
                    { 0 } },
        .mamba = { { "heads", true, read_size, &x->heads, SIZE, NULL },
                   { "head_size", true, read_size, &x->head_size, SIZE, NULL },
                   { "state", true, read_size, &x->state, SIZE, NULL },
                   { "groups", false, read_size, &x->groups, SIZE, NULL },
                   { "kernel", false, read_size, &x->kernel, SIZE, NULL },
                   { "chunk", false, read_size, &x->chunk, SIZE, NULL },
                   { 0 } },
    };
    for (unsigned i = 0; i < 3; i++) y->items[i] = (yaml_items){ take_size, &y->list[i], NULL };
}

static void make_keys(model_yaml *y, const char *file, training_model *m) {
    model_dlrm *const d = &m->dlrm;

    make_mappings(y, file, m);
    const yaml_key keys[] = {
        { "name", false, read_text, m->name, "a name of 1 to 63 characters", NULL },
        { "architecture", true, read_kind, &m->kind, "decoder, encoder, encoder-decoder or dlrm",
          NULL },
        { "parameters", false, read_parameters, &y->parameters, "how many it has in all", NULL },
        { "layers", false, read_size, &m->layers, SIZE, NULL },
        { "decoder_layers", false, read_size, &m->decoder_layers, SIZE, NULL },
        { "hidden", false, read_size, &m->hidden, SIZE, NULL },
        { "heads", false, read_size, &m->heads, SIZE, NULL },
        { "kv_heads", false, read_size, &m->kv_heads, SIZE, NULL },
        { "head_size", false, read_size, &m->head_size, SIZE, NULL },
        { "ffn", false, read_size, &m->ffn, SIZE, NULL },
        { "gated", false, read_flag, &m->gated, FLAG, NULL },
        { "sequence", false, read_size, &m->sequence, SIZE, NULL },
        { "vocabulary", false, read_size, &m->vocabulary, SIZE, NULL },
        { "positions", false, read_positions, &m->positions, "learned, rotary, relative or none",
          NULL },
        { "token_types", false, read_size, &m->token_types, SIZE, NULL },
        { "pooler", false, read_flag, &m->pooler, FLAG, NULL },
        { "tied", false, read_flag, &m->tied, FLAG, NULL },
        { "biases", false, read_flag, &m->biases, FLAG, NULL },
        { "dropout", false, read_flag, &m->dropout, FLAG, NULL },
        { "sinks", false, read_flag, &m->sinks, FLAG, NULL },
        { "query_key_norm", false, read_flag, &m->query_key_norm, FLAG, NULL },
        { "post_norms", false, read_flag, &m->post_norms, FLAG, NULL },
        { "norm", false, read_norm, &m->norm, "layer or rms", NULL },
        { "experts", false, NULL, NULL, "a mapping", y->experts },
        { "latent", false, NULL, NULL, "a mapping", y->latent },
        { "mamba", false, NULL, NULL, "a mapping", y->mamba },
        { "pattern", false, read_pattern, m->pattern,
          "a letter for each layer, M for Mamba-2, * for attention, - for an MLP; at most 255",
          NULL },
        { "bottom", false, NULL, &y->items[0], "sizes of an MLP, its inputs first", NULL },
        { "top", false, NULL, &y->items[1], "sizes of an MLP, its inputs first", NULL },
        { "tables", false, read_size, &d->tables, SIZE, NULL },
        { "rows", false, NULL, &y->items[2], "rows of all tables, or of each", NULL },
        { "width", false, read_size, &d->width, SIZE, NULL },
        { "lookups", false, read_size, &d->lookups, SIZE, NULL },
        { "interaction", false, read_interaction, &d->interaction, "dot or other", NULL },
        { 0 }
    };
    _Static_assert(sizeof keys == sizeof y->keys, "a place for each key");
    memcpy(y->keys, keys, sizeof keys);
}

struct cJSON *model_schema(void) {
    training_model m;
    model_yaml y;

    initial(&m);
    make_keys(&y, "", &m);
    return yaml_schema(y.keys, NULL);
}

/* ---- what belongs together --------------------------------------------------------------- */

/* Returns a key that this kind of model needs and the file lacks, or NULL. */
static const char *missing(const training_model *m) {
    const model_dlrm *d = &m->dlrm;

    if (m->kind == MODEL_DLRM)
        return !d->bottom.sizes ? "bottom"
               : !d->top.sizes  ? "top"
               : !d->tables     ? "tables"
               : !d->rows_given ? "rows"
               : !d->width      ? "width"
                                : NULL;
    return !m->layers                                               ? "layers"
           : !m->hidden                                             ? "hidden"
           : !m->heads                                              ? "heads"
           : !m->sequence                                           ? "sequence"
           : !m->vocabulary                                         ? "vocabulary"
           : m->kind == MODEL_ENCODER_DECODER && !m->decoder_layers ? "decoder_layers"
                                                                    : NULL;
}

static const char *surplus(const training_model *m) {
    const model_dlrm *d = &m->dlrm;

    if (m->kind != MODEL_DLRM)
        return d->bottom.sizes                                         ? "bottom"
               : d->top.sizes                                          ? "top"
               : d->tables                                             ? "tables"
               : d->rows_given                                         ? "rows"
               : d->width                                              ? "width"
               : m->kind != MODEL_ENCODER_DECODER && m->decoder_layers ? "decoder_layers"
                                                                       : NULL;
    return m->layers          ? "layers"
           : m->hidden        ? "hidden"
           : m->heads         ? "heads"
           : m->sequence      ? "sequence"
           : m->vocabulary    ? "vocabulary"
           : m->experts.count ? "experts"
                              : NULL;
}

static int refuse(const char *file, const char *found, const char *expected) {
    yaml_error(file, 1, 1, found, expected);
    return EXIT_USAGE;
}

static int settle_dlrm(const char *file, training_model *m) {
    const model_dlrm *d = &m->dlrm;
    const uint64_t outputs = d->bottom.size[d->bottom.sizes - 1];
    const uint64_t wanted = d->width + d->tables * (d->tables + 1) / 2;
    char found[128], expected[128];

    if (d->bottom.sizes < 2 || d->top.sizes < 2)
        return refuse(file, "an MLP of one size", "its inputs and the outputs of each layer");
    if (d->tables > TABLES_MOST || (d->rows_given > 1 && d->rows_given != d->tables)) {
        snprintf(found, sizeof found, "rows of %u tables", d->rows_given);
        snprintf(expected, sizeof expected,
                 "one number of all rows, or one of each of %" PRIu64 " tables, 1024 at most",
                 d->tables);
        return refuse(file, found, expected);
    }
    if (d->interaction == INTERACTION_DOT && (outputs != d->width || d->top.size[0] != wanted)) {
        snprintf(found, sizeof found, "a bottom MLP to %" PRIu64 " and a top MLP of %" PRIu64,
                 outputs, d->top.size[0]);
        snprintf(expected, sizeof expected,
                 "%" PRIu64 " and %" PRIu64 ", width and what its dot products are", d->width,
                 wanted);
        return refuse(file, found, expected);
    }
    return EXIT_OK;
}

/* Derives the values that the file leaves out from those that it gives. */
static int settle_transformer(const char *file, training_model *m) {
    char found[128], expected[128];

    if (!m->kv_heads) m->kv_heads = m->heads;
    if (!m->ffn) m->ffn = 4 * m->hidden;
    if (!m->head_size && m->hidden % m->heads) {
        snprintf(found, sizeof found, "hidden %" PRIu64 " and %" PRIu64 " heads", m->hidden,
                 m->heads);
        return refuse(file, found, "a number of heads that divides hidden, or the key 'head_size'");
    }
    if (!m->head_size) m->head_size = m->hidden / m->heads;
    if (m->heads % m->kv_heads) {
        snprintf(found, sizeof found, "%" PRIu64 " heads and %" PRIu64 " kv_heads", m->heads,
                 m->kv_heads);
        return refuse(file, found, "kv_heads that divide the heads");
    }
    if (*m->pattern && strlen(m->pattern) != model_layers(m)) {
        snprintf(found, sizeof found, "a pattern of %zu letters", strlen(m->pattern));
        snprintf(expected, sizeof expected, "one for each of the %" PRIu64 " layers",
                 model_layers(m));
        return refuse(file, found, expected);
    }
    if (*m->pattern && (m->kind != MODEL_DECODER || m->experts.count || m->latent.key_value_rank))
        return refuse(file, "a pattern and experts, latent attention or an encoder",
                      "a decoder of plain layers");
    if ((strchr(m->pattern, 'M') != NULL) != (m->mamba.heads > 0))
        return refuse(file, "a pattern with M or the key 'mamba'", "both or neither");
    if (m->experts.count && m->experts.top > m->experts.count) {
        snprintf(found, sizeof found, "top %" PRIu64 " of %" PRIu64 " experts", m->experts.top,
                 m->experts.count);
        return refuse(file, found, "at most all of them");
    }
    if (m->experts.count &&
        m->experts.dense_layers + (m->experts.every ? m->experts.every : 1) > model_layers(m)) {
        snprintf(expected, sizeof expected, "fewer than its %" PRIu64 " layers", model_layers(m));
        return refuse(file, "dense_layers or every that leave no experts", expected);
    }
    return EXIT_OK;
}

static int settle(const char *file, uint64_t parameters, training_model *m) {
    const char *lack = missing(m), *more = surplus(m);
    char found[128], expected[128];
    int rc;

    if (lack || more) {
        snprintf(found, sizeof found, "%s %s '%s'", model_kind_names[m->kind],
                 lack ? "without" : "with", lack ? lack : more);
        return refuse(file, found, lack ? "this key" : "keys of its architecture alone");
    }
    rc = m->kind == MODEL_DLRM ? settle_dlrm(file, m) : settle_transformer(file, m);
    if (rc != EXIT_OK || !parameters) return rc;
    if (model_parameters(m) == (double)parameters) return EXIT_OK;
    snprintf(found, sizeof found, "sizes of %.0f parameters", model_parameters(m));
    snprintf(expected, sizeof expected, "%" PRIu64 ", as the key 'parameters' says", parameters);
    return refuse(file, found, expected);
}

int model_read(const char *name, training_model *m) {
    const char *slash = strrchr(name, '/');
    char file[DATA_PATH];
    model_yaml y;
    char *dot;

    if (!data_path_find(name, file)) return EXIT_USAGE;
    initial(m);
    snprintf(m->name, sizeof m->name, "%.63s", slash ? slash + 1 : name);
    dot = strrchr(m->name, '.');
    if (dot && dot != m->name) *dot = 0;
    make_keys(&y, file, m);
    if (yaml_read(file, y.keys)) return EXIT_USAGE;
    return settle(file, y.parameters, m);
}

uint64_t model_digest(const training_model *m) {
    const model_experts *e = &m->experts;
    const model_latent *l = &m->latent;
    const model_dlrm *d = &m->dlrm;
    const model_mamba *x = &m->mamba;
    const uint64_t sizes[] = { (uint64_t)m->kind,
                               m->layers,
                               m->decoder_layers,
                               m->hidden,
                               m->heads,
                               m->kv_heads,
                               m->head_size,
                               m->ffn,
                               m->gated,
                               m->sequence,
                               m->vocabulary,
                               (uint64_t)m->positions,
                               m->position_buckets,
                               m->token_types,
                               m->pooler,
                               m->tied,
                               m->biases,
                               m->dropout,
                               (uint64_t)m->norm + (m->query_key_norm ? 2 : 0) +
                                   (m->sinks ? 4 : 0) + (m->post_norms ? 8 : 0),
                               e->count,
                               e->top,
                               e->ffn,
                               e->shared_ffn,
                               e->dense_layers,
                               e->bias + (e->every > 1 ? 2 * e->every : 0),
                               l->query_rank,
                               l->key_value_rank,
                               l->rotary_size,
                               l->value_size,
                               x->heads,
                               x->head_size,
                               x->state,
                               x->groups,
                               x->kernel,
                               x->chunk,
                               d->tables,
                               d->width,
                               d->lookups,
                               d->rows_given,
                               d->bottom.sizes,
                               d->top.sizes,
                               (uint64_t)d->interaction };
    uint64_t h = fnv1a(FNV1A_START, sizes, sizeof sizes);

    h = fnv1a(h, m->pattern, strlen(m->pattern) + 1);
    h = fnv1a(h, &e->capacity, sizeof e->capacity);
    h = fnv1a(h, d->bottom.size, d->bottom.sizes * sizeof *d->bottom.size);
    h = fnv1a(h, d->top.size, d->top.sizes * sizeof *d->top.size);
    return fnv1a(h, d->rows, d->rows_given * sizeof *d->rows);
}
