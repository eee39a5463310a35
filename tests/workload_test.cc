// SPDX-License-Identifier: Apache-2.0
// workload_test.cc -- values people write, the layer table, its YAML
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <string>

extern "C" {
#include "acesim.h"
}

namespace {

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
    uint8_t ring[3], count = 0;
    EXPECT_TRUE(parse_bandwidth("128GB/s", &d));
    EXPECT_EQ(d, 128);
    EXPECT_FALSE(parse_bandwidth("128GiB/s", &d));
    EXPECT_TRUE(parse_topology("4x2", ring));
    EXPECT_EQ(ring[2], 1);
    for (const char *s : { "0x4", "4x", "129", "4x4x4x4", "4 x4", "" })
        EXPECT_FALSE(parse_topology(s, ring)) << s;
    EXPECT_TRUE(parse_dims("z,x", ring, &count));
    EXPECT_EQ(count, 2);
    for (const char *s : { "", "x,x", "xy", "w", "x," })
        EXPECT_FALSE(parse_dims(s, ring, &count)) << s;
}

TEST(Workload, Table) {
    const std::string path =
        file("good.txt", "DATA\n2\na\t-1\t10\tNONE\t0\t20\tNONE\t0\t30\tALLREDUCE\t4096\t1\n"
                         "b -1 1 NONE 0 2 NONE 0 3 NONE 0 1");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), 2000, &w), 0);
    ASSERT_EQ(w.count, 2U);
    EXPECT_STREQ(w.layers[0].name, "a");
    EXPECT_EQ(w.layers[0].forward, 20U); // 1 GHz cycles on a 2 GHz clock
    EXPECT_EQ(w.layers[0].weight_gradient, 60U);
    EXPECT_EQ(w.layers[0].bytes, 4096U);
    EXPECT_EQ(w.layers[1].bytes, 0U);
    workload_free(&w);
}

TEST(Workload, Yaml) {
    file("table.txt", "DATA\n1\na -1 10 NONE 0 20 NONE 0 30 ALLREDUCE 4096 1\n");
    const std::string path = file("w.yaml", "layers: table.txt\nminibatch: 32\nelement: fp16\n");
    workload w;
    ASSERT_EQ(workload_read(path.c_str(), 1000, &w), 0);
    EXPECT_EQ(w.layers[0].input_gradient, 640U);
    EXPECT_EQ(w.layers[0].bytes, 2048U);
    EXPECT_EQ(w.element, ACE_FP16);
    workload_free(&w);
}

TEST(Workload, SaysWhereATableIsWrong) {
    const struct {
        const char *text, *where;
    } bad[] = {
        { "DATA\n2\na -1 1 NONE 0 2 NONE 0 3 NONE 0 1\n", ":4:1: found the end of the file" },
        { "DATA\n1\na -1 x NONE 0 2 NONE 0 3 NONE 0 1\n", ":3:6: found 'x'" },
        { "DATA\n1\na -1 1 ALLTOALL 5 2 NONE 0 3 NONE 0 1\n",
          ":3:8: found 'ALLTOALL', which is not modelled" },
        { "MODEL\n1\n", ":1:1: found parallelism 'MODEL'" },
        { "DATA\n1\na -1 1 NONE 0 2 NONE 0 3 NONE 0\n", ":3:32: found the end of the line" },
        { "DATA\n1\na -1 1 NONE 0 2 NONE 0 3 NONE 0 1\nb\n", ":4:1: found more lines" },
        { "", ":1:1: found the end of the file" },
    };
    for (const auto &b : bad) {
        const std::string path = file("bad.txt", b.text);
        workload w;
        testing::internal::CaptureStderr();
        EXPECT_EQ(workload_read(path.c_str(), 1000, &w), EXIT_USAGE);
        const std::string said = testing::internal::GetCapturedStderr();
        EXPECT_NE(said.find(path + b.where), std::string::npos) << said << " lacks " << b.where;
    }
}

} // namespace
