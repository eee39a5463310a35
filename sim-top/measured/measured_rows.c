/* SPDX-License-Identifier: Apache-2.0 */
/*
 * measured_rows.c -- a CSV row becomes a model, a strategy and the hardware
 *
 * All columns are read into one array first, so that a later check can name the column at fault. A
 * row that names no hardware is taken to be of A100s.
 */
#include "measured_rows.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_file.h"
#include "data_path.h"
#include "exit_status.h"
#include "gemm_table.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

/* The types of columns: whole numbers, other numbers, texts. */
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
    C_STAGES_FIRST,
    C_GRAPHS,
    C_SERIAL,
    C_SUMS,
    C_NUMBERS,
    C_ITERATION_MS = C_NUMBERS,
    C_PEAK,
    C_MEMORY,
    C_LINK,
    C_NIC,
    C_CAPACITY,
    C_LINEAR,
    C_REALS,
    C_MODEL = C_REALS,
    C_PARTS,
    C_STAGE_LAYERS,
    C_PRODUCTS,
    C_ACCELERATOR,
    C_PLATFORM,
    C_COLUMNS
} column;
static const csv_column columns[C_COLUMNS + 1] = {
    { "layers", true },
    { "sequence", true },
    { "tp", true },
    { "dp", true },
    { "pp", true },
    { "hidden", false },
    { "heads", false },
    { "micro_batch", false },
    { "global_batch", false },
    { "micro_batches", false },
    { "gpus", false },
    { "row", false },
    { "vocabulary", false },
    { "cp", false },
    { "ep", false },
    { "dense_layers", false },
    { "gpus_per_node", false },
    { "stages_first", false },
    { "graphs", false },
    { "serial", false },
    { "sums", false },
    { "iteration_ms", true },
    { "peak_tflops", false },
    { "memory_gbps", false },
    { "link_gbps", false },
    { "nic_gbps", false },
    { "capacity", false },
    { "linear_tflops", false },
    { "model", false },
    { "parts", false },
    { "stage_layers", false },
    { "products", false },
    { "accelerator", false },
    { "platform", false },
    { NULL, false },
};

/* The fields of a row; 0 and "": not given. */
typedef struct fields {
    uint64_t v[C_NUMBERS];
    double real[C_REALS];
    const char *word[C_COLUMNS];
    size_t at[C_COLUMNS];
} fields;

typedef struct reader {
    csv_file csv;
    measured_rows *to;
} reader;

static int refuse(const reader *r, size_t at, const char *found, const char *expected) {
    yaml_error(r->csv.file, r->csv.line, at, found, expected);
    return EXIT_USAGE;
}

static bool parse_real(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v > 0 && *v < 1e12;
}

/* A decoder by its sizes, or a model of a file with other numbers of layers and tokens. */
static int make_model(const reader *r, const fields *f, training_model *m) {
    const uint64_t t = f->v[C_TP],
                   vocabulary = f->v[C_VOCABULARY] ? f->v[C_VOCABULARY] : MEASURED_VOCABULARY;
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
                           .vocabulary = (vocabulary + t - 1) / t * t,
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
    char layers[512];

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

/* Timed on hardware as the row's. */
static int find_products(const fields *f, const gemm_table **to) {
    const char *name = f->word[C_PRODUCTS];
    char path[DATA_PATH];

    *to = NULL;
    if (!name && f->real[C_PEAK] > 0) return EXIT_OK;
    if (!data_path_find(name ? name : "measured/llmcompass/gemm_a100_sxm.csv", path))
        return EXIT_USAGE;
    return gemm_table_of(path, to);
}

static const char *word_of(const fields *f, column c) { return f->word[c] ? f->word[c] : ""; }

static int settle(const reader *r, const fields *f, measured_row *row) {
    int rc = make_model(r, f, &row->model);

    row->on = (measured_hardware){
        .peak_TFLOPS = or_else(f->real[C_PEAK], 312),
        .memory_GBps = or_else(f->real[C_MEMORY], 2039),
        .link_GBps = or_else(f->real[C_LINK], 300),
        .nic_GBps = or_else(f->real[C_NIC], 12.5),
        .gpus = f->v[C_GPUS_PER_NODE] ? (unsigned)f->v[C_GPUS_PER_NODE] : 8,
        .products_TFLOPS = or_else(f->real[C_PEAK], 312),
        .linear_TFLOPS = f->real[C_LINEAR],
        .stages_first = f->v[C_STAGES_FIRST] != 0,
        .graphs = f->v[C_GRAPHS] != 0,
        .serial = f->v[C_SERIAL] != 0,
        .sums = f->v[C_SUMS] != 0,
    };
    snprintf(row->accelerator, sizeof row->accelerator, "%s",
             f->word[C_ACCELERATOR] || f->real[C_PEAK] > 0 ? word_of(f, C_ACCELERATOR)
                                                           : "a100-80-measured");
    snprintf(row->platform, sizeof row->platform, "%s", word_of(f, C_PLATFORM));
    if (rc == EXIT_OK) rc = find_products(f, &row->on.products);
    row->iteration_ms = f->real[C_ITERATION_MS];
    row->line = r->csv.line;
    row->peak_column = f->real[C_PEAK] > 0 ? f->at[C_PEAK] : 0;
    row->number = f->v[C_ROW] ? f->v[C_ROW] : r->to->count + 1;
    return rc == EXIT_OK ? make_strategy(r, f, row) : rc;
}

static int read_row(reader *r, const csv_field field[C_COLUMNS]) {
    fields f = { 0 };
    int rc;

    for (column c = 0; c < C_COLUMNS; c++) {
        f.at[c] = field[c].column;
        if (!*field[c].text && !columns[c].required) continue; /* not given */
        f.word[c] = field[c].text;
        if (c >= C_REALS || (c >= C_NUMBERS ? parse_real(field[c].text, &f.real[c])
                                            : parse_unsigned(field[c].text, 1, 1 << 24, &f.v[c])))
            continue;
        return csv_refuse(&r->csv, &field[c], columns[c].name,
                          c == C_ITERATION_MS ? "milliseconds above 0"
                          : c >= C_NUMBERS    ? "a number above 0"
                                              : "a number, 1 to 16777216");
    }
    rc = settle(r, &f, &r->to->at[r->to->count]);
    r->to->count++;
    return rc;
}

static int read_rows(reader *r) {
    csv_field field[C_COLUMNS];
    bool row = true;
    int rc = csv_head(&r->csv, columns, NULL);

    while (rc == EXIT_OK && (rc = csv_next(&r->csv, field, &row)) == EXIT_OK && row)
        rc = read_row(r, field);
    if (rc == EXIT_OK && !r->to->count) {
        r->csv.line = 1;
        rc = refuse(r, 1, "no rows", "a head and at least one");
    }
    return rc;
}

int measured_read(const char *file, measured_rows *rows) {
    reader r = { .to = rows };
    size_t lines = 1;
    int rc = csv_load(file, "a readable CSV", &r.csv);

    *rows = (measured_rows){ 0 };
    if (rc == EXIT_OK) {
        for (const char *p = r.csv.text; *p; p++) lines += *p == '\n';
        rows->at = calloc(lines, sizeof *rows->at);
        rc = rows->at ? read_rows(&r) : message_no_memory();
    }
    csv_close(&r.csv);
    if (rc != EXIT_OK) measured_free(rows);
    return rc;
}

void measured_free(measured_rows *r) {
    free(r->at);
    *r = (measured_rows){ 0 };
}
