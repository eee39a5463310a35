/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_scheduler.v against cmodel/twin/ace_scheduler.c, cycle by cycle.
 *
 * Verilated: Vace_scheduler (defaults), Vace_scheduler_small (CONTEXTS=4) and
 * Vace_scheduler_four (DIMENSIONS=4).
 *
 * The chunks are those a dispatcher makes of random collectives; DMAs and FSMs are played.
 */
#include "ace_node.h"
#include "collectives.h"

namespace {

struct Mix {
    const char *name;
    /* chances in a cycle, per mille: a chunk offered, a DMA ready, one of its jobs done, a
     * context done */
    unsigned offer, load_ready, store_ready, loaded, stored, done;
    unsigned blocks; /* a partition has room for this many of the largest blocks, at most */
    unsigned resets; /* per ten thousand; each draws another configuration */
    bool in_order;   /* DMA jobs end in order */
    Collectives of;
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr uint64_t MiB = 1 << 20;
constexpr Mix mixes[] = {
    { "saturated",
      1000,
      1000,
      1000,
      1000,
      1000,
      1000,
      99,
      0,
      true,
      { { 4, 4, 4 }, 64, MiB / 16, 3, 7, ORDER_ANY, true } },
    { "all_kinds",
      900,
      900,
      900,
      25,
      25,
      100,
      8,
      20,
      false,
      { { 8, 8, 8 }, 64, MiB / 16, 3, 7, ORDER_ANY, 0 } },
    { "alone",
      1000,
      1000,
      1000,
      900,
      900,
      1000,
      8,
      20,
      true,
      { { 4, 4, 4 }, 64, MiB / 16, 3, 7, ORDER_ANY, 0 } },
    { "large_rings",
      900,
      900,
      900,
      300,
      300,
      100,
      3,
      20,
      true,
      { { 128, 128, 128 }, 600, MiB / 4, 3, 7, ORDER_ANY, 0 } },
    { "tight_partitions",
      900,
      900,
      900,
      300,
      300,
      100,
      1,
      20,
      true,
      { { 4, 4, 4 }, 448, MiB / 4, 3, 7, ORDER_ANY, true } },
    { "full_partitions",
      1000,
      900,
      900,
      900,
      900,
      60,
      3,
      20,
      true,
      { { 4, 4, 4 }, 192, MiB / 4, 3, 7, ORDER_ANY, true } },
    { "slow_loads",
      900,
      60,
      900,
      6,
      900,
      500,
      99,
      10,
      true,
      { { 4, 5, 6 }, 32, MiB / 64, 3, 7, ORDER_ANY, 0 } },
    { "slow_stores",
      900,
      900,
      60,
      900,
      6,
      500,
      99,
      10,
      false,
      { { 4, 5, 6 }, 32, MiB / 64, 3, 7, ORDER_ANY, 0 } },
    { "slow_phases",
      900,
      900,
      900,
      900,
      900,
      3,
      99,
      10,
      true,
      { { 2, 3, 2 }, 8, MiB / 64, 3, 7, ORDER_ANY, 0 } },
    { "sparse",
      10,
      500,
      500,
      300,
      300,
      300,
      9,
      20,
      true,
      { { 4, 3, 2 }, 64, MiB / 64, 3, 7, ORDER_ANY, 0 } },
    { "single_rows",
      1000,
      950,
      950,
      950,
      950,
      950,
      20,
      20,
      false,
      { { 9, 9, 9 }, 1, 1200, 3, 7, ORDER_ANY, 0 } },
    { "copies",
      950,
      900,
      900,
      800,
      800,
      0,
      3,
      20,
      true,
      { { 4, 4, 4 }, 1024, MiB, 0, 7, ORDER_ANY, 0 } },
    { "one_dimension",
      950,
      900,
      900,
      800,
      800,
      400,
      3,
      20,
      true,
      { { 7, 6, 5 }, 1024, MiB, 1, 7, ORDER_ANY, 0 } },
    { "large_partitions",
      950,
      900,
      60,
      900,
      6,
      900,
      99,
      3,
      true,
      { { 4, 4, 4 }, 300, MiB / 4, 1, 7, ORDER_ANY, 0 } },
    { "all_reduce",
      950,
      900,
      900,
      700,
      700,
      300,
      6,
      20,
      true,
      { { 5, 6, 7 }, 100, MiB / 16, 3, 1, ORDER_ANY, 0 } },
};

struct Environment {
    const Mix &mix;
    const unsigned contexts, phases;
    const ace_scheduler *state = nullptr; /* the twin's, for what no pin shows */
    Random dice;                          /* of the configurations */
    ace_config cfg{};
    ace_dispatcher source{};
    bool offer = false, load_given = false, store_given = false;
    std::deque<uint8_t> loads, stores; /* jobs given */
    std::vector<bool> held, done;      /* contexts of all phases */
    unsigned inside = 0;               /* chunks that were taken and are not stored */
    uint64_t chunks = 0, lasts = 0, dones = 0, loaded = 0, stored = 0, admits = 0, releases = 0;
    uint64_t wrong = 0, refused = 0, full = 0, window = 0, out_of_order = 0, wraps = 0;
    uint64_t kinds[4] = {}, stages[ACE_PARTITIONS] = {}, directions[2] = {};

    Environment(const Mix &m, unsigned n, uint64_t seed)
        : mix(m), contexts(n), phases(dimensions_of(m.of) + 1), dice{ seed } {
        EXPECT_EQ(ace_dispatcher_create(&cfg, phases - 1, 4, &source), ACE_OK);
        reset();
    }
    ~Environment() { ace_dispatcher_destroy(&source); }
    Environment(const Environment &) = delete;
    Environment &operator=(const Environment &) = delete;

    void configure(ace_scheduler_pins_in &in) const {
        in.cfg_alone = std::string(mix.name) == "alone";
        in.cfg_window = cfg.chunk_window;
        in.cfg_ring = bytes_of(cfg.ring);
        in.cfg_rank = bytes_of(cfg.rank);
        std::copy_n(cfg.partition_rows, ACE_PARTITIONS, in.cfg_partition_rows);
    }
    void reset() {
        draw();
        offer = false;
        loads.clear();
        stores.clear();
        held.assign(phases * contexts, false);
        done.assign(phases * contexts, false);
        ace_dispatcher_reset(&source);
        inside = 0;
    }

    /* Partitions that hold the largest block; those before the longest collective are empty. */
    void draw() {
        draw_config(mix.of, cfg, dice);
        cfg.chunk_window = static_cast<uint8_t>(dice.below(3) ? 0 : 1 + dice.below(64));
        const unsigned longest = mix.of.dims < 2 ? mix.of.dims : mix.of.dims + 1;
        const unsigned first = phases - longest;
        unsigned block = cfg.chunk_rows, spare = 4095;
        if (!mix.of.exact) block += *std::max_element(cfg.ring, cfg.ring + ACE_DIMENSIONS) - 1u;
        for (unsigned p = 0; p <= phases; p++) {
            cfg.partition_rows[p] = static_cast<uint16_t>(p < first ? 0 : block);
            spare -= cfg.partition_rows[p];
        }
        for (unsigned p = first; p <= phases; p++) {
            const unsigned most = spare / (phases + 1 - p) / block;
            const unsigned more = dice.below(std::min(most + 1, mix.blocks)) * block;
            const unsigned rest = mix.of.exact ? 0 : dice.below(std::min(block, spare - more) + 1);
            cfg.partition_rows[p] = static_cast<uint16_t>(cfg.partition_rows[p] + more + rest);
            spare -= more + rest;
        }
    }

    /* The next chunk a dispatcher makes. */
    void draw_chunk(ace_scheduler_pins_in &in, Random &random) {
        while (!ace_dispatcher_chunk_valid(&source)) {
            ace_command c;
            draw_command(mix.of, c, random);
            ace_dispatcher_tick(&source, &c, false, false);
        }
        const ace_chunk c = source.chunk;
        ace_dispatcher_tick(&source, nullptr, false, true);
        in.s_chunk_kinds = in.s_chunk_dims = 0;
        in.s_chunk_shards = in.s_chunk_valids = 0;
        for (unsigned i = 0; i < ACE_PHASES; i++) {
            in.s_chunk_kinds = static_cast<uint16_t>(in.s_chunk_kinds | c.kinds[i] << 2 * i);
            in.s_chunk_dims = static_cast<uint16_t>(in.s_chunk_dims | c.dims[i] << 2 * i);
            in.s_chunk_shards |= static_cast<uint64_t>(c.shards[i]) << 11 * i;
            in.s_chunk_valids |= static_cast<uint64_t>(c.valids[i]) << 11 * i;
        }
        in.s_chunk_type = c.type;
        in.s_chunk_op = c.op;
        in.s_chunk_scale = c.scale;
        in.s_chunk_mark = c.mark;
        in.s_chunk_load_address = c.load_address;
        in.s_chunk_load_rows = c.load_rows;
        in.s_chunk_store_address = c.store_address;
        in.s_chunk_store_rows = c.store_rows;
        in.s_chunk_limit = c.limit;
        in.s_chunk_load_burst = c.load_burst;
        in.s_chunk_store_burst = c.store_burst;
        in.s_chunk_last = c.last;
        in.s_chunk_tag = c.tag;
    }

    bool finish(std::deque<uint8_t> &jobs, unsigned permille, uint8_t &id, Random &random) {
        if (jobs.empty() || !random.permille(permille)) return false;
        const unsigned at = mix.in_order ? 0 : random.below(static_cast<uint32_t>(jobs.size()));
        out_of_order += at != 0;
        id = jobs[at];
        jobs.erase(jobs.begin() + at);
        return true;
    }

    /* Sets the inputs that depend on no output of the same cycle.  */
    void ask(ace_scheduler_pins_in &in, Random &random) {
        if (!offer && random.permille(mix.offer)) {
            draw_chunk(in, random);
            offer = true;
        }
        in.s_chunk_valid = offer;
        /* once ready, until a job is given */
        in.m_load_ready = (in.m_load_ready && !load_given) || random.permille(mix.load_ready);
        in.m_store_ready = (in.m_store_ready && !store_given) || random.permille(mix.store_ready);
        in.s_loaded_valid = finish(loads, mix.loaded, in.s_loaded_id, random);
        in.s_stored_valid = finish(stores, mix.stored, in.s_stored_id, random);
        std::fill_n(in.s_context_done, ACE_DONE_WORDS, 0u);
        for (unsigned i = 0; i < phases * contexts; i++) {
            if (held[i] && !done[i]) done[i] = random.permille(mix.done);
            if (done[i]) in.s_context_done[i / 32] |= 1u << i % 32;
        }
        loaded += in.s_loaded_valid;
        stored += in.s_stored_valid;
        inside -= in.s_stored_valid;
        for (unsigned s = 0; s <= phases; s++) {
            const unsigned rows = cfg.partition_rows[s];
            window += state->admitted[s] - state->finished[s] == contexts;
            for (unsigned b = 0; b < ACE_BANKS; b++) full += rows && state->used[s][b] == rows;
        }
    }

    void drive(const ace_scheduler_pins_out &out, ace_scheduler_pins_in &in, Random &random) {
        ask(in, random);
        load_given = out.m_load_valid;
        store_given = out.m_store_valid;
        dones += out.m_done_valid;
        refused += offer && !out.s_chunk_ready;
        if (offer && out.s_chunk_ready) {
            offer = false;
            wrong += in.cfg_alone && inside; /* one is inside at a time */
            inside++;
            chunks++;
            lasts += in.s_chunk_last;
            stages[phases - phases_of(in.s_chunk_kinds)]++;
        }
        if (out.m_load_valid) loads.push_back(out.m_job_id);
        if (out.m_store_valid) stores.push_back(out.m_job_id);
        if (out.m_load_valid || out.m_store_valid)
            wraps += out.m_job_row + out.m_job_rows - 1 > out.m_job_end;
        wrong += (out.m_load_valid && !in.m_load_ready) || (out.m_store_valid && !in.m_store_ready);
        wrong += out.m_load_valid + out.m_store_valid + out.m_admit_valid + out.m_release_valid > 1;
        if (out.m_admit_valid || out.m_release_valid) {
            const unsigned at = out.m_context_phase * contexts + out.m_context_index;
            wrong += out.m_admit_valid ? held[at] : !(held[at] && done[at]);
            held[at] = !held[at];
            done[at] = false;
            admits += out.m_admit_valid;
            releases += out.m_release_valid;
        }
        if (out.m_admit_valid) {
            kinds[out.m_admit_kind]++;
            directions[out.m_context_index & 1]++;
        }
    }
};

constexpr const char *set_names[] = { "", "_small", "_four" };

class Scheduler : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Scheduler, EqualsTwin) {
    const unsigned set = std::get<0>(GetParam());
    Mix mix = std::get<1>(GetParam());
    if (set == 2) mix.of = with_fourth(mix.of);
    const unsigned contexts = set == 1   ? ACE_RTL_SMALL_PHASE_CONTEXTS
                              : set == 2 ? ACE_RTL_FOUR_PHASE_CONTEXTS
                                         : 16;
    const unsigned dimensions = dimensions_of(mix.of);
    Lockstep<scheduler_unit> run(set, mix.of.bytes + mix.of.chunk_rows * 1000 + mix.done);
    ASSERT_EQ(ace_scheduler_pins_create(dimensions, contexts, &run.twin), ACE_OK);
    ASSERT_EQ(ace_scheduler_pins_create(dimensions, contexts, &run.timing), ACE_OK);
    Environment e(mix, contexts, run.random.next());
    e.state = &run.twin->unit;
    run.go(e, 60000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(e.wrong, 0u) << "a rule of the contract: one operation a cycle, to who is ready";
    EXPECT_EQ(run.resets > 0, mix.resets > 0);

    EXPECT_GT(e.chunks, 150u);
    EXPECT_GT(e.loaded, 150u);
    EXPECT_GT(e.stored, 150u);
    EXPECT_GT(e.dones, 30u);
    if (mix.of.dims == 0) {
        EXPECT_EQ(e.admits + e.releases, 0u);
    } else {
        EXPECT_GT(e.admits, 150u);
        EXPECT_GT(e.releases, 150u);
        EXPECT_GT(e.directions[0], 50u);
        EXPECT_GT(e.directions[1], 50u);
        for (unsigned k = 1; k < 4; k++) EXPECT_GT(e.kinds[k], 20u) << k;
    }
    if (mix.of.dims >= 3 && mix.resets >= 20 && name != "sparse" && name != "alone")
        /* many configurations */
        for (unsigned s = set == 2 && mix.of.exact; s < dimensions + 2; s++)
            /* no all-reduce has two phases */
            if (mix.of.kinds != 1 || s != dimensions - 1) EXPECT_GT(e.stages[s], 150u) << s;
    if (name != "sparse") EXPECT_GT(e.refused, 30000u);
    if (name == "saturated")
        EXPECT_GT(e.chunks, set == 2 ? 840u : 980u); /* twelve operations of five cycles, or 14 */
    if (!mix.in_order && name != "single_rows") EXPECT_GT(e.out_of_order, 200u);
    if (name == "slow_loads" || name == "slow_phases") EXPECT_GT(e.window, 2000u);
    if (name == "tight_partitions" || name == "full_partitions") EXPECT_GT(e.full, 5000u);
    if (name == "large_rings" || name == "one_dimension") EXPECT_GT(e.wraps, 100u);
    if (name == "sparse") EXPECT_GT(run.skipped, 15000u);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Scheduler,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
