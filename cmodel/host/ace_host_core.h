/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_host_core.h -- an engine with software beside it: a node's command pins by registers
 *
 *     ace_host_core_create(engine, &setup, &core);      takes the engine over, also on failure
 *     ace_driver_create(core, &setup, &node);           a node like any other
 *
 * What is handed to the command pins is written to the registers by ace_host_command_writes, one
 * AXI4-Lite access after the other; completions are fetched when the interrupt comes.  Software
 * itself takes no time.  So a node of a fabric may be driven either way, and the difference in
 * cycles is what the way through the registers costs.
 *
 * The configuration is written while the core is made, and again while it is reset: that takes
 * no cycles of the fabric's, in the first of which the engine runs.  A command that comes back
 * with an error is never done: the fabric's own watchdog tells, with what the engine says.
 */
#ifndef ACE_HOST_CORE_H
#define ACE_HOST_CORE_H

#include "ace_engine.h"
#include "ace_node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of the setup, parameters (those of the engine) and configuration are used.
 * ACE_OK, ACE_EINVAL (the configuration is out of range) or ACE_ENOMEM. */
int ace_host_core_create(ace_engine *engine, const ace_node_setup *setup, ace_core **core);

/* The engine of such a core. */
const ace_engine *ace_host_core_engine(const ace_core *core);

#ifdef __cplusplus
}
#endif
#endif
