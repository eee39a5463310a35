/* SPDX-License-Identifier: Apache-2.0 */
/* command.h -- the commands of acesim, each as main() calls it: argv[0] is the command's name. The
 * views of plan and fit, and the command search, are in command_plan.h. */
#ifndef COMMAND_H
#define COMMAND_H

#include "ace_node.h"
#include "setup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Runs the collective that the options describe, and prints its result. */
int collective_run(setup *s);

int command_collective(int argc, char **argv);
int command_run(int argc, char **argv);
int command_train(int argc, char **argv);
/* of a sweep: argv[0] names which of the three commands runs */
int command_point(int argc, char **argv);
int command_astra(int argc, char **argv);
int command_msccl(int argc, char **argv);

int command_study(int argc, char **argv);
int command_sweep(int argc, char **argv);

int command_explain(int argc, char **argv);
int command_report(int argc, char **argv);
int command_diff(int argc, char **argv);
int command_wave(int argc, char **argv);

int command_calibrate(int argc, char **argv);

int command_convert(int argc, char **argv);
int command_schema(int argc, char **argv);
int command_rtl(int argc, char **argv);
int command_lockstep(int argc, char **argv);
int command_program(int argc, char **argv);
int command_alu(int argc, char **argv);

/* Read the fields of the run from a command line of acesim train or acesim astra. They return
 * EXIT_OK, or EXIT_USAGE after a message. */
int train_fields(int argc, char **argv, setup *o);
int astra_fields(int argc, char **argv, setup *o);
int msccl_fields(int argc, char **argv, setup *o);

#ifdef __cplusplus
}
#endif

#endif
