/* SPDX-License-Identifier: Apache-2.0 */
/*
 * options.h -- the command lines of collective, run and msccl, as fields of a run
 *
 * Each function returns true if the command continues. Otherwise the command ends with *status:
 * EXIT_OK after --help, EXIT_USAGE after a message.
 */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "setup.h"
#include "setup_fields.h"
#include "setup_rows.h"

#ifdef __cplusplus
extern "C" {
#endif

bool options_collective(int argc, char **argv, setup *o, int *status);
/* Does the same, and replaces options of the command line by those that `over` holds. NULL:
 * none. */
bool options_collective_over(int argc, char **argv, const setup_rows *over, setup *o, int *status);
bool options_run(int argc, char **argv, setup *o, int *status);
/* Reads the command line of msccl. The file is o->workload. *loops stays if --loops is not
 * given. */
enum { OPTIONS_LOOPS = 1024 /* at most */ };
bool options_msccl(int argc, char **argv, setup *o, unsigned *loops, int *status);

/* Returns true if the field is an option of acesim run. */
bool options_of_run(const setup_field *f);

#ifdef __cplusplus
}
#endif

#endif
