/* SPDX-License-Identifier: Apache-2.0 */
/*
 * study_file.h -- sweeps, with the tables and figures that are made of their results
 *
 * A study is a folder with a file study.yaml, which has the keys
 *   sweeps   NAME: sweeps/NAME.yaml (sweep_file.h); all results go into one database
 *   views    NAME: tables/NAME.sql, one SELECT; optional.  Later views and the tables use it as a
 *            view NAME, with '_' for '-'
 *   tables   NAME: tables/NAME.sql, one SELECT, written as NAME.csv.  If there is a
 *            tables/NAME.gnuplot, it is drawn as NAME.svg, NAME.png, and NAME.pdf, which is as wide
 *            as a column of a paper.  The script runs in the folder of NAME.csv, which it finds in
 *            the variable `csv`, and its standard output is the picture.  A script with several
 *            panels has a line such as "# height 1.2", their height relative to two columns, which
 *            is then the width of the PDF
 *   page     a Markdown file.  A line "@table NAME" becomes that table, with three digits, and
 *            "@about" becomes a line with the cells that were run, and the program
 *
 * A query can use each sweep as a view of its name, with '_' for '-'. The view has the columns of
 * `points`, and `point`, the row's number in the sweep.
 */
#ifndef STUDY_FILE_H
#define STUDY_FILE_H

#include "data_path.h"
#include "sweep_file.h"
#include "values.h"

enum { STUDY_PATH = DATA_PATH + 200 }; /* of a file in the study's folder */

typedef struct study {
    char folder[DATA_PATH], name[64], page[64];
    bool quick;                            /* run fewer cells */
    char **sweep_names, **views, **tables; /* in the order of the file */
    unsigned sweep_count, view_count, table_count;
    sweep *sweeps; /* as read, one for each name */
} study;

/* Reads a study. folder: searched as in data_path.h. Returns EXIT_OK, or EXIT_USAGE after a
 * message. The caller calls study_free() in either case. */
int study_read(const char *folder, bool quick, study *s);
/* Returns the JSON Schema of study.yaml; the caller deletes it. */
struct cJSON *study_schema(void);
void study_free(study *s);

/* Writes all tables, figures and the page of a study to `folder`; the points must be in the
 * database. Prints the page up to its first section ("## "). Returns EXIT_OK, or EXIT_CHECK after a
 * message. */
int study_write(const study *s, const char *database, const char *folder);

#endif
