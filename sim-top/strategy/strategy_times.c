/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_times.c -- times of an iteration's nodes: recorded, composed, explained
 *
 * Recording is an observer of a run. Composing walks all stages with given costs. The endpoint's
 * queue is last-in first-out, first-in first-out, or one queue for each group. To explain a wait,
 * blame() follows the parent that ended last, back to the start of the wait. The same walk gives
 * the shares of time and the gaps of a picture.
 */
#include "strategy_times.h"

#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"
#include "processes.h"

/* The times of a representative. */
typedef struct npu_times {
    unsigned npu;
    const plan_stage *stage;
    uint64_t *began, *ended; /* of each node; ended 0: not reported, because it took no time */
} npu_times;

struct strategy_times {
    const strategy_graph *g;
    const strategy_plan *plan;
    const fabric *f;
    npu_times *npu;
    unsigned count;
    uint64_t iteration;
};

/* ---- recording ----------------------------------------------------------------------------- */

/* Makes the times of `count` NPUs: representatives of the fabric, or one NPU of each stage. */
static int make_times(strategy_times *t, unsigned count) {
    t->count = count;
    t->npu = calloc(count, sizeof *t->npu);
    if (!t->npu) return message_no_memory();
    for (unsigned i = 0; i < count; i++) {
        npu_times *n = &t->npu[i];

        n->npu = t->f ? fabric_first_node(t->f, i) : strategy_graph_npu(t->g, i);
        n->stage = &t->plan->stage[strategy_graph_stage(t->g, n->npu)];
        n->began = calloc(n->stage->nodes, sizeof *n->began);
        n->ended = calloc(n->stage->nodes, sizeof *n->ended);
        if (!n->began || !n->ended) return message_no_memory();
    }
    return EXIT_OK;
}

static int attach(void *self, struct fabric *f, const struct driver *d) {
    strategy_times *t = self;

    (void)d;
    t->f = f;
    return make_times(t, fabric_representatives(f));
}

static unsigned representative_of(const strategy_times *t, unsigned npu) {
    return t->f ? fabric_representative_of(t->f, npu) : strategy_graph_stage(t->g, npu);
}

static void worked(void *self, unsigned representative, const driver_work *w) {
    strategy_times *t = self;
    uint32_t stage;
    const uint32_t i = strategy_graph_node(t->g, w->label, &stage);

    t->npu[representative].began[i] = w->from;
    t->npu[representative].ended[i] = w->to;
}

int strategy_times_create(const strategy_graph *g, const strategy_plan *p, strategy_times **to) {
    strategy_times *t = *to = calloc(1, sizeof *t);

    if (!t) return message_no_memory();
    t->g = g;
    t->plan = p;
    return EXIT_OK;
}

void strategy_times_destroy(strategy_times *t) {
    if (!t) return;
    for (unsigned i = 0; t->npu && i < t->count; i++) {
        free(t->npu[i].began);
        free(t->npu[i].ended);
    }
    free(t->npu);
    free(t);
}

fabric_observer strategy_times_observer(strategy_times *t) {
    return (fabric_observer){ .self = t, .attach = attach, .worked = worked };
}

static uint64_t latest(const npu_times *n, const plan_node *p) {
    uint64_t at = 0;

    for (uint32_t i = 0; i < p->parents; i++) {
        const uint64_t end = n->ended[n->stage->pool[p->parent + i]];

        if (end > at) at = end;
    }
    return at;
}

int strategy_times_end(strategy_times *t) {
    for (unsigned i = 0; i < t->count; i++) {
        const npu_times *n = &t->npu[i];

        processes_maximum(n->began, n->stage->nodes);
        processes_maximum(n->ended, n->stage->nodes);
        for (uint32_t k = 0; k < n->stage->nodes; k++) {
            if (!n->ended[k]) n->began[k] = n->ended[k] = latest(n, &n->stage->node[k]);
            if (n->ended[k] > t->iteration) t->iteration = n->ended[k];
        }
    }
    return EXIT_OK;
}

/* ---- composing ----------------------------------------------------------------------------- */

/* A collective that has not ended, or a part of it that is in flight. since: when it was submitted.
 * left: its remaining cycles. in_flight: the cycles of the bytes that are in flight at a time. */
typedef struct pending {
    uint32_t node;
    uint64_t since, left, in_flight;
} pending;

/* A stage: its current node, and when its NPU, its groups and its endpoint are free. */
typedef struct composing {
    uint32_t next;
    uint64_t free, group[GROUPS], endpoint;
    uint64_t host;  /* when its host has launched all kernels so far */
    pending *stack; /* with QUEUE_LIFO: the last entry runs at `now` */
    uint32_t pendings, room;
    uint64_t now;
} composing;

/* Advances the stack to cycle `until`. */
static void serve(composing *at, uint64_t until) {
    while (at->pendings && at->now < until) {
        pending *under_way = &at->stack[at->pendings - 1];
        const uint64_t time = until - at->now;

        if (under_way->left > time) {
            under_way->left -= time;
            break;
        }
        at->now += under_way->left;
        at->pendings--;
    }
    if (at->now < until) at->now = until;
}

/* Returns the stack index of a new collective, which waits only for bytes in flight. If a
 * collective is partly in flight, that part becomes an entry of its own. */
static uint32_t stack_index(composing *at) {
    double room = 1;

    for (uint32_t k = at->pendings; k--;) {
        pending *p = &at->stack[k];
        const double needs = (double)p->left / (double)p->in_flight;
        const uint64_t flies = (uint64_t)(room * (double)p->in_flight);

        if (p->since == at->now) return k + 1; /* no byte of it is in flight */
        if (needs <= room) {
            room -= needs;
            continue;
        }
        memmove(p + 2, p + 1, (at->pendings - k - 1) * sizeof *p);
        p[1] = *p;
        p[1].left = flies;
        p->left -= flies;
        at->pendings++;
        return k + 1;
    }
    return 0;
}

/* Inserts a collective after the bytes in flight, and delays the other entries. Nodes that wait for
 * these entries come later in the stage's list, so their ends have not been used yet. */
static bool overtake(composing *at, const npu_times *n, const pending *one, uint64_t begin) {
    uint64_t end;
    uint32_t index;

    if (at->pendings + 2 > at->room) {
        const uint32_t room = 2 * at->room + 16;
        pending *more = realloc(at->stack, room * sizeof *more);

        if (!more) return false;
        at->stack = more;
        at->room = room;
    }
    serve(at, begin);
    index = stack_index(at);
    memmove(at->stack + index + 1, at->stack + index, (at->pendings - index) * sizeof *at->stack);
    at->stack[index] = *one;
    at->pendings++;
    end = at->now;
    for (uint32_t k = at->pendings; k--;) {
        end += at->stack[k].left;
        n->ended[at->stack[k].node] = end;
    }
    return true;
}

/* Returns the cycles of the bytes that are in flight at a time, for a collective of `takes`
 * cycles. */
static uint64_t flight(const strategy_costs *c, const plan_node *p, uint64_t takes) {
    const double cycles = (double)takes * (double)c->in_flight / (double)p->bytes;

    return cycles > 1 ? (uint64_t)cycles : 1;
}

/* Sets when a collective ends that was submitted when it began. Returns false when there is no
 * memory. */
static bool compose_collective(composing *at, const npu_times *n, uint32_t r, uint32_t i,
                               const strategy_costs *c) {
    const plan_node *p = &n->stage->node[i];
    const bool shared = c->queue != QUEUE_BY_GROUP && c->in_queue(c->self, p);
    uint64_t *const free = shared ? &at->endpoint : &at->group[p->group];
    const uint64_t begin = n->began[i], takes = c->takes(c->self, r, p);

    if (shared && c->queue == QUEUE_LIFO)
        return overtake(at, n, &(pending){ i, begin, takes, flight(c, p, takes) }, begin);
    *free = (*free > begin ? *free : begin) + takes;
    n->ended[i] = *free;
    return true;
}

/* Sets the times of a stage's next node. Returns false if it receives a message that has not been
 * sent, or when there is no memory, which sets *rc. */
static bool compose_node(strategy_times *t, composing *at, uint32_t r, const strategy_costs *c,
                         int *rc) {
    const npu_times *n = &t->npu[r];
    const uint32_t i = at[r].next;
    const plan_node *p = &n->stage->node[i];
    uint64_t begin = latest(n, p);

    if (p->kind == GRAPH_RECEIVE) {
        const uint32_t from = strategy_plan_from(t->plan, r, p), k = t->plan->sender[p->message];

        if (k >= at[from].next) return false;
        if (t->npu[from].ended[k] > begin) begin = t->npu[from].ended[k];
    }
    const uint64_t launches = c->launch(c->self, p);

    if (launches && at[r].host > begin) begin = at[r].host;
    at[r].host += launches;
    if (p->kind == GRAPH_COMPUTE && at[r].free > begin) begin = at[r].free;
    n->began[i] = begin; /* a collective begins when it is submitted, as in a run */
    if (p->kind == GRAPH_COLLECTIVE) {
        if (!compose_collective(&at[r], n, r, i, c)) {
            *rc = message_no_memory();
            return false;
        }
    } else {
        n->ended[i] = begin + c->takes(c->self, r, p);
        if (p->kind == GRAPH_COMPUTE && at[r].host > n->ended[i]) n->ended[i] = at[r].host;
        if (p->kind == GRAPH_COMPUTE) at[r].free = n->ended[i];
    }
    if (p->kind == GRAPH_RECEIVE && n->ended[i] > at[r].host) at[r].host = n->ended[i];
    at[r].next++;
    return true;
}

static void find_iteration(strategy_times *t) {
    for (unsigned i = 0; i < t->count; i++)
        for (uint32_t k = 0; k < t->npu[i].stage->nodes; k++)
            if (t->npu[i].ended[k] > t->iteration) t->iteration = t->npu[i].ended[k];
}

int strategy_times_compose(strategy_times *t, const strategy_costs *c) {
    const uint32_t stages = (uint32_t)t->plan->s.degree[AXIS_PP];
    composing *at = calloc(stages, sizeof *at);
    int rc = at ? make_times(t, stages) : message_no_memory();

    for (bool any = rc == EXIT_OK; any;) {
        any = false;
        for (uint32_t r = 0; r < stages; r++)
            while (at[r].next < t->npu[r].stage->nodes && compose_node(t, at, r, c, &rc))
                any = true;
        any = any && rc == EXIT_OK;
    }
    if (rc == EXIT_OK) find_iteration(t);
    for (uint32_t r = 0; at && r < stages; r++) free(at[r].stack);
    free(at);
    return rc;
}

static double apart(uint64_t a, uint64_t b) { return (double)(a > b ? a - b : b - a); }

strategy_error strategy_times_error(const strategy_times *composed, const strategy_times *run,
                                    unsigned representative, double *to) {
    const npu_times *const n = &run->npu[representative];
    const npu_times *const c = &composed->npu[strategy_graph_stage(run->g, n->npu)];
    strategy_error e = { 0 };

    for (uint32_t k = 0; k < n->stage->nodes; k++) {
        const uint8_t kind = n->stage->node[k].kind;
        const double start = apart(n->began[k], c->began[k]), end = apart(n->ended[k], c->ended[k]);

        if (kind != GRAPH_COMPUTE && kind != GRAPH_COLLECTIVE && kind != GRAPH_SEND) continue;
        if (to) {
            to[2 * e.count] = start;
            to[2 * e.count + 1] = end;
        }
        e.count++;
        e.mean += (start + end) / 2;
        if (start > e.worst) e.worst = start;
        if (end > e.worst) e.worst = end;
    }
    if (e.count) e.mean /= (double)e.count;
    return e;
}

uint64_t strategy_times_iteration(const strategy_times *t) { return t->iteration; }

/* ---- where the time went ------------------------------------------------------------------- */

/* Returns when the sender of the node's message began to send. */
static uint64_t sent_at(const strategy_times *t, const npu_times *n, const plan_node *p) {
    const unsigned from = strategy_graph_from(t->g, n->npu, p);

    return t->npu[representative_of(t, from)].began[t->plan->sender[p->message]];
}

/* Time is added to a share, and to the list of a picture if there is one. */
typedef struct gap_list gap_list;
typedef struct account {
    strategy_share share;
    gap_list *gaps; /* NULL: no picture */
} account;

static void add_gap(gap_list *l, unsigned what, uint64_t from, uint64_t to);

/* group: GROUPS is the bubble. */
static void charge(account *a, unsigned group, uint64_t low, uint64_t high) {
    *(group < GROUPS ? &a->share.exposed[group] : &a->share.bubble) += high - low;
    if (a->gaps) add_gap(a->gaps, group, low, high);
}

/* Charges the time from `low` to `high`, in which the NPU waited for node k. The node ended at
 * `high`, or was to begin then. */
static void blame(const strategy_times *t, const npu_times *n, uint32_t k, uint64_t low,
                  uint64_t high, account *to) {
    while (high > low) {
        const plan_node *p = &n->stage->node[k];
        uint64_t began = low;
        uint32_t before = PLAN_NONE;

        for (uint32_t i = 0; i < p->parents; i++) {
            const uint32_t parent = n->stage->pool[p->parent + i];

            if (before == PLAN_NONE || n->ended[parent] > n->ended[before]) before = parent;
        }
        if (before != PLAN_NONE && n->ended[before] > low) began = n->ended[before];
        if (p->kind == GRAPH_RECEIVE) {
            const uint64_t sent = sent_at(t, n, p);

            began = sent > low ? sent < high ? sent : high : low;
            charge(to, p->group, began, high);
            charge(to, GROUPS, low, began);
            return;
        }
        if (began > high) began = high;
        /* a computation that could have begun: only at the end of an iteration */
        charge(to, p->kind == GRAPH_COLLECTIVE || p->kind == GRAPH_SEND ? p->group : GROUPS, began,
               high);
        if (before == PLAN_NONE) return;
        high = began;
        k = before;
    }
}

enum { COMPUTING = GROUPS + 1 };

static void account_npu(const strategy_times *t, const npu_times *n, account *a) {
    uint64_t at = 0;

    for (uint32_t k = 0; k < n->stage->nodes; k++) {
        const plan_node *p = &n->stage->node[k];

        if (p->kind != GRAPH_COMPUTE && p->kind != GRAPH_MARK) continue;
        if (n->began[k] > at) blame(t, n, k, at, n->began[k], a);
        a->share.computing += n->ended[k] - n->began[k];
        if (a->gaps) add_gap(a->gaps, COMPUTING, n->began[k], n->ended[k]);
        if (n->ended[k] > at) at = n->ended[k];
    }
    if (t->iteration > at) charge(a, GROUPS, at, t->iteration);
}

strategy_share strategy_times_share(const strategy_times *t, unsigned representative) {
    account a = { .gaps = NULL };

    account_npu(t, &t->npu[representative], &a);
    return a.share;
}

/* ---- a picture ----------------------------------------------------------------------------- */

static const char *const gap_names[COMPUTING + 1] = {
    [GROUP_TENSOR] = "waits for tensor parallelism",
    [GROUP_CONTEXT] = "waits for context parallelism",
    [GROUP_EXPERTS] = "waits for expert parallelism",
    [GROUP_DATA] = "waits for data parallelism",
    [GROUP_EXPERT_DATA] = "waits for experts' data parallelism",
    [GROUP_EXPERT_TENSOR] = "waits for experts' tensor parallelism",
    [GROUP_TIED] = "waits for the tied embedding",
    [GROUP_PIPELINE] = "waits for a message",
    [GROUPS] = "bubble",
    [COMPUTING] = "optimizer",
};

/* The gaps of a stage. add_gap() keeps the parts between the stage's passes, which are ordered by
 * time. */
struct gap_list {
    pipeline_result *r;
    const pipeline *lists;
    uint32_t stage;
    size_t room;
    bool failed;
};

/* Adds a gap. A gap that touches the previous one, at either end, extends it. */
static void put_gap(gap_list *l, const char *what, double low, double high) {
    pipeline_result *r = l->r;
    pipeline_gap *last = r->gaps ? &r->gap[r->gaps - 1] : NULL;

    if (last && last->stage == l->stage && last->what == what &&
        !(last->end < low || high < last->start)) {
        if (low < last->start) last->start = low;
        if (high > last->end) last->end = high;
        return;
    }
    if (r->gaps == l->room) {
        const size_t room = 2 * l->room + 64;
        pipeline_gap *to = realloc(r->gap, room * sizeof *to);

        l->failed = l->failed || !to;
        if (!to) return;
        r->gap = to;
        l->room = room;
    }
    r->gap[r->gaps++] =
        (pipeline_gap){ .what = what, .stage = l->stage, .start = low, .end = high };
}

static void add_gap(gap_list *l, unsigned what, uint64_t from, uint64_t to) {
    const pipeline_span *span = l->r->span;
    const size_t past = l->lists->first[l->stage + 1];
    size_t i = l->lists->first[l->stage], high = past;
    double at = (double)from;

    while (i < high) { /* the first pass that ends after `from` */
        const size_t middle = i + (high - i) / 2;

        if (span[middle].end > at)
            high = middle;
        else
            i = middle + 1;
    }
    for (; at < (double)to; i++) {
        const double end = i < past && span[i].start < (double)to ? span[i].start : (double)to;

        if (end > at) put_gap(l, gap_names[what], at, end);
        if (i == past) return;
        if (span[i].end > at) at = span[i].end;
    }
}

static pipeline_span span_of(const npu_times *n, const plan_entry *e) {
    pipeline_span s = { 0 };
    bool any = false;

    for (uint32_t k = e->first; k < e->past; k++) {
        const plan_node *p = &n->stage->node[k];

        if (p->kind != GRAPH_COMPUTE) continue;
        if (!any) s.start = (double)n->began[k];
        any = true;
    }
    for (unsigned i = 0; i < 2; i++)
        if (e->end[i] != PLAN_NONE && (double)n->ended[e->end[i]] > s.end)
            s.end = (double)n->ended[e->end[i]];
    if (!any) s.start = s.end;
    return s;
}

int strategy_times_pipeline(const strategy_times *t, const pipeline *l, pipeline_result *r) {
    gap_list gaps = { .r = r, .lists = l };

    *r = (pipeline_result){ .makespan = (double)t->iteration,
                            .span = calloc(l->first[l->stages], sizeof *r->span),
                            .busy = calloc(l->stages, sizeof *r->busy),
                            .in_flight = calloc(l->stages, sizeof *r->in_flight) };
    if (!r->span || !r->busy || !r->in_flight) {
        pipeline_result_free(r);
        return message_no_memory();
    }
    for (uint32_t s = 0; s < l->stages; s++) {
        const unsigned npu = strategy_graph_npu(t->g, s);
        const npu_times *n = &t->npu[representative_of(t, npu)];

        for (size_t i = l->first[s]; i < l->first[s + 1]; i++) {
            r->span[i] = span_of(n, &n->stage->entry[i - l->first[s]]);
            r->busy[s] += r->span[i].end - r->span[i].start;
        }
        gaps.stage = s;
        account_npu(t, n, &(account){ .gaps = &gaps });
    }
    if (!gaps.failed) return EXIT_OK;
    pipeline_result_free(r);
    return message_no_memory();
}
