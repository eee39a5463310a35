// SPDX-License-Identifier: Apache-2.0
//
// Threads share the items of one round after the other. Each item must be done once by the end of
// its round, and the next round must see its effects.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <set>
#include <thread>
#include <vector>

#include "crew.h"
#include "exit_status.h"

namespace {

struct Rounds {
    std::vector<unsigned> done;      // how often each item was; written by whoever has it
    std::vector<std::thread::id> by; // of the last round
    unsigned before = 0;             // of each item, when a round begins
    std::atomic<unsigned> wrong{ 0 };
    bool slow = false;
};

void Once(void *self, unsigned item) {
    auto *const r = static_cast<Rounds *>(self);
    if (r->done[item]++ != r->before) r->wrong++;
    r->by[item] = std::this_thread::get_id();
    if (r->slow) std::this_thread::sleep_for(std::chrono::milliseconds(2));
}

class Crew : public testing::TestWithParam<unsigned> {};

TEST_P(Crew, DoesEachItemOnceARound) {
    Rounds r;
    r.done.resize(40);
    r.by.resize(40);
    crew *c;
    ASSERT_EQ(crew_create(GetParam(), Once, &r, &c), EXIT_OK);
    unsigned seed = 7;
    for (r.before = 0; r.before < 3000; r.before++) {
        seed = seed * 1664525 + 1013904223;
        const unsigned first = (seed >> 24) % 40; // both parts of the items, one after the other
        crew_run(c, first, 40);
        crew_run(c, 0, first);
        ASSERT_THAT(r.done, testing::Each(r.before + 1));
        if (r.before % 500 == 99) // members lie down
            std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
    crew_destroy(c);
    EXPECT_EQ(r.wrong, 0u);
}

TEST_P(Crew, HasAsManyThreadsAsAreAskedFor) {
    Rounds r;
    r.slow = true;
    r.done.resize(40);
    r.by.resize(40);
    crew *c;
    ASSERT_EQ(crew_create(GetParam(), Once, &r, &c), EXIT_OK);
    crew_run(c, 0, 40);
    const std::set<std::thread::id> by(r.by.begin(), r.by.end());
    EXPECT_LE(by.size(), GetParam());
    EXPECT_GE(by.size(), GetParam() > 1 ? 2u : 1u); // 80 ms of sleep: somebody else comes
    crew_destroy(c);
}

INSTANTIATE_TEST_SUITE_P(Threads, Crew, testing::Values(1u, 2u, 3u, 8u));

TEST(CrewOfNone, IsDestroyedWithoutARound) {
    Rounds r;
    crew *c;
    ASSERT_EQ(crew_create(5, Once, &r, &c), EXIT_OK);
    crew_destroy(c);
    crew_destroy(nullptr);
}

} // namespace
