// SPDX-License-Identifier: Apache-2.0
// baseline_test.cc -- a node of a software endpoint, alone on a torus of equals: it hears what
// it sends.  What it reads and writes is held against closed forms in bytes of the vector.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

extern "C" {
#include "ace_memory.h"
#include "baseline.h"
}

namespace {

struct Size {
    unsigned x, y, z, w = 1;
};
void PrintTo(const Size &s, std::ostream *to) {
    *to << s.x << 'x' << s.y << 'x' << s.z << 'x' << s.w;
}

enum { LATENCY = 30, MEMORY_LATENCY = 50, CHUNK_ROWS = 960 };

struct Lone {
    ace_wire *wire[ACE_LINKS] = {};
    ace_node *node = nullptr;

    Lone(const Size &size, const baseline_share &share, bool smallest = false) {
        ace_node_setup setup{};
        setup.parameters = ACE_PARAMETERS_DEFAULT;
        if (smallest) { // buffers
            setup.parameters.router_input_rows = setup.parameters.link_input_rows = 1;
            setup.parameters.router_output_rows = 2;
            setup.parameters.link_output_rows = 1;
        }
        ace_config &c = setup.config;
        const unsigned ring[] = { size.x, size.y, size.z, size.w };
        if (size.w > 1) setup.parameters.dimensions = 4, setup.parameters.fsms = 20;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c.ring[d] = static_cast<uint16_t>(ring[d]);
            c.link_cost[d] = d ? 1664 : 437; // 6.5 and 1.7 cycles a row
            for (unsigned l = 2 * d; l <= 2 * d + 1 && ring[d] > 1; l++)
                setup.out[l] = setup.in[l ^ 1] = wire[l] =
                    ace_wire_create(LATENCY, LATENCY + 1, false);
        }
        c.chunk_rows = CHUNK_ROWS;
        c.read_cost = c.write_cost = 256 * ACE_COST_ONE;
        c.memory_latency = MEMORY_LATENCY;
        EXPECT_EQ(ACE_OK, baseline_node_create(&setup, &share, &node));
    }
    Lone(const Lone &) = delete;
    ~Lone() {
        ace_node_destroy(node);
        for (ace_wire *w : wire) ace_wire_destroy(w);
    }
    uint64_t sent() const {
        uint64_t packets = 0;
        for (const ace_wire *w : wire) packets += w ? ace_wire_packets(w) : 0;
        return packets * ACE_ROW_BYTES;
    }
    uint64_t statistic(const std::string &name) const {
        ace_statistic all[256];
        const size_t count = ace_node_statistics(node, all, 256);
        for (size_t i = 0; i < count; i++)
            if (name == all[i].name) return all[i].value;
        ADD_FAILURE() << name;
        return 0;
    }
    uint64_t read() const { return statistic("memory.read.bytes"); }
    uint64_t written() const { return statistic("memory.write.bytes"); }

    // Returns the cycles until the completion of `tag`, and then runs until the node is idle.
    uint64_t finish(uint16_t tag) const {
        ace_completion done{};
        for (uint64_t now = LATENCY; now < 10000000; now += LATENCY) {
            ace_node_run(node, now);
            if (!ace_node_completion(node, &done)) continue;
            EXPECT_EQ(tag, done.tag);
            EXPECT_EQ(ACE_OK, ace_node_error(node));
            ace_node_run(node, now + 10 * LATENCY);
            EXPECT_EQ(UINT64_MAX, ace_node_quiet_until(node));
            return done.cycle;
        }
        ace_node_dump(node, stderr);
        ADD_FAILURE() << "does not end";
        return 0;
    }
};

std::vector<uint8_t> All(const Size &s) {
    std::vector<uint8_t> dims = { 0, 1, 2 };
    if (s.w > 1) dims.push_back(3);
    return dims;
}

ace_command Command(ace_kind kind, uint64_t bytes, std::vector<uint8_t> dims = { 0, 1, 2 }) {
    ace_command c{};
    c.kind = kind;
    c.dim_count = static_cast<uint8_t>(dims.size());
    for (size_t i = 0; i < dims.size(); i++) c.dims[i] = dims[i];
    c.bytes = bytes;
    c.destination = uint64_t{ 1 } << 30;
    c.tag = 7;
    return c;
}

baseline_share Share(bool lazy, double memory = 300, double sms = 400) {
    return { memory, sms, lazy };
}

// Shards of these divide: nothing is padded.
const Size sizes[] = { { 4, 2, 2 }, { 4, 4, 4 },    { 2, 5, 3 },   { 3, 1, 4 },
                       { 8, 1, 1 }, { 1, 6, 2 },    { 1, 1, 5 },   { 2, 2, 1 },
                       { 4, 1, 1 }, { 4, 2, 2, 2 }, { 2, 1, 2, 3 } };
enum : uint64_t { VECTOR = 6ULL * CHUNK_ROWS * ACE_ROW_BYTES };

// Rings of more than one node, as doubles.
std::vector<double> Rings(const Size &s) {
    std::vector<double> n;
    for (const unsigned ring : { s.x, s.y, s.z, s.w })
        if (ring > 1) n.push_back(ring);
    return n;
}

uint64_t Bytes(double of_vector) { return static_cast<uint64_t>(std::llround(of_vector * VECTOR)); }

// L the first ring, V and H the others.  Its reduce-scatter reads (2L-1)/L: one shard once and
// L-1 twice; each all-reduce on 1/L of the vector 3(n-1)/n of that; the all-gather (L-1)/L.
TEST(Baseline, AllReduceReadsAndWritesAreTheClosedForm) {
    for (const Size &s : sizes)
        for (const bool lazy : { true, false }) {
            const std::vector<double> n = Rings(s);
            double sent = 0, read = 0, results = 0;
            if (n.size() == 1) {
                sent = 2 * (n[0] - 1) / n[0];
                read = 3 * (n[0] - 1) / n[0];
                results = 1 / n[0];
            } else {
                const double l = n[0];
                sent = 2 * (l - 1) / l;
                read = (2 * l - 1) / l + (l - 1) / l - (lazy ? 1 / l : 0);
                results = lazy ? 0 : 1 / l;
                for (size_t i = 1; i < n.size(); i++) {
                    sent += 2 * (n[i] - 1) / (n[i] * l);
                    read += 3 * (n[i] - 1) / (n[i] * l);
                    results += 1 / (n[i] * l);
                }
            }
            const Lone one(s, Share(lazy));
            const ace_command c = Command(ACE_ALL_REDUCE, VECTOR, All(s));
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
            one.finish(7);
            EXPECT_EQ(Bytes(sent), one.sent()) << testing::PrintToString(s);
            EXPECT_EQ(Bytes(read), one.read()) << testing::PrintToString(s) << lazy;
            EXPECT_EQ(Bytes(sent + results), one.written()) << testing::PrintToString(s) << lazy;
            if (lazy || n.size() == 1) EXPECT_EQ(3 * one.sent(), 2 * one.read()) << "1.5 a byte";
        }
    // the numbers that are printed beside the paper's, on 4x4x4
    for (const bool lazy : { true, false }) {
        const Lone one({ 4, 4, 4 }, Share(lazy));
        const ace_command c = Command(ACE_ALL_REDUCE, VECTOR);
        ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
        one.finish(7);
        EXPECT_EQ(Bytes(2.25), one.sent());
        EXPECT_EQ(Bytes(lazy ? 3.375 : 3.625), one.read());
    }
}

// A block of n shards of S each, every local row of which is k rows in memory: k S for the
// shard sent first, (k+1) S for each of the others, of which the last needs no sending.
TEST(Baseline, ReduceScatterReadsAndWritesAreTheClosedForm) {
    for (const Size &s : sizes)
        for (const bool lazy : { true, false }) {
            const std::vector<double> n = Rings(s);
            double sent = 0, read = 0, results = 0, block = 1, k = 1;
            for (size_t i = 0; i < n.size(); i++) {
                const double shard = block / n[i];
                const bool left = lazy && i + 1 < n.size();
                sent += (n[i] - 1) * shard;
                read += k * shard + (k + 1) * (n[i] - (left ? 2 : 1)) * shard;
                results += left ? 0 : shard;
                k = left ? k + 1 : 1;
                block = shard;
            }
            const Lone one(s, Share(lazy));
            const ace_command c = Command(ACE_REDUCE_SCATTER, VECTOR, All(s));
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
            one.finish(7);
            EXPECT_EQ(Bytes(sent), one.sent()) << testing::PrintToString(s);
            EXPECT_EQ(Bytes(read), one.read()) << testing::PrintToString(s) << lazy;
            EXPECT_EQ(Bytes(sent + results), one.written()) << testing::PrintToString(s) << lazy;
        }
}

TEST(Baseline, AllGatherReadsWhatItSends) {
    for (const Size &s : sizes)
        for (const bool in_place : { true, false }) {
            double nodes = 1;
            for (const double n : Rings(s)) nodes *= n;
            const Lone one(s, Share(true));
            ace_command c = Command(ACE_ALL_GATHER, VECTOR, All(s));
            if (in_place) c.destination = c.source;
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
            one.finish(7);
            EXPECT_EQ(Bytes((nodes - 1) / nodes), one.sent());
            EXPECT_EQ(one.sent(), one.read());
            EXPECT_EQ(one.sent() + (in_place ? 0 : Bytes(1 / nodes)), one.written());
        }
}

// A block to each member and one from each: every row is read once and written once, and uses no
// memory in between.
TEST(Baseline, AllToAllReadsOnceAndWritesOnce) {
    for (const Size &s : sizes)
        for (const uint64_t bytes : { uint64_t{ VECTOR }, uint64_t{ 12345 } }) {
            uint64_t nodes = 1, sent = 0;
            for (const unsigned n : { s.x, s.y, s.z, s.w }) nodes *= n;
            const uint64_t block = (bytes + nodes * ACE_ROW_BYTES - 1) / (nodes * ACE_ROW_BYTES);
            for (const unsigned n : { s.x, s.y, s.z, s.w }) {
                uint64_t distances = 0; // from a node to all of its ring
                for (unsigned i = 0; i < n; i++) distances += i < n - i ? i : n - i;
                sent += block * nodes / n * distances;
            }
            const Lone one(s, Share(true));
            const ace_command c = Command(ACE_ALL_TO_ALL, bytes, All(s));
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
            one.finish(7);
            EXPECT_EQ(sent * ACE_ROW_BYTES, one.sent()) << testing::PrintToString(s);
            EXPECT_EQ(block * nodes * ACE_ROW_BYTES, one.read());
            EXPECT_EQ(block * nodes * ACE_ROW_BYTES, one.written());
        }
}

TEST(Baseline, NothingHangsWithTheSmallestBuffers) {
    for (const Size &s : sizes)
        for (const ace_kind kind : { ACE_ALL_TO_ALL, ACE_ALL_REDUCE }) {
            const Lone one(s, Share(true), true);
            const ace_command c = Command(kind, 200000, All(s));
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
            one.finish(7);
        }
}

// They share links and memory with others, and go first.
TEST(Baseline, AllToAllGoesFirst) {
    std::vector<uint64_t> alone, together;
    for (const bool all_reduce : { false, true }) {
        const Lone one({ 4, 2, 2 }, Share(true, 100, 100));
        std::vector<uint64_t> &cycles = all_reduce ? together : alone;
        ace_command c = Command(ACE_ALL_REDUCE, VECTOR);
        if (all_reduce) ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
        c = Command(ACE_ALL_TO_ALL, VECTOR / 8);
        for (uint16_t i = 0; i < 6; i++) { // more than the exchange takes at a time
            c.tag = static_cast<uint16_t>(100 + i);
            ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 5000));
        }
        ace_node_run(one.node, 1000000);
        EXPECT_EQ(ACE_OK, ace_node_error(one.node));
        EXPECT_EQ(UINT64_MAX, ace_node_quiet_until(one.node));
        ace_completion done;
        unsigned others = 0;
        while (ace_node_completion(one.node, &done)) {
            if (done.tag != 7) {
                EXPECT_EQ(100 + cycles.size(), done.tag);
                cycles.push_back(done.cycle);
            } else {
                EXPECT_EQ(6U, cycles.size());
                others++;
            }
        }
        EXPECT_EQ(6U, cycles.size());
        EXPECT_EQ(all_reduce, others == 1); // none of its packets was lost
    }
    // The only cost for an all-reduce is what is in flight in the pipes.
    for (size_t i = 0; i < alone.size(); i++)
        EXPECT_NEAR(static_cast<double>(together[i] - 5000), static_cast<double>(alone[i] - 5000),
                    0.05 * static_cast<double>(alone[i] - 5000) + 100);
}

TEST(Baseline, WithoutPeersItIsACopy) {
    const Lone one({ 4, 2, 2 }, Share(true));
    const ace_command c = Command(ACE_ALL_REDUCE, 1000 * ACE_ROW_BYTES, {});
    ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
    one.finish(7);
    EXPECT_EQ(0U, one.sent());
    EXPECT_EQ(1000U * ACE_ROW_BYTES, one.read());
    EXPECT_EQ(1000U * ACE_ROW_BYTES, one.written());
}

// Rows that fill no shard move too: every node does the same work.
TEST(Baseline, PaddingMovesAsDataDoes) {
    const Lone one({ 4, 1, 1 }, Share(true));
    const ace_command c = Command(ACE_ALL_REDUCE, 5 * ACE_ROW_BYTES - 1); // 2 rows a shard
    ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
    one.finish(7);
    EXPECT_EQ(2U * 3 * 2 * ACE_ROW_BYTES, one.sent());
    EXPECT_EQ(3U * 3 * 2 * ACE_ROW_BYTES, one.read());
}

// A unit with a rate is never faster, and it is close to its rate if it is the only bottleneck.
TEST(Baseline, MemoryAndSmsServeAtTheirRate) {
    for (const auto &[memory, sms] : { std::pair(30., 4096.), std::pair(2000., 45.) }) {
        const Lone one({ 4, 4, 1 }, Share(true, memory, sms));
        const ace_command c = Command(ACE_ALL_REDUCE, VECTOR);
        ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
        const auto cycles = static_cast<double>(one.finish(7));
        const double least = static_cast<double>(one.read()) / std::fmin(memory, sms);
        EXPECT_GE(cycles, least);
        EXPECT_LE(cycles, least * 1.03);
        EXPECT_NEAR(static_cast<double>(one.statistic("memory.read.busy")),
                    static_cast<double>(one.read()) / memory, 2);
        EXPECT_NEAR(static_cast<double>(one.statistic("memory.write.busy")),
                    static_cast<double>(one.written()) / memory, 2);
        EXPECT_NEAR(static_cast<double>(one.statistic("sm.busy")),
                    static_cast<double>(one.read()) / sms, 2);
    }
}

// A row is read from memory and crosses a link once a hop, after the receiver's grant has; a
// row that is reduced in the end is read, and written, once more.  Ring of n: n-1 hops there.
TEST(Baseline, NothingIsFasterThanItsChain) {
    const unsigned n = 5, hop = MEMORY_LATENCY + LATENCY;
    for (const auto &[kind, least] :
         { std::pair(ACE_REDUCE_SCATTER, LATENCY + (n - 1) * hop + MEMORY_LATENCY),
           std::pair(ACE_ALL_GATHER, LATENCY + (n - 1) * hop),
           std::pair(ACE_ALL_REDUCE, LATENCY + 2 * (n - 1) * hop) }) {
        const Lone one({ 1, n, 1 }, Share(true, 4096, 4096));
        const ace_command c = Command(kind, n * ACE_ROW_BYTES);
        ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
        const uint64_t cycles = one.finish(7);
        EXPECT_GE(cycles, least) << kind;
        EXPECT_LE(cycles, least + 2 * n * (2 + 256 / 40 + 1 + 4)) << kind; // and little more
    }
}

TEST(Baseline, EveryCycleIsInOneClass) {
    const Lone one({ 4, 2, 2 }, Share(true, 20.5, 11));
    for (unsigned i = 0; i < 5; i++) {
        const ace_command c = Command(static_cast<ace_kind>(i % 4), 3000 + 50000 * i);
        ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 9000 * i));
    }
    for (uint64_t now = 0; now <= 300000; now += 1 + now / 7) {
        ace_node_run(one.node, now);
        for (const char *unit : { "link.x+", "link.z-", "memory.read", "memory.write", "sm",
                                  "exchange.read", "exchange.write", "router" }) {
            uint64_t sum = 0;
            for (const char *of : { ".busy", ".starved", ".blocked", ".idle" })
                sum += one.statistic(std::string(unit) + of);
            EXPECT_EQ(now, sum) << unit;
        }
    }
    ace_completion done;
    unsigned completed = 0;
    while (ace_node_completion(one.node, &done)) completed++;
    EXPECT_EQ(5U, completed);
}

TEST(Baseline, NewestOrOldestFirst) {
    for (const ace_order order : { ACE_LIFO, ACE_FIFO }) {
        ace_node_setup setup{};
        setup.parameters = ACE_PARAMETERS_DEFAULT;
        ace_config &c = setup.config;
        c.ring[0] = 2;
        c.ring[1] = c.ring[2] = c.ring[3] = 1;
        c.link_cost[0] = 3 * ACE_COST_ONE;
        c.chunk_rows = 16;
        c.read_cost = c.write_cost = 256 * ACE_COST_ONE;
        c.memory_latency = 20;
        c.order = order;
        ace_wire *up = ace_wire_create(5, 6, false), *down = ace_wire_create(5, 6, false);
        setup.out[0] = setup.in[1] = up;
        setup.out[1] = setup.in[0] = down;
        const baseline_share share = Share(true);
        ace_node *node;
        ASSERT_EQ(ACE_OK, baseline_node_create(&setup, &share, &node));
        ace_command command = Command(ACE_ALL_REDUCE, 500 * 16 * ACE_ROW_BYTES, { 0 });
        for (const uint16_t tag : { 1, 2 }) {
            command.tag = tag;
            ASSERT_EQ(ACE_OK, ace_node_submit(node, &command, 100U * tag));
        }
        ace_completion first{}, second{};
        ace_node_run(node, 1000000);
        ASSERT_TRUE(ace_node_completion(node, &first) && ace_node_completion(node, &second));
        EXPECT_EQ(ACE_OK, ace_node_error(node)); // also when chunks take the places of others
        EXPECT_EQ(order == ACE_LIFO ? 2 : 1, first.tag);
        EXPECT_EQ(order == ACE_LIFO ? 1 : 2, second.tag);
        EXPECT_GT(second.cycle, first.cycle + first.cycle / 2);
        ace_node_destroy(node);
        ace_wire_destroy(up);
        ace_wire_destroy(down);
    }
}

// A grant, and a packet, of a chunk that the node does not have.
TEST(Baseline, DisagreementIsFound) {
    for (const bool packet : { false, true }) {
        const Lone one({ 4, 1, 1 }, Share(true));
        const ace_command c = Command(ACE_ALL_REDUCE, 100000);
        ASSERT_EQ(ACE_OK, ace_node_submit(one.node, &c, 0));
        ace_node_run(one.node, 20);
        ace_flit f{};
        f.data = packet;
        f.grant = !packet;
        f.context = f.grant_context = (ACE_PHASES - 1) % 4 << 6; /* of all-reduces */
        f.mark = f.grant_mark = 200;
        ace_wire_send(one.wire[1], 20, &f, nullptr);
        ace_node_run(one.node, 20 + 2 * LATENCY);
        EXPECT_EQ(packet ? ACE_EPROTO : ACE_ENODE, ace_node_error(one.node));
    }
}

TEST(Baseline, RefusesWhatItDoesNotModel) {
    ace_node_setup setup{};
    setup.parameters = ACE_PARAMETERS_DEFAULT;
    for (uint16_t &ring : setup.config.ring) ring = 1;
    setup.config.chunk_rows = 16;
    setup.config.read_cost = setup.config.write_cost = 256 * ACE_COST_ONE;
    setup.config.memory_latency = 20;
    ace_node *node = nullptr;
    for (const baseline_share &share : { Share(true, 0), Share(true, -1), Share(true, 1e9),
                                         Share(true, 100, 0), Share(true, NAN) })
        EXPECT_EQ(ACE_EINVAL, baseline_node_create(&setup, &share, &node));
    const baseline_share share = Share(true);
    ASSERT_EQ(ACE_OK, baseline_node_create(&setup, &share, &node));
    ace_command c = Command(ACE_ALL_REDUCE, 0);
    EXPECT_EQ(ACE_EINVAL, ace_node_submit(node, &c, 0));
    c = Command(ACE_ALL_REDUCE, 100, { 1, 1 });
    EXPECT_EQ(ACE_EINVAL, ace_node_submit(node, &c, 0));
    c = Command(ACE_ALL_REDUCE, 100, { 3 });
    EXPECT_EQ(ACE_EINVAL, ace_node_submit(node, &c, 0));
    ace_node_destroy(node);
    setup.memory = ace_memory_create();
    EXPECT_EQ(ACE_EINVAL, baseline_node_create(&setup, &share, &node));
    ace_memory_destroy(setup.memory);
}

} // namespace
