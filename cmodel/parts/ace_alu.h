/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_alu.h -- element-wise reduction of two 64-byte beats, and of rows
 *
 * The C twin of rtl/ace_alu.v: same ports, same cycle, same values; what the values are is
 * said there.
 *
 *     ace_alu alu = { 0 };
 *     for (;;) {
 *         ... ace_alu_data(&alu) ...             m_data, the output of this cycle
 *         ace_alu_tick(&alu, &in);               rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The ALU is the caller's; `in` is not kept.
 *   Threads     One ALU, one thread.  Distinct ALUs share no state.
 *   Errors      None: every bit pattern is an operand.
 *   Time        Only the tick advances time, by one clock: operands of the k-th
 *               tick are reduced in m_data after tick k+5.
 *   Arithmetic  The host's float: round to nearest, subnormals kept.  A caller that
 *               changes the rounding mode, or sets flush-to-zero, gets other results.
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
    ACE_ALU_LATENCY = 6 /* rising edges from operands to result */
};

/* How two operands are reduced: an ace_type, an ace_op, and the factor of an average. */
typedef struct ace_reduction {
    uint8_t type, op;
    uint64_t scale; /* 37 bits, see ace_scale() */
} ace_reduction;

/* out = a (op) b over `words` 32-bit words, element 0 in the low bits.  out may be a or
 * b; otherwise they do not overlap. */
void ace_reduce_row(ace_reduction r, const uint32_t *a, const uint32_t *b, uint32_t *out,
                    unsigned words);

/* Input ports, named as in the RTL. */
typedef struct ace_alu_in {
    bool rst;
    bool s_valid;
    bool s_bypass;  /* the result is s_a */
    uint8_t s_type; /* an ace_type */
    uint8_t s_op;   /* an ace_op */
    uint64_t s_scale;
    uint32_t s_a[ACE_ALU_WORDS];
    uint32_t s_b[ACE_ALU_WORDS];
} ace_alu_in;

/* The result is made as the operands enter, and only waits in the stages: which of them
 * holds partial and which whole results cannot be seen at the ports.  All zero is a start. */
typedef struct ace_alu {
    bool valid[ACE_ALU_LATENCY]; /* does a beat move on from here, k + 1 edges after it came? */
    uint32_t stage[ACE_ALU_LATENCY][ACE_ALU_WORDS];
} ace_alu;

/* m_data, of ACE_ALU_WORDS words; unknown in the RTL before the first result. */
static inline const uint32_t *ace_alu_data(const ace_alu *alu) {
    return alu->stage[ACE_ALU_LATENCY - 1];
}

static inline ace_reduction ace_reduction_of(const ace_alu_in *in) {
    const ace_reduction r = { in->s_type, in->s_op, in->s_scale };
    return r;
}

/* Rising clock edge. */
static inline void ace_alu_tick(ace_alu *alu, const ace_alu_in *in) {
    for (int k = ACE_ALU_LATENCY - 1; k > 0; k--) {
        for (int i = 0; alu->valid[k - 1] && i < ACE_ALU_WORDS; i++)
            alu->stage[k][i] = alu->stage[k - 1][i];
        alu->valid[k] = alu->valid[k - 1] && !in->rst;
    }
    alu->valid[0] = in->s_valid && !in->rst;
    if (in->s_valid && in->s_bypass)
        for (int i = 0; i < ACE_ALU_WORDS; i++) alu->stage[0][i] = in->s_a[i];
    else if (in->s_valid)
        ace_reduce_row(ace_reduction_of(in), in->s_a, in->s_b, alu->stage[0], ACE_ALU_WORDS);
}

#ifdef __cplusplus
}
#endif
#endif
