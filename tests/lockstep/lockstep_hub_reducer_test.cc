/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_hub_reducer.v against cmodel/nic/ace_hub_reducer.c, cycle by cycle; and sums of integers
 * against those that are added up here.
 *
 * Verilated: Vace_hub_reducer (the defaults: four ports) and Vace_hub_reducer_small (PORTS=3
 * CONTEXTS=2 ROWS=4 TYPES=65 OPS=5: FP32 and INT32; sum and minimum).
 */
#include "hub_reducer_traffic.h"

namespace {

class HubReducer : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(HubReducer, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const ace_rtl_hub_parameters &of = sets[set];
    Lockstep<hub_reducer_unit> run(set, mix.offer * 1001 + mix.hold);
    for (ace_hub_reducer **to : { &run.twin, &run.timing }) {
        ASSERT_EQ(ace_hub_reducer_create(of.ports, of.contexts, of.rows, to == &run.twin, to),
                  ACE_OK);
        (*to)->types = of.types;
        (*to)->ops = of.ops;
    }
    Environment environment(mix, of, mix.hold == 100 ? of.ports - 1 : of.ports);
    run.go(environment, 20000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.taken, 100u);
    EXPECT_GT(environment.sums, 30u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (mix.unfit) {
        EXPECT_GT(environment.unfits, 30u);
        EXPECT_GT(environment.tellings, 20u);
    } else if (!mix.wrong) {
        EXPECT_GT(environment.compared, 10u);
        EXPECT_EQ(environment.mismatches + environment.refusals, 0u);
        EXPECT_EQ(environment.tellings, 0u);
    } else {
        EXPECT_GT(environment.mismatches, 10u);
        EXPECT_GT(environment.refusals, 10u);
    }
    if (name == "stream" && set == 0) EXPECT_GT(environment.sums, 18000u); /* nearly one a cycle */
    if (name == "held") EXPECT_GT(environment.refused, 200u);
    if (name == "sparse") EXPECT_GT(run.skipped, 500u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, HubReducer,
                         testing::Combine(testing::Range(0u, 2u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

} // namespace
