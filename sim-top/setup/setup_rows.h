/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup_rows.h -- the fields of a setup as rows of a command's option table
 *
 * A command puts a setup_rows in its struct, makes a group of the fields that it takes, and reads
 * its command line. The values are in `at` as they were given; setup_rows_take() sets the fields.
 *
 *     table.group[1] = setup_rows_group(&q.rows, takes, offsetof(question, rows));
 *     given = option_table_read(&table, argc, argv, &q, &status);
 *     if (given) status = setup_rows_take(&q.rows, (const char *[]){ "collective", given[0] }, 2,
 *     &fields);
 */
#ifndef SETUP_ROWS_H
#define SETUP_ROWS_H

#include <stdbool.h>

#include "option_table.h"
#include "setup.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SETUP_ROW_TEXT = 400 };
typedef struct setup_rows {
    const char *at[SETUP_FIELDS]; /* as given; "" for a flag; NULL: not given */
    option_row row[SETUP_FIELDS];
    setup_id field[SETUP_FIELDS];            /* for each row */
    char text[SETUP_FIELDS][SETUP_ROW_TEXT]; /* text of --help, which the rows point to */
} setup_rows;

/* Returns the group of the fields for which takes() is true, in the order of the list. offset: of
 * `r` in the command's struct. */
option_group setup_rows_group(setup_rows *r, bool (*takes)(const setup_field *f), size_t offset);

/* Sets the fields that are given and checks all fields together. Keeps the arguments that give the
 * same result again: arguments[0] is the command's name, followed by its arguments. The other
 * fields stay as the caller has set them. Returns EXIT_OK, or EXIT_USAGE after a message. */
int setup_rows_take(const setup_rows *r, const char *const *arguments, unsigned count, setup *o);

#ifdef __cplusplus
}
#endif

#endif
