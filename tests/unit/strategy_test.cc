// SPDX-License-Identifier: Apache-2.0
// strategy_test.cc -- plans of iterations: with communication that takes no time, or a hop's, their
// stages keep the times of the pipelines that acesim pipeline evaluates, and closed forms
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <set>
#include <string>
#include <vector>

extern "C" {
#include "exit_status.h"
#include "model_work.h"
#include "pipeline.h"
#include "strategy_graph.h"
#include "strategy_plan.h"
}

namespace {

training_model model(uint32_t layers) {
    training_model m = {};

    strcpy(m.name, "small");
    m.kind = MODEL_DECODER;
    m.layers = layers;
    m.hidden = 64;
    m.heads = m.kv_heads = 4;
    m.head_size = 16;
    m.ffn = 256;
    m.sequence = 32;
    m.vocabulary = 128;
    m.tied = m.biases = true;
    return m;
}

double work_of(const strategy_plan *p, const plan_node &n) {
    double flops = 0;

    if (n.kind != GRAPH_COMPUTE) return 0;
    for (uint32_t i = 0; i < n.operations; i++) {
        const operation &o = p->work.operation[n.first + i];

        flops += static_cast<double>(o.flops);
    }
    return flops;
}

// When each node ends: computing one after the other, collectives in no time, messages a hop later.
struct Ends {
    std::vector<std::vector<double>> end, begin;
    bool complete = true;
};

Ends evaluate(const strategy_plan *p, uint32_t stages, double hop) {
    Ends e;
    std::vector<uint32_t> next(stages);
    std::vector<double> lane(stages);
    bool any = true;

    for (uint32_t r = 0; r < stages; r++) e.end.emplace_back(p->stage[r].nodes, -1);
    e.begin = e.end;
    while (any) {
        any = false;
        for (uint32_t r = 0; r < stages; r++) {
            const plan_stage &s = p->stage[r];

            for (; next[r] < s.nodes; next[r]++, any = true) {
                const plan_node &n = s.node[next[r]];
                double at = 0;

                for (uint32_t i = 0; i < n.parents; i++) {
                    EXPECT_LT(s.pool[n.parent + i], next[r]);
                    at = std::max(at, e.end[r][s.pool[n.parent + i]]);
                }
                if (n.kind == GRAPH_RECEIVE) {
                    const uint32_t from = strategy_plan_from(p, r, &n);
                    const uint32_t k = p->sender[n.message];

                    EXPECT_EQ(p->stage[from].node[k].kind, GRAPH_SEND);
                    EXPECT_EQ(p->stage[from].node[k].message, n.message);
                    EXPECT_EQ(p->stage[from].node[k].bytes, n.bytes);
                    if (e.end[from][k] < 0) break;
                    at = e.end[from][k] + (n.group == GROUP_PIPELINE ? hop : 0);
                }
                if (n.kind == GRAPH_COMPUTE) at = std::max(at, lane[r]);
                e.begin[r][next[r]] = at;
                e.end[r][next[r]] = at + work_of(p, n);
                if (n.kind == GRAPH_COMPUTE) lane[r] = e.end[r][next[r]];
            }
        }
    }
    for (uint32_t r = 0; r < stages; r++) e.complete = e.complete && next[r] == p->stage[r].nodes;
    return e;
}

// Returns what the passes of each virtual stage compute. All micro-batches are equal.
std::vector<pipeline_times> times_of(const strategy_plan *p, const pipeline &l) {
    std::vector<pipeline_times> t(l.stages * l.chunks, { -1, -1, -1 });

    for (uint32_t r = 0; r < l.stages; r++) {
        for (size_t i = l.first[r]; i < l.first[r + 1]; i++) {
            const plan_entry &e = p->stage[r].entry[i - l.first[r]];
            pipeline_times &of = t[l.entry[i].chunk * l.stages + r];
            double &to = l.entry[i].pass == PIPELINE_F   ? of.forward
                         : l.entry[i].pass == PIPELINE_B ? of.backward
                                                         : of.weight;
            double sum = 0;

            for (uint32_t k = e.first; k < e.past; k++) sum += work_of(p, p->stage[r].node[k]);
            EXPECT_TRUE(to < 0 || to == sum);
            to = sum;
        }
    }
    return t;
}

void compare(const char *text, uint32_t layers, double hop, const pipeline *own = nullptr) {
    const training_model m = model(layers);
    strategy s;
    strategy_fault why;
    pipeline l = {};
    strategy_plan *p;
    pipeline_result expected;

    SCOPED_TRACE(text);
    ASSERT_TRUE(strategy_parse(text, &s, &why));
    ASSERT_TRUE(strategy_fits(&s, &m, &why)) << why.found << ", " << why.expected;
    const auto stages = static_cast<uint32_t>(s.degree[AXIS_PP]);
    if (own)
        l = *own;
    else
        ASSERT_EQ(EXIT_OK, pipeline_make(s.schedule, stages, static_cast<uint32_t>(s.chunks),
                                         static_cast<uint32_t>(s.micro_batches), &l));
    ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
    const Ends e = evaluate(p, stages, hop);
    ASSERT_TRUE(e.complete);
    const std::vector<pipeline_times> t = times_of(p, l);
    ASSERT_EQ(EXIT_OK, pipeline_run(&l, t.data(), hop, &expected));
    double last = 0;
    for (uint32_t r = 0; r < stages; r++) {
        for (size_t i = l.first[r]; i < l.first[r + 1]; i++) {
            const plan_entry &n = p->stage[r].entry[i - l.first[r]];
            double end = 0;

            for (const uint32_t k : n.end)
                if (k != PLAN_NONE) end = std::max(end, e.end[r][k]);
            EXPECT_EQ(end, expected.span[i].end) << "stage " << r << ", entry " << i;
            last = std::max(last, end);
        }
    }
    EXPECT_EQ(last, expected.makespan);
    pipeline_result_free(&expected);
    strategy_plan_free(p);
    if (!own) pipeline_free(&l);
}

TEST(StrategyPlan, KeepsTheTimesOfThePipeline) {
    for (const double hop : { 0., 12345. }) {
        for (const char *text :
             { "pp1.m3", "pp4.m8", "pp4.m8.gpipe", "pp4.m8.dapple", "pp4.m8.zb-h1", "pp2.m4.v2",
               "pp4.m8.v2", "pp4.m8.full", "pp4.m2.zb-h1", "tp2.pp2.m4.sp", "tp2.pp2.m4.sp.zb-h1",
               "tp2.pp4.dp2.m4.zero1.full", "dp4.pp2.m4.zero3", "cp2.pp2.m2", "cp4.pp2.m2.zb-h1",
               "cp2.pp2.m2.all-to-all", "pp8.m16", "tp2.pp4.m8.selective" })
            compare(text, 8, hop);
    }
}

// Without an output layer all stages are alike: the closed form of 1F1B.
TEST(StrategyPlan, BubbleOfEqualStages) {
    training_model m = model(8);
    strategy s;
    strategy_fault why;
    pipeline l;
    strategy_plan *p;

    m.vocabulary = 0; /* no output layer: all stages alike */
    for (const uint32_t micro_batches : { 4U, 8U, 12U }) {
        const std::string text = "pp4.m" + std::to_string(micro_batches);
        ASSERT_TRUE(strategy_parse(text.c_str(), &s, &why));
        ASSERT_EQ(EXIT_OK, pipeline_make(PIPELINE_1F1B, 4, 1, micro_batches, &l));
        ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
        const std::vector<pipeline_times> t = times_of(p, l);
        const Ends e = evaluate(p, 4, 0);
        double last = 0;
        for (uint32_t r = 0; r < 4; r++)
            for (size_t i = 0; i < l.first[r + 1] - l.first[r]; i++)
                last = std::max(last, e.end[r][p->stage[r].entry[i].end[0]]);
        EXPECT_EQ(last, (micro_batches + 3) * (t[0].forward + t[0].backward));
        strategy_plan_free(p);
        pipeline_free(&l);
    }
}

// Micro-batches whose forward pass has begun and whose backward pass has not ended: what
// training.md's schedules hold, in the plan's own order of nodes.
TEST(StrategyPlan, InFlight) {
    const struct {
        const char *text;
        std::vector<int> held;
    } rows[] = { { "pp4.m8.gpipe", { 8, 8, 8, 8 } },
                 { "pp4.m8", { 4, 3, 2, 1 } },
                 { "pp4.m8.dapple", { 7, 5, 3, 1 } },
                 { "pp4.m8.v2", { 11, 9, 7, 5 } },
                 { "pp4.m8.zb-h1", { 4, 4, 4, 4 } } };
    const training_model m = model(8);

    for (const auto &row : rows) {
        strategy s;
        strategy_fault why;
        pipeline l;
        strategy_plan *p;

        ASSERT_TRUE(strategy_parse(row.text, &s, &why));
        ASSERT_EQ(EXIT_OK, pipeline_make(s.schedule, 4, static_cast<uint32_t>(s.chunks), 8, &l));
        ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
        for (uint32_t r = 0; r < 4; r++) {
            int now = 0, most = 0;
            const plan_stage &st = p->stage[r];

            // a layer's forward attention begins it, its weights' gradient of attention ends it
            for (uint32_t i = 0; i < st.nodes; i++) {
                const plan_node &n = st.node[i];

                if (n.kind != GRAPH_COMPUTE || n.block != BLOCK_ATTENTION) continue;
                if (strategy_first_layer(&s, &m, n.layer * s.degree[AXIS_PP] * s.chunks / 8) !=
                    n.layer)
                    continue; /* once for each chunk: its first layer */
                if (n.mode == MODE_FORWARD) most = std::max(most, ++now);
                if (n.mode == MODE_WEIGHT) now--;
            }
            EXPECT_EQ(most, row.held[r]) << row.text << ", stage " << r;
            EXPECT_EQ(now, 0);
        }
        strategy_plan_free(p);
        pipeline_free(&l);
    }
}

// Buckets: layers' gradients are summed when there are enough of them, and the last ones at the
// end.
TEST(StrategyPlan, Buckets) {
    const training_model m = model(8);
    const double layer = layer_parameters_sum([&] {
        static layer_parameters l;
        l = model_layer_parameters(&m, model_layer_at(&m, 0));
        return &l;
    }());
    const struct {
        double layers;
        unsigned sums;
    } rows[] = { { 0, 9 }, { 1.5, 5 }, { 4, 3 }, { 100, 1 } };

    for (const auto &row : rows) {
        strategy s;
        strategy_fault why;
        pipeline l;
        strategy_plan *p;
        double bytes = 0;

        ASSERT_TRUE(strategy_parse("dp4.m2", &s, &why));
        ASSERT_EQ(EXIT_OK, pipeline_make(PIPELINE_1F1B, 1, 1, 2, &l));
        ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l,
                                              static_cast<uint64_t>(2 * layer * row.layers), &p));
        EXPECT_EQ(p->stage[0].collectives, row.sums);
        for (uint32_t i = 0; i < p->stage[0].nodes; i++)
            if (p->stage[0].node[i].kind == GRAPH_COLLECTIVE)
                bytes += static_cast<double>(p->stage[0].node[i].bytes);
        EXPECT_EQ(bytes, 2 * model_parameters(&m));
        strategy_plan_free(p);
        pipeline_free(&l);
    }
}

// When all of a stage is over that computes one after the other, nodes taking what they are said
// to.
double last_end(const plan_stage &s, const std::function<double(const plan_node &)> &takes) {
    std::vector<double> end(s.nodes);
    double lane = 0, last = 0;

    for (uint32_t i = 0; i < s.nodes; i++) {
        const plan_node &n = s.node[i];
        double at = n.kind == GRAPH_COMPUTE ? lane : 0;

        for (uint32_t k = 0; k < n.parents; k++) at = std::max(at, end[s.pool[n.parent + k]]);
        end[i] = at + takes(n);
        if (n.kind == GRAPH_COMPUTE) lane = end[i];
        last = std::max(last, end[i]);
    }
    return last;
}

// A product of G next to a collective of C, in j parts, takes max(G, C) + min(G, C) / j. This
// applies where a block is summed, and with sp also where its input is gathered: in the forward
// pass, and in the backward pass of the input. Everything else takes no time.
TEST(StrategyPlan, SplitProductsHideTheirCollectives) {
    const training_model m = model(3);
    const double tensor = 2. * 32 * 64;

    for (const bool sp : { false, true }) {
        for (const unsigned parts : { 2U, 4U, 8U }) {
            for (const double G : { 800., 80. }) {
                const double C = 240;
                const std::string text = "tp4.split" + std::to_string(parts) + (sp ? ".sp" : "");
                strategy s;
                strategy_fault why;
                pipeline l;
                strategy_plan *p;
                unsigned collectives = 0;

                SCOPED_TRACE(text);
                ASSERT_TRUE(strategy_parse(text.c_str(), &s, &why)) << why.found;
                ASSERT_TRUE(strategy_fits(&s, &m, &why)) << why.found << ", " << why.expected;
                ASSERT_EQ(EXIT_OK, pipeline_make(s.schedule, 1, 1, 1, &l));
                ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
                const double end = last_end(p->stage[0], [&](const plan_node &n) -> double {
                    const bool rear = n.block == BLOCK_PROJECTION || n.block == BLOCK_DOWN;
                    const bool front = n.block == BLOCK_QUERIES || n.block == BLOCK_UP;
                    const bool forward = n.mode == MODE_FORWARD;

                    if (n.kind == GRAPH_COMPUTE)
                        return (sp && (rear || front)) || (forward ? rear : front) ? G / parts : 0;
                    if (n.kind != GRAPH_COLLECTIVE || n.mode == MODE_WEIGHT) return 0;
                    collectives++;
                    return C * static_cast<double>(n.bytes) / tensor;
                });
                const unsigned overlaps = 3 * 2 * 2 * (sp ? 2 : 1); // layers, blocks, passes, ends

                EXPECT_NEAR(end, overlaps * (std::max(G, C) + std::min(G, C) / parts), 1e-6);
                EXPECT_EQ(collectives, overlaps * parts);
                strategy_plan_free(p);
                pipeline_free(&l);
            }
        }
    }
}

// ZeRO 3: a layer's parameters come while the layer before computes, so a step is max(compute,
// gather) and the first gather is waited for.
TEST(StrategyPlan, ParametersComeWhileTheLayerBeforeComputes) {
    const uint32_t layers = 5;
    const training_model m = model(layers);

    for (const double X : { 800., 80. }) {
        const double C = 240;
        strategy s;
        strategy_fault why;
        pipeline l;
        strategy_plan *p;

        ASSERT_TRUE(strategy_parse("dp4.zero3", &s, &why)) << why.found;
        ASSERT_EQ(EXIT_OK, pipeline_make(s.schedule, 1, 1, 1, &l));
        ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
        const double end = last_end(p->stage[0], [&](const plan_node &n) -> double {
            if (n.mode != MODE_FORWARD || n.layer >= layers) return 0;
            if (n.kind == GRAPH_COLLECTIVE) return n.collective == ACE_ALL_GATHER ? C : 0;
            return n.kind == GRAPH_COMPUTE && n.block == BLOCK_MLP ? X : 0;
        });
        EXPECT_EQ(end, C + (layers - 1) * std::max(X, C) + X);
        strategy_plan_free(p);
        pipeline_free(&l);
    }
}

// Splitting a product, and inserting steps between its parts, must not change the products.
TEST(StrategyPlan, SplitProductsAreTheSameWork) {
    const training_model m = model(2);
    const auto flops = [&](const char *text) {
        strategy s;
        strategy_fault why;
        pipeline l;
        strategy_plan *p;
        double sum = 0;

        EXPECT_TRUE(strategy_parse(text, &s, &why)) << text;
        EXPECT_TRUE(strategy_fits(&s, &m, &why)) << why.found << ", " << why.expected;
        EXPECT_EQ(EXIT_OK, pipeline_make(s.schedule, static_cast<uint32_t>(s.degree[AXIS_PP]), 1,
                                         static_cast<uint32_t>(s.micro_batches), &l));
        EXPECT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
        for (uint64_t r = 0; r < s.degree[AXIS_PP]; r++)
            for (uint32_t i = 0; i < p->stage[r].nodes; i++) sum += work_of(p, p->stage[r].node[i]);
        strategy_plan_free(p);
        pipeline_free(&l);
        return sum;
    };
    EXPECT_EQ(flops("tp4.split4.sp"), flops("tp4.sp"));
    EXPECT_EQ(flops("tp2.split2.full.m2"), flops("tp2.full.m2"));
    EXPECT_EQ(flops("tp2.cp2.split4"), flops("tp2.cp2"));
    EXPECT_EQ(flops("tp2.pp2.m4.zb-h1.split4"), flops("tp2.pp2.m4.zb-h1"));
    EXPECT_EQ(flops("tp2.selective.split2"), flops("tp2.selective"));
}

// Adapters: what the plan computes is what the closed form of model_flops() says.
TEST(StrategyPlan, FrozenWeightsHaveNoGradient) {
    const training_model m = model(2);

    for (const char *text :
         { "lora8.m2", "cp2.lora8", "cp2.all-to-all.lora8", "dp2.lora8.zero1" }) {
        strategy_fault why;
        strategy_plan *p;
        pipeline l;
        strategy s;
        double sum = 0;

        ASSERT_TRUE(strategy_parse(text, &s, &why)) << text;
        ASSERT_TRUE(strategy_fits(&s, &m, &why)) << why.found;
        ASSERT_EQ(EXIT_OK,
                  pipeline_make(s.schedule, 1, 1, static_cast<uint32_t>(s.micro_batches), &l));
        ASSERT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
        for (uint32_t i = 0; i < p->stage[0].nodes; i++) sum += work_of(p, p->stage[0].node[i]);
        EXPECT_NEAR(sum * static_cast<double>(strategy_ranks(&s)) / model_flops(&m, &s), 1, 1e-6)
            << text;
        // Adam reads and writes what is trained, the adapters of both layers: 30 bytes a parameter.
        const work_range update = p->work.update[0];
        const operation *adam = &p->work.operation[update.first];
        const double adapters = 2. * strategy_adapters(&s, &m, model_layer_at(&m, 0));
        const double parts = s.zero ? strategy_replicas(&s) : 1;
        EXPECT_EQ(update.count, 1U) << text;
        EXPECT_NEAR(static_cast<double>(adam->read_bytes + adam->written_bytes),
                    30 * adapters / parts, 2)
            << text;
        strategy_plan_free(p);
        pipeline_free(&l);
    }
}

// ---- groups ------------------------------------------------------------------------------------

/* The members of a group at an NPU, on rings of 4 and 4. */
std::set<unsigned> members(const char *text, plan_group group, unsigned npu) {
    const uint16_t ring[ACE_CLUSTER_DIMENSIONS] = { 4, 4, 1, 1, 1, 1 };
    static const machine of = {};
    std::set<unsigned> found;
    training_model m = model(2);
    strategy_fault why;
    strategy_graph *g;
    strategy_plan *p;
    graph_reader reader;
    graph_node n;
    placement at;
    pipeline l;
    strategy s;

    m.experts.count = 8;
    m.experts.top = 2;
    m.experts.ffn = 64;
    EXPECT_TRUE(strategy_parse(text, &s, &why)) << text;
    EXPECT_TRUE(strategy_fits(&s, &m, &why)) << why.found << ", " << why.expected;
    EXPECT_TRUE(placement_make(&s, ring, nullptr, &at, &why)) << why.found;
    EXPECT_EQ(EXIT_OK, pipeline_make(s.schedule, 1, 1, 1, &l));
    EXPECT_EQ(EXIT_OK, strategy_plan_make(&m, &s, &l, 0, &p));
    EXPECT_EQ(EXIT_OK, strategy_graph_create(p, &at, &of, nullptr, &g));
    EXPECT_EQ(EXIT_OK, strategy_graph_open(g, npu, &reader));
    while (reader.next(reader.self, &n) > 0) {
        uint32_t stage;
        const uint32_t i = strategy_graph_node(g, n.label, &stage);

        if (n.kind != GRAPH_COLLECTIVE || p->stage[stage].node[i].group != group) continue;
        found.insert(n.member, n.member + n.members);
    }
    reader.close(reader.self);
    strategy_graph_destroy(g);
    strategy_plan_free(p);
    pipeline_free(&l);
    return found;
}

// Blocks of neighbours hold all experts; one rank of each block holds the same ones.
TEST(StrategyGraph, ExpertsLieOnBlocks) {
    using nodes = std::set<unsigned>;

    EXPECT_EQ(members("dp16.ep4", GROUP_EXPERTS, 6), (nodes{ 4, 5, 6, 7 }));
    EXPECT_EQ(members("dp16.ep4", GROUP_EXPERT_DATA, 6), (nodes{ 2, 6, 10, 14 }));
    EXPECT_EQ(members("dp16.ep2", GROUP_EXPERTS, 7), (nodes{ 6, 7 }));
    EXPECT_EQ(members("dp16.ep2", GROUP_EXPERT_DATA, 7), (nodes{ 1, 3, 5, 7, 9, 11, 13, 15 }));
    // tp is the ring of 4, so a pair of it has its replicas on the other pair and on all of dp.
    EXPECT_EQ(members("tp4.dp4.ep2.sp", GROUP_EXPERTS, 13), (nodes{ 12, 13 }));
    EXPECT_EQ(members("tp4.dp4.ep2.sp", GROUP_EXPERT_DATA, 13),
              (nodes{ 1, 3, 5, 7, 9, 11, 13, 15 }));
    EXPECT_EQ(members("tp4.dp4.ep8.sp", GROUP_EXPERTS, 6), (nodes{ 0, 1, 2, 3, 4, 5, 6, 7 }));
    EXPECT_EQ(members("tp4.dp4.ep8.sp", GROUP_EXPERT_DATA, 6), (nodes{ 6, 14 }));
    // Pairs of tp divide an expert; each of a pair has its own group and its own replicas.
    EXPECT_EQ(members("tp4.dp4.ep4.etp2.sp", GROUP_EXPERT_TENSOR, 6), (nodes{ 6, 7 }));
    EXPECT_EQ(members("tp4.dp4.ep4.etp2.sp", GROUP_EXPERTS, 6), (nodes{ 0, 2, 4, 6 }));
    EXPECT_EQ(members("tp4.dp4.ep4.etp2.sp", GROUP_EXPERT_DATA, 6), (nodes{ 6, 14 }));
    EXPECT_EQ(members("tp4.dp4.ep8.etp2.sp", GROUP_EXPERTS, 6),
              (nodes{ 0, 2, 4, 6, 8, 10, 12, 14 }));
}

} // namespace
