/* SPDX-License-Identifier: Apache-2.0 */
/*
 * attention_table.c -- reads timed kernels of fused attention, and takes a mean of the nearest
 *
 * Kernels that differ only in how their inputs lie in memory are as near as each other, so the mean
 * takes both. Each file is read once and stays in a list.
 */
#include "attention_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv_file.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

enum { SIZES = 3 };

typedef struct kernel_time {
    double log_size[SIZES], log_share;
    bool backward;
} kernel_time;

struct attention_table {
    struct attention_table *next;
    char *file;
    kernel_time *at;
    size_t count;
};

static attention_table *tables; /* all that were read */

enum { C_PASS, C_BATCH, C_SEQUENCE, C_HEADS, C_KEY, C_VALUE, C_SHARE, COLUMNS };
static const csv_column columns[] = { { "pass", true },       { "batch", true },
                                      { "sequence", true },   { "heads", true },
                                      { "qk_dim", true },     { "v_dim", true },
                                      { "efficiency", true }, { NULL, false } };

static int read_kernel(const csv_file *c, const csv_field at[COLUMNS], kernel_time *to) {
    static const char *const what[COLUMNS] = { "",       "sequences", "tokens", "heads",
                                               "a size", "a size",    "a share" };
    double v[COLUMNS] = { 0 };
    int rc = EXIT_OK;

    to->backward = strcmp(at[C_PASS].text, "sdp_bwd") == 0;
    if (!to->backward && strcmp(at[C_PASS].text, "sdp_fwd") != 0)
        return csv_refuse(c, &at[C_PASS], "a pass", "sdp_fwd or sdp_bwd");
    for (unsigned i = C_BATCH; rc == EXIT_OK && i < COLUMNS; i++)
        rc = i == C_SHARE ? csv_number(c, &at[i], what[i], 1e-4, 4, &v[i])
                          : csv_number(c, &at[i], what[i], 1, 1 << 24, &v[i]);
    if (rc != EXIT_OK) return rc;
    to->log_size[0] = log(v[C_BATCH] * v[C_HEADS]);
    to->log_size[1] = log(v[C_SEQUENCE]);
    to->log_size[2] = log(v[C_KEY] + v[C_VALUE]);
    to->log_share = log(v[C_SHARE]);
    return EXIT_OK;
}

/* Each pass has a kernel, so that each is found. */
static int read_kernels(csv_file *c, attention_table *t) {
    csv_field at[COLUMNS];
    bool more = true, there[2] = { false, false };
    int rc = EXIT_OK;

    while (rc == EXIT_OK && (rc = csv_next(c, at, &more)) == EXIT_OK && more) {
        rc = read_kernel(c, at, &t->at[t->count]);
        if (rc == EXIT_OK) there[t->at[t->count++].backward] = true;
    }
    if (rc != EXIT_OK || (there[0] && there[1])) return rc;
    yaml_error(c->file, c->line, 1, there[0] ? "no row of sdp_bwd" : "no row of sdp_fwd",
               "at least one of each pass");
    return EXIT_USAGE;
}

int attention_table_of(const char *file, const attention_table **table) {
    attention_table *t = tables;
    csv_file c;
    int rc;

    while (t && strcmp(t->file, file) != 0) t = t->next;
    *table = t;
    if (t) return EXIT_OK;
    rc = csv_open(file, columns, &c);
    t = calloc(1, sizeof *t);
    if (t && rc == EXIT_OK) {
        t->file = strdup(file);
        t->at = calloc(CSV_LINES, sizeof *t->at);
    }
    if (rc == EXIT_OK && (!t || !t->file || !t->at)) rc = message_no_memory();
    if (rc == EXIT_OK) rc = read_kernels(&c, t);
    csv_close(&c);
    if (rc == EXIT_OK) {
        t->next = tables;
        *table = tables = t;
    } else if (t) {
        free(t->file);
        free(t->at);
        free(t);
    }
    return rc;
}

/* A table counts five products of a backward pass, a plan counts four. */
double attention_table_share(const attention_table *t, const attention_shape *s) {
    static const double nearest = 0.05; /* in logarithms, as in gemm_table.c */
    const double size[SIZES] = { log(s->heads), log(s->sequence), log(s->width) };
    double sum = 0, weights = 0;

    for (size_t i = 0; i < t->count; i++) {
        double square = 0;

        if (t->at[i].backward != s->backward) continue;
        for (unsigned a = 0; a < SIZES; a++)
            square += (size[a] - t->at[i].log_size[a]) * (size[a] - t->at[i].log_size[a]);
        const double weight = pow(sqrt(square) + nearest, -4);

        sum += weight * t->at[i].log_share;
        weights += weight;
    }
    return exp(sum / weights) * (s->backward ? 0.8 : 1);
}

uint64_t attention_table_digest(const attention_table *t, uint64_t hash) {
    for (size_t i = 0; i < t->count; i++) {
        hash = fnv1a(hash, t->at[i].log_size, sizeof t->at[i].log_size);
        hash = fnv1a(hash, &t->at[i].log_share, sizeof t->at[i].log_share);
        hash = fnv1a(hash, &t->at[i].backward, sizeof t->at[i].backward);
    }
    return hash;
}
