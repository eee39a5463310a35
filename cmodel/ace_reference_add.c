/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_reference_add.c -- one sum, from the definition, in integers
 *
 * Both operands become signed 64-bit numbers in units far below the larger one's last
 * place; they are added, and the result is rounded once to the spacing that the format
 * has there.  It shares nothing with the twins, so that it can judge them.
 */
#include "ace_node.h"

uint32_t ace_add(ace_type type, uint32_t a, uint32_t b) {
    const int exp_w = type == ACE_FP16 ? 5 : 8;
    const int man_w = type == ACE_FP32 ? 23 : type == ACE_FP16 ? 10 : 7;
    const int exp_max = (1 << exp_w) - 1;
    const uint32_t sign_bit = 1u << (exp_w + man_w);
    const uint32_t infinite = (uint32_t)exp_max << man_w;
    const uint32_t quiet_nan = infinite | (1u << (man_w - 1));
    const uint32_t x[2] = { a, b };
    int64_t value[2];
    int place[2]; /* value is in units of 2^place, counted from the smallest subnormal */

    for (int i = 0; i < 2; i++) {
        const uint32_t fraction = x[i] & ((1u << man_w) - 1);
        const int exp = (int)(x[i] >> man_w) & exp_max;
        if (exp == exp_max && fraction) return quiet_nan;
        value[i] = (int64_t)(exp ? fraction | (1u << man_w) : fraction);
        value[i] = x[i] & sign_bit ? -value[i] : value[i];
        place[i] = exp ? exp - 1 : 0;
    }

    const uint32_t magnitude_bits = sign_bit - 1;
    const bool infinite_a = (a & magnitude_bits) == infinite;
    const bool infinite_b = (b & magnitude_bits) == infinite;
    if (infinite_a && infinite_b) return (a ^ b) & sign_bit ? quiet_nan : a & (infinite | sign_bit);
    if (infinite_a || infinite_b) return (infinite_a ? a : b) & (infinite | sign_bit);

    /* Units of 2^-EXTRA of the larger operand's last place.  An operand in finer units is
     * less than 2^-8 of that place, a half of which is the result's at the least: all
     * that rounding can see of it is its sign, so one unit stands for it. */
    enum { EXTRA = 32 };
    const int last = place[0] > place[1] ? place[0] : place[1];
    int64_t sum = 0;
    for (int i = 0; i < 2; i++) {
        const int up = EXTRA - (last - place[i]);
        if (up >= 0)
            sum += value[i] * ((int64_t)1 << up);
        else if (value[i])
            sum += value[i] < 0 ? -1 : 1;
    }
    if (sum == 0) /* -0 only when both are */
        return a & b & sign_bit;

    const uint32_t sign = sum < 0 ? sign_bit : 0;
    uint64_t magnitude = (uint64_t)(sum < 0 ? -sum : sum);
    int unit = last - EXTRA; /* magnitude is in units of 2^unit */

    int bits = 0;
    for (uint64_t m = magnitude; m; m >>= 1) bits++;
    /* The format's spacing there: man_w + 1 bits are kept, none below the subnormals' 2^0. */
    int spacing = unit + bits - (man_w + 1);
    if (spacing < 0) spacing = 0;
    uint64_t kept;
    const int drop = spacing - unit;
    if (drop <= 0) {
        kept = magnitude << -drop;
    } else if (drop > 62) {
        kept = 0; /* less than a quarter of the smallest subnormal */
    } else {
        const uint64_t half = (uint64_t)1 << (drop - 1), rest = magnitude & ((half << 1) - 1);
        kept = magnitude >> drop;
        if (rest > half || (rest == half && (kept & 1))) kept++;
    }
    if (kept >> (man_w + 1)) {
        kept >>= 1;
        spacing++;
    }
    if (spacing + 1 >= exp_max) return sign | infinite;
    if (kept >> man_w) /* normal: the hidden bit is not stored */
        return sign | ((uint32_t)(spacing + 1) << man_w) | ((uint32_t)kept & ((1u << man_w) - 1));
    return sign | (uint32_t)kept;
}
