/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_memory_interface.v against cmodel/twin/ace_memory_interface.c, cycle by cycle.
 *
 * The memory may be wrong: with a last bit, an answer that nothing asked for, or EXOKAY, and it may
 * be dead in a drain.  The environment knows which beat was the first wrong one, from its own side
 * alone.  From it follows what the interface must report, and which rows may go on.
 *
 * Verilated: Vace_memory_interface (defaults) and Vace_memory_interface_small (BURSTS=3
 * DRAIN_LIMIT=100).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    uint32_t read_cost, write_cost; /* cycles per row, Q16.8 */
    uint16_t latency;
    unsigned request, data, drain; /* DMA side: requests, W beats, R and B taken; per mille */
    unsigned take, give;           /* memory side: requests and W taken, R and B given */
    unsigned resets;               /* per ten thousand */
    unsigned errors = 0;           /* responses that are errors; per ten thousand */
    unsigned drains = 0;           /* stops that carry out what was taken; per ten thousand */
    enum { ANY, TOGETHER, DATA_FIRST } order = ANY; /* in which the memory takes a write's halves */
    unsigned wrong = 0;                             /* answers; per ten thousand */
    unsigned dead = 0;                              /* drains without a memory; per mille */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 256, 256, 2, 1000, 1000, 1000, 1000, 1000, 0 },
    { "share", 655, 1985, 100, 1000, 1000, 1000, 1000, 1000, 0 },
    { "long_latency", 256, 256, 400, 900, 900, 900, 900, 900, 5 },
    { "slow_memory", 328, 328, 7, 600, 600, 900, 150, 150, 5 },
    { "slow_dma", 328, 328, 7, 300, 300, 150, 900, 900, 5 },
    { "sparse", 1311, 437, 20, 6, 500, 500, 500, 500, 10 },
    { "no_latency", 13, 0, 0, 500, 500, 500, 500, 500, 20 },
    { "errors", 300, 300, 20, 600, 600, 600, 600, 600, 100, 100 },
    { "requests_wait", 13, 13, 2, 1000, 1000, 1000, 20, 1000, 5 },
    { "late_answers", 13, 13, 2, 1000, 1000, 1000, 1000, 20, 5 },
    { "answers_wait", 13, 13, 2, 1000, 1000, 20, 1000, 1000, 5 },
    { "any_latency", 256, 256, 2, 900, 900, 900, 900, 900, 100 },
    { "together", 300, 300, 9, 500, 800, 800, 800, 800, 5, 0, 50, Mix::TOGETHER },
    { "data_first", 300, 300, 9, 500, 800, 800, 800, 800, 5, 0, 50, Mix::DATA_FIRST },
    { "drains", 300, 300, 9, 500, 800, 800, 500, 500, 5, 0, 50 },
    { "drains_slow_dma", 300, 300, 60, 300, 100, 100, 800, 800, 5, 0, 50 },
    { "drains_of_errors", 300, 300, 9, 600, 600, 600, 600, 600, 5, 100, 50 },
    { "wrong", 300, 300, 9, 600, 600, 600, 600, 600, 60, 0, 0, Mix::ANY, 30 },
    { "wrong_in_drains", 300, 300, 9, 500, 400, 500, 500, 500, 40, 20, 60, Mix::ANY, 40 },
    { "wrong_and_sparse", 256, 256, 4, 30, 600, 600, 600, 600, 60, 0, 0, Mix::ANY, 100 },
    { "dead", 300, 300, 9, 500, 500, 500, 500, 500, 40, 0, 60, Mix::ANY, 10, 300 },
    { "dead_and_late", 300, 300, 30, 600, 100, 200, 600, 600, 60, 10, 60, Mix::DATA_FIRST, 0, 500 },
};

struct Environment {
    const Mix &mix;
    std::deque<unsigned> w_left; /* beats of the bursts offered on s_aw */
    std::deque<unsigned> r_left; /* beats of the reads the memory took */
    /* At the memory: bursts whose address came, and whose rows did, not answered; the latter may
     * be first.  first: the next row is the first of its burst. */
    unsigned aw_taken = 0, w_done = 0;
    bool first = true, draining = false, was_busy = false;
    uint64_t drains = 0, drains_busy = 0, owed = 0, data_first = 0;
    uint64_t reads = 0, writes = 0, answers = 0, read_limit = 0, write_limit = 0;
    uint64_t read_failures = 0, write_failures = 0, pads = 0, rows = 0;
    bool wrong = false;
    /* What must come of the memory's answers: the first wrong one was taken, its burst's address;
     * rows inside.  strange: the memory still owes beats of before, so this side cannot tell. */
    bool fault = false, strange = false, dead = false, r_odd = false, r_none = false;
    uint64_t fault_addr = 0, held = 0, faults = 0, lost = 0, late = 0;
    std::deque<uint64_t> r_addrs, aw_addrs; /* of reads and writes that the memory has to answer */
    std::deque<bool> w_pads; /* of the bursts offered on s_aw: padding, which writes no byte */
    Rows r_rows, w_rows;
    uint16_t latency;
    Random random_latency{ lockstep_seed() };

    explicit Environment(const Mix &m) : mix(m), latency(m.latency) {}
    /* A read may return a list, which a timing-only run needs as well. */
    void keep_rows(const ace_memory_interface_in &in, ace_memory_interface_in &no_rows) const {
        no_rows.s_r_data = in.s_r_data;
    }
    void configure(ace_memory_interface_in &in) const {
        in.cfg_read_cost = mix.read_cost;
        in.cfg_write_cost = mix.write_cost;
        in.cfg_latency = latency;
    }
    void reset() {
        /* any, the short ones as often as the long */
        if (mix.resets == 100 && !mix.errors)
            latency = static_cast<uint16_t>(random_latency.bits<uint64_t>(16) >>
                                            random_latency.below(16));
        forget_dma();
        forget_memory();
        first = true;
        draining = dead = fault = strange = false;
        held = 0;
    }
    void forget_memory() {
        r_left.clear();
        r_addrs.clear();
        aw_addrs.clear();
        aw_taken = w_done = 0;
        r = r_odd = r_none = false;
    }
    void forget_dma() {
        w_left.clear();
        w_pads.clear();
        ar = aw = w = false;
    }
    /* The DMAs are reset, the memory is not: it gets the rest of what it was promised. */
    bool drain(const ace_memory_interface_out &out, Random &random) {
        const bool ends = draining && !was_busy;
        if (ends) {
            draining = false;
            const bool left = r || !r_left.empty() || aw_taken || w_done || !first;
            EXPECT_FALSE(left && !mix.wrong && !mix.dead);
            strange |= left;
        } else if (!draining && random.below(10000) < mix.drains) {
            draining = true;
            drains++;
            drains_busy += out.busy;
            dead = random.below(1000) < mix.dead;
        }
        if (out.memory_lost) {
            strange = true;
            dead = false; /* and answers late */
        }
        was_busy = out.busy;
        return draining;
    }
    bool ar = false, aw = false, w = false, r = false; /* offered, and not taken yet */

    uint8_t response(Random &random) const { /* OKAY, SLVERR and DECERR */
        if (random.below(10000) >= mix.errors) return ACE_OKAY;
        return random.below(2) ? ACE_SLVERR : ACE_DECERR;
    }
    bool errs(Random &random) const { return random.below(10000) < mix.wrong; }

    /* What the interface shows of the answers so far. */
    void judge(const ace_memory_interface_out &out) {
        faults += out.protocol_failed;
        lost += out.memory_lost;
        if (strange) return;
        ASSERT_EQ(fault, out.protocol_failed);
        if (fault) ASSERT_EQ(fault_addr, out.protocol_failed_addr);
        ASSERT_EQ(held > 0, out.m_r_valid);
    }
    /* The first answer that is wrong. */
    void is_wrong(uint64_t addr) {
        if (!fault) fault_addr = addr;
        fault = true;
    }
    /* An R beat that no read waits for, or one of the oldest read. */
    void give_row(const ace_memory_interface_out &out, ace_memory_interface_in &in,
                  Random &random) {
        if (!r && !dead && errs(random) && r_left.empty()) {
            r = r_none = true;
            in.s_r_last = random.below(2);
            in.s_r_resp = static_cast<uint8_t>(random.below(4));
            in.s_r_data = r_rows.fresh(random);
        } else if (!r && !dead && !r_left.empty() && random.permille(mix.give)) {
            r = true;
            r_none = false;
            in.s_r_data = r_rows.fresh(random);
            in.s_r_last = --r_left.front() == 0;
            in.s_r_resp = response(random);
            r_odd = errs(random);
            if (r_odd && random.below(2))
                in.s_r_resp = ACE_EXOKAY;
            else if (r_odd)
                in.s_r_last = !in.s_r_last;
        }
        in.s_r_valid = r;
        if (!r || !out.s_r_ready) return;
        r = false;
        late += out.memory_lost;
        const uint64_t addr = r_none ? 0 : r_addrs.front();
        if (!r_none && !r_left.front()) {
            r_left.pop_front();
            r_addrs.pop_front();
        }
        row_wrong = r_none || r_odd;
        if (row_wrong) is_wrong(addr);
        row_good = !row_wrong && !(in.s_r_resp & 2);
        r_odd = false;
    }
    void give_answer(const ace_memory_interface_out &out, ace_memory_interface_in &in,
                     Random &random) {
        const bool can = aw_taken > 0 && w_done > 0, none = !can && errs(random) && !dead;
        in.s_b_valid = none || (can && !dead && random.permille(mix.give));
        in.s_b_resp = response(random);
        if (!in.s_b_valid) return;
        late += out.memory_lost;
        uint64_t addr = 0;
        bool odd = none;
        if (can) {
            aw_taken--;
            w_done--;
            addr = aw_addrs.front();
            aw_addrs.pop_front();
            if (errs(random)) {
                in.s_b_resp = ACE_EXOKAY;
                odd = true;
            }
        }
        if (odd) is_wrong(addr);
    }
    bool row_wrong = false, row_good = false, stopped = false;

    void drive(const ace_memory_interface_out &out, ace_memory_interface_in &in, Random &random) {
        judge(out);
        in.drain = drain(out, random);
        const bool clears = (in.drain && !out.busy) || out.memory_lost;
        /* DMA side */
        if (!ar && random.permille(mix.request)) {
            ar = true;
            in.s_ar_addr = random.bits<uint64_t>(48);
            in.s_ar_len = random.bits<uint8_t>(4);
        }
        if (!aw && random.permille(mix.request)) {
            aw = true;
            in.s_aw_pad = random.below(4) == 0;
            in.s_aw_addr = (random.bits<uint64_t>(48) & ~uint64_t{ 1 }) | in.s_aw_pad;
            in.s_aw_len = in.s_aw_pad ? 0 : random.bits<uint8_t>(4);
            w_left.push_back(in.s_aw_len + 1u);
            w_pads.push_back(in.s_aw_pad);
            pads += in.s_aw_pad;
        }
        if (!w && !w_left.empty() && random.permille(mix.data)) {
            w = true;
            in.s_w_data = w_rows.fresh(random);
            in.s_w_code = random.bits<uint32_t>(32); /* whatever it is, it goes with the row */
            in.s_w_strb =
                static_cast<uint16_t>(w_pads.front() ? 0 : 1 + random.below(ACE_ROW_BYTES));
            in.s_w_last = --w_left.front() == 0;
            if (in.s_w_last) {
                w_left.pop_front();
                w_pads.pop_front();
            }
        }
        in.s_ar_valid = ar;
        in.s_aw_valid = aw;
        in.s_w_valid = w;
        in.m_r_ready = random.permille(mix.drain);
        in.m_b_ready = random.permille(mix.drain);
        read_limit += ar && !out.s_ar_ready;
        write_limit += aw && !out.s_aw_ready;
        ar = ar && !out.s_ar_ready;
        aw = aw && !out.s_aw_ready;
        rows += w && out.s_w_ready;
        w = w && !out.s_w_ready;
        if (draining) forget_dma(); /* what they show now is lost */
        read_failures += out.read_failed;
        write_failures += out.write_failed;
        reads += out.m_r_valid && in.m_r_ready;
        answers += out.m_b_valid && in.m_b_ready;

        /* memory side: what it took in earlier cycles, it may answer now */
        row_good = false;
        const bool before = fault || out.read_failed;
        give_row(out, in, random);
        give_answer(out, in, random);
        held += row_good && !before && !fault;
        held -= held && out.m_r_valid && (in.m_r_ready || in.drain);
        if (clears) {
            fault = false;
            held = 0;
        }
        in.m_ar_ready = !dead && random.permille(mix.take);
        in.m_aw_ready = !dead && random.permille(mix.take);
        in.m_w_ready = !dead && random.permille(mix.take);
        if (mix.order == Mix::DATA_FIRST) {
            in.m_aw_ready = in.m_aw_ready && w_done > aw_taken;
            in.m_w_ready = in.m_w_ready && w_done == aw_taken;
        }
        if (mix.order == Mix::TOGETHER) {
            const bool both = out.m_aw_valid && out.m_w_valid && in.m_aw_ready;
            in.m_aw_ready = first && both;
            in.m_w_ready = first ? both : in.m_w_ready;
        }
        /* padding is on no pin; all else that is there before a drain writes a byte */
        wrong |= out.m_aw_valid && (out.m_aw_addr & 1);
        wrong |= out.m_w_valid && !draining && out.m_w_strb == 0;
        if (out.m_ar_valid && in.m_ar_ready) {
            r_left.push_back(out.m_ar_len + 1u);
            r_addrs.push_back(out.m_ar_addr);
        }
        if (out.m_aw_valid && in.m_aw_ready) aw_addrs.push_back(out.m_aw_addr);
        aw_taken += out.m_aw_valid && in.m_aw_ready;
        writes += out.m_w_valid && in.m_w_ready;
        if (out.m_w_valid && in.m_w_ready) {
            w_done += out.m_w_last;
            first = out.m_w_last;
            owed += draining && out.m_w_strb == 0;
            data_first += w_done > aw_taken;
        }
    }
};

class MemoryInterface : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(MemoryInterface, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned bursts = small ? ACE_RTL_SMALL_BURSTS : 16;
    Lockstep<memory_interface_unit> run(small, mix.latency);
    const unsigned limit = small ? ACE_RTL_SMALL_DRAIN_LIMIT : ACE_MEMORY_DRAIN_LIMIT;
    ASSERT_EQ(ace_memory_interface_create(bursts, limit, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_memory_interface_create(bursts, limit, false, &run.timing), ACE_OK);
    Environment environment(mix);
    const std::string name = mix.name;
    run.go(environment, name == "full_rate" ? 40000 : 20000,
           mix.resets); /* the clock has 16 bits */
    EXPECT_GT(environment.reads, 200u);
    EXPECT_GT(environment.writes, 200u);
    EXPECT_GT(environment.answers, 20u);
    EXPECT_GT(environment.pads, 10u);
    EXPECT_FALSE(environment.wrong) << "padding on a pin of the memory";
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (name == "long_latency") EXPECT_GT(environment.read_limit, 1000u);
    if (name == "long_latency") EXPECT_GT(environment.write_limit, 1000u);
    EXPECT_EQ(environment.drains > 10, mix.drains > 0);
    EXPECT_EQ(environment.drains_busy > 10, mix.drains > 0);
    if (name == "drains_slow_dma") EXPECT_GT(environment.owed, 100u);
    if (name == "data_first") EXPECT_GT(environment.data_first, 200u);
    if (mix.errors >= 100) EXPECT_GT(environment.read_failures, 100u);
    if (mix.errors >= 100) EXPECT_GT(environment.write_failures, 100u);
    if (!mix.errors) EXPECT_EQ(environment.read_failures + environment.write_failures, 0u);
    EXPECT_EQ(environment.faults > 100, mix.wrong > 0);
    if (!mix.wrong && !mix.dead) EXPECT_EQ(environment.faults, 0u);
    EXPECT_EQ(environment.lost > 100, small && mix.dead > 0);
    EXPECT_EQ(environment.late > 10, small && mix.dead > 0);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "share" && !small) { /* the average is the rate, to a row or two */
        const auto cycles = 20000. * static_cast<double>(lockstep_number("ACE_TIMES"));
        EXPECT_NEAR(static_cast<double>(environment.reads), cycles * 256. / mix.read_cost,
                    2 + 110 * 256. / mix.read_cost);
        EXPECT_NEAR(static_cast<double>(environment.rows), cycles * 256. / mix.write_cost,
                    2 + 110 * 256. / mix.write_cost);
    }
}

INSTANTIATE_TEST_SUITE_P(Mixes, MemoryInterface,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

/* A lone read: on m_ar exactly cfg_latency cycles after it was taken. */
TEST(MemoryInterfaceTheory, ReadIsHeldForTheLatency) {
    for (const uint16_t latency : { 2, 3, 100, 65535 }) {
        ace_memory_interface *m = nullptr;
        ASSERT_EQ(ace_memory_interface_create(16, 0, false, &m), ACE_OK);
        ace_memory_interface_in in{};
        ace_memory_interface_out out;
        in.cfg_latency = latency;
        in.s_ar_valid = true;
        uint64_t cycle = 0;
        for (;; cycle++) {
            ace_memory_interface_eval(m, &out);
            if (out.m_ar_valid || cycle > 70000) break;
            ace_memory_interface_tick(m, &in);
            in.s_ar_valid = false;
        }
        EXPECT_EQ(cycle, latency);
        ace_memory_interface_destroy(m);
    }
}

} // namespace
