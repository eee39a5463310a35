/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_exchange.v against cmodel/nic/ace_exchange.c, cycle by cycle.
 *
 * Verilated: Vace_exchange (defaults), Vace_exchange_small (ROWS=3 BURSTS=5) and
 * Vace_exchange_four (DIMENSIONS=4).
 *
 * The environment is the NPU, the memory, the router and the other members.  These do what
 * this node does, so a row that leaves stands for one that arrives, sooner or later and in
 * any order.  What leaves is compared with MPI_Alltoall written down directly, or with the
 * transfers of a list.  Of lists, rows of others arrive too, long before a list receives them.
 * Strays arrive as well, at the edges of the windows and anywhere outside, of any size: no address
 * outside them is ever shown, and no command takes one for its own.  Rows of peers that follow a
 * list may hold sends: each is counted as refused, and no row leaves for it.
 */
#include "lockstep.h"

#include <map>
#include <tuple>
#include <vector>

namespace {

struct Mix {
    const char *name;
    uint8_t ring[ACE_DIMENSIONS], rank[ACE_DIMENSIONS];
    unsigned rows;                    /* a block has up to so many */
    unsigned command, memory, answer; /* chances in a cycle, per mille */
    unsigned pop, arrive;
    unsigned resets; /* per ten thousand */
    unsigned lists;  /* of the commands, per mille */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "full_rate", { 4, 2, 2 }, { 1, 0, 1 }, 40, 1000, 1000, 1000, 1000, 1000, 0, 200 },
    { "cube", { 4, 4, 4 }, { 3, 2, 1 }, 6, 300, 900, 900, 900, 900, 0, 0 },
    { "odd_rings", { 5, 3, 1 }, { 4, 0, 0 }, 9, 300, 800, 800, 700, 700, 5, 300 },
    { "slow_memory", { 3, 2, 2 }, { 0, 1, 0 }, 9, 300, 150, 150, 900, 900, 5, 400 },
    { "slow_links", { 2, 6, 1 }, { 1, 3, 0 }, 5, 300, 900, 900, 60, 900, 5, 400 },
    { "late_peers", { 1, 8, 2 }, { 0, 7, 1 }, 3, 300, 900, 900, 900, 60, 5, 0 },
    { "long_ring", { 128, 1, 1 }, { 77, 0, 0 }, 2, 300, 1000, 1000, 1000, 1000, 0, 100 },
    { "lists", { 4, 3, 2 }, { 2, 1, 1 }, 12, 300, 900, 900, 800, 800, 5, 900 },
    { "alone", { 1, 1, 1 }, { 0, 0, 0 }, 30, 100, 700, 700, 700, 700, 5, 100 },
    { "resets", { 3, 2, 2 }, { 2, 0, 1 }, 4, 300, 900, 900, 900, 900, 60, 300 },
};

struct Command {
    bool list, illegal; /* illegal: an item of the list is */
    std::vector<ace_list_item> items;
    std::vector<ace_list_item> peers; /* of the rows that follow */
    uint64_t hostile;                 /* of them, those that are illegal */
    unsigned count;
    uint8_t dims;
    uint64_t source, destination, bytes;
    uint16_t tag;
};

struct Environment {
    const Mix &mix;
    const unsigned dimensions, rows, bursts; /* of the module */
    bool offered = false;
    Command offer{};
    std::deque<Command> commands; /* taken, not done */
    /* what must still be read, and what must still leave; by address, and by member and row */
    std::map<uint64_t, unsigned> reads;
    std::map<std::tuple<uint64_t, uint64_t, unsigned>, unsigned> leaves;
    std::map<uint64_t, std::array<uint32_t, ACE_ROW_WORDS>> list_rows; /* of the list, by address */
    uint64_t ahead[256] = {}; /* rows of others that no list drawn so far receives */
    uint64_t lists = 0, empty_lists = 0, early = 0;
    std::deque<uint64_t> asked;              /* addresses */
    std::deque<bool> landed;                 /* rows not answered, in their order: of this node? */
    uint64_t begun = 0, ended = 0, open = 0; /* open: rows of this node that left, not answered */
    unsigned w_open = 0, b_due = 0, reserved = 0;
    struct Row {
        uint32_t address;
        uint32_t note;
        bool own;
    };
    std::vector<Row> away; /* rows that left, and have not arrived */
    uint64_t popped = 0, written = 0, blocked = 0, empty = 0, padding = 0;
    int64_t balance[ACE_DIMENSIONS] = {}; /* of this command: hops up less hops down */
    bool even = false;                    /* its blocks have an even number of rows */
    uint64_t balanced = 0;
    bool unfit = false;
    uint64_t given = 0, told = 0; /* rows of lists that do not fit their code */
    bool wrong = false;
    Rows r_rows, arriving;
    /* Windows, in rows: what this node's commands write is inside. */
    static constexpr uint32_t window_first[] = { 0x10, 0x8 };
    static constexpr uint32_t window_last[] = { 0x81234567, 0x82000000 };
    std::deque<uint64_t> addresses; /* written to, no data yet */
    uint32_t refused = 0;
    uint64_t strays = 0, first_refused = 0, failures = 0, edges = 0, pads = 0, empty_strays = 0;
    bool list_failed = false;
    /* items of peers that were refused, of lists begun and of lists done; and where they lie */
    uint64_t hostile = 0, judged = 0, evil = 0;
    std::map<uint64_t, bool> hostile_at;
    static constexpr uint64_t PEERS = UINT64_C(1) << 46;

    Environment(const Mix &m, unsigned dimensions_, unsigned rows_, unsigned bursts_)
        : mix(m), dimensions(dimensions_), rows(rows_), bursts(bursts_) {}
    void configure(ace_exchange_in &in) const {
        in.cfg_ring = in.cfg_rank = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            in.cfg_ring |= static_cast<uint32_t>(mix.ring[d]) << 8 * d;
            in.cfg_rank |= static_cast<uint32_t>(mix.rank[d]) << 8 * d;
        }
        std::copy_n(window_first, 2, in.cfg_window_first);
        std::copy_n(window_last, 2, in.cfg_window_last);
    }
    unsigned first_list_key() const { return unsigned(ACE_LIST_KEYS_FIRST) << (dimensions - 3); }
    /* May a row come in?  One of 0 bytes is not written, wherever it says. */
    bool allowed(uint32_t row, uint32_t note) const {
        const bool list = (note & 255) >= first_list_key();
        return !(note >> 8) || (row >= window_first[list] && row <= window_last[list]);
    }
    /* A key of all-to-alls that no command has: over a ring of one node, where there is one. */
    int spare_key() const {
        for (unsigned d = 0; d < dimensions; d++)
            if (mix.ring[d] == 1) return static_cast<int>(2u << d);
        return -1;
    }
    /* Rows of others that nobody waits for: at the first and the last row of a window and beside
     * them, or anywhere, of any size. */
    void stray(Random &r) {
        const int spare = spare_key();
        const bool list = spare < 0 || r.below(2);
        const uint32_t key = list ? 128 + r.below(128) : static_cast<uint32_t>(spare);
        const uint32_t ends[] = { window_first[list], window_last[list] };
        const uint32_t row = r.below(3) ? ends[r.below(2)] - 1 + r.below(3) : r.bits<uint32_t>(32);
        const uint32_t bytes = r.below(4) ? 1 + r.below(256) : r.below(512) & r.below(2) * 511;
        const uint32_t note = bytes << 8 | key;
        edges += row == ends[0] || row == ends[1];
        empty_strays += bytes == 0;
        if (list) ahead[key] += allowed(row, note);
        away.push_back({ row, note, false });
    }
    void reset() {
        offered = false;
        commands.clear();
        reads.clear();
        leaves.clear();
        list_rows.clear();
        for (uint64_t &a : ahead) a = 0;
        asked.clear();
        landed.clear();
        begun = ended = open = 0;
        w_open = b_due = reserved = 0;
        away.clear();
        addresses.clear();
        refused = 0;
        hostile = judged = 0;
        hostile_at.clear();
        list_failed = false;
    }
    void keep_rows(const ace_exchange_in &in, ace_exchange_in &to) const {
        if (list_row) to.s_r_data = in.s_r_data;
    }
    bool list_row = false; /* on s_r_data */

    static bool over(const Command &c, unsigned d) {
        for (unsigned i = 0; i < c.count; i++)
            if ((c.dims >> 2 * i & 3) == d) return true;
        return false;
    }
    /* Where hops lead, 16 bits a dimension. */
    static uint64_t goal(const Mix &mix, uint64_t route, int64_t *balance) {
        uint64_t to = 0;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            const unsigned hops = route >> 8 * d & 0x7f;
            const bool down = route >> (8 * d + 7) & 1;
            if (2 * hops > mix.ring[d]) return UINT64_MAX; /* the longer way round */
            balance[d] += down ? -static_cast<int64_t>(hops) : hops;
            to |= static_cast<uint64_t>(down ? mix.ring[d] - hops : hops) << 16 * d;
        }
        return to;
    }

    /* Expects the rows of a list, and the rows of its sends. */
    void expect_list(const Command &c) {
        even = false;
        list_rows.clear();
        for (size_t i = 0; i < c.items.size(); i++) {
            const ace_list_item &item = c.items[i];
            const uint64_t at = c.source + i / ACE_LIST_ROW_ITEMS * ACE_ROW_BYTES;
            reads[at] += list_rows.find(at) == list_rows.end();
            ace_list_item_write(&item, &list_rows[at][i % ACE_LIST_ROW_ITEMS * 8]);
            if (item.what != ACE_LIST_SEND) continue;
            int64_t unused[ACE_DIMENSIONS] = {};
            for (uint64_t k = 0; k < ace_list_item_rows(&item); k++) {
                const uint64_t row = item.piece ? k / item.piece * item.gap + k : k;
                const uint64_t left = item.bytes - k * ACE_ROW_BYTES;
                const unsigned bytes =
                    static_cast<unsigned>(left < ACE_ROW_BYTES ? left : ACE_ROW_BYTES);
                reads[(item.source + row) * ACE_ROW_BYTES]++;
                leaves[{ goal(mix, item.hops, unused),
                         (uint64_t{ item.target } + row) * ACE_ROW_BYTES,
                         bytes | static_cast<unsigned>(item.key) << 16 }]++;
            }
        }
        for (size_t i = 0; i < c.peers.size(); i++) {
            const ace_list_item &item = c.peers[i];
            const uint64_t at =
                c.items.back().source * ACE_ROW_BYTES + i / ACE_LIST_ROW_ITEMS * ACE_ROW_BYTES;
            reads[at] += i % ACE_LIST_ROW_ITEMS == 0;
            ace_list_item_write(&item, &list_rows[at][i % ACE_LIST_ROW_ITEMS * 8]);
            if (item.what != ACE_LIST_RECEIVE && item.what != ACE_LIST_NOTHING)
                hostile_at[at + i % ACE_LIST_ROW_ITEMS * ACE_LIST_ITEM_BYTES] = true;
        }
        hostile += c.hostile;
        begun++;
    }

    /* MPI_Alltoall: block j goes to member j, where it is block `own`. */
    void expect(const Command &c) {
        if (c.list) return expect_list(c);
        uint64_t size[ACE_DIMENSIONS], members = 1, own = 0;
        for (unsigned d = ACE_DIMENSIONS; d-- > 0;) {
            size[d] = over(c, d) ? mix.ring[d] : 1;
            own = own * size[d] + (over(c, d) ? mix.rank[d] : 0);
            members *= size[d];
        }
        uint64_t block = (c.bytes + members - 1) / members;
        block = (block + ACE_ROW_BYTES - 1) / ACE_ROW_BYTES * ACE_ROW_BYTES;
        even = block / ACE_ROW_BYTES % 2 == 0;
        for (int64_t &b : balance) b = 0;
        for (uint64_t j = 0; j < members; j++) {
            uint64_t to = 0; /* what its route has to come to, 16 bits a dimension */
            for (uint64_t d = 0, rest = j; d < ACE_DIMENSIONS; rest /= size[d++])
                to |= (rest % size[d] + size[d] - (over(c, d) ? mix.rank[d] : 0)) % size[d]
                      << 16 * d;
            for (uint64_t at = 0; at < block; at += ACE_ROW_BYTES) {
                const uint64_t from = j * block + at, into = own * block + at;
                const uint64_t end = from > into ? from : into;
                const uint64_t left = c.bytes > end ? c.bytes - end : 0;
                reads[c.source + from]++;
                leaves[{ to, c.destination + into,
                         static_cast<unsigned>(left < ACE_ROW_BYTES ? left : ACE_ROW_BYTES) }]++;
            }
        }
        begun++;
    }

    /* Senders with keys from 128 on are other nodes. All other rows come back to this node, which
     * receives them sooner or later. */
    void draw_list(Command &c, Random &r) {
        uint64_t sent[256] = {};
        c.source = (UINT64_C(1) << 47) + (lists++ << 16);
        for (unsigned n = r.below(20); n-- > 0;) {
            ace_list_item i{};
            i.what = ACE_LIST_RECEIVE;
            i.key = static_cast<uint8_t>(r.below(2) ? (ACE_LIST_KEYS_FIRST << (dimensions - 3)) +
                                                          r.below(6)
                                                    : 128 + r.below(128));
            uint64_t &open_rows = i.key < 128 ? sent[i.key] : ahead[i.key];
            i.rows = r.below(static_cast<uint32_t>(open_rows + 1));
            early += i.key >= 128 ? i.rows : 0;
            if (i.rows) {
                open_rows -= i.rows;
            } else if (i.key < 128) {
                i.what = ACE_LIST_SEND;
                for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
                    const unsigned up = r.below(mix.ring[d]), size = mix.ring[d];
                    const bool down = 2 * up > size || (2 * up == size && r.below(2));
                    i.hops |= static_cast<uint32_t>(ace_route_hops(d, down, down ? size - up : up));
                }
                i.source = r.bits<uint64_t>(38);
                i.target = r.bits<uint32_t>(31);
                i.bytes = r.below(mix.rows * ACE_ROW_BYTES);
                if (r.below(2)) i.piece = static_cast<uint16_t>(1 + r.below(3));
                if (i.piece) i.gap = static_cast<uint16_t>(r.below(9));
                sent[i.key] += ace_list_item_rows(&i);
            }
            c.items.push_back(i);
        }
        if (r.below(8) == 0) { /* breaks a rule, and is passed over */
            ace_list_item i{};
            i.what = static_cast<ace_list_what>(4 + r.below(252));
            c.items.push_back(i);
            c.illegal = true;
        }
        for (unsigned k = 0; k < 128; k++) {
            if (!sent[k]) continue;
            ace_list_item i{};
            i.what = ACE_LIST_RECEIVE;
            i.key = static_cast<uint8_t>(k);
            i.rows = sent[k];
            c.items.push_back(i);
        }
        if (r.below(2)) draw_peers(c, r);
        c.bytes = c.items.size() * ACE_LIST_ITEM_BYTES;
        empty_lists += c.bytes == 0;
    }

    /* Rows that others have written before the list comes to them. */
    void draw_peers(Command &c, Random &r) {
        while (c.items.size() % ACE_LIST_ROW_ITEMS != ACE_LIST_ROW_ITEMS - 1) c.items.push_back({});
        const unsigned rows_ = r.below(6);
        for (unsigned n = 0; n < rows_ * ACE_LIST_ROW_ITEMS; n++) {
            ace_list_item i{};
            i.key = static_cast<uint8_t>(128 + r.below(128));
            if (r.below(3) == 0) {
                i.what = ACE_LIST_RECEIVE;
                i.rows = r.below(static_cast<uint32_t>(ahead[i.key] + 1));
                ahead[i.key] -= i.rows;
            } else if (r.below(8) == 0) {
                i.what = r.below(2) ? ACE_LIST_SEND : ACE_LIST_PEERS;
                i.rows = i.bytes = r.below(1000);
                i.source = r.bits<uint64_t>(38);
                c.hostile++;
            }
            c.peers.push_back(i);
        }
        evil += c.hostile;
        ace_list_item i{};
        i.what = ACE_LIST_PEERS;
        i.source = (PEERS + (lists << 16)) / ACE_ROW_BYTES;
        i.rows = rows_;
        c.items.push_back(i);
    }

    Command draw(Random &r) {
        Command c{};
        c.tag = r.bits<uint16_t>(16);
        c.list = r.permille(mix.lists);
        if (c.list) {
            draw_list(c, r);
            return c;
        }
        c.count = r.below(dimensions + 1);
        const uint8_t orders[] = { 0x24, 0x21, 0x18, 0x12, 0x09, 0x06 };
        c.dims = orders[r.below(6)];
        if (dimensions > 3) { /* the fourth in the place of any, which comes last */
            const unsigned at = 2 * r.below(4), was = c.dims >> at & 3;
            c.dims =
                static_cast<uint8_t>(at < 6 ? (c.dims | 3u << at) | was << 6 : c.dims | 3u << 6);
        }
        uint64_t members = 1;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) members *= over(c, d) ? mix.ring[d] : 1;
        c.bytes = 1 + r.below(static_cast<uint32_t>(members * mix.rows * ACE_ROW_BYTES));
        if (r.permille(300)) c.bytes = (c.bytes + 255) / 256 * 256;
        c.source = r.bits<uint64_t>(34) << 12;
        c.destination = (r.bits<uint64_t>(27) + 1) << 12; /* what a route holds */
        return c;
    }

    void leave(unsigned q, uint64_t route, uint32_t note) {
        const unsigned to = ace_route_target(route);
        wrong |= q != (to == ACE_ROUTER_HERE ? 2 * dimensions : to);
        const unsigned key = note & 255;
        const auto found = leaves.find(
            { goal(mix, route, balance), (route >> 32) * ACE_ROW_BYTES,
              (note >> 8 & 511) |
                  (key < unsigned(ACE_LIST_KEYS_FIRST) << (dimensions - 3) ? 0 : key << 16) });
        if (found == leaves.end()) {
            wrong = true;
            return;
        }
        if (--found->second == 0) leaves.erase(found);
        away.push_back({ static_cast<uint32_t>(route >> 32), note, true });
        open++;
        popped++;
    }

    void drive(const ace_exchange_out &out, ace_exchange_in &in, Random &r) {
        if (!offered && r.permille(mix.command)) offer = draw(r), offered = true;
        in.s_cmd_valid = offered;
        in.s_cmd_list = offer.list;
        in.s_cmd_dim_count = static_cast<uint8_t>(offer.count);
        in.s_cmd_dims = offer.dims;
        in.s_cmd_source = offer.source;
        in.s_cmd_destination = offer.destination;
        in.s_cmd_bytes = offer.bytes;
        in.s_cmd_tag = offer.tag;
        in.m_done_ready = r.permille(700);
        if (out.m_done_valid) { /* all has been read and has left, and as much has arrived */
            if (begun == ended && !commands.empty()) expect(commands.front()); /* of nothing */
            wrong |= !reads.empty() || !leaves.empty() || open || commands.empty() ||
                     out.m_done_tag != commands.front().tag;
            for (const int64_t b : balance) wrong |= even && b != 0;
            list_failed |= !commands.empty() && commands.front().illegal;
            wrong |= list_failed && !out.failed_list;
            wrong |= out.count_refused != refused + hostile;
            judged = hostile;
            balanced += even;
            if (in.m_done_ready && !commands.empty()) {
                commands.pop_front();
                ended++;
            }
        }
        const bool expected = begun > ended;

        told += out.m_list_wrong;
        in.s_r_valid = !asked.empty() && r.permille(mix.memory);
        in.s_r_data = in.s_r_valid ? r_rows.fresh(r) : nullptr;
        list_row = false;
        if (in.s_r_valid) {
            const auto found = list_rows.find(asked.front());
            list_row = found != list_rows.end();
            if (list_row) in.s_r_data = found->second.data();
            in.s_r_code =
                r.bits<uint32_t>(32); /* whatever it is, it goes with a row; lists end here */
            unfit = r.permille(100);
            if (list_row) in.s_r_code = ace_row_code(in.s_r_data) ^ (unfit ? 1u << r.below(32) : 0);
            given += list_row && unfit;
            asked.pop_front();
        }
        in.m_ar_ready = r.permille(mix.memory);
        if (out.m_ar_valid && in.m_ar_ready) {
            if (!expected && !commands.empty()) expect(commands.front());
            const auto found = reads.find(out.m_ar_addr);
            wrong |= found == reads.end() || asked.size() >= bursts;
            if (found != reads.end() && --found->second == 0) reads.erase(found);
            asked.push_back(out.m_ar_addr);
        }
        blocked += out.m_ar_valid && !in.m_ar_ready;

        in.s_b_valid = b_due > 0 && r.permille(mix.answer);
        b_due -= in.s_b_valid;
        if (in.s_b_valid) {
            open -= landed.front();
            landed.pop_front();
        }
        wrong |= out.count_refused < refused + judged || out.count_refused > refused + hostile;
        wrong |= (refused || judged) && !out.failed;
        wrong |= out.failed && !out.failed_list && out.failed_addr != first_refused &&
                 !hostile_at.count(out.failed_addr);
        failures += out.failed;
        if (out.m_aw_valid && !out.m_aw_pad) { /* the list's window holds the other one */
            const uint64_t row = out.m_aw_addr / ACE_ROW_BYTES;
            wrong |= row < window_first[1] || row > window_last[1];
        }
        if (out.m_aw_valid && out.m_aw_pad) wrong |= out.m_aw_addr != 0;
        pads += out.m_aw_valid && out.m_aw_pad;
        if (out.m_w_valid && !addresses.empty()) /* only padding writes nothing */
            wrong |= (out.m_w_strb == 0) != (addresses.front() == 0);
        in.m_aw_ready = r.permille(mix.memory);
        in.m_w_ready = r.permille(mix.memory);
        if (out.m_aw_valid && in.m_aw_ready) addresses.push_back(out.m_aw_addr);
        if (out.m_w_valid && in.m_w_ready) {
            b_due++, written++;
            addresses.pop_front();
        }

        in.s_pop = 0;
        for (unsigned group = 0; group < 3; group++) { /* of +, of -, the own block's */
            const unsigned q = group == 2 ? 2 * dimensions : 2 * r.below(dimensions) + group;
            if (!(out.m_head_valid >> q & 1) || !r.permille(mix.pop)) continue;
            in.s_pop = static_cast<uint16_t>(in.s_pop | 1u << q);
            leave(q, out.m_head_route[q], out.m_head_note[q]);
            padding += (out.m_head_note[q] >> 8) < ACE_ROW_BYTES;
        }
        empty += out.m_head_valid == 0 && !commands.empty();

        if (mix.lists && away.size() < 20 && r.below(8) == 0) {
            const unsigned key = 128 + r.below(128);
            const uint32_t row = r.bits<uint32_t>(32);
            const uint32_t note = (r.below(4) ? r.below(257) : 0) << 8 | key;
            away.push_back({ row, note, false });
            ahead[key] += allowed(row, note);
        }
        if (away.size() < 20 && r.below(64) == 0) stray(r);
        if (away.size() < 20 && r.below(64) == 0) { /* just outside, or anywhere there */
            const bool list = r.below(2);
            const uint32_t key = list ? first_list_key() + r.below(2) : r.below(first_list_key());
            const uint32_t row = window_last[list] + 1 +
                                 (r.below(2) ? 0 : r.below(UINT32_MAX - window_last[list] - 1));
            const bool below = !list && r.below(2);
            away.push_back({ below ? window_first[0] - 1 - r.below(2) : row,
                             (1 + r.below(256)) << 8 | key, false });
        }
        in.s_row_valid = reserved > 0;
        if (in.s_row_valid) {
            const size_t at = r.below(static_cast<uint32_t>(away.size()));
            in.s_row_address = away[at].address;
            in.s_row_note = away[at].note;
            in.s_row_data = arriving.fresh(r);
            in.s_row_code = r.bits<uint32_t>(32);
            if (allowed(away[at].address, away[at].note)) {
                landed.push_back(away[at].own);
            } else {
                if (!refused++) first_refused = uint64_t{ away[at].address } * ACE_ROW_BYTES;
                strays++;
            }
            away[at] = away.back();
            away.pop_back();
            reserved--;
        }
        in.s_reserve = out.m_room && away.size() > reserved && r.permille(mix.arrive);
        reserved += in.s_reserve;

        if (offered && out.s_cmd_ready) {
            commands.push_back(offer);
            offered = false;
        }
    }
};

constexpr const char *set_names[] = { "", "_small", "_four" };

class Exchange : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Exchange, EqualsTwin) {
    const unsigned set = std::get<0>(GetParam()), dimensions = set == 2 ? 4 : 3;
    const bool small = set == 1;
    Mix mix = std::get<1>(GetParam());
    mix.ring[3] = dimensions == 4 ? std::max<uint8_t>(mix.ring[2], 2) : 1;
    mix.rank[3] = dimensions == 4 ? mix.rank[2] : 0;
    const unsigned rows = small ? ACE_RTL_SMALL_EXCHANGE_ROWS : 32;
    const unsigned bursts = small ? ACE_RTL_SMALL_EXCHANGE_BURSTS : 128;
    const unsigned sends = small ? ACE_RTL_SMALL_LIST_SENDS : ACE_LIST_SENDS;
    Lockstep<exchange_unit> run(set, mix.rows * 7919 + mix.memory * 31 + mix.pop + mix.ring[1]);
    ASSERT_EQ(ace_exchange_create(dimensions, rows, bursts, sends, true, &run.twin), ACE_OK);
    ASSERT_EQ(ace_exchange_create(dimensions, rows, bursts, sends, false, &run.timing), ACE_OK);
    Environment e(mix, dimensions, rows, bursts);
    run.go(e, 40000, mix.resets);
    EXPECT_FALSE(e.wrong) << "not what MPI_Alltoall does, or not what a list says";
    EXPECT_GT(e.ended + run.resets, 8u);
    if (mix.lists < 500) EXPECT_GT(e.balanced, 0u);
    if (mix.lists) EXPECT_GT(e.lists, 3u);
    EXPECT_LE(e.told, e.given);
    if (mix.lists > 500) EXPECT_GT(e.told, 0u);
    if (mix.lists > 500) EXPECT_GT(e.empty_lists, 0u);
    if (mix.lists > 500) EXPECT_GT(e.early, 10u);
    if (mix.lists > 500) EXPECT_GT(e.evil, 10u);
    EXPECT_GT(e.popped, 1000u);
    EXPECT_GT(e.written, 1000u);
    EXPECT_GT(e.padding, 10u);
    EXPECT_GT(e.strays, 20u);
    EXPECT_GT(e.edges, 20u);
    EXPECT_GT(e.empty_strays, 20u);
    EXPECT_GT(e.pads, 10u);
    EXPECT_GT(e.failures, 0u);
    const std::string name = mix.name;
    if (name == "full_rate" && !small) EXPECT_GT(e.popped, 20000u);
    if (name == "alone") EXPECT_GT(run.skipped, 20u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Exchange,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
