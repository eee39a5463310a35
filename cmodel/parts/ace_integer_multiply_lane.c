/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_integer_multiply_lane.c -- the twin of rtl/ace_integer_multiply_lane.v: one edge
 *
 * The three stages are a product of magnitudes, a shift, and the sign. They are worked out from
 * last to first, so that each reads the value that the stage before had at the edge.
 */
#include "ace_integer_multiply_lane.h"

void ace_integer_multiply_lane_tick(ace_integer_multiply_lane *l,
                                    const ace_integer_multiply_lane_in *in) {
    const uint32_t mask = UINT32_MAX >> (32 - l->w);

    /* Last stage first: each reads what the one before it held at the edge. */
    if (in->s3_en) l->m_product = (l->sign2 ? -l->product2 : l->product2) & mask;
    if (in->s2_en) {
        const uint64_t quotient = l->product1 >> (31u + (l->shift1 & 31u));
        l->product2 = (uint32_t)(l->scaled1 ? quotient : l->product1) & mask;
        l->sign2 = l->sign1;
    }
    if (in->s1_en) {
        const bool sign = in->s_scaled && (in->s_a >> (l->w - 1) & 1);
        l->product1 =
            (uint64_t)((sign ? -in->s_a : in->s_a) & mask) * (in->s_scaled ? in->s_scale : in->s_b);
        l->scaled1 = in->s_scaled;
        l->shift1 = in->s_shift;
        l->sign1 = sign;
    }
}
