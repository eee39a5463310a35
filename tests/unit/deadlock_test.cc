/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Routed packets never wait for each other in a circle: exhaustive search on small tori.
 *
 * The rules are those of rtl/ace_router.v: what enters a ring, from a queue or from another
 * dimension, needs two free places in the output buffer; what goes on needs one.  Buffers are as
 * small as they may be.  All else is an adversary's: who injects what and when, which of
 * the possible moves comes next, and how far a packet goes.  That is decided when it is
 * at the head of a buffer, and then stays: to go on, or to turn to a later dimension.  To be
 * ejected it may decide at any time, since the exchange takes whatever comes; but no
 * state is held to be alive for that.  So the states found are those of every traffic, and more.
 *
 * A state is dead when there are packets and none can move.  Both directions of a ring have
 * buffers of their own and are alike, and a turn into either is a turn into a ring: up is enough.
 *
 * Two models: buffers at both ends of a link, as they are; and one buffer a link, which has
 * fewer states, for larger tori.  Each is shown to find the deadlock of a rule that lets enter
 * with one free place.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "ace_router.h"
#include "lockstep.h"

namespace {

struct Torus {
    std::vector<unsigned> ring;
    unsigned out, in; /* places of a link's buffers; in 0: one buffer a link */
    unsigned enter;   /* free places that are needed to enter */
};
void PrintTo(const Torus &t, std::ostream *o) {
    for (unsigned n : t.ring) *o << n << ' ';
}

/* A state is a number: a digit for each field of each node. */
struct Search {
    const Torus &torus;
    const unsigned dims;
    unsigned nodes = 1;
    std::vector<unsigned> radix;  /* of a node's fields: out, in of each dimension */
    std::vector<uint64_t> weight; /* by node and field */
    std::vector<unsigned> next;   /* by node and dimension */
    std::vector<uint64_t> seen, open;
    std::vector<unsigned> at; /* the digits of the state at hand */
    uint64_t state = 0, states = 0;
    bool moved = false;

    explicit Search(const Torus &t) : torus(t), dims(static_cast<unsigned>(t.ring.size())) {
        for (const unsigned n : t.ring) nodes *= n;
        for (unsigned d = 0; d < dims; d++) {
            /* a head goes on, or turns to one of the dimensions behind */
            const unsigned heads = dims - d;
            radix.push_back(t.in ? t.out + 1 : 1 + t.out * heads);
            radix.push_back(t.in ? 1 + t.in * heads : 1);
        }
        uint64_t all = 1;
        for (unsigned i = 0; i < nodes; i++) {
            for (const unsigned r : radix) {
                weight.push_back(all);
                all *= r;
            }
            for (unsigned d = 0, stride = 1; d < dims; stride *= t.ring[d++]) {
                const unsigned rank = i / stride % t.ring[d];
                next.push_back(rank + 1 < t.ring[d] ? i + stride : i - rank * stride);
            }
        }
        seen.resize(all / 64 + 1);
        open.resize(all / 64 + 1);
        at.resize(weight.size());
    }

    unsigned field(unsigned node, unsigned d, bool input) const {
        return node * 2 * dims + 2 * d + input;
    }
    /* Packets of a buffer with heads, and what its head wants: 0 to go on, k to turn to d + k. */
    unsigned held(unsigned f, unsigned d) const { return (at[f] + dims - d - 1) / (dims - d); }
    unsigned wants(unsigned f, unsigned d) const { return (at[f] - 1) % (dims - d); }
    unsigned free_places(unsigned node, unsigned d) const {
        const unsigned f = field(node, d, false);
        return torus.out - (torus.in ? at[f] : held(f, d));
    }

    void reach(uint64_t s) {
        if (seen[s / 64] >> s % 64 & 1) return;
        seen[s / 64] |= UINT64_C(1) << s % 64;
        open[s / 64] |= UINT64_C(1) << s % 64;
        states++;
    }
    /* The states in which a buffer has one packet more; where it is a head, whatever it wants. */
    void with(uint64_t from, unsigned f, unsigned d, bool heads) {
        const unsigned n = dims - d;
        if (!heads)
            reach(from + weight[f]);
        else if (at[f])
            reach(from + n * weight[f]);
        else
            for (unsigned want = 0; want < n; want++) reach(from + (1 + want) * weight[f]);
    }
    void put(uint64_t from, unsigned node, unsigned d, bool input) {
        with(from, field(node, d, input), d, input || !torus.in);
    }
    /* `then` the states in which a buffer with heads has lost its first one. */
    void without(unsigned f, unsigned d, const std::function<void(uint64_t)> &then) {
        const unsigned n = dims - d, left = held(f, d) - 1;
        const uint64_t from = state - at[f] * weight[f];
        if (!left) return then(from);
        for (unsigned want = 0; want < n; want++)
            then(from + (1 + (left - 1) * n + want) * weight[f]);
    }

    /* Routes the head of a buffer that leads to `node`. */
    void route(unsigned f, unsigned d, unsigned node) {
        const unsigned want = wants(f, d), to = d + want;
        without(f, d, [this](uint64_t s) { reach(s); }); /* it is ejected */
        if (free_places(node, to) < (want ? torus.enter : 1)) return;
        moved = true;
        without(f, d, [&](uint64_t s) { put(s, node, to, false); });
    }
    void expand() {
        bool any = false;
        moved = false;
        for (unsigned i = 0; i < nodes; i++)
            for (unsigned d = 0; d < dims; d++) {
                const unsigned out = field(i, d, false), far = next[i * dims + d];
                if (free_places(i, d) >= torus.enter) put(state, i, d, false); /* injected */
                any = any || at[out];
                if (!torus.in) {
                    if (at[out]) route(out, d, far);
                    continue;
                }
                const unsigned in = field(i, d, true), there = field(far, d, true);
                any = any || at[in];
                if (at[in]) route(in, d, i);
                if (!at[out] || held(there, d) == torus.in) continue;
                moved = true; /* over the link */
                put(state - weight[out], far, d, true);
            }
        if (any && !moved) dead = true;
    }
    bool dead = false;

    /* True: no dead state can be reached.  *states: how many can. */
    bool alive() {
        reach(0);
        for (bool more = true; more && !dead;) {
            more = false;
            for (size_t w = 0; w < open.size() && !dead; w++)
                while (open[w] && !dead) {
                    const unsigned bit = static_cast<unsigned>(__builtin_ctzll(open[w]));
                    open[w] &= open[w] - 1;
                    more = true;
                    state = w * 64 + bit;
                    uint64_t rest = state;
                    for (size_t f = 0; f < at.size(); f++) {
                        at[f] = static_cast<unsigned>(rest % radix[f % (2 * dims)]);
                        rest /= radix[f % (2 * dims)];
                    }
                    expand();
                }
        }
        return !dead;
    }
};

class Deadlock : public testing::TestWithParam<Torus> {};

TEST_P(Deadlock, IsNotReached) {
    Search search(GetParam());
    EXPECT_TRUE(search.alive()) << "a state without a move";
    RecordProperty("states", std::to_string(search.states));
    EXPECT_GT(search.states, 10u);
}

TEST_P(Deadlock, IsReachedWithOnePlaceToEnter) {
    Torus wrong = GetParam();
    wrong.enter = 1;
    EXPECT_FALSE(Search(wrong).alive()) << "the search does not see it";
}

INSTANTIATE_TEST_SUITE_P(Tori, Deadlock,
                         testing::Values(Torus{ { 2 }, 2, 1, 2 }, Torus{ { 3 }, 2, 1, 2 },
                                         Torus{ { 4 }, 2, 1, 2 }, Torus{ { 5 }, 2, 1, 2 },
                                         Torus{ { 3 }, 3, 2, 2 }, Torus{ { 4 }, 3, 2, 2 },
                                         Torus{ { 2, 2 }, 2, 1, 2 }, Torus{ { 4 }, 2, 0, 2 },
                                         Torus{ { 8 }, 2, 0, 2 }, Torus{ { 2, 2 }, 2, 0, 2 },
                                         Torus{ { 2, 2 }, 3, 0, 2 }, Torus{ { 3, 2 }, 2, 0, 2 },
                                         Torus{ { 2, 3 }, 2, 0, 2 }),
                         [](const auto &info) {
                             std::string name = "ring";
                             for (const unsigned n : info.param.ring)
                                 name += "_" + std::to_string(n);
                             return name + "_out_" + std::to_string(info.param.out) + "_in_" +
                                    std::to_string(info.param.in);
                         });

/* The rules of the search are the twin's rules, and the twin makes the moves that they allow. */
TEST(Deadlock, RulesAreTheRouters) {
    Random random{ lockstep_seed() };
    ace_router *router;
    ASSERT_EQ(ace_router_create(4, &router), ACE_OK);
    unsigned on = 0, turned = 0, entered = 0, ejected = 0, refused = 0;
    for (unsigned cycle = 0; cycle < 200000; cycle++) {
        ace_router_in in{};
        ace_router_grant grant;
        in.s_room = random.bits<uint8_t>(ACE_LINKS);
        in.s_room_two = static_cast<uint8_t>(in.s_room & random.bits<uint8_t>(ACE_LINKS));
        in.s_eject_room = random.below(2);
        in.s_head_valid = random.bits<uint8_t>(ACE_LINKS);
        in.s_queue_valid = random.bits<uint16_t>(ACE_ROUTER_QUEUES);
        unsigned may[ACE_ROUTER_PIPES] = {}; /* heads and queues that a rule lets move */
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const unsigned d = l / 2, from = l & 1; /* it came from below (1) and goes up */
            for (unsigned e = d; e < ACE_DIMENSIONS; e++)
                if (random.below(2))
                    in.s_head_route[l] |=
                        ace_route_hops(e, e == d ? !from : random.below(2), random.below(3));
            const unsigned to = ace_route_target(in.s_head_route[l]);
            const bool fits = to == ACE_ROUTER_HERE ? in.s_eject_room
                              : to / 2 == d         ? in.s_room >> to & 1
                                                    : in.s_room_two >> to & 1;
            if (!(in.s_head_valid >> l & 1)) continue;
            may[to == ACE_ROUTER_HERE ? 2 : to & 1] += fits;
            refused += !fits;
        }
        for (unsigned q = 0; q < ACE_ROUTER_QUEUES; q++) {
            if (q < ACE_LINKS) in.s_queue_route[q] = ace_route_hops(q / 2, q & 1, 1);
            if (in.s_queue_valid >> q & 1)
                may[q < ACE_LINKS ? q & 1 : 2] +=
                    q < ACE_LINKS ? in.s_room_two >> q & 1 : in.s_eject_room;
        }
        ace_router_decide(router, &in, &grant);
        for (unsigned p = 0; p < ACE_ROUTER_PIPES; p++)
            ASSERT_EQ(grant.from[p] >= 0, may[p] > 0) << "pipe " << p << ", cycle " << cycle;
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            if (!(grant.pop >> l & 1)) continue;
            const unsigned to = ace_route_target(in.s_head_route[l]);
            ASSERT_TRUE(in.s_head_valid >> l & 1);
            if (to == ACE_ROUTER_HERE) {
                ASSERT_TRUE(in.s_eject_room);
                ejected++;
            } else if (to == (l ^ 1)) {
                ASSERT_TRUE(in.s_room >> to & 1);
                on++;
            } else {
                ASSERT_TRUE(in.s_room_two >> to & 1) << "cycle " << cycle;
                turned++;
            }
        }
        for (unsigned q = 0; q < ACE_LINKS; q++) {
            if (!(grant.queue_pop >> q & 1)) continue;
            ASSERT_TRUE((in.s_queue_valid & in.s_room_two) >> q & 1) << "cycle " << cycle;
            entered++;
        }
        ace_router_take(router, &in, &grant);
        ASSERT_FALSE(router->protocol_error);
    }
    for (const unsigned n : { on, turned, entered, ejected, refused }) EXPECT_GT(n, 10000u);
    ace_router_destroy(router);
}

} // namespace
