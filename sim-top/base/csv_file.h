/* SPDX-License-Identifier: Apache-2.0 */
/*
 * csv_file.h -- reads a table of comma-separated values, whose first line names its columns
 *
 *     static const csv_column columns[] = { { "m", true }, { "time_us", true }, { NULL, false } };
 *     csv_field at[2];
 *     csv_file c;
 *     bool row;
 *
 *     rc = csv_open("gemm.csv", columns, &c);
 *     while (rc == EXIT_OK && (rc = csv_next(&c, at, &row)) == EXIT_OK && row)
 *         rc = csv_number(&c, &at[0], "rows of the product", 1, 1e9, &m);
 *     csv_close(&c);
 *
 * Columns are found by their names, in any order. Other columns are skipped or refused. Empty lines
 * are skipped. Fields have no quotes: a comma always ends a field.
 *
 * Rules that hold for every call
 *   Ownership  A field's text is valid until csv_close().
 *   Errors     EXIT_OK; EXIT_USAGE after a message with file, line and column; EXIT_CHECK: no
 *              memory.  Call csv_close() in any case.
 *              memory.  csv_close() in any case.
 *   Threads    Called by the main thread only, as input_file.h.
 */
#ifndef CSV_FILE_H
#define CSV_FILE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { CSV_FIELDS = 64, CSV_LINES = 100000 }; /* the most fields of a line, and lines of a file */

typedef struct csv_column {
    const char *name; /* NULL ends the list */
    bool required;
} csv_column;

typedef struct csv_field {
    const char *text;
    /* position of its first character, from 1; 0 and text "": the file has no such column */
    size_t column;
} csv_field;

typedef struct csv_file {
    const char *file; /* the name in messages */
    size_t line;      /* the line read last, from 1 */
    char *text, *next;
    const csv_column *columns;
    int of[CSV_FIELDS]; /* for each field, the index of its column, or -1: not wanted */
    unsigned fields;
} csv_file;

/* Opens a file and reads its head. The file may have further columns. */
int csv_open(const char *file, const csv_column *columns, csv_file *c);
/* The same in two steps, for a file that may be no CSV. csv_load() loads the text, or refuses it
 * with a message that names what is `expected`. The caller may then examine the text. csv_head()
 * reads the head. accepted: text that lists the columns if no others are allowed; NULL: others are
 * skipped. */
int csv_load(const char *file, const char *expected, csv_file *c);
int csv_head(csv_file *c, const csv_column *columns, const char *accepted);
/* Reads a row. *row: there was one. at[i] is the field of columns[i]. */
int csv_next(csv_file *c, csv_field at[], bool *row);
/* Parses a number from low to high, or prints a message that it is not `what`. */
int csv_number(const csv_file *c, const csv_field *f, const char *what, double low, double high,
               double *to);
/* Prints that the field was found as `what` and that `expected` is accepted. Returns EXIT_USAGE. */
int csv_refuse(const csv_file *c, const csv_field *f, const char *what, const char *expected);
void csv_close(csv_file *c);

#ifdef __cplusplus
}
#endif

#endif
