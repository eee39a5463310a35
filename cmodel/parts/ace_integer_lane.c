/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_integer_lane.c -- the twin of rtl/ace_integer_lane.v: one edge of a lane
 *
 * Minimum and maximum map each operand to an unsigned key that sorts as the type does, so one
 * comparison serves all types. A NaN operand of a floating-point type gives the type's NaN.
 */
#include "ace_integer_lane.h"

void ace_integer_lane_tick(ace_integer_lane *l, const ace_integer_lane_in *in) {
    const uint32_t sign = 1u << (l->w - 1), below = sign - 1, a = in->s_a, b = in->s_b;

    if (!in->s_en) return;
    if (in->s_op == ACE_LANE_PASS) {
        l->m_result = a;
        return;
    }
    if (in->s_op == ACE_LANE_ADD) {
        l->m_result = (a + b) & (sign | below);
        return;
    }
    if (!in->s_integer && ((a & below) > in->s_top || (b & below) > in->s_top)) {
        l->m_result = in->s_nan;
        return;
    }
    /* a negative magnitude counts downwards */
    const uint32_t key_a = a ^ (!in->s_integer && (a & sign) ? sign | below : sign);
    const uint32_t key_b = b ^ (!in->s_integer && (b & sign) ? sign | below : sign);
    l->m_result = (key_a < key_b) == (in->s_op == ACE_LANE_LESSER) ? a : b;
}
