/* SPDX-License-Identifier: Apache-2.0 */
/* command_foreign.h -- the subcommands that run files which other projects have defined */
#ifndef COMMAND_FOREIGN_H
#define COMMAND_FOREIGN_H

#ifdef __cplusplus
extern "C" {
#endif

int command_astra(int argc, char **argv);
int command_msccl(int argc, char **argv);

#ifdef __cplusplus
}
#endif

#endif
