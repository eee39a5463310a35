/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_rx_dma.v against cmodel/twin/ace_rx_dma.c, cycle by cycle.
 *
 * Verilated: Vace_rx_dma (defaults, the only parameter set).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned rows;                     /* of the longest job */
    unsigned job, grant, take, answer; /* jobs; grants; m_aw and m_w taken; s_b; per mille */
    unsigned resets;                   /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 64, 1000, 1000, 1000, 1000, 0 },
    { "long_jobs", 1024, 1000, 950, 950, 900, 5 },
    { "single_rows", 1, 1000, 1000, 1000, 1000, 5 },
    { "late_answers", 6, 1000, 1000, 1000, 40, 5 },
    { "slow_memory", 40, 500, 900, 150, 200, 5 },
    { "slow_scratchpad", 40, 500, 150, 900, 900, 5 },
    { "sparse", 20, 5, 700, 500, 500, 10 },
};

struct Environment {
    const Mix &mix;
    std::deque<uint8_t> ids; /* of jobs taken, not done */
    bool job = false;        /* offered, and not taken yet */
    unsigned granted = 0;    /* rows, one, two and three cycles ago */
    unsigned aw_taken = 0, w_done = 0;
    uint64_t rows = 0, done = 0, no_room = 0, cut = 0, empty = 0, out_of_order = 0;
    Rows data;

    explicit Environment(const Mix &m) : mix(m) {}
    void configure(ace_rx_dma_in &) const {}
    void reset() {
        ids.clear();
        job = false;
        granted = 0;
        aw_taken = w_done = 0;
    }
    void drive(const ace_rx_dma_out &out, ace_rx_dma_in &in, Random &random) {
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
            in.s_job_address = random.bits<uint64_t>(38) << (8 + in.s_job_burst) & 0x7fffffffffffu;
            const uint32_t bytes = in.s_job_rows * 256u;
            in.s_job_limit = random.permille(500)  ? in.s_job_address + bytes
                             : random.permille(50) ? in.s_job_address & random.next()
                                                   : in.s_job_address + random.below(bytes + 600);
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
        if (granted & 4) in.s_read_data = data.fresh(random);
        in.s_read_grant = random.permille(mix.grant);
        const bool grant = out.m_read_valid && in.s_read_grant;
        granted = granted << 1 | grant;
        rows += grant;
        in.s_b_valid = aw_taken > 0 && w_done > 0 && random.permille(mix.answer);
        aw_taken -= in.s_b_valid;
        w_done -= in.s_b_valid;
        in.m_aw_ready = random.permille(mix.take);
        in.m_w_ready = random.permille(mix.take);
        aw_taken += out.m_aw_valid && in.m_aw_ready;
        if (out.m_w_valid && in.m_w_ready) {
            w_done += out.m_w_last;
            cut += out.m_w_strb > 0 && out.m_w_strb < ACE_ROW_BYTES;
            empty += out.m_w_strb == 0;
        }
    }
};

class RxDma : public testing::TestWithParam<Mix> {};

TEST_P(RxDma, EqualsTwin) {
    const Mix &mix = GetParam();
    Lockstep<rx_dma_unit> run(false, mix.rows * 1000 + mix.answer);
    ASSERT_EQ(ace_rx_dma_create(true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_rx_dma_create(false, &run.timing), ACE_OK);
    Environment environment(mix);
    run.go(environment, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_GT(environment.rows, 200u);
    EXPECT_GT(environment.done, 10u);
    EXPECT_GT(environment.cut, 5u);
    EXPECT_GT(environment.empty, 5u);
    EXPECT_EQ(environment.out_of_order, 0u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (name == "late_answers" || mix.rows > 30) EXPECT_GT(environment.no_room, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "full_rate") EXPECT_GT(environment.rows, 29900u); /* a row a cycle, across jobs */
}

INSTANTIATE_TEST_SUITE_P(Mixes, RxDma, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
