// SPDX-License-Identifier: Apache-2.0
//
// The list of setup fields, gone through: each field is changed to another value it may have, and
// config_digest says whether the result depends on it.  A field that is added to the list is tested
// without being named here.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

extern "C" {
#include "cluster_file.h"
#include "exit_status.h"
#include "report.h"
#include "setup.h"
#include "setup_fields.h"
#include "values.h"
}

namespace {

std::string Temporary(const char *name, const std::string &text) {
    const std::string file = testing::TempDir() + "setup_fields_" + name;
    std::ofstream(file) << text;
    return file;
}

// Values that a person may write for a field, two or more, no two the same.
std::vector<std::string> Values(const setup_field &f) {
    std::vector<std::string> values;
    switch (f.type) {
    case SETUP_TYPE_FLAG: return { "" };
    case SETUP_TYPE_SWITCH: return { "on", "off" };
    case SETUP_TYPE_CHOICE:
    case SETUP_TYPE_WORD:
        for (unsigned i = 0; f.names[i]; i++)
            if (*f.names[i]) values.push_back(f.names[i]);
        return values;
    case SETUP_TYPE_OP: return { "sum", "avg", "min", "max", "prod" };
    case SETUP_TYPE_COUNT:
    case SETUP_TYPE_COUNT64:
    case SETUP_TYPE_SIZE:
        if (f.of) {
            for (const char *at = f.of; *at;) {
                char *end;
                values.push_back(std::to_string(std::strtoul(at, &end, 10)));
                at = end;
            }
            return values;
        }
        if (f.power_of_two) return { "2", "4", "64" };
        if (f.high == 1) return { "0", "1" };
        return { std::to_string(f.low ? f.low : 2), std::to_string(f.high - 1),
                 std::to_string(f.high) };
    case SETUP_TYPE_BANDWIDTH: return { "100GB/s", "0.2 TB/s", "101" };
    case SETUP_TYPE_CLOCK: return { "1GHz", "1001 MHz" };
    case SETUP_TYPE_RATE: return { "1 TFLOPS", "2 TFLOPS" };
    case SETUP_TYPE_TIME: return { "1 us", "2 ns" };
    case SETUP_TYPE_FRACTION:
    case SETUP_TYPE_SHARE: return { "0.25", "0.250001" };
    case SETUP_TYPE_FACTOR: return { "0.001", "2", "1000" };
    case SETUP_TYPE_TEXT: return { "a", "b" };
    case SETUP_TYPE_STRING: return { "one", "other" };
    case SETUP_TYPE_FILE: return { Temporary("a", "0,1\n1,0\n"), Temporary("b", "0,1\n2,0\n") };
    case SETUP_TYPE_FAULTS: return { "link:0", "link:0.5", "link:0.5:7" };
    case SETUP_TYPE_TOPOLOGY:
        return { "8", "8x1x2", "Switch(8)", "FullyConnected(8)", "4x4x4x2", "Ring(1)_Switch(8)" };
    case SETUP_TYPE_DIMS: return { "x", "y", "x,y", "y,x" };
    case SETUP_TYPE_BANDWIDTHS: return { "10GB/s", "10,10,10,11", "11,10,10,10" };
    case SETUP_TYPE_COUNTS: return { "7", "7,7,7,8", "8,7,7,7" };
    }
    return values;
}

setup Initial(const char *endpoint) {
    setup o;
    setup_initial(&o);
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_ENDPOINT], endpoint, &o));
    return o;
}

// As the command line sets it.
void Set(setup &o, const setup_field &f, const char *value) {
    ASSERT_TRUE(setup_take(&f, value, &o)) << f.id << " " << value;
    o.source[&f - setup_fields].text = value;
}

class Fields : public testing::TestWithParam<int> {};

TEST_P(Fields, ChangesTheDigestWhereTheResultDependsOnIt) {
    const setup_field &f = setup_fields[GetParam()];
    const std::vector<std::string> values = Values(f);
    ASSERT_GE(values.size(), f.type == SETUP_TYPE_FLAG || f.type == SETUP_TYPE_CHOICE ? 1U : 2U)
        << "a type without values here";
    // A field that an endpoint ignores is not part of its result.
    std::vector<uint64_t> digests;
    for (const std::string &value : values) {
        setup o = Initial("comm-opt");
        Set(o, f, value.c_str());
        digests.push_back(setup_digest(&o));
    }
    const setup before = Initial("comm-opt");
    if (f.part != SETUP_PART_RESULT) {
        for (uint64_t d : digests) EXPECT_EQ(d, setup_digest(&before)) << f.id;
        return;
    }
    for (size_t i = 0; i < values.size(); i++) {
        for (size_t k = 0; k < i; k++)
            EXPECT_NE(digests[i], digests[k]) << f.id << " " << values[i] << " and " << values[k];
    }
    bool changed = false;
    for (uint64_t d : digests) changed = changed || d != setup_digest(&before);
    EXPECT_TRUE(changed) << f.id;
}

// A field that is removed from the digest must be listed here as well.
TEST(Digest, LeavesOutWhatNoResultDependsOn) {
    const std::set<std::string> expected = { "NAME",
                                             "ACCELERATOR",
                                             "NPU_GEMM_TABLE", // what it holds is hashed
                                             "NPU_ATTENTION_TABLE",
                                             "SOURCE_PEAKS",
                                             "SOURCE_PRODUCTS",
                                             "SOURCE_MEMORY",
                                             "SOURCE_LINKS",
                                             "SOURCE_NETWORK",
                                             "SOURCE_STARTS",
                                             "FITTED_ON",
                                             "UNSEEN_ERROR",
                                             "EVIDENCE",
                                             "ALL",
                                             "COMPARE",
                                             "JOBS",
                                             "REPORT",
                                             "FOLD",
                                             "FAST_FORWARD",
                                             "CHECK",
                                             "THREADS",
                                             "FORMAT",
                                             "TIMELINE",
                                             "SAMPLES",
                                             "TIMELINE_LIMIT",
                                             "OUTPUT",
                                             "WAVE",
                                             "WAVE_NODE",
                                             "WAVE_FROM",
                                             "WAVE_TO",
                                             "RECORD",
                                             "RESUME",
                                             "CHECKPOINT",
                                             "CHECKPOINT_EVERY",
                                             "QUIET",
                                             "RECORD_NODE",
                                             "INTERVAL" };
    std::set<std::string> left_out;
    for (const setup_field &f : setup_fields)
        if (f.part != SETUP_PART_RESULT) left_out.insert(f.id);
    EXPECT_EQ(left_out, expected);
}

TEST_P(Fields, ChangesItsOwnMemberOnly) {
    const setup_field &f = setup_fields[GetParam()];
    for (const std::string &value : Values(f)) {
        setup o = Initial("ace"), other = Initial("ace");
        Set(o, f, value.c_str());
        for (int i = 0; i < SETUP_FIELDS; i++) {
            const setup_field &g = setup_fields[i];
            char a[512], b[512];
            // Two options may set one member; a topology is written over all of a cluster; what
            // both ports have is what each has.
            if (g.at == f.at || (g.type == SETUP_TYPE_TOPOLOGY && &g != &f)) continue;
            if (&f == &setup_fields[SETUP_NPU_BANDWIDTH] && i == SETUP_LINK_BANDWIDTH) continue;
            setup_print(&g, &o, a, sizeof a);
            setup_print(&g, &other, b, sizeof b);
            EXPECT_STREQ(a, b) << f.id << " changes " << g.id;
        }
    }
}

// All that an NPU sends is half by each of its ports; what is said last counts.
TEST(Bandwidths, APortHasHalfOfAnNpu) {
    setup o = Initial("ace");
    Set(o, setup_fields[SETUP_NPU_BANDWIDTH], "450GB/s,50,50,50");
    EXPECT_EQ(o.machine.cluster.link_GBps[0], 225);
    EXPECT_EQ(o.machine.cluster.link_GBps[1], 25);
    EXPECT_EQ(cluster_npu_GBps(&o.machine.cluster, 0), 450);
    Set(o, setup_fields[SETUP_LINK_BANDWIDTH], "100GB/s");
    EXPECT_EQ(o.machine.cluster.npu_GBps[0], 0);
    EXPECT_EQ(cluster_npu_GBps(&o.machine.cluster, 0), 200);
}

// The fewest digits that give the same double again, as Python's repr() prints them.
TEST(Numbers, ArePrintedWithTheFewestDigits) {
    const std::pair<double, const char *> numbers[] = {
        { 0.94, "0.94" },  { 0.1 + 0.2, "0.30000000000000004" }, { 1.0 / 3, "0.3333333333333333" },
        { 1e-7, "1e-07" }, { 123456789.123, "123456789.123" },   { 1e23, "1e+23" },
    };
    for (const auto &[value, expected] : numbers) {
        char text[REAL_TEXT];
        EXPECT_STREQ(expected, real_text(value, text));
    }
}

TEST_P(Fields, IsWrittenAsItIsRead) {
    const setup_field &f = setup_fields[GetParam()];
    if (f.type == SETUP_TYPE_FLAG) return;
    for (const std::string &value : Values(f)) {
        setup o = Initial("ace"), again = Initial("ace");
        char text[512], twice[512];
        Set(o, f, value.c_str());
        setup_print(&f, &o, text, sizeof text);
        Set(again, f, text);
        setup_print(&f, &again, twice, sizeof twice);
        EXPECT_STREQ(text, twice) << f.id;
        EXPECT_STRNE(text, "") << f.id;
    }
}

TEST_P(Fields, RefusesWhatIsNoValue) {
    const setup_field &f = setup_fields[GetParam()];
    setup o = Initial("ace");
    switch (f.type) {
    case SETUP_TYPE_FLAG:
    case SETUP_TYPE_STRING:
    case SETUP_TYPE_FILE: return; // any
    case SETUP_TYPE_TEXT:
        EXPECT_FALSE(setup_take(&f, std::string(f.high + 1, 'x').c_str(), &o)) << f.id;
        if (f.low) EXPECT_FALSE(setup_take(&f, "", &o)) << f.id;
        return;
    default:
        for (const char *bad : { "", "-1", "1e", "what", "4," })
            EXPECT_FALSE(setup_take(&f, bad, &o)) << f.id << " " << bad;
    }
    if (f.type == SETUP_TYPE_COUNT || f.type == SETUP_TYPE_SIZE) {
        EXPECT_FALSE(setup_take(&f, std::to_string(f.high + 1).c_str(), &o)) << f.id;
        if (f.low) EXPECT_FALSE(setup_take(&f, std::to_string(f.low - 1).c_str(), &o)) << f.id;
    }
}

TEST_P(Fields, SaysWhatItIs) {
    const setup_field &f = setup_fields[GetParam()];
    char text[512];
    EXPECT_EQ(f.where != 0, f.option != nullptr) << f.id;
    EXPECT_TRUE(f.option || f.key) << f.id << " cannot be set";
    if (f.option) {
        setup_help(&f, text, sizeof text);
        EXPECT_EQ(std::strchr(text, '{'), nullptr) << f.id << ": " << text;
        EXPECT_LT(std::strlen(text), 300U) << f.id;
    }
    if (f.key) {
        setup_accepted(&f, text, sizeof text);
        EXPECT_LT(std::strlen(text), 95U) << f.id << ": a cluster file's message is cut";
    }
    for (int i = 0; i < GetParam(); i++) {
        if (f.option && setup_fields[i].option) EXPECT_STRNE(f.option, setup_fields[i].option);
        if (f.key && setup_fields[i].key) EXPECT_STRNE(f.key, setup_fields[i].key);
    }
}

INSTANTIATE_TEST_SUITE_P(List, Fields, testing::Range(0, int{ SETUP_FIELDS }),
                         [](const testing::TestParamInfo<int> &i) {
                             return std::string(setup_fields[i.param].id);
                         });

// A value of a cluster file goes where the option's would, and the place it has there is kept.
TEST(Cluster, KeysSetTheFieldsOfTheList) {
    const std::string file =
        Temporary("cluster.yaml", "topology: Switch(8)_Ring(2)\n"
                                  "links:\n"
                                  "  x: {bandwidth: 100 GB/s, latency: 77}\n"
                                  "  y: {latency: 9}\n"
                                  "  w: {latency: 5}\n"
                                  "memory: {bandwidth: 300 GB/s, latency: 99}\n"
                                  "ace: {commands: 8, exchange_rows: 11}\n"
                                  "npu: {launch: 3 us}\n");
    setup o;
    setup_initial(&o);
    ASSERT_EQ(cluster_read(file.c_str(), &o), EXIT_OK);
    EXPECT_EQ(o.machine.cluster.sizes, 2);
    EXPECT_EQ(o.machine.cluster.ring[0], 8);
    EXPECT_EQ(o.machine.cluster.wiring[0], WIRING_SWITCH);
    EXPECT_EQ(o.machine.cluster.link_GBps[0], 100);
    EXPECT_EQ(o.machine.cluster.link_GBps[1], 25);
    EXPECT_EQ(o.machine.cluster.link_latency[0], 77U);
    EXPECT_EQ(o.machine.cluster.link_latency[3], 5U);
    EXPECT_EQ(o.machine.cluster.memory_GBps, 300);
    EXPECT_EQ(o.machine.cluster.memory_latency, 99U);
    EXPECT_EQ(o.machine.cluster.parameters.commands, 8U);
    EXPECT_EQ(o.machine.cluster.parameters.exchange_rows, 11U);
    EXPECT_EQ(o.machine.cluster.npu.launch_us, 3);
    EXPECT_EQ(o.source[SETUP_COMMANDS].line, 7U);
    EXPECT_EQ(o.source[SETUP_COMMANDS].column, 17U);
    EXPECT_STREQ(o.source[SETUP_COMMANDS].file, file.c_str());
    EXPECT_FALSE(setup_given(o.source, SETUP_FSMS));
}

// A latency is a time by the clock of the setup, whichever of the two is given first.
TEST(Setup, TimesOfLatenciesFollowTheClock) {
    const setup_field *const f = setup_fields;
    for (const bool clock_first : { false, true }) {
        setup o;
        setup_initial(&o);
        const auto clock = [&o, f] { EXPECT_TRUE(setup_take(&f[SETUP_CLOCK], "2GHz", &o)); };
        if (clock_first) clock();
        EXPECT_TRUE(setup_take(&f[SETUP_LINK_LATENCY], "500ns,70,0.5ns", &o));
        EXPECT_TRUE(setup_take(&f[SETUP_MEMORY_LATENCY], "0.1us", &o));
        if (!clock_first) clock();
        EXPECT_EQ(o.machine.cluster.link_latency[0], 1000U);
        EXPECT_EQ(o.machine.cluster.link_latency[1], 70U);
        EXPECT_EQ(o.machine.cluster.link_latency[2], 1U);
        EXPECT_EQ(o.machine.cluster.memory_latency, 200U);
        EXPECT_FALSE(setup_take(&f[SETUP_MEMORY_LATENCY], "33us", &o)); // 66,000 of 65,535 cycles
        EXPECT_TRUE(setup_take(&f[SETUP_LINK_LATENCY], "90", &o));
        EXPECT_TRUE(setup_take(&f[SETUP_MEMORY_LATENCY], "30us", &o));
        EXPECT_FALSE(setup_take(&f[SETUP_CLOCK], "3GHz", &o)); // 90,000 cycles
        EXPECT_EQ(o.machine.cluster.link_latency[0], 90U);     // a count stays
    }
}

} // namespace
