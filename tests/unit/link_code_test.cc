/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of frames on links, rtl/ace_link_crc.v: what it finds.
 *
 * From the polynomial alone, one bit at a time: x^32 + x^16 + x^7 + x^3 + 1 over the words of a frame,
 * high bit first.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ace_link_crc.h"

namespace {

constexpr uint32_t kPolynomial = 1u << 16 | 1u << 7 | 1u << 3 | 1u;
/* Row, route, head, numbers and the CRC itself: the longest frame. */
constexpr unsigned kWords = ACE_ROW_WORDS + 2 + 2 + 1 + 1, kBits = 32 * kWords;

uint32_t times_x(uint32_t v) { return v << 1 ^ (v >> 31 ? kPolynomial : 0); }

/* x^i modulo the polynomial: what an error in a bit adds to the CRC. */
std::vector<uint32_t> syndromes() {
    std::vector<uint32_t> s;
    for (uint32_t v = 1; s.size() < kBits; v = times_x(v)) s.push_back(v);
    return s;
}

/* The remainder of words as a polynomial, after 32 zeros. */
uint32_t serial(const std::vector<uint32_t> &words) {
    uint32_t acc = 0;
    for (const uint32_t w : words)
        for (int bit = 31; bit >= 0; bit--) acc = times_x(acc) ^ (w >> bit & 1 ? kPolynomial : 0);
    return acc;
}

uint64_t random(uint64_t &state) {
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

TEST(LinkCode, FramesHaveIt) {
    uint64_t state = 1;
    for (unsigned n = 0; n < 200; n++) {
        uint32_t row[ACE_ROW_WORDS];
        for (uint32_t &w : row) w = uint32_t(random(state) >> 16);
        ace_frame f{};
        f.head = ace_frame_clean(random(state) & 0xffffffffffff);
        f.route = random(state);
        f.number = uint16_t(random(state));
        f.ack = uint16_t(random(state));
        f.row = row;
        std::vector<uint32_t> words(row, row + ACE_ROW_WORDS);
        if (!(f.head & 1)) std::fill(words.begin(), words.end(), 0);
        words.push_back(f.head & 1 ? uint32_t(f.route) : 0);
        words.push_back(f.head & 1 ? uint32_t(f.route >> 32) : 0);
        words.push_back(uint32_t(f.head));
        words.push_back(uint32_t(f.head >> 32));
        words.push_back(uint32_t(f.ack) << 16 | f.number);
        /* the remainder of the row is inverted: as if the word behind it had been */
        words[ACE_ROW_WORDS] = ~words[ACE_ROW_WORDS];
        ASSERT_EQ(ace_frame_crc(&f), serial(words));
    }
}

TEST(LinkCode, MinimumDistanceIsFive) {
    const std::vector<uint32_t> s = syndromes();
    std::vector<uint32_t> one = s, two;
    std::sort(one.begin(), one.end());
    EXPECT_NE(one.front(), 0u);                                       /* 1 wrong bit */
    EXPECT_EQ(std::adjacent_find(one.begin(), one.end()), one.end()); /* 2 */
    two.reserve(size_t{ kBits } * (kBits - 1) / 2);
    for (unsigned i = 0; i < kBits; i++)
        for (unsigned j = i + 1; j < kBits; j++) two.push_back(s[i] ^ s[j]);
    std::sort(two.begin(), two.end());
    for (const uint32_t v : one)
        EXPECT_FALSE(std::binary_search(two.begin(), two.end(), v));  /* 3 */
    EXPECT_EQ(std::adjacent_find(two.begin(), two.end()), two.end()); /* 4 */
    EXPECT_EQ(s[32] ^ s[16] ^ s[7] ^ s[3] ^ s[0], 0u); /* 5 are not found: the polynomial itself */
}

/* No burst of up to 32 bits adds nothing: the bits of each 32 in a row are independent. */
TEST(LinkCode, FindsBursts) {
    const std::vector<uint32_t> s = syndromes();
    for (unsigned first = 0; first + 32 <= kBits; first++) {
        std::array<uint32_t, 32> basis{}; /* by highest bit */
        for (unsigned i = 0; i < 32; i++) {
            uint32_t v = s[first + i];
            for (int bit = 31; v && bit >= 0; bit--) {
                if (!(v >> bit & 1)) continue;
                if (!basis[size_t(bit)]) {
                    basis[size_t(bit)] = v;
                    break;
                }
                v ^= basis[size_t(bit)];
            }
            ASSERT_NE(v, 0u) << "a burst from bit " << first;
        }
    }
}

} // namespace
