/* SPDX-License-Identifier: Apache-2.0 */
/* command.h -- the commands of acesim, each as main() calls it: argv[0] is its own name.
 * Those of plan, fit and search: command_plan.h. */
#ifndef COMMAND_H
#define COMMAND_H

#include "ace_node.h"
#include "setup.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The collective that the options ask for, and its result, printed. */
int collective_run(setup *s);

int command_collective(int argc, char **argv);
int command_run(int argc, char **argv);
int command_train(int argc, char **argv);
int command_point(int argc, char **argv); /* of a sweep: one of the three, by argv[0] */
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

/* The fields of the run that a command line of acesim train asks for.  EXIT_OK, or EXIT_USAGE after
 * a message. */
int train_fields(int argc, char **argv, setup *o);
int astra_fields(int argc, char **argv, setup *o);
int msccl_fields(int argc, char **argv, setup *o);

#ifdef __cplusplus
}
#endif

#endif
