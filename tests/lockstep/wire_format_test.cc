// SPDX-License-Identifier: Apache-2.0
//
// wire_format_test.cc -- FP32 on the wire as BF16, FP8 and MXFP8, for each number of a format
//
// The references are a search among all numbers of a format (ace_reference_wire), numbers by their
// definition in double arithmetic, and vectors that Microsoft published for its MX library.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <vector>

#include "ace_random.h"
#include "ace_reference.h"
#include "ace_wire_decode.h"

namespace {

using Row = std::vector<uint32_t>;
constexpr unsigned kFormats[] = { ACE_WIRE_BF16, ACE_WIRE_E4M3, ACE_WIRE_E5M2, ACE_WIRE_MXFP8 };

uint32_t bits_of(float x) {
    uint32_t bits;
    std::memcpy(&bits, &x, sizeof bits);
    return bits;
}
float float_of(uint32_t bits) {
    float x;
    std::memcpy(&x, &bits, sizeof x);
    return x;
}
uint8_t *bytes_of(Row &row) { return reinterpret_cast<uint8_t *>(row.data()); }
Row encoded(unsigned format, const Row &row) {
    Row wire(ACE_ROW_WORDS);
    ace_wire_encode_row(format, row.data(), wire.data());
    return wire;
}
Row decoded(unsigned format, const Row &wire) {
    Row row(ACE_ROW_WORDS);
    ace_wire_decode_row(format, wire.data(), row.data());
    return row;
}
Row by_search(unsigned format, Row row) {
    ace_reference_wire(static_cast<ace_wire_format>(format), row.data(), ACE_ROW_WORDS);
    return row;
}

/* An FP8 number by its definition. */
double value(unsigned format, uint8_t x) {
    const bool wide = format == ACE_WIRE_E5M2;
    const int man = wide ? 2 : 3, bias = wide ? 15 : 7, exp = (x & 0x7f) >> man;
    const int fraction = x & ((1 << man) - 1);
    const double sign = x & 0x80 ? -1 : 1;
    if (wide && exp == 31) return fraction ? NAN : sign * INFINITY;
    if (!wide && (x & 0x7f) == 0x7f) return NAN;
    return sign * (exp ? std::ldexp(1 + std::ldexp(fraction, -man), exp - bias)
                       : std::ldexp(fraction, 1 - bias - man));
}

TEST(WireFormat, EachBf16NumberStays) {
    for (uint32_t first = 0; first < 0x10000; first += ACE_ROW_WORDS) {
        Row row(ACE_ROW_WORDS), wire(ACE_ROW_WORDS);
        for (uint32_t i = 0; i < ACE_ROW_WORDS; i++) {
            const auto h = static_cast<uint16_t>(first + i);
            std::memcpy(bytes_of(wire) + 2 * i, &h, sizeof h);
            row[i] = (first + i) << 16;
        }
        EXPECT_EQ(decoded(ACE_WIRE_BF16, wire), row);
        const Row again = encoded(ACE_WIRE_BF16, row);
        for (uint32_t i = 0; i < ACE_ROW_WORDS; i++) {
            uint16_t h;
            std::memcpy(&h, reinterpret_cast<const uint8_t *>(again.data()) + 2 * i, sizeof h);
            EXPECT_EQ(h, std::isnan(float_of(row[i])) ? 0x7fc0 : first + i);
        }
    }
}

TEST(WireFormat, EachFp8NumberStays) {
    for (const unsigned format : { ACE_WIRE_E4M3, ACE_WIRE_E5M2 })
        for (unsigned x = 0; x < 256; x++) {
            Row wire(ACE_ROW_WORDS);
            bytes_of(wire)[x % 64] = static_cast<uint8_t>(x);
            const Row row = decoded(format, wire);
            const double is = value(format, static_cast<uint8_t>(x));
            EXPECT_EQ(row[x % 64], std::isnan(is) ? 0x7fc00000 : bits_of(static_cast<float>(is)));
            Row again = encoded(format, row);
            const unsigned nan = format == ACE_WIRE_E4M3 ? 0x7f : 0x7e;
            EXPECT_EQ(bytes_of(again)[x % 64], std::isnan(is) ? nan : x);
        }
}

/* All numbers times all scales.  Infinity beyond FP32's largest number, NaN with the scale 255. */
TEST(WireFormat, EachScaleIsExact) {
    for (unsigned scale = 0; scale < 256; scale++)
        for (unsigned first = 0; first < 256; first += ACE_WIRE_BLOCK) {
            Row wire(ACE_ROW_WORDS);
            for (unsigned i = 0; i < ACE_WIRE_BLOCK; i++)
                bytes_of(wire)[32 + i] = static_cast<uint8_t>(first + i);
            bytes_of(wire)[65] = static_cast<uint8_t>(scale);
            bytes_of(wire)[64] = 127;
            const Row row = decoded(ACE_WIRE_MXFP8, wire);
            for (unsigned i = 0; i < ACE_WIRE_BLOCK; i++) {
                const double x = value(ACE_WIRE_MXFP8, static_cast<uint8_t>(first + i));
                const auto is = static_cast<float>(std::ldexp(x, static_cast<int>(scale) - 127));
                const bool nan = scale == 255 || std::isnan(x);
                EXPECT_EQ(row[32 + i], nan ? 0x7fc00000 : bits_of(is)) << scale << " " << first + i;
            }
        }
}

/* Where a number is rounded: each number of a format, the ties between it and the next one, and the
 * FP32 numbers beside them; subnormal and special ones; any bits. */
Row hard_row(uint64_t *seed, unsigned format, unsigned k) {
    Row row(ACE_ROW_WORDS);
    const uint64_t mix = ace_random_next(seed);
    const int around = static_cast<int>(mix % 300) - 160;
    for (uint32_t &x : row) {
        const uint64_t r = ace_random_next(seed);
        const auto code = static_cast<uint8_t>(r >> 8 & 0x7f);
        const unsigned narrow = format == ACE_WIRE_BF16 ? 16 : format == ACE_WIRE_E5M2 ? 21 : 20;
        const uint32_t sign = static_cast<uint32_t>(r >> 7 & 1) << 31;
        switch ((k + r % 5) % 6) {
        case 0: x = static_cast<uint32_t>(r >> 32); break;
        case 1:
            x = bits_of(static_cast<float>(std::ldexp(value(ACE_WIRE_E4M3, code), around)));
            break;
        case 2: /* a tie, or next to one */
            x = static_cast<uint32_t>(r >> 32) >> narrow << narrow;
            x = (x | 1u << (narrow - 1)) + static_cast<uint32_t>(r >> 16 & 3) - 1;
            break;
        case 3: x = sign | (static_cast<uint32_t>(r >> 32) & 0x7fffff) >> (r >> 16 & 15); break;
        case 4: x = r >> 16 & 31 ? sign : sign | 0x7f800000 | (r >> 24 & 1); break;
        default:
            x = bits_of(static_cast<float>(
                std::ldexp(1 + static_cast<double>(r >> 40) / 0x1p24, around % 12)));
        }
    }
    return row;
}

TEST(WireFormat, RoundsAsASearchDoes) {
    uint64_t seed = 7;
    for (const unsigned format : kFormats)
        for (unsigned k = 0; k < 10000; k++) {
            const Row row = hard_row(&seed, format, k % 6);
            const Row once = decoded(format, encoded(format, row));
            ASSERT_EQ(once, by_search(format, row)) << format << " row " << k;
            /* and a second time changes nothing */
            ASSERT_EQ(encoded(format, once), encoded(format, row)) << format << " row " << k;
        }
}

/* github.com/microsoft/microxcaling (MIT licence), test_mxfp8_e4m3_round of its FP8 tests: a block
 * of 32 numbers, and the same rounded to MXFP8 with E4M3. */
TEST(WireFormat, PublishedBlockIsRounded) {
    const float from[] = { -0.582733273506F, -0.256973713636F, 0.506033003330F,  0.400039970875F,
                           -0.437093466520F, 1.275019764900F,  -2.123294353485F, 1.514909625053F,
                           -2.660086154938F, -0.200791791081F, -0.060985822231F, -0.209203109145F,
                           2.385987281799F,  0.062245476991F,  0.217003762722F,  -0.857734560966F,
                           0.507945835590F,  0.896152675152F,  -0.751049160957F, -0.488164335489F,
                           0.805381953716F,  -0.172028362751F, 0.271137863398F,  -0.503807783127F,
                           1.879478693008F,  -0.294227510691F, 0.968807995319F,  0.670037031174F,
                           -0.871595799923F, 0.304561793804F,  -0.567594051361F, -1.265962004662F };
    const float to[] = { -0.5625F,   -0.25F,   0.5F,       0.40625F, -0.4375F,   1.25F, -2.0F,
                         1.5F,       -2.75F,   -0.203125F, -0.0625F, -0.203125F, 2.5F,  0.0625F,
                         0.21875F,   -0.875F,  0.5F,       0.875F,   -0.75F,     -0.5F, 0.8125F,
                         -0.171875F, 0.28125F, -0.5F,      1.875F,   -0.28125F,  1.0F,  0.6875F,
                         -0.875F,    0.3125F,  -0.5625F,   -1.25F };
    Row row(ACE_ROW_WORDS);
    for (unsigned i = 0; i < ACE_WIRE_BLOCK; i++) row[i] = row[i + 32] = bits_of(from[i]);
    ace_wire_round_row(ACE_WIRE_MXFP8, row.data());
    for (unsigned i = 0; i < ACE_ROW_WORDS; i++) EXPECT_EQ(float_of(row[i]), to[i % 32]) << i;
}

/* The same tests, _x and _t: numbers beyond the largest end there.  400 is a tie, which that test
 * rounds away from zero, to 416, and the wire to even.  Its test_mx_nans: a NaN or an infinity
 * makes a block of NaNs. */
TEST(WireFormat, PublishedCornersOfABlock) {
    const float from[] = { 485, 475, 400, -485, -475, -450, 0.015625F, -0.015625F };
    const float to[] = { 448, 448, 384, -448, -448, -448, 0.015625F, -0.015625F };
    Row row(ACE_ROW_WORDS);
    for (unsigned i = 0; i < 8; i++) row[i] = bits_of(from[i]);
    row[32] = bits_of(INFINITY);
    row[34] = bits_of(0x1p127F);
    ace_wire_round_row(ACE_WIRE_MXFP8, row.data());
    for (unsigned i = 0; i < 8; i++) EXPECT_EQ(float_of(row[i]), to[i]) << i;
    for (unsigned i = 8; i < 32; i++) EXPECT_EQ(row[i], 0u);
    for (unsigned i = 32; i < 64; i++) EXPECT_EQ(row[i], 0x7fc00000u);
}

TEST(WireFormat, CostIsThatOfTheBytes) {
    const uint32_t cost = 1u << 20;
    EXPECT_EQ(ace_wire_cost(ACE_WIRE_NONE, cost), cost);
    for (const unsigned format : kFormats)
        EXPECT_EQ(ace_wire_cost(format, cost), cost / 256 * ace_wire_bytes(format));
}

/* A sum of normal numbers with mean 0 and deviation 1. */
double normal_number(uint64_t *seed) {
    double sum = -6;
    for (int i = 0; i < 12; i++) sum += static_cast<double>(ace_random_next(seed) >> 11) / 0x1p53;
    return sum;
}

/* An all-reduce on a ring, in the order of the nodes: the root of the mean square of its error, by
 * that of the FP64 sum.  All members must have the same bits. */
double ring_error(unsigned members, unsigned format) {
    const unsigned numbers = 64 * ACE_ROW_WORDS;
    ace_config cfg{};
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) cfg.ring[d] = 1;
    cfg.ring[0] = static_cast<uint16_t>(members);
    cfg.chunk_rows = 64;
    cfg.wire_format = static_cast<uint8_t>(format);
    const ace_command c = { .kind = ACE_ALL_REDUCE,
                            .type = ACE_FP32,
                            .op = ACE_SUM,
                            .dim_count = 1,
                            .bytes = numbers * 4 };
    std::vector<std::vector<float>> from(members, std::vector<float>(numbers)), to = from;
    std::vector<const uint8_t *> in;
    std::vector<uint8_t *> out;
    std::vector<double> sum(numbers);
    uint64_t seed = 11;
    for (unsigned i = 0; i < members; i++) {
        for (unsigned k = 0; k < numbers; k++) {
            from[i][k] = static_cast<float>(normal_number(&seed));
            sum[k] += static_cast<double>(from[i][k]);
        }
        in.push_back(reinterpret_cast<const uint8_t *>(from[i].data()));
        out.push_back(reinterpret_cast<uint8_t *>(to[i].data()));
    }
    EXPECT_EQ(ace_reference_collective(&c, &cfg, in.data(), out.data()), ACE_OK);
    double wrong = 0, all = 0;
    for (unsigned k = 0; k < numbers; k++) {
        wrong += std::pow(static_cast<double>(to[0][k]) - sum[k], 2);
        all += sum[k] * sum[k];
    }
    for (unsigned i = 1; i < members; i++) EXPECT_EQ(to[i], to[0]);
    return std::sqrt(wrong / all);
}

/* A number is rounded once a hop, by half of its last place at most: 2^-(bits of fraction + 1) of a
 * partial sum.  Errors of n hops add like a random walk, and partial sums are smaller than the last
 * one.  So the error is below that half times the root of n, and grows with n. */
TEST(WireFormat, RingErrorIsBelowARandomWalk) {
    const char *const names[] = { "fp32", "bf16", "fp8-e4m3", "fp8-e5m2", "mxfp8" };
    const double half[] = { 0x1p-24, 0x1p-9, 0x1p-5, 0x1p-4, 0x1p-5 };
    std::printf(
        "| members | fp32 | bf16 | mxfp8 | fp8-e4m3 | fp8-e5m2 |\n|--:|--:|--:|--:|--:|--:|\n");
    std::vector<double> before(ACE_WIRE_FORMATS);
    for (unsigned members = 2; members <= 64; members *= 2) {
        std::printf("| %u |", members);
        for (const unsigned format :
             { ACE_WIRE_NONE, ACE_WIRE_BF16, ACE_WIRE_MXFP8, ACE_WIRE_E4M3, ACE_WIRE_E5M2 }) {
            const double error = ring_error(members, format);
            std::printf(" %.2g |", error);
            EXPECT_LT(error, half[format] * std::sqrt(members)) << names[format];
            EXPECT_GT(error, half[format] / 10) << names[format];
            EXPECT_GT(error, before[format]) << names[format] << " " << members;
            before[format] = error;
        }
        std::printf("\n");
    }
}

} // namespace
