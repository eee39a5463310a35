/* SPDX-License-Identifier: Apache-2.0 */
/* ace_fp_add_lane.c -- the lane's three stages, as rtl/ace_fp_add_lane.v has them */
#include "ace_fp_add_lane.h"

/* Larger magnitude first, the other aligned to it: what falls off stays as one sticky bit. */
static void align(ace_fp_add_lane *l, const ace_fp_add_lane_in *in) {
    const unsigned man_w = l->man_w, sig_w = man_w + 4;
    const uint32_t exp_max = (1u << l->exp_w) - 1, fraction = (1u << man_w) - 1;
    const uint32_t magnitude = (exp_max << man_w) | fraction;

    const bool swap = (in->s_b & magnitude) > (in->s_a & magnitude);
    const uint32_t big = swap ? in->s_b : in->s_a, little = swap ? in->s_a : in->s_b;
    const uint32_t big_exp = (big >> man_w) & exp_max, little_exp = (little >> man_w) & exp_max;
    uint32_t away = (big_exp | (big_exp == 0)) - (little_exp | (little_exp == 0));
    if (away > sig_w) away = sig_w;
    const uint32_t sig = (((uint32_t)(little_exp != 0) << man_w) | (little & fraction)) << 3;

    l->sub1 = ((in->s_a ^ in->s_b) >> (l->exp_w + man_w)) & 1;
    l->nan1 = l->finite ? (big & magnitude) == magnitude
                        : big_exp == exp_max &&
                              ((big & fraction) != 0 || (little_exp == exp_max && l->sub1));
    l->inf1 = !l->finite && big_exp == exp_max;
    l->sign1 = (big >> (l->exp_w + man_w)) & 1;
    l->exp1 = big_exp | (big_exp == 0);
    l->big1 = ((uint32_t)(big_exp != 0) << man_w) | (big & fraction);
    l->little1 = (sig >> away) | ((sig & ((1u << away) - 1)) != 0);
}

static void add(ace_fp_add_lane *l) {
    l->sum2 = l->sub1 ? (l->big1 << 3) - l->little1 : (l->big1 << 3) + l->little1;
    l->nan2 = l->nan1;
    l->inf2 = l->inf1;
    l->sign2 = l->sign1 && !(l->sub1 && l->sum2 == 0); /* exact cancellation is +0 */
    l->exp2 = l->exp1;
}

static void round_sum(ace_fp_add_lane *l) {
    const unsigned man_w = l->man_w, sig_w = man_w + 4;
    const uint32_t exp_max = (1u << l->exp_w) - 1, fraction = (1u << man_w) - 1;
    uint32_t exp = l->exp2, sig = l->sum2;

    if (sig >> sig_w) {
        sig = (sig >> 1) | (sig & 1);
        exp++;
    } else { /* the shift stops at exponent 1, where subnormals begin */
        for (unsigned step = 16; step > 0; step >>= 1) {
            if (step < sig_w && sig >> (sig_w - step) == 0 && exp > step) {
                sig <<= step;
                exp -= step;
            }
        }
    }

    const uint32_t up = ((sig >> 2) & 1) && ((sig & 8) || (sig & 3));
    const uint32_t field = sig >> (sig_w - 1) ? exp : 0;
    const uint32_t sign = (uint32_t)l->sign2 << (l->exp_w + man_w);
    const uint32_t all_ones = (exp_max << man_w) | fraction;
    const uint32_t too_large = l->finite ? all_ones : exp_max << man_w;
    /* rounding up carries into the exponent, up to what is too large */
    const uint32_t rounded = ((field << man_w) | ((sig >> 3) & fraction)) + up;

    if (l->nan2)
        l->m_sum = l->finite ? all_ones : (exp_max << man_w) | (1u << (man_w - 1));
    else if (l->inf2 || rounded >= too_large)
        l->m_sum = l->finite ? all_ones : sign | too_large;
    else
        l->m_sum = sign | rounded;
}

void ace_fp_add_lane_tick(ace_fp_add_lane *l, const ace_fp_add_lane_in *in) {
    /* Last stage first: each reads what the one before it held at the edge. */
    if (in->s3_en) round_sum(l);
    if (in->s2_en) add(l);
    if (in->s1_en) align(l, in);
}
