/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_times.c -- see strategy_times.h */
#include "strategy_times.h"

#include <stdlib.h>

#include "exit_status.h"
#include "message.h"
#include "processes.h"

/* Of a representative. */
typedef struct npu_times {
    unsigned npu;
    const plan_stage *stage;
    uint64_t *began, *ended; /* of each node; ended 0: it was not told, since it took no time */
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

/* Of `count` NPUs: representatives of the fabric, or one of each stage. */
static int make_times(strategy_times *t, unsigned count) {
    t->count = count;
    t->npu = calloc(count, sizeof *t->npu);
    if (!t->npu) return message_no_memory();
    for (unsigned i = 0; i < count; i++) {
        npu_times *n = &t->npu[i];

        n->npu = t->f ? fabric_place(t->f, i) : strategy_graph_npu(t->g, i);
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

/* Of a stage: the node it has come to, and when its NPU and its groups are free. */
typedef struct composing {
    uint32_t next;
    uint64_t free, group[GROUPS];
} composing;

/* Its next node; false: what it receives is not yet sent. */
static bool compose_node(strategy_times *t, composing *at, uint32_t r, const strategy_costs *c) {
    const npu_times *n = &t->npu[r];
    const uint32_t i = at[r].next;
    const plan_node *p = &n->stage->node[i];
    uint64_t begin = latest(n, p);

    if (p->kind == GRAPH_RECEIVE) {
        const uint32_t from = strategy_plan_from(t->plan, r, p), k = t->plan->sender[p->message];

        if (k >= at[from].next) return false;
        if (t->npu[from].ended[k] > begin) begin = t->npu[from].ended[k];
    }
    if (p->kind == GRAPH_COMPUTE && at[r].free > begin) begin = at[r].free;
    n->began[i] = begin; /* a collective's is when it is handed over, as in a run */
    if (p->kind == GRAPH_COLLECTIVE && at[r].group[p->group] > begin) begin = at[r].group[p->group];
    n->ended[i] = begin + c->takes(c->self, p);
    if (p->kind == GRAPH_COMPUTE) at[r].free = n->ended[i];
    if (p->kind == GRAPH_COLLECTIVE) at[r].group[p->group] = n->ended[i];
    if (n->ended[i] > t->iteration) t->iteration = n->ended[i];
    at[r].next++;
    return true;
}

int strategy_times_compose(strategy_times *t, const strategy_costs *c) {
    const uint32_t stages = (uint32_t)t->plan->s.degree[AXIS_PP];
    composing *at = calloc(stages, sizeof *at);
    int rc = at ? make_times(t, stages) : message_no_memory();

    for (bool any = rc == EXIT_OK; any;) {
        any = false;
        for (uint32_t r = 0; r < stages; r++)
            while (at[r].next < t->npu[r].stage->nodes && compose_node(t, at, r, c)) any = true;
    }
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

/* Who sent what the node receives: when it began to. */
static uint64_t sent_at(const strategy_times *t, const npu_times *n, const plan_node *p) {
    const unsigned from = strategy_graph_from(t->g, n->npu, p);

    return t->npu[representative_of(t, from)].began[t->plan->sender[p->message]];
}

/* The time from `low` to `high`, in which the NPU waited for node k, which ended at `high` or was
 * what it wants to begin. */
static void blame(const strategy_times *t, const npu_times *n, uint32_t k, uint64_t low,
                  uint64_t high, strategy_share *to) {
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
            to->exposed[p->group] += high - began;
            to->bubble += began - low;
            return;
        }
        if (began > high) began = high;
        if (p->kind == GRAPH_COLLECTIVE || p->kind == GRAPH_SEND)
            to->exposed[p->group] += high - began;
        else
            to->bubble += high - began; /* it could have begun: nothing but the end does so */
        if (before == PLAN_NONE) return;
        high = began;
        k = before;
    }
}

strategy_share strategy_times_share(const strategy_times *t, unsigned representative) {
    const npu_times *n = &t->npu[representative];
    strategy_share share = { 0 };
    uint64_t at = 0;

    for (uint32_t k = 0; k < n->stage->nodes; k++) {
        const plan_node *p = &n->stage->node[k];

        if (p->kind != GRAPH_COMPUTE && p->kind != GRAPH_MARK) continue;
        if (n->began[k] > at) blame(t, n, k, at, n->began[k], &share);
        share.computing += n->ended[k] - n->began[k];
        if (n->ended[k] > at) at = n->ended[k];
    }
    share.bubble += t->iteration - at;
    return share;
}

/* ---- a picture ----------------------------------------------------------------------------- */

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
    }
    return EXIT_OK;
}
