// SPDX-License-Identifier: Apache-2.0
/*
 * The calibrated node beside the exact one, with parameters as they are before any fit: where its form
 * lacks a mechanism of the engine, it is off by more than any parameter mends.
 */
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

extern "C" {
#include "exit_status.h"
#include "experiment.h"
}

namespace {

/* Each collective's error, of what the exact node takes. */
void errors(const char *text, double to[EXPERIMENT_WORKS]) {
    experiment e;
    run_setup s;
    uint64_t exact[EXPERIMENT_WORKS];
    double form[EXPERIMENT_WORKS];
    const flow_parameters p = flow_parameters_initial();

    ASSERT_TRUE(experiment_parse(text, &e)) << text;
    ASSERT_EQ(experiment_setup(&e, "workloads/clusters/torus-4x4x4.yaml", "cycle", &s), EXIT_OK);
    ASSERT_EQ(experiment_run(&e, &s, exact), EXIT_OK);
    ASSERT_TRUE(experiment_model(&e, &s, &p, form));
    for (unsigned i = 0; i < e.works; i++)
        to[i] = std::abs(form[i] / static_cast<double>(exact[i]) - 1);
    run_setup_free(&s);
}

/* While 64 chunks are in flight the dispatcher holds the next one, and takes no command: an all-to-all
 * of a few rows begins when the first chunk is stored, whenever it was handed over. */
TEST(Calibrated, CommandsAreTakenBetweenChunks) {
    for (const char *text : { "all-reduce:6000000:xyz@0+all-to-all:780:x@4500",
                              "all-reduce:6000000:xyz@0+all-to-all:780:yz@7000",
                              "all-reduce:6000000:xyz@0+all-to-all:780:xyz@9000" }) {
        double error[EXPERIMENT_WORKS];
        errors(text, error);
        EXPECT_LT(error[1], 0.25) << text;
    }
}

} // namespace
