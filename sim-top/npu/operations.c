/* SPDX-License-Identifier: Apache-2.0 */
/*
 * operations.c -- one function for each kind of layer, which lists its operations
 *
 * All products of counts saturate at a limit, and a layer that reaches the limit is refused.
 * Operations are added to the pass that runs them: forward, weight gradient or input gradient.
 */
#include "operations.h"

#include <stdio.h>
#include <string.h>

#include "npu.h"
#include "values.h"

const char *const layer_kind_names[] = { "convolution", "linear",      "lstm",       "attention",
                                         "embedding",   "interaction", "batch_norm", "pool",
                                         "softmax",     "elementwise", NULL };

/* Flops of an element, a nonlinearity counted as one. */
enum {
    BATCH_NORM = 5,          /* two sums and a square; subtract, multiply-add */
    BATCH_NORM_BACKWARD = 9, /* two sums, one of products; the gradient's two multiply-adds */
    LSTM_CELL = 17,          /* of a hidden unit: gates 8 + 5, state 3, output 1 */
    LSTM_CELL_BACKWARD = 22, /* five gradients of products 13, four of nonlinearities 9 */
    SCORE = 5,               /* of a query, a key and a unit: two additions, tanh, dot product */
    SCORE_BACKWARD = 10,     /* the sum and its tanh again, and three gradients */
    SOFTMAX = 5,             /* maximum, subtract, exponential, sum, divide */
    SOFTMAX_BACKWARD = 2     /* with cross-entropy: subtract the target, scale */
};

static uint64_t times(uint64_t a, uint64_t b) {
    if (!a || !b) return 0;
    return a > COUNT_LIMIT / b ? COUNT_LIMIT : a * b;
}
#define TIMES3(a, b, c)    times(times(a, b), c)
#define TIMES4(a, b, c, d) times(TIMES3(a, b, c), d)

/* The counter of a layer's operations. */
typedef struct counter {
    const shape *s;
    counted_layer *l;
    uint64_t samples, element;
    bool over;
} counter;

/* Sizes in elements. */
static void add(counter *c, pass p, const char *what, operation_class class_, uint64_t flops,
                uint64_t reads, uint64_t writes, uint64_t launches) {
    const operation o = { .what = what,
                          .class_ = class_,
                          .flops = flops,
                          .read_bytes = times(reads, c->element),
                          .written_bytes = times(writes, c->element),
                          .launches = launches };

    if (o.flops >= COUNT_LIMIT || o.read_bytes >= COUNT_LIMIT || o.written_bytes >= COUNT_LIMIT ||
        launches >= COUNT_LIMIT)
        c->over = true;
    c->l->at[p][c->l->count[p]++] = o;
}

static void vector(counter *c, pass p, const char *what, uint64_t flops, uint64_t reads,
                   uint64_t writes, uint64_t launches) {
    add(c, p, what, OPERATION_VECTOR, flops, reads, writes, launches);
}

/* `copies` products, one after the other where they are launches of their own. */
static void gemm(counter *c, pass p, const char *what, uint64_t copies, uint64_t m, uint64_t n,
                 uint64_t k, uint64_t launches) {
    add(c, p, what, OPERATION_GEMM, times(2 * copies, TIMES3(m, n, k)),
        times(copies, times(m, k) + times(k, n)), TIMES3(copies, m, n), launches);
    operation *const o = &c->l->at[p][c->l->count[p] - 1];

    o->products = (double)copies;
    o->m = (double)m;
    o->n = (double)n;
    o->left_bytes = (double)times(times(m, k), c->element);
    o->right_bytes = (double)times(times(k, n), c->element);
}

/* ---- the kinds ----------------------------------------------------------------------- */

uint64_t shape_output(const shape *s, unsigned axis) {
    return (s->size[axis] + 2 * s->padding - s->kernel[axis]) / s->stride[axis] + 1;
}

static void batch_norm(counter *c, uint64_t channels, uint64_t pixels) {
    const uint64_t n = TIMES3(c->samples, channels, pixels), fused = c->s->activation + c->s->add;

    c->l->parameters += 2 * channels;
    vector(c, PASS_FORWARD, "batch norm", times(n, BATCH_NORM + fused), times(n, 2 + c->s->add), n,
           1);
    vector(c, PASS_WEIGHT, "batch norm backward", times(n, BATCH_NORM_BACKWARD + fused),
           times(n, 4), times(n, 1 + c->s->add), 1);
}

/* Counts the operations after a product of `n` elements without batch norm. */
static void epilogue(counter *c, uint64_t n) {
    const shape *s = c->s;

    if (s->bias || s->activation)
        vector(c, PASS_WEIGHT, "activation and bias backward", times(n, s->bias + s->activation),
               times(n, 1 + s->activation), s->activation ? n : 0, 1);
}

static void convolution(counter *c) {
    const shape *s = c->s;
    const uint64_t pixels = times(shape_output(s, 0), shape_output(s, 1));
    const uint64_t in = TIMES4(c->samples, s->channels, s->size[0], s->size[1]);
    const uint64_t out = TIMES3(c->samples, s->filters, pixels);
    const uint64_t depth = TIMES3(s->channels / s->groups, s->kernel[0], s->kernel[1]);
    const uint64_t weights = times(s->filters, depth), flops = TIMES3(2, out, depth);

    c->l->parameters = weights + (s->bias ? s->filters : 0);
    add(c, PASS_FORWARD, "convolution", OPERATION_CONVOLUTION, flops, in + weights, out, 1);
    if (s->batch_norm)
        batch_norm(c, s->filters, pixels);
    else
        epilogue(c, out);
    add(c, PASS_WEIGHT, "convolution weight gradient", OPERATION_CONVOLUTION, flops, in + out,
        weights, 1);
    add(c, PASS_INPUT, "convolution input gradient", OPERATION_CONVOLUTION, flops, out + weights,
        in, 1);
}

static void linear(counter *c) {
    const shape *s = c->s;
    const uint64_t m = times(c->samples, s->rows);

    c->l->parameters = times(s->inputs, s->outputs) + (s->bias ? s->outputs : 0);
    gemm(c, PASS_FORWARD, "gemm", 1, m, s->outputs, s->inputs, 1);
    epilogue(c, times(m, s->outputs));
    gemm(c, PASS_WEIGHT, "gemm weight gradient", 1, s->inputs, s->outputs, m, 1);
    gemm(c, PASS_INPUT, "gemm input gradient", 1, m, s->inputs, s->outputs, 1);
}

/* The products of all steps with the input are one GEMM; those with the state are one a step,
 * each reading the weights again. */
static void lstm(counter *c) {
    const shape *s = c->s;
    const uint64_t d = s->directions, h = s->hidden, g = 4 * h, b = c->samples;
    const uint64_t rows = times(b, s->steps), cells = times(d, s->steps);
    const uint64_t units = TIMES3(d, rows, h);

    c->l->parameters = times(d, times(g, s->inputs + h) + 2 * g); /* two biases, as cuDNN has */
    gemm(c, PASS_FORWARD, "gemm of inputs", d, rows, g, s->inputs, d);
    gemm(c, PASS_FORWARD, "gemm of states", cells, b, g, h, cells);
    /* reads both products and the state, writes the gates, the state and the output */
    vector(c, PASS_FORWARD, "lstm cell", times(units, LSTM_CELL), times(units, 9), times(units, 6),
           cells);
    /* reads the gates, both states and three gradients, writes those of gates and state */
    vector(c, PASS_WEIGHT, "lstm cell backward", times(units, LSTM_CELL_BACKWARD), times(units, 9),
           times(units, 5), cells);
    gemm(c, PASS_WEIGHT, "gemm of states backward", cells, b, h, g, cells);
    gemm(c, PASS_WEIGHT, "gemm weight gradient of inputs", d, s->inputs, g, rows, d);
    gemm(c, PASS_WEIGHT, "gemm weight gradient of states", d, h, g, rows, d);
    vector(c, PASS_WEIGHT, "bias backward", times(units, 4), times(units, 4), 0, d);
    gemm(c, PASS_INPUT, "gemm input gradient", d, rows, s->inputs, g, d);
}

/* Additive (Bahdanau) attention with a normalised score, as in GNMT. */
static void attention(counter *c) {
    const shape *s = c->s;
    const uint64_t b = c->samples, q = s->queries, k = s->keys, h = s->hidden;
    const uint64_t pairs = TIMES3(b, q, k), ends = TIMES3(b, q + k, h);

    c->l->parameters = times(2, times(h, h)) + h + 1 + h;
    gemm(c, PASS_FORWARD, "gemm of queries", 1, times(b, q), h, h, 1);
    gemm(c, PASS_FORWARD, "gemm of keys", 1, times(b, k), h, h, 1);
    vector(c, PASS_FORWARD, "scores", TIMES3(SCORE, pairs, h), ends, pairs, 1);
    vector(c, PASS_FORWARD, "softmax", times(SOFTMAX, pairs), times(2, pairs), pairs, 1);
    gemm(c, PASS_FORWARD, "gemm of contexts", b, q, h, k, 1);
    gemm(c, PASS_WEIGHT, "gemm of scores backward", b, q, k, h, 1);
    gemm(c, PASS_WEIGHT, "gemm of values backward", b, k, h, q, 1);
    vector(c, PASS_WEIGHT, "softmax backward", times(SOFTMAX, pairs), times(2, pairs), pairs, 1);
    vector(c, PASS_WEIGHT, "scores backward", TIMES3(SCORE_BACKWARD, pairs, h), ends + pairs, ends,
           1);
    gemm(c, PASS_WEIGHT, "gemm weight gradient of queries", 1, h, h, times(b, q), 1);
    gemm(c, PASS_WEIGHT, "gemm weight gradient of keys", 1, h, h, times(b, k), 1);
    gemm(c, PASS_INPUT, "gemm input gradient of queries", 1, times(b, q), h, h, 1);
    gemm(c, PASS_INPUT, "gemm input gradient of keys", 1, times(b, k), h, h, 1);
}

/* A sharded one works for the samples of all NPUs on its share of the tables, which is as many
 * rows as its own samples have in all tables. */
static void embedding(counter *c) {
    const shape *s = c->s;
    const uint64_t found = TIMES4(c->samples, s->uses, times(s->tables, s->lookups), s->width);
    const uint64_t out = s->pooled ? TIMES4(c->samples, s->uses, s->tables, s->width) : found;

    c->l->parameters = times(s->rows, s->width);
    vector(c, PASS_FORWARD, "lookup", found - out, found, out, 1);
    if (s->sharded) {
        vector(c, PASS_WEIGHT, "update", times(2, found), out + found, found, 1);
        c->l->exchanged = times(out, c->element);
    } else { /* into a dense gradient, which is cleared first */
        vector(c, PASS_WEIGHT, "clear", 0, 0, c->l->parameters, 1);
        vector(c, PASS_WEIGHT, "lookup backward", found, out + found, found, 1);
    }
}

/* Dot products of all pairs of vectors, the first of which goes along; or all vectors side by side,
 * which is a copy forward and, of the gradients, back. */
static void interaction(counter *c) {
    const shape *s = c->s;
    const uint64_t f = s->vectors, in = TIMES3(c->samples, f, s->width);

    if (s->concatenate) {
        vector(c, PASS_FORWARD, "concatenation", 0, in, in, 1);
        vector(c, PASS_INPUT, "concatenation backward", 0, in, in, 1);
        return;
    }
    const uint64_t out = times(c->samples, times(f, f - 1) / 2 + s->width);
    const uint64_t flops = times(2, times(in, f));

    add(c, PASS_FORWARD, "interaction", OPERATION_GEMM, flops, in, out, 1);
    add(c, PASS_INPUT, "interaction backward", OPERATION_GEMM, flops, out + in, in, 1);
}

static void pool(counter *c) {
    const shape *s = c->s;
    const uint64_t out = TIMES4(c->samples, s->channels, shape_output(s, 0), shape_output(s, 1));
    const uint64_t in = TIMES4(c->samples, s->channels, s->size[0], s->size[1]);

    vector(c, PASS_FORWARD, "pool", TIMES3(out, s->kernel[0], s->kernel[1]), in, out, 1);
    vector(c, PASS_INPUT, "pool backward", TIMES3(out, s->kernel[0], s->kernel[1]),
           in + times(2, out), in, 1);
}

static void softmax(counter *c) {
    const uint64_t n = TIMES3(c->samples, c->s->rows, c->s->width);

    vector(c, PASS_FORWARD, "softmax", times(n, SOFTMAX), times(n, 2), n, 1);
    vector(c, PASS_INPUT, "softmax backward", times(n, SOFTMAX_BACKWARD), n, n, 1);
}

static void elementwise(counter *c) {
    const shape *s = c->s;
    const uint64_t n = TIMES3(c->samples, s->rows, s->width);

    vector(c, PASS_FORWARD, "element-wise", times(n, s->flops), times(n, s->reads),
           times(n, s->writes), 1);
    vector(c, PASS_INPUT, "element-wise backward", times(n, s->flops),
           times(n, s->reads + s->writes), times(n, s->reads), 1);
}

static void batch_norm_alone(counter *c) {
    batch_norm(c, c->s->channels, times(c->s->size[0], c->s->size[1]));
}

bool operations_count(const shape *s, uint64_t samples, unsigned element_bytes, counted_layer *l) {
    static void (*const count[LAYER_KINDS])(
        counter *) = { convolution, linear,           lstm, attention, embedding,
                       interaction, batch_norm_alone, pool, softmax,   elementwise };
    counter c = { .s = s, .l = l, .samples = samples, .element = element_bytes };

    memset(l, 0, sizeof *l);
    count[s->kind](&c);
    return !c.over && l->parameters < COUNT_LIMIT;
}

/* ---- shapes -------------------------------------------------------------------------- */

const char *shape_problem(const shape *s, const char **accepted) {
    const bool image = s->kind == LAYER_CONVOLUTION || s->kind == LAYER_POOL;

    for (unsigned i = 0; image && i < 2; i++) {
        *accepted = "a kernel within the padded image";
        if (s->kernel[i] > s->size[i] + 2 * s->padding) return "a kernel beyond the image";
    }
    *accepted = "groups that divide channels and filters";
    if (s->kind == LAYER_CONVOLUTION && (s->channels % s->groups || s->filters % s->groups))
        return "uneven groups";
    *accepted = "bias, or batch_norm, which has one";
    if (s->kind == LAYER_CONVOLUTION && s->bias && s->batch_norm) return "two biases";
    return NULL;
}

void shape_print(const shape *s, char *to, size_t room) {
    const unsigned long long v[] = { s->channels,  s->filters,   s->size[0],   s->size[1],
                                     s->kernel[0], s->kernel[1], s->stride[0], s->stride[1] };

    switch (s->kind) {
    case LAYER_CONVOLUTION:
        snprintf(to, room, "%llu -> %llu, %llux%llu, kernel %llux%llu, stride %llux%llu", v[0],
                 v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
        return;
    case LAYER_POOL:
        snprintf(to, room, "%llu, %llux%llu, kernel %llux%llu, stride %llux%llu", v[0], v[2], v[3],
                 v[4], v[5], v[6], v[7]);
        return;
    case LAYER_BATCH_NORM: snprintf(to, room, "%llu, %llux%llu", v[0], v[2], v[3]); return;
    case LAYER_LINEAR:
        snprintf(to, room, "%llu -> %llu, %llu rows", (unsigned long long)s->inputs,
                 (unsigned long long)s->outputs, (unsigned long long)s->rows);
        return;
    case LAYER_LSTM:
        snprintf(to, room, "%llu -> %llu, %llu steps, %llu directions",
                 (unsigned long long)s->inputs, (unsigned long long)s->hidden,
                 (unsigned long long)s->steps, (unsigned long long)s->directions);
        return;
    case LAYER_ATTENTION:
        snprintf(to, room, "%llu queries, %llu keys, %llu", (unsigned long long)s->queries,
                 (unsigned long long)s->keys, (unsigned long long)s->hidden);
        return;
    case LAYER_EMBEDDING:
        snprintf(to, room, "%llu tables, %llu rows of %llu, %llu lookups",
                 (unsigned long long)s->tables, (unsigned long long)s->rows,
                 (unsigned long long)s->width, (unsigned long long)(s->uses * s->lookups));
        return;
    case LAYER_INTERACTION:
        snprintf(to, room, "%llu vectors of %llu", (unsigned long long)s->vectors,
                 (unsigned long long)s->width);
        return;
    case LAYER_SOFTMAX:
    case LAYER_ELEMENTWISE:
        snprintf(to, room, "%llu rows of %llu", (unsigned long long)s->rows,
                 (unsigned long long)s->width);
        return;
    case LAYER_KINDS: break;
    }
    snprintf(to, room, "%s", "");
}
