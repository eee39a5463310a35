/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_dispatcher.v against cmodel/twin/ace_dispatcher.c, cycle by cycle.
 *
 * Verilated: Vace_dispatcher (defaults), Vace_dispatcher_small (COMMANDS=2) and
 * Vace_dispatcher_four (DIMENSIONS=4).
 */
#include "ace_node.h"
#include "collectives.h"

namespace {

constexpr unsigned every_kind = 7;

struct Mix {
    const char *name;
    unsigned offer, take; /* chances in a cycle, per mille */
    unsigned burst;       /* commands that follow one another without a gap, at most */
    unsigned resets;      /* per ten thousand; each draws another configuration */
    Collectives of;
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr uint64_t MiB = 1 << 20;
constexpr Mix mixes[] = {
    /* rings, chunk rows, bytes, dims, kinds, order, exact */
    { "saturated", 1000, 1000, 1, 5, { { 4, 4, 4 }, 64, MiB / 16, 3, every_kind, ORDER_LIFO, 0 } },
    { "saturated_fifo", 1000, 1000, 1, 0, { { 5, 3, 2 }, 48, 4096, 3, 7, ORDER_FIFO, 0 } },
    { "configurations", 300, 900, 3, 60, { { 8, 8, 8 }, 300, MiB / 4, 3, 7, ORDER_ANY, 0 } },
    { "large_rings", 500, 900, 1, 40, { { 128, 128, 128 }, 1024, MiB, 3, 7, ORDER_ANY, 0 } },
    { "rings_of_one_or_two", 500, 900, 1, 50, { { 1, 2, 2 }, 64, MiB / 8, 3, 7, ORDER_ANY, 0 } },
    { "dividing", 400, 900, 1, 50, { { 4, 4, 4 }, 448, MiB, 3, 7, ORDER_ANY, true } },
    { "back_pressure", 800, 8, 1, 5, { { 6, 1, 5 }, 200, MiB / 8, 3, 7, ORDER_ANY, 0 } },
    { "waiting", 5, 60, 1, 20, { { 4, 3, 2 }, 64, 65536, 3, 7, ORDER_FIFO, 0 } },
    { "bursts", 4, 700, 12, 20, { { 3, 7, 9 }, 100, MiB / 16, 3, 7, ORDER_ANY, 0 } },
    { "sparse", 4, 700, 1, 20, { { 3, 2, 9 }, 256, 2000, 3, 7, ORDER_ANY, 0 } },
    { "single_rows", 900, 1000, 1, 30, { { 9, 9, 9 }, 1, 1200, 3, 7, ORDER_ANY, 0 } },
    { "copies", 900, 800, 1, 30, { { 4, 4, 4 }, 1024, MiB / 4, 0, 7, ORDER_ANY, 0 } },
    { "all_reduce", 500, 900, 2, 40, { { 16, 16, 16 }, 512, MiB / 4, 3, 1, ORDER_ANY, 0 } },
    { "reduce_scatter", 500, 900, 2, 40, { { 16, 16, 16 }, 512, MiB / 4, 3, 2, ORDER_ANY, 0 } },
    { "all_gather", 500, 900, 2, 40, { { 16, 16, 16 }, 512, MiB / 4, 3, 4, ORDER_ANY, 0 } },
    { "endless", 300, 900, 2, 20, { { 4, 8, 6 }, 1024, 1ull << 40, 3, 7, ORDER_ANY, 0 } },
};

struct Environment {
    struct Held {
        uint16_t tag;
        uint64_t rows;
    };
    const Mix &mix;
    const unsigned commands;
    Random dice; /* of the configurations */
    ace_config cfg{};
    bool offer = false;
    unsigned burst = 0;
    std::deque<Held> held[ACE_COMMAND_CLASSES]; /* oldest first */
    unsigned left[ACE_COMMAND_CLASSES] = {};    /* chunks of a class in this round */
    unsigned turn = 0;                          /* class of the chunk that is offered */
    bool chosen = false;                        /* a chunk is offered, and `turn` is set */
    uint64_t of_class[ACE_COMMAND_CLASSES] = {}, passed = 0;
    uint64_t taken = 0, chunks = 0, lasts = 0, full = 0, blocked = 0, wrong = 0, partial = 0;
    uint64_t kinds[3] = {}, types[ACE_TYPES] = {}, ops[ACE_OPS] = {},
             counts[ACE_DIMENSIONS + 1] = {}, phases[ACE_PHASES + 1] = {}, orders[2] = {};
    uint64_t bursts[5] = {}, parted = 0, padded = 0, overtaken = 0;
    uint64_t beside = 0;  /* commands taken while a chunk waited */
    unsigned held_up = 0; /* cycles in which one could not be, though there was room */

    Environment(const Mix &m, unsigned n, uint64_t seed) : mix(m), commands(n), dice{ seed } {
        reset();
    }
    void configure(ace_dispatcher_pins_in &in) const {
        in.cfg_fifo = cfg.order == ACE_FIFO;
        in.cfg_class_tag = cfg.class_tag;
        in.cfg_class_weight = static_cast<uint8_t>(cfg.class_weight[0] | cfg.class_weight[1] << 4);
        in.cfg_ring = bytes_of(cfg.ring);
        in.cfg_rank = bytes_of(cfg.rank);
        in.cfg_chunk_rows = cfg.chunk_rows;
    }
    void reset() {
        draw_config(mix.of, cfg, dice);
        offer = false;
        burst = 0;
        held_up = 0;
        for (unsigned c = 0; c < ACE_COMMAND_CLASSES; c++) {
            held[c].clear();
            left[c] = 0;
        }
        chosen = false;
        draw_classes();
    }
    /* In a third of the configurations all commands are of class 0. */
    void draw_classes() {
        cfg.class_tag = dice.below(3) ? dice.bits<uint16_t>(16) : uint16_t{ 0 };
        for (uint8_t &w : cfg.class_weight)
            w = static_cast<uint8_t>(dice.below(4) ? dice.below(4) : dice.below(16));
    }
    /* Is there no room for a command, of whatever class? */
    bool is_full() const {
        const size_t others = commands > 16 ? commands / 8 : 2;
        return held[0].size() == commands || held[1].size() == others;
    }
    size_t all() const { return held[0].size() + held[1].size(); }
    /* The class whose turn it is: of those that wait and have chunks left in the round, class 1
     * first.  If there is none a round begins. */
    void choose() {
        const auto can = [&](unsigned c) { return !held[c].empty() && left[c]; };
        if (!can(0) && !can(1)) {
            left[0] = cfg.class_weight[0];
            left[1] = std::max<unsigned>(cfg.class_weight[1], 1);
        }
        turn = can(1) || held[0].empty() || (!can(0) && !held[1].empty());
        if (left[turn]) left[turn]--;
        chosen = true;
    }
    /* A command comes while a chunk waits.  With FIFO it enters; with LIFO it must not, since it
     * would be the newest.  */
    void while_waiting(const ace_dispatcher_pins_out &out) {
        const bool room = !is_full(), waits = out.m_chunk_valid;
        if (cfg.order == ACE_LIFO) wrong += waits && out.s_cmd_ready;
        held_up = cfg.order == ACE_FIFO && waits && room && !out.s_cmd_ready ? held_up + 1 : 0;
        wrong += held_up > 2 * dimensions_of(mix.of) + 3;
        beside += waits && offer && out.s_cmd_ready;
    }
    /* The collective the chunk must belong to, by the order of the contract. */
    void chunk_taken(const ace_dispatcher_pins_out &out) {
        chunks++;
        orders[cfg.order]++;
        phases[phases_of(out.m_chunk_kinds)]++;
        bursts[out.m_chunk_load_burst]++;
        if (out.m_chunk_store_burst != out.m_chunk_load_burst) parted++;
        lasts += out.m_chunk_last;
        for (unsigned p = 0; p < ACE_PHASES; p++) {
            const unsigned kind = out.m_chunk_kinds >> 2 * p & 3, dim = out.m_chunk_dims >> 2 * p;
            const uint64_t shard = out.m_chunk_shards >> 11 * p & 2047;
            if (kind == ACE_PHASE_REDUCE_SCATTER || kind == ACE_PHASE_ALL_REDUCE)
                padded += shard * cfg.ring[dim & 3] != (out.m_chunk_valids >> 11 * p & 2047);
        }
        std::deque<Held> &mine = held[turn];
        chosen = false;
        if (mine.empty()) {
            wrong++;
            return;
        }
        of_class[turn]++;
        passed += turn && !held[0].empty();
        Held &h = cfg.order == ACE_FIFO ? mine.front() : mine.back();
        const uint64_t rows = std::min<uint64_t>(h.rows, cfg.chunk_rows);
        wrong += out.m_chunk_tag != h.tag || out.m_chunk_last != (h.rows == rows);
        partial += rows < cfg.chunk_rows;
        h.rows -= rows;
        if (h.rows == 0) cfg.order == ACE_FIFO ? mine.pop_front() : mine.pop_back();
    }
    void drive(const ace_dispatcher_pins_out &out, ace_dispatcher_pins_in &in, Random &random) {
        wrong += out.idle != (all() == 0);
        if (out.m_chunk_valid && !chosen) choose();
        in.s_hold = random.permille(30); /* what it has begun it offers all the same */
        in.m_chunk_ready = random.permille(mix.take);
        blocked += out.m_chunk_valid && !in.m_chunk_ready;
        if (out.m_chunk_valid && in.m_chunk_ready) chunk_taken(out);

        if (!offer && (burst || random.permille(mix.offer))) {
            ace_command c;
            draw_command(mix.of, c, random);
            burst = burst ? burst - 1 : random.below(mix.burst);
            offer = true;
            in.s_cmd_kind = static_cast<uint8_t>(c.kind);
            in.s_cmd_type = static_cast<uint8_t>(c.type);
            in.s_cmd_op = static_cast<uint8_t>(c.op);
            in.s_cmd_scale = c.scale;
            in.s_cmd_dim_count = c.dim_count;
            /* any bits after the last dimension */
            in.s_cmd_dims = random.bits<uint8_t>(2 * dimensions_of(mix.of));
            for (unsigned i = 0; i < c.dim_count; i++)
                in.s_cmd_dims =
                    static_cast<uint8_t>((in.s_cmd_dims & ~(3u << 2 * i)) | c.dims[i] << 2 * i);
            in.s_cmd_source = c.source;
            in.s_cmd_destination = c.destination;
            in.s_cmd_bytes = c.bytes;
            in.s_cmd_tag = c.tag;
        }
        in.s_cmd_valid = offer;
        while_waiting(out);
        full += is_full();
        wrong += is_full() && out.s_cmd_ready;
        if (offer && out.s_cmd_ready) {
            offer = false;
            const unsigned c = cfg.class_tag && in.s_cmd_tag >= cfg.class_tag;
            overtaken += cfg.order == ACE_LIFO && !held[c].empty();
            held[c].push_back({ in.s_cmd_tag, (in.s_cmd_bytes + 255) / 256 });
            taken++;
            kinds[in.s_cmd_kind]++;
            types[in.s_cmd_type]++;
            ops[in.s_cmd_op]++;
            counts[in.s_cmd_dim_count]++;
        }
    }
};

constexpr const char *set_names[] = { "", "_small", "_four" };

class Dispatcher : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Dispatcher, EqualsTwin) {
    const unsigned set = std::get<0>(GetParam());
    Mix mix = std::get<1>(GetParam());
    if (set == 2) mix.of = with_fourth(mix.of);
    const unsigned commands = set == 1 ? ACE_RTL_SMALL_COMMANDS : 64;
    const unsigned dimensions = dimensions_of(mix.of);
    Lockstep<dispatcher_unit> run(set, mix.of.bytes + mix.of.chunk_rows * 1000 + mix.of.kinds);
    ASSERT_EQ(ace_dispatcher_pins_create(dimensions, commands, &run.twin), ACE_OK);
    ASSERT_EQ(ace_dispatcher_pins_create(dimensions, commands, &run.timing), ACE_OK);
    Environment e(mix, commands, run.random.next());
    run.go(e, 180000, (mix.resets + 2) / 3); /* as many as in a third of the cycles */
    const std::string name = mix.name;
    EXPECT_EQ(e.wrong, 0u) << "a rule of the contract: order, last, idle or ready";
    EXPECT_EQ(run.resets > 0, mix.resets > 0);

    if (mix.resets >= 20 && name != "sparse") {
        EXPECT_GT(e.of_class[1], 40u);
        EXPECT_GT(e.passed, 20u);
    }
    const bool saturated = name.rfind("saturated", 0) == 0;
    EXPECT_GT(e.taken, 60u);
    EXPECT_GT(e.chunks, name == "sparse" ? 40u : 200u);
    for (unsigned k = 0; k < 3; k++) {
        if (mix.of.kinds >> k & 1)
            EXPECT_GT(e.kinds[k], 15u) << k;
        else
            EXPECT_EQ(e.kinds[k], 0u) << k;
    }
    for (unsigned k = 0; k < ACE_TYPES; k++) EXPECT_GT(e.types[k], 2u) << k;
    for (unsigned k = 0; k < ACE_OPS; k++) EXPECT_GT(e.ops[k], 4u) << k;
    for (unsigned n = 0; n <= ACE_DIMENSIONS; n++) {
        if (n <= mix.of.dims)
            EXPECT_GT(e.counts[n], 7u) << n;
        else
            EXPECT_EQ(e.counts[n], 0u) << n;
    }
    EXPECT_GT(e.phases[0], 10u);
    if (mix.of.dims == 0) EXPECT_EQ(e.phases[0], e.chunks);
    if (mix.of.order != ORDER_FIFO) EXPECT_GT(e.orders[ACE_LIFO], 8u);
    if (mix.of.order != ORDER_LIFO) EXPECT_GT(e.orders[ACE_FIFO], 8u);
    if (name != "endless") EXPECT_GT(e.lasts, 50u);
    if (name != "endless" && mix.resets && mix.of.chunk_rows > 1) EXPECT_GT(e.partial, 50u);
    if (name != "sparse" && mix.of.order != ORDER_FIFO) EXPECT_GT(e.overtaken, 20u);
    if (mix.resets >= 30 && mix.of.dims && mix.of.rings[0] > 4) { /* many configurations */
        for (unsigned n = 1; n <= dimensions; n++)
            if (mix.of.kinds != 1 || n != 2) EXPECT_GT(e.phases[n], 100u) << n;
        if (mix.of.kinds & 1) EXPECT_GT(e.phases[dimensions + 1], 30u);
        if (mix.of.chunk_rows > 1)
            for (unsigned b = 0; b < 5; b++) EXPECT_GT(e.bursts[b], 20u) << b;
        if (mix.of.kinds & 3) EXPECT_GT(e.padded, 300u);
        if (mix.of.kinds & 6 && mix.of.chunk_rows > 1) EXPECT_GT(e.parted, 100u);
    }
    if (mix.of.exact) EXPECT_EQ(e.padded, 0u);
    if (saturated) EXPECT_GT(e.chunks, 1800u);
    if (saturated) EXPECT_GT(e.full, 40000u);
    if (name == "saturated_fifo") EXPECT_GT(e.lasts, 150u); /* the store goes round */
    if (name == "back_pressure") EXPECT_GT(e.blocked, 40000u);
    if (name == "back_pressure") EXPECT_GT(e.full, 5000u);
    if (name == "waiting") EXPECT_GT(e.beside, 40u);
    if (name == "endless") EXPECT_GT(e.full, 1000u);
    if (name == "bursts") EXPECT_GT(run.skipped, 10000u);
    if (name == "sparse") EXPECT_GT(run.skipped, 20000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Dispatcher,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
