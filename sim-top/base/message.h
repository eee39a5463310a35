/* SPDX-License-Identifier: Apache-2.0 */
/*
 * message.h -- what people are told in many places: what a mistyped word may have meant, and that
 * there is no memory
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

/* How many letters must be put in, left out, changed, or swapped with the next, to make one of the
 * other; case does not count.  Above `most`: some number above it. */
unsigned message_distance(const char *a, const char *b, unsigned most);

/* Of the names, which end with NULL, the one nearest to the word, where it is so near that one was
 * likely meant for the other.  NULL: none is. */
const char *message_nearest(const char *word, const char *const *names);
/* "; did you mean 'x'?", or "" where no name is near.  Returns `to`. */
const char *message_hint(char to[MESSAGE_HINT], const char *word, const char *const *names);
/* The same with the words of a text such as "ace, ideal, or in software: comm-opt", and of `word`
 * what is before the first sign that names do not have. */
const char *message_hint_of_text(char to[MESSAGE_HINT], const char *word, const char *text);

/* getopt_long() over long options and -h, of the command argv[0].  What it does not take is told
 * with the option that may have been meant; then '?' is returned. */
int message_getopt(int argc, char **argv, const struct option *longs);

/* What could not be done for want of memory is told in one way.  EXIT_CHECK. */
int message_no_memory(void);

#ifdef __cplusplus
}
#endif

#endif
