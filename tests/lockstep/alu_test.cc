/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alu_test.cc -- the arithmetic, several times over
 *
 * Four implementations were written independently and must give the same bits: rtl/ace_alu.v, the
 * integer twins of its lanes, ace_reduce_row (the host's float), and ace_reduce with ace_average
 * (from the definition).  The RTL's pipeline equals its twin after every edge.  Further references
 * are the host's own FP32, double arithmetic with a separate rounding, and for FP8 a search through
 * all codes.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "ace_alu.h"
#include "ace_fp_add_lane.h"
#include "ace_fp_multiply_lane.h"
#include "ace_integer_lane.h"
#include "ace_integer_multiply_lane.h"
#include "ace_node.h"
#include "ace_random.h"
#include "ace_reference.h"
#include "ace_rtl_alu.h"
#include "ace_scale.h"

namespace {

struct Random {
    uint64_t state;
    uint64_t next() { return ace_random_next(&state); }
    uint32_t word() { return static_cast<uint32_t>(next() >> 32); }
    bool one_in(uint32_t n) { return word() % n == 0; }
};

struct Format {
    ace_type type;
    const char *name;
    unsigned width, exp_w, man_w; /* exp_w 0: integers */
    bool finite;                  /* no infinities */
    uint32_t nan;
    unsigned elements() const { return 32 * ACE_ALU_WORDS / width; }
    uint32_t mask() const { return ~0u >> (32 - width); }
    uint32_t element(const uint32_t *row, unsigned i) const {
        return row[i * width / 32] >> (i * width % 32) & mask();
    }
    /* A number as double, which holds it exactly. */
    double value(uint32_t x) const {
        const int bias = (1 << (exp_w - 1)) - 1, top = (1 << exp_w) - 1;
        const int exp = static_cast<int>(x >> man_w) & top;
        const int fraction = static_cast<int>(x & ((1u << man_w) - 1));
        const double sign = x >> (width - 1) ? -1 : 1;
        if (exp == top && (finite ? fraction == (1 << man_w) - 1 : fraction != 0)) return NAN;
        if (exp == top && !finite) return sign * INFINITY;
        if (exp == 0) return sign * std::ldexp(fraction, 1 - bias - static_cast<int>(man_w));
        return sign * std::ldexp(fraction + (1 << man_w), exp - bias - static_cast<int>(man_w));
    }
    /* Rounded to nearest, ties to even, by the C library's own rounding of a scaled number. */
    uint32_t rounded(double v) const {
        const int bias = (1 << (exp_w - 1)) - 1, man = static_cast<int>(man_w);
        if (std::isnan(v)) return nan;
        const uint32_t sign = std::signbit(v) ? 1u << (width - 1) : 0;
        const uint32_t infinite = finite ? nan : sign | ((1u << exp_w) - 1) << man_w;
        if (std::isinf(v)) return infinite;
        if (v == 0) return sign;
        int exp = std::max(std::ilogb(v), 1 - bias);
        double units = std::nearbyint(std::ldexp(std::fabs(v), man - exp));
        if (units == std::ldexp(1, man + 1)) units /= 2, exp++;
        if (units < std::ldexp(1, man)) return sign | static_cast<uint32_t>(units);
        if (exp + bias > (1 << exp_w) - 1 - !finite) return infinite;
        const uint32_t bits = (static_cast<uint32_t>(exp + bias) << man_w) +
                              (static_cast<uint32_t>(units) - (1u << man_w));
        return finite && bits == nan ? nan : sign | bits;
    }
};
void PrintTo(const Format &f, std::ostream *to) { *to << f.name; }

constexpr Format kFormats[] = { { ACE_FP32, "fp32", 32, 8, 23, false, 0x7fc00000 },
                                { ACE_FP16, "fp16", 16, 5, 10, false, 0x7e00 },
                                { ACE_BF16, "bf16", 16, 8, 7, false, 0x7fc0 },
                                { ACE_E4M3, "e4m3", 8, 4, 3, true, 0x7f },
                                { ACE_E5M2, "e5m2", 8, 5, 2, false, 0x7e },
                                { ACE_INT8, "int8", 8, 0, 0, false, 0 },
                                { ACE_INT32, "int32", 32, 0, 0, false, 0 } };
constexpr ace_op kOps[] = { ACE_SUM, ACE_AVERAGE, ACE_MINIMUM, ACE_MAXIMUM, ACE_PRODUCT };
const char *const kOpNames[] = { "sum", "average", "minimum", "maximum", "product" };

/* The operation of a test, for all implementations.  */
struct Task {
    Format f;
    ace_op op;
    uint64_t members;
    ace_reduction reduction() const {
        const uint64_t shift = ace_scale_shift(members);
        return { static_cast<uint8_t>(f.type), static_cast<uint8_t>(op),
                 shift << 32 | ace_scale(f.type, members) };
    }
    uint32_t reference(uint32_t a, uint32_t b) const {
        const uint32_t r = ace_reduce(f.type, op, a, b);
        return op == ACE_AVERAGE ? ace_average(f.type, r, members) : r;
    }
};

/* An element through the lanes' twins, as rtl/ace_alu.v connects the lanes. */
uint32_t through_lanes(const Task &t, uint32_t a, uint32_t b) {
    const Format &f = t.f;
    const uint64_t scale = t.reduction().scale;
    const bool integer = f.exp_w == 0, average = t.op == ACE_AVERAGE;
    uint32_t r = a;
    if (!integer && (t.op == ACE_SUM || average)) {
        ace_fp_add_lane lane = {};
        lane.exp_w = f.exp_w;
        lane.man_w = f.man_w;
        lane.finite = f.finite;
        for (int stage = 0; stage < 3; stage++) {
            const ace_fp_add_lane_in in = { stage == 0, stage == 1, stage == 2, a, b };
            ace_fp_add_lane_tick(&lane, &in);
        }
        r = lane.m_sum;
    } else if (t.op != ACE_PRODUCT) {
        const uint32_t top =
            f.finite ? f.nan - 1 : ((1u << f.exp_w) - 1) << f.man_w; /* the largest, or infinity */
        const auto op = static_cast<uint8_t>(t.op == ACE_MINIMUM   ? ACE_LANE_LESSER
                                             : t.op == ACE_MAXIMUM ? ACE_LANE_GREATER
                                                                   : ACE_LANE_ADD);
        ace_integer_lane lane = { f.width, 0 };
        const ace_integer_lane_in in = { true, integer, op, top, f.nan, a, b };
        ace_integer_lane_tick(&lane, &in);
        r = lane.m_result;
    }
    if (!average && t.op != ACE_PRODUCT) return r;
    const auto factor = static_cast<uint32_t>(scale);
    if (integer) {
        ace_integer_multiply_lane lane = {};
        lane.w = f.width;
        for (int stage = 0; stage < 3; stage++) {
            const ace_integer_multiply_lane_in in = {
                stage == 0, stage == 1, stage == 2, average, static_cast<uint8_t>(scale >> 32),
                r,          b,          factor
            };
            ace_integer_multiply_lane_tick(&lane, &in);
        }
        return lane.m_product;
    }
    ace_fp_multiply_lane lane = {};
    lane.exp_w = f.exp_w;
    lane.man_w = f.man_w;
    lane.finite = f.finite;
    for (int stage = 0; stage < 3; stage++) {
        const ace_fp_multiply_lane_in in = { stage == 0, stage == 1, stage == 2, average,
                                             a,          b,          r,          factor };
        ace_fp_multiply_lane_tick(&lane, &in);
    }
    return lane.m_product;
}

using Rtl = std::unique_ptr<ace_rtl_alu, decltype(&ace_rtl_alu_destroy)>;

Rtl make_rtl(int seed) {
    Rtl rtl(ace_rtl_alu_create(seed), ace_rtl_alu_destroy);
    ace_alu_in in = {};
    in.rst = true;
    ace_rtl_alu_tick(rtl.get(), &in);
    return rtl;
}

/* Streams pairs through all implementations, a beat a cycle; stops at the first difference.
 * `wants` is one more, if given. */
class Judge {
public:
    using Want = uint32_t (*)(const Task &, uint32_t a, uint32_t b);

    explicit Judge(const Task &t, Want wants = nullptr) : t_(t), wants_(wants), rtl_(make_rtl(1)) {}

    void pair(uint32_t a, uint32_t b) {
        const unsigned at = fill_ * t_.f.width;
        now_.s_a[at / 32] |= a << at % 32;
        now_.s_b[at / 32] |= b << at % 32;
        if (++fill_ == t_.f.elements()) beat(true);
    }

    /* Gives out what is inside. */
    void finish() {
        if (fill_) beat(true);
        for (int i = 1; i < ACE_ALU_LATENCY; i++) beat(false);
    }

    bool failed() const { return testing::Test::HasFailure(); }
    uint64_t judged() const { return judged_; }

private:
    void beat(bool valid) {
        const ace_reduction r = t_.reduction();
        now_.s_valid = valid;
        now_.s_type = r.type;
        now_.s_op = r.op;
        now_.s_scale = r.scale;
        ace_rtl_alu_tick(rtl_.get(), &now_);
        const ace_alu_in &leaves = before_[ACE_ALU_LATENCY - 2];
        if (leaves.s_valid) compare(leaves);
        for (int i = ACE_ALU_LATENCY - 2; i > 0; i--) before_[i] = before_[i - 1];
        before_[0] = now_;
        now_ = {};
        fill_ = 0;
    }

    void compare(const ace_alu_in &in) {
        uint32_t row[ACE_ALU_WORDS];
        const uint32_t *rtl = ace_rtl_alu_data(rtl_.get());
        ace_reduce_row(t_.reduction(), in.s_a, in.s_b, row, ACE_ALU_WORDS);
        for (unsigned i = 0; i < t_.f.elements() && !failed(); i++, judged_++) {
            const uint32_t a = t_.f.element(in.s_a, i), b = t_.f.element(in.s_b, i);
            const uint32_t want = t_.reference(a, b), lane = through_lanes(t_, a, b);
            const uint32_t other = wants_ ? wants_(t_, a, b) : want;
            if (t_.f.element(rtl, i) != want || lane != want || other != want ||
                t_.f.element(row, i) != want)
                ADD_FAILURE() << t_.f.name << ' ' << kOpNames[t_.op] << " over " << t_.members
                              << ", element " << i << std::hex << ": " << a << ", " << b
                              << ": reference " << want << ", ace_reduce_row "
                              << t_.f.element(row, i) << ", lanes' twins " << lane << ", RTL "
                              << t_.f.element(rtl, i) << ", the test " << other;
        }
    }

    const Task t_;
    const Want wants_;
    Rtl rtl_;
    ace_alu_in now_ = {}, before_[ACE_ALU_LATENCY - 1] = {};
    unsigned fill_ = 0;
    uint64_t judged_ = 0;
};

class Alu : public testing::TestWithParam<std::tuple<Format, ace_op>> {
protected:
    Task task() const { return { std::get<0>(GetParam()), std::get<1>(GetParam()), 3 }; }
};

/* Every pair of corner cases, with both signs.  Corners are zeros and the ends of the subnormals
 * and normals.  They are also powers of two that place the other operand on, just above or just
 * below half a last place.  For integers the corners are the ends, and numbers about zero and about
 * powers of two.  */
TEST_P(Alu, Corners) {
    const Format f = task().f;
    std::vector<uint32_t> corners;
    if (f.exp_w == 0) {
        for (unsigned bit = 0; bit < f.width; bit++)
            for (uint32_t by : { ~0u, 0u, 1u })
                for (uint32_t sign : { 0u, ~0u })
                    corners.push_back((((1u << bit) + by) ^ sign) & f.mask());
    } else {
        const uint32_t exp_max = (1u << f.exp_w) - 1, fraction = (1u << f.man_w) - 1;
        const uint32_t fractions[] = { 0,
                                       1,
                                       2 & fraction,
                                       3,
                                       fraction >> 1,
                                       (fraction >> 1) + 1,
                                       ((fraction >> 1) + 2) & fraction,
                                       fraction - 1,
                                       fraction };
        std::vector<uint32_t> exps = { 0, 1, 2, 3, exp_max - 2, exp_max - 1, exp_max };
        for (uint32_t i = 0; i <= f.man_w + 4; i++) /* distances of up to a significand */
            if (i + 3 < exp_max - 3) exps.push_back(exp_max - 3 - i);
        for (uint32_t i = 0; i < 4; i++) /* products about 1 and about the subnormals */
            exps.push_back((exp_max >> 1) - i);
        for (uint32_t sign : { 0u, 1u << (f.width - 1) })
            for (uint32_t e : exps)
                for (uint32_t m : fractions) corners.push_back(sign | e << f.man_w | m);
    }

    Judge judge(task());
    for (uint32_t a : corners)
        for (uint32_t b : corners) {
            judge.pair(a, b);
            if (judge.failed()) return;
        }
    judge.finish();
    EXPECT_GE(judge.judged(), corners.size() * corners.size());
}

/* Half are any two patterns, half have near exponents, where sums cancel and round. */
TEST_P(Alu, RandomPairs) {
    const Format f = task().f;
    const uint64_t pairs = uint64_t{ 1 } << 19;
    Random random = { 20240607 };
    Judge judge(task());
    for (uint64_t i = 0; i < pairs && !judge.failed(); i++) {
        const uint32_t a = random.word() & f.mask();
        uint32_t b = random.word() & f.mask();
        if (i & 1 && f.exp_w) {
            const uint32_t exp_mask = ((1u << f.exp_w) - 1) << f.man_w;
            const uint32_t near = (a & exp_mask) + ((random.word() % 5 - 2) << f.man_w);
            b = (b & ~exp_mask) | (near & exp_mask);
            if (i & 2) /* and near significands */
                b = ((a ^ (1u << (f.width - 1))) & ~3u) | (b & 3);
        }
        judge.pair(a, b);
    }
    judge.finish();
    EXPECT_GE(judge.judged(), pairs);
}

INSTANTIATE_TEST_SUITE_P(All, Alu,
                         testing::Combine(testing::ValuesIn(kFormats), testing::ValuesIn(kOps)),
                         [](const auto &info) {
                             return std::string(std::get<0>(info.param).name) + "_" +
                                    kOpNames[std::get<1>(info.param)];
                         });

/* ---- against other arithmetic ------------------------------------------------------ */

uint32_t bits_of(float f) {
    uint32_t bits;
    std::memcpy(&bits, &f, sizeof bits);
    return bits;
}
float float_of(uint32_t bits) {
    float f;
    std::memcpy(&f, &bits, sizeof f);
    return f;
}

/* IEEE 754-2019 9.6, in words: NaN wins, then the sign of zeros, then the order. */
double lesser(double a, double b) {
    if (std::isnan(a) || std::isnan(b)) return NAN;
    if (a == 0 && b == 0) return std::signbit(a) ? a : b;
    return a < b ? a : b;
}

double in_double(const Task &t, uint32_t a, uint32_t b) {
    const double x = t.f.value(a), y = t.f.value(b);
    switch (t.op) {
    case ACE_MINIMUM: return lesser(x, y);
    case ACE_MAXIMUM: return -lesser(-x, -y);
    case ACE_PRODUCT: return x * y;
    default: return x + y;
    }
}

/* All numbers of an FP8 format that are not negative, by their codes. */
std::vector<double> numbers(const Format &f) {
    std::vector<double> all;
    for (uint32_t code = 0; code < 0x80 && std::isfinite(f.value(code)); code++)
        all.push_back(f.value(code));
    return all;
}

/* The nearest of all magnitudes, ties to even codes; what is past the largest number by
 * half a step or more overflows. */
uint32_t nearest_code(const Format &f, double v) {
    static const std::vector<double> tables[] = { numbers(kFormats[3]), numbers(kFormats[4]) };
    if (std::isnan(v)) return f.nan;
    const std::vector<double> &number = tables[f.finite ? 0 : 1];
    const uint32_t sign = std::signbit(v) ? 0x80 : 0;
    const auto largest = static_cast<uint32_t>(number.size() - 1);
    uint32_t best = 0;
    double least = std::fabs(v);
    for (uint32_t code = 1; code <= largest; code++) {
        const double away = std::fabs(number[code] - std::fabs(v));
        if (away < least || (away == least && code % 2 == 0)) best = code;
        least = std::min(least, away);
    }
    const double step = number[largest] - number[largest - 1];
    const double past = std::fabs(v) - number[largest];
    const bool even = largest % 2 == 0; /* a tie stays */
    if (even ? past > step / 2 : past >= step / 2) return f.finite ? f.nan : sign | 0x7c;
    return sign | best;
}

uint32_t searched(const Task &t, uint32_t a, uint32_t b) {
    const uint32_t code = nearest_code(t.f, in_double(t, a, b));
    if (t.op != ACE_AVERAGE) return code;
    const float reciprocal = 1.0f / static_cast<float>(t.members);
    return nearest_code(t.f, t.f.value(code) * static_cast<double>(reciprocal));
}

/* FP8: all pairs, all operations, averages over several numbers of members. */
TEST(AluExhaustive, Fp8) {
    for (const Format &f : { kFormats[3], kFormats[4] })
        for (ace_op op : kOps)
            for (uint64_t members : { 1, 2, 3, 7, 100, 2097152 }) {
                if (op != ACE_AVERAGE && members != 1) continue;
                Judge judge({ f, op, members }, searched);
                for (uint32_t pair = 0; pair < 65536 && !judge.failed(); pair++)
                    judge.pair(pair >> 8, pair & 0xff);
                judge.finish();
                ASSERT_EQ(judge.judged(), 65536u);
            }
}

uint32_t in_c(const Task &t, uint32_t a, uint32_t b) {
    const bool narrow = t.f.type == ACE_INT8;
    const int64_t x = narrow ? static_cast<int8_t>(a) : static_cast<int32_t>(a);
    const int64_t y = narrow ? static_cast<int8_t>(b) : static_cast<int32_t>(b);
    const int64_t sum = narrow ? static_cast<int8_t>(x + y) : static_cast<int32_t>(x + y);
    const int64_t r = t.op == ACE_SUM       ? sum
                      : t.op == ACE_AVERAGE ? sum / static_cast<int64_t>(t.members)
                      : t.op == ACE_MINIMUM ? std::min(x, y)
                      : t.op == ACE_MAXIMUM ? std::max(x, y)
                                            : x * y;
    return static_cast<uint32_t>(r) & t.f.mask();
}

/* INT8: all pairs, all operations. */
TEST(AluExhaustive, Int8) {
    for (ace_op op : kOps) {
        Judge judge({ kFormats[5], op, 5 }, in_c);
        for (uint32_t pair = 0; pair < 65536 && !judge.failed(); pair++)
            judge.pair(pair >> 8, pair & 0xff);
        judge.finish();
        ASSERT_EQ(judge.judged(), 65536u);
    }
}

/* Averages of integers: of INT8 every sum over 1..2048 members; of INT32 the ends, the
 * multiples of the members and what is one off them, and any others. */
TEST(AluExhaustive, IntegerAverages) {
    std::vector<uint64_t> all;
    for (uint64_t n = 1; n <= 2048; n++) all.push_back(n);
    for (uint64_t n : { 4095, 65535, 65537, 128 * 128 * 127, (1 << 20) + 1, 1 << 21 })
        all.push_back(n);
    Random random = { 7 };
    for (uint64_t members : all) {
        const Task narrow = { kFormats[5], ACE_AVERAGE, members };
        uint32_t sums[64], zero[64] = {}, got[64];
        for (unsigned i = 0; i < 256; i++) reinterpret_cast<uint8_t *>(sums)[i] = uint8_t(i);
        ace_reduce_row(narrow.reduction(), sums, zero, got, 64);
        for (unsigned i = 0; i < 256; i++)
            ASSERT_EQ(narrow.f.element(got, i), in_c(narrow, i, 0)) << i << " / " << members;

        const Task wide = { kFormats[6], ACE_AVERAGE, members };
        const auto n = static_cast<uint32_t>(members);
        for (unsigned round = 0; round < 16; round++) {
            for (unsigned i = 0; i < 64; i++) {
                const uint32_t any = random.word(), multiple = any / 2 / n * n;
                const uint32_t choice[] = { any,
                                            multiple - 1,
                                            multiple,
                                            0x7fffffffu / n * n - (i & 1),
                                            0x7fffffffu - i,
                                            0x80000000u + i,
                                            0u - multiple,
                                            1u - multiple };
                sums[i] = choice[random.word() % 8];
            }
            ace_reduce_row(wide.reduction(), sums, zero, got, 64);
            for (unsigned i = 0; i < 64; i++)
                ASSERT_EQ(got[i], in_c(wide, sums[i], 0)) << int32_t(sums[i]) << " / " << members;
        }
        if (members % 64 != 3) continue; /* and the RTL of some */
        Judge judge(wide, in_c);
        for (unsigned i = 0; i < 64; i++) judge.pair(sums[i], 0);
        judge.finish();
        ASSERT_EQ(judge.judged(), 64u);
    }
}

uint32_t by_double(const Task &t, uint32_t a, uint32_t b) {
    return t.f.rounded(in_double(t, a, b));
}

/* FP16 and BF16: each pair of exponents and signs, with so many pairs of significands that there
 * are 2^24 cases of each type.  Sums and products of two such numbers in double are exact, or so
 * precise that the second rounding changes nothing (53 bits are at least twice 11 and 2).  A
 * sixteenth of the cases goes through the RTL as well.  */
class AluSample : public testing::TestWithParam<std::tuple<Format, ace_op>> {};
TEST_P(AluSample, EveryPairOfExponents) {
    const auto &[f, op] = GetParam();
    const Task t = { f, op, 1 };
    const uint32_t tops = 1u << (f.exp_w + 1), rest = (1u << f.man_w) - 1;
    const unsigned each = (1u << 24) / (tops * tops);
    Random random = { 11 };
    Judge judge(t, by_double);
    uint32_t a[ACE_ALU_WORDS], b[ACE_ALU_WORDS], got[ACE_ALU_WORDS];
    uint64_t pairs = 0;
    for (uint32_t top_a = 0; top_a < tops; top_a++)
        for (uint32_t top_b = 0; top_b < tops; top_b++)
            for (unsigned k = 0; k < each; k += f.elements()) {
                for (unsigned i = 0; i < ACE_ALU_WORDS; i++) {
                    const uint32_t both = rest | rest << 16;
                    a[i] = (random.word() & both) | (top_a | top_a << 16) << f.man_w;
                    b[i] = (random.word() & both) | (top_b | top_b << 16) << f.man_w;
                }
                ace_reduce_row(t.reduction(), a, b, got, ACE_ALU_WORDS);
                for (unsigned i = 0; i < f.elements(); i++, pairs++) {
                    const uint32_t x = f.element(a, i), y = f.element(b, i);
                    ASSERT_EQ(f.element(got, i), by_double(t, x, y))
                        << std::hex << x << ' ' << kOpNames[op] << ' ' << y;
                }
                if (random.one_in(16))
                    for (unsigned i = 0; i < f.elements(); i++)
                        judge.pair(f.element(a, i), f.element(b, i));
                if (judge.failed()) return;
            }
    judge.finish();
    EXPECT_EQ(pairs, uint64_t{ 1 } << 24);
    EXPECT_GT(judge.judged(), pairs / 20);
}
INSTANTIATE_TEST_SUITE_P(Halves, AluSample,
                         testing::Combine(testing::Values(kFormats[1], kFormats[2]),
                                          testing::Values(ACE_SUM, ACE_PRODUCT)),
                         [](const auto &info) {
                             return std::string(std::get<0>(info.param).name) + "_" +
                                    kOpNames[std::get<1>(info.param)];
                         });

uint32_t by_host(const Task &t, uint32_t a, uint32_t b) {
    volatile float x = float_of(a), y = float_of(b);
    const float r = t.op == ACE_SUM ? x + y : x * y;
    return std::isnan(r) ? t.f.nan : bits_of(r);
}

/* FP32: 2^20 sums and as many products are compared with the host's.  In half of the products the
 * exponents add up to the least ones.  In a quarter of the sums both operands are subnormal.  */
TEST(AluHost, Fp32) {
    for (ace_op op : { ACE_SUM, ACE_PRODUCT }) {
        Random random = { 3 };
        Judge judge({ kFormats[0], op, 1 }, by_host);
        uint64_t subnormal = 0;
        for (int i = 0; i < 1 << 20 && !judge.failed(); i++) {
            uint32_t a = random.word(), b = random.word();
            if (op == ACE_SUM && i % 4 == 0) a &= 0x80ffffffu, b &= 0x80ffffffu;
            if (op == ACE_PRODUCT && i % 2) {
                const uint32_t sum = 100 + random.word() % 30, exp = random.word() % (sum + 1);
                a = (a & 0x807fffffu) | exp << 23;
                b = (b & 0x807fffffu) | (sum - exp) << 23;
            }
            const uint32_t r = by_host({ kFormats[0], op, 1 }, a, b);
            subnormal += (r & 0x7f800000u) == 0 && (r & 0x7fffffu) != 0;
            judge.pair(a, b);
        }
        judge.finish();
        EXPECT_GT(subnormal, 50000u);
    }
}

/* Known values from the standards, in case all implementations share a mistake.  Long: it is a
 * table. */
TEST(AluValues, Known) {
    const struct {
        ace_type type;
        ace_op op;
        uint32_t a, b, result;
    } known[] = {
        { ACE_FP32, ACE_SUM, 0x3f800000, 0x3f800000, 0x40000000 }, /* 1 + 1 */
        { ACE_FP32, ACE_SUM, 0x3f800000, 0xbf800000, 0x00000000 }, /* 1 - 1 = +0 */
        { ACE_FP32, ACE_SUM, 0x80000000, 0x80000000, 0x80000000 }, /* -0 - 0 = -0 */
        { ACE_FP32, ACE_SUM, 0x00000000, 0x80000000, 0x00000000 },
        { ACE_FP32, ACE_SUM, 0x3f800000, 0x33800000, 0x3f800000 }, /* 1 + 2^-24: tie to even */
        { ACE_FP32, ACE_SUM, 0x3f800001, 0x33800000, 0x3f800002 }, /* ... and up */
        { ACE_FP32, ACE_SUM, 0x00800000, 0x80000001, 0x007fffff }, /* smallest normal - smallest */
        { ACE_FP32, ACE_SUM, 0x7f7fffff, 0x73000000, 0x7f800000 }, /* max + half a last place */
        { ACE_FP32, ACE_SUM, 0x7f7fffff, 0x72ffffff, 0x7f7fffff },
        { ACE_FP32, ACE_SUM, 0x7f800000, 0xff800000, 0x7fc00000 }, /* inf - inf */
        { ACE_FP32, ACE_SUM, 0xff800001, 0x3f800000, 0x7fc00000 }, /* any NaN */
        { ACE_FP16, ACE_SUM, 0x7bff, 0x4c00, 0x7c00 },             /* 65504 + 16 */
        { ACE_FP16, ACE_SUM, 0x7bff, 0x4bff, 0x7bff },
        { ACE_FP16, ACE_SUM, 0x0001, 0x03ff, 0x0400 },
        { ACE_FP16, ACE_SUM, 0xfc00, 0x7c00, 0x7e00 },
        { ACE_BF16, ACE_SUM, 0x3f80, 0x3b80, 0x3f80 }, /* 1 + 2^-8: tie to even */
        { ACE_BF16, ACE_SUM, 0x3f81, 0x3b80, 0x3f82 },
        { ACE_BF16, ACE_SUM, 0xff81, 0x0000, 0x7fc0 },
        { ACE_E4M3, ACE_SUM, 0x7e, 0x58, 0x7e }, /* 448 + 16: a tie to even, which is 448 */
        { ACE_E4M3, ACE_SUM, 0x7e, 0x59, 0x7f }, /* 448 + 18: past it */
        { ACE_E4M3, ACE_SUM, 0xfe, 0xd9, 0x7f }, /* -448 - 18: the one NaN */
        { ACE_E4M3, ACE_SUM, 0x01, 0x07, 0x08 }, /* subnormals make the least normal */
        { ACE_E4M3, ACE_SUM, 0xff, 0x00, 0x7f },
        { ACE_E5M2, ACE_SUM, 0x7b, 0x6b, 0x7b }, /* 57344 + 3584 */
        { ACE_E5M2, ACE_SUM, 0x7b, 0x6c, 0x7c }, /* 57344 + 4096: half a step, to infinity */
        { ACE_E5M2, ACE_SUM, 0xfc, 0x7c, 0x7e },
        { ACE_FP32, ACE_PRODUCT, 0x00000000, 0x7f800000, 0x7fc00000 }, /* 0 x inf */
        { ACE_FP32, ACE_PRODUCT, 0x80000000, 0x40400000, 0x80000000 }, /* -0 x 3 = -0 */
        { ACE_FP32, ACE_PRODUCT, 0xff800000, 0xbf800000, 0x7f800000 },
        { ACE_FP32, ACE_PRODUCT, 0x00000001, 0x3f000000, 0x00000000 }, /* a tie to even: 0 */
        { ACE_FP32, ACE_PRODUCT, 0x00000001, 0x3f000001, 0x00000001 },
        { ACE_FP32, ACE_PRODUCT, 0x00000003, 0x3f000000, 0x00000002 },
        { ACE_FP32, ACE_PRODUCT, 0x7f7fffff, 0x40000000, 0x7f800000 },
        { ACE_FP16, ACE_PRODUCT, 0x0001, 0x6400, 0x0400 }, /* 2^-24 x 2^10 */
        { ACE_E4M3, ACE_PRODUCT, 0x78, 0x40, 0x7f },       /* 256 x 2 = 512 */
        { ACE_E4M3, ACE_PRODUCT, 0x76, 0x40, 0x7e },       /* 224 x 2 = 448 */
        { ACE_E5M2, ACE_PRODUCT, 0x78, 0xc0, 0xfc },       /* 32768 x -2 */
        { ACE_FP32, ACE_MINIMUM, 0x00000000, 0x80000000, 0x80000000 },
        { ACE_FP32, ACE_MAXIMUM, 0x80000000, 0x00000000, 0x00000000 },
        { ACE_FP32, ACE_MINIMUM, 0xff800000, 0xff7fffff, 0xff800000 },
        { ACE_FP32, ACE_MAXIMUM, 0x7f800001, 0x7f800000, 0x7fc00000 }, /* NaN, not the number */
        { ACE_FP32, ACE_MINIMUM, 0xffc00000, 0x00000000, 0x7fc00000 },
        { ACE_BF16, ACE_MAXIMUM, 0x8001, 0x8002, 0x8001 },
        { ACE_E4M3, ACE_MAXIMUM, 0x7e, 0x80, 0x7e },
        { ACE_E4M3, ACE_MINIMUM, 0xff, 0x80, 0x7f },
        { ACE_E5M2, ACE_MAXIMUM, 0x7c, 0x7b, 0x7c },
        { ACE_INT8, ACE_SUM, 0x7f, 0x01, 0x80 },
        { ACE_INT8, ACE_PRODUCT, 0x80, 0xff, 0x80 },
        { ACE_INT8, ACE_MINIMUM, 0x80, 0x7f, 0x80 },
        { ACE_INT32, ACE_SUM, 0x7fffffff, 0x7fffffff, 0xfffffffe },
        { ACE_INT32, ACE_PRODUCT, 0x00010001, 0x00010001, 0x00020001 },
        { ACE_INT32, ACE_MAXIMUM, 0x80000000, 0xffffffff, 0xffffffff },
    };
    for (const auto &k : known) {
        uint32_t result;
        const ace_reduction r = { static_cast<uint8_t>(k.type), static_cast<uint8_t>(k.op), 0 };
        EXPECT_EQ(ace_reduce(k.type, k.op, k.a, k.b), k.result)
            << kOpNames[k.op] << std::hex << ' ' << k.a << ' ' << k.b;
        EXPECT_EQ(ace_reduce(k.type, k.op, k.b, k.a), k.result)
            << kOpNames[k.op] << std::hex << ' ' << k.b << ' ' << k.a;
        ace_reduce_row(r, &k.a, &k.b, &result, 1);
        EXPECT_EQ(result & kFormats[k.type].mask(), k.result)
            << kOpNames[k.op] << std::hex << ' ' << k.a << ' ' << k.b;
    }
    EXPECT_EQ(ace_average(ACE_FP32, 0x40400000, 3), 0x3f800000u); /* 3 x 0.33333334 */
    EXPECT_EQ(ace_average(ACE_FP16, 0x7c00, 2), 0x7c00u);
    EXPECT_EQ(ace_average(ACE_INT8, 0xf9, 2), 0xfdu); /* -7 / 2 = -3 */
    EXPECT_EQ(ace_average(ACE_INT32, 0x80000000, 1), 0x80000000u);
}

/* The factor of an average, from its definition. */
TEST(AluValues, Scale) {
    for (uint64_t members : { 1, 2, 3, 4, 5, 7, 8, 9, 64, 100, 127, 128, 1000, 2097152 }) {
        EXPECT_EQ(float_of(ace_scale(ACE_BF16, members)), 1.0f / static_cast<float>(members));
        const unsigned shift = ace_scale_shift(members);
        EXPECT_GE(uint64_t{ 1 } << shift, members);
        EXPECT_TRUE(shift == 0 || uint64_t{ 1 } << (shift - 1) < members);
        const uint64_t scale = ace_scale(ACE_INT32, members), one = uint64_t{ 1 } << (31 + shift);
        EXPECT_GE(scale * members, one);
        EXPECT_LT((scale - 1) * members, one);
    }
}

/* Rows of any length, in place over either operand, and nothing written beyond. */
TEST(AluRow, AnyLengthInPlace) {
    Random random = { 5 };
    for (const Format &f : kFormats)
        for (unsigned words = 0; words <= 2 * ACE_ROW_WORDS; words++) {
            const Task t = { f, kOps[words % 5], 6 };
            const ace_reduction r = t.reduction();
            std::vector<uint32_t> a(words + 1), b(words + 1), out(words + 1, 0xdeadbeef);
            for (unsigned i = 0; i <= words; i++) {
                a[i] = random.word();
                b[i] = random.word();
            }
            ace_reduce_row(r, a.data(), b.data(), out.data(), words);
            EXPECT_EQ(out[words], 0xdeadbeef);
            for (unsigned i = 0; i < words * 32 / f.width; i++)
                ASSERT_EQ(f.element(out.data(), i),
                          t.reference(f.element(a.data(), i), f.element(b.data(), i)));
            std::vector<uint32_t> over_a = a, over_b = b;
            ace_reduce_row(r, over_a.data(), b.data(), over_a.data(), words);
            ace_reduce_row(r, a.data(), over_b.data(), over_b.data(), words);
            out[words] = a[words];
            EXPECT_EQ(over_a, out);
            out[words] = b[words];
            EXPECT_EQ(over_b, out);
        }
}

struct Mix {
    const char *name;
    uint32_t valid_of_16, bypass_of_16, reset_of_1024;
};
void PrintTo(const Mix &m, std::ostream *to) { *to << m.name; }

class AluLockstep : public testing::TestWithParam<Mix> {};

/* Gaps, types, operations, scales, bypass and resets at random, garbage between beats; codes
 * that are no type and no operation too. */
TEST_P(AluLockstep, EveryEdge) {
    const Mix mix = GetParam();
    uint64_t taken = 0, held = 0, bypassed = 0, dropped = 0, changes = 0;
    for (int seed = 1; seed <= 8; seed++) {
        Random random = { static_cast<uint64_t>(seed) };
        Rtl rtl = make_rtl(seed);
        ace_alu twin = {};
        bool known = false;
        uint8_t last_type = 0;
        for (int cycle = 0; cycle < 10000; cycle++) {
            ace_alu_in in;
            in.rst = random.word() % 1024 < mix.reset_of_1024;
            in.s_valid = random.word() % 16 < mix.valid_of_16;
            in.s_bypass = random.word() % 16 < mix.bypass_of_16;
            in.s_type = random.one_in(4) ? static_cast<uint8_t>(random.word() % 8) : last_type;
            in.s_op = static_cast<uint8_t>(random.word() % 8);
            in.s_scale = random.next() & 0x1fffffffffu;
            if (random.one_in(2)) /* a likely one, of either kind */
                in.s_scale =
                    uint64_t{ random.word() % 22 } << 32 |
                    ace_scale(random.one_in(2) ? ACE_FP32 : ACE_INT8, 1 + random.word() % 1000);
            for (int i = 0; i < ACE_ALU_WORDS; i++) {
                in.s_a[i] = random.word();
                in.s_b[i] = random.word();
            }
            const bool leaves = twin.valid[ACE_ALU_LATENCY - 2];
            taken += in.s_valid && !in.rst;
            bypassed += in.s_valid && in.s_bypass;
            dropped += in.rst && (in.s_valid || twin.valid[0]);
            held += known && !leaves;
            changes += in.s_valid && in.s_type != last_type;
            last_type = in.s_type;
            known = known || leaves;

            ace_rtl_alu_tick(rtl.get(), &in);
            ace_alu_tick(&twin, &in);
            for (int i = 0; known && i < ACE_ALU_WORDS; i++)
                ASSERT_EQ(ace_rtl_alu_data(rtl.get())[i], ace_alu_data(&twin)[i])
                    << "m_data word " << i << ", cycle " << cycle << ", seed " << seed
                    << " (left: RTL, right: twin)";
        }
    }
    EXPECT_GT(taken, 1000u);
    EXPECT_GT(changes, 100u);
    EXPECT_EQ(held > 0, mix.valid_of_16 < 16 || mix.reset_of_1024 > 0);
    EXPECT_EQ(bypassed > 0, mix.bypass_of_16 > 0);
    EXPECT_EQ(dropped > 0, mix.reset_of_1024 > 0);
}

INSTANTIATE_TEST_SUITE_P(Mixes, AluLockstep,
                         testing::Values(Mix{ "full", 16, 0, 0 }, Mix{ "full_bypass", 16, 6, 0 },
                                         Mix{ "gaps", 8, 4, 0 }, Mix{ "sparse", 2, 8, 0 },
                                         Mix{ "resets", 11, 4, 40 }),
                         [](const auto &info) { return info.param.name; });

/* The sixth edge, counted with no help from the twin: 1 + 1 is not there after five. */
TEST(AluLatency, SixEdges) {
    Rtl rtl = make_rtl(3);
    ace_alu_in in = {};
    in.s_valid = true;
    for (int i = 0; i < 6; i++) /* a known 0 in m_data */
        ace_rtl_alu_tick(rtl.get(), &in);
    in.s_a[0] = in.s_b[0] = 0x3f800000;
    ace_rtl_alu_tick(rtl.get(), &in);
    in.s_valid = false;
    for (int edge = 1; edge <= 9; edge++) {
        EXPECT_EQ(ace_rtl_alu_data(rtl.get())[0], edge < 6 ? 0u : 0x40000000u)
            << "after edge " << edge;
        ace_rtl_alu_tick(rtl.get(), &in);
    }
}

} // namespace
