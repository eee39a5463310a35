/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study_file.h -- sweeps, and what a reader is shown of them
 *
 * A study is a folder.  study.yaml lists
 *   sweeps   NAME: sweeps/NAME.yaml (sweep_file.h); all results go into one database
 *   views    NAME: tables/NAME.sql, one SELECT, which those behind it and the tables see by that
 *            name, '-' being '_'; may be left out
 *   tables   NAME: tables/NAME.sql, one SELECT, written as NAME.csv; where there is a
 *            tables/NAME.gnuplot too, drawn as NAME.svg, NAME.png and, as wide as a column of a
 *            paper, NAME.pdf.  It runs beside NAME.csv, which `csv` names, and its standard
 *            output is the picture.  A script of panels says with a line "# height 1.2" how high
 *            they are; in a PDF they are as wide as two columns, which is 1
 *   page     a Markdown file; its lines "@table NAME" become that table, with three digits, and
 *            "@about" a line that says which cells were run, and by which program
 *
 * A query sees each sweep as a view of that name, '-' being '_': the columns of `points`,
 * and `point`, the number of the row in the sweep.
 */
#ifndef STUDY_FILE_H
#define STUDY_FILE_H

#include "data_path.h"
#include "sweep_file.h"
#include "values.h"

enum { STUDY_PATH = DATA_PATH + 200 }; /* of a file in the folder of a study */

typedef struct study {
    char folder[DATA_PATH], name[64], page[64];
    bool quick;                            /* fewer cells */
    char **sweep_names, **views, **tables; /* in the order of the file */
    unsigned sweep_count, view_count, table_count;
    sweep *sweeps; /* as read, one for each name */
} study;

/* folder: found as data_path.h says.  EXIT_OK, or EXIT_USAGE after a message; study_free in either
 * case. */
int study_read(const char *folder, bool quick, study *s);
/* The JSON Schema of study.yaml; the caller deletes it. */
struct cJSON *study_schema(void);
void study_free(study *s);

/* Writes every table, figure and the page of a study whose points are in the database, to
 * files in `folder`, and prints the page as far as its first section ("## ").  EXIT_OK, or
 * EXIT_CHECK after a message. */
int study_write(const study *s, const char *database, const char *folder);

#endif
