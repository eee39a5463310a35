/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_memory_arbiter.v against cmodel/twin/ace_memory_arbiter.c, cycle by cycle.
 *
 * Verilated: Vace_memory_arbiter (defaults) and Vace_memory_arbiter_small (DMA_BURSTS=2,
 * BURSTS=7).
 *
 * The environment is the exchange, whose bursts have one row, the DMAs, and the memory
 * interface, which has at most BURSTS bursts outstanding each way.  It knows itself whose
 * each burst is, and in which order beats and answers must come.
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned first, second; /* the exchange asks, the DMAs do; per mille */
    unsigned take, give;    /* the memory interface takes, and gives */
    unsigned busy;          /* the exchange is at work */
    unsigned resets;        /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "both", 500, 500, 900, 900, 1000, 0 },       { "exchange", 1000, 0, 1000, 1000, 1000, 5 },
    { "dmas", 0, 1000, 1000, 1000, 0, 5 },         { "slow_memory", 800, 800, 300, 150, 900, 5 },
    { "mostly_dmas", 100, 900, 900, 500, 300, 5 }, { "resets", 500, 500, 700, 700, 500, 80 },
};

struct Environment {
    const Mix &mix;
    unsigned dma_bursts, bursts;
    struct Burst {
        bool first;
        unsigned beats;
    };
    std::deque<Burst> reads, writes, answers; /* beats of writes still to come */
    std::deque<unsigned> dma_w;               /* bursts of the RX DMA, also not yet asked for */
    unsigned outstanding = 0, dma_reads = 0, dma_writes = 0;
    struct {
        bool ar, aw, w;
        uint64_t ar_addr, aw_addr;
    } first = {};
    struct {
        bool ar, aw, w;
        uint64_t ar_addr, aw_addr;
        unsigned ar_len, aw_len;
    } second = {};
    unsigned first_rows = 0; /* taken addresses whose rows are still to come */
    bool r = false;
    uint64_t counts[6] = {}, ahead = 0, held_back = 0;
    bool wrong = false;

    Environment(const Mix &m, unsigned dma, unsigned all) : mix(m), dma_bursts(dma), bursts(all) {}
    void configure(ace_memory_arbiter_in &) const {}
    void reset() {
        reads.clear();
        writes.clear();
        answers.clear();
        dma_w.clear();
        outstanding = dma_reads = dma_writes = first_rows = 0;
        first = {};
        second = {};
        r = false;
    }

    void ask(ace_memory_arbiter_in &in, Random &random) {
        in = ace_memory_arbiter_in{};
        if (!first.ar && random.permille(mix.first))
            first.ar = true, first.ar_addr = random.bits<uint64_t>(40) << 8;
        if (!first.aw && random.permille(mix.first))
            first.aw = true, first.aw_addr = random.bits<uint64_t>(40) << 8;
        if (!second.ar && random.permille(mix.second)) {
            second.ar = true;
            second.ar_addr = random.bits<uint64_t>(40) << 8;
            second.ar_len = random.below(random.permille(100) ? 16 : 5);
        }
        if (!second.aw && random.permille(mix.second)) {
            second.aw = true;
            second.aw_addr = random.bits<uint64_t>(40) << 8;
            second.aw_len = random.below(random.permille(100) ? 16 : 5);
            dma_w.push_back(second.aw_len + 1); /* rows may be ready before the address goes */
        }
        first.w = first.w || (first_rows > 0 && random.permille(900));
        second.w = second.w || (!dma_w.empty() && random.permille(900));
        in.s0_busy = random.permille(mix.busy);
        in.s0_ar_valid = first.ar;
        in.s0_ar_addr = first.ar_addr;
        in.s0_r_ready = random.permille(900);
        in.s0_aw_valid = first.aw;
        in.s0_aw_addr = first.aw_addr;
        in.s0_aw_pad = first.aw_addr >> 8 & 1; /* any, and it goes with the address */
        in.s0_w_valid = first.w;
        in.s1_ar_valid = second.ar;
        in.s1_ar_addr = second.ar_addr;
        in.s1_ar_len = static_cast<uint8_t>(second.ar_len);
        in.s1_r_ready = random.permille(900);
        in.s1_aw_valid = second.aw;
        in.s1_aw_addr = second.aw_addr;
        in.s1_aw_len = static_cast<uint8_t>(second.aw_len);
        in.s1_w_valid = second.w;
        in.s1_w_last = second.w && dma_w.front() == 1;
        r = r || (!reads.empty() && random.permille(mix.give));
        in.m_r_valid = r;
        in.m_r_last = r && reads.front().beats == 1;
        in.m_ar_ready = reads.size() < bursts && random.permille(mix.take);
        in.m_aw_ready = outstanding < bursts && random.permille(mix.take);
        in.m_w_ready = random.permille(mix.take);
        in.m_b_valid = !answers.empty() && random.permille(mix.give);
    }

    void drive(const ace_memory_arbiter_out &out, ace_memory_arbiter_in &in, Random &) {
        reading(out, in);
        /* beats go in the order of addresses, which were taken before */
        const bool w = out.m_w_valid && in.m_w_ready;
        wrong |= w != ((in.s0_w_valid && out.s0_w_ready) || (in.s1_w_valid && out.s1_w_ready));
        ahead += in.s1_w_valid && writes.empty();
        if (w) {
            wrong |= writes.empty() || writes.front().first != out.m_w_first;
            if (writes.empty()) return;
            wrong |= out.m_w_last != (writes.front().beats == 1);
            counts[out.m_w_first ? 2 : 3]++;
            if (out.m_w_first) {
                first.w = false;
                first_rows--;
            } else {
                second.w = false;
                if (--dma_w.front() == 0) dma_w.pop_front();
            }
            if (--writes.front().beats == 0) {
                answers.push_back(writes.front());
                writes.pop_front();
            }
        }
        if (in.m_b_valid) { /* never of a burst that ended in this very cycle */
            const bool of_first = answers.front().first;
            wrong |= out.s0_b_valid != of_first || out.s1_b_valid == of_first;
            counts[of_first ? 4 : 5]++;
            answers.pop_front();
            dma_writes -= !of_first;
            outstanding--;
        }
        const bool aw0 = in.s0_aw_valid && out.s0_aw_ready, aw1 = in.s1_aw_valid && out.s1_aw_ready;
        wrong |= (aw0 && aw1) || (aw0 || aw1) != (out.m_aw_valid && in.m_aw_ready);
        if (aw0 || aw1) {
            wrong |= out.m_aw_addr != (aw0 ? first.aw_addr : second.aw_addr) ||
                     out.m_aw_len != (aw0 ? 0 : second.aw_len) ||
                     out.m_aw_pad != (aw0 && (first.aw_addr >> 8 & 1));
            writes.push_back({ aw0, out.m_aw_len + 1u });
            outstanding++;
            first_rows += aw0;
            dma_writes += aw1;
            wrong |= dma_writes > dma_bursts;
            (aw0 ? first.aw : second.aw) = false;
        } else
            held_back += in.s1_aw_valid && in.m_aw_ready;
    }

    void reading(const ace_memory_arbiter_out &out, const ace_memory_arbiter_in &in) {
        const bool ar0 = in.s0_ar_valid && out.s0_ar_ready, ar1 = in.s1_ar_valid && out.s1_ar_ready;
        wrong |= (ar0 && ar1) || (ar0 || ar1) != (out.m_ar_valid && in.m_ar_ready);
        if (in.m_r_valid) {
            const bool of_first = reads.front().first;
            wrong |= out.s0_r_valid != of_first || out.s1_r_valid == of_first;
            if (out.m_r_ready) {
                wrong |= !(of_first ? in.s0_r_ready : in.s1_r_ready);
                counts[of_first ? 0 : 1]++;
                r = false;
                if (--reads.front().beats == 0) {
                    dma_reads -= !of_first;
                    reads.pop_front();
                }
            }
        }
        if (ar0 || ar1) {
            wrong |= out.m_ar_addr != (ar0 ? first.ar_addr : second.ar_addr) ||
                     out.m_ar_len != (ar0 ? 0 : second.ar_len);
            reads.push_back({ ar0, out.m_ar_len + 1u });
            dma_reads += ar1;
            wrong |= dma_reads > dma_bursts;
            (ar0 ? first.ar : second.ar) = false;
        }
    }
};

class MemoryArbiter : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(MemoryArbiter, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned dma = small ? ACE_RTL_SMALL_DMA_BURSTS : 16;
    const unsigned all = small ? ACE_RTL_SMALL_ALL_BURSTS : 144;
    Lockstep<memory_arbiter_unit> run(small, mix.first * 31 + mix.second);
    ASSERT_EQ(ace_memory_arbiter_create(dma, all, &run.twin), ACE_OK);
    ASSERT_EQ(ace_memory_arbiter_create(dma, all, &run.timing), ACE_OK);
    Environment e(mix, dma, all);
    run.go(e, 20000, mix.resets);
    EXPECT_FALSE(e.wrong) << "a beat or an answer went to the wrong side, or too early";
    for (unsigned i = 0; i < 6; i++)
        EXPECT_EQ(e.counts[i] > 20, (i % 2 ? mix.second : mix.first) > 0) << i;
    if (mix.second > 0) EXPECT_GT(e.ahead, 0u);
    if (mix.first > 0 && mix.second > 0) EXPECT_GT(e.held_back, 0u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, MemoryArbiter,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

} // namespace
