/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layers.c -- reads layers by shape or by given times, and counts their operations
 *
 * A table defines which keys each kind of layer requires or accepts. The keys of a row are made
 * when its kind is known.
 */
#include "layers.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "names.h"
#include "operations.h"
#include "values.h"
#include "workload.h"

#define KINDS                                                                         \
    "a layer with a kind of convolution linear lstm attention embedding interaction " \
    "batch_norm pool softmax elementwise, or given"

static const char given_kind[] = "given";

/* ---- keys ------------------------------------------------------------------------------ */

static bool read_layer_name(void *to, const char *s) {
    if (!*s || strlen(s) > 63 || name_fault(s)) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_count(void *to, const char *s) { return parse_unsigned(s, 1, UINT32_MAX, to); }
static bool read_few(void *to, const char *s) { return parse_unsigned(s, 0, 1000, to); }
static bool read_flag(void *to, const char *s) {
    static const char *const names[] = { "no", "yes", NULL };
    int v;

    if (!parse_name(s, names, &v)) return false;
    *(bool *)to = v != 0;
    return true;
}
/* Reads "7" or "7x3": rows, columns. */
static bool read_pair(void *to, const char *s) {
    char part[32];
    const size_t n = strcspn(s, "x");
    uint64_t *v = to;

    if (n >= sizeof part) return false;
    memcpy(part, s, n);
    part[n] = 0;
    return parse_unsigned(part, 1, 65536, &v[0]) &&
           parse_unsigned(s[n] ? s + n + 1 : part, 1, 65536, &v[1]);
}

typedef struct field {
    const char *name;
    size_t at; /* offset in the shape */
    bool (*parse)(void *to, const char *s);
    unsigned required, optional; /* kinds, one bit each */
} field;

#define B(kind) (1U << LAYER_##kind)
enum { IMAGES = B(CONVOLUTION) | B(POOL) | B(BATCH_NORM), ALL = (1 << LAYER_KINDS) - 1 };

#define AT(member) #member, offsetof(shape, member)
static const field fields[] = {
    { AT(name), read_layer_name, ALL, 0 },
    { AT(channels), read_count, IMAGES, 0 },
    { AT(filters), read_count, B(CONVOLUTION), 0 },
    { AT(size), read_pair, IMAGES, 0 },
    { AT(kernel), read_pair, B(CONVOLUTION) | B(POOL), 0 },
    { AT(stride), read_pair, 0, B(CONVOLUTION) | B(POOL) },
    { AT(padding), read_few, 0, B(CONVOLUTION) | B(POOL) },
    { AT(groups), read_count, 0, B(CONVOLUTION) },
    { AT(inputs), read_count, B(LINEAR) | B(LSTM), 0 },
    { AT(outputs), read_count, B(LINEAR), 0 },
    { AT(hidden), read_count, B(LSTM) | B(ATTENTION), 0 },
    { AT(steps), read_count, B(LSTM), 0 },
    { AT(directions), read_count, 0, B(LSTM) },
    { AT(queries), read_count, B(ATTENTION), 0 },
    { AT(keys), read_count, B(ATTENTION), 0 },
    { AT(rows), read_count, B(EMBEDDING), B(LINEAR) | B(SOFTMAX) | B(ELEMENTWISE) },
    { AT(width), read_count, B(EMBEDDING) | B(INTERACTION) | B(SOFTMAX) | B(ELEMENTWISE), 0 },
    { AT(tables), read_count, 0, B(EMBEDDING) },
    { AT(lookups), read_count, 0, B(EMBEDDING) },
    { AT(uses), read_count, 0, B(EMBEDDING) },
    { AT(pooled), read_flag, 0, B(EMBEDDING) },
    { AT(sharded), read_flag, 0, B(EMBEDDING) },
    { AT(vectors), read_count, B(INTERACTION), 0 },
    { AT(concatenate), read_flag, 0, B(INTERACTION) },
    { AT(reads), read_few, 0, B(ELEMENTWISE) },
    { AT(writes), read_few, 0, B(ELEMENTWISE) },
    { AT(flops), read_few, 0, B(ELEMENTWISE) },
    { AT(bias), read_flag, 0, B(CONVOLUTION) | B(LINEAR) },
    { AT(batch_norm), read_flag, 0, B(CONVOLUTION) },
    { AT(activation), read_flag, 0, B(CONVOLUTION) | B(LINEAR) | B(BATCH_NORM) },
    { AT(add), read_flag, 0, B(CONVOLUTION) | B(BATCH_NORM) },
    { AT(input_gradient), read_flag, 0, ALL },
};

static bool read_cycles(void *to, const char *s) {
    return parse_unsigned(s, 0, UINT64_C(1) << 40, to);
}

/* Returns the keys of a layer with given times, which is like a line of a layer table. */
static const yaml_key *given_keys(model *m) {
    table_layer *const l = &m->now_given;
    const char *const accepted = "0 to 2^40";
    const yaml_key keys[] = {
        { "name", true, read_layer_name, l->name, "a name of 1 to 63 characters", NULL },
        { "forward", true, read_cycles, &l->cycles[PASS_FORWARD], accepted, NULL },
        { "input", true, read_cycles, &l->cycles[PASS_INPUT], accepted, NULL },
        { "weight", true, read_cycles, &l->cycles[PASS_WEIGHT], accepted, NULL },
        { "all_reduce", false, read_cycles, &l->collective[PASS_WEIGHT].bytes, accepted, NULL },
        { "update", false, read_cycles, &l->update, accepted, NULL },
        { 0 }
    };

    *l = (table_layer){ .collective[PASS_WEIGHT].kind = ACE_ALL_REDUCE };
    memcpy(m->keys, keys, sizeof keys);
    return m->keys;
}

static const yaml_key *keys_of(void *self, const char *kind) {
    model *m = self;
    unsigned n = 0;
    int v;

    m->is_given = !strcmp(kind, given_kind);
    if (m->is_given) return given_keys(m);
    if (!parse_name(kind, layer_kind_names, &v)) return NULL;
    m->now = (shape){ .kind = (layer_kind)v,
                      .groups = 1,
                      .stride = { 1, 1 },
                      .directions = 1,
                      .rows = 1,
                      .tables = 1,
                      .lookups = 1,
                      .uses = 1,
                      .reads = 1,
                      .writes = 1,
                      .flops = 1,
                      .bias = v == LAYER_LINEAR,
                      .input_gradient = true };
    for (unsigned i = 0; i < sizeof fields / sizeof *fields; i++) {
        const field *f = &fields[i];

        if (!((f->required | f->optional) >> v & 1)) continue;
        m->keys[n++] =
            (yaml_key){ .name = f->name,
                        .required = f->required >> v & 1,
                        .parse = f->parse,
                        .to = (char *)&m->now + f->at,
                        .accepted = f->parse == read_layer_name ? "a name of 1 to 63 characters"
                                    : f->parse == read_flag     ? "yes or no"
                                    : f->parse == read_pair     ? "1 to 65536, such as 7 or 7x3"
                                    : f->parse == read_few      ? "a count from 0 to 1000"
                                                                : "a count from 1 to 2^32 - 1" };
    }
    m->keys[n] = (yaml_key){ 0 };
    return m->keys;
}

static bool take_table(void *self, const yaml_item *item) {
    model *m = self;

    if (*item->value && strlen(item->value) < sizeof m->table) {
        strcpy(m->table, item->value);
        return true;
    }
    yaml_error(m->file, item->line, item->column, "a path of no or too many characters",
               "the path of a layer table, or a list of layers");
    return false;
}

static bool given_done(model *m) {
    layer_table *const t = &m->given;

    if (t->count == m->given_room) {
        const unsigned room = m->given_room ? 2 * m->given_room : 64;
        table_layer *at = realloc(t->layer, room * sizeof *at);

        if (!at) return false;
        t->layer = at;
        m->given_room = room;
    }
    t->layer[t->count++] = m->now_given;
    return true;
}

static bool layer_done(void *self, size_t line, size_t column) {
    model *m = self;
    const char *accepted, *problem;

    if (m->is_given ? m->count : m->given.count) {
        yaml_error(m->file, line, column, "layers by shape beside given ones", "all of one kind");
        return false;
    }
    if (m->is_given) return given_done(m);
    problem = shape_problem(&m->now, &accepted);

    if (problem) {
        yaml_error(m->file, line, column, problem, accepted);
        return false;
    }
    if (m->count == m->room) {
        const unsigned room = m->room ? 2 * m->room : 64;
        layers_layer *at = realloc(m->at, room * sizeof *at);

        if (!at) return false;
        m->at = at;
        m->room = room;
    }
    m->at[m->count++] = (layers_layer){ m->now, line, column };
    return true;
}

yaml_items layers_items(model *m) {
    static const char *names[LAYER_KINDS + 2] = { given_kind };
    static const yaml_rows rows = {
        .kinds = KINDS, .keys = keys_of, .done = layer_done, .names = names
    };

    memcpy(&names[1], layer_kind_names, sizeof names - sizeof *names);

    return (yaml_items){ .take = take_table, .self = m, .rows = &rows };
}

/* ---- layers ---------------------------------------------------------------------------- */

static int refuse(const model *m, unsigned layer, const char *found, const char *expected) {
    yaml_error(m->file, m->at[layer].line, m->at[layer].column, found, expected);
    return EXIT_USAGE;
}

/* Checks that sharded embeddings come first, and that one interaction waits for their lookups. */
static int check_sharded(const model *m) {
    unsigned interactions = 0, sharded = 0;

    for (unsigned i = 0; i < m->count; i++) {
        const shape *s = &m->at[i].shape;

        if (s->sharded && sharded++ < i)
            return refuse(m, i, "a sharded embedding behind other layers",
                          "sharded embeddings before all layers");
        if (s->kind == LAYER_INTERACTION && interactions++ && sharded)
            return refuse(m, i, "a second interaction",
                          "one interaction, where the all-to-all of sharded embeddings ends");
    }
    if (sharded && !interactions)
        return refuse(m, 0, "a sharded embedding",
                      "an interaction behind it, where its all-to-all ends");
    return EXIT_OK;
}

int layers_build(const model *m, workload *w) {
    const unsigned element_bytes = ace_type_bytes(w->element);
    counted_layer counted;

    if (check_sharded(m) != EXIT_OK) return EXIT_USAGE;
    w->shaped = true;
    w->layers = calloc(m->count, sizeof *w->layers);
    if (!w->layers) return EXIT_USAGE;
    for (unsigned i = 0; i < m->count; i++) {
        const shape *s = &m->at[i].shape;
        layer *l = &w->layers[w->count++];

        if (!operations_count(s, w->minibatch, element_bytes, &counted))
            return refuse(m, i, "a layer of 2^56 operations, bytes or parameters",
                          "fewer of each in a mini-batch");
        memcpy(l->name, s->name, sizeof l->name);
        l->shape = *s;
        l->parameters = counted.parameters;
        l->exchanged = counted.exchanged;
        l->bytes = s->sharded ? 0 : counted.parameters * element_bytes;
        for (pass p = 0; p < PASSES; p++) {
            const bool left_out = p == PASS_INPUT && (!i || !s->input_gradient);

            if (!workload_add(w, l, p, counted.at[p], left_out ? 0 : counted.count[p]))
                return EXIT_USAGE;
        }
    }
    return EXIT_OK;
}

void layers_free(model *m) {
    free(m->at);
    layer_table_free(&m->given);
    m->given_room = 0;
    m->at = NULL;
    m->count = m->room = 0;
}
