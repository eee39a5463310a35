// SPDX-License-Identifier: Apache-2.0
//
// checkpoint_test.cc -- what is saved and loaded is all the state there is
//
// A core is replaced again and again, by a new core or by one in another state, and its state is
// loaded into the replacement.  It must stay equal on every pin to a core that just runs.  The
// same holds for a node with its wires and its memory.  If a unit's list forgets a member, the
// replacement keeps another value.  A pointer that is not adjusted points into a freed core.
//
//   ACE_SEED=7 checkpoint_test     repeats a run

#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <vector>

#include "ace_memory.h"
#include "ace_node_faults.h"
#include "ace_rtl_node.h"
#include "lockstep.h"
#include "soak.h"

namespace {

ace_parameters Small() {
    const char *name;
    for (unsigned set = 0; const ace_parameters *p = ace_rtl_parameters(set, &name); set++)
        if (!std::strcmp(name, "small")) return *p;
    ADD_FAILURE() << "no parameter set 'small'";
    return {};
}

// The stream of ace_state.h, in memory.
class Bytes {
public:
    std::vector<uint8_t> bytes;
    size_t at = 0;

    ace_state saving() { return { false, false, Put, this, nullptr }; }
    ace_state loading() {
        at = 0;
        return { true, false, Get, this, nullptr };
    }

private:
    static bool Put(void *self, void *from, size_t n) {
        Bytes *b = static_cast<Bytes *>(self);
        const uint8_t *p = static_cast<const uint8_t *>(from);
        b->bytes.insert(b->bytes.end(), p, p + n);
        return true;
    }
    static bool Get(void *self, void *to, size_t n) {
        Bytes *b = static_cast<Bytes *>(self);
        if (n > b->bytes.size() - b->at) return false;
        std::memcpy(to, b->bytes.data() + b->at, n);
        b->at += n;
        return true;
    }
};

using Make = int (*)(const ace_parameters *, const ace_config *, ace_core **);

int MakeCycle(const ace_parameters *p, const ace_config *cfg, ace_core **core) {
    return ace_cycle_core_create(p, cfg, true, core);
}
int MakeRtl(const ace_parameters *p, const ace_config *cfg, ace_core **core) {
    static uint32_t seed;
    return ace_rtl_core_create(p, cfg, true, ++seed, nullptr, core);
}

unsigned replaced; // of all phoenixes

// A core that is replaced in one of `every` cycles.
struct Phoenix {
    ace_core base;
    ace_core_class class_;
    Make make;
    unsigned every;
    ace_parameters parameters;
    ace_config config;
    ace_core *core, *left = nullptr; // left: a core of the past
    Random random;

    static Phoenix *self(ace_core *c) { return reinterpret_cast<Phoenix *>(c); }
    static const Phoenix *self(const ace_core *c) { return reinterpret_cast<const Phoenix *>(c); }

    void replace() {
        Bytes saved;
        ace_state save = saved.saving();
        core->class_->state(core, &save);
        ace_core *next = left;
        if (!next || random.below(2)) {
            ASSERT_EQ(ACE_OK, make(&parameters, &config, &next));
            if (left) left->class_->destroy(left);
        }
        left = core;
        if (random.below(2)) {
            left->class_->destroy(left);
            left = nullptr;
        }
        ace_state load = saved.loading();
        next->class_->state(next, &load);
        ASSERT_FALSE(load.failed);
        ASSERT_EQ(saved.at, saved.bytes.size());
        core = next;
        replaced++;
    }

    static void Destroy(ace_core *c) {
        Phoenix *p = self(c);
        if (p->left) p->left->class_->destroy(p->left);
        p->core->class_->destroy(p->core);
        delete p;
    }
    static void Reset(ace_core *c) { self(c)->core->class_->reset(self(c)->core); }
    static const ace_pins_out *Out(ace_core *c) {
        return self(c)->core->class_->out(self(c)->core);
    }
    static void Tick(ace_core *c, const ace_pins_in *in) {
        Phoenix *p = self(c);
        p->core->class_->tick(p->core, in);
        if (p->random.below(p->every) == 0) p->replace();
    }
    static void Skip(ace_core *c, uint64_t n) { self(c)->core->class_->skip(self(c)->core, n); }
    static void Counts(const ace_core *c, ace_counts to) {
        self(c)->core->class_->counts(self(c)->core, to);
    }
    static void Dump(const ace_core *c, FILE *to) {
        self(c)->core->class_->dump(self(c)->core, to);
    }

    static int Create(Make make, unsigned every, const ace_parameters *p, const ace_config *cfg,
                      uint32_t seed, ace_core **to) {
        ace_core *core;
        const int err = make(p, cfg, &core);
        if (err) return err;
        auto *phoenix = new Phoenix{ {}, {}, make, every, *p, *cfg, core, nullptr, { seed } };
        phoenix->class_ = { "phoenix", Destroy, Reset, Out,     Tick,
                            Skip,      Counts,  Dump,  nullptr, nullptr };
        phoenix->base.class_ = &phoenix->class_;
        *to = &phoenix->base;
        return ACE_OK;
    }
};

int PhoenixCycle(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    return Phoenix::Create(MakeCycle, 10, p, cfg, seed, core);
}
int PhoenixRtl(const ace_parameters *p, const ace_config *cfg, uint32_t seed, ace_core **core) {
    return Phoenix::Create(MakeRtl, 300, p, cfg, seed, core);
}

void Soak(int (*second)(const ace_parameters *, const ace_config *, uint32_t, ace_core **),
          uint64_t cycles) {
    soak_work soak{};
    soak.seed = lockstep_seed();
    soak.cycles = cycles;
    soak.upsets = true;
    soak.parameters = Small();
    soak.make_second = second;
    replaced = 0;
    EXPECT_EQ(ACE_OK, soak_run(&soak)) << soak.difference << "\nrepeat: ACE_SEED=" << soak.seed;
    EXPECT_GT(soak.packets, 0u);
    EXPECT_GT(replaced, cycles / 600);
}

TEST(Checkpoint, CycleCoreIsReplaced) { Soak(PhoenixCycle, 120000); }
TEST(Checkpoint, RtlCoreIsReplaced) { Soak(PhoenixRtl, 120000); }

// The state of a model of RTL is of that model alone: what another has left, or what was changed,
// is refused by name before it reaches the model.
TEST(Checkpoint, StateOfOtherRtlIsRefused) {
    struct {
        const char *expected;
        size_t at, bytes; // SavedHead: 8 what, 24 build, 8 bytes, 8 sum; then the model's own check
        int value;
    } const cases[] = {
        { "rtl.what", 0, 8, 'x' },     { "rtl.build", 8, 16, '0' }, { "rtl.bytes", 32, 8, 0x7f },
        { "rtl.bytes", 32, 1, 0x55 },  { "rtl.sum", 40, 8, 0x55 },  { "rtl.check", 48, 8, 0x55 },
        { "rtl.sum", 10000, 1, 0x55 },
    };
    const ace_parameters p = ACE_PARAMETERS_DEFAULT;
    ace_config cfg{};
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        cfg.ring[d] = 1;
        cfg.link_cost[d] = ACE_COST_ONE;
    }
    cfg.chunk_rows = 24;
    for (unsigned i = 0; i < 5; i++) cfg.partition_rows[i] = 51;
    cfg.read_cost = cfg.write_cost = 655;
    cfg.memory_latency = 40;
    for (const auto &c : cases) {
        ace_core *from, *to;
        Bytes saved;
        ASSERT_EQ(ACE_OK, MakeRtl(&p, &cfg, &from));
        ASSERT_EQ(ACE_OK, MakeRtl(&p, &cfg, &to));
        ace_state save = saved.saving();
        from->class_->state(from, &save);
        ASSERT_FALSE(save.failed);
        const Bytes before = saved;
        for (size_t i = 0; i < c.bytes; i++) // every byte becomes another
            saved.bytes[c.at + i] = static_cast<unsigned char>(saved.bytes[c.at + i] ^ c.value);
        ASSERT_NE(before.bytes, saved.bytes);
        ace_state load = saved.loading();
        to->class_->state(to, &load);
        EXPECT_TRUE(load.failed) << c.expected;
        EXPECT_STREQ(c.expected, load.impossible);
        from->class_->destroy(from);
        to->class_->destroy(to);
    }
}

// ---- a node, its wires and its memory ------------------------------------------------

enum { LATENCY = 24 };

// One node for all of a torus: it hears what it sends.  Or one that hears only the test.
struct Lone {
    enum { LINKS = 6 };
    ace_wire *wire[LINKS], *heard[LINKS];
    ace_memory *memory;
    ace_node *node;

    explicit Lone(Make make, bool deaf = false) {
        ace_node_setup setup{};
        setup.parameters = Small();
        ace_config &c = setup.config;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c.ring[d] = static_cast<uint16_t>(4 - d); /* 4x3x2x1 */
            c.link_cost[d] = (3 + d) * ACE_COST_ONE - 37 * d;
        }
        c.chunk_rows = 24;
        for (unsigned p = 0; p < 5; p++) c.partition_rows[p] = 51;
        c.read_cost = c.write_cost = 655;
        c.memory_latency = 40;
        setup.memory = memory = ace_memory_create();
        for (unsigned l = 0; l < LINKS; l++) {
            wire[l] = ace_wire_create(LATENCY, LATENCY, true);
            heard[l] = deaf ? ace_wire_create(LATENCY, LATENCY, true) : nullptr;
            setup.out[l] = wire[l];
        }
        for (unsigned l = 0; l < LINKS; l++) setup.in[l] = deaf ? heard[l] : wire[l ^ 1];
        ace_core *core = nullptr;
        EXPECT_EQ(ACE_OK, make(&setup.parameters, &c, &core));
        EXPECT_EQ(ACE_OK, ace_driver_create(core, &setup, &node));
        ace_driver_stall(node, 20, 3);
    }
    Lone(const Lone &) = delete;
    ~Lone() {
        ace_node_destroy(node);
        ace_memory_destroy(memory);
        for (ace_wire *w : wire) ace_wire_destroy(w);
        for (ace_wire *w : heard) ace_wire_destroy(w);
    }
    void state(ace_state s) {
        ace_node_state(node, UINT64_MAX, &s);
        ace_memory_state(memory, &s);
        for (ace_wire *w : wire) ace_wire_state(w, UINT64_MAX, &s);
        for (ace_wire *w : heard)
            if (w) ace_wire_state(w, UINT64_MAX, &s);
        EXPECT_FALSE(s.failed);
    }
};

void Replace(std::unique_ptr<Lone> &one, Make make, bool deaf) {
    Bytes saved;
    one->state(saved.saving());
    one = std::make_unique<Lone>(make, deaf);
    one->state(saved.loading());
    EXPECT_EQ(saved.at, saved.bytes.size());
    replaced++;
}

ace_command all_reduce(uint64_t source, uint64_t destination, uint64_t bytes, uint16_t tag) {
    ace_command c{};
    c.dim_count = 3;
    for (uint8_t d = 0; d < ACE_DIMENSIONS; d++) c.dims[d] = d;
    c.source = source;
    c.destination = destination;
    c.bytes = bytes;
    c.tag = tag;
    return c;
}

// All that a node shows of a run; replaced in one of `every` windows, or never.
std::vector<uint64_t> Run(Make make, unsigned every, Random random) {
    const uint64_t bytes = 60000, base = 1 << 20;
    auto one = std::make_unique<Lone>(make);
    std::vector<uint64_t> seen;
    unsigned done = 0;

    for (uint64_t at = 0; at < 4 * base; at += 4) {
        const uint32_t word = static_cast<uint32_t>(random.next()) & 0xbfffffff;
        if (at % base < bytes) EXPECT_EQ(ACE_OK, ace_memory_write(one->memory, at, &word, 4));
    }
    for (unsigned i = 0; i < 4; i++) {
        const ace_command c =
            all_reduce(i * base, (i + 9) * base, bytes, static_cast<uint16_t>(i + 5));
        EXPECT_EQ(ACE_OK, ace_node_submit(one->node, &c, i * 3000));
    }
    for (uint64_t now = LATENCY; done < 4 && now < 1000000; now += LATENCY) {
        ace_node_run(one->node, now);
        EXPECT_EQ(ACE_OK, ace_node_error(one->node));
        if (every && random.below(every) == 0) Replace(one, make, false);
        if (now / LATENCY % 8) continue; // meanwhile they wait in the node
        for (ace_completion c; ace_node_completion(one->node, &c); done++) {
            seen.push_back(c.cycle);
            seen.push_back(c.tag);
        }
    }
    EXPECT_EQ(4u, done);
    ace_statistic statistic[256];
    const size_t count = ace_node_statistics(one->node, statistic, 256);
    for (size_t i = 0; i < count; i++) seen.push_back(statistic[i].value);
    for (ace_wire *w : one->wire) seen.push_back(ace_wire_packets(w));
    for (uint64_t at = 0; at < 16 * base; at += 8) {
        uint64_t word;
        if (at % base < bytes) {
            ace_memory_read(one->memory, at, &word, 8);
            seen.push_back(word);
        }
    }
    return seen;
}

void CompareRuns(Make make, unsigned every) {
    const uint64_t seed = lockstep_seed();
    const std::vector<uint64_t> alone = Run(make, 0, { seed });
    replaced = 0;
    const std::vector<uint64_t> restored = Run(make, every, { seed });
    EXPECT_GT(replaced, 20u);
    ASSERT_EQ(alone.size(), restored.size());
    for (size_t i = 0; i < alone.size(); i++)
        ASSERT_EQ(alone[i], restored[i]) << "value " << i << ", ACE_SEED=" << seed;
}

TEST(Checkpoint, CycleNodeIsReplaced) { CompareRuns(MakeCycle, 4); }
TEST(Checkpoint, RtlNodeIsReplaced) { CompareRuns(MakeRtl, 10); }

// Runs a node that gets chunks other than its own, which it must report in a certain cycle.
uint64_t Disagree(Make make, unsigned every, Random random) {
    auto one = std::make_unique<Lone>(make, true);
    const ace_command c = all_reduce(0, 1 << 20, 60000, 5);
    EXPECT_EQ(ACE_OK, ace_node_submit(one->node, &c, 0));
    uint16_t numbers[Lone::LINKS] = {};
    for (uint64_t now = 0; now < 2000; now++) {
        uint16_t *number = numbers;
        for (ace_wire *w : one->heard) {
            ace_flit f{};
            f.frame = true;
            f.number = *number;
            f.grant = true;
            f.grant_context = ace_context_name(random.below(4), random.below(4));
            /* a packet for a chunk that is here, or for another */
            f.data = now > 1000;
            f.context = f.grant_context;
            f.mark = static_cast<uint8_t>(random.below(3));
            const bool sent = random.below(50) == 0;
            if (sent) ace_wire_send(w, now, &f, nullptr);
            *number++ = static_cast<uint16_t>(*number + sent);
        }
        ace_node_run(one->node, now + 1);
        for (ace_wire *w : one->wire)
            while (ace_wire_next(w) != UINT64_MAX) ace_wire_receive(w, ace_wire_next(w), nullptr);
        if (every && now % every == 0) Replace(one, make, true);
        const int error = ace_node_error(one->node); // it stays
        EXPECT_TRUE(error == ACE_OK || error == ACE_ENODE);
        if (error) return now;
    }
    return UINT64_MAX;
}

void CompareDisagreements(Make make, unsigned every, unsigned runs) {
    unsigned found = 0;
    for (uint64_t seed = lockstep_seed(); runs; runs--, seed++) {
        const uint64_t alone = Disagree(make, 0, { seed });
        ASSERT_EQ(alone, Disagree(make, every, { seed })) << "ACE_SEED=" << seed;
        found += alone != UINT64_MAX;
    }
    EXPECT_GT(found, 0u);
}

TEST(Checkpoint, CycleNodeDisagrees) { CompareDisagreements(MakeCycle, 1, 10); }
TEST(Checkpoint, RtlNodeDisagrees) { CompareDisagreements(MakeRtl, 9, 1); }

// ---- what is refused ------------------------------------------------------------------

TEST(Checkpoint, TooFewBytesFail) {
    Bytes saved;
    Lone one(MakeCycle);
    one.state(saved.saving());
    for (const size_t keep : { saved.bytes.size() - 1, saved.bytes.size() / 2, size_t(3) }) {
        saved.bytes.resize(keep);
        ace_state load = saved.loading();
        ace_node_state(one.node, UINT64_MAX, &load);
        ace_memory_state(one.memory, &load);
        for (ace_wire *w : one.wire) ace_wire_state(w, UINT64_MAX, &load);
        EXPECT_TRUE(load.failed);
    }
}

// A flit on a wire arrives at the latest one latency after it was sent.
TEST(Checkpoint, LaterThanAWireTakesFails) {
    const uint64_t sent = 100;
    ace_wire *w = ace_wire_create(LATENCY, LATENCY, false);
    ace_flit f{};
    ace_wire_send(w, sent, &f, nullptr);
    Bytes saved;
    ace_state save = saved.saving();
    ace_wire_state(w, sent, &save);
    for (const uint64_t now : { sent, sent - 1 }) {
        ace_state load = saved.loading();
        ace_wire_state(w, now, &load);
        EXPECT_EQ(now != sent, load.failed);
    }
    ace_wire_destroy(w);
}

// An engine of three dimensions has four phases: a packet of a fifth was never sent to it.  Nor was
// one of a ninth context, where a phase has eight.
TEST(Checkpoint, AContextThatTheEnginesLackFails) {
    ace_wire *w = ace_wire_create(LATENCY, LATENCY, false);
    ace_flit data{}, grant{};
    data.frame = data.data = grant.frame = grant.grant = true;
    data.context = grant.grant_context = ace_context_name(4, 8);
    for (const ace_flit &f : { data, grant }) {
        Bytes saved;
        ace_state save = saved.saving();
        ace_wire_reset(w);
        ace_wire_send(w, 0, &f, nullptr);
        ace_wire_state(w, 0, &save);
        for (const unsigned phases : { 4u, 5u })
            for (const unsigned contexts : { 8u, 9u }) {
                ace_state load = saved.loading();
                ace_wire_set_contexts(w, phases, contexts);
                ace_wire_state(w, 0, &load);
                EXPECT_EQ(phases == 4 || contexts == 8, load.failed);
            }
    }
    ace_wire_destroy(w);
}

} // namespace
