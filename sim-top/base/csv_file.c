/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_file.c -- cuts a table's lines in place and finds the columns by name
 *
 * The whole file is in memory, and fields are pointers into it. The head maps each column that is
 * expected to a field, so rows are returned in the caller's order.
 */
#include "csv_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "input_file.h"
#include "message.h"
#include "yaml_file.h"

static int refuse_cell(const csv_file *c, size_t column, const char *found, const char *expected) {
    yaml_error(c->file, c->line, column, found, expected);
    return EXIT_USAGE;
}

int csv_refuse(const csv_file *c, const csv_field *f, const char *what, const char *expected) {
    char found[200];

    snprintf(found, sizeof found, "'%.100s' as %s", f->text, what);
    return refuse_cell(c, f->column, *f->text ? found : "an empty field", expected);
}

int csv_number(const csv_file *c, const csv_field *f, const char *what, double low, double high,
               double *to) {
    char expected[80];
    char *end;

    *to = strtod(f->text, &end);
    if (end != f->text && !*end && *to >= low && *to <= high) return EXIT_OK;
    snprintf(expected, sizeof expected, "a number from %g to %g", low, high);
    return csv_refuse(c, f, what, expected);
}

/* Splits the next line into fields, in place. Returns their number; CSV_FIELDS + 1: too many. */
static unsigned cut(csv_file *c, csv_field to[CSV_FIELDS]) {
    char *const line = c->next, *p = line;
    char *const end = line + strcspn(line, "\n");
    unsigned n = 0;

    c->next = *end ? end + 1 : end;
    *end = 0;
    line[strcspn(line, "\r")] = 0;
    c->line++;
    while (n < CSV_FIELDS) {
        const size_t length = strcspn(p, ",");
        const bool last = !p[length];

        to[n++] = (csv_field){ p, (size_t)(p - line) + 1 };
        p[length] = 0;
        if (last) return n;
        p += length + 1;
    }
    return CSV_FIELDS + 1;
}

int csv_head(csv_file *c, const csv_column *columns, const char *accepted) {
    csv_field f[CSV_FIELDS];
    const unsigned n = cut(c, f);
    char expected[80];

    if (n > CSV_FIELDS) return refuse_cell(c, 1, "more than 64 columns", "fewer");
    c->columns = columns;
    c->fields = n;
    for (unsigned i = 0; i < n; i++) {
        c->of[i] = -1;
        for (int k = 0; columns[k].name; k++)
            if (!strcmp(f[i].text, columns[k].name)) c->of[i] = k;
        if (c->of[i] < 0 && accepted) return csv_refuse(c, &f[i], "a column", accepted);
        for (unsigned k = 0; k < i; k++)
            if (c->of[i] >= 0 && c->of[k] == c->of[i])
                return csv_refuse(c, &f[i], "a column again", "each once");
    }
    for (int k = 0; columns[k].name; k++) {
        bool there = !columns[k].required;

        for (unsigned i = 0; i < n; i++) there |= c->of[i] == k;
        snprintf(expected, sizeof expected, "the column '%s'", columns[k].name);
        if (!there) return refuse_cell(c, 1, "a head without it", expected);
    }
    return EXIT_OK;
}

int csv_load(const char *file, const char *expected, csv_file *c) {
    size_t lines = 1;

    *c = (csv_file){ .file = input_name(file) };
    c->text = c->next = input_text(file, NULL);
    if (c->text) {
        for (const char *p = c->text; *p; p++) lines += *p == '\n';
        if (lines <= CSV_LINES) return EXIT_OK;
    }
    c->line = 1;
    return c->text ? refuse_cell(c, 1, "more than 100000 lines", "fewer")
                   : refuse_cell(c, 1, strerror(errno), expected);
}

int csv_open(const char *file, const csv_column *columns, csv_file *c) {
    const int rc = csv_load(file, "a readable table of comma-separated values", c);

    return rc == EXIT_OK ? csv_head(c, columns, NULL) : rc;
}

int csv_next(csv_file *c, csv_field at[], bool *row) {
    csv_field f[CSV_FIELDS];
    char expected[48];
    unsigned n = 0;

    for (*row = false; *c->next && !*row; *row = n > 1 || *f[0].text) n = cut(c, f);
    if (!*row) return EXIT_OK;
    snprintf(expected, sizeof expected, "%u, as the head has", c->fields);
    if (n != c->fields)
        return refuse_cell(c, 1,
                           n < c->fields ? "a row with fewer fields than the head"
                                         : "a row with more fields than the head",
                           expected);
    for (int k = 0; c->columns[k].name; k++) at[k] = (csv_field){ "", 0 };
    for (unsigned i = 0; i < n; i++)
        if (c->of[i] >= 0) at[c->of[i]] = f[i];
    return EXIT_OK;
}

void csv_close(csv_file *c) {
    free(c->text);
    *c = (csv_file){ 0 };
}
