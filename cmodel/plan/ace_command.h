/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_command.h -- functions of any command, whether it is sent to the pins or composed of others
 *
 * Each function uses the plan of a command (ace_plan.h) or its composition (ace_composition.h).
 * The plan and the composition do not depend on each other.
 */
#ifndef ACE_COMMAND_H
#define ACE_COMMAND_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns whether the command is composed of others (ace_composition.h), which are sent to the pins
 * instead. */
static inline bool ace_composed(const ace_command *c) { return c->kind > ACE_LIST; }

/* Bytes the command puts on each dimension's links, per node, both directions together. */
void ace_command_bytes(const ace_command *c, const ace_config *cfg,
                       uint64_t bytes[ACE_CLUSTER_DIMENSIONS]);
/* Bytes that a composed command puts on each link of the node. */
void ace_command_link_bytes(const ace_command *c, const ace_config *cfg,
                            uint64_t link[ACE_CLUSTER_LINKS]);
/* Bytes that the lists of a composed command put on each link out of a hub into the node; 0 where
 * there is no hub. */
void ace_command_hub_bytes(const ace_command *c, const ace_config *cfg,
                           uint64_t link[ACE_CLUSTER_LINKS]);

#ifdef __cplusplus
}
#endif
#endif
