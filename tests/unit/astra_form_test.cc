// SPDX-License-Identifier: Apache-2.0
// Compares the form of ASTRA-sim's system layer and analytical network with numbers of an
// independent restatement of its rules. The restatement equals the tool's own results on 45 runs.
// The machines are five one-dimensional ones and one of two dimensions.
#include <gtest/gtest.h>

#include "astra_form.h"

namespace {

constexpr double M = 1 << 20;

astra_form one(unsigned members, bool ring, unsigned hops, double latency, unsigned splits,
               double memory, astra_algorithm reduce, astra_algorithm exchange) {
    astra_form f = {};
    f.dims = 1;
    f.dim[0] = { members, hops, ring, 100, latency, 0, reduce, exchange };
    f.endpoint_ns = 20;
    f.splits = splits;
    f.active = 1;
    f.memory_GBps = memory;
    return f;
}
astra_form ring6() { return one(6, true, 1, 200, 3, 400, ASTRA_RING, ASTRA_RING); }
astra_form switch16() { return one(16, false, 2, 300, 2, 400, ASTRA_HALVING, ASTRA_DIRECT); }
astra_form two() {
    astra_form f = {};
    f.dims = 2;
    f.dim[0] = { 3, 1, true, 100, 100, 0, ASTRA_RING, ASTRA_RING };
    f.dim[1] = { 4, 2, false, 25, 700, 0, ASTRA_HALVING, ASTRA_DIRECT };
    f.endpoint_ns = 15;
    f.splits = 4;
    f.active = 1;
    f.memory_GBps = 800;
    return f;
}

TEST(AstraForm, Ring) {
    astra_form f = ring6();
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 6 * M), 143595);
    EXPECT_EQ(astra_form_ns(&f, ACE_REDUCE_SCATTER, 6 * M), 91470);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_GATHER, 6 * 3 * M), 149835); // its shard is 3 M
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_TO_ALL, 6 * M), 156435);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 6 * M + 1), 191460); // a chunk more
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_GATHER, 6 * M), 69580);
    f.active = 2;
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 6 * M), 95730);
}

TEST(AstraForm, Direct) {
    astra_form f = one(5, false, 1, 200, 3, 400, ASTRA_DIRECT, ASTRA_DIRECT);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 15 * M), 83559);
    EXPECT_EQ(astra_form_ns(&f, ACE_REDUCE_SCATTER, 15 * M), 53604);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_GATHER, 5 * 3 * M), 30015);
}

TEST(AstraForm, HalvingDoubling) {
    const astra_form f = switch16();
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 4 * M), 96944);
    EXPECT_EQ(astra_form_ns(&f, ACE_REDUCE_SCATTER, 4 * M), 55368);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_GATHER, 16 * M / 4), 41616); // its shard is M / 4
}

TEST(AstraForm, TwoDimensions) {
    astra_form f = two();
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 12 * M), 308402);
    EXPECT_EQ(astra_form_ns(&f, ACE_REDUCE_SCATTER, 12 * M), 160123);
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_GATHER, 12 * M), 148339); // its shard is M
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_TO_ALL, 12 * M), 152559);
    f.active = 2;
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 12 * M), 177906);
    f.active = 4;
    EXPECT_EQ(astra_form_ns(&f, ACE_ALL_REDUCE, 12 * M), 112658);
}

TEST(AstraForm, WhatItHasNot) {
    const astra_form f = ring6();
    EXPECT_NE(astra_form_ns(&f, ACE_BROADCAST, M), astra_form_ns(&f, ACE_BROADCAST, M)); // NAN
}

} // namespace
