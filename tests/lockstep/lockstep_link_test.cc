/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_link.v against cmodel/nic/ace_link.c, cycle by cycle, across a link that changes bits, to
 * a neighbour that is a twin.
 *
 * Verilated: Vace_link (defaults), Vace_link_small (INPUT_ROWS=3 OUTPUT_ROWS=2 ROUTED_INPUT_ROWS=2
 * ROUTED_OUTPUT_ROWS=3), and Vace_link_odd (INPUT_ROWS=300 ROUTED_INPUT_ROWS=200).
 */
#include "lockstep.h"

#include <tuple>

namespace {

struct Mix {
    const char *name;
    unsigned faults, retry;                          /* of frames, per mille; cycles */
    uint32_t cost;                                   /* cycles per packet, Q16.8 */
    unsigned plain, routed, grants, pop, pop_routed; /* chances in a cycle, per mille */
    unsigned latency, resets;                        /* cycles; per ten thousand */
    bool epochs = false; /* the neighbour is reset later, at any time: the ends begin each a life */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "saturated", 0, 0, 256, 1000, 1000, 300, 1000, 1000, 9, 0 },
    { "shared", 0, 0, 393, 900, 200, 200, 900, 900, 9, 5 },
    { "few_credits", 0, 0, 328, 800, 500, 100, 60, 40, 5, 5 },
    { "sparse", 0, 0, 512, 15, 15, 10, 500, 500, 20, 10 },
    { "broken", 2, 0, 256, 500, 500, 300, 700, 700, 20, 20 },
    { "retry", 0, 200, 300, 900, 400, 300, 900, 900, 40, 5 },
    { "faults", 20, 150, 434, 700, 300, 300, 900, 900, 40, 5 },
    { "late_retry", 2, 0xfc21, 256, 900, 400, 300, 900, 900, 20, 0 }, /* the timer is for nothing */
    { "many_faults", 120, 90, 256, 500, 500, 300, 300, 300, 11, 10 },
    { "epochs", 0, 0, 300, 900, 400, 300, 900, 900, 20, 10, true },
    { "epochs_retry", 0, 150, 256, 700, 500, 300, 900, 900, 40, 10, true },
    { "epochs_faults", 20, 150, 434, 700, 300, 300, 900, 900, 40, 10, true },
};
/* Round trips of 255 and 455 cycles: the larger buffers of the set `odd` cover the first, and no
 * other's.  The last one fills these buffers. */
constexpr Mix far[] = {
    { "far", 0, 0, 256, 1000, 300, 100, 1000, 1000, 120, 0 },
    { "far_retry", 0, 400, 256, 1000, 300, 100, 1000, 1000, 120, 0 },
    { "farther", 0, 0, 256, 1000, 300, 100, 1000, 1000, 220, 3 },
    { "far_faults", 5, 600, 300, 900, 300, 200, 900, 900, 220, 3 },
    { "far_epochs", 3, 600, 300, 900, 300, 200, 900, 900, 120, 10, true },
    { "far_and_full", 0, 0, 256, 1000, 300, 100, 8, 8, 120, 0 },
};

/* A packet as its receiver has to see it: in order, in its channel. */
using Packet = std::tuple<uint8_t, bool, uint8_t, uint64_t>; /* context, reduce, mark, route */
using Grant = std::tuple<uint8_t, uint8_t, uint8_t>;         /* context, mark, peer */

/* A frame in flight, and the cycle in which it left.  */
struct Flying {
    uint64_t cycle = 0;
    ace_link_pins_out frame{};
    ace_row row{};
};

/* Returns the contribution of a row to a frame's CRC: the CRC of a frame with the row, less the CRC
 * of a frame with zeros.  */
uint32_t sum_of(const uint32_t *row) {
    ace_frame with{};
    const ace_frame without{};
    with.row = row;
    return row ? ace_frame_crc(&with) ^ ace_frame_crc(&without) : 0;
}

/* The node at one end: it sends, and takes arrivals.  */
struct End {
    Rows rows, routed_rows;
    unsigned reserved = 0, routed_reserved = 0;
    std::deque<Packet> plain, routed; /* sent, and not yet taken at the other end */
    std::deque<Grant> grants;
    std::array<uint32_t, 2> sums{}, routed_sums{}; /* of rows a cycle ago, and two */

    void grant(const Mix &mix, const ace_link_pins_out &o, ace_link_pins_in &in, Random &r) {
        in.s_grant_valid = !o.m_tight && r.permille(mix.grants);
        in.s_grant_context = r.bits<uint8_t>(8);
        in.s_grant_mark = r.bits<uint8_t>(8);
        in.s_grant_peer = r.bits<uint8_t>(8);
        if (in.s_grant_valid)
            grants.emplace_back(in.s_grant_context, in.s_grant_mark, in.s_grant_peer);
    }
    void send(const Mix &mix, const ace_link_pins_out &o, ace_link_pins_in &in, Random &r) {
        in.s_sum = sums[1];
        in.s_routed_sum = routed_sums[1];
        sums[1] = sums[0];
        routed_sums[1] = routed_sums[0];
        in.s_reserve = o.s_room && r.permille(mix.plain);
        reserved += in.s_reserve;
        in.s_valid = reserved && r.permille(900);
        in.s_context = r.bits<uint8_t>(8);
        in.s_reduce = r.bits<bool>(1);
        in.s_mark = r.bits<uint8_t>(8);
        in.s_peer = r.bits<uint8_t>(8);
        if (in.s_valid) {
            reserved--;
            in.s_data = rows.fresh(r);
            sums[0] = sum_of(in.s_data);
            plain.emplace_back(in.s_context, in.s_reduce, in.s_mark, 0);
        }
        in.s_routed_reserve = o.s_routed_room && r.permille(mix.routed);
        routed_reserved += in.s_routed_reserve;
        in.s_routed_valid = routed_reserved && r.permille(900);
        in.s_routed_note = r.bits<uint32_t>(17);
        in.s_routed_route = r.next();
        if (in.s_routed_valid) {
            routed_reserved--;
            in.s_routed_data = routed_rows.fresh(r);
            routed_sums[0] = sum_of(in.s_routed_data);
            routed.emplace_back(uint8_t(in.s_routed_note >> 8), in.s_routed_note >> 16,
                                uint8_t(in.s_routed_note), in.s_routed_route);
        }
    }
};

template <class T> void expect_next(std::deque<T> &of, const T &what) {
    ASSERT_FALSE(of.empty());
    EXPECT_TRUE(of.front() == what);
    of.pop_front();
}

struct Environment {
    const Mix &mix;
    const ace_parameters &parameters;
    ace_link_pins *peer = nullptr;
    uint64_t now = 0, plain = 0, routed = 0, grants = 0, failures = 0, blocked = 0;
    uint64_t resent = 0, bad = 0;
    End here, there;
    End before; /* what this end sent in its last life, as long as the neighbour stays in its own */
    bool alone = false;   /* it does: nothing of it may come */
    uint64_t follows = 0; /* when it is reset */
    uint16_t epoch = 1, peer_epoch = 2;
    uint64_t lives = 0;
    std::deque<Flying> out, in;
    ace_link_pins_out peer_out{};
    ace_row arrived{};   /* what is on the pins, and stays there */
    bool broken = false; /* with retry off: what follows a wrong frame is lost */

    Environment(const Mix &m, const ace_parameters &p) : mix(m), parameters(p) {
        EXPECT_EQ(ace_link_pins_create(&p, true, &peer), ACE_OK);
        if (m.epochs) peer->link.sync[0].epoch = peer_epoch;
    }
    ~Environment() { ace_link_pins_destroy(peer); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    void configure(ace_link_pins_in &to) const {
        to.cfg_cost = mix.cost;
        to.cfg_plain_cost = mix.cost % 3 ? mix.cost : mix.cost / 2; // in a format of the wire
        to.cfg_share = uint8_t(mix.cost % 5); /* as in a node, the same in all lives of an end */
        to.cfg_retry = uint16_t(mix.retry);
        to.cfg_epoch = mix.epochs ? epoch : uint16_t(0);
        to.cfg_silence = 60;
    }
    /* This end begins another life; the frames that are on their way go on. */
    void begin() {
        if (!alone) before = here;
        here = End{};
        epoch = uint16_t(5 * epoch + 2); /* odd, and another in each life */
        alone = true;
        /* an end that is not up would begin with this life, too */
        const bool up = ace_link_sync_life(&peer->link.sync[0]) == ACE_LINK_UP;
        follows = now + (up ? (now * 2654435761u >> 16) % 400 : 0);
    }
    void follow() {
        ace_link_pins_reset(peer);
        there = before = End{};
        peer_epoch = uint16_t(5 * peer_epoch + 1);
        alone = false;
        lives++;
    }
    void reset() {
        if (mix.epochs) {
            begin();
            return;
        }
        ace_link_pins_reset(peer);
        here = End{};
        there = End{};
        out.clear();
        in.clear();
        broken = false;
    }

    /* Changes a bit of a frame, as it arrives. */
    void disturb(ace_link_pins_in &i, ace_row &row, Random &r) {
        if (!r.permille(mix.faults)) return;
        broken = true;
        switch (r.below(i.rx_valid ? 7 : 4)) {
        case 0: i.rx_number = uint16_t(i.rx_number ^ 1u << r.below(16)); break;
        case 1: i.rx_crc ^= 1u << r.below(32); break;
        case 2: i.rx_credit = !i.rx_credit; break;
        case 3: i.rx_valid = !i.rx_valid; break;
        case 4: i.rx_route ^= uint64_t{ 1 } << r.below(64); break;
        case 5: i.rx_mark = uint8_t(i.rx_mark ^ 1u << r.below(8)); break;
        default: row[r.below(ACE_ROW_WORDS)] ^= 1u << r.below(32); break;
        }
    }
    /* Wires that carry nothing are 0, as a link sends them. */
    static void clean(ace_link_pins_in &i, ace_row &row) {
        if (!i.rx_valid) {
            i.rx_context = i.rx_mark = 0;
            i.rx_reduce = false;
            i.rx_route = 0;
            std::fill_n(row, ACE_ROW_WORDS, 0u);
        }
        if (!i.rx_grant_valid) i.rx_grant_context = i.rx_grant_mark = i.rx_grant_peer = 0;
    }
    void arrive(Flying &f, ace_row &row, ace_link_pins_in &to, Random &r) {
        to.rx_frame = true;
        const ace_link_pins_out &from = f.frame;
        to.rx_resend = from.tx_resend;
        to.rx_number = from.tx_number;
        to.rx_ack = from.tx_ack;
        to.rx_crc = from.tx_crc;
        to.rx_valid = from.tx_valid;
        to.rx_context = from.tx_context;
        to.rx_reduce = from.tx_reduce;
        to.rx_mark = from.tx_mark;
        to.rx_routed = from.tx_routed;
        to.rx_route = from.tx_route;
        to.rx_credit = from.tx_credit;
        to.rx_routed_credit = from.tx_routed_credit;
        to.rx_grant_valid = from.tx_grant_valid;
        to.rx_grant_context = from.tx_grant_context;
        to.rx_grant_mark = from.tx_grant_mark;
        to.rx_grant_peer = from.tx_grant_peer;
        std::copy_n(f.row, ACE_ROW_WORDS, row);
        clean(to, row);
        disturb(to, row, r);
        to.rx_data = row;
    }
    void leave(std::deque<Flying> &to, const ace_link_pins_out &o) const {
        if (!o.tx_frame) return;
        to.emplace_back();
        Flying &f = to.back();
        f.cycle = now + mix.latency;
        f.frame = o;
        if (o.tx_data) std::copy_n(o.tx_data, ACE_ROW_WORDS, f.row);
    }

    /* The row of a timing-only twin's frame decides whether it is good. */
    void keep_rows(const ace_link_pins_in &from, ace_link_pins_in &to) const {
        to.rx_data = from.rx_data;
    }

    /* An end takes the packets that arrived.  */
    void take(const ace_link_pins_out &o, ace_link_pins_in &i, End &from, Random &r) const {
        i.m_pop = o.m_head_valid && r.permille(mix.pop);
        if (i.m_pop)
            expect_next(from.plain, Packet{ o.m_head_context, o.m_head_reduce, o.m_head_mark, 0 });
        i.m_routed_pop = o.m_routed_valid && r.permille(mix.pop_routed);
        if (i.m_routed_pop)
            expect_next(from.routed, Packet{ uint8_t(o.m_routed_note >> 8), o.m_routed_note >> 16,
                                             uint8_t(o.m_routed_note), o.m_routed_route });
        if (o.m_grant_valid)
            expect_next(from.grants, Grant{ o.m_grant_context, o.m_grant_mark, o.m_grant_peer });
    }

    void drive(const ace_link_pins_out &o, ace_link_pins_in &i, Random &r) {
        const ace_link_pins_in clear{};
        i = clear;
        configure(i);
        i.s_close = o.failed || (mix.epochs && mix.faults && r.below(5000) == 0);
        here.grant(mix, o, i, r);
        if (!in.empty() && in.front().cycle <= now) {
            arrive(in.front(), arrived, i, r);
            in.pop_front();
        }
        failures += o.failed;
        resent += o.count_resent;
        bad += o.count_bad;
        blocked = std::max<uint64_t>(blocked, o.count[2]);
        End nobody;
        take(o, i, alone ? nobody : there, r);
        here.send(mix, o, i, r);
        plain += i.m_pop;
        routed += i.m_routed_pop;
        grants += o.m_grant_valid;
        leave(out, o);

        ace_link_pins_in p{};
        ace_row row;
        if (alone && now >= follows) follow();
        configure(p);
        if (mix.epochs) p.cfg_epoch = peer_epoch;
        ace_link_pins_eval(peer, &peer_out);
        p.s_close = peer_out.failed;
        there.grant(mix, peer_out, p, r);
        const bool frame = !out.empty() && out.front().cycle <= now;
        if (frame) arrive(out.front(), row, p, r);
        take(peer_out, p, alone ? before : here, r);
        there.send(mix, peer_out, p, r);
        leave(in, peer_out);
        ace_link_pins_tick(peer, &p);
        if (frame) out.pop_front();
        now++;
    }
};

class Link : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Link, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    ace_parameters p = ACE_PARAMETERS_DEFAULT;
    if (set == 1) {
        p.link_input_rows = ACE_RTL_SMALL_INPUT_ROWS;
        p.link_output_rows = ACE_RTL_SMALL_OUTPUT_ROWS;
        p.router_input_rows = ACE_RTL_SMALL_ROUTED_INPUT_ROWS;
        p.router_output_rows = ACE_RTL_SMALL_ROUTED_OUTPUT_ROWS;
    }
    if (set == 2) {
        p.link_input_rows = ACE_RTL_ODD_INPUT_ROWS;
        p.router_input_rows = ACE_RTL_ODD_ROUTED_INPUT_ROWS;
    }
    Lockstep<link_unit> run(set, mix.faults * 1000 + mix.retry + mix.cost);
    ASSERT_EQ(ace_link_pins_create(&p, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_link_pins_create(&p, false, &run.timing), ACE_OK);
    Environment e(mix, p);
    if (mix.epochs) run.twin->link.sync[0].epoch = run.timing->link.sync[0].epoch = e.epoch;
    const std::string name = mix.name;
    run.go(e, name == "saturated" && !set ? 70000 : 15000, mix.resets); /* numbers have 16 bits */
    EXPECT_GT(e.plain, 50u);
    EXPECT_GT(e.routed, 50u);
    EXPECT_GT(e.grants, 50u);
    if (mix.faults && mix.retry) EXPECT_GT(std::min(e.resent, e.bad), 0u);
    if (!mix.faults) EXPECT_EQ(e.resent + e.bad + e.failures, 0u);
    if (mix.epochs) EXPECT_GT(e.lives, 5u);
    if (name == "broken") EXPECT_GT(e.failures, 0u);
    if (name == "few_credits") EXPECT_GT(e.blocked, 100u);
    if (name == "sparse") EXPECT_GT(run.skipped, 500u);
    if (name == "far") EXPECT_EQ(e.blocked > 0, set == 0) << e.blocked;
    /* a packet a cycle comes, also while frames are kept until they are acknowledged */
    if (set == 2 && (name == "far" || name == "far_retry")) EXPECT_GT(e.plain + e.routed, 14000u);
    if (name == "farther") EXPECT_GT(e.blocked, 100u);
}

std::string name_of(const testing::TestParamInfo<std::tuple<unsigned, Mix>> &info) {
    static const char *const sets[] = { "", "_small", "_odd" };
    return std::string(std::get<1>(info.param).name) + sets[std::get<0>(info.param)];
}

INSTANTIATE_TEST_SUITE_P(Mixes, Link,
                         testing::Combine(testing::Values(0u, 1u), testing::ValuesIn(mixes)),
                         name_of);
INSTANTIATE_TEST_SUITE_P(Far, Link,
                         testing::Combine(testing::Values(0u, 2u), testing::ValuesIn(far)),
                         name_of);

} // namespace
