/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_cycle_classes.v against cmodel/parts/ace_cycle_classes.c, cycle by cycle.
 *
 * Verilated: Vace_cycle_classes, which has no parameters.
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned busy, blocked, starved; /* chances in a cycle, per mille */
    unsigned resets;                 /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "all_at_once", 1000, 1000, 1000, 0 },
    { "even", 500, 500, 500, 0 },
    { "rare", 20, 20, 20, 20 },
    { "blocked", 100, 900, 500, 20 },
};

struct Environment {
    const Mix &mix;
    uint64_t together = 0, starved = 0; /* cycles with more flags than one; with the last alone */

    explicit Environment(const Mix &m) : mix(m) {}
    void configure(ace_cycle_classes_pins_in &) const {}
    void reset() {}
    void ask(ace_cycle_classes_pins_in &in, Random &r) {
        in.busy = r.permille(mix.busy);
        in.blocked = r.permille(mix.blocked);
        in.starved = r.permille(mix.starved);
        together += in.busy + in.blocked + in.starved > 1;
        starved += in.starved && !in.busy && !in.blocked;
    }
    void drive(const ace_cycle_classes_pins_out &, ace_cycle_classes_pins_in &, Random &) {}
};

class CycleClasses : public testing::TestWithParam<Mix> {};

TEST_P(CycleClasses, EqualsTwin) {
    const Mix &mix = GetParam();
    Lockstep<cycle_classes_unit> run(0, mix.busy);
    ASSERT_EQ(ace_cycle_classes_pins_create(&run.twin), ACE_OK);
    ASSERT_EQ(ace_cycle_classes_pins_create(&run.timing), ACE_OK);
    Environment environment(mix);
    run.go(environment, 20000, mix.resets);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    EXPECT_GT(run.skipped, 1000u);
    EXPECT_GT(environment.together, 2u);
    EXPECT_EQ(environment.starved > 100, mix.busy < 1000);
    EXPECT_EQ(ace_cycle_classes_sum(&run.twin->classes), run.since_reset);
}

INSTANTIATE_TEST_SUITE_P(Mixes, CycleClasses, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
