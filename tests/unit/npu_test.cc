// SPDX-License-Identifier: Apache-2.0
// npu_test.cc -- operations counted from shapes, and their time on a share of an NPU
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>
#include <string>

extern "C" {
#include "exit_status.h"
#include "fabric.h"
#include "gemm_table.h"
#include "kernels.h"
#include "npu.h"
#include "npu_memory.h"
#include "operations.h"
#include "setup_fields.h"
#include "workload.h"
#include "workload_read.h"
}

namespace {

shape Shape(layer_kind kind) {
    shape s{};
    s.kind = kind;
    s.groups = s.stride[0] = s.stride[1] = s.directions = s.rows = s.tables = s.lookups = s.uses =
        s.reads = s.writes = s.flops = 1;
    return s;
}

struct Counts {
    uint64_t flops, reads, writes, launches; // bytes
};

struct Counted {
    counted_layer l;
    Counted(const shape &s, uint64_t samples, unsigned element) {
        EXPECT_TRUE(operations_count(&s, samples, element, &l));
    }
    Counts at(pass p, unsigned i) const {
        EXPECT_LT(i, l.count[p]);
        const operation &o = l.at[p][i];
        return { o.flops, o.read_bytes, o.written_bytes, o.launches };
    }
};

void Expect(const Counts &found, uint64_t flops, uint64_t reads, uint64_t writes,
            uint64_t launches = 1) {
    EXPECT_EQ(found.flops, flops);
    EXPECT_EQ(found.reads, reads);
    EXPECT_EQ(found.writes, writes);
    EXPECT_EQ(found.launches, launches);
}

TEST(Operations, Linear) {
    shape s = Shape(LAYER_LINEAR); // Y[8,5] = X[8,3] W[3,5], twice 4 samples
    s.inputs = 3;
    s.outputs = 5;
    s.rows = 2;
    s.bias = true;
    const Counted c(s, 4, 2);
    EXPECT_EQ(c.l.parameters, 3U * 5 + 5);
    Expect(c.at(PASS_FORWARD, 0), 2 * 8 * 5 * 3, 2 * (8 * 3 + 3 * 5), 2 * 8 * 5);
    Expect(c.at(PASS_WEIGHT, 0), 8 * 5, 2 * 8 * 5, 0);                           // bias
    Expect(c.at(PASS_WEIGHT, 1), 2 * 3 * 5 * 8, 2 * (3 * 8 + 8 * 5), 2 * 3 * 5); // XT dY
    Expect(c.at(PASS_INPUT, 0), 2 * 8 * 3 * 5, 2 * (8 * 5 + 5 * 3), 2 * 8 * 3);  // dY WT
}

TEST(Operations, Convolution) {
    shape s = Shape(LAYER_CONVOLUTION); // the first of ResNet-50, two images, FP32
    s.channels = 3;
    s.filters = 64;
    s.size[0] = s.size[1] = 224;
    s.kernel[0] = s.kernel[1] = 7;
    s.stride[0] = s.stride[1] = 2;
    s.padding = 3;
    s.batch_norm = s.activation = true;
    const Counted c(s, 2, 4);
    const uint64_t in = 2ULL * 3 * 224 * 224, out = 2ULL * 64 * 112 * 112, weights = 64 * 3 * 49;
    EXPECT_EQ(shape_output(&s, 0), 112U);
    EXPECT_EQ(c.l.parameters, weights + 128);
    // 118013952 multiply-adds an image, as published for this layer
    Expect(c.at(PASS_FORWARD, 0), 2ULL * 2 * 118013952, 4 * (in + weights), 4 * out);
    Expect(c.at(PASS_FORWARD, 1), 6 * out, 4 * 2 * out, 4 * out);
    Expect(c.at(PASS_WEIGHT, 0), 10 * out, 4 * 4 * out, 4 * out);
    Expect(c.at(PASS_WEIGHT, 1), 2ULL * 2 * 118013952, 4 * (in + out), 4 * weights);
    Expect(c.at(PASS_INPUT, 0), 2ULL * 2 * 118013952, 4 * (out + weights), 4 * in);
}

TEST(Operations, GroupedConvolutionIsThatManySmallerOnes) {
    shape one = Shape(LAYER_CONVOLUTION);
    one.channels = 8;
    one.filters = 6;
    one.size[0] = 9;
    one.size[1] = 5;
    one.kernel[0] = 3;
    one.kernel[1] = 2;
    shape grouped = one;
    grouped.channels *= 4;
    grouped.filters *= 4;
    grouped.groups = 4;
    const Counted a(one, 3, 2), b(grouped, 3, 2);
    for (int p = 0; p < PASSES; p++) {
        ASSERT_EQ(a.l.count[p], 1U);
        const Counts x = a.at(static_cast<pass>(p), 0), y = b.at(static_cast<pass>(p), 0);
        Expect(y, 4 * x.flops, 4 * x.reads, 4 * x.writes);
    }
}

TEST(Operations, Lstm) {
    shape s = Shape(LAYER_LSTM);
    s.inputs = 3;
    s.hidden = 5;
    s.steps = 7;
    s.directions = 2;
    const Counted c(s, 2, 2);
    EXPECT_EQ(c.l.parameters, 2U * (20 * 3 + 20 * 5 + 20 + 20));
    // inputs: 14 rows by 20 gates from 3, each direction; states: a step at a time, 2 rows
    Expect(c.at(PASS_FORWARD, 0), 2 * 2 * 14 * 20 * 3, 2 * 2 * (14 * 3 + 3 * 20), 2 * 2 * 14 * 20,
           2);
    Expect(c.at(PASS_FORWARD, 1), 14 * 2 * 2 * 20 * 5, 2 * 14 * (2 * 5 + 5 * 20), 2 * 14 * 2 * 20,
           14);
    Expect(c.at(PASS_FORWARD, 2), 17 * 140, 2 * 9 * 140, 2 * 6 * 140, 14);
    Expect(c.at(PASS_WEIGHT, 0), 22 * 140, 2 * 9 * 140, 2 * 5 * 140, 14);
    Expect(c.at(PASS_WEIGHT, 1), 14 * 2 * 2 * 5 * 20, 2 * 14 * (2 * 20 + 20 * 5), 2 * 14 * 2 * 5,
           14);
    Expect(c.at(PASS_WEIGHT, 2), 2 * 2 * 3 * 20 * 14, 2 * 2 * (3 * 14 + 14 * 20), 2 * 2 * 3 * 20,
           2);
    Expect(c.at(PASS_WEIGHT, 3), 2 * 2 * 5 * 20 * 14, 2 * 2 * (5 * 14 + 14 * 20), 2 * 2 * 5 * 20,
           2);
    Expect(c.at(PASS_INPUT, 0), 2 * 2 * 14 * 3 * 20, 2 * 2 * (14 * 20 + 20 * 3), 2 * 2 * 14 * 3, 2);
}

TEST(Operations, Attention) {
    shape s = Shape(LAYER_ATTENTION);
    s.queries = 3;
    s.keys = 4;
    s.hidden = 1024;
    const Counted c(s, 2, 2);
    EXPECT_EQ(c.l.parameters, 2U * 1048576 + 1024 + 1 + 1024); // GNMT's, as published
    Expect(c.at(PASS_FORWARD, 2), 5 * 2 * 12 * 1024, 2 * 2 * 7 * 1024, 2 * 2 * 12);
    Expect(c.at(PASS_FORWARD, 4), 2 * 2 * 3 * 1024 * 4, 2 * 2 * (3 * 4 + 4 * 1024),
           2 * 2 * 3 * 1024);
}

TEST(Operations, Embedding) {
    shape s = Shape(LAYER_EMBEDDING);
    s.tables = 26;
    s.rows = 1000;
    s.width = 16;
    s.lookups = 5;
    s.pooled = s.sharded = true;
    const Counted c(s, 8, 2);
    const uint64_t found = 8 * 26 * 5 * 16, out = 8 * 26 * 16;
    EXPECT_EQ(c.l.parameters, 16000U);
    EXPECT_EQ(c.l.exchanged, 2 * out);
    Expect(c.at(PASS_FORWARD, 0), found - out, 2 * found, 2 * out);
    Expect(c.at(PASS_WEIGHT, 0), 2 * found, 2 * (out + found), 2 * found);
    EXPECT_EQ(c.l.count[PASS_INPUT], 0U);
    s.pooled = s.sharded = false;
    s.uses = 2;
    const Counted d(s, 8, 2);
    EXPECT_EQ(d.l.exchanged, 0U);
    Expect(d.at(PASS_FORWARD, 0), 0, 2 * 2 * found, 2 * 2 * found);
    Expect(d.at(PASS_WEIGHT, 0), 0, 0, 2 * 16000);
    Expect(d.at(PASS_WEIGHT, 1), 2 * found, 2 * 4 * found, 2 * 2 * found);
}

TEST(Operations, Interaction) {
    shape s = Shape(LAYER_INTERACTION);
    s.vectors = 27;
    s.width = 128;
    const Counted c(s, 2, 2);
    Expect(c.at(PASS_FORWARD, 0), 2 * 2 * 27 * 27 * 128, 2 * 2 * 27 * 128, 2 * 2 * 479);
    Expect(c.at(PASS_INPUT, 0), 2 * 2 * 27 * 27 * 128, 2 * 2 * (479 + 27 * 128), 2 * 2 * 27 * 128);
    s.concatenate = true; // each vector is copied once, either way
    const Counted d(s, 2, 2);
    Expect(d.at(PASS_FORWARD, 0), 0, 2 * 2 * 27 * 128, 2 * 2 * 27 * 128);
    Expect(d.at(PASS_INPUT, 0), 0, 2 * 2 * 27 * 128, 2 * 2 * 27 * 128);
    EXPECT_EQ(d.l.count[PASS_FORWARD] + d.l.count[PASS_INPUT], 2U);
    EXPECT_EQ(d.l.count[PASS_WEIGHT], 0U);
}

TEST(Operations, TooLargeIsSaid) {
    shape s = Shape(LAYER_LINEAR);
    counted_layer l;
    s.inputs = s.outputs = UINT32_MAX;
    EXPECT_FALSE(operations_count(&s, 1000000, 4, &l));
}

// ---- time -----------------------------------------------------------------------------

constexpr double kMHz = 1245;
const npu kNpu = cluster_default().npu;

operation Op(operation_class c, uint64_t flops, uint64_t reads, uint64_t writes) {
    operation o{};
    o.what = "";
    o.class_ = c;
    o.flops = flops;
    o.read_bytes = reads;
    o.written_bytes = writes;
    o.launches = 1;
    return o;
}

TEST(Roofline, IsTheLongestOfItsParts) {
    npu n = kNpu;
    n.gemm_efficiency = 0.5;
    n.memory_efficiency = 0.5;
    const npu_share whole = npu_whole(&n);
    // 60 TFLOPS: 1 us of 60 MFLOP; 450 GB/s: 1 us of 450 KB
    const operation o = Op(OPERATION_GEMM, 120000000, 450000, 450000);
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &o, whole), 2 * kMHz);
    EXPECT_STREQ(npu_bound(&n, &o), "arithmetic");
    const operation r = Op(OPERATION_GEMM, 60000000, 1350000, 450000);
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &r, whole), 3 * kMHz);
    const operation w = Op(OPERATION_GEMM, 60000000, 450000, 1800000);
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &w, whole), 4 * kMHz);
    n.launch_us = 0.5;
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &w, whole), 4.5 * kMHz);
    EXPECT_EQ(npu_cycles(&n, kMHz, &w, whole), 5603U); // 5602.5
}

TEST(Roofline, SharesSlowWhatTheyLack) {
    const npu_share whole = npu_whole(&kNpu), less = npu_less(whole, { 6, 450 });
    EXPECT_EQ(less.sms, 74);
    EXPECT_EQ(less.GBps, 450);
    const operation product = Op(OPERATION_GEMM, 1000000000000, 1, 1);
    const operation lookup = Op(OPERATION_VECTOR, 1, 1000000000, 1000);
    EXPECT_EQ(npu_rate(&kNpu, kMHz, &product, whole, whole), uint32_t{ NPU_RATE_ONE });
    EXPECT_NEAR(npu_rate(&kNpu, kMHz, &product, whole, less), NPU_RATE_ONE * 74. / 80, 1);
    EXPECT_NEAR(npu_rate(&kNpu, kMHz, &lookup, whole, less), NPU_RATE_ONE / 2., 1);
    // nothing left: it stands still
    EXPECT_EQ(npu_rate(&kNpu, kMHz, &product, whole, npu_less(whole, { 99, 0 })), 0U);
    EXPECT_EQ(npu_rate(&kNpu, kMHz, &lookup, whole, npu_less(whole, { 0, 900 })), 0U);
    // a given time is a given time
    operation given = Op(OPERATION_TIME, 0, 0, 0);
    given.cycles = 77;
    EXPECT_EQ(npu_cycles(&kNpu, kMHz, &given, whole), 77U);
    EXPECT_EQ(npu_rate(&kNpu, kMHz, &given, whole, { 0, 0 }), uint32_t{ NPU_RATE_ONE });
}

TEST(Roofline, ScalesWithEverything) {
    npu n = kNpu;
    n.compute_scale = 0.25;
    const operation product = Op(OPERATION_GEMM, 1000000000000, 1, 1);
    operation given = Op(OPERATION_TIME, 0, 0, 0);
    given.cycles = 100;
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &product, { 10, 100 }),
                     npu_time(&kNpu, kMHz, &product, { 10, 100 }) / 4);
    EXPECT_EQ(npu_cycles(&n, kMHz, &given, npu_whole(&n)), 25U);
    EXPECT_EQ(npu_rate(&n, kMHz, &product, npu_whole(&n), { 40, 900 }), NPU_RATE_ONE / 2U);
}

// ---- the models -------------------------------------------------------------------------

struct Model {
    workload w{};
    explicit Model(const std::string &name) {
        const std::string path = "workloads/models/" + name + ".yaml";
        EXPECT_EQ(workload_read(path.c_str(), &kNpu, kMHz, &w), EXIT_OK);
    }
    Model(const Model &) = delete;
    ~Model() { workload_free(&w); }
    uint64_t parameters(bool sharded) const {
        uint64_t sum = 0;
        for (unsigned i = 0; i < w.count; i++)
            if (sharded || !w.layers[i].exchanged) sum += w.layers[i].parameters;
        return sum;
    }
    uint64_t reduced() const {
        uint64_t sum = 0;
        for (unsigned i = 0; i < w.count; i++) sum += w.layers[i].bytes;
        return sum;
    }
    double matrix_flops(pass p) const {
        double sum = 0;
        for (unsigned i = 0; i < w.count; i++)
            for (unsigned j = 0; j < w.layers[i].pass[p].count; j++) {
                const operation &o = w.operations[w.layers[i].pass[p].first + j];
                if (o.class_ != OPERATION_VECTOR) sum += static_cast<double>(o.flops);
            }
        return sum;
    }
};

TEST(Models, ResNet50) {
    const Model m("resnet50");
    EXPECT_EQ(m.parameters(true), 25557032U); // published: torchvision
    EXPECT_EQ(m.reduced(), 2 * 25557032U);
    EXPECT_EQ(m.w.minibatch, 32U);
    // published: 4.09 billion multiply-adds an image
    EXPECT_NEAR(m.matrix_flops(PASS_FORWARD) / 32 / 2, 4.09e9, 0.01e9);
    EXPECT_DOUBLE_EQ(m.matrix_flops(PASS_WEIGHT), m.matrix_flops(PASS_FORWARD));
    EXPECT_EQ(m.w.layers[0].pass[PASS_INPUT].count, 0U);
}

TEST(Models, Gnmt) {
    const Model m("gnmt");
    EXPECT_EQ(m.parameters(true), 160671297U); // published: MLPerf
    EXPECT_EQ(m.reduced(), 2 * 160671297U);
    EXPECT_EQ(m.w.minibatch, 128U);
    // weights that a token meets once: LSTMs (2 x 8 x 1024^2, 12 x 1024^2 where 2048 go in),
    // attention, classifier; and 30 keys for each query's context
    const double h2 = 1048576, lstm = 8 * h2, wide = 12 * h2;
    const double each = 2 * lstm + wide + 2 * lstm + lstm + 3 * wide + 2 * h2 + 1024. * 32320;
    EXPECT_DOUBLE_EQ(m.matrix_flops(PASS_FORWARD), 2 * 128 * 30 * (each + 30 * 1024));
}

TEST(Models, Dlrm) {
    const Model m("dlrm");
    const auto mlp = [](std::initializer_list<uint64_t> sizes) {
        uint64_t sum = 0, before = 0;
        for (const uint64_t n : sizes) {
            sum += before ? (before + 1) * n : 0;
            before = n;
        }
        return sum;
    };
    const uint64_t dense = mlp({ 13, 512, 256, 128 }) + mlp({ 479, 1024, 1024, 512, 256, 1 });
    EXPECT_EQ(m.parameters(false), dense);
    EXPECT_EQ(m.reduced(), 2 * dense);
    EXPECT_EQ(m.parameters(true), dense + 128 * 187767399ULL);
    EXPECT_EQ(m.w.layers[0].exchanged, 2ULL * 512 * 26 * 128);
    EXPECT_EQ(m.w.minibatch, 512U);
}

// M = N = K = 8192, two bytes an element: operands and result of 128 MiB each.  Kept in pieces of
// 40 MiB, one operand is read four times: 768 MiB with the result.  Tiled, x = 4579 and each is
// read twice: 640 MiB.
TEST(Buffer, ReadsOperandsAgain) {
    const double MiB = 1024 * 1024, operand = 128 * MiB;
    const auto kept = [&](double left, double right) {
        return npu_product_reads(40 * MiB, false, 8192, 8192, left, right);
    };
    EXPECT_EQ(kept(operand, operand) + operand, 768 * MiB);
    EXPECT_EQ(npu_product_reads(40 * MiB, true, 8192, 8192, operand, operand) + operand, 640 * MiB);
    EXPECT_EQ(kept(40 * MiB, operand), 168 * MiB); // the one that fits is kept, each is read once
    EXPECT_EQ(kept(operand, 40 * MiB), 168 * MiB);
    EXPECT_EQ(kept(operand, 50 * MiB), (128 + 50 * 4 < 50 + 128 * 2 ? 128 + 200 : 50 + 256) * MiB);
    EXPECT_EQ(npu_product_reads(40 * MiB, true, 4580, 4579, operand, operand), 3 * operand);
}

npu Sheet() {
    npu n{};
    n.sms = 1;
    n.matrix_TFLOPS = n.gemm_efficiency = n.memory_efficiency = n.compute_scale = 1;
    n.memory_GBps = 1000; // a megabyte in a microsecond
    return n;
}

// FP16 products timed from the host on an A100 SXM, as LLMCompass published them (BSD-3-Clause,
// commit 2e015fd2 of PrincetonUniversity/LLMCompass, ae/figure5). In addition to the data sheet
// there are three constants: a launch of 31 us, 0.89 of the arithmetic and 0.94 of the bandwidth.
// The mean error is 2.9 % and the worst 8.4 %.
TEST(Npu, RooflineOfA100Products) {
    const struct {
        double m, n, k, ms;
    } rows[] = { { 64, 12288, 12288, 0.1900 },     { 128, 12288, 12288, 0.2003 },
                 { 256, 12288, 12288, 0.3185 },    { 512, 12288, 12288, 0.6118 },
                 { 1024, 12288, 12288, 1.1990 },   { 2048, 12288, 12288, 2.3586 },
                 { 4096, 12288, 12288, 4.4576 },   { 8192, 12288, 12288, 8.6216 },
                 { 16384, 12288, 12288, 17.0307 }, { 32768, 12288, 12288, 35.4407 },
                 { 8192, 64, 64, 0.0296 },         { 8192, 128, 128, 0.0310 },
                 { 8192, 256, 256, 0.0356 },       { 8192, 512, 512, 0.0471 },
                 { 8192, 1024, 1024, 0.0927 },     { 8192, 2048, 2048, 0.2818 },
                 { 8192, 4096, 4096, 1.0210 },     { 8192, 8192, 8192, 3.9614 },
                 { 8192, 16384, 16384, 15.0087 },  { 8192, 32768, 32768, 61.1346 } };
    npu a100 = Sheet();
    double sum = 0, worst = 0;

    a100.matrix_TFLOPS = 312;
    a100.memory_GBps = 2039;
    a100.memory_together = true;
    a100.gemm_efficiency = 0.89;
    a100.memory_efficiency = 0.94;
    a100.launch_us = 31;
    for (const auto &r : rows) {
        operation o{};
        o.class_ = OPERATION_GEMM;
        o.flops = static_cast<uint64_t>(2 * r.m * r.n * r.k);
        o.read_bytes = static_cast<uint64_t>(2 * (r.m * r.k + r.k * r.n));
        o.written_bytes = static_cast<uint64_t>(2 * r.m * r.n);
        o.launches = 1;
        const double error = std::abs(npu_time(&a100, 1, &o, npu_whole(&a100)) / (1e3 * r.ms) - 1);
        sum += error;
        worst = std::max(worst, error);
    }
    EXPECT_NEAR(sum / 20, 0.029, 0.0005);
    EXPECT_NEAR(worst, 0.084, 0.0005);
}

// The shipped table of the same products has the TFLOP/s that their figure shows, of 8192 rows over
// n = k and of n = k = 12288 over rows.
TEST(Npu, TableOfA100ProductsIsThePublishedOne) {
    const double of_8192[] = { 2.3, 8.7, 30, 91, 185, 244, 269, 278, 293, 288 },
                 of_12288[] = { 102, 193, 243, 253, 258, 262, 277, 287, 291, 279 };
    std::ifstream file("workloads/measured/llmcompass/gemm_a100_sxm.csv");
    std::string line;
    unsigned rows = 0;

    ASSERT_TRUE(std::getline(file, line));
    while (std::getline(file, line)) {
        double m, n, k, us;

        ASSERT_EQ(sscanf(line.c_str(), "%lf,%lf,%lf,%lf", &m, &n, &k, &us), 4) << line;
        const bool wide = n > 12287 && n < 12289;
        const double *of = wide ? of_12288 : of_8192, found = 2 * m * n * k / us / 1e6;
        const double expected = of[static_cast<int>(std::log2(wide ? m : n)) - 6];
        EXPECT_NEAR(found, expected, expected < 10 ? 0.05 : 0.5) << line;
        EXPECT_EQ(n, k) << line;
        EXPECT_TRUE(wide || (m > 8191 && m < 8193)) << line;
        rows++;
    }
    EXPECT_EQ(rows, 20U);
}

// Data sheet of an A100: 312 TFLOPS in 16 bits, 156 in TF32, 19.5 in FP32. A timed product reaches
// the same share of each.
TEST(Npu, ProductsRunAtThePeakOfTheirPrecision) {
    const gemm_table *table;
    operation o{};

    o.class_ = OPERATION_GEMM;
    o.products = 1;
    o.m = o.n = 8192;
    o.flops = UINT64_C(2) * 8192 * 8192 * 8192;
    ASSERT_EQ(EXIT_OK, gemm_table_of("workloads/measured/llmcompass/gemm_a100_sxm.csv", &table));
    for (const gemm_table *by : { static_cast<const gemm_table *>(nullptr), table }) {
        npu half = Sheet();
        half.matrix_TFLOPS = 312;
        half.vector_TFLOPS = 19.5;
        half.gemm_efficiency = 0.5;
        half.products = by;
        npu single = half, tensor = half;

        EXPECT_FALSE(npu_set_precision(&tensor, PRECISION_TF32));
        EXPECT_EQ(tensor.matrix_TFLOPS, 312);
        tensor.tf32_TFLOPS = 156;
        EXPECT_TRUE(npu_set_precision(&tensor, PRECISION_TF32));
        EXPECT_TRUE(npu_set_precision(&single, PRECISION_FP32));
        const double us = npu_time(&half, 1, &o, npu_whole(&half));
        EXPECT_NEAR(npu_time(&tensor, 1, &o, npu_whole(&tensor)) / us, 2, 1e-9);
        EXPECT_NEAR(npu_time(&single, 1, &o, npu_whole(&single)) / us, 16, 1e-9);
        EXPECT_TRUE(npu_set_precision(&half, PRECISION_16));
        EXPECT_EQ(npu_time(&half, 1, &o, npu_whole(&half)), us);
    }
}

TEST(Buffer, IsSeenByTheRoofline) {
    shape s = Shape(LAYER_LINEAR);
    s.inputs = s.outputs = 8192;
    s.rows = 1;
    const Counted c(s, 8192, 2);
    const operation &o = c.l.at[PASS_FORWARD][0];
    npu n = Sheet();
    n.matrix_TFLOPS = 1e6;
    const double operand = 128 * 1.048576; // us
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 2 * operand);
    n.memory_together = true;
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 3 * operand);
    n.buffer_bytes = 40 << 20;
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 6 * operand);
    n.buffer_tiled = true;
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 5 * operand);
}

// 80 GB at 2039 GB/s and 160 GB at 500: 668.09 GB/s touched in proportion, 750 both at once.
TEST(Memory, OfTwoKindsHasABandwidth) {
    EXPECT_NEAR(npu_memory_GBps(80e9, 2039, 160e9, 500, false), 668.09, 0.005);
    EXPECT_DOUBLE_EQ(npu_memory_GBps(80e9, 2039, 160e9, 500, true), 750);
    EXPECT_DOUBLE_EQ(npu_memory_GBps(80e9, 2039, 0, 0, false), 2039);
    EXPECT_DOUBLE_EQ(npu_memory_GBps(0, 2039, 0, 0, true), 2039);
}

TEST(Memory, SpillsWhatIsOver) {
    npu n = Sheet();
    npu_memory m;
    n.memory_GBps = 2039;
    npu_memory_fill(&n, 240e9, 0, &m); // as large as it has to be
    EXPECT_TRUE(m.fits && !m.expanded);
    EXPECT_EQ(n.hot, 1);
    n.memory_bytes = 80000000000;
    npu_memory_fill(&n, 80e9, 0, &m);
    EXPECT_TRUE(m.fits && !m.expanded);
    npu_memory_fill(&n, 80e9 + 1, 0, &m);
    EXPECT_FALSE(m.fits);
    EXPECT_EQ(n.hot, 1); // as if it were local
    n.expanded_bytes = 160000000000;
    n.expanded_GBps = 500;
    npu_memory_fill(&n, 240e9, 100e9, &m);
    EXPECT_TRUE(m.fits);
    EXPECT_EQ(m.local, 80e9);
    EXPECT_EQ(m.expanded, 160e9);
    EXPECT_NEAR(n.hot * 2039, 668.09, 0.005);
    EXPECT_EQ(n.hot, n.cold);
    n.expansion = EXPANSION_TOGETHER;
    npu_memory_fill(&n, 240e9, 100e9, &m);
    EXPECT_DOUBLE_EQ(n.hot * 2039, 750);
    npu_memory_fill(&n, 241e9, 100e9, &m);
    EXPECT_FALSE(m.fits);
}

// All of the optimizer's 100 GB are expanded first. Of the other 140 GB, the remaining 60 are
// expanded, in proportion.
TEST(Memory, ByHeatExpandsTheOptimizerFirst) {
    npu n = Sheet();
    npu_memory m;
    n.memory_GBps = 2000;
    n.memory_bytes = 80000000000;
    n.expanded_bytes = 400000000000;
    n.expanded_GBps = 500;
    n.expansion = EXPANSION_HEAT;
    npu_memory_fill(&n, 240e9, 100e9, &m);
    EXPECT_DOUBLE_EQ(n.cold * 2000, 500);
    EXPECT_DOUBLE_EQ(n.hot * 2000, 140 / (80.0 / 2000 + 60.0 / 500));
    npu_memory_fill(&n, 120e9, 100e9, &m); // 40 over: of the optimizer alone
    EXPECT_DOUBLE_EQ(n.cold * 2000, 100 / (60.0 / 2000 + 40.0 / 500));
    EXPECT_DOUBLE_EQ(n.hot, 1);
    operation o{};
    o.class_ = OPERATION_VECTOR;
    n.vector_TFLOPS = n.vector_efficiency = 1;
    o.read_bytes = 2000000; // a microsecond
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 1);
    o.cold = true;
    EXPECT_DOUBLE_EQ(npu_time(&n, 1, &o, npu_whole(&n)), 2000 / (n.cold * 2000));
}

// ---- products that were timed ------------------------------------------------------------

std::string File(const char *name, const std::string &text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

// Of one product, forward.
double Us(const gemm_table *t, double m, double n, double k) {
    const gemm_launch l = { GEMM_TN, 1, m, n, k };
    return gemm_table_us(t, &l);
}

// A power law is a straight line in logarithms, so between points nothing is lost.
double Law(double m, double n, double k) { return 0.01 * std::pow(m, 0.9) * std::sqrt(n) * k; }
const gemm_table *PowerLaw() {
    std::string text = "type,m,n,k,time_us,set\nbf16,100,100,100,1,check\n";
    const gemm_table *t = nullptr;
    for (const int m : { 4096, 128, 1024 })
        for (const int n : { 256, 512 })
            for (const int k : { 64, 512, 8192 })
                text += "bf16," + std::to_string(m) + "," + std::to_string(n) + "," +
                        std::to_string(k) + "," + std::to_string(Law(m, n, k)) + ",grid\n";
    EXPECT_EQ(gemm_table_of(File("law.csv", text).c_str(), &t), EXIT_OK);
    return t;
}

TEST(GemmTable, IsALineInLogarithmsBetweenPointsAndClampsBelowAndScalesBeyond) {
    const gemm_table *t = PowerLaw();
    for (const double m : { 128., 129., 700., 1024., 4000., 4096. })
        for (const double n : { 256., 300., 512. })
            for (const double k : { 64., 100., 512., 5000., 8192. })
                EXPECT_NEAR(Us(t, m, n, k) / Law(m, n, k), 1, 1e-6);
    EXPECT_NEAR(Us(t, 1, 300, 100), Law(128, 300, 100), 1e-4);
    EXPECT_NEAR(Us(t, 700, 5120, 16384) / Law(700, 512, 8192), 10 * 2, 1e-4);
    const gemm_table *again = nullptr;
    EXPECT_EQ(gemm_table_of((testing::TempDir() + "law.csv").c_str(), &again), EXIT_OK);
    EXPECT_EQ(again, t);
}

TEST(GemmTable, OfOnePointIsThatPoint) {
    const gemm_table *t = nullptr;
    const std::string file = File("point.csv", "m,n,k,time_us\n64,64,64,5\n");
    ASSERT_EQ(gemm_table_of(file.c_str(), &t), EXIT_OK);
    EXPECT_DOUBLE_EQ(Us(t, 7, 64, 32), 5);
    EXPECT_DOUBLE_EQ(Us(t, 7, 128, 32), 10);
}

// Two lines of products: at m = 64 of n = k, and at n = k = 32 of m.  FLOPs a microsecond are 4 and
// 16 at 16 and 64 along one, 8 and 24 at 32 and 128 along the other, whose 64 is at the root of 8
// x 24.
TEST(GemmTable, IsACrossOfTwoLines) {
    const auto row = [](double m, double x, double rate) {
        char text[96];
        snprintf(text, sizeof text, "%.0f,%.0f,%.0f,%.9f,3\n", m, x, x, 3 + 2 * m * x * x / rate);
        return std::string(text);
    };
    const std::string cross = row(64, 16, 4) + row(64, 64, 16) + row(32, 32, 8) + row(128, 32, 24);
    const gemm_table *t = nullptr;
    ASSERT_EQ(
        gemm_table_of(
            File("cross.csv", "m,n,k,time_us,start_us\n" + cross + row(512, 32, 24)).c_str(), &t),
        EXIT_OK);
    const auto rate = [&](double m, double n, double k) { return 2 * m * n * k / Us(t, m, n, k); };
    EXPECT_NEAR(rate(64, 16, 16), 4, 1e-6);
    EXPECT_NEAR(rate(64, 64, 64), 16, 1e-6);
    EXPECT_NEAR(rate(64, 16, 64), 8, 1e-6);                       // half-way between these
    EXPECT_NEAR(rate(128, 64, 64), 16 * 24 / sqrt(8 * 24), 1e-5); // what rows are worth
    EXPECT_NEAR(rate(64, 640, 640), 16, 1e-6);                    // beyond
    EXPECT_NEAR(Us(t, 16, 64, 64), Us(t, 32, 64, 64), 1e-6);      // below
    const gemm_table *whole = nullptr;
    const uint64_t before = gemm_table_digest(t, 1);
    ASSERT_EQ(gemm_table_of(File("other.csv", "m,n,k,time_us,start_us\n" + cross).c_str(), &whole),
              EXIT_OK);
    EXPECT_NE(gemm_table_digest(whole, 1), before);
}

// Each layout has products of its own, and so have launches of several.
TEST(GemmTable, TakesProductsOfTheLayoutAndOfAsManyInALaunch) {
    const gemm_table *t = nullptr;
    ASSERT_EQ(gemm_table_of(File("layouts.csv", "batch,m,n,k,layout,time_us\n"
                                                "1,64,64,64,TN,10\n1,64,64,64,NN,20\n"
                                                "1,64,64,64,NT,30\n1,128,64,64,NT,60\n"
                                                "4,64,64,64,TN,50\n4,64,64,64,NN,70\n")
                                .c_str(),
                            &t),
              EXIT_OK);
    const auto us = [&](gemm_layout layout, double batch, double m) {
        const gemm_launch l = { layout, batch, m, 64, 64 };
        return gemm_table_us(t, &l);
    };
    EXPECT_NEAR(us(GEMM_TN, 1, 64), 10, 1e-9);
    EXPECT_NEAR(us(GEMM_NN, 1, 64), 20, 1e-9);
    EXPECT_NEAR(us(GEMM_NT, 1, 96), 45, 1e-9); // both have one rate
    EXPECT_NEAR(us(GEMM_TN, 4, 64), 50, 1e-9);
    EXPECT_NEAR(us(GEMM_NN, 4, 64), 70, 1e-9);
    EXPECT_NEAR(us(GEMM_TN, 8, 64), 100, 1e-9); // the only rate of several
    const gemm_table *bad = nullptr;
    testing::internal::CaptureStderr();
    EXPECT_EQ(gemm_table_of(File("tt.csv", "m,n,k,layout,time_us\n8,8,8,TT,1\n").c_str(), &bad),
              EXIT_USAGE);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(
                  ":2:7: found 'TT' as a layout, expected TN, NN or NT"),
              std::string::npos);
}

// A weight's gradient has rows of both kinds of sum, or one kind stands for both.
TEST(GemmTable, TakesGradientsByTheirSum) {
    const auto us = [](const char *name, const std::string &rows, gemm_layout layout) {
        const gemm_table *t = nullptr;
        const gemm_launch l = { layout, 1, 64, 64, 64 };

        EXPECT_EQ(gemm_table_of(File(name, "m,n,k,layout,out_type,time_us\n"
                                           "64,64,64,TN,bf16,10\n" +
                                               rows)
                                    .c_str(),
                                &t),
                  EXIT_OK);
        return gemm_table_us(t, &l);
    };
    const std::string half = "64,64,64,NT,bf16,30\n", whole = "64,64,64,NT,fp32,40\n";

    EXPECT_NEAR(us("both.csv", half + whole, GEMM_NT), 30, 1e-9);
    EXPECT_NEAR(us("both.csv", half + whole, GEMM_NT_FP32), 40, 1e-9);
    EXPECT_NEAR(us("half.csv", half, GEMM_NT_FP32), 30, 1e-9);
    EXPECT_NEAR(us("whole.csv", whole, GEMM_NT), 40, 1e-9);
    // Only a weight's gradient is added to a sum.
    EXPECT_NEAR(us("forward.csv", "64,64,64,TN,fp32,10\n" + whole, GEMM_TN), 10, 1e-9);
}

// The rate that lasts is all FLOPs of a layout over all their time.
TEST(GemmTable, LastsAtTheRateOfAllProducts) {
    const gemm_table *t = nullptr;
    const double flops = 2. * 64 * 64 * 64;

    ASSERT_EQ(gemm_table_of(File("lasting.csv", "batch,m,n,k,layout,out_type,time_us\n"
                                                "1,64,64,64,TN,bf16,10\n1,192,64,64,TN,bf16,10\n"
                                                "8,64,64,64,TN,bf16,1\n8,64,64,64,NN,bf16,1\n"
                                                "1,64,64,64,NT,fp32,16\n")
                                .c_str(),
                            &t),
              EXIT_OK);
    EXPECT_NEAR(gemm_table_lasting(t, GEMM_TN), 4 * flops / 20, 1e-9);
    EXPECT_NEAR(gemm_table_lasting(t, GEMM_NT_FP32), flops / 16, 1e-9);
    EXPECT_NEAR(gemm_table_lasting(t, GEMM_NT), flops / 16, 1e-9); // the only sum there is
    EXPECT_TRUE(std::isinf(gemm_table_lasting(t, GEMM_NN)));       // only several in a launch

    // Behind others the fast product takes 15 us, and the slow one the 10 us of its row.
    operation o = Op(OPERATION_GEMM, uint64_t{ 2 } * 192 * 64 * 64, 1, 1);
    o.products = 1;
    o.m = 192;
    o.n = 64;
    EXPECT_NEAR(npu_table_us(t, &o), 10, 1e-4); // other rows have a weight
    EXPECT_NEAR(npu_table_run_us(t, &o), 15, 1e-9);
    o = Op(OPERATION_GEMM, uint64_t{ 2 } * 64 * 64 * 64, 1, 1);
    o.products = 1;
    o.m = o.n = 64;
    EXPECT_NEAR(npu_table_run_us(t, &o), 10, 1e-4);
}

// ---- fused attention that was timed -------------------------------------------------------

const char *const kAttention = "pass,batch,sequence,heads,qk_dim,v_dim,efficiency\n"
                               "sdp_fwd,1,1024,64,128,128,0.8\nsdp_fwd,1,1024,4,128,128,0.2\n"
                               "sdp_bwd,1,1024,64,128,128,0.5\n";

// Few heads are slow.  A backward pass computes the scores again: five products in place of four.
TEST(AttentionTable, TakesTheNearestKernelOfThePass) {
    const attention_table *t = nullptr;
    ASSERT_EQ(attention_table_of(File("attention.csv", kAttention).c_str(), &t), EXIT_OK);
    const auto share = [&](double heads, bool backward) {
        const attention_shape s = { heads, 1024, 256, backward };
        return attention_table_share(t, &s);
    };
    EXPECT_NEAR(share(64, false), 0.8, 1e-4);
    EXPECT_NEAR(share(4, false), 0.2, 1e-4);
    EXPECT_NEAR(share(16, false), 0.4, 1e-6); // half-way in logarithms
    EXPECT_NEAR(share(4, true), 0.5 * 4 / 5, 1e-9);
    EXPECT_NE(attention_table_digest(t, 1), 1U);
}

TEST(AttentionTable, TimesFusedAttentionOfAnNpu) {
    npu n = kNpu;
    ASSERT_EQ(attention_table_of(File("npu-attention.csv", kAttention).c_str(), &n.attention),
              EXIT_OK);
    operation o = Op(OPERATION_GEMM, uint64_t{ 1 } << 40, 1, 1);
    o.fused = true;
    o.attention = { 4, 1024, 256, false };
    EXPECT_NEAR(npu_time(&n, kMHz, &o, npu_whole(&n)) /
                    (kMHz * (double)o.flops / (0.2 * n.matrix_TFLOPS * 1e6)),
                1, 1e-3);
    o.attention.heads = 64;
    EXPECT_NEAR(npu_attention(&n, &o), 0.8, 1e-4);
    o.fused = false;
    EXPECT_EQ(npu_attention(&n, &o), 0);
}

TEST(AttentionTable, RefusesWhatIsNoTable) {
    const std::string head = "pass,batch,sequence,heads,qk_dim,v_dim,efficiency\n";
    const std::pair<std::string, const char *> bad[] = {
        { "forward,1,8,8,8,8,1\n", ":2:1: found 'forward' as a pass, expected sdp_fwd or sdp_bwd" },
        { "sdp_fwd,1,8,8,8,8,0\n", ":2:19: found '0' as a share" },
        { "sdp_fwd,1,8,8,8,8,1\n", "found no row of sdp_bwd, expected at least one of each pass" },
        { "", "found no row of sdp_fwd" },
    };
    for (const auto &b : bad) {
        const attention_table *t = nullptr;
        testing::internal::CaptureStderr();
        EXPECT_EQ(attention_table_of(File("bad-attention.csv", head + b.first).c_str(), &t),
                  EXIT_USAGE);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find(b.second), std::string::npos) << said;
    }
}

TEST(GemmTable, RefusesWhatIsNoGrid) {
    const std::pair<const char *, const char *> bad[] = {
        { "8,8,8,1\n8,16,16,1\n8,16,8,1\n", ":4:1: found no row of 8 x 8 x 16" },
        { "8,8,8,1\n8,8,8,2\n", ":3:1: found a product a second time" },
        { "8,8,0,1\n", ":2:5: found '0' as a depth" },
        { "8,8.5,8,1\n", ":2:3: found '8.5' as columns, expected a whole number" },
        { "8,8,8,nan\n", ":2:7: found 'nan' as microseconds" },
        { "8,8,8,1\n8,16,16,1\n16,8,8,1\n16,16,16,1\n", ":5:1: found no row of 8 x 8 x 16" },
        { "", ":1:1: found no rows" },
        { "8,8,8\n", ":2:1: found a row with fewer fields than the head, expected 4" },
        { "8,8,8,1,1\n", ":2:1: found a row with more fields than the head, expected 4" },
    };
    for (const auto &b : bad) {
        const gemm_table *t = nullptr;
        const std::string file = File("bad.csv", std::string("m,n,k,time_us\n") + b.first);
        testing::internal::CaptureStderr();
        EXPECT_EQ(gemm_table_of(file.c_str(), &t), EXIT_USAGE);
        EXPECT_NE(testing::internal::GetCapturedStderr().find(b.second), std::string::npos)
            << b.second;
    }
}

// Alone, what the table says; on a part, longer as its counts are.  Products alike in one launch
// are as one with all their rows; launches of their own come one after the other.
TEST(GemmTable, TimesAProductOfAnNpu) {
    npu n = kNpu;
    n.products = PowerLaw();
    n.launch_us = 2;
    operation o = Op(OPERATION_GEMM, uint64_t{ 2 } * 8 * 128 * 300 * 500, 1, 1);
    o.products = 8;
    o.m = 128;
    o.n = 300;
    const npu_share whole = npu_whole(&n);
    EXPECT_NEAR(npu_time(&n, kMHz, &o, whole), kMHz * (2 + Law(1024, 300, 500)), 1e-3);
    o.launches = 8;
    EXPECT_NEAR(npu_time(&n, kMHz, &o, whole), kMHz * 8 * (2 + Law(128, 300, 500)), 1e-2);
    n.launch_us = 0;
    EXPECT_NEAR(npu_time(&n, kMHz, &o, { n.sms / 4., n.memory_GBps }) /
                    npu_time(&n, kMHz, &o, whole),
                4, 1e-9);
    n.compute_scale = 3;
    EXPECT_NEAR(npu_time(&n, kMHz, &o, whole), 3 * kMHz * 8 * Law(128, 300, 500), 1e-2);
    o.products = 0; // sizes are not known: by efficiency
    n.products = nullptr;
    const double by_efficiency = npu_time(&n, kMHz, &o, whole);
    n.products = PowerLaw();
    EXPECT_DOUBLE_EQ(npu_time(&n, kMHz, &o, whole), by_efficiency);
}

// ---- kernels that were timed against the model ---------------------------------------------

// Rows that a roofline made give its constants back; the check's rows have no part in that.
TEST(Kernels, ConstantsOfARooflineAreFoundAgain) {
    npu n = kNpu;
    n.matrix_TFLOPS = 1000;
    n.memory_GBps = 3000;
    n.memory_together = true;
    std::string text = "m,n,k,time_us,set\n512,512,512,900000,check\n";
    for (const double m : { 128, 1024, 8192 })
        for (const double w : { 512, 2048, 8192 })
            for (const double k : { 512, 4096 }) {
                const double us = 5 + std::max(2 * m * w * k / (0.7 * 1000e6),
                                               2 * (m * k + k * w + m * w) / (0.9 * 3000e3));
                text += std::to_string(int(m)) + "," + std::to_string(int(w)) + "," +
                        std::to_string(int(k)) + "," + std::to_string(us) + ",grid\n";
            }
    kernels k;
    ASSERT_EQ(kernels_read(File("roofline.csv", text).c_str(), &k), EXIT_OK);
    kernels_fit(&k, &n);
    EXPECT_NEAR(n.gemm_efficiency, 0.7, 1e-3);
    EXPECT_NEAR(n.memory_efficiency, 0.9, 2e-3);
    EXPECT_NEAR(n.launch_us, 5, 1e-2);
    kernels_free(&k);
}

TEST(Kernels, BesideCommunicationAShareIsLeftOver) {
    const std::string head = "work,flops,read_bytes,written_bytes,exclusive,sms,alone_us,beside_us,"
                             "traffic_alone_GBps,traffic_beside_GBps\n";
    const std::string file = File("beside.csv", head + "gemm a,1e12,1e6,1e6,0,20,9,9,500,600\n"
                                                       "sum,1e3,1e9,1e9,1,20,9,9,500,600\n");
    npu n = kNpu; // of 80 SMs
    n.memory_GBps = 2000;
    n.memory_together = true;
    kernels_beside b;
    ASSERT_EQ(kernels_beside_read(file.c_str(), n.sms, &b), EXIT_OK);
    ASSERT_EQ(b.count, 2U);
    EXPECT_DOUBLE_EQ(kernel_beside_slower(&n, &b.at[0]), 80. / 60);
    EXPECT_NEAR(kernel_beside_slower(&n, &b.at[1]), 2000. / 1400, 1e-9);
    n.memory_together = false; // 600 GB/s both ways are 300 each
    EXPECT_NEAR(kernel_beside_slower(&n, &b.at[1]), 2000. / 1700, 1e-9);
    kernels_beside_free(&b);
    testing::internal::CaptureStderr();
    EXPECT_EQ(kernels_beside_read(file.c_str(), 20, &b), EXIT_USAGE);
    EXPECT_NE(testing::internal::GetCapturedStderr().find(":2:23: found '20' as SMs"),
              std::string::npos);
    kernels_beside_free(&b);
}

} // namespace
