/* SPDX-License-Identifier: Apache-2.0 */
/*
 * standard_output.h -- what is printed is written whole, or the program says that it was not
 *
 *     standard_output_begin();
 *     status = standard_output_end(command());
 *     return standard_output_leave(status);
 *
 * A reader that leaves (acesim ... | head -1) ends acesim as it ends other tools: by SIGPIPE,
 * without a message.  It does so when the command is over, and not in the middle of it, as files
 * that options name are still to be written whole.
 */
#ifndef STANDARD_OUTPUT_H
#define STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* First of all in main().  Descriptors 0 to 2 become closed ones that stay closed: no file that is
 * opened later gets their numbers.  A write to a pipe without a reader, or past the largest file
 * that is allowed, becomes an error of that write. */
void standard_output_begin(void);

/* Writes out what is printed.  `status`, or EXIT_CHECK where that was EXIT_OK and something printed
 * was lost; a message says so, but where the reader has left. */
int standard_output_end(int status);

/* Last of all: `status`, but where the reader has left and SIGPIPE is to end the process. */
int standard_output_leave(int status);

/* Whether something printed was lost: for who prints without end. */
bool standard_output_lost(void);

/* Standard output for a file that a person gave as "-".  What is printed from now on goes to
 * standard error, so that the file stays one.  NULL: errno says why.  The caller closes it. */
FILE *standard_output_take(void);

#ifdef __cplusplus
}
#endif

#endif
