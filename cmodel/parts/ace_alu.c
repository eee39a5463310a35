/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_alu.c -- reductions of rows in the host's float
 *
 * A sum of narrow numbers is computed in float and then rounded again.  The result is correctly
 * rounded, because float's 24 bits are at least 2 * 11 + 2, and subnormal sums are exact.  A
 * product of narrow numbers is exact in float.  The exception is bfloat16 products below float's
 * last place, which are less than half of bfloat16's last place.  A product with a scale is exact
 * in double.  Loops have no branch and no call, so that the compiler can vectorise them.
 */
#include "ace_alu.h"

#include <float.h>
#include <string.h>
#ifdef __F16C__
#    include <immintrin.h>
#endif

#if FLT_EVAL_METHOD != 0
#    error "float sums must be rounded to float"
#endif

#define INLINE static inline __attribute__((always_inline))

enum { BLOCK = 16 }; /* words at once: a beat */

/* A narrow format; `finite`: no infinities, all ones is NaN. */
typedef struct format {
    unsigned exp_w, man_w;
    bool finite;
} format;
static const format fp32 = { 8, 23, false }, fp16 = { 5, 10, false }, bf16 = { 8, 7, false },
                    e4m3 = { 4, 3, true }, e5m2 = { 5, 2, false };

INLINE float to_float(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

INLINE uint32_t to_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* All ones where the condition holds: a choice without a branch. */
INLINE uint32_t mask(int condition) { return 0u - (uint32_t)condition; }
INLINE uint32_t choose(uint32_t m, uint32_t yes, uint32_t no) { return (yes & m) | (no & ~m); }

/* ---- bit patterns of a format, without the sign ---- */
INLINE uint32_t all_ones(format f) { return (1u << (f.exp_w + f.man_w)) - 1; }
INLINE uint32_t infinite(format f) { return all_ones(f) >> f.man_w << f.man_w; }
INLINE uint32_t sign_of(format f) { return 1u << (f.exp_w + f.man_w); }
INLINE uint32_t quiet_nan(format f) {
    return f.finite ? all_ones(f) : infinite(f) | 1u << (f.man_w - 1);
}
INLINE int rebias(format f) { return 127 - ((1 << (f.exp_w - 1)) - 1); }
/* The largest magnitude that is no NaN. */
INLINE uint32_t top(format f) { return f.finite ? all_ones(f) - 1 : infinite(f); }

INLINE float widen(format f, uint32_t x) {
    /* Exponent and fraction in float's place, then exactly times a power of two: subnormals
     * come right by themselves, infinities and NaNs get float's exponent. */
    const uint32_t magnitude = x & all_ones(f);
    const uint32_t sign = (x & sign_of(f)) << (31 - f.exp_w - f.man_w);
    if (f.exp_w == 8) return to_float(sign | magnitude << (23 - f.man_w));
    const float scale = to_float((uint32_t)(127 + rebias(f)) << 23);
    const uint32_t bits = to_bits(to_float(magnitude << (23 - f.man_w)) * scale);
    const uint32_t special = mask(magnitude >= (f.finite ? all_ones(f) : infinite(f)));
    return to_float(bits | (special & (f.finite ? 0x7fc00000u : 0x7f800000u)) | sign);
}

INLINE uint32_t narrow(format f, float x) {
    const uint32_t bits = to_bits(x), magnitude = bits & 0x7fffffffu, drop = 23 - f.man_w;
    const uint32_t half = drop ? (1u << drop >> 1) - 1 + ((magnitude >> drop) & 1u) : 0;
    uint32_t r = (magnitude - ((uint32_t)rebias(f) << 23) + half) >> drop;
    if (f.exp_w < 8) {
        /* Below the least normal, float's own rounding is to multiples of the least
         * subnormal, once a number is added whose last place that is. */
        const float magic = to_float((uint32_t)(rebias(f) + 1 + (int)drop) << 23);
        const uint32_t subnormal = to_bits(to_float(magnitude) + magic) - to_bits(magic);
        r = choose(mask(magnitude < (uint32_t)(rebias(f) + 1) << 23), subnormal, r);
    }
    const uint32_t large = mask(r > top(f));
    r = choose(large, f.finite ? all_ones(f) : infinite(f), r);
    r |= (bits >> 31 << (f.exp_w + f.man_w)) & ~(f.finite ? large : 0);
    return choose(mask(magnitude > 0x7f800000u), quiet_nan(f), r);
}

/* x times scale, exact, rounded once. */
INLINE uint32_t scaled(format f, float x, float scale) {
    const double exact = (double)x * (double)scale;
    const float nearest = (float)exact;
    if (f.man_w == 23) return narrow(f, nearest);
    /* round to odd: a value between two floats becomes the odd one of them, so that the second
     * rounding sees the side of a tie on which the value is */
    const double over = __builtin_fabs((double)nearest) - __builtin_fabs(exact);
    const uint32_t down = to_bits(nearest) - (uint32_t)(over > 0);
    return narrow(f, to_float(down | (uint32_t)((double)nearest != exact)));
}

/* The lesser or the greater of two numbers: as sign and magnitude, or in two's complement. */
INLINE uint32_t pick(uint32_t sign, bool integer, bool lesser, uint32_t a, uint32_t b) {
    const uint32_t down = integer ? 0 : sign - 1;
    const uint32_t key_a = a ^ (sign | (down & mask((a & sign) != 0)));
    const uint32_t key_b = b ^ (sign | (down & mask((b & sign) != 0)));
    return choose(mask((key_a < key_b) == lesser), a, b);
}

INLINE uint32_t reduce_floats(format f, ace_op op, float scale, uint32_t a, uint32_t b) {
    if (op == ACE_MINIMUM || op == ACE_MAXIMUM) {
        const int nan = (a & all_ones(f)) > top(f) || (b & all_ones(f)) > top(f);
        return choose(mask(nan), quiet_nan(f), pick(sign_of(f), false, op == ACE_MINIMUM, a, b));
    }
    const float x = widen(f, a), y = widen(f, b);
    if (op == ACE_SUM) return narrow(f, x + y);
    if (op == ACE_PRODUCT) return narrow(f, x * y);
    return scaled(f, widen(f, narrow(f, x + y)), scale);
}

/* The magnitude times the reciprocal, with the sign. */
INLINE uint32_t quotient(int32_t sum, uint64_t scale) {
    const uint64_t magnitude = sum < 0 ? 0 - (uint64_t)sum : (uint64_t)sum;
    const uint32_t q =
        (uint32_t)((magnitude & 0xffffffffu) * (scale & 0xffffffffu) >> (31 + (scale >> 32 & 31)));
    return sum < 0 ? 0 - q : q;
}

INLINE uint32_t reduce_integers(unsigned bits, ace_op op, uint64_t scale, uint32_t a, uint32_t b) {
    const uint32_t sum = (a + b) << (32 - bits); /* to the top, to have a sign there */
    switch (op) {
    case ACE_SUM: return a + b;
    case ACE_AVERAGE: return quotient((int32_t)sum >> (32 - bits), scale);
    case ACE_MINIMUM:
    case ACE_MAXIMUM: return pick(1u << (bits - 1), true, op == ACE_MINIMUM, a, b);
    default: return a * b;
    }
}

/* A block of elements of one C type, with every operation a loop of its own. */
#define BLOCKS(name, element, expression)                                                     \
    INLINE void name##_loop(format f, ace_op op, uint64_t scale, const uint32_t *a,           \
                            const uint32_t *b, uint32_t *out) {                               \
        enum { COUNT = BLOCK * 4 / sizeof(element) };                                         \
        element x[COUNT], y[COUNT], z[COUNT]; /* apart from the operands, which out may be */ \
        memcpy(x, a, sizeof x);                                                               \
        memcpy(y, b, sizeof y);                                                               \
        for (int i = 0; i < COUNT; i++) z[i] = (element)(expression);                         \
        memcpy(out, z, sizeof z);                                                             \
        (void)f;                                                                              \
        (void)scale;                                                                          \
    }                                                                                         \
    INLINE void name(format f, const ace_reduction *r, const uint32_t *a, const uint32_t *b,  \
                     uint32_t *out) {                                                         \
        switch (r->op) {                                                                      \
        case ACE_SUM: name##_loop(f, ACE_SUM, r->scale, a, b, out); break;                    \
        case ACE_AVERAGE: name##_loop(f, ACE_AVERAGE, r->scale, a, b, out); break;            \
        case ACE_MINIMUM: name##_loop(f, ACE_MINIMUM, r->scale, a, b, out); break;            \
        case ACE_MAXIMUM: name##_loop(f, ACE_MAXIMUM, r->scale, a, b, out); break;            \
        default: name##_loop(f, ACE_PRODUCT, r->scale, a, b, out); break;                     \
        }                                                                                     \
    }
#define FLOATS reduce_floats(f, op, to_float((uint32_t)scale), x[i], y[i])
BLOCKS(singles, uint32_t, FLOATS)
BLOCKS(halves, uint16_t, FLOATS)
BLOCKS(bytes, uint8_t, FLOATS)
BLOCKS(integers32, uint32_t, reduce_integers(32, op, scale, x[i], y[i]))
BLOCKS(integers8, uint8_t, reduce_integers(8, op, scale, x[i], y[i]))

#ifdef __F16C__ /* the processor's own conversions: five times as fast */
static void add_fp16(const uint32_t *a, const uint32_t *b, uint32_t *sum) {
    for (int i = 0; i < BLOCK; i += 4) {
        const __m256 x = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(a + i)));
        const __m256 y = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(const void *)(b + i)));
        const __m256 s = _mm256_add_ps(x, y);
        const __m256 nan = _mm256_cmp_ps(s, s, _CMP_UNORD_Q);
        const __m256 canonical = _mm256_castsi256_ps(_mm256_set1_epi32(0x7fc00000));
        const __m128i h = _mm256_cvtps_ph(_mm256_blendv_ps(s, canonical, nan),
                                          _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
        _mm_storeu_si128((__m128i *)(void *)(sum + i), h);
    }
}
#endif

static void reduce_block(const ace_reduction *r, const uint32_t *a, const uint32_t *b,
                         uint32_t *out) {
    switch (r->type) {
    case ACE_FP32: singles(fp32, r, a, b, out); break;
    case ACE_FP16:
#ifdef __F16C__
        if (r->op == ACE_SUM) {
            add_fp16(a, b, out);
            break;
        }
#endif
        halves(fp16, r, a, b, out);
        break;
    case ACE_BF16: halves(bf16, r, a, b, out); break;
    case ACE_E4M3: bytes(e4m3, r, a, b, out); break;
    case ACE_E5M2: bytes(e5m2, r, a, b, out); break;
    case ACE_INT8: integers8(fp32, r, a, b, out); break;
    default: integers32(fp32, r, a, b, out); break;
    }
}

void ace_reduce_row(ace_reduction r, const uint32_t *a, const uint32_t *b, uint32_t *out,
                    unsigned words) {
    unsigned i = 0;

    for (; i + BLOCK <= words; i += BLOCK) reduce_block(&r, a + i, b + i, out + i);
    if (i < words) {
        uint32_t x[BLOCK] = { 0 }, y[BLOCK] = { 0 }, result[BLOCK];
        memcpy(x, a + i, (words - i) * sizeof *a);
        memcpy(y, b + i, (words - i) * sizeof *b);
        reduce_block(&r, x, y, result);
        memcpy(out + i, result, (words - i) * sizeof *out);
    }
}
