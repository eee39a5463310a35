// SPDX-License-Identifier: Apache-2.0
/*
 * Compares the calibrated node with the exact one, with parameters as they are before any fit. If
 * its form lacks a mechanism of the engine, the error is larger than any parameter could correct.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

extern "C" {
#include "ace_composition.h"
#include "calibrated_rung.h"
#include "cluster.h"
#include "cluster_file.h"
#include "exit_status.h"
#include "experiment.h"
#include "fabric.h"
#include "setup_fields.h"
}

namespace {

const char *const small = "workloads/clusters/torus-4x2x2.yaml";

/* The cycles of each collective on the exact node and in the form. */
void cycles_of(const char *text, const char *cluster, double exact[EXPERIMENT_WORKS],
               double form[EXPERIMENT_WORKS],
               const flow_parameters &p = flow_parameters_initial()) {
    experiment e;
    setup s;
    uint64_t cycles[EXPERIMENT_WORKS];

    ASSERT_TRUE(experiment_parse(text, &e)) << text;
    ASSERT_EQ(experiment_setup(&e, cluster, "cycle", &s), EXIT_OK);
    ASSERT_EQ(experiment_run(&e, &s.machine, &s.execution, cycles), EXIT_OK);
    ASSERT_TRUE(experiment_model(&e, &s.machine, &p, form));
    for (unsigned i = 0; i < EXPERIMENT_WORKS; i++) exact[i] = static_cast<double>(cycles[i]);
    machine_free(&s.machine);
}

/* Each collective's error, of what the exact node takes. */
void errors(const char *text, double to[EXPERIMENT_WORKS],
            const char *cluster = "workloads/clusters/torus-4x4x4.yaml",
            const flow_parameters &p = flow_parameters_initial()) {
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    cycles_of(text, cluster, exact, form, p);
    for (unsigned i = 0; i < EXPERIMENT_WORKS && exact[i] > 0; i++)
        to[i] = std::abs(form[i] / exact[i] - 1);
}

std::string direct_then_ring() {
    std::string file = testing::TempDir() + "calibrated_direct.yaml";

    std::ofstream(file)
        << "topology: FullyConnected(8)_Ring(4)\nlink_efficiency: 0.94\nlinks:\n"
           "  x: {bandwidth: 200 GB/s, latency: 90}\n  y: {bandwidth: 25 GB/s, latency: 500}\n";
    return file;
}

/* The parameters that a chunk alone has on `direct_then_ring()`: a shard of x begins 220 cycles
 * after the one before, and the rows' cycles on the direct link later. */
flow_parameters of_one_chunk() {
    flow_parameters p = flow_parameters_initial();

    p.meet[0] = 17;
    p.meet[1] = 18;
    p.reduce_hop[0] = p.store_hop[0] = 31.4;
    p.reduce_hop[1] = 35;
    p.store_hop[1] = 31;
    return p;
}

/* While 64 chunks are in flight the dispatcher holds the next one, and takes no command. An
 * all-to-all of a few rows therefore begins when the first chunk is stored, whenever it was
 * issued. */
TEST(Calibrated, CommandsAreTakenBetweenChunks) {
    for (const char *text : { "all-reduce:6000000:xyz@0+all-to-all:780:x@4500",
                              "all-reduce:6000000:xyz@0+all-to-all:780:yz@7000",
                              "all-reduce:6000000:xyz@0+all-to-all:780:xyz@9000" }) {
        double error[EXPERIMENT_WORKS];
        errors(text, error);
        EXPECT_LT(error[1], 0.25) << text;
    }
}

/* A command enters the dispatcher for 2 cycles a dimension and 3 more, and a command that is there
 * by then goes before the plan.  So of two commands up to 9 cycles apart LIFO begins with the
 * second one, and 10 cycles apart with the first. */
TEST(Calibrated, LifoBeginsWithTheNewestOfCommandsAFewCyclesApart) {
    for (const char *first : { "all-gather:520192:xyz@0", "all-reduce:300000:x@0" })
        for (const unsigned apart : { 0, 1, 5, 9, 10, 11, 30 }) {
            const std::string text =
                std::string(first) + "+reduce-scatter:20480:x@" + std::to_string(apart);
            double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

            cycles_of(text.c_str(), "workloads/clusters/torus-4x4x4.yaml", exact, form);
            EXPECT_EQ(exact[1] < 2000, apart < 10) << text;
            EXPECT_NEAR(form[1] / exact[1], 1, 0.1) << text;
            EXPECT_NEAR(form[0] / exact[0], 1, 0.1) << text;
        }
    /* A third one enters behind the second, and goes first. */
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    cycles_of("all-gather:520192:xyz@0+all-reduce:100000:x@5+reduce-scatter:20480:x@17",
              "workloads/clusters/torus-4x4x4.yaml", exact, form);
    for (unsigned i = 0; i < EXPERIMENT_WORKS; i++) EXPECT_NEAR(form[i] / exact[i], 1, 0.1) << i;
}

/* During an all-to-all that fills y and z, a small collective either passes or waits. A start a few
 * cycles later changes this. The range must include both cases, and must be no wider than necessary
 * if no case changes. */
TEST(Calibrated, ARangeHasWhatAFewCyclesTurn) {
    const flow_parameters p = flow_parameters_initial();
    const auto range = [&p](const std::string &text, double low[], double high[], double exact[]) {
        experiment e;
        setup s;
        uint64_t cycles[EXPERIMENT_WORKS];

        ASSERT_TRUE(experiment_parse(text.c_str(), &e)) << text;
        ASSERT_EQ(experiment_setup(&e, "workloads/clusters/torus-4x4x4.yaml", "cycle", &s),
                  EXIT_OK);
        ASSERT_EQ(experiment_run(&e, &s.machine, &s.execution, cycles), EXIT_OK);
        ASSERT_TRUE(experiment_range(&e, &s.machine, &p, low, high));
        for (unsigned i = 0; i < e.works; i++) exact[i] = static_cast<double>(cycles[i]);
        machine_free(&s.machine);
    };
    double low[EXPERIMENT_WORKS], high[EXPERIMENT_WORKS], exact[EXPERIMENT_WORKS];
    double least = 1e9, most = 0;

    for (const unsigned start : { 2000, 3000, 4000, 4224 }) {
        range("all-reduce:1543:xyz@0+all-to-all:4600000:xyz@" + std::to_string(start), low, high,
              exact);
        EXPECT_LE(low[0], 1.1 * exact[0]) << start;
        EXPECT_GE(high[0], exact[0] / 1.1) << start;
        least = std::min(least, exact[0]);
        most = std::max(most, exact[0]);
    }
    EXPECT_GT(most, 5 * least);
    for (const char *text : { "all-reduce:300000:xyz@0+all-gather:1000000:xyz@5000",
                              "all-to-all:300000:x@0+all-gather:300000:x@1000" }) {
        range(text, low, high, exact);
        for (unsigned i = 0; i < 2; i++) EXPECT_LT(high[i], 1.25 * low[i]) << text;
    }
    range("all-reduce:1000000:xyz@0", low, high, exact);
    EXPECT_EQ(low[0], high[0]);
    /* y and z are in the same phase. A chunk of z that begins while one of y stalls has z to
     * itself. */
    range("all-reduce:4000000:y@0+all-reduce:108096:z@8 chunk=28672", low, high, exact);
    EXPECT_GT(high[1], 1.25 * low[1]);
    EXPECT_LE(low[1], 1.05 * exact[1]);
    EXPECT_GE(high[1], exact[1] / 1.05);
}

/* A few cycles also decide whether loads or an all-to-all request memory first. Started 10 cycles
 * later, the second all-to-all takes a third longer than the first. */
TEST(Calibrated, ARangeHasLoadsBeforeAndBehindAnAllToAll) {
    const flow_parameters p = flow_parameters_initial();
    const std::string behind = "all-reduce:389788:xyz@0+all-to-all:45244:y@",
                      hub = "all-to-all:5180:xy@0+all-reduce:723240:xy@4+all-to-all:228376:y@9",
                      file = direct_then_ring();
    const auto has = [&p](const std::string &text, unsigned work, const std::string &cluster) {
        experiment e;
        setup s;
        uint64_t cycles[EXPERIMENT_WORKS];
        double low[EXPERIMENT_WORKS], high[EXPERIMENT_WORKS];

        ASSERT_TRUE(experiment_parse(text.c_str(), &e)) << text;
        ASSERT_EQ(experiment_setup(&e, cluster.c_str(), "cycle", &s), EXIT_OK);
        ASSERT_EQ(experiment_run(&e, &s.machine, &s.execution, cycles), EXIT_OK);
        ASSERT_TRUE(experiment_range(&e, &s.machine, &p, low, high));
        machine_free(&s.machine);
        EXPECT_LE(low[work], 1.05 * static_cast<double>(cycles[work])) << text;
        EXPECT_GE(high[work], static_cast<double>(cycles[work]) / 1.05) << text;
        EXPECT_GT(high[work], 1.25 * low[work]) << text;
    };

    has(behind + "1+reduce-scatter:1252660:xyz@6 memory=85", 1, small);
    has(behind + "11+reduce-scatter:1252660:xyz@16 memory=85", 1, small);
    has("reduce-scatter:5688:xyz@0+all-to-all:132760:xyz@14065+all-gather:5933388:y@14578", 1,
        small);
    has(hub, 0, file);
    /* While loads keep an all-to-all from reading, its queues are nearly empty. Chunks pass if they
     * become empty, and in the engine they do not here. */
    for (const unsigned work : { 1, 2 })
        has("all-to-all:1419340:z@0+all-gather:13324:xyz@6150+reduce-scatter:70596:xy@8808", work,
            small);
}

/* Shards of 41 rows are stored a row at a time, 16 under way: two turns of the memory's latency,
 * and nine rows of a third. */
TEST(Calibrated, BurstsOfARowTakeTurns) {
    double exact[2] = { 0 }, form[2] = { 0 }, ends[EXPERIMENT_WORKS] = { 0 },
           model[EXPERIMENT_WORKS] = { 0 };
    const char *texts[] = { "reduce-scatter:40960:x@0", "reduce-scatter:40988:x@0" };

    for (unsigned i = 0; i < 2; i++) {
        cycles_of(texts[i], small, ends, model);
        exact[i] = ends[0];
        form[i] = model[0];
    }
    EXPECT_GT(exact[1] - exact[0], 2 * 200 - 40 * 2.5); /* 40 rows, 2.5 cycles each, in the first */
    EXPECT_NEAR(form[1] - form[0], exact[1] - exact[0], 20);
}

/* An all-to-all has 128 reads of the memory in flight, each for the memory's latency and some
 * cycles. If its links and the memory are faster, these requests are the bound, whatever the
 * memory's bandwidth. */
TEST(Calibrated, AnAllToAllWaitsForItsOwnRequests) {
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    for (const char *text :
         { "all-to-all:262144:x@0 memory=200", "all-to-all:4194304:x@0 memory=250",
           "all-to-all:4194304:x@0 memory=310" })
        for (const char *cluster : { "workloads/clusters/torus-4x4x4.yaml", small }) {
            cycles_of(text, cluster, exact, form);
            EXPECT_NEAR(form[0] / exact[0], 1, 0.03) << text << " " << cluster;
        }
    /* the closed form: 128 rows in each latency of 200 cycles, and the start and the end */
    EXPECT_GT(exact[0], 4194304 / 256 * 200 / 128);
    EXPECT_LT(exact[0], 4194304 / 256 * 200 / 128 + 1000);
}

/* Returns the cycles of the collective beyond its row's cycles on the busiest link, in the engine
 * and in the form. */
std::array<double, 2> beyond_link(const std::string &dims, unsigned rows, double cycles_a_row,
                                  const char *cluster, const flow_parameters &p) {
    const std::string text = "all-to-all:" + std::to_string(rows * 256) + ":" + dims + "@0";
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    cycles_of(text.c_str(), cluster, exact, form, p);
    return { exact[0] - rows * cycles_a_row, form[0] - rows * cycles_a_row };
}

const double slow_row = 256 / (25 * 0.94) * 1.245; /* cycles of a row on a link of 25 GB/s */

/* Rows that turn from x to y wait in buffers of 128 rows.  Once these are full about a quarter of a
 * buffer's time on y is lost, however many rows come.  Where fewer rows come, or y alone is used,
 * nothing is. */
TEST(Calibrated, BuffersBeforeATurnCostAnAllToAllTheSameOnceTheyAreFull) {
    flow_parameters p = flow_parameters_initial();
    const double buffer = 128 * slow_row;

    for (const char *dims : { "xy", "xyz" }) {
        const auto at = [&](unsigned rows) { /* a quarter of the rows go over each link of y */
                                             return beyond_link(dims, rows, slow_row / 4, small, p);
        };
        for (unsigned d = 0; d < 4; d++) p.exchange_turn[d] = 0.25;
        const auto few = at(480), full = at(2048), many = at(8192);

        EXPECT_NEAR((full[0] - few[0]) / buffer, 0.25, 0.08) << dims;
        EXPECT_NEAR((full[1] - few[1]) / buffer, 0.25, 0.02) << dims;
        EXPECT_NEAR(full[0], many[0], 0.02 * buffer) << dims;
        EXPECT_NEAR(full[1], many[1], 0.02 * buffer) << dims;
        /* in between the loss is between, and no step */
        EXPECT_NEAR(at(960)[1] - few[1], at(960)[0] - few[0], 0.16 * buffer) << dims;
    }
    EXPECT_NEAR(beyond_link("y", 8192, slow_row / 4, small, p)[1],
                beyond_link("y", 480, slow_row / 4, small, p)[1], 0.03 * buffer);
}

/* On a ring of two, the memory's pace decides how often first rows want one link: some 1,300 rows
 * lose nothing or all. The form has the middle, with which no memory is far off. */
TEST(Calibrated, RowsThatTurnToARingOfTwoLoseTheMiddle) {
    flow_parameters p = flow_parameters_initial();
    double least = 0, most = 0;

    for (double &turn : p.exchange_turn) turn = 0.2;
    for (const char *text :
         { "all-to-all:280000:xyz@0 memory=181", "all-to-all:300000:xyz@0",
           "all-to-all:320000:xyz@0 memory=181", "all-to-all:220000:xyz@0 memory=217",
           "all-to-all:250000:xyz@0 memory=154" }) {
        double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

        cycles_of(text, small, exact, form, p);
        least = std::min(least, form[0] / exact[0] - 1);
        most = std::max(most, form[0] / exact[0] - 1);
    }
    EXPECT_LT(most, 0.07);
    EXPECT_GT(least, -0.05);
}

/* A hub goes on to take rows that turn to y, and y sends a twentieth slower from then on. */
TEST(Calibrated, RowsThatTurnFromAHubSlowTheLinkDown) {
    const std::string file = direct_then_ring();
    flow_parameters p = flow_parameters_initial();
    const auto at = [&](unsigned rows) { /* of a ring of four, half of the rows */
                                         return beyond_link("xy", rows, slow_row / 2, file.c_str(),
                                                            p);
    };

    p.exchange_turn[1] = 0.055;
    const auto few = at(1024), many = at(8192), most = at(16384);
    for (unsigned form = 0; form < 2; form++) {
        EXPECT_NEAR((most[form] - many[form]) / (8192 * slow_row / 2), 0.055, 0.01) << form;
        EXPECT_LT(many[form] - few[form], 0.06 * 8192 * slow_row / 2) << form;
    }
}

/* Directly connected, a chunk's shard has all of the link to a peer.  A row takes that link three
 * and a half times as long as the port, which has seven peers.  Seven shards come one behind the
 * other, and the memory's rows beside them. */
TEST(Calibrated, AShardHasAllOfADirectLink) {
    const std::string file = direct_then_ring();
    const double row = 256 / (200 * 0.94) * 1.245, memory = 256 / 128.0 * 1.245;
    double exact[2][EXPERIMENT_WORKS] = { { 0 } }, form[2][EXPERIMENT_WORKS] = { { 0 } };

    for (unsigned i = 0; i < 2; i++) /* shards of 8 and of 32 rows */
        cycles_of(i ? "reduce-scatter:65536:x@0" : "reduce-scatter:16384:x@0", file.c_str(),
                  exact[i], form[i]);
    const double expected = 24 * (7 * row * 7 / 2 + 8 * memory + memory);

    EXPECT_NEAR(exact[1][0] - exact[0][0], expected, 0.03 * expected);
    EXPECT_NEAR(form[1][0] - form[0][0], expected, 0.03 * expected);
}

/* Many chunks at a time, of both ports, wait for each other on the links to their peers. */
TEST(Calibrated, ChunksWaitForEachOtherOnDirectLinks) {
    const std::string file = direct_then_ring();

    for (const char *text :
         { "all-reduce:1048576:x@0 memory=250", "all-reduce:4194304:x@0 memory=250",
           "all-reduce:4194304:x@0 chunk=116992", "reduce-scatter:4194304:x@0 memory=250",
           "all-gather:524288:x@0 chunk=116992" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, file.c_str());
        EXPECT_LT(error[0], 0.06) << text;
    }
}

/* At a hub a chunk sends one shard after the other, with a pause between. Chunks that are few in
 * the scratchpad do not fill each other's pauses, and the pattern of pauses decides. The same is
 * true on a ring of two, where the second shard waits for the first. */
TEST(Calibrated, ShardsGoOneByOne) {
    const std::string hub = testing::TempDir() + "calibrated_hub.yaml";

    std::ofstream(hub)
        << "topology: Ring(4)_Switch(8)\nlink_efficiency: 0.94\nlinks:\n"
           "  x: {bandwidth: 200 GB/s, latency: 90}\n  y: {bandwidth: 25 GB/s, latency: 500}\n";
    for (const auto &[text, file] : std::vector<std::pair<const char *, std::string>>{
             { "reduce-scatter:2276708:y@0 chunk=65280", hub },
             { "all-reduce:3517496:y@0 chunk=81152", hub },
             { "all-gather:11115840:y@0 memory=253", hub },
             { "all-gather:1493408:y@0", hub },
             { "all-reduce:165748:xyz@0 memory=236", small },
             { "all-reduce:150600:xyz@0 memory=199", small } }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, file.c_str());
        EXPECT_LT(error[0], 0.035) << text;
    }
}

/* Rows that turn from a hub to y all wait for the upper link of y first, and for the lower one in
 * the second half. So a chunk of the lower link passes at the beginning, and a chunk of the upper
 * link in the middle. When exactly the links change over is uncertain, and the range shows it. */
TEST(Calibrated, OneLinkBehindAHubIsFullAtATime) {
    const std::string file = direct_then_ring(), all = "all-to-all:2800000:xy@";
    const flow_parameters p = flow_parameters_initial();
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 },
           low[EXPERIMENT_WORKS] = { 0 }, high[EXPERIMENT_WORKS] = { 0 };
    experiment e;
    setup s;

    const std::string up = all + "0+all-gather:2912:y@2000";
    cycles_of(up.c_str(), file.c_str(), exact, form);
    for (const double *of : { exact, form }) {
        EXPECT_GT(of[1], 0.3 * of[0]);
        EXPECT_LT(of[1], 0.8 * of[0]);
    }
    ASSERT_TRUE(experiment_parse(up.c_str(), &e));
    ASSERT_EQ(experiment_setup(&e, file.c_str(), "cycle", &s), EXIT_OK);
    ASSERT_TRUE(experiment_range(&e, &s.machine, &p, low, high));
    machine_free(&s.machine);
    EXPECT_LT(low[1] * 1.25, form[1]);
    EXPECT_GT(high[1], form[1] * 1.25);
    EXPECT_LT(high[0], low[0] * 1.05); /* the all-to-all itself is certain */

    const std::string down = "all-gather:256:x@0+" + all + "1+all-gather:2912:y@4000";
    cycles_of(down.c_str(), file.c_str(), exact, form);
    for (const double *of : { exact, form }) EXPECT_LT(of[2], 0.05 * of[1]);
}

/* From a ring the first rows want the lower link of y all the time. A chunk of the upper link
 * passes, and a chunk of the lower link waits for the end. */
TEST(Calibrated, TheUpperLinkBehindARingPasses) {
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    for (const char *cluster : { "workloads/clusters/torus-4x4x4.yaml", small })
        for (const char *rows : { "900000", "2800000" }) {
            const std::string all = std::string("all-to-all:") + rows + ":xy@";
            const std::string up = all + "0+all-gather:2912:y@2000";
            const std::string down = "all-gather:256:x@0+" + all + "1+all-gather:2912:y@4000";

            cycles_of(up.c_str(), cluster, exact, form);
            for (const double *of : { exact, form }) EXPECT_LT(of[1], 0.3 * of[0]) << up;
            cycles_of(down.c_str(), cluster, exact, form);
            for (const double *of : { exact, form }) EXPECT_GT(of[2] + 4000, 0.95 * of[1]) << down;
            EXPECT_NEAR(form[2], exact[2], 0.03 * exact[2]) << down;
        }
}

/* The last chunk has 55 rows to store, in bursts of one row. Few bursts are under way, so their
 * number limits the rate, and not the share that the all-to-all leaves. */
TEST(Calibrated, BurstsOfARowWaitNoLongerBesideAnAllToAll) {
    const std::string file = direct_then_ring();

    for (const char *text : { "all-to-all:2714032:x@0+reduce-scatter:186400:y@2000",
                              "all-to-all:2714032:x@0+all-gather:186400:y@2000",
                              "all-to-all:2714032:x@0+all-gather:92620:y@2000" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, file.c_str());
        EXPECT_LT(error[0], 0.03) << text;
        EXPECT_LT(error[1], 0.05) << text;
    }
}

/* A bank reads a row a cycle. While it sums it reads two for each row that it sends: three shards
 * of 128 rows then take 2 cycles a row instead of 1.7. An all-gather reads one row. */
TEST(Calibrated, ABankReadsTwoRowsForEachThatItSums) {
    const double row = 256 / (200 * 0.94) * 1.245;
    double exact[2] = { 0 }, form[2] = { 0 };

    for (unsigned i = 0; i < 2; i++) {
        const std::string kind = i ? "all-reduce" : "all-gather";
        double ends[EXPERIMENT_WORKS] = { 0 }, model[EXPERIMENT_WORKS] = { 0 };

        cycles_of((kind + ":131072:x@0 chunk=131072 memory=256").c_str(),
                  "workloads/clusters/torus-4x4x4.yaml", ends, model);
        exact[i] = ends[0];
        form[i] = model[0];
    }
    /* 3 more shards, of which 3 are summed, and 3/4 of the rows more to load */
    const double expected = 128 * (3 * 2 + 3 * row - 3 * row) + 384 * 1.245;

    EXPECT_NEAR(exact[1] - exact[0], expected, 0.1 * expected);
    EXPECT_NEAR(form[1] - form[0], exact[1] - exact[0], 60); /* with one row read: 117 less */
}

/* Stores of even and odd chunks read different banks, and loads go before copied rows while the
 * first phase is nearly empty. With fast memory the banks are the bound. */
TEST(Calibrated, StoresOfEvenAndOddChunksRunTogether) {
    flow_parameters p = flow_parameters_initial();

    p.reduce_hop[0] = p.store_hop[0] = 27; /* of one chunk on x */
    for (const char *text : { "all-reduce:8000000:x@0 chunk=49152 memory=200",
                              "all-reduce:8000000:x@0 chunk=49152 memory=245",
                              "all-reduce:8000000:x@0 chunk=32768 memory=256" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, "workloads/clusters/torus-4x4x4.yaml", p);
        EXPECT_LT(error[0], 0.035) << text;
    }
}

/* Each of two stores reads ahead, so a slow memory takes their bursts in turn. The first chunk then
 * ends late, and its bank has room late. */
TEST(Calibrated, TwoStoresShareASlowMemory) {
    const std::string file = direct_then_ring();

    for (const char *text : { "all-gather:8000000:x@0 chunk=114688 memory=206",
                              "all-gather:4000000:x@0 chunk=117504 memory=206" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, file.c_str());
        EXPECT_LT(error[0], 0.05) << text;
    }
    /* A store that begins later comes behind 32 rows of the other one. So two stores that begin
     * together end apart, and then take turns. If they always ran together, chunks on two rings
     * of two would wait for room 10 % longer. */
    const std::string twos = testing::TempDir() + "calibrated_twos.yaml";
    double error[EXPERIMENT_WORKS] = { 0 };

    std::ofstream(twos) << "topology: 2x4x2x2\nlink_efficiency: 0.94\n";
    errors("all-gather:9060674:zw@0", error, twos.c_str());
    EXPECT_LT(error[0], 0.03);
}

/* A bank that has no cycle for a loaded row lets it wait in the buffers before the scratchpad. The
 * memory goes on meanwhile. If each such cycle were lost, chunks in step would lose some in turn
 * for ever. */
TEST(Calibrated, LoadedRowsWaitForTheirBankInBuffers) {
    for (const char *text :
         { "all-reduce:18948864:xyz@0 memory=178", "all-reduce:18948864:xyz@0 memory=179",
           "all-reduce:18948864:xyz@0 memory=181" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, small);
        EXPECT_LT(error[0], 0.03) << text;
    }
}

/* The second chunk loads 45 or 47 rows in bursts of one. The first chunk's four bursts have four of
 * the 16 slots, which are free later. So the last row's slot is free a trip to the memory later
 * than if all were free at once. */
TEST(Calibrated, BurstsOfARowWaitForTheSlotsOfTheLoadBefore) {
    for (const char *text :
         { "all-gather:111204:x@0 memory=206", "all-gather:111204:x@0 memory=250",
           "all-gather:113000:x@0 memory=250" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error);
        EXPECT_LT(error[0], 0.02) << text;
    }
}

/* Links take turns at the pipe that stores rows. The fast links of x want more of it than there is,
 * and the slow links of y only a little. So y stays full, and not slowed like x. */
TEST(Calibrated, ALinkThatWantsLittleOfAPipeGetsIt) {
    for (const char *text :
         { "all-gather:4000000:xyz@0 memory=251", "all-gather:8000000:xyz@0 memory=256" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error);
        EXPECT_LT(error[0], 0.03) << text;
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

/* An all-to-all's rows come to z over y.  They fill y at once and z only after a while: rows of
 * chunks that want z before still pass.  Those that want y, or come later, wait for the
 * all-to-all's end. */
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

/* Chunks of an all-gather go along x in the phase in which chunks of a reduce-scatter go along y.
 * Their rows wait in one queue. While y is full, a row for x waits behind each row for
 * y. */
TEST(Calibrated, RowsOfAPhaseWaitBehindThoseForAFullLink) {
    const std::string file = direct_then_ring();
    double error[EXPERIMENT_WORKS];

    errors("reduce-scatter:179448:y@0+all-gather:46020:xy@5", error, file.c_str());
    EXPECT_LT(error[0], 0.05);
    EXPECT_LT(error[1], 0.15);
    errors("all-to-all:6592268:xy@0+reduce-scatter:2121700:x@678+reduce-scatter:42776:y@11607",
           error, file.c_str());
    EXPECT_LT(error[1], 0.15);
}

/* The memory answers in order. The 128 rows that an all-to-all requests at once come after the
 * bursts that loads have requested before. The next 128 come after the bursts requested
 * meanwhile. */
TEST(Calibrated, LoadsAndAnAllToAllTakeTurnsAtTheMemory) {
    double error[EXPERIMENT_WORKS];

    errors("reduce-scatter:849220:xyz@0+all-to-all:67491:xz@662", error, small);
    EXPECT_LT(error[1], 0.05);
    errors("all-reduce:2144217:xyz@0+reduce-scatter:4092732:xyz@8463+all-to-all:2229392:xyz@11453",
           error, small);
    EXPECT_LT(error[0], 0.05);
    EXPECT_LT(error[2], 0.05);
}

/* Stores that share the memory with what an all-to-all writes empty none of its queues: a
 * collective that comes later waits behind its rows. */
TEST(Calibrated, StoresLeaveAnAllToAllsQueuesFull) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:111327:xyz@0+all-to-all:1954048:xyz@4551+all-reduce:607:xyz@7788", error,
           small);
    EXPECT_LT(error[2], 0.08);
}

/* An all-to-all writes 8 rows, which wait in its slots, for each burst of 16 that is stored. */
TEST(Calibrated, StoresHaveABurstForEightRowsOfAnAllToAll) {
    double error[EXPERIMENT_WORKS];

    errors("all-gather:16670039:xyz@0+all-to-all:5885899:xyz@3414", error, small);
    EXPECT_LT(error[0], 0.03);
    EXPECT_LT(error[1], 0.03);
}

/* Rows of an all-to-all that the memory does not take fill the slots of the link x, over which most
 * of them come. Rows that wait there to turn to y fill slots as well. From then on the memory's
 * rate limits the all-to-all, and chunks get the rest of the links before the last of the stored
 * ones is done. */
TEST(Calibrated, AnAllToAllIsSentAsTheMemoryLetsItOncePlacesBehindALinkAreFull) {
    for (const char *text :
         { "all-reduce:5148384:xyz@0+all-gather:2022956:x@18091+all-to-all:5337809:xyz@26257",
           "all-reduce:5148384:xyz@0+all-to-all:5337809:xyz@10000",
           "all-reduce:5148384:xyz@0+all-to-all:5337809:xyz@35000" }) {
        double error[EXPERIMENT_WORKS] = { 0 };

        errors(text, error, small);
        for (const double e : error) EXPECT_LT(e, 0.08) << text;
    }
}

/* A switch takes everything that is sent to it, independent of what its ends take. Rows of an
 * all-to-all that the memory does not take wait in the switch, and its links stay full until all
 * rows are sent. An all-gather waits for this. */
TEST(Calibrated, ASwitchTakesWhatTheMemoryDoesNot) {
    const std::string file = testing::TempDir() + "calibrated_switch.yaml";
    double error[EXPERIMENT_WORKS] = { 0 };

    std::ofstream(file) << "topology: Ring(4)_Switch(4)\nlink_efficiency: 0.94\nlinks:\n"
                           "  x: {bandwidth: 200 GB/s, latency: 90}\n"
                           "  y: {bandwidth: 25 GB/s, latency: 500}\n";
    errors("all-gather:3015764:xy@0+all-to-all:3242434:xy@9511 chunk=100608", error, file.c_str());
    EXPECT_LT(error[0], 0.08);
    EXPECT_LT(error[1], 0.12);
}

/* While loads use the memory, an all-to-all leaves links to chunks. After the loads it gets y at
 * once, and the last chunk for y waits until it ends. Its rows reach z over y, so the last chunk
 * for z still passes. */
TEST(Calibrated, AnAllToAllThatWaitedForLoadsHasItsFirstLinkAtOnceAndTheOthersLater) {
    double error[EXPERIMENT_WORKS];

    for (const char *text : { "all-to-all:15791868:xyz@0+all-reduce:1000000:xy@15000",
                              "all-to-all:15791868:xyz@0+all-reduce:2000000:xy@15000",
                              "all-to-all:15791868:xyz@0+all-reduce:1000000:xz@15000",
                              "all-to-all:15791868:xyz@0+all-reduce:2000000:xz@15000" }) {
        errors(text, error, small);
        EXPECT_LT(error[0], 0.02) << text;
        EXPECT_LT(error[1], 0.07) << text;
    }
    /* Nothing kept this one from reading: y fills up as its rows are there, and the all-gather
     * passes before. */
    errors("all-gather:11260:xyz@0+all-to-all:4600000:xyz@3500", error);
    EXPECT_LT(error[0], 0.5);
}

/* Rows to the node halfway round a ring go up, and the odd ones of a block go down. With one row
 * for each node, the links up of a ring of 8 carry 10 steps and the links down 6. With two rows
 * both carry 16. A third row therefore takes longer than a fourth. */
TEST(Calibrated, RowsGoUpAndDownInTurnToWhoIsHalfwayRound) {
    double exact[3][EXPERIMENT_WORKS], form[3][EXPERIMENT_WORKS];

    for (unsigned i = 0; i < 3; i++) {
        const std::string text = "all-to-all:" + std::to_string((2 + i) * 32768) + ":xyz@0";
        cycles_of(text.c_str(), "workloads/clusters/torus-4x8x4.yaml", exact[i], form[i]);
    }
    for (unsigned i = 1; i < 3; i++)
        EXPECT_NEAR((form[i][0] - form[i - 1][0]) / (exact[i][0] - exact[i - 1][0]), 1, 0.1);
}

/* The second of two begins when the first is over at its node. */
TEST(Calibrated, OneAllToAllAtATime) {
    double error[EXPERIMENT_WORKS];

    errors("all-to-all:548:xyz@0+all-to-all:23389:y@477", error, small);
    EXPECT_LT(error[1], 0.05);
}

/* Chunks of a phase that together fill the link progress equally, and none is left behind. */
TEST(Calibrated, TheOldestChunksShareALinkAlike) {
    double error[EXPERIMENT_WORKS];

    errors("all-reduce:8000000:xy@0 memory=201", error, small);
    EXPECT_LT(error[0], 0.03);
}

/* The clock of a double has steps: of 4e-6 cycles from 2^34 on, where a long iteration comes to,
 * and 2e-4 from 2^40. Work of less than a step is over; else a node would come to the same cycle
 * again and again.  What fell on one cycle at first may be a step apart later: that is some more
 * events, and no more. */
TEST(Calibrated, LateCollectivesTakeNoMoreEvents) {
    experiment e;
    setup s;
    const flow_parameters p = flow_parameters_initial();

    ASSERT_TRUE(experiment_parse("all-reduce:6000000:x@0", &e));
    ASSERT_EQ(experiment_setup(&e, small, "cycle", &s), EXIT_OK);
    chunk_flow_setup setup = calibrated_rung_form(&s.machine, &s.machine.config, &p);
    setup.own = FLOW_ALONE;
    const auto run = [&setup](unsigned works, uint64_t from, uint64_t *cycles) {
        chunk_flow *f = chunk_flow_create(&setup);
        const ace_kind kinds[] = { ACE_ALL_REDUCE, ACE_ALL_TO_ALL, ACE_REDUCE_SCATTER,
                                   ACE_ALL_GATHER, ACE_ALL_TO_ALL };
        ace_completion done{};

        for (unsigned k = 0; k < works; k++) {
            const uint8_t dims = k < 4 ? 3 : 1;
            ace_command c{};
            c.kind = kinds[k];
            c.bytes = 3000001 + 777 * k;
            c.destination = 1 << 24;
            for (uint8_t d = 0; d < dims; d++) c.dims[c.dim_count++] = (d + k) % dims;
            EXPECT_EQ(chunk_flow_submit(f, &c, from), ACE_OK);
        }
        while (chunk_flow_next(f) != UINT64_MAX) {
            chunk_flow_run(f, chunk_flow_next(f) + 1);
            while (chunk_flow_completion(f, &done)) *cycles = done.cycle - from;
        }
        const uint64_t events = chunk_flow_events(f);
        chunk_flow_destroy(f);
        return static_cast<double>(events);
    };
    /* With the fifth, an all-to-all on x beside stores, rows are still to be written when its links
     * have sent the last. From some cycles on what fell on one cycle is a step apart, and the end
     * up to 220 cycles of 118,700 off. */
    for (const unsigned works : { 4, 5 }) {
        uint64_t soon = 0;
        const double events = run(works, 0, &soon);
        for (const unsigned power : { 33, 34, 36, 38, 40, 42 }) {
            uint64_t late = 0;

            EXPECT_NEAR(run(works, UINT64_C(1) << power, &late), events, 0.25 * events) << power;
            EXPECT_NEAR(static_cast<double>(late), static_cast<double>(soon), 250) << power;
        }
    }
    machine_free(&s.machine);
}

/* The rates that a node keeps while nothing changes must equal recomputed ones. Up to eight
 * collectives at a time, of all kinds, sizes, dimensions and starts, must end in the same cycles,
 * in either order, after as many events. */
TEST(Calibrated, WhatIsKeptIsWhatIsFoundAnew) {
    experiment e;
    setup s;
    const flow_parameters p = flow_parameters_initial();
    uint64_t drawn = 1;
    const auto draw = [&drawn](uint64_t most) {
        drawn = drawn * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        return (drawn >> 33) % most;
    };

    ASSERT_TRUE(experiment_parse("all-reduce:6000000:x@0", &e));
    ASSERT_EQ(experiment_setup(&e, "workloads/clusters/torus-4x4x4.yaml", "cycle", &s), EXIT_OK);
    for (unsigned turn = 0; turn < 500; turn++) {
        chunk_flow_setup setup = calibrated_rung_form(&s.machine, &s.machine.config, &p);
        const uint64_t most = UINT64_C(1) << (8 + draw(15));
        const unsigned works = 1 + static_cast<unsigned>(draw(8));
        std::vector<ace_command> command;
        std::vector<uint64_t> start, ends[2];
        uint64_t events[2];

        setup.own = FLOW_ALONE;
        setup.config.order = turn % 2 ? ACE_FIFO : ACE_LIFO;
        for (unsigned k = 0; k < works; k++) {
            ace_command c{};
            const auto turned = static_cast<uint8_t>(draw(3));
            c.kind = static_cast<ace_kind>(draw(ACE_ALL_TO_ALL + 1));
            c.bytes = 1 + draw(most);
            c.tag = static_cast<uint16_t>(k);
            c.destination = 1 << 24;
            c.dim_count = static_cast<uint8_t>(1 + draw(3));
            for (uint8_t d = 0; d < c.dim_count; d++)
                c.dims[d] = static_cast<uint8_t>((d + turned) % 3);
            command.push_back(c);
            start.push_back((k ? start.back() : 0) + draw(20000));
        }
        for (unsigned plain = 0; plain < 2; plain++) {
            ace_completion done{};
            unsigned begun = 0;

            setup.plain = plain;
            ends[plain].resize(works);
            chunk_flow *f = chunk_flow_create(&setup);
            ASSERT_NE(f, nullptr);
            while (begun < works || chunk_flow_next(f) != UINT64_MAX) {
                const uint64_t next = chunk_flow_next(f);

                if (begun < works && start[begun] <= next) {
                    chunk_flow_run(f, start[begun]);
                    ASSERT_EQ(chunk_flow_submit(f, &command[begun], start[begun]), ACE_OK);
                    begun++;
                } else {
                    chunk_flow_run(f, next + 1);
                }
                while (chunk_flow_completion(f, &done)) ends[plain][done.tag] = done.cycle;
            }
            EXPECT_TRUE(chunk_flow_idle(f));
            events[plain] = chunk_flow_events(f);
            chunk_flow_destroy(f);
        }
        EXPECT_EQ(ends[0], ends[1]) << turn;
        EXPECT_EQ(events[0], events[1]) << turn;
    }
    machine_free(&s.machine);
}

/* ---- messages ---- */

/* All nodes whose coordinates are equal modulo `part` send one another a message each. */
struct Groups {
    std::array<unsigned, ACE_DIMENSIONS> part;
    uint64_t bytes;
    const ace_config *cfg;
    fabric *f = nullptr;
    std::vector<unsigned> begun, over, heard;
    unsigned arrivals = 0; /* at each */
    uint64_t last = 0;
};

std::vector<ace_message> messages_of(const Groups &g, unsigned node) {
    std::vector<ace_message> list;
    std::vector<unsigned> members;
    unsigned nodes = 1, own = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) nodes *= g.cfg->ring[d];
    for (unsigned other = 0; other < nodes; other++) {
        unsigned a = node, b = other;
        bool in = true;

        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const unsigned n = g.cfg->ring[d];
            in = in && a % n % g.part[d] == b % n % g.part[d];
            a /= n;
            b /= n;
        }
        if (other == node) own = static_cast<unsigned>(members.size());
        if (in) members.push_back(other);
    }
    for (unsigned i = 1; i < members.size(); i++)
        list.push_back({ members[(own + i) % members.size()], 2 * (64 * node + i), g.bytes });
    return list;
}

ace_command command_of(std::vector<ace_message> &list) {
    ace_command c{};
    c.kind = ACE_MESSAGES;
    c.message = list.data();
    c.messages = static_cast<uint32_t>(list.size());
    return c;
}

driver groups_driver(Groups *g) {
    driver d{};
    d.self = g;
    d.completed = [](void *self, unsigned r, const ace_completion *) {
        static_cast<Groups *>(self)->over[r] = 1;
    };
    d.arrived = [](void *self, unsigned r, const ace_arrival *a) {
        auto *of = static_cast<Groups *>(self);
        of->heard[r]++;
        of->last = std::max(of->last, a->cycle);
    };
    d.act = [](void *self, unsigned r, uint64_t now, uint64_t *reaction) {
        auto *of = static_cast<Groups *>(self);
        *reaction = UINT64_MAX;
        if (!of->begun[r]++) {
            auto list = messages_of(*of, r);
            const ace_command c = command_of(list);
            EXPECT_EQ(fabric_submit(of->f, r, &c, now), ACE_OK);
        }
        return UINT64_MAX;
    };
    d.finished = [](void *self, unsigned r) {
        const auto *of = static_cast<Groups *>(self);
        return of->over[r] && of->heard[r] >= of->arrivals;
    };
    d.progress = [](void *) { return 0.0; };
    d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "message"); };
    d.state = [](void *, ace_state *) {};
    return d;
}

/* Returns the error of the last arrival at any node, relative to the exact nodes. */
double groups_error(std::array<unsigned, ACE_DIMENSIONS> part, uint64_t bytes) {
    const flow_parameters p = flow_parameters_initial();
    setup o;

    setup_initial(&o);
    EXPECT_EQ(cluster_read(small, &o), EXIT_OK);
    o.execution.quiet = o.execution.unfolded = true;
    o.machine.kind = ACE_ALL_REDUCE;
    EXPECT_EQ(setup_check(&o), EXIT_OK);
    EXPECT_EQ(setup_make(&o), EXIT_OK);
    const fabric_watch nobody{};
    fabric_work work{};
    work.messages = true;
    Groups g{};
    g.part = part;
    g.bytes = bytes;
    g.cfg = &o.machine.config;
    EXPECT_EQ(fabric_create(&o.machine, &o.execution, &work, &nobody, &g.f), EXIT_OK);
    const unsigned nodes = fabric_representatives(g.f);
    g.begun.resize(nodes);
    g.over.resize(nodes);
    g.heard.resize(nodes);
    auto list = messages_of(g, 0);
    for (const ace_message &m : list)
        g.arrivals += ace_message_routes(&o.machine.config, m.peer, m.bytes);
    const driver d = groups_driver(&g);
    EXPECT_EQ(fabric_run(g.f, &d, 0), EXIT_OK);
    EXPECT_EQ(fabric_destroy(g.f), EXIT_OK);

    chunk_flow_setup setup = calibrated_rung_form(&o.machine, &o.machine.config, &p);
    const ace_command c = command_of(list);
    ace_arrival a{};
    unsigned heard = 0;
    setup.own = FLOW_ALONE;
    chunk_flow *f = chunk_flow_create(&setup);
    EXPECT_EQ(chunk_flow_submit(f, &c, 0), ACE_OK);
    while (chunk_flow_next(f) != UINT64_MAX) {
        chunk_flow_run(f, chunk_flow_next(f) + 1);
        while (chunk_flow_arrival(f, &a)) heard++;
    }
    EXPECT_EQ(heard, g.arrivals);
    chunk_flow_destroy(f);
    machine_free(&o.machine);
    return std::abs(static_cast<double>(a.cycle) / static_cast<double>(g.last) - 1);
}

/* Rows that continue along x have priority over rows that enter it. If some turn to y, which is
 * busy, x fills up with rows of the even nodes. Rows of the odd nodes, which belong to other
 * groups, wait until these are done. */
TEST(Calibrated, GroupsOnPartsOfARingComeOneBehindTheOther) {
    EXPECT_LT(groups_error({ 2, 1, 2, 1 }, 1048576), 0.05);
    EXPECT_LT(groups_error({ 2, 1, 1, 1 }, 131072), 0.05);
    EXPECT_LT(groups_error({ 2, 2, 2, 1 }, 262144), 0.03); /* none turns */
}

/* 16 sends of a list are in flight: first those going up, then those going down. */
TEST(Calibrated, SendsOfAListTakeTurnsSixteenAtATime) {
    EXPECT_LT(groups_error({ 1, 1, 1, 1 }, 65536), 0.12);
    EXPECT_LT(groups_error({ 1, 1, 2, 1 }, 65536), 0.08);
}

/* The errors of all collectives of an experiment, with these parameters. */
void expect_near(const std::string &text, double tolerance) {
    double exact[EXPERIMENT_WORKS] = { 0 }, form[EXPERIMENT_WORKS] = { 0 };

    cycles_of(text.c_str(), direct_then_ring().c_str(), exact, form, of_one_chunk());
    for (unsigned i = 0; i < EXPERIMENT_WORKS && exact[i] > 0; i++)
        EXPECT_NEAR(form[i] / exact[i], 1, tolerance) << text << " " << i;
}

/* Both ports of a node feed the direct link to a peer. While one port sends the first rows of a
 * shard there, rows of the other one already take half of the link. A chunk of 480 rows fills a
 * bank, so four chunks are under way, and the end of each decides when the next one comes. */
TEST(Calibrated, PortsShareADirectLinkFromTheFirstRow) {
    for (const char *memory : { "90", "117", "125", "140", "250" })
        expect_near(std::string("all-reduce:8000000:x@0 chunk=127744 memory=") + memory, 0.01);
}

/* The scheduler makes a decision in each fifth cycle, for the latest stage that can go on. So a
 * loaded chunk goes before the 64 new chunks that pass their empty stages. */
TEST(Calibrated, ALoadedChunkGoesBeforeNewOnes) {
    for (const char *one : { "reduce-scatter:61440", "reduce-scatter:122880", "all-gather:61440" })
        expect_near(std::string(one) + ":y@0+all-reduce:8000000:y@20 chunk=122880 memory=117",
                    0.01);
}

/* A small collective waits for whole shards of a large one of its phase, on the same link and on
 * another. Shards of 32 to 128 rows on y take 430 to 1740 cycles. */
TEST(Calibrated, AShardWaitsForALongerOneThatHasBegun) {
    const std::string large = "all-reduce:1000000:y@0+all-reduce:";

    expect_near("all-reduce:9489144:y@0+all-reduce:14600:xy@0+all-gather:4732:xy@7 chunk=96256 "
                "memory=244",
                0.03);
    for (const char *chunk : { "65536", "96256", "131072" })
        expect_near(large + "14600:xy@0 memory=244 chunk=" + chunk, 0.03);
    for (const char *chunk : { "32768", "65536", "131072" })
        expect_near(large + "2048:x@0 memory=244 chunk=" + chunk, 0.03);
    expect_near(large + "14600:y@0 chunk=96256 memory=244", 0.03);
    expect_near("all-gather:1000000:y@0+reduce-scatter:2048:x@0 chunk=131072 memory=244", 0.03);
}

} // namespace
