// SPDX-License-Identifier: Apache-2.0
//
// A link or a node dies at a random cycle of a command, on either rung.  Every other node must
// report it in bounded time, and every command must end: right, or with the code of the failure.
// Then all nodes start again without the dead part, and the command must be right.
//
// A dead link carries wrong frames or none.  Commands come by doorbells, by stores to a slot or
// through a chain of slots, and one slot waits for a store that never comes.
//
// The moments are independent of each other.  ACE_DEATHS sets their number in each
// test, half of it on the torus.  ACE_SEED sets the random numbers.  The campaign `dead` of
// scripts/hunt.sh has 1,000 moments on the twin.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "ace_node_faults.h"
#include "ace_plan.h"
#include "ace_random.h"
#include "engines.h"

namespace {

constexpr uint8_t INTERVALS = 4;  /* of silence */
constexpr uint64_t INTERVAL = 64; /* cycles */
constexpr uint64_t HOP =
    Engines::latency + 12; /* a SYNC frame: guard, two steps, link, three steps */
constexpr uint16_t RETRY = 200;
constexpr uint32_t PATIENT = 1u << 20; /* no watchdog */
constexpr unsigned LOOKS = 10000;
constexpr uint64_t FLAGS = 0x40000000;
constexpr uint16_t SLOT_TAG = 0x5a50;
constexpr unsigned WAITING = 5; /* a slot that gets one store of two */

/* From the last good frame on an end hears nothing; the ends of what is dead report it, and then
 * their neighbours do, at most half round the ring, or round it if one end alone is deaf. */
uint64_t bound(unsigned hops) {
    return Engines::latency + 5 + (INTERVALS + 1) * INTERVAL + (hops + 1) * HOP;
}

struct Death {
    unsigned at = 0; /* node */
    unsigned link = 0;
    bool node = false;             /* all its links, else one */
    bool deaf[2] = { true, true }; /* directions of the link that carry nothing good */
    bool silent = false;           /* they carry no frame, else wrong ones */
};

/* How a moment's commands start: one by a doorbell, or those of slots 0..slots-1, each of which
 * starts the next. */
struct Start {
    unsigned slots;
    bool queues;    /* the slots queue completions */
    uint32_t value; /* of flags */
};

struct Dead {
    Engines e;
    uint64_t random;
    uint16_t epoch = 0;
    uint64_t longest = 0, sum_told = 0, sum_on = 0, most_on = 0, rerun = 0;
    unsigned ended = 0, done = 0, moments = 0, silent = 0;
    static constexpr uint16_t WRONG = 1 + ACE_BIT_ACK; /* each frame has an ack */

    Dead(bool rtl, uint8_t x, uint8_t y, uint64_t seed) : e(rtl, x, y), random(seed) {}
    uint32_t below(uint32_t n) {
        return static_cast<uint32_t>((ace_random_next(&random) >> 32) * n >> 32);
    }
    static uint16_t spoil(void *, const ace_flit *) { return WRONG; }
    static uint16_t lose(void *, const ace_flit *) { return ACE_WIRE_LOSES; }
    unsigned neighbour(unsigned i, unsigned l) const {
        unsigned at[2] = { i % e.config.ring[0], i / e.config.ring[0] };
        const unsigned n = e.config.ring[l / 2];
        at[l / 2] = (at[l / 2] + (l & 1 ? n - 1 : 1)) % n;
        return at[0] + e.config.ring[0] * at[1];
    }
    unsigned links() const { return e.config.ring[1] > 1 ? 4 : 2; }
    void kill(const Death &d, ace_wire_disturb *how) {
        for (unsigned l = 0; l < links(); l++) {
            if (!d.node && l != d.link) continue;
            if (d.node || d.deaf[0]) ace_wire_set_disturb(e.wire(d.at, l), how, nullptr);
            if (d.node || d.deaf[1])
                ace_wire_set_disturb(e.wire(neighbour(d.at, l), l ^ 1), how, nullptr);
        }
    }
    bool alive(const Death &d, unsigned i) const { return !d.node || i != d.at; }

    ace_config whole(unsigned i) {
        ace_config c = e.config_of(i);
        c.epoch = epoch = static_cast<uint16_t>(epoch + 1 + !(epoch + 1));
        c.epoch_links = static_cast<uint8_t>((1u << links()) - 1);
        c.silence = INTERVALS;
        return c;
    }
    void start(unsigned i, const ace_config &c) {
        ASSERT_EQ(ACE_OK, ace_host_start(e.host(i), &c, PATIENT));
        for (unsigned looks = 0; !ACE_MAP_GET(read(e, i, ACE_MAP_STATUS), STATUS_RUNNING); looks++)
            ASSERT_LT(looks, LOOKS) << "node " << i << " does not start";
    }
    void until_up(unsigned i, unsigned set) {
        ace_link_life state[ACE_LINKS] = {};
        for (unsigned l = 0; l < links(); l++)
            for (unsigned looks = 0; set >> l & 1; looks++) {
                ASSERT_LT(looks, LOOKS) << "node " << i << " link " << l << " is not up";
                ASSERT_EQ(ACE_OK, ace_host_links(e.host(i), state));
                if (state[l] == ACE_LINK_UP) break;
            }
    }
    /* The links' interrupt alone, so that irq() tells of nothing else. */
    void listen(unsigned i) {
        ace_host *h = e.host(i);
        ASSERT_EQ(ACE_OK, h->bus.write32(h->bus.self, ACE_MAP_INTERRUPT_ENABLE,
                                         ACE_MAP_PUT(1, INTERRUPT_STATUS_LINK_FAILED)));
    }

    /* All nodes report within the bound; returns the cycles until the last one does. */
    uint64_t all_told(const Death &d, uint64_t killed) {
        unsigned hops = 0;
        for (unsigned dim = 0; dim < 2; dim++) hops += e.config.ring[dim];
        for (unsigned left = 1; left;) {
            left = 0;
            for (unsigned i = 0; i < e.nodes; i++) left += alive(d, i) && !e.irq(i);
            if (!left) break;
            e.run(1);
            if (e.cycle - killed > bound(hops)) {
                ADD_FAILURE() << left << " nodes report nothing for " << e.cycle - killed;
                break;
            }
        }
        return e.cycle - killed;
    }

    static bool of_link(ace_code code) {
        return code == ACE_CODE_LINK_FAILED || code == ACE_CODE_LINK_ENDED;
    }
    /* The engine stops; `to` gets what came back. */
    void end(const Death &d, unsigned i, std::vector<ace_host_completion> &to, bool &found) {
        ace_host_error error{};
        unsigned count = 0;
        to.resize(ACE_HOST_ENDED);
        ASSERT_EQ(ACE_OK, ace_host_end(e.host(i), 10000, &error, to.data(), &count));
        to.resize(count);
        EXPECT_TRUE(error.valid);
        EXPECT_TRUE(of_link(error.code)) << ace_code_text(error.code);
        for (unsigned l = 0; l < links(); l++) { /* the link that is named is the dead one */
            if (error.code != ACE_CODE_LINK_FAILED || !(error.address >> l & 1)) continue;
            const bool here = i == d.at && (d.node || l == d.link);
            const bool there = neighbour(i, l) == d.at && (d.node || (l ^ 1) == d.link);
            EXPECT_TRUE(here || there) << "node " << i << " names link " << l;
            found = true;
        }
    }
    /* The command with this tag came back once; with its flag it may also not come back. */
    void ends(const std::vector<ace_host_completion> &to, uint16_t tag, bool flag, bool right) {
        unsigned with_code = 0, without = 0;
        for (const ace_host_completion &c : to) {
            if (c.tag != tag) continue;
            (c.code == ACE_CODE_NONE ? without : with_code)++;
            EXPECT_TRUE(c.code == ACE_CODE_NONE || of_link(c.code)) << ace_code_text(c.code);
        }
        EXPECT_LE(with_code + without, 1u) << "tag " << tag;
        EXPECT_GE(with_code + without + flag, 1u) << "tag " << tag << " came not back";
        if (flag || without) EXPECT_TRUE(right) << "tag " << tag;
        (flag || without ? done : ended)++;
    }
    /* Each command ends at each node: right, or with the code. */
    void end_all(const Death &d, const ace_command &c, const Vectors &v, const Start &s) {
        bool found = false;
        for (unsigned i = 0; i < e.nodes; i++) {
            SCOPED_TRACE("node " + std::to_string(i));
            std::vector<ace_host_completion> to;
            if (!alive(d, i)) continue;
            end(d, i, to, found);
            if (testing::Test::HasFatalFailure()) return;
            const bool right = v.after[i] == v.found(e, c, i);
            if (!s.slots) ends(to, c.tag, false, right);
            for (unsigned slot = 0; slot < s.slots; slot++)
                ends(to, static_cast<uint16_t>(SLOT_TAG + slot), flag_of(i, slot) == s.value,
                     right);
            ends(to, SLOT_TAG + WAITING, false, false);
            EXPECT_LE(to.size(), 1 + std::max(1u, s.slots));
        }
        EXPECT_TRUE(found) << "no node names what is dead";
    }

    uint32_t flag_of(unsigned i, unsigned slot) {
        uint32_t word = 0;
        ace_memory_read(e.memory(i), FLAGS + 4 * slot, &word, sizeof word);
        return word;
    }
    void prepare(unsigned i, unsigned slot, const ace_command &c, const Start &s) {
        ace_host_trigger t{};
        t.command = c;
        t.threshold = 2 - (slot && slot < s.slots); /* a chain gives one */
        t.writes_flag = true;
        t.flag = FLAGS + 4 * slot;
        t.value = s.value;
        t.queues = s.queues;
        t.chains = slot + 1 < s.slots;
        t.next = static_cast<uint8_t>(slot + 1);
        ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), slot, &t));
    }
    void begin(unsigned i, const ace_command &c, const Start &s) {
        prepare(i, WAITING, c, s);
        ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), WAITING, 1));
        if (!s.slots) {
            ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
            return;
        }
        for (unsigned slot = 0; slot < s.slots; slot++) prepare(i, slot, c, s);
        for (unsigned k = 0; k < 2; k++) ASSERT_EQ(ACE_OK, ace_host_store(e.host(i), 0, 1));
    }

    /* The configuration of node i without the dead part. */
    ace_config rest(const Death &d, unsigned i) {
        ace_config c = whole(i);
        c.retry = RETRY;
        const unsigned dim = d.node ? 0 : d.link / 2;
        const unsigned at[2] = { d.at % e.config.ring[0], d.at / e.config.ring[0] };
        const unsigned n = e.config.ring[dim];
        if (d.node)
            EXPECT_EQ(ACE_OK, ace_plan_without_node(&c, dim, at[dim]));
        else
            EXPECT_EQ(ACE_OK,
                      ace_plan_without_link(&c, dim, (at[dim] + (d.link & 1 ? n - 1 : 0)) % n));
        return c;
    }

    /* Sums of small whole numbers are exact in any order. */
    void run_again(const Death &d, uint64_t killed, uint64_t bytes) {
        ace_command c = command(ACE_ALL_REDUCE, e, bytes, 3);
        const unsigned cut = d.node ? 0 : d.link / 2;
        if (c.dim_count == 2) { /* the line is not the first dimension */
            c.dims[0] = static_cast<uint8_t>(1 - cut);
            c.dims[1] = static_cast<uint8_t>(cut);
        }
        std::vector<float> sum(bytes / 4), own(bytes / 4), got(bytes / 4);
        std::vector<unsigned> in;
        for (unsigned i = 0; i < e.nodes; i++) { /* a torus loses the dead node's column */
            if (d.node && i % e.config.ring[0] == d.at % e.config.ring[0]) continue;
            in.push_back(i);
            for (size_t w = 0; w < own.size(); w++) {
                own[w] = static_cast<float>(below(1000)) - 500;
                sum[w] += own[w];
            }
            ASSERT_EQ(ACE_OK, ace_memory_write(e.memory(i), SOURCE, own.data(), bytes));
        }
        for (unsigned k = in.size() - 1; k; k--) std::swap(in[k], in[below(k + 1)]);
        std::vector<ace_config> of(e.nodes);
        for (const unsigned i : in) start(i, of[i] = rest(d, i));
        for (const unsigned i : in) until_up(i, of[i].epoch_links);
        const uint64_t on = e.cycle - killed;
        sum_on += on;
        most_on = std::max(most_on, on);
        for (const unsigned i : in) ASSERT_EQ(ACE_OK, ace_host_submit(e.host(i), &c));
        for (const unsigned i : in) {
            const ace_host_completion back = wait(e, i);
            ASSERT_EQ(c.tag, back.tag);
            ASSERT_EQ(ACE_CODE_NONE, back.code) << ace_code_text(back.code);
        }
        rerun = std::max(rerun, e.cycle - killed - on);
        for (const unsigned i : in) {
            ace_memory_read(e.memory(i), DESTINATION, got.data(), bytes);
            ASSERT_EQ(sum, got) << "node " << i;
        }
    }

    /* One moment. */
    void moment(const Death &d, ace_kind kind) {
        const unsigned slots = below(4); /* none: a doorbell */
        const Start how = { slots, below(2) != 0, moments + 1 };
        ace_command broken = command(kind, e, 4 * (1000 + below(15000)), 1);
        if (slots > 1) broken.op = ACE_MAXIMUM; /* each command of a chain has the same result */
        const Vectors v(e, broken, random);
        e.config.retry = below(2) ? RETRY : 0;
        for (unsigned i = 0; i < e.nodes; i++) {
            ASSERT_EQ(ACE_OK, ace_host_triggers(e.host(i), SLOT_TAG, FLAGS, FLAGS + 0xff));
            start(i, whole(i));
        }
        for (unsigned i = 0; i < e.nodes; i++) until_up(i, (1u << links()) - 1);
        for (unsigned i = 0; i < e.nodes; i++) {
            listen(i);
            begin(i, broken, how);
            e.run(below(100));
        }
        e.run(below(2000));
        const uint64_t killed = e.cycle;
        kill(d, d.silent ? lose : spoil);
        silent += d.silent;
        const uint64_t told = all_told(d, killed);
        longest = std::max(longest, told);
        sum_told += told;
        moments++;
        end_all(d, broken, v, how);
        if (testing::Test::HasFatalFailure()) return;
        run_again(d, killed, 5000);
        if (testing::Test::HasFatalFailure()) return;
        kill(d, nullptr);
        e.stop();
    }
    void print(const char *what) const {
        std::printf(
            "%s: %u moments, %u without frames, reported after %.0f cycles on average, %llu at "
            "most; on again "
            "after %.0f, %llu at most; a command then takes %llu at most; %u commands ended "
            "with the code, %u were done\n",
            what, moments, silent, double(sum_told) / moments,
            static_cast<unsigned long long>(longest), double(sum_on) / moments,
            static_cast<unsigned long long>(most_on), static_cast<unsigned long long>(rerun), ended,
            done);
    }
};

class EngineDead : public testing::TestWithParam<bool> {
protected:
    unsigned moments() const {
        const char *const asked = std::getenv("ACE_DEATHS");
        return asked ? static_cast<unsigned>(std::atoi(asked)) : GetParam() ? 2 : 8;
    }
    static uint64_t seed() {
        const char *const asked = std::getenv("ACE_SEED");
        return asked ? std::strtoull(asked, nullptr, 0) : 1;
    }
};

constexpr ace_kind KINDS[] = { ACE_ALL_REDUCE, ACE_ALL_GATHER, ACE_ALL_TO_ALL };

/* A link of a ring, in both directions or in one. */
TEST_P(EngineDead, LinkOfARing) {
    Dead n(GetParam(), 4, 1, seed());
    for (unsigned m = 0; m < moments() && !HasFailure(); m++) {
        SCOPED_TRACE("moment " + std::to_string(m));
        Death d;
        d.at = n.below(4);
        d.link = n.below(2);
        const unsigned way = n.below(4);
        d.deaf[0] = way != 1;
        d.deaf[1] = way != 2;
        d.silent = n.below(2);
        n.moment(d, KINDS[n.below(3)]);
    }
    n.print("link of a ring of 4");
}

TEST_P(EngineDead, NodeOfARing) {
    Dead n(GetParam(), 4, 1, seed() + 1000);
    for (unsigned m = 0; m < moments() && !HasFailure(); m++) {
        SCOPED_TRACE("moment " + std::to_string(m));
        Death d;
        d.at = n.below(4);
        d.node = true;
        d.silent = n.below(2);
        n.moment(d, KINDS[n.below(3)]);
    }
    n.print("node of a ring of 4");
}

/* All rings of the link's dimension become lines; a dead node takes its column with it. */
TEST_P(EngineDead, PartOfATorus) {
    Dead n(GetParam(), 3, 2, seed() + 2000);
    for (unsigned m = 0; m < (moments() + 1) / 2 && !HasFailure(); m++) {
        SCOPED_TRACE("moment " + std::to_string(m));
        Death d;
        d.at = n.below(6);
        d.link = n.below(4);
        d.node = n.below(3) == 0;
        d.silent = n.below(2);
        n.moment(d, KINDS[n.below(3)]);
    }
    n.print("link or node of a torus of 3x2");
}

INSTANTIATE_TEST_SUITE_P(Rungs, EngineDead, testing::Bool(),
                         [](const auto &info) { return info.param ? "rtl" : "cycle"; });

} // namespace
