// SPDX-License-Identifier: Apache-2.0
//
// The interval of a calibrated result, of held-out collectives that are made here: a class with few
// of them has no less than all kinds of its side of 1 MiB and of its number at a time.  The limits
// are written down from tables.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

extern "C" {
#include "calibration_interval.h"
}

namespace {

constexpr double MIB = 1048576;

struct Held {
    std::vector<held_out> of;
    // `count` collectives, all of which the form has so much too short, in logarithms
    void add(const char *kind, unsigned works, double bytes, unsigned count, double residual) {
        for (unsigned i = 0; i < count; i++) {
            held_out h{};
            snprintf(h.text, sizeof h.text, "%zu", of.size());
            snprintf(h.kind, sizeof h.kind, "%s", kind);
            h.works = works;
            h.bytes = bytes;
            h.measured = 1e6;
            h.predicted = h.low = h.high = 1e6 * std::exp(-residual);
            of.push_back(h);
        }
    }
    double half(const char *kind, unsigned works, double bytes) {
        calibration c{};
        c.held = of.data();
        c.held_count = unsigned(of.size());
        const calibration_interval i = calibration_interval_of(&c, kind, bytes, works);
        EXPECT_GT(i.count, 0U);
        EXPECT_NEAR(i.low * i.high, 1, 1e-12);
        return std::log(i.high);
    }
};

// An exponential distribution has nine tenths below 2.3026 times its mean.  Of n draws with this
// mean the distribution's mean is, 19 times of 20, below 2 n mean / q, where q is the twentieth
// part of chi-square with 2 n degrees.
double ExponentialLimit(double mean, unsigned n, double q) {
    return 1e-4 + mean * 2.3026 * 2 * n / q;
}

TEST(Interval, OfASmallClassIsNoLessThanThatOfAllKinds) {
    Held held;
    held.add("all-reduce", 1, 4 * MIB, 5, 0);
    held.add("all-to-all", 1, 4 * MIB, 19, 0.1);
    held.add("all-to-all", 1, MIB / 4, 10, 0.3); // another side
    held.add("all-to-all", 2, 4 * MIB, 10, 0.3); // another number
    const double mean = 0.1 * 19 / 24;
    EXPECT_NEAR(held.half("all-reduce", 1, 4 * MIB), ExponentialLimit(mean, 24, 33.098), 0.002);
    // nor has a class without a point
    EXPECT_GT(held.half("all-gather", 1, 4 * MIB), ExponentialLimit(mean, 24, 33.098) - 0.002);
}

TEST(Interval, OfALargeClassIsItsOwn) {
    Held few, enough;
    few.add("all-reduce", 1, 4 * MIB, 37, 0.001);
    few.add("all-to-all", 1, 4 * MIB, 19, 0.1);
    enough.add("all-reduce", 1, 4 * MIB, 38, 0.001);
    enough.add("all-to-all", 1, 4 * MIB, 19, 0.1);
    // of 56 points; the twentieth part of chi-square with 112 degrees is 88.57
    EXPECT_NEAR(few.half("all-reduce", 1, 4 * MIB), ExponentialLimit((0.037 + 1.9) / 56, 56, 88.57),
                0.002);
    EXPECT_LT(enough.half("all-reduce", 1, 4 * MIB), 0.03);
}

} // namespace
