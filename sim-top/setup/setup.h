/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.h -- a run as a person asks for it: three values, and where each of their fields was
 * written
 *
 *     setup_initial(&s);              as where nothing is said; then options and files
 *     (setup_fields.h)
 *     setup_check(&s)                 what follows from the fields together, and what does not go
 *                                     together
 *     setup_make(&s)                  reads the files that they name: s.machine is ready to run
 *     fabric_create(&s.machine, &s.execution, ...)
 *     setup_free(&s)
 *
 * Commands and front ends see the whole.  All that runs, watches or reports gets the values that it
 * needs.
 */
#ifndef SETUP_H
#define SETUP_H

#include "execution.h"
#include "machine.h"
#include "machine_about.h"
#include "output.h"
#include "setup_fields.h"

struct refusal;

#ifdef __cplusplus
extern "C" {
#endif

/* An argument of a command line (no name), a flag (no value), or --name=value. */
typedef struct option_word {
    const char *name, *value;
} option_word;
enum { OPTION_WORDS = 128 };

typedef struct setup {
    machine machine;
    machine_about about;
    execution execution;
    output output;
    setup_source source[SETUP_FIELDS]; /* where each field was written */
    /* The command from which the same result comes again: no files, no threads. */
    option_word words[OPTION_WORDS];
    unsigned word_count;
} setup;

/* Looks at the fields together: what follows from them, and what does not go together.  EXIT_OK, or
 * EXIT_USAGE after a message. */
int setup_check(setup *s);
/* Part of it: buffers that cover the round trip of every link, where no others are asked for.  Call
 * it again after a link's bandwidth or latency was changed.  EXIT_OK, or another status after a
 * message about the file of links. */
int setup_derive_rows(setup *s);
/* Reads what the fields name and derives the second half of s->machine.  EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message; setup_free() in either case. */
int setup_make(setup *s);
void setup_free(setup *s);

/* Prints a refusal with the place where the field was written, unless the status is EXIT_OK.
 * Returns the status. */
int setup_refuse(const setup *s, int status, const struct refusal *why);
/* Each EXIT_OK, or EXIT_USAGE after a message.  The configuration of a machine that is not made
 * ready to run. */
int setup_config(const setup *s, ace_config *cfg);
/* Are there ALUs for a collective of that type? */
int setup_reduces(const setup *s, ace_kind kind, ace_type type);
/* Does the calibration, where there is one, cover a collective of so many bytes?  what: it, for the
 * message. */
int setup_covers(const setup *s, const char *what, uint64_t bytes);
/* NPUs that may do different things cannot agree on an order, which is of one sequence of commands.
 */
int setup_refuse_agreed(const setup *s);

#ifdef __cplusplus
}
#endif

#endif
