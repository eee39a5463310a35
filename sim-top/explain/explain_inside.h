/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_inside.h -- a result that is being explained, for the files of explain/ alone
 *
 * explain.c makes an explain from a result.  explain_collective.c and explain_training.c find what
 * bounds it.  explain_trial.c runs the command of the result again with one option changed.
 */
#ifndef EXPLAIN_INSIDE_H
#define EXPLAIN_INSIDE_H

#include "bottleneck.h"
#include "explain.h"
#include "npu_schedule.h"
#include "result_read.h"
#include "setup.h"
#include "workload.h"

enum { EXPLAIN_ARGUMENTS = SETUP_ARGUMENTS + 8 };

/* The gain that confirms a verdict, as a share of the cycles. A gain below EXPLAIN_NONE times this
 * share counts as none. */
static const double EXPLAIN_GAIN = 0.1;
static const double EXPLAIN_NONE = 0.2;

typedef struct explain {
    const explain_request *request;
    const explain_command *command; /* that gave the result */
    char threads[32];               /* the option that sets the threads of runs */
    saved_run run;
    setup o;
    workload w;
    npu_schedule schedule; /* the collectives of a training run */
    uint64_t *counts;      /* of an all-to-all-v */
    char *arguments[EXPLAIN_ARGUMENTS];
    int count;
} explain;

/* Returns the command with this name, or NULL. */
const explain_command *explain_command_of(const explain_commands *all, const char *name);

/* Explain a result of acesim collective, or of acesim run. They return EXIT_OK, or another status
 * after a message. */
int explain_collective(explain *e);
int explain_training(explain *e);
/* Prints where the time of a result with parts (result_parts.h) goes: of acesim train, astra or
 * msccl. Then runs its command again with the changes that should help against the largest part, or
 * with all changes. Returns EXIT_OK, EXIT_USAGE after a message, or EXIT_CHECK if there is no
 * memory. */
int explain_parts(const explain *e);

/* Runs the command with one more argument, on the twins. Returns false after a line with the reason
 * it failed. The caller frees r in both cases. */
bool explain_again(const explain *e, const char *change, saved_run *r);
/* Returns the cycles of a result. */
uint64_t explain_cycles(const saved_run *r);
/* Prints and returns the share of the cycles that a change saves. */
double explain_tried(const explain *e, const char *change);
/* Prints whether the gain of the best change confirms the verdict. enough: the gain that confirms,
 * as a share of the cycles. */
void explain_outcome(double gain, double enough);
/* Tries the changes that should help against the bound, and others where these do not. */
void explain_changes(const explain *e, bottleneck *b, double enough);

#endif
