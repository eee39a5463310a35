// SPDX-License-Identifier: Apache-2.0
//
// The whole node: Verilated RTL and C twin as a pair in a cluster of twins, equal on every
// pin in every cycle, under random rings and hubs, rates, latencies, collectives, back-pressure and
// resets; collectives that run alone also give the reference's values.
//
//   ACE_SEED=7 ACE_CYCLES=10000000 lockstep_node_test     repeats, or lengthens, a run

#include <cstdlib>
#include <gtest/gtest.h>
#include <string>
#include <vector>

#include "ace_rtl_node.h"
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

INSTANTIATE_TEST_SUITE_P(Sets, LockstepNode, testing::ValuesIn(Sets()), [](const auto &info) {
    const char *name;
    ace_rtl_parameters(info.param, &name);
    return std::string(name);
});

} // namespace
