// SPDX-License-Identifier: Apache-2.0
/*
 * graph_test.cc -- graphs: what is held of one, what is refused, and when nodes begin
 *
 * The fabric here is the test's own: a collective takes as many cycles as its command has bytes.
 * What the engine submits, and when, is compared with a model that goes from event to event over
 * the whole graph, written down without window, queues and lookahead.
 *
 *   ACE_SEED=7 graph_test     repeats a run
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

extern "C" {
#include "cluster.h"
#include "exit_status.h"
#include "fabric.h"
#include "graph.h"
#include "graph_engine.h"
#include "graph_ids.h"
#include "graph_window.h"
#include "npu.h"
#include "setup.h"
}

namespace {

unsigned Seed() {
    const char *s = std::getenv("ACE_SEED");
    return s ? static_cast<unsigned>(std::strtoul(s, nullptr, 10)) : 1U;
}

struct Submission {
    uint64_t cycle, end; // end: the NPU may go on
    uint64_t source;     // the id of its node
    uint16_t tag;
    bool told;
};
struct World {
    std::vector<Submission> sent;
    std::map<uint64_t, uint64_t> told; // a computation's label: its end
    uint64_t now = 0;
} world;

} // namespace

// Functions of the fabric that graph_engine.c calls.
extern "C" {
unsigned fabric_representatives(const fabric *) { return 1; }
unsigned fabric_first_node(const fabric *, unsigned) { return 3; }
bool fabric_is_local(const fabric *, unsigned) { return true; }
double fabric_speed(const fabric *, unsigned) { return 1; }
void fabric_notify_work(fabric *, unsigned, const driver_work *w) {
    if (w->kind != WORK_COLLECTIVE) world.told[w->label] = w->to;
}
// Shared memory, which no graph here has.
void fabric_limit_window(fabric *, uint64_t) { ADD_FAILURE(); }
void fabric_wake(fabric *, unsigned, uint64_t) { ADD_FAILURE(); }
int fabric_submit(fabric *, unsigned, const ace_command *c, uint64_t cycle) {
    EXPECT_EQ(cycle, world.now);
    world.sent.push_back({ cycle, cycle + c->bytes, c->source, c->tag, false });
    return ACE_OK;
}
}

namespace {

// A graph in memory.
struct Node {
    graph_node n;
    std::vector<uint64_t> parents;
};
struct Graph {
    std::vector<Node> nodes;
    std::vector<uint64_t> marks; // ids, in the order they were reached

    struct Cursor {
        const Graph *g;
        size_t at;
    };
    graph_reader Reader() const {
        return { new Cursor{ this, 0 }, "a graph",
                 [](void *self, graph_node *n) {
                     Cursor *c = static_cast<Cursor *>(self);
                     if (c->at == c->g->nodes.size()) return 0;
                     const Node &from = c->g->nodes[c->at++];
                     *n = from.n;
                     n->parent = from.parents.data();
                     n->parents = static_cast<unsigned>(from.parents.size());
                     return 1;
                 },
                 [](void *self) {
                     static_cast<Cursor *>(self)->at = 0;
                     return static_cast<int>(EXIT_OK);
                 },
                 [](void *self) { delete static_cast<Cursor *>(self); } };
    }
    void Add(uint64_t id, graph_kind kind, uint64_t cycles, std::vector<uint64_t> parents) {
        graph_node n{};
        n.id = id;
        n.kind = kind;
        n.label = static_cast<uint32_t>(id);
        n.lane = kind == GRAPH_COLLECTIVE ? LANE_COMMUNICATION : LANE_COMPUTE;
        n.operations = 1;
        n.single.class_ = OPERATION_TIME;
        n.single.cycles = cycles;
        n.command.bytes = cycles;
        n.command.source = id;
        nodes.push_back({ n, std::move(parents) });
    }
};

TEST(GraphIds, AreThoseOfASet) {
    std::mt19937 random(Seed());
    graph_ids s{};
    std::set<uint64_t> want;
    for (int i = 0; i < 20000; i++) {
        const uint64_t id = random() % 3000 + (random() % 100 ? 0 : UINT64_MAX - 3000);
        ASSERT_EQ(graph_ids_have(&s, id), want.count(id) == 1) << id;
        if (random() % 4) continue;
        ASSERT_TRUE(graph_ids_add(&s, id));
        want.insert(id);
    }
    size_t ranges = 0;
    for (const uint64_t id : want) ranges += !id || !want.count(id - 1);
    EXPECT_EQ(s.count, ranges);
    graph_ids_free(&s);
}

// Goes through a window; what can begin is finished at once.  The status, and in *held the most
// nodes.
int Walk(Graph *g, uint32_t limit, size_t *held = nullptr) {
    graph_window w;
    const graph_reader r = g->Reader();
    graph_window_open(&w, &r, limit, 3);
    std::set<uint64_t> done;
    std::map<uint64_t, const Node *> by_id;
    for (const Node &n : g->nodes) by_id[n.n.id] = &n;
    int rc = EXIT_OK;
    for (bool any = true; rc == EXIT_OK && any;) {
        any = false;
        rc = graph_window_fill(&w);
        EXPECT_LE(w.nodes, limit);
        if (held) *held = std::max<size_t>(*held, w.room);
        for (uint32_t i; (i = graph_window_ready(&w)) != GRAPH_NONE; any = true) {
            const uint64_t id = w.at[i].node.id;
            for (const uint64_t p : by_id[id]->parents) EXPECT_TRUE(done.count(p)) << id;
            EXPECT_TRUE(done.insert(id).second);
            if (w.at[i].node.kind == GRAPH_COLLECTIVE) graph_window_sent(&w, i);
            EXPECT_TRUE(graph_window_finish(&w, i));
        }
    }
    if (rc == EXIT_OK && !graph_window_over(&w)) rc = graph_window_stuck(&w);
    if (rc == EXIT_OK) EXPECT_EQ(done.size(), g->nodes.size());
    graph_window_close(&w);
    return rc;
}

std::string Refused(Graph *g, uint32_t limit = 1000) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(Walk(g, limit), EXIT_USAGE);
    return testing::internal::GetCapturedStderr();
}

TEST(GraphWindow, FinishesWhatHasNoCycle) {
    std::mt19937 random(Seed());
    for (int round = 0; round < 100; round++) {
        Graph g;
        const unsigned count = 1 + random() % 300;
        std::vector<uint64_t> id;
        for (unsigned i = 0; i < count; i++) id.push_back(i * 7 % 1009 + random() % 2 * 5000);
        std::shuffle(id.begin(), id.end(), random);
        id.erase(std::unique(id.begin(), id.end()), id.end());
        std::set<uint64_t> seen;
        for (unsigned i = 0; i < id.size(); i++) {
            if (!seen.insert(id[i]).second) continue;
            std::vector<uint64_t> parents;
            for (unsigned k = random() % 4; i && k--;) parents.push_back(id[random() % i]);
            parents.erase(std::remove(parents.begin(), parents.end(), id[i]), parents.end());
            g.Add(id[i], random() % 2 ? GRAPH_COMPUTE : GRAPH_COLLECTIVE, 1, parents);
        }
        ASSERT_EQ(Walk(&g, 1 + random() % 50), EXIT_OK); // parents first: any window will do
        std::shuffle(g.nodes.begin(), g.nodes.end(), random);
        ASSERT_EQ(Walk(&g, count), EXIT_OK); // parents behind their children
    }
}

TEST(GraphWindow, HoldsNoMoreOfALongGraph) {
    Graph g;
    for (uint64_t i = 0; i < 100000; i++)
        g.Add(i, GRAPH_COMPUTE, 1,
              i ? std::vector<uint64_t>{ i - 1, i / 2 } : std::vector<uint64_t>{});
    size_t held = 0;
    ASSERT_EQ(Walk(&g, 100, &held), EXIT_OK);
    EXPECT_LE(held, 128U); // places; they grow by doubling
}

TEST(GraphWindow, RefusesACycle) {
    Graph g;
    g.Add(1, GRAPH_COMPUTE, 1, {});
    g.Add(2, GRAPH_COMPUTE, 1, { 1, 4 });
    g.Add(3, GRAPH_COMPUTE, 1, { 2 });
    g.Add(4, GRAPH_COMPUTE, 1, { 3 });
    g.Add(5, GRAPH_COMPUTE, 1, { 4 });
    const std::string text = Refused(&g);
    EXPECT_NE(text.find("a graph: found a cycle"), std::string::npos) << text;
    EXPECT_NE(text.find("NPU 3"), std::string::npos) << text;
    EXPECT_NE(text.find("4 waits for 3 waits for 2 waits for 4"), std::string::npos) << text;
}

TEST(GraphWindow, RefusesAParentThatNeverComes) {
    Graph g;
    g.Add(1, GRAPH_COMPUTE, 1, {});
    g.Add(2, GRAPH_COLLECTIVE, 1, { 1, 77 });
    const std::string text = Refused(&g);
    EXPECT_NE(text.find("node 2 (collective), NPU 3, which waits for node 77"), std::string::npos)
        << text;
}

TEST(GraphWindow, RefusesAParentBeyondWhatIsHeld) {
    Graph g;
    for (uint64_t i = 0; i < 10; i++) g.Add(i, GRAPH_COMPUTE, 1, { 10 });
    g.Add(10, GRAPH_COMPUTE, 1, {});
    EXPECT_NE(Refused(&g, 10).find("within as many nodes"), std::string::npos);
    EXPECT_EQ(Walk(&g, 11), EXIT_OK);
}

TEST(GraphWindow, RefusesAnIdTwice) {
    for (const uint64_t parent : { 1U, 9U }) { // finished before, and still held
        Graph g;
        g.Add(1, GRAPH_COMPUTE, 1, {});
        g.Add(2, GRAPH_COMPUTE, 1, { parent });
        g.Add(3, GRAPH_COMPUTE, 1, { 2 });
        g.Add(2, GRAPH_COMPUTE, 1, {});
        g.Add(9, GRAPH_COMPUTE, 1, {});
        EXPECT_NE(Refused(&g, 4).find("node 2 twice"), std::string::npos) << parent;
    }
}

// ---- the engine ---------------------------------------------------------------------------

struct Model {
    std::map<uint64_t, uint64_t> begin, end;
};

// The nodes that have been read: as many that are not over as a window holds, in the order of the
// graph.
struct Read {
    const Graph &g;
    size_t window, at = 0;
    std::map<uint64_t, const Node *> held;
    void Fill() {
        for (; held.size() < window && at < g.nodes.size(); at++)
            held[g.nodes[at].n.id] = &g.nodes[at];
    }
};

// The collectives in the order they have without a clock: the lowest id that can begin is over.
std::vector<uint64_t> Turns(const Graph &g, size_t window) {
    std::vector<uint64_t> turns;
    std::set<uint64_t> done;
    Read read{ g, window, 0, {} };
    for (bool any = true; any;) {
        any = false;
        read.Fill();
        for (const auto &[id, n] : read.held) {
            const auto over = [&](uint64_t p) { return done.count(p) == 1; };
            if (!std::all_of(n->parents.begin(), n->parents.end(), over)) continue;
            if (n->n.kind == GRAPH_COLLECTIVE) turns.push_back(id);
            done.insert(id);
            read.held.erase(id);
            any = true;
            break;
        }
    }
    return turns;
}

// From event to event: whoever may begin does, in the order of ids; a slot for compute, `slots` for
// collectives, which take turns where `in_order`.
Model Expect(const Graph &g, size_t window, unsigned slots, bool in_order) {
    Model m;
    Read read{ g, window, 0, {} };
    const std::vector<uint64_t> turns = Turns(g, window);
    size_t turn = 0;
    for (uint64_t t = 0;;) {
        const auto over = [&](uint64_t p) { return m.end.count(p) && m.end[p] <= t; };
        for (bool any = true; any;) {
            any = false;
            for (auto i = read.held.begin(); i != read.held.end();)
                i = over(i->first) ? read.held.erase(i) : std::next(i);
            read.Fill();
            for (const auto &[id, n] : read.held) {
                unsigned busy = 0;
                for (const auto &[other, o] : read.held)
                    busy += o->n.lane == n->n.lane && o->n.kind != GRAPH_MARK && m.end.count(other);
                if (m.end.count(id) || !std::all_of(n->parents.begin(), n->parents.end(), over))
                    continue;
                const bool collective = n->n.kind == GRAPH_COLLECTIVE;
                if (n->n.kind == GRAPH_COMPUTE && busy) continue;
                if (collective && slots && busy >= slots) continue;
                if (collective && in_order && turns[turn] != id) continue;
                turn += collective;
                m.begin[id] = t;
                m.end[id] = t + (n->n.kind == GRAPH_MARK ? 0 : n->n.single.cycles);
                any = true;
                break;
            }
        }
        uint64_t next = UINT64_MAX;
        for (const auto &[id, e] : m.end)
            if (e > t) next = std::min(next, e);
        if (next == UINT64_MAX) return m;
        t = next;
    }
}

graph_source Source(Graph *g, uint32_t window, unsigned slots, bool in_order) {
    graph_source m{};
    m.self = g;
    m.open = [](void *self, unsigned, graph_reader *r) {
        *r = static_cast<Graph *>(self)->Reader();
        return static_cast<int>(EXIT_OK);
    };
    m.window = window;
    m.slots = slots;
    m.in_order = in_order;
    m.names = [](const void *, uint32_t) { return graph_names{ "", "" }; };
    m.label = [](const void *, uint32_t, char *to, size_t) { *to = 0; };
    m.marked = [](void *self, unsigned, uint32_t label, const graph_account *a) {
        static_cast<Graph *>(self)->marks.push_back(a->now << 32 | label);
    };
    return m;
}

// Drives the engine like the fabric: it reports completions as late, and calls the NPU as rarely,
// as the driver's answers allow.
uint64_t Drive(const driver &d, std::mt19937 &random) {
    uint64_t react = 0, wake = d.act(d.self, 0, 0, &react);
    for (unsigned guard = 0; !d.finished(d.self, 0); guard++) {
        EXPECT_LT(guard, 1000000U);
        if (guard >= 1000000U) break;
        uint64_t first = UINT64_MAX, to;
        for (const Submission &s : world.sent)
            if (!s.told) first = std::min(first, s.end);
        to = std::min(wake, world.now + 1 + random() % 5000);
        if (first != UINT64_MAX && react < to - std::min(to, first))
            to = std::max(first + react, world.now + 1);
        to = std::max(to, world.now + 1);
        std::vector<Submission *> over;
        for (Submission &s : world.sent)
            if (!s.told && s.end <= to) over.push_back(&s);
        std::stable_sort(over.begin(), over.end(),
                         [](const Submission *a, const Submission *b) { return a->end < b->end; });
        world.now = to;
        for (Submission *s : over) {
            s->told = true;
            const ace_completion c = { s->end - 1, s->tag };
            d.completed(d.self, 0, &c);
        }
        if (!over.empty() || to >= wake) wake = d.act(d.self, 0, to, &react);
    }
    return world.now;
}

void Compare(Graph *g, uint32_t window, unsigned slots, bool in_order, std::mt19937 &random) {
    setup o{};
    o.machine.cluster = cluster_default();
    graph_engine *e = nullptr;
    const graph_source source = Source(g, window, slots, in_order);
    world = {};
    g->marks.clear();
    ASSERT_EQ(graph_engine_create(&source, &o.machine, nullptr, &e), EXIT_OK);
    (void)Drive(graph_engine_driver(e), random);
    ASSERT_EQ(graph_engine_end(e), EXIT_OK);
    const Model m = Expect(*g, window, slots, in_order);
    const graph_account a = graph_engine_account(e, 0);
    uint64_t computing = 0, last = 0;
    for (const Node &n : g->nodes) {
        last = std::max(last, m.end.at(n.n.id));
        if (n.n.kind != GRAPH_COMPUTE) continue;
        computing += n.n.single.cycles;
        if (n.n.single.cycles) ASSERT_EQ(world.told[n.n.label], m.end.at(n.n.id)) << n.n.id;
    }
    for (const Submission &s : world.sent) ASSERT_EQ(s.cycle, m.begin.at(s.source)) << s.source;
    for (const uint64_t k : g->marks) ASSERT_EQ(k >> 32, m.end.at(k & UINT32_MAX));
    EXPECT_EQ(a.finished, g->nodes.size());
    EXPECT_EQ(a.now, last);
    EXPECT_EQ(a.computing, computing);
    EXPECT_EQ(a.alone, computing);
    EXPECT_LE(a.exposed + a.computing, a.now);
    graph_engine_destroy(e);
}

TEST(GraphEngine, BeginsNodesWhenTheModelDoes) {
    std::mt19937 random(Seed());
    for (unsigned round = 0; round < 1000 && !testing::Test::HasFatalFailure(); round++) {
        SCOPED_TRACE("round " + std::to_string(round) + ", ACE_SEED=" + std::to_string(Seed()));
        Graph g;
        const unsigned count = 1 + random() % 40, reach = 1 + random() % 8;
        for (unsigned i = 0; i < count; i++) {
            std::vector<uint64_t> parents;
            for (unsigned k = random() % 3; i && k--;)
                parents.push_back(i - 1 - random() % std::min(i, reach));
            const graph_kind kind = static_cast<graph_kind>(
                std::vector<int>{ GRAPH_COMPUTE, GRAPH_COLLECTIVE, GRAPH_MARK }[random() % 3]);
            g.Add(i, kind, kind == GRAPH_COMPUTE ? random() % 300 : 1 + random() % 3000, parents);
        }
        unsigned window = 2 + random() % 12; // parents first: any window will do
        if (random() % 2) {
            std::shuffle(g.nodes.begin(), g.nodes.end(), random);
            window = count;
        }
        Compare(&g, window, random() % 3, random() % 2 != 0, random);
    }
}

// Half as fast while a collective is outstanding: 900 bytes a cycle, 450 of them left.
TEST(GraphEngine, SlowsDownWhatReadsBesideACollective) {
    Graph g;
    g.Add(0, GRAPH_COLLECTIVE, 200, {});
    g.Add(1, GRAPH_COMPUTE, 0, {});
    g.nodes[1].n.single = operation{};
    g.nodes[1].n.single.what = "read";
    g.nodes[1].n.single.class_ = OPERATION_VECTOR;
    g.nodes[1].n.single.read_bytes = 900 * 1000;
    setup o{};
    o.machine.cluster = cluster_default();
    o.machine.cluster.endpoint = ENDPOINT_COMM_OPT;
    o.machine.cluster.memory_GBps = 450;
    o.machine.cluster.npu.memory_efficiency = 1;
    o.machine.cluster.clock_MHz = 1000;
    o.machine.contention = true;
    graph_engine *e = nullptr;
    const graph_source source = Source(&g, 10, 0, false);
    world = {};
    ASSERT_EQ(graph_engine_create(&source, &o.machine, nullptr, &e), EXIT_OK);
    std::mt19937 random(1);
    (void)Drive(graph_engine_driver(e), random);
    EXPECT_EQ(graph_engine_end(e), EXIT_OK);
    EXPECT_EQ(graph_engine_account(e, 0).now, 200U + 900); // 200 cycles do 100
    EXPECT_EQ(graph_engine_account(e, 0).alone, 1000U);
    EXPECT_EQ(graph_engine_account(e, 0).exposed, 0U);
    graph_engine_destroy(e);
}

TEST(GraphEngine, EndsWithAMessageWhereNothingCanBegin) {
    Graph g;
    g.Add(0, GRAPH_COLLECTIVE, 200, {});
    g.Add(1, GRAPH_COMPUTE, 10, { 0, 2 });
    g.Add(2, GRAPH_COMPUTE, 10, { 1 });
    setup o{};
    o.machine.cluster = cluster_default();
    graph_engine *e = nullptr;
    const graph_source source = Source(&g, 10, 0, false);
    world = {};
    ASSERT_EQ(graph_engine_create(&source, &o.machine, nullptr, &e), EXIT_OK);
    std::mt19937 random(1);
    testing::internal::CaptureStderr();
    (void)Drive(graph_engine_driver(e), random);
    EXPECT_NE(testing::internal::GetCapturedStderr().find("found a cycle"), std::string::npos);
    EXPECT_EQ(graph_engine_end(e), EXIT_USAGE);
    graph_engine_destroy(e);
}

} // namespace
