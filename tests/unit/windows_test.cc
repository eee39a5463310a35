// SPDX-License-Identifier: Apache-2.0
/*
 * Nodes run alone for as long as nothing that one sends can come to another: the shortest link
 * between two that are simulated.  A link from a node to itself, of one that stands for all along a
 * dimension, is none of these.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

extern "C" {
#include "exit_status.h"
#include "fabric.h"
#include "setup.h"
#include "setup_fields.h"
}

namespace {

constexpr unsigned SHORT = 90, LONG = 500; // cycles of a link of x, and of y and z

/* An all-reduce at each node at once. */
struct Nodes {
    fabric *f = nullptr;
    std::vector<unsigned> begun, over;
    unsigned dims, windows = 0;
    uint64_t last = 0;

    uint64_t act(unsigned node, uint64_t now, uint64_t *reaction) {
        *reaction = UINT64_MAX;
        if (begun[node]++) return UINT64_MAX;
        ace_command c{};
        c.kind = ACE_ALL_REDUCE;
        for (uint8_t d = 0; d < dims; d++) c.dims[c.dim_count++] = d;
        c.bytes = 1 << 20;
        EXPECT_EQ(fabric_submit(f, node, &c, now), ACE_OK);
        return UINT64_MAX;
    }
};

/* Runs over the first `dims` dimensions. `classes` nodes in a row along z are distinguished; one
 * represents all others. */
Nodes run(const char *endpoint, unsigned dims, uint8_t classes, bool unfolded) {
    setup o;
    Nodes n;

    setup_initial(&o);
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_TOPOLOGY], "4x2x4", &o));
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_LINK_LATENCY], "90,500,500", &o));
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_ENDPOINT], endpoint, &o));
    o.execution.quiet = true;
    o.machine.kind = ACE_ALL_REDUCE;
    o.execution.unfolded = unfolded;
    EXPECT_EQ(setup_check(&o), EXIT_OK);
    EXPECT_EQ(setup_make(&o), EXIT_OK);
    fabric_work work{};
    work.period[2] = classes;
    fabric_observer watch{};
    watch.self = &n;
    watch.after_window = [](void *self, uint64_t) { static_cast<Nodes *>(self)->windows++; };
    const fabric_watch by{ &watch, 1, nullptr };
    EXPECT_EQ(fabric_create(&o.machine, &o.execution, &work, &by, &n.f), EXIT_OK);
    n.dims = dims;
    n.begun.resize(fabric_representatives(n.f));
    n.over.resize(fabric_representatives(n.f));
    driver d{};
    d.self = &n;
    d.completed = [](void *self, unsigned node, const ace_completion *c) {
        auto *of = static_cast<Nodes *>(self);
        of->over[node] = 1;
        of->last = std::max(of->last, c->cycle);
    };
    d.act = [](void *self, unsigned node, uint64_t now, uint64_t *reaction) {
        return static_cast<Nodes *>(self)->act(node, now, reaction);
    };
    d.finished = [](void *self, unsigned node) {
        return static_cast<Nodes *>(self)->over[node] != 0;
    };
    d.progress = [](void *) { return 0.; };
    d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "all-reduce"); };
    d.state = [](void *, ace_state *) {};
    EXPECT_EQ(fabric_run(n.f, &d, 0), EXIT_OK);
    EXPECT_EQ(fabric_check_bytes(n.f), EXIT_OK);
    EXPECT_EQ(fabric_destroy(n.f), EXIT_OK);
    machine_free(&o.machine);
    return n;
}

TEST(Windows, AreAsLongAsLinksBetweenTheSimulated) {
    for (const char *endpoint : { "ace", "comm-opt" }) {
        for (const unsigned dims : { 1u, 3u }) { // x alone, and all
            const Nodes all = run(endpoint, dims, 1, true), four = run(endpoint, dims, 4, false),
                        one = run(endpoint, dims, 1, false);

            ASSERT_EQ(all.over.size(), 32u);
            ASSERT_EQ(four.over.size(), 4u); // along z
            ASSERT_EQ(one.over.size(), 1u);
            EXPECT_EQ(four.last, all.last) << endpoint << ", " << dims;
            EXPECT_EQ(one.last, all.last) << endpoint << ", " << dims;
            EXPECT_GE(all.windows, all.last / SHORT / 2); // without those in which all rest
            EXPECT_LE(four.windows, all.last / LONG + 2) << endpoint << ", " << dims;
        }
    }
}

} // namespace
