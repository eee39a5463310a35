// SPDX-License-Identifier: Apache-2.0
// plan_test.cc -- plans against their closed forms, the reference against plain sums
#include <gtest/gtest.h>

#include <cstring>
#include <vector>

#include "ace_composition.h"
#include "ace_memory.h"
#include "ace_node.h"
#include "ace_plan.h"
#include "ace_reference.h"

namespace {

ace_config config(uint16_t x, uint16_t y, uint16_t z, uint16_t chunk_rows) {
    ace_config c = {};
    c.ring[0] = x;
    c.ring[1] = y;
    c.ring[2] = z;
    c.ring[3] = 1;
    c.chunk_rows = chunk_rows;
    return c;
}

ace_command command(ace_kind kind, std::vector<uint8_t> dims, uint64_t bytes) {
    ace_command c = {};
    c.kind = kind;
    c.dim_count = static_cast<uint8_t>(dims.size());
    for (size_t i = 0; i < dims.size(); i++) c.dims[i] = dims[i];
    c.bytes = bytes;
    return c;
}

unsigned nodes(const ace_config &c) { return c.ring[0] * c.ring[1] * c.ring[2] * c.ring[3]; }

ace_config at_node(ace_config c, unsigned i) {
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        c.rank[d] = static_cast<uint16_t>(i % c.ring[d]);
        i /= c.ring[d];
    }
    return c;
}

// An engine's phases are the last phases of a cluster; this is the first one.
const int FIRST = ACE_CLUSTER_PHASES - ACE_PHASES;

TEST(Plan, AllReduceOnThreeDimensions) {
    const ace_config cfg = config(4, 4, 4, 256);
    const ace_command c = command(ACE_ALL_REDUCE, { 0, 1, 2 }, 65536);
    ace_chunk_plan p;
    ace_plan_chunk(&c, &cfg, 0, &p);
    const ace_phase_kind kinds[] = { ACE_PHASE_REDUCE_SCATTER, ACE_PHASE_ALL_REDUCE,
                                     ACE_PHASE_ALL_REDUCE, ACE_PHASE_ALL_GATHER };
    const uint8_t dims[] = { 0, 1, 2, 0 };
    const uint16_t shards[] = { 64, 16, 16, 64 };
    EXPECT_EQ(p.phase[FIRST + 0].kind, ACE_PHASE_NONE);
    for (int i = 0; i < 4; i++) {
        const ace_phase &phase = p.phase[FIRST + i + 1];
        EXPECT_EQ(phase.kind, kinds[i]) << i;
        EXPECT_EQ(phase.dim, dims[i]) << i;
        EXPECT_EQ(phase.ring, 4) << i;
        EXPECT_EQ(phase.shard_rows, shards[i]) << i;
    }
    EXPECT_EQ(p.load_rows, 256);
    EXPECT_EQ(p.store_rows, 256);
}

TEST(Plan, DropsDimensionsOfOneAndAlignsRight) {
    const ace_config cfg = config(1, 4, 2, 64);
    const ace_command c = command(ACE_ALL_REDUCE, { 0, 2, 1 }, 64 * 256 + 1);
    ace_chunk_plan p;
    EXPECT_EQ(ace_plan_chunks(&c, &cfg), 2U);
    ace_plan_chunk(&c, &cfg, 1, &p);
    EXPECT_EQ(p.rows, 1);
    EXPECT_EQ(p.load_offset, 64U * 256);
    EXPECT_EQ(p.phase[FIRST + 1].kind, ACE_PHASE_NONE);
    EXPECT_EQ(p.phase[FIRST + 2].kind, ACE_PHASE_REDUCE_SCATTER);
    EXPECT_EQ(p.phase[FIRST + 2].dim, 2);
    EXPECT_EQ(p.phase[FIRST + 3].kind, ACE_PHASE_ALL_REDUCE);
    EXPECT_EQ(p.phase[FIRST + 3].dim, 1);
    EXPECT_EQ(p.phase[FIRST + 4].kind, ACE_PHASE_ALL_GATHER);
    EXPECT_EQ(p.phase[FIRST + 4].dim, 2);
    const ace_command alone = command(ACE_ALL_REDUCE, { 0, 1 }, 256);
    ace_plan_chunk(&alone, &cfg, 0, &p);
    EXPECT_EQ(p.phase[FIRST + 3].kind, ACE_PHASE_NONE);
    EXPECT_EQ(p.phase[FIRST + 4].kind, ACE_PHASE_ALL_REDUCE);
}

TEST(Plan, BytesAreTheClosedForm) {
    const uint8_t sizes[][3] = { { 4, 2, 2 }, { 4, 4, 2 }, { 4, 4, 4 }, { 4, 8, 4 } };
    const double sent[] = { 2.0, 2.125, 2.25, 2.3125 };
    for (int i = 0; i < 4; i++) {
        const ace_config cfg = config(sizes[i][0], sizes[i][1], sizes[i][2], 256);
        const uint64_t n = 1 << 24;
        const ace_command c = command(ACE_ALL_REDUCE, { 0, 1, 2 }, n);
        uint64_t b[ACE_CLUSTER_DIMENSIONS];
        ace_plan_bytes(&c, &cfg, b);
        EXPECT_EQ(static_cast<double>(b[0] + b[1] + b[2]), sent[i] * static_cast<double>(n));
    }
}

// Every row of every node walks to its destination, dimension by dimension, the shorter way round.
// It is counted at each node that sends it on a link. To the node halfway round, the even rows of a
// block go up and the odd ones down (ace_exchange.v).
std::vector<std::vector<uint64_t>> walk_all_to_all(const ace_command &c, const ace_config &cfg) {
    std::vector<std::vector<uint64_t>> sent(nodes(cfg), std::vector<uint64_t>(ACE_LINKS));
    const auto listed = [&c](unsigned d) {
        for (unsigned i = 0; i < c.dim_count; i++)
            if (c.dims[i] == d) return true;
        return false;
    };
    const auto members_of = [&](unsigned from) {
        std::vector<unsigned> members;
        const ace_config a = at_node(cfg, from);
        for (unsigned to = 0; to < nodes(cfg); to++) {
            const ace_config b = at_node(cfg, to);
            bool peer = true;
            for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
                peer = peer && (listed(d) || a.rank[d] == b.rank[d]);
            if (peer) members.push_back(to);
        }
        return members;
    };
    for (unsigned from = 0; from < nodes(cfg); from++) {
        const std::vector<unsigned> members = members_of(from);
        const uint64_t block = (c.bytes + members.size() - 1) / members.size();
        for (const unsigned to : members)
            for (uint64_t row = 0; row * ACE_ROW_BYTES < block; row++) {
                unsigned at = from, stride = 1;
                for (unsigned d = 0; d < ACE_DIMENSIONS; stride *= cfg.ring[d++]) {
                    const unsigned ring = cfg.ring[d], goal = at_node(cfg, to).rank[d];
                    const unsigned up = (goal + ring - at / stride % ring) % ring, down = ring - up;
                    const bool goes_up = up < down || (up == down && row % 2 == 0);
                    const unsigned step = goes_up ? 1 : ring - 1;
                    while (at / stride % ring != goal) {
                        sent[at][2 * d + !goes_up]++;
                        const unsigned rank = at / stride % ring;
                        at += ((rank + step) % ring - rank) * stride;
                    }
                }
                EXPECT_EQ(at, to);
            }
    }
    return sent;
}

TEST(Plan, AllToAllsPutOnLinksWhatEveryWalkDoes) {
    const uint8_t sizes[][3] = { { 4, 2, 2 }, { 3, 5, 2 }, { 1, 6, 1 },
                                 { 8, 1, 4 }, { 7, 1, 4 }, { 1, 1, 1 } };
    const std::vector<std::vector<uint8_t>> dims = { { 0, 1, 2 }, { 2, 0 }, { 1 }, {} };
    for (const auto &size : sizes)
        for (const auto &over : dims)
            for (const uint64_t bytes : { 1U, 256U * 60, 100001U }) {
                const ace_config cfg = config(size[0], size[1], size[2], 64);
                const ace_command c = command(ACE_ALL_TO_ALL, over, bytes);
                uint64_t closed[ACE_CLUSTER_DIMENSIONS], rows[ACE_CLUSTER_LINKS];
                ace_plan_bytes(&c, &cfg, closed);
                ace_plan_exchange_rows(&c, &cfg, rows);
                for (const auto &sent : walk_all_to_all(c, cfg))
                    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                        ASSERT_EQ(sent[2 * d], rows[2 * d]) << unsigned{ size[0] } << bytes << d;
                        ASSERT_EQ(sent[2 * d + 1], rows[2 * d + 1]) << unsigned{ size[0] } << bytes;
                        ASSERT_EQ((rows[2 * d] + rows[2 * d + 1]) * ACE_ROW_BYTES, closed[d]);
                    }
            }
}

TEST(Plan, ScatteredBlocksTileEveryChunk) {
    for (uint16_t rows : { 1, 2, 7, 24, 29, 64 }) {
        const ace_config cfg = config(3, 2, 4, 64);
        const ace_command rs = command(ACE_REDUCE_SCATTER, { 1, 0, 2 }, rows * 256U);
        const ace_command ag = command(ACE_ALL_GATHER, { 1, 0, 2 }, rows * 256U);
        std::vector<int> owned(rows, 0);
        for (unsigned i = 0; i < nodes(cfg); i++) {
            const ace_config at = at_node(cfg, i);
            ace_chunk_plan p, q;
            ace_plan_chunk(&rs, &at, 0, &p);
            ace_plan_chunk(&ag, &at, 0, &q);
            EXPECT_EQ(p.store_rows, q.load_rows);
            EXPECT_EQ(p.store_offset, q.load_offset);
            for (unsigned r = 0; r < p.store_rows; r++) {
                ASSERT_LT(p.store_offset / 256 + r, rows);
                owned[p.store_offset / 256 + r]++;
            }
        }
        for (int o : owned) EXPECT_EQ(o, 1) << rows;
    }
}

TEST(Plan, PartitionsFitAndHoldAnyPhase) {
    ace_parameters p = {};
    p.bank_rows = 4096;
    const uint8_t sizes[][4] = { { 4, 4, 4, 1 },   { 4, 8, 4, 1 }, { 5, 3, 2, 1 }, { 1, 1, 1, 1 },
                                 { 128, 1, 1, 1 }, { 2, 2, 1, 1 }, { 4, 2, 3, 2 } };
    for (const auto &s : sizes) {
        ace_config cfg = config(s[0], s[1], s[2], 256);
        cfg.ring[3] = s[3];
        p.dimensions = s[3] > 1 ? 4 : 3;
        ASSERT_EQ(ace_plan_partitions(&p, &cfg), ACE_OK);
        unsigned sum = 0;
        for (unsigned i = 0; i < ACE_PARTITIONS; i++) {
            const unsigned rows = cfg.partition_rows[i];
            EXPECT_GE(rows, i < p.dimensions + 2 ? 256U : 0U);
            EXPECT_LT(rows, i < p.dimensions + 2 ? 4096U : 1U);
            sum += rows;
        }
        EXPECT_LE(sum, 4096U);
    }
    p.bank_rows = 64;
    ace_config cfg = config(4, 4, 4, 256);
    EXPECT_EQ(ace_plan_partitions(&p, &cfg), ACE_EINVAL);
}

// Sizes that the pins of the node do not hold.
TEST(Node, RefusesWhatThePinsDoNotHold) {
    ace_node_setup setup = {};
    setup.parameters = ACE_PARAMETERS_DEFAULT;
    setup.config = config(2, 1, 1, 64);
    setup.config.link_cost[0] = setup.config.read_cost = setup.config.write_cost = ACE_COST_ONE;
    setup.config.memory_latency = 2;
    ace_node *node = nullptr;
    setup.config.partition_rows[3] = 4096;
    EXPECT_EQ(ace_cycle_node_create(&setup, &node), ACE_EINVAL);
    setup.config.partition_rows[3] = 4095;
    setup.parameters.commands = 1;
    EXPECT_EQ(ace_cycle_node_create(&setup, &node), ACE_EINVAL);
    setup.parameters.commands = 2;
    ASSERT_EQ(ace_cycle_node_create(&setup, &node), ACE_OK);

    const uint64_t last = ACE_LISTS_ADDRESS - (1 << 17) - 4096, past = last + 4096;
    ace_command c = command(ACE_ALL_REDUCE, { 0 }, 4096);
    for (uint64_t *address : { &c.source, &c.destination })
        for (uint64_t at : { last, past, uint64_t{ 1 } << 48, ~uint64_t{ 4095 }, uint64_t{ 0 } }) {
            *address = at;
            EXPECT_EQ(ace_node_submit(node, &c, 0), at < past ? ACE_OK : ACE_EINVAL) << at;
        }
    ace_node_destroy(node);
}

// Small whole numbers: sums are exact in any order.
TEST(Reference, IsTheSum) {
    const std::vector<std::vector<uint8_t>> orders = {
        { 0, 1, 2 }, { 2, 0 }, { 1 }, { 2, 1, 0 }, {}
    };
    for (size_t words : { 1U, 200U, 1777U, 8192U }) {
        for (const auto &dims : orders) {
            const ace_config cfg = config(3, 2, 2, 24);
            const unsigned n = nodes(cfg);
            std::vector<std::vector<float>> in(n, std::vector<float>(words)), all(n), part(n),
                whole(n);
            for (unsigned i = 0; i < n; i++)
                for (size_t w = 0; w < words; w++)
                    in[i][w] = static_cast<float>((i * 7 + w * 3) % 50);
            const auto run = [&](ace_kind kind, const std::vector<std::vector<float>> &from,
                                 std::vector<std::vector<float>> &to) {
                const ace_command c = command(kind, dims, words * 4);
                std::vector<const uint8_t *> a(n);
                std::vector<uint8_t *> b(n);
                for (unsigned i = 0; i < n; i++) {
                    to[i].assign(words, -1.F);
                    a[i] = reinterpret_cast<const uint8_t *>(from[i].data());
                    b[i] = reinterpret_cast<uint8_t *>(to[i].data());
                }
                ASSERT_EQ(ace_reference_collective(&c, &cfg, a.data(), b.data()), ACE_OK);
            };
            run(ACE_ALL_REDUCE, in, all);
            run(ACE_REDUCE_SCATTER, in, part);
            run(ACE_ALL_GATHER, part, whole);
            unsigned wrong = 0;
            for (unsigned i = 0; i < n; i++) {
                const ace_config me = at_node(cfg, i);
                for (size_t w = 0; w < words; w++) {
                    float want = 0;
                    for (unsigned j = 0; j < n; j++) {
                        const ace_config other = at_node(cfg, j);
                        bool peer = true;
                        for (unsigned d = 0; d < 3; d++) {
                            bool listed = false;
                            for (uint8_t e : dims) listed = listed || e == d;
                            peer = peer && (listed || other.rank[d] == me.rank[d]);
                        }
                        if (peer) want += in[j][w];
                    }
                    wrong += all[i][w] != want;
                    wrong += whole[i][w] != want;
                    wrong += part[i][w] != want && part[i][w] != -1.F;
                }
            }
            EXPECT_EQ(wrong, 0U) << words << " words, " << dims.size() << " dimensions";
        }
    }
}

// Two nodes: direction + adds the peer's (incoming) to the own; order shows with NaNs
// only, so three nodes and a cancellation show the order of a ring.
TEST(Reference, AddsInTheOrderOfTheRing) {
    ace_config cfg = config(3, 1, 1, 3);
    const ace_command c = command(ACE_ALL_REDUCE, { 0 }, 6 * 256);
    std::vector<std::vector<float>> in(3, std::vector<float>(6 * 64)), out = in;
    const uint8_t *a[3];
    uint8_t *b[3];
    const float value[] = { 1e8F, 1.F, -1e8F };
    for (unsigned i = 0; i < 3; i++) {
        for (float &v : in[i]) v = value[i];
        a[i] = reinterpret_cast<const uint8_t *>(in[i].data());
        b[i] = reinterpret_cast<uint8_t *>(out[i].data());
    }
    ASSERT_EQ(ace_reference_collective(&c, &cfg, a, b), ACE_OK);
    // + : shard s is ((s+1) + (s+2)) + s ; - : ((s-1) + (s-2)) + s
    for (unsigned s = 0; s < 3; s++) {
        const float plus = (value[(s + 1) % 3] + value[(s + 2) % 3]) + value[s];
        const float minus = (value[(s + 2) % 3] + value[(s + 1) % 3]) + value[s];
        EXPECT_EQ(out[0][s * 64], plus) << s;
        EXPECT_EQ(out[2][(3 + s) * 64], minus) << s;
    }
}

// Member 0 sends 2 and 1 rows, member 2 sends 1 and 2, and member 1 receives 2 from each.
TEST(Exchange, VectorHoldsWhatAnyMemberSendsOrReceives) {
    const uint64_t counts[9] = { 0, 257, 1, 0, 0, 0, 256, 512, 0 };
    uint64_t back[9];

    for (unsigned i = 0; i < 9; i++) back[i] = counts[i % 3 * 3 + i / 3];
    EXPECT_EQ(ace_exchange_vector(counts, 3), 4 * 256U);
    EXPECT_EQ(ace_exchange_vector(back, 3), 4 * 256U);
}

} // namespace
