/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_print.h -- a result on standard output: a table for people, JSON or CSV for programs
 *
 * Every command makes its result as a JSON object, or as a list of them, and hands it over here.
 * The three forms are made of it: JSON holds all of it, CSV leaves out objects and lists inside.
 */
#ifndef RESULT_PRINT_H
#define RESULT_PRINT_H

#include <cjson/cJSON.h>
#include <stdbool.h>

#include "option_table.h"
#include "values.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How a command's result looks to people and as CSV. */
typedef struct result_form {
    /* Prints the table of a result; `self` is the command's. */
    void (*table)(const cJSON *result, const void *self);
    const void *self;
    const char *rows; /* the list of which CSV has a line for each object;
                         NULL: the result itself, which is a list or the only line */
    const option_line
        *line; /* of the command: JSON begins with the tool, its version and these words;
                                NULL: it has them, or is a list */
} result_form;

/* Prints a result in a format (values.h) and deletes it. EXIT_OK, or EXIT_CHECK after a message: no
 * memory. */
int result_print(cJSON *result, format how, const result_form *form);
/* Begins a result: an object that names the tool and its version. NULL: no memory. */
cJSON *result_begin(void);
/* A line for each member that is no list and no object: name, value, unit. `command` as in
 * result_member_find(). */
void result_print_members(const char *command, const cJSON *result);

#ifdef __cplusplus
}
#endif

#endif
