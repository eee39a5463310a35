/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_agreement.v against cmodel/nic/ace_agreement.c, cycle by cycle.
 *
 * Verilated: Vace_agreement (defaults), Vace_agreement_small (COMMANDS=2) and
 * Vace_agreement_four (DIMENSIONS=4 COMMANDS=256).
 */
#include "agreement_traffic.h"

namespace {

constexpr const char *set_names[] = { "", "_small", "_four" };

class Agreement : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Agreement, EqualsTwin) {
    const unsigned set = std::get<0>(GetParam());
    Mix mix = std::get<1>(GetParam());
    if (set == 2) mix.of = with_fourth(mix.of);
    const unsigned commands_of[] = { 64, ACE_RTL_SMALL_COMMANDS, ACE_RTL_FOUR_COMMANDS };
    const unsigned commands = commands_of[set];
    const unsigned dimensions = dimensions_of(mix.of);
    Lockstep<agreement_unit> run(set, mix.offer * 1000 + mix.say + mix.choose);
    ASSERT_EQ(ace_agreement_pins_create(dimensions, commands, &run.twin), ACE_OK);
    ASSERT_EQ(ace_agreement_pins_create(dimensions, commands, &run.timing), ACE_OK);
    Environment e(mix, commands, run.random.next());
    run.go(e, 120000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(e.wrong, 0u) << "a rule of the contract: commands, numbers, results or choices";
    EXPECT_GT(run.resets, 0u);
    EXPECT_GT(e.taken, 60u);
    EXPECT_GT(e.given, 40u);
    EXPECT_GT(e.chunks, 60u);
    EXPECT_GT(e.ahead, 20u);
    if (name == "saturated") EXPECT_GT(e.full, 10000u);
    if (name == "others_have_none") EXPECT_GT(e.nothing, 100u);
    if (name == "many_commands" && set != 1) EXPECT_GT(e.most, 20u);
    if (name == "all_at_once" && set == 2) EXPECT_EQ(e.most, 255u);
    if (name == "few_commands") EXPECT_GT(run.skipped, 1000u);
    if (name == "long_chunks") EXPECT_GT(e.empty, 20u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Agreement,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
