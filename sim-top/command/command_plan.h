/* SPDX-License-Identifier: Apache-2.0 */
/* command_plan.h -- the views of plan and fit, and the command search: models, strategies and
 * measurements of both */
#ifndef COMMAND_PLAN_H
#define COMMAND_PLAN_H

#ifdef __cplusplus
extern "C" {
#endif

int command_model(int argc, char **argv);
int command_workload(int argc, char **argv);
int command_strategy(int argc, char **argv);
int command_footprint(int argc, char **argv);
int command_pipeline(int argc, char **argv);
int command_search(int argc, char **argv);
int command_measured(int argc, char **argv);
int command_closed_form(int argc, char **argv);
int command_npu(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
