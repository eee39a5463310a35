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
    unsigned rows; /* of the longest job */
    /* per mille of cycles: a job is offered; a row is granted; m_aw and m_w are ready; s_b */
    unsigned job, grant, take, respond;
    unsigned resets;      /* per ten thousand */
    unsigned switch_half; /* per mille of jobs that go to the other half than the job before */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", false, 64, 1000, 1000, 1000, 1000, 0, 1000 },
    { "long_jobs", false, 1024, 1000, 950, 950, 900, 5, 900 },
    { "single_rows", false, 1, 1000, 1000, 1000, 1000, 5, 500 },
    { "late_responses", false, 6, 1000, 1000, 1000, 40, 5, 500 },
    { "few_bursts", true, 40, 1000, 900, 900, 100, 5, 900 },
    { "slow_memory", false, 40, 500, 900, 150, 200, 5, 900 },
    { "slow_scratchpad", true, 40, 500, 150, 900, 900, 5, 900 },
    { "one_half_waits", false, 1, 1000, 1000, 1000, 40, 5, 0 },
    { "one_half", false, 40, 1000, 900, 900, 900, 5, 0 },
    { "sparse", false, 20, 5, 700, 500, 500, 10, 900 },
};

/* A job that the DMA has taken, and its progress. */
struct Job {
    ace_rx_dma_in pins;
    uint64_t number;           /* counts the jobs of both halves in the order of s_job */
    unsigned granted = 0;      /* rows read */
    unsigned requested = 0;    /* rows of the bursts that were on m_aw */
    unsigned acknowledged = 0; /* rows of the bursts that have their write response */
};
struct Burst {
    unsigned half, rows;
    unsigned left; /* beats not yet on m_w */
};

struct Environment {
    const Mix &mix;
    const unsigned most;       /* bursts without a write response, at most */
    std::deque<Job> jobs[2];   /* jobs of each half that are not done */
    std::deque<Burst> bursts;  /* bursts without a write response, in the order of m_aw */
    std::deque<uint8_t> done_; /* jobs whose last write response came in the cycle before */
    bool job = false;          /* a job is offered and not taken yet */
    unsigned bank = 0;
    unsigned grant_history = 0; /* bit n: a row was granted n + 1 cycles ago */
    unsigned sent_bursts = 0;   /* of `bursts`, those whose beats have all left */
    uint64_t taken = 0;         /* jobs */
    uint64_t rows = 0;          /* granted */
    uint64_t done = 0;          /* jobs */
    uint64_t stalled_jobs = 0;  /* cycles in which a job was offered and s_job_ready was 0 */
    uint64_t partial_beats = 0; /* some bytes masked */
    uint64_t masked_beats = 0;  /* all bytes masked */
    uint64_t full_cycles = 0;   /* cycles in which `most` bursts had no write response */
    uint64_t overtakes = 0;     /* bursts on m_aw while an older job had bursts left to request */
    uint64_t both_request = 0;  /* cycles in which both halves requested a row */
    uint64_t errors = 0;        /* differences from the contract */
    Rows data;

    Environment(const Mix &m, unsigned most_) : mix(m), most(most_) {}
    void configure(ace_rx_dma_in &) const {}
    void reset() {
        for (auto &of : jobs) of.clear();
        bursts.clear();
        done_.clear();
        job = false;
        grant_history = sent_bursts = 0;
    }
    /* Returns the first job of a half whose rows are not all granted, or not all requested. */
    Job *first_with_rows_left(unsigned half, unsigned Job::*progress) {
        for (Job &j : jobs[half])
            if (j.*progress < j.pins.s_job_rows) return &j;
        return nullptr;
    }
    void offer(ace_rx_dma_in &in, Random &random) {
        job = true;
        in.s_job_rows =
            static_cast<uint16_t>(random.permille(150) ? mix.rows : 1 + random.below(mix.rows));
        /* bursts of one row now and then make the most of them */
        in.s_job_burst = static_cast<uint8_t>(random.below(3) ? random.below(5) : 0);
        in.s_job_address = random.bits<uint64_t>(38) << (8 + in.s_job_burst) & 0x7fffffffffffu;
        const uint32_t bytes = in.s_job_rows * 256u;
        in.s_job_limit = random.permille(500)  ? in.s_job_address + bytes
                         : random.permille(50) ? in.s_job_address & random.next()
                                               : in.s_job_address + random.below(bytes + 600);
        bank = (bank & 1) ^ random.permille(mix.switch_half) ^ (random.below(2) << 1);
        in.s_job_bank = static_cast<uint8_t>(bank);
        in.s_job_base = random.bits<uint16_t>(12);
        const uint32_t size = 1 + random.below(std::min(4096u - in.s_job_base, 200u));
        in.s_job_end = static_cast<uint16_t>(in.s_job_base + size - 1);
        in.s_job_row = static_cast<uint16_t>(in.s_job_base + random.below(size));
        in.s_job_id = random.bits<uint8_t>(6);
    }
    /* Grants at most one row, of either half. */
    void read(const ace_rx_dma_out &out, ace_rx_dma_in &in, Random &random) {
        if (grant_history & 4) in.s_read_data = data.fresh(random);
        if (grant_history & 4) in.s_read_code = random.bits<uint32_t>(32);
        const unsigned half = random.permille(800) ? out.m_read_first : random.below(2);
        in.s_read_grant = static_cast<uint8_t>(random.permille(mix.grant) << half);
        if (random.permille(900) && !(out.m_read_valid & in.s_read_grant))
            in.s_read_grant = in.s_read_grant ? in.s_read_grant ^ 3 : 0; /* the other half */
        const unsigned row = out.m_read_valid & in.s_read_grant;
        both_request += out.m_read_valid == 3;
        grant_history = grant_history << 1 | (row != 0);
        rows += row != 0;
        if (!row) return;
        Job none{}, *j = first_with_rows_left(row >> 1, &Job::granted);
        errors += !j;
        if (!j) j = &none;
        const unsigned size = j->pins.s_job_end - j->pins.s_job_base + 1u;
        errors += out.m_read_bank[row >> 1] != j->pins.s_job_bank;
        errors += out.m_read_row[row >> 1] !=
                  j->pins.s_job_base + (j->pins.s_job_row - j->pins.s_job_base + j->granted) % size;
        j->granted++;
    }
    /* Takes a burst of either half. All its rows must have been granted before. */
    void take_burst(const ace_rx_dma_out &out) {
        for (unsigned half = 0; half < 2; half++) {
            Job *j = first_with_rows_left(half, &Job::requested);
            if (!j || out.m_aw_addr != j->pins.s_job_address + j->requested * 256ull) continue;
            const Job *other = first_with_rows_left(half ^ 1, &Job::requested);
            const unsigned left = j->pins.s_job_rows - j->requested;
            const unsigned length = std::min(left, 1u << j->pins.s_job_burst);
            errors += out.m_aw_len + 1u != length || j->requested + length > j->granted;
            j->requested += length;
            overtakes += other && other->number < j->number;
            bursts.push_back({ half, length, length });
            errors += bursts.size() > most;
            return;
        }
        errors++;
    }
    void take_beat(const ace_rx_dma_out &out) {
        partial_beats += out.m_w_strb > 0 && out.m_w_strb < ACE_ROW_BYTES;
        masked_beats += out.m_w_strb == 0;
        errors += sent_bursts == bursts.size();
        if (sent_bursts == bursts.size()) return;
        errors += out.m_w_last != (--bursts[sent_bursts].left == 0);
        sent_bursts += out.m_w_last;
    }
    void respond() {
        const Burst b = bursts.front();
        bursts.pop_front();
        sent_bursts--;
        Job &j = jobs[b.half].front();
        j.acknowledged += b.rows;
        if (j.acknowledged < j.pins.s_job_rows) return;
        done_.push_back(j.pins.s_job_id);
        jobs[b.half].pop_front();
    }
    void drive(const ace_rx_dma_out &out, ace_rx_dma_in &in, Random &random) {
        errors += out.m_done_valid != !done_.empty();
        if (out.m_done_valid && !done_.empty()) errors += out.m_done_id != done_.front();
        done += out.m_done_valid;
        done_.clear();
        full_cycles += bursts.size() == most;
        if (!job && random.permille(mix.job)) offer(in, random);
        in.s_job_valid = job;
        in.s_b_valid = sent_bursts > 0 && random.permille(mix.respond);
        in.m_aw_ready = random.permille(mix.take);
        in.m_w_ready = random.permille(mix.take);
        if (out.m_w_valid && in.m_w_ready) take_beat(out);
        if (out.m_aw_valid && in.m_aw_ready) take_burst(out);
        read(out, in, random);
        if (in.s_b_valid) respond();
        stalled_jobs += job && !out.s_job_ready;
        if (job && out.s_job_ready) {
            jobs[bank & 1].push_back({ in, taken++ });
            job = false;
        }
    }
};

class RxDma : public testing::TestWithParam<Mix> {};

TEST_P(RxDma, EqualsTwin) {
    const Mix &mix = GetParam();
    const unsigned bursts = mix.small ? ACE_RTL_SMALL_BURSTS : 16;
    Lockstep<rx_dma_unit> run(mix.small, mix.rows * 1000 + mix.respond);
    ASSERT_EQ(ace_rx_dma_create(bursts, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_rx_dma_create(bursts, false, &run.timing), ACE_OK);
    Environment environment(mix, bursts);
    run.go(environment, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(environment.errors, 0u);
    /* The environment reached each case often enough. */
    EXPECT_GT(environment.rows, 200u);
    EXPECT_GT(environment.done, 10u);
    EXPECT_GT(environment.partial_beats, 5u);
    EXPECT_GT(environment.masked_beats, 5u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    if (mix.switch_half && name != "sparse") EXPECT_GT(environment.overtakes, 200u);
    if (mix.rows > 20 && mix.switch_half) EXPECT_GT(environment.both_request, 200u);
    if (name == "late_responses" || name == "few_bursts") EXPECT_GT(environment.full_cycles, 500u);
    if (name == "late_responses" || mix.rows > 30) EXPECT_GT(environment.stalled_jobs, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    if (name == "full_rate") EXPECT_GT(environment.rows, 29400u); /* 49/50 of 30000 cycles */
}

INSTANTIATE_TEST_SUITE_P(Mixes, RxDma, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
