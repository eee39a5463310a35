/* SPDX-License-Identifier: Apache-2.0 */
/* atomic_file.h -- results that are written whole, or leave what was there before */
#ifndef ATOMIC_FILE_H
#define ATOMIC_FILE_H

#include <stdio.h>

/* A file beside `name`; NULL when it cannot be made. */
FILE *atomic_file_open(const char *name);
/* Gives it its name.  EXIT_OK, or EXIT_USAGE after a message, also where f is NULL. */
int atomic_file_close(FILE *f, const char *name);

#endif
