/* SPDX-License-Identifier: Apache-2.0 */
/*
 * constants_file.h -- the constants of the closed form in a file, with what they were fitted on and
 * the error that remained
 */
#ifndef CONSTANTS_FILE_H
#define CONSTANTS_FILE_H

#include "closed_form.h"
#include "statistics.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct constants_file {
    double value[CONSTANTS];
    char fitted_on[256];               /* the file's name, and which of its rows */
    double fitted_error, unseen_error; /* mean, of the rows fitted and of the others; NAN: none */
} constants_file;

/* EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message. */
int constants_write(const char *file, const constants_file *c);
int constants_read(const char *file, constants_file *c);

#ifdef __cplusplus
}
#endif

#endif
