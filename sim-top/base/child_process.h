/* SPDX-License-Identifier: Apache-2.0 */
/* child_process.h -- runs a command of acesim in another process, and collects its output */
#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <stdio.h>

typedef struct child_output {
    int status;      /* exit status, or 128 and the signal that ended it */
    char *out, *err; /* what it printed to stdout and stderr */
} child_output;

/* A child process that must be waited for. */
typedef struct child_process {
    int pid;
    FILE *out, *err;
} child_process;

/* Runs body(self) in a child process; its result is the exit status. Returns EXIT_OK, or EXIT_CHECK
 * after a message; then there is nothing to wait for. */
int child_start(int (*body)(void *self), void *self, child_process *p);
/* Waits for the child's end. Returns EXIT_OK, or EXIT_CHECK after a message. The caller calls
 * child_free() in either case. */
int child_wait(child_process *p, child_output *i);
/* Starts the child and waits for its end. Returns EXIT_OK, or EXIT_CHECK after a message. The
 * caller calls child_free() in either case. */
int child_run(int (*body)(void *self), void *self, child_output *i);
void child_free(child_output *i);

/* Returns the contents of a file and closes it. The caller frees the text. NULL: no memory. */
char *child_take(FILE *f);

#endif
