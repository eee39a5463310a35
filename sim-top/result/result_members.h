/* SPDX-License-Identifier: Apache-2.0 */
/*
 * result_members.h -- what the members of results are: name, unit, meaning
 *
 * A result is a JSON object, or a list of them. Its values stand there; this list says what they
 * are. Tables, differences and pages take units and meanings from here.
 */
#ifndef RESULT_MEMBERS_H
#define RESULT_MEMBERS_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct result_member {
    const char *commands; /* that print it, with a space between them; of a group's row the same */
    const char *path;     /* NULL: the row begins a group, whose title is `meaning` */
    const char *unit;     /* "": a count, or a text */
    const char *meaning;
    bool asked; /* of a group's row: its members are what was asked */
} result_member;

/* The member of a result of `command`, which is the last word of a view's name, or NULL for any;
 * `path` has a dot between names and no index: "stages.compute_cycles". NULL: no such member is in
 * the list. */
const result_member *result_member_find(const char *command, const char *path);
/* Was the member asked for, or is it an answer? False, too, where it is not in the list. */
bool result_member_is_asked(const char *command, const char *path);
/* Prints the members of a command, or of all (NULL), as tables in Markdown. False: there is no
 * such command. */
bool result_members_print(const char *command);

#ifdef __cplusplus
}
#endif

#endif
