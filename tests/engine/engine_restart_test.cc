// SPDX-License-Identifier: Apache-2.0
//
// Stops an engine, or lets it begin another life, at random cycles of its work, on either rung.
// Its next command must be right, and with epochs its neighbours must report the new life.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ace_node_faults.h"
#include "ace_random.h"
#include "engines.h"

namespace {

class EngineRestart : public testing::TestWithParam<bool> {};

/* After a stop the next command is right, whatever the stop interrupted.  The stops come at random
 * cycles of a command whose memory answers late.  Some stops are followed by a read of
 * MEMORY_BUSY.  ACE_STOPS sets the number of stops.  Most of them must find bursts outstanding.  */
TEST_P(EngineRestart, StopsAtAnyCycle) {
    const char *const asked = std::getenv("ACE_STOPS");
    const unsigned stops = asked ? static_cast<unsigned>(std::atoi(asked)) : 12;
    const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_GATHER, ACE_ALL_TO_ALL };
    const char *const seed = std::getenv("ACE_SEED");
    uint64_t random = seed ? std::strtoull(seed, nullptr, 0) : 1;
    const auto below = [&](uint32_t n) {
        return static_cast<uint32_t>((ace_random_next(&random) >> 32) * n >> 32);
    };
    Engines e(GetParam(), 2, 1);
    unsigned found_busy = 0;
    const auto status = [&](unsigned i) { return read(e, i, ACE_MAP_STATUS); };
    const auto begin = [&](const ace_command &c) {
        e.start(0);
        for (unsigned i = 0; i < e.nodes; i++)
            for (unsigned looks = 0; !ACE_MAP_GET(status(i), STATUS_RUNNING); looks++)
                ASSERT_LT(looks, 10000u) << "node " << i << " does not start";
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
    };
    for (unsigned s = 0; s < stops; s++) {
        for (unsigned i = 0; i < e.nodes; i++)
            ace_driver_stall(e.node(i), 1 + below(60), 2 * s + i);
        const ace_command broken = command(kinds[below(3)], e, 20000, 1);
        const Vectors of_broken(e, broken, 2 * s);
        begin(broken);
        if (HasFatalFailure()) return;
        e.run(below(800));
        const bool looks = below(2);
        for (unsigned i = 0; i < e.nodes; i++) {
            EXPECT_EQ(ACE_OK, e.host(i)->bus.write32(e.host(i)->bus.self, ACE_MAP_CONTROL, 0));
            found_busy += ACE_MAP_GET(status(i), STATUS_MEMORY_BUSY);
        }
        if (looks) e.stop();
        e.run(Engines::latency + 2);
        const ace_command c = command(kinds[below(3)], e, 5000, 2);
        const Vectors v(e, c, 2 * s + 1);
        begin(c);
        if (HasFatalFailure()) return;
        for (unsigned i = 0; i < e.nodes; i++) {
            const ace_host_completion done = wait(e, i);
            ASSERT_EQ(c.tag, done.tag) << "stop " << s;
            ASSERT_EQ(ACE_CODE_NONE, done.code) << "stop " << s;
            ASSERT_EQ(v.after[i], v.found(e, c, i)) << "stop " << s << " node " << i;
        }
        e.stop();
    }
    EXPECT_GT(found_busy, stops / 3);
    std::printf("%u stops, at %u of %u nodes with bursts outstanding\n", stops, found_busy,
                stops * e.nodes);
}

/* Nodes of a ring with epochs: started and stopped each at its own moment, with frames on their
 * way. */
struct Lives {
    Engines e;
    uint64_t random;
    uint16_t epoch = 0;
    unsigned ends = 0;           /* neighbours that said so */
    unsigned told = 0, done = 0; /* commands that were broken into, at a node: void; done before */

    Lives(bool rtl, uint64_t seed) : e(rtl, 4, 1), random(seed) {}
    uint32_t below(uint32_t n) {
        return static_cast<uint32_t>((ace_random_next(&random) >> 32) * n >> 32);
    }
    void pause(uint32_t most) { e.run(below(most)); }
    void begin(unsigned i) {
        ace_config c = e.config_of(i);
        c.epoch = epoch = static_cast<uint16_t>(epoch + 1 + !(epoch + 1));
        c.epoch_links = 3;
        ASSERT_EQ(ACE_OK, ace_host_start(e.host(i), &c, WATCHDOG));
        for (unsigned looks = 0; !ACE_MAP_GET(read(e, i, ACE_MAP_STATUS), STATUS_RUNNING); looks++)
            ASSERT_LT(looks, 10000u) << "node " << i << " does not start";
    }
    void stop(unsigned i) { EXPECT_EQ(ACE_OK, ace_host_stop(e.host(i), 10000)); }
    ace_link_life link(unsigned i, unsigned l) {
        ace_link_life state[ACE_LINKS] = {};
        EXPECT_EQ(ACE_OK, ace_host_links(e.host(i), state));
        return state[l];
    }
    /* Each begins, and gets the command, at its own moment; those that began before keep their
     * life. */
    void begin_all(const std::vector<unsigned> &order, unsigned first, const ace_command &c) {
        for (unsigned k = 0; k < order.size(); k++) {
            if (k >= first) {
                stop(order[k]);
                pause(400);
                begin(order[k]);
            }
            pause(400);
            ASSERT_EQ(ACE_OK, ace_host_submit(e.host(order[k]), &c));
        }
    }
    std::vector<unsigned> shuffled() {
        std::vector<unsigned> order{ 0, 1, 2, 3 };
        for (unsigned k = 3; k; k--) std::swap(order[k], order[below(k + 1)]);
        return order;
    }
    /* The neighbours that the node was up with say at once that it has begun another life, and what
     * was done is right. */
    void begin_alone(unsigned i, const ace_command &c, const Vectors &v) {
        bool up[2];
        for (unsigned side = 0; side < 2; side++)
            up[side] = link((i + (side ? 3 : 1)) % 4, !side) == ACE_LINK_UP;
        stop(i);
        pause(100);
        begin(i);
        look(i, up, c, v);
    }
    void look(unsigned restarted, const bool up[2], const ace_command &c, const Vectors &v) {
        e.run(3 * Engines::latency);
        for (unsigned side = 0; side < 2; side++) {
            const unsigned i = (restarted + (side ? 3 : 1)) % 4;
            ace_host_error error{};
            if (!up[side]) continue;
            ends++;
            EXPECT_EQ(ACE_LINK_ENDED, link(i, !side)) << "node " << i;
            EXPECT_TRUE(ACE_MAP_GET(read(e, i, ACE_MAP_STATUS), STATUS_FAILED)) << "node " << i;
            EXPECT_EQ(ACE_OK, ace_host_error_read(e.host(i), &error));
            EXPECT_EQ(ACE_CODE_LINK_ENDED, error.code) << ace_code_text(error.code);
            EXPECT_EQ(ACE_EFAILED, ace_host_submit(e.host(i), &c));
        }
        for (unsigned i = 0; i < 4; i++) {
            ace_host_completion was{};
            const bool ended = ace_host_poll(e.host(i), &was) == ACE_OK && !was.code;
            ended ? done++ : told++;
            if (ended) ASSERT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
        }
    }
};

/* A node alone begins another life at any cycle of a command: its neighbours say so.  Then the
 * others begin theirs, in any order, and the next command is right.  ACE_STOPS says how often. */
TEST_P(EngineRestart, BeginsAnotherLifeAtAnyCycle) {
    const char *const asked = std::getenv("ACE_STOPS"), *const seed = std::getenv("ACE_SEED");
    const unsigned stops = asked ? static_cast<unsigned>(std::atoi(asked)) : 6;
    const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_GATHER, ACE_ALL_TO_ALL };
    Lives n(GetParam(), seed ? std::strtoull(seed, nullptr, 0) : 1);
    Engines &e = n.e;
    for (unsigned s = 0; s < stops; s++) {
        SCOPED_TRACE("stop " + std::to_string(s));
        if (s % 4 == 0) { /* as after power-on, now with another way of the links */
            for (unsigned i = 0; i < 4; i++) n.stop(i);
            e.config.retry = s % 8 ? 200 : 0;
        }
        const ace_command broken = command(kinds[n.below(3)], e, 20000, 1);
        const Vectors of_broken(e, broken, 2 * s);
        n.begin_all(n.shuffled(), 0, broken);
        if (HasFatalFailure()) return;
        n.pause(2500);
        const std::vector<unsigned> order = n.shuffled();
        n.begin_alone(order[0], broken, of_broken);
        if (HasFatalFailure()) return;
        const ace_command c = command(kinds[n.below(3)], e, 5000, 2);
        const Vectors v(e, c, 2 * s + 1);
        n.begin_all(order, 1, c);
        if (HasFatalFailure()) return;
        for (unsigned i = 0; i < e.nodes; i++) {
            const ace_host_completion got = wait(e, i);
            ASSERT_EQ(c.tag, got.tag);
            ASSERT_EQ(ACE_CODE_NONE, got.code) << ace_code_text(got.code);
            ASSERT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
        }
        for (unsigned i = 0; i < e.nodes; i++)
            for (unsigned l = 0; l < 2; l++) EXPECT_EQ(ACE_LINK_UP, n.link(i, l)) << "node " << i;
    }
    EXPECT_GT(n.ends, stops);
    std::printf("%u nodes began another life alone, %u neighbours said so; commands broken into: "
                "%u void, %u "
                "done before\n",
                stops, n.ends, n.told, n.done);
}

INSTANTIATE_TEST_SUITE_P(Rungs, EngineRestart, testing::Bool(),
                         [](const auto &info) { return info.param ? "rtl" : "cycle"; });

} // namespace
