/* SPDX-License-Identifier: Apache-2.0 */
/*
 * input_file.h -- opens a file that the user names, where "-" is standard input
 *
 * Standard input is copied to a file at the first request, and can then be opened any number of
 * times: some inputs are read again for their digest. No input is read beyond input_most() bytes,
 * because a device or a pipe may have no end.
 *
 * Rules that hold for every call
 *   Threads   Called by the main thread only.
 */
#ifndef INPUT_FILE_H
#define INPUT_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

bool input_is_standard(const char *name); /* name is "-" */
/* Returns the name used in messages: `name`, or "<stdin>". */
const char *input_name(const char *name);

/* Opens the file at its beginning. The caller closes it. NULL: errno has the reason. */
FILE *input_open(const char *name);
/* Returns how many bytes of an opened input are read at most: 16 MiB of a device such as /dev/zero,
 * 1 GiB of anything else. */
uint64_t input_most(FILE *f);
/* Returns the whole contents and a zero byte at the end. *bytes is their length without it (`bytes`
 * may be NULL). The caller frees the text. NULL: errno has the reason. */
char *input_text(const char *name, size_t *bytes);

#ifdef __cplusplus
}
#endif

#endif
