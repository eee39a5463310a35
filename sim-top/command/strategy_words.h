/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_words.h -- the words that commands about models and strategies share */
#ifndef STRATEGY_WORDS_H
#define STRATEGY_WORDS_H

#include <cjson/cJSON.h>

#include "model.h"
#include "setup_rows.h"
#include "strategy.h"
#include "values.h"

/* As a person wrote them; NULL and 0: not given. */
typedef struct strategy_words {
    const char *command; /* argv[0], for messages */
    const char *model, *strategy, *layers_of_stages;
    uint64_t batch, sequence, layers;
    bool fractional;
    format format;
    option_line line; /* the command's, once it has read its options */
} strategy_words;

/* The options that set them, a group at the offset of a strategy_words. */
enum { STRATEGY_ROWS = 6 };
extern const option_row strategy_rows[STRATEGY_ROWS];

/* Fields of a setup that acesim search takes, and those that acesim train does: of a run alone its
 * threads and what it writes, too. */
bool strategy_takes(const setup_field *f);
bool strategy_takes_to_run(const setup_field *f);
/* The fields of a run on a cluster's file, and of the rows that were given.  EXIT_OK, or EXIT_USAGE
 * after a message. */
int strategy_fields(const strategy_words *w, const setup_rows *given, const char *cluster,
                    setup *o);

/* Model and strategy of the words; one of them may be NULL, and is then not made.  EXIT_OK, or
 * EXIT_USAGE after a message. */
int strategy_from_words(const strategy_words *w, training_model *m, strategy *s);
/* "acesim COMMAND: WHAT: found ..., expected ...".  EXIT_USAGE. */
int strategy_refuse(const char *command, const char *what, const strategy_fault *why);

/* Adds all that a person asked for; the same as an object of its own. */
void strategy_add(cJSON *root, const training_model *m, const strategy *s);
cJSON *strategy_object(const training_model *m, const strategy *s);

#endif
