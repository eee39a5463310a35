// SPDX-License-Identifier: Apache-2.0
/*
 * Two collectives at a time on the twin's nodes: how long each one takes, with classes of commands
 * and with a share of the links, and without.
 *
 * The tests print a line for each run.  Shares are compared with the configured weights.  The times
 * of a collective that runs alone come from runs of the same configuration.
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <vector>

extern "C" {
#include "exit_status.h"
#include "fabric.h"
#include "setup.h"
#include "setup_fields.h"
}

namespace {

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB;
constexpr uint64_t LATE = 50000;  // cycle in which the small collective starts
constexpr uint16_t FIRST_TAG = 2; // of class 1

struct Work {
    uint64_t cycle; // in which every node submits it
    ace_kind kind;
    uint64_t bytes;
    uint16_t tag; // its class, by FIRST_TAG
};

/* What ace_config shares. */
struct Shares {
    unsigned window = 0, weight_0 = 0, weight_1 = 0, routed_rows = 0;
};

/* The work of all nodes, and the cycle in which each part of it has ended at the last node. */
struct Nodes {
    fabric *f = nullptr;
    const std::vector<Work> *work;
    std::vector<size_t> begun, over; // a node
    std::vector<uint64_t> end;

    uint64_t act(unsigned node, uint64_t now, uint64_t *reaction) {
        *reaction = UINT64_MAX;
        for (; begun[node] < work->size(); begun[node]++) {
            const Work &w = (*work)[begun[node]];
            if (w.cycle > now) return w.cycle;
            ace_command c{};
            c.kind = w.kind;
            for (uint8_t d = 0; d < 3; d++) c.dims[c.dim_count++] = d;
            c.bytes = w.bytes;
            c.tag = w.tag;
            c.source = uint64_t{ begun[node] } << 32;
            c.destination = c.source + (uint64_t{ 1 } << 31);
            EXPECT_EQ(fabric_submit(f, node, &c, now), ACE_OK);
        }
        return UINT64_MAX;
    }
    void completed(unsigned node, const ace_completion *c) {
        over[node]++;
        for (size_t i = 0; i < work->size(); i++)
            if ((*work)[i].tag == c->tag) end[i] = std::max(end[i], c->cycle);
    }
};

struct Setting {
    const char *topology, *order;
};

/* Returns the cycle in which each part of the work ends. */
std::vector<uint64_t> run(const Setting &of, const std::vector<Work> &work, const Shares &s) {
    setup o;
    Nodes n;

    setup_initial(&o);
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_TOPOLOGY], of.topology, &o));
    EXPECT_TRUE(setup_take(&setup_fields[SETUP_ORDER], of.order, &o));
    o.execution.quiet = true;
    o.machine.kind = ACE_ALL_REDUCE;
    for (const Work &w : work)
        if (w.kind == ACE_ALL_TO_ALL) o.machine.kind = w.kind;
    EXPECT_EQ(setup_check(&o), EXIT_OK);
    EXPECT_EQ(setup_make(&o), EXIT_OK);
    ace_config &c = o.machine.config;
    c.class_tag = FIRST_TAG;
    c.class_weight[0] = static_cast<uint8_t>(s.weight_0);
    c.class_weight[1] = static_cast<uint8_t>(s.weight_1);
    if (!s.weight_1) c.class_tag = 0;
    c.chunk_window = static_cast<uint8_t>(s.window);
    c.routed_rows = static_cast<uint8_t>(s.routed_rows);
    const fabric_work whole{};
    const fabric_watch nobody{ nullptr, 0, nullptr };
    EXPECT_EQ(fabric_create(&o.machine, &o.execution, &whole, &nobody, &n.f), EXIT_OK);
    n.work = &work;
    n.begun.resize(fabric_representatives(n.f));
    n.over.resize(fabric_representatives(n.f));
    n.end.resize(work.size());
    driver d{};
    d.self = &n;
    d.completed = [](void *self, unsigned node, const ace_completion *done) {
        static_cast<Nodes *>(self)->completed(node, done);
    };
    d.act = [](void *self, unsigned node, uint64_t now, uint64_t *reaction) {
        return static_cast<Nodes *>(self)->act(node, now, reaction);
    };
    d.finished = [](void *self, unsigned node) {
        return static_cast<Nodes *>(self)->over[node] == static_cast<Nodes *>(self)->work->size();
    };
    d.progress = [](void *) { return 0.; };
    d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "collective"); };
    d.state = [](void *, ace_state *) {};
    EXPECT_EQ(fabric_run(n.f, &d, 0), EXIT_OK);
    EXPECT_EQ(fabric_check_bytes(n.f), EXIT_OK);
    EXPECT_EQ(fabric_destroy(n.f), EXIT_OK);
    machine_free(&o.machine);
    return n.end;
}

const char *name_of(ace_kind kind) { return kind == ACE_ALL_REDUCE ? "all-reduce" : "all-to-all"; }

/* Slowdowns: times next to the other collective, divided by times alone without shares. */
struct Slowdown {
    double small, large;
};

Slowdown both(const Setting &of, ace_kind large, const Shares &s) {
    const Work small{ LATE, ACE_ALL_REDUCE, 16 * KiB, FIRST_TAG };
    const Work big{ 0, large, 16 * MiB, 1 };
    const uint64_t small_alone = run(of, { small }, {})[0] - LATE;
    const uint64_t big_alone = run(of, { big }, {})[0];
    const std::vector<uint64_t> end = run(of, { big, small }, s);
    const Slowdown slow{ double(end[1] - LATE) / double(small_alone),
                         double(end[0]) / double(big_alone) };

    printf("%s %-6s beside %s, window %2u, weights %u:%u, routed rows %u: small %6" PRIu64
           " of %5" PRIu64 " cycles, x %.2f; large x %.3f\n",
           of.topology, of.order, name_of(large), s.window, s.weight_0, s.weight_1, s.routed_rows,
           end[1] - LATE, small_alone, slow.small, slow.large);
    return slow;
}

constexpr Setting settings[] = {
    { "4x2x2", "lifo" }, { "4x2x2", "agreed" }, { "4x4x4", "lifo" }, { "4x4x4", "agreed" }
};

// The window is what keeps the links of y and z busy.
TEST(Fairness, SmallBesideALargeAllReduce) {
    for (const Setting &of : settings) {
        const unsigned window = of.topology[2] == '2' ? 12 : 20;
        const Slowdown without = both(of, ACE_ALL_REDUCE, {});
        const Slowdown with = both(of, ACE_ALL_REDUCE, { window, 1, 1, 0 });

        EXPECT_GT(without.small, 4);
        EXPECT_LT(with.small, without.small / 2);
        EXPECT_LT(with.small, of.order[0] == 'l' ? 1.5 : 3.5);
        EXPECT_LT(with.large, 1.02);
    }
}

TEST(Fairness, SmallBesideALargeAllToAll) {
    for (const Setting &of : settings) {
        const Slowdown without = both(of, ACE_ALL_TO_ALL, {});
        const Slowdown with = both(of, ACE_ALL_TO_ALL, { 0, 0, 0, 3 });

        EXPECT_GT(without.small, 25);
        EXPECT_LT(with.small, 1.5);
        EXPECT_LT(with.large, 1.002);
    }
}

/* Two all-reduces of equal size at a time.  After the first one has ended the other has the engine
 * alone, and needs as much of the time alone as it has of its bytes left. */
double share_of_class_1(const Setting &of, unsigned weight_0, unsigned weight_1) {
    const Work one{ 0, ACE_ALL_REDUCE, 64 * MiB, 1 },
        other{ 0, ACE_ALL_REDUCE, 64 * MiB, FIRST_TAG };
    const Shares s{ 24, weight_0, weight_1, 0 };
    const double alone = double(run(of, { one }, s)[0]);
    const std::vector<uint64_t> end = run(of, { one, other }, s);
    const double first = double(std::min(end[0], end[1])), last = double(std::max(end[0], end[1]));
    const double done = 1 - (last - first) / alone; /* of the other, when the first ends */
    const double larger = 1 / (1 + done);

    return end[1] < end[0] ? larger : 1 - larger;
}

TEST(Fairness, SharesAreTheWeights) {
    for (const Setting &of : { settings[0], settings[2] })
        for (const unsigned w : { 1u, 3u, 7u }) {
            const double up = share_of_class_1(of, 1, w), down = share_of_class_1(of, w, 1);
            const double fair = w / (1. + w);

            printf(
                "%s: weights 1:%u, share of class 1 %.3f of %.3f; weights %u:1, share of class 0 "
                "%.3f\n",
                of.topology, w, up, fair, w, 1 - down);
            EXPECT_NEAR(up, fair, 0.03 * fair);
            EXPECT_NEAR(1 - down, fair, 0.03 * fair);
        }
}

} // namespace
