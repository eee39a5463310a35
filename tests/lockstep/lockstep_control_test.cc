/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_control.v against cmodel/twin/ace_control.c, cycle by cycle, under random register
 * traffic.
 *
 * Verilated: Vace_control (defaults), Vace_control_small (COMPLETIONS=2 DRAIN_LIMIT=100, some types
 * and operations) and Vace_control_four (DIMENSIONS=4 TRIGGERS=16, all operations). The last two
 * have formats on the wire and the registers that turn bits over.
 */
#include "ace_host.h"
#include "control_traffic.h"

namespace {

constexpr const char *set_names[] = { "", "_small", "_four" };

class Control : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Control, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const unsigned completions = set == 1 ? ACE_RTL_SMALL_COMPLETIONS : ACE_CONTROL_COMPLETIONS;
    ace_parameters parameters = ACE_PARAMETERS_DEFAULT;
    parameters.dimensions = set == 2 ? 4 : 3;
    parameters.wire_formats = set != 0;
    if (set == 2) parameters.alu_ops = 31;
    if (set == 1)
        parameters.peers = 64, parameters.alu_types = 41,
        parameters.alu_ops = 21; /* as unit_models.txt has them */
    Lockstep<control_unit> run(set, mix.take + mix.fault);
    const unsigned triggers_of[] = { ACE_TRIGGER_SLOTS, ACE_RTL_SMALL_TRIGGERS,
                                     ACE_RTL_FOUR_TRIGGERS };
    const unsigned triggers = triggers_of[set];
    for (ace_control **twin : { &run.twin, &run.timing })
        ASSERT_EQ(ace_control_create(&parameters, completions, triggers, set != 0, twin), ACE_OK);
    if (set == 1)
        run.twin->trigger.drain_limit = run.timing->trigger.drain_limit =
            ACE_RTL_SMALL_CONTROL_DRAIN;
    Environment environment(mix);
    environment.software.dimensions = parameters.dimensions;
    environment.software.slots = triggers;
    const std::string name = mix.name;
    const uint64_t faults = set == 2 ? 3000000 : 1500000; /* of each of 16 slots */
    run.go(environment, name == "faults" ? faults : 800000, mix.resets);
    EXPECT_GT(environment.commands, mix.offer < 500 ? 10u : 50u);
    EXPECT_GT(environment.refused, 20u);
    EXPECT_GT(environment.interrupts, 100u);
    if (mix.drain > 300) EXPECT_GT(environment.flags, 5u);
    EXPECT_GT(environment.selected, 10u);
    if (name == "full_rate") EXPECT_GT(environment.codes.size(), 8u); /* refusals, above all */
    if (name == "faults")
        for (unsigned code :
             { ACE_CODE_FAILED, ACE_CODE_READ_ERROR, ACE_CODE_WRITE_ERROR, ACE_CODE_WATCHDOG,
               ACE_CODE_MISMATCH, ACE_CODE_SCRATCHPAD_ERROR, ACE_CODE_BAD_REMOTE, ACE_CODE_BAD_LIST,
               ACE_CODE_PARITY_ERROR, ACE_CODE_MEMORY_PROTOCOL, ACE_CODE_MEMORY_LOST,
               ACE_CODE_LINK_FAILED, ACE_CODE_LINK_ENDED })
            EXPECT_TRUE(environment.codes.count(code)) << ace_code_text(code);
    if (name == "faults" && set == 1) EXPECT_GT(environment.flag_deaths, 2u);
    if (set == 0) EXPECT_EQ(environment.upsets, 0u);
    if (mix.offer > 500 && set) EXPECT_GT(environment.upsets, 50u);
    EXPECT_GT(environment.unprivileged, 20u);
    EXPECT_FALSE(environment.wrong) << "an access that is not privileged was not refused";
    if (name == "slow_master") EXPECT_GT(environment.data_first, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Control,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
