/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_row_fifo.v against cmodel/parts/ace_row_fifo.c, cycle by cycle.
 *
 * Verilated: Vace_row_fifo (defaults: DEPTH=2, SIDE_W=1), Vace_row_fifo_small (DEPTH=7
 * SIDE_W=10) and Vace_row_fifo_odd (DEPTH=21 SIDE_W=10: rows in a memory).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned push, pop; /* chances in a cycle, per mille */
    unsigned resets;    /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr unsigned depths[] = { 2, ACE_RTL_SMALL_FIFO_ROWS, ACE_RTL_ODD_FIFO_ROWS };
constexpr const char *set_names[] = { "", "_small", "_odd" };

constexpr Mix mixes[] = {
    { "stream", 1000, 1000, 0 }, { "blocked", 1000, 200, 20 }, { "starved", 200, 1000, 20 },
    { "mixed", 500, 500, 20 },   { "bursts", 800, 700, 20 },   { "sparse", 10, 500, 20 },
};

struct Environment {
    const Mix &mix;
    unsigned side_bits;
    bool offered = false; /* and not taken yet */
    uint64_t pushed = 0, popped = 0, full = 0, empty = 0, through = 0;
    Rows rows;

    Environment(const Mix &m, unsigned bits) : mix(m), side_bits(bits) {}
    void configure(ace_row_fifo_pins_in &) const {}
    void reset() { offered = false; }
    void drive(const ace_row_fifo_pins_out &out, ace_row_fifo_pins_in &in, Random &r) {
        if (!offered && r.permille(mix.push)) {
            offered = true;
            in.s_data = rows.fresh(r);
            in.s_side = r.bits<uint16_t>(side_bits);
        }
        in.s_valid = offered;
        in.m_ready = r.permille(mix.pop);
        const bool push = offered && out.s_ready, pop = out.m_valid && in.m_ready;
        offered = offered && !push;
        pushed += push;
        popped += pop;
        through += push && pop;
        full += in.s_valid && !out.s_ready;
        empty += in.m_ready && !out.m_valid;
    }
};

class RowFifo : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(RowFifo, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const unsigned depth = depths[set];
    Lockstep<row_fifo_unit> run(set, mix.push * 1001 + mix.pop);
    ASSERT_EQ(ace_row_fifo_pins_create(depth, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_row_fifo_pins_create(depth, false, &run.timing), ACE_OK);
    Environment environment(mix, set ? 10 : 1);
    run.go(environment, 20000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.pushed, 50u);
    EXPECT_GT(environment.popped, 50u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (name == "stream") EXPECT_GT(environment.through, 18000u); /* a row a cycle */
    if (name == "blocked") EXPECT_GT(environment.full, 5000u);
    if (name == "starved" || name == "sparse") EXPECT_GT(environment.empty, 2000u);
    if (name == "mixed") EXPECT_GT(environment.through, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, RowFifo,
                         testing::Combine(testing::Range(0U, 3U), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
