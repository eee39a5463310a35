/* SPDX-License-Identifier: Apache-2.0 */
/* child_process.h -- a command of acesim inside another: in a process of its own, what it prints
 * kept */
#ifndef CHILD_PROCESS_H
#define CHILD_PROCESS_H

#include <stdio.h>

typedef struct child_output {
    int status;      /* exit status, or 128 and the signal that ended it */
    char *out, *err; /* what it printed */
} child_output;

/* One under way: to be waited for. */
typedef struct child_process {
    int pid;
    FILE *out, *err;
} child_process;

/* Begins body(self), whose result is the exit status, in a process of its own.  EXIT_OK, or
 * EXIT_CHECK after a message, with nothing to wait for. */
int child_start(int (*body)(void *self), void *self, child_process *p);
/* Waits for its end.  EXIT_OK, or EXIT_CHECK after a message; child_free() in either case. */
int child_wait(child_process *p, child_output *i);
/* Both: runs body(self) and waits.  EXIT_OK, or EXIT_CHECK after a message; child_free() in either
 * case. */
int child_run(int (*body)(void *self), void *self, child_output *i);
void child_free(child_output *i);

/* All that a file holds, which is closed; the caller frees it.  NULL: no memory. */
char *child_take(FILE *f);

#endif
