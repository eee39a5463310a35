/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_router.v against cmodel/nic/ace_router.c, cycle by cycle.
 *
 * The environment is the input buffers, the exchange's queues and the room of the output
 * buffers.  A head stays until it is popped.  A packet that is taken must leave on the link of its
 * route, with one hop less, and only where there was room.
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned head, queue, here; /* chances in a cycle; of a head to have arrived; per mille */
    unsigned room, two, eject;  /* of a place, of a second one, of one in the exchange */
    unsigned resets;            /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

/* Without a fourth dimension, or with it. */
constexpr Mix mixes[] = {
    { "saturated", 1000, 1000, 300, 1000, 1000, 1000, 0 },
    { "full_links", 1000, 1000, 100, 40, 300, 100, 5 },
    { "one_place_each", 900, 900, 200, 900, 0, 900, 5 },
    { "full_exchange", 800, 800, 700, 900, 900, 100, 5 },
    { "forwarding", 900, 0, 200, 800, 800, 800, 5 },
    { "injecting", 0, 900, 0, 800, 800, 800, 5 },
    { "sparse", 15, 15, 400, 900, 900, 900, 10 },
    { "resets", 600, 600, 300, 700, 700, 700, 80 },
};

struct Packet {
    bool valid = false;
    uint64_t route = 0;
    uint32_t note = 0;
};

struct Environment {
    const Mix &mix;
    const unsigned dimensions, links;
    Packet head[ACE_LINKS], queue[ACE_ROUTER_QUEUES];
    Packet expected[ACE_ROUTER_PIPES]; /* what was taken in the last cycle */
    unsigned expected_link[ACE_ROUTER_PIPES] = {};
    uint64_t moved = 0, ejected = 0, all_three = 0, turns = 0, waits = 0, sources = 0;
    bool wrong = false;

    Environment(const Mix &m, unsigned dimensions_)
        : mix(m), dimensions(dimensions_), links(2 * dimensions_) {}
    void configure(ace_router_in &) const {}
    void reset() {
        for (Packet &p : head) p = {};
        for (Packet &p : queue) p = {};
        for (Packet &p : expected) p = {};
    }

    static uint64_t row(Random &r) { return r.bits<uint64_t>(32) << 32; }
    /* Hops on the dimensions from `first` on; `none`: chance that there are none. */
    uint64_t hops(unsigned first, unsigned none, Random &r) const {
        uint64_t route = 0;
        for (unsigned d = first; d < dimensions && !r.permille(none); d++)
            if (r.permille(600)) route |= ace_route_hops(d, r.permille(500), 1 + r.below(64));
        return route;
    }
    void arrive(unsigned l, Random &r) {
        uint64_t route = hops(l / 2 + 1, mix.here, r);
        if (!r.permille(mix.here)) route |= ace_route_hops(l / 2, !(l & 1), r.below(4));
        head[l] = { true, row(r) | route, r.bits<uint32_t>(17) };
    }
    void inject(unsigned q, Random &r) {
        uint64_t route = 0;
        if (q < links)
            route = ace_route_hops(q / 2, q & 1, 1 + r.below(64)) | hops(q / 2 + 1, 0, r);
        queue[q] = { true, row(r) | route, r.bits<uint32_t>(17) };
    }

    void ask(ace_router_in &in, Random &r) {
        in = ace_router_in{};
        for (unsigned l = 0; l < links; l++) {
            if (!head[l].valid && r.permille(mix.head)) arrive(l, r);
            in.s_head_valid = static_cast<uint8_t>(in.s_head_valid | head[l].valid << l);
            in.s_head_route[l] = head[l].route;
            in.s_head_note[l] = head[l].note;
            const bool room = r.permille(mix.room);
            in.s_room = static_cast<uint8_t>(in.s_room | room << l);
            in.s_room_two =
                static_cast<uint8_t>(in.s_room_two | (room && r.permille(mix.two)) << l);
        }
        for (unsigned q = 0; q <= links; q++) {
            if (!queue[q].valid && r.permille(mix.queue)) inject(q, r);
            in.s_queue_valid = static_cast<uint16_t>(in.s_queue_valid | queue[q].valid << q);
            in.s_queue_route[q] = queue[q].route;
            in.s_queue_note[q] = queue[q].note;
        }
        in.s_eject_room = r.permille(mix.eject);
    }

    /* A packet is taken: it needs room, and is seen in the next cycle. */
    void take(Packet &p, unsigned source, int from_link, const ace_router_in &in, unsigned reserved,
              unsigned *pipes) {
        const unsigned to = ace_route_target(p.route);
        const unsigned pipe = to == ACE_ROUTER_HERE ? 2 : to & 1;
        const bool on = from_link >= 0 && to == (static_cast<unsigned>(from_link) ^ 1);
        wrong |= !p.valid || *pipes >> pipe & 1;
        *pipes |= 1u << pipe;
        sources |= uint64_t{ 1 } << (pipe * 20 + source);
        expected[pipe] = p;
        expected_link[pipe] = to;
        p.valid = false;
        if (to == ACE_ROUTER_HERE) {
            wrong |= !in.s_eject_room;
            ejected++;
            return;
        }
        wrong |= !((on ? in.s_room : in.s_room_two) >> to & 1) || !(reserved >> to & 1);
        expected[pipe].route -= uint64_t{ 1 } << 8 * (to / 2);
        turns += from_link >= 0 && !on;
        moved++;
    }

    void drive(const ace_router_out &out, ace_router_in &in, Random &) {
        for (unsigned p = 0; p < 2; p++) {
            const Packet &e = expected[p];
            wrong |= (out.m_out_valid >> p & 1) != e.valid;
            if (e.valid)
                wrong |= out.m_out_route[p] != e.route || out.m_out_note[p] != e.note ||
                         out.m_out_link[p] != expected_link[p];
        }
        wrong |= out.m_eject_valid != expected[2].valid;
        if (expected[2].valid)
            wrong |=
                out.m_eject_row != expected[2].route >> 32 || out.m_eject_note != expected[2].note;
        for (Packet &p : expected) p.valid = false;
        unsigned pipes = 0;
        for (unsigned l = 0; l < links; l++)
            if (out.m_pop >> l & 1)
                take(head[l], l, static_cast<int>(l), in, out.m_reserve, &pipes);
        for (unsigned q = 0; q <= links; q++)
            if (out.m_queue_pop >> q & 1) take(queue[q], links + q, -1, in, out.m_reserve, &pipes);
        all_three += pipes == 7;
        waits += (in.s_head_valid | in.s_queue_valid) != 0 && pipes == 0;
    }
};

class Router : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Router, EqualsTwin) {
    const auto &[dimensions, mix] = GetParam();
    Lockstep<router_unit> run(dimensions - 3, mix.head * 7919 + mix.queue * 13 + mix.room);
    ASSERT_EQ(ace_router_create(dimensions, &run.twin), ACE_OK);
    ASSERT_EQ(ace_router_create(dimensions, &run.timing), ACE_OK);
    Environment e(mix, dimensions);
    run.go(e, 20000, mix.resets);
    const std::string name = mix.name;
    EXPECT_FALSE(e.wrong) << "a packet went astray, or where there was no room";
    EXPECT_GT(e.moved, 200u);
    EXPECT_GT(e.ejected, 100u);
    EXPECT_EQ(e.turns > 50, mix.head > 0 && mix.two > 0);
    if (name == "saturated") {
        EXPECT_GT(e.all_three, 15000u);
        for (unsigned p = 0; p < 3; p++) { /* every source a pipe can have had its turn */
            uint64_t sources = 0;
            for (unsigned l = 0; l < 2 * dimensions; l++) /* packets of the last dimension go on */
                if (p == 2 || l / 2 + 1 < dimensions || p == !(l & 1)) sources |= 1u << l;
            for (unsigned q = 0; q < 2 * dimensions; q++)
                if (p == q % 2) sources |= 1u << (2 * dimensions + q);
            if (p == 2) sources |= 1u << 4 * dimensions;
            EXPECT_EQ(e.sources >> 20 * p & 0xfffff, sources) << p;
        }
    }
    if (name == "full_links") EXPECT_GT(e.waits, 500u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Router,
                         testing::Combine(testing::Values(3u, 4u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) == 4 ? "_four" : "");
                         });

} // namespace
