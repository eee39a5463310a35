/* SPDX-License-Identifier: Apache-2.0 */
/* options.h -- the command line of collective, run and msccl, into the fields of a run */
#ifndef OPTIONS_H
#define OPTIONS_H

#include "run_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

int options_collective(int argc, char **argv, run_fields *o);
int options_run(int argc, char **argv, run_fields *o);
int options_msccl(int argc, char **argv, run_fields *o); /* the file is o->workload */

#ifdef __cplusplus
}
#endif

#endif
