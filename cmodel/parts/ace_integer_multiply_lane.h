/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_integer_multiply_lane.h -- product of two integers, or quotient by a reciprocal
 *
 * The C twin of rtl/ace_integer_multiply_lane.v; see there for the ports and the proof that
 * the quotient is C's.
 *
 *     ace_integer_multiply_lane lane = { .w = 32 };
 *     for (;;) {
 *         ... lane.m_product ...                          output of this cycle
 *         ace_integer_multiply_lane_tick(&lane, &in);     rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The lane is the caller's; `in` is not kept.
 *   Threads     One lane, one thread.  Distinct lanes share no state.
 *   Errors      None: every bit pattern is an operand.  w is 2..32.
 */
#ifndef ACE_INTEGER_MULTIPLY_LANE_H
#define ACE_INTEGER_MULTIPLY_LANE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Input ports, named as in the RTL. */
typedef struct ace_integer_multiply_lane_in {
    bool s1_en, s2_en, s3_en; /* each a cycle after the previous enable */
    bool s_scaled;            /* the RTL's s_next_scaled, with the operands */
    uint8_t s_shift;
    uint32_t s_a, s_b; /* w bits */
    uint32_t s_scale;
} ace_integer_multiply_lane_in;

/* Parameter, then registers, named as in the RTL without the _q. */
typedef struct ace_integer_multiply_lane {
    unsigned w;
    bool scaled1, sign1, sign2;
    uint8_t shift1;
    uint64_t product1; /* the RTL's low1 and high1 */
    uint32_t product2;
    uint32_t m_product; /* the third register: unknown in the RTL before the first result */
} ace_integer_multiply_lane;

/* Rising clock edge. */
void ace_integer_multiply_lane_tick(ace_integer_multiply_lane *l,
                                    const ace_integer_multiply_lane_in *in);

#ifdef __cplusplus
}
#endif
#endif
