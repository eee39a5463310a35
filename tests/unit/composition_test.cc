/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What collectives are made of, carried out without time: lists by moving rows between memories and
 * counting them, steps on rings by their reference.  The result is that of MPI, each row is
 * received once and under a key of its way, and the links carry what the closed form says.
 */
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <numeric>
#include <set>
#include <tuple>
#include <vector>

#include "ace_command.h"
#include "ace_composition.h"
#include "ace_core.h"
#include "ace_node.h"
#include "ace_plan.h"
#include "ace_reference.h"

namespace {

constexpr uint64_t AT = 1 << 18; /* the destination; the source is at 0 */
using Ring = std::vector<unsigned>;

ace_config make_config(const Ring &ring, unsigned chunk_rows) {
    ace_config c{};
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        c.ring[d] = static_cast<uint16_t>(d < ring.size() ? ring[d] : 1);
    c.chunk_rows = static_cast<uint16_t>(chunk_rows);
    return c;
}

struct Cluster {
    ace_config config;
    ace_command command{};
    std::vector<uint64_t> counts;
    unsigned nodes;
    std::vector<std::vector<uint8_t>> memory; /* source and destination */
    std::vector<std::map<uint8_t, uint64_t>> counted;
    std::vector<std::map<uint8_t, std::pair<unsigned, uint32_t>>> way; /* of each key: one */
    std::vector<std::vector<uint64_t>> carried;                        /* bytes, by node and link */
    std::vector<ace_composition> made;

    Cluster(const Ring &ring, unsigned chunk_rows) : config(make_config(ring, chunk_rows)) {
        nodes = 1;
        for (const unsigned n : ring) nodes *= n;
        command.dim_count = static_cast<uint8_t>(ring.size());
        for (uint8_t d = 0; d < ACE_DIMENSIONS; d++) command.dims[d] = d;
        command.destination = AT;
        counted.resize(nodes);
        way.resize(nodes);
        carried.assign(nodes, std::vector<uint64_t>(ACE_LINKS));
    }
    ~Cluster() {
        for (ace_composition &p : made) ace_composition_free(&p);
    }
    ace_config at(unsigned node) const {
        ace_config c = config;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c.rank[d] = static_cast<uint16_t>(node % c.ring[d]);
            node /= c.ring[d];
        }
        return c;
    }
    unsigned number(const unsigned rank[ACE_DIMENSIONS]) const {
        unsigned n = 0;
        for (unsigned d = ACE_DIMENSIONS; d-- > 0;) n = n * config.ring[d] + rank[d];
        return n;
    }
    /* Hop by hop; what each link carries is counted. */
    unsigned travel(unsigned node, uint32_t hops) {
        const ace_config c = at(node);
        unsigned rank[] = { c.rank[0], c.rank[1], c.rank[2], c.rank[3] };
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const bool down = hops >> (8 * d + 7) & 1;
            EXPECT_LE(2 * (hops >> 8 * d & 127), c.ring[d]) << "the longer way round";
            for (unsigned left = hops >> 8 * d & 127; left > 0; left--) {
                carried[number(rank)][2 * d + down] += ACE_ROW_BYTES;
                rank[d] = (rank[d] + (down ? c.ring[d] - 1u : 1u)) % c.ring[d];
            }
        }
        return number(rank);
    }
    void fill() {
        memory.assign(nodes, std::vector<uint8_t>(2 * AT));
        for (unsigned i = 0; i < nodes; i++)
            for (uint64_t b = 0; b < command.bytes; b += 4) { /* whole numbers add exactly */
                const float v = static_cast<float>((i * 7 + b / 4 * 3) % 50);
                std::memcpy(&memory[i][b], &v, 4);
            }
    }
    void compose() {
        command.counts = counts.empty() ? nullptr : counts.data();
        made.resize(nodes);
        for (unsigned i = 0; i < nodes; i++) {
            const ace_config c = at(i);
            ASSERT_EQ(ace_composition_check(&command, &c), ACE_OK);
            ASSERT_EQ(ace_compose(&command, &c, &made[i]), ACE_OK);
            ASSERT_EQ(made[i].steps, made[0].steps);
        }
    }
    std::vector<ace_list_item> items(unsigned node) const {
        std::vector<ace_list_item> all(made[node].list_bytes / ACE_LIST_ITEM_BYTES);
        for (size_t i = 0; i < all.size(); i++)
            ace_list_item_read(made[node].list + 8 * i, &all[i]);
        return all;
    }
    void send(unsigned node, const ace_list_item &item) {
        for (uint64_t k = 0; k < ace_list_item_rows(&item); k++) {
            const uint64_t row = item.piece ? k / item.piece * item.gap + k : k;
            const uint64_t left = item.bytes - k * ACE_ROW_BYTES;
            const unsigned to = travel(node, item.hops);
            std::memcpy(&memory[to][(item.target + row) * ACE_ROW_BYTES],
                        &memory[node][(item.source + row) * ACE_ROW_BYTES],
                        left < ACE_ROW_BYTES ? left : ACE_ROW_BYTES);
            counted[to][item.key]++;
            const auto mine = std::make_pair(node, item.hops);
            const auto [first, fresh] = way[to].insert({ item.key, mine });
            EXPECT_TRUE(fresh || first->second == mine) << "two ways under one key";
        }
    }
    void run() {
        for (unsigned s = 0; s < made[0].steps; s++) {
            if (made[0].step[s].kind == ACE_LIST) {
                for (unsigned i = 0; i < nodes; i++)
                    for (const ace_list_item &item : items(i))
                        if (item.what == ACE_LIST_SEND) send(i, item);
                for (unsigned i = 0; i < nodes; i++)
                    for (const ace_list_item &item : items(i))
                        if (item.what == ACE_LIST_RECEIVE) counted[i][item.key] -= item.rows;
                for (const auto &c : counted)
                    for (const auto &[key, rows] : c) EXPECT_EQ(rows, 0u) << "key " << +key;
                continue;
            }
            std::vector<const uint8_t *> in;
            std::vector<uint8_t *> out;
            std::vector<std::vector<uint8_t>> from = memory;
            for (unsigned i = 0; i < nodes; i++) {
                in.push_back(&from[i][made[i].step[s].source]);
                out.push_back(&memory[i][made[i].step[s].destination]);
            }
            ASSERT_EQ(ace_reference_collective(&made[0].step[s], &config, in.data(), out.data()),
                      ACE_OK);
        }
    }
    void expect_reference(const std::vector<std::vector<uint8_t>> &before) {
        std::vector<std::vector<uint8_t>> want = before;
        std::vector<const uint8_t *> in;
        std::vector<uint8_t *> out;
        for (unsigned i = 0; i < nodes; i++) {
            in.push_back(before[i].data());
            out.push_back(&want[i][AT]);
        }
        ASSERT_EQ(ace_reference_collective(&command, &config, in.data(), out.data()), ACE_OK);
        for (unsigned i = 0; i < nodes; i++) EXPECT_EQ(memory[i], want[i]) << "node " << i;
    }
    /* Checks the bytes of lists only, because rings carry more. */
    void expect_bytes() {
        for (unsigned i = 0; i < nodes; i++) {
            const ace_config c = at(i);
            uint64_t link[ACE_CLUSTER_LINKS], sum[ACE_CLUSTER_DIMENSIONS];
            ace_command_link_bytes(&command, &c, link);
            ace_command_bytes(&command, &c, sum);
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                uint64_t ring[ACE_CLUSTER_DIMENSIONS] = {};
                for (unsigned s = 0; s < made[i].steps; s++)
                    if (made[i].step[s].kind != ACE_LIST)
                        ace_plan_bytes(&made[i].step[s], &c, ring);
                EXPECT_EQ(sum[d], carried[i][2 * d] + carried[i][2 * d + 1] + ring[d])
                    << "node " << i << " dimension " << d;
                EXPECT_EQ(sum[d], link[2 * d] + link[2 * d + 1]);
                if (ring[d]) continue;
                EXPECT_EQ(link[2 * d], carried[i][2 * d]);
                EXPECT_EQ(link[2 * d + 1], carried[i][2 * d + 1]);
            }
        }
    }
};

const std::vector<Ring> tori = { { 1, 1, 1 }, { 2, 1, 1 }, { 3, 1, 1 },   { 5, 1, 1 },
                                 { 2, 3, 1 }, { 4, 2, 2 }, { 1, 8, 1 },   { 3, 2, 3 },
                                 { 9, 1, 2 }, { 4, 4, 1 }, { 2, 3, 1, 2 } };

class Composition : public testing::TestWithParam<ace_kind> {};

/* Every size on every torus.  Chunk sizes rotate, so each vector size meets each chunk size. */
TEST_P(Composition, IsTheCollective) {
    static const unsigned chunks[] = { 7, 64, 256 };
    unsigned tried = 0;
    for (const Ring &ring : tori)
        for (const uint64_t bytes : { 4, 256, 260, 4092, 4096, 30000, 66560, 100004 }) {
            const unsigned chunk = bytes > 50000 ? chunks[0] : chunks[tried % 3];
            tried++;
            Cluster t(ring, chunk);
            SCOPED_TRACE(testing::Message() << ring[0] << "x" << ring[1] << "x" << ring[2] << ", "
                                            << bytes << " bytes, chunks of " << chunk);
            t.command.kind = GetParam();
            t.command.bytes = bytes;
            t.command.root = static_cast<uint16_t>(bytes / 4 % t.nodes);
            if (GetParam() == ACE_SEND) t.command.peer = static_cast<uint16_t>(bytes / 3 % t.nodes);
            for (unsigned i = 0; GetParam() == ACE_ALL_TO_ALL_V && i < t.nodes * t.nodes; i++)
                t.counts.push_back(i % 3 ? i * 97 % (bytes / t.nodes / 256 * 256 + 1) : 0);
            t.compose();
            t.fill();
            const auto before = t.memory;
            t.run();
            t.expect_reference(before);
            t.expect_bytes();
            if (testing::Test::HasFailure()) return;
        }
}

/* The rows of a vector reach every member of the group once, over each order of dimensions. */
TEST(Composition, WorksInGroups) {
    for (const std::vector<uint8_t> &dims :
         { std::vector<uint8_t>{}, { 1 }, { 2, 0 }, { 1, 2 }, { 2, 1, 0 } })
        for (const ace_kind kind : { ACE_BROADCAST, ACE_REDUCE, ACE_GATHER, ACE_SCATTER }) {
            Cluster t({ 3, 2, 4 }, 16);
            t.command.kind = kind;
            t.command.bytes = 50000;
            t.command.dim_count = static_cast<uint8_t>(dims.size());
            std::copy(dims.begin(), dims.end(), t.command.dims);
            t.command.root = static_cast<uint16_t>(ace_plan_members(&t.command, &t.config) - 1);
            t.compose();
            t.fill();
            const auto before = t.memory;
            t.run();
            t.expect_reference(before);
            t.expect_bytes();
        }
}

/* The first hub takes a row to the receiver's x at the sender's y, the second one to the
 * receiver. */
TEST(Composition, HubsGiveTheBytesForANode) {
    Cluster t({ 4, 3 }, 64);
    t.config.hub[0] = t.config.hub[1] = true;
    for (unsigned i = 0; i < t.nodes * t.nodes; i++) t.counts.push_back(i * i * 37 % 5000);
    t.command.kind = ACE_ALL_TO_ALL_V;
    t.command.bytes = 1 << 17;
    t.command.counts = t.counts.data();
    const auto rows = [&t](unsigned a, unsigned b) {
        return (t.counts[a * t.nodes + b] + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES * ACE_ROW_BYTES;
    };
    for (unsigned node = 0; node < t.nodes; node++) {
        const unsigned x = node % 4, y = node / 4;
        const ace_config c = t.at(node);
        uint64_t link[ACE_CLUSTER_LINKS], first = 0, second = 0;
        for (unsigned a = 0; a < t.nodes; a++) {
            for (unsigned b = x; b < t.nodes && a / 4 == y && a % 4 != x; b += 4)
                first += rows(a, b);
            if (a / 4 != y) second += rows(a, node);
        }
        ace_command_hub_bytes(&t.command, &c, link);
        EXPECT_EQ(link[0] + link[1], first) << "node " << node;
        EXPECT_EQ(link[2] + link[3], second) << "node " << node;
        EXPECT_EQ(link[4] + link[5], 0u);
    }
    t.config.hub[0] = t.config.hub[1] = false;
    for (unsigned node = 0; node < t.nodes; node++) {
        const ace_config c = t.at(node);
        uint64_t link[ACE_CLUSTER_LINKS];
        ace_command_hub_bytes(&t.command, &c, link);
        for (const uint64_t bytes : link) EXPECT_EQ(bytes, 0u) << "a ring has no hub";
    }
}

/* Nobody is through a barrier before all have come to it. */
TEST(Composition, BarrierWaitsForEveryNode) {
    for (const Ring &ring : tori) {
        Cluster t(ring, 64);
        t.command.kind = ACE_BARRIER;
        t.compose();
        t.fill();
        for (unsigned late = 0; late < t.nodes; late++) {
            std::vector<size_t> place(t.nodes);
            std::vector<std::map<uint8_t, uint64_t>> rows(t.nodes);
            for (bool moved = true; moved;) {
                moved = false;
                for (unsigned i = 0; i < t.nodes; i++) {
                    const auto all = t.items(i);
                    if (i == late || place[i] == all.size()) continue;
                    const ace_list_item &item = all[place[i]];
                    if (item.what == ACE_LIST_SEND) {
                        rows[t.travel(i, item.hops)][item.key]++;
                        EXPECT_EQ(item.bytes, 0u);
                    } else if (rows[i][item.key] < item.rows) {
                        continue;
                    }
                    place[i]++;
                    moved = true;
                }
            }
            for (unsigned i = 0; i < t.nodes; i++)
                EXPECT_TRUE(place[i] < t.items(i).size() || t.nodes == 1)
                    << "node " << i << " does not wait for node " << late;
        }
    }
}

TEST(Composition, RefusesWhatThereIsNot) {
    ace_config config = make_config({ 4, 2, 2 }, 64);
    const auto legal = [&config](const ace_command &c) {
        return ace_command_check(&c, &config) == ACE_OK;
    };
    std::vector<uint64_t> counts(16 * 16, 100);
    ace_command c{};
    c.dim_count = 3;
    for (uint8_t d = 0; d < ACE_DIMENSIONS; d++) c.dims[d] = d;
    c.destination = AT;
    c.bytes = 65536;
    for (int kind = ACE_BROADCAST; kind <= ACE_ALL_TO_ALL_V; kind++) {
        c.kind = static_cast<ace_kind>(kind);
        c.counts = kind == ACE_ALL_TO_ALL_V ? counts.data() : nullptr;
        c.root = c.peer = 15;
        EXPECT_TRUE(legal(c)) << kind;
        c.root = 16;
        EXPECT_FALSE(legal(c)) << kind;
        c.root = 0;
        c.peer = 16;
        EXPECT_FALSE(legal(c)) << kind;
        c.peer = 0;
        c.tag = UINT16_MAX; /* that of a step */
        EXPECT_FALSE(legal(c)) << kind;
        c.tag = 0;
        const bool in_place = kind == ACE_BROADCAST || kind == ACE_REDUCE || kind == ACE_BARRIER;
        c.destination = 0;
        EXPECT_EQ(legal(c), in_place) << kind;
        c.destination = AT;
        c.bytes = 0;
        const bool nothing = kind == ACE_SEND || kind == ACE_BARRIER;
        EXPECT_EQ(legal(c), nothing) << kind;
        c.bytes = 65536;
    }
    c.counts = nullptr;
    EXPECT_FALSE(legal(c));
    c.counts = counts.data();
    counts[17] = 65536 - 15 * 256;
    EXPECT_TRUE(legal(c));
    counts[17]++; /* a row more than the vector has */
    EXPECT_FALSE(legal(c));
    c.kind = static_cast<ace_kind>(ACE_ALL_TO_ALL_V + 1);
    EXPECT_FALSE(legal(c));
}

/* All ways to a node have keys of their own as long as there are enough. */
TEST(Composition, KeysOfLargeTori) {
    const auto fits = [](const Ring &ring, ace_kind kind, unsigned dims) {
        const ace_config config = make_config(ring, 64);
        ace_command c{};
        c.kind = kind;
        c.bytes = 1 << 20;
        c.destination = 1 << 21;
        c.dim_count = static_cast<uint8_t>(dims);
        for (uint8_t d = 0; d < ACE_DIMENSIONS; d++) c.dims[d] = d;
        return ace_composition_check(&c, &config) == ACE_OK;
    };
    for (unsigned x = 1; x <= 128; x++)
        for (unsigned y = 1; x * y <= 128; y++)
            for (unsigned z = 1; x * y * z <= 128; z++)
                EXPECT_TRUE(fits({ x, y, z }, ACE_SCATTER, 3)) << x << "x" << y << "x" << z;
    EXPECT_TRUE(fits({ 5, 5, 9 }, ACE_GATHER, 3));
    EXPECT_TRUE(fits({ 5, 5, 1, 7 }, ACE_GATHER, 4));
    EXPECT_FALSE(fits({ 8, 8, 8 }, ACE_GATHER, 3));
    EXPECT_TRUE(fits({ 8, 8, 8 }, ACE_GATHER, 1));
    EXPECT_TRUE(fits({ 64, 64, 64 }, ACE_BARRIER, 3));
    for (const Ring &ring : { Ring{ 4, 8, 4 }, Ring{ 2, 2, 32 }, Ring{ 128, 1, 1 } }) {
        Cluster t(ring, 64);
        t.command.kind = ACE_ALL_TO_ALL_V;
        t.command.bytes = 1 << 17;
        t.counts.assign(t.nodes * t.nodes, 600);
        t.compose();
        t.fill();
        t.run(); /* finds two ways under one key */
    }
}

std::string name_of(const testing::TestParamInfo<ace_kind> &info) {
    const char *const names[] = { "broadcast", "reduce",  "gather",      "scatter",
                                  "send",      "barrier", "all_to_all_v" };
    return names[info.param - ACE_BROADCAST];
}
INSTANTIATE_TEST_SUITE_P(Kinds, Composition,
                         testing::Values(ACE_BROADCAST, ACE_REDUCE, ACE_GATHER, ACE_SCATTER,
                                         ACE_SEND, ACE_ALL_TO_ALL_V),
                         name_of);

} // namespace
