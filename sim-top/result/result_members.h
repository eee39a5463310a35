/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_members.h -- the members of results: name, unit, meaning
 *
 * A result is a JSON object, or a list of objects. It holds the values; this list holds their units
 * and meanings. Tables, differences and pages take both from here.
 */
#ifndef RESULT_MEMBERS_H
#define RESULT_MEMBERS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct result_member {
    /* that print it, separated by spaces; members repeat those of their group's row */
    const char *commands;
    const char *path; /* NULL: the row begins a group, whose title is `meaning` */
    const char *unit; /* "": a count, or a text */
    const char *meaning;
    bool asked; /* of a group's row: its members are inputs of the run, not results */
} result_member;

/* Returns the member of a result of `command`, which is the last word of a view's name, or NULL for
 * any command. `path` has dots between names and no indexes: "stages.compute_cycles". Returns NULL
 * if the list has no such member. */
const result_member *result_member_find(const char *command, const char *path);
/* Returns whether the member is an input of the run. Returns false for members that are not in the
 * list. */
bool result_member_is_asked(const char *command, const char *path);
/* Prints the members of a command, or of all (NULL), as lists in Markdown. Returns false if there
 * is no such command. */
bool result_members_print(const char *command);

#ifdef __cplusplus
}
#endif

#endif
