/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_print.h -- prints a result: a table for people, JSON or CSV for programs
 *
 * Every command builds its result as a JSON object, or as a list of objects, and passes it to
 * result_print(). All three forms come from this object: JSON holds everything, CSV leaves out
 * inner objects and lists.
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

/* The table and CSV form of a command's result. */
typedef struct result_form {
    /* Prints the table of a result; `self` is the member below. */
    void (*table)(const cJSON *result, const void *self);
    const void *self;
    /* The list whose objects are the lines of the CSV. NULL: the result itself is the list or
     * the only line. */
    const char *rows;
    /* The command line. JSON begins with the tool, its version and these arguments. NULL: the
     * result already has them, or is a list. */
    const option_line *line;
} result_form;

/* Prints a result in a format (values.h) and deletes it. Returns EXIT_OK, or EXIT_CHECK after a
 * message if there is no memory. */
int result_print(cJSON *result, format how, const result_form *form);
/* Begins a result: an object that names the tool and its version. Returns NULL if there is no
 * memory. */
cJSON *result_begin(void);
/* Prints a line with name, value and unit for each member that is no list and no object. `command`
 * is as in result_member_find(). */
void result_print_members(const char *command, const cJSON *result);

#ifdef __cplusplus
}
#endif

#endif
