/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.h -- a file that a person names, where "-" is standard input
 *
 * Standard input is kept when it is first asked for, and can then be opened as often as a file:
 * some are read a second time for their digest.  No file is read beyond INPUT_MOST bytes: a device
 * or a pipe may have no end.
 *
 * Rules that hold for every call
 *   Threads   Called by the main thread only.
 */
#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { INPUT_MOST = 1 << 30 }; /* bytes */

bool input_is_standard(const char *name); /* it is "-" */
/* What messages call it: the name, or "<stdin>". */
const char *input_name(const char *name);

/* To be read from its beginning; the caller closes it.  NULL: errno says why. */
FILE *input_open(const char *name);
/* The whole, which ends with a zero byte and is of *bytes (NULL: not asked for) without it; the
 * caller frees it.  NULL: errno says why. */
char *input_text(const char *name, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
