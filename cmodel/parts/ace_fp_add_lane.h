/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_fp_add_lane.h -- one adder of any small binary floating-point format
 *
 * The C twin of rtl/ace_fp_add_lane.v: same stages, same registers, integers only.
 *
 *     ace_fp_add_lane lane = { .exp_w = 8, .man_w = 23 };
 *     for (;;) {
 *         ... lane.m_sum ...                     output of this cycle
 *         ace_fp_add_lane_tick(&lane, &in);      rising edge
 *     }
 *
 * Rules that hold for every call
 *   Ownership   The lane is the caller's; `in` is not kept.
 *   Threads     One lane, one thread.  Distinct lanes share no state.
 *   Errors      None: every bit pattern is an operand.  exp_w is 4..8, man_w 2..23.
 *   Time        Only the tick advances time, by one clock.
 */
#ifndef ACE_FP_ADD_LANE_H
#define ACE_FP_ADD_LANE_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Input ports, named as in the RTL. */
typedef struct ace_fp_add_lane_in {
    bool s1_en, s2_en, s3_en; /* each a cycle after the previous enable */
    uint32_t s_a, s_b;        /* exp_w + man_w + 1 bits */
} ace_fp_add_lane_in;

/* Parameters, then registers, named as in the RTL without the _q. */
typedef struct ace_fp_add_lane {
    unsigned exp_w, man_w;
    bool finite;
    bool nan1, inf1, sub1, sign1;
    uint32_t exp1, big1, little1;
    bool nan2, inf2, sign2;
    uint32_t exp2, sum2;
    uint32_t m_sum; /* the third register: unknown in the RTL before the first result */
} ace_fp_add_lane;

/* Rising clock edge. */
void ace_fp_add_lane_tick(ace_fp_add_lane *l, const ace_fp_add_lane_in *in);

#ifdef __cplusplus
}
#endif
#endif
