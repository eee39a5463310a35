/* SPDX-License-Identifier: Apache-2.0 */
/* command.h -- the subcommands of acesim; those of models and strategies: command_models.h */
#ifndef COMMAND_H
#define COMMAND_H

#include "ace_node.h"
#include "run_fields.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The collective that the options ask for, and its result, printed. */
int collective_run(const run_fields *o);

int command_collective(int argc, char **argv);
int command_run(int argc, char **argv);
int command_point(int argc, char **argv); /* of a sweep: either of the two, by argv[0] */
int command_lockstep(int argc, char **argv);
int command_wave(int argc, char **argv);
int command_program(int argc, char **argv);
int command_alu(int argc, char **argv);
int command_sweep(int argc, char **argv);
int command_study(int argc, char **argv);
int command_report(int argc, char **argv);
int command_workload(int argc, char **argv);
int command_calibrate(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_explain(int argc, char **argv);
int command_convert(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_rtl(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
