/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_ram.h -- the C twin of rtl/ace_program_ram.v: who reads the program of a phase
 *
 * See the RTL for the contract.  The words themselves are the configuration's: only when they can
 * be read is kept here.
 */
#ifndef ACE_PROGRAM_RAM_H
#define ACE_PROGRAM_RAM_H

#include "ace_ports.h"
#include "ace_program.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_program_ram {
    uint8_t loading; /* words still to be written after reset, and not to be read */
    uint8_t turn;    /* the FSM that goes first */
} ace_program_ram;

static inline void ace_program_ram_reset(ace_program_ram *p) {
    *p = (ace_program_ram){ .loading = ACE_PROGRAM_WORDS };
}

/* Of the FSMs of the phase that ask, the one that reads; -1: nobody.  From state alone. */
static inline int ace_program_ram_grant(const ace_program_ram *p, unsigned asks) {
    return p->loading ? -1 : ace_first(asks, p->turn);
}

/* Rising edge: who read. */
static inline void ace_program_ram_tick(ace_program_ram *p, int granted) {
    p->loading = (uint8_t)(p->loading - (p->loading != 0));
    if (granted >= 0) p->turn = (uint8_t)(granted + 1);
}

/* The program is there: nothing changes by itself. */
static inline bool ace_program_ram_idle(const ace_program_ram *p) { return p->loading == 0; }

#ifdef __cplusplus
}
#endif

#endif
