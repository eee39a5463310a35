// SPDX-License-Identifier: Apache-2.0
/*
 * What a hub says of its state, for periods that are left out: hubs of one state say the same,
 * hubs that would go on differently say different things, and a hub whose time was moved goes on
 * as before.
 *
 * The calls by which it says so (ace_recurrence.h) are here lists of bytes.
 *
 * A row for the reducer that does not fit its code is told with the switch, and nobody gets a sum
 * of it.
 *
 * And what a hub's state must hold together is looked at when it is loaded: any state it is in can
 * be loaded, and the same with one member as it never is is refused by its name.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "ace_wire.h"
#include "hub_inside.h"
}
#include "state_stream.h"

namespace {

std::vector<uint8_t> said;
uint64_t looked;              /* cycle of the look */
constexpr uint8_t BASE = 200; /* of marks */

} // namespace

extern "C" {
void ace_recurrence_put(ace_recurrence *, const void *bytes, size_t count) {
    const auto *from = static_cast<const uint8_t *>(bytes);
    said.insert(said.end(), from, from + count);
}
uint8_t ace_recurrence_mark(const ace_recurrence *, uint8_t mark) {
    return static_cast<uint8_t>(mark - BASE);
}
uint8_t ace_recurrence_grant_mark(const ace_recurrence *r, uint8_t context, uint8_t mark) {
    return context == ACE_NUMBER_CONTEXT ? mark : ace_recurrence_mark(r, mark);
}
bool ace_recurrence_put_wire(ace_recurrence *, ace_wire *w) {
    const ace_flit *f;
    const uint32_t *row;
    for (uint64_t i = 0; (f = ace_wire_peek(w, i, &row)); i++)
        for (const uint64_t v :
             { f->cycle - looked, uint64_t{ f->data }, uint64_t{ f->context }, uint64_t{ f->mark },
               f->route, uint64_t{ f->grant }, uint64_t{ f->grant_context },
               uint64_t{ f->grant_peer }, uint64_t{ f->credit } })
            ace_recurrence_put(nullptr, &v, sizeof v);
    said.push_back(0);
    return true;
}
}

namespace {

constexpr unsigned MEMBERS = 4, LATENCY = 5, CREDITS = 3;
enum Kind { SWITCH, DIRECT, FINITE }; /* FINITE: a switch with seven places before each link */

/* A hub of four members, with the ends of its wires. */
struct Bench {
    hub *h;
    unsigned step; /* ports of a member: where there are two, packets leave by the first */
    std::vector<ace_wire *> to_hub, from_hub;

    explicit Bench(Kind kind, unsigned rows = 7, uint32_t pass_cost = 0, bool reduces = false) {
        const bool direct = kind == DIRECT;
        hub_setup setup = {};
        if (kind == FINITE) {
            setup.buffer_rows = rows;
            setup.pass_cost = pass_cost;
        }
        setup.members = setup.simulated = MEMBERS;
        setup.direct = direct;
        setup.reduces = reduces;
        setup.cost = (direct ? 6 : 9) << 8; /* nine cycles a packet, of each link */
        setup.input_rows = setup.router_rows = CREDITS;
        h = hub_create(&setup);
        step = direct ? 2 : 1;
        for (unsigned i = 0; i < step * MEMBERS; i++) {
            to_hub.push_back(ace_wire_create(LATENCY, 1000, false));
            from_hub.push_back(ace_wire_create(LATENCY, 1000, false));
            hub_connect(h, i, i / step, i / step, to_hub[i], from_hub[i]);
        }
    }
    Bench(const Bench &) = delete;
    Bench &operator=(const Bench &) = delete;
    ~Bench() {
        hub_destroy(h);
        for (ace_wire *w : to_hub) ace_wire_destroy(w);
        for (ace_wire *w : from_hub) ace_wire_destroy(w);
    }
    void send(uint64_t cycle, unsigned from, ace_flit f) {
        f.frame = true;
        ace_wire_send(to_hub[step * from], cycle, &f, nullptr);
    }
    /* Runs to cycle `now`; what has come out of it by then was taken. */
    void run(uint64_t now) {
        hub_run(h, now);
        for (uint64_t c = 0; c < now; c++)
            for (ace_wire *w : from_hub) ace_wire_receive(w, c, nullptr);
    }
    /* As the nodes say it, with what is on the way to them. */
    std::vector<uint8_t> says(uint64_t now) {
        said.clear();
        looked = now;
        EXPECT_TRUE(hub_put(h, nullptr));
        for (ace_wire *w : from_hub) ace_recurrence_put_wire(nullptr, w);
        return said;
    }
    /* Runs until the hub is idle. Returns what comes out: cycle, port, context, tag, granting
     * member. */
    std::vector<uint64_t> rest(uint64_t now) {
        std::vector<uint64_t> all;
        hub_run(h, now + 500);
        for (uint64_t c = now; c < now + 500; c++)
            for (unsigned i = 0; i < MEMBERS; i++) {
                const uint32_t *row;
                const ace_flit *f = ace_wire_receive(from_hub[step * i], c, &row);
                if (!f) continue;
                for (const uint64_t v :
                     { c - now, uint64_t{ i }, uint64_t{ f->data },
                       uint64_t{ f->data ? f->context : 0U }, uint64_t{ f->data ? f->mark : 0U },
                       uint64_t{ f->grant }, uint64_t{ f->credit },
                       uint64_t{ f->grant ? f->grant_peer : 0U },
                       uint64_t{ f->grant ? f->grant_context : 0U } })
                    all.push_back(v);
            }
        return all;
    }
};

ace_flit packet(unsigned to, uint8_t context, uint8_t mark) {
    ace_flit f = {};
    f.data = true;
    f.route = to;
    f.context = context;
    f.mark = mark;
    return f;
}

ace_flit credit() {
    ace_flit f = {};
    f.credit = true;
    return f;
}

ace_flit grant(uint8_t to, uint8_t context) {
    ace_flit f = {};
    f.grant = true;
    f.grant_peer = to;
    f.grant_context = context;
    return f;
}

/* From cycle `at` on: more packets for member 2 than it has places for, grants to member 3.  Later,
 * on the way at the look: more for member 1 than it has places for. */
void load(Bench &b, uint64_t at) {
    for (uint64_t i = 0; i < 6; i++) {
        b.send(at + 2 * i, 0, packet(2, static_cast<uint8_t>(i), 201));
        b.send(at + 2 * i, 1, packet(2, static_cast<uint8_t>(16 + i), 202));
    }
    b.send(at + 18, 0, grant(3, 7));
    b.send(at + 18, 2, grant(3, 9));
}

void load_later(Bench &b, uint64_t at) {
    for (uint64_t i = 20; i < 28; i += 2) {
        b.send(at + i, 0, packet(1, static_cast<uint8_t>(32 + i), 206));
        b.send(at + i, 2, packet(1, static_cast<uint8_t>(33 + i), 206));
    }
}

constexpr uint64_t LOOK = 24; /* cycles from the load to the look: a grant waits */

TEST(Hub, OneStateAtAnyTimeSaysTheSame) {
    for (const Kind kind : { SWITCH, DIRECT, FINITE }) {
        std::vector<uint8_t> before;
        std::vector<uint64_t> goes_on;
        for (const uint64_t at : { 0, 50, 777 }) {
            Bench b(kind);
            load(b, at);
            load_later(b, at);
            b.run(at + LOOK);
            if (at) EXPECT_EQ(b.says(at + LOOK), before);
            before = b.says(at + LOOK);
            const auto all = b.rest(at + LOOK);
            if (at) EXPECT_EQ(all, goes_on);
            goes_on = all;
            EXPECT_GE(all.size(), 9U * 8);
        }
    }
}

/* The state must contain everything that changes the hub's later behaviour. */
TEST(Hub, WhatGoesOnDifferentlyIsSaid) {
    const std::vector<std::function<void(Bench &)>> changes = {
        [](Bench &b) { b.send(11, 3, packet(2, 40, 203)); }, /* one more */
        [](Bench &b) { b.send(11, 3, packet(0, 40, 203)); }, /* to another */
        [](Bench &b) { b.send(11, 3, packet(0, 41, 203)); }, /* of another context */
        [](Bench &b) { b.send(11, 3, packet(0, 40, 204)); }, /* of another chunk */
        [](Bench &b) { b.send(12, 3, packet(0, 40, 203)); }, /* later: less of it is done */
        [](Bench &b) { b.send(18, 1, grant(3, 1)); },        /* a grant */
        [](Bench &b) { b.send(18, 1, grant(3, 2)); },        /* of another context */
        [](Bench &b) { b.send(18, 1, grant(0, 1)); },        /* to another */
        [](Bench &b) { b.send(11, 1, credit()); },           /* a place more */
        [](Bench &b) { /* as many places, but who was served last is another */
                       b.send(0, 3, packet(1, 50, 203));
                       b.send(11, 1, credit());
        },
    };
    unsigned different = 0;
    for (const Kind kind : { SWITCH, DIRECT, FINITE }) {
        std::vector<std::pair<std::vector<uint8_t>, std::vector<uint64_t>>> seen;
        for (size_t i = 0; i <= changes.size(); i++) {
            Bench b(kind);
            load(b, 0);
            if (i) changes[i - 1](b);
            load_later(b, 0);
            b.run(LOOK);
            const auto says = b.says(LOOK);
            const auto goes_on = b.rest(LOOK);
            for (size_t k = 0; k < seen.size(); k++) {
                if (goes_on == seen[k].second) continue;
                different++;
                EXPECT_NE(says, seen[k].first) << i << " and " << k;
            }
            seen.emplace_back(says, goes_on);
        }
    }
    EXPECT_GE(different, 100U) << "changes that change nothing";
}

TEST(Hub, MovedInTimeItGoesOnTheSame) {
    for (const Kind kind : { SWITCH, DIRECT, FINITE }) {
        Bench still(kind), moved(kind);
        load(still, 0);
        load(moved, 0);
        still.run(LOOK);
        moved.run(LOOK);
        hub_shift(moved.h, 1000, 1);
        for (ace_wire *w : moved.to_hub) ace_wire_shift(w, 1000, 0);
        EXPECT_EQ(still.says(LOOK), moved.says(LOOK + 1000));
        /* what was on the way from it, too */
        EXPECT_EQ(still.rest(LOOK), moved.rest(LOOK + 1000));
    }
}

TEST(Hub, WhatIsRoutedIsNotCompared) {
    Bench b(SWITCH);
    ace_flit f = packet(0, 1, 2);
    f.routed = true;
    f.route = 1; /* hop left behind the next one */
    b.send(0, 0, f);
    hub_run(b.h, LATENCY + 1);
    said.clear();
    EXPECT_FALSE(hub_put(b.h, nullptr));
}

/* What came out of the hub, in order: cycle, port, and context of each packet. */
struct Out {
    uint64_t cycle;
    unsigned port, context;
};
std::vector<Out> packets(const std::vector<uint64_t> &all) {
    std::vector<Out> out;
    for (size_t i = 0; i < all.size(); i += 9)
        if (all[i + 2])
            out.push_back(
                { all[i], static_cast<unsigned>(all[i + 1]), static_cast<unsigned>(all[i + 3]) });
    return out;
}
/* Places that member `port` has back. */
unsigned back(const std::vector<uint64_t> &all, unsigned port) {
    unsigned count = 0;
    for (size_t i = 0; i < all.size(); i += 9) count += all[i + 1] == port && all[i + 6];
    return count;
}

/* Six packets for member 2, which has three places, then one for member 3. */
void block(Bench &b) {
    for (uint64_t i = 0; i < 7; i++)
        b.send(i, 0, packet(i < 6 ? 2 : 3, static_cast<uint8_t>(i), 1));
}

TEST(Hub, WithoutEndNobodyIsHeldUp) {
    Bench b(SWITCH);
    block(b);
    const auto all = b.rest(0);
    EXPECT_EQ(packets(all).size(), 4U);
    EXPECT_EQ(back(all, 0), 7U);
}

/* Three are at member 2 and two before its link: the sixth waits where it came in, with all behind
 * it, until a place at member 2 is free. */
TEST(Hub, WhatWaitsForRoomHoldsUpWhatIsBehindIt) {
    Bench b(FINITE, 2);
    block(b);
    const auto before = b.rest(0);
    ASSERT_EQ(packets(before).size(), 3U);
    for (const Out &o : packets(before)) EXPECT_EQ(o.port, 2U);
    EXPECT_EQ(back(before, 0), 5U);
    b.send(500, 2, credit());
    const auto after = b.rest(500);
    ASSERT_EQ(packets(after).size(), 2U);
    EXPECT_EQ(packets(after)[0].context, 3U);
    EXPECT_EQ(packets(after)[1].port, 3U);
    EXPECT_EQ(packets(after)[1].context, 6U);
    EXPECT_EQ(back(after, 0), 2U);
}

/* Members 0, 1 and 3 send to member 2 as fast as they can: it receives from them round-robin. */
TEST(Hub, SendersTakeTurns) {
    Bench b(FINITE, 1);
    for (uint64_t i = 0; i < 8; i++)
        for (const unsigned from : { 0U, 1U, 3U })
            b.send(i, from, packet(2, static_cast<uint8_t>(from), 1));
    for (uint64_t i = 0; i < 24; i++) b.send(i, 2, credit());
    const auto out = packets(b.rest(0));
    ASSERT_EQ(out.size(), 24U);
    for (size_t i = 3; i < out.size(); i++) {
        EXPECT_EQ(out[i].context, out[i - 3].context);
        EXPECT_NE(out[i].context, out[i - 1].context);
    }
}

/* Each member sends the next five packets.  A link has one in 9 cycles; through the switch goes one
 * in 4, that is one for each of four links in 16. */
TEST(Hub, ASwitchHasABandwidthOfItsOwn) {
    for (const uint32_t cycles : { 0U, 4U }) {
        Bench b(FINITE, 7, cycles * HUB_COST_ONE);
        for (uint64_t i = 0; i < 10; i++)
            for (unsigned from = 0; from < MEMBERS; from++)
                b.send(i, from,
                       i < 5 ? packet((from + 1) % MEMBERS, static_cast<uint8_t>(i), 1) : credit());
        std::vector<uint64_t> at[MEMBERS];
        for (const Out &o : packets(b.rest(0))) at[o.port].push_back(o.cycle);
        for (const auto &port : at) {
            ASSERT_EQ(port.size(), 5U);
            for (size_t i = 2; i < 5; i++) EXPECT_EQ(port[i] - port[i - 1], cycles ? 16U : 9U);
        }
    }
}

/* ---- a switch that reduces --------------------------------------------------------------------
 */

constexpr unsigned MANY =
    ACE_HUB_ROWS + 4; /* rows, more than a port has slots and a register for */

/* A row a cycle to the reducer. */
void SendUp(Bench &b, uint64_t from, unsigned member) {
    for (uint64_t k = 0; k < MANY; k++) {
        ace_flit f{};
        f.data = true;
        f.context = ace_context_name(1, 2);
        f.mark = uint8_t(k / 64);
        f.route = ACE_TO_SWITCH | ACE_INT32;
        b.send(from + k, member, f);
    }
}

TEST(HubReduction, ARowThatDoesNotFitItsCodeIsTold) {
    const struct {
        const char *says;
        std::function<void(struct packet &)> plant;
    } cases[] = {
        { "", [](struct packet &) {} },
        { "a row to be reduced did not fit its code",
          [](struct packet &p) { p.code.row ^= 1U << 31; } },
        { "what a row to be reduced says of itself did not fit",
          [](struct packet &p) { p.code.header ^= 8; } },
        { "what a row to be reduced says of itself did not fit",
          [](struct packet &p) { p.flit.mark ^= 2; } },
        { "what a row to be reduced says of itself did not fit",
          [](struct packet &p) { p.flit.context ^= 1; } },
        { "what a row to be reduced says of itself did not fit",
          [](struct packet &p) { p.flit.route ^= ACE_MINIMUM << 3; } },
    };
    for (const auto &c : cases) {
        Bench b(SWITCH, 7, 0, true);
        SendUp(b, 0, 0);
        hub_run(b.h, 200);
        ASSERT_GT(b.h->up[0].count, 1U); /* members 1 to 3 have sent nothing yet */
        c.plant(*packet_at(&b.h->up[0], 1));
        for (unsigned i = 1; i < MEMBERS; i++) SendUp(b, 200, i);
        hub_run(b.h, 2000);
        testing::internal::CaptureStderr();
        const int error = hub_error(b.h);
        const std::string told = testing::internal::GetCapturedStderr();
        const uint64_t sums = hub_reduced(b.h, 0).rows;
        if (!*c.says) {
            EXPECT_EQ(ACE_OK, error) << told;
            EXPECT_EQ(MANY, sums);
            continue;
        }
        EXPECT_EQ(ACE_EPARITY, error);
        EXPECT_NE(std::string::npos, told.find(c.says)) << told;
        EXPECT_NE(std::string::npos,
                  told.find("switch of node 0 and others, link x+, cycle 2000: "))
            << told;
        EXPECT_LT(sums, MANY); /* none of it, and none after it */
    }
}

/* ---- a link that two ports share ----------------------------------------------------------------
 */

/* In which cycles packets for member 1 leave the hub that member 0 sends by those ports of its own.
 */
std::vector<uint64_t> Leaves(unsigned ports) {
    Bench b(DIRECT);
    std::vector<uint64_t> cycles;
    for (unsigned k = 0; k < CREDITS; k++)
        for (unsigned plane = 0; plane < 2; plane++) {
            ace_flit f = {};
            f.frame = f.data = true;
            f.route = 1;
            if (ports >> plane & 1) ace_wire_send(b.to_hub[plane], k, &f, nullptr);
        }
    hub_run(b.h, 500);
    for (uint64_t c = 0; c < 500; c++)
        for (unsigned i = 2; i < 4; i++) {
            const uint32_t *row;
            const ace_flit *f = ace_wire_receive(b.from_hub[i], c, &row);
            if (f && f->data) cycles.push_back(c);
        }
    return cycles;
}

/* One port has all of the link, a packet in nine cycles; two have half each, so that six packets of
 * both take as long as six of one would. */
TEST(Hub, PortsShareADirectLink) {
    const std::vector<uint64_t> up = Leaves(1), down = Leaves(2), both = Leaves(3);
    ASSERT_EQ(up.size(), CREDITS);
    EXPECT_EQ(up, down);
    EXPECT_EQ(up[1] - up[0], 9U);
    EXPECT_EQ(up[2] - up[0], 18U);
    ASSERT_EQ(both.size(), 2 * CREDITS);
    EXPECT_EQ(both[0] - up[0], 9U); /* eighteen cycles a packet, of each port */
    EXPECT_EQ(both[0], both[1]);
    EXPECT_EQ(both[5] - up[0], 45U);
}

/* ---- a state that is loaded ------------------------------------------------------------------ */

/* Wires of engines of two phases with three contexts each, then the hub. */
void Move(const Bench &b, uint64_t now, ace_state *s) {
    for (unsigned i = 0; i < b.to_hub.size(); i++) {
        ace_wire_set_contexts(b.to_hub[i], 2, 3);
        ace_wire_set_contexts(b.from_hub[i], 2, 3);
        ace_wire_state(b.to_hub[i], UINT64_MAX, s); /* what is sent later is there before */
    }
    hub_state(b.h, now, s);
}

Bytes Save(const Bench &b, uint64_t now) {
    return SaveState([&](ace_state *s) { Move(b, now, s); });
}

std::string Load(const Bytes &bytes, uint64_t now, const Bench &to) {
    return LoadState(bytes, [&](ace_state *s) { Move(to, now, s); });
}

/* More packets from all to member 1 than its node has places for, and grants from most to member 0.
 */
void Crowd(Bench &b) {
    for (unsigned i = 0; i < MEMBERS; i++)
        for (uint64_t k = 0; k < CREDITS; k++) {
            ace_flit f{};
            f.data = true;
            f.context = ace_context_name(1, 2);
            f.route = 1;
            f.grant = true;
            f.grant_context = ace_context_name(0, 1);
            f.grant_peer = i ? 0 : 2;
            b.send(k, i, f);
        }
}

constexpr uint64_t NOW = LATENCY + CREDITS; /* all has come and some of it waits */

TEST(HubState, OfARunIsLoadedAndGoesOn) {
    for (const Kind kind : { SWITCH, DIRECT, FINITE })
        for (uint64_t now = 1; now < 80; now++) {
            Bench one(kind, 2), another(kind, 2);
            Crowd(one);
            hub_run(one.h, now);
            const Bytes bytes = Save(one, now);
            ASSERT_EQ("", Load(bytes, now, another)) << kind << ", cycle " << now;
            ASSERT_EQ(bytes, Save(another, now));
            hub_run(one.h, 200);
            hub_run(another.h, 200);
            ASSERT_EQ(Save(one, 200), Save(another, 200)) << kind << ", cycle " << now;
        }
}

struct Fault {
    Kind kind;
    const char *field;
    std::function<void(hub &)> plant;
};

server &Served(hub &h) {
    for (unsigned i = 0; i < h.ports; i++)
        for (unsigned k = 0; k < hub_servers(&h); k++)
            if (h.server[i][k].lane[PLAIN].count) return h.server[i][k];
    ADD_FAILURE() << "nothing waits";
    return h.server[0][0];
}
unsigned Granted(hub &h) {
    for (unsigned i = 0; i < MEMBERS; i++)
        if (h.grants[i].count) return i;
    ADD_FAILURE() << "no grant waits";
    return 0;
}
unsigned Came(hub &h) {
    for (unsigned i = 0; i < MEMBERS; i++)
        if (h.input[i][PLAIN].count) return i;
    ADD_FAILURE() << "nothing waits where it came";
    return 0;
}

const Fault faults[] = {
    { SWITCH, "hub.now", [](hub &h) { h.now++; } },
    { FINITE, "hub.now", [](hub &h) { h.saved_at = h.now + 1; } },
    { FINITE, "hub.saved", [](hub &h) { h.saved = HUB_COST_ONE + h.setup.pass_cost + 1; } },
    { FINITE, "hub.first", [](hub &h) { h.first = MEMBERS; } },
    { SWITCH, "hub.pending", [](hub &h) { h.pending--; } },
    { SWITCH, "hub.waiting", [](hub &h) { h.port[1].waiting++; } },
    { SWITCH, "hub.next_server", [](hub &h) { h.port[2].next_server = 1; } },
    { DIRECT, "hub.next_server", [](hub &h) { h.port[2].next_server = MEMBERS; } },
    { FINITE, "hub.favour", [](hub &h) { h.port[0].favour[ROUTED] = MEMBERS; } },
    { SWITCH, "hub.credits", [](hub &h) { h.port[3].credits[PLAIN] = CREDITS + 1; } },
    { SWITCH, "hub.owed", [](hub &h) { h.port[3].owed[ROUTED] = CREDITS + 1; } },
    { SWITCH, "hub.acc", [](hub &h) { Served(h).acc = h.cost + ACE_COST_ONE; } },
    { DIRECT, "hub.acc", [](hub &h) { h.server[0][0].acc = 1; } },
    { SWITCH, "hub.input",
      [](hub &h) {
          std::swap(Served(h).lane[PLAIN], h.input[1][PLAIN]);
          for (size_t i = 0; i < h.input[1][PLAIN].count; i++)
              packet_at(&h.input[1][PLAIN], i)->to = target{ 1, 0 };
      } },
    { SWITCH, "hub.up", [](hub &h) { std::swap(Served(h).lane[PLAIN], h.up[0]); } },
    { SWITCH, "hub.packet",
      [](hub &h) { packet_at(&Served(h).lane[PLAIN], 0)->flit.data = false; } },
    { SWITCH, "hub.packet",
      [](hub &h) { packet_at(&Served(h).lane[PLAIN], 0)->flit.routed = true; } },
    { SWITCH, "hub.packet", [](hub &h) { packet_at(&Served(h).lane[PLAIN], 0)->flit.flip = 1; } },
    { SWITCH, "hub.flit",
      [](hub &h) { std::memset(&packet_at(&Served(h).lane[PLAIN], 0)->flit.reduce, 2, 1); } },
    { SWITCH, "hub.context",
      [](hub &h) { packet_at(&Served(h).lane[PLAIN], 0)->flit.context = ace_context_name(1, 3); } },
    { SWITCH, "hub.grant", [](hub &h) { grant_at(&h.grants[Granted(h)], 0)->from = MEMBERS; } },
    { SWITCH, "hub.grant",
      [](hub &h) { grant_at(&h.grants[Granted(h)], 0)->context = ace_context_name(2, 0); } },
    { FINITE, "hub.target",
      [](hub &h) { packet_at(&h.input[Came(h)][PLAIN], 0)->to.port = MEMBERS; } },
    { FINITE, "hub.target",
      [](hub &h) { packet_at(&h.input[Came(h)][PLAIN], 0)->to.distance ^= 1; } },
};

TEST(HubState, ThatCannotBeIsNamed) {
    for (const Fault &f : faults) {
        Bench one(f.kind, 1), another(f.kind, 1);
        Crowd(one);
        hub_run(one.h, NOW);
        f.plant(*one.h);
        EXPECT_EQ(f.field, Load(Save(one, NOW), NOW, another)) << &f - faults;
    }
}

/* A reducer of which rows wait in a slot and before the table, and one is picked. */
struct Reducer {
    ace_hub_reducer *r = nullptr;

    Reducer() {
        if (ace_hub_reducer_create(4, 4, 2, true, &r) != ACE_OK) throw std::bad_alloc();
    }
    Reducer(const Reducer &) = delete;
    Reducer &operator=(const Reducer &) = delete;
    ~Reducer() { ace_hub_reducer_destroy(r); }
    void fill() {
        ace_row row = { 0x80000001, 7 };
        for (unsigned cycle = 0; cycle < 40 && !r->picked; cycle++) {
            ace_hub_arrivals a{};
            for (unsigned p = 0; p < 4; p++) {
                if ((p == 3 && cycle < 12) || !ace_hub_reducer_s_ready(r, p)) continue;
                a.valid |= 1U << p;
                a.header[p] = { 3, 9, ACE_INT32, 0 };
                a.header[p].code = ace_hub_header_code(&a.header[p]);
                a.row[p] = row;
                a.code[p] = 0x80000001 ^ 7;
            }
            ace_hub_reducer_cycle(r, &a, false);
        }
        ASSERT_TRUE(r->picked && (r->in_valid & 1) && r->count[0][0] == 2);
    }
};

TEST(HubState, OfAReducerIsLookedAtWithItsCodes) {
    const struct {
        const char *field;
        std::function<void(ace_hub_reducer &)> plant;
    } cases[] = {
        { "", [](ace_hub_reducer &) {} },
        { "ace_hub_reducer.not_", [](ace_hub_reducer &r) { r.not_.in_valid ^= 2; } },
        { "ace_hub_reducer.not_", [](ace_hub_reducer &r) { r.not_.steps ^= 1; } },
        { "ace_hub_reducer.not_", [](ace_hub_reducer &r) { r.not_.open ^= 4; } },
        { "ace_hub_reducer.not_", [](ace_hub_reducer &r) { r.not_.under_way ^= 8; } },
        { "ace_hub_reducer.name_parity", [](ace_hub_reducer &r) { r.name[0] ^= 16; } },
        { "ace_hub_reducer.pick_bit", [](ace_hub_reducer &r) { r.pick_bit = 2; } },
        { "ace_hub_reducer.in", [](ace_hub_reducer &r) { r.in[0].mark ^= 1; } },
        { "ace_hub_reducer.in_code", [](ace_hub_reducer &r) { r.in_rows[0][63] ^= 1; } },
        { "ace_hub_reducer.headers", [](ace_hub_reducer &r) { r.headers[0].how ^= 8; } },
        { "ace_hub_reducer.codes", [](ace_hub_reducer &r) { r.slots[1][5] ^= 1U << 30; } },
        { "ace_hub_reducer.tail", [](ace_hub_reducer &r) { r.count[0][0]--; } },
        { "ace_hub_reducer.tail", [](ace_hub_reducer &r) { r.head[0] ^= 1; } },
        { "ace_hub_reducer.has", [](ace_hub_reducer &r) { r.has[1] ^= 1; } },
        { "ace_hub_reducer.wrong", [](ace_hub_reducer &r) { r.unfit[0] = ACE_HUB_WRONG_ROW; } },
    };
    for (const auto &c : cases) {
        Reducer one, another;
        one.fill();
        c.plant(*one.r);
        const Bytes bytes = SaveState([&](ace_state *s) { ace_hub_reducer_state(one.r, s); });
        EXPECT_EQ(c.field,
                  LoadState(bytes, [&](ace_state *s) { ace_hub_reducer_state(another.r, s); }));
    }
}

/* What comes by a wire comes later than the hub has run. */
TEST(HubState, WiresAreOfItsTime) {
    Bench one(SWITCH), another(SWITCH);
    Crowd(one);
    hub_run(one.h, 3);
    one.to_hub[2]->flit[0].cycle = 2;
    EXPECT_EQ("hub.from", Load(Save(one, 3), 3, another));
}

} // namespace
