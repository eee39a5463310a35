/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_tx_dma.v against cmodel/twin/ace_tx_dma.c, cycle by cycle.
 *
 * Verilated: Vace_tx_dma (defaults, the only parameter set).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned rows;                   /* of the longest job */
    unsigned job, take, give, grant; /* jobs; m_ar taken, s_r given; grants; per mille */
    unsigned resets;                 /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 64, 1000, 1000, 1000, 1000, 0 },   { "long_jobs", 1024, 1000, 900, 950, 950, 5 },
    { "single_rows", 1, 1000, 1000, 1000, 1000, 5 },  { "slow_memory", 40, 500, 100, 200, 1000, 5 },
    { "slow_scratchpad", 40, 500, 900, 900, 150, 5 }, { "sparse", 20, 5, 500, 700, 700, 10 },
};

struct Environment {
    const Mix &mix;
    std::deque<unsigned> left;   /* beats of the reads taken */
    std::deque<uint8_t> ids;     /* of jobs taken, not done */
    bool job = false, r = false; /* offered, and not taken yet */
    uint64_t rows = 0, done = 0, no_room = 0, short_bursts = 0, out_of_order = 0;
    Rows data;

    explicit Environment(const Mix &m) : mix(m) {}
    void configure(ace_tx_dma_in &) const {}
    void reset() {
        left.clear();
        ids.clear();
        job = r = false;
    }
    void drive(const ace_tx_dma_out &out, ace_tx_dma_in &in, Random &random) {
        if (out.m_done_valid) {
            done++;
            out_of_order += ids.empty() || ids.front() != out.m_done_id;
            if (!ids.empty()) ids.pop_front();
        }
        if (!job && random.permille(mix.job)) {
            job = true;
            in.s_job_rows =
                static_cast<uint16_t>(random.permille(50) ? mix.rows : 1 + random.below(mix.rows));
            in.s_job_burst = static_cast<uint8_t>(random.below(5));
            in.s_job_address = random.bits<uint64_t>(39) << (8 + in.s_job_burst) & 0xffffffffffffu;
            in.s_job_bank = random.bits<uint8_t>(2);
            in.s_job_base = random.bits<uint16_t>(12);
            const uint32_t size = 1 + random.below(std::min(4096u - in.s_job_base, 200u));
            in.s_job_end = static_cast<uint16_t>(in.s_job_base + size - 1);
            in.s_job_row = static_cast<uint16_t>(in.s_job_base + random.below(size));
            in.s_job_id = random.bits<uint8_t>(6);
        }
        in.s_job_valid = job;
        no_room += job && !out.s_job_ready;
        if (job && out.s_job_ready) {
            ids.push_back(in.s_job_id);
            job = false;
        }
        if (!r && !left.empty() && random.permille(mix.give)) {
            r = true;
            in.s_r_data = data.fresh(random);
            in.s_r_code = random.bits<uint32_t>(32); /* whatever it is, it goes with the row */
            in.s_r_last = --left.front() == 0;
            if (in.s_r_last) left.pop_front();
        }
        in.s_r_valid = r;
        r = r && !out.s_r_ready;
        in.m_ar_ready = random.permille(mix.take);
        if (out.m_ar_valid && in.m_ar_ready) {
            left.push_back(out.m_ar_len + 1u);
            short_bursts += out.m_ar_len != 0 && out.m_ar_len != 1 && out.m_ar_len != 3 &&
                            out.m_ar_len != 7 && out.m_ar_len != 15;
        }
        in.s_write_grant = random.permille(mix.grant);
        rows += out.m_write_valid && in.s_write_grant;
    }
};

class TxDma : public testing::TestWithParam<Mix> {};

TEST_P(TxDma, EqualsTwin) {
    const Mix &mix = GetParam();
    Lockstep<tx_dma_unit> run(false, mix.rows * 1000 + mix.take);
    ASSERT_EQ(ace_tx_dma_create(true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_tx_dma_create(false, &run.timing), ACE_OK);
    Environment environment(mix);
    run.go(environment, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.rows, 200u);
    EXPECT_GT(environment.done, 10u);
    EXPECT_EQ(environment.out_of_order, 0u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (mix.rows > 30) EXPECT_GT(environment.no_room, 500u);
    if (mix.rows > 30) EXPECT_GT(environment.short_bursts, 10u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "full_rate") EXPECT_GT(environment.rows, 29900u); /* a row a cycle, across jobs */
}

INSTANTIATE_TEST_SUITE_P(Mixes, TxDma, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
