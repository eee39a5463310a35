// SPDX-License-Identifier: Apache-2.0
//
// The whole node: Verilated RTL and C twin run as a pair in a cluster of twins.  They must be equal
// on every pin in every cycle.  Rings and hubs, rates, latencies, collectives, back-pressure and
// resets are random.  Collectives that run alone must also give the reference's values.
//
//   ACE_SEED=7 ACE_CYCLES=10000000 lockstep_node_test     repeats, or lengthens, a run

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <map>
#include <string>
#include <vector>

#include "ace_node_core.h"
#include "ace_random.h"
#include "ace_registers.h"
#include "ace_rtl_node.h"
#include "ace_rtl_registers.h"
#include "soak.h"

namespace {

int MakeRtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    return ace_rtl_core_create(p, cfg, true, seed, nullptr, core);
}

uint64_t FromEnvironment(const char *name, uint64_t otherwise) {
    const char *text = std::getenv(name);
    return text ? std::strtoull(text, nullptr, 0) : otherwise;
}

void Soak(const ace_parameters &p, uint64_t cycles) {
    soak_work soak{};
    soak.seed = FromEnvironment("ACE_SEED", 1);
    soak.cycles = FromEnvironment("ACE_CYCLES", cycles);
    soak.upsets = true;
    soak.parameters = p;
    soak.make_second = MakeRtl;
    soak.faults = true;
    const int err = soak_run(&soak);
    EXPECT_EQ(ACE_OK, err) << soak.difference << "\nrepeat: ACE_SEED=" << soak.seed << " run "
                           << soak.runs;
    if (soak.cycles >= cycles) {                    // no short one
        EXPECT_GT(soak.packets, soak.cycles / 200); // the links were used
        EXPECT_GT(soak.runs_on_hubs, 0u);
        EXPECT_GT(soak.runs_agreed, 0u);
        EXPECT_GT(soak.resets, 0u);
        EXPECT_GT(soak.corrected, 0u);
        EXPECT_GT(soak.resent, 0u);
    }
    std::cout << soak.busy_cycles << " busy cycles, " << soak.runs << " clusters, "
              << soak.collectives << " collectives, " << soak.packets << " packets, " << soak.resets
              << " resets\n";
}

class LockstepNode : public testing::TestWithParam<unsigned> {};

TEST_P(LockstepNode, EqualsTwin) {
    const char *name;
    Soak(*ace_rtl_parameters(GetParam(), &name), 500000);
}

std::vector<unsigned> Sets() {
    std::vector<unsigned> sets;
    const char *name;
    while (ace_rtl_parameters(static_cast<unsigned>(sets.size()), &name))
        sets.push_back(static_cast<unsigned>(sets.size()));
    return sets;
}

/* A word of the programs has wrong code bits, and is otherwise right.  The bits are wrong in the
 * twin's memory and in the memory of each phase in RTL.  Both must report the error in the same
 * cycle, and the run ends.  Memories are read at an edge only, so no combinational path must be
 * evaluated again.  */
struct WrongWords {
    uint64_t seed = 0, flips = 0;
    unsigned word = 0;
    uint8_t mask = 0;
};

void turn_over(void *self, const ace_rtl_register *r) {
    auto *w = static_cast<WrongWords *>(self);
    const std::string name = r->name;
    if (name.find("u_program.u_words.memory") == std::string::npos) return;
    static_cast<uint8_t *>(r->at)[w->word * r->stride + 4] ^= w->mask; // above the word
}

void wrong_words(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl, const ace_pins_in *) {
    auto *w = static_cast<WrongWords *>(self);
    auto *n = reinterpret_cast<ace_cycle_core *>(twin);
    const uint64_t dice = ace_random_mix(++w->seed + cycle);
    if (n->phases.program[0].loading || n->out.parity_failed || n->phases.fetching ||
        n->phases.working || n->phases.looking || dice % 100)
        return; // what is under way has been read
    w->word = static_cast<unsigned>(dice >> 32) % ACE_PROGRAM_WORDS;
    w->mask = static_cast<uint8_t>(1 + (dice >> 40) % 15);
    n->phases.codes[w->word] ^= w->mask;
    ace_rtl_core_registers(rtl, turn_over, w);
    w->flips++;
}

TEST(WrongWords, OfAProgramAreTold) {
    const char *name;
    WrongWords wrong;
    soak_work soak{};
    soak.seed = 3;
    soak.cycles = 60000;
    soak.parameters = *ace_rtl_parameters(0, &name);
    soak.make_second = MakeRtl;
    soak.watch = { wrong_words, &wrong };
    EXPECT_EQ(ACE_OK, soak_run(&soak)) << soak.difference;
    EXPECT_GT(soak.lost, 2u);
    EXPECT_GT(wrong.flips, soak.lost);
}

/* A waiting row has a wrong bit, in both.  The row's user reports it, in the same cycle.  Rows that
 * leave on a link are under its CRC.  Rows that the twins store differently are left alone.  A
 * wrong item of a list may be reported as illegal before the code of its row was checked; the run
 * is over then.  */
struct WrongRows {
    uint64_t seed = 0, flips = 0, told = 0, uses = 0;
    std::vector<std::pair<std::string, ace_row_register>> rows;
    std::map<std::string, ace_rtl_register> rtl;
    bool failed = false;
};

void find_row(void *self, const ace_row_register *r) {
    auto *w = static_cast<WrongRows *>(self);
    const std::string name = (*r->unit ? std::string(r->unit) + "." : "") + r->name;
    if (!r->row || r->row == ace_datapath_zero_row || r->may_differ) return;
    for (const char *crc : { "out_data_q", "tx_data_q", "kept_row_q", "u_receiver", "u_sender" })
        if (name.find(crc) != std::string::npos) return;
    w->rows.emplace_back(name, *r);
}

void find_register(void *self, const ace_rtl_register *r) {
    static_cast<WrongRows *>(self)->rtl.emplace(r->name, *r);
}

void wrong_rows(void *self, uint64_t cycle, ace_core *twin, ace_core *rtl, const ace_pins_in *) {
    auto *w = static_cast<WrongRows *>(self);
    auto *n = reinterpret_cast<ace_cycle_core *>(twin);
    const uint64_t dice = ace_random_mix(++w->seed + cycle);
    if (n->out.parity_failed && !w->failed) {
        w->told++;
        w->uses |= UINT64_C(1) << (n->out.parity_failed_at - ACE_ROW_WRONG);
    }
    w->failed = n->out.parity_failed;
    if (w->failed || dice % 20) return;
    w->rows.clear();
    ace_cycle_core_rows(twin, find_row, w);
    if (w->rows.empty()) return;
    const auto &[name, row] = w->rows[(dice >> 20) % w->rows.size()];
    const unsigned bit = static_cast<unsigned>(dice >> 40) % (32 * ACE_ROW_WORDS);
    w->rtl.clear();
    ace_rtl_core_registers(rtl, find_register, w);
    ASSERT_TRUE(w->rtl.count(name)) << name;
    const ace_rtl_register &at = w->rtl[name];
    unsigned first = 0;
    if (row.ring) {
        const ace_rtl_register &ring =
            w->rtl[name.substr(0, name.size() - std::strlen(row.name)) + row.ring];
        std::memcpy(&first, ring.at, std::min<size_t>(ring.bytes, sizeof first));
    }
    const unsigned entry = (first + row.at) % at.depth;
    const_cast<uint32_t *>(row.row)[bit / 32] ^= 1u << bit % 32;
    static_cast<uint8_t *>(at.at)[entry * at.stride + bit / 8] ^=
        static_cast<uint8_t>(1u << bit % 8);
    ace_rtl_core_settle(rtl, false);
    w->flips++;
}

TEST(WrongRows, AreToldByWhoUsesThem) {
    const char *name;
    WrongRows wrong;
    unsigned whole = 0; // runs that no item ended
    for (uint64_t seed = 4; seed < 10; seed++) {
        soak_work soak{};
        soak.seed = seed;
        soak.cycles = 20000;
        soak.parameters = *ace_rtl_parameters(0, &name);
        soak.make_second = MakeRtl;
        soak.watch = { wrong_rows, &wrong };
        const int rc = soak_run(&soak);
        const bool item = std::strstr(soak.difference, "an item of a list out of range");
        EXPECT_TRUE(rc == ACE_OK || item) << soak.difference;
        whole += rc == ACE_OK;
        wrong.failed = false;
    }
    EXPECT_GT(whole, 2u);
    EXPECT_GT(wrong.told, 20u);
    EXPECT_GE(wrong.flips, wrong.told);
    for (const unsigned use : { ACE_ROW_STORED, ACE_ROW_ARRIVED, ACE_ROW_LOADED,
                                ACE_ROW_ROUTED_PLUS, ACE_ROW_ROUTED_MINUS, ACE_ROW_WRITTEN })
        EXPECT_TRUE(wrong.uses >> use & 1) << ace_row_use_text(use);
    std::cout << wrong.flips << " rows with a wrong bit, told " << wrong.told << " times\n";
}

INSTANTIATE_TEST_SUITE_P(Sets, LockstepNode, testing::ValuesIn(Sets()), [](const auto &info) {
    const char *name;
    ace_rtl_parameters(info.param, &name);
    return std::string(name);
});

} // namespace
