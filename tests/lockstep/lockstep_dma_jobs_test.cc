/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_dma_jobs.v against cmodel/parts/ace_dma_jobs.c, cycle by cycle.
 *
 * Verilated: Vace_dma_jobs (defaults: as the RX DMA has it).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned rows; /* of the longest job */
    unsigned job, may, take,
        grant;       /* jobs; requests may begin; requests and rows taken; per mille */
    unsigned resets; /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 64, 1000, 1000, 1000, 1000, 0 },  { "long_jobs", 1024, 1000, 1000, 100, 950, 5 },
    { "single_rows", 1, 1000, 1000, 1000, 1000, 5 }, { "held_back", 40, 500, 20, 900, 900, 5 },
    { "slow_rows", 40, 500, 900, 900, 150, 5 },      { "sparse", 20, 5, 500, 700, 700, 10 },
};

/* A job as it was taken, and what of it is still to come. */
struct Job {
    ace_dma_jobs_pins_in pins;
    unsigned rows_asked = 0, rows_moved = 0;
};

struct Environment {
    const Mix &mix;
    bool job = false;             /* offered, and not taken yet */
    std::deque<Job> asked, moved; /* jobs not all of whose requests and rows have gone */
    uint64_t rows = 0, requests = 0, no_room = 0, short_bursts = 0, wraps = 0, wrong = 0;

    explicit Environment(const Mix &m) : mix(m) {}
    void configure(ace_dma_jobs_pins_in &) const {}
    void reset() {
        job = false;
        asked.clear();
        moved.clear();
    }
    void ask(ace_dma_jobs_pins_in &in, Random &random) {
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
            in.s_job_side = random.bits<uint64_t>(ACE_DMA_SIDE_BITS);
        }
        in.s_job_valid = job;
        in.s_request_may = random.permille(mix.may);
        in.m_request_ready = random.permille(mix.take);
        in.m_row_ready = random.permille(mix.grant);
    }
    /* Compares the moved beats with a walk that counts from the job as it was taken.  */
    void drive(const ace_dma_jobs_pins_out &out, ace_dma_jobs_pins_in &in, Random &) {
        if (out.m_request_valid && in.m_request_ready) {
            requests++;
            Job none{}, &j = asked.empty() ? none : asked.front();
            const unsigned burst = 1u << j.pins.s_job_burst,
                           left = j.pins.s_job_rows - j.rows_asked;
            wrong += out.m_request_len + 1u != std::min(burst, left);
            wrong += out.m_request_addr !=
                     ((j.pins.s_job_address + j.rows_asked * 256ull) & 0xffffffffffffu);
            short_bursts += left < burst;
            j.rows_asked += out.m_request_len + 1u;
            if (j.rows_asked == j.pins.s_job_rows && !asked.empty()) asked.pop_front();
        }
        if (out.m_row_valid && in.m_row_ready) {
            rows++;
            Job none{}, &j = moved.empty() ? none : moved.front();
            const unsigned size = j.pins.s_job_end - j.pins.s_job_base + 1u;
            const unsigned at = (j.pins.s_job_row - j.pins.s_job_base + j.rows_moved) % size;
            wrong += out.m_row != j.pins.s_job_base + at || out.m_row_bank != j.pins.s_job_bank;
            wraps += j.rows_moved && at == 0;
            wrong += out.m_row_last != (++j.rows_moved == j.pins.s_job_rows);
            if (out.m_row_last && !moved.empty()) moved.pop_front();
        }
        no_room += job && !out.s_job_ready;
        if (job && out.s_job_ready) {
            asked.push_back({ in });
            moved.push_back({ in });
            job = false;
        }
    }
};

class DmaJobs : public testing::TestWithParam<Mix> {};

TEST_P(DmaJobs, EqualsTwin) {
    const Mix &mix = GetParam();
    Lockstep<dma_jobs_unit> run(false, mix.rows * 1000 + mix.take);
    ASSERT_EQ(ace_dma_jobs_pins_create(&run.twin), ACE_OK);
    ASSERT_EQ(ace_dma_jobs_pins_create(&run.timing), ACE_OK);
    Environment environment(mix);
    run.go(environment, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(environment.wrong, 0u);
    EXPECT_GT(environment.rows, 500u);
    EXPECT_GT(environment.requests, 100u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (mix.rows > 30) EXPECT_GT(environment.no_room, 500u);
    if (mix.rows > 30) EXPECT_GT(environment.short_bursts, 5u);
    if (mix.rows > 30) EXPECT_GT(environment.wraps, 10u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "full_rate") EXPECT_GT(environment.rows, 29900u); /* a row a cycle, across jobs */
    if (name == "single_rows") EXPECT_GT(environment.requests, 29800u); /* and a request */
}

INSTANTIATE_TEST_SUITE_P(Mixes, DmaJobs, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
