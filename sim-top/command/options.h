/* SPDX-License-Identifier: Apache-2.0 */
/* options.h -- the command line of collective and run, into the fields of a run */
#ifndef OPTIONS_H
#define OPTIONS_H

#include <stdbool.h>

#include "run_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

int options_collective(int argc, char **argv, run_fields *o);
int options_run(int argc, char **argv, run_fields *o);

/* An option as a sweep may set it: none that writes files or chooses the format. */
typedef struct option_value {
    int number;         /* of the option, in the order of --help; -1: no such option */
    bool flag;          /* takes no value: "true" gives it, "false" does not */
    bool accepted;      /* the value, by itself */
    char expected[400]; /* what a person may write */
} option_value;
option_value options_value(const char *command, const char *name, const char *value);

#ifdef __cplusplus
}
#endif

#endif
