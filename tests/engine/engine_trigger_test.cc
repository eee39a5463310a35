// SPDX-License-Identifier: Apache-2.0
//
// Prepared commands of rtl/ace_engine.v and cmodel/twin/ace_engine.c: stores that start them, flags
// in memory, chains, refusals, errors and stops, on either rung; and both rungs side by side under
// random work.

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "ace_random.h"
#include "engines.h"

namespace {

constexpr uint64_t FLAGS = 0x40000000, FLAGS_LAST = FLAGS + 0xfff;
constexpr uint16_t TAG = 0x5a50; /* of slot 0 */
constexpr uint32_t VALUE = 100;

ace_host_trigger trigger(const ace_command &c, unsigned slot, unsigned threshold = 1) {
    ace_host_trigger t{};
    t.command = c;
    t.threshold = static_cast<uint16_t>(threshold);
    t.writes_flag = true;
    t.flag = FLAGS + 4 * slot;
    t.value = VALUE;
    return t;
}

uint32_t flag_of(Engines &e, unsigned node, unsigned slot) {
    uint32_t word = 0;
    ace_memory_read(e.memory(node), FLAGS + 4 * slot, &word, sizeof word);
    return word;
}

void start(Engines &e) {
    for (unsigned i = 0; i < e.nodes; i++)
        ASSERT_EQ(ACE_OK, ace_host_triggers(e.host(i), TAG + 5, FLAGS, FLAGS_LAST));
    e.start(WATCHDOG);
}

/* Runs until the flag of every node has the value.  False when one does not come. */
bool flags_come(Engines &e, unsigned slot, uint32_t value) {
    for (unsigned i = 0; i < e.nodes; i++)
        for (uint64_t n = 0; flag_of(e, i, slot) != value; n++) {
            if (n == PATIENCE) return false;
            e.run(1);
        }
    return true;
}

uint32_t state_of(Engines &e, unsigned node) { return read(e, node, ACE_MAP_TRIGGER_STATE); }

class EngineTrigger : public testing::TestWithParam<bool> {};

TEST_P(EngineTrigger, StoresStartACommand) {
    Engines e(GetParam(), 2, 2);
    EXPECT_EQ(unsigned{ ACE_TRIGGER_SLOTS }, e.host(0)->triggers);
    start(e);
    const ace_command c = command(ACE_ALL_REDUCE, e, 20000, 2);
    const Vectors v(e, c, 5);
    for (unsigned i = 0; i < e.nodes; i++) {
        const ace_host_trigger t = trigger(c, 3, 5);
        ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), 3, &t));
        EXPECT_EQ(8u, state_of(e, i)) << "armed, and not busy";
        for (unsigned tile = 0; tile < 2; tile++) /* 2 + 1 + 1 of 5 */
            ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 3, 2 - tile));
        ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 3, 1));
    }
    e.run(1000);
    for (unsigned i = 0; i < e.nodes; i++) {
        EXPECT_EQ(0u, read(e, i, ACE_MAP_COUNT_TAKEN)) << "four stores of five";
        ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 3, 1));
        EXPECT_EQ(1u, read(e, i, ACE_MAP_COUNT_TAKEN));
        EXPECT_EQ(8u << 16, state_of(e, i)) << "busy, and not armed";
    }
    /* whoever sees the flag sees the data */
    std::vector<bool> seen(e.nodes);
    for (uint64_t n = 0; n < PATIENCE && std::count(seen.begin(), seen.end(), false); n++) {
        e.run(1);
        for (unsigned i = 0; i < e.nodes; i++)
            if (!seen[i] && flag_of(e, i, 3) == VALUE) {
                seen[i] = true;
                EXPECT_EQ(v.after[i], v.found(e, c, i)) << "node " << i;
            }
    }
    e.run(100);
    for (unsigned i = 0; i < e.nodes; i++) {
        ace_host_completion done;
        EXPECT_TRUE(seen[i]) << "node " << i;
        EXPECT_EQ(ACE_EBUSY, ace_host_poll(e.host(i), &done)) << "no completion was requested";
        EXPECT_EQ(1u, read(e, i, ACE_MAP_COUNT_COMPLETED));
        EXPECT_EQ(0u, state_of(e, i));
        EXPECT_FALSE(e.irq(i));
    }
}

/* A slot that repeats counts early stores for its next time, and its value grows. */
TEST_P(EngineTrigger, ASlotRepeats) {
    Engines e(GetParam(), 2, 1);
    start(e);
    const ace_command c = command(ACE_ALL_REDUCE, e, 3000, 2);
    const Vectors v(e, c, 5);
    for (unsigned i = 0; i < e.nodes; i++) {
        ace_host_trigger t = trigger(c, 0, 3);
        t.repeats = t.queues = true;
        ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), 0, &t));
        ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 0, 7)); /* twice, and one is left */
    }
    EXPECT_TRUE(flags_come(e, 0, VALUE + 1));
    e.run(1000);
    for (unsigned i = 0; i < e.nodes; i++) {
        EXPECT_EQ(2u, read(e, i, ACE_MAP_COUNT_COMPLETED));
        EXPECT_EQ(1u, state_of(e, i));
        ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 0, 2));
    }
    EXPECT_TRUE(flags_come(e, 0, VALUE + 2));
    for (unsigned i = 0; i < e.nodes; i++)
        for (unsigned k = 0; k < 3; k++) {
            const ace_host_completion done = wait(e, i);
            EXPECT_EQ(TAG, done.tag);
            EXPECT_EQ(ACE_CODE_NONE, done.code);
        }
}

/* Five commands in a row, each in the memory of the one before, by one store. */
TEST_P(EngineTrigger, AChainRunsWithoutSoftware) {
    Engines e(GetParam(), 2, 1);
    start(e);
    constexpr unsigned LINKS = 5;
    for (unsigned i = 0; i < e.nodes; i++)
        for (unsigned k = 0; k < LINKS; k++) {
            ace_command c = command(ACE_ALL_REDUCE, e, 5000, 0);
            c.source += k << 16;
            c.destination = SOURCE + ((k + 1) << 16);
            std::vector<uint8_t> ones(c.bytes);
            for (size_t b = 3; b < ones.size(); b += 4) ones[b] = 0x3f, ones[b - 1] = 0x80; /* 1 */
            if (!k) ASSERT_EQ(ACE_OK, ace_memory_write(e.memory(i), c.source, ones.data(), 5000));
            ace_host_trigger t = trigger(c, k);
            t.chains = k + 1 < LINKS;
            t.next = static_cast<uint8_t>(k + 1);
            ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), k, &t));
        }
    for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 0, 1));
    const size_t accesses = e.accesses.size();
    EXPECT_TRUE(flags_come(e, LINKS - 1, VALUE));
    EXPECT_EQ(accesses, e.accesses.size());
    for (unsigned i = 0; i < e.nodes; i++) {
        float last = 0; /* 2 nodes: each command doubles */
        ace_memory_read(e.memory(i), SOURCE + (LINKS << 16) + 4996, &last, sizeof last);
        EXPECT_EQ(32.0f, last);
    }
}

TEST_P(EngineTrigger, RefusesWhatIsWrong) {
    Engines e(GetParam(), 2, 1);
    start(e);
    ace_host *h = e.host(0);
    const ace_command c = command(ACE_ALL_REDUCE, e, 3000, 2);
    const auto refused = [&](ace_code code, unsigned slot) {
        const ace_host_completion done = wait(e, 0);
        EXPECT_EQ(code, done.code) << ace_code_text(code);
        EXPECT_EQ(TAG + slot, done.tag);
    };
    const struct {
        ace_code code;
        void (*spoil)(ace_host_trigger &);
    } spoilt[] = {
        { ACE_CODE_BAD_TRIGGER, [](ace_host_trigger &t) { t.threshold = 0; } },
        { ACE_CODE_BAD_TRIGGER, [](ace_host_trigger &t) { t.chains = true, t.next = 8; } },
        { ACE_CODE_BAD_FLAG, [](ace_host_trigger &t) { t.flag += 2; } },
        { ACE_CODE_BAD_FLAG, [](ace_host_trigger &t) { t.flag = FLAGS - 4; } },
        { ACE_CODE_BAD_FLAG, [](ace_host_trigger &t) { t.flag = FLAGS_LAST + 1; } },
        { ACE_CODE_BAD_FLAG, [](ace_host_trigger &t) { t.flag |= 1ull << 40; } },
        { ACE_CODE_BAD_SIZE, [](ace_host_trigger &t) { t.command.bytes = 0; } },
    };
    for (const auto &s : spoilt) {
        ace_host_trigger t = trigger(c, 1);
        s.spoil(t);
        ASSERT_EQ(ACE_OK, ace_host_prepare(h, 1, &t));
        refused(s.code, 1);
    }
    ASSERT_EQ(ACE_OK, ace_host_store(h, 1, 1)); /* none of these was kept */
    refused(ACE_CODE_BAD_TRIGGER, 1);
    ASSERT_EQ(ACE_OK, ace_host_arm(h, 1, true));
    refused(ACE_CODE_BAD_TRIGGER, 1);
    EXPECT_EQ(ACE_EINVAL, ace_host_prepare(h, 8, nullptr));
    const ace_host_trigger t = trigger(c, 7, 65535);
    ASSERT_EQ(ACE_OK, ace_host_prepare(h, 7, &t));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 7, 65534));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 7, 2)); /* too many: none counts */
    refused(ACE_CODE_BAD_TRIGGER, 7);
    EXPECT_EQ(0u, read(e, 0, ACE_MAP_COUNT_TAKEN));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 7, 1));
    EXPECT_EQ(1u, read(e, 0, ACE_MAP_COUNT_TAKEN));
    ASSERT_EQ(ACE_OK, ace_host_prepare(h, 7, &t)); /* it waits for its neighbour */
    refused(ACE_CODE_TRIGGER_BUSY, 7);
    for (uint16_t tag = TAG - 1; tag <= TAG + 8; tag++) { /* a doorbell with a tag of a slot */
        ace_command d = command(ACE_ALL_REDUCE, e, 3000, tag);
        d.bytes = tag < TAG || tag >= TAG + 8 ? 0 : d.bytes;
        ASSERT_EQ(ACE_OK, ace_host_submit(h, &d));
        const ace_host_completion done = wait(e, 0);
        EXPECT_EQ(d.bytes ? ACE_CODE_BAD_TRIGGER : ACE_CODE_BAD_SIZE, done.code) << tag;
        EXPECT_EQ(tag, done.tag);
    }
}

/* A slot that is disarmed does not start, and a locked window stays. */
TEST_P(EngineTrigger, DisarmedAndLocked) {
    Engines e(GetParam(), 2, 1);
    start(e);
    ace_host *h = e.host(0);
    const auto refused = [&](ace_code code, unsigned slot) {
        const ace_host_completion done = wait(e, 0);
        EXPECT_EQ(code, done.code) << ace_code_text(code);
        EXPECT_EQ(TAG + slot, done.tag);
    };
    const ace_host_trigger u = trigger(command(ACE_ALL_REDUCE, e, 3000, 2), 2, 2);
    ASSERT_EQ(ACE_OK, ace_host_prepare(h, 2, &u));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 2, 1));
    ASSERT_EQ(ACE_OK, ace_host_arm(h, 2, false));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 2, 1));
    refused(ACE_CODE_BAD_TRIGGER, 2);
    ASSERT_EQ(ACE_OK, ace_host_arm(h, 2, true)); /* from 0 again */
    ASSERT_EQ(ACE_OK, ace_host_store(h, 2, 1));
    EXPECT_EQ(0u, read(e, 0, ACE_MAP_COUNT_TAKEN));
    /* the window stays once it is locked */
    EXPECT_EQ(ACE_OK, ace_host_stop(h, 10000));
    EXPECT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_LOCK, 1));
    EXPECT_EQ(ACE_EPROTO, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_FLAG_WINDOW_FIRST, 0));
    EXPECT_EQ(ACE_EPROTO, h->bus.write32(h->bus.self, ACE_MAP_CONFIG_FLAG_WINDOW_LAST, 0));
    EXPECT_EQ(FLAGS / 256, read(e, 0, ACE_MAP_CONFIG_FLAG_WINDOW_FIRST));
    ASSERT_EQ(ACE_OK, ace_host_store(h, 2, 1));
    ace_host_completion done;
    EXPECT_EQ(ACE_OK, ace_host_poll(h, &done));
    EXPECT_EQ(ACE_CODE_STOPPED, done.code);
}

/* A chained store that its slot cannot count is reported with the completion. */
TEST_P(EngineTrigger, AChainThatEndsNowhereIsReported) {
    Engines e(GetParam(), 1, 1);
    start(e);
    ace_host_trigger t = trigger(command(ACE_ALL_REDUCE, e, 3000, 2), 0);
    t.chains = true;
    t.next = 4;
    ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(0), 0, &t));
    ASSERT_EQ(ACE_OK, ace_host_store(e.host(0), 0, 1));
    EXPECT_EQ(ACE_CODE_BAD_TRIGGER, wait(e, 0).code);
    EXPECT_EQ(VALUE, flag_of(e, 0, 0));
}

/* A flag whose write fails is told like any write; nothing is chained, and a stop helps. */
TEST_P(EngineTrigger, AFailedFlagIsTold) {
    for (const int resp : { ACE_SLVERR, ACE_DECERR, ACE_EXOKAY }) {
        Engines e(GetParam(), 2, 1);
        start(e);
        const ace_command c = command(ACE_ALL_REDUCE, e, 3000, 2);
        e.flags(1)->resp = static_cast<uint8_t>(resp);
        for (unsigned i = 0; i < e.nodes; i++)
            for (unsigned slot = 0; slot < 2; slot++) {
                ace_host_trigger t = trigger(c, slot);
                t.chains = slot == 0;
                t.next = 1;
                ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), slot, &t));
            }
        for (unsigned i = 0; i < e.nodes; i++) ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 0, 1));
        ace_host_completion done;
        ace_host_error error;
        ASSERT_EQ(ACE_EFAILED, ace_host_wait(e.host(1), PATIENCE, &done));
        ASSERT_EQ(ACE_OK, ace_host_error_read(e.host(1), &error));
        const ace_code code = resp == ACE_EXOKAY ? ACE_CODE_MEMORY_PROTOCOL : ACE_CODE_WRITE_ERROR;
        EXPECT_EQ(code, error.code);
        EXPECT_EQ(resp == ACE_EXOKAY ? ACE_OKAY : resp, error.response);
        EXPECT_EQ(FLAGS, error.address);
        EXPECT_EQ(code, wait(e, 1).code) << "although no completion was requested";
        EXPECT_EQ(resp == ACE_EXOKAY ? 0u : 1u, read(e, 1, ACE_MAP_COUNT_WRITE_ERRORS));
        EXPECT_EQ(ACE_OK, ace_host_store(e.host(1), 1, 1));
        EXPECT_EQ(ACE_CODE_FAILED, wait(e, 1).code);
        EXPECT_EQ(1u, read(e, 1, ACE_MAP_COUNT_TAKEN));
        EXPECT_EQ(0u, flag_of(e, 1, 0) + flag_of(e, 1, 1));
        e.stop();
        e.flags(1)->resp = ACE_OKAY;
        e.start(WATCHDOG);
        for (unsigned i = 0; i < e.nodes; i++) {
            EXPECT_EQ(0u, state_of(e, i)) << "a stop clears the slots";
            const ace_host_trigger t = trigger(c, 6);
            ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), 6, &t));
            ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 6, 1));
        }
        EXPECT_TRUE(flags_come(e, 6, VALUE));
    }
}

/* A stop carries out the flag that is at the memory, and waits for its answer; a dead memory is
 * given up. */
TEST_P(EngineTrigger, AStopWaitsForTheFlag) {
    for (const bool dead : { false, true }) {
        Engines e(GetParam(), 1, 1);
        start(e);
        ace_host *h = e.host(0);
        const ace_config cfg = e.config_of(0);
        const ace_host_trigger t = trigger(command(ACE_ALL_REDUCE, e, 3000, 2), 0);
        e.flags(0)->latency = dead ? 1u << 30 : 5000;
        ASSERT_EQ(ACE_OK, ace_host_prepare(h, 0, &t));
        ASSERT_EQ(ACE_OK, ace_host_store(h, 0, 1));
        while (!e.flags(0)->w) e.run(1);
        EXPECT_EQ(ACE_ETIME, ace_host_stop(h, 10));
        EXPECT_EQ(ACE_OK, ace_host_start(h, &cfg, 0));
        EXPECT_FALSE(ACE_MAP_GET(read(e, 0, ACE_MAP_STATUS), STATUS_RUNNING));
        e.run(dead ? ACE_TRIGGER_DRAIN_LIMIT : 6000);
        EXPECT_EQ(!dead, ACE_MAP_GET(read(e, 0, ACE_MAP_STATUS), STATUS_RUNNING));
        EXPECT_EQ(dead, ACE_MAP_GET(read(e, 0, ACE_MAP_STATUS), STATUS_MEMORY_LOST));
        EXPECT_EQ(dead ? 0 : VALUE, flag_of(e, 0, 0));
    }
}

/* Software that is `way` cycles from the registers.  Its writes are posted; the interrupt takes as
 * long. */
struct Far {
    Engines &e;
    uint64_t way;

    void doorbell(const ace_command &c) {
        ace_register_write w[ACE_HOST_COMMAND_WRITES];
        ace_host_command_writes(&c, w);
        e.run(way);
        for (const ace_register_write &r : w) write(r);
        while (!e.irq(0)) e.run(1);
        e.run(way);
        write({ ACE_MAP_INTERRUPT_STATUS, get(ACE_MAP_INTERRUPT_STATUS) });
        EXPECT_TRUE(ACE_MAP_GET(get(ACE_MAP_COMPLETION), COMPLETION_VALID));
        write({ ACE_MAP_COMPLETION_TAKE, 1 });
    }
    void store(unsigned slot, unsigned last) {
        e.run(way);
        write(ace_host_store_write(slot, 1));
        EXPECT_TRUE(flags_come(e, last, VALUE));
        e.run(e.config.memory_latency); /* of the load */
    }

private:
    void write(ace_register_write r) {
        EXPECT_EQ(ACE_OK, e.host(0)->bus.write32(e.host(0)->bus.self, r.offset, r.value));
    }
    uint32_t get(uint32_t offset) {
        e.run(2 * way);
        return read(e, 0, offset);
    }
};

/* Cycles of all-reduces of 4 KiB on one node, which copies them, from the first access until it has
 * seen the end: by doorbell, interrupt and completion queue, or by a store and a flag. */
uint64_t took(bool rtl, uint64_t way, bool store, unsigned times) {
    Engines e(rtl, 1, 1);
    start(e);
    Far software{ e, way };
    const ace_command c = command(ACE_ALL_REDUCE, e, 4096, 1);
    for (unsigned k = 0; store && k < times; k++) {
        ace_host_trigger t = trigger(c, k);
        t.chains = k + 1 < times;
        t.next = static_cast<uint8_t>(k + 1);
        EXPECT_EQ(ACE_OK, ace_host_prepare(e.host(0), k, &t));
    }
    e.run(1000);
    const uint64_t begin = e.cycle;
    if (store)
        software.store(0, times - 1);
    else
        for (unsigned k = 0; k < times; k++) software.doorbell(c);
    return e.cycle - begin;
}

/* The way is paid six times by a doorbell and its end: the writes, the interrupt and two reads.
 * It is paid once by a store, and by a chain. */
TEST_P(EngineTrigger, StoreToLoad) {
    for (const unsigned times : { 1u, 4u }) {
        uint64_t cycles[2][2];
        for (const bool store : { false, true })
            for (const bool far : { false, true })
                cycles[store][far] = took(GetParam(), far ? 100 : 0, store, times);
        std::printf(
            "%u commands of 4 KiB: at the registers %u cycles by doorbell, %u by store and flag; "
            "100 cycles away %u, %u\n",
            times, unsigned(cycles[0][0]), unsigned(cycles[1][0]), unsigned(cycles[0][1]),
            unsigned(cycles[1][1]));
        EXPECT_EQ(cycles[0][0] + 600 * times, cycles[0][1]);
        EXPECT_EQ(cycles[1][0] + 100, cycles[1][1]);
        EXPECT_LT(cycles[1][1], cycles[0][1]);
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, EngineTrigger, testing::Bool(),
                         [](const auto &info) { return info.param ? "rtl" : "cycle"; });

/* ---- the rungs side by side ------------------------------------------------------------ */

struct Dice {
    uint64_t state;
    uint32_t below(uint32_t n) {
        return static_cast<uint32_t>((ace_random_next(&state) >> 32) * n >> 32);
    }
};

/* A few commands at both nodes, of slots and of doorbells mixed, in one order as groups need it. */
void round_of(Engines &e, Dice &dice) {
    const unsigned count = 1 + dice.below(4);
    const bool stops = !dice.below(6);
    std::vector<ace_host_trigger> work;
    std::vector<Vectors> vectors;
    std::vector<bool> doorbell;
    for (unsigned k = 0; k < count; k++) {
        ace_command c = command(dice.below(2) ? ACE_ALL_REDUCE : ACE_ALL_GATHER, e,
                                4 + 4 * dice.below(1500), static_cast<uint16_t>(k));
        c.source += k << 16;
        c.destination += k << 16;
        vectors.emplace_back(e, c, dice.below(1000));
        work.push_back(trigger(c, k, 1 + dice.below(4)));
        work[k].queues = dice.below(2);
        doorbell.push_back(dice.below(3) == 0);
    }
    const uint32_t clear = 0;
    const unsigned turn = dice.below(count);
    for (unsigned i = 0; i < e.nodes; i++) {
        for (unsigned n = 0; n < count; n++) {
            const unsigned k = (n + turn) % count;
            ASSERT_EQ(ACE_OK, ace_memory_write(e.memory(i), work[k].flag, &clear, sizeof clear));
            if (doorbell[k]) {
                while (ace_host_submit(e.host(i), &work[k].command) == ACE_EBUSY) {
                }
                continue;
            }
            ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), k, &work[k]));
            for (unsigned left = work[k].threshold; left;) {
                const unsigned stores = 1 + dice.below(left);
                ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), k, stores));
                left -= stores;
            }
        }
    }
    if (stops) {
        e.run(dice.below(3000));
        e.stop();
        e.start(WATCHDOG);
        return;
    }
    for (unsigned k = 0; k < count; k++) /* completions are taken, as they hold up slots */
        for (unsigned i = 0; i < e.nodes; i++) {
            uint64_t n = 0;
            while (!doorbell[k] && flag_of(e, i, k) != VALUE && n++ < PATIENCE) e.run(1);
            EXPECT_LT(n, PATIENCE) << "node " << i << " slot " << k;
            if (doorbell[k] || work[k].queues) EXPECT_EQ(ACE_CODE_NONE, wait(e, i).code);
        }
    for (unsigned i = 0; i < e.nodes; i++)
        for (unsigned k = 0; k < count; k++)
            EXPECT_EQ(vectors[k].after[i], vectors[k].found(e, work[k].command, i));
}

TEST(EngineTriggerRungs, SameAccessesSameCycles) {
    const char *seed = std::getenv("ACE_SEED"), *rounds = std::getenv("ACE_ROUNDS");
    std::vector<Access> accesses[2];
    std::vector<Engines::Flag> flags[2];
    for (const bool rtl : { false, true }) {
        Engines e(rtl, 2, 1);
        e.config.agreed = 1; /* the nodes get a command at different times */
        Dice dice{ seed ? std::strtoull(seed, nullptr, 0) : 1 };
        start(e);
        for (uint64_t n = rounds ? std::strtoul(rounds, nullptr, 0) : 60; n; n--) {
            round_of(e, dice);
            if (testing::Test::HasFailure()) return;
        }
        accesses[rtl] = e.accesses;
        flags[rtl] = e.flag_writes;
    }
    EXPECT_EQ(accesses[0], accesses[1]);
    EXPECT_GT(flags[0].size(), 50u);
    EXPECT_EQ(flags[0], flags[1]);
}

} // namespace
