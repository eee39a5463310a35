/* SPDX-License-Identifier: Apache-2.0 */
/*
 * setup.h -- the complete request of a run: three structs, and where each of their fields was given
 *
 *     setup_initial(&s);              the defaults; then options and files (setup_fields.h)
 *     setup_check(&s)                 derives fields from others, and refuses contradictions
 *     setup_make(&s)                  reads the files that fields name: s.machine is ready to run
 *     fabric_create(&s.machine, &s.execution, ...)
 *     machine_free(&s.machine)
 *
 * Commands and front ends use the whole setup. Code that runs, observes or reports gets only the
 * values that it needs.
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

/* An argument (no name), a flag (no value), or --name=value of a command line. */
typedef struct setup_argument {
    const char *name, *value;
} setup_argument;
enum { SETUP_ARGUMENTS = 144 };

typedef struct setup {
    machine machine;
    machine_about about;
    execution execution;
    output output;
    setup_source source[SETUP_FIELDS]; /* where each field was given */
    /* The command that gives the same result again, without files and threads. */
    setup_argument arguments[SETUP_ARGUMENTS];
    unsigned argument_count;
} setup;

/* Derives fields from others, and refuses fields that contradict each other. Returns EXIT_OK, or
 * EXIT_USAGE after a message. */
int setup_check(setup *s);
/* Does a part of setup_check(): derives buffers that cover the round trip of every link, unless
 * their sizes were given. from: the positions of all fields. Call it again after a link's bandwidth
 * or latency was changed. Returns EXIT_OK, or another status after a message about the file of
 * links. */
int setup_derive_rows(cluster *c, const setup_source *from);
/* Reads what the fields name and derives the second half of s->machine. Returns EXIT_OK, or
 * EXIT_USAGE or EXIT_CHECK after a message. The caller calls machine_free() in either case. */
int setup_make(setup *s);

/* Prints a refusal with the position where the field was given, unless the status is EXIT_OK.
 * Returns the status. */
int setup_refuse(const setup *s, int status, const struct refusal *why);

#ifdef __cplusplus
}
#endif

#endif
