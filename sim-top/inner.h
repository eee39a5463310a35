/* SPDX-License-Identifier: Apache-2.0 */
/* inner.h -- a command of acesim inside another: in a process of its own, what it prints kept */
#ifndef INNER_H
#define INNER_H

#include <stdio.h>

typedef struct inner {
    int status;      /* exit status, or 128 and the signal that ended it */
    char *out, *err; /* what it printed */
} inner;

/* Runs body(self), whose result is the exit status, and waits.  EXIT_OK, or EXIT_CHECK after a
 * message; inner_free() in either case. */
int inner_run(int (*body)(void *self), void *self, inner *i);
void inner_free(inner *i);

/* All that a file holds, which is closed; the caller frees it.  NULL: no memory. */
char *inner_take(FILE *f);

#endif
