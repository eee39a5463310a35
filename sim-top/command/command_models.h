/* SPDX-License-Identifier: Apache-2.0 */
/* command_models.h -- the subcommands of models, strategies and the iterations they come to */
#ifndef COMMAND_MODELS_H
#define COMMAND_MODELS_H

#ifdef __cplusplus
extern "C" {
#endif

int command_model(int argc, char **argv);
int command_strategy(int argc, char **argv);
int command_footprint(int argc, char **argv);
int command_pipeline(int argc, char **argv);
int command_train(int argc, char **argv);
int command_search(int argc, char **argv);
int command_closed_form(int argc, char **argv);
int command_measured(int argc, char **argv);
int command_npu(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
