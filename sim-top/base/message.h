/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h -- messages used in many files: suggestions for mistyped words, and out of memory
 *
 *     char hint[MESSAGE_HINT];
 *     fprintf(stderr, "found '%s', expected one of ...%s\n", word, message_hint(hint, word,
 *     names));
 */
#ifndef MESSAGE_H
#define MESSAGE_H

#include <getopt.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MESSAGE_HINT = 96 };

/* Returns how many letters must be inserted, removed, changed, or swapped with the next one to turn
 * one word into the other. Case does not count. If it is more than `most`, returns some number
 * above `most`. */
unsigned message_distance(const char *a, const char *b, unsigned most);

/* Returns the name nearest to the word, if it is near enough to be a likely mistake. `names` ends
 * with NULL. Returns NULL if none is. */
const char *message_nearest(const char *word, const char *const *names);
/* Writes "; did you mean 'x'?", or "" if no name is near. Returns `to`. */
const char *message_hint(char to[MESSAGE_HINT], const char *word, const char *const *names);
/* The same with the words of a text such as "ace, ideal, or in software: comm-opt". Only the part
 * of `word` before the first character that names do not have is compared. If the text has this
 * part as a word, no hint is written. */
const char *message_hint_of_text(char to[MESSAGE_HINT], const char *word, const char *text);

/* Calls getopt_long() for long options and -h of a command, whose name in messages is `command`.
 * For an unknown option it prints a message and returns '?'. The message has the nearest option, or
 * the argument that `usage` names in capitals. */
int message_getopt(const char *command, int argc, char **argv, const struct option *longs,
                   const char *usage);

/* Prints that there is no memory. Returns EXIT_CHECK. */
int message_no_memory(void);

#ifdef __cplusplus
}
#endif

#endif
