/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_program_ram.h -- the C twin of rtl/ace_program_ram.v: arbitrates reads of a phase's program
 *
 * The RTL's head has the contract.  The owner stores the words and their codes once for all phases.
 * This struct only keeps whether words can be read, and which word was read.
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
    uint8_t at, wrong_at; /* the word that was read; the word that failed its parity check */
} ace_program_ram;

static inline void ace_program_ram_reset(ace_program_ram *p) {
    *p = (ace_program_ram){ .loading = ACE_PROGRAM_WORDS };
}

/* Grants the read to one of the requesting FSMs of the phase, or -1. requests: a bit for each
 * FSM. */
static inline int ace_program_ram_grant(const ace_program_ram *p, unsigned requests) {
    return p->loading ? -1 : ace_first(requests, p->turn);
}

/* Rising edge while the program is loaded. */
static inline void ace_program_ram_load(ace_program_ram *p) { p->loading--; }

/* Rising edge: checks the word that was read in the cycle before.  True: the check failed, so
 * `wrong` changes again in the next cycle. */
static inline bool ace_program_ram_check(ace_program_ram *p, const uint32_t *words,
                                         const uint8_t *codes) {
    p->wrong = p->read && ace_word_code(words[p->at]) != codes[p->at];
    p->wrong_at = p->wrong ? p->at : 0;
    p->read = false;
    p->at = 0; /* meaningless now; 0 makes states with the same future equal */
    return p->wrong;
}

/* Called after ace_program_ram_check(): the granted FSM reads a word. */
static inline void ace_program_ram_take(ace_program_ram *p, unsigned granted, unsigned at) {
    p->turn = (uint8_t)(granted + 1);
    p->read = true;
    p->at = (uint8_t)at;
}

/* Is the program loaded?  Then nothing changes without a call. */
static inline bool ace_program_ram_idle(const ace_program_ram *p) { return p->loading == 0; }

#ifdef __cplusplus
}
#endif

#endif
