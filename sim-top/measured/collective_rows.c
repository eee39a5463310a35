/* SPDX-License-Identifier: Apache-2.0 */
/* collective_rows.c -- decides which form a file of measured collectives has, reads the CSV, and
 * checks each row of every form; see collective_rows.h */
#include "collective_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collective_reader.h"
#include "exit_status.h"
#include "message.h"
#include "nccl_json.h"
#include "nccl_log.h"
#include "values.h"
#include "yaml_file.h"

typedef enum column {
    C_COLLECTIVE,
    C_RANKS,
    C_BYTES,
    C_US,
    C_BUS,
    C_IN_PLACE_US,
    C_IN_PLACE_BUS,
    C_ACCELERATOR,
    C_COLUMNS
} column;
static const csv_column columns[C_COLUMNS + 1] = { { "collective", true },
                                                   { "ranks", true },
                                                   { "bytes", true },
                                                   { "out_of_place_us", true },
                                                   { "out_of_place_busbw_gbps", false },
                                                   { "in_place_us", false },
                                                   { "in_place_busbw_gbps", false },
                                                   { "accelerator", false },
                                                   { NULL, false } };
#define COLUMNS_ACCEPTED                                                                \
    "collective, ranks, bytes, out_of_place_us, out_of_place_busbw_gbps, in_place_us, " \
    "in_place_busbw_gbps or accelerator"

/* ---- CSV --------------------------------------------------------------------------------- */

static bool measured_kind(int kind) {
    return kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER || kind == ACE_ALL_GATHER ||
           kind == ACE_ALL_TO_ALL || kind == ACE_BROADCAST || kind == ACE_REDUCE;
}

/* All rows have one accelerator. */
static int read_accelerator(collective_reader *r, const csv_field *f) {
    collective_rows *to = r->to;

    if (!*to->accelerator) {
        if (!*f->text || strlen(f->text) >= sizeof to->accelerator)
            return collective_reader_refuse_field(r, f, "an accelerator", "a name such as A100");
        strcpy(to->accelerator, f->text);
        to->accelerator_line = r->at.line;
        to->accelerator_column = f->column;
    }
    return strcmp(to->accelerator, f->text)
               ? collective_reader_refuse_field(r, f, "an accelerator", to->accelerator)
               : EXIT_OK;
}

static int read_row(collective_reader *r, const csv_field of[C_COLUMNS]) {
    char expected[64];
    uint64_t ranks;
    double ignored;

    if (!parse_name(of[C_COLLECTIVE].text, kind_names, &r->kind) || !measured_kind(r->kind))
        return collective_reader_refuse_field(
            r, &of[C_COLLECTIVE], "a collective",
            "all-reduce, reduce-scatter, all-gather, all-to-all, broadcast or reduce");
    snprintf(expected, sizeof expected, "%u, which --fabric has", r->ranks);
    if (!parse_unsigned(of[C_RANKS].text, 1, UINT32_MAX, &ranks) || ranks != r->ranks)
        return collective_reader_refuse_field(r, &of[C_RANKS], "ranks", expected);
    for (column i = C_IN_PLACE_US; i <= C_IN_PLACE_BUS; i++)
        if (of[i].column && !collective_reader_number(of[i].text, &ignored))
            return collective_reader_refuse_field(r, &of[i], columns[i].name, "a number");
    if (of[C_ACCELERATOR].column) {
        const int rc = read_accelerator(r, &of[C_ACCELERATOR]);

        if (rc != EXIT_OK) return rc;
    }
    return collective_reader_add(r, &of[C_BYTES], &of[C_US], of[C_BUS].column ? &of[C_BUS] : NULL,
                                 NULL);
}

static int read_csv(collective_reader *r) {
    csv_field of[C_COLUMNS];
    bool row = true;
    int rc = csv_head(&r->at, columns, COLUMNS_ACCEPTED);

    r->expected_kind = -1; /* each row names its own */
    while (rc == EXIT_OK && row) {
        rc = csv_next(&r->at, of, &row);
        if (rc == EXIT_OK && row) rc = read_row(r, of);
    }
    return rc;
}

/* Whether a comma ends or follows one of our columns in the first line. */
static bool csv_is(const char *text) {
    for (const char *p = text;; p++) {
        const size_t length = strcspn(p, ",\r\n");

        for (int i = 0; i < C_COLUMNS; i++)
            if (strlen(columns[i].name) == length && !strncmp(p, columns[i].name, length))
                return true;
        p += length;
        if (*p != ',') return false;
    }
}

/* ---- the file ---------------------------------------------------------------------------- */

static int refuse_form(collective_reader *r) {
    char found[80];
    const char *line = r->at.text;

    for (r->at.line = 1; *line == '\n' || *line == '\r'; line++) r->at.line += *line == '\n';
    if (!*line) return collective_reader_refuse(r, 1, "no rows", "a head and at least one");
    snprintf(found, sizeof found, "'%.*s'",
             (int)(strcspn(line, "\r\n") < 60 ? strcspn(line, "\r\n") : 60), line);
    return collective_reader_refuse(
        r, 1, found,
        "a CSV with the columns collective, ranks, bytes and out_of_place_us, a log with the head "
        "of nccl-tests or rccl-tests (# size count type ... time algbw busbw), or the JSON of "
        "either");
}

static int read_form(collective_reader *r) {
    if (!strncmp(r->at.text, "\xEF\xBB\xBF", 3)) r->at.next = r->at.text += 3;
    if (nccl_json_is(r->at.text)) return nccl_json_read(r);
    if (nccl_log_is(r->at.text)) return nccl_log_read(r);
    return csv_is(r->at.text) ? read_csv(r) : refuse_form(r);
}

int collective_rows_read(const char *file, unsigned ranks, unsigned nodes, int kind,
                         collective_rows *rows) {
    collective_reader r = { .path = file,
                            .to = rows,
                            .ranks = ranks,
                            .nodes = nodes,
                            .expected_kind = kind,
                            .kind = kind };
    char *text;
    int rc;

    *rows = (collective_rows){ 0 };
    rc = csv_load(file, "a readable CSV, log or JSON of collectives", &r.at);
    text = r.at.text;
    if (rc == EXIT_OK) rows->at = calloc(CSV_LINES, sizeof *rows->at);
    if (rc == EXIT_OK && !rows->at) rc = message_no_memory();
    if (rc == EXIT_OK) rc = read_form(&r);
    if (rc == EXIT_OK && !rows->count) {
        r.at.line = rows->rows_cut ? rows->first_cut : 1;
        rc = collective_reader_refuse(
            &r, 1, rows->rows_cut ? "other fields than the head names" : "no rows",
            "a head and at least one row that fits it");
    }
    r.at.text = text;
    csv_close(&r.at);
    return rc;
}

void collective_rows_free(collective_rows *rows) {
    free(rows->at);
    *rows = (collective_rows){ 0 };
}
