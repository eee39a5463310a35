/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_rx_dma.v against cmodel/twin/ace_rx_dma.c, cycle by cycle.
 *
 * Verilated: Vace_rx_dma (defaults) and Vace_rx_dma_small (BURSTS=3).
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    bool small;
    unsigned rows;                     /* of the longest job */
    unsigned job, grant, take, answer; /* jobs; grants; m_aw and m_w taken; s_b; per mille */
    unsigned resets;                   /* per ten thousand */
    unsigned other;                    /* jobs of the other half than the one before, per mille */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", false, 64, 1000, 1000, 1000, 1000, 0, 1000 },
    { "long_jobs", false, 1024, 1000, 950, 950, 900, 5, 900 },
    { "single_rows", false, 1, 1000, 1000, 1000, 1000, 5, 500 },
    { "late_answers", false, 6, 1000, 1000, 1000, 40, 5, 500 },
    { "few_bursts", true, 40, 1000, 900, 900, 100, 5, 900 },
    { "slow_memory", false, 40, 500, 900, 150, 200, 5, 900 },
    { "slow_scratchpad", true, 40, 500, 150, 900, 900, 5, 900 },
    { "one_half", false, 40, 1000, 900, 900, 900, 5, 0 },
    { "sparse", false, 20, 5, 700, 500, 500, 10, 900 },
};

/* A job as it was taken, and what of it has gone by. */
struct Job {
    ace_rx_dma_in pins;
    unsigned granted = 0, asked = 0, answered = 0; /* rows; rows of bursts */
};
struct Burst {
    unsigned half, left, rows; /* left: beats */
};

struct Environment {
    const Mix &mix;
    const unsigned most;       /* bursts without an answer */
    std::deque<Job> jobs[2];   /* of each half, not done */
    std::deque<Burst> bursts;  /* asked for, not answered */
    std::deque<uint8_t> done_; /* whose last answer came in the cycle before */
    bool job = false;          /* offered, and not taken yet */
    unsigned bank = 0;
    unsigned granted = 0; /* rows, one, two and three cycles ago */
    unsigned told = 0;    /* bursts whose beats have all left */
    uint64_t rows = 0, done = 0, no_room = 0, cut = 0, empty = 0, wrong = 0, full = 0;
    uint64_t overtakes = 0,
             both = 0; /* a burst asked for before an older job's; rows of both ask */
    Rows data;

    Environment(const Mix &m, unsigned most_) : mix(m), most(most_) {}
    void configure(ace_rx_dma_in &) const {}
    void reset() {
        for (auto &of : jobs) of.clear();
        bursts.clear();
        done_.clear();
        job = false;
        granted = told = 0;
    }
    /* The job of a half with rows that were not granted, or with bursts not asked for. */
    Job *at(unsigned half, unsigned Job::*what) {
        for (Job &j : jobs[half])
            if (j.*what < j.pins.s_job_rows) return &j;
        return nullptr;
    }
    void offer(ace_rx_dma_in &in, Random &random) {
        job = true;
        in.s_job_rows =
            static_cast<uint16_t>(random.permille(50) ? mix.rows : 1 + random.below(mix.rows));
        in.s_job_burst = static_cast<uint8_t>(random.below(5));
        in.s_job_address = random.bits<uint64_t>(38) << (8 + in.s_job_burst) & 0x7fffffffffffu;
        const uint32_t bytes = in.s_job_rows * 256u;
        in.s_job_limit = random.permille(500)  ? in.s_job_address + bytes
                         : random.permille(50) ? in.s_job_address & random.next()
                                               : in.s_job_address + random.below(bytes + 600);
        bank = (bank & 1) ^ random.permille(mix.other) ^ (random.below(2) << 1);
        in.s_job_bank = static_cast<uint8_t>(bank);
        in.s_job_base = random.bits<uint16_t>(12);
        const uint32_t size = 1 + random.below(std::min(4096u - in.s_job_base, 200u));
        in.s_job_end = static_cast<uint16_t>(in.s_job_base + size - 1);
        in.s_job_row = static_cast<uint16_t>(in.s_job_base + random.below(size));
        in.s_job_id = random.bits<uint8_t>(6);
    }
    /* Grants at most one row, of either half.  */
    void read(const ace_rx_dma_out &out, ace_rx_dma_in &in, Random &random) {
        if (granted & 4) in.s_read_data = data.fresh(random);
        if (granted & 4) in.s_read_code = random.bits<uint32_t>(32); /* it goes with the row */
        const unsigned half = random.permille(800) ? out.m_read_first : random.below(2);
        in.s_read_grant = static_cast<uint8_t>(random.permille(mix.grant) << half);
        if (random.permille(900) && !(out.m_read_valid & in.s_read_grant))
            in.s_read_grant = in.s_read_grant ? in.s_read_grant ^ 3 : 0; /* the other can use it */
        const unsigned row = out.m_read_valid & in.s_read_grant;
        both += out.m_read_valid == 3;
        granted = granted << 1 | (row != 0);
        rows += row != 0;
        if (!row) return;
        Job none{}, *j = at(row >> 1, &Job::granted);
        wrong += !j;
        if (!j) j = &none;
        const unsigned size = j->pins.s_job_end - j->pins.s_job_base + 1u;
        wrong += out.m_read_bank[row >> 1] != j->pins.s_job_bank;
        wrong += out.m_read_row[row >> 1] !=
                 j->pins.s_job_base + (j->pins.s_job_row - j->pins.s_job_base + j->granted) % size;
        j->granted++;
    }
    /* A burst of either half, all of whose rows were granted before. */
    void asked(const ace_rx_dma_out &out) {
        for (unsigned half = 0; half < 2; half++) {
            Job *j = at(half, &Job::asked);
            if (!j || out.m_aw_addr != j->pins.s_job_address + j->asked * 256ull) continue;
            const unsigned left = j->pins.s_job_rows - j->asked, burst = 1u << j->pins.s_job_burst;
            const unsigned length = std::min(left, burst);
            wrong += out.m_aw_len + 1u != length || j->asked + length > j->granted;
            j->asked += length;
            overtakes += !bursts.empty() && bursts.back().half != half;
            bursts.push_back({ half, length, length });
            wrong += bursts.size() > most;
            return;
        }
        wrong++;
    }
    void beat(const ace_rx_dma_out &out) {
        cut += out.m_w_strb > 0 && out.m_w_strb < ACE_ROW_BYTES;
        empty += out.m_w_strb == 0;
        wrong += told == bursts.size();
        if (told == bursts.size()) return;
        wrong += out.m_w_last != (--bursts[told].left == 0);
        told += out.m_w_last;
    }
    void answer() {
        const Burst b = bursts.front();
        bursts.pop_front();
        told--;
        Job &j = jobs[b.half].front();
        j.answered += b.rows;
        if (j.answered < j.pins.s_job_rows) return;
        done_.push_back(j.pins.s_job_id);
        jobs[b.half].pop_front();
    }
    void drive(const ace_rx_dma_out &out, ace_rx_dma_in &in, Random &random) {
        wrong += out.m_done_valid != !done_.empty();
        if (out.m_done_valid && !done_.empty()) wrong += out.m_done_id != done_.front();
        done += out.m_done_valid;
        done_.clear();
        full += bursts.size() == most;
        if (!job && random.permille(mix.job)) offer(in, random);
        in.s_job_valid = job;
        in.s_b_valid = told > 0 && random.permille(mix.answer);
        in.m_aw_ready = random.permille(mix.take);
        in.m_w_ready = random.permille(mix.take);
        if (out.m_w_valid && in.m_w_ready) beat(out);
        if (out.m_aw_valid && in.m_aw_ready) asked(out);
        read(out, in, random);
        if (in.s_b_valid) answer();
        no_room += job && !out.s_job_ready;
        if (job && out.s_job_ready) {
            jobs[bank & 1].push_back({ in });
            job = false;
        }
    }
};

class RxDma : public testing::TestWithParam<Mix> {};

TEST_P(RxDma, EqualsTwin) {
    const Mix &mix = GetParam();
    const unsigned bursts = mix.small ? ACE_RTL_SMALL_BURSTS : 16;
    Lockstep<rx_dma_unit> run(mix.small, mix.rows * 1000 + mix.answer);
    ASSERT_EQ(ace_rx_dma_create(bursts, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_rx_dma_create(bursts, false, &run.timing), ACE_OK);
    Environment environment(mix, bursts);
    run.go(environment, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(environment.wrong, 0u);
    EXPECT_GT(environment.rows, 200u);
    EXPECT_GT(environment.done, 10u);
    EXPECT_GT(environment.cut, 5u);
    EXPECT_GT(environment.empty, 5u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (mix.other && name != "sparse") EXPECT_GT(environment.overtakes, 20u);
    if (mix.rows > 20 && mix.other) EXPECT_GT(environment.both, 200u);
    if (name == "late_answers" || name == "few_bursts") EXPECT_GT(environment.full, 500u);
    if (name == "late_answers" || mix.rows > 30) EXPECT_GT(environment.no_room, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "full_rate") EXPECT_GT(environment.rows, 29400u); /* of 30000 */
}

INSTANTIATE_TEST_SUITE_P(Mixes, RxDma, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
