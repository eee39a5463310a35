/* SPDX-License-Identifier: Apache-2.0 */
/*
 * collective_reader.h -- what the readers of measured collectives share
 *
 * A reader of one form (collective_rows.c for CSV, nccl_log.c, nccl_json.c) finds the fields of a
 * row.  collective_reader_add() then checks the row and keeps it.  A field carries its text and its
 * column; `at.line` is the line of the field, and every message begins with both.
 *
 * Rules that hold for every call
 *   Errors   EXIT_OK, or EXIT_USAGE after a message with file, line and column.
 */
#ifndef COLLECTIVE_READER_H
#define COLLECTIVE_READER_H

#include <stdbool.h>

#include "collective_rows.h"
#include "csv_file.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct collective_reader {
    const char *path; /* of the file, as it is opened */
    csv_file at;      /* the text; name and line for messages */
    collective_rows *to;
    unsigned ranks, nodes; /* of --fabric */
    int expected_kind;     /* the collective that --collective names, or -1 */
    int kind;              /* the collective of the rows that follow, or -1: not known */
    char program[48];      /* the program that the file names, or "" */
} collective_reader;

/* Prints where, what was found and what is expected.  EXIT_USAGE. */
int collective_reader_refuse(const collective_reader *r, size_t column, const char *found,
                             const char *expected);
int collective_reader_refuse_field(const collective_reader *r, const csv_field *f, const char *what,
                                   const char *expected);

/* A number from 0 to 1e15; false: the text is something else. */
bool collective_reader_number(const char *text, double *v);

/* Keeps the name of a program, such as all_reduce_perf, whose rows follow, and its collective. */
void collective_reader_name(collective_reader *r, const char *program, size_t length);

/* Checks a row of r->kind and keeps it.  bus: GB/s, or NULL.  wrong: the count of wrong elements,
 * N/A, or NULL: the file has no such column.  A row of 0 bytes is counted and left out. */
int collective_reader_add(collective_reader *r, const csv_field *bytes, const csv_field *us,
                          const csv_field *bus, const csv_field *wrong);

/* Refuses a file whose list of devices has `ranks` ranks on `hosts` hosts when --fabric has others.
 * The last line of the list is at r->at.line. */
int collective_reader_devices(const collective_reader *r, unsigned ranks, unsigned hosts);

#ifdef __cplusplus
}
#endif

#endif
