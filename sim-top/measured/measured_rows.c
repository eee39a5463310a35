/* SPDX-License-Identifier: Apache-2.0 */
/* measured_rows.c -- see measured_rows.h */
#include "measured_rows.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

enum { ROWS_MOST = 100000, COLUMNS_MOST = 64 };

/* Numbers that are whole, numbers that are not, words. */
typedef enum column {
    C_LAYERS,
    C_SEQUENCE,
    C_TP,
    C_DP,
    C_PP,
    C_REQUIRED,
    C_HIDDEN = C_REQUIRED,
    C_HEADS,
    C_MICRO_BATCH,
    C_GLOBAL_BATCH,
    C_MICRO_BATCHES,
    C_GPUS,
    C_ROW,
    C_VOCABULARY,
    C_CP,
    C_EP,
    C_DENSE_LAYERS,
    C_GPUS_PER_NODE,
    C_NUMBERS,
    C_ITERATION_MS = C_NUMBERS,
    C_PEAK,
    C_MEMORY,
    C_LINK,
    C_NIC,
    C_ELEMENT,
    C_CAPACITY,
    C_REALS,
    C_MODEL = C_REALS,
    C_PARTS,
    C_STAGE_LAYERS,
    C_COLUMNS
} column;
static const char *const names[C_COLUMNS + 1] = { "layers",
                                                  "sequence",
                                                  "tp",
                                                  "dp",
                                                  "pp",
                                                  "hidden",
                                                  "heads",
                                                  "micro_batch",
                                                  "global_batch",
                                                  "micro_batches",
                                                  "gpus",
                                                  "row",
                                                  "vocabulary",
                                                  "cp",
                                                  "ep",
                                                  "dense_layers",
                                                  "gpus_per_node",
                                                  "iteration_ms",
                                                  "peak_tflops",
                                                  "memory_gbps",
                                                  "link_gbps",
                                                  "nic_gbps",
                                                  "element_bytes",
                                                  "capacity",
                                                  "model",
                                                  "parts",
                                                  "stage_layers",
                                                  NULL };

/* The fields of a row; 0 and "": it says nothing. */
typedef struct fields {
    uint64_t v[C_NUMBERS];
    double real[C_REALS];
    const char *word[C_COLUMNS];
    size_t at[C_COLUMNS];
} fields;

typedef struct reader {
    const char *file;
    measured_rows *to;
    int where[C_COLUMNS]; /* the number of the field, or -1 */
    size_t line;
} reader;

static int refuse(const reader *r, size_t at, const char *found, const char *expected) {
    yaml_error(r->file, r->line, at, found, expected);
    return EXIT_USAGE;
}

/* Fields of a line, cut in place; where each begins, from 1. */
static unsigned cut(char *line, char *field[COLUMNS_MOST], size_t at[COLUMNS_MOST]) {
    unsigned n = 0;
    char *p = line;

    line[strcspn(line, "\r")] = 0;
    while (n < COLUMNS_MOST) {
        const size_t length = strcspn(p, ",");
        const bool last = !p[length];

        field[n] = p;
        at[n++] = (size_t)(p - line) + 1;
        p[length] = 0;
        if (last) break;
        p += length + 1;
    }
    return n;
}

static int read_head(reader *r, char *line) {
    char *field[COLUMNS_MOST], expected[64];
    size_t at[COLUMNS_MOST];
    const unsigned n = cut(line, field, at);

    for (column c = 0; c < C_COLUMNS; c++) {
        r->where[c] = -1;
        for (unsigned i = 0; i < n; i++)
            if (!strcmp(field[i], names[c])) r->where[c] = (int)i;
        snprintf(expected, sizeof expected, "the column '%s'", names[c]);
        if ((c < C_REQUIRED || c == C_ITERATION_MS) && r->where[c] < 0)
            return refuse(r, 1, "a head without it", expected);
    }
    return EXIT_OK;
}

static bool parse_real(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v > 0 && *v < 1e12;
}

/* A decoder by its sizes, or a model of a file with other numbers of layers and tokens. */
static int make_model(const reader *r, const fields *f, training_model *m) {
    const uint64_t t = f->v[C_TP], words = f->v[C_VOCABULARY] ? f->v[C_VOCABULARY] : MEASURED_WORDS;
    const uint64_t hidden = f->v[C_HIDDEN], heads = f->v[C_HEADS];
    char name[80];

    if (f->word[C_MODEL]) {
        snprintf(name, sizeof name, "models/%.60s.yaml", f->word[C_MODEL]);
        if (model_read(name, m) != EXIT_OK)
            return refuse(r, f->at[C_MODEL], "no such model", "a name of models/");
        m->layers = f->v[C_LAYERS];
        m->sequence = f->v[C_SEQUENCE];
        if (f->v[C_DENSE_LAYERS]) m->experts.dense_layers = f->v[C_DENSE_LAYERS];
        if (f->real[C_CAPACITY] > 0) m->experts.capacity = f->real[C_CAPACITY];
        return EXIT_OK;
    }
    if (!hidden || !heads) return refuse(r, 1, "a row without sizes", "hidden and heads, or model");
    if (hidden % heads) return refuse(r, 1, "heads that do not divide hidden", "such");
    *m = (training_model){ .layers = f->v[C_LAYERS],
                           .hidden = hidden,
                           .heads = heads,
                           .kv_heads = heads,
                           .head_size = hidden / heads,
                           .ffn = 4 * hidden,
                           .sequence = f->v[C_SEQUENCE],
                           .vocabulary = (words + t - 1) / t * t,
                           .tied = true,
                           .biases = true,
                           .dropout = true };
    snprintf(m->name, sizeof m->name, "%" PRIu64 "x%" PRIu64, m->layers, hidden);
    return EXIT_OK;
}

static uint64_t or_one(uint64_t v) { return v ? v : 1; }

static int make_strategy(const reader *r, const fields *f, measured_row *row) {
    const uint64_t b = or_one(f->v[C_MICRO_BATCH]), d = f->v[C_DP];
    strategy *s = &row->strategy;
    strategy_fault why = { 0 };
    char layers[256];

    if (!strategy_parse(f->word[C_PARTS] ? f->word[C_PARTS] : "full", s, &why))
        return refuse(r, f->at[C_PARTS], why.found, why.expected);
    s->degree[AXIS_TP] = f->v[C_TP];
    s->degree[AXIS_CP] = or_one(f->v[C_CP]);
    s->degree[AXIS_DP] = d;
    s->degree[AXIS_PP] = f->v[C_PP];
    s->experts = or_one(f->v[C_EP]);
    s->micro_batch = b;
    row->any_micro_batch = !f->v[C_MICRO_BATCH];
    if (f->v[C_MICRO_BATCHES]) {
        s->micro_batches = f->v[C_MICRO_BATCHES];
    } else if (!f->v[C_GLOBAL_BATCH]) {
        return refuse(r, 1, "a row without a batch", "global_batch or micro_batches");
    } else {
        s->micro_batches = f->v[C_GLOBAL_BATCH] / (d * b);
        if (f->v[C_GLOBAL_BATCH] % (d * b))
            return refuse(r, 1, "a global_batch that dp times micro_batch does not divide", "one");
    }
    if (f->v[C_GPUS] && f->v[C_GPUS] != strategy_ranks(s))
        return refuse(r, 1, "gpus other than tp dp pp", "their product");
    if (f->word[C_STAGE_LAYERS]) {
        snprintf(layers, sizeof layers, "%s", f->word[C_STAGE_LAYERS]);
        for (char *p = layers; *p; p++)
            if (*p == ' ') *p = ',';
        if (!strategy_parse_layers(layers, s))
            return refuse(r, f->at[C_STAGE_LAYERS], "no numbers", "layers such as 7 9 9 9");
    }
    return strategy_fits(s, &row->model, &why) ? EXIT_OK : refuse(r, 1, why.found, why.expected);
}

static double or_else(double v, double other) { return v > 0 ? v : other; }

static int settle(const reader *r, const fields *f, measured_row *row) {
    int rc = make_model(r, f, &row->model);

    row->on = (measured_hardware){
        .peak_TFLOPS = or_else(f->real[C_PEAK], 312),
        .memory_GBps = or_else(f->real[C_MEMORY], 2039),
        .link_GBps = or_else(f->real[C_LINK], 300),
        .nic_GBps = or_else(f->real[C_NIC], 12.5),
        .gpus = f->v[C_GPUS_PER_NODE] ? (unsigned)f->v[C_GPUS_PER_NODE] : 8,
        .element_bytes = or_else(f->real[C_ELEMENT], 2),
    };
    row->iteration_ms = f->real[C_ITERATION_MS];
    row->number = f->v[C_ROW] ? f->v[C_ROW] : r->to->count + 1;
    return rc == EXIT_OK ? make_strategy(r, f, row) : rc;
}

static int read_row(reader *r, char *line) {
    char *field[COLUMNS_MOST], found[128];
    size_t at[COLUMNS_MOST];
    const unsigned n = cut(line, field, at);
    fields f = { 0 };
    int rc;

    for (column c = 0; c < C_COLUMNS; c++) {
        const unsigned i = (unsigned)r->where[c];

        if (r->where[c] < 0) continue;
        if (i >= n) return refuse(r, 1, "a row with fewer fields than the head", "as many");
        f.at[c] = at[i];
        if (c >= C_REQUIRED && c != C_ITERATION_MS && !*field[i]) continue; /* says nothing */
        f.word[c] = field[i];
        if (c >= C_REALS || (c >= C_NUMBERS ? parse_real(field[i], &f.real[c])
                                            : parse_unsigned(field[i], 1, 1 << 24, &f.v[c])))
            continue;
        snprintf(found, sizeof found, "'%.60s' as %s", field[i], names[c]);
        return refuse(r, at[i], found,
                      c == C_ITERATION_MS ? "milliseconds above 0"
                      : c >= C_NUMBERS    ? "a number above 0"
                                          : "a number, 1 to 16777216");
    }
    rc = settle(r, &f, &r->to->at[r->to->count]);
    r->to->count++;
    return rc;
}

static int read_lines(reader *r, char *text) {
    char *line = text;
    int rc = EXIT_OK;

    for (r->line = 1; rc == EXIT_OK && *line; r->line++) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end ? end + 1 : end;

        *end = 0;
        if (r->line == 1)
            rc = read_head(r, line);
        else if (*line)
            rc = read_row(r, line);
        line = next;
    }
    if (rc == EXIT_OK && !r->to->count) {
        r->line = 1;
        rc = refuse(r, 1, "no rows", "a head and at least one");
    }
    return rc;
}

int measured_read(const char *file, measured_rows *rows) {
    reader r = { .file = input_name(file), .to = rows };
    char *const text = input_text(file, NULL);
    size_t lines = 1;
    int rc;

    *rows = (measured_rows){ 0 };
    if (!text) {
        yaml_error(file, 1, 1, strerror(errno), "a readable CSV");
        return EXIT_USAGE;
    }
    for (const char *p = text; *p; p++) lines += *p == '\n';
    if (lines > ROWS_MOST) {
        free(text);
        r.line = 1;
        return refuse(&r, 1, "more than 100000 lines", "fewer");
    }
    rows->at = calloc(lines, sizeof *rows->at);
    rc = rows->at ? read_lines(&r, text) : message_no_memory();
    free(text);
    if (rc != EXIT_OK) measured_free(rows);
    return rc;
}

void measured_free(measured_rows *r) {
    free(r->at);
    *r = (measured_rows){ 0 };
}
