/* SPDX-License-Identifier: Apache-2.0 */
/*
 * alu_test.cc -- the adder, four times over
 *
 * rtl/ace_alu.v, its lane's integer twin, ace_add_row (the host's float) and ace_add
 * (from the definition) are written apart and give the same bits; and the RTL's pipeline
 * is its twin's after every edge.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <ostream>
#include <vector>

#include "ace_alu.h"
#include "ace_fp_add_lane.h"
#include "ace_node.h"
#include "ace_rtl_alu.h"

namespace {

/* SplitMix64: the same numbers on every machine. */
struct Random {
    uint64_t state;
    uint64_t next() {
        uint64_t z = state += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    uint32_t word() { return static_cast<uint32_t>(next() >> 32); }
    bool one_in(uint32_t n) { return word() % n == 0; }
};

struct Format {
    ace_type type;
    const char *name;
    unsigned exp_w, man_w;
    unsigned width() const { return 1 + exp_w + man_w; }
    unsigned elements() const { return 32 * ACE_ALU_WORDS / width(); }
    uint32_t mask() const { return width() == 32 ? ~0u : (1u << width()) - 1; }
    uint32_t element(const uint32_t *row, unsigned i) const {
        return row[i * width() / 32] >> (i * width() % 32) & mask();
    }
};
void PrintTo(const Format &f, std::ostream *to) { *to << f.name; }

constexpr Format kFormats[] = { { ACE_FP32, "fp32", 8, 23 },
                                { ACE_FP16, "fp16", 5, 10 },
                                { ACE_BF16, "bf16", 8, 7 } };

using Rtl = std::unique_ptr<ace_rtl_alu, decltype(&ace_rtl_alu_destroy)>;

Rtl make_rtl(int seed) {
    Rtl rtl(ace_rtl_alu_create(seed), ace_rtl_alu_destroy);
    ace_alu_in in = {};
    in.rst = true;
    ace_rtl_alu_tick(rtl.get(), &in);
    return rtl;
}

/* Streams pairs through all four adders, a beat a cycle; stops at the first difference. */
class Judge {
public:
    explicit Judge(const Format &f) : f_(f), rtl_(make_rtl(1)), lanes_(f.elements()) {
        for (auto &lane : lanes_) {
            lane.exp_w = f.exp_w;
            lane.man_w = f.man_w;
        }
    }

    void pair(uint32_t a, uint32_t b) {
        const unsigned at = fill_ * f_.width();
        now_.s_a[at / 32] |= a << at % 32;
        now_.s_b[at / 32] |= b << at % 32;
        if (++fill_ == f_.elements()) beat(true);
    }

    /* Gives out what is inside. */
    void finish() {
        if (fill_) beat(true);
        beat(false);
        beat(false);
    }

    bool failed() const { return testing::Test::HasFailure(); }
    uint64_t judged() const { return judged_; }

private:
    void beat(bool valid) {
        now_.s_valid = valid;
        now_.s_type = static_cast<uint8_t>(f_.type);
        ace_rtl_alu_tick(rtl_.get(), &now_);
        for (unsigned i = 0; i < f_.elements(); i++) {
            const ace_fp_add_lane_in in = {
                valid, before_[0].s_valid,      before_[1].s_valid,
                false, f_.element(now_.s_a, i), f_.element(now_.s_b, i)
            };
            ace_fp_add_lane_tick(&lanes_[i], &in);
        }
        if (before_[1].s_valid) compare(before_[1]);
        before_[1] = before_[0];
        before_[0] = now_;
        now_ = {};
        fill_ = 0;
    }

    void compare(const ace_alu_in &in) {
        uint32_t row[ACE_ALU_WORDS];
        const uint32_t *rtl = ace_rtl_alu_data(rtl_.get());
        ace_add_row(f_.type, in.s_a, in.s_b, row, ACE_ALU_WORDS);
        for (unsigned i = 0; i < f_.elements() && !failed(); i++, judged_++) {
            const uint32_t a = f_.element(in.s_a, i), b = f_.element(in.s_b, i);
            const uint32_t want = ace_add(f_.type, a, b);
            if (f_.element(rtl, i) != want || lanes_[i].m_sum != want || f_.element(row, i) != want)
                ADD_FAILURE() << f_.name << " lane " << i << std::hex << ": " << a << " + " << b
                              << ": ace_add " << want << ", ace_add_row " << f_.element(row, i)
                              << ", lane twin " << lanes_[i].m_sum << ", RTL "
                              << f_.element(rtl, i);
        }
    }

    const Format f_;
    Rtl rtl_;
    std::vector<ace_fp_add_lane> lanes_;
    ace_alu_in now_ = {}, before_[2] = {};
    unsigned fill_ = 0;
    uint64_t judged_ = 0;
};

class Alu : public testing::TestWithParam<Format> {};

/* Every pair of corners, both signs: zeros, ends of the subnormals and normals, powers of
 * two that put the other operand on, just above and just below half a last place. */
TEST_P(Alu, Corners) {
    const Format f = GetParam();
    const uint32_t exp_max = (1u << f.exp_w) - 1, fraction = (1u << f.man_w) - 1;
    const uint32_t fractions[] = {
        0, 1, 2, 3, fraction >> 1, (fraction >> 1) + 1, (fraction >> 1) + 2, fraction - 1, fraction
    };
    std::vector<uint32_t> exps = { 0, 1, 2, 3, exp_max - 2, exp_max - 1, exp_max };
    for (uint32_t i = 0; i <= f.man_w + 4; i++) /* distances of up to a significand */
        if (i + 3 < exp_max - 3) exps.push_back(exp_max - 3 - i);

    std::vector<uint32_t> corners;
    for (uint32_t sign : { 0u, 1u << (f.width() - 1) })
        for (uint32_t e : exps)
            for (uint32_t m : fractions) corners.push_back(sign | e << f.man_w | m);

    Judge judge(f);
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
    const Format f = GetParam();
    const uint64_t pairs = uint64_t{ 1 } << 22;
    Random random = { 20240607 };
    Judge judge(f);
    for (uint64_t i = 0; i < pairs && !judge.failed(); i++) {
        const uint32_t a = random.word() & f.mask();
        uint32_t b = random.word() & f.mask();
        if (i & 1) {
            const uint32_t exp_mask = ((1u << f.exp_w) - 1) << f.man_w;
            const uint32_t near = (a & exp_mask) + ((random.word() % 5 - 2) << f.man_w);
            b = (b & ~exp_mask) | (near & exp_mask);
            if (i & 2) /* and near significands */
                b = ((a ^ (1u << (f.width() - 1))) & ~3u) | (b & 3);
        }
        judge.pair(a, b);
    }
    judge.finish();
    EXPECT_GE(judge.judged(), pairs);
}

INSTANTIATE_TEST_SUITE_P(Formats, Alu, testing::ValuesIn(kFormats),
                         [](const auto &info) { return info.param.name; });

/* Anchors from the standard, lest all four be wrong alike. */
TEST(AluValues, KnownSums) {
    const struct {
        ace_type type;
        uint32_t a, b, sum;
    } known[] = {
        { ACE_FP32, 0x3f800000, 0x3f800000, 0x40000000 }, /* 1 + 1 */
        { ACE_FP32, 0x3f800000, 0xbf800000, 0x00000000 }, /* 1 - 1 = +0 */
        { ACE_FP32, 0x80000000, 0x80000000, 0x80000000 }, /* -0 - 0 = -0 */
        { ACE_FP32, 0x00000000, 0x80000000, 0x00000000 },
        { ACE_FP32, 0x3f800000, 0x33800000, 0x3f800000 }, /* 1 + 2^-24: tie to even, down */
        { ACE_FP32, 0x3f800001, 0x33800000, 0x3f800002 }, /* ... and up */
        { ACE_FP32, 0x00800000, 0x80000001, 0x007fffff }, /* smallest normal - smallest */
        { ACE_FP32, 0x7f7fffff, 0x73000000, 0x7f800000 }, /* max + half a last place */
        { ACE_FP32, 0x7f7fffff, 0x72ffffff, 0x7f7fffff },
        { ACE_FP32, 0x7f800000, 0xff800000, 0x7fc00000 }, /* inf - inf */
        { ACE_FP32, 0xff800001, 0x3f800000, 0x7fc00000 }, /* any NaN */
        { ACE_FP16, 0x7bff, 0x4c00, 0x7c00 },             /* 65504 + 16 */
        { ACE_FP16, 0x7bff, 0x4bff, 0x7bff },
        { ACE_FP16, 0x0001, 0x03ff, 0x0400 },
        { ACE_FP16, 0xfc00, 0x7c00, 0x7e00 },
        { ACE_BF16, 0x3f80, 0x3b80, 0x3f80 }, /* 1 + 2^-8: tie to even */
        { ACE_BF16, 0x3f81, 0x3b80, 0x3f82 },
        { ACE_BF16, 0xff81, 0x0000, 0x7fc0 },
    };
    for (const auto &k : known) {
        uint32_t sum;
        EXPECT_EQ(ace_add(k.type, k.a, k.b), k.sum) << std::hex << k.a << " + " << k.b;
        EXPECT_EQ(ace_add(k.type, k.b, k.a), k.sum) << std::hex << k.b << " + " << k.a;
        ace_add_row(k.type, &k.a, &k.b, &sum, 1);
        EXPECT_EQ(sum, k.sum) << std::hex << k.a << " + " << k.b;
    }
}

/* Rows of any length, in place over either operand, and nothing written beyond. */
TEST(AluRow, AnyLengthInPlace) {
    Random random = { 5 };
    for (const Format &f : kFormats)
        for (unsigned words = 0; words <= 2 * ACE_ROW_WORDS; words++) {
            std::vector<uint32_t> a(words + 1), b(words + 1), out(words + 1, 0xdeadbeef);
            for (unsigned i = 0; i <= words; i++) {
                a[i] = random.word();
                b[i] = random.word();
            }
            ace_add_row(f.type, a.data(), b.data(), out.data(), words);
            EXPECT_EQ(out[words], 0xdeadbeef);
            for (unsigned i = 0; i < words * 32 / f.width(); i++)
                ASSERT_EQ(f.element(out.data(), i),
                          ace_add(f.type, f.element(a.data(), i), f.element(b.data(), i)));
            std::vector<uint32_t> over_a = a, over_b = b;
            ace_add_row(f.type, over_a.data(), b.data(), over_a.data(), words);
            ace_add_row(f.type, a.data(), over_b.data(), over_b.data(), words);
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

/* Gaps, types, bypass and resets at random, garbage between beats. */
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
            in.s_type = random.one_in(4) ? static_cast<uint8_t>(random.word() % 3) : last_type;
            for (int i = 0; i < ACE_ALU_WORDS; i++) {
                in.s_a[i] = random.word();
                in.s_b[i] = random.word();
            }
            taken += in.s_valid && !in.rst;
            bypassed += in.s_valid && in.s_bypass;
            dropped += in.rst && (in.s_valid || twin.valid1);
            held += known && !twin.valid2;
            changes += in.s_valid && in.s_type != last_type;
            last_type = in.s_type;
            known = known || twin.valid2;

            ace_rtl_alu_tick(rtl.get(), &in);
            ace_alu_tick(&twin, &in);
            for (int i = 0; known && i < ACE_ALU_WORDS; i++)
                ASSERT_EQ(ace_rtl_alu_data(rtl.get())[i], twin.m_data[i])
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

/* The third edge, counted with no help from the twin: 1 + 1 is not there after two. */
TEST(AluLatency, ThreeEdges) {
    Rtl rtl = make_rtl(3);
    ace_alu_in in = {};
    in.s_valid = true;
    for (int i = 0; i < 3; i++) /* a known 0 in m_data */
        ace_rtl_alu_tick(rtl.get(), &in);
    in.s_a[0] = in.s_b[0] = 0x3f800000;
    ace_rtl_alu_tick(rtl.get(), &in);
    in.s_valid = false;
    for (int edge = 1; edge <= 6; edge++) {
        EXPECT_EQ(ace_rtl_alu_data(rtl.get())[0], edge < ACE_ALU_LATENCY ? 0u : 0x40000000u)
            << "after edge " << edge;
        ace_rtl_alu_tick(rtl.get(), &in);
    }
}

} // namespace
