/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rtl/ace_switch.v against cmodel/twin/ace_switch.c, cycle by cycle.
 *
 * Verilated: Vace_switch (defaults: FSMS=16), Vace_switch_small (FSMS=4) and Vace_switch_four
 * (DIMENSIONS=4 FSMS=20).
 *
 * The environment is the links, the FSMs and the DMAs.  A head stays until it is popped.  An FSM
 * requests to send while its link has room, and may change to another context.  The switch takes a
 * slot at the link only while one is free.  An FSM requests to copy until its shard is over.  Even
 * chunks go up the rings, so they leave on even links, arrive on odd ones, and live in even banks.
 */
#include "lockstep.h"

namespace {

struct Mix {
    const char *name;
    unsigned head, reduce, send, copy; /* chances in a cycle; of a head to be reduced; per mille */
    unsigned load, unload;
    unsigned room, drain; /* rows a link's output buffer holds; chance of one to leave */
    unsigned banks;       /* a bit a bank that is used */
    unsigned resets;      /* per ten thousand */
};
void PrintTo(const Mix &m, std::ostream *o) { *o << m.name; }

constexpr Mix mixes[] = {
    { "saturated", 1000, 500, 1000, 300, 1000, 1000, 8, 1000, 15, 0 },
    { "serialising", 650, 500, 900, 50, 500, 500, 8, 650, 15, 5 },
    { "bank_conflicts", 900, 400, 60, 200, 900, 900, 8, 900, 3, 5 },
    { "one_bank", 900, 500, 60, 200, 900, 900, 8, 900, 4, 5 },
    { "few_links_with_room", 500, 500, 900, 100, 300, 300, 1, 100, 15, 5 },
    { "only_reductions", 400, 1000, 300, 100, 300, 300, 4, 500, 15, 5 },
    { "only_stores", 1000, 0, 300, 700, 900, 300, 4, 500, 15, 5 },
    { "only_sends", 0, 0, 1000, 0, 0, 0, 8, 1000, 15, 0 },
    { "copies_and_dmas", 100, 500, 100, 900, 1000, 1000, 2, 500, 15, 5 },
    { "sparse", 40, 500, 20, 8, 40, 40, 8, 500, 15, 10 },
    { "resets", 700, 500, 700, 300, 700, 700, 4, 700, 15, 80 },
};

struct Environment {
    const Mix &mix;
    unsigned fsms, dimensions, links, per_phase;
    bool head[ACE_LINKS] = {}, head_reduce[ACE_LINKS] = {};
    uint8_t head_context[ACE_LINKS] = {}, head_mark[ACE_LINKS] = {};
    unsigned held[ACE_LINKS] = {}; /* places taken in the output buffer of each link */
    struct Send {
        bool valid, zero, reduce;
        uint8_t link, index, mark, peer, begun;
        uint16_t row;
    } send[ACE_SWITCH_FSMS] = {};
    struct Copy {
        unsigned left;
        uint8_t index;
        uint16_t source, target;
    } copy[ACE_SWITCH_FSMS] = {};
    bool load = false, unload[2] = {};
    uint8_t load_bank = 0, unload_bank[2] = {};

    uint64_t reductions = 0, stores = 0, copies = 0, loads = 0, unloads = 0, sends[2] = {};
    uint64_t both_sends = 0, both_receives = 0, head_waits = 0, store_waits = 0, send_waits = 0;
    uint64_t load_waits = 0, unload_waits = 0, no_room = 0, withdrawn = 0;
    uint64_t unloads_behind = 0, unloads_wrong = 0;
    uint64_t links_popped = 0, fsms_sent = 0; /* sets: a bit each */

    Environment(const Mix &m, unsigned dimensions_, unsigned fsms_)
        : mix(m), fsms(fsms_), dimensions(dimensions_), links(2 * dimensions_),
          per_phase(fsms_ / (dimensions_ + 1)) {}
    void configure(ace_switch_pins_in &) const {}
    void reset() {
        for (unsigned l = 0; l < ACE_LINKS; l++) head[l] = false, held[l] = 0;
        for (Send &s : send) s.valid = false;
        for (Copy &c : copy) c.left = 0;
        load = unload[0] = unload[1] = false;
    }

    bool used(unsigned bank) const { return mix.banks >> bank & 1; }
    uint8_t bank(Random &r) const {
        for (;;) {
            const auto b = r.bits<uint8_t>(2);
            if (used(b)) return b;
        }
    }
    bool room(unsigned link) const { return held[link] < mix.room; }
    /* Which ring a context is on; one at a time. */
    unsigned dim_of(unsigned phase, unsigned index) const {
        return (phase + index / 4) % dimensions;
    }

    void arrive(unsigned l, Random &r) {
        const auto context = ace_context_name(r.below(dimensions + 1), r.below(32));
        const bool plus = !(context & 1); /* even chunks arrive from below, on odd links */
        if (dim_of(ace_context_phase(context), ace_context_index(context)) != l / 2 ||
            plus != (l & 1))
            return;
        if (!used(context % ACE_BANKS)) return;
        head[l] = true;
        head_context[l] = context;
        head_mark[l] = r.bits<uint8_t>(8);
        head_reduce[l] = r.permille(mix.reduce);
    }
    void request(unsigned f, Random &r) {
        Send &s = send[f];
        const unsigned phase = f / per_phase;
        s.index = static_cast<uint8_t>((r.below(32) & ~(per_phase - 1)) | f % per_phase);
        s.link = static_cast<uint8_t>(2 * dim_of(phase, s.index) + (s.index & 1));
        s.mark = r.bits<uint8_t>(8);
        s.peer = r.bits<uint8_t>(8);
        s.begun = r.permille(100) ? r.bits<uint8_t>(2) : 0;
        s.row = r.bits<uint16_t>(12);
        s.reduce = r.bits<bool>(1);
        s.zero = s.reduce && r.permille(200);
        s.valid = room(s.link) && used(s.index % ACE_BANKS);
        no_room += !room(s.link);
    }

    void lookup(ace_switch_pins_in &in, unsigned f, Random &r) const {
        const uint32_t bit = 1u << f;
        in.s_reduce_source[f] = r.bits<uint16_t>(12);
        in.s_reduce_target[f] = r.bits<uint16_t>(12);
        in.s_reduce_type[f] = static_cast<uint8_t>(r.below(ACE_TYPES));
        in.s_reduce_op[f] = static_cast<uint8_t>(r.below(ACE_OPS));
        in.s_reduce_scale[f] = r.bits<uint64_t>(37);
        in.s_store_target[f] = r.bits<uint16_t>(12);
        in.s_reduce_zero = r.permille(300) ? in.s_reduce_zero | bit : in.s_reduce_zero & ~bit;
    }

    void ask(ace_switch_pins_in &in, Random &r) {
        in = ace_switch_pins_in{};
        for (unsigned l = 0; l < links; l++) {
            if (held[l] > 0 && r.permille(mix.drain)) held[l]--;
            for (unsigned n = 0; n < 8 && !head[l] && r.permille(mix.head); n++) arrive(l, r);
            if (head[l]) in.s_head_valid = static_cast<uint8_t>(in.s_head_valid | 1u << l);
            if (head[l] && head_reduce[l])
                in.s_head_reduce = static_cast<uint8_t>(in.s_head_reduce | 1u << l);
            in.s_head_context[l] =
                head[l] ? head_context[l] : ace_context_name(r.below(dimensions + 1), r.below(32));
            in.s_head_mark[l] = head_mark[l];
        }
        for (unsigned f = 0; f < fsms; f++) {
            Send &s = send[f];
            const bool lost = s.valid && !room(s.link);
            withdrawn += lost;
            if (lost) s.valid = false;
            if ((!s.valid || r.permille(50)) && r.permille(mix.send)) request(f, r);
            const uint32_t bit = 1u << f;
            if (s.valid) in.s_send_valid |= bit;
            in.s_send_link[f] = s.link;
            in.s_send_index[f] = s.index;
            in.s_send_row[f] = s.row;
            in.s_send_mark[f] = s.mark;
            in.s_send_peer[f] = s.peer;
            in.s_send_begun[f] = s.begun;
            if (s.zero) in.s_send_zero |= bit;
            if (s.reduce) in.s_send_reduce |= bit;

            Copy &c = copy[f];
            if (c.left == 0 && r.permille(mix.copy) && r.permille(100)) {
                c.index = static_cast<uint8_t>((r.below(32) & ~(per_phase - 1)) | f % per_phase);
                c.source = r.bits<uint16_t>(11);
                c.target = r.bits<uint16_t>(11);
                if (used(c.index % ACE_BANKS)) c.left = 1 + r.below(20);
            }
            if (c.left > 0) in.s_copy_valid |= bit;
            in.s_copy_index[f] = c.index;
            in.s_copy_source[f] = c.source;
            in.s_copy_target[f] = c.target;
            lookup(in, f, r);
        }
        for (unsigned p = 0; p <= dimensions; p++) in.s_oldest[p] = r.bits<uint8_t>(5);
        for (unsigned l = 0; l < links; l++)
            in.s_room = static_cast<uint8_t>(in.s_room | unsigned{ room(l) } << l);
        if (!load && r.permille(mix.load)) load = true, load_bank = bank(r);
        for (unsigned h = 0; h < 2; h++)
            if (!unload[h] && r.permille(mix.unload)) unload[h] = true, unload_bank[h] = bank(r);
        in.s_load_valid = load;
        in.s_load_bank = load_bank;
        in.s_load_first = r.permille(500);
        in.s_unload_valid = static_cast<uint8_t>(unload[0] | unload[1] << 1);
        in.s_unload_first = r.bits<uint8_t>(1);
        for (unsigned h = 0; h < 2; h++) in.s_unload_bank[h] = unload_bank[h];
    }
    /* One half at most, of those that ask, whose bank nobody reads; the other goes first only from
     * another bank. */
    void unloaded(const ace_switch_pins_out &out, const ace_switch_pins_in &in) {
        const unsigned grant = out.m_unload_grant;
        unload_waits += in.s_unload_valid && !grant;
        unloads += grant != 0;
        unloads_wrong += grant == 3 || (grant & ~in.s_unload_valid);
        if (grant != 1 && grant != 2) return;
        const unsigned h = grant >> 1;
        unload[h] = false;
        unloads_wrong += out.m_read_reduce_valid && out.m_read_reduce_bank == unload_bank[h];
        for (unsigned pipe = 0; pipe < 2; pipe++)
            unloads_wrong +=
                (out.m_read_send_valid >> pipe & 1) && out.m_read_send_bank[pipe] == unload_bank[h];
        const bool behind = in.s_unload_valid == 3 && h != in.s_unload_first;
        unloads_behind += behind;
        unloads_wrong += behind && unload_bank[0] == unload_bank[1];
    }

    void drive(const ace_switch_pins_out &out, ace_switch_pins_in &in, Random &r) {
        /* the FSMs look the rows up that the switch names in this very cycle */
        for (unsigned f = 0; f < fsms; f++)
            if ((out.m_reduce_take | out.m_store_take) >> f & 1) lookup(in, f, r);

        for (unsigned l = 0; l < links; l++) {
            const bool pop = out.m_head_pop >> l & 1;
            head_waits += head[l] && !pop;
            links_popped |= static_cast<uint64_t>(pop) << l;
            if (pop) head[l] = false;
            held[l] += out.m_reserve >> l & 1;
        }
        EXPECT_EQ(out.m_reserve & ~in.s_room, 0);
        store_waits += (in.s_head_valid & ~in.s_head_reduce) &&
                       !(out.m_head_pop & in.s_head_valid & ~in.s_head_reduce);
        reductions += out.m_reduce_take != 0;
        stores += out.m_store_take != 0;
        both_receives += out.m_reduce_take != 0 && out.m_store_take != 0;
        for (unsigned f = 0; f < fsms; f++) {
            const bool take = out.m_send_take >> f & 1;
            if (take) {
                send[f].valid = false;
                sends[send[f].link & 1]++;
                fsms_sent |= uint64_t{ 1 } << f;
            }
            if (out.m_copy_take >> f & 1) {
                copy[f].left--;
                copy[f].source++;
                copy[f].target++;
                copies++;
            }
        }
        both_sends += __builtin_popcount(out.m_reserve) == 2;
        send_waits += out.m_crowded && !out.m_reserve;
        load_waits += load && !out.m_load_grant;
        loads += out.m_load_grant;
        unloaded(out, in);
        if (out.m_load_grant) load = false;
    }
};

constexpr const char *set_names[] = { "", "_small", "_four" };

class Switch : public testing::TestWithParam<std::tuple<unsigned, Mix>> {};

TEST_P(Switch, EqualsTwin) {
    const auto &[set, mix] = GetParam();
    const unsigned dimensions = set == 2 ? 4 : 3;
    const unsigned fsms = set == 1 ? ACE_RTL_SMALL_SWITCH_FSMS : 4 * (dimensions + 1);
    Lockstep<switch_unit> run(set, mix.head * 7919 + mix.send * 104729 + mix.copy * 13 +
                                       mix.banks * 31 + mix.room);
    ASSERT_EQ(ace_switch_pins_create(dimensions, fsms, &run.twin), ACE_OK);
    ASSERT_EQ(ace_switch_pins_create(dimensions, fsms, &run.timing), ACE_OK);
    Environment e(mix, dimensions, fsms);
    run.go(e, 20000, mix.resets);
    const std::string name = mix.name;
    EXPECT_EQ(run.resets > 0, mix.resets > 0);
    EXPECT_EQ(e.reductions > 100, mix.head > 0 && mix.reduce > 0);
    EXPECT_EQ(e.stores > 100, mix.head > 0 && mix.reduce < 1000);
    EXPECT_EQ(e.copies > 100, mix.copy > 0);
    EXPECT_EQ(e.loads > 100, mix.load > 0);
    EXPECT_EQ(e.unloads > 100, mix.unload > 0);
    EXPECT_EQ(e.unloads_wrong, 0u);
    if (mix.unload == 1000) EXPECT_GT(e.unloads_behind, 500u);
    EXPECT_GT(e.sends[0], 50u);
    EXPECT_EQ(e.sends[1] > 50, (mix.banks & 10) != 0); /* odd banks hold what goes down */
    if (mix.banks == 15) {
        EXPECT_EQ(e.links_popped, mix.head > 0 ? (1u << 2 * dimensions) - 1 : 0u);
        EXPECT_EQ(e.fsms_sent, (uint64_t{ 1 } << fsms) - 1);
    }
    if (name == "saturated") EXPECT_GT(e.both_sends, set == 1 ? 4000u : 14000u);
    if (name == "saturated") EXPECT_GT(e.both_receives, 8000u);
    if (mix.banks != 15) EXPECT_GT(e.store_waits, 500u);
    if (mix.banks != 15) EXPECT_GT(e.send_waits, 1000u);
    if (mix.banks != 15) EXPECT_GT(e.load_waits, 1000u);
    if (mix.banks != 15) EXPECT_GT(e.unload_waits, 1000u);
    if (name == "only_reductions") EXPECT_GT(e.head_waits, 3000u);
    if (name == "few_links_with_room") EXPECT_GT(e.no_room, 5000u);
    if (name == "few_links_with_room") EXPECT_GT(e.withdrawn, 50u);
    if (name == "sparse") EXPECT_GT(run.skipped, 1000u);
    for (const ace_cycle_classes *c :
         { &run.twin->switch_.count_reduce, &run.twin->switch_.count_store,
           &run.twin->switch_.count_send[0], &run.twin->switch_.count_send[1] })
        EXPECT_EQ(ace_cycle_classes_sum(c), run.since_reset);
}

INSTANTIATE_TEST_SUITE_P(Mixes, Switch,
                         testing::Combine(testing::Range(0u, 3u), testing::ValuesIn(mixes)),
                         [](const auto &info) {
                             return std::string(std::get<1>(info.param).name) +
                                    set_names[std::get<0>(info.param)];
                         });

} // namespace
