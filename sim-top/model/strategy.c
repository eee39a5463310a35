/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy.c -- parses and prints strategies, and checks that a model can be divided that way
 *
 * The numbers and keywords of the text are in two tables. A bit for each part detects repetitions.
 * Faults are returned with their column, because each caller prints them in its own way.
 */
#include "strategy.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "values.h"

const char *const recomputation_names[] = { "none", "selective", "full", NULL };
const char *const axis_names[AXES + 1] = { "tp", "cp", "dp", "pp", NULL };

/* ---- the text ------------------------------------------------------------------------------ */

static const char *const options[] = { "sp",    "fused", "fused-loss", "shard",  "all-to-all",
                                       "ends",  "fp32",  "tf32",       "none",   "selective",
                                       "full",  "gpipe", "1f1b",       "dapple", "interleaved",
                                       "zb-h1", NULL };
enum {
    WORD_SP,
    WORD_FUSED,
    WORD_FUSED_LOSS,
    WORD_SHARD,
    WORD_EXCHANGE,
    WORD_ENDS,
    WORD_PRECISION,
    WORD_RECOMPUTE = 8,
    WORD_SCHEDULE = 11
};

typedef struct number {
    const char *name;
    size_t at;
    uint64_t low, high;
} number;
#define AT(member) offsetof(strategy, member)
static const number numbers[] = {
    { "tp", AT(degree[AXIS_TP]), 1, STRATEGY_MOST },
    { "cp", AT(degree[AXIS_CP]), 1, STRATEGY_MOST },
    { "dp", AT(degree[AXIS_DP]), 1, STRATEGY_MOST },
    { "pp", AT(degree[AXIS_PP]), 1, STAGES_MOST },
    { "ep", AT(experts), 1, STRATEGY_MOST },
    { "etp", AT(expert_tensor), 1, STRATEGY_MOST },
    { "zero", AT(zero), 0, 3 },
    { "b", AT(micro_batch), 1, STRATEGY_MOST },
    { "m", AT(micro_batches), 1, STRATEGY_MOST },
    { "v", AT(chunks), 1, STAGES_MOST },
    { "grad", AT(gradient_bytes), 2, 4 },
    { "split", AT(split), 1, SPLIT_MOST },
    { "lora", AT(lora), 1, STRATEGY_MOST },
};
enum { NUMBERS = sizeof numbers / sizeof *numbers };

static bool fault(strategy_fault *why, size_t column, const char *found, const char *expected) {
    why->column = column;
    snprintf(why->found, sizeof why->found, "%s", found);
    snprintf(why->expected, sizeof why->expected, "%s", expected);
    return false;
}

static uint64_t *value_of(strategy *s, const number *n) {
    return (uint64_t *)(void *)((char *)s + n->at);
}

/* Returns the index of the letters of a part that has letters and a number, such as "tp" of
 * "tp8". */
static int number_of(const char *word) {
    const size_t letters = strcspn(word, "0123456789");

    for (int i = 0; i < NUMBERS; i++)
        if (strlen(numbers[i].name) == letters && !strncmp(numbers[i].name, word, letters))
            return i;
    return -1;
}

static void set_word(strategy *s, int w) {
    if (w == WORD_SP) s->sequence = true;
    if (w == WORD_FUSED) s->fused = true;
    if (w == WORD_FUSED_LOSS) s->fused_loss = true;
    if (w == WORD_SHARD) s->sharded = true;
    if (w == WORD_EXCHANGE) s->exchange = true;
    if (w == WORD_ENDS) s->ends = true;
    if (w >= WORD_PRECISION && w < WORD_RECOMPUTE)
        s->precision = (precision)(PRECISION_FP32 + w - WORD_PRECISION);
    if (w >= WORD_RECOMPUTE && w < WORD_SCHEDULE)
        s->recompute = (recomputation)(w - WORD_RECOMPUTE);
    if (w >= WORD_SCHEDULE) s->schedule = (pipeline_kind)(w - WORD_SCHEDULE);
}

/* Returns the group of a keyword. Two keywords of a group, such as `full` and `selective`, exclude
 * each other. */
static unsigned group_of(int w) {
    return w < WORD_PRECISION   ? (unsigned)w
           : w < WORD_RECOMPUTE ? WORD_PRECISION
           : w < WORD_SCHEDULE  ? WORD_RECOMPUTE
                                : WORD_SCHEDULE;
}

static bool take(strategy *s, const char *word, size_t column, uint32_t *seen,
                 strategy_fault *why) {
    const int n = number_of(word);
    char found[96], expected[160], hint[MESSAGE_HINT];
    unsigned bit;
    uint64_t v;
    int w;

    snprintf(found, sizeof found, "'%.60s'", word);
    if (parse_name(word, options, &w)) {
        bit = NUMBERS + group_of(w);
        set_word(s, w);
    } else if (n >= 0) {
        snprintf(expected, sizeof expected, "%s with a number, %" PRIu64 " to %" PRIu64,
                 numbers[n].name, numbers[n].low, numbers[n].high);
        if (!parse_unsigned(word + strlen(numbers[n].name), numbers[n].low, numbers[n].high, &v) ||
            (!strcmp(numbers[n].name, "grad") && v == 3))
            return fault(why, column, found, expected);
        *value_of(s, &numbers[n]) = v;
        bit = (unsigned)n;
    } else {
        snprintf(expected, sizeof expected,
                 "tp pp dp cp ep etp zero b m v grad split lora with a number, or sp fused "
                 "fused-loss shard all-to-all ends fp32 tf32 none selective full gpipe 1f1b dapple "
                 "interleaved zb-h1");
        (void)fault(why, column, found, expected);
        if (*message_hint(hint, word, options))
            snprintf(why->expected, sizeof why->expected, "a part of a strategy%s", hint);
        return false;
    }
    if (*seen >> bit & 1) return fault(why, column, found, "each part of a strategy once");
    *seen |= UINT32_C(1) << bit;
    return true;
}

bool strategy_parse(const char *text, strategy *s, strategy_fault *why) {
    uint32_t seen = 0;
    const char *p = text;

    *s = (strategy){ .degree = { 1, 1, 1, 1 },
                     .experts = 1,
                     .expert_tensor = 1,
                     .micro_batch = 1,
                     .micro_batches = 1,
                     .chunks = 1,
                     .gradient_bytes = 2,
                     .split = 1,
                     .schedule = PIPELINE_1F1B };
    for (;;) {
        const size_t n = strcspn(p, "."), column = (size_t)(p - text) + 1;
        char word[64];

        if (!n) return fault(why, column, "nothing", "a part of a strategy such as tp8");
        if (n >= sizeof word) return fault(why, column, "a long word", "a part such as tp8");
        memcpy(word, p, n);
        word[n] = 0;
        if (!take(s, word, column, &seen, why)) return false;
        p += n;
        if (!*p) break;
        p++;
    }
    if (s->precision != PRECISION_16 && !(seen >> number_of("grad4") & 1)) s->gradient_bytes = 4;
    if ((double)s->gradient_bytes < strategy_element_bytes(s))
        return fault(why, 1, "grad2 of 32-bit training", "grad4");
    if (s->chunks > 1 && !(seen >> (NUMBERS + WORD_SCHEDULE) & 1))
        s->schedule = PIPELINE_INTERLEAVED;
    if (s->chunks > 1 && s->schedule != PIPELINE_INTERLEAVED)
        return fault(why, 1, "chunks of a schedule that has none", "v with interleaved alone");
    if (s->degree[AXIS_PP] * s->chunks > STAGES_MOST)
        return fault(why, 1, "more than 1024 virtual stages", "pp times v of 1024 at most");
    return true;
}

bool strategy_parse_layers(const char *text, strategy *s) {
    const char *p = text;

    s->stages_given = 0;
    for (;;) {
        const size_t n = strcspn(p, ",");
        char word[16];
        uint64_t v;

        if (!n || n >= sizeof word || s->stages_given == STAGES_MOST) return false;
        memcpy(word, p, n);
        word[n] = 0;
        if (!parse_unsigned(word, 0, UINT32_MAX, &v)) return false;
        s->stage_layers[s->stages_given++] = (uint32_t)v;
        p += n;
        if (!*p) return true;
        p++;
    }
}

static void append(char to[STRATEGY_TEXT], size_t *n, const char *word) {
    if (*n < STRATEGY_TEXT)
        *n += (size_t)snprintf(to + *n, STRATEGY_TEXT - *n, "%s%s", *n ? "." : "", word);
}

const char *strategy_print(const strategy *s, char to[STRATEGY_TEXT]) {
    strategy copy = *s;
    const bool schedule = s->schedule != (s->chunks > 1 ? PIPELINE_INTERLEAVED : PIPELINE_1F1B);
    size_t n = 0;
    char word[32];

    *to = 0;
    for (unsigned i = 0; i < NUMBERS; i++) {
        const uint64_t v = *value_of(&copy, &numbers[i]);
        const bool always = !strcmp(numbers[i].name, "tp") || !strcmp(numbers[i].name, "pp") ||
                            !strcmp(numbers[i].name, "dp");
        const uint64_t usual = numbers[i].at == AT(lora) || !strcmp(numbers[i].name, "zero") ? 0
                               : !strcmp(numbers[i].name, "grad")
                                   ? (s->precision != PRECISION_16 ? 4 : 2)
                                   : 1;

        snprintf(word, sizeof word, "%s%" PRIu64, numbers[i].name, v);
        if (always || v != usual) append(to, &n, word);
    }
    if (s->sequence) append(to, &n, options[WORD_SP]);
    if (s->fused) append(to, &n, options[WORD_FUSED]);
    if (s->fused_loss) append(to, &n, options[WORD_FUSED_LOSS]);
    if (s->sharded) append(to, &n, options[WORD_SHARD]);
    if (s->exchange) append(to, &n, options[WORD_EXCHANGE]);
    if (s->ends) append(to, &n, options[WORD_ENDS]);
    if (s->precision != PRECISION_16)
        append(to, &n, options[WORD_PRECISION + s->precision - PRECISION_FP32]);
    if (s->recompute) append(to, &n, recomputation_names[s->recompute]);
    if (schedule) append(to, &n, pipeline_names[s->schedule]);
    return to;
}

/* ---- what follows from it ------------------------------------------------------------------ */

uint64_t strategy_ranks(const strategy *s) {
    uint64_t n = 1;

    for (axis a = 0; a < AXES; a++) n *= s->degree[a];
    return n;
}

double strategy_element_bytes(const strategy *s) { return s->precision == PRECISION_16 ? 2 : 4; }

double strategy_replicas(const strategy *s) {
    return (double)(s->degree[AXIS_DP] * s->degree[AXIS_CP]);
}

/* Ranks of tensor parallelism that do not divide experts hold replicas as well. */
double strategy_expert_replicas(const strategy *s) {
    return strategy_replicas(s) * (double)s->degree[AXIS_TP] /
           (double)(s->experts * s->expert_tensor);
}

double strategy_expert_parameters(const strategy *s, const layer_parameters *l) {
    return (l->experts / (double)s->expert_tensor + l->experts_whole) / (double)s->experts;
}

uint64_t strategy_expert_part(const strategy *s, axis a) {
    static const axis order[] = { AXIS_TP, AXIS_CP, AXIS_DP };
    uint64_t rest = s->experts;

    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        const uint64_t apart = order[i] == AXIS_TP ? s->expert_tensor : 1;
        const uint64_t degree = s->degree[order[i]] / apart, part = rest < degree ? rest : degree;

        if (order[i] == a) return part;
        rest /= part;
    }
    return 1;
}

double strategy_sequences(const strategy *s) {
    return (double)s->degree[AXIS_DP] * (double)s->micro_batch * (double)s->micro_batches;
}

uint64_t strategy_kv_heads(const strategy *s, const training_model *m) {
    return m->kv_heads > s->degree[AXIS_TP] ? m->kv_heads : s->degree[AXIS_TP];
}

/* Returns the layers of chunk x, when L + 2 items are divided over the chunks. The first item is
 * the embedding, and the last one is the output layer. */
static uint64_t between_ends(uint64_t layers, uint64_t chunks, uint64_t x) {
    const uint64_t all = layers + 2;

    return (x + 1) * all / chunks - x * all / chunks - (x == 0) - (x + 1 == chunks);
}

uint64_t strategy_layers(const strategy *s, const training_model *m, uint64_t x) {
    const uint64_t chunks = s->degree[AXIS_PP] * s->chunks;

    if (s->stages_given) return s->stage_layers[x];
    return s->ends ? between_ends(model_layers(m), chunks, x) : model_layers(m) / chunks;
}

uint64_t strategy_first_layer(const strategy *s, const training_model *m, uint64_t x) {
    uint64_t first = 0;

    for (uint64_t i = 0; i < x; i++) first += strategy_layers(s, m, i);
    return first;
}

double strategy_adapters(const strategy *s, const training_model *m, model_layer l) {
    const double h = (double)m->hidden, q = (double)m->head_size, a = (double)m->heads;
    const double k = (double)strategy_kv_heads(s, m), t = (double)s->degree[AXIS_TP];

    if (!s->lora || !model_layer_mixes(l) || l.only == LAYER_OF_MAMBA) return 0;
    return (double)s->lora * (h + (a + 2 * k) * q / t + a * q / t + h);
}

static void add_layer(const strategy *s, const training_model *m, uint64_t i, stage_parameters *n) {
    training_model copied = *m;

    copied.kv_heads = strategy_kv_heads(s, m);

    const layer_parameters l = model_layer_parameters(&copied, model_layer_at(m, i));
    const double dense = (l.attention + l.mlp) / (double)s->degree[AXIS_TP] + l.attention_whole +
                         l.mlp_whole + l.norms + l.router;
    const double experts = strategy_expert_parameters(s, &l);

    n->layers++;
    n->adapters += strategy_adapters(s, m, model_layer_at(m, i));
    n->dense += dense;
    n->experts += experts;
    if (dense + experts > n->largest) n->largest = dense + experts;
}

stage_parameters strategy_stage(const strategy *s, const training_model *m, uint64_t stage) {
    const uint64_t p = s->degree[AXIS_PP];
    const double t = (double)s->degree[AXIS_TP];
    const end_parameters e = model_end_parameters(m);
    stage_parameters n = { 0 };

    for (uint64_t x = stage; x < p * s->chunks; x += p) {
        const uint64_t first = strategy_first_layer(s, m, x);

        for (uint64_t i = first; i < first + strategy_layers(s, m, x); i++) add_layer(s, m, i, &n);
    }
    if (stage == 0) n.ends += e.embedding / t + e.positions;
    if (stage == p - 1) n.ends += e.norm + e.head / t + e.pooler;
    /* The last stage multiplies with its own copy of a tied embedding. */
    if (stage == p - 1 && stage && m->tied) n.ends += e.embedding / t;
    return n;
}

/* ---- whether the model divides so ---------------------------------------------------------- */

static bool divides(strategy_fault *why, const char *degree, uint64_t by, const char *what,
                    uint64_t n, const char *of) {
    if (!(n % by)) return true;
    why->column = 0;
    snprintf(why->found, sizeof why->found, "%s%" PRIu64, degree, by);
    snprintf(why->expected, sizeof why->expected,
             "a degree that divides the %" PRIu64 " %s of %.60s", n, what, of);
    return false;
}

static bool stages_fit(const strategy *s, const training_model *m, strategy_fault *why) {
    const uint64_t p = s->degree[AXIS_PP], v = s->chunks;
    uint64_t sum = 0;

    if (!s->stages_given && s->ends) {
        if (model_layers(m) + 2 >= 2 * p * v) return true;
        return fault(why, 0, "stages without a layer", "a layer or more on each, with ends");
    }
    if (!s->stages_given)
        return divides(why, v > 1 ? "pp times v of " : "pp", p * v, "layers", model_layers(m),
                       m->name);
    for (unsigned i = 0; i < s->stages_given; i++) sum += s->stage_layers[i];
    if (s->stages_given == p * v && sum == model_layers(m)) return true;
    why->column = 0;
    snprintf(why->found, sizeof why->found, "%u stages of %" PRIu64 " layers", s->stages_given,
             sum);
    snprintf(why->expected, sizeof why->expected,
             "%" PRIu64 " stages of together %" PRIu64 " layers, those of %.60s", p * v,
             model_layers(m), m->name);
    return false;
}

static bool experts_fit(const strategy *s, const training_model *m, strategy_fault *why) {
    const uint64_t t = s->degree[AXIS_TP], x = s->expert_tensor;
    const uint64_t ranks = s->degree[AXIS_DP] * s->degree[AXIS_CP] * t / x;
    uint64_t members = 1;
    bool blocks = true;

    if ((s->experts > 1 || x > 1) && !m->experts.count)
        return fault(why, 0, "ep or etp of a model without experts", "neither of them");
    if (!m->experts.count) return true;
    if (t % x) return divides(why, "etp", x, "ranks of tp", t, "the strategy");
    if (!s->fractional && !divides(why, "etp", x, "columns of an expert", m->experts.ffn, m->name))
        return false;
    if (t > 1 && !s->sequence)
        return fault(why, 0, "experts with tp and without sp",
                     "sp, without which each rank of tensor parallelism would route every token");
    if (!divides(why, "ep", s->experts, "experts", m->experts.count, m->name) ||
        !divides(why, "ep", s->experts,
                 x > 1 ? "ranks of dp x cp x tp / etp" : "ranks of dp x cp x tp", ranks,
                 "the strategy"))
        return false;
    for (axis a = 0; a < AXES; a++) {
        const uint64_t part = strategy_expert_part(s, a);

        members *= part;
        blocks = blocks && s->degree[a] / (a == AXIS_TP ? x : 1) % part == 0;
    }
    return (blocks && members == s->experts) ||
           fault(why, 0, "ep whose groups are no blocks of ranks",
                 "a part of tp, all of tp and a part of cp, or all of both and a part of dp");
}

/* Checks that each rank's tokens divide into equal parts. With sp, each rank has an equal share of
 * each part. */
static bool split_fits(const strategy *s, const training_model *m, strategy_fault *why) {
    const uint64_t tokens = s->micro_batch * m->sequence / s->degree[AXIS_CP];
    const uint64_t parts = s->split * (s->sequence ? s->degree[AXIS_TP] : 1);
    char found[32];

    if (s->split == 1) return true;
    snprintf(found, sizeof found, "split%" PRIu64, s->split);
    if (s->degree[AXIS_TP] == 1)
        return fault(why, 0, found, "tp, whose collectives go beside a part of their product");
    if (tokens % parts == 0) return true;
    return divides(why, "split", s->split, "tokens of a micro-batch on a rank",
                   tokens / (s->sequence ? s->degree[AXIS_TP] : 1), m->name);
}

/* More ranks than heads of keys: as many ranks have a copy of each. */
static bool keys_fit(strategy_fault *why, uint64_t t, const training_model *m) {
    char found[32], expected[128];

    if (t <= m->kv_heads) return divides(why, "tp", t, "kv_heads", m->kv_heads, m->name);
    if (t % m->kv_heads == 0) return true;
    snprintf(found, sizeof found, "tp%" PRIu64, t);
    snprintf(expected, sizeof expected,
             "a degree that the %" PRIu64 " kv_heads of %.60s divide, or that divides them",
             m->kv_heads, m->name);
    return fault(why, 0, found, expected);
}

/* A state passes from token to token, so a sequence is not divided. */
static bool hybrid_fits(const strategy *s, const training_model *m, strategy_fault *why) {
    if (s->degree[AXIS_CP] > 1 || s->split > 1)
        return fault(why, 0, "cp or split of a model with Mamba-2 layers", "neither of them");
    return divides(why, "tp", s->degree[AXIS_TP], "groups of Mamba-2 heads", m->mamba.groups,
                   m->name);
}

static bool dlrm_fits(const strategy *s, strategy_fault *why) {
    if (strategy_ranks(s) == s->degree[AXIS_DP]) return true;
    return fault(why, 0, "tp, pp or cp of a DLRM",
                 "dp alone: its MLPs are data parallel, and its tables dealt to all ranks");
}

bool strategy_fits(const strategy *s, const training_model *m, strategy_fault *why) {
    const uint64_t t = s->degree[AXIS_TP], c = s->degree[AXIS_CP], p = s->degree[AXIS_PP];

    if (m->kind == MODEL_DLRM) return dlrm_fits(s, why);
    if (s->schedule == PIPELINE_INTERLEAVED && s->micro_batches % p)
        return divides(why, "pp", p, "micro-batches", s->micro_batches, "an interleaved schedule");
    if (!stages_fit(s, m, why) || !experts_fit(s, m, why)) return false;
    if (*m->pattern && !hybrid_fits(s, m, why)) return false;
    if (s->lora && (m->latent.key_value_rank || s->zero == 3))
        return fault(why, 0, "lora of latent attention or with zero3", "neither of them");
    if (s->fractional) return true;
    return divides(why, "tp", t, "heads", m->heads, m->name) &&
           (m->latent.key_value_rank || keys_fit(why, t, m)) &&
           divides(why, "tp", t, "columns of the MLP", m->ffn, m->name) &&
           divides(why, "cp", c, "tokens of a sequence", m->sequence, m->name) &&
           (!s->sequence ||
            divides(why, "tp", t, "tokens of a sequence on a rank", m->sequence / c, m->name)) &&
           (!s->exchange ||
            (divides(why, "cp", c, "heads of a rank", m->heads / t, m->name) &&
             divides(why, "cp", c, "kv_heads of a rank", strategy_kv_heads(s, m) / t, m->name))) &&
           split_fits(s, m, why);
}

int strategy_refuse(const char *command, const char *what, const strategy_fault *why) {
    if (why->column)
        fprintf(stderr, "acesim %s: %s, column %zu: found %s, expected %s\n", command, what,
                why->column, why->found, why->expected);
    else
        fprintf(stderr, "acesim %s: %s: found %s, expected %s\n", command, what, why->found,
                why->expected);
    return EXIT_USAGE;
}
