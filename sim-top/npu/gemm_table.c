/* SPDX-License-Identifier: Apache-2.0 */
/*
 * gemm_table.c -- reads timed products, and interpolates between them in logarithms
 *
 * A grid is interpolated in three dimensions. A cross of two lines multiplies the rates of both.
 * Any other table takes a mean of all rates, in which near products weigh most. Each file is read
 * once and stays in a list.
 */
#include "gemm_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_file.h"
#include "digest.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

enum { AXES = 3, SIZES_MOST = 64 };

typedef struct axis {
    double size[SIZES_MOST]; /* rising */
    unsigned count;
} axis;

/* Products along one size. */
typedef struct line {
    axis at;
    double log_rate[SIZES_MOST]; /* of FLOPs a microsecond */
} line;

/* A product of an irregular table.  The last size is how many there are of it in a launch. */
enum { SIZES = AXES + 1 };
typedef struct scattered {
    double log_size[SIZES], log_rate;
    gemm_layout layout;
} scattered;

struct gemm_table {
    struct gemm_table *next;
    char *file;
    axis axis[AXES];
    double *log_us;    /* of [m][n][k]; NAN: no row.  NULL: a cross */
    line rows, square; /* of a cross: m at one n = k, and n = k at one m */
    double corner;     /* log_rate of `rows` at that m */
    scattered *at;     /* products of an irregular table; NULL: a grid or a cross */
    size_t count;
    bool grouped, ordered;        /* it has launches of several products; several layouts */
    bool has[2][GEMM_LAYOUTS];    /* of launches of one product, and of several */
    double lasting[GEMM_LAYOUTS]; /* FLOPs a microsecond, of launches of one product */
};

static gemm_table *tables; /* all that were read */

/* ---- the file ------------------------------------------------------------------------------ */

enum { C_M, C_N, C_K, C_US, C_START, C_SET, C_LAYOUT, C_BATCH, C_SUM, COLUMNS };
static const csv_column columns[] = { { "m", true },         { "n", true },
                                      { "k", true },         { "time_us", true },
                                      { "start_us", false }, { "set", false },
                                      { "layout", false },   { "batch", false },
                                      { "out_type", false }, { NULL, false } };
static const char *const layout_names[GEMM_NT_FP32] = { "TN", "NN", "NT" };

/* The number of a size on its axis. */
static unsigned find(const axis *a, double size) {
    unsigned i = 0;

    while (i < a->count && a->size[i] < size) i++;
    return i;
}

static bool add_size(axis *a, double size) {
    const unsigned i = find(a, size);

    if (i < a->count && a->size[i] == size) return true;
    if (a->count == SIZES_MOST) return false;
    memmove(&a->size[i + 1], &a->size[i], (a->count++ - i) * sizeof *a->size);
    a->size[i] = size;
    return true;
}

typedef struct row {
    double size[SIZES], us;
    gemm_layout layout;
    size_t line;
} row;

static int read_layout(const csv_file *c, const csv_field *at, const csv_field *sum, row *r) {
    r->layout = GEMM_TN;
    if (!*at->text) return EXIT_OK;
    while (r->layout < GEMM_NT_FP32 && strcmp(at->text, layout_names[r->layout]) != 0) r->layout++;
    if (r->layout == GEMM_NT_FP32) return csv_refuse(c, at, "a layout", "TN, NN or NT");
    if (r->layout == GEMM_NT && !strcmp(sum->text, "fp32")) r->layout = GEMM_NT_FP32;
    return EXIT_OK;
}

static int read_row(const csv_file *c, const csv_field at[COLUMNS], row *r) {
    static const char *const what[SIZES] = { "rows", "columns", "a depth", "products" };
    double start = 0;
    int rc = csv_number(c, &at[C_US], "microseconds", 1e-3, 1e12, &r->us);

    if (rc == EXIT_OK && *at[C_START].text)
        rc = csv_number(c, &at[C_START], "microseconds of a start", 0, 1e12, &start);
    if (rc == EXIT_OK && start >= r->us)
        rc = csv_refuse(c, &at[C_START], "microseconds of a start", "less than time_us");
    r->us -= start;
    r->size[AXES] = 1;

    for (unsigned i = 0; rc == EXIT_OK && i < SIZES; i++) {
        const csv_field *const of = &at[i < AXES ? i : C_BATCH];

        if (i == AXES && !*of->text) continue;
        rc = csv_number(c, of, what[i], 1, 1 << 24, &r->size[i]);
        if (rc == EXIT_OK && r->size[i] != floor(r->size[i]))
            rc = csv_refuse(c, of, what[i], "a whole number");
    }
    r->line = c->line;
    return rc == EXIT_OK ? read_layout(c, &at[C_LAYOUT], &at[C_SUM], r) : rc;
}

static double *point(const gemm_table *t, const row *r) {
    unsigned at[AXES];

    for (unsigned i = 0; i < AXES; i++) at[i] = find(&t->axis[i], r->size[i]);
    return &t->log_us[((size_t)at[0] * t->axis[1].count + at[1]) * t->axis[2].count + at[2]];
}

/* Each point of the grid has one row. */
static int fill(gemm_table *t, const row *rows, size_t count, const csv_file *c) {
    const size_t points = (size_t)t->axis[0].count * t->axis[1].count * t->axis[2].count;
    char found[120];

    t->log_us = malloc(points * sizeof *t->log_us);
    if (!t->log_us) return message_no_memory();
    for (size_t i = 0; i < points; i++) t->log_us[i] = NAN;
    for (const row *r = rows; r < rows + count; r++) {
        double *const p = point(t, r);

        if (!isnan(*p)) {
            yaml_error(c->file, r->line, 1, "a product a second time", "each once");
            return EXIT_USAGE;
        }
        *p = log(r->us);
    }
    for (size_t i = 0; i < points; i++) {
        const size_t mn = i / t->axis[2].count;

        if (!isnan(t->log_us[i])) continue;
        snprintf(found, sizeof found, "no row of %.0f x %.0f x %.0f",
                 t->axis[0].size[mn / t->axis[1].count], t->axis[1].size[mn % t->axis[1].count],
                 t->axis[2].size[i % t->axis[2].count]);
        yaml_error(c->file, c->line, 1, found, "a whole grid: each m with each n and each k");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* The position of a size on an axis: between points `low` and `low` + 1, at `part` of the way. */
typedef struct position {
    unsigned low;
    double part;
    double beyond; /* at least 1: the size divided by the largest point */
} position;

static position locate(const axis *a, double size) {
    const double last = a->size[a->count - 1];
    const double inside = fmin(fmax(size, a->size[0]), last);
    const unsigned above = find(a, inside);
    position p = { .low = above ? above - 1 : 0, .beyond = fmax(size / last, 1) };

    if (a->count > 1)
        p.part = log(inside / a->size[p.low]) / log(a->size[p.low + 1] / a->size[p.low]);
    return p;
}

/* Beyond the largest size the rate stays the same. Below the smallest size the time does. */
static double log_rate_at(const line *l, double size) {
    const position p = locate(&l->at, size);
    const unsigned next = p.low + (l->at.count > 1);

    return (1 - p.part) * l->log_rate[p.low] + p.part * l->log_rate[next] +
           log(fmin(size / l->at.size[0], 1));
}

/* The size that most rows have. */
static double most_often(const row *rows, size_t count, unsigned which) {
    size_t most = 0;
    double size = 0;

    for (size_t i = 0; i < count; i++) {
        size_t alike = 0;

        for (size_t k = 0; k < count; k++) alike += rows[k].size[which] == rows[i].size[which];
        if (alike <= most) continue;
        most = alike;
        size = rows[i].size[which];
    }
    return size;
}

/* False: a size a second time, or one that the rest of the line has no room for. */
static bool add_point(line *l, const row *r, unsigned which) {
    const unsigned i = find(&l->at, r->size[which]), count = l->at.count;

    if (!add_size(&l->at, r->size[which]) || l->at.count == count) return false;
    memmove(&l->log_rate[i + 1], &l->log_rate[i], (count - i) * sizeof *l->log_rate);
    l->log_rate[i] = log(2 * r->size[0] * r->size[1] * r->size[2] / r->us);
    return true;
}

/* Are these two lines that cross, with two sizes each? */
static bool make_cross(gemm_table *t, const row *rows, size_t count) {
    const double m = most_often(rows, count, 0), n = most_often(rows, count, 1);

    for (const row *r = rows; r < rows + count; r++) {
        if (r->size[1] != r->size[2]) return false;
        if (r->size[1] == n ? !add_point(&t->rows, r, 0) : r->size[0] != m) return false;
        if (r->size[0] == m && !add_point(&t->square, r, 1)) return false;
    }
    if (t->rows.at.count < 2 || t->square.at.count < 2) return false;
    t->corner = log_rate_at(&t->rows, m);
    return true;
}

/* Adds each size to its axis. Returns false if an axis has more sizes than a grid may have. */
static bool make_axes(gemm_table *t, const row *rows, size_t count) {
    for (const row *r = rows; r < rows + count; r++)
        for (unsigned i = 0; i < AXES; i++)
            if (!add_size(&t->axis[i], r->size[i])) return false;
    return true;
}

/* Products of shapes that models have are hardly ever half of a grid. */
static bool is_grid(const gemm_table *t, size_t count) {
    return 2 * count >= (size_t)t->axis[0].count * t->axis[1].count * t->axis[2].count;
}

static int scatter(gemm_table *t, const row *rows, size_t count) {
    for (unsigned i = 0; i < AXES; i++) t->axis[i] = (axis){ .count = 1 };
    t->at = calloc(count, sizeof *t->at);
    if (!t->at) return message_no_memory();
    for (const row *r = rows; r < rows + count; r++) {
        scattered *const p = &t->at[t->count++];

        p->log_rate = log(2 * r->size[0] * r->size[1] * r->size[2] * r->size[AXES] / r->us);
        p->layout = r->layout;
        t->has[r->size[AXES] > 1][r->layout] = true;
        p->log_size[AXES] = log(r->size[AXES]);
        for (unsigned i = 0; i < AXES; i++) {
            axis *const a = &t->axis[i];

            p->log_size[i] = log(r->size[i]);
            if (r == rows || r->size[i] < a->size[0]) a->size[0] = r->size[i];
        }
    }
    return EXIT_OK;
}

static void add_lasting(gemm_table *t, const row *rows, size_t count) {
    double flops[GEMM_LAYOUTS] = { 0 }, us[GEMM_LAYOUTS] = { 0 };

    for (const row *r = rows; r < rows + count; r++) {
        if (r->size[AXES] > 1) continue;
        flops[r->layout] += 2 * r->size[0] * r->size[1] * r->size[2];
        us[r->layout] += r->us;
    }
    for (unsigned i = 0; i < GEMM_LAYOUTS; i++) t->lasting[i] = us[i] > 0 ? flops[i] / us[i] : 0;
}

static int settle(gemm_table *t, const row *rows, size_t count, const csv_file *c) {
    for (const row *r = rows; r < rows + count; r++) {
        t->grouped |= r->size[AXES] > 1;
        t->ordered |= r->layout != rows->layout;
    }
    add_lasting(t, rows, count);
    if (t->grouped || t->ordered) return scatter(t, rows, count);
    if (make_cross(t, rows, count)) return EXIT_OK;
    t->rows = t->square = (line){ 0 };
    return make_axes(t, rows, count) && is_grid(t, count) ? fill(t, rows, count, c)
                                                          : scatter(t, rows, count);
}

static int read_rows(csv_file *c, row *rows, size_t *count) {
    csv_field at[COLUMNS];
    bool more = true;
    int rc = EXIT_OK;

    while (rc == EXIT_OK && more) {
        row *const r = &rows[*count];

        rc = csv_next(c, at, &more);
        if (rc != EXIT_OK || !more) break;
        if (at[C_SET].column && strcmp(at[C_SET].text, "grid") != 0) continue;
        rc = read_row(c, at, r);
        ++*count;
    }
    if (rc == EXIT_OK && !*count) {
        yaml_error(c->file, c->line, 1, "no rows", "a head and at least one");
        rc = EXIT_USAGE;
    }
    return rc;
}

int gemm_table_of(const char *file, const gemm_table **table) {
    gemm_table *t = tables;
    csv_file c;
    size_t count = 0;
    int rc;

    while (t && strcmp(t->file, file) != 0) t = t->next;
    *table = t;
    if (t) return EXIT_OK;
    rc = csv_open(file, columns, &c);
    row *const rows = rc == EXIT_OK ? malloc(CSV_LINES * sizeof *rows) : NULL;
    t = calloc(1, sizeof *t);
    if (t) t->file = strdup(file);
    if (rc == EXIT_OK && (!rows || !t || !t->file)) rc = message_no_memory();
    if (rc == EXIT_OK) rc = read_rows(&c, rows, &count);
    if (rc == EXIT_OK) rc = settle(t, rows, count, &c);
    free(rows);
    csv_close(&c);
    if (rc == EXIT_OK) {
        t->next = tables;
        *table = tables = t;
    } else if (t) {
        free(t->log_us);
        free(t->at);
        free(t->file);
        free(t);
    }
    return rc;
}

/* ---- a product ----------------------------------------------------------------------------- */

/* Returns the layout of the rows for a launch. A table may have one kind of sum alone. */
static gemm_layout layout_of(const gemm_table *t, const gemm_launch *l) {
    const gemm_layout other = l->layout == GEMM_NT ? GEMM_NT_FP32 : GEMM_NT;

    return l->layout < GEMM_NT || t->has[l->batch > 1][l->layout] ? l->layout : other;
}

/* Returns whether both have one layout, and both or neither have several products a launch. */
static bool alike(const gemm_table *t, const scattered *at, const gemm_launch *l,
                  gemm_layout layout) {
    return (!t->ordered || at->layout == layout) &&
           (!t->grouped || (at->log_size[AXES] > 0) == (l->batch > 1));
}

/* Returns the time from the weighted mean of the logarithms of rates. Rates differ less between
 * shapes than times do. The weight is the fourth power of the inverse distance. */
static double scattered_us(const gemm_table *t, const gemm_launch *l) {
    static const double nearest =
        0.05; /* in logarithms: shapes closer than this have equal weights */
    const double size[SIZES] = { l->m, l->n, l->k, l->batch };
    const gemm_layout layout = layout_of(t, l);
    double sum = 0, weights = 0, below = 1;

    for (size_t i = 0; i < t->count; i++) {
        double square = 0;

        if (!alike(t, &t->at[i], l, layout)) continue;
        for (unsigned a = 0; a < SIZES; a++) {
            const double away = log(size[a]) - t->at[i].log_size[a];

            square += away * away;
        }
        const double weight = pow(sqrt(square) + nearest, -4);

        sum += weight * t->at[i].log_rate;
        weights += weight;
    }
    for (unsigned a = 0; a < AXES; a++) below *= fmin(size[a] / t->axis[a].size[0], 1);
    return 2 * size[0] * size[1] * size[2] * size[AXES] / (below * exp(sum / weights));
}

/* If the table has no launches of several products, the products of a launch count as one product
 * with all their rows. */
double gemm_table_us(const gemm_table *t, const gemm_launch *l) {
    const bool own = t->grouped && l->batch > 1;
    const double m = own ? l->m : l->m * l->batch, n = l->n, k = l->k;
    const double size[AXES] = { m, n, k };
    double sum = 0, beyond = 1;
    position p[AXES];

    if (t->at) return scattered_us(t, &(gemm_launch){ l->layout, own ? l->batch : 1, m, n, k });
    if (!t->log_us)
        return 2 * m * n * k /
               exp(log_rate_at(&t->square, sqrt(n * k)) + log_rate_at(&t->rows, m) - t->corner);
    for (unsigned i = 0; i < AXES; i++) {
        p[i] = locate(&t->axis[i], size[i]);
        beyond *= p[i].beyond;
    }
    for (unsigned corner = 0; corner < 1U << AXES; corner++) {
        size_t at = 0;
        double weight = 1;

        for (unsigned i = 0; i < AXES; i++) {
            const bool high = corner >> i & 1;

            weight *= high ? p[i].part : 1 - p[i].part;
            at = at * t->axis[i].count + p[i].low + (high && t->axis[i].count > 1);
        }
        if (weight > 0) sum += weight * t->log_us[at];
    }
    return exp(sum) * beyond;
}

double gemm_table_lasting(const gemm_table *t, gemm_layout layout) {
    const gemm_layout own = t->ordered ? layout_of(t, &(gemm_launch){ .layout = layout }) : GEMM_TN;

    return t->lasting[own] > 0 ? t->lasting[own] : INFINITY;
}

const char *gemm_table_file(const gemm_table *t) { return t->file; }

uint64_t gemm_table_digest(const gemm_table *t, uint64_t hash) {
    const line *const lines[] = { &t->rows, &t->square };
    size_t points = t->log_us != NULL;

    for (size_t i = 0; i < t->count; i++) {
        hash = fnv1a(hash, t->at[i].log_size, sizeof t->at[i].log_size);
        hash = fnv1a(hash, &t->at[i].log_rate, sizeof t->at[i].log_rate);
        hash = fnv1a(hash, &t->at[i].layout, sizeof t->at[i].layout);
    }
    for (unsigned i = 0; i < 2; i++) {
        hash = fnv1a(hash, lines[i]->at.size, lines[i]->at.count * sizeof *lines[i]->at.size);
        hash = fnv1a(hash, lines[i]->log_rate, lines[i]->at.count * sizeof *lines[i]->log_rate);
    }
    for (unsigned i = 0; i < AXES; i++) {
        hash = fnv1a(hash, t->axis[i].size, t->axis[i].count * sizeof *t->axis[i].size);
        points *= t->axis[i].count;
    }
    return fnv1a(hash, t->log_us, points * sizeof *t->log_us);
}
