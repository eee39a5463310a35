/* SPDX-License-Identifier: Apache-2.0 */
/* collective_rows.c -- see collective_rows.h */
#include "collective_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "csv_file.h"
#include "exit_status.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

enum { FIELDS_MOST = 32, TAIL = 8 };

typedef enum column {
    C_COLLECTIVE,
    C_RANKS,
    C_BYTES,
    C_US,
    C_BUS,
    C_IN_PLACE_US,
    C_IN_PLACE_BUS,
    C_COLUMNS
} column;
static const csv_column columns[C_COLUMNS + 1] = { { "collective", true },
                                                   { "ranks", true },
                                                   { "bytes", true },
                                                   { "out_of_place_us", true },
                                                   { "out_of_place_busbw_gbps", false },
                                                   { "in_place_us", false },
                                                   { "in_place_busbw_gbps", false },
                                                   { NULL, false } };
#define COLUMNS_ACCEPTED                                                               \
    "collective, ranks, bytes, out_of_place_us, out_of_place_busbw_gbps, in_place_us " \
    "or in_place_busbw_gbps"

typedef struct reader {
    csv_file at; /* the CSV, or of what nccl-tests prints its name and line */
    collective_rows *to;
    unsigned ranks;
    int kind;    /* of nccl-tests' rows; -1: not known */
    bool headed; /* nccl-tests' head of columns was seen */
} reader;

static int refuse(const reader *r, size_t at, const char *found, const char *expected) {
    yaml_error(r->at.file, r->at.line, at, found, expected);
    return EXIT_USAGE;
}

static int refuse_field(const reader *r, const csv_field *f, const char *what,
                        const char *expected) {
    return csv_refuse(&r->at, f, what, expected);
}

double collective_rows_share(ace_kind kind, unsigned ranks) {
    const double n = ranks;

    switch (kind) {
    case ACE_ALL_REDUCE: return 2 * (n - 1) / n;
    case ACE_BROADCAST:
    case ACE_REDUCE: return 1;
    default: return (n - 1) / n;
    }
}

/* ---- a row ------------------------------------------------------------------------------- */

static const char kinds_accepted[] =
    "all-reduce, reduce-scatter, all-gather, all-to-all, broadcast or reduce";

static bool measured_kind(int kind) {
    return kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER || kind == ACE_ALL_GATHER ||
           kind == ACE_ALL_TO_ALL || kind == ACE_BROADCAST || kind == ACE_REDUCE;
}

static bool parse_real(const char *s, double *v) {
    char *end;

    *v = strtod(s, &end);
    return end != s && !*end && *v >= 0 && *v < 1e15;
}

/* bus: in GB/s with `decimals` digits, rounded as the time is, too; or NULL. */
static int add(const reader *r, int kind, const csv_field *bytes, const csv_field *us,
               const csv_field *bus) {
    collective_row row = { .kind = (ace_kind)kind };
    double given = 0;
    char expected[120];

    if (!parse_real(bytes->text, &row.bytes) || row.bytes < 1)
        return refuse_field(r, bytes, "bytes", "a number, 1 or more");
    if (!parse_real(us->text, &row.us) || !(row.us > 0))
        return refuse_field(r, us, "a time", "microseconds above 0");
    if (bus && !parse_real(bus->text, &given))
        return refuse_field(r, bus, "a bus bandwidth", "GB/s");
    const double is = collective_rows_share(row.kind, r->ranks) * row.bytes / row.us / 1000;
    if (bus && fabs(given - is) > 0.011 + 0.01 * is) {
        snprintf(expected, sizeof expected,
                 "%.2f GB/s, which is what its bytes and microseconds say of %u ranks", is,
                 r->ranks);
        return refuse_field(r, bus, "the bus bandwidth", expected);
    }
    for (unsigned i = 0; i < r->to->count; i++)
        if (r->to->at[i].kind == row.kind && r->to->at[i].bytes == row.bytes)
            return refuse_field(r, bytes, "bytes a second time", "each size of a kind once");
    r->to->at[r->to->count++] = row;
    return EXIT_OK;
}

/* ---- CSV --------------------------------------------------------------------------------- */

static int read_row(reader *r, const csv_field of[C_COLUMNS]) {
    char expected[64];
    uint64_t ranks;
    double ignored;
    int kind;

    if (!parse_name(of[C_COLLECTIVE].text, kind_names, &kind) || !measured_kind(kind))
        return refuse_field(r, &of[C_COLLECTIVE], "a collective", kinds_accepted);
    snprintf(expected, sizeof expected, "%u, which --fabric has", r->ranks);
    if (!parse_unsigned(of[C_RANKS].text, 1, UINT32_MAX, &ranks) || ranks != r->ranks)
        return refuse_field(r, &of[C_RANKS], "ranks", expected);
    for (column i = C_IN_PLACE_US; i < C_COLUMNS; i++)
        if (of[i].column && !parse_real(of[i].text, &ignored))
            return refuse_field(r, &of[i], columns[i].name, "a number");
    return add(r, kind, &of[C_BYTES], &of[C_US], of[C_BUS].column ? &of[C_BUS] : NULL);
}

static int read_csv(reader *r) {
    csv_field of[C_COLUMNS];
    bool row = true;
    int rc = EXIT_OK;

    while (rc == EXIT_OK && row) {
        rc = csv_next(&r->at, of, &row);
        if (rc == EXIT_OK && row) rc = read_row(r, of);
    }
    return rc;
}

/* ---- nccl-tests -------------------------------------------------------------------------- */

/* What newer programs say: "# Collective test starting: all_reduce_perf". */
static void look_for_kind(reader *r, const char *line) {
    static const char *const programs[] = { "all_reduce_perf", "reduce_scatter_perf",
                                            "all_gather_perf", "alltoall_perf",
                                            "broadcast_perf",  "reduce_perf" };
    static const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_REDUCE_SCATTER, ACE_ALL_GATHER,
                                      ACE_ALL_TO_ALL, ACE_BROADCAST,      ACE_REDUCE };

    for (unsigned i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const char *at = strstr(line, programs[i]);
        if (at && (at == line || at[-1] == ' ' || at[-1] == '/')) r->kind = (int)kinds[i];
    }
}

static int read_remark(reader *r, const char *line) {
    const char *unit;

    look_for_kind(r, line);
    if (strstr(line, "size") && strstr(line, "time") && strstr(line, "busbw")) r->headed = true;
    /* The line of units below the head. */
    if (!strstr(line, "(B)") && !strstr(line, "(elements)")) return EXIT_OK;
    if (!strstr(line, "(us)") || !strstr(line, "(GB/s)")) {
        unit = strchr(line, '(');
        return refuse(r, unit ? (size_t)(unit - line) + 1 : 1, "other units",
                      "(B), (us) and (GB/s), which nccl-tests prints");
    }
    return EXIT_OK;
}

/* Fields between blanks, cut in place.  More than FIELDS_MOST: FIELDS_MOST + 1. */
static unsigned cut(char *line, csv_field to[FIELDS_MOST]) {
    unsigned n = 0;

    for (char *p = line;;) {
        p += strspn(p, " \t");
        if (!*p) return n;
        const size_t length = strcspn(p, " \t");
        const bool last = !p[length];

        if (n == FIELDS_MOST) return FIELDS_MOST + 1;
        to[n++] = (csv_field){ p, (size_t)(p - line) + 1 };
        p[length] = 0;
        if (last) return n;
        p += length + 1;
    }
}

static int read_printed(reader *r, char *line) {
    csv_field f[FIELDS_MOST];

    if (*line == '#') return read_remark(r, line);
    const unsigned n = cut(line, f);
    if (!n) return EXIT_OK;
    if (!r->headed)
        return refuse(r, f[0].column, "a row before the head of nccl-tests",
                      "# size count type ... time algbw busbw, or a CSV with a head");
    if (n > FIELDS_MOST || n < TAIL + 3)
        return refuse(r, f[0].column, "a row with other fields",
                      "size count type, and time algbw busbw error out of and in place");
    if (r->kind < 0)
        return refuse(r, f[0].column, "rows that do not say of which collective",
                      "--collective NAME beside them");
    return add(r, r->kind, &f[0], &f[n - TAIL], &f[n - TAIL + 2]);
}

/* ---- the file ---------------------------------------------------------------------------- */

static int read_lines(reader *r) {
    int rc = EXIT_OK;

    for (char *line = r->at.text; rc == EXIT_OK && *line;) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end ? end + 1 : end;

        *end = 0;
        line[strcspn(line, "\r")] = 0;
        r->at.line++;
        rc = read_printed(r, line);
        line = next;
    }
    return rc;
}

int collective_rows_read(const char *file, unsigned ranks, int kind, collective_rows *rows) {
    reader r = { .to = rows, .ranks = ranks, .kind = kind };
    int rc;

    *rows = (collective_rows){ 0 };
    rc = csv_load(file, "a readable CSV, or what nccl-tests prints", &r.at);
    if (rc == EXIT_OK) rows->at = calloc(CSV_LINES, sizeof *rows->at);
    if (rc == EXIT_OK && !rows->at) rc = message_no_memory();
    if (rc == EXIT_OK && *r.at.text == '#')
        rc = read_lines(&r);
    else if (rc == EXIT_OK && (rc = csv_head(&r.at, columns, COLUMNS_ACCEPTED)) == EXIT_OK)
        rc = read_csv(&r);
    if (rc == EXIT_OK && !rows->count) {
        r.at.line = 1;
        rc = refuse(&r, 1, "no rows", "a head and at least one");
    }
    csv_close(&r.at);
    return rc;
}

void collective_rows_free(collective_rows *rows) {
    free(rows->at);
    *rows = (collective_rows){ 0 };
}
