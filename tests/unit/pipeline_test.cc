// SPDX-License-Identifier: Apache-2.0
// pipeline_test.cc -- schedules of pipelines: makespans, bubbles, what is in flight, lists of files
//
// Expected values are the closed forms of the schedules' papers, which hold for equal stages, and
// makespans that were worked out by hand from the lists.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

extern "C" {
#include "exit_status.h"
#include "pipeline.h"
}

namespace {

struct Outcome {
    double makespan = -1, bubble = -1;
    std::vector<uint32_t> in_flight;
    std::vector<pipeline_span> span;
};

Outcome run(const pipeline &p, const std::vector<pipeline_times> &t, double hop) {
    Outcome o;
    pipeline_result r;

    if (pipeline_run(&p, t.data(), hop, &r) != EXIT_OK) return o;
    o.makespan = r.makespan;
    o.bubble = pipeline_bubble(&p, &r);
    o.in_flight.assign(r.in_flight, r.in_flight + p.stages);
    o.span.assign(r.span, r.span + p.first[p.stages]);
    pipeline_result_free(&r);
    return o;
}

Outcome run(pipeline_kind kind, uint32_t p, uint32_t v, uint32_t m, std::vector<pipeline_times> t,
            double hop = 0) {
    pipeline made;

    EXPECT_EQ(EXIT_OK, pipeline_make(kind, p, v, m, &made));
    if (t.size() == 1) t.resize(p * v, t[0]);
    const Outcome o = run(made, t, hop);
    pipeline_free(&made);
    return o;
}

double makespan(pipeline_kind kind, uint32_t p, uint32_t v, uint32_t m, double f, double b,
                double w = 0, double hop = 0) {
    return run(kind, p, v, m, { { f, b, w } }, hop).makespan;
}

TEST(Pipeline, Makespans) {
    const struct {
        uint32_t p, m;
        double one, two, four, zb;
    } rows[] = { { 4, 4, 21, 33, 57, 15 }, { 4, 8, 33, 57, 105, 27 }, { 8, 16, 69, 117, 213, 55 } };
    for (const auto &r : rows) {
        EXPECT_EQ(makespan(PIPELINE_GPIPE, r.p, 1, r.m, 1, 2), r.one);
        EXPECT_EQ(makespan(PIPELINE_1F1B, r.p, 1, r.m, 1, 2), r.one);
        EXPECT_EQ(makespan(PIPELINE_INTERLEAVED, r.p, 2, r.m, 1, 2), r.two);
        EXPECT_EQ(makespan(PIPELINE_INTERLEAVED, r.p, 4, r.m, 1, 2), r.four);
        EXPECT_EQ(makespan(PIPELINE_ZB_H1, r.p, 1, r.m, 1, 1, 1), r.zb);
    }
    EXPECT_EQ(makespan(PIPELINE_ZB_H1, 4, 1, 8, 2, 4, 1), 71);
    EXPECT_EQ(makespan(PIPELINE_1F1B, 4, 1, 8, 2, 5), 77);
    EXPECT_EQ(makespan(PIPELINE_ZB_H1, 4, 1, 8, 1, 2, 1), 38);
    EXPECT_EQ(makespan(PIPELINE_1F1B, 4, 1, 8, 1, 3), 44);
    for (pipeline_kind k : { PIPELINE_GPIPE, PIPELINE_1F1B, PIPELINE_DAPPLE }) { /* m < p */
        EXPECT_EQ(makespan(k, 4, 1, 2, 1, 2), 15);
        EXPECT_EQ(makespan(k, 8, 1, 4, 1, 2), 33);
    }
    EXPECT_EQ(makespan(PIPELINE_ZB_H1, 4, 1, 2, 1, 1, 1), 11);
    EXPECT_EQ(makespan(PIPELINE_ZB_H1, 8, 1, 4, 1, 1, 1), 23);
}

// The closed forms, over stages to 8 and micro-batches to 29.
TEST(Pipeline, ClosedFormsOfEqualStages) {
    for (uint32_t p = 1; p <= 8; p++) {
        for (uint32_t m = 1; m <= 29; m++) {
            const double f = 3, b = 5, whole = (m + p - 1) * (f + b);

            for (pipeline_kind k : { PIPELINE_GPIPE, PIPELINE_1F1B, PIPELINE_DAPPLE }) {
                const Outcome o = run(k, p, 1, m, { { f, b, 0 } });

                ASSERT_EQ(o.makespan, whole) << k << " p " << p << " m " << m;
                ASSERT_NEAR(o.bubble, (p - 1.) / (m + p - 1), 1e-12);
                for (uint32_t r = 0; r < p; r++)
                    ASSERT_EQ(o.in_flight[r], k == PIPELINE_GPIPE    ? m
                                              : k == PIPELINE_DAPPLE ? std::min(m, 2 * (p - r) - 1)
                                                                     : std::min(m, p - r));
            }
            for (uint32_t v = 2; v <= 4 && m % p == 0; v++) {
                const Outcome o = run(PIPELINE_INTERLEAVED, p, v, m, { { f, b, 0 } });

                ASSERT_EQ(o.makespan, (m * v + p - 1) * (f + b)) << "p " << p << " m " << m;
                ASSERT_NEAR(o.bubble, (p - 1.) / (v * m + p - 1), 1e-12);
                for (uint32_t r = 0; r < p; r++)
                    ASSERT_EQ(o.in_flight[r], std::min(m * v, 2 * (p - r - 1) + (v - 1) * p + 1));
            }
            for (double w : { 1., 2., 4. }) { /* w <= f + b, on either side of f */
                const Outcome o = run(PIPELINE_ZB_H1, p, 1, m, { { f, b, w } });

                if (m < p) continue;
                ASSERT_EQ(o.makespan, m * (f + b + w) + (p - 1) * (b + std::max(f - w, 0.)))
                    << "p " << p << " m " << m << " w " << w;
                for (uint32_t r = 0; r < p; r++) ASSERT_EQ(o.in_flight[r], std::min(m, p));
            }
        }
    }
}

// The footprint uses the number of chunks of the schedule, which must equal that of its lists.
TEST(Pipeline, HeldIsInFlight) {
    for (int k = 0; k < PIPELINE_KINDS; k++) {
        const auto kind = (pipeline_kind)k;
        const uint32_t v = kind == PIPELINE_INTERLEAVED ? 3 : 1;

        for (uint32_t p = 1; p <= 6; p++) {
            for (uint32_t m = p; m <= 4 * p; m += p) {
                const Outcome o = run(kind, p, v, m, { { 1, 2, 1 } });

                for (uint32_t r = 0; r < p; r++) {
                    const double weight[] = { 1, 1, 1 };
                    uint32_t count[3] = { 0 };

                    EXPECT_EQ(pipeline_held(kind, p, v, m, r), o.in_flight[r]) << k << " p " << p;
                    ASSERT_EQ(EXIT_OK, pipeline_peak(kind, p, v, m, r, weight, count));
                    EXPECT_EQ(count[0] + count[1] + count[2], o.in_flight[r]);
                }
            }
        }
    }
}

TEST(Pipeline, Latency) {
    const struct {
        uint32_t p, m;
        double gpipe, one, two, four;
    } rows[] = { { 4, 8, 6, 16, 14, 30 }, { 8, 16, 14, 40, 30, 62 } };
    const auto more = [](pipeline_kind k, uint32_t p, uint32_t v, uint32_t m) {
        return makespan(k, p, v, m, 100, 200, 0, 1) - makespan(k, p, v, m, 100, 200, 0, 0);
    };
    for (const auto &r : rows) {
        EXPECT_EQ(more(PIPELINE_GPIPE, r.p, 1, r.m), r.gpipe);
        EXPECT_EQ(more(PIPELINE_1F1B, r.p, 1, r.m), r.one);
        EXPECT_EQ(more(PIPELINE_INTERLEAVED, r.p, 2, r.m), r.two);
        EXPECT_EQ(more(PIPELINE_INTERLEAVED, r.p, 4, r.m), r.four);
        EXPECT_EQ(more(PIPELINE_DAPPLE, r.p, 1, r.m), 2 * (r.p - 1));
    }
    const auto zb = [](uint32_t p, uint32_t m) {
        return makespan(PIPELINE_ZB_H1, p, 1, m, 100, 100, 100, 1) -
               makespan(PIPELINE_ZB_H1, p, 1, m, 100, 100, 100, 0);
    };
    EXPECT_EQ(zb(4, 8), 12);
    EXPECT_EQ(zb(8, 16), 28);
}

// A small hop z adds 2 (p - 1) z to GPipe and DAPPLE. It adds 2 ((p - 1) m / p + p - 2) z to 1F1B
// if p divides m, and 2 (v p - 1) z to interleaved stages.
TEST(Pipeline, ClosedFormsOfLatency) {
    const auto more = [](pipeline_kind k, uint32_t p, uint32_t v, uint32_t m) {
        return makespan(k, p, v, m, 100, 200, 0, 1) - makespan(k, p, v, m, 100, 200, 0, 0);
    };
    for (uint32_t p = 2; p <= 8; p++) {
        for (uint32_t m = p; m <= 29; m++) {
            EXPECT_EQ(more(PIPELINE_GPIPE, p, 1, m), 2. * (p - 1)) << p << " " << m;
            EXPECT_EQ(more(PIPELINE_DAPPLE, p, 1, m), 2. * (p - 1)) << p << " " << m;
            if (m % p) continue;
            EXPECT_EQ(more(PIPELINE_1F1B, p, 1, m), 2. * ((p - 1.) * m / p + p - 2));
            for (uint32_t v = 2; v <= 4; v++)
                EXPECT_EQ(more(PIPELINE_INTERLEAVED, p, v, m), 2. * (v * p - 1)) << p << " " << m;
        }
    }
}

// A third of 1F1B's bubble, if all three passes take equally long.
TEST(Pipeline, RateOfZeroBubbleH1) {
    for (uint32_t p = 2; p <= 8; p++) {
        const double work = 3. * 3 * p, one = makespan(PIPELINE_1F1B, p, 1, 3 * p, 1, 2) - work,
                     split = makespan(PIPELINE_ZB_H1, p, 1, 3 * p, 1, 1, 1) - work;

        EXPECT_EQ(split / one, 1. / 3) << p;
    }
}

TEST(Pipeline, UnequalStages) {
    const std::vector<pipeline_times> t = { { 1, 2, 0 }, { 2, 3, 0 }, { 1, 2, 0 } };
    const struct {
        pipeline_kind kind;
        double four, four_hop, eight, eight_hop;
    } rows[] = { { PIPELINE_GPIPE, 26, 30, 46, 50 },
                 { PIPELINE_1F1B, 24, 30, 44, 50 },
                 { PIPELINE_DAPPLE, 23, 26, 43, 46 } };
    for (const auto &r : rows) {
        EXPECT_EQ(run(r.kind, 3, 1, 4, t, 0).makespan, r.four);
        EXPECT_EQ(run(r.kind, 3, 1, 4, t, 1).makespan, r.four_hop);
        EXPECT_EQ(run(r.kind, 3, 1, 8, t, 0).makespan, r.eight);
        EXPECT_EQ(run(r.kind, 3, 1, 8, t, 1).makespan, r.eight_hop);
    }
}

TEST(Pipeline, InFlight) {
    const auto held = [](pipeline_kind k, uint32_t v) {
        return run(k, 4, v, 8, { { 1, 2, 1 } }).in_flight;
    };
    EXPECT_EQ(held(PIPELINE_GPIPE, 1), (std::vector<uint32_t>{ 8, 8, 8, 8 }));
    EXPECT_EQ(held(PIPELINE_1F1B, 1), (std::vector<uint32_t>{ 4, 3, 2, 1 }));
    EXPECT_EQ(held(PIPELINE_DAPPLE, 1), (std::vector<uint32_t>{ 7, 5, 3, 1 }));
    EXPECT_EQ(held(PIPELINE_INTERLEAVED, 2), (std::vector<uint32_t>{ 11, 9, 7, 5 }));
    EXPECT_EQ(held(PIPELINE_INTERLEAVED, 4), (std::vector<uint32_t>{ 19, 17, 15, 13 }));
    EXPECT_EQ(held(PIPELINE_ZB_H1, 1), (std::vector<uint32_t>{ 4, 4, 4, 4 }));
}

std::string file(const char *name, const std::string &text) {
    const std::string path = testing::TempDir() + name;
    std::ofstream(path) << text;
    return path;
}

// Two stages, three micro-batches: every start and end, from a list in a file.
TEST(Pipeline, TimelineOfAFile) {
    const std::string name =
        file("lists.txt", "# 1F1B\nF0 F1 B0 F2 B1 B2\n\n F0,B0, F1 B1 F2 B2 # last\n");
    const double want[][2] = { { 0, 1 }, { 1, 2 }, { 4, 6 }, { 6, 7 }, { 7, 9 }, { 10, 12 },
                               { 1, 2 }, { 2, 4 }, { 4, 5 }, { 5, 7 }, { 7, 8 }, { 8, 10 } };
    pipeline p;

    ASSERT_EQ(EXIT_OK, pipeline_read(name.c_str(), &p));
    const Outcome o = run(p, { { 1, 2, 0 }, { 1, 2, 0 } }, 0);
    ASSERT_EQ(o.span.size(), 12U);
    for (size_t i = 0; i < 12; i++) {
        EXPECT_EQ(o.span[i].start, want[i][0]) << i;
        EXPECT_EQ(o.span[i].end, want[i][1]) << i;
    }
    EXPECT_EQ(o.makespan, 12);
    pipeline_free(&p);
}

std::string refused(const std::string &text) {
    const std::string name = file("refused.txt", text);
    pipeline p;

    testing::internal::CaptureStderr();
    int rc = pipeline_read(name.c_str(), &p);
    if (rc == EXIT_OK) {
        const std::vector<pipeline_times> t(p.stages * p.chunks, pipeline_times{ 1, 1, 1 });
        pipeline_result r;

        rc = pipeline_run(&p, t.data(), 0, &r);
        if (rc == EXIT_OK) pipeline_result_free(&r);
        pipeline_free(&p);
    }
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_EQ(rc, EXIT_USAGE) << text;
    return said.substr(std::min(said.size(), name.size()));
}

TEST(Pipeline, BadLists) {
    EXPECT_EQ(refused("F0 B0\nB0 F0\n"),
              ":2:1: found B0 of stage 1 waiting for F0, which is behind B0 in stage 1, expected "
              "lists in "
              "which no entry waits for itself\n");
    // Each stage waits for the other's second entry.
    EXPECT_EQ(
        refused("F0 B1 F1 B0\nF0 F1 B0 B1\n"),
        ":1:4: found B1 of stage 0 waiting for B1, which is behind F1 in stage 1, F1 of stage 1 "
        "waiting "
        "for F1, which is behind B1 in stage 0, expected lists in which no entry "
        "waits for itself\n");
    EXPECT_EQ(refused("F0 W0 B0\n").rfind(":1:4: found W0 of stage 0 waiting for B0", 0), 0U);
    EXPECT_EQ(refused("F0 Q0\n").rfind(":1:4: found 'Q0', expected an entry such as", 0), 0U);
    EXPECT_EQ(refused("F0 B0 F0 B0\n").rfind(":1:7: found a second F0.0", 0), 0U);
    EXPECT_EQ(refused("F0 B0\nF0 F0\n").rfind(":2:4: found a second F0.0", 0), 0U);
    EXPECT_EQ(
        refused("F0 B0 F1 B1\nF0 B0 F1 F9999\n").rfind(":1:1: found 8 entries for 2 stages", 0),
        0U);
    EXPECT_EQ(refused("F0 B0 W0\nF0 B0 F1\n").rfind(":1:1: found 6 entries", 0), 0U);
    EXPECT_EQ(refused("\n# nothing\n").rfind(":1:1: found no lists", 0), 0U);
    EXPECT_EQ(refused("F0.x B0\n").rfind(":1:1: found 'F0.x'", 0), 0U);
}

} // namespace
