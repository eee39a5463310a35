// SPDX-License-Identifier: Apache-2.0
// model_test.cc -- models and strategies: parameters, FLOPs, bytes held and sent
//
// Expected values are published counts, with their source next to them, and closed forms. The forms
// are from Korthikanti et al., "Reducing Activation Recomputation in Large Transformer Models"
// (2022); Narayanan et al., "Efficient Large-Scale Language Model Training on GPU Clusters" (2021);
// and Rajbhandari et al., "ZeRO" (2020). They are computed independently of this code.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>

extern "C" {
#include "exit_status.h"
#include "footprint.h"
#include "model.h"
#include "model_work.h"
#include "placement.h"
#include "strategy.h"
#include "strategy_traffic.h"
#include "strategy_work.h"
}

namespace {

const double kGiB = 1024. * 1024 * 1024;

training_model read(const std::string &name) {
    training_model m;

    EXPECT_EQ(EXIT_OK, model_read(("workloads/models/" + name + ".yaml").c_str(), &m)) << name;
    return m;
}

strategy parse(const char *text) {
    strategy_fault why;
    strategy s;

    EXPECT_TRUE(strategy_parse(text, &s, &why))
        << text << ": " << why.found << ", " << why.expected;
    return s;
}

/* A decoder of nothing but layers, with 12 h^2 parameters each, as many closed forms have it. */
training_model bare(uint64_t hidden, uint64_t heads, uint64_t layers, uint64_t sequence) {
    training_model m = {};

    snprintf(m.name, sizeof m.name, "bare");
    m.layers = layers;
    m.hidden = hidden;
    m.heads = m.kv_heads = heads;
    m.head_size = hidden / heads;
    m.ffn = 4 * hidden;
    m.sequence = sequence;
    m.positions = POSITIONS_NONE;
    m.tied = m.dropout = true;
    return m;
}

// ---- parameters -------------------------------------------------------------------------------

TEST(Model, PublishedParameters) {
    const struct {
        const char *name;
        double
            exact; // of published weights, or of the closed form that its paper has; 0: not known
        double rounded; // as published
        double unit;    // of its last digit
        const char *source;
    } rows[] = {
        { "gpt3-175b", 174615846912, 175e9, 1e9, "Brown et al. 2020; closed form, 51200 words" },
        { "transformer-1t", 1008038758400, 1008.0e9, 1e8, "Megatron-LM README, April 2021" },
        { "megatron-530b", 0, 529.6e9, 1e8, "Megatron-LM README, April 2021" },
        { "megatron-22b", 0, 22e9, 1e9, "Korthikanti et al. 2022, table 3" },
        { "gpt2-345m", 354823168, 355e6, 1e6, "Hugging Face gpt2-medium" },
        { "bert-large", 335141888, 340e6, 1e7, "bert-large-uncased; Devlin et al. 2018" },
        { "t5-large", 737668096, 770e6, 1e8, "Hugging Face t5-large; Raffel et al. 2020" },
        { "t5-11b", 11307321344, 11e9, 1e9, "Hugging Face t5-11b; Raffel et al. 2020" },
        { "llama2-70b", 68976648192, 70e9, 2e9, "Hugging Face meta-llama" },
        { "llama3-8b", 8030261248, 8e9, 1e9, "Hugging Face meta-llama" },
        { "llama3-70b", 70553706496, 70e9, 1e10, "Hugging Face meta-llama" },
        { "llama3-405b", 405853388800, 405e9, 1e9, "Hugging Face meta-llama" },
        { "mixtral-8x7b", 46702792704, 46.7e9, 1e8, "Hugging Face mistralai; Jiang et al. 2024" },
        { "deepseek-v2", 235741434880, 236e9, 1e9, "DeepSeek-AI 2024" },
        { "deepseek-v3", 671026419200, 671e9, 1e9, "DeepSeek-AI 2024" },
        { "qwen3-8b", 8190735360, 8.2e9, 1e8, "Qwen Team 2025; Hugging Face Qwen" },
        { "qwen3-235b-a22b", 235093634560, 235e9, 1e9, "Qwen Team 2025; Hugging Face Qwen" },
        { "gpt-oss-20b", 0, 20.9e9, 1e8, "OpenAI 2025, model card" },
        { "gpt-oss-120b", 0, 116.8e9, 1e8, "OpenAI 2025, model card" },
        { "nemotron4-15b", 0, 15.7e9, 1e8, "NVIDIA 2024: 3.2 and 12.5 billion" },
        { "nemotron4-340b", 0, 340e9, 2e9, "NVIDIA 2024" },
        { "nemotron-h-56b", 0, 56e9, 1e9, "NVIDIA 2025" },
        { "grok-1", 315684820992, 314e9, 2e9, "xAI 2024; elements of the checkpoint's tensors" },
        { "llama4-scout", 108641793536. - 871932416, 109e9, 2e9, "Hugging Face meta-llama" },
        { "llama4-maverick", 401583781376. - 871932416, 400e9, 1e9, "Hugging Face meta-llama" },
        { "dlrm-kaggle", 0, 540e6, 1e6, "Naumov et al. 2019: 33762577 rows of 16" },
        { "dlrm-mlperf", 0, 24e9, 1e9, "MLPerf Training" },
    };
    for (const auto &r : rows) {
        const training_model m = read(r.name);

        if (r.exact > 0) EXPECT_EQ(model_parameters(&m), r.exact) << r.name << ", " << r.source;
        EXPECT_NEAR(model_parameters(&m), r.rounded, r.unit) << r.name << ", " << r.source;
    }
}

// Llama 4's image encoder has the sizes of its published configuration. It takes patches of 14 x 14
// in three colours through 34 layers. Two products project 2 x 2 patches; one goes to the text.
TEST(Model, Llama4WithoutImages) {
    const double w = 1408, f = 5632, out = 4096;
    const double layer = 4 * (w * w + w) + w * f + f + f * w + w + 2 * 2 * w;
    const double encoder = 3 * 14 * 14 * w + w + (336. / 14 * 336 / 14 + 1) * w + 34 * layer +
                           2 * 2 * w + f * out + out * out + out * 5120;

    EXPECT_EQ(encoder, 871932416);
}

// The last of every two of 48 layers has experts. A dense layer in front shifts them by one.
TEST(Model, ExpertsInEverySecondLayer) {
    training_model m = read("llama4-maverick");
    const double attention = 5120. * (40 + 2 * 8) * 128 + 40. * 128 * 5120, norms = 2 * 5120;
    const double mlp = 3. * 5120 * 16384, one = 3. * 5120 * 8192, router = 5120. * 128;

    EXPECT_EQ(model_parameters(&m), 24 * (2 * (attention + norms) + mlp + 129 * one + router) +
                                        2. * 202048 * 5120 + 5120);
    EXPECT_EQ(model_active_parameters(&m),
              24 * (2 * (attention + norms) + mlp + 2 * one + router) + 2. * 202048 * 5120 + 5120);
    for (uint64_t i = 0; i < 48; i++) EXPECT_EQ(model_layer_at(&m, i).moe, i % 2 == 1) << i;
    m.experts.dense_layers = 1;
    for (uint64_t i = 0; i < 48; i++) EXPECT_EQ(model_layer_at(&m, i).moe, i && i % 2 == 0) << i;

    // Stages of three layers have one layer of experts and two, in turn.
    m.experts.dense_layers = 0;
    const strategy s = parse("pp16.m16.dp8.ep8");
    for (uint64_t r = 1; r < 15; r++)
        EXPECT_EQ(strategy_stage(&s, &m, r).experts, (r % 2 ? 2 : 1) * 128 / 8 * one) << r;
}

// Nemotron-H 56B, by the tensors of its layers (Hugging Face NemotronHForCausalLM): of Mamba-2
// in_proj, conv1d and its bias, dt_bias, A_log and D, the norm, out_proj; of each layer a norm.
TEST(Model, HybridParameters) {
    const training_model m = read("nemotron-h-56b");
    const double h = 8192, d = 256 * 64, xbc = d + 2 * 8 * 256;
    const double mamba = h * (d + xbc + 256) + 4 * xbc + xbc + 3 * 256 + d + d * h;
    const double attention = h * (64 + 2 * 8) * 128 + 64 * 128 * h, mlp = 2 * h * 32768;

    EXPECT_EQ(model_parameters(&m),
              54 * mamba + 54 * mlp + 10 * attention + 118 * h + h + 2 * 131072 * h);
    EXPECT_EQ(model_active_parameters(&m), model_parameters(&m));
    EXPECT_EQ(model_layer_at(&m, 0).only, LAYER_OF_MAMBA);
    EXPECT_EQ(model_layer_at(&m, 1).only, LAYER_OF_MLP);
    EXPECT_EQ(model_layer_at(&m, 7).only, LAYER_OF_ATTENTION);
    EXPECT_EQ(model_layer_at(&m, 117).only, LAYER_OF_MLP);
}

// Forward: two FLOPs for each weight of a product and token. The scan in chunks of Q: Q g N and Q d
// within a chunk, and twice d N for its state.  Tensor parallelism divides all of it.
TEST(Model, HybridFlops) {
    training_model m = read("nemotron-h-56b");
    const double T = 8192, h = 8192, d = 256 * 64, N = 256, Q = 128;
    const double products = h * (2 * d + 2 * 8 * N + 256) + d * h;
    const double scan = Q * (8 * N + d) + 2 * d * N;
    const strategy one = parse("tp1"), eight = parse("tp8.sp.m4");
    double scores;

    EXPECT_NEAR(model_layer_flops(&m, model_layer_at(&m, 0), &one, &scores),
                2 * T * (products + scan), 1e3);
    EXPECT_EQ(scores, 0);
    EXPECT_NEAR(model_layer_flops(&m, model_layer_at(&m, 0), &eight, &scores),
                2 * T * (products + scan) / 8, 1e3);
    const double attention = h * 80 * 128 + 64 * 128 * h, square = 2 * T * 64 * 128;
    EXPECT_NEAR(
        model_flops(&m, &eight),
        3 * 4 * 2 * T *
            (54 * (products + scan) + 54 * 2 * h * 32768 + 10 * (attention + square) + 131072 * h),
        1e9);
    EXPECT_EQ(model_executed_flops(&m, &eight), model_flops(&m, &eight));
}

// A frozen product has its forward pass and the gradient of its input. An adapter of rank r has two
// products: from h to r, and from r to the outputs. The projection has such an adapter, too.
TEST(Model, AdapterFlops) {
    training_model m = read("llama2-70b");
    const double T = 4096, h = 8192, r = 16, heads = 64. * 128, keys = 8. * 128;
    const double frozen = h * (heads + 2 * keys) + heads * h + 3 * h * 28672;
    const double adapters = r * (h + heads + 2 * keys + heads + h), scores = 2 * T * heads;
    const strategy s = parse("tp4.sp.lora16.m2");

    EXPECT_NEAR(model_flops(&m, &s),
                2 * 2 * T * (80 * (2 * frozen + 3 * adapters + 3 * scores) + 2 * 32000 * h), 1e9);
    EXPECT_EQ(model_executed_flops(&m, &s), model_flops(&m, &s));
    EXPECT_EQ(strategy_stage(&s, &m, 0).adapters,
              80 * r * (h + (heads + 2 * keys) / 4 + heads / 4 + h));
}

TEST(Model, ActiveParameters) {
    training_model m = read("mixtral-8x7b");
    EXPECT_NEAR(model_active_parameters(&m), 12.9e9, 0.05e9); // Jiang et al. 2024
    m = read("deepseek-v2");
    EXPECT_NEAR(model_active_parameters(&m), 21e9, 0.5e9); // DeepSeek-AI 2024
    m = read("deepseek-v3");
    EXPECT_NEAR(model_active_parameters(&m), 37e9, 1e9); // DeepSeek-AI 2024
    m = read("gpt3-175b");
    EXPECT_EQ(model_active_parameters(&m), model_parameters(&m));
}

// The ten models of Megatron-LM's table (README of April 2021).
TEST(Model, MegatronTable) {
    const struct {
        double billions;
        uint64_t heads, hidden, layers;
    } rows[] = { { 1.7, 24, 2304, 24 },      { 3.6, 32, 3072, 30 },     { 7.5, 32, 4096, 36 },
                 { 18.4, 48, 6144, 40 },     { 39.1, 64, 8192, 48 },    { 76.1, 80, 10240, 60 },
                 { 145.6, 96, 12288, 80 },   { 310.1, 128, 16384, 96 }, { 529.6, 128, 20480, 105 },
                 { 1008.0, 160, 25600, 128 } };
    for (const auto &r : rows) {
        training_model m = bare(r.hidden, r.heads, r.layers, 2048);
        m.biases = true;
        m.norm = NORM_LAYER;
        m.vocabulary = 51200;
        m.positions = POSITIONS_LEARNED;
        EXPECT_NEAR(model_parameters(&m) / 1e9, r.billions, 0.051) << r.billions;
    }
}

// ---- FLOPs ------------------------------------------------------------------------------------

TEST(Model, Flops) {
    const struct {
        const char *name;
        double model, full, selective;
    } rows[] = { { "gpt3-175b", 3.386197e18, 4.510971e18, 3.416596e18 },
                 { "transformer-1t", 1.927763e19, 2.569526e19, 1.936207e19 } };
    for (const auto &r : rows) {
        const training_model m = read(r.name);
        const double B = 1536, s = 2048, L = (double)m.layers, h = (double)m.hidden, W = 51200;
        strategy one = parse("tp1.pp1.dp1.m1536"), full = parse("tp1.pp1.dp1.m1536.full"),
                 selective = parse("tp8.pp1.dp1.m1536.selective");

        EXPECT_NEAR(model_flops(&m, &one) / r.model, 1, 1e-6);
        EXPECT_NEAR(model_executed_flops(&m, &one) / r.model, 1, 1e-6);
        EXPECT_NEAR(model_executed_flops(&m, &full) / r.full, 1, 1e-6);
        EXPECT_NEAR(model_executed_flops(&m, &selective) / r.selective, 1, 1e-6);
        EXPECT_NEAR(model_flops(&m, &full) /
                        (72 * B * s * L * h * h * (1 + s / (6 * h) + W / (12 * L * h))),
                    1, 1e-12);
        EXPECT_NEAR(model_executed_flops(&m, &full) /
                        (96 * B * s * L * h * h * (1 + s / (6 * h) + W / (16 * L * h))),
                    1, 1e-12);
        EXPECT_NEAR(model_executed_flops(&m, &selective) - model_flops(&m, &selective),
                    4 * B * s * s * h * L, 1e-9 * r.model);
    }
}

// A rank's products times the ranks are the layer's sum, with and without experts and latents.
TEST(Model, ProductsOfAllRanks) {
    const training_model g = read("gpt3-175b");
    const double b = 2, s = 2048, h = 12288;
    strategy t8 = parse("tp8.pp1.dp1.b2"), c4 = parse("tp8.cp4.pp1.dp1.b2");
    double scores;

    EXPECT_NEAR(8 * model_layer_flops(&g, {}, &t8, &scores), 24 * b * s * h * h + 4 * b * s * s * h,
                1e6);
    EXPECT_NEAR(8 * scores, 4 * b * s * s * h, 1);
    EXPECT_NEAR(32 * model_layer_flops(&g, {}, &c4, &scores),
                24 * b * s * h * h + 4 * b * s * s * h, 1e6);

    // 2 (h a+2k q + a q h + 3 h f) of grouped queries and a gated MLP
    const training_model l = read("llama3-8b");
    strategy t2 = parse("tp2.pp1.dp1");
    EXPECT_NEAR(2 * model_layer_flops(&l, {}, &t2, &scores),
                2. * 8192 * (4096. * (32 + 16) * 128 + 4096. * 4096 + 3 * 4096. * 14336) +
                    4. * 8192 * 8192 * 4096,
                1e6);

    // experts: each token passes top of them, and the router
    const training_model x = read("mixtral-8x7b");
    strategy e4 = parse("tp1.pp1.dp4.ep4");
    double dense = model_layer_flops(&x, {}, &e4, &scores);
    double moe = model_layer_flops(&x, { false, true, LAYER_OF_TWO_BLOCKS }, &e4, &scores);
    EXPECT_NEAR(moe - dense, 2. * 4096 * 4096 * 8 + (2 - 1) * 2. * 4096 * 3 * 4096 * 14336, 1e6);
    // An expert that two ranks divide has half of the columns, and the tokens of both.
    const strategy half = parse("tp2.pp1.dp4.ep4.sp"), divided = parse("tp2.pp1.dp4.ep4.etp2.sp");
    model_gemm whole_of[LAYER_GEMMS], half_of[LAYER_GEMMS];
    const unsigned n = model_layer_gemms(&x, model_layer_at(&x, 0), &half, whole_of);
    ASSERT_EQ(n, model_layer_gemms(&x, model_layer_at(&x, 0), &divided, half_of));
    EXPECT_STREQ(half_of[n - 2].what, "expert up");
    EXPECT_EQ(half_of[n - 2].m, 4 * 2 * (4096 / 2 * 2 / 8));
    EXPECT_EQ(half_of[n - 2].n, 2 * 14336 / 2);
    EXPECT_EQ(half_of[n - 1].k, 14336 / 2);
    for (unsigned i = 0; i < n; i++)
        EXPECT_EQ(model_gemm_flops(&half_of[i]), model_gemm_flops(&whole_of[i])) << i;

    training_model padded = x;
    padded.experts.capacity = 1.25; // ceil(1.25 x 4096 x 2 / 8) = 1280 rows a rank in place of 1024
    EXPECT_NEAR(model_layer_flops(&padded, { false, true, LAYER_OF_TWO_BLOCKS }, &e4, &scores) -
                    moe,
                0.25 * 2 * 2. * 4096 * 3 * 4096 * 14336, 1e6);
}

// Megatron-LM fuses a softmax whose heads come in fours. Otherwise five kernels convert scores to
// FP32, scale, mask, normalize and convert back: 6 + 8 + 8 + 8 + 6 bytes.
TEST(Model, SoftmaxThatIsNotFused) {
    const training_model m = read("gpt2-345m"); // 16 heads, dropout
    const double scores = 1024. * 1024 * 16 / 8;
    const strategy two = parse("tp8"), four = parse("tp8.b2"), fused = parse("tp8.fused");

    ASSERT_EQ(m.heads, 16U);
    EXPECT_EQ(model_layer_vector_bytes(&m, {}, &two).softmax, (36 + 5) * scores);
    EXPECT_EQ(model_layer_vector_bytes(&m, {}, &four).softmax, (4 + 5) * 2 * scores);
    EXPECT_EQ(model_layer_vector_bytes(&m, {}, &fused).softmax, 0);
    EXPECT_FALSE(model_softmax_apart(&m, &four));

    // Four kernels more, forward and backward; the gradients of weights have no softmax.
    strategy_work w, v;
    ASSERT_TRUE(strategy_work_make(&m, &two, &w));
    ASSERT_TRUE(strategy_work_make(&m, &four, &v));
    for (const work_mode how : { MODE_FORWARD, MODE_INPUT, MODE_WEIGHT }) {
        const work_range a = strategy_work_of(&w, &m, 0, BLOCK_ATTENTION, how);
        const work_range b = strategy_work_of(&v, &m, 0, BLOCK_ATTENTION, how);
        uint64_t more = 0;

        ASSERT_EQ(a.count, b.count);
        for (uint32_t i = 0; i < a.count; i++)
            more += w.operation[a.first + i].launches - v.operation[b.first + i].launches;
        EXPECT_EQ(more, how == MODE_WEIGHT ? 0U : 4U);
    }
    strategy_work_free(&w);
    strategy_work_free(&v);
}

TEST(Model, VectorBytes) {
    const training_model m = read("gpt3-175b");
    const double unit = 2048. * 12288, a = 96, s = 2048, h = 12288;
    strategy t8 = parse("tp8.pp1.dp1"), sp = parse("tp8.pp1.dp1.sp.fused");
    vector_bytes v = model_layer_vector_bytes(&m, {}, &t8);

    EXPECT_EQ(v.norms, 8 * unit);
    EXPECT_EQ(v.residuals, 14 * unit);
    EXPECT_EQ(v.activation, 16 * unit / 8);
    EXPECT_NEAR(v.softmax, 9 * a * s / (h * 8) * unit, 1);
    v = model_layer_vector_bytes(&m, {}, &sp);
    EXPECT_EQ(v.norms, unit);
    EXPECT_EQ(v.residuals, 14 * unit / 8);
    EXPECT_EQ(v.softmax, 0);

    // 32 bits: masks keep their byte, and the mask of the scores is a kernel of its own.
    const strategy wide = parse("tp8.fp32");
    v = model_layer_vector_bytes(&m, {}, &wide);
    EXPECT_EQ(v.norms, 16 * unit);
    EXPECT_EQ(v.residuals, 26 * unit);
    EXPECT_EQ(v.activation, 32 * unit / 8);
    EXPECT_NEAR(v.softmax, 25 * a * s / (h * 8) * unit, 1);
}

// A token is read once and written once for each of its experts, and the same on its way back. A
// rank with several experts reads and writes each copy again to sort it, on both ways.
TEST(Model, RoutingBytes) {
    training_model m = read("mixtral-8x7b");
    const double tokens = 2 * 2. * 4096 * 4096; // there and back, 16 bits
    const auto routing = [&](const char *text) {
        const strategy s = parse(text);
        return model_layer_vector_bytes(&m, { .cross = false, .moe = true }, &s).routing;
    };
    const strategy one = parse("tp1.dp8.ep8");

    EXPECT_EQ(routing("tp1.dp8.ep8"), 3 * tokens);           // an expert a rank
    EXPECT_EQ(routing("tp1.dp8"), 3 * tokens);               // all experts: nothing is exchanged
    EXPECT_EQ(routing("tp1.dp8.ep4"), (3 + 4) * tokens);     // two experts a rank
    EXPECT_EQ(routing("tp2.dp4.ep4"), (3 + 4) * tokens / 2); // a half of the tokens
    EXPECT_EQ(routing("tp1.dp8.ep8.b2"), 2 * 3 * tokens);
    EXPECT_EQ(routing("tp1.dp8.ep8.fp32"), 2 * 3 * tokens);
    EXPECT_EQ(model_layer_vector_bytes(&m, {}, &one).routing, 0);
    m.experts.capacity = 1.5; // room for three copies
    EXPECT_EQ(routing("tp1.dp8.ep8"), (1 + 3) * tokens);
}

// ---- memory -----------------------------------------------------------------------------------

footprint held(const training_model &m, const strategy &s, uint64_t stage) {
    strategy_fault why;
    footprint f;

    EXPECT_TRUE(strategy_fits(&s, &m, &why)) << why.found << ", " << why.expected;
    EXPECT_EQ(EXIT_OK, footprint_make(&m, &s, stage, &f));
    return f;
}

/* Returns the activations without those before the first layer and after the last one. */
double of_layers(const footprint &f) {
    double sum = 0;

    for (unsigned i = 0; i < f.terms; i++) {
        const std::string name = f.term[i].name;

        if (f.term[i].class_ == FOOTPRINT_ACTIVATIONS && name != "mask behind the embedding" &&
            name != "input of the final norm" && name.find("output layer") == std::string::npos &&
            name.rfind("logits", 0) != 0)
            sum += f.term[i].bytes;
    }
    return sum;
}

double of_term(const footprint &f, const char *name) {
    double sum = 0;

    for (unsigned i = 0; i < f.terms; i++)
        if (!strcmp(f.term[i].name, name)) sum += f.term[i].bytes;
    return sum;
}

const char *const kDummies = "dummies, one for each shape of weights";

/* Returns what parameters hold, without dummy gradients, which closed forms leave out. */
double state(const footprint &f) {
    return f.sum[FOOTPRINT_PARAMETERS] + f.sum[FOOTPRINT_GRADIENTS] + f.sum[FOOTPRINT_OPTIMIZER] -
           of_term(f, kDummies);
}

/* The same of `parameters` of them: closed forms leave norms out. */
double state_of(const footprint &f, double parameters) {
    return state(f) / f.parameters * parameters;
}

// The closed form that Megatron-LM prints, t = 8, 18 bytes a parameter of 12 L h^2.
TEST(Footprint, MegatronTable) {
    const struct {
        uint64_t h, a, L;
        const char *with; // micro-batch, pipeline and chunks
        double state, none, selective;
    } rows[] = { { 6144, 64, 48, "b4.pp1", 45.5625, 59.25, 9.5625 },
                 { 12288, 96, 96, "b1.pp8.v3.m64", 45.5625, 66.84375, 12.3515625 },
                 { 20480, 128, 105, "b1.pp35.v3.m280", 31.640625, 114.0234375, 23.076171875 },
                 { 25600, 160, 128, "b1.pp64.m512", 32.958984375, 131.25, 26.5625 } };
    for (const auto &r : rows) {
        const training_model m = bare(r.h, r.a, r.L, 2048);
        const std::string text = std::string("tp8.dp1.grad4.") + r.with;
        const footprint none = held(m, parse(text.c_str()), 0);
        const footprint selective = held(m, parse((text + ".sp.selective").c_str()), 0);

        EXPECT_NEAR(state_of(none, 12. * none.layers * (double)(r.h * r.h) / 8) / kGiB, r.state,
                    1e-9)
            << text;
        EXPECT_NEAR(of_layers(none) / kGiB, r.none, 1e-9) << text;
        EXPECT_NEAR(of_layers(selective) / kGiB, r.selective, 1e-9) << text;
    }
}

TEST(Footprint, ZeroOfTransformer1T) {
    const training_model m = bare(25600, 160, 128, 2048);
    const struct {
        unsigned t, d;
        double gib[4];
    } rows[] = { { 1024, 1, { 14.65, 14.65, 14.65, 14.65 } },
                 { 128, 8, { 117.19, 40.28, 27.47, 14.65 } },
                 { 64, 16, { 234.38, 69.58, 42.11, 14.65 } },
                 { 32, 32, { 468.75, 128.17, 71.41, 14.65 } },
                 { 8, 128, { 1875.00, 479.74, 247.19, 14.65 } } };
    for (const auto &r : rows) {
        for (unsigned zero = 0; zero < 4; zero++) {
            char text[64];

            snprintf(text, sizeof text, "tp%u.pp1.dp%u.zero%u", r.t, r.d, zero);
            strategy s = parse(text);
            s.fractional = true; // 160 heads over more ranks
            footprint f = held(m, s, 0);
            for (unsigned i = 0; i < f.terms; i++)
                if (!strcmp(f.term[i].name, "gathered layers in use"))
                    f.sum[FOOTPRINT_PARAMETERS] -= f.term[i].bytes;
            EXPECT_NEAR(state_of(f, 12. * 128 * 25600 * 25600 / r.t) / kGiB, r.gib[zero], 0.005)
                << text;
        }
    }
}

// s b h (34 + 5 a s/h) and its kin, one layer.
TEST(Footprint, LayerActivations) {
    const training_model m = bare(12288, 96, 96, 2048);
    const double unit = 2048. * 12288, square = 5. * 96 * 2048 / 12288;
    const auto layer = [&](const char *text) {
        const strategy s = parse(text);
        return footprint_layer_activations(&m, {}, &s, nullptr, nullptr);
    };
    EXPECT_NEAR(layer("tp1.pp1.dp1"), unit * (34 + square), 1);
    EXPECT_NEAR(layer("tp8.pp1.dp1"), unit * (10 + 24. / 8 + square / 8), 1);
    EXPECT_NEAR(layer("tp8.pp1.dp1.sp"), unit / 8 * (34 + square), 1);
    EXPECT_NEAR(layer("tp8.pp1.dp1.selective"), unit * (10 + 24. / 8), 1);
    EXPECT_NEAR(layer("tp8.pp1.dp1.sp.selective"), unit * 34 / 8, 1);
    EXPECT_NEAR(layer("tp8.pp1.dp1.sp.fused"), unit * 34 / 8 + 4. * 96 * 2048 / 8, 1);
    EXPECT_NEAR(layer("tp8.cp2.pp1.dp1.sp.selective"), unit * 34 / 16, 1);

    training_model deep = m;
    deep.layers = 8;
    const footprint full = held(deep, parse("tp8.pp1.dp1.full"), 0);
    EXPECT_NEAR(of_layers(full), 8 * 2 * unit + unit * (10 + 24. / 8 + square / 8), 1);
    const footprint shard = held(deep, parse("tp8.pp1.dp1.full.shard"), 0);
    EXPECT_NEAR(of_layers(shard), 8 * 2 * unit / 8 + unit * (10 + 24. / 8 + square / 8), 1);
}

// 32 bits: 4 bytes of a parameter and of its gradient and 8 of moments, without a master copy.
// Activations double: 34 = 2 x 16 + 2 masks, 5 = 2 x 2 + a mask. Logits are FP32 as they come.
TEST(Footprint, ThirtyTwoBits) {
    const training_model m = bare(12288, 96, 8, 2048);
    const double unit = 2048. * 12288, square = 96 * 2048. / 12288;
    const double P = 8 * 12. * 12288 * 12288 / 8;

    for (const char *text : { "tp8.fp32", "tp8.tf32", "tp8.fp32.grad4" }) {
        const strategy s = parse(text);
        const footprint f = held(m, s, 0);

        EXPECT_NEAR(state_of(f, P) / P, 16, 1e-2) << text;
        EXPECT_NEAR(footprint_layer_activations(&m, {}, &s, nullptr, nullptr),
                    unit * ((2 * 8 + 2) + 2 * 24. / 8 + 9 * square / 8), 1);
        EXPECT_NEAR(of_layers(f), 8 * unit * ((2 * 8 + 2) + 2 * 24. / 8 + 9 * square / 8), 1);
    }
    const footprint full = held(m, parse("tp8.sp.full.fp32"), 0);
    EXPECT_NEAR(of_layers(full), 8 * 4 * unit / 8 + unit / 8 * (66 + 9 * square), 1);
    const footprint zero = held(m, parse("tp8.dp8.zero1.fp32"), 0);
    EXPECT_NEAR(state_of(zero, P) / P, 4 + 4 + 8. / 8, 1e-2);

    const footprint ends = held(read("gpt3-175b"), parse("tp8.fp32"), 0);
    double logits = 0;
    for (unsigned i = 0; i < ends.terms; i++)
        if (!strncmp(ends.term[i].name, "logits", 6)) logits += ends.term[i].bytes;
    EXPECT_EQ(logits, 4. * 2048 * 51200 / 8);
}

double sent(const training_model &m, const strategy &s, uint64_t stage, const char *what);
std::string misfit(const training_model &m, const char *text);

// The frozen model has no gradients and no optimizer. Its products keep no input for gradients of
// weights. The bytes are s b/t (h (12 + 4k/a) + 6f) without 2 h and 2 f, and 2 r for each adapter.
TEST(Footprint, Adapters) {
    training_model m = read("llama2-70b");
    const double T = 4096, h = 8192, a = 64, k = 8, f = 28672, r = 16;
    const strategy s = parse("tp2.sp.fused.zero1.dp4.grad4.lora16");
    const footprint got = held(m, s, 0);
    const double adapters = strategy_stage(&s, &m, 0).adapters;
    const double frozen = strategy_stage(&s, &m, 0).dense + strategy_stage(&s, &m, 0).ends;

    EXPECT_NEAR(state(got), 2 * frozen + (2 + 4 + 12. / 4) * adapters, 1);
    EXPECT_NEAR(footprint_layer_activations(&m, {}, &s, nullptr, nullptr),
                T / 2 * (h * (10 + 4 * k / a) + 4 * f) + 4 * a * T / 2 + 4 * T * r, 1);
    EXPECT_EQ(sent(m, s, 0, "data parallelism"), 3. / 4 * (4 + 2) * adapters);
    EXPECT_EQ(misfit(m, "dp4.zero3.lora16"),
              "lora of latent attention or with zero3, neither of them");
}

// One block each.  Mamba-2 keeps its norm's and its own input, what the first product gave, the
// output of the scan and the input of the second product.
TEST(Footprint, Hybrid) {
    const training_model m = read("nemotron-h-56b");
    const strategy s = parse("tp8.sp.fused");
    const double T = 8192, h = 8192, d = 256 * 64;
    const auto kept = [&](uint64_t i) {
        return footprint_layer_activations(&m, model_layer_at(&m, i), &s, nullptr, nullptr);
    };

    EXPECT_EQ(kept(0), 2 * T / 8 * (2 * h + (2 * d + 2 * 8 * 256 + 256) + 2 * d));
    EXPECT_EQ(kept(1), 2 * T / 8 * (2 * h + 2 * 32768));
    EXPECT_EQ(kept(7), 2 * T / 8 * (2 * h + (64 + 2 * 8) * 128 + 64 * 128) + 4 * 64 * T / 8);
}

// A Llama-like layer: s b/t (h (12 + 4k/a) + 6f) + 4 b a s/t; the node of training.md's B200 rows.
TEST(Footprint, LlamaOnOneNode) {
    training_model m = read("llama3-70b");
    const double s = 4096, h = 8192, k = 8, a = 64, f = 28672;

    m.sequence = 4096;
    m.layers = 12;
    const strategy two = parse("tp2.pp1.dp4.sp.zero1.grad4.fused.fused-loss"),
                   eight = parse("tp8.pp1.dp1.sp.zero1.grad4.fused.fused-loss");
    EXPECT_NEAR(footprint_layer_activations(&m, {}, &two, nullptr, nullptr),
                s / 2 * (h * (12 + 4 * k / a) + 6 * f) + 4 * a * s / 2, 1);
    const footprint t2 = held(m, two, 0), t8 = held(m, eight, 0);
    double logits = 0;

    for (unsigned i = 0; i < t2.terms; i++)
        if (!strncmp(t2.term[i].name, "logits", 6)) logits += t2.term[i].bytes;
    EXPECT_NEAR(state(t2) / kGiB, 51.84, 0.005);
    EXPECT_NEAR(of_layers(t2) / kGiB, 6.29, 0.005);
    EXPECT_NEAR(logits / kGiB, 0.489, 0.0005);
    EXPECT_NEAR(t2.peak / kGiB, 60.68, 0.1); // measured
    EXPECT_NEAR(t8.peak / kGiB, 28.29, 0.1); // measured
}

// A dummy gradient of 2 bytes an element for each shape of weights, however many layers have it.
// Llama: queries, keys and values; projection; gate and up; down; the output layer. An expert's
// matrices are two shapes for all experts, and the router has none.
TEST(Footprint, DummyGradients) {
    const training_model m = read("llama3-70b"), e = read("mixtral-8x7b");
    const double h = 8192, qkv = h + 2 * 8 * 128, f = 28672, W = 128256;
    const auto dummies = [](const training_model &model, const char *text, uint64_t stage) {
        return of_term(held(model, parse(text), stage), kDummies);
    };

    EXPECT_EQ(dummies(m, "tp2.dp4.zero1.grad4", 0), 2 * h * (qkv + h + 3 * f + W) / 2);
    EXPECT_EQ(dummies(m, "tp2.pp2.dp4.grad4.m2", 0), 2 * h * (qkv + h + 3 * f) / 2);
    EXPECT_EQ(dummies(m, "tp2.pp2.v2.dp4.grad4.m2", 1), 2 * h * (qkv + h + 3 * f + W) / 2);
    EXPECT_EQ(dummies(e, "dp8.ep4.zero1.grad4", 0),
              2. * 4096 * ((4096 + 2 * 8 * 128) + 4096 + 3 * 14336 + 32000));
    for (const char *none :
         { "tp2.dp4", "tp2.dp4.grad4.zero2", "tp2.dp4.fp32", "tp2.lora16.grad4" })
        EXPECT_EQ(dummies(m, none, 0), 0) << none;
}

// The fused loss keeps logits of 16 bits, and the output layer's backward pass has the gradient of
// its input beside them. Sequence parallelism gathers the input and divides the gradient.
TEST(Footprint, FusedLoss) {
    const training_model m = read("gpt3-175b");
    const double T = 2048, h = 12288, W = 51200;
    const struct {
        const char *text;
        double logits[2], gathered, gradient;
    } rows[] = {
        { "tp8", { 2 * T * W / 8, 4 * T * W / 8 }, 0, 0 },
        { "tp8.sp", { 2 * T * W / 8, 4 * T * W / 8 }, 2 * T * h, 0 },
        { "tp8.fused-loss", { 2 * T * W / 8, 0 }, 0, 2 * T * h },
        { "tp8.sp.fused-loss", { 2 * T * W / 8, 0 }, 2 * T * h, 2 * T * h * 9 / 8 },
        { "tp1.sp.fused-loss", { 2 * T * W, 0 }, 0, 2 * T * h },
    };

    for (const auto &r : rows) {
        const footprint f = held(m, parse(r.text), 0);

        EXPECT_EQ(of_term(f, "logits in 16 bits"), r.logits[0]) << r.text;
        EXPECT_EQ(of_term(f, "logits in FP32"), r.logits[1]) << r.text;
        EXPECT_EQ(of_term(f, "gathered input of the output layer"), r.gathered) << r.text;
        EXPECT_EQ(of_term(f, "gradient of the output layer's input"), r.gradient) << r.text;
    }
}

// Fused attention whose ranks exchange heads keeps its output before and after the exchange.
TEST(Footprint, ExchangedHeads) {
    const training_model m = read("llama3-70b");
    const auto layer = [&](const char *text) {
        const strategy s = parse(text);
        return footprint_layer_activations(&m, {}, &s, nullptr, nullptr);
    };

    EXPECT_EQ(layer("tp2.cp4.sp.fused.all-to-all") - layer("tp2.cp4.sp.fused"),
              2. * (double)m.sequence / 4 * 64 * 128 / 2);
    EXPECT_EQ(layer("cp1.fused.all-to-all"), layer("cp1.fused"));
}

// Before the layers there is a mask for each micro-batch in flight. After the layers there are,
// once, the inputs of the norm and of the output layer, and logits in 16 bits and in FP32.
TEST(Footprint, Ends) {
    const training_model m = read("gpt3-175b");
    const strategy s = parse("tp8.pp8.dp1.m64.b2");
    const double unit = 2. * 2048 * 12288, logits = 2. * 2048 * 51200 / 8;
    const struct {
        uint64_t stage;
        const char *name;
        double bytes;
    } rows[] = { { 0, "mask behind the embedding", 8 * unit },
                 { 7, "input of the final norm", 2 * unit },
                 { 7, "input of the output layer", 2 * unit },
                 { 7, "logits in 16 bits", 2 * logits },
                 { 7, "logits in FP32", 4 * logits } };

    for (const auto &r : rows)
        for (uint64_t stage = 0; stage < 8; stage++) {
            const footprint f = held(m, s, stage);
            double found = 0;

            for (unsigned i = 0; i < f.terms; i++)
                if (!strcmp(f.term[i].name, r.name)) found += f.term[i].bytes;
            EXPECT_EQ(found, stage == r.stage ? r.bytes : 0) << r.name << ", stage " << stage;
        }
}

// Bytes a parameter with so many replicas that what is divided among them is next to nothing.
TEST(Footprint, StateOfManyReplicas) {
    const training_model m = bare(1024, 16, 8, 512);
    const double bytes[] = { 16, 4, 2, 0 };

    for (unsigned zero = 0; zero < 4; zero++) {
        footprint f = held(m, parse(("dp1024.zero" + std::to_string(zero)).c_str()), 0);

        for (unsigned i = 0; i < f.terms; i++)
            if (!strcmp(f.term[i].name, "gathered layers in use"))
                f.sum[FOOTPRINT_PARAMETERS] -= f.term[i].bytes;
        EXPECT_NEAR(state(f) / f.parameters, bytes[zero], 16. / 1024) << zero;
    }
}

// Every stage's parameters together are the model's, and the embedding's copy of a tied one.
TEST(Footprint, StagesHoldTheModel) {
    for (const char *name : { "gpt3-175b", "bert-large", "t5-large", "llama3-8b", "mixtral-8x7b",
                              "deepseek-v3", "grok-1", "llama4-maverick" }) {
        training_model m = read(name);
        const uint64_t p = model_layers(&m) % 2 ? 1 : 2;
        char text[64];
        double sum = 0;

        snprintf(text, sizeof text, "tp1.pp%d.dp1.m2", (int)p);
        const strategy s = parse(text);
        for (uint64_t r = 0; r < p; r++) sum += held(m, s, r).parameters;
        EXPECT_EQ(sum, model_parameters(&m) +
                           (m.tied && p > 1 ? (double)m.vocabulary * (double)m.hidden : 0))
            << name;
    }
}

// Experts are divided by ep, and their optimizer among d c t / e replicas.
TEST(Footprint, Experts) {
    const training_model m = read("mixtral-8x7b");
    const footprint f = held(m, parse("tp2.pp1.dp8.ep4.sp.zero1"), 0);
    const double experts = 32. * 8 * 3 * 4096 * 14336 / 4;

    EXPECT_EQ(f.expert_parameters, experts);
    for (unsigned i = 0; i < f.terms; i++)
        if (!strcmp(f.term[i].name, "master and moments of experts"))
            EXPECT_EQ(f.term[i].bytes, 12 * experts / 4);
}

double bytes_of(const footprint &f, const char *name) {
    double sum = 0;

    for (unsigned i = 0; i < f.terms; i++)
        if (!strcmp(f.term[i].name, name)) sum += f.term[i].bytes;
    return sum;
}

// Grok-1 as NVIDIA trains it: each of eight experts is divided over the four ranks of tp, so that
// 32 ranks hold them all, and 4 replicas of these divide their optimizer.
TEST(Footprint, DividedExperts) {
    const training_model m = read("grok-1");
    const footprint f = held(m, parse("tp4.dp32.ep8.etp4.sp.fused.zero1"), 0);
    const double experts = 64. * 8 * 3 * 6144 * 32768 / (8 * 4), rows = 8192. / 4 * 2;

    EXPECT_EQ(f.expert_parameters, experts);
    EXPECT_EQ(bytes_of(f, "of experts"), 2 * experts);
    EXPECT_EQ(bytes_of(f, "master and moments of experts"), 12 * experts / 4);
    // The four ranks gather their tokens; a fourth of the columns has as many elements as before.
    EXPECT_EQ(bytes_of(f, "input of experts"), 64 * 2 * 4 * rows * 6144);
    EXPECT_EQ(bytes_of(f, "gate and up of experts"), 64 * 4 * rows * 32768);
    EXPECT_EQ(bytes_of(f, "output of experts"), 64 * 2 * rows * 6144);
    // Two norms in front of blocks and two behind the blocks, of a rank's tokens.
    EXPECT_EQ(bytes_of(f, "inputs of norms"), 64 * 4 * 2 * 8192. / 4 * 6144);
}

// Output biases of experts are whole on each of the ranks that divide them.
TEST(Footprint, DividedExpertsHaveTheirBiases) {
    const training_model m = read("gpt-oss-20b");
    const strategy s = parse("tp2.dp4.ep4.etp2.sp");

    EXPECT_EQ(strategy_stage(&s, &m, 0).experts,
              24. * 32 / 4 * (3 * 2880. * 2880 / 2 + 2 * 2880 / 2 + 2880));
}

// The fullest rank decides: five tables on two ranks are 8 + 1 + 1 against 5 + 4 rows.
TEST(Footprint, TablesAreDealt) {
    model_dlrm d = {};
    const uint64_t rows[] = { 1, 8, 4, 1, 5 };

    d.tables = d.rows_given = 5;
    d.width = 16;
    std::copy(rows, rows + 5, d.rows);
    EXPECT_EQ(footprint_dealt_tables(&d, 1), 19 * 16);
    EXPECT_EQ(footprint_dealt_tables(&d, 2), 10 * 16);
    EXPECT_EQ(footprint_dealt_tables(&d, 5), 8 * 16);
    EXPECT_EQ(footprint_dealt_tables(&d, 10), 8 * 8); // columns halved
}

// ---- messages ---------------------------------------------------------------------------------

double sent(const training_model &m, const strategy &s, uint64_t stage, const char *what) {
    traffic_message at[TRAFFIC_MESSAGES];
    const unsigned n = strategy_messages(&m, &s, stage, at);
    double sum = 0;

    for (unsigned i = 0; i < n; i++)
        if (!strncmp(at[i].what, what, strlen(what))) sum += traffic_sent(&at[i]) * at[i].count;
    return sum;
}

TEST(Traffic, TensorParallelism) {
    const training_model g = read("gpt3-175b"), t = read("transformer-1t");
    traffic_message at[TRAFFIC_MESSAGES];
    strategy s = parse("tp8.pp1.dp1");

    ASSERT_GE(strategy_messages(&g, &s, 0, at), 1U);
    EXPECT_EQ(at[0].bytes, 50331648);
    EXPECT_EQ(traffic_sent(&at[0]), 88080384);
    EXPECT_EQ(sent(g, s, 0, "tensor"), 96 * 352321536.);
    EXPECT_EQ(sent(g, parse("tp8.pp1.dp1.full"), 0, "tensor"), 96 * 1.5 * 352321536.);
    // An all-reduce is a reduce-scatter and an all-gather; kept inputs are gathered once more.
    EXPECT_EQ(sent(g, parse("tp8.pp1.dp1.sp"), 0, "tensor"), 96 * 1.25 * 352321536.);
    // A hybrid's layer has one block: an all-reduce forward and one backward.
    EXPECT_EQ(sent(read("nemotron-h-56b"), parse("tp8.pp1.dp1"), 0, "tensor"),
              118 * 2 * 2 * 7. / 8 * 2 * 8192 * 8192);
    // In parts, as many bytes in more messages.
    EXPECT_EQ(sent(g, parse("tp8.pp1.dp1.full.split4"), 0, "tensor"), 96 * 1.5 * 352321536.);
    EXPECT_EQ(sent(g, parse("tp8.pp1.dp1.sp.split8"), 0, "tensor"), 96 * 1.25 * 352321536.);
    ASSERT_GE(strategy_messages(&t, &s, 0, at), 1U);
    EXPECT_EQ(at[0].bytes, 104857600);
    s = parse("tp8.pp1.dp1.split4");
    ASSERT_GE(strategy_messages(&t, &s, 0, at), 1U);
    EXPECT_EQ(at[0].bytes, 104857600 / 4);
}

TEST(Traffic, ThirtyTwoBits) {
    const training_model g = read("gpt3-175b"), x = read("mixtral-8x7b");
    const struct {
        const training_model *m;
        const char *text, *what;
    } rows[] = { { &g, "tp8.pp2.m4.grad4", "tensor" },
                 { &g, "tp8.pp2.m4.grad4", "pipeline" },
                 { &g, "dp8.zero3.grad4", "parameters" },
                 { &g, "cp4.grad4", "context" },
                 { &x, "dp8.ep8.grad4", "expert" } };

    for (const auto &r : rows)
        EXPECT_EQ(sent(*r.m, parse((std::string(r.text) + ".fp32").c_str()), 0, r.what),
                  2 * sent(*r.m, parse(r.text), 0, r.what))
            << r.text;
    EXPECT_EQ(sent(g, parse("dp8.fp32"), 0, "data"), sent(g, parse("dp8.grad4"), 0, "data"));
}

TEST(Traffic, DataParallelism) {
    const training_model m = bare(1024, 16, 4, 512);
    const double P = 4 * (12. * 1024 * 1024 + 4 * 1024) + 2 * 1024, part = 7. / 8; // and norms

    EXPECT_EQ(sent(m, parse("tp1.pp1.dp8"), 0, "data"), 2 * part * 2 * P);
    EXPECT_EQ(sent(m, parse("tp1.pp1.dp8.grad4.zero1"), 0, "data"), part * (4 + 2) * P);
    EXPECT_EQ(sent(m, parse("tp1.pp1.dp4.cp2.zero2"), 0, "data"), part * (2 + 2) * P);
    // One and a half of an all-reduce, a micro-batch.
    EXPECT_EQ(sent(m, parse("tp1.pp1.dp8.zero3.m2"), 0, "data"), 2 * 1.5 * 2 * part * 2 * P);
}

TEST(Traffic, PipelineContextExperts) {
    const training_model m = bare(1024, 16, 8, 512);
    const double A = 2. * 512 * 1024;

    // v p - 1 boundaries, forward and backward, of each micro-batch.
    double sum = 0;
    for (uint64_t r = 0; r < 4; r++) sum += sent(m, parse("tp1.pp4.dp1.v2.m8"), r, "pipeline");
    EXPECT_EQ(sum, 2 * 7 * 8 * A);
    EXPECT_EQ(sent(m, parse("tp2.pp2.dp1.sp"), 0, "pipeline"), A / 2);

    // A ring of c: (c - 1) times keys and values, and twice that backward.
    const double Ac = A / 4;
    EXPECT_EQ(sent(m, parse("tp1.pp1.dp1.cp4"), 0, "context"), 8 * 3 * (2 * Ac + 4 * Ac));
    EXPECT_EQ(sent(m, parse("tp1.pp1.dp1.cp4.all-to-all"), 0, "context"), 8 * 8 * 3. / 4 * Ac);

    const training_model x = read("mixtral-8x7b");
    const double T = 4096, routed = 2 * T * 4096 * 2;
    EXPECT_EQ(sent(x, parse("tp1.pp1.dp8.ep8"), 0, "expert"), 32 * 4 * 7. / 8 * routed);
    EXPECT_EQ(sent(x, parse("tp1.pp1.dp8.ep8.full"), 0, "expert"), 32 * 6 * 7. / 8 * routed);

    // Two ranks gather what each has received, and sum it: forward, backward, and again with full.
    EXPECT_EQ(sent(x, parse("tp2.dp4.ep4.etp2.sp"), 0, "expert"), 32 * 4 * 3. / 4 * routed / 2);
    EXPECT_EQ(sent(x, parse("tp2.dp4.ep4.etp2.sp"), 0, "tensor parallelism of experts"),
              32 * 4 * 1. / 2 * routed);
    EXPECT_EQ(sent(x, parse("tp2.dp4.ep4.etp2.sp.full"), 0, "tensor parallelism of experts"),
              32 * 6 * 1. / 2 * routed);
    // Every second layer has experts.
    const training_model w = read("llama4-maverick");
    EXPECT_EQ(sent(w, parse("dp64.ep64"), 0, "expert"), 24 * 4 * 63. / 64 * 2 * 8192 * 5120);
}

// g W h / t between the ends of a pipeline, of two ranks; experts' gradients over d c t / e ranks,
// not cut by t.
TEST(Traffic, TiedEmbeddingAndExpertsGradients) {
    const training_model g = read("gpt3-175b"), x = read("mixtral-8x7b");
    const double embedding = 51200. * 12288 / 8;

    for (uint64_t r = 0; r < 4; r++)
        EXPECT_EQ(sent(g, parse("tp8.pp4.dp1.m4.grad4"), r, "tied"), r % 3 ? 0 : 4 * embedding);
    EXPECT_EQ(sent(g, parse("tp8.pp1.dp1"), 0, "tied"), 0);
    const double experts = 32. * 8 / 4 * 3 * 4096 * 14336;
    EXPECT_EQ(sent(x, parse("tp2.dp8.ep4.sp"), 0, "data parallelism of experts"),
              2 * 3. / 4 * 2 * experts);
    EXPECT_EQ(sent(x, parse("tp2.dp8.ep4.etp2.sp"), 0, "data parallelism of experts"),
              2 * 1. / 2 * 2 * experts / 2);
    // Norm and overflow are a few bytes: latency alone.
    EXPECT_LT(sent(g, parse("tp8.pp4.dp4.m4"), 0, "gradients' norm"), 100);
}

TEST(Traffic, Dlrm) {
    const training_model m = read("dlrm-small"), big = read("dlrm-mlperf");
    const strategy s = parse("dp16.b128");
    traffic_message at[TRAFFIC_MESSAGES];
    const unsigned n = strategy_messages(&m, &s, 0, at);

    ASSERT_EQ(n, 4U);
    EXPECT_EQ(at[0].bytes, 128 * 24 * 8);
    EXPECT_EQ(at[1].bytes, 98304);
    EXPECT_EQ(at[2].bytes, 98304);
    EXPECT_EQ(at[3].bytes, 3191808);
    EXPECT_EQ(2 * mlp_parameters(&m.dlrm.bottom, false), 1078272);
    EXPECT_EQ(2 * mlp_parameters(&m.dlrm.top, false), 2113536);
    EXPECT_EQ(big.dlrm.top.size[0], 479U);
}

// ---- strategies -------------------------------------------------------------------------------

TEST(Strategy, Text) {
    char text[STRATEGY_TEXT];
    strategy s = parse("m192.dp8.tp8.pp16.sp.zero1.full.b2");

    EXPECT_STREQ(strategy_print(&s, text), "tp8.dp8.pp16.zero1.b2.m192.sp.full");
    EXPECT_EQ(strategy_ranks(&s), 1024U);
    EXPECT_EQ(strategy_sequences(&s), 8 * 2 * 192);
    s = parse("pp2.v2.m4");
    EXPECT_EQ(s.schedule, PIPELINE_INTERLEAVED);
    s = parse("pp2.zb-h1.m4.tp2.cp2.all-to-all.ep2.etp2.fused.shard.selective.grad4");
    const strategy again = parse(strategy_print(&s, text));
    EXPECT_EQ(0, memcmp(&s, &again, sizeof s)) << text;
    s = parse("tp2.fp32.full");
    EXPECT_EQ(s.gradient_bytes, 4U);
    EXPECT_STREQ(strategy_print(&s, text), "tp2.dp1.pp1.fp32.full");
    s = parse("lora16.tp2");
    EXPECT_STREQ(strategy_print(&s, text), "tp2.dp1.pp1.lora16");
    s = parse("tf32.grad4");
    EXPECT_STREQ(strategy_print(&s, text), "tp1.dp1.pp1.tf32");
}

std::string fault_of(const char *text) {
    strategy_fault why;
    strategy s;

    EXPECT_FALSE(strategy_parse(text, &s, &why)) << text;
    return std::to_string(why.column) + ": " + why.found + ", " + why.expected;
}

TEST(Strategy, BadText) {
    EXPECT_EQ(fault_of("tp8.pp0"), "5: 'pp0', pp with a number, 1 to 1024");
    EXPECT_EQ(fault_of("tp8..pp2"), "5: nothing, a part of a strategy such as tp8");
    EXPECT_EQ(fault_of("tp8.tp2"), "5: 'tp2', each part of a strategy once");
    EXPECT_EQ(fault_of("full.selective"), "6: 'selective', each part of a strategy once");
    EXPECT_EQ(fault_of("fp32.tf32"), "6: 'tf32', each part of a strategy once");
    EXPECT_EQ(fault_of("grad2.fp32"), "1: grad2 of 32-bit training, grad4");
    EXPECT_EQ(fault_of("grad3"), "1: 'grad3', grad with a number, 2 to 4");
    EXPECT_EQ(fault_of("interleavd"),
              "1: 'interleavd', a part of a strategy; did you mean 'interleaved'?");
    EXPECT_EQ(fault_of("zero4"), "1: 'zero4', zero with a number, 0 to 3");
    EXPECT_EQ(fault_of("pp2.v2.1f1b"),
              "1: chunks of a schedule that has none, v with interleaved alone");
}

std::string misfit(const training_model &m, const char *text) {
    strategy s = parse(text);
    strategy_fault why = {};

    return strategy_fits(&s, &m, &why) ? "" : std::string(why.found) + ", " + why.expected;
}

TEST(Strategy, WhatDoesNotDivide) {
    const training_model g = read("gpt3-175b"), l = read("llama3-8b"), x = read("mixtral-8x7b");

    EXPECT_EQ(misfit(g, "tp8.pp16.dp8.m192"), "");
    EXPECT_EQ(misfit(g, "tp7"), "tp7, a degree that divides the 96 heads of gpt3-175b");
    EXPECT_EQ(misfit(l, "tp16"), ""); /* two ranks have a copy of each head of keys */
    EXPECT_EQ(misfit(l, "pp5.ends"), "");
    EXPECT_EQ(misfit(l, "pp18.ends"), "stages without a layer, a layer or more on each, with ends");
    EXPECT_EQ(misfit(g, "pp5"), "pp5, a degree that divides the 96 layers of gpt3-175b");
    EXPECT_EQ(misfit(g, "pp8.v3.m4"),
              "pp8, a degree that divides the 4 micro-batches of an interleaved schedule");
    EXPECT_EQ(misfit(g, "pp8.v5.m8"),
              "pp times v of 40, a degree that divides the 96 layers of gpt3-175b");
    EXPECT_EQ(misfit(g, "cp3"),
              "cp3, a degree that divides the 2048 tokens of a sequence of gpt3-175b");
    EXPECT_EQ(misfit(g, "dp2.ep2"), "ep or etp of a model without experts, neither of them");
    EXPECT_EQ(misfit(x, "tp2.dp4.etp4.sp"),
              "etp4, a degree that divides the 2 ranks of tp of the strategy");
    EXPECT_EQ(misfit(x, "tp2.dp4.ep8.etp2.sp"),
              "ep8, a degree that divides the 4 ranks of dp x cp x tp / etp of the strategy");
    EXPECT_EQ(misfit(x, "dp3.ep3"), "ep3, a degree that divides the 8 experts of mixtral-8x7b");
    EXPECT_EQ(misfit(x, "dp2.ep4"),
              "ep4, a degree that divides the 2 ranks of dp x cp x tp of the strategy");
    EXPECT_EQ(misfit(x, "dp2.cp6.ep4").rfind("ep whose groups are no blocks of ranks", 0), 0U);
    EXPECT_EQ(misfit(x, "tp2.dp4.ep8.sp"), "");
    EXPECT_EQ(misfit(x, "tp2.dp4.ep4").rfind("experts with tp and without sp", 0), 0U);
    EXPECT_EQ(misfit(read("dlrm-mlperf"), "tp2.dp4").rfind("tp, pp or cp of a DLRM", 0), 0U);

    const training_model n = read("nemotron-h-56b");
    EXPECT_EQ(misfit(n, "tp8.dp4.sp"), "");
    EXPECT_EQ(misfit(n, "tp16"),
              "tp16, a degree that divides the 8 groups of Mamba-2 heads of nemotron-h-56b");
    EXPECT_EQ(misfit(n, "cp2"), "cp or split of a model with Mamba-2 layers, neither of them");

    strategy s = parse("pp4.m4");
    strategy_fault why = {};
    ASSERT_TRUE(strategy_parse_layers("20,25,25,26", &s));
    EXPECT_TRUE(strategy_fits(&s, &g, &why));
    EXPECT_EQ(strategy_first_layer(&s, &g, 2), 45U);
    ASSERT_TRUE(strategy_parse_layers("20,25,25,25", &s));
    EXPECT_FALSE(strategy_fits(&s, &g, &why));
    EXPECT_FALSE(strategy_parse_layers("20,,25", &s));
}

// ---- placement --------------------------------------------------------------------------------

TEST(Placement, RanksAreNodesUnlessTold) {
    const uint16_t ring[ACE_CLUSTER_DIMENSIONS] = { 4, 8, 4, 1 };
    const strategy s = parse("tp8.cp2.dp2.pp4");
    placement p;
    strategy_fault why;

    ASSERT_TRUE(placement_make(&s, ring, nullptr, &p, &why)) << why.found;
    for (uint64_t r = 0; r < 128; r++) {
        uint64_t index[AXES];

        placement_indices(&p, r, index);
        EXPECT_EQ(placement_node(&p, index), r);
    }
    EXPECT_FALSE(p.axis[AXIS_TP].whole); // x, and two of y
    EXPECT_TRUE(p.axis[AXIS_PP].whole);

    ASSERT_TRUE(placement_make(&s, ring, "tp:y,cp:,dp:,pp:x", &p, &why) == false);
    const strategy t = parse("tp8.dp4.pp4");
    ASSERT_TRUE(placement_make(&t, ring, "tp:y,dp:z,pp:x", &p, &why)) << why.found << why.expected;
    const uint64_t next_tp[AXES] = { 1, 0, 0, 0 }, next_dp[AXES] = { 0, 0, 1, 0 },
                   next_pp[AXES] = { 0, 0, 0, 1 };
    EXPECT_EQ(placement_node(&p, next_tp), 4U);
    EXPECT_EQ(placement_node(&p, next_dp), 32U);
    EXPECT_EQ(placement_node(&p, next_pp), 1U);
}

TEST(Placement, Refused) {
    const uint16_t ring[ACE_CLUSTER_DIMENSIONS] = { 4, 6, 1, 1 };
    placement p;
    strategy_fault why = {};
    strategy s = parse("tp8.dp4");

    EXPECT_FALSE(placement_make(&s, ring, nullptr, &p, &why));
    EXPECT_STREQ(why.found, "a fabric of 24 nodes");
    s = parse("tp8.dp3");
    EXPECT_TRUE(placement_make(&s, ring, nullptr, &p, &why)); // x, and two of y
    s = parse("tp3.dp8");
    EXPECT_FALSE(placement_make(&s, ring, nullptr, &p, &why));
    EXPECT_STREQ(why.found, "tp3 over x, of which 4 nodes are left");
    EXPECT_FALSE(placement_make(&s, ring, "tp:x,dp:y", &p, &why));
    EXPECT_STREQ(why.found, "tp:x of 4 nodes");
    EXPECT_EQ(why.column, 1U);
    EXPECT_FALSE(placement_make(&s, ring, "tp:y,tp:x", &p, &why));
    s = parse("tp6.dp4");
    EXPECT_FALSE(placement_make(&s, ring, "tp:y", &p, &why));
    EXPECT_FALSE(placement_make(&s, ring, "tp:y,dp:y", &p, &why));
    EXPECT_EQ(why.column, 9U);
    EXPECT_TRUE(placement_make(&s, ring, "tp:y,dp:x", &p, &why));
}

// ---- files ------------------------------------------------------------------------------------

std::string refused(const std::string &text) {
    const std::string path = testing::TempDir() + "model.yaml";
    std::ofstream(path) << text;
    training_model m;

    testing::internal::CaptureStderr();
    EXPECT_EQ(EXIT_USAGE, model_read(path.c_str(), &m)) << text;
    return testing::internal::GetCapturedStderr().substr(path.size());
}

TEST(Model, BadFiles) {
    const std::string decoder =
        "architecture: decoder\nlayers: 2\nhidden: 64\nheads: 4\nsequence: 8\n";

    EXPECT_EQ(refused(decoder), ":1:1: found decoder without 'vocabulary', expected this key\n");
    EXPECT_EQ(refused(decoder + "vocabulary: 10\ntables: 3\n"),
              ":1:1: found decoder with 'tables', expected keys of its architecture alone\n");
    EXPECT_EQ(
        refused(decoder + "vocabulary: 10\nhiden: 3\n").rfind(":7:1: found unknown key 'hiden'", 0),
        0U);
    EXPECT_EQ(refused(decoder + "vocabulary: -1\n").rfind(":6:13: found '-1', expected a size", 0),
              0U);
    EXPECT_EQ(refused(decoder + "vocabulary: 10\nparameters: 7\n").rfind(":1:1: found sizes of", 0),
              0U);
    EXPECT_EQ(refused(decoder + "vocabulary: 10\nkv_heads: 3\n")
                  .rfind(":1:1: found 4 heads and 3 kv_heads", 0),
              0U);
    EXPECT_EQ(refused(decoder + "vocabulary: 10\nexperts: {count: 2, top: 3, ffn: 8}\n")
                  .rfind(":1:1: found top 3", 0),
              0U);
    EXPECT_EQ(refused(decoder + "vocabulary: 10\nexperts: {count: 2, top: 1}\n")
                  .rfind(":7:10: found a mapping without", 0),
              0U);
    EXPECT_EQ(refused("architecture: dlrm\nbottom: [4, 0]\n").rfind(":2:13: found '0'", 0), 0U);
    EXPECT_EQ(
        refused("architecture: dlrm\nbottom: [4, 8]\ntop: [9, 1]\ntables: 2\nrows: 5\nwidth: 8\n")
            .rfind(":1:1: found a bottom MLP to 8 and a top MLP of 9, expected 8 and 11", 0),
        0U);
}

} // namespace
