/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_ram.h -- the C twin of rtl/ace_program_ram.v: who reads the program of a phase
 *
 * See the RTL for the contract.  The words and their codes are the owner's, once for all phases:
 * when they can be read, and what was read, is kept here.
 */
#ifndef ACE_PROGRAM_RAM_H
#define ACE_PROGRAM_RAM_H

#include "ace_ports.h"
#include "ace_program.h"
#include "ace_word_code.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_program_ram {
    uint8_t loading; /* words still to be written after reset, and not to be read */
    uint8_t turn;    /* the FSM that goes first */
    bool read, wrong;
    uint8_t at, wrong_at; /* the word that was read, the one that did not fit its code */
} ace_program_ram;

static inline void ace_program_ram_reset(ace_program_ram *p) {
    *p = (ace_program_ram){ .loading = ACE_PROGRAM_WORDS };
}

/* Of the FSMs of the phase that ask, the one that reads; -1: nobody.  From state alone. */
static inline int ace_program_ram_grant(const ace_program_ram *p, unsigned asks) {
    return p->loading ? -1 : ace_first(asks, p->turn);
}

/* Rising edge while the program is loaded. */
static inline void ace_program_ram_load(ace_program_ram *p) { p->loading--; }

/* Rising edge: the word of the cycle before is looked at; true: this one changes again in the next.
 */
static inline bool ace_program_ram_look(ace_program_ram *p, const uint32_t *words,
                                        const uint8_t *codes) {
    p->wrong = p->read && ace_word_code(words[p->at]) != codes[p->at];
    p->wrong_at = p->wrong ? p->at : 0;
    p->read = false;
    p->at = 0; /* which means nothing now: states that go on alike are the same */
    return p->wrong;
}

/* Then, the FSM that reads, and which word. */
static inline void ace_program_ram_take(ace_program_ram *p, unsigned granted, unsigned at) {
    p->turn = (uint8_t)(granted + 1);
    p->read = true;
    p->at = (uint8_t)at;
}

/* The program is there: nothing changes by itself. */
static inline bool ace_program_ram_idle(const ace_program_ram *p) { return p->loading == 0; }

#ifdef __cplusplus
}
#endif

#endif
