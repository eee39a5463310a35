// SPDX-License-Identifier: Apache-2.0
//
// The code of the scratchpad's rows: what it corrects and what it tells, for every pattern of
// one and two wrong bits of a codeword.  That the RTL is the same code: lockstep_scratchpad_test.

#include <gtest/gtest.h>

#include <cstring>
#include <random>

#include "ace_secded_decode.h"
#include "ace_secded_encode.h"

namespace {

struct Row {
    ace_stored_row at;
};

Row encoded(std::mt19937 &random) {
    Row r;
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++) r.at[w] = uint32_t(random());
    ace_secded_encode(r.at, r.at + ACE_ROW_WORDS);
    return r;
}

bool same(const Row &a, const Row &b) { return !std::memcmp(a.at, b.at, sizeof a.at); }

// From the definition of a check bit alone: an even number of ones in each check.
TEST(Secded, EveryCheckIsEven) {
    std::mt19937 random(1);
    for (unsigned trial = 0; trial < 20; trial++) {
        const Row r = encoded(random);
        for (unsigned bit = 0; bit < 32; bit++)
            for (unsigned c = 0; c < ACE_CHECK_WORDS; c++) {
                unsigned ones = 0;
                for (unsigned w = 0; w < ACE_STORED_WORDS; w++)
                    ones += (ace_secded_column(w) >> c & 1) & (r.at[w] >> bit);
                EXPECT_EQ(0u, ones % 2);
            }
    }
}

// The properties of a Hsiao code: all columns differ, have odd weight, and load the checks evenly.
TEST(Secded, ColumnsAreOddAndDiffer) {
    unsigned seen[256] = {}, load[ACE_CHECK_WORDS] = {};
    for (unsigned w = 0; w < ACE_STORED_WORDS; w++) {
        const uint8_t column = ace_secded_column(w);
        EXPECT_EQ(1, __builtin_popcount(column) % 2);
        EXPECT_EQ(1u, ++seen[column]);
        for (unsigned c = 0; c < ACE_CHECK_WORDS; c++) load[c] += column >> c & 1;
    }
    for (const unsigned l : load) EXPECT_EQ(27u, l);
}

TEST(Secded, RightIsLeftAlone) {
    std::mt19937 random(2);
    const Row r = encoded(random);
    Row got = r;
    EXPECT_EQ(ACE_SECDED_RIGHT, ace_secded_decode(got.at));
    EXPECT_TRUE(same(r, got));
}

TEST(Secded, EveryWrongBitIsCorrected) {
    std::mt19937 random(3);
    const Row r = encoded(random);
    for (unsigned bit = 0; bit < 32; bit++)
        for (unsigned w = 0; w < ACE_STORED_WORDS; w++) {
            Row got = r;
            got.at[w] ^= 1u << bit;
            EXPECT_EQ(ACE_SECDED_CORRECTED, ace_secded_decode(got.at));
            EXPECT_TRUE(same(r, got)) << "word " << w << " bit " << bit;
        }
}

TEST(Secded, EveryTwoOfACodewordAreTold) {
    std::mt19937 random(4);
    const Row r = encoded(random);
    unsigned pairs = 0;
    for (unsigned a = 0; a < ACE_STORED_WORDS; a++)
        for (unsigned b = a + 1; b < ACE_STORED_WORDS; b++, pairs++) {
            const uint32_t bit = 1u << pairs % 32;
            Row bad = r;
            bad.at[a] ^= bit;
            bad.at[b] ^= bit;
            Row got = bad;
            EXPECT_EQ(ACE_SECDED_FAILED, ace_secded_decode(got.at)) << a << " and " << b;
            EXPECT_TRUE(same(bad, got)); // and nothing is made worse
        }
    EXPECT_EQ(2556u, pairs);
}

// A burst over a word, or one bit of each codeword anywhere.
TEST(Secded, OneOfEachCodewordIsCorrected) {
    std::mt19937 random(5);
    for (unsigned w = 0; w < ACE_STORED_WORDS; w++) {
        const Row r = encoded(random);
        Row burst = r, spread = r;
        burst.at[w] ^= UINT32_MAX;
        for (unsigned bit = 0; bit < 32; bit++)
            spread.at[uint32_t(random()) % ACE_STORED_WORDS] ^= 1u << bit;
        EXPECT_EQ(ACE_SECDED_CORRECTED, ace_secded_decode(burst.at));
        EXPECT_EQ(ACE_SECDED_CORRECTED, ace_secded_decode(spread.at));
        EXPECT_TRUE(same(r, burst));
        EXPECT_TRUE(same(r, spread));
    }
}

// Codewords do not see each other: one fails, the others are put right.
TEST(Secded, TheRestOfALostRowIsCorrected) {
    std::mt19937 random(6);
    const Row r = encoded(random);
    Row want = r, got = r;
    want.at[3] ^= 1u << 7;
    want.at[70] ^= 1u << 7;
    got = want;
    got.at[9] ^= 1u << 8;
    got.at[65] ^= 1u << 31;
    EXPECT_EQ(ACE_SECDED_FAILED, ace_secded_decode(got.at));
    EXPECT_TRUE(same(want, got));
}

// The decoder follows flips without the row.
TEST(Secded, FlipsAloneTellTheSame) {
    std::mt19937 random(7);
    for (unsigned trial = 0; trial < 300; trial++) {
        const Row r = encoded(random);
        Row flips{}, got = r;
        for (unsigned n = uint32_t(random()) % 40; n > 0; n--)
            flips.at[uint32_t(random()) % ACE_STORED_WORDS] ^= 1u << uint32_t(random()) % 32;
        for (unsigned w = 0; w < ACE_STORED_WORDS; w++) got.at[w] ^= flips.at[w];
        EXPECT_EQ(ace_secded_decode(got.at), ace_secded_decode(flips.at));
        for (unsigned w = 0; w < ACE_STORED_WORDS; w++) got.at[w] ^= flips.at[w];
        EXPECT_TRUE(same(r, got));
    }
}

} // namespace
