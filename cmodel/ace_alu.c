/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_alu.c -- sums of rows in the host's float
 *
 * A half or bfloat16 sum made in float and then rounded again is the correctly rounded
 * one: 24 bits are at least 2 * 11 + 2, and subnormal sums are exact.  Loops have no
 * branch and no call, so that the compiler makes vectors of them.
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

enum { BLOCK = 16 }; /* words summed at once: a beat */

static inline float to_float(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static inline uint32_t to_bits(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

/* All ones where the condition holds: a choice without a branch. */
static inline uint32_t mask(int condition) { return 0u - (uint32_t)condition; }
static inline uint32_t choose(uint32_t m, uint32_t yes, uint32_t no) {
    return (yes & m) | (no & ~m);
}

static inline uint32_t add_fp32(uint32_t a, uint32_t b) {
    const float sum = to_float(a) + to_float(b);
    return choose(mask(sum != sum), 0x7fc00000u, to_bits(sum));
}

static inline float from_fp16(uint32_t h) {
    /* Exponent and fraction in float's place, then exactly times 2^112: subnormals come
     * right by themselves, infinities and NaNs get float's exponent. */
    const uint32_t magnitude = (h & 0x7fffu) << 13;
    const uint32_t bits = to_bits(to_float(magnitude) * 0x1p112f);
    return to_float(bits | (mask(magnitude >= 0x0f800000u) & 0x7f800000u) | ((h & 0x8000u) << 16));
}

static inline uint32_t to_fp16(float f) {
    const uint32_t bits = to_bits(f), magnitude = bits & 0x7fffffffu;
    /* Below 2^-14, float's own rounding at 0.5 is to multiples of 2^-24. */
    const uint32_t subnormal = to_bits(to_float(magnitude) + 0.5f) - 0x3f000000u;
    const uint32_t normal = (magnitude - (112u << 23) + 0xfffu + ((magnitude >> 13) & 1u)) >> 13;
    uint32_t h = choose(mask(magnitude < 0x38800000u), subnormal, normal);
    h = choose(mask(magnitude >= 0x477ff000u), 0x7c00u, h); /* 65520 and above */
    h |= (bits >> 16) & 0x8000u;
    return choose(mask(magnitude > 0x7f800000u), 0x7e00u, h);
}

static inline uint32_t add_fp16(uint32_t a, uint32_t b) {
    const uint32_t low = to_fp16(from_fp16(a & 0xffffu) + from_fp16(b & 0xffffu));
    return low | to_fp16(from_fp16(a >> 16) + from_fp16(b >> 16)) << 16;
}

static inline void add_block_fp16(const uint32_t *a, const uint32_t *b, uint32_t *sum) {
#ifdef __F16C__ /* the processor's own conversions: five times as fast */
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
    (void)add_fp16;
#else
    for (int i = 0; i < BLOCK; i++) sum[i] = add_fp16(a[i], b[i]);
#endif
}

static inline uint32_t to_bf16(float f) {
    const uint32_t bits = to_bits(f);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return choose(mask((bits & 0x7fffffffu) > 0x7f800000u), 0x7fc0u, rounded);
}

static inline uint32_t add_bf16(uint32_t a, uint32_t b) {
    const uint32_t low = to_bf16(to_float(a << 16) + to_float(b << 16));
    return low | to_bf16(to_float(a & 0xffff0000u) + to_float(b & 0xffff0000u)) << 16;
}

static inline void add_block(ace_type type, const uint32_t *a, const uint32_t *b, uint32_t *out) {
    uint32_t sum[BLOCK]; /* apart from the operands, which `out` may be */

    switch (type) {
    case ACE_FP32:
        for (int i = 0; i < BLOCK; i++) sum[i] = add_fp32(a[i], b[i]);
        break;
    case ACE_FP16: add_block_fp16(a, b, sum); break;
    case ACE_BF16:
    default:
        for (int i = 0; i < BLOCK; i++) sum[i] = add_bf16(a[i], b[i]);
        break;
    }
    memcpy(out, sum, sizeof sum);
}

void ace_add_row(ace_type type, const uint32_t *a, const uint32_t *b, uint32_t *out,
                 unsigned words) {
    unsigned i = 0;

    for (; i + BLOCK <= words; i += BLOCK) add_block(type, a + i, b + i, out + i);
    if (i < words) {
        uint32_t x[BLOCK] = { 0 }, y[BLOCK] = { 0 }, sum[BLOCK];
        memcpy(x, a + i, (words - i) * sizeof *a);
        memcpy(y, b + i, (words - i) * sizeof *b);
        add_block(type, x, y, sum);
        memcpy(out + i, sum, (words - i) * sizeof *out);
    }
}
