/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_fsm.v against cmodel/twin/ace_fsm.c, cycle by cycle.
 *
 * Verilated:
 *   Vace_fsm        defaults; the first of phase 0: even chunks only
 *   Vace_fsm_small  FSMS=1 CONTEXTS=4 PEERS=32, of phase 3: both directions
 *   Vace_fsm_odd    FSMS=2 CONTEXTS=2, the second of phase 2: odd chunks only
 *   Vace_fsm_four   DIMENSIONS=4 PEERS=64, the last of phase 4: odd chunks only
 *
 * The environment is the scheduler, the switch, the program's memory and all peers; each dimension
 * has a program of its own.  A context takes one chunk after the other.  A peer grants the context
 * once it can sink a piece, maybe long before the piece's turn or before the chunk is here.  A peer
 * that was granted sends its rows.
 */
#include <algorithm>

#include "ace_node.h"
#include "ace_switch.h"
#include "lockstep.h"

namespace {

constexpr ace_rtl_fsm_parameters sets[] = ACE_RTL_FSM_SETS;
constexpr const char *set_names[] = { "default", "small", "odd", "four" };

struct Mix {
    const char *name;
    unsigned ring_min, ring_max, block; /* nodes on a ring; most rows of a block */
    unsigned room, send, copy, receive; /* chances in a cycle, per mille */
    unsigned grant, wrong;              /* of a grant; of a row that belongs to another chunk */
    unsigned admit, release;
    unsigned resets; /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

/* The numbers of a mix stand in the order of its members. */
constexpr Mix mixes[] = {
    { "saturated", 2, 4, 24, 1000, 1000, 1000, 1000, 1000, 0, 1000, 1000, 0 },
    { "few_links_with_room", 2, 6, 24, 150, 900, 900, 900, 900, 0, 900, 900, 5 },
    { "back_pressure", 2, 6, 24, 900, 100, 100, 900, 900, 0, 900, 900, 5 },
    { "late_grants", 2, 6, 24, 900, 900, 900, 900, 10, 0, 900, 900, 5 },
    { "slow_receive", 2, 6, 24, 900, 900, 900, 80, 500, 0, 900, 900, 5 },
    { "sparse", 2, 6, 12, 500, 500, 500, 500, 500, 0, 5, 500, 10 },
    { "rings_of_two", 2, 2, 16, 900, 900, 500, 900, 900, 0, 900, 900, 5 },
    { "rings_of_three", 3, 3, 16, 900, 900, 500, 900, 900, 0, 900, 900, 5 },
    { "wide_hubs", 9, 64, 64, 950, 950, 950, 950, 950, 0, 900, 900, 5 },
    { "long_rings", 20, 128, 1024, 950, 950, 950, 950, 950, 0, 900, 900, 5 },
    { "long_blocks", 2, 3, 1024, 1000, 1000, 1000, 1000, 900, 0, 900, 900, 0 },
    { "single_rows", 2, 9, 1, 900, 900, 900, 900, 900, 0, 900, 900, 5 },
    { "wrong_chunks", 2, 4, 12, 900, 900, 900, 900, 500, 50, 900, 900, 60 },
    { "resets", 2, 6, 24, 800, 800, 800, 800, 500, 0, 900, 500, 60 },
};

struct Chunk {
    uint8_t kind, dim, ring, rank, type, op, mark;
    uint64_t scale;
    bool odd, up;
    uint16_t shard;
    ace_thread send, receive;
    bool granted, needs, open; /* the piece to send; the peer may send the piece to receive */
    uint16_t send_row, receive_row, sent, received;
};

struct Environment {
    enum { PIPE = ACE_REPORT_STAGE };
    const Mix &mix;
    ace_rtl_fsm_parameters p;
    uint16_t source_base, source_rows, target_base, target_rows;
    std::array<uint32_t, ACE_PROGRAM_WORDS> words{};
    uint8_t hub = 0;
    bool alone;
    const char *algorithm[ACE_DIMENSIONS];
    unsigned tree_ring, tree_rank; /* whose text is for one place */
    bool planned = false;
    bool busy[ACE_CONTEXTS_MAX] = {}; /* a chunk is admitted, not released */
    Chunk now[ACE_CONTEXTS_MAX] = {}, next[ACE_CONTEXTS_MAX] = {};
    unsigned newest = 0, oldest = 0; /* contexts are admitted, and released, in turn */
    struct Row {
        int at = -1;
        bool copy = false;
    };
    std::array<Row, PIPE> reduce{}, store{}; /* rows on their way to be reported written */

    uint64_t finished[4] = {}, rings[4] = {}, parities[2] = {}; /* chunks */
    uint16_t source_row[ACE_CONTEXTS_MAX] = {}, target_row[ACE_CONTEXTS_MAX] = {};
    uint64_t asks = 0, sends = 0, zeros = 0, reduces = 0, copies = 0, refused = 0, no_room = 0;
    int fetched = -1; /* the word of the program granted in the last cycle */
    uint64_t fetches = 0, waits = 0, closings = 0, exchanged = 0;
    unsigned turned = 0, took = 0, closed = 0; /* contexts, in the cycle before: a bit each */
    uint64_t early = 0, late = 0, together = 0, miscounted = 0, mismatches = 0, turns_of_oldest = 0;

    Environment(const Mix &m, const ace_rtl_fsm_parameters &parameters, Random &r)
        : mix(m), p(parameters) {
        /* a partition holds the longest block, padded; the two are neighbours */
        const uint32_t least = m.block + m.ring_max;
        const uint32_t spare = 4097 - 2 * least;
        source_rows = static_cast<uint16_t>(least + r.below(r.below(4) ? 200 : spare));
        const uint32_t left = 4097 - least - source_rows;
        target_rows =
            static_cast<uint16_t>(least + r.below(std::min(r.below(4) ? 200 : spare, left)));
        source_base = static_cast<uint16_t>(r.below(4097u - source_rows - target_rows));
        target_base = static_cast<uint16_t>(source_base + source_rows);
        const unsigned most = std::min(mix.ring_max, p.peers);
        const bool widest = std::string(mix.name) == "wide_hubs";
        tree_ring = widest ? most : mix.ring_min + r.below(most - std::min(mix.ring_min, most) + 1);
        tree_rank = r.below(tree_ring);
        const bool joins = mix.ring_min <= p.peers;
        const char *const ring[] = { "ring", "one-way-ring", "pairwise" };
        alone = r.permille(500);
        const char *const spread[] = { "direct", "halving-doubling", "in-network" };
        algorithm[0] = joins && r.permille(100) ? spread[r.below(3)] : ring[r.below(3)];
        algorithm[1] = joins && r.permille(800) ? spread[r.below(3)] : ring[r.below(2)];
        algorithm[2] = joins && r.permille(700) ? "double-binary-tree" : ring[r.below(2)];
        if (p.dimensions > 3)
            algorithm[3] = joins && r.permille(800) ? spread[r.below(3)] : ring[r.below(2)];
        /* each set has exchanges, and trees of the widest hub */
        if (std::string(mix.name) == "few_links_with_room") algorithm[0] = "pairwise";
        if (widest) algorithm[2] = "double-binary-tree";
        for (unsigned d = 0; d < p.dimensions; d++) {
            char text[4096];
            ace_program_error error;
            const bool circles = std::string(algorithm[d]).find("ring") != std::string::npos ||
                                 std::string(algorithm[d]) == "pairwise";
            hub = static_cast<uint8_t>(hub | !circles << d);
            if (std::string(algorithm[d]) == "halving-doubling") /* for any power of two */
                EXPECT_EQ(ace_program_text(algorithm[d], 2, 0, text, sizeof text), ACE_OK);
            else
                EXPECT_EQ(ace_program_text(algorithm[d], tree_ring, tree_rank, text, sizeof text),
                          ACE_OK);
            EXPECT_EQ(ace_program_assemble(text, 1u << d, words.data(), &error), ACE_OK)
                << error.message;
        }
    }
    void configure(ace_fsm_pins_in &in) const {
        in.cfg_phase = static_cast<uint8_t>(p.phase);
        in.cfg_index = static_cast<uint8_t>(p.index);
        in.cfg_hub = hub;
        in.cfg_alone = alone;
        in.cfg_source_end = static_cast<uint16_t>(source_base + source_rows - 1);
        in.cfg_source_rows = source_rows;
        in.cfg_target_end = static_cast<uint16_t>(target_base + target_rows - 1);
        in.cfg_target_rows = target_rows;
    }
    void reset() {
        planned = false;
        std::fill(std::begin(busy), std::end(busy), false);
        newest = oldest = 0;
        reduce.fill({});
        store.fill({});
        fetched = -1;
        took = 0;
    }

    uint8_t index_of(unsigned at) const { return static_cast<uint8_t>(at * p.fsms + p.index); }

    bool is_hub(unsigned dim) const { return hub >> dim & 1; }
    uint32_t entry(const Chunk &c) const { return words[ace_program_entry(c.kind, c.dim, c.odd)]; }

    Chunk plan(unsigned at, Random &r) const {
        Chunk c{};
        const std::string name = algorithm[c.dim = static_cast<uint8_t>(r.below(p.dimensions))];
        c.kind = static_cast<uint8_t>(1 + r.below(3));
        const unsigned most = is_hub(c.dim) ? std::min(mix.ring_max, p.peers) : mix.ring_max;
        unsigned ring = r.below(8) ? mix.ring_min + r.below(most - mix.ring_min + 1) : most;
        if (name == "halving-doubling")
            ring = 1u << (1 + r.below(static_cast<uint32_t>(31 - __builtin_clz(most))));
        const bool tree = name == "double-binary-tree";
        c.ring = static_cast<uint8_t>(tree || name == "pairwise" ? tree_ring : ring);
        c.rank = static_cast<uint8_t>(tree ? tree_rank : r.below(c.ring));
        const unsigned longest = (mix.block + c.ring - 1) / c.ring;
        c.shard = static_cast<uint16_t>(r.below(8) ? 1 + r.below(longest) : longest);
        c.type = static_cast<uint8_t>(r.below(ACE_TYPES));
        c.op = static_cast<uint8_t>(r.below(ACE_OPS));
        c.scale = r.bits<uint64_t>(37);
        c.mark = r.bits<uint8_t>(8);
        c.odd = index_of(at) & 1;
        c.up = !c.odd || (entry(c) >> 15 & 1);
        ace_thread_begin(&c.send, words.data(), entry(c) & 127, c.ring, c.rank, c.up);
        ace_thread_begin(&c.receive, words.data(), entry(c) >> 7 & 127, c.ring, c.rank, c.up);
        begin_send(c);
        begin_receive(c);
        return c;
    }
    /* Is a piece one of an exchange, with the neighbour on either side? */
    bool exchanges(const Chunk &c, const ace_thread &t) const {
        return !is_hub(c.dim) && ACE_PROGRAM_GET(t.word, PEER) == ACE_XOR;
    }
    /* The link that leads to the peer of an exchange, or on which all other pieces go. */
    unsigned link_of(const Chunk &c, const ace_thread &t) const {
        const bool ahead = t.peer == (c.rank + 1u) % c.ring;
        return 2u * c.dim + (exchanges(c, t) ? !ahead : !c.up);
    }
    /* To whom a packet goes: to the own place is to the switch, to reduce. */
    uint8_t peer_of(const Chunk &c) const {
        if (!is_hub(c.dim)) return 0;
        return c.send.peer == c.rank ? uint8_t(0x80 | c.op << 3 | c.type) : c.send.peer;
    }
    static bool grants(const ace_thread &t) {
        const unsigned grant = t.word >> 1 & 3;
        return grant == ACE_GRANT_EACH || (grant == ACE_GRANT_FIRST && t.first);
    }
    static void begin_send(Chunk &c) {
        c.send_row = 0;
        c.granted = false;
        c.needs = grants(c.send);
    }
    static void begin_receive(Chunk &c) {
        c.receive_row = 0;
        c.open = !grants(c.receive);
    }
    void sent_row(Chunk &c) const {
        c.sent++;
        if (++c.send_row != c.send.shards * c.shard) return;
        ace_thread_next(&c.send, words.data(), c.ring, c.rank, c.up);
        begin_send(c);
    }
    void received_row(Chunk &c) const {
        c.received++;
        if (++c.receive_row != c.receive.shards * c.shard) return;
        ace_thread_next(&c.receive, words.data(), c.ring, c.rank, c.up);
        begin_receive(c);
    }

    /* The next row that arrives for a context is to be reduced; or there is none. */
    bool awaits(unsigned at, bool to_reduce, unsigned turning) const {
        const Chunk &c = now[at];
        const unsigned down = busy[at] ? link_of(c, c.receive) & 1 : 0; /* any side, without one */
        return busy[at] && !(turning >> (at + down * p.contexts) & 1) && !c.receive.end && c.open &&
               (c.receive.word >> 9 & 1) == to_reduce;
    }
    int pick(bool to_reduce, unsigned turning, Random &r) const {
        const unsigned first = r.below(p.contexts);
        for (unsigned i = 0; i < p.contexts; i++)
            if (awaits((first + i) % p.contexts, to_reduce, turning))
                return static_cast<int>((first + i) % p.contexts);
        return -1;
    }

    void grant(ace_fsm_pins_in &in, Random &r) {
        for (unsigned link = 0; link < 2 * p.dimensions; link++) { /* to other FSMs */
            if (!r.permille(100)) continue;
            const auto context = r.bits<uint8_t>(8);
            if (ace_context_phase(context) == p.phase && (context & (p.fsms - 1)) == p.index)
                continue;
            in.s_grant_valid = static_cast<uint8_t>(in.s_grant_valid | 1u << link);
            in.s_grant_context[link] = context;
            in.s_grant_peer[link] = r.bits<uint8_t>(7);
        }
        for (unsigned at = 0; at < p.contexts; at++) {
            /* A peer may be a chunk ahead: at once in another dimension, and in the same one as
             * soon as it has everything of the chunk before. */
            const bool ahead = !busy[at] || now[at].send.end || now[at].dim != next[at].dim;
            Chunk *c = busy[at] && !now[at].send.end && now[at].needs && !now[at].granted ? &now[at]
                       : ahead && next[at].needs && !next[at].granted ? &next[at]
                                                                      : nullptr;
            if (!c || !r.permille(mix.grant)) continue;
            const unsigned link = 2u * c->dim + c->up;
            if (in.s_grant_valid >> link & 1) continue; /* one a link */
            c->granted = true;
            in.s_grant_valid = static_cast<uint8_t>(in.s_grant_valid | 1u << link);
            in.s_grant_context[link] = ace_context_name(p.phase, index_of(at));
            in.s_grant_peer[link] = is_hub(c->dim) ? c->send.peer : 0;
            early += c == &next[at];
            late += c == &now[at];
        }
    }

    uint8_t mark_at(unsigned at, Random &r) const {
        return static_cast<uint8_t>(now[at].mark + r.permille(mix.wrong));
    }

    void ask(ace_fsm_pins_in &in, Random &r) {
        if (!planned)
            for (unsigned at = 0; at < p.contexts; at++) next[at] = plan(at, r);
        planned = true;
        in = ace_fsm_pins_in{};
        configure(in);
        for (unsigned l = 0; l < 2 * p.dimensions; l++)
            in.s_link_room = static_cast<uint8_t>(in.s_link_room | r.permille(mix.room) << l);

        for (unsigned at = 0; at < p.contexts; at++)
            in.s_held = static_cast<uint8_t>(in.s_held | r.permille(300) << at);
        in.s_reduce_index = r.bits<uint8_t>(5);
        in.s_store_index = r.bits<uint8_t>(5);
        in.s_fetch_word = fetched < 0 ? r.bits<uint32_t>(32) : words[static_cast<size_t>(fetched)];

        const Row reduced = reduce[PIPE - 1], stored = store[PIPE - 1];
        in.s_reduced_valid = reduced.at >= 0;
        in.s_reduced_copy = reduced.copy;
        if (in.s_reduced_valid) in.s_reduced_index = index_of(static_cast<unsigned>(reduced.at));
        in.s_stored_valid = stored.at >= 0;
        if (in.s_stored_valid) in.s_stored_index = index_of(static_cast<unsigned>(stored.at));
    }

    /* Rows arrive, but none for a context that is turning. */
    void receive(const ace_fsm_pins_out &out, ace_fsm_pins_in &in, Random &r) {
        const int to_reduce = r.permille(mix.receive) ? pick(true, out.m_turning, r) : -1;
        const int to_store = r.permille(mix.receive) ? pick(false, out.m_turning, r) : -1;
        for (unsigned at = 0; at < p.contexts; at++)
            waits += (out.m_turning >> at & 1) && (awaits(at, true, 0) || awaits(at, false, 0));
        in.s_reduce_take = to_reduce >= 0;
        in.s_store_take = to_store >= 0;
        /* A context turns with a row only if it was closing before.  An exchange turns to the other
         * link with the last row of a piece, which is the last row from that neighbour. */
        for (unsigned at = 0; at < p.contexts; at++)
            if (!busy[at] || !exchanges(now[at], now[at].receive)) {
                EXPECT_FALSE(out.m_turning & ~turned & took & ~closed & 1u << at);
            }
        turned = out.m_turning;
        closed = out.m_closing;
        took = (to_reduce >= 0 ? 1u << to_reduce : 0) | (to_store >= 0 ? 1u << to_store : 0);
        closings += (took & closed) != 0;
        if (to_reduce >= 0) in.s_reduce_index = index_of(static_cast<unsigned>(to_reduce));
        if (to_store >= 0) in.s_store_index = index_of(static_cast<unsigned>(to_store));
        in.s_reduce_mark = in.s_store_mark = r.bits<uint8_t>(8);
        if (to_reduce >= 0) in.s_reduce_mark = mark_at(static_cast<unsigned>(to_reduce), r);
        if (to_store >= 0) in.s_store_mark = mark_at(static_cast<unsigned>(to_store), r);
    }

    void admit(ace_fsm_pins_in &in, Random &r) {
        const Chunk c = now[newest] = next[newest];
        busy[newest] = true;
        next[newest] = plan(newest, r);
        in.s_admit_valid = true;
        in.s_context_phase = static_cast<uint8_t>(p.phase);
        in.s_context_index = index_of(newest);
        in.s_admit_kind = c.kind;
        in.s_admit_dim = c.dim;
        in.s_admit_ring = c.ring;
        in.s_admit_rank = c.rank;
        in.s_admit_shard = c.shard;
        const unsigned all = c.ring * c.shard; /* with padding */
        in.s_admit_valids =
            static_cast<uint16_t>(std::min(1024u, r.below(8) ? r.below(all + 1) : all));
        in.s_admit_source_row = static_cast<uint16_t>(source_base + r.below(source_rows));
        in.s_admit_target_row = static_cast<uint16_t>(target_base + r.below(target_rows));
        source_row[newest] = in.s_admit_source_row;
        target_row[newest] = in.s_admit_target_row;
        in.s_admit_type = c.type;
        in.s_admit_op = c.op;
        in.s_admit_scale = c.scale;
        in.s_admit_mark = c.mark;
        rings[std::min<unsigned>(c.ring, 4) - 1]++;
        parities[c.odd]++;
        newest = (newest + 1) % p.contexts;
    }

    void drive(const ace_fsm_pins_out &out, ace_fsm_pins_in &in, Random &r) {
        mismatches += out.m_mismatch;
        receive(out, in, r);
        in.s_fetch_grant = out.m_fetch_valid && r.permille(mix.send);
        fetched = in.s_fetch_grant ? out.m_fetch_at : -1;
        fetches += in.s_fetch_grant;
        in.s_send_take = out.m_send_valid && r.permille(mix.send);
        refused += out.m_send_valid && !in.s_send_take;
        no_room += !out.m_send_valid && in.s_link_room != (1u << 2 * p.dimensions) - 1;
        /* the reduce pipe takes a received row first, else a copy */
        in.s_copy_take = out.m_copy_valid && !in.s_reduce_take && r.permille(mix.copy);
        together += in.s_reduce_take && in.s_store_take;

        std::move_backward(reduce.begin(), reduce.end() - 1, reduce.end());
        std::move_backward(store.begin(), store.end() - 1, store.end());
        reduce[0] = store[0] = {};
        if (in.s_reduce_take) reduce[0].at = in.s_reduce_index / static_cast<int>(p.fsms);
        if (in.s_copy_take) reduce[0] = { out.m_copy_index / static_cast<int>(p.fsms), true };
        if (in.s_store_take) store[0].at = in.s_store_index / static_cast<int>(p.fsms);
        if (in.s_reduce_take) received_row(now[reduce[0].at]);
        if (in.s_store_take) received_row(now[store[0].at]);
        reduces += in.s_reduce_take;
        copies += in.s_copy_take;

        in.s_grant_take = out.m_grant_valid && r.permille(mix.send);
        if (in.s_grant_take) {
            const unsigned at = out.m_grant_index / p.fsms;
            Chunk &c = now[at];
            const unsigned link = 2u * c.dim + (is_hub(c.dim) ? !c.up : c.up);
            miscounted += !busy[at] || c.open || c.receive.end || out.m_grant_link != link ||
                          out.m_grant_mark != c.mark ||
                          out.m_grant_peer != (is_hub(c.dim) ? c.receive.peer : 0);
            c.open = true;
            asks++;
        }
        grant(in, r);
        if (in.s_send_take) {
            const unsigned at = out.m_send_index / p.fsms;
            Chunk &c = now[at];
            const bool target = c.send.word >> 10 & 1;
            const unsigned row = unsigned(target ? target_row[at] : source_row[at]) +
                                 c.send.shard * c.shard + c.send_row;
            const unsigned end = target ? target_base + target_rows : source_base + source_rows;
            miscounted +=
                !busy[at] || (c.needs && !c.granted) || c.send.end ||
                out.m_send_row != (row >= end ? row - (target ? target_rows : source_rows) : row) ||
                out.m_send_reduce != (c.send.word >> 9 & 1) ||
                out.m_send_link != link_of(c, c.send) || out.m_send_peer != peer_of(c);
            exchanged += exchanges(c, c.send);
            sent_row(c);
            sends++;
            zeros += out.m_send_zero;
            turns_of_oldest += at == oldest;
        }

        /* the scheduler does one thing a cycle, for any FSM of the node */
        if (busy[oldest] && (out.m_context_done >> oldest & 1) && r.permille(mix.release)) {
            const Chunk &c = now[oldest];
            miscounted += !c.send.end || !c.receive.end;
            finished[c.kind]++;
            busy[oldest] = false;
            in.s_release_valid = true;
            in.s_context_phase = static_cast<uint8_t>(p.phase);
            in.s_context_index = index_of(oldest);
            oldest = (oldest + 1) % p.contexts;
        } else if (!busy[newest] && r.permille(mix.admit)) {
            admit(in, r);
        } else if (r.permille(300)) {
            in.s_context_phase = r.bits<uint8_t>(3);
            in.s_context_index = r.bits<uint8_t>(5);
            const bool ours =
                in.s_context_phase == p.phase && (in.s_context_index & (p.fsms - 1)) == p.index;
            in.s_admit_valid = !ours && r.permille(500);
            in.s_release_valid = !ours && !in.s_admit_valid;
            in.s_admit_kind = static_cast<uint8_t>(1 + r.below(3));
            in.s_admit_shard = r.bits<uint16_t>(10);
            in.s_admit_mark = r.bits<uint8_t>(8);
        }
    }
};

class Fsm : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Fsm, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const ace_rtl_fsm_parameters &p = sets[set];
    Lockstep<fsm_unit> run(set, mix.ring_max * 7919 + mix.block * 104729 + mix.room * 13 +
                                    mix.send * 3 + mix.grant + mix.resets);
    ASSERT_EQ(ace_fsm_pins_create(p.fsms, p.contexts, p.peers, &run.twin), ACE_OK);
    ASSERT_EQ(ace_fsm_pins_create(p.fsms, p.contexts, p.peers, &run.timing), ACE_OK);
    Environment e(mix, p, run.random);
    run.go(e, 30000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(e.miscounted, 0u);
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    const uint64_t least = mix.block > 200 ? 1 : mix.admit < 100 ? 5 : 10;
    EXPECT_GE(e.finished[ACE_PHASE_REDUCE_SCATTER], least);
    EXPECT_GE(e.finished[ACE_PHASE_ALL_REDUCE], least);
    EXPECT_GE(e.finished[ACE_PHASE_ALL_GATHER], least);
    EXPECT_GT(e.sends, 200u);
    EXPECT_GT(e.reduces, 100u);
    EXPECT_GT(e.copies, 10u);
    EXPECT_GT(e.zeros, 20u);
    EXPECT_GT(e.early, 10u);
    EXPECT_EQ(e.mismatches > 0, mix.wrong > 0);
    EXPECT_EQ(e.parities[0] > 0, set < 2);
    EXPECT_EQ(e.parities[1] > 0, set != 0);
    EXPECT_GT(e.asks, 20u);
    EXPECT_GT(e.fetches, 200u);
    /* for the next piece to receive; of a ring, which the first dimension is as a rule */
    if (mix.block <= 200 && !e.is_hub(0)) EXPECT_GT(e.waits, 10u);
    if (mix.block <= 200) EXPECT_GT(e.closings, 10u);
    if (mix.ring_min == 2) EXPECT_GT(e.rings[1], 0u);
    const bool pairs = std::string(e.algorithm[0]) == "pairwise"; /* all on rings of one size */
    if (!pairs) EXPECT_EQ(e.rings[2] > 0, mix.ring_min <= 3 && mix.ring_max >= 3);
    if (pairs && e.tree_ring == 4) EXPECT_GT(e.exchanged, 50u);
    EXPECT_EQ(e.rings[3] > 0, mix.ring_max > 3);
    if (name == "saturated") EXPECT_GT(e.together, 200u);
    if (name == "saturated") EXPECT_GT(e.sends, 8000u);
    if (name == "few_links_with_room") EXPECT_GT(e.no_room, 3000u);
    if (name == "back_pressure") EXPECT_GT(e.refused, 8000u);
    if (name == "late_grants") EXPECT_GT(e.late, 50u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    EXPECT_LT(e.turns_of_oldest, e.sends); /* others overtake a context that waits */
}

INSTANTIATE_TEST_SUITE_P(Mixes, Fsm,
                         testing::Combine(testing::Range(0u, 4u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) + "_" +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
