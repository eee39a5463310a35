/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_link_sync.v against cmodel/nic/ace_link_sync.c, cycle by cycle, across a link that loses
 * frames, to a neighbour that is a twin.  Either end is reset at any time, alone, with frames on
 * their way.
 *
 * Verilated: Vace_link_sync.
 */
#include "lockstep.h"

#include "ace_flit.h"

#include <memory>

namespace {

struct Mix {
    const char *name;
    unsigned faults, frames;         /* of frames that arrive, in a cycle; per mille */
    unsigned latency, resets, peers; /* cycles; per ten thousand, here and there */
    bool off;                        /* without epochs */
    uint8_t silence;                 /* intervals */
    unsigned closes;                 /* per ten thousand, here and there */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "once", 0, 300, 90, 0, 0, false, 0, 0 },    { "both", 0, 500, 90, 5, 5, false, 0, 0 },
    { "often", 0, 700, 90, 30, 30, false, 0, 0 }, { "lossy", 300, 300, 40, 10, 10, false, 0, 0 },
    { "lost", 800, 300, 5, 3, 3, false, 0, 0 },   { "near", 50, 900, 1, 30, 30, false, 0, 5 },
    { "here", 20, 500, 120, 20, 0, false, 0, 0 }, { "off", 100, 500, 9, 10, 0, true, 3, 20 },
    { "quiet", 0, 0, 90, 0, 0, false, 6, 0 },     { "silent", 900, 2, 20, 5, 5, false, 4, 0 },
    { "closed", 0, 800, 90, 3, 3, false, 6, 10 }, { "deaf", 300, 500, 7, 3, 3, false, 255, 10 },
};

/* The contents of the link: the pins, and for each guard's frame its sender's and receiver's
 * lives.  */
struct Flying {
    uint64_t cycle = 0;
    bool sync = false, ask = false;
    uint16_t number = 0, ack = 0;
    unsigned from = 0, to = 0;
};

/* Lives are counted, and their epochs are these numbers, without 0.  Two lives in a row have epochs
 * that differ in one bit alone, another bit each time. */
uint16_t epoch_of(unsigned life) {
    const unsigned epoch = 1 + life / 2 * 40503u % 65535, near = epoch ^ 1u << life / 2 % 16;
    return static_cast<uint16_t>(life & 1 && near ? near : epoch);
}

struct End {
    unsigned life = 1, with = 0; /* the neighbour's when both were up last */
    bool up = false;
    uint64_t ups = 0, ends = 0, came = 0, waited = 0, longest = 0, losses = 0;
    uint64_t closed = 0; /* the first cycle in which this life was ended, or 0 */
};

struct Environment {
    const Mix &mix;
    ace_link_sync *peer = nullptr;
    uint64_t now = 0, idle = 0, strays = 0, pairs = 0, tellings = 0, latest = 0;
    End here, there;
    std::deque<Flying> out, in;
    bool taken = false;

    explicit Environment(const Mix &m) : mix(m) {
        EXPECT_EQ(ace_link_sync_create(&peer), ACE_OK);
        there.life = 30000;
        peer->epoch = epoch(there);
    }
    ~Environment() { ace_link_sync_destroy(peer); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    uint16_t epoch(const End &e) const { return mix.off ? uint16_t(0) : epoch_of(e.life); }
    void configure(ace_link_sync_in &in_) const {
        in_.cfg_epoch = epoch(here);
        in_.cfg_silence = mix.silence;
    }
    void begin(End &e) {
        e.life++;
        e.up = false;
        e.waited = e.closed = 0;
    }
    void reset() { begin(here); }

    template <class In> static void arrive(In &i, const Flying &f, bool good, Random &r) {
        i.rx_frame = true;
        i.rx_good = good;
        i.rx_sync = good ? f.sync : r.bits<bool>(1);
        i.rx_ask = good ? f.ask : r.bits<bool>(1);
        i.rx_number = good ? f.number : r.bits<uint16_t>(16);
        i.rx_ack = good ? f.ack : r.bits<uint16_t>(16);
    }
    void ask(ace_link_sync_in &i, Random &r) {
        /* the guard has frames of an end that is up, others would be a fault that has to be kept in
         */
        i.s_frame = r.permille(mix.frames) && (here.up || mix.off || r.permille(100));
        i.s_packet = r.permille(500);
        i.s_close = r.below(10000) < mix.closes;
        i.rx_frame = i.rx_good = i.rx_sync = i.rx_ask = false;
        if (taken) in.pop_front();
        taken = !in.empty() && in.front().cycle <= now;
        if (taken) arrive(i, in.front(), !r.permille(mix.faults), r);
    }

    /* The guard is given a frame: it must be of these two lives. */
    void take(End &e, const End &neighbour, const Flying &f, bool good) {
        if (!good) return;
        EXPECT_FALSE(f.sync) << "a SYNC frame came to the guard, cycle " << now;
        if (mix.off) return;
        EXPECT_EQ(f.to, e.life) << "a frame to another life, cycle " << now;
        EXPECT_EQ(f.from, e.with) << "a frame of another life, cycle " << now;
        e.came++;
        strays += f.from != neighbour.life;
    }
    void send(std::deque<Flying> &to, const ace_link_sync_out &o, const End &e) const {
        if (!o.m_frame) return;
        to.push_back({ now + mix.latency, o.m_sync, o.m_ask, o.m_number, o.m_ack, e.life, e.with });
    }
    /* Measures how long an end that was up with an ended one stays up. */
    void tells(End &ended, End &other, bool ends) {
        if (ends && !ended.closed) ended.closed = now;
        if (!ended.closed || !other.up || other.with != ended.life) return;
        latest = std::max(latest, now - ended.closed);
        tellings++;
    }
    /* Checks the consequences of an end's new state.  */
    void look(End &e, const ace_link_sync_out &o, unsigned first) {
        const bool up = o.m_up && !mix.off;
        if (up && !e.up) {
            e.ups++;
            e.with = first;
            while (epoch_of(e.with) != o.m_ack) e.with--; /* one of the neighbour's lives */
            e.longest = std::max(e.longest, e.waited);
        }
        e.ends += e.up && !up;
        e.up = up;
        e.waited = up || o.m_state == ACE_LINK_ENDED ? 0 : e.waited + 1;
    }

    void drive(const ace_link_sync_out &o, ace_link_sync_in &i, Random &r) {
        ace_link_sync_in p{};
        ace_link_sync_out q{};
        /* a peer that has ended begins another life, too, or does so by itself */
        const bool told = ace_link_sync_life(peer) == ACE_LINK_ENDED && r.permille(5);
        if (told || r.below(10000) < mix.peers) {
            ace_link_sync_reset(peer);
            begin(there);
        }
        p.cfg_epoch = epoch(there);
        p.cfg_silence = mix.silence;
        p.s_frame = there.up && r.permille(mix.frames);
        p.s_packet = r.permille(500);
        p.s_close = r.below(10000) < mix.closes;
        const bool comes = !out.empty() && out.front().cycle <= now;
        if (comes) arrive(p, out.front(), !r.permille(mix.faults), r);
        ace_link_sync_eval(peer, &p, &q);
        /* as in a node: a link that fails closes all */
        i.s_close |= o.m_lost;
        p.s_close |= q.m_lost;
        here.losses += o.m_lost;
        there.losses += q.m_lost;
        tells(here, there, o.m_state == ACE_LINK_ENDED);
        tells(there, here, q.m_state == ACE_LINK_ENDED);
        look(here, o, there.life);
        look(there, q, here.life);
        pairs += here.up && there.up;
        if (here.up && there.up) EXPECT_TRUE(here.with == there.life && there.with == here.life);
        if (o.m_rx_frame) take(here, there, in.front(), i.rx_good);
        if (q.m_rx_frame) take(there, here, out.front(), p.rx_good);
        send(out, o, here);
        send(in, q, there);
        ace_link_sync_tick(peer, &p);
        if (comes) out.pop_front();
        idle += o.idle;
        now++;
    }
};

class LinkSync : public testing::TestWithParam<Mix> {};

TEST_P(LinkSync, EqualsTwin) {
    const Mix &mix = GetParam();
    Lockstep<link_sync_unit> run(0, mix.faults * 1000 + mix.latency);
    ASSERT_EQ(ace_link_sync_create(&run.twin), ACE_OK);
    ASSERT_EQ(ace_link_sync_create(&run.timing), ACE_OK);
    Environment e(mix);
    run.twin->epoch = run.timing->epoch = e.epoch(e.here); /* in the first reset */
    run.go(e, 150000, mix.resets);
    const std::string name = mix.name;
    const uint64_t loop = 2 * mix.latency + 2;
    if (mix.off) {
        EXPECT_EQ(e.here.ups + e.here.ends + e.here.came, 0u);
        return;
    }
    if (mix.frames > 2) {
        EXPECT_GT(e.here.came, 50u);
        EXPECT_GT(e.there.came, 50u);
    }
    EXPECT_GT(e.pairs, 500u);
    if (name == "quiet") { /* SYNC frames alone keep it */
        EXPECT_EQ(e.here.ups + e.there.ups, 2u);
        EXPECT_EQ(e.here.losses + e.there.losses, 0u);
        EXPECT_EQ(e.here.ends + e.there.ends, 0u);
        return;
    }
    if (name == "silent") EXPECT_GT(e.here.losses + e.there.losses, 10u);
    if (name == "closed") { /* until the guard has no packet, and over the link */
        EXPECT_GT(e.tellings, 100u);
        EXPECT_LE(e.latest, mix.latency + 25);
    }
    if (name == "once") {
        EXPECT_EQ(e.here.ups + e.there.ups, 2u);
        EXPECT_LE(std::max(e.here.longest, e.there.longest), loop);
        EXPECT_GT(run.skipped, 500u);
    } else {
        EXPECT_GT(e.here.ups, 10u);
        EXPECT_GT(e.here.ends + e.there.ends, 10u);
    }
    /* frames of a life that had ended when they came, to an end that did not know it yet */
    if (name == "often") EXPECT_GT(e.strays, 100u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, LinkSync, testing::ValuesIn(mixes),
                         [](const auto &info) { return std::string(info.param.name); });

} // namespace
