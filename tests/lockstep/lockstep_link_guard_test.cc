/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_link_guard.v against cmodel/nic/ace_link_guard.c, cycle by cycle, across a link that changes
 * bits, to a neighbour that is a twin.
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

/* A frame on its way, with a row of its own and the CRC it was sent with. */
struct Flying {
    uint64_t cycle = 0;
    ace_frame frame{};
    uint32_t crc = 0;
    ace_row row{};
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
    }
    void reset() {
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

    /* Changes a wire of a frame as it arrives, whether it carries something or not. */
    void disturb(ace_link_guard_in &i, ace_row &row, Random &r) const {
        if (!r.permille(mix.faults)) return;
        const unsigned bit = r.below(r.below(100) < mix.heavy ? ACE_BIT_ROW : ACE_BITS);
        if (bit >= ACE_BIT_ROW)
            row[(bit - ACE_BIT_ROW) / 32] ^= 1u << bit % 32;
        else if (bit >= ACE_BIT_ROUTE)
            i.rx_route ^= uint64_t{ 1 } << (bit - ACE_BIT_ROUTE);
        else if (bit >= ACE_BIT_CRC)
            i.rx_crc ^= 1u << (bit - ACE_BIT_CRC);
        else if (bit >= ACE_BIT_ACK)
            i.rx_ack = uint16_t(i.rx_ack ^ 1u << (bit - ACE_BIT_ACK));
        else if (bit >= ACE_BIT_NUMBER)
            i.rx_number = uint16_t(i.rx_number ^ 1u << (bit - ACE_BIT_NUMBER));
        else
            i.rx_head ^= uint64_t{ 1 } << bit;
    }

    void ask(ace_link_guard_in &i, Random &r) {
        i.s_head = draw(r, !hold && r.permille(mix.packets));
        if (over >= spare - 2) i.s_head = 0;
        i.s_route = r.next();
        i.s_data = rows.fresh(r);
        i.rx_frame = false;
        if (taken) in.pop_front();
        taken = false;
        if (in.empty() || in.front().cycle > now) return;
        Flying &f = in.front();
        i.rx_frame = true;
        i.rx_head = f.frame.head;
        i.rx_route = f.frame.route;
        i.rx_number = f.frame.number;
        i.rx_ack = f.frame.ack;
        i.rx_crc = f.crc;
        std::copy_n(f.row, ACE_ROW_WORDS, arrived);
        disturb(i, arrived, r);
        i.rx_data = arrived;
    }
    /* The row of a timing-only twin's frame decides whether it is good. */
    void keep_rows(const ace_link_guard_in &from, ace_link_guard_in &to) const {
        to.rx_data = from.rx_data;
    }

    void expect_next(std::deque<uint64_t> &of, uint64_t head) {
        ASSERT_FALSE(of.empty());
        ASSERT_EQ(of.front(), ace_frame_clean(head) & ~(uint64_t{ 1 } << ACE_FRAME_RESEND));
        of.pop_front();
    }
    void send(std::deque<Flying> &to, const ace_frame &f, uint32_t crc) const {
        to.emplace_back();
        Flying &t = to.back();
        t.cycle = now + mix.latency;
        t.frame = f;
        t.crc = crc;
        if (f.row) std::copy_n(f.row, ACE_ROW_WORDS, t.row);
    }

    void drive(const ace_link_guard_out &o, ace_link_guard_in &i, Random &r) {
        /* this side */
        if (i.s_head & ACE_FRAME_NUMBERED) {
            given++;
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
            expect_next(peer_expected, i.rx_head);
        }
        if (o.tx_frame)
            send(out,
                 { .head = o.tx_head,
                   .route = o.tx_route,
                   .number = o.tx_number,
                   .ack = o.tx_ack,
                   .valid = true,
                   .row = o.tx_head & 1 ? o.tx_data : nullptr },
                 o.tx_crc);

        /* the other side */
        ace_link_guard_in p{};
        ace_link_guard_out q{};
        configure(p);
        p.s_head = ace_link_guard_tight(peer) ? 0 : draw(r, !peer_hold && r.permille(mix.packets));
        p.s_route = r.next();
        p.s_data = peer_rows.fresh(r);
        if (!out.empty() && out.front().cycle <= now) {
            Flying &f = out.front();
            p.rx_frame = true;
            p.rx_head = f.frame.head;
            p.rx_route = f.frame.route;
            p.rx_number = f.frame.number;
            p.rx_ack = f.frame.ack;
            p.rx_crc = f.crc;
            disturb(p, f.row, r);
            p.rx_data = f.row;
        }
        ace_link_guard_eval(peer, &p, &q);
        if (p.s_head & ACE_FRAME_NUMBERED) {
            told++;
            peer_expected.push_back(ace_frame_clean(p.s_head));
        }
        peer_hold = q.m_hold;
        if (q.m_accept) {
            accepted++;
            expect_next(expected, p.rx_head);
        }
        if (q.tx_frame)
            send(in,
                 { .head = q.tx_head,
                   .route = q.tx_route,
                   .number = q.tx_number,
                   .ack = q.tx_ack,
                   .valid = true,
                   .row = q.tx_head & 1 ? q.tx_data : nullptr },
                 q.tx_crc);
        ace_link_guard_tick(peer, &p);
        if (p.rx_frame) out.pop_front();
        taken = i.rx_frame;
        now++;
    }
    bool taken = false; /* the frame in front was of the last cycle */
    ace_row arrived{};  /* what is on the pins, and stays there */
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
