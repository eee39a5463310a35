/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_units.h -- the verilated units of a node behind their twins' ports
 *
 *     ace_rtl_link_port *u = ace_rtl_link_port_create(false, seed);
 *     ace_rtl_link_port_tick(u, true, &in);      a rising edge with rst
 *     for (;;) {
 *         ace_rtl_link_port_eval(u, &out);       outputs of this cycle
 *         ace_rtl_link_port_tick(u, false, &in); rising edge
 *     }
 *     ace_rtl_link_port_destroy(u);
 *
 * Where outputs depend on inputs of the same cycle, settle(u, &in) comes before eval.
 *
 * Rules
 *   Pins      Every FIELD and ROW is sampled whether meaningful or not; a ROW points into
 *             the model until the next tick.  A STROBE that is no prefix reads as 0xFFFF.
 *             An input ROW that is NULL keeps the bits it had.
 *   Contexts  Each unit has its own simulation context: distinct units share no state.
 */
#ifndef ACE_RTL_UNITS_H
#define ACE_RTL_UNITS_H

#include "ace_dispatcher.h"
#include "ace_link_port.h"
#include "ace_memory_interface.h"
#include "ace_rx_dma.h"
#include "ace_scheduler.h"
#include "ace_tx_dma.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What the parameter set `small` of create() stands for. */
enum { ACE_RTL_SMALL_INPUT_ROWS = 3, ACE_RTL_SMALL_OUTPUT_ROWS = 2, ACE_RTL_SMALL_BURSTS = 3 };
enum { ACE_RTL_SMALL_COMMANDS = 2, ACE_RTL_SMALL_PHASE_CONTEXTS = 4 };

/* create: small chooses the parameter set (the DMAs have one), seed (31 bits) the registers'
 * first values.  NULL: out of memory. */
#define ACE_RTL_UNIT(unit)                                                      \
    typedef struct ace_rtl_##unit ace_rtl_##unit;                               \
    ace_rtl_##unit *ace_rtl_##unit##_create(bool small, int seed);              \
    void ace_rtl_##unit##_destroy(ace_rtl_##unit *u);                           \
    void ace_rtl_##unit##_eval(const ace_rtl_##unit *u, ace_##unit##_out *out); \
    void ace_rtl_##unit##_settle(ace_rtl_##unit *u, const ace_##unit##_in *in); \
    void ace_rtl_##unit##_tick(ace_rtl_##unit *u, bool rst, const ace_##unit##_in *in);
ACE_RTL_UNIT(link_port)
ACE_RTL_UNIT(memory_interface)
ACE_RTL_UNIT(tx_dma)
ACE_RTL_UNIT(rx_dma)
ACE_RTL_UNIT(dispatcher)
ACE_RTL_UNIT(scheduler)
#undef ACE_RTL_UNIT

#ifdef __cplusplus
}
#endif
#endif
