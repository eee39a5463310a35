/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_reference_element.c -- one reduction of two elements, from the definition, in integers
 *
 * A number is a signed 64-bit integer in units of a power of two.  Integers are added or
 * multiplied exactly, and the result is rounded once to the spacing that the format has
 * there.  This file shares no code with the twins, so it can check them.
 */
#include "ace_reference.h"

#include <string.h>

typedef struct format {
    int exp_w, man_w;
    bool finite; /* no infinities, all ones is NaN */
} format;

static const format formats[] = { [ACE_FP32] = { 8, 23, false },
                                  [ACE_FP16] = { 5, 10, false },
                                  [ACE_BF16] = { 8, 7, false },
                                  [ACE_E4M3] = { 4, 3, true },
                                  [ACE_E5M2] = { 5, 2, false } };

/* value * 2^exponent, in units of the format's smallest subnormal; or a NaN, or an infinity. */
typedef struct number {
    bool nan, infinite, minus;
    int64_t value; /* negative only if `minus`; a zero keeps its sign in `minus` */
    int exponent;
} number;

static int exp_max(const format *f) { return (1 << f->exp_w) - 1; }
static uint32_t sign_bit(const format *f) { return 1u << (f->exp_w + f->man_w); }

static number decode(const format *f, uint32_t x) {
    const uint32_t fraction = x & ((1u << f->man_w) - 1);
    const int exp = (int)(x >> f->man_w) & exp_max(f);
    const bool top = exp == exp_max(f);
    number n = { .minus = (x & sign_bit(f)) != 0 };
    if (f->finite)
        n.nan = top && fraction == (1u << f->man_w) - 1;
    else if (top && fraction)
        n.nan = true;
    else
        n.infinite = top;
    n.value = (int64_t)(exp ? fraction | (1u << f->man_w) : fraction);
    if (n.minus) n.value = -n.value;
    n.exponent = exp ? exp - 1 : 0;
    return n;
}

static uint32_t quiet_nan(const format *f) {
    if (f->finite) return sign_bit(f) - 1;
    return (uint32_t)exp_max(f) << f->man_w | 1u << (f->man_w - 1);
}

static uint32_t infinity(const format *f, bool minus) {
    if (f->finite) return quiet_nan(f);
    return (uint32_t)exp_max(f) << f->man_w | (minus ? sign_bit(f) : 0);
}

/* magnitude * 2^unit, nearest and to even. */
static uint32_t round_to(const format *f, bool minus, uint64_t magnitude, int unit) {
    const uint32_t sign = minus ? sign_bit(f) : 0;
    int bits = 0;
    for (uint64_t m = magnitude; m; m >>= 1) bits++;
    /* The format's spacing there: man_w + 1 bits are kept, none below the subnormals' 2^0. */
    int spacing = unit + bits - (f->man_w + 1);
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
    if (kept >> (f->man_w + 1)) {
        kept >>= 1;
        spacing++;
    }
    const int limit = f->finite ? exp_max(f) + 1 : exp_max(f);
    if (spacing + 1 >= limit) return infinity(f, minus);
    if (!(kept >> f->man_w)) return sign | (uint32_t)kept;
    /* normal: the hidden bit is not stored */
    const uint32_t result =
        (uint32_t)(spacing + 1) << f->man_w | ((uint32_t)kept & ((1u << f->man_w) - 1));
    return f->finite && result == quiet_nan(f) ? result : sign | result;
}

static uint32_t sum(const format *f, number a, number b) {
    if (a.nan || b.nan) return quiet_nan(f);
    if (a.infinite && b.infinite) return a.minus != b.minus ? quiet_nan(f) : infinity(f, a.minus);
    if (a.infinite || b.infinite) return infinity(f, a.infinite ? a.minus : b.minus);

    /* The sum is in units of 2^-EXTRA of the larger operand's last place.  An operand that needs
     * finer units is less than 2^-8 of that last place, and the result's last place is at least
     * half of it.  Only the sign of such an operand affects rounding, so one unit replaces it. */
    enum { EXTRA = 32 };
    const number *const of[] = { &a, &b };
    const int last = a.exponent > b.exponent ? a.exponent : b.exponent;
    int64_t total = 0;
    for (int i = 0; i < 2; i++) {
        const int up = EXTRA - (last - of[i]->exponent);
        if (up >= 0)
            total += of[i]->value * ((int64_t)1 << up);
        else if (of[i]->value)
            total += of[i]->minus ? -1 : 1;
    }
    if (total == 0) /* -0 only when both are */
        return a.minus && b.minus ? sign_bit(f) : 0;
    return round_to(f, total < 0, (uint64_t)(total < 0 ? -total : total), last - EXTRA);
}

/* one: the exponent of 2^0 in b, which is subtracted because both exponents count from a smallest
 * subnormal. */
static uint32_t product(const format *f, number a, number b, int one) {
    const bool minus = a.minus != b.minus;
    if (a.nan || b.nan) return quiet_nan(f);
    if (a.infinite || b.infinite) {
        const bool zero = (!a.infinite && !a.value) || (!b.infinite && !b.value);
        return zero ? quiet_nan(f) : infinity(f, minus);
    }
    const int64_t total = a.value * b.value;
    if (total == 0) return minus ? sign_bit(f) : 0;
    return round_to(f, minus, (uint64_t)(total < 0 ? -total : total),
                    a.exponent + b.exponent - one);
}

/* Returns log2 of 1 / the smallest subnormal of a format. */
static int exponent_of_one(const format *f) { return (1 << (f->exp_w - 1)) - 2 + f->man_w; }

/* Before b in the order of numbers, -0 before +0? */
static bool less(number a, number b) {
    if (a.minus != b.minus) return a.minus;
    if (a.infinite || b.infinite) return a.minus ? a.infinite && !b.infinite : !a.infinite;
    const int low = a.exponent < b.exponent ? a.exponent : b.exponent;
    if (a.exponent - low > 24 || b.exponent - low > 24) return (a.exponent < b.exponent) != a.minus;
    return a.value * ((int64_t)1 << (a.exponent - low)) <
           b.value * ((int64_t)1 << (b.exponent - low));
}

static int64_t integer(ace_type type, uint32_t x) {
    const int64_t span = type == ACE_INT8 ? 1 << 8 : INT64_C(1) << 32;
    const int64_t value = (int64_t)x % span;
    return value < span / 2 ? value : value - span;
}
static uint32_t wrapped(ace_type type, int64_t value) {
    return (uint32_t)value & (type == ACE_INT8 ? 0xffu : UINT32_MAX);
}

uint32_t ace_reduce(ace_type type, ace_op op, uint32_t a, uint32_t b) {
    if (type >= ACE_INT8) {
        const int64_t x = integer(type, a), y = integer(type, b);
        switch (op) {
        case ACE_SUM:
        case ACE_AVERAGE: return wrapped(type, x + y);
        case ACE_MINIMUM: return wrapped(type, x < y ? x : y);
        case ACE_MAXIMUM: return wrapped(type, x < y ? y : x);
        default: return wrapped(type, x * y);
        }
    }
    const format *const f = &formats[type];
    const number x = decode(f, a), y = decode(f, b);
    switch (op) {
    case ACE_SUM:
    case ACE_AVERAGE: return sum(f, x, y);
    case ACE_MINIMUM:
    case ACE_MAXIMUM:
        if (x.nan || y.nan) return quiet_nan(f);
        return less(x, y) == (op == ACE_MINIMUM) ? a : b;
    default: return product(f, x, y, exponent_of_one(f));
    }
}

uint32_t ace_average(ace_type type, uint32_t total, uint64_t members) {
    if (type >= ACE_INT8) return wrapped(type, integer(type, total) / (int64_t)members);
    const format *const single = &formats[ACE_FP32];
    const float reciprocal = 1.0f / (float)members; /* the nearest */
    uint32_t bits;
    memcpy(&bits, &reciprocal, sizeof bits);
    return product(&formats[type], decode(&formats[type], total), decode(single, bits),
                   exponent_of_one(single));
}

/* ---- formats of the wire ---- */

static double power(int exponent) {
    const uint64_t bits = (uint64_t)(1023 + exponent) << 52;
    double p;
    memcpy(&p, &bits, sizeof p);
    return p;
}

/* The number of a code without sign.  The code behind the largest one has the value that it had if
 * the format went on. */
static double value_of(const format *f, uint32_t code) {
    const int bias = (1 << (f->exp_w - 1)) - 1, exp = (int)(code >> f->man_w);
    const uint32_t fraction = code & ((1u << f->man_w) - 1);
    return exp ? (fraction | 1u << f->man_w) * power(exp - bias - f->man_w)
               : fraction * power(1 - bias - f->man_w);
}

/* The code whose number is nearest, of two the even one. */
static uint32_t nearest(const format *f, double magnitude) {
    uint32_t low = 0, high = infinity(f, false); /* finite formats: their NaN is behind the last */
    if (magnitude >= value_of(f, high)) return high;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (value_of(f, middle) <= magnitude)
            low = middle;
        else
            high = middle;
    }
    const double below = magnitude - value_of(f, low), above = value_of(f, high) - magnitude;
    return above < below || (above == below && low & 1) ? high : low;
}

static float rounded(const format *f, float x, float scale, bool limits) {
    const double minus = x < 0 ? -1 : 1, magnitude = minus * (double)x / (double)scale;
    const uint32_t past = infinity(f, false), code = nearest(f, magnitude);
    if (code < past) return (float)(minus * value_of(f, code) * (double)scale);
    if (limits) return (float)(minus * value_of(f, past - 1) * (double)scale);
    return f->finite ? (float)__builtin_nan("") : (float)(minus * __builtin_inf());
}

void ace_reference_wire(ace_wire_format format_, uint32_t *numbers, unsigned count) {
    static const ace_type types[] = { [ACE_WIRE_BF16] = ACE_BF16,
                                      [ACE_WIRE_E4M3] = ACE_E4M3,
                                      [ACE_WIRE_E5M2] = ACE_E5M2,
                                      [ACE_WIRE_MXFP8] = ACE_E4M3 };
    const bool block = format_ == ACE_WIRE_MXFP8;
    float scale = 1;
    if (format_ == ACE_WIRE_NONE) return;
    const format *const f = &formats[types[format_]];
    for (unsigned i = 0; i < count; i++) {
        if (block && i % 32 == 0) {
            float most = 0;
            for (unsigned n = i; n < i + 32; n++) {
                float x;
                memcpy(&x, &numbers[n], sizeof x);
                const float magnitude = x < 0 ? -x : x;
                if (!(magnitude <= most)) most = magnitude; /* a NaN stays the largest */
                if (magnitude != magnitude) break;
            }
            scale = (float)power(-127);
            while (most == most && (double)most >= 512 * (double)scale && scale < 0x1p120f)
                scale *= 2;
            if (!(most <= 0x1.fffffep127f)) scale = (float)__builtin_nan("");
        }
        float x;
        memcpy(&x, &numbers[i], sizeof x);
        const bool lost = x != x || scale != scale || (f->finite && x - x != 0);
        if (!lost && x != 0 && x - x == 0) x = rounded(f, x, scale, block);
        if (!lost) memcpy(&numbers[i], &x, sizeof x);
        /* the sign of a number that became zero is kept */
        if (lost || x != x) numbers[i] = 0x7fc00000;
    }
}
