/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_trigger.v against cmodel/twin/ace_trigger.c, cycle by cycle, between random software, a
 * random engine and a random memory of flags.
 *
 * Verilated: Vace_trigger (defaults) and Vace_trigger_small (SLOTS=2, DRAIN_LIMIT=20).
 */
#include <set>

#include "ace_register_map.h"
#include "lockstep.h"

namespace {

constexpr const char *set_names[] = { "", "_small" };

struct Mix {
    const char *name;
    unsigned writes, room; /* software's writes, cycles with room for a command; per mille */
    unsigned take, done;   /* engine: commands taken, completed */
    unsigned memory;       /* addresses and data taken, answers given */
    unsigned fault, stops; /* wrong answers, failed commands; per mille, and per ten thousand */
    unsigned resets;       /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 400, 1000, 1000, 1000, 1000, 0, 0, 0 },
    { "slow_engine", 300, 900, 50, 20, 900, 0, 5, 5 },
    { "slow_memory", 300, 900, 900, 900, 20, 0, 20, 5 },
    { "stores", 990, 300, 900, 500, 800, 0, 5, 2 },
    { "faults", 300, 900, 900, 300, 200, 20, 100, 20 },
    { "dead_memory", 200, 900, 900, 900, 2, 5, 200, 5 },
    { "sparse", 20, 500, 900, 500, 500, 0, 20, 5 },
};

struct Environment {
    const Mix &mix;
    unsigned slots;
    bool run = false, failed = false, enable = false, aw = false, w = false;
    uint16_t tag = 0;
    std::deque<uint16_t> tags; /* of commands that were taken */
    std::set<unsigned> codes;
    uint64_t fires = 0, flags = 0, retired = 0, lost = 0, memory_losses = 0, foreign = 0, stops = 0;

    Environment(const Mix &m, unsigned n) : mix(m), slots(n) {}
    void configure(ace_trigger_in &in) const {
        in.s_run = run;
        in.cfg_enable = enable;
        in.cfg_tag = tag;
        in.cfg_flag_first = 0x100;
        in.cfg_flag_last = 0x13f;
    }
    void reset() {
        run = failed = aw = w = false;
        tags.clear();
    }
    void stop_or_start(Random &random) {
        if (run && random.below(10000) < mix.stops) {
            run = failed = false;
            tags.clear();
            stops++;
        } else if (!run && !random.below(40)) {
            run = true;
            enable = random.below(10) != 0;
            tag = random.bits<uint16_t>(16);
        }
    }
    uint8_t slot(Random &random) const {
        return static_cast<uint8_t>(random.below(50) ? random.below(slots) : random.below(256));
    }
    /* What is written, and whether the memory answers. */
    void ask(ace_trigger_in &in, Random &random) {
        stop_or_start(random);
        configure(in);
        in.s_prepare = in.s_arm = in.s_store = false;
        const unsigned which = random.below(8);
        in.s_write_prepare = which < 2;
        in.s_write_arm = which == 2;
        in.s_slot = slot(random);
        in.s_armed = random.below(4);
        in.s_stores = static_cast<uint16_t>(random.below(30) ? 1 + random.below(2) : random.next());
        in.s_kind = random.bits<uint8_t>(3);
        in.s_type = random.bits<uint8_t>(3);
        in.s_op = random.bits<uint8_t>(3);
        in.s_scale = random.bits<uint32_t>(32);
        in.s_dim_count = random.bits<uint8_t>(3);
        in.s_dims = random.bits<uint8_t>(8);
        in.s_source = random.bits<uint64_t>(48);
        in.s_destination = random.bits<uint64_t>(48);
        in.s_bytes = random.bits<uint64_t>(41);
        in.s_flag = random.below(8)   ? 0x10000 + 4 * random.below(0x1000)
                    : random.below(2) ? 0xfff8 + random.below(0x4018)
                                      : random.bits<uint64_t>(48);
        in.s_value = random.bits<uint32_t>(32);
        in.s_threshold =
            static_cast<uint16_t>(random.below(20) ? 1 + random.below(3) : random.below(65536));
        if (!random.below(40)) in.s_threshold = 0;
        in.s_next = slot(random);
        in.s_chains = random.below(2);
        in.s_repeats = random.below(2);
        in.s_flags = random.below(4);
        in.s_queues = random.below(2);
        writes = run && random.permille(mix.writes);
        in.s_room = run && !writes && random.permille(mix.room);
        in.s_failed = failed;
        in.s_done_valid = run && !tags.empty() && random.permille(mix.done);
        in.s_done_tag = in.s_done_valid ? tags.front() : random.bits<uint16_t>(16);
        if (in.s_done_valid && !random.below(10)) /* a command of a doorbell */
            in.s_done_tag = static_cast<uint16_t>(in.s_done_tag ^ slots << random.below(8));
        const bool waits = aw && w;
        in.s_flag_b_valid =
            waits ? random.permille(mix.memory) : !random.below(20) && random.permille(mix.fault);
        in.s_flag_b_resp = random.permille(5 * mix.fault) ? random.bits<uint8_t>(2) : 0;
        if (waits && in.s_flag_b_valid) {
            flags++;
            aw = w = false;
        }
    }
    void drive(const ace_trigger_out &out, ace_trigger_in &in, Random &random) {
        if (run) codes.insert(out.m_code);
        const bool writ = writes && out.m_code == ACE_CODE_NONE;
        in.s_prepare = writ && in.s_write_prepare;
        in.s_arm = writ && in.s_write_arm;
        in.s_store = writ && !in.s_write_prepare && !in.s_write_arm;
        in.s_cmd_ready = random.permille(mix.take);
        in.s_retire_ready = run && out.m_retire_valid && !writes &&
                            !(in.s_done_valid && !out.m_mine) && random.permille(mix.room);
        in.m_flag_aw_ready = random.permille(mix.memory);
        in.m_flag_w_ready = random.permille(mix.memory);
        if (in.s_done_valid) {
            foreign += !out.m_mine;
            if (in.s_done_tag == tags.front()) tags.pop_front();
        }
        if (out.m_cmd_valid && in.s_cmd_ready && run) tags.push_back(out.m_cmd_tag);
        aw |= out.m_flag_aw_valid && in.m_flag_aw_ready;
        w |= out.m_flag_w_valid && in.m_flag_w_ready;
        if (out.m_lost) aw = w = false;
        fires += out.m_fires;
        retired += in.s_retire_ready;
        lost += in.s_retire_ready && out.m_retire_lost;
        memory_losses += out.m_lost;
        failed = run && (failed || out.m_failed || out.m_protocol ||
                         (random.permille(mix.fault) && !random.below(20)));
    }

private:
    bool writes = false;
};

class Trigger : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Trigger, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const unsigned slots = set ? unsigned{ ACE_RTL_SMALL_TRIGGERS } : ACE_TRIGGER_SLOTS;
    const unsigned limit = set ? unsigned{ ACE_RTL_SMALL_FLAG_DRAIN } : ACE_TRIGGER_DRAIN_LIMIT;
    Lockstep<trigger_unit> run(set, mix.take + mix.fault);
    ASSERT_EQ(ace_trigger_create(slots, limit, &run.twin), ACE_OK);
    ASSERT_EQ(ace_trigger_create(slots, limit, &run.timing), ACE_OK);
    Environment environment(mix, slots);
    run.go(environment, 200000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.fires, 50u);
    if (name != "dead_memory") EXPECT_GT(environment.flags, 20u);
    EXPECT_GT(environment.retired, 20u);
    EXPECT_EQ(environment.codes.size(), 4u) << "a code was not seen";
    if (name == "full_rate") EXPECT_GT(environment.lost, 100u);
    if (name != "sparse") EXPECT_GT(environment.foreign, 5u);
    if (mix.stops) EXPECT_GT(environment.stops, 20u);
    if (name == "dead_memory" && set) EXPECT_GT(environment.memory_losses, 100u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Trigger,
                         testing::Combine(testing::Range(0u, 2u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
