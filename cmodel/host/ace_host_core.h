/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_host_core.h -- an engine with its driver software, behind the command pins of a node
 *
 *     ace_host_core_create(engine, &setup, ACE_HOST_DOORBELL, &core);   takes the engine over, also
 *                                                       on failure
 *     ace_driver_create(core, &setup, &node);           a node like any other
 *
 * The core writes each command from its command pins to the engine's registers, as listed by
 * ace_host_command_writes(), one AXI4-Lite access after the other.  It reads completions after an
 * interrupt.  Software itself takes no time.  A node of a fabric can thus be driven by pins or by
 * registers, and the difference in cycles is the cost of the register accesses.
 *
 * With ACE_HOST_TRIGGER the command on the pins is prepared in a slot before the cycle in which the
 * core takes it; preparing takes no cycles of the fabric.  One store starts the command.  The
 * engine writes a flag, and a load reads the flag.  Write and load take the memory's latency each.
 * Such a core runs one command at a time, and its links must be quiet when it takes the command.
 *
 * The configuration is written while the core is created and again while it is reset.  This takes
 * no cycles of the fabric: the engine runs in the fabric's first cycle.  A command that comes back
 * with an error never completes; the fabric's own watchdog then reports the engine's state.
 */
#ifndef ACE_HOST_CORE_H
#define ACE_HOST_CORE_H

#include "ace_engine.h"
#include "ace_node.h"

#ifdef __cplusplus
extern "C" {
#endif

/* How the driver starts a command and sees its end. */
typedef enum ace_host_way {
    ACE_HOST_DOORBELL, /* ten register writes; an interrupt and the completion queue */
    ACE_HOST_TRIGGER   /* a store to a prepared slot; a flag in memory */
} ace_host_way;

/* The setup supplies the engine's parameters and the configuration; the rest is not used.
 * ACE_OK, ACE_EINVAL (the configuration is out of range) or ACE_ENOMEM. */
int ace_host_core_create(ace_engine *engine, const ace_node_setup *setup, ace_host_way way,
                         ace_core **core);

/* The engine of such a core. */
const ace_engine *ace_host_core_engine(const ace_core *core);

#ifdef __cplusplus
}
#endif
#endif
