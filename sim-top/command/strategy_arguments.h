/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_arguments.h -- the options that commands about models and strategies share */
#ifndef STRATEGY_ARGUMENTS_H
#define STRATEGY_ARGUMENTS_H

#include <cjson/cJSON.h>

#include "model.h"
#include "setup_rows.h"
#include "strategy.h"
#include "values.h"

/* The options as the user gave them. NULL and 0: not given. */
typedef struct strategy_arguments {
    const char *command; /* argv[0], for messages */
    const char *model, *strategy, *layers_of_stages;
    uint64_t batch, sequence, layers;
    bool fractional;
    format format;
    option_line line; /* of the command, after it has read its options */
} strategy_arguments;

/* The options that set these members, as a group at the offset of a strategy_arguments. */
enum { STRATEGY_ROWS = 6 };
extern const option_row strategy_rows[STRATEGY_ROWS];

/* Return whether acesim search, or acesim train, takes a field of a setup. Only a run takes threads
 * and outputs. */
bool strategy_takes(const setup_field *f);
bool strategy_takes_to_run(const setup_field *f);
/* Reads the fields of a run from a cluster's file and the rows that were given. Returns EXIT_OK, or
 * EXIT_USAGE after a message. */
int strategy_fields(const strategy_arguments *w, const setup_rows *given, const char *cluster,
                    setup *o);

/* Makes the model and the strategy from the options. One of m and s may be NULL and is then not
 * made. Returns EXIT_OK, or EXIT_USAGE after a message. */
int strategy_from_arguments(const strategy_arguments *w, training_model *m, strategy *s);

/* Adds everything that the user requested to root, or returns it as an object of its own. */
void strategy_add(cJSON *root, const training_model *m, const strategy *s);
cJSON *strategy_object(const training_model *m, const strategy *s);

#endif
