/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_units.h -- the verilated units of a node behind their twins' ports
 *
 *     ace_rtl_link_port *u = ace_rtl_link_port_create(0, seed);
 *     ace_rtl_link_port_tick(u, true, &in);      a rising edge with rst
 *     for (;;) {
 *         ace_rtl_link_port_eval(u, &in, &out);  outputs of this cycle
 *         ace_rtl_link_port_tick(u, false, &in); rising edge
 *     }
 *     ace_rtl_link_port_destroy(u);
 *
 * Rules
 *   Pins      ace_ports.h has the kinds of pins (FIELD, ROW, LANES, STROBE).  Pins are
 *             copied even while their valid is 0.  A ROW points into the model until the next
 *             tick.  A STROBE that is no prefix reads as 0xFFFF.  An input ROW that is NULL keeps
 *             the bits it had.
 *   Inputs    of an eval may be NULL where outputs depend on state only.
 *   Contexts  Each unit has its own simulation context: distinct units share no state.
 */
#ifndef ACE_RTL_UNITS_H
#define ACE_RTL_UNITS_H

#include "ace_agreement.h"
#include "ace_axi_split.h"
#include "ace_control.h"
#include "ace_cycle_classes.h"
#include "ace_dispatcher.h"
#include "ace_dma_jobs.h"
#include "ace_exchange.h"
#include "ace_fsm.h"
#include "ace_hub_reducer.h"
#include "ace_link.h"
#include "ace_link_guard.h"
#include "ace_link_port.h"
#include "ace_link_sync.h"
#include "ace_list_walk.h"
#include "ace_memory_arbiter.h"
#include "ace_memory_interface.h"
#include "ace_router.h"
#include "ace_row_fifo.h"
#include "ace_rx_dma.h"
#include "ace_scheduler.h"
#include "ace_scratchpad.h"
#include "ace_switch.h"
#include "ace_trigger.h"
#include "ace_tx_dma.h"
#include "ace_wire_decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The units: module, the struct of its twin's pins, the name of its port list, and its parameter
 * sets. 1: default. 2: default and small. 3: default, small and odd. The suffix _four adds a set
 * with four dimensions at the end. */
#define ACE_RTL_UNIT_MAP(X)                                    \
    X(link, link_pins, LINK, 3)                                \
    X(link_port, link_port, LINK_PORT, 2)                      \
    X(link_guard, link_guard, LINK_GUARD, 2)                   \
    X(link_sync, link_sync, LINK_SYNC, 1)                      \
    X(memory_interface, memory_interface, MEMORY_INTERFACE, 2) \
    X(axi_split, axi_split, AXI_SPLIT, 2)                      \
    X(tx_dma, tx_dma, TX_DMA, 1)                               \
    X(rx_dma, rx_dma, RX_DMA, 2)                               \
    X(dma_jobs, dma_jobs_pins, DMA_JOBS, 1)                    \
    X(agreement, agreement_pins, AGREEMENT, 2_four)            \
    X(dispatcher, dispatcher_pins, DISPATCHER, 2_four)         \
    X(scheduler, scheduler_pins, SCHEDULER, 2_four)            \
    X(fsm, fsm_pins, FSM, 3_four)                              \
    X(switch, switch_pins, SWITCH, 2_four)                     \
    X(scratchpad, scratchpad_pins, SCRATCHPAD, 3_four)         \
    X(row_fifo, row_fifo_pins, ROW_FIFO, 3)                    \
    X(router, router, ROUTER, 1_four)                          \
    X(exchange, exchange, EXCHANGE, 2_four)                    \
    X(list_walk, list_walk, LIST_WALK, 2)                      \
    X(memory_arbiter, memory_arbiter, MEMORY_ARBITER, 2)       \
    X(control, control, CONTROL, 2_four)                       \
    X(trigger, trigger, TRIGGER, 2)                            \
    X(hub_reducer, hub_reducer, HUB_REDUCER, 2)                \
    X(cycle_classes, cycle_classes_pins, CYCLE_CLASSES, 1)     \
    X(wire_encode, wire_encode, WIRE_ENCODE, 1)                \
    X(wire_decode, wire_decode, WIRE_DECODE, 1)

/* Parameters of the set `small`. */
enum { ACE_RTL_SMALL_INPUT_ROWS = 3, ACE_RTL_SMALL_OUTPUT_ROWS = 2, ACE_RTL_SMALL_BURSTS = 3 };
enum { ACE_RTL_SMALL_ROUTED_INPUT_ROWS = 2, ACE_RTL_SMALL_ROUTED_OUTPUT_ROWS = 3 };
/* Parameters of ace_link's set `odd`, whose buffers cover a long round trip. */
enum { ACE_RTL_ODD_INPUT_ROWS = 300, ACE_RTL_ODD_ROUTED_INPUT_ROWS = 200 };
enum { ACE_RTL_SMALL_FRAMES = 16, ACE_RTL_SMALL_KEPT_ROWS = 4, ACE_RTL_SMALL_SPARE = 6 };
enum {
    ACE_RTL_SMALL_COMMANDS = 2,
    ACE_RTL_SMALL_PHASE_CONTEXTS = 4,
    ACE_RTL_FOUR_COMMANDS = 256,
    ACE_RTL_FOUR_PHASE_CONTEXTS = 32,
    ACE_RTL_SMALL_FIFO_ROWS = 7,
    ACE_RTL_ODD_FIFO_ROWS = 21 /* deep enough to use a RAM instead of registers */
};
enum { ACE_RTL_SMALL_BANK_ROWS = 96, ACE_RTL_SMALL_SWITCH_FSMS = 4 };
/* A value for each set of ace_scratchpad. */
#define ACE_RTL_SUB_BANKS \
    { 1, 2, 8, 4 }
enum { ACE_RTL_SMALL_EXCHANGE_ROWS = 3, ACE_RTL_SMALL_EXCHANGE_BURSTS = 5 };
enum { ACE_RTL_SMALL_LIST_SENDS = 3 };
enum { ACE_RTL_SMALL_DMA_BURSTS = 2, ACE_RTL_SMALL_ALL_BURSTS = 7 };
enum { ACE_RTL_SMALL_COMPLETIONS = 2, ACE_RTL_SMALL_TRIGGERS = 2, ACE_RTL_FOUR_TRIGGERS = 16 };
/* Cycles that a stop waits for the memory of flags. */
enum { ACE_RTL_SMALL_FLAG_DRAIN = 20, ACE_RTL_SMALL_CONTROL_DRAIN = 100 };
enum { ACE_RTL_SMALL_AXI_ROWS = 8, ACE_RTL_SMALL_DRAIN_LIMIT = 100 };
/* The parameters of a switch's reducer, a row a set. */
typedef struct ace_rtl_hub_parameters {
    unsigned ports, contexts, rows, types, ops;
} ace_rtl_hub_parameters;
/* types and operations, as sets of bits */
#define ACE_RTL_HUB_ALU 1 << ACE_FP32 | 1 << ACE_INT32, 1 << ACE_SUM | 1 << ACE_MINIMUM
#define ACE_RTL_HUB_SETS                                              \
    {                                                                 \
        { 4, 32, 128, ACE_RTL_HUB_ALU }, { 3, 2, 4, ACE_RTL_HUB_ALU } \
    } /* the first set is also used by ace_rtl_hub.h */
/* The phase and index of an FSM, and its parameters, a row a set. */
typedef struct ace_rtl_fsm_parameters {
    unsigned phase, index, fsms, contexts, dimensions, peers;
} ace_rtl_fsm_parameters;
#define ACE_RTL_FSM_SETS                                                                           \
    {                                                                                              \
        { 0, 0, 4, 4, 3, 16 }, { 3, 0, 1, 4, 3, 32 }, { 2, 1, 2, 2, 3, 16 }, { 4, 3, 4, 8, 4, 64 } \
    }

/* create: set chooses the parameters, 0 the defaults; past the last set of a unit, the last.
 * seed (31 bits) is for the registers' first values.  NULL: out of memory. */
#define ACE_RTL_UNIT(module, twin, LIST, sets)                                   \
    typedef struct ace_rtl_##module ace_rtl_##module;                            \
    ace_rtl_##module *ace_rtl_##module##_create(unsigned set, int seed);         \
    void ace_rtl_##module##_destroy(ace_rtl_##module *u);                        \
    void ace_rtl_##module##_eval(ace_rtl_##module *u, const ace_##twin##_in *in, \
                                 ace_##twin##_out *out);                         \
    void ace_rtl_##module##_tick(ace_rtl_##module *u, bool rst, const ace_##twin##_in *in);
ACE_RTL_UNIT_MAP(ACE_RTL_UNIT)
#undef ACE_RTL_UNIT

#ifdef __cplusplus
}
#endif
#endif
