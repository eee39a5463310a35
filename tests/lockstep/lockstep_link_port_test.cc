/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_link_port.v against cmodel/nic/ace_link_port.c, cycle by cycle.
 *
 * Verilated: Vace_link_port (defaults) and Vace_link_port_small (INPUT_ROWS=3 OUTPUT_ROWS=2).
 */
#include "lockstep.h"

#include <algorithm>

namespace {

struct Mix {
    const char *name;
    uint32_t cost;                                 /* cycles per packet, Q16.8 */
    unsigned receive, pop, reserve, write, credit; /* chances in a cycle, per mille */
    unsigned resets;                               /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "saturated", 256, 1000, 1000, 1000, 1000, 1000, 0 },
    { "serialising", 393, 700, 700, 1000, 1000, 900, 0 },
    { "few_credits", 328, 500, 300, 800, 800, 100, 5 },
    { "slow_link", (85 << 8) + 85, 100, 100, 500, 500, 900, 5 },
    { "late_writes", 262, 900, 20, 900, 50, 500, 5 },
    { "sparse", 512, 20, 500, 20, 300, 300, 10 },
    { "too_fast", 13, 900, 900, 900, 900, 900, 20 },
};

struct Environment {
    const Mix &mix;
    unsigned input_rows;
    unsigned places, held = 0, reserved = 0; /* free places of ours; packets the neighbour holds */
    unsigned written = 0;                    /* rows that are neither committed nor dropped */
    uint64_t sent = 0, popped = 0, no_room = 0, full = 0, blocked = 0, aborted = 0, no_place = 0;
    Rows rx, s;

    Environment(const Mix &m, unsigned rows) : mix(m), input_rows(rows), places(rows) {}
    void configure(ace_link_port_in &in) const { in.cfg_cost = mix.cost; }
    void reset() {
        places = input_rows;
        held = reserved = written = 0;
    }
    void drive(const ace_link_port_out &out, ace_link_port_in &in, Random &r) {
        places += out.tx_credit;
        held += out.tx_valid;
        sent += out.tx_valid;
        no_room += !out.s_room;
        full += places == 0;
        blocked = std::max(blocked, out.count[ACE_COUNT_BLOCKED]);

        no_place += !out.rx_room;
        in.rx_commit = written > 0 && places > 0 && r.permille(700);
        in.rx_abort = !in.rx_commit && mix.resets > 0 && r.permille(30);
        in.rx_valid = !in.rx_abort && out.rx_room && r.permille(mix.receive);
        in.rx_context = r.bits<uint8_t>(8);
        in.rx_reduce = r.bits<bool>(1);
        in.rx_mark = r.bits<uint8_t>(8);
        in.rx_route = r.bits<uint64_t>(64);
        in.s_hold = mix.resets > 0 && r.permille(200);
        in.s_waits = !in.s_hold && r.permille(100);
        if (in.rx_valid) in.rx_data = rx.fresh(r);
        places -= in.rx_commit; /* the neighbour has a credit for what is good */
        aborted += in.rx_abort && written > 0;
        written = in.rx_abort ? 0 : written + in.rx_valid - in.rx_commit;
        in.rx_credit = held > 0 && r.permille(mix.credit);
        held -= in.rx_credit;
        in.m_pop = out.m_head_valid && r.permille(mix.pop);
        popped += in.m_pop;
        in.s_reserve = out.s_room && r.permille(mix.reserve);
        reserved += in.s_reserve;
        in.s_valid = reserved > 0 && r.permille(mix.write);
        in.s_context = r.bits<uint8_t>(8);
        in.s_reduce = r.bits<bool>(1);
        in.s_mark = r.bits<uint8_t>(8);
        in.s_route = r.bits<uint64_t>(64);
        if (in.s_valid) {
            in.s_data = s.fresh(r);
            reserved--;
        }
        in.s_sum = r.bits<uint32_t>(32);
    }
};

class LinkPort : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(LinkPort, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned in_rows = small ? ACE_RTL_SMALL_INPUT_ROWS : 128;
    const unsigned out_rows = small ? ACE_RTL_SMALL_OUTPUT_ROWS : 8;
    Lockstep<link_port_unit> run(small, static_cast<uint64_t>(mix.cost));
    ASSERT_EQ(ace_link_port_create(in_rows, out_rows, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_link_port_create(in_rows, out_rows, false, &run.timing), ACE_OK);
    Environment environment(mix, in_rows);
    run.go(environment, 20000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.sent, 80u);
    EXPECT_GT(environment.popped, 80u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (!small && mix.resets > 0 && mix.receive > 100) EXPECT_GT(environment.aborted, 10u);
    if (name == "few_credits") EXPECT_GT(environment.blocked, 100u);
    if (name == "late_writes") EXPECT_GT(environment.no_room, 1000u);
    if (name == "late_writes") EXPECT_GT(environment.full, 1000u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, LinkPort,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

/* Packet k of a busy link is on tx ceil(k * cost) cycles after the first was waiting. */
TEST(LinkPortTheory, BusyLinkKeepsTheExactAverage) {
    for (const uint32_t cost : { 256u, 393u, 434u, 21845u, 0xffffffu }) {
        ace_link_port *p = nullptr;
        ASSERT_EQ(ace_link_port_create(128, 8, false, &p), ACE_OK);
        ace_link_port_out out;
        uint64_t sent = 0, waiting_since = 0;
        for (uint64_t cycle = 0; sent < 40; cycle++) {
            ace_link_port_eval(p, &out);
            if (out.tx_valid) {
                sent++;
                ASSERT_EQ(cycle - waiting_since, (sent * cost + 255) / 256) << "cost " << cost;
            }
            ace_link_port_in in{};
            in.cfg_cost = cost;
            in.s_reserve = in.s_valid = out.s_room;
            if (cycle == 0) waiting_since = 1;
            ace_link_port_tick(p, &in);
        }
        ace_link_port_destroy(p);
    }
}

/* If two ports share a link, one packet leaves at a time, and the link loses nothing.  */
TEST(LinkPortTheory, TwoPortsShareALink) {
    ace_link_port *first = nullptr, *second = nullptr;
    ASSERT_EQ(ace_link_port_create(128, 8, false, &first), ACE_OK);
    ASSERT_EQ(ace_link_port_create(128, 8, false, &second), ACE_OK);
    Random random{ 5 };
    ace_link_port_out a, b;
    ace_link_port_in in_a{}, in_b{};
    in_a.cfg_cost = in_b.cfg_cost = 655; /* 2.56 cycles */
    const uint64_t cycles = 20000;
    uint64_t sent[2] = {};
    for (uint64_t cycle = 0; cycle < cycles; cycle++) {
        ace_link_port_eval(first, &a);
        ace_link_port_eval(second, &b);
        ASSERT_FALSE(a.tx_valid && b.tx_valid) << "cycle " << cycle;
        sent[0] += in_a.rx_credit = a.tx_valid;
        sent[1] += in_b.rx_credit = b.tx_valid;
        in_a.s_reserve = in_a.s_valid = a.s_room && random.permille(100);
        in_b.s_reserve = in_b.s_valid = b.s_room;
        in_b.s_hold = a.m_wants;
        in_b.s_waits = a.m_waits;
        ace_link_port_tick(first, &in_a);
        ace_link_port_tick(second, &in_b);
    }
    ace_link_port_eval(second, &b);
    EXPECT_GT(sent[0], 1000u);
    EXPECT_GT(sent[1], 1000u);
    EXPECT_GE(b.count[ACE_COUNT_BUSY], cycles - 2);
    /* a packet of the first that follows no other begins anew: less than a cycle is lost */
    EXPECT_GT((sent[0] + sent[1]) * 655, (cycles - sent[0] - 6) * 256);
    ace_link_port_destroy(first);
    ace_link_port_destroy(second);
}

/* A link of which the port that goes first waits for a credit is blocked, not idle, and not while
 * it sends. */
TEST(LinkPortTheory, WaitsOfTheOtherPortAreOfTheLink) {
    ace_link_port *first = nullptr, *second = nullptr;
    ASSERT_EQ(ace_link_port_create(2, 8, false, &first), ACE_OK);
    ASSERT_EQ(ace_link_port_create(2, 8, false, &second), ACE_OK);
    ace_link_port_out a, b;
    ace_link_port_in in_a{}, in_b{};
    in_a.cfg_cost = in_b.cfg_cost = 512; /* 2 cycles */
    for (uint64_t cycle = 0; cycle < 100; cycle++) {
        ace_link_port_eval(first, &a);
        in_a.s_reserve = in_a.s_valid = cycle < 3;
        in_b.s_hold = a.m_wants;
        in_b.s_waits = a.m_waits;
        ace_link_port_tick(first, &in_a);
        ace_link_port_tick(second, &in_b);
    }
    ace_link_port_eval(second, &b);
    /* a packet waits from cycle 1 on; two of three leave in two cycles each, and the third has no
     * credit */
    EXPECT_EQ(b.count[ACE_COUNT_BUSY], 4u);
    EXPECT_EQ(b.count[ACE_COUNT_BLOCKED], 95u);
    EXPECT_EQ(b.count[ACE_COUNT_IDLE], 1u);
    ace_link_port_destroy(first);
    ace_link_port_destroy(second);
}

} // namespace
