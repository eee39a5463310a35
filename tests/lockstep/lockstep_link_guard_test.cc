/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_link_guard.v against cmodel/nic/ace_link_guard.c, cycle by cycle, across a link that
 * changes bits, to a neighbour that is a twin.
 *
 * Verilated: Vace_link_guard (defaults) and Vace_link_guard_small (FRAMES=16 ROWS=4 SPARE=6).
 */
#include "lockstep.h"

#include "ace_flit.h"

#include <memory>

namespace {

struct Mix {
    const char *name;
    unsigned faults, retry;          /* of frames, per mille; cycles */
    uint32_t cost;                   /* cycles per packet, Q16.8 */
    unsigned packets, others;        /* chances in a cycle, per mille */
    unsigned latency, resets, heavy; /* cycles; per ten thousand; percent of faults in heads */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "clean", 0, 200, 300, 900, 400, 90, 0, 50 },
    { "some", 5, 200, 434, 700, 300, 90, 2, 50 },
    { "many", 80, 60, 256, 500, 500, 11, 5, 90 },
    { "slow_link", 20, 120, 20 << 8, 200, 100, 40, 5, 50 },
    { "sparse", 50, 90, 512, 10, 20, 30, 5, 80 },
    { "all", 1000, 40, 256, 500, 500, 5, 0, 50 },
    { "off", 1, 0, 256, 500, 500, 20, 30, 50 },
    { "off_clean", 0, 0, 256, 800, 500, 20, 10, 50 },
};

/* A frame in flight.  */
struct Flying {
    uint64_t cycle = 0;
    ace_frame frame{};
};

/* The data that follows a packet by a cycle: its row's sum, and the row's first word.  */
struct Sum {
    uint32_t sum = 0, first = 0;
};

struct Environment {
    const Mix &mix;
    unsigned spare;
    ace_link_guard *peer = nullptr;
    uint64_t now = 0, given = 0, accepted = 0, told = 0, heard = 0, tight = 0, failures = 0;
    uint64_t resent = 0, bad = 0, dropped = 0;
    unsigned over = 0; /* frames given while tight */
    bool hold = false, peer_hold = false;
    Rows rows, peer_rows;
    std::deque<Flying> out, in;
    std::deque<uint64_t> expected, peer_expected; /* heads given, not yet accepted */
    uint8_t next_mark = 0;
    std::array<Sum, 1 << 16> sums{};                    /* of packets given, by number */
    uint16_t next = 0, taken_here = 0, taken_there = 0; /* frames given; accepted at either end */
    bool gave = false, sent = false; /* a packet, in the last cycle: its number */
    uint16_t gave_number = 0, sent_number = 0;
    mutable unsigned configured =
        0; /* calls since the last cycle: more than both ends' after idle ones */
    uint64_t sums_seen = 0, denied = 0;
    uint16_t retry, epoch = 0; /* another one after each reset, none shorter than the mix's */

    Environment(const Mix &m, unsigned frames, unsigned kept, unsigned s)
        : mix(m), spare(s), retry(uint16_t(m.retry)) {
        EXPECT_EQ(ace_link_guard_create(frames, kept, s, true, &peer), ACE_OK);
        configure_peer();
    }
    ~Environment() { ace_link_guard_destroy(peer); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    void configure_peer() {
        peer->retry = retry;
        peer->cost = mix.cost;
    }
    void configure(ace_link_guard_in &in_) const {
        in_.cfg_retry = retry;
        in_.cfg_cost = mix.cost;
        configured++;
    }
    void reset() {
        next = taken_here = taken_there = 0;
        gave = sent = false;
        ace_link_guard_reset(peer);
        if (mix.retry) retry = uint16_t(std::max<unsigned>(mix.retry, ++epoch * 40503 & 0xffff));
        configure_peer();
        out.clear();
        in.clear();
        expected.clear();
        peer_expected.clear();
        hold = peer_hold = taken = false;
        over = 0;
    }

    uint64_t draw(Random &r, bool packet) {
        uint64_t head = packet | uint64_t{ r.permille(500) } << ACE_FRAME_REDUCE |
                        uint64_t{ r.permille(300) } << ACE_FRAME_ROUTED;
        if (r.permille(mix.others)) head |= uint64_t{ 1 } << ACE_FRAME_CREDIT;
        if (r.permille(mix.others / 4)) head |= uint64_t{ 1 } << ACE_FRAME_GRANT;
        if (r.permille(mix.others / 2)) head |= uint64_t{ 1 } << ACE_FRAME_ROUTED_CREDIT;
        return head | r.bits<uint64_t>(32) << 16 | uint64_t{ next_mark++ } << 8;
    }

    /* A frame as it arrives: a wire may have changed, and then its CRC is wrong; or its row has no
     * place. */
    void arrive(ace_link_guard_in &i, const ace_frame &f, uint16_t its, Random &r) {
        i.rx_frame = true;
        i.rx_head = f.head;
        i.rx_number = f.number;
        i.rx_ack = f.ack;
        i.rx_good = !r.permille(mix.faults);
        if (!i.rx_good) {
            const unsigned bit = r.below(r.below(100) < mix.heavy ? ACE_BIT_ROW : ACE_BITS);
            if (bit < ACE_BIT_NUMBER)
                i.rx_head ^= uint64_t{ 1 } << bit;
            else if (bit < ACE_BIT_ACK)
                i.rx_number = uint16_t(i.rx_number ^ 1u << (bit - ACE_BIT_NUMBER));
            else if (bit < ACE_BIT_CRC)
                i.rx_ack = uint16_t(i.rx_ack ^ 1u << (bit - ACE_BIT_ACK));
        }
        const bool deny = mix.faults && mix.retry && r.permille(10);
        i.rx_took = (i.rx_head & ACE_FRAME_NUMBERED) && i.rx_number == its && !deny;
        denied += deny;
    }

    void ask(ace_link_guard_in &i, Random &r) {
        i.s_head = draw(r, !hold && r.permille(mix.packets));
        if (over >= spare - 2) i.s_head = 0;
        i.s_route = r.next();
        i.s_data = rows.fresh(r);
        i.s_sum = r.bits<uint32_t>(32);
        if (configured > 2) gave = sent = false;
        configured = 0;
        if (gave) sums[gave_number] = { i.s_sum, i.s_data[0] };
        i.rx_frame = i.rx_took = i.rx_good = false;
        if (taken) in.pop_front();
        taken = false;
        if (in.empty() || in.front().cycle > now) return;
        arrive(i, in.front().frame, taken_here, r);
    }

    void expect_next(std::deque<uint64_t> &of, uint64_t head) {
        ASSERT_FALSE(of.empty());
        ASSERT_EQ(of.front(), ace_frame_clean(head) & ~(uint64_t{ 1 } << ACE_FRAME_RESEND));
        of.pop_front();
    }
    void send(std::deque<Flying> &to, const ace_link_guard_out &o) const {
        if (!o.tx_frame) return;
        to.emplace_back();
        to.back().cycle = now + mix.latency;
        to.back().frame = { .head = o.tx_head,
                            .route = o.tx_route,
                            .number = o.tx_number,
                            .ack = o.tx_ack,
                            .valid = true,
                            .took = false,
                            .row = nullptr };
    }

    void drive(const ace_link_guard_out &o, ace_link_guard_in &i, Random &r) {
        /* this side: a packet's row and sum come a cycle later, however often the packet is sent */
        if (sent) {
            EXPECT_EQ(o.tx_sum, sums[sent_number].sum);
            if (o.tx_data) EXPECT_EQ(o.tx_data[0], sums[sent_number].first);
            sums_seen++;
        }
        gave = i.s_head & 1;
        gave_number = next;
        sent = o.tx_frame && (o.tx_head & 1);
        sent_number = o.tx_number;
        if (i.s_head & ACE_FRAME_NUMBERED) {
            given++;
            next++;
            expected.push_back(ace_frame_clean(i.s_head));
        }
        tight += o.m_tight;
        over = o.m_tight ? over + ((i.s_head & ACE_FRAME_NUMBERED) != 0) : 0;
        hold = o.m_hold;
        failures += o.failed;
        resent += o.count_resent;
        bad += o.count_bad;
        dropped += o.count_dropped;
        if (o.m_accept) {
            heard++;
            taken_here++;
            expect_next(peer_expected, i.rx_head);
        }
        send(out, o);

        /* the other side */
        ace_link_guard_in p{};
        ace_link_guard_out q{};
        configure(p);
        p.s_head = ace_link_guard_tight(peer) ? 0 : draw(r, !peer_hold && r.permille(mix.packets));
        p.s_route = r.next();
        p.s_data = peer_rows.fresh(r);
        if (!out.empty() && out.front().cycle <= now) arrive(p, out.front().frame, taken_there, r);
        ace_link_guard_eval(peer, &p, &q);
        if (p.s_head & ACE_FRAME_NUMBERED) {
            told++;
            peer_expected.push_back(ace_frame_clean(p.s_head));
        }
        peer_hold = q.m_hold;
        if (q.m_accept) {
            accepted++;
            taken_there++;
            expect_next(expected, p.rx_head);
        }
        send(in, q);
        ace_link_guard_tick(peer, &p);
        if (p.rx_frame) out.pop_front();
        taken = i.rx_frame;
        now++;
    }
    bool taken = false; /* the frame in front was of the last cycle */
};

class LinkGuard : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(LinkGuard, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned frames = small ? ACE_RTL_SMALL_FRAMES : 1024;
    const unsigned kept = small ? ACE_RTL_SMALL_KEPT_ROWS : 128;
    const unsigned spare = small ? ACE_RTL_SMALL_SPARE : 260;
    Lockstep<link_guard_unit> run(small, mix.faults * 1000 + mix.retry);
    ASSERT_EQ(ace_link_guard_create(frames, kept, spare, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_link_guard_create(frames, kept, spare, false, &run.timing), ACE_OK);
    Environment e(mix, frames, kept, spare);
    const std::string name = mix.name;
    run.go(e, name == "clean" ? 70000 : 20000, mix.resets); /* frames have numbers of 16 bits */
    if (name == "all") {
        EXPECT_GT(e.failures, 100u);
        EXPECT_EQ(e.accepted + e.heard, 0u);
    } else {
        EXPECT_GT(e.accepted, 100u);
        EXPECT_GT(e.heard, 100u);
    }
    if (mix.faults && mix.retry) {
        EXPECT_GT(e.resent, 0u);
        EXPECT_GT(e.bad, 0u);
        EXPECT_GT(e.dropped + (name == "all"), 0u);
    } else if (!mix.faults) {
        EXPECT_EQ(e.resent + e.bad + e.dropped + e.failures, 0u);
    }
    EXPECT_GT(e.sums_seen, name == "all" ? 0u : 100u);
    if (name == "many") EXPECT_GT(e.denied, 10u);
    if (name == "off") EXPECT_GT(e.failures, 0u);
    if (name == "sparse") EXPECT_GT(run.skipped, 100u);
    if (small && name == "clean") EXPECT_GT(e.tight, 100u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, LinkGuard,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

} // namespace
