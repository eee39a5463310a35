/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_core.h -- the registers of the C twin of rtl/ace_node.v: five blocks and the pins
 *
 * ace_node_core.c and its parts update the registers; ace_recurrence.c compares them.
 */
#ifndef ACE_CYCLE_CORE_H
#define ACE_CYCLE_CORE_H

#include "ace_core.h"
#include "ace_datapath.h"
#include "ace_front.h"
#include "ace_memory_port.h"
#include "ace_nic.h"
#include "ace_phases.h"

typedef struct ace_cycle_core {
    ace_core base;
    ace_parameters p;
    ace_config cfg;
    ace_front front;
    ace_phases phases;
    ace_datapath datapath;
    ace_nic nic;
    ace_memory_port memory_port;
    ace_pins_out out;
} ace_cycle_core;

/* The calls of ace_core_class within a cycle; ticks exist without rows and with rows. */
void ace_cycle_core_reset(ace_core *core);
const ace_pins_out *ace_cycle_core_out(ace_core *core);
void ace_cycle_core_tick_timing(ace_core *core, const ace_pins_in *in);
void ace_cycle_core_tick_payload(ace_core *core, const ace_pins_in *in);
void ace_cycle_core_skip(ace_core *core, uint64_t cycles);
void ace_node_show_memory(ace_cycle_core *n); /* the AXI pins, from state alone */

/* ---- ace_node_core_state.c: the calls of ace_core_class between two cycles ---- */
void ace_cycle_core_counts(const ace_core *core, ace_counts c);
void ace_cycle_core_dump(const ace_core *core, FILE *to);
void ace_cycle_core_state(ace_core *core, ace_state *s);

#endif
