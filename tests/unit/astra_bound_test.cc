// SPDX-License-Identifier: Apache-2.0
//
// Tests the bandwidth of the links of a network's file: the number of links of an NPU by the
// wiring, and the bound that a run is compared with, to the byte.
#include <gtest/gtest.h>

extern "C" {
#include "astra_bound.h"
#include "exit_status.h"
}

namespace {

double NpuGBps(wiring w, unsigned members, double GBps) {
    astra_network n{};
    n.dims = 1;
    n.wiring[0] = w;
    n.members[0] = members;
    n.GBps[0] = GBps;
    return astra_network_npu_GBps(&n, 0);
}

TEST(AstraBound, AnNpuHasTheLinksOfItsWiring) {
    EXPECT_EQ(NpuGBps(WIRING_RING, 2, 50), 50); // both neighbours are one
    EXPECT_EQ(NpuGBps(WIRING_RING, 3, 50), 100);
    EXPECT_EQ(NpuGBps(WIRING_SWITCH, 8, 50), 50);
    EXPECT_EQ(NpuGBps(WIRING_DIRECT, 2, 50), 50);
    EXPECT_EQ(NpuGBps(WIRING_DIRECT, 8, 10), 70);
}

// 175,000,000 bytes over a link of 50 x 2^30 bytes a second need 3,259,629.01 ns.
TEST(AstraBound, IsKeptToTheCycle) {
    astra_sent s{ 3, 0, 175000000, 3259630, 1000, 50 * 1.073741824 };
    EXPECT_EQ(astra_bound_check("net.yml", &s), EXIT_OK);
    s.cycles = 3259629;
    testing::internal::CaptureStderr();
    EXPECT_EQ(astra_bound_check("net.yml", &s), EXIT_CHECK);
    EXPECT_EQ(testing::internal::GetCapturedStderr(),
              "acesim: net.yml: NPU 3 sent 175000000 bytes into dimension x in 3259629 ns, and its "
              "links carry "
              "53.6870912 GB/s (of 10^9), which takes 3259630 ns: the result beats the links\n");
}

// At another clock a cycle is another time; exactly as many bytes as the links carry are none too
// many.
TEST(AstraBound, CountsCyclesOfTheClock) {
    astra_sent s{ 0, 1, 1000000, 20000, 2000, 100 };
    EXPECT_EQ(astra_bound_check("net.yml", &s), EXIT_OK);
    s.bytes++;
    EXPECT_EQ(astra_bound_check("net.yml", &s), EXIT_CHECK);
}

} // namespace
