/* SPDX-License-Identifier: Apache-2.0 */
/*
 * names.h -- checks file names that a user gives, and quotes them for other tools
 *
 * A text from a user or a file must never become program text of another tool. Names with control
 * characters are refused: these would end a line of a view, a message or a list. File names are
 * bytes, and texts of other programs may hold any bytes. All outputs are UTF-8.
 */
#ifndef NAMES_H
#define NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { NAME_MOST = 1000 /* bytes: a suffix still fits below PATH_MAX */ };
#define NAME_ACCEPTED "a name of at most 1000 bytes without control characters"

/* Returns what is not accepted in a name, such as "a control character in a name"; NULL:
 * nothing. */
const char *name_fault(const char *name);
/* The same with a message "acesim WHERE: found ..., expected ...". Returns true if the name is
 * accepted. */
bool name_check(const char *where, const char *name);

/* Writes a word with the quotes that a POSIX shell needs. */
void name_to_shell(FILE *to, const char *word);
/* The same for a file name, which gets a ./ where a program could take it for an option. The caller
 * frees the text. NULL: no memory. */
char *name_of_file_in_shell(const char *file);

/* Returns the length in bytes of the UTF-8 character at s, which is not the end of a text. Returns
 * 0 if the bytes are no character, or one that markup does not allow. Outputs write UTF8_INSTEAD
 * for such a byte. */
#define UTF8_INSTEAD "\xEF\xBF\xBD" /* U+FFFD */
size_t utf8_character(const char *s);
/* Takes a text from malloc(), and returns it or a replacement that is valid UTF-8. Returns NULL
 * when there is no memory, or when the text is NULL. */
char *utf8_text(char *text);

#ifdef __cplusplus
}
#endif

#endif
