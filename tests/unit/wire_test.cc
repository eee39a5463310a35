// SPDX-License-Identifier: Apache-2.0
// wire_test.cc -- wires in one thread and in two, and the sparse memory
#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "ace_memory.h"
#include "ace_node.h"

namespace {

ace_flit data(uint8_t tag) {
    ace_flit f = {};
    f.data = true;
    f.mark = tag;
    return f;
}

TEST(Wire, DelaysByItsLatency) {
    ace_wire *w = ace_wire_create(5, 3, true);
    uint32_t row[ACE_ROW_WORDS];
    const uint32_t *got = nullptr;
    for (uint32_t i = 0; i < ACE_ROW_WORDS; i++) row[i] = i * 3;
    EXPECT_EQ(ace_wire_next(w), UINT64_MAX);
    const ace_flit f = data(7);
    ace_wire_send(w, 10, &f, row);
    EXPECT_EQ(ace_wire_next(w), 15U);
    EXPECT_EQ(ace_wire_receive(w, 14, &got), nullptr);
    const ace_flit *r = ace_wire_receive(w, 15, &got);
    ASSERT_NE(r, nullptr);
    EXPECT_EQ(r->mark, 7);
    EXPECT_EQ(r->cycle, 15U);
    EXPECT_EQ(std::memcmp(got, row, sizeof row), 0);
    EXPECT_EQ(ace_wire_receive(w, 15, &got), nullptr);
    EXPECT_EQ(ace_wire_next(w), UINT64_MAX);
    EXPECT_EQ(ace_wire_packets(w), 1U);
    ace_flit credit = {};
    credit.credit = true;
    ace_wire_send(w, 11, &credit, nullptr);
    EXPECT_EQ(ace_wire_packets(w), 1U);
    ace_wire_reset(w);
    EXPECT_EQ(ace_wire_next(w), UINT64_MAX);
    EXPECT_EQ(ace_wire_packets(w), 0U);
    ace_wire_destroy(w);
}

TEST(Wire, RefusesNoLatency) {
    EXPECT_EQ(ace_wire_create(0, 1, false), nullptr);
    EXPECT_EQ(ace_wire_create(1, 0, false), nullptr);
}

// Three wires of one interface, on which a row takes 2.5 cycles. Rows that are offered at once
// leave one after the other: row k begins 2.5 k cycles later. A credit waits only for the rows
// before it on its own wire.
TEST(Wire, SharesAnInterface) {
    ace_wire *w[3];
    std::vector<uint64_t> arrived, expected;
    for (ace_wire *&one : w) one = ace_wire_create(9, 100, false);
    ace_wire_share(w[1], w[0], 5 * ACE_COST_ONE / 2);
    ace_wire_share(w[2], w[0], 5 * ACE_COST_ONE / 2);
    const ace_flit row = data(1);
    ace_flit credit = {};
    credit.credit = true;
    for (uint64_t t = 0; t < 4; t++)
        for (ace_wire *one : w) ace_wire_send(one, 100 + t, &row, nullptr);
    ace_wire_send(w[0], 104, &credit, nullptr);
    ace_wire_send(w[2], 140, &credit, nullptr); // nothing waits any more
    EXPECT_EQ(ace_wire_owed(w[2], 100), 30U * ACE_COST_ONE);
    EXPECT_EQ(ace_wire_owed(w[2], 130), 0U);
    for (uint64_t k = 0; k < 12; k++) {
        const uint64_t at = 109 + 5 * k / 2;
        EXPECT_EQ(ace_wire_next(w[k % 3]), at) << "row " << k;
        EXPECT_NE(ace_wire_receive(w[k % 3], at, nullptr), nullptr);
    }
    EXPECT_EQ(ace_wire_next(w[0]), 109U + 5 * 9 / 2 + 1); // behind its wire's last row
    EXPECT_EQ(ace_wire_next(w[2]), 149U);
    // One wire alone is as if it shared nothing: a port sends a row every 2.5 cycles, in whole
    // ones.
    ace_wire_reset(w[1]);
    for (uint64_t k = 0; k < 40; k++) {
        const uint64_t t = 200 + (5 * k + 1) / 2;
        ace_wire_send(w[1], t, &row, nullptr);
        EXPECT_NE(ace_wire_receive(w[1], t + 9, nullptr), nullptr) << "row " << k;
    }
    for (ace_wire *one : w) ace_wire_destroy(one);
}

// Sender and receiver in threads that meet every `latency` cycles, as in the fabric.
TEST(Wire, CarriesAStreamBetweenThreads) {
    const uint64_t latency = 7, windows = 5000;
    ace_wire *w = ace_wire_create(latency, latency, true);
    std::atomic<uint64_t> sent{ 0 }, taken{ 0 };
    std::thread sender([&] {
        for (uint64_t k = 0; k < windows; k++) {
            while (taken.load() < k) std::this_thread::yield();
            for (uint64_t t = k * latency; t < (k + 1) * latency; t++) {
                uint32_t row[ACE_ROW_WORDS];
                for (uint32_t &v : row) v = static_cast<uint32_t>(t);
                const ace_flit f = data(static_cast<uint8_t>(t));
                ace_wire_send(w, t, &f, row);
            }
            sent.store(k + 1);
        }
    });
    uint64_t wrong = 0, flits = 0;
    for (uint64_t k = 0; k < windows; k++) {
        for (uint64_t t = k * latency; t < (k + 1) * latency; t++) {
            const uint32_t *row = nullptr;
            const ace_flit *f = ace_wire_receive(w, t, &row);
            if (t < latency) {
                wrong += f != nullptr;
                continue;
            }
            flits += f != nullptr;
            wrong += !f || f->mark != static_cast<uint8_t>(t - latency) ||
                     row[ACE_ROW_WORDS - 1] != static_cast<uint32_t>(t - latency);
        }
        taken.store(k + 1);
        while (sent.load() < k + 1) std::this_thread::yield();
    }
    sender.join();
    EXPECT_EQ(wrong, 0U);
    EXPECT_EQ(flits, (windows - 1) * latency);
    ace_wire_destroy(w);
}

TEST(Memory, IsSparseAndZero) {
    ace_memory *m = ace_memory_create();
    std::vector<uint8_t> a(100000), b(100000, 1);
    for (size_t i = 0; i < a.size(); i++) a[i] = static_cast<uint8_t>(i * 31 + 1);
    ace_memory_read(m, 12345, b.data(), b.size());
    for (uint8_t v : b) ASSERT_EQ(v, 0);
    for (uint64_t base : { UINT64_C(3), UINT64_C(1) << 40, UINT64_C(1) << 62 })
        ASSERT_EQ(ace_memory_write(m, base, a.data(), a.size()), ACE_OK);
    for (uint64_t page = 0; page < 500; page++)
        ASSERT_EQ(ace_memory_write(m, (UINT64_C(7) << 44) + (page << 20), a.data(), 8), ACE_OK);
    for (uint64_t base : { UINT64_C(3), UINT64_C(1) << 40, UINT64_C(1) << 62 }) {
        ace_memory_read(m, base, b.data(), b.size());
        EXPECT_EQ(a, b);
    }
    ace_memory_destroy(m);
}

TEST(Error, HasAMessage) {
    EXPECT_STREQ(ace_strerror(ACE_EINVAL), "argument out of range");
    EXPECT_STREQ(ace_strerror(99), "unknown error");
}

} // namespace
