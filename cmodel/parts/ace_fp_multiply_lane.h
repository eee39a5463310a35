/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fp_multiply_lane.h -- one multiplier of any small binary format, by itself or by FP32
 *
 * The C twin of rtl/ace_fp_multiply_lane.v: same stages, same registers, integers only.
 *
 *     ace_fp_multiply_lane lane = { .exp_w = 8, .man_w = 23 };
 *     for (;;) {
 *         ... lane.m_product ...                     output of this cycle
 *         ace_fp_multiply_lane_tick(&lane, &in);     rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The lane is the caller's; `in` is not kept.
 *   Threads     One lane, one thread.  Distinct lanes share no state.
 *   Errors      None: every bit pattern is an operand.  exp_w is 4..8, man_w 2..23.
 *   Time        Only the tick advances time, by one clock.
 */
#ifndef ACE_FP_MULTIPLY_LANE_H
#define ACE_FP_MULTIPLY_LANE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Input ports, named as in the RTL. */
typedef struct ace_fp_multiply_lane_in {
    bool s1_en, s2_en, s3_en; /* each a cycle after the previous enable */
    bool s_scaled;            /* with s1_en, as the operands */
    uint32_t s_a, s_b, s_sum; /* exp_w + man_w + 1 bits */
    uint32_t s_scale;
} ace_fp_multiply_lane_in;

/* Parameters, then registers, named as in the RTL without the _q. */
typedef struct ace_fp_multiply_lane {
    unsigned exp_w, man_w;
    bool finite;
    bool nan1, inf1, sign1;
    int exp1;
    uint64_t product1;
    bool nan2, inf2, sign2;
    int exp2;
    uint32_t sig2;
    uint32_t m_product; /* the third register: unknown in the RTL before the first result */
} ace_fp_multiply_lane;

/* Rising clock edge. */
void ace_fp_multiply_lane_tick(ace_fp_multiply_lane *l, const ace_fp_multiply_lane_in *in);

#ifdef __cplusplus
}
#endif
#endif
