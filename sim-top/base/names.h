/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h -- names of files that a person gives, and how they are passed on to other tools
 *
 * No text of a person or a file is ever program text of another tool.  What cannot be said in all
 * of them is refused: a control character would end a line of a view, of a message or of a list.
 * Files are named by bytes, and texts of other programs may have any: outputs are UTF-8 all the
 * same.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NAME_MOST = 1000 /* bytes: what is put behind a name has room below PATH_MAX */ };
#define NAME_ACCEPTED "a name of at most 1000 bytes without control characters"

/* What a name has that is not accepted, such as "a control character in a name"; NULL: nothing. */
const char *name_fault(const char *name);
/* The same with a message: "acesim WHERE: found ..., expected ...".  True: the name is accepted. */
bool name_check(const char *where, const char *name);

/* A word as a POSIX shell reads it. */
void name_to_shell(FILE *to, const char *word);
/* The same of a file, which no program takes for an option.  The caller frees it; NULL: no memory.
 */
char *name_of_file_in_shell(const char *file);

/* The bytes of the UTF-8 character at s, which is no end of a text; 0: there is none, or one
 * that markup may not have.  Outputs put UTF8_INSTEAD in place of such a byte. */
#define UTF8_INSTEAD "\xEF\xBF\xBD" /* U+FFFD */
size_t utf8_character(const char *s);
/* Takes a text of malloc() and returns it, or in its place one of UTF-8 alone; NULL: no memory,
 * or none was given. */
char *utf8_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
