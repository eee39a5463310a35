// SPDX-License-Identifier: Apache-2.0
// workload_test.cc -- values people write, the layer table, its YAML
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

extern "C" {
#include "cluster.h"
#include "exit_status.h"
#include "fabric.h"
#include "operations.h"
#include "setup_fields.h"
#include "values.h"
#include "workload.h"
#include "workload_read.h"
}

namespace {

const npu kNpu = cluster_default().npu;

std::string file(const char *name, const std::string &text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

TEST(Values, Sizes) {
    uint64_t v = 0;
    EXPECT_TRUE(parse_size("64MiB", &v));
    EXPECT_EQ(v, 67108864U);
    EXPECT_TRUE(parse_size("1.5 KiB", &v));
    EXPECT_EQ(v, 1536U);
    EXPECT_TRUE(parse_size("4MB", &v));
    EXPECT_EQ(v, 4000000U);
    for (const char *s : { "-1", "", "0", "1.3", "4mb", "9e99", "nan", "2TiB", " 4" })
        EXPECT_FALSE(parse_size(s, &v)) << s;
}

TEST(Values, Others) {
    double d = 0;
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS], dims[ACE_CLUSTER_DIMENSIONS], count = 0;
    EXPECT_TRUE(parse_bandwidth("128GB/s", &d));
    EXPECT_EQ(d, 128);
    EXPECT_TRUE(parse_bandwidth("50 GiB/s", &d));
    EXPECT_DOUBLE_EQ(d, 53.6870912); /* ASTRA-sim's unit: 2^30 bytes a second */
    EXPECT_FALSE(parse_bandwidth("128Gib/s", &d));
    EXPECT_TRUE(parse_topology("4x2", ring, wiring));
    EXPECT_EQ(ring[2], 1);
    for (const char *s : { "0x4", "4x", "513", "2x2x2x2x2x2x2", "4 x4", "" })
        EXPECT_FALSE(parse_topology(s, ring, wiring)) << s;
    EXPECT_TRUE(parse_topology("Ring(4)_FullyConnected(8)_Switch(2)", ring, wiring));
    EXPECT_EQ(ring[0] * 100 + ring[1] * 10 + ring[2], 482);
    EXPECT_EQ(wiring[0] * 100 + wiring[1] * 10 + wiring[2], 21);
    for (const char *s :
         { "Ring(4", "Ring4", "Mesh(4)", "Ring(4)x2", "Ring(4)_", "ring(4)", "Ring(0)" })
        EXPECT_FALSE(parse_topology(s, ring, wiring)) << s;
    EXPECT_TRUE(parse_topology("4x3x1x2", ring, wiring));
    EXPECT_EQ(ring[3], 2);
    EXPECT_EQ(parse_topology("Ring(256)_Switch(512)_Ring(1)_Ring(2)_Ring(3)_Ring(4)", ring, wiring),
              6u);
    EXPECT_EQ(ring[0], 256);
    EXPECT_EQ(ring[1], 512);
    EXPECT_EQ(ring[5], 4);
    EXPECT_TRUE(parse_dims("z,x", dims, &count));
    EXPECT_EQ(count, 2);
    for (const char *s : { "", "x,x", "xy", "t", "x,", "w,x,y,z,w", "w,x,y,z,u,v,x" })
        EXPECT_FALSE(parse_dims(s, dims, &count)) << s;
}

uint64_t cycles(const workload &w, unsigned layer, pass p) {
    uint64_t sum = 0;
    for (unsigned i = 0; i < w.layers[layer].pass[p].count; i++)
        sum += w.operations[w.layers[layer].pass[p].first + i].cycles;
    return sum;
}

TEST(Workload, Table) {
    const std::string path =
        file("good.txt", "DATA\n2\na\t-1\t10\tNONE\t0\t20\tNONE\t0\t30\tALLREDUCE\t4096\t1\n"
                         "b -1 1 NONE 0 2 NONE 0 3 NONE 0 1");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), &kNpu, 2000, &w), 0);
    ASSERT_EQ(w.count, 2U);
    EXPECT_STREQ(w.layers[0].name, "a");
    EXPECT_EQ(cycles(w, 0, PASS_FORWARD), 20U); // 1 GHz cycles on a 2 GHz clock
    EXPECT_EQ(cycles(w, 0, PASS_WEIGHT), 60U);
    EXPECT_EQ(cycles(w, 0, PASS_INPUT), 0U); // nobody asks for the first layer's
    EXPECT_EQ(cycles(w, 1, PASS_INPUT), 4U);
    EXPECT_EQ(w.layers[0].bytes, 4096U);
    EXPECT_EQ(w.layers[1].bytes, 0U);
    workload_free(&w);
}

TEST(Workload, Yaml) {
    file("table.txt", "DATA\n1\na -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 4096 1\n");
    const std::string path = file("w.yaml", "layers: table.txt\nminibatch: 32\nelement: fp16\n");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), 0);
    EXPECT_EQ(cycles(w, 0, PASS_WEIGHT), 960U);
    EXPECT_EQ(w.layers[0].bytes, 2048U);
    EXPECT_EQ(w.element, ACE_FP16);
    workload_free(&w);
}

// What memory bounds takes twice its given time on half the memory; what the SMs bound, on half of
// them.
TEST(Workload, TableWithShapes) {
    file("product.yaml",
         "minibatch: 7\nlayers:\n"
         "- {name: few, kind: linear, inputs: 4096, outputs: 4096}\n"
         "- {name: pool, kind: pool, channels: 1, size: 2, kernel: 2}\n"
         "- {name: many, kind: linear, inputs: 4096, outputs: 4096, rows: 4096, bias: no}\n");
    file("times.txt", "DATA\n2\na -1 1001 NONE 0 20 NONE 0 303 ALLREDUCE 67108864 1\n"
                      "b -1 10 NONE 0 200 NONE 0 77 NONE 0 1\n");
    const std::string path =
        file("timed.yaml", "layers: times.txt\nshapes: product.yaml\nelement: fp16\n");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), 0);
    EXPECT_TRUE(w.shaped && w.timed);
    EXPECT_EQ(w.layers[0].bytes, 33554432U);
    const uint64_t given[2][PASSES] = { { 1001, 303, 0 }, { 10, 77, 200 } };
    const npu_share whole = npu_whole(&kNpu);
    for (unsigned l = 0; l < 2; l++)
        for (int p = 0; p < PASSES; p++) {
            EXPECT_EQ(cycles(w, l, static_cast<pass>(p)), given[l][p]);
            for (unsigned i = 0; i < w.layers[l].pass[p].count; i++) {
                const operation *o = &w.operations[w.layers[l].pass[p].first + i];
                const npu_share half = l ? npu_share{ whole.sms / 2, whole.GBps }
                                         : npu_share{ whole.sms, whole.GBps / 2 };
                EXPECT_EQ(npu_cycles(&kNpu, 1000, o, whole), o->cycles);
                EXPECT_DOUBLE_EQ(npu_time(&kNpu, 1000, o, half), 2. * o->cycles);
                EXPECT_GT(o->read_bytes, 0U);
            }
        }
    workload_free(&w);
}

TEST(Workload, SaysWhichShapesAreNotTheTables) {
    file("two.txt", "DATA\n2\na -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 64 1\n"
                    "b -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 64 1\n");
    const std::string a = "- {name: a, kind: linear, inputs: 4, outputs: 4}\n",
                      b = "- {name: b, kind: linear, inputs: 2, outputs: 8}\n",
                      pool = "- {name: pool, kind: pool, channels: 1, size: 2, kernel: 2}\n";
    const struct {
        std::string shapes, said;
    } bad[] = {
        { "layers:\n" + a, ":1:1: found another number of layers" },
        { "layers:\n" + a + pool, ":1:1: found another number of layers" },
        { "layers:\n" + a + b + a, ":1:1: found another number of layers" },
        { "layers:\n" + a + "- {name: c, kind: linear, inputs: 3, outputs: 4}\n",
          ":1:1: found layer c of 12 weights for b of 16" },
        { "layers: two.txt\n", ":1:1: found a layer table, expected layers by shape" },
        { "layers:\n" + a +
              "- {name: b, kind: linear, inputs: 2, outputs: 8, input_gradient: no}\n",
          ":1:1: found layer b without work in a pass of b that has cycles" },
    };
    const std::string path = file("two.yaml", "layers: two.txt\nshapes: of-two.yaml\n");
    for (const auto &one : bad) {
        const std::string shapes = file("of-two.yaml", one.shapes);
        workload w;
        testing::internal::CaptureStderr();
        EXPECT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), EXIT_USAGE) << one.shapes;
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find(shapes + one.said), std::string::npos) << said;
    }
    file("of-two.yaml", "layers:\n" + a + pool + b + pool);
    workload w;
    EXPECT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), EXIT_OK);
    workload_free(&w);
}

TEST(Workload, SaysWhereATableIsWrong) {
    const struct {
        const char *text, *where;
    } bad[] = {
        { "DATA\n2\na -1 1 NONE 0 2 NONE 0 3 NONE 0 1\n", ":4:1: found the end of the file" },
        { "DATA\n1\na -1 x NONE 0 2 NONE 0 3 NONE 0 1\n", ":3:6: found 'x'" },
        { "DATA\n1\na -1 1 ALLTOALL 5 2 NONE 0 3 NONE 0 1\n",
          ":3:8: found a collective of the forward pass, which DATA has for no NPUs" },
        { "MODELL\n1\n", ":1:1: found parallelism 'MODELL'" },
        { "DATA\n1\na -1 1 NONE 0 2 NONE 0 3 NONE 0\n", ":3:32: found the end of the line" },
        { "DATA\n1\na -1 1 NONE 0 2 NONE 0 3 NONE 0 1\nb\n", ":4:1: found more lines" },
        { "", ":1:1: found the end of the file" },
    };
    for (const auto &b : bad) {
        const std::string path = file("bad.txt", b.text);
        workload w;
        testing::internal::CaptureStderr();
        EXPECT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), EXIT_USAGE);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find(path + b.where), std::string::npos) << said << " lacks " << b.where;
    }
}

TEST(Workload, Shapes) {
    const std::string path =
        file("shapes.yaml", "minibatch: 4\nelement: fp16\nsequence: &rows 3\nlayers:\n"
                            "- {kind: linear, name: a, inputs: 5, outputs: 7, rows: *rows}\n"
                            "- name: b\n  inputs: 7\n  outputs: 1\n  kind: linear\n  bias: no\n");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), 0);
    ASSERT_EQ(w.count, 2U);
    EXPECT_TRUE(w.shaped);
    EXPECT_EQ(w.layers[0].parameters, 42U);
    EXPECT_EQ(w.layers[0].bytes, 84U);
    EXPECT_EQ(w.operations[w.layers[0].pass[PASS_FORWARD].first].flops, 2U * 12 * 5 * 7);
    EXPECT_EQ(w.layers[0].pass[PASS_INPUT].count, 0U);
    EXPECT_EQ(w.layers[1].pass[PASS_INPUT].count, 1U);
    EXPECT_EQ(w.layers[1].parameters, 7U);
    workload_free(&w);
}

TEST(Workload, SaysWhereAShapeIsWrong) {
    const struct {
        const char *text, *where;
    } bad[] = {
        { "layers:\n- {name: a, kind: linear, inputs: 0, outputs: 2}\n",
          ":2:35: found '0', expected a count from 1" },
        { "layers:\n- {name: a, kind: lineal, inputs: 1}\n",
          ":2:19: found 'lineal', expected a layer with a kind of convolution linear" },
        { "layers:\n- {name: a, inputs: 1}\n", ":2:3: found a mapping without 'kind'" },
        { "layers:\n- {name: a, kind: linear, kind: lstm}\n", ":2:27: found a second 'kind'" },
        { "layers:\n- {name: a, kind: linear, inputs: 3}\n",
          ":2:3: found a mapping without it, expected the key 'outputs'" },
        { "layers:\n- {name: a, kind: linear, inputs: 3, outputs: 1, kernel: 3}\n",
          ":2:50: found unknown key 'kernel', expected one of name inputs outputs" },
        { "layers:\n- {name: a, kind: convolution, channels: 1, filters: 1, size: 3, kernel: "
          "5x2}\n",
          ":2:3: found a kernel beyond the image" },
        { "layers:\n- {name: a, kind: convolution, channels: 1, filters: 1, size: 3x, kernel: 1}\n",
          ":2:63: found '3x'" },
        { "layers:\n- {name: a, kind: linear, inputs: 1, outputs: 1, bias: maybe}\n",
          ":2:56: found 'maybe', expected yes or no" },
        { "layers:\n- linear\n", ":2:3: found no mapping" },
        { "layers: []\n", ":1:9: found an empty list" },
        { "layers:\n- {name: a, kind: softmax, width: 2}\n"
          "- {name: b, kind: embedding, rows: 2, width: 2, sharded: yes}\n",
          ":3:3: found a sharded embedding behind other layers" },
        { "layers:\n- {name: b, kind: embedding, rows: 2, width: 2, sharded: yes}\n",
          ":2:3: found a sharded embedding, expected an interaction" },
        { "parameters: 5\nlayers:\n- {name: a, kind: linear, inputs: 1, outputs: 2}\n",
          ":1:1: found layers of 4 parameters in all, expected 5" },
        { "loop: optimised\nlayers:\n- {name: a, kind: linear, inputs: 1, outputs: 2}\n",
          ":1:1: found the optimised loop and no sharded embedding" },
        { "compute_clock: 1 GHz\nlayers:\n- {name: a, kind: linear, inputs: 1, outputs: 2}\n",
          ":1:1: found reference_minibatch, compute_clock, table_element or shapes" },
        { "minibatch: 1000000\nlayers:\n"
          "- {name: a, kind: linear, inputs: 4294967295, outputs: 4294967295}\n",
          ":3:3: found a layer of 2^56 operations" },
    };
    for (const auto &b : bad) {
        const std::string path = file("shape.yaml", b.text);
        workload w;
        testing::internal::CaptureStderr();
        EXPECT_EQ(workload_read(path.c_str(), &kNpu, 1000, &w), EXIT_USAGE) << b.text;
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find(path + b.where), std::string::npos) << said << " lacks " << b.where;
    }
}

} // namespace
