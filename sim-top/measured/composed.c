/* SPDX-License-Identifier: Apache-2.0 */
/*
 * composed.c -- times of a plan's events, composed into passes and into a pipeline
 *
 * An iteration is timed in four steps: rates of the groups, operations, nodes of each stage, and
 * passes in the pipeline. A plan with few micro-batches gives the times of the passes, so the
 * number of micro-batches costs little. An unknown micro-batch is the one that is predicted to be
 * fastest.
 */
#include "composed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "npu.h"
#include "simplex.h"
#include "strategy_plan.h"

const char *const composed_names[COMPOSED_CONSTANTS] = {
    "product_efficiency", "operation_floor", "vector_factor",    "node_share",
    "nodes_share",        "replica_share",   "stage_share",      "communication_latency",
    "iteration",          "product_table",   "communication_hop"
};
const char *const composed_units[COMPOSED_CONSTANTS] = { "", "us", "",   "", "",  "",
                                                         "", "us", "ms", "", "us" };
const double composed_sheet[COMPOSED_CONSTANTS] = { 1, 0, 1, 1, 1, 1, 1, 0, 0, 0, 0 };

/* A ring step within a node, as a share of a collective's start: 5.5 of 22 us for all-reduces of 2
 * to 8 B200 (SimuMax 4dcaae51). A fit keeps this share, or that of the machine it begins with,
 * because few rows determine both times. */
static const double HOP_SHARE = 0.25;

static double hop_share(const double constant_[COMPOSED_CONSTANTS]) {
    return constant_[COMPOSED_LATENCY] > 0 && constant_[COMPOSED_HOP] > 0
               ? constant_[COMPOSED_HOP] / constant_[COMPOSED_LATENCY]
               : HOP_SHARE;
}

/* The plan for one size of a micro-batch, with the fewest micro-batches of its lists, and the lists
 * to compose. */
typedef struct variant {
    strategy s;
    strategy_plan *plan;
    pipeline few;      /* the plan's */
    pipeline lists[2]; /* of all, or of 3 p and 4 p micro-batches */
    uint64_t more;     /* micro-batches beyond these */
    double *rate; /* FLOPs a us of each operation by the table of products, before the efficiency */
    double *operation; /* us of the operations before each */
    double *launches;  /* that a host makes for the operations before each */
    double *end;       /* of the nodes of the longest stage */
    pipeline_times *times;
    double *tail; /* of each stage: behind its last pass */
} variant;

struct composed {
    measured_hardware on;
    variant *at;
    unsigned count, chosen;
    double us[COMPOSED_CONSTANTS]; /* the constants */
    double rate[GROUPS];           /* bytes a us */
    bool no_casts, no_attention;   /* left out */
};

/* ---- making -------------------------------------------------------------------------------- */

static void free_variant(variant *v) {
    strategy_plan_free(v->plan);
    pipeline_free(&v->few);
    pipeline_free(&v->lists[0]);
    pipeline_free(&v->lists[1]);
    free(v->rate);
    free(v->operation);
    free(v->launches);
    free(v->end);
    free(v->times);
    free(v->tail);
}

static int make_lists(const strategy *s, uint64_t micro_batches, pipeline *to) {
    return pipeline_make(s->schedule, (uint32_t)s->degree[AXIS_PP], (uint32_t)s->chunks,
                         (uint32_t)micro_batches, to);
}

/* Returns the peak in FLOPs a us. Linear layers may run in a format of fewer bits, but attention
 * and the output layer do not. The output layer is the product in which one dimension is the rank's
 * share of the vocabulary. */
static double peak_of(const measured_hardware *on, double vocabulary, const operation *o) {
    const double m = o->m, n = o->n, k = (double)o->flops / fmax(1, 2 * o->products * m * n);
    const bool output =
        fabs(m - vocabulary) < 1 || fabs(n - vocabulary) < 1 || fabs(k - vocabulary) < 1;

    return 1e6 *
           (on->linear_TFLOPS > 0 && !o->fused && !output ? on->linear_TFLOPS : on->peak_TFLOPS);
}

/* Returns the rate of an operation, from the table or at the peak. A product of another format
 * reaches the same share of its peak. Fused attention has a table of its own, because its scores
 * never leave the chip and a causal mask halves the work. */
static double rate_of(const measured_hardware *on, double vocabulary, const operation *o) {
    const double peak = peak_of(on, vocabulary, o);

    if (o->fused) {
        const npu n = { .attention = on->attention_table, .attention_efficiency = on->attention };
        const double share = npu_attention(&n, o);

        return share > 0 ? share * peak : peak;
    }
    if (!on->products || o->class_ != OPERATION_GEMM || o->products < 1) return peak;
    return (double)o->flops / npu_table_run_us(on->products, o) * peak /
           (on->products_TFLOPS * 1e6);
}

/* Returns the vocabulary of a rank of tensor parallelism. */
static double vocabulary_of(const variant *v) {
    return (double)v->plan->m.vocabulary / (double)v->s.degree[AXIS_TP];
}

static int make_variant(const measured_hardware *on, const training_model *m, const strategy *s,
                        variant *v) {
    const uint64_t p = s->degree[AXIS_PP], all = s->micro_batches;
    strategy few = *s;
    uint32_t most = 0;
    int rc;

    v->s = *s;
    few.micro_batches = s->schedule == PIPELINE_INTERLEAVED ? p : 1;
    rc = make_lists(&few, few.micro_batches, &v->few);
    if (rc == EXIT_OK) rc = strategy_plan_make(m, &few, &v->few, UINT64_MAX, &v->plan);
    v->more = all > 4 * p ? all - 4 * p : 0;
    if (rc == EXIT_OK) rc = make_lists(s, v->more ? 4 * p : all, &v->lists[1]);
    if (rc == EXIT_OK && v->more) rc = make_lists(s, 3 * p, &v->lists[0]);
    if (rc != EXIT_OK) return rc;
    for (uint64_t r = 0; r < p; r++)
        if (v->plan->stage[r].nodes > most) most = v->plan->stage[r].nodes;
    v->rate = calloc((size_t)v->plan->work.count + 1, sizeof *v->rate);
    v->operation = calloc((size_t)v->plan->work.count + 1, sizeof *v->operation);
    v->launches = calloc((size_t)v->plan->work.count + 1, sizeof *v->launches);
    v->end = calloc(most, sizeof *v->end);
    v->times = calloc(p * s->chunks, sizeof *v->times);
    v->tail = calloc(p, sizeof *v->tail);
    if (!v->rate || !v->operation || !v->launches || !v->end || !v->times || !v->tail)
        return message_no_memory();
    for (uint32_t i = 0; i < v->plan->work.count; i++) {
        const operation *const o = &v->plan->work.operation[i];

        v->rate[i] = rate_of(on, vocabulary_of(v), o);
        v->launches[i + 1] = v->launches[i] + (double)o->launches;
    }
    return EXIT_OK;
}

int composed_make(const measured_row *r, composed **to) {
    composed *c = *to = calloc(1, sizeof *c);
    const uint64_t all = r->strategy.micro_batches;
    int rc = EXIT_OK;

    if (!c) return message_no_memory();
    c->on = r->on;
    c->at = calloc(64, sizeof *c->at);
    if (!c->at) rc = message_no_memory();
    for (uint64_t b = 1; rc == EXIT_OK && b <= (r->any_micro_batch ? all : 1); b *= 2) {
        strategy s = r->strategy;
        strategy_fault why;

        if (all % b) continue;
        s.micro_batch *= b;
        s.micro_batches /= b;
        if (!strategy_fits(&s, &r->model, &why)) continue;
        rc = make_variant(&r->on, &r->model, &s, &c->at[c->count++]);
    }
    return rc;
}

void composed_free(composed *c) {
    if (!c) return;
    for (unsigned i = 0; i < c->count; i++) free_variant(&c->at[i]);
    free(c->at);
    free(c);
}

const strategy *composed_strategy(const composed *c) { return &c->at[c->chosen].s; }

/* ---- events -------------------------------------------------------------------------------- */

static double within(double limit, double ranks) { return ranks < limit ? ranks : limit; }

/* Ranks of a node that hold the same experts: of its neighbours along each kind of parallelism, one
 * in as many as a group of experts has there. */
static double expert_replicas_within(const strategy *s, double gpus) {
    static const axis order[] = { AXIS_TP, AXIS_CP, AXIS_DP };
    double own = 1, rest = gpus;

    for (unsigned i = 0; i < sizeof order / sizeof *order; i++) {
        const double near = within(rest, (double)s->degree[order[i]]);
        const double apart = order[i] == AXIS_TP ? (double)s->expert_tensor : 1;

        own *= fmax(1, floor(near / (apart * (double)strategy_expert_part(s, order[i]))));
        rest = fmax(1, floor(rest / near));
    }
    return own;
}

/* Tensor and context groups lie closest together, then replicas, then stages, or the other way
 * round.  A ring enters and leaves a node by the interfaces of all its members there, but no faster
 * than the links within the node. */
static void set_rates(composed *c, const strategy *s) {
    const double gpus = c->on.gpus, t = (double)s->degree[AXIS_TP];
    const double cp = (double)s->degree[AXIS_CP], d = (double)s->degree[AXIS_DP];
    const double experts = (double)(s->experts * s->expert_tensor); /* neighbours */
    const double p = (double)s->degree[AXIS_PP], groups = fmax(1, floor(gpus / t));
    const bool stages = c->on.stages_first;
    const double blocks = fmax(1, floor(gpus / (t * cp * p)));
    const double own = within(groups, stages ? cp * blocks : d * cp);
    const double link = c->us[COMPOSED_NODE] * c->on.link_GBps * 1e3;
    const double nic = c->on.nic_GBps * 1e3, far = c->us[COMPOSED_NODES] * nic;
    const double replicas = c->us[COMPOSED_REPLICAS] * nic;

    /* Ranks of a tensor group that leaves its node drive all of the node's interfaces. */
    c->rate[GROUP_TENSOR] = t <= gpus ? link : far * gpus;
    c->rate[GROUP_CONTEXT] = t * cp <= gpus ? link : far;
    c->rate[GROUP_EXPERTS] = experts <= gpus ? link : far;
    c->rate[GROUP_DATA] =
        (stages ? t * cp * p * d <= gpus : d * cp <= groups) ? link : fmin(link, replicas * own);
    c->rate[GROUP_EXPERT_TENSOR] = (double)s->expert_tensor <= gpus ? link : far;
    c->rate[GROUP_EXPERT_DATA] =
        t * d * cp <= gpus ? link : fmin(link, replicas * expert_replicas_within(s, gpus));
    c->rate[GROUP_TIED] = c->rate[GROUP_PIPELINE] =
        (double)strategy_ranks(s) <= gpus || (stages && t * cp * p <= gpus)
            ? link
            : c->us[COMPOSED_STAGES] * nic;
}

/* Bytes that casts of a product's inputs to fewer bits move. Each input is written as it is and
 * transposed, for the gradient of the weights: 2 bytes read, 2 written. Frozen weights have no
 * gradient and need the first alone. Casts of weights serve all micro-batches and are left out.
 * Adapters next to frozen weights run in 16 bits: NeMo makes them of Megatron-Core's linear layers,
 * not of Transformer Engine's (its class ParallelLinearAdapter). */
static double cast_bytes(const composed *c, const variant *v, const operation *o) {
    const bool adapter = v->s.lora && !o->frozen;
    const bool linear = o->class_ == OPERATION_GEMM && !o->fused && !adapter && o->layout < GEMM_NT;

    return linear && !c->no_casts && peak_of(&c->on, vocabulary_of(v), o) > c->on.peak_TFLOPS * 1e6
               ? (o->frozen ? 1.5 : 2) * o->left_bytes * o->products
               : 0;
}

/* Bytes of the kernel that adds a product's gradients of weights to the sum of the micro-batches:
 * the sum is read and written, the gradient is read.  0 where the product itself adds. */
static double sum_bytes(const composed *c, const variant *v, const operation *o) {
    const bool weights =
        o->class_ == OPERATION_GEMM && o->layout >= GEMM_NT && !(o->attention.heads > 0);
    const double sums = (double)(2 * v->s.gradient_bytes) / strategy_element_bytes(&v->s);

    return c->on.sums && weights ? (1 + sums) * (double)o->written_bytes : 0;
}

static void time_operations(const composed *c, variant *v) {
    const strategy_work *w = &v->plan->work;
    const bool by_table = c->us[COMPOSED_TABLE] > 0;
    const bool by_attention = (c->on.attention_table || c->on.attention > 0) && !c->no_attention;

    for (uint32_t i = 0; i < w->count; i++) {
        const operation *o = &w->operation[i];
        const double bytes = (double)(o->read_bytes + o->written_bytes);
        const double memory = bytes / (c->on.memory_GBps * 1e3);
        const double rate =
            by_table && !o->fused ? v->rate[i] : peak_of(&c->on, vocabulary_of(v), o);
        const double product = (double)o->flops / (c->us[COMPOSED_EFFICIENCY] * rate);
        const double takes = o->class_ == OPERATION_VECTOR ? c->us[COMPOSED_VECTOR] * memory
                             : by_attention && o->fused    ? (double)o->flops / v->rate[i]
                                                           : fmax(product, memory);

        const double more = cast_bytes(c, v, o) + sum_bytes(c, v, o);

        v->operation[i + 1] =
            v->operation[i] + takes + c->us[COMPOSED_VECTOR] * more / (c->on.memory_GBps * 1e3);
    }
}

static double takes(const composed *c, const variant *v, const plan_node *n) {
    const double bytes = (double)n->bytes;
    const double members = plan_members(v->plan, (plan_group)n->group), part = 1 - 1 / members;
    const double steps = members - 1;

    switch (n->kind) {
    case GRAPH_COMPUTE: return v->operation[n->first + n->operations] - v->operation[n->first];
    case GRAPH_COLLECTIVE:
        return c->us[COMPOSED_LATENCY] +
               (n->collective == ACE_ALL_REDUCE ? 2 : 1) *
                   (part * bytes / c->rate[n->group] + steps * c->us[COMPOSED_HOP]);
    case GRAPH_RECEIVE: /* of the ring of keys: its own sender is as far as it is */
        return n->group == GROUP_CONTEXT ? c->us[COMPOSED_LATENCY] + bytes / c->rate[n->group] : 0;
    default: return 0;
    }
}

/* ---- passes -------------------------------------------------------------------------------- */

static bool is_replica(const plan_node *n) {
    return n->group == GROUP_DATA || n->group == GROUP_EXPERT_DATA;
}

/* us of the host until it has launched what the node is made of. */
static double launch_us(const composed *c, const variant *v, const plan_node *n) {
    if (c->on.graphs) return 0;
    return c->us[COMPOSED_FLOOR] *
           (n->kind == GRAPH_COMPUTE ? v->launches[n->first + n->operations] - v->launches[n->first]
            : n->kind == GRAPH_COLLECTIVE ? NPU_COLLECTIVE_LAUNCH
                                          : 0);
}

/* Kernels wait for the host, which launches one after the other.  A stage that receives from
 * another one waits for its device between passes, so that the host is not ahead there.  Gathers of
 * updated parameters follow one another where nothing overlaps.  Elsewhere the next forward pass
 * hides them, except the longest. */
static void time_nodes(const composed *c, variant *v, uint32_t r) {
    const plan_stage *s = &v->plan->stage[r];
    double last = 0, host = 0, latest = 0, stream[GROUPS] = { 0 };
    uint32_t entry = 0;

    for (uint32_t i = 0; i < s->nodes; i++) {
        const plan_node *n = &s->node[i];
        const bool in_order = c->on.serial && (n->kind == GRAPH_COMPUTE ||
                                               (n->kind == GRAPH_COLLECTIVE && !is_replica(n)));
        double at = in_order ? last : 0;

        if (v->few.stages > 1 && entry < s->entries && s->entry[entry].first == i) {
            host = latest;
            entry++;
        }
        if (n->kind == GRAPH_RECEIVE && n->group == GROUP_CONTEXT)
            at = v->end[v->plan->sender[n->message]];
        for (uint32_t k = 0; k < n->parents; k++) {
            const double end = v->end[s->pool[n->parent + k]];

            if (end > at) at = end;
        }
        if (c->on.serial && is_replica(n)) at = fmax(at, stream[n->group]);
        const double launched = host + launch_us(c, v, n);

        if (launched > host) at = fmax(at, host);
        host = launched;
        v->end[i] = at + takes(c, v, n);
        if (n->kind == GRAPH_COMPUTE || n->kind == GRAPH_COLLECTIVE)
            v->end[i] = fmax(v->end[i], host);
        latest = fmax(latest, v->end[i]);
        stream[n->group] = v->end[i];
        if (in_order) last = v->end[i];
    }
}

static double end_of(const variant *v, const plan_entry *e) {
    double end = 0;

    for (unsigned i = 0; i < 2; i++)
        if (e->end[i] != PLAN_NONE && v->end[e->end[i]] > end) end = v->end[e->end[i]];
    return end;
}

/* Sets the time of each pass of a stage, without waiting for inputs, and the time after the last
 * pass. */
static void time_passes(const composed *c, variant *v) {
    for (uint32_t r = 0; r < v->few.stages; r++) {
        const plan_stage *s = &v->plan->stage[r];
        const size_t first = v->few.first[r], count = v->few.first[r + 1] - first;
        double before = 0;

        time_nodes(c, v, r);
        for (size_t i = 0; i < count; i++) {
            const pipeline_entry *e = &v->few.entry[first + i];
            pipeline_times *t = &v->times[e->chunk * v->few.stages + r];
            const double end = end_of(v, &s->entry[i]);

            *(e->pass == PIPELINE_F   ? &t->forward
              : e->pass == PIPELINE_B ? &t->backward
                                      : &t->weight) = end - before;
            before = end;
        }
        v->tail[r] = v->end[s->nodes - 1] - before;
    }
}

/* When the last stage has done all that is behind its passes.  Below 0: no memory. */
static double compose(const variant *v, const pipeline *l) {
    pipeline_result result;
    double last = 0;

    if (pipeline_run(l, v->times, 0, &result) != EXIT_OK) return -1;
    for (uint32_t r = 0; r < l->stages; r++) {
        const double end = result.span[l->first[r + 1] - 1].end + v->tail[r];

        if (end > last) last = end;
    }
    pipeline_result_free(&result);
    return last;
}

/* From a stage to the next: each rank of tensor parallelism its part, which the others then gather,
 * but where sequence parallelism wants no more. */
static double hop_us(const composed *c, const variant *v) {
    const double t = (double)v->s.degree[AXIS_TP];
    const training_model *m = &v->plan->m;
    const double part = strategy_element_bytes(&v->s) *
                        (double)(v->s.micro_batch * m->sequence * m->hidden) /
                        (double)v->s.degree[AXIS_CP] / t;
    const double send = c->us[COMPOSED_LATENCY] + part / c->rate[GROUP_PIPELINE];

    if (v->s.sequence || t < 2) return send;
    return send + c->us[COMPOSED_LATENCY] + (t - 1) * part / c->rate[GROUP_TENSOR];
}

/* Passes that hand something on, or wait for it, are longer by that. */
static void add_hops(const composed *c, variant *v) {
    const double hop = hop_us(c, v);

    for (uint64_t i = 0; v->few.stages > 1 && i < v->few.stages * v->s.chunks; i++) {
        v->times[i].forward += hop;
        v->times[i].backward += hop;
    }
}

static double variant_us(composed *c, variant *v) {
    const double p = (double)v->s.degree[AXIS_PP];
    double us, less;

    set_rates(c, &v->s);
    time_operations(c, v);
    time_passes(c, v);
    add_hops(c, v);
    us = compose(v, &v->lists[1]);
    if (us < 0 || !v->more) return us < 0 ? NAN : us;
    less = compose(v, &v->lists[0]);
    return less < 0 ? NAN : us + (double)v->more * (us - less) / p;
}

double composed_ms(composed *c, const double constant_[COMPOSED_CONSTANTS]) {
    double best = NAN;

    memcpy(c->us, constant_, sizeof c->us);
    for (unsigned i = 0; i < c->count; i++) {
        const double us = variant_us(c, &c->at[i]);

        if (isnan(us)) return NAN;
        if (us >= best) continue;
        best = us;
        c->chosen = i;
    }
    return best / 1e3 + constant_[COMPOSED_ITERATION];
}

void composed_leave_out(composed *c, bool casts, bool attention) {
    c->no_casts = casts;
    c->no_attention = attention;
}

/* ---- the fit ------------------------------------------------------------------------------- */

typedef struct fit {
    composed *const *c;
    const measured_rows *rows;
    const bool *take;
    unsigned without;
    double kept[COMPOSED_CONSTANTS]; /* values of these, and of the machine */
    double hop;                      /* as a share of the latency */
    bool near;                       /* prefers constants that are near the machine's */
} fit;

static void keep(const fit *f, double constant_[COMPOSED_CONSTANTS]) {
    for (unsigned i = 0; i < COMPOSED_CONSTANTS; i++)
        if (f->without >> i & 1) constant_[i] = f->kept[i];
}

/* A measured machine's constants are evidence, too: in logarithms, of the weight that makes a
 * constant off by half as likely as a row off by 5 %.  Few rows move them little, many rows far. */
static double distance(const fit *f, const double constant_[]) {
    const double weight = 0.05 / (2 * pow(log(1.5), 2));
    double sum = 0;

    for (unsigned i = 0; f->near && i < COMPOSED_TABLE; i++)
        if (f->kept[i] > 0) sum += pow(log(constant_[i] / f->kept[i]), 2);
    return weight * sum;
}

/* No share is above 1; a factor or a time may be anything. */
static double error_of(void *self, const double tried[]) {
    static const composed_constant shares[] = { COMPOSED_EFFICIENCY, COMPOSED_NODE, COMPOSED_NODES,
                                                COMPOSED_REPLICAS, COMPOSED_STAGES };
    const fit *f = self;
    double constant_[COMPOSED_CONSTANTS], sum = 0;
    unsigned count = 0;

    memcpy(constant_, tried, COMPOSED_TABLE * sizeof *constant_);
    constant_[COMPOSED_TABLE] = 1;
    constant_[COMPOSED_HOP] = f->hop * constant_[COMPOSED_LATENCY];
    keep(f, constant_);
    for (unsigned i = 0; i < sizeof shares / sizeof *shares; i++)
        if (constant_[shares[i]] > 1) return 1e9 * constant_[shares[i]];
    for (unsigned i = 0; i < f->rows->count; i++) {
        if (!f->take[i]) continue;
        sum += fabs(composed_ms(f->c[i], constant_) / f->rows->at[i].iteration_ms - 1);
        count++;
    }
    return count && !isnan(sum) ? (sum + distance(f, constant_)) / count : 1e9;
}

void composed_fit(composed *const *c, const measured_rows *r, const bool *take, unsigned without,
                  double constant_[COMPOSED_CONSTANTS]) {
    /* In the middle, from where all can go either way; and the same with a host that is as slow as
     * devices, or the machine that was given.  A pass that waits for its host does not say what its
     * device takes, so the error has valleys. */
    static const double start[COMPOSED_CONSTANTS] = { 0.5, 5, 1, 0.5, 0.5, 0.5, 0.5, 10, 1, 1, 0 };
    enum { SLOW_HOST = 60 };
    const bool given = constant_[COMPOSED_FLOOR] > 0;
    fit f = { .c = c,
              .rows = r,
              .take = take,
              .without = without,
              .hop = hop_share(constant_),
              .near = given };
    const simplex_problem p = {
        .constants = COMPOSED_TABLE, .rounds = 6, .steps = 400, .self = &f, .error = error_of
    };
    double best[COMPOSED_CONSTANTS], least = INFINITY;

    memcpy(f.kept, constant_, sizeof f.kept);
    memcpy(best, start, sizeof best);
    for (unsigned i = 0; i < 2; i++) {
        double tried[COMPOSED_CONSTANTS];

        memcpy(tried, start, sizeof tried);
        if (i) tried[COMPOSED_FLOOR] = SLOW_HOST;
        for (unsigned k = 0; i && given && k < COMPOSED_TABLE; k++)
            tried[k] = fmax(constant_[k], 0.02 * start[k]); /* the fit is of logarithms */
        simplex_minimise(&p, tried);
        const double error = error_of(&f, tried);

        if (error >= least) continue;
        least = error;
        memcpy(best, tried, sizeof best);
    }
    for (unsigned i = 0; i < COMPOSED_CONSTANTS; i++)
        if (best[i] < start[i] || best[i] > start[i]) constant_[i] = best[i];
    if (!(without >> COMPOSED_TABLE & 1)) constant_[COMPOSED_TABLE] = 1;
    if (!(without >> COMPOSED_HOP & 1))
        constant_[COMPOSED_HOP] = f.hop * constant_[COMPOSED_LATENCY];
}
