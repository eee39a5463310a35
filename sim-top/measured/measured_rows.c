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

typedef enum column {
    C_HIDDEN,
    C_HEADS,
    C_LAYERS,
    C_SEQUENCE,
    C_TP,
    C_DP,
    C_PP,
    C_MICRO_BATCH,
    C_GLOBAL_BATCH,
    C_ITERATION_MS,
    C_REQUIRED,
    C_GPUS = C_REQUIRED,
    C_ROW,
    C_VOCABULARY,
    C_COLUMNS
} column;
static const char *const names[C_COLUMNS + 1] = {
    "hidden",      "heads",        "layers",       "sequence", "tp",  "dp",         "pp",
    "micro_batch", "global_batch", "iteration_ms", "gpus",     "row", "vocabulary", NULL
};

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
        if (c < C_REQUIRED && r->where[c] < 0) return refuse(r, 1, "a head without it", expected);
    }
    return EXIT_OK;
}

static bool parse_ms(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v > 0 && *v < 1e12;
}

/* What the numbers of a row make, checked as the strategy of its model. */
static int settle(const reader *r, const uint64_t v[C_COLUMNS], measured_row *row) {
    const uint64_t t = v[C_TP], words = v[C_VOCABULARY] ? v[C_VOCABULARY] : MEASURED_WORDS;
    const uint64_t each = v[C_DP] * v[C_MICRO_BATCH];
    strategy_fault why = { 0 };
    training_model *m = &row->model;

    *m = (training_model){ .layers = v[C_LAYERS],
                           .hidden = v[C_HIDDEN],
                           .heads = v[C_HEADS],
                           .kv_heads = v[C_HEADS],
                           .head_size = v[C_HIDDEN] / v[C_HEADS],
                           .ffn = 4 * v[C_HIDDEN],
                           .sequence = v[C_SEQUENCE],
                           .vocabulary = (words + t - 1) / t * t,
                           .tied = true,
                           .biases = true,
                           .dropout = true };
    snprintf(m->name, sizeof m->name, "%" PRIu64 "x%" PRIu64, v[C_LAYERS], v[C_HIDDEN]);
    row->strategy = (strategy){ .degree = { t, 1, v[C_DP], v[C_PP] },
                                .experts = 1,
                                .micro_batch = v[C_MICRO_BATCH],
                                .micro_batches = v[C_GLOBAL_BATCH] / each,
                                .chunks = 1,
                                .gradient_bytes = 2,
                                .recompute = RECOMPUTE_FULL,
                                .schedule = PIPELINE_1F1B };
    if (v[C_GLOBAL_BATCH] % each)
        return refuse(r, 1, "a global_batch that dp times micro_batch does not divide", "one");
    if (v[C_GPUS] && v[C_GPUS] != t * v[C_DP] * v[C_PP])
        return refuse(r, 1, "gpus other than tp dp pp", "their product");
    if (v[C_HIDDEN] % v[C_HEADS]) return refuse(r, 1, "heads that do not divide hidden", "such");
    return strategy_fits(&row->strategy, m, &why) ? EXIT_OK : refuse(r, 1, why.found, why.expected);
}

static int read_row(reader *r, char *line) {
    char *field[COLUMNS_MOST], found[128];
    size_t at[COLUMNS_MOST];
    const unsigned n = cut(line, field, at);
    measured_row *row = &r->to->at[r->to->count];
    uint64_t v[C_COLUMNS] = { 0 };
    int rc;

    for (column c = 0; c < C_COLUMNS; c++) {
        const unsigned i = (unsigned)r->where[c];

        if (r->where[c] < 0) continue;
        if (i >= n) return refuse(r, 1, "a row with fewer fields than the head", "as many");
        if (c >= C_REQUIRED && !*field[i]) continue; /* says nothing */
        if (c == C_ITERATION_MS ? parse_ms(field[i], &row->iteration_ms)
                                : parse_unsigned(field[i], 1, 1 << 24, &v[c]))
            continue;
        snprintf(found, sizeof found, "'%.60s' as %s", field[i], names[c]);
        return refuse(r, at[i], found,
                      c == C_ITERATION_MS ? "milliseconds above 0" : "a number, 1 to 16777216");
    }
    rc = settle(r, v, row);
    row->number = v[C_ROW] ? v[C_ROW] : r->to->count + 1;
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
