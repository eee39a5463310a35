/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_node_core.h -- the registers of the C twin of rtl/ace_node.v
 *
 * ace_node_core.c and its parts update the registers; ace_recurrence.c compares them.
 */
#ifndef ACE_CYCLE_CORE_H
#define ACE_CYCLE_CORE_H

#include "ace_agreement.h"
#include "ace_core.h"
#include "ace_memory_port.h"
#include "ace_nic.h"
#include "ace_program_ram.h"
#include "ace_row_uses.h"
#include "ace_scheduler.h"
#include "ace_scratchpad.h"
#include "ace_switch.h"

/* A row in a send pipe.  It is read in the cycle after it was chosen, and is at the link
 * ACE_SENT_CYCLES after the choice. */
typedef struct ace_outgoing {
    bool valid;
    ace_request request;
    uint8_t context;
    const uint32_t *row;
} ace_outgoing;

/* The registers of the receive pipes, in addition to the contexts of their stages. */
typedef struct ace_receiving {
    /* stage 1: links and marks of the popped packets, and the rows of a copy */
    uint8_t reduce_link, reduce_mark, store_link, store_mark;
    uint16_t copy_source, copy_target;
    /* stage 2: the row in the scratchpad, and how it is reduced with the row that arrived */
    uint16_t source;
    bool zero;
    ace_reduction how;
    uint16_t store_row;
    uint16_t reduce_row[ACE_PIPE_SLOTS]; /* target rows; indexed as the switch's ring */
} ace_receiving;

/* Sets of links are looked up in two halves; each FSM's link is in one of them. */
enum { HALF_LINKS = ACE_LINKS / 2, ROOMS = 1 << HALF_LINKS };

typedef struct ace_cycle_core {
    ace_core base;
    ace_parameters p;
    ace_config cfg;
    unsigned links_count, per_phase; /* links: there may be fewer than ACE_LINKS */
    unsigned sibling;                /* 2 where two FSMs of a phase send in one direction, else 0 */
    ace_agreement agreement;
    ace_dispatcher dispatcher;
    ace_scheduler scheduler;
    ace_fsm fsm[ACE_SWITCH_FSMS];
    ace_switch switch_;
    ace_scratchpad scratchpad;
    ace_nic nic;
    ace_memory_port memory_port;
    ace_outgoing outgoing[ACE_SENT_CYCLES][2]; /* a ring: entry `oldest` is at the links, the */
    unsigned oldest;                           /* others follow */
    const uint32_t *unloaded[ACE_READ_CYCLES]; /* a ring: rows granted to the RX DMA */
    ace_receiving receiving;
    ace_row arrived; /* the row in stage 2, if there are rows */
    uint32_t arrived_code;
    ace_switch_in asked; /* heads are kept from cycle to cycle */
    uint32_t ready;      /* FSMs with something to send, given room, and the turn */
    uint32_t
        served[2][ROOMS]; /* FSMs whose link has room, for any set of low, of high, links with it */
    uint32_t mixed;       /* FSMs of a phase and direction whose contexts differ in link */
    uint32_t copies;      /* FSMs with rows to copy */
    uint32_t granting;    /* FSMs that grant */
    uint32_t fetching;    /* FSMs that want a word of the program */
    uint32_t working;     /* FSMs that work pieces out */
    uint32_t turning;     /* FSMs with stalled contexts, whose next row must wait */
    uint32_t closing;     /* FSMs with contexts that stall after their next row */
    ace_program_ram program[ACE_PHASES];
    uint32_t words[ACE_PROGRAM_WORDS]; /* the loaded programs, the same for all phases */
    uint8_t codes[ACE_PROGRAM_WORDS];  /* the parity codes of the words */
    uint8_t wrongs;                    /* failed words and rows that are not counted yet */
    ace_row_uses unfit;                /* uses of rows that failed their parity check */
    bool looking;                      /* a phase has read a word, or found a wrong one */
    bool wake;                         /* the scheduler may have something to do */
    ace_pins_out out;
} ace_cycle_core;

/* The calls of ace_core_class within a cycle; ticks exist without rows and with rows. */
void ace_cycle_core_reset(ace_core *core);
const ace_pins_out *ace_cycle_core_out(ace_core *core);
void ace_cycle_core_tick_timing(ace_core *core, const ace_pins_in *in);
void ace_cycle_core_tick_payload(ace_core *core, const ace_pins_in *in);
void ace_cycle_core_skip(ace_core *core, uint64_t cycles);
extern const ace_row ace_node_zero_row;       /* sent for rows without bytes of the chunk */
void ace_node_show_memory(ace_cycle_core *n); /* the AXI pins, from state alone */

/* ---- ace_node_core_state.c: the calls of ace_core_class between two cycles ---- */
void ace_cycle_core_counts(const ace_core *core, ace_counts c);
void ace_cycle_core_dump(const ace_core *core, FILE *to);
void ace_cycle_core_state(ace_core *core, ace_state *s);

#endif
