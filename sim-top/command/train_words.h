/* SPDX-License-Identifier: Apache-2.0 */
/* train_words.h -- options of acesim run that acesim train and acesim search take, too */
#ifndef TRAIN_WORDS_H
#define TRAIN_WORDS_H

#include <getopt.h>
#include <stdbool.h>

#include "run_fields.h"

enum { TRAIN_OPTIONS = 32, TRAIN_OWN = 1000, TRAIN_GIVEN = 64, TRAIN_WORD = 300 };

/* As a person gave them: --option=value. */
typedef struct train_words {
    const char *command; /* argv[0], for messages */
    char word[TRAIN_GIVEN][TRAIN_WORD];
    unsigned count;
} train_words;

/* getopt's lines, whose values are TRAIN_OWN and above.  kept: of a run alone, its threads and what it
 * writes, too.  How many. */
unsigned train_words_options(bool kept, struct option to[TRAIN_OPTIONS]);
void train_words_help(bool kept);
/* EXIT_OK, or EXIT_USAGE after a message. */
int train_words_take(train_words *w, int c, const char *value);
/* The cluster's file and the options, which stay in place, become fields; `model` is what is run.  EXIT_OK, or EXIT_USAGE
 * after a message. */
int train_words_fields(train_words *w, const char *cluster, const char *model, run_fields *o);

#endif
