// SPDX-License-Identifier: Apache-2.0
// Tests when and how often progress is written to a log.
#include <gtest/gtest.h>

#include <string>

extern "C" {
#include "progress.h"
#include "run_cost.h"
}

namespace {

std::string said(meter *m, double share) {
    testing::internal::CaptureStderr();
    progress_show(m, share, 1000);
    return testing::internal::GetCapturedStderr();
}

TEST(Progress, LogAfterTenSecondsThenEachTimeTwiceAsLong) {
    meter m = {};

    m.log = true;
    EXPECT_EQ(said(&m, 0), "");
    EXPECT_EQ(said(&m, 0.1), "");
    m.from -= 11;
    // a tenth took 11 s: nine more tenths
    EXPECT_EQ(said(&m, 0.1), " 10 % cycle 1,000, 1 min 39 s left\n");
    EXPECT_EQ(said(&m, 0.1), "");
    m.from -= 8; // 19 s
    EXPECT_EQ(said(&m, 0.2), "");
    m.from -= 2;
    EXPECT_NE(said(&m, 0.2), "");
}

TEST(Progress, TerminalAtOnce) {
    meter m = {};

    m.tty = true;
    EXPECT_EQ(said(&m, 0).substr(0, 14), "\r  0 % cycle 1");
}

} // namespace
