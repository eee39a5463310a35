/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_fsm.v against cmodel/ace_fsm.c, cycle by cycle.
 *
 * Verilated: Vace_fsm (defaults: even chunks only), Vace_fsm_small (PHASE=3 INDEX=0 FSMS=1
 * CONTEXTS=4: both directions) and Vace_fsm_odd (PHASE=2 INDEX=1 FSMS=2 CONTEXTS=2: odd chunks
 * only).
 *
 * The environment is the scheduler, the switch and both neighbours.  A context takes one chunk
 * after the other.  The neighbour that receives from it grants the context once it can sink
 * the chunk, maybe long before the chunk is here; the other neighbour sends rows in ring
 * order once the chunk is admitted, and what goes round the ring comes after it was sent.
 */
#include <algorithm>

#include "ace_node.h"
#include "ace_switch.h"
#include "lockstep.h"

namespace {

constexpr ace_rtl_fsm_parameters sets[] = ACE_RTL_FSM_SETS;
constexpr const char *set_names[] = { "default", "small", "odd" };

struct Mix {
    const char *name;
    unsigned ring_min, ring_max, block; /* nodes on a ring; most rows of a block */
    unsigned room, send, copy, receive; /* chances in a cycle, per mille */
    unsigned grant, wrong;              /* of a grant; of its naming another chunk */
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
    { "long_rings", 20, 128, 300, 950, 950, 950, 950, 950, 0, 900, 900, 5 },
    { "long_blocks", 2, 3, 1024, 1000, 1000, 1000, 1000, 900, 0, 900, 900, 0 },
    { "single_rows", 2, 9, 1, 900, 900, 900, 900, 900, 0, 900, 900, 5 },
    { "wrong_chunks", 2, 4, 12, 900, 900, 900, 900, 500, 50, 900, 900, 60 },
    { "resets", 2, 6, 24, 800, 800, 800, 800, 500, 0, 900, 500, 60 },
};

struct Chunk {
    uint8_t kind, dim, ring, type, op, mark;
    uint64_t scale;
    uint16_t shard, half, total;
    bool granted, named_wrong; /* the neighbour's grant came; it named another chunk */
    uint16_t sent, received;
};

struct Environment {
    enum { PIPE = ACE_PIPE_STAGES };
    const Mix &mix;
    ace_rtl_fsm_parameters p;
    uint16_t source_base, source_rows, target_base, target_rows;
    bool planned = false;
    bool busy[ACE_CONTEXTS_MAX] = {}; /* a chunk is admitted, not released */
    Chunk now[ACE_CONTEXTS_MAX] = {}, next[ACE_CONTEXTS_MAX] = {};
    unsigned newest = 0, oldest = 0; /* contexts are admitted, and released, in turn */
    struct Row {
        int at = -1;
        bool copy = false;
    };
    std::array<Row, PIPE> reduce{}, store{}; /* rows on their way to be reported written */

    uint64_t finished[4] = {}, rings[4] = {}, directions[2] = {}; /* chunks */
    uint64_t sends = 0, zeros = 0, reduces = 0, copies = 0, refused = 0, no_room = 0;
    uint64_t early = 0, late = 0, together = 0, miscounted = 0, mismatches = 0, turns_of_oldest = 0;

    Environment(const Mix &m, const ace_rtl_fsm_parameters &parameters, Random &r)
        : mix(m), p(parameters) {
        /* a partition holds the longest block, padded; the two are neighbours */
        const uint32_t least = m.block + m.ring_max;
        source_rows = static_cast<uint16_t>(least + r.below(200));
        target_rows = static_cast<uint16_t>(least + r.below(200));
        source_base = static_cast<uint16_t>(r.below(4097u - source_rows - target_rows));
        target_base = static_cast<uint16_t>(source_base + source_rows);
    }
    void configure(ace_fsm_pins_in &in) const {
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
    }

    uint8_t index_of(unsigned at) const { return static_cast<uint8_t>(at * p.fsms + p.index); }

    Chunk plan(Random &r) const {
        Chunk c{};
        c.kind = static_cast<uint8_t>(1 + r.below(3));
        c.dim = static_cast<uint8_t>(r.below(ACE_DIMENSIONS));
        c.ring = static_cast<uint8_t>(mix.ring_min + r.below(mix.ring_max - mix.ring_min + 1));
        c.shard = static_cast<uint16_t>(1 + r.below(std::max(mix.block / c.ring, 1u)));
        c.half = static_cast<uint16_t>((c.ring - 1) * c.shard);
        c.total = static_cast<uint16_t>(c.kind == ACE_PHASE_ALL_REDUCE ? 2 * c.half : c.half);
        c.type = static_cast<uint8_t>(r.below(ACE_TYPES));
        c.op = static_cast<uint8_t>(r.below(ACE_OPS));
        c.scale = r.bits<uint64_t>(37);
        c.mark = r.bits<uint8_t>(8);
        return c;
    }

    /* The next row that arrives for a context is to be reduced; or there is none. */
    bool awaits(unsigned at, bool to_reduce) const {
        const Chunk &c = now[at];
        const bool reduces_next = c.kind != ACE_PHASE_ALL_GATHER && c.received < c.half;
        return busy[at] && c.received < c.total && c.received < c.half + c.sent &&
               reduces_next == to_reduce;
    }
    int pick(bool to_reduce, Random &r) const {
        const unsigned first = r.below(p.contexts);
        for (unsigned i = 0; i < p.contexts; i++)
            if (awaits((first + i) % p.contexts, to_reduce))
                return static_cast<int>((first + i) % p.contexts);
        return -1;
    }

    void grant(ace_fsm_pins_in &in, Random &r) {
        for (unsigned link = 0; link < ACE_LINKS; link++) { /* to other FSMs */
            if (!r.permille(100)) continue;
            const auto context = r.bits<uint8_t>(8);
            if (context >> 6 == p.phase && (context & (p.fsms - 1)) == p.index) continue;
            in.s_grant_valid = static_cast<uint8_t>(in.s_grant_valid | 1u << link);
            in.s_grant_context[link] = context;
            in.s_grant_mark[link] = r.bits<uint8_t>(8);
        }
        for (unsigned at = 0; at < p.contexts; at++) {
            /* The neighbour may be a chunk ahead: at once on another ring, and on the same
             * one as soon as it has everything of the chunk before. */
            const bool ahead =
                !busy[at] || now[at].sent == now[at].total || now[at].dim != next[at].dim;
            Chunk *c = busy[at] && (!now[at].granted || now[at].named_wrong)  ? &now[at]
                       : ahead && (!next[at].granted || next[at].named_wrong) ? &next[at]
                                                                              : nullptr;
            if (!c || !r.permille(mix.grant)) continue;
            const unsigned link = 2u * c->dim + (index_of(at) & 1);
            if (in.s_grant_valid >> link & 1) continue; /* one a link */
            c->granted = true;
            c->named_wrong = r.permille(mix.wrong);
            in.s_grant_valid = static_cast<uint8_t>(in.s_grant_valid | 1u << link);
            in.s_grant_context[link] = static_cast<uint8_t>(p.phase << 6 | index_of(at));
            in.s_grant_mark[link] = static_cast<uint8_t>(c->mark + c->named_wrong);
            early += c == &next[at];
            late += c == &now[at];
        }
    }

    void ask(ace_fsm_pins_in &in, Random &r) {
        if (!planned)
            for (unsigned at = 0; at < p.contexts; at++) next[at] = plan(r);
        planned = true;
        in = ace_fsm_pins_in{};
        configure(in);
        for (unsigned l = 0; l < ACE_LINKS; l++)
            in.s_link_room = static_cast<uint8_t>(in.s_link_room | r.permille(mix.room) << l);

        const int to_reduce = r.permille(mix.receive) ? pick(true, r) : -1;
        const int to_store = r.permille(mix.receive) ? pick(false, r) : -1;
        in.s_reduce_take = to_reduce >= 0;
        in.s_store_take = to_store >= 0;
        in.s_reduce_index =
            to_reduce < 0 ? r.bits<uint8_t>(6) : index_of(static_cast<unsigned>(to_reduce));
        in.s_store_index =
            to_store < 0 ? r.bits<uint8_t>(6) : index_of(static_cast<unsigned>(to_store));

        const Row reduced = reduce[PIPE - 1], stored = store[PIPE - 1];
        in.s_reduced_valid = reduced.at >= 0;
        in.s_reduced_copy = reduced.copy;
        if (in.s_reduced_valid) in.s_reduced_index = index_of(static_cast<unsigned>(reduced.at));
        in.s_stored_valid = stored.at >= 0;
        if (in.s_stored_valid) in.s_stored_index = index_of(static_cast<unsigned>(stored.at));
    }

    void admit(ace_fsm_pins_in &in, Random &r) {
        const Chunk c = now[newest] = next[newest];
        busy[newest] = true;
        next[newest] = plan(r);
        in.s_admit_valid = true;
        in.s_context_phase = static_cast<uint8_t>(p.phase);
        in.s_context_index = index_of(newest);
        in.s_admit_kind = c.kind;
        in.s_admit_dim = c.dim;
        in.s_admit_ring = c.ring;
        in.s_admit_shard = c.shard;
        in.s_admit_valids = static_cast<uint16_t>(std::min(1024u, r.below(c.half + c.shard + 1u)));
        in.s_admit_half = c.half;
        /* as ace_scheduler reckons: what a node sends and receives first */
        const bool plus = !(in.s_context_index & 1);
        const unsigned ring = c.ring, rank = r.below(ring), step = plus ? ring - 1 : 1;
        const unsigned one = (rank + step) % ring, two = (one + step) % ring;
        const bool gather = c.kind == ACE_PHASE_ALL_GATHER;
        in.s_admit_send_shard = static_cast<uint8_t>(gather ? rank : one);
        in.s_admit_receive_shard = static_cast<uint8_t>(gather ? one : two);
        in.s_admit_send_offset = static_cast<uint16_t>(in.s_admit_send_shard * c.shard);
        in.s_admit_receive_offset = static_cast<uint16_t>(in.s_admit_receive_shard * c.shard);
        in.s_admit_own_offset = static_cast<uint16_t>(rank * c.shard);
        in.s_admit_source_row = static_cast<uint16_t>(source_base + r.below(source_rows));
        in.s_admit_target_row = static_cast<uint16_t>(target_base + r.below(target_rows));
        in.s_admit_type = c.type;
        in.s_admit_op = c.op;
        in.s_admit_scale = c.scale;
        in.s_admit_mark = c.mark;
        rings[std::min<unsigned>(ring, 4) - 1]++;
        directions[plus]++;
        newest = (newest + 1) % p.contexts;
    }

    void drive(const ace_fsm_pins_out &out, ace_fsm_pins_in &in, Random &r) {
        mismatches += out.m_mismatch;
        in.s_send_take = out.m_send_valid && r.permille(mix.send);
        refused += out.m_send_valid && !in.s_send_take;
        no_room += !out.m_send_valid && in.s_link_room != 63;
        /* the reduce pipe takes a received row first, else a copy */
        in.s_copy_take = out.m_copy_valid && !in.s_reduce_take && r.permille(mix.copy);
        together += in.s_reduce_take && in.s_store_take;

        std::move_backward(reduce.begin(), reduce.end() - 1, reduce.end());
        std::move_backward(store.begin(), store.end() - 1, store.end());
        reduce[0] = store[0] = {};
        if (in.s_reduce_take) reduce[0].at = in.s_reduce_index / static_cast<int>(p.fsms);
        if (in.s_copy_take) reduce[0] = { out.m_copy_index / static_cast<int>(p.fsms), true };
        if (in.s_store_take) store[0].at = in.s_store_index / static_cast<int>(p.fsms);
        if (in.s_reduce_take) now[reduce[0].at].received++;
        if (in.s_store_take) now[store[0].at].received++;
        reduces += in.s_reduce_take;
        copies += in.s_copy_take;

        grant(in, r);
        if (in.s_send_take) {
            const unsigned at = out.m_send_index / p.fsms;
            miscounted += !busy[at] || !now[at].granted || now[at].sent == now[at].total;
            now[at].sent++;
            sends++;
            zeros += out.m_send_zero;
            turns_of_oldest += at == oldest;
        }

        /* the scheduler does one thing a cycle, for any FSM of the node */
        if (busy[oldest] && (out.m_context_done >> oldest & 1) && r.permille(mix.release)) {
            const Chunk &c = now[oldest];
            miscounted += c.sent != c.total || c.received != c.total;
            finished[c.kind]++;
            busy[oldest] = false;
            in.s_release_valid = true;
            in.s_context_phase = static_cast<uint8_t>(p.phase);
            in.s_context_index = index_of(oldest);
            oldest = (oldest + 1) % p.contexts;
        } else if (!busy[newest] && r.permille(mix.admit)) {
            admit(in, r);
        } else if (r.permille(300)) {
            in.s_context_phase = r.bits<uint8_t>(2);
            in.s_context_index = r.bits<uint8_t>(6);
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
    ASSERT_EQ(ace_fsm_pins_create(p.phase, p.index, p.fsms, p.contexts, &run.twin), ACE_OK);
    ASSERT_EQ(ace_fsm_pins_create(p.phase, p.index, p.fsms, p.contexts, &run.timing), ACE_OK);
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
    EXPECT_EQ(e.directions[1] > 0, set != 2); /* up the ring */
    EXPECT_EQ(e.directions[0] > 0, set != 0); /* down */
    EXPECT_EQ(e.rings[1] > 0, mix.ring_min == 2);
    EXPECT_EQ(e.rings[2] > 0, mix.ring_min <= 3 && mix.ring_max >= 3);
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
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) + "_" +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
