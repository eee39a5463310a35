/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain.h -- what bounded a run, and which changes help
 *
 *     explain_request q = { "run.json", .threads = 1, .commands = &commands };
 *     status = explain_result(&q);
 *
 * The runs that test a verdict are commands of acesim. The caller passes them, because a room does
 * not know the commands above it.
 */
#ifndef EXPLAIN_H
#define EXPLAIN_H

#include <stdbool.h>

struct setup;

/* A command whose results can be explained. */
typedef struct explain_command {
    const char *name; /* argv[0] */
    int (*run)(int argc, char **argv);
    /* Reads the setup from the command line. Returns EXIT_OK, or EXIT_USAGE after a message. */
    int (*fields)(int argc, char **argv, struct setup *o);
} explain_command;

typedef struct explain_commands {
    const explain_command *at;
    unsigned count;
    int (*collective)(struct setup *o); /* runs the collective that a setup describes */
} explain_commands;

typedef struct explain_request {
    const char *file; /* the result */
    bool all;         /* try every change, not only the most promising one */
    unsigned threads; /* of the runs */
    const explain_commands *commands;
} explain_request;

/* Prints what bounded a result, with the evidence, and runs its command again to show what helps.
 * Returns EXIT_OK, or another status after a message. */
int explain_result(const explain_request *q);

#endif
