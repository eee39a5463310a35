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
void errors(const char *text, double to[EXPERIMENT_WORKS],
            const char *cluster = "workloads/clusters/torus-4x4x4.yaml") {
    experiment e;
    run_setup s;
    uint64_t exact[EXPERIMENT_WORKS];
    double form[EXPERIMENT_WORKS];
    const flow_parameters p = flow_parameters_initial();

    ASSERT_TRUE(experiment_parse(text, &e)) << text;
    ASSERT_EQ(experiment_setup(&e, cluster, "cycle", &s), EXIT_OK);
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

/* The memory answers in order: an all-to-all's first row comes behind all bursts that loads have
 * asked for, of which 16 are under way. */
TEST(Calibrated, FirstRowsOfAnAllToAllWaitBehindLoads) {
    for (const char *text : { "reduce-scatter:8119352:xyz@0+all-to-all:5544:x@12500",
                              "all-reduce:9797823:xy@0+all-to-all:8589:y@9124 chunk=73728" }) {
        double error[EXPERIMENT_WORKS];
        errors(text, error);
        EXPECT_LT(error[1], 0.1) << text;
    }
}

/* An all-to-all's rows come to z over y.  They fill y at once and z only after a while: rows of chunks
 * that want z before still pass.  Those that want y, or come later, wait for the all-to-all's end. */
TEST(Calibrated, RowsPassWhereAnAllToAllHasNotComeYet) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:1543:xyz@0+all-to-all:4600000:xyz@4224", error);
    EXPECT_LT(error[0], 0.25);
    errors("all-reduce:1543:xyz@0+all-to-all:4600000:xyz@2000", error);
    EXPECT_LT(error[0], 0.1);
    errors("all-to-all:2000000:xyz@0+all-reduce:2000:z@5000", error);
    EXPECT_LT(error[1], 0.1);
}

/* Two collectives whose phases on y are different ones share its links about evenly. */
TEST(Calibrated, PhasesShareALink) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:107687:z@0+reduce-scatter:374907:yz@17550+all-reduce:3485519:xyz@18830",
           error);
    EXPECT_LT(error[1], 0.15);
    EXPECT_LT(error[2], 0.1);
}

const char *const small = "workloads/clusters/torus-4x2x2.yaml";

/* The memory answers in order: 128 rows that an all-to-all has asked for at once come behind the bursts that
 * loads have asked for until then, and the next 128 behind those asked for meanwhile. */
TEST(Calibrated, LoadsAndAnAllToAllTakeTurnsAtTheMemory) {
    double error[EXPERIMENT_WORKS];

    errors("reduce-scatter:849220:xyz@0+all-to-all:67491:xz@662", error, small);
    EXPECT_LT(error[1], 0.05);
    errors("all-reduce:2144217:xyz@0+reduce-scatter:4092732:xyz@8463+all-to-all:2229392:xyz@11453",
           error, small);
    EXPECT_LT(error[0], 0.05);
    EXPECT_LT(error[2], 0.05);
}

/* Stores that share the memory with what an all-to-all writes empty none of its queues: a collective
 * that comes later waits behind its rows. */
TEST(Calibrated, StoresLeaveAnAllToAllsQueuesFull) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:111327:xyz@0+all-to-all:1954048:xyz@4551+all-reduce:607:xyz@7788", error,
           small);
    EXPECT_LT(error[2], 0.08);
}

/* Of the writes an all-to-all has 8 rows, which wait in its places, for each burst of 16 that is stored. */
TEST(Calibrated, StoresHaveABurstForEightRowsOfAnAllToAll) {
    double error[EXPERIMENT_WORKS];

    errors("all-gather:16670039:xyz@0+all-to-all:5885899:xyz@3414", error, small);
    EXPECT_LT(error[0], 0.03);
    EXPECT_LT(error[1], 0.03);
}

/* While the buffers behind the links have room an all-to-all is sent as fast as links go, whatever is stored
 * meanwhile: so it fills them, the chunks wait, and soon nothing is stored beside it. */
TEST(Calibrated, AnAllToAllFillsLinksBeforeItWaitsForStores) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:5148384:xyz@0+all-gather:2022956:x@18091+all-to-all:5337809:xyz@26257",
           error, small);
    for (const double e : error) EXPECT_LT(e, 0.08);
}

/* The second of two begins when the first is over at its node. */
TEST(Calibrated, OneAllToAllAtATime) {
    double error[EXPERIMENT_WORKS];

    errors("all-to-all:548:xyz@0+all-to-all:23389:y@477", error, small);
    EXPECT_LT(error[1], 0.05);
}

/* Of a phase's chunks those that together fill the link go on alike, and none of them is left behind. */
TEST(Calibrated, TheOldestChunksShareALinkAlike) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:8000000:xy@0 memory=201", error, small);
    EXPECT_LT(error[0], 0.03);
}

} // namespace
