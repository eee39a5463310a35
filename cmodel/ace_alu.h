/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_alu.h -- element-wise sum of two 64-byte beats, and of rows
 *
 * The C twin of rtl/ace_alu.v: same ports, same cycle, same values.
 *
 *     ace_alu alu = { 0 };
 *     for (;;) {
 *         ... alu.m_data ...                     output of this cycle
 *         ace_alu_tick(&alu, &in);               rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The ALU is the caller's; `in` is not kept.
 *   Threads     One ALU, one thread.  Distinct ALUs share no state.
 *   Errors      None: every bit pattern is an operand.
 *   Time        Only the tick advances time, by one clock: operands of the k-th
 *               tick are summed in m_data after tick k+2.
 *   Arithmetic  The host's float: round to nearest, subnormals kept.  A caller that
 *               changes the rounding mode, or sets flush-to-zero, gets what it asked for.
 */
#ifndef ACE_ALU_H
#define ACE_ALU_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_ALU_BYTES = 64, /* a beat: a quarter of a row */
    ACE_ALU_WORDS = ACE_ALU_BYTES / 4,
    ACE_ALU_LATENCY = 3 /* rising edges from operands to result */
};

/* out = a (+) b over `words` 32-bit words, element 0 in the low bits.  out may be a or
 * b; otherwise they do not overlap. */
void ace_add_row(ace_type type, const uint32_t *a, const uint32_t *b, uint32_t *out,
                 unsigned words);

/* Input ports, named as in the RTL. */
typedef struct ace_alu_in {
    bool rst;
    bool s_valid;
    bool s_bypass;  /* the result is s_a */
    uint8_t s_type; /* an ace_type */
    uint32_t s_a[ACE_ALU_WORDS];
    uint32_t s_b[ACE_ALU_WORDS];
} ace_alu_in;

/* The sum is made as the operands enter, and only waits in the stages: which of them
 * holds partial and which whole sums cannot be seen at the ports.  All zero is a start. */
typedef struct ace_alu {
    bool valid1, valid2;
    uint32_t stage1[ACE_ALU_WORDS], stage2[ACE_ALU_WORDS];
    uint32_t m_data[ACE_ALU_WORDS]; /* unknown in the RTL before the first result */
} ace_alu;

/* Rising clock edge. */
static inline void ace_alu_tick(ace_alu *alu, const ace_alu_in *in) {
    if (alu->valid2)
        for (int i = 0; i < ACE_ALU_WORDS; i++) alu->m_data[i] = alu->stage2[i];
    if (alu->valid1)
        for (int i = 0; i < ACE_ALU_WORDS; i++) alu->stage2[i] = alu->stage1[i];
    if (in->s_valid && in->s_bypass)
        for (int i = 0; i < ACE_ALU_WORDS; i++) alu->stage1[i] = in->s_a[i];
    else if (in->s_valid)
        ace_add_row((ace_type)in->s_type, in->s_a, in->s_b, alu->stage1, ACE_ALU_WORDS);
    alu->valid2 = alu->valid1 && !in->rst;
    alu->valid1 = in->s_valid && !in->rst;
}

#ifdef __cplusplus
}
#endif
#endif
