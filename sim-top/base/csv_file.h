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
 * Columns are found by their names, in any order.  Those that are not named are passed over, or
 * refused.  Empty lines are passed over.  Fields have no quotes: a comma always ends one.
 *
 * Rules that hold for every call
 *   Ownership  A field's text is valid until csv_close().
 *   Errors     EXIT_OK, or EXIT_USAGE after a message with file, line and column, or EXIT_CHECK: no
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

enum { CSV_FIELDS = 64, CSV_LINES = 100000 }; /* the most of a line, and of a file */

typedef struct csv_column {
    const char *name; /* NULL ends the list */
    bool required;
} csv_column;

typedef struct csv_field {
    const char *text;
    size_t column; /* of its first character, from 1; 0, and "": the file has no such column */
} csv_field;

typedef struct csv_file {
    const char *file; /* as messages call it */
    size_t line;      /* the one that was read last, from 1 */
    char *text, *next;
    const csv_column *columns;
    int of[CSV_FIELDS]; /* the number of the column of each field, or -1: nobody's */
    unsigned fields;
} csv_file;

/* Reads the head of a file whose columns are these, and any others. */
int csv_open(const char *file, const csv_column *columns, csv_file *c);
/* The same in two steps, of a file that may be no CSV: its text is loaded, or refused as not what
 * is `expected`, and looked at by the caller; then its head is read.  accepted: the columns in
 * words, where there may be no others; NULL: others are passed over. */
int csv_load(const char *file, const char *expected, csv_file *c);
int csv_head(csv_file *c, const csv_column *columns, const char *accepted);
/* *row: there is one; at[i] is of columns[i]. */
int csv_next(csv_file *c, csv_field at[], bool *row);
/* A number from low to high, or a message that it is not `what`. */
int csv_number(const csv_file *c, const csv_field *f, const char *what, double low, double high,
               double *to);
/* EXIT_USAGE, after the message that the field was found as `what` and `expected` is accepted. */
int csv_refuse(const csv_file *c, const csv_field *f, const char *what, const char *expected);
void csv_close(csv_file *c);

#ifdef __cplusplus
}
#endif

#endif
