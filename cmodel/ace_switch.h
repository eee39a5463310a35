/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_switch.h -- the C twin of rtl/ace_switch.v: who uses banks, ALUs and links
 *
 * See the RTL for the contract.  Requests arrive as sets of bits; the pipes carry only
 * what is still to be reported, since rows are written when they are taken.
 */
#ifndef ACE_SWITCH_H
#define ACE_SWITCH_H

#include "ace_cycle_classes.h"
#include "ace_fsm.h"

/* A row on its way through a receive pipe. */
typedef struct ace_pipe_stage {
    bool valid, copy;
    uint8_t context;
} ace_pipe_stage;

enum { ACE_PIPE_STAGES = 4 };

typedef struct ace_switch {
    unsigned fsms, per_phase;
    /* FSM requests, kept by the node: a bit an FSM */
    uint16_t want, want_minus, want_bank[ACE_BANKS];
    ace_send send[16];
    ace_pipe_stage reduce[ACE_PIPE_STAGES], store[ACE_PIPE_STAGES]; /* ring, `at` is stage 1 */
    unsigned at;
    uint8_t reduce_turn, store_turn, plus_turn, minus_turn;
    ace_cycle_classes count_reduce, count_store, count_send[2];
} ace_switch;

/* What the switch sees of the rest in a cycle. */
typedef struct ace_switch_in {
    uint8_t head_valid, head_reduce; /* a bit a link */
    uint8_t head_context[ACE_LINKS];
    uint16_t copy_valid; /* a bit an FSM */
    bool load_valid, unload_valid;
    uint8_t load_bank, unload_bank;
} ace_switch_in;

/* What it grants; -1 for nobody. */
typedef struct ace_switch_out {
    int reduce_link, copy_fsm, store_link, send_fsm[2];
    bool load_grant, unload_grant;
    ace_pipe_stage reduced, stored; /* reported written this cycle */
} ace_switch_out;

void ace_switch_init(ace_switch *s, unsigned fsms);

/* FSM that runs a context. */
static inline unsigned ace_switch_fsm(const ace_switch *s, unsigned context) {
    return (context >> 6) * s->per_phase + (context & (s->per_phase - 1));
}
/* Takes note of FSM f's request, or of its end (NULL). */
void ace_switch_request(ace_switch *s, unsigned f, const ace_send *send);
/* Copy requests name their context's index through copy_context. */
void ace_switch_decide(const ace_switch *s, const ace_switch_in *in, uint8_t copy_context,
                       ace_switch_out *out);
/* Rising edge. */
void ace_switch_tick(ace_switch *s, const ace_switch_in *in, const ace_switch_out *out,
                     uint8_t copy_context);
/* Nothing in the pipes and nobody asks. */
bool ace_switch_idle(const ace_switch *s);
void ace_switch_skip(ace_switch *s, uint64_t cycles);

#endif
