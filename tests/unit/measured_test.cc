// SPDX-License-Identifier: Apache-2.0
// measured_test.cc -- measured rows, the closed form of seven constants, its fit and its statistics
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

extern "C" {
#include "closed_form.h"
#include "composed.h"
#include "constants_file.h"
#include "exit_status.h"
#include "measured_rows.h"
#include "model_work.h"
#include "statistics.h"
}

namespace {

const char kHead[] = "row,gpus,global_batch,micro_batch,hidden,heads,layers,sequence,tp,dp,pp,"
                     "iteration_ms,vocabulary\n";

const int kData = setenv("ACESIM_DATA", "workloads", 1); // where rows of an A100 find its table

std::string file(const char *name, const std::string &text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

measured_rows rows(const std::string &text) {
    measured_rows r;

    EXPECT_EQ(EXIT_OK, measured_read(file("rows.csv", kHead + text).c_str(), &r));
    return r;
}

TEST(ClosedForm, ByHand) {
    // tp 2, dp 2, pp 2 of nodes of 4: replicas are not all in one node.
    measured_rows r = rows("1,8,16,2,1024,16,8,1024,2,2,2,1,50000\n");
    const double c[CONSTANTS] = { 0.5, 200, 50, 10, 100, 2, 20 };
    const closed_form_node n = { 100, 1000, 4 };
    const double h = 1024, s = 1024, b = 2, t = 2, L = 8, m = 4, p = 2, W = 50000, a = 16;
    const double unit = b * s * h, rate = 0.5 * 100e12;
    const double products = (24 * b * s * h * h + 4 * b * s * s * h) / t / rate;
    const double bytes = unit * (8 + 14 + 16 / t + 9 * a * s / (h * t));
    const double sum = 100e-6 + 2 * 0.5 * 2 * unit / 200e9;
    const double layer = 4 * (products + 2 * bytes / 1000e9) + 6 * sum;
    const double logits = 3 * 2 * b * s * h * W / t / rate;
    const double send = 100e-6 + 2 * unit / 20e9;
    const double P = 4 * ((12 * h * h + 7 * h) / t + 6 * h) + W * h / t + s * h;
    const double replicas = 100e-6 + 2 * 0.5 * 2 * P / 200e9; // 4 / tp = 2 of them are in a node
    const double seconds = L * layer + logits + (m - 1) * (L / p * layer + logits) + 2 * send +
                           replicas + 2 * 30 * P / 1000e9;

    EXPECT_NEAR(closed_form_ms(&n, c, &r.at[0]) / (seconds * 1e3), 1, 1e-12);
    // With nodes of 2, each replica has its own node, with one interface.
    const closed_form_node two = { 100, 1000, 2 };
    EXPECT_NEAR(closed_form_ms(&two, c, &r.at[0]) - closed_form_ms(&n, c, &r.at[0]),
                2 * P * (1 / 10e9 - 1 / 200e9) * 1e3, 1e-6);
    // With single GPUs, tensor parallelism crosses nodes.
    const closed_form_node one = { 100, 1000, 1 };
    EXPECT_NEAR(closed_form_ms(&one, c, &r.at[0]) - closed_form_ms(&two, c, &r.at[0]),
                6 * (L + (m - 1) * L / p) * 2 * unit * (1 / 50e9 - 1 / 200e9) * 1e3, 1e-6);
    measured_free(&r);
}

TEST(ClosedForm, FitFindsTheConstantsOfRowsThatItMade) {
    const double want[CONSTANTS] = { 0.6, 180, 40, 9, 60, 1.7, 8 };
    const closed_form_node n = CLOSED_FORM_A100;
    std::string text;

    for (int t : { 1, 2, 4, 8, 16 })
        for (int p : { 1, 2, 4 })
            for (int b : { 1, 2, 8 })
                for (int h : { 2048, 8192 })
                    text += "1," + std::to_string(t * 4 * p) + "," + std::to_string(4 * b * 12) +
                            "," + std::to_string(b) + "," + std::to_string(h) + ",32,24,2048," +
                            std::to_string(t) + ",4," + std::to_string(p) + ",1,51200\n";
    measured_rows r = rows(text);
    const auto all = std::make_unique<bool[]>(r.count);

    for (unsigned i = 0; i < r.count; i++) {
        r.at[i].iteration_ms = closed_form_ms(&n, want, &r.at[i]);
        all[i] = true;
    }
    double c[CONSTANTS];
    memcpy(c, constants_of_data_sheets, sizeof c);
    closed_form_fit(&n, &r, all.get(), true, c);
    for (unsigned i = 0; i < r.count; i++)
        EXPECT_NEAR(closed_form_ms(&n, c, &r.at[i]) / r.at[i].iteration_ms, 1, 0.02) << i;
    EXPECT_NEAR(c[CONSTANT_EFFICIENCY], 0.6, 0.02);
    measured_free(&r);
}

// A constant on which no row depends keeps its value.
TEST(ClosedForm, FitLeavesWhatTheRowsDoNotSay) {
    measured_rows r =
        rows("1,8,16,2,1024,16,8,1024,1,8,1,900,50000\n2,8,16,1,1024,16,8,1024,1,8,1,990,\n");
    const closed_form_node n = CLOSED_FORM_A100;
    const bool all[] = { true, true };
    double c[CONSTANTS];

    memcpy(c, constants_of_data_sheets, sizeof c);
    closed_form_fit(&n, &r, all, true, c);
    EXPECT_EQ(c[CONSTANT_NODES], constants_of_data_sheets[CONSTANT_NODES]);
    EXPECT_EQ(c[CONSTANT_STAGES], constants_of_data_sheets[CONSTANT_STAGES]);
    EXPECT_LE(c[CONSTANT_EFFICIENCY], 1);
    measured_free(&r);
}

TEST(Statistics, RankCorrelation) {
    const double a[] = { 1, 2, 3, 4, 5 }, up[] = { 2, 3, 5, 7, 11 }, down[] = { 5, 4, 3, 2, 1 };
    const double mixed[] = { 1, 3, 2, 5, 4 }; // 1 - 6 x 4 / (5 x 24)
    const double ties[] = { 1, 2, 2, 3, 4 };  // ranks 1 2.5 2.5 4 5
    double rho;

    ASSERT_EQ(EXIT_OK, statistics_rank(a, up, 5, &rho));
    EXPECT_DOUBLE_EQ(rho, 1);
    ASSERT_EQ(EXIT_OK, statistics_rank(a, down, 5, &rho));
    EXPECT_DOUBLE_EQ(rho, -1);
    ASSERT_EQ(EXIT_OK, statistics_rank(a, mixed, 5, &rho));
    EXPECT_DOUBLE_EQ(rho, 0.8);
    ASSERT_EQ(EXIT_OK, statistics_rank(a, ties, 5, &rho));
    EXPECT_DOUBLE_EQ(rho, 9.5 / std::sqrt(10 * 9.5));
    ASSERT_EQ(EXIT_OK, statistics_rank(a, up, 2, &rho));
    EXPECT_TRUE(std::isnan(rho));
}

// Two questions of one model: of 100, 80 and 120 the second is chosen, of 50 and 40 the slower.
TEST(Statistics, ErrorsAndChoices) {
    measured_rows r =
        rows("1,8,16,2,1024,16,8,1024,1,8,1,100,\n2,8,16,1,1024,16,8,1024,1,8,1,80,\n"
             "3,8,16,2,1024,16,8,1024,2,4,1,120,\n4,8,32,2,1024,16,8,1024,1,8,1,50,\n"
             "5,8,32,1,1024,16,8,1024,1,8,1,40,\n6,4,32,1,1024,16,8,1024,1,4,1,70,\n");
    const double predicted[] = { 110, 80, 90, 45, 48, 70 };
    const bool all[] = { true, true, true, true, true, true };
    statistics s;

    ASSERT_EQ(EXIT_OK, statistics_of(&r, predicted, all, nullptr, &s));
    EXPECT_EQ(s.rows, 6U);
    EXPECT_NEAR(s.mean, (0.1 + 0 + 0.25 + 0.1 + 0.2 + 0) / 6, 1e-12);
    EXPECT_NEAR(s.median, 0.1, 1e-12);
    EXPECT_NEAR(s.worst, 0.25, 1e-12);
    EXPECT_EQ(s.choices, 2U);
    EXPECT_NEAR(s.chosen_mean, (1 + 1.25) / 2, 1e-12);
    EXPECT_NEAR(s.chosen_worst, 1.25, 1e-12);
    ASSERT_EQ(EXIT_OK, statistics_of(&r, predicted, all, "9x9", &s));
    EXPECT_EQ(s.rows, 0U);
    EXPECT_TRUE(std::isnan(s.mean));
    measured_free(&r);
}

// ---- composed ----------------------------------------------------------------------------------

const char kComposed[] =
    "global_batch,micro_batch,hidden,heads,layers,sequence,tp,dp,pp,iteration_ms,vocabulary,"
    "parts,peak_tflops,memory_gbps,link_gbps,nic_gbps,gpus_per_node\n";

double predicted(const std::string &row, const double c[COMPOSED_CONSTANTS],
                 measured_row *of = nullptr) {
    measured_rows r;
    composed *m = nullptr;
    double ms = NAN;

    EXPECT_EQ(EXIT_OK, measured_read(file("composed.csv", kComposed + row + "\n").c_str(), &r));
    EXPECT_EQ(EXIT_OK, composed_make(&r.at[0], &m));
    ms = composed_ms(m, c);
    if (of) *of = r.at[0];
    composed_free(m);
    measured_free(&r);
    return ms;
}

// Memory and links so fast that products alone take time, and hardly an output layer.
const std::string kFast = ",100,1e11,1e11,1e11,8";
const double kHalf[COMPOSED_CONSTANTS] = { 0.5, 0, 1, 1, 1, 1, 1, 0, 0, 0 };

TEST(Composed, ProductsAlone) {
    for (const std::string how : { "none", "full", "selective" }) {
        measured_row r;
        const double ms = predicted("16,2,1024,16,8,1024,2,2,1,1,2," + how + kFast, kHalf, &r);

        EXPECT_NEAR(ms * 1e-3 * 4 * 0.5 * 100e12 / model_executed_flops(&r.model, &r.strategy), 1,
                    1e-3)
            << how;
    }
}

// A pipeline takes (m + p - 1) / m of what a stage computes. Interleaved it takes (p - 1) / v of it
// in addition, also beyond 4 p micro-batches.
TEST(Composed, Pipelines) {
    for (const int m : { 4, 8, 16, 64, 256 }) {
        measured_row r;
        const std::string batch = std::to_string(m);
        const double one =
            predicted(batch + ",1,1024,16,8,1024,1,1,1,1,1,none" + kFast, kHalf, &r) / 4;

        for (const std::string kind : { "none", "gpipe.none", "dapple.none" }) {
            const double ms =
                predicted(batch + ",1,1024,16,8,1024,1,1,4,1,1," + kind + kFast, kHalf);

            EXPECT_NEAR(ms / (one * (m + 3) / m), 1, 1e-3) << kind << " " << m;
        }
        const double ms = predicted(batch + ",1,1024,16,8,1024,1,1,4,1,1,none.v2" + kFast, kHalf);
        EXPECT_NEAR(ms / (one * (m + 1.5) / m), 1, 1e-3) << m;
    }
}

// Tests what each constant changes.
TEST(Composed, Communication) {
    const std::string fast = ",100,1e11,", row = "16,2,1024,16,8,1024,";
    double c[COMPOSED_CONSTANTS];
    measured_row r;
    double base;

    // Replicas: an all-reduce of all gradients behind the last pass, over two interfaces of a node.
    memcpy(c, kHalf, sizeof c);
    base = predicted(row + "4,4,1,1,1024,none" + fast + "1e11,1e11,8", c, &r);
    c[COMPOSED_REPLICAS] = 0.25;
    EXPECT_NEAR(predicted(row + "4,4,1,1,1024,none" + fast + "1e11,10,8", c) - base,
                1.5 * 2 *
                    (strategy_stage(&r.strategy, &r.model, 0).dense +
                     strategy_stage(&r.strategy, &r.model, 0).ends) /
                    (0.25 * 10e9 * 2) * 1e3,
                1e-6);
    // Within a node: its links.
    EXPECT_NEAR(predicted(row + "1,4,1,1,1024,none" + fast + "100,10,8", kHalf) -
                    predicted(row + "1,4,1,1,1024,none" + fast + "1e11,10,8", kHalf),
                1.5 * 2 * model_parameters(&r.model) / 100e9 * 1e3, 1e-6);
    // Twice the bytes of an element, twice the time.
    EXPECT_NEAR(predicted(row + "1,4,1,1,1024,none.fp32" + fast + "100,10,8", kHalf) -
                    predicted(row + "1,4,1,1,1024,none.fp32" + fast + "1e11,10,8", kHalf),
                2 * 1.5 * 2 * model_parameters(&r.model) / 100e9 * 1e3, 1e-6);
    // An iteration's own time, and latency: forward, two sums a layer that are waited for; backward
    // they hide.
    memcpy(c, kHalf, sizeof c);
    base = predicted(row + "2,1,1,1,1024,none" + kFast, c);
    c[COMPOSED_ITERATION] = 7;
    EXPECT_NEAR(predicted(row + "2,1,1,1,1024,none" + kFast, c) - base, 7, 1e-9);
    c[COMPOSED_LATENCY] = 10;
    EXPECT_NEAR(predicted(row + "2,1,1,1,1024,none" + kFast, c) - base, 7 + 8 * 8 * 2 * 0.010,
                1e-6);
}

// Predicts a row with the columns `serial` and `sums`.  at: its values from tp to link_gbps.
double predicted_old(const std::string &at, const std::string &how,
                     const double c[COMPOSED_CONSTANTS], measured_row *of = nullptr) {
    std::string head = kComposed;
    measured_rows r;
    composed *m = nullptr;

    head.insert(head.size() - 1, ",serial,sums");
    EXPECT_EQ(
        EXIT_OK,
        measured_read(
            file("old.csv", head + "16,2,1024,16,8,1024," + at + ",1e11,8," + how + "\n").c_str(),
            &r));
    EXPECT_EQ(EXIT_OK, composed_make(&r.at[0], &m));
    const double ms = composed_ms(m, c);
    if (of) *of = r.at[0];
    composed_free(m);
    measured_free(&r);
    return ms;
}

// Megatron-LM of 2021: each sum of tensor parallelism is waited for, backward and in recomputed
// layers, too.  A kernel of its own adds the gradients of a micro-batch: it reads and writes the
// sum, and reads the gradient.
TEST(Composed, SumsAreWaitedForAndAdded) {
    double c[COMPOSED_CONSTANTS];

    for (const std::string parts : { "none", "full" }) {
        const std::string at = "2,1,1,1,2," + parts + ",100,1e11,1e11";

        memcpy(c, kHalf, sizeof c);
        const double base = predicted_old(at, "1,", c);
        c[COMPOSED_LATENCY] = 10;
        EXPECT_NEAR(predicted_old(at, "1,", c) - base, 8 * 8 * (parts == "full" ? 6 : 4) * 0.010,
                    1e-6);
    }
    memcpy(c, kHalf, sizeof c);
    c[COMPOSED_VECTOR] = 3;
    const double weights = (8 * 12. * 1024 * 1024 + 2 * 1024) / 2;
    for (const auto &[parts, bytes] : { std::pair("none", 6), std::pair("none.grad4", 10) }) {
        const std::string at = std::string("2,1,1,1,2,") + parts + ",100,100,1e11";

        EXPECT_NEAR(predicted_old(at, ",1", c) - predicted_old(at, ",", c),
                    8 * 3 * weights * bytes / 100e9 * 1e3, 1e-6);
    }
}

// Where nothing overlaps, the gathers of all parameters follow the reduce-scatter one after the
// other.  Elsewhere the longest is left, a layer's.
TEST(Composed, GathersFollowOneAnother) {
    const std::string at = "1,4,1,1,2,none.zero1,100,1e11,";
    measured_row r;

    for (const bool serial : { false, true }) {
        const std::string how = serial ? "1," : ",";
        const double more =
            predicted_old(at + "100", how, kHalf, &r) - predicted_old(at + "1e11", how, kHalf);
        const double all = model_parameters(&r.model);
        const double layer = strategy_stage(&r.strategy, &r.model, 0).dense / 8;

        EXPECT_NEAR(more, 0.75 * 2 * (all + (serial ? all : layer)) / 100e9 * 1e3, 1e-6);
    }
}

// In a pipeline of equal stages m + p - 1 passes forward and as many backward follow one another,
// each longer by a hop: a part over the interface, the others from the links of the node.  The sums
// of the tied embedding go that way, too.
TEST(Composed, SendsHoldPassesUp) {
    const double A = 2. * 1024 * 1024, tied = 2. * 4 * 1024;

    for (const int t : { 1, 4 }) {
        const std::string gpus = t == 1 ? ",2" : ",4"; // stages are in nodes of their own
        const std::string at =
            "4,1,1024,16,8,1024," + std::to_string(t) + ",1,4,1,4,none,100,1e11,";
        const double hops = 2 * (4 + 4 - 1);

        EXPECT_NEAR(predicted(at + "1e11,10" + gpus, kHalf) -
                        predicted(at + "1e11,1e11" + gpus, kHalf),
                    (hops * A + tied) / t / 10e9 * 1e3, 1e-6)
            << t;
        // What is gathered of each hop, beside two sums of each of the eight layers and passes
        // forward that are waited for.
        const double sums = 2. * 2 * (4 + 4 - 1) * 1.5 * A, gathers = hops * A * 3 / 4;
        if (t == 4)
            EXPECT_NEAR(predicted(at + "100,1e11" + gpus, kHalf) -
                            predicted(at + "1e11,1e11" + gpus, kHalf),
                        (sums + gathers) / 100e9 * 1e3, 0.1 * gathers / 100e9 * 1e3);
    }
}

// Inputs of a linear layer are cast to FP8 as they are and transposed: 4 bytes of an element,
// forward of h, h, h and 4 h columns, backward of 3 h, h, 4 h and h. Frozen layers need 3 bytes.
// Adapters stay in 16 bits and are not cast.
TEST(Composed, FrozenLayersAreCastOnce) {
    const double T = 1024, h = 1024;
    const auto casts = [&](const std::string &parts) {
        measured_rows rows;
        composed *m = nullptr;
        std::string head = kComposed;

        head.insert(head.size() - 1, ",linear_tflops");
        const std::string row =
            "1,1,1024,16,8,1024,1,1,1,1,8000," + parts + ",100,1000,1e11,1e11,8,1e6";
        EXPECT_EQ(EXIT_OK, measured_read(file("casts.csv", head + row + "\n").c_str(), &rows));
        EXPECT_EQ(EXIT_OK, composed_make(&rows.at[0], &m));
        const double with = composed_ms(m, kHalf);
        composed_leave_out(m, true, false);
        const double without = composed_ms(m, kHalf);
        composed_free(m);
        measured_free(&rows);
        return with - without;
    };

    EXPECT_NEAR(casts("none.fused") / (8 * 4 * T * 16 * h / 1e12 * 1e3), 1, 1e-9);
    EXPECT_NEAR(casts("none.fused.lora16") / (8 * 3 * T * 16 * h / 1e12 * 1e3), 1, 1e-9);
}

TEST(Composed, UnknownMicroBatchIsTheFastest) {
    double c[COMPOSED_CONSTANTS];
    double best = INFINITY;

    memcpy(c, kHalf, sizeof c);
    c[COMPOSED_FLOOR] = 50; // many small ones cost, and so does a long pipeline of few
    for (const int b : { 1, 2, 4, 8 })
        best = std::min(
            best, predicted("8," + std::to_string(b) + ",1024,16,8,256,1,1,4,1,8,none" + kFast, c));
    EXPECT_EQ(predicted("8,,1024,16,8,256,1,1,4,1,8,none" + kFast, c), best);
}

// A pass takes what its host takes to launch it, or what its device takes, whichever is longer, and
// collectives between kernels hide behind the host.
TEST(Composed, PassIsHostOrDevice) {
    const std::string row = "8,1,1024,16,8,1024,2,1,", rest = ",1,1024,none";
    double c[COMPOSED_CONSTANTS];

    for (const char *stages : { "1", "4" }) {
        const std::string text = row + stages + rest;

        memcpy(c, kHalf, sizeof c);
        const double device = predicted(text + kFast, c);
        c[COMPOSED_FLOOR] = 1e-3;
        EXPECT_NEAR(predicted(text + kFast, c) / device, 1, 2e-3) << stages;
        c[COMPOSED_FLOOR] = 1e5;
        const double host = predicted(text + kFast, c);
        c[COMPOSED_FLOOR] = 2e5;
        EXPECT_NEAR(predicted(text + kFast, c) / host, 2, 1e-3) << stages;
        // Latency of all-reduces, far below the launches: the host does not wait for it.
        c[COMPOSED_FLOOR] = 1e5;
        c[COMPOSED_LATENCY] = 50;
        EXPECT_NEAR(predicted(text + kFast, c) / host, 1, 1e-3) << stages;
    }
    // Six products and eight vector kernels a layer forward, two sums; eight products and eight
    // vectors of a gradient of inputs, four products of a gradient of weights, two sums.  A sum
    // takes half a launch.
    memcpy(c, kHalf, sizeof c);
    c[COMPOSED_FLOOR] = 1e5;
    const auto of = [&](int layers, int t) {
        return predicted("1,1,1024,16," + std::to_string(layers) + ",1024," + std::to_string(t) +
                             ",1,1,1,1024,none" + kFast,
                         c);
    };
    EXPECT_NEAR(of(9, 1) - of(8, 1), 100 * (14 + 16 + 4), 1);
    EXPECT_NEAR(of(9, 2) - of(8, 2), 100 * (14 + 16 + 4 + 4 / 2), 1);
}

// Ranks of context parallelism that exchange heads compute as much as ranks that pass keys around.
TEST(Composed, ExchangedHeadsAreAllComputed) {
    const auto ms = [](const std::string &cp, const std::string &parts) {
        measured_rows r;
        composed *m = nullptr;
        std::string head = kComposed;

        head.insert(head.size() - 1, ",cp");
        const std::string row = "8,1,1024,16,8,8192,1,1,1,1,1024,none.fused" + parts + kFast + ",";
        EXPECT_EQ(EXIT_OK, measured_read(file("heads.csv", head + row + cp + "\n").c_str(), &r));
        EXPECT_EQ(EXIT_OK, composed_make(&r.at[0], &m));
        const double got = composed_ms(m, kHalf);
        composed_free(m);
        measured_free(&r);
        return got;
    };
    EXPECT_NEAR(ms("1", "") / ms("4", ""), 4, 1e-2);
    EXPECT_NEAR(ms("1", "") / ms("4", ".all-to-all"), 4, 1e-2);
}

// Products that all run at half of the peak take what an efficiency of a half makes of it.  So do
// scores of several heads at once.  Where the table is twice as fast for more rows, more rows take
// as long.
TEST(Composed, ProductsByATable) {
    const double peak[COMPOSED_CONSTANTS] = { 1, 0, 1, 1, 1, 1, 1, 0, 0, 0 };
    const double table[COMPOSED_CONSTANTS] = { 1, 0, 1, 1, 1, 1, 1, 0, 0, 1 };
    const auto at = [](double m, double x, double tera) {
        char text[96];
        snprintf(text, sizeof text, "%.0f,%.0f,%.0f,%.9f\n", m, x, x, 2 * m * x * x / (tera * 1e6));
        return std::string(text);
    };
    const auto ms = [&](const char *heads, const char *micro_batch, const double *c,
                        const std::string &products) {
        measured_rows r;
        composed *m = nullptr;
        std::string head = kComposed, row = ",1024,";

        head.insert(head.size() - 1, ",products");
        row = std::string("16,") + micro_batch + row + heads + ",8,1024,2,1,1,1,1024,none" + kFast +
              "," + products + "\n";
        EXPECT_EQ(EXIT_OK, measured_read(file("by-table.csv", head + row).c_str(), &r));
        EXPECT_EQ(EXIT_OK, composed_make(&r.at[0], &m));
        const double got = composed_ms(m, c);
        composed_free(m);
        measured_free(&r);
        return got;
    };
    const std::string half =
        file("half.csv", "m,n,k,time_us\n" + at(1024, 64, 50) + at(1024, 1024, 50) +
                             at(1024, 8192, 50) + at(64, 1024, 50) + at(65536, 1024, 50));
    const std::string rows =
        file("rows-matter.csv", "m,n,k,time_us\n" + at(1024, 64, 50) + at(1024, 8192, 50) +
                                    at(1024, 1024, 50) + at(2048, 1024, 100) +
                                    at(65536, 8192, 100)); // a long one, whose rate lasts

    EXPECT_NEAR(ms("2", "1", table, half) / ms("2", "1", kHalf, half), 1, 1e-4); // hardly an output
    EXPECT_EQ(ms("2", "1", peak, half), ms("2", "1", peak, rows));
    EXPECT_NEAR(ms("16", "1", table, half) / ms("16", "1", kHalf, half), 1, 1e-4);
    EXPECT_GT(ms("16", "1", table, half), ms("16", "1", peak, half));
    EXPECT_NEAR(ms("2", "1", table, rows), ms("2", "1", kHalf, half),
                0.2 * ms("2", "1", kHalf, half));
    EXPECT_LT(ms("16", "2", table, rows), 0.7 * ms("16", "2", table, half));
}

TEST(Composed, FitFindsRowsThatItMade) {
    const double want[COMPOSED_CONSTANTS] = { 0.6, 8, 1.4, 0.7, 0.5, 0.6, 0.8, 25, 12, 1, 6.25 };
    std::string text = kHead;
    double c[COMPOSED_CONSTANTS];
    measured_rows r;

    for (int t : { 1, 4, 16 })
        for (int p : { 1, 4 })
            for (int b : { 1, 8 })
                for (int h : { 1024, 4096 })
                    text += "1,," + std::to_string(4 * b * 16) + "," + std::to_string(b) + "," +
                            std::to_string(h) + ",16,8,1024," + std::to_string(t) + ",4," +
                            std::to_string(p) + ",1,\n";
    ASSERT_EQ(EXIT_OK, measured_read(file("made.csv", text).c_str(), &r));
    std::vector<composed *> m(r.count);
    std::unique_ptr<bool[]> all(new bool[r.count]);
    for (unsigned i = 0; i < r.count; i++) {
        all[i] = true;
        ASSERT_EQ(EXIT_OK, composed_make(&r.at[i], &m[i]));
        r.at[i].iteration_ms = composed_ms(m[i], want);
    }
    memcpy(c, composed_sheet, sizeof c);
    composed_fit(m.data(), &r, all.get(), 0, c);
    double mean = 0;
    for (unsigned i = 0; i < r.count; i++) {
        mean += std::fabs(composed_ms(m[i], c) / r.at[i].iteration_ms - 1) / r.count;
        composed_free(m[i]);
    }
    EXPECT_LT(mean, 0.01);
    EXPECT_NEAR(c[COMPOSED_EFFICIENCY], 0.6, 0.03);
    measured_free(&r);
}

TEST(Rows, ModelsPartsAndHardware) {
    measured_rows r;

    ASSERT_EQ(EXIT_OK,
              measured_read(
                  file("parts.csv",
                       "layers,sequence,tp,dp,pp,ep,model,dense_layers,capacity,parts,micro_batch,"
                       "micro_batches,iteration_ms,peak_tflops,gpus_per_node,stage_layers\n"
                       "4,4096,1,8,1,8,deepseek-v3,1,1,fused.zero1.grad4,1,4,5.5,2250,4,\n"
                       "4,4096,1,4,2,1,llama3-70b,,,sp.zero3,2,4,7,,,1 3\n")
                      .c_str(),
                  &r));
    EXPECT_EQ(r.at[0].model.experts.dense_layers, 1U);
    EXPECT_EQ(r.at[0].model.experts.capacity, 1);
    EXPECT_EQ(r.at[0].model.layers, 4U);
    EXPECT_EQ(r.at[0].strategy.experts, 8U);
    EXPECT_EQ(r.at[0].strategy.zero, 1U);
    EXPECT_EQ(r.at[0].strategy.gradient_bytes, 4U);
    EXPECT_EQ(r.at[0].on.peak_TFLOPS, 2250);
    EXPECT_EQ(r.at[0].on.gpus, 4U);
    EXPECT_EQ(r.at[1].on.peak_TFLOPS, 312);
    EXPECT_EQ(r.at[1].strategy.stage_layers[1], 3U);
    EXPECT_EQ(r.at[1].strategy.micro_batches, 4U);
    EXPECT_FALSE(r.at[1].strategy.recompute);
    measured_free(&r);
}

TEST(Constants, WrittenAndRead) {
    const std::string path = testing::TempDir() + "constants.yaml";
    constants_file c = {}, again;

    for (unsigned i = 0; i < CONSTANTS; i++) c.value[i] = 0.25 + i;
    snprintf(c.fitted_on, sizeof c.fitted_on, "all rows of \"it\"");
    c.fitted_error = 0.0625;
    c.unseen_error = 0.125;
    ASSERT_EQ(EXIT_OK, constants_write(path.c_str(), &c));
    ASSERT_EQ(EXIT_OK, constants_read(path.c_str(), &again));
    for (unsigned i = 0; i < CONSTANTS; i++) EXPECT_EQ(again.value[i], c.value[i]);
    EXPECT_STREQ(again.fitted_on, c.fitted_on);
    EXPECT_EQ(again.fitted_error, 0.0625);
    EXPECT_EQ(again.unseen_error, 0.125);
}

std::string refused(const std::string &text) {
    const std::string path = file("bad.csv", text);
    measured_rows r;

    testing::internal::CaptureStderr();
    EXPECT_EQ(EXIT_USAGE, measured_read(path.c_str(), &r)) << text;
    return testing::internal::GetCapturedStderr().substr(path.size());
}

TEST(Rows, Bad) {
    const std::string head = kHead;

    EXPECT_EQ(refused("hidden,heads\n1,2\n"),
              ":1:1: found a head without it, expected the column 'layers'\n");
    EXPECT_NE(refused("layers,sequence,tp,dp,pp,iteration_ms,model\n1,1,1,1,1,1,nothing\n")
                  .find(":2:13: found no such model"),
              std::string::npos);
    EXPECT_NE(refused("layers,sequence,tp,dp,pp,iteration_ms\n1,1,1,1,1,1\n")
                  .find(":2:1: found a row without sizes, expected hidden and heads, or model"),
              std::string::npos);
    EXPECT_NE(refused("layers,sequence,tp,dp,pp,iteration_ms,hidden,heads,global_batch,parts\n"
                      "8,64,1,1,1,1,64,4,1,tp2x\n")
                  .find(":2:21: found 'tp2x'"),
              std::string::npos);
    EXPECT_EQ(refused(head), ":1:1: found no rows, expected a head and at least one\n");
    EXPECT_EQ(refused(head + "1,8,16,2,1024,16,x,1024,1,8,1,100,\n")
                  .rfind(":2:18: found 'x' as layers", 0),
              0U);
    EXPECT_EQ(refused(head + "1,8,16,2,1024,16,8,1024,1,8,1,-3,\n")
                  .rfind(":2:31: found '-3' as iteration_ms", 0),
              0U);
    EXPECT_EQ(refused(head + "1,8,16,2,1024\n").rfind(":2:1: found a row with fewer fields", 0),
              0U);
    EXPECT_EQ(refused(head + "1,9,16,2,1024,16,8,1024,1,8,1,3,\n")
                  .rfind(":2:1: found gpus other than tp dp pp", 0),
              0U);
    EXPECT_EQ(
        refused(head + "1,8,15,2,1024,16,8,1024,1,8,1,3,\n").rfind(":2:1: found a global_batch", 0),
        0U);
    EXPECT_EQ(refused(head + "1,24,16,2,1024,16,8,1024,1,8,3,3,\n")
                  .rfind(":2:1: found pp3, expected a degree", 0),
              0U);
}

} // namespace
