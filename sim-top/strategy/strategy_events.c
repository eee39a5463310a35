/* SPDX-License-Identifier: Apache-2.0 */
/* strategy_events.c -- see strategy_events.h */
#include "strategy_events.h"

#include <math.h>
#include <stdlib.h>

#include "exit_status.h"
#include "graph_engine.h"
#include "message.h"

typedef struct event {
    plan_node node; /* of the first one */
    uint64_t cycles;
} event;

struct strategy_events {
    const strategy_plan *plan;
    const placement *at;
    run_setup *setup;
    event *event;
    unsigned count, room, extended;
    uint64_t total;
    uint64_t *compute; /* cycles of the operations before each */
};

/* ---- a run of one event -------------------------------------------------------------------- */

typedef struct alone {
    strategy_plan plan; /* of one node or two a stage */
    strategy_graph *g;
    strategy_times *times;
} alone;

static int open_graph(void *self, unsigned npu, graph_reader *r) {
    return strategy_graph_open(((alone *)self)->g, npu, r);
}
static graph_words words(const void *self, uint32_t label) {
    return strategy_graph_words(((const alone *)self)->g, label);
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    strategy_graph_label(((const alone *)self)->g, number, to, room);
}

/* A collective on every stage; a message where it is sent, and where it comes. */
static bool make_stages(alone *a, const plan_node *n) {
    const uint64_t stages = a->plan.s.degree[AXIS_PP];
    const bool pipeline = n->group == GROUP_PIPELINE, forward = n->mode == MODE_FORWARD;

    a->plan.sender = calloc(stages + 1, sizeof *a->plan.sender);
    a->plan.stage = calloc(stages, sizeof *a->plan.stage);
    if (!a->plan.sender || !a->plan.stage) return false;
    for (uint64_t r = 0; r < stages; r++) {
        plan_stage *s = &a->plan.stage[r];
        const bool last = r + 1 == stages, tied = n->group == GROUP_TIED && r && !last;
        plan_node *to = s->node = calloc(2, sizeof *s->node);

        if (!to) return false;
        to[0].kind = to[1].kind = GRAPH_MARK;
        s->nodes = 2;
        a->plan.nodes += 2;
        if (n->kind == GRAPH_COLLECTIVE && !tied) to[0] = *n;
        if (n->kind == GRAPH_SEND && (!pipeline || r == (forward ? 0 : 1))) to[0] = *n;
        if (n->kind == GRAPH_SEND && (!pipeline || r == (forward ? 1 : 0))) {
            to[1] = *n;
            to[1].kind = GRAPH_RECEIVE;
        }
        for (unsigned i = 0; i < 2; i++) {
            to[i].parents = 0;
            to[i].message = pipeline ? 0 : (uint32_t)r;
        }
    }
    return true;
}

/* NULL: all goes on rings. */
static const graph_messages *messages_of(const alone *a) {
    const graph_messages *m = strategy_graph_messages(a->g);

    return m && graph_messages_count(m) ? m : NULL;
}

static int run_on(alone *a, const run_setup *s, fabric **f, graph_engine **e) {
    const graph_maker m = { .self = a,
                            .open = open_graph,
                            .window = 16,
                            .in_order = true,
                            .messages = messages_of(a),
                            .sum_bytes = cluster_memory_GBps(&s->fields.cluster) * 1e3 /
                                         s->fields.cluster.clock_MHz,
                            .words = words,
                            .label = label };
    const fabric_observer watch = strategy_times_observer(a->times);
    driver d;
    int rc = fabric_create(s, &watch, 1, f);

    if (rc == EXIT_OK) rc = graph_engine_create(&m, &s->fields, *f, e);
    if (rc != EXIT_OK) return rc;
    for (unsigned i = 0; m.messages && i < fabric_representatives(*f); i++)
        for (unsigned k = 0; k < ACE_DIMENSIONS; k++)
            fabric_expect(*f, i, k, graph_messages_bytes(m.messages, fabric_place(*f, i), k));
    d = graph_engine_driver(*e);
    rc = fabric_run(*f, &d, 0);
    if (rc == EXIT_OK) rc = graph_engine_end(*e);
    if (rc == EXIT_OK) rc = fabric_check_bytes(*f);
    return rc == EXIT_OK ? strategy_times_end(a->times) : rc;
}

/* *messages: it goes by messages, or a part of it; where it does not and `messages_only` says so, nothing is
 * run. */
static int run_alone(strategy_events *e, const plan_node *n, bool messages_only, uint64_t *cycles,
                     bool *messages) {
    alone a = { .plan = { .m = e->plan->m, .s = e->plan->s } };
    run_setup *s = e->setup;
    fabric *f = NULL;
    graph_engine *engine = NULL;
    int closed, rc = make_stages(&a, n) && strategy_work_make(&a.plan.m, &a.plan.s, &a.plan.work)
                         ? EXIT_OK
                         : message_no_memory();

    if (rc == EXIT_OK) rc = strategy_graph_create(&a.plan, e->at, &s->fields, &s->config, &a.g);
    if (rc == EXIT_OK) rc = strategy_times_create(a.g, &a.plan, &a.times);
    *messages = rc == EXIT_OK && messages_of(&a);
    if (rc == EXIT_OK && (*messages || !messages_only)) {
        s->fields.messages = messages_of(&a) != NULL;
        s->fields.apart = s->fields.messages ? strategy_graph_apart(a.g) : 0;
        rc = run_on(&a, s, &f, &engine);
        if (rc == EXIT_OK) *cycles = strategy_times_iteration(a.times);
        graph_engine_destroy(engine);
        closed = fabric_destroy(f);
        if (rc == EXIT_OK) rc = closed;
    }
    strategy_times_destroy(a.times);
    strategy_graph_destroy(a.g);
    for (uint64_t r = 0; a.plan.stage && r < a.plan.s.degree[AXIS_PP]; r++)
        free(a.plan.stage[r].node);
    free(a.plan.stage);
    free(a.plan.sender);
    strategy_work_free(&a.plan.work);
    return rc;
}

/* Messages of more than two parts repeat themselves row by row, which a run of messages does not leave out:
 * what the second part takes, each of the others takes. */
static int measure(strategy_events *e, event *x) {
    const uint64_t bytes = x->node.bytes;
    plan_node part = x->node;
    uint64_t one, two;
    bool messages = false;
    int rc = EXIT_OK;

    if (bytes > 2 * (uint64_t)EVENT_PART) {
        part.bytes = EVENT_PART;
        rc = run_alone(e, &part, true, &one, &messages);
        part.bytes = 2 * (uint64_t)EVENT_PART;
        if (rc == EXIT_OK && messages) rc = run_alone(e, &part, true, &two, &messages);
    }
    if (rc != EXIT_OK) return rc;
    if (!messages) return run_alone(e, &x->node, false, &x->cycles, &messages);
    e->extended++;
    x->cycles = two + (uint64_t)llround((double)(two - one) * (double)(bytes - part.bytes) /
                                        (double)EVENT_PART);
    return EXIT_OK;
}

/* ---- unique events ------------------------------------------------------------------------- */

static event *find(const strategy_events *e, const plan_node *n) {
    for (unsigned i = 0; i < e->count; i++) {
        const plan_node *x = &e->event[i].node;

        if (x->kind == n->kind && x->group == n->group && x->bytes == n->bytes &&
            x->collective == n->collective && x->gradient == n->gradient &&
            (n->group != GROUP_PIPELINE || x->mode == n->mode))
            return &e->event[i];
    }
    return NULL;
}

static bool is_event(const plan_node *n) {
    return n->kind == GRAPH_COLLECTIVE || n->kind == GRAPH_SEND;
}

static int add(strategy_events *e, const plan_node *n) {
    if (e->count == e->room) {
        const unsigned room = e->room ? 2 * e->room : 16;
        event *more = realloc(e->event, room * sizeof *more);

        if (!more) return message_no_memory();
        e->event = more;
        e->room = room;
    }
    e->event[e->count] = (event){ .node = *n };
    return measure(e, &e->event[e->count++]);
}

static int time_operations(strategy_events *e) {
    const strategy_work *w = &e->plan->work;

    e->compute = calloc((size_t)w->count + 1, sizeof *e->compute);
    if (!e->compute) return message_no_memory();
    for (uint32_t i = 0; i < w->count; i++)
        e->compute[i + 1] = e->compute[i] + graph_operation_cycles(&e->setup->fields,
                                                                   &w->operation[i], LANE_COMPUTE);
    return EXIT_OK;
}

int strategy_events_create(const strategy_plan *p, const placement *at, run_setup *s,
                           strategy_events **to) {
    strategy_events *e = *to = calloc(1, sizeof *e);
    int rc;

    if (!e) return message_no_memory();
    *e = (strategy_events){ .plan = p, .at = at, .setup = s };
    rc = time_operations(e);
    for (uint64_t r = 0; r < p->s.degree[AXIS_PP]; r++)
        for (uint32_t i = 0; rc == EXIT_OK && i < p->stage[r].nodes; i++) {
            const plan_node *n = &p->stage[r].node[i];

            if (!is_event(n)) continue;
            e->total++;
            if (!find(e, n)) rc = add(e, n);
        }
    return rc;
}

void strategy_events_destroy(strategy_events *e) {
    if (!e) return;
    free(e->event);
    free(e->compute);
    free(e);
}

static uint64_t takes(void *self, const plan_node *n) {
    const strategy_events *e = self;

    if (n->kind == GRAPH_COMPUTE)
        return e->compute[n->first + n->operations] - e->compute[n->first];
    return is_event(n) ? find(e, n)->cycles : 0;
}

strategy_costs strategy_events_costs(strategy_events *e) {
    return (strategy_costs){ .self = e, .takes = takes };
}

unsigned strategy_events_unique(const strategy_events *e) { return e->count; }
unsigned strategy_events_extended(const strategy_events *e) { return e->extended; }
uint64_t strategy_events_total(const strategy_events *e) { return e->total; }
