/* SPDX-License-Identifier: Apache-2.0 */
/* ace_fp_multiply_lane.c -- the lane's stages, as rtl/ace_fp_multiply_lane.v has them */
#include "ace_fp_multiply_lane.h"

enum { FP32_EXP_W = 8, FP32_MAN_W = 23, FP32_BIAS = 127 };

/* An unpacked operand.  A subnormal has the exponent of the smallest normal number. */
typedef struct operand {
    bool nan, inf, sign;
    int exp;
    uint32_t sig;
} operand;

static operand take_apart(uint32_t x, unsigned exp_w, unsigned man_w, bool finite) {
    const uint32_t exp_max = (1u << exp_w) - 1, fraction = (1u << man_w) - 1;
    const uint32_t exp = (x >> man_w) & exp_max, rest = x & fraction;
    const bool top = exp == exp_max;
    return (operand){ .nan = finite ? top && rest == fraction : top && rest != 0,
                      .inf = !finite && top && rest == 0,
                      .sign = (x >> (exp_w + man_w)) & 1,
                      .exp = (int)(exp | (exp == 0)),
                      .sig = ((uint32_t)(exp != 0) << man_w) | rest };
}

/* Stage 1: multiplies the significands and adds the exponents.  The sum is the exponent of the
 * product's top bit. */
static void multiply(ace_fp_multiply_lane *l, const ace_fp_multiply_lane_in *in) {
    const operand a = take_apart(in->s_scaled ? in->s_sum : in->s_a, l->exp_w, l->man_w, l->finite);
    operand b;

    if (in->s_scaled) {
        b = take_apart(in->s_scale, FP32_EXP_W, FP32_MAN_W, false);
    } else {
        b = take_apart(in->s_b, l->exp_w, l->man_w, l->finite);
        b.exp += FP32_BIAS - ((1 << (l->exp_w - 1)) - 1);
        b.sig <<= FP32_MAN_W - l->man_w;
    }
    l->product1 = (uint64_t)a.sig * b.sig;
    l->exp1 = a.exp + b.exp - (FP32_BIAS - 1);
    l->nan1 = a.nan || b.nan || (a.inf && b.sig == 0) || (b.inf && a.sig == 0);
    l->inf1 = a.inf || b.inf;
    l->sign1 = a.sign ^ b.sign;
}

/* The leading one to the top, or as far as the least exponent lets it. */
static void normalise(ace_fp_multiply_lane *l) {
    const unsigned p_w = l->man_w + 25, cut = l->man_w + 2;
    uint64_t sig = l->product1;
    int exp = l->exp1;
    bool lost = false;

    if (exp < 1) {
        const unsigned by = 1 - exp < (int)p_w ? (unsigned)(1 - exp) : p_w;
        lost = (sig & (((uint64_t)1 << by) - 1)) != 0;
        sig >>= by;
        exp = 1;
    } else {
        while (exp > 1 && !(sig >> (p_w - 1)) && sig) {
            sig <<= 1;
            exp--;
        }
        if (!sig) exp = 1;
    }
    const uint64_t below = sig & (((uint64_t)1 << (p_w - cut)) - 1);
    l->sig2 = (uint32_t)(sig >> (p_w - cut)) << 1 | (below != 0 || lost);
    l->exp2 = exp;
    l->nan2 = l->nan1;
    l->inf2 = l->inf1;
    l->sign2 = l->sign1;
}

static void round_product(ace_fp_multiply_lane *l) {
    const uint32_t exp_max = (1u << l->exp_w) - 1, fraction = (1u << l->man_w) - 1;
    const uint32_t all_ones = (exp_max << l->man_w) | fraction;
    const uint32_t too_large = l->finite ? all_ones : exp_max << l->man_w;
    const uint32_t sign = (uint32_t)l->sign2 << (l->exp_w + l->man_w);
    const uint32_t up = ((l->sig2 >> 1) & 1) && ((l->sig2 & 4) || (l->sig2 & 1));
    const bool normal = l->sig2 >> (l->man_w + 2);
    /* rounding up carries into the exponent, up to what is too large */
    const uint64_t rounded =
        ((uint64_t)(normal ? (unsigned)l->exp2 : 0) << l->man_w) + ((l->sig2 >> 2) & fraction) + up;

    if (l->nan2)
        l->m_product = l->finite ? all_ones : (exp_max << l->man_w) | (1u << (l->man_w - 1));
    else if (l->inf2 || rounded >= too_large)
        l->m_product = l->finite ? all_ones : sign | too_large;
    else
        l->m_product = sign | (uint32_t)rounded;
}

void ace_fp_multiply_lane_tick(ace_fp_multiply_lane *l, const ace_fp_multiply_lane_in *in) {
    /* Last stage first: each reads what the one before it held at the edge. */
    if (in->s3_en) round_product(l);
    if (in->s2_en) normalise(l);
    if (in->s1_en) multiply(l, in);
}
