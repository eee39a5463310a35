/* SPDX-License-Identifier: Apache-2.0 */
/*
 * standard_output.h -- writes all output, or reports that some was lost
 *
 *     standard_output_begin();
 *     status = standard_output_end(command());
 *     return standard_output_leave(status);
 *
 * A reader that exits early (acesim ... | head -1) ends acesim as it ends other tools: by SIGPIPE,
 * without a message. The signal takes effect only when the command is over, because files that
 * options name must still be written whole.
 */
#ifndef STANDARD_OUTPUT_H
#define STANDARD_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Call it first in main(). Closed descriptors 0 to 2 are replaced, so that no file opened later
 * gets their numbers; using them still fails. A write to a pipe without a reader, or beyond the
 * largest allowed file size, becomes an error of that write. */
void standard_output_begin(void);

/* Flushes what was printed. Returns `status`, or EXIT_CHECK if `status` is EXIT_OK and output was
 * lost. Then it prints a message, except when the reader has exited. */
int standard_output_end(int status);

/* Call it last. Returns `status`, unless the reader has exited: then SIGPIPE ends the process. */
int standard_output_leave(int status);

/* Returns whether output was lost. Commands that print without end check it. */
bool standard_output_lost(void);

/* Returns standard output for a file that the user gave as "-". Later output goes to standard
 * error, so that the file is not mixed with it. NULL: errno has the reason. The caller closes
 * it. */
FILE *standard_output_take(void);

#ifdef __cplusplus
}
#endif

#endif
