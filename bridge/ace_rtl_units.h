/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_units.h -- the verilated units of the node behind their twins' ports
 *
 *     ace_rtl_link_port *u = ace_rtl_link_port_create(0, seed);
 *     ace_rtl_link_port_tick(u, true, &in);      a rising edge with rst
 *     for (;;) {
 *         ace_rtl_link_port_eval(u, &out);       outputs of this cycle
 *         ace_rtl_link_port_tick(u, false, &in); rising edge
 *     }
 *     ace_rtl_link_port_destroy(u);
 *
 * Rules
 *   Pins      Every FIELD and ROW is sampled whether meaningful or not; a ROW points into
 *             the model until the next tick.  A STROBE that is no prefix reads as 0xFFFF.
 *             An input ROW that is NULL keeps the bits it had.
 *   Wide      A unit with wide lists (ace_ports.h) takes `in` in eval: outputs answer it.
 *   Contexts  Each unit has its own simulation context: distinct units share no state.
 */
#ifndef ACE_RTL_UNITS_H
#define ACE_RTL_UNITS_H

#include "ace_cycle_classes.h"
#include "ace_fsm.h"
#include "ace_link_port.h"
#include "ace_memory_interface.h"
#include "ace_row_fifo.h"
#include "ace_rx_dma.h"
#include "ace_scratchpad.h"
#include "ace_switch.h"
#include "ace_tx_dma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the parameter set `small` of create() stands for. */
enum { ACE_RTL_SMALL_INPUT_ROWS = 3, ACE_RTL_SMALL_OUTPUT_ROWS = 2, ACE_RTL_SMALL_BURSTS = 3 };
enum { ACE_RTL_SMALL_BANK_ROWS = 96, ACE_RTL_SMALL_SWITCH_FSMS = 4, ACE_RTL_SMALL_FIFO_ROWS = 7 };
/* The parameters of an FSM, a row a set. */
typedef struct ace_rtl_fsm_parameters {
    unsigned phase, index, fsms, contexts;
} ace_rtl_fsm_parameters;
#define ACE_RTL_FSM_SETS                               \
    {                                                  \
        { 0, 0, 4, 4 }, { 3, 0, 1, 4 }, { 2, 1, 2, 2 } \
    }

/* create: set chooses the parameters: 0 the defaults, 1 small, 2 the odd FSM; what has fewer
 * sets takes its last one.  seed (31 bits) is for the registers' first values.  NULL: out of
 * memory. */
#define ACE_RTL_UNIT(unit)                                                      \
    typedef struct ace_rtl_##unit ace_rtl_##unit;                               \
    ace_rtl_##unit *ace_rtl_##unit##_create(unsigned set, int seed);            \
    void ace_rtl_##unit##_destroy(ace_rtl_##unit *u);                           \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, ace_##unit##_out *out); \
    void ace_rtl_##unit##_tick(ace_rtl_##unit *u, bool rst, const ace_##unit##_in *in);
ACE_RTL_UNIT(link_port)
ACE_RTL_UNIT(memory_interface)
ACE_RTL_UNIT(tx_dma)
ACE_RTL_UNIT(rx_dma)
ACE_RTL_UNIT(row_fifo)
ACE_RTL_UNIT(scratchpad_pins)
#undef ACE_RTL_UNIT

#define ACE_RTL_WIDE_UNIT(unit)                                                    \
    typedef struct ace_rtl_##unit ace_rtl_##unit;                                  \
    ace_rtl_##unit *ace_rtl_##unit##_create(unsigned set, int seed);               \
    void ace_rtl_##unit##_destroy(ace_rtl_##unit *u);                              \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, const ace_##unit##_in *in, \
                               ace_##unit##_out *out);                             \
    void ace_rtl_##unit##_tick(ace_rtl_##unit *u, bool rst, const ace_##unit##_in *in);
ACE_RTL_WIDE_UNIT(fsm_pins)
ACE_RTL_WIDE_UNIT(switch_pins)
ACE_RTL_WIDE_UNIT(cycle_classes_pins)
#undef ACE_RTL_WIDE_UNIT

#ifdef __cplusplus
}
#endif
#endif
