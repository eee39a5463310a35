// SPDX-License-Identifier: Apache-2.0
/*
 * fold_torus: the coarsest division of a torus that keeps colours and neighbours.
 *
 * On a torus it is the division by the translations that keep all colours: these are
 * counted here by trying every one, but for those along a dimension that are no multiple of its
 * period.
 */
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <utility>
#include <vector>

extern "C" {
#include "fold.h"
}

namespace {

struct Torus {
    uint16_t ring[ACE_CLUSTER_DIMENSIONS];
    uint16_t period[ACE_CLUSTER_DIMENSIONS] = { 1, 1, 1, 1, 1, 1 };
    unsigned nodes() const {
        unsigned all = 1;
        for (const unsigned n : ring) all *= n;
        return all;
    }
    bool within(unsigned by) const { /* leaves ranks within their periods as they are */
        bool all = true;
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; by /= ring[d++])
            all &= by % ring[d] % period[d] == 0;
        return all;
    }
    unsigned moved(unsigned node, unsigned by) const {
        unsigned to = 0, stride = 1;
        for (const unsigned n : ring) {
            to += (node % n + by % n) % n * stride;
            node /= n;
            by /= n;
            stride *= n;
        }
        return to;
    }
};

/* Node i's class: the nodes some colour-keeping translation brings it to. */
unsigned classes_by_translation(const Torus &t, const std::vector<uint32_t> &colour,
                                std::vector<uint32_t> &first) {
    const unsigned n = t.nodes();
    unsigned classes = 0;
    first.assign(n, UINT32_MAX);
    std::vector<unsigned> keeps;
    for (unsigned by = 0; by < n; by++) {
        bool same = t.within(by);
        for (unsigned i = 0; i < n && same; i++) same = colour[t.moved(i, by)] == colour[i];
        if (same) keeps.push_back(by);
    }
    for (unsigned i = 0; i < n; i++) {
        if (first[i] != UINT32_MAX) continue;
        classes++;
        for (const unsigned by : keeps) first[t.moved(i, by)] = i;
    }
    return classes;
}

// Four dimensions of up to six nodes; every eighth time six of up to two.
void draw(Torus &t, std::mt19937 &random, unsigned round) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        t.ring[d] = static_cast<uint16_t>(round % 8 == 0       ? 1 + random() % 2
                                          : d < ACE_DIMENSIONS ? 1 + random() % 6
                                                               : 1);
}

TEST(Fold, EqualsTheTranslationsThatKeepColours) {
    std::mt19937 random(7);
    unsigned folded = 0;
    for (unsigned round = 0; round < 400; round++) {
        Torus t;
        draw(t, random, round);
        if (round % 4) t.ring[3] = 1; /* small enough for all translations */
        if (t.ring[3] > 1) t.ring[random() % 3] = 1;
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS;
             d++) { /* none, all, or what divides the ring */
            const uint16_t p = static_cast<uint16_t>(1 + random() % t.ring[d]);
            if (round % 3 == 0 && t.ring[d] % p == 0) t.period[d] = p;
        }
        const unsigned n = t.nodes();
        /* colours that repeat: a small pattern laid over the torus, now and then broken */
        uint16_t period[ACE_CLUSTER_DIMENSIONS];
        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            period[d] = static_cast<uint16_t>(1 + random() % t.ring[d]);
            if (t.ring[d] % period[d]) period[d] = t.ring[d];
        }
        std::vector<uint32_t> pattern(6 * 6 * 6 * 6 * 6 * 6), colour(n), first;
        for (uint32_t &c : pattern) c = random() % 3;
        for (unsigned i = 0; i < n; i++) {
            unsigned place = 0, rest = i, stride = 1;
            for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; rest /= t.ring[d++], stride *= 6)
                place += rest % t.ring[d] % period[d] * stride;
            colour[i] = pattern[place];
        }
        if (round % 4 == 0) colour[random() % n] = 9;
        std::vector<uint32_t> class_of = colour;
        unsigned classes = 0;
        ASSERT_TRUE(fold_torus(t.ring, t.period, FOLD_PORTS, n, class_of.data(), &classes));
        ASSERT_EQ(classes, classes_by_translation(t, colour, first)) << "round " << round;
        folded += classes < n;
        for (unsigned i = 0; i < n; i++) {
            ASSERT_EQ(class_of[i], class_of[first[i]]);
            ASSERT_LE(class_of[i], i);
        }
    }
    EXPECT_GT(folded, 100u);
}

/* Finds the coarsest division that keeps colours and, on each ring, the set of classes. It splits
 * one class at a time while a class has two nodes that differ. */
unsigned classes_by_rings(const Torus &t, std::vector<uint32_t> &class_of) {
    using Sight = std::pair<uint32_t, std::vector<std::set<uint32_t>>>;
    const unsigned n = t.nodes();

    for (size_t before = 0;;) {
        std::map<Sight, uint32_t> seen;
        std::vector<uint32_t> next(n);
        for (unsigned i = 0; i < n; i++) {
            Sight sight{ class_of[i], {} };
            unsigned stride = 1;
            for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; stride *= t.ring[d++]) {
                std::set<uint32_t> on;
                for (unsigned k = 0; k < t.ring[d]; k++)
                    on.insert(class_of[t.moved(i, k * stride)]);
                sight.second.push_back(on);
            }
            if (!before) sight.second.clear(); /* colours and ranks first */
            next[i] = seen.emplace(sight, seen.size()).first->second;
        }
        class_of = next;
        if (seen.size() == before) return static_cast<unsigned>(before);
        before = seen.size();
    }
}

TEST(Fold, WhereNodesMeetOnRingsEqualsTheSetsOfClassesOnThem) {
    std::mt19937 random(11);
    unsigned folded = 0;
    for (unsigned round = 0; round < 200; round++) {
        Torus t;
        draw(t, random, round);
        if (t.ring[3] > 1) t.ring[random() % 3] = 1;
        const unsigned n = t.nodes();
        std::vector<uint32_t> colour(n);
        for (unsigned k = random() % 5; k > 0; k--) colour[random() % n] = random() % 3;
        std::vector<uint32_t> class_of = colour, other = colour;
        unsigned classes = 0;
        ASSERT_TRUE(fold_torus(t.ring, t.period, FOLD_RINGS, n, class_of.data(), &classes));
        ASSERT_EQ(classes, classes_by_rings(t, other)) << "round " << round;
        ASSERT_EQ(class_of, other); /* both numbered by their first nodes */
        std::vector<uint32_t> ports = colour;
        unsigned by_ports = 0;
        ASSERT_TRUE(fold_torus(t.ring, t.period, FOLD_PORTS, n, ports.data(), &by_ports));
        EXPECT_LE(classes, by_ports);
        folded += classes < by_ports;
        for (unsigned i = 0; i < n;
             i++) /* on a ring it comes around to itself, over each class once */
            for (unsigned link = 0; link < ACE_LINKS; link++) {
                std::set<uint32_t> on;
                unsigned stride = 1;
                for (unsigned d = 0; d < link / 2; d++) stride *= t.ring[d];
                for (unsigned k = 0; k < t.ring[link / 2]; k++)
                    on.insert(class_of[t.moved(i, k * stride)]);
                unsigned at = i;
                for (size_t k = 0; k < on.size(); k++) {
                    const uint32_t next = fold_neighbour(t.ring, class_of.data(), at, link);
                    ASSERT_TRUE(on.count(next));
                    for (unsigned m = 0; m < t.ring[link / 2] && class_of[at] != next; m++)
                        at = t.moved(at, stride);
                    ASSERT_EQ(class_of[at], next);
                }
                ASSERT_EQ(class_of[at], class_of[i]);
            }
    }
    EXPECT_GT(folded, 50u);
}

TEST(Fold, NeighboursAreEachOthersOpposite) {
    const uint16_t ring[ACE_CLUSTER_DIMENSIONS] = { 5, 2, 3, 2, 2, 3 };
    for (unsigned i = 0; i < 60; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++)
            EXPECT_EQ(torus_neighbour(ring, torus_neighbour(ring, i, l), l ^ 1), i);
    std::vector<uint32_t> each(60);
    std::iota(each.begin(), each.end(), 0);
    for (unsigned i = 0; i < 60; i++)
        for (unsigned l = 0; l < ACE_LINKS; l++)
            EXPECT_EQ(fold_neighbour(ring, each.data(), i, l), torus_neighbour(ring, i, l));
    EXPECT_EQ(torus_neighbour(ring, 0, 0), 1u);
    EXPECT_EQ(torus_neighbour(ring, 0, 1), 4u);
    EXPECT_EQ(torus_neighbour(ring, 0, 4), 10u);
    EXPECT_EQ(torus_neighbour(ring, 0, 6), 30u);
}

} // namespace
