/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_words.h -- the words that commands about models and strategies share */
#ifndef STRATEGY_WORDS_H
#define STRATEGY_WORDS_H

#include <cjson/cJSON.h>
#include <getopt.h>

#include "model.h"
#include "strategy.h"
#include "values.h"

/* As a person wrote them; NULL and 0: not given. */
typedef struct strategy_words {
    const char *command; /* argv[0], for messages */
    const char *model, *strategy, *layers_of_stages;
    uint64_t batch, sequence, layers;
    bool fractional;
    int format; /* FORMAT_TABLE ... of run_fields.h */
} strategy_words;

#define STRATEGY_OPTIONS                                                                        \
    { "batch", required_argument, NULL, 'B' }, { "sequence", required_argument, NULL, 'S' },    \
        { "layers", required_argument, NULL, 'L' },                                             \
        { "layers-per-stage", required_argument, NULL, 'P' },                                   \
        { "fractional", no_argument, NULL, 'F' }, { "format", required_argument, NULL, 'f' }, { \
        "help", no_argument, NULL, 'h'                                                          \
    }
#define STRATEGY_HELP                                                                          \
    "  --batch N                   sequences of an iteration, in place of mN\n"                \
    "  --sequence N                tokens of a sequence, in place of the model's\n"            \
    "  --layers N                  layers, in place of the model's\n"                          \
    "  --layers-per-stage LIST     of each stage, such as 7,9,9,9 [even]\n"                    \
    "  --fractional                heads and widths that do not divide are cut all the same\n" \
    "  --format NAME               table, json or csv\n"                                       \
    "  --help                      this text\n"

/* One option c of STRATEGY_OPTIONS but help: EXIT_OK, or EXIT_USAGE after a message. */
int strategy_word(strategy_words *w, int c, const char *value);
/* Model and strategy of the words; one of them may be NULL, and is then not made.  EXIT_OK, or
 * EXIT_USAGE after a message. */
int strategy_from_words(const strategy_words *w, training_model *m, strategy *s);
/* "acesim COMMAND: WHAT: found ..., expected ...".  EXIT_USAGE. */
int strategy_refuse(const char *command, const char *what, const strategy_fault *why);

/* An object of all that a person asked for. */
cJSON *strategy_object(const training_model *m, const strategy *s);
/* Prints it as JSON and deletes it.  EXIT_OK, or EXIT_CHECK: no memory. */
int strategy_print_json(cJSON *root);
/* The arrays' objects as CSV: a line of names, then one for each; members that are no scalars left
 * out. */
void strategy_print_csv(const cJSON *array);

#endif
