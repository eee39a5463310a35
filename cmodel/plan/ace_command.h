/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_command.h -- what is asked of any command, whether it goes on the pins or is made of others
 *
 * Each question is answered by the plan of a command (ace_plan.h) or by its composition
 * (ace_composition.h); neither of them asks the other.
 */
#ifndef ACE_COMMAND_H
#define ACE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Is the command made of others (ace_composition.h), which are what goes on the pins? */
static inline bool ace_composed(const ace_command *c) { return c->kind > ACE_LIST; }

/* Bytes the command puts on each dimension's links, per node, both directions together. */
void ace_command_bytes(const ace_command *c, const ace_config *cfg,
                       uint64_t bytes[ACE_CLUSTER_DIMENSIONS]);
/* Of a command that is made of others, on each link. */
void ace_command_link_bytes(const ace_command *c, const ace_config *cfg,
                            uint64_t link[ACE_CLUSTER_LINKS]);

#ifdef __cplusplus
}
#endif
#endif
