/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The code of frames on links, rtl/ace_link_crc.v: what it finds.
 *
 * From the polynomial alone, one bit at a time: x^32 + x^16 + x^7 + x^3 + 1 over the words of a
 * frame, high bit first.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "ace_crc_sum.h"
#include "ace_flit.h"
#include "ace_link_crc.h"
#include "ace_ports.h"
#include "ace_row_sum.h"

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

/* A frame as it stands on the wires. */
struct Wires {
    uint64_t rx_head = 0, rx_route = 0;
    uint16_t rx_number = 0, rx_ack = 0;
    uint32_t rx_crc = 0;
    const uint32_t *rx_data = nullptr;
};

/* A packet whose frame is number 0. */
Wires packet(uint64_t &state, ace_row &row) {
    Wires in{};
    for (uint32_t &w : row) w = uint32_t(random(state) >> 16);
    in.rx_head = (random(state) & 0xffffffffffff) | 1;
    in.rx_head &= ~(uint64_t{ 1 } << ACE_FRAME_NONE);
    in.rx_head = ace_frame_clean(in.rx_head);
    in.rx_route = random(state);
    in.rx_ack = uint16_t(random(state));
    in.rx_data = row;
    return in;
}

/* The words of a frame as the contract of rtl/ace_link_crc.v lists them, with the inverted one. */
std::vector<uint32_t> words_of(const Wires &in) {
    std::vector<uint32_t> words(in.rx_data, in.rx_data + ACE_ROW_WORDS);
    words.push_back(~uint32_t(in.rx_route));
    words.push_back(uint32_t(in.rx_route >> 32));
    words.push_back(uint32_t(in.rx_head));
    words.push_back(uint32_t(in.rx_head >> 32));
    words.push_back(uint32_t(in.rx_ack) << 16 | in.rx_number);
    return words;
}

/* Returns whether a receiver that sums all wires accepts the frame. */
bool accepts(const Wires &in) {
    const ace_frame f{ .head = in.rx_head,
                       .route = in.rx_route,
                       .number = in.rx_number,
                       .ack = in.rx_ack,
                       .valid = true,
                       .took = false,
                       .row = in.rx_data };
    return ace_frame_crc(&f) == in.rx_crc;
}

/* Turns over a bit of a frame, by its number in ace_frame_bit. */
void flip(Wires &in, ace_row &row, unsigned bit) {
    if (bit >= ACE_BIT_ROW)
        row[(bit - ACE_BIT_ROW) / 32] ^= 1u << bit % 32;
    else if (bit >= ACE_BIT_ROUTE)
        in.rx_route ^= uint64_t{ 1 } << (bit - ACE_BIT_ROUTE);
    else if (bit >= ACE_BIT_CRC)
        in.rx_crc ^= 1u << (bit - ACE_BIT_CRC);
    else if (bit >= ACE_BIT_ACK)
        in.rx_ack = uint16_t(in.rx_ack ^ 1u << (bit - ACE_BIT_ACK));
    else if (bit >= ACE_BIT_NUMBER)
        in.rx_number = uint16_t(in.rx_number ^ 1u << (bit - ACE_BIT_NUMBER));
    else
        in.rx_head ^= uint64_t{ 1 } << bit;
}

/* A receiver that sums only what the head declares can be misled by the head. For any 63 words
 * there is a last one such that the frame has the same sum without its row, its route and its
 * bytes. A single bit could then turn a packet into a credit. The wires are therefore summed as
 * they are. */
TEST(LinkCode, TheBitThatSaysPacketIsOneOfThem) {
    uint64_t state = 2;
    for (unsigned n = 0; n < 100; n++) {
        ace_row row;
        Wires in = packet(state, row);
        in.rx_head |= uint64_t{ 1 } << ACE_FRAME_CREDIT;
        ace_row none{};
        Wires rest = in;
        rest.rx_head = ace_frame_clean(in.rx_head ^ 1);
        rest.rx_route = 0;
        rest.rx_data = none;
        const uint32_t aim = serial(words_of(rest));
        /* the last word that makes the sums equal, by elimination */
        row[ACE_ROW_WORDS - 1] = 0;
        uint32_t wrong = serial(words_of(in)) ^ aim, solution = 0;
        std::array<std::array<uint32_t, 2>, 32> basis{}; /* by highest bit: a change, by a word */
        for (unsigned i = 0; i < 32; i++) {
            row[ACE_ROW_WORDS - 1] = 1u << i;
            uint32_t v = serial(words_of(in)) ^ wrong ^ aim, by = 1u << i;
            for (int bit = 31; v && bit >= 0; bit--) {
                if (!(v >> bit & 1)) continue;
                if (!basis[size_t(bit)][0]) {
                    basis[size_t(bit)] = { v, by };
                    break;
                }
                v ^= basis[size_t(bit)][0];
                by ^= basis[size_t(bit)][1];
            }
        }
        for (int bit = 31; bit >= 0; bit--) {
            if (!(wrong >> bit & 1)) continue;
            wrong ^= basis[size_t(bit)][0];
            solution ^= basis[size_t(bit)][1];
        }
        row[ACE_ROW_WORDS - 1] = solution;
        in.rx_crc = serial(words_of(in));
        ASSERT_EQ(in.rx_crc, aim);
        ASSERT_TRUE(accepts(in));
        flip(in, row, ACE_BIT_HEAD + ACE_FRAME_PACKET);
        ASSERT_FALSE(accepts(in)) << "frame " << n;
    }
}

/* Any wire, under a bit that is set or not. */
TEST(LinkCode, OneOrTwoWrongWiresAreSeen) {
    uint64_t state = 3;
    for (unsigned n = 0; n < 2000; n++) {
        ace_row row;
        Wires in = packet(state, row);
        if (n & 1) { /* a frame without a packet: zeros where the row would be */
            std::fill(std::begin(row), std::end(row), 0u);
            in.rx_head = ace_frame_clean((in.rx_head ^ 1) | uint64_t{ 1 } << ACE_FRAME_CREDIT);
            in.rx_route = 0;
        }
        in.rx_crc = serial(words_of(in));
        ASSERT_TRUE(accepts(in));
        const unsigned first = unsigned(random(state) % ACE_BITS);
        const unsigned second = unsigned(random(state) % ACE_BITS);
        flip(in, row, n % 50 < 2 ? ACE_BIT_HEAD + ACE_FRAME_PACKET : first);
        ASSERT_FALSE(accepts(in)) << "bit " << first;
        if (second == first || n % 50 < 2) continue;
        flip(in, row, second);
        ASSERT_FALSE(accepts(in)) << "bits " << first << " and " << second;
    }
}

TEST(LinkCode, FramesHaveIt) {
    uint64_t state = 1;
    for (unsigned n = 0; n < 200; n++) {
        uint32_t row[ACE_ROW_WORDS];
        for (uint32_t &w : row) w = uint32_t(random(state) >> 16);
        ace_frame f{};
        f.head = random(state) & 0xffffffffffff; /* all of it counts, under a bit or not */
        f.route = random(state);
        f.number = uint16_t(random(state));
        f.ack = uint16_t(random(state));
        f.row = row;
        std::vector<uint32_t> words(row, row + ACE_ROW_WORDS);
        words.push_back(uint32_t(f.route));
        words.push_back(uint32_t(f.route >> 32));
        words.push_back(uint32_t(f.head));
        words.push_back(uint32_t(f.head >> 32));
        words.push_back(uint32_t(f.ack) << 16 | f.number);
        /* the remainder of the row is inverted: as if the word behind it had been */
        words[ACE_ROW_WORDS] = ~words[ACE_ROW_WORDS];
        ASSERT_EQ(ace_frame_crc(&f), serial(words));
    }
}

/* ace_crc_sum: words apart from each other and from the end, as the groups of a row are. */
TEST(LinkCode, SumsOfWordsEqualTheRemainder) {
    uint64_t state = 4;
    const struct {
        unsigned count, stride, after;
    } sums[] = { { 8, 1, 0 }, { 8, 8, 6 }, { 5, 1, 1 }, { 1, 1, 64 }, { 64, 1, 6 } };
    for (const auto &s : sums) {
        std::vector<uint32_t> of(s.count), words;
        for (uint32_t &w : of) {
            w = uint32_t(random(state) >> 16);
            words.resize(words.empty() ? 0 : words.size() + s.stride - 1);
            words.push_back(w);
        }
        /* serial() has a word of zeros behind the last */
        words.resize(words.size() + s.after);
        const uint32_t sum = ace_crc_sum(of.data(), s.count, s.stride, s.after + 1);
        ASSERT_EQ(sum, serial(words)) << s.count << " " << s.stride << " " << s.after;
    }
    ace_row row;
    for (uint32_t &w : row) w = uint32_t(random(state) >> 16);
    std::vector<uint32_t> frame(row, row + ACE_ROW_WORDS);
    frame.resize(ACE_ROW_WORDS + 5);
    EXPECT_EQ(ace_row_sum(row), serial(frame));
    EXPECT_EQ(ace_row_sum(nullptr), 0u);
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
