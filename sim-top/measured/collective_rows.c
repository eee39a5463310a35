/* SPDX-License-Identifier: Apache-2.0 */
/* collective_rows.c -- see collective_rows.h */
#include "collective_rows.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "values.h"
#include "yaml_file.h"

enum { LINES_MOST = 100000, FIELDS_MOST = 32, TAIL = 8 };

typedef enum column {
    C_COLLECTIVE,
    C_RANKS,
    C_BYTES,
    C_US,
    C_REQUIRED,
    C_BUS = C_REQUIRED,
    C_IN_PLACE_US,
    C_IN_PLACE_BUS,
    C_COLUMNS
} column;
static const char *const names[C_COLUMNS] = { "collective",
                                              "ranks",
                                              "bytes",
                                              "out_of_place_us",
                                              "out_of_place_busbw_gbps",
                                              "in_place_us",
                                              "in_place_busbw_gbps" };
#define COLUMNS_ACCEPTED                                                               \
    "collective, ranks, bytes, out_of_place_us, out_of_place_busbw_gbps, in_place_us " \
    "or in_place_busbw_gbps"

typedef struct field {
    char *text;
    size_t at; /* column, from 1 */
} field;

typedef struct reader {
    const char *file;
    collective_rows *to;
    unsigned ranks;
    int kind; /* of nccl-tests' rows; -1: not known */
    column of[FIELDS_MOST];
    unsigned fields; /* of the head */
    size_t line;
    bool headed; /* nccl-tests' head of columns was seen */
} reader;

static int refuse(const reader *r, size_t at, const char *found, const char *expected) {
    yaml_error(r->file, r->line, at, found, expected);
    return EXIT_USAGE;
}

static int refuse_field(const reader *r, const field *f, const char *what, const char *expected) {
    char found[160];

    snprintf(found, sizeof found, "'%.100s' as %s", f->text, what);
    return refuse(r, f->at, *f->text ? found : "an empty field", expected);
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
static int add(const reader *r, int kind, const field *bytes, const field *us, const field *bus) {
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

/* Fields of a line, cut in place.  More than FIELDS_MOST: FIELDS_MOST + 1. */
static unsigned cut(char *line, const char *between, field to[FIELDS_MOST]) {
    const bool blanks = *between == ' ';
    unsigned n = 0;

    for (char *p = line;;) {
        if (blanks) p += strspn(p, between);
        if (blanks && !*p) return n;
        const size_t length = strcspn(p, between);
        const bool last = !p[length];

        if (n == FIELDS_MOST) return FIELDS_MOST + 1;
        to[n++] = (field){ p, (size_t)(p - line) + 1 };
        p[length] = 0;
        if (last) return n;
        p += length + 1;
    }
}

static int read_head(reader *r, char *line) {
    field f[FIELDS_MOST];
    const unsigned n = cut(line, ",", f);
    char expected[64];

    if (n > FIELDS_MOST) return refuse(r, 1, "more than 32 columns", COLUMNS_ACCEPTED);
    r->fields = n;
    for (unsigned i = 0; i < n; i++) {
        column c = 0;

        while (c < C_COLUMNS && strcmp(f[i].text, names[c]) != 0) c++;
        if (c == C_COLUMNS) return refuse_field(r, &f[i], "a column", COLUMNS_ACCEPTED);
        for (unsigned k = 0; k < i; k++)
            if (r->of[k] == c) return refuse_field(r, &f[i], "a column again", "each once");
        r->of[i] = c;
    }
    for (column c = 0; c < C_REQUIRED; c++) {
        bool there = false;

        for (unsigned i = 0; i < n; i++) there |= r->of[i] == c;
        snprintf(expected, sizeof expected, "the column '%s'", names[c]);
        if (!there) return refuse(r, 1, "a head without it", expected);
    }
    return EXIT_OK;
}

static int read_row(reader *r, char *line) {
    field f[FIELDS_MOST], of[C_COLUMNS] = { 0 };
    const unsigned n = cut(line, ",", f);
    char expected[64];
    uint64_t ranks;
    double ignored;
    int kind;

    snprintf(expected, sizeof expected, "%u, as the head has", r->fields);
    if (n < r->fields) return refuse(r, 1, "a row with fewer fields than the head", expected);
    if (n > r->fields) return refuse(r, 1, "a row with more fields than the head", expected);
    for (unsigned i = 0; i < n; i++) of[r->of[i]] = f[i];
    if (!parse_name(of[C_COLLECTIVE].text, kind_names, &kind) || !measured_kind(kind))
        return refuse_field(r, &of[C_COLLECTIVE], "a collective", kinds_accepted);
    snprintf(expected, sizeof expected, "%u, which --fabric has", r->ranks);
    if (!parse_unsigned(of[C_RANKS].text, 1, UINT32_MAX, &ranks) || ranks != r->ranks)
        return refuse_field(r, &of[C_RANKS], "ranks", expected);
    for (column c = C_IN_PLACE_US; c < C_COLUMNS; c++)
        if (of[c].text && !parse_real(of[c].text, &ignored))
            return refuse_field(r, &of[c], names[c], "a number");
    return add(r, kind, &of[C_BYTES], &of[C_US], of[C_BUS].text ? &of[C_BUS] : NULL);
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

static int read_printed(reader *r, char *line) {
    field f[FIELDS_MOST];

    if (*line == '#') return read_remark(r, line);
    const unsigned n = cut(line, " \t", f);
    if (!n) return EXIT_OK;
    if (!r->headed)
        return refuse(r, f[0].at, "a row before the head of nccl-tests",
                      "# size count type ... time algbw busbw, or a CSV with a head");
    if (n > FIELDS_MOST || n < TAIL + 3)
        return refuse(r, f[0].at, "a row with other fields",
                      "size count type, and time algbw busbw error out of and in place");
    if (r->kind < 0)
        return refuse(r, f[0].at, "rows that do not say of which collective",
                      "--collective NAME beside them");
    return add(r, r->kind, &f[0], &f[n - TAIL], &f[n - TAIL + 2]);
}

/* ---- the file ---------------------------------------------------------------------------- */

static int read_lines(reader *r, char *text) {
    const bool printed = *text == '#';
    char *line = text;
    int rc = EXIT_OK;

    for (r->line = 1; rc == EXIT_OK && *line; r->line++) {
        char *const end = line + strcspn(line, "\n");
        char *const next = *end ? end + 1 : end;

        *end = 0;
        line[strcspn(line, "\r")] = 0;
        if (printed)
            rc = read_printed(r, line);
        else if (r->line == 1)
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

int collective_rows_read(const char *file, unsigned ranks, int kind, collective_rows *rows) {
    reader r = { .file = input_name(file), .to = rows, .ranks = ranks, .kind = kind, .line = 1 };
    char *const text = input_text(file, NULL);
    size_t lines = 1;
    int rc;

    *rows = (collective_rows){ 0 };
    if (!text) {
        yaml_error(file, 1, 1, strerror(errno), "a readable CSV, or what nccl-tests prints");
        return EXIT_USAGE;
    }
    for (const char *p = text; *p; p++) lines += *p == '\n';
    if (lines > LINES_MOST) {
        rc = refuse(&r, 1, "more than 100000 lines", "fewer");
    } else {
        rows->at = calloc(lines, sizeof *rows->at);
        rc = rows->at ? read_lines(&r, text) : message_no_memory();
    }
    free(text);
    return rc;
}

void collective_rows_free(collective_rows *rows) {
    free(rows->at);
    *rows = (collective_rows){ 0 };
}
