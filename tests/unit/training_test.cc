// SPDX-License-Identifier: Apache-2.0
/*
 * training_test.cc -- the loop against one that is stepped cycle by cycle
 *
 * The fabric here is the test's own: a collective takes a random number of cycles.  What an NPU
 * submits, and when, is compared with a model of the loop written down in the order of its
 * steps, whose operations make a fraction of their work in each cycle.
 *
 *   ACE_SEED=7 training_test     repeats a run
 */
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "lockstep.h"

extern "C" {
#include "cluster.h"
#include "exit_status.h"
#include "fabric.h"
#include "npu.h"
#include "npu_schedule.h"
#include "operations.h"
#include "setup_fields.h"
#include "training.h"
#include "workload.h"
}

namespace {

struct Submission {
    uint64_t cycle, end; // end: the NPU may go on
    ace_kind kind;
    uint64_t bytes;
    uint16_t tag;
    bool told;
};

// The calls of graph_engine.c to the fabric.
struct World {
    std::vector<Submission> sent;
    std::function<uint64_t(size_t)> duration;
    uint64_t now = 0;
    double speed = 1;
} world;

} // namespace

extern "C" {
unsigned fabric_representatives(const fabric *) { return 1; }
unsigned fabric_first_node(const fabric *, unsigned) { return 0; }
bool fabric_is_local(const fabric *, unsigned) { return true; }
double fabric_speed(const fabric *, unsigned) { return world.speed; }
void fabric_notify_work(fabric *, unsigned, const driver_work *) {}
// Shared memory, which no training here has.
void fabric_limit_window(fabric *, uint64_t) { ADD_FAILURE(); }
void fabric_wake(fabric *, unsigned, uint64_t) { ADD_FAILURE(); }
int fabric_submit(fabric *, unsigned, const ace_command *c, uint64_t cycle) {
    EXPECT_EQ(cycle, world.now);
    const uint64_t end = cycle + world.duration(world.sent.size());
    world.sent.push_back({ cycle, end, c->kind, c->bytes, c->tag, false });
    return ACE_OK;
}
}

namespace {

// Runs one NPU through its iterations. lazy: completions are reported as late, and the NPU is
// called as rarely, as the driver's answers allow. Otherwise the NPU is called in every cycle.
std::vector<Submission> Train(const workload &w, const machine &o, bool lazy, std::mt19937 &random,
                              std::vector<iteration> *iterations) {
    training *t = nullptr;
    EXPECT_EQ(training_create(&w, &o, nullptr, &t), EXIT_OK);
    const driver d = training_driver(t);
    world.sent.clear();
    world.now = 0;
    uint64_t react = 0, wake = d.act(d.self, 0, 0, &react);
    for (uint64_t guard = 0; !d.finished(d.self, 0); guard++) {
        EXPECT_LT(guard, 10000000U);
        if (guard >= 10000000U) break;
        // the first completion to come, which the fabric knows of only when it is there
        uint64_t first = UINT64_MAX;
        for (const Submission &s : world.sent)
            if (!s.told) first = std::min(first, s.end);
        uint64_t to = world.now + 1;
        if (lazy) {
            to = std::min(wake, world.now + 1 + random() % 5000); // windows end anywhere
            if (first != UINT64_MAX && react < to - std::min(to, first))
                to = std::max(first + react, world.now + 1);
            to = std::max(to, world.now + 1);
        }
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
        if (!over.empty() || to >= wake || !lazy) wake = d.act(d.self, 0, to, &react);
    }
    EXPECT_EQ(training_end(t), EXIT_OK);
    iterations->clear();
    for (unsigned i = 0; i < o.iterations; i++) iterations->push_back(training_iteration(t, i));
    training_destroy(t);
    return world.sent;
}

// The loop as "The training loop" of docs/guide/training.md has it, in the order of its steps.
struct Model {
    const workload &w;
    const machine &o;
    std::vector<Submission> sent;
    double t = 0; // whole cycles
    unsigned operations = 0;

    bool communicating() const {
        for (const Submission &s : sent)
            if (static_cast<double>(s.cycle) <= t && t < static_cast<double>(s.end)) return true;
        return false;
    }
    void compute(unsigned l, pass p) {
        const npu *n = &o.cluster.npu;
        const npu_share whole = npu_whole(n);
        const npu_share left = npu_less(whole, cluster_communication(&o.cluster));
        // kept all the time, but by the endpoint that takes turns with compute
        const bool kept = o.cluster.reserved && o.cluster.endpoint != ENDPOINT_NO_OVERLAP;
        for (unsigned i = 0; i < w.layers[l].pass[p].count; i++) {
            const operation *op = &w.operations[w.layers[l].pass[p].first + i];
            const double alone = npu_time(n, o.cluster.clock_MHz, op, whole);
            const double beside = npu_time(n, o.cluster.clock_MHz, op, left);
            double work = std::ceil(std::ceil(alone) / world.speed);
            operations++;
            while (work > 1e-4) {
                work -= o.contention && (kept || communicating()) ? alone / beside : 1;
                t++;
            }
        }
    }
    size_t issue(ace_kind kind, uint64_t bytes) {
        const uint64_t now = static_cast<uint64_t>(t);
        sent.push_back({ now, now + world.duration(sent.size()), kind, bytes, 0, false });
        return sent.size() - 1;
    }
    void wait(size_t i) { t = std::max(t, static_cast<double>(sent[i].end)); }

    void run() {
        std::map<unsigned, size_t> reduced;
        const bool apart = o.cluster.endpoint != ENDPOINT_NO_OVERLAP;
        bool sharded = false;
        for (unsigned l = 0; l < w.count; l++) sharded = sharded || w.layers[l].exchanged;
        for (unsigned i = 0; i < o.iterations; i++) {
            uint64_t exchanged = 0, all = 0;
            size_t there = 0, back = 0;
            for (unsigned l = 0; l < w.count; l++) {
                if (w.layers[l].exchanged) compute(l, PASS_FORWARD);
                exchanged += w.layers[l].exchanged;
                all += w.layers[l].bytes;
            }
            if (sharded) there = issue(ACE_ALL_TO_ALL, exchanged);
            if (sharded && !apart) wait(there);
            for (unsigned l = 0; l < w.count; l++) {
                if (w.layers[l].exchanged) continue;
                if (reduced.count(l)) wait(reduced[l]);
                if (sharded && w.layers[l].shape.kind == LAYER_INTERACTION) wait(there);
                compute(l, PASS_FORWARD);
            }
            for (unsigned l = w.count; l-- > 0;) {
                if (w.layers[l].exchanged) continue;
                compute(l, PASS_WEIGHT);
                if (w.layers[l].bytes && apart)
                    reduced[l] = issue(ACE_ALL_REDUCE, w.layers[l].bytes);
                compute(l, PASS_INPUT);
                if (sharded && w.layers[l].shape.kind == LAYER_INTERACTION) {
                    back = issue(ACE_ALL_TO_ALL, exchanged);
                    if (!apart) wait(back);
                }
            }
            if (sharded) {
                wait(back);
                for (unsigned l = 0; l < w.count; l++)
                    if (w.layers[l].exchanged) compute(l, PASS_WEIGHT);
            }
            if (!apart && all) wait(issue(ACE_ALL_REDUCE, all));
        }
        for (size_t i = 0; i < sent.size(); i++) wait(i);
    }
};

// A workload of random operations of up to some thousand cycles.
struct Random {
    workload w{};
    std::mt19937 &random;

    Random(std::mt19937 &r, bool sharded) : random(r) {
        const unsigned layers = 2 + random() % 6;
        w.layers = static_cast<layer *>(std::calloc(layers, sizeof *w.layers));
        w.shaped = true;
        w.element = ACE_FP16;
        for (w.count = 0; w.count < layers; w.count++) {
            layer *l = &w.layers[w.count];
            const bool table = sharded && !w.count, meet = sharded && w.count == layers / 2;
            std::snprintf(l->name, sizeof l->name, "l%u", w.count);
            l->shape.kind = meet && !table ? LAYER_INTERACTION : LAYER_LINEAR;
            l->bytes = table || random() % 5 == 0 ? 0 : 1 + random() % 100000;
            l->exchanged = table ? 1 + random() % 100000 : 0;
            for (int p = 0; p < PASSES; p++) {
                operation at[3] = {};
                const unsigned count = p == PASS_INPUT && !w.count ? 0 : random() % 4;
                for (unsigned i = 0; i < count; i++) {
                    at[i].what = "random";
                    at[i].class_ = static_cast<operation_class>(random() % 4);
                    at[i].flops = random() % 3 ? random() % 100000000 : 0;
                    at[i].read_bytes = random() % 1000000;
                    at[i].written_bytes = random() % 1000000;
                    at[i].cycles = random() % 1000;
                }
                EXPECT_TRUE(workload_add(&w, l, static_cast<pass>(p), at, count));
            }
        }
    }
    Random(const Random &) = delete;
    ~Random() { workload_free(&w); }
};

machine Options(endpoint e, std::mt19937 &random) {
    machine o{};
    o.cluster = cluster_default();
    o.cluster.endpoint = e;
    o.workload = "random";
    o.contention = random() % 4 != 0;
    o.cluster.reserved = o.contention && random() % 2;
    o.iterations = 1 + random() % 3;
    o.dim_count = 3;
    return o;
}

void Durations(std::mt19937 &random) {
    const unsigned seed = random(), most = random() % 2 ? 500 : 20000;
    world.duration = [=](size_t i) {
        std::mt19937 r(seed + static_cast<unsigned>(i));
        return uint64_t{ 1 } + r() % most;
    };
    world.speed = random() % 3 ? 1 : 0.37;
}

// Submissions of a run and the model, within a cycle for each operation before.
void Compare(const workload &w, const machine &o, std::mt19937 &random) {
    std::vector<iteration> every, seldom;
    const std::vector<Submission> a = Train(w, o, false, random, &every);
    const std::vector<Submission> b = Train(w, o, true, random, &seldom);
    ASSERT_EQ(a.size(), b.size());
    for (size_t i = 0; i < a.size(); i++) {
        ASSERT_EQ(a[i].cycle, b[i].cycle) << "called seldom, submission " << i;
        ASSERT_EQ(a[i].tag, b[i].tag);
    }
    for (size_t i = 0; i < every.size(); i++)
        ASSERT_EQ(0, std::memcmp(&every[i], &seldom[i], sizeof every[i]));
    for (const iteration &i : every) {
        EXPECT_GE(i.cycles, i.compute);
        EXPECT_GE(i.main, i.alone);
        if (!o.contention && !w.optimised) EXPECT_EQ(i.compute, i.alone);
    }
    if (w.optimised) return;
    Model m{ w, o, {}, 0, 0 };
    m.run();
    ASSERT_EQ(a.size(), m.sent.size());
    for (size_t i = 0; i < a.size(); i++) {
        ASSERT_EQ(a[i].kind, m.sent[i].kind);
        ASSERT_EQ(a[i].bytes, m.sent[i].bytes);
        ASSERT_NEAR(static_cast<double>(a[i].cycle), static_cast<double>(m.sent[i].cycle),
                    o.contention ? m.operations : 0)
            << "submission " << i;
    }
    uint64_t end = 0;
    for (const iteration &i : every) end += i.cycles;
    ASSERT_NEAR(static_cast<double>(end), m.t, o.contention ? m.operations : 0);
}

void Many(endpoint e, bool sharded, bool optimised) {
    std::mt19937 random(lockstep_seed());
    for (unsigned round = 0; round < 60 && !testing::Test::HasFatalFailure(); round++) {
        SCOPED_TRACE("round " + std::to_string(round) +
                     ", ACE_SEED=" + std::to_string(lockstep_seed()));
        Random r(random, sharded);
        r.w.optimised = optimised;
        Durations(random);
        Compare(r.w, Options(e, random), random);
    }
}

TEST(Training, DataParallelBesideLightCommunication) { Many(ENDPOINT_COMP_OPT, false, false); }
TEST(Training, DataParallelBesideHeavyCommunication) { Many(ENDPOINT_COMM_OPT, false, false); }
TEST(Training, DataParallelWithoutOverlap) { Many(ENDPOINT_NO_OVERLAP, false, false); }
TEST(Training, Hybrid) { Many(ENDPOINT_COMM_OPT, true, false); }
TEST(Training, HybridWithoutOverlap) { Many(ENDPOINT_NO_OVERLAP, true, false); }
TEST(Training, HybridInTheBackground) { Many(ENDPOINT_COMM_OPT, true, true); }

// One operation, half as fast from cycle 100 to 300: what stood still, or crept, is made up for.
TEST(Training, AnOperationSlowsDownAndSpeedsUp) {
    workload w{};
    layer l[2] = {};
    w.layers = l;
    w.count = 2;
    w.shaped = true;
    std::strcpy(l[0].name, "first");
    std::strcpy(l[1].name, "last");
    machine o{};
    o.cluster = cluster_default();
    o.cluster.endpoint = ENDPOINT_COMM_OPT;
    o.workload = "w";
    o.contention = true;
    o.iterations = 1;
    o.cluster.npu.memory_efficiency = 1;
    o.cluster.clock_MHz = 1000; // 900 GB/s: 900 bytes a cycle
    operation op{};
    op.what = "read";
    op.class_ = OPERATION_VECTOR;
    op.read_bytes = 900 * 100;
    ASSERT_TRUE(workload_add(&w, &l[1], PASS_WEIGHT, &op, 1)); // cycles 0 to 100
    l[1].bytes = 4096;                                         // 100 to 300
    op.read_bytes = 900 * 1000;                                // 200 cycles do 100
    ASSERT_TRUE(workload_add(&w, &l[1], PASS_INPUT, &op, 1));
    world.duration = [](size_t) { return uint64_t{ 200 }; };
    world.speed = 1;
    std::mt19937 random(1);
    std::vector<iteration> its;
    const std::vector<Submission> sent = Train(w, o, true, random, &its);
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_EQ(sent[0].cycle, 100U);
    EXPECT_EQ(its[0].cycles, 100U + 200 + 900);
    EXPECT_EQ(its[0].alone, 1100U);
    o.cluster.reserved = true; // 450 GB/s are left all the time
    (void)Train(w, o, true, random, &its);
    EXPECT_EQ(its[0].cycles, 2U * (100 + 1000));
    EXPECT_EQ(its[0].compute, its[0].cycles);
    EXPECT_EQ(its[0].main - its[0].alone, 1100U);
    o.cluster.reserved = false;
    o.cluster.memory_GBps = 900; // nothing is left to read with
    (void)Train(w, o, true, random, &its);
    EXPECT_EQ(its[0].cycles, 100U + 200 + 1000);
    std::free(w.operations);
}

} // namespace
