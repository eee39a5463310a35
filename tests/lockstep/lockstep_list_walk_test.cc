/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_list_walk.v against cmodel/nic/ace_list_walk.c, cycle by cycle.
 *
 * Verilated: Vace_list_walk (defaults) and Vace_list_walk_small (SENDS=3 DIMENSIONS=4).
 *
 * The environment draws lists, gives their rows when they are asked for, and counts arrivals.
 * The rows that are asked for are compared with a list carried out directly.  Some items break a
 * rule of the contract, each by one field: nothing may come of them but a word where they lie.
 * Rows of peers are drawn when they are asked for, which is after all other items are done.  Half
 * of them are hostile: they also hold sends and further rows of peers.
 */
#include "lockstep.h"

#include <map>
#include <tuple>
#include <vector>

namespace {

struct Mix {
    const char *name;
    unsigned items, rows; /* of a list, of a transfer, at most */
    unsigned receives;    /* per mille of the items */
    unsigned start, take, memory, arrive;
    unsigned resets; /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", 60, 40, 100, 1000, 1000, 1000, 900, 0 },
    { "single_rows", 200, 1, 200, 1000, 900, 900, 900, 0 },
    { "slow_memory", 40, 20, 100, 500, 900, 30, 500, 5 },
    { "slow_requests", 30, 20, 100, 500, 100, 900, 500, 5 },
    { "late_arrivals", 30, 4, 500, 500, 900, 900, 60, 5 },
    { "sparse", 4, 3, 300, 30, 900, 900, 300, 5 },
    { "resets", 40, 10, 300, 900, 900, 900, 300, 60 },
};

using Row = std::tuple<uint64_t, uint64_t, uint32_t, unsigned, unsigned>;

struct Environment {
    const Mix &mix;
    const uint8_t ring[ACE_DIMENSIONS];
    const unsigned first_key;
    uint64_t first = 0; /* row of the list */
    std::vector<ace_list_item> list;
    uint64_t fetched = 0;
    std::deque<uint64_t> asked; /* rows of the list not yet given */
    uint64_t arrived[256] = {}, due[256] = {};
    std::map<Row, unsigned> rows; /* still to be asked for */
    bool busy = false, wrong = false;
    struct Illegal {
        uint64_t address;
        bool peers;
    };
    std::deque<Illegal> illegal;                    /* where items lie that break a rule */
    std::array<uint64_t, 8> spoilt{};               /* the last one only at the end of a list */
    uint64_t peers_first = 0, peers_rows = 0;       /* rows that follow the list */
    std::deque<std::vector<ace_list_item>> written; /* of them, those asked for */
    uint64_t receives = 0, received = 0;            /* items of this list, without those of peers */
    uint64_t of_peers = 0, hostile = 0, from_peers = 0;
    uint64_t lists = 0, sent = 0, consumed = 0, nothing = 0, pieces = 0, empty = 0;
    uint64_t given = 0, told = 0; /* rows that do not fit their code */
    ace_row row{};
    const ace_list_walk *twin = nullptr; /* shows its key before the outputs are there */
    ace_list_item none{};

    Environment(const Mix &m, bool four)
        : mix(m), ring{ 100, 128, 7, uint8_t(four ? 5 : 1) },
          first_key(unsigned(ACE_LIST_KEYS_FIRST) << four) {}
    void configure(ace_list_walk_in &in) const {
        in.cfg_ring = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) in.cfg_ring |= uint32_t{ ring[d] } << 8 * d;
    }
    void reset() {
        list.clear();
        asked.clear();
        rows.clear();
        illegal.clear();
        written.clear();
        peers_rows = 0;
        fetched = 0;
        busy = false;
        for (unsigned k = 0; k < 256; k++) arrived[k] = due[k] = 0;
    }
    void keep_rows(const ace_list_walk_in &in, ace_list_walk_in &to) const {
        to.s_list_data = in.s_list_data;
    }

    /* An item that breaks the n-th rule. */
    ace_list_item spoil(unsigned n, Random &r) const {
        ace_list_item i{};
        i.what = n == 5 || (n == 1 && r.below(2)) ? ACE_LIST_RECEIVE
                 : n >= 6                         ? ACE_LIST_PEERS
                                                  : ACE_LIST_SEND;
        i.key = static_cast<uint8_t>(first_key + r.below(256 - first_key));
        i.bytes = 1 + r.below(mix.rows * ACE_ROW_BYTES);
        const unsigned d = r.below(3) == 0 ? 0 : 2 + r.below(2);
        switch (n) {
        case 0: i.what = static_cast<ace_list_what>(4 + r.below(252)); break;
        case 1:
            i.key = static_cast<uint8_t>(r.below(2) ? first_key - 1 : r.below(first_key));
            break;
        case 2:
            i.hops = (r.below(2) ? ring[d] : ring[d] + r.below(128u - ring[d])) << 8 * d;
            i.hops |= r.below(2) << (8 * d + 7);
            break;
        case 3:
            i.bytes = (uint64_t{ 1 } << 40) + 1 + (uint64_t{ r.below(2) } << (40 + r.below(24)));
            break;
        case 4: i.gap = static_cast<uint16_t>(1u << r.below(16)); break;
        case 6: i.rows = r.below(3); break; /* an item is behind it */
        default:
            i.rows = (uint64_t{ 1 } << 32) + 1 + (uint64_t{ r.below(2) } << (32 + r.below(32)));
        }
        return i;
    }

    static constexpr uint64_t ROW_MASK = (uint64_t{ 1 } << 40) - 1;
    void breaks(uint64_t in_row, uint64_t item, bool peers) {
        illegal.push_back({ ((in_row & ROW_MASK) << 8) + item * ACE_LIST_ITEM_BYTES, peers });
    }
    /* What other nodes have written into a row by the time it is asked for. */
    void draw_peers(uint64_t in_row, Random &r) {
        std::vector<ace_list_item> &items = written.emplace_back(ACE_LIST_ROW_ITEMS);
        const bool evil = r.below(2);
        for (uint64_t n = 0; n < ACE_LIST_ROW_ITEMS; n++) {
            ace_list_item &i = items[n];
            if (evil && r.below(3) == 0) {
                i.what = r.below(3) ? ACE_LIST_SEND : ACE_LIST_PEERS;
                i.key = static_cast<uint8_t>(first_key + r.below(256 - first_key));
                i.source = r.bits<uint64_t>(40);
                i.bytes = i.rows = 1 + r.below(600);
                if (r.below(3) == 0) i = spoil(r.below(unsigned(spoilt.size())), r);
                breaks(in_row, n, true);
                hostile++;
            } else if (r.below(2)) {
                i.what = ACE_LIST_RECEIVE;
                i.key = static_cast<uint8_t>(first_key + r.below(256 - first_key));
                i.rows = r.below(mix.rows + 1);
                due[i.key] += i.rows;
                from_peers++;
            }
        }
    }

    void draw(Random &r) {
        list.clear();
        fetched = receives = received = peers_rows = 0;
        first = r.bits<uint64_t>(40);
        for (unsigned n = r.below(mix.items + 1); n-- > 0;) {
            ace_list_item i{};
            i.key = static_cast<uint8_t>(first_key + r.below(256 - first_key));
            if (r.permille(40)) {
                const unsigned rule = r.below(unsigned(spoilt.size()) - 1);
                spoilt[rule]++;
                breaks(first + list.size() / 8, list.size() % 8, false);
                list.push_back(spoil(rule, r));
                if (rule == 6) list.push_back(none);
                continue;
            }
            if (r.permille(mix.receives)) {
                i.what = ACE_LIST_RECEIVE;
                i.rows = r.below(mix.rows + 1);
                due[i.key] += i.rows;
                receives++;
            } else if (!r.permille(50)) {
                i.what = ACE_LIST_SEND;
                for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
                    if (r.below(2)) i.hops |= (r.below(2) << 7 | r.below(ring[d])) << 8 * d;
                i.source = r.bits<uint64_t>(40);
                i.target = r.bits<uint32_t>(32);
                if (!r.permille(60)) i.bytes = 1 + r.below(mix.rows * ACE_ROW_BYTES);
                if (r.permille(300)) i.bytes = i.bytes / ACE_ROW_BYTES * ACE_ROW_BYTES;
                if (r.below(2)) i.piece = static_cast<uint16_t>(1 + r.below(5));
                if (i.piece)
                    i.gap = static_cast<uint16_t>(r.below(3) ? r.below(9) : r.below(65536));
                expect(i);
            } else {
                nothing++;
            }
            list.push_back(i);
        }
        if (r.below(3) == 0) {
            while (list.size() % ACE_LIST_ROW_ITEMS != ACE_LIST_ROW_ITEMS - 1) list.push_back(none);
            ace_list_item i{};
            i.what = ACE_LIST_PEERS;
            i.key = r.bits<uint8_t>(8);
            i.source = peers_first = r.bits<uint64_t>(40);
            i.rows = peers_rows = r.below(3) ? r.below(3) : r.below(12);
            if (r.below(4) == 0) { /* too many */
                i.rows += (uint64_t{ 1 } << 32) + 1;
                peers_rows = 0;
                breaks(first + list.size() / 8, list.size() % 8, false);
                spoilt[7]++;
            }
            list.push_back(i);
            of_peers++;
        }
        lists++;
    }
    void expect(const ace_list_item &i) {
        const uint64_t mask = (uint64_t{ 1 } << 40) - 1;
        const uint64_t count = (i.bytes + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES;
        for (uint64_t k = 0; k < count || k == 0; k++) {
            const uint64_t at = i.piece ? k / i.piece * (i.piece + i.gap) + k % i.piece : k;
            const uint64_t left = i.bytes - k * ACE_ROW_BYTES;
            pieces += at != k;
            empty += i.bytes == 0;
            rows[{ (i.source + at) & mask, (i.target + at) & 0xffffffff, i.hops,
                   static_cast<unsigned>(left < ACE_ROW_BYTES ? left : ACE_ROW_BYTES), i.key }]++;
        }
    }
    uint64_t list_rows() const { return (list.size() + 7) / 8; }

    void ask(ace_list_walk_in &in, Random &) {
        in = ace_list_walk_in{};
        configure(in);
        in.s_arrived = arrived[ace_list_walk_receive_key(twin)];
    }

    void drive(const ace_list_walk_out &out, ace_list_walk_in &in, Random &r) {
        wrong |= out.busy != busy && !busy;
        if (busy && !out.busy) { /* all of it has been done */
            wrong |= !rows.empty() || !illegal.empty() || fetched != list_rows() + peers_rows;
            for (unsigned k = 0; k < 256; k++) wrong |= due[k] != 0;
            busy = false;
        }
        told += out.m_wrong;
        in.s_list_valid = !asked.empty() && r.permille(mix.memory);
        if (in.s_list_valid) {
            const bool peers = asked.front() >= list_rows();
            for (uint64_t i = 0; i < ACE_LIST_ROW_ITEMS; i++) {
                const uint64_t at = asked.front() * ACE_LIST_ROW_ITEMS + i;
                ace_list_item_write(peers              ? &written.front()[i]
                                    : at < list.size() ? &list[at]
                                                       : &none,
                                    &row[8 * i]);
            }
            if (peers) written.pop_front();
            asked.pop_front();
            in.s_list_data = row;
            const bool unfit = r.permille(100);
            in.s_list_code = ace_row_code(row) ^ (unfit ? 1u << r.below(32) : 0);
            given += unfit;
        }
        in.s_take = r.permille(mix.take);
        if (out.m_ask_valid && in.s_take) {
            if (out.m_ask_list) {
                const bool peers = fetched >= list_rows();
                const uint64_t at = peers ? peers_first + fetched - list_rows() : first + fetched;
                wrong |= out.m_ask_source != (at & ROW_MASK);
                if (peers) {
                    wrong |= received < receives || (!illegal.empty() && !illegal.front().peers);
                    draw_peers(at, r);
                }
                asked.push_back(fetched++);
                wrong |= asked.size() > ACE_LIST_ROWS || fetched > list_rows() + peers_rows;
            } else {
                const auto found = rows.find({ out.m_ask_source, out.m_ask_target, out.m_ask_hops,
                                               out.m_ask_bytes, out.m_ask_key });
                wrong |= found == rows.end();
                if (found != rows.end() && --found->second == 0) rows.erase(found);
                sent++;
            }
        }
        if (out.m_bad) {
            wrong |= illegal.empty() || out.m_bad_addr != illegal.front().address ||
                     out.m_peers != illegal.front().peers || out.m_consume;
            if (!illegal.empty()) illegal.pop_front();
        }
        if (out.m_consume) {
            wrong |= out.m_consume_rows > arrived[out.m_receive_key] ||
                     out.m_consume_rows > due[out.m_receive_key];
            arrived[out.m_receive_key] -= out.m_consume_rows;
            due[out.m_receive_key] -= out.m_consume_rows;
            consumed++;
            received++;
        }
        for (unsigned k = first_key; k < 256; k++)
            if (r.permille(mix.arrive / 8)) arrived[k]++;
        if (!busy && r.permille(mix.start)) {
            draw(r);
            in.s_start = true;
            in.s_row = first;
            in.s_rows = list_rows();
            busy = in.s_rows != 0;
        }
    }
};

class ListWalk : public testing::TestWithParam<std::tuple<bool, Mix>> {};

TEST_P(ListWalk, EqualsTwin) {
    const auto &[small, mix] = GetParam();
    const unsigned sends = small ? ACE_RTL_SMALL_LIST_SENDS : ACE_LIST_SENDS;
    Lockstep<list_walk_unit> run(small, mix.items * 7919 + mix.rows * 31 + mix.take + mix.arrive);
    ASSERT_EQ(ace_list_walk_create(sends, &run.twin), ACE_OK);
    ASSERT_EQ(ace_list_walk_create(sends, &run.timing), ACE_OK);
    Environment e(mix, small);
    e.twin = run.twin;
    run.go(e, 30000, mix.resets);
    EXPECT_FALSE(e.wrong) << "not what the lists say";
    EXPECT_GT(e.lists, 10u);
    EXPECT_GT(e.sent, 300u);
    EXPECT_GT(e.consumed, 25u);
    EXPECT_GT(e.nothing, 5u);
    EXPECT_GT(e.told, 0u);
    EXPECT_LE(e.told, e.given);
    if (!mix.resets) EXPECT_GE(e.told + ACE_LIST_ROWS, e.given); /* some are still held */
    EXPECT_GT(e.empty, 5u);
    EXPECT_GT(e.of_peers, 5u);
    EXPECT_GT(e.hostile, 0u);
    EXPECT_GT(e.from_peers, 5u);
    if (e.lists * mix.items > 5000)
        for (const uint64_t n : e.spoilt) EXPECT_GT(n, &n == &e.spoilt.back() ? 0u : 2u);
    if (mix.rows > 3) EXPECT_GT(e.pieces, 100u);
    const std::string name = mix.name;
    if (name == "full_rate" && !small) EXPECT_GT(e.sent, 20000u);
    if (name == "sparse") EXPECT_GT(run.skipped, 100u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, ListWalk,
                         testing::Combine(testing::Bool(), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    (std::get<0>(info.param) ? "_small" : "");
                         });

TEST(ListItem, Words) {
    const ace_list_item send = { .what = ACE_LIST_SEND,
                                 .key = 0xab,
                                 .hops = 0x828104,
                                 .source = 0x123456789a,
                                 .target = 0xdcba9876,
                                 .piece = 0x4321,
                                 .gap = 0x8765,
                                 .bytes = 0x1ffffffffff,
                                 .rows = 0 };
    uint32_t words[8];
    ace_list_item back;
    ace_list_item_write(&send, words);
    /* the bits of the contract in rtl/ace_list_walk.v */
    const uint32_t want[] = { 0x8104ab01, 0x00000082, 0x3456789a, 0x00432112,
                              0xdcba9876, 0x00876500, 0xffffffff, 0x000001ff };
    for (unsigned i = 0; i < 8; i++) EXPECT_EQ(words[i], want[i]) << i;
    ace_list_item_read(words, &back);
    EXPECT_EQ(back.what, ACE_LIST_SEND);
    EXPECT_EQ(back.hops, send.hops);
    EXPECT_EQ(back.target, send.target);
    EXPECT_EQ(back.gap, send.gap);
    EXPECT_EQ(back.bytes, send.bytes);
}

} // namespace
