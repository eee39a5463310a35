// SPDX-License-Identifier: Apache-2.0
//
// All-to-alls whose counts the NPUs write, through prepared commands, on either rung.  The host
// prepares each engine once.  From there on an NPU stores its list, starts the slot with one store
// and loads its flag.
//
// Expected values are closed forms of the counts: the bytes of each pair, the rows that each node
// writes, and where data lie.  The time is compared with an all-to-all-v whose counts all nodes
// have beforehand (ace_compose()).

#include <cstdio>
#include <numeric>

#include "ace_counted_list.h"
#include "ace_random.h"
#include "engines.h"

namespace {

constexpr uint64_t LIST = 0x30000000, INBOX = 0x1f00000, FLAGS = 0x40000000;
constexpr uint64_t TARGETS = DESTINATION, TARGETS_EACH = 8 << 20; /* one for each turn */
constexpr uint64_t WINDOW_LAST = INBOX + 0xffff;
constexpr uint64_t LIST_EACH = 16 << 20;
constexpr uint64_t ROW = ACE_ROW_BYTES;

uint64_t rows_of(uint64_t bytes) { return (bytes + ROW - 1) / ROW; }

/* A torus of engines, prepared for such all-to-alls. */
class Exchange {
public:
    Engines e;
    const unsigned n;
    const ace_command members;
    std::vector<ace_config> config;
    std::vector<ace_counted_group> group[2];  /* of each turn */
    std::vector<std::vector<uint32_t>> image; /* of each node */
    uint32_t round = 0;

    Exchange(bool rtl, uint8_t x, uint8_t y, uint64_t sends_of_a_node, unsigned set = ENGINES_SMALL,
             uint32_t link_cycles = 0)
        : e(rtl, x, y, set), n(e.nodes), members(command(ACE_LIST, e, 0, 0)) {
        if (link_cycles)
            std::fill_n(e.config.link_cost, ACE_DIMENSIONS, link_cycles * ACE_COST_ONE);
        e.config.window_first[ACE_WINDOW_ALL_TO_ALL] = 1;
        e.config.window_after[ACE_WINDOW_ALL_TO_ALL] = UINT32_MAX;
        e.config.window_first[ACE_WINDOW_LIST] = TARGETS / ROW;
        e.config.window_after[ACE_WINDOW_LIST] = UINT32_MAX - uint32_t(WINDOW_LAST / ROW);
        for (unsigned i = 0; i < n; i++) config.push_back(e.config_of(i));
        image.resize(n);
        for (unsigned i = 0; i < n; i++) {
            EXPECT_EQ(ACE_OK, ace_host_triggers(e.host(i), 0x5a50, FLAGS, FLAGS + 0xfff));
            for (uint64_t turn = 0; turn < 2; turn++)
                group[turn].push_back(
                    { &members, &config[i], LIST + turn * LIST_EACH, INBOX,
                      ace_counted_list_rows(&members, &config[i], sends_of_a_node) });
            image[i].resize(ace_counted_list_bytes(&group[0][i]) / 4);
        }
        e.start(0);
        for (unsigned i = 0; i < n; i++)
            for (unsigned turn = 0; turn < 2; turn++) {
                ace_host_trigger t{};
                t.command = command(ACE_LIST, e, group[turn][i].rows * ROW, 0);
                t.command.source = group[turn][i].list;
                prepare(i, turn, t);
            }
    }
    void prepare(unsigned i, unsigned slot, ace_host_trigger t) {
        t.threshold = 1;
        t.repeats = t.writes_flag = true;
        t.flag = FLAGS + 4 * slot;
        t.value = 1;
        ASSERT_EQ(ACE_OK, ace_host_prepare(e.host(i), slot, &t));
    }
    unsigned turn() const { return round % 2; }
    static uint64_t target(unsigned turn) { return TARGETS + turn * TARGETS_EACH; }
    /* The NPU's store of a finished list. */
    void keep(unsigned i) {
        ASSERT_EQ(ACE_OK, ace_memory_write(e.memory(i), group[turn()][i].list, image[i].data(),
                                           image[i].size() * 4));
    }
    uint32_t flag(unsigned i, unsigned slot) {
        uint32_t word = 0;
        ace_memory_read(e.memory(i), FLAGS + 4 * slot, &word, sizeof word);
        return word;
    }
    /* Starts a slot everywhere and waits for all flags.  Cycles from the first store to the last
     * flag; 0: a flag does not come.  After the stores nobody uses a register. */
    uint64_t run(unsigned slot, uint32_t value) {
        const uint64_t begin = e.cycle;
        for (unsigned i = 0; i < n; i++) EXPECT_EQ(ACE_OK, ace_host_store(e.host(i), slot, 1));
        const size_t accesses = e.accesses.size();
        for (unsigned i = 0; i < n; i++)
            for (uint64_t k = 0; flag(i, slot) != value; k++) {
                if (k == PATIENCE) return 0;
                e.run(1);
            }
        EXPECT_EQ(accesses, e.accesses.size());
        return e.cycle - begin;
    }
    uint64_t written(unsigned i) { /* rows */
        ace_statistic all[256];
        const size_t count = ace_node_statistics(e.node(i), all, 256);
        for (size_t k = 0; k < count && k < 256; k++)
            if (!std::strcmp(all[k].name, "memory.write.bytes")) return all[k].value / ROW;
        ADD_FAILURE() << "no memory.write.bytes";
        return 0;
    }
    uint64_t announced(unsigned to, unsigned from) {
        uint32_t row[ROW / 4];
        ace_memory_read(e.memory(to), INBOX + (turn() * n + from) * ROW, row, sizeof row);
        return ace_counted_list_bytes_from(row);
    }
    std::vector<uint8_t> bytes(unsigned i, uint64_t address, uint64_t count) {
        std::vector<uint8_t> got(count);
        ace_memory_read(e.memory(i), address, got.data(), count);
        return got;
    }
    void fill(unsigned i, uint64_t address, uint64_t count, uint64_t seed) {
        std::vector<uint8_t> b(count);
        for (uint8_t &v : b) v = static_cast<uint8_t>(ace_random_next(&seed) >> 40);
        ASSERT_EQ(ACE_OK, ace_memory_write(e.memory(i), address, b.data(), count));
    }
};

/* A matrix of counts: none, one byte, any number or all of the pitch. */
std::vector<uint64_t> draw(unsigned n, uint64_t pitch, uint64_t seed) {
    std::vector<uint64_t> counts(size_t{ n } * n);
    for (uint64_t &c : counts) {
        const uint64_t r = ace_random_next(&seed) >> 33;
        c = r % 4 == 0 ? 0 : r % 4 == 1 ? 1 + r / 4 % 300 : r % 4 == 2 ? pitch : 1 + r / 4 % pitch;
    }
    return counts;
}

/* One all-to-all, by blocks. Its time, all of it checked. */
uint64_t all_to_all(Exchange &x, const std::vector<uint64_t> &counts, uint64_t pitch) {
    const unsigned n = x.n, turn = x.turn();
    std::vector<uint64_t> before(n);
    const std::vector<uint8_t> old(pitch, 0xa5);
    for (unsigned i = 0; i < n; i++) {
        x.fill(i, SOURCE, n * pitch, x.round * 100 + i);
        for (unsigned m = 0; m < n; m++)
            EXPECT_EQ(ACE_OK, ace_memory_write(x.e.memory(i), x.target(turn) + m * pitch,
                                               old.data(), pitch));
        ace_counted_list l;
        ace_counted_list_begin(&l, &x.group[turn][i], turn, x.image[i].data());
        const ace_counted_blocks b = { SOURCE, x.target(turn), pitch, &counts[size_t{ i } * n] };
        ace_counted_list_blocks(&l, &b);
        EXPECT_TRUE(ace_counted_list_end(&l));
        x.keep(i);
        before[i] = x.written(i);
    }
    const uint64_t took = x.run(turn, 1 + x.round / 2);
    EXPECT_NE(0u, took) << "round " << x.round;
    for (unsigned i = 0; i < n; i++) {
        uint64_t rows = n; /* count rows */
        for (unsigned m = 0; m < n; m++) {
            const uint64_t c = counts[size_t{ m } * n + i];
            rows += rows_of(c);
            EXPECT_EQ(c, x.announced(i, m)) << m << " to " << i;
            std::vector<uint8_t> want = x.bytes(m, SOURCE + i * pitch, pitch);
            std::fill(want.begin() + static_cast<ptrdiff_t>(c), want.end(), 0xa5);
            EXPECT_EQ(want, x.bytes(i, x.target(turn) + m * pitch, pitch)) << m << " to " << i;
        }
        EXPECT_EQ(rows, x.written(i) - before[i]) << "node " << i;
    }
    x.round++;
    return took;
}

/* The same by a list of the same engine, whose counts all nodes have when it is composed. */
uint64_t known(Exchange &x, const std::vector<uint64_t> &counts) {
    for (unsigned i = 0; i < x.n; i++) {
        ace_command c = command(ACE_ALL_TO_ALL_V, x.e, ace_exchange_vector(counts.data(), x.n), 0);
        c.counts = counts.data();
        ace_composition p;
        EXPECT_EQ(ACE_OK, ace_compose(&c, &x.config[i], &p));
        std::vector<uint32_t> list(rows_of(p.list_bytes) * ROW / 4);
        std::memcpy(list.data(), p.list, p.list_bytes);
        EXPECT_EQ(ACE_OK, ace_memory_write(x.e.memory(i), LIST + 3 * LIST_EACH, list.data(),
                                           list.size() * 4));
        ace_host_trigger t{};
        t.command = p.step[0];
        t.command.source = LIST + 3 * LIST_EACH;
        x.prepare(i, 2, t);
        ace_composition_free(&p);
        const uint32_t none = 0;
        EXPECT_EQ(ACE_OK, ace_memory_write(x.e.memory(i), FLAGS + 8, &none, 4));
    }
    return x.run(2, 1);
}

uint64_t sends_of(uint8_t x, uint8_t y, uint64_t pitch) {
    Engines e(false, x, y);
    const ace_command members = command(ACE_LIST, e, 0, 0);
    const ace_config cfg = e.config_of(0);
    return ace_counted_list_block_sends(&members, &cfg, pitch);
}

class EngineCounts : public testing::TestWithParam<bool> {};

/* Turns of random counts, one after the other; the host does nothing but the stores. */
TEST_P(EngineCounts, BytesOfEachPair) {
    const uint64_t pitch = 5000 / ROW * ROW;
    for (const auto &[w, h] : { std::pair<uint8_t, uint8_t>{ 2, 1 }, { 3, 2 }, { 1, 1 } }) {
        Exchange x(GetParam(), w, h, sends_of(w, h, pitch));
        for (unsigned k = 0; k < 5; k++) {
            all_to_all(x, draw(x.n, pitch, k + 1), pitch);
            if (HasFailure()) return;
        }
        all_to_all(x, std::vector<uint64_t>(size_t{ x.n } * x.n), pitch); /* nothing */
        for (unsigned i = 0; i < x.n; i++) EXPECT_FALSE(x.e.irq(i));
    }
}

/* A slot repeats: an NPU that is early starts its next turn while others are in this one. */
TEST_P(EngineCounts, AMemberMayBeATurnAhead) {
    const uint64_t pitch = 4096;
    Exchange x(GetParam(), 2, 2, sends_of(2, 2, pitch));
    const std::vector<uint64_t> counts[2] = { draw(4, pitch, 3), draw(4, pitch, 4) };
    for (x.round = 0; x.round < 2; x.round++)
        for (unsigned i = 0; i < 4; i++) {
            ace_counted_list l;
            x.fill(i, SOURCE + x.round * 4 * pitch, 4 * pitch, 10 * i + x.round);
            ace_counted_list_begin(&l, &x.group[x.round][i], x.round, x.image[i].data());
            const ace_counted_blocks b = { SOURCE + x.round * 4 * pitch, x.target(x.round), pitch,
                                           &counts[x.round][4 * i] };
            ace_counted_list_blocks(&l, &b);
            ASSERT_TRUE(ace_counted_list_end(&l));
            x.keep(i);
        }
    /* node 3 comes last; the others have both turns in their queues */
    for (unsigned i = 0; i < 4; i++) {
        if (i == 3) x.e.run(3000);
        for (unsigned turn = 0; turn < 2; turn++)
            ASSERT_EQ(ACE_OK, ace_host_store(x.e.host(i), turn, 1));
    }
    x.e.run(20000);
    for (x.round = 0; x.round < 2; x.round++)
        for (unsigned i = 0; i < 4; i++) {
            EXPECT_EQ(1u, x.flag(i, x.round));
            for (unsigned m = 0; m < 4; m++) {
                const uint64_t c = counts[x.round][4 * m + i];
                EXPECT_EQ(c, x.announced(i, m));
                EXPECT_EQ(x.bytes(m, SOURCE + (x.round * 4 + i) * pitch, c),
                          x.bytes(i, x.target(x.round) + m * pitch, c));
            }
        }
}

/* Dispatch of tokens to experts: a token goes once to a node, however many of its experts are
 * there; and the results come back, with the counts the other way round. */
TEST_P(EngineCounts, TokensTravelOnceToANode) {
    constexpr unsigned TOKENS = 40, TOP = 4, EXPERTS = 8;
    constexpr uint64_t BYTES = 900, PITCH = TOKENS * 1024;
    Exchange x(GetParam(), 2, 2, uint64_t{ TOKENS } * TOP * 2);
    uint16_t home[EXPERTS];
    for (unsigned k = 0; k < EXPERTS; k++) home[k] = static_cast<uint16_t>(k / 2);
    std::vector<std::vector<uint16_t>> expert(4);
    std::vector<std::vector<uint32_t>> sent(4, std::vector<uint32_t>(4));
    std::vector<std::vector<std::vector<unsigned>>> order(4, std::vector<std::vector<unsigned>>(4));
    uint64_t seed = 9, twice = 0;
    for (unsigned i = 0; i < 4; i++) {
        for (unsigned k = 0; k < TOKENS; k++) { /* distinct experts */
            const uint16_t first = static_cast<uint16_t>(ace_random_next(&seed) >> 61);
            const uint16_t step = static_cast<uint16_t>(1 + 2 * (ace_random_next(&seed) >> 62));
            bool at[4] = {};
            for (unsigned t = 0; t < TOP; t++) {
                expert[i].push_back(static_cast<uint16_t>((first + t * step) % EXPERTS));
                twice += at[home[expert[i].back()]];
                if (!at[home[expert[i].back()]]) order[i][home[expert[i].back()]].push_back(k);
                at[home[expert[i].back()]] = true;
            }
        }
        x.fill(i, SOURCE, TOKENS * 1024, 77 + i);
        ace_counted_list l;
        ace_counted_list_begin(&l, &x.group[0][i], 0, x.image[i].data());
        const ace_counted_tokens t = { TOKENS, BYTES,  expert[i].data(),        home,
                                       TOP,    SOURCE, x.target(0) + i * PITCH, sent[i].data() };
        ace_counted_list_tokens(&l, &t);
        ASSERT_TRUE(ace_counted_list_end(&l));
        x.keep(i);
    }
    EXPECT_GT(twice, 100u);
    uint64_t before[4];
    for (unsigned i = 0; i < 4; i++) before[i] = x.written(i);
    ASSERT_NE(0u, x.run(0, 1));
    for (unsigned i = 0; i < 4; i++) {
        uint64_t rows = 4;
        for (unsigned m = 0; m < 4; m++) {
            const std::vector<unsigned> &tokens = order[m][i];
            EXPECT_EQ(tokens.size(), sent[m][i]);
            EXPECT_EQ(tokens.size() * BYTES, x.announced(i, m));
            rows += tokens.size() * 4; /* 900 bytes are four rows */
            for (size_t k = 0; k < tokens.size(); k++)
                EXPECT_EQ(x.bytes(m, SOURCE + tokens[k] * 1024, BYTES),
                          x.bytes(i, x.target(0) + m * PITCH + k * 1024, BYTES));
        }
        EXPECT_EQ(rows, x.written(i) - before[i]);
    }
    /* combine: what came from a member goes back to it, in the order in which it came */
    for (unsigned i = 0; i < 4; i++) {
        ace_counted_list l;
        x.round = 0; /* whose inbox says how many tokens came */
        ace_counted_list_begin(&l, &x.group[1][i], 1, x.image[i].data());
        for (unsigned m = 0; m < 4; m++)
            ace_counted_list_send(&l, m, x.target(0) + m * PITCH, x.target(1) + i * PITCH,
                                  x.announced(i, m) / BYTES * 1024);
        x.round = 1;
        ASSERT_TRUE(ace_counted_list_end(&l));
        x.keep(i);
    }
    ASSERT_NE(0u, x.run(1, 1));
    for (unsigned i = 0; i < 4; i++)
        for (unsigned m = 0; m < 4; m++)
            for (size_t k = 0; k < order[i][m].size(); k++)
                EXPECT_EQ(x.bytes(i, SOURCE + order[i][m][k] * 1024, BYTES),
                          x.bytes(i, x.target(1) + m * PITCH + k * 1024, BYTES));
}

/* A peer writes sends into the inbox, which would read this node's memory: none is carried out, the
 * engine reports them as it reports any row that is refused, and goes on. */
TEST_P(EngineCounts, HostilePeersReadNothing) {
    const uint64_t pitch = 2048;
    Exchange x(GetParam(), 2, 1, sends_of(2, 1, pitch));
    const std::vector<uint64_t> counts = { 512, 700, 300, 0 };
    for (unsigned i = 0; i < 2; i++) {
        x.fill(i, SOURCE, 2 * pitch, 5 + i);
        ace_counted_list l;
        ace_counted_list_begin(&l, &x.group[0][i], 0, x.image[i].data());
        const ace_counted_blocks b = { SOURCE, x.target(0), pitch, &counts[2 * i] };
        ace_counted_list_blocks(&l, &b);
        ASSERT_TRUE(ace_counted_list_end(&l));
        if (i == 1) { /* beside its receive: a send, further rows, a kind that does not exist */
            uint32_t *row = &x.image[1][(x.group[0][1].rows + 0) * ROW / 4];
            ace_list_route to[2];
            ace_list_routes(&x.members, &x.config[0], 1, to);
            ace_list_item item{};
            item.what = ACE_LIST_SEND;
            item.key = to[0].key;
            item.hops = to[0].hops;
            item.source = SOURCE / ROW;
            item.target = static_cast<uint32_t>((x.target(1) + 4 * ROW) / ROW);
            item.bytes = 3 * ROW;
            ace_list_item_write(&item, row + 2 * 8);
            item.what = ACE_LIST_PEERS;
            item.rows = 2;
            item.source = LIST / ROW;
            ace_list_item_write(&item, row + 3 * 8);
            row[4 * 8] = 0x77;
        }
        x.keep(i);
    }
    const uint64_t before = x.written(1);
    ASSERT_NE(0u, x.run(0, 1));
    x.e.run(2000);
    EXPECT_EQ(2u + rows_of(counts[1]) + rows_of(counts[3]), x.written(1) - before);
    for (unsigned i = 0; i < 2; i++)
        for (unsigned m = 0; m < 2; m++)
            EXPECT_EQ(x.bytes(m, SOURCE + i * pitch, counts[2 * m + i]),
                      x.bytes(i, x.target(0) + m * pitch, counts[2 * m + i]));
    EXPECT_EQ(3u, read(x.e, 0, ACE_MAP_COUNT_REMOTE));
    EXPECT_EQ(0u, read(x.e, 1, ACE_MAP_COUNT_REMOTE));
    ace_host_error error;
    ASSERT_EQ(ACE_OK, ace_host_error_read(x.e.host(0), &error));
    EXPECT_EQ(ACE_CODE_BAD_REMOTE, error.code);
    EXPECT_EQ(INBOX + 1 * ROW + 2 * ACE_LIST_ITEM_BYTES, error.address);
    x.round = 1; /* and the next turn works */
    all_to_all(x, counts, pitch);
}

/* A count row of fewer than 256 bytes: what follows in the inbox stays as it was, and the row fits
 * its code when it is read. */
TEST_P(EngineCounts, ShortCountRows) {
    const uint64_t pitch = 2048;
    Exchange x(GetParam(), 2, 1, sends_of(2, 1, pitch));
    const std::vector<uint64_t> counts = { 2048, 700, 1300, 9 };
    for (unsigned i = 0; i < 2; i++) {
        x.fill(i, SOURCE, 2 * pitch, 5 + i);
        ace_counted_list l;
        ace_counted_list_begin(&l, &x.group[0][i], 0, x.image[i].data());
        const ace_counted_blocks b = { SOURCE, x.target(0), pitch, &counts[2 * i] };
        ace_counted_list_blocks(&l, &b);
        ASSERT_TRUE(ace_counted_list_end(&l));
        for (unsigned k = 0; k < 2; k++) x.image[i][8 * k + 6] = 2 * ACE_LIST_ITEM_BYTES;
        x.keep(i);
        const std::vector<uint8_t> zeros(2 * ROW);
        ASSERT_EQ(ACE_OK, ace_memory_write(x.e.memory(i), INBOX, zeros.data(), zeros.size()));
    }
    ASSERT_NE(0u, x.run(0, 1));
    for (unsigned i = 0; i < 2; i++) {
        EXPECT_FALSE(x.e.irq(i));
        for (unsigned m = 0; m < 2; m++)
            EXPECT_EQ(x.bytes(m, SOURCE + i * pitch, counts[2 * m + i]),
                      x.bytes(i, x.target(0) + m * pitch, counts[2 * m + i]));
    }
}

INSTANTIATE_TEST_SUITE_P(Rungs, EngineCounts, testing::Bool(),
                         [](const auto &info) { return info.param ? "rtl" : "cycle"; });

/* On 4x4, counts in memory against counts that all nodes have beforehand.  A count row is one more
 * row for each pair, so few bytes take longer.  With uneven counts, links are congested, and any
 * change of the order of rows changes the time; so several matrices are compared together. */
class EngineCountsTime : public testing::Test {
protected:
    uint64_t before = 0, now = 0; /* cycles, all together */

    void compare(const char *what, const std::vector<uint64_t> &counts, uint64_t pitch) {
        constexpr unsigned DEFAULT_SET = 0, LINK_CYCLES = 14;
        Exchange x(false, 4, 4, sends_of(4, 4, pitch), DEFAULT_SET, LINK_CYCLES);
        const uint64_t bytes = std::accumulate(counts.begin(), counts.end(), uint64_t{ 0 });
        const uint64_t was = known(x, counts), is = all_to_all(x, counts, pitch);
        before += was;
        now += is;
        std::printf("4x4, %s of %u bytes, %u KiB in all: counts known %u cycles, from memory %u, "
                    "%+.2f %%\n",
                    what, unsigned(pitch), unsigned(bytes / 1024), unsigned(was), unsigned(is),
                    100.0 * (double(is) - double(was)) / double(was));
    }
};

TEST_F(EngineCountsTime, WithinThreePercentIfEven) {
    for (const uint64_t pitch : { 1024u, 4096u, 16384u, 65536u }) {
        before = now = 0;
        compare("each pair", std::vector<uint64_t>(256, pitch), pitch);
        if (pitch >= 16384) EXPECT_LT(double(now), 1.03 * double(before));
    }
}

TEST_F(EngineCountsTime, WithinThreePercentIfUneven) {
    for (const uint64_t seed : { 1u, 2u, 3u, 4u, 5u, 6u })
        compare("pairs", draw(16, 65536, seed), 65536);
    EXPECT_LT(double(now), 1.03 * double(before));
}

} // namespace
