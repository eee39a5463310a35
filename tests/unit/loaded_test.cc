// SPDX-License-Identifier: Apache-2.0
//
// loaded_test.cc -- what endpoints, links of a file, timelines and fabrics must hold together is
// looked at when they are loaded
//
// Something runs, and its state can be loaded.  The same state with one member as it never is (a
// queue for a link that is not there, what is under way behind the end of its way) is refused,
// and unit and member are named. state_test.cc does so with nodes, hub_test.cc with hubs.
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

extern "C" {
#include "ace_node_driver.h"
#include "ace_recurrence.h"
#include "ace_wire.h"
#include "baseline_inside.h"
#include "exit_status.h"
#include "fabric.h"
#include "fabric_internal.h"
#include "ideal.h"
#include "ideal_inside.h"
#include "link_network_inside.h"
#include "setup.h"
#include "setup_fields.h"
#include "timeline_inside.h"
}
#include "state_stream.h"

namespace {

// A member of T as it never is.
template <class T> struct Fault {
    const char *field;
    std::function<void(T &)> plant;
};

// trial(plant): what is impossible in a state in which that was planted.
template <class T, class Trial> void AreNamed(const std::vector<Fault<T>> &faults, Trial trial) {
    EXPECT_EQ("", trial([](T &) {}));
    for (const auto &f : faults) EXPECT_EQ(f.field, trial(f.plant)) << &f - faults.data();
}

// A trial that needs one object only: it is saved, and loads what it was.
template <class T, class Move> auto Again(T &of, const Bytes &good, Move move) {
    return [&, move](const std::function<void(T &)> &plant) {
        EXPECT_EQ("", LoadState(good, move));
        plant(of);
        return LoadState(SaveState(move), move);
    };
}

// ---- a node alone on a ring of two: it hears what it sends --------------------------------------

enum { LATENCY = 30, NOW = 400 };

struct Lone {
    ace_wire *wire[2];
    ace_node_setup setup{};
    ace_node *node = nullptr;

    Lone() {
        ace_config &c = setup.config;
        setup.parameters = ACE_PARAMETERS_DEFAULT;
        for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
            c.ring[d] = d ? 1 : 2;
            c.link_cost[d] = 2 * ACE_COST_ONE;
        }
        c.chunk_rows = 64;
        c.read_cost = c.write_cost = 256 * ACE_COST_ONE;
        c.memory_latency = 50;
        for (ace_wire *&w : wire) w = ace_wire_create(LATENCY, LATENCY + 1, false);
        for (unsigned l = 0; l < 2; l++) {
            setup.out[l] = wire[l];
            setup.in[l] = wire[l ^ 1];
        }
    }
    Lone(const Lone &) = delete;
    ~Lone() {
        ace_node_destroy(node);
        for (ace_wire *w : wire) ace_wire_destroy(w);
    }
    void run() const {
        for (ace_kind kind : { ACE_ALL_REDUCE, ACE_ALL_TO_ALL, ACE_ALL_REDUCE }) {
            ace_command c{};
            c.kind = kind;
            c.dim_count = 1;
            c.bytes = 400000;
            ASSERT_EQ(ACE_OK, ace_node_submit(node, &c, 0));
        }
        for (uint64_t now = LATENCY; now <= NOW; now += LATENCY) ace_node_run(node, now);
        ace_node_run(node, NOW);
    }
    auto move() const {
        return [n = node](ace_state *s) { ace_node_state(n, NOW, s); };
    }
};

template <class T> T *Grown(T *at, size_t count) {
    return static_cast<T *>(std::realloc(at, count * sizeof *at));
}

// ---- a software endpoint ------------------------------------------------------------------------

#define CASE(field, change)                \
    {                                      \
        field, [](baseline &n) { change; } \
    }

const std::vector<Fault<baseline>> of_baseline = {
    CASE("baseline.now", n.now++),
    CASE("baseline.cfg", n.cfg.chunk_rows++),
    CASE("baseline.memory", n.memory.latency++),
    CASE("baseline.memory", n.memory.sms.cost++),
    CASE("baseline.memory", n.dimensions++),
    CASE("baseline.memory", Third(n.lazy)),
    CASE("baseline.window", n.stream[1].window++),
    CASE("baseline.window", n.stream[1].mask /= 2),
    CASE("baseline.window", n.stream[1].first++),
    CASE("baseline.stream", n.stream[0].head = n.stream[0].mask + 1),
    CASE("baseline.stream", n.stream[0].count = n.stream[0].window + 1),
    CASE("baseline.stream", n.stream[4].count = 1; n.with_rows |= 1U << 4),
    CASE("baseline.with_rows", n.with_rows ^= 1),
    CASE("baseline.with_rows", n.with_room ^= 1),
    CASE("baseline.with_rows", n.some_ready |= 1U << STREAMS),
    CASE("baseline.flight", n.stream[0].count = 1; n.with_rows |= 1;
         flight_of(&n, &n.stream[0], 0)->slot = CHUNKS),
    CASE("baseline.flight", n.stream[0].count = 1; n.with_rows |= 1;
         Third(flight_of(&n, &n.stream[0], 0)->result)),
    CASE("baseline.exchanging", Third(n.exchanging)),
    CASE("baseline.newest", n.newest = n.oldest + CHUNKS + 1),
    CASE("baseline.newest", n.newest = n.oldest - 1),
    CASE("baseline.entries", n.entries = COMMANDS + 1),
    CASE("baseline.completions", n.completion_head = COMMANDS),
    CASE("baseline.completions", n.completions = COMMANDS + 1),
    CASE("baseline.command", n.entries = 0),
    CASE("baseline.command", n.command[0].command.kind = static_cast<ace_kind>(ACE_LIST + 1)),
    CASE("baseline.command", n.command[0].command.type = static_cast<ace_type>(ACE_TYPES)),
    CASE("baseline.command", n.command[0].command.op = static_cast<ace_op>(ACE_OPS)),
    CASE("baseline.command", n.command[0].command.dim_count = ACE_DIMENSIONS + 1),
    CASE("baseline.dims", n.command[0].command.dims[0] = static_cast<uint8_t>(n.dimensions)),
    CASE("baseline.cut", n.command[0].over = n.command[0].cut + 1),
    CASE("baseline.cut", n.command[0].cut = n.command[0].chunks + 1),
    CASE("baseline.cut", n.command[1].chunks = 2),
    CASE("baseline.open", n.open++),
    CASE("baseline.open", n.uncut++),
    CASE("baseline.open", n.waiting++),
    CASE("baseline.open", n.completions = COMMANDS),
    CASE("baseline.chunk", Third(n.chunk[0].elsewhere)),
    CASE("baseline.chunk", n.chunk[0].command = COMMANDS),
    CASE("baseline.chunk", n.chunk[0].at = ACE_PHASES + 1),
    CASE("baseline.chunk", n.chunk[0].link = ACE_LINKS),
    CASE("baseline.phase",
         n.chunk[1].phase[2].kind = static_cast<ace_phase_kind>(ACE_PHASE_ALL_GATHER + 1)),
    CASE("baseline.phase", n.chunk[1].phase[2].dim = ACE_DIMENSIONS),
    CASE("baseline.link", n.chunk[0].link = 4; n.chunk[0].to_do = 1),
    CASE("baseline.results", n.results ^= 1),
    CASE("baseline.ready", n.some_ready ^= 1),
    CASE("baseline.writes", n.write_head = WRITES),
    CASE("baseline.writes", n.writes = WRITES + 1),
    CASE("baseline.write", n.writes = 1; n.write[n.write_head].slot = CHUNKS),
    CASE("baseline.write", n.writes = 1; Third(n.write[n.write_head].result)),
    CASE("baseline.list", n.list[5].words = Grown(n.list[5].words, 1); n.list[5].bytes = 4),
    CASE("baseline.grants", n.grants[4] = 1; n.granting |= 1U << 4),
    CASE("baseline.granting", n.granting ^= 1),
    CASE("baseline.port", n.port->tx_credit |= 1U << 4),
    CASE("baseline_exchange.port",
         const_cast<ace_link_port *>(baseline_exchange_ports(n.exchange))->tx_credit |= 1U << 4),
    CASE("baseline.turn", n.granting |= 1U << ACE_LINKS),
    CASE("baseline.turn", n.turn = ACE_LINKS),
};

#undef CASE

struct Software : Lone {
    Software() {
        const baseline_share share = { 128, 512, false };
        EXPECT_EQ(ACE_OK, baseline_node_create(&setup, &share, &node));
        run();
    }
    baseline &of() const { return *reinterpret_cast<baseline *>(node); }
};

TEST(Loaded, SoftwareEndpoint) {
    AreNamed(of_baseline, [](const std::function<void(baseline &)> &plant) {
        const Software one, another; // which has the same constants
        EXPECT_GT(one.of().newest, one.of().oldest);
        plant(one.of());
        return LoadState(SaveState(one.move()), another.move());
    });
}

// ---- an ideal endpoint --------------------------------------------------------------------------

// On link 0 or 1, or 4, where no wire is; a route of one hop there.
void Put(ideal &i, unsigned queue, uint64_t cycle, unsigned link) {
    auto &q = i.notices[queue];
    q.at = Grown(q.at, 1);
    q.at[0] = { 0, cycle,
                UINT64_C(1) << link / 2 * 8 | uint64_t{ link % 2 } << (link / 2 * 8 + 7) };
    q.count = q.room = 1;
}

const std::vector<Fault<ideal>> of_ideal = {
    { "", [](ideal &i) { Put(i, 0, NOW + 1, 0); } },
    { "ideal.now", [](ideal &i) { i.now++; } },
    { "ideal.owed", [](ideal &i) { i.owed[1] = 2; } },
    { "ideal.owed", [](ideal &i) { i.owed[4] = 1; } },
    { "ideal.notices", [](ideal &i) { Put(i, 4, NOW, 4); } },
    { "ideal.notice", [](ideal &i) { Put(i, 1, NOW + 2, 1); } },
    { "ideal.notice", [](ideal &i) { Put(i, 1, NOW, 0); } },
    { "ideal.waits", [](ideal &i) { i.at[0].waits = true; } }, // for nobody
    { "ideal.left", [](ideal &i) { i.at[0].left[3] = UINT64_MAX; } },
    { "ideal.error", [](ideal &i) { i.error = ACE_EPROTO; } },
};

TEST(Loaded, IdealEndpoint) {
    const auto steps = std::make_unique<ideal_steps>();
    Lone one;
    ASSERT_EQ(ACE_OK, ideal_steps_count(&one.setup.config, steps.get()));
    ideal_setup setup = {};
    setup.cfg = &one.setup.config;
    setup.steps = steps.get();
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        setup.step[d] = ideal_step(setup.cfg, 0, d, LATENCY);
    setup.in = one.setup.in;
    setup.out = one.setup.out;
    ASSERT_EQ(ACE_OK, ideal_node_create(&setup, &one.node));
    one.run();
    auto &i = *reinterpret_cast<ideal *>(one.node);
    ASSERT_GT(i.count, 0U);
    const Bytes good = SaveState(one.move());
    AreNamed(of_ideal, Again(i, good, one.move()));
}

// ---- links of a file ----------------------------------------------------------------------------

// Returns the first packet or grant that is in flight; on a link if `going` is set.
in_transit &First(link_network &n, bool packet, bool going = false) {
    for (size_t i = 0; i < n.count; i++)
        if (n.heap[i].packet == packet && (!going || n.heap[i].stage != THERE)) return n.heap[i];
    ADD_FAILURE() << "nothing is under way";
    return n.heap[0];
}

const std::vector<Fault<link_network>> of_links = {
    { "link_network.packet", [](link_network &n) { Third(First(n, true).flit.data); } },
    { "link_network.packet", [](link_network &n) { Third(First(n, false).flit.resend); } },
    { "link_network.from", [](link_network &n) { First(n, true).from = 3; } },
    { "link_network.from", [](link_network &n) { First(n, false).to = 3; } },
    { "link_network.from", [](link_network &n) { First(n, false).to = First(n, false).from; } },
    { "link_network.stage", [](link_network &n) { First(n, true).plane = 2; } },
    { "link_network.stage", [](link_network &n) { First(n, true).stage = THERE + 1; } },
    { "link_network.stage", [](link_network &n) { First(n, false).stage = QUEUED; } },
    { "link_network.hop", [](link_network &n) { First(n, true, true).hop = 2; } },
    { "link_network.number", [](link_network &n) { n.heap[n.count - 1].number = n.number; } },
    { "link_network.time", [](link_network &n) { n.heap[0].time += 1000000; } },
    { "link_network.flit", [](link_network &n) { First(n, true).flit.flip = 1; } },
    { "link_network.flit", [](link_network &n) { First(n, true).flit.data = false; } },
    { "link_network.flit", [](link_network &n) { First(n, false).flit.grant = false; } },
    { "link_network.context",
      [](link_network &n) { First(n, true).flit.context = ace_context_name(1, 3); } },
    { "link_network.context",
      [](link_network &n) { First(n, false).flit.grant_context = ace_context_name(2, 0); } },
};

// NPUs 0, 1 and 2 in a line.
TEST(Loaded, LinksOfAFile) {
    static link_graph g;
    g.npus = g.nodes = 3;
    g.links = 4;
    for (uint8_t l = 0; l < 4; l++) {
        const uint8_t low = l / 2, high = static_cast<uint8_t>(l / 2 + 1);
        g.link[l] = { l % 2 ? high : low, l % 2 ? low : high, 25, 40, 9 * ACE_COST_ONE };
    }
    for (uint8_t i = 0; i < 3; i++) g.order[i] = i;
    ASSERT_TRUE(link_graph_route(&g));
    ASSERT_EQ(2, g.route[0][2].hops);
    ace_wire *like = ace_wire_create(10, 10, false);
    ace_wire_set_contexts(like, 2, 3);
    link_network *n = link_network_create(&g, true, 10);
    ASSERT_TRUE(n);
    ace_flit f{};
    f.frame = f.data = true;
    f.context = ace_context_name(1, 2);
    f.grant_context = ace_context_name(0, 1);
    ace_row row{};
    for (uint64_t now = 0; now < 4; now++)
        ASSERT_TRUE(link_network_send(n, now, 0, now % 2 ? 2 : 1, 0, true, &f, row));
    f.data = false;
    f.grant = true;
    ASSERT_TRUE(link_network_send(n, 4, 2, 0, 0, false, &f, nullptr));
    const auto move = [&](ace_state *s) { link_network_state(n, like, s); };
    const Bytes good = SaveState(move);
    AreNamed(of_links, Again(*n, good, move));
    EXPECT_EQ("", LoadState(good, move)); // and goes on
    network_event e;
    unsigned there = 0;
    for (uint64_t now = 4; now < 400; now++)
        while (link_network_take(n, now, &e)) there += e.kind != NETWORK_LEFT;
    EXPECT_EQ(5U, there);
    link_network_destroy(n);
    ace_wire_destroy(like);
}

// ---- stays of chunks, periods that were left out ------------------------------------------------

struct Change {
    const char *field;
    size_t at; // of the stream
    uint8_t value;
};

TEST(Loaded, Stays) {
    // The first context of a stream: is a stay open, that stay, and the one before.
    constexpr size_t stay = alignof(chunk_stay), past = stay + sizeof(chunk_stay);
    const Change changes[] = {
        { "", stay + offsetof(chunk_stay, phase), ACE_PHASES - 1 },
        { "chunk_stays.open", 0, 2 },
        { "chunk_stays.stay", stay + offsetof(chunk_stay, phase), ACE_PHASES },
        { "chunk_stays.stay", stay + offsetof(chunk_stay, context), WATCH_CONTEXTS },
        { "chunk_stays.stay", stay + offsetof(chunk_stay, link), ACE_LINKS },
        { "chunk_stays.stay", past + offsetof(chunk_stay, phase), ACE_PHASES },
    };
    chunk_stays *w = chunk_stays_create(0, 2, nullptr, nullptr);
    ASSERT_TRUE(w);
    const auto move = [&](ace_state *s) { chunk_stays_state(w, s); };
    const Bytes good = SaveState(move);
    for (const Change &c : changes) {
        Bytes bad = good;
        bad[bad.size() / 2 + c.at] = c.value; // of the second node
        EXPECT_EQ(c.field, LoadState(bad, move)) << c.at;
    }
    chunk_stays_destroy(w);
}

TEST(Loaded, Recurrence) {
    ace_recurrence *r = ace_recurrence_create(nullptr, 0, nullptr, 1);
    ASSERT_TRUE(r);
    const auto move = [&](ace_state *s) { ace_recurrence_state(r, s); };
    Bytes bytes = SaveState(move);
    EXPECT_EQ("", LoadState(bytes, move));
    bytes[5 * sizeof(uint64_t)] = 2; // behind the numbers
    EXPECT_EQ("ace_recurrence.failed", LoadState(bytes, move));
    ace_recurrence_destroy(r);
}

// ---- a run --------------------------------------------------------------------------------------

void Set(setup *o, setup_id id, const char *value) {
    ASSERT_TRUE(setup_take(&setup_fields[id], value, o)) << setup_fields[id].id << " " << value;
}

// Four nodes with two collectives each.
struct Cluster {
    setup o{};
    fabric *f = nullptr;
    driver d{};
    unsigned begun[4] = {}, over[4] = {};
    std::function<void()> between; // two windows

    Cluster() {
        setup_initial(&o);
        Set(&o, SETUP_TOPOLOGY, "2x2");
        Set(&o, SETUP_FAULTS, "link:0.0@100=5");
        o.machine.kind = ACE_ALL_REDUCE;
        o.execution.unfolded = o.execution.step_by_step = o.execution.quiet = true;
        d.self = this;
        d.completed = [](void *self, unsigned node, const ace_completion *) {
            static_cast<Cluster *>(self)->over[node]++;
        };
        d.act = [](void *self, unsigned node, uint64_t now, uint64_t *reaction) {
            *reaction = UINT64_MAX;
            static_cast<Cluster *>(self)->act(node, now);
            return UINT64_MAX;
        };
        d.between = [](void *self) { static_cast<Cluster *>(self)->between(); };
        d.finished = [](void *self, unsigned node) {
            return static_cast<Cluster *>(self)->over[node] == 2;
        };
        d.progress = [](void *) { return 0.; };
        d.label = [](void *, uint32_t, char *to, size_t room) { snprintf(to, room, "collective"); };
        d.state = [](void *, ace_state *) {};
    }
    Cluster(const Cluster &) = delete;
    ~Cluster() {
        EXPECT_EQ(fabric_destroy(f), EXIT_OK);
        machine_free(&o.machine);
    }
    void act(unsigned node, uint64_t now) {
        for (; begun[node] < 2; begun[node]++) {
            ace_command c{};
            c.kind = ACE_ALL_REDUCE;
            c.dim_count = 2;
            c.dims[1] = 1;
            c.bytes = 200000;
            c.destination = 1 << 20;
            ASSERT_EQ(ACE_OK, fabric_submit(f, node, &c, now));
        }
    }
    void go(const fabric_observer *observer) {
        const fabric_work none{};
        const fabric_watch watch{ observer, observer != nullptr, nullptr };
        ASSERT_EQ(fabric_create(&o.machine, &o.execution, &none, &watch, &f), EXIT_OK);
        ASSERT_EQ(fabric_run(f, &d, 0), EXIT_OK);
    }
};

// A node and the fabric that it is in are later.
void Later(fabric &f, unsigned node, uint64_t cycles) {
    representative &m = f.representative[node];
    m.now += cycles;
    reinterpret_cast<ace_driver *>(m.node)->now += cycles;
}

const std::vector<Fault<fabric>> of_fabric = {
    { "fabric.now", [](fabric &f) { f.now += 1000000; } },
    { "fabric.arrival", [](fabric &f) { Later(f, 1, 1000000); } },
    { "fabric.last_progress_cycle", [](fabric &f) { f.last_progress_cycle = f.now + 1; } },
    { "fabric.done", [](fabric &f) { Third(f.faults.link.listed[0].done); } },
};

TEST(Loaded, Fabric) {
    Cluster run;
    Bytes good;
    const auto move = [&](ace_state *s) { fabric_state(run.f, s); };
    ASSERT_EQ(setup_check(&run.o), EXIT_OK);
    ASSERT_EQ(setup_make(&run.o), EXIT_OK);
    run.between = [&] {
        if (good.empty() && fabric_now(run.f) > 2000) good = SaveState(move);
    };
    run.go(nullptr);
    ASSERT_FALSE(good.empty());
    AreNamed(of_fabric, Again(*run.f, good, move));
    // The stream ends with a record of no observer, a name, key and length, and whether periods
    // are left out.
    Bytes bad = good;
    bad.back() = 2;
    EXPECT_EQ("fabric.recurrence", LoadState(bad, move));
    bad = good;
    std::memset(&bad[bad.size() - 1 - 32], 'x', 16);
    EXPECT_EQ("fabric.record", LoadState(bad, move));
}

#define CASE(field, change)                         \
    {                                               \
        field, [](timeline &t) {                    \
            [[maybe_unused]] meter &m = t.meter[1]; \
            change;                                 \
        }                                           \
    }

const std::vector<Fault<timeline>> of_timeline = {
    CASE("timeline.level", t.level[1] = DETAIL_LEVELS + 1),
    CASE("timeline.failed", Third(m.failed)),
    CASE("timeline.gauge", m.collectives.from = m.collectives.at + 1),
    CASE("timeline.gauge", m.chunks.at = fabric_now(t.f) + 1),
    CASE("timeline.points", m.point = Grown(m.point, POINTS + 1); m.points = POINTS + 1),
    CASE("timeline.step", m.step[1].to = 1; m.step[1].kind = EVENT_KINDS),
    CASE("timeline.point", m.points = 1; m.point[0].fsm = FSMS),
    CASE("timeline.event", m.batch = Grown(m.batch, 1); m.count = 1; m.batch[0].kind = EVENT_KINDS),
};

#undef CASE

TEST(Loaded, Timeline) {
    Cluster run;
    Bytes good;
    timeline *t = nullptr;
    const std::string file = testing::TempDir() + "loaded_test.json";
    Set(&run.o, SETUP_TIMELINE, file.c_str());
    ASSERT_EQ(setup_check(&run.o), EXIT_OK);
    ASSERT_EQ(setup_make(&run.o), EXIT_OK);
    ASSERT_EQ(timeline_create(&run.o.machine, &run.o.output, &t), EXIT_OK);
    const fabric_observer observer = timeline_observer(t);
    const auto move = [&](ace_state *s) { observer.state(t, s); };
    run.between = [&] {
        if (good.empty() && fabric_now(run.f) > 2000) good = SaveState(move);
    };
    run.go(&observer);
    ASSERT_FALSE(good.empty());
    AreNamed(of_timeline, Again(*t, good, move));
    timeline_destroy(t);
    std::remove(file.c_str());
}

template <class T> void Add(Bytes *to, const T &x) {
    const auto *at = reinterpret_cast<const uint8_t *>(&x);
    to->insert(to->end(), at, at + sizeof x);
}

// The state of a timeline's file: the detail of each of its parts, and events.
TEST(Loaded, EventsOfATimeline) {
    setup o;
    setup_initial(&o);
    timeline_names names{};
    names.machine = &o.machine;
    names.output = &o.output;
    names.drawn = 2;
    timeline_file *file = timeline_file_create(&names);
    ASSERT_TRUE(file);
    const auto load = [&](unsigned level, const event &e) {
        Bytes bytes;
        for (unsigned d = 0; d < DETAILS; d++) Add(&bytes, d ? level : 0U);
        Add(&bytes, uint64_t{ 1 });
        Add(&bytes, e);
        return LoadState(bytes, [&](ace_state *s) { timeline_file_state(file, s); });
    };
    event stay{};
    stay.kind = EVENT_STAY;
    stay.before = NO_PHASE;
    EXPECT_EQ("", load(DETAIL_LEVELS, stay));
    EXPECT_EQ("timeline.level", load(DETAIL_LEVELS + 1, stay));
    const std::vector<std::function<void(event &)>> faults = {
        [](event &e) { e.kind = EVENT_KINDS; },
        [](event &e) { e.track = 1; },
        [](event &e) { e.representative = 2; },
        [](event &e) { e.phase = ACE_PHASES; },
        [](event &e) { e.context = WATCH_CONTEXTS; },
        [](event &e) { e.link = ACE_LINKS; },
        [](event &e) { e.before = ACE_PHASES; },
        [](event &e) { e.kind = EVENT_COLLECTIVE, e.track = TIMELINE_LANES; },
        [](event &e) { e.kind = EVENT_UNIT, e.track = TIMELINE_UNITS; },
    };
    for (const auto &plant : faults) {
        event e = stay;
        plant(e);
        EXPECT_EQ("timeline.event", load(0, e)) << &plant - faults.data();
    }
    timeline_file_destroy(file);
}

} // namespace
