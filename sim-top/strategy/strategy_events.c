/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_events.c -- finds the distinct events of a plan, and simulates each alone
 *
 * An event becomes a small plan, which runs on a fabric of its own. Long messages are measured as
 * one part and as two, and the rest is extrapolated. A store shared by processes keeps the cycles
 * under a key that names no model and no strategy.
 */
#include "strategy_events.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "digest.h"
#include "exit_status.h"
#include "graph_run.h"
#include "message.h"
#include "values.h"

/* A run of one event alone. there: `cycles` is valid. */
typedef struct measurement {
    plan_node node;
    uint64_t cycles;
    bool there;
} measurement;

/* A unique event, as its first node of the plan. One run measures it whole, or two runs measure one
 * part and two parts. */
typedef struct event {
    plan_node node;
    uint64_t part;     /* bytes; 0: it is measured whole */
    unsigned one, two; /* indices of its measurements */
    uint64_t cycles;
} event;

struct strategy_events {
    const strategy_plan *plan;
    const strategy_graph *g;
    const placement *at;
    const stage_memory *memory;
    const machine *machine;
    const execution *execution;
    event_store *store;
    /* digest of everything that cycles depend on, without the event and its group's nodes */
    uint64_t context;
    event *event;
    measurement *measured;
    unsigned count, room, measurements, measured_room, extended;
    uint64_t total;
    uint64_t **compute; /* of each stage: cycles of the operations before each */
    double *launches;   /* of a host, for the operations before each */
};

/* ---- a run of one event -------------------------------------------------------------------- */

typedef struct alone {
    strategy_plan plan; /* the event, its receive, and a mark after both */
    strategy_graph *g;
    uint64_t *end; /* of each representative */
} alone;

static int open_graph(void *self, unsigned npu, graph_reader *r) {
    return strategy_graph_open(((alone *)self)->g, npu, r);
}
static graph_names names(const void *self, uint32_t label) {
    return strategy_graph_names(((const alone *)self)->g, label);
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    strategy_graph_label(((const alone *)self)->g, number, to, room);
}
static void marked(void *self, unsigned representative, uint32_t number, const graph_account *a) {
    (void)number;
    ((alone *)self)->end[representative] = a->now;
}

/* Makes the stages of a plan of one event: a collective is on every stage, and a message on its
 * sender and its receiver. */
static bool make_stages(alone *a, const plan_node *n) {
    const uint64_t stages = a->plan.s.degree[AXIS_PP];
    const bool pipeline = n->group == GROUP_PIPELINE, forward = n->mode == MODE_FORWARD;

    a->plan.sender = calloc(stages + 1, sizeof *a->plan.sender);
    a->plan.stage = calloc(stages, sizeof *a->plan.stage);
    if (!a->plan.sender || !a->plan.stage) return false;
    for (uint64_t r = 0; r < stages; r++) {
        plan_stage *s = &a->plan.stage[r];
        const bool last = r + 1 == stages, tied = n->group == GROUP_TIED && r && !last;
        plan_node *to = s->node = calloc(3, sizeof *s->node);

        s->pool = calloc(2, sizeof *s->pool);
        if (!to || !s->pool) return false;
        for (unsigned i = 0; i < 3; i++) to[i].kind = GRAPH_MARK;
        s->nodes = 3;
        a->plan.nodes += 3;
        if (n->kind == GRAPH_COLLECTIVE && !tied) to[0] = *n;
        if (n->kind == GRAPH_SEND && (!pipeline || r == (forward ? 0 : 1))) to[0] = *n;
        if (n->kind == GRAPH_SEND && (!pipeline || r == (forward ? 1 : 0))) {
            to[1] = *n;
            to[1].kind = GRAPH_RECEIVE;
        }
        for (unsigned i = 0; i < 2; i++) {
            to[i].parents = 0;
            to[i].message = pipeline ? 0 : (uint32_t)r;
            s->pool[i] = i;
        }
        to[2].parents = s->pooled = 2;
    }
    return true;
}

/* Returns the messages of the run; NULL: it has only rings. */
static const graph_messages *messages_of(const alone *a) {
    const graph_messages *m = strategy_graph_messages(a->g);

    return m && graph_messages_count(m) ? m : NULL;
}

static int run_on(alone *a, const strategy_events *of, const fabric_work *work, graph_run *run) {
    const graph_source m = { .self = a,
                             .open = open_graph,
                             .window = 16,
                             .in_order = true,
                             .messages = messages_of(a),
                             .sum_bytes = cluster_memory_GBps(&of->machine->cluster) * 1e3 /
                                          of->machine->cluster.clock_MHz,
                             .names = names,
                             .label = label,
                             .marked = marked };
    int rc = graph_run_create(&m, of->machine, of->execution, work, &(fabric_watch){ 0 }, run);

    if (rc != EXIT_OK) return rc;
    a->end = calloc(fabric_representatives(run->f), sizeof *a->end);
    if (!a->end) return message_no_memory();
    rc = graph_run_end(run, 0);
    return rc == EXIT_OK ? fabric_check_bytes(run->f) : rc;
}

/* Returns when the last NPU has finished its part. */
static uint64_t last_end(const alone *a, const fabric *f) {
    uint64_t last = 0;

    for (unsigned i = 0; i < fabric_representatives(f); i++)
        if (a->end[i] > last) last = a->end[i];
    return last;
}

static bool same_but_bytes(const plan_node *x, const plan_node *n) {
    return x->kind == n->kind && x->group == n->group && x->collective == n->collective &&
           x->gradient == n->gradient && (n->group != GROUP_PIPELINE || x->mode == n->mode);
}

/* Returns the node with addresses from 0 on, because equal nodes have other addresses in other
 * plans. */
static plan_node readdressed(const plan_node *n) {
    plan_node to = *n;

    to.source = 0;
    to.destination =
        n->destination == n->source ? 0 : (n->bytes + PLAN_PAGE - 1) / PLAN_PAGE * PLAN_PAGE;
    return to;
}

static int run_alone(strategy_events *e, const plan_node *n, uint64_t *cycles) {
    const plan_node node = readdressed(n);
    alone a = { .plan = { .m = e->plan->m, .s = e->plan->s } };
    const machine *on = e->machine;
    graph_run run = { 0 };
    int closed,
        rc = make_stages(&a, &node) && strategy_work_make(&a.plan.m, &a.plan.s, &a.plan.work)
                 ? EXIT_OK
                 : message_no_memory();

    if (rc == EXIT_OK) rc = strategy_graph_create(&a.plan, e->at, on, &on->config, &a.g);
    if (rc == EXIT_OK) {
        fabric_work work = { .messages = messages_of(&a) != NULL };

        strategy_graph_period(a.g, work.messages ? 1U << n->group : 0,
                              n->group == GROUP_PIPELINE || n->group == GROUP_TIED, work.period);
        rc = run_on(&a, e, &work, &run);
        if (rc == EXIT_OK) *cycles = last_end(&a, run.f);
        closed = graph_run_destroy(&run);
        if (rc == EXIT_OK) rc = closed;
    }
    free(a.end);
    strategy_graph_destroy(a.g);
    for (uint64_t r = 0; a.plan.stage && r < a.plan.s.degree[AXIS_PP]; r++) {
        free(a.plan.stage[r].node);
        free(a.plan.stage[r].pool);
    }
    free(a.plan.stage);
    free(a.plan.sender);
    strategy_work_free(&a.plan.work);
    return rc;
}

/* ---- what is measured ---------------------------------------------------------------------- */

/* Writes the key of an event. It depends on the event and its group, not on model and strategy. */
static void key_of(const strategy_events *e, const plan_node *n, char key[EVENT_KEY]) {
    const bool by_messages = strategy_graph_by_messages(e->g, (plan_group)n->group);
    const bool of_experts = n->group == GROUP_EXPERTS || n->group == GROUP_EXPERT_DATA ||
                            n->group == GROUP_EXPERT_TENSOR;
    const strategy *const s = &e->plan->s;
    const uint64_t experts =
        of_experts ? s->experts + STRATEGY_MOST * (s->expert_tensor - 1) : 0; /* parts of axes */
    uint64_t h = fnv1a(e->context, &by_messages, sizeof by_messages);

    h = fnv1a(h, &experts, sizeof experts);
    for (axis a = 0; a < AXES; a++) {
        if (!strategy_graph_along(e->g, (plan_group)n->group, a)) continue;
        h = fnv1a(h, &a, sizeof a);
        for (unsigned i = 0; i < e->at->axis[a].legs; i++) {
            const placement_leg *l = &e->at->axis[a].leg[i];
            const uint32_t leg[] = { l->dimension, l->extent, l->stride };

            h = fnv1a(h, leg, sizeof leg);
        }
    }
    snprintf(key, EVENT_KEY, "%016" PRIx64 " %s %s %s%s %" PRIu64, h,
             n->kind == GRAPH_SEND ? "send" : kind_names[n->collective], plan_group_names[n->group],
             n->group != GROUP_PIPELINE ? ""
             : n->mode == MODE_FORWARD  ? "forward"
                                        : "backward",
             n->gradient && e->plan->s.gradient_bytes == 2 ? " gradient"
             : n->gradient || e->plan->s.precision         ? " fp32"
                                                           : "",
             n->bytes);
}

/* Sets the index of the event's measurement, which is added if it is new. */
static int add_measurement(strategy_events *e, const plan_node *n, uint64_t bytes,
                           unsigned *number) {
    for (*number = 0; *number < e->measurements; ++*number) {
        const plan_node *x = &e->measured[*number].node;

        if (same_but_bytes(x, n) && x->bytes == bytes) return EXIT_OK;
    }
    if (e->measurements == e->measured_room) {
        const unsigned room = e->measured_room ? 2 * e->measured_room : 16;
        measurement *more = realloc(e->measured, room * sizeof *more);

        if (!more) return message_no_memory();
        e->measured = more;
        e->measured_room = room;
    }
    e->measured[e->measurements] = (measurement){ .node = *n };
    e->measured[e->measurements++].node.bytes = bytes;
    return EXIT_OK;
}

/* Chooses the measurements of an event. Long messages repeat row by row, and a run of messages
 * cannot skip periods. So one part and two parts are measured, and each later part takes as long as
 * the second one. When many members send at once, a part is longer, because queues fill up
 * slowly. */
static int plan_measurements(strategy_events *e, event *x) {
    const plan_node *n = &x->node;
    const uint64_t part =
        n->kind == GRAPH_SEND || n->group == GROUP_TIED ? EVENT_PART_OF_TWO : EVENT_PART;
    int rc;

    if (n->bytes > 2 * part &&
        (n->kind == GRAPH_SEND || strategy_graph_by_messages(e->g, (plan_group)n->group)))
        x->part = part;
    rc = add_measurement(e, n, x->part ? x->part : n->bytes, &x->one);
    if (rc == EXIT_OK && x->part) rc = add_measurement(e, n, 2 * x->part, &x->two);
    e->extended += x->part != 0;
    return rc;
}

/* Returns the time that does not depend on the bytes: a start, and the steps of the ring. */
static double starts_us(const strategy_events *e, const plan_node *n) {
    const cluster_runs *const of = &e->machine->cluster.runs;
    const double steps = plan_members(e->plan, (plan_group)n->group) - 1;

    if (n->kind == GRAPH_SEND) return of->start_us;
    return of->start_us + (n->collective == ACE_ALL_REDUCE ? 2 : 1) * steps * of->hop_us;
}

/* Returns the factor of the time on links between nodes. Measured times have the replicas' share of
 * the bandwidth, and other groups may have another share. */
static double stretch(const strategy_events *e, const plan_node *n) {
    const cluster_runs *const of = &e->machine->cluster.runs;
    const bool stages = n->group == GROUP_PIPELINE || n->group == GROUP_TIED;
    const bool replicas = n->group == GROUP_DATA || n->group == GROUP_EXPERT_DATA;
    bool far = false;

    for (axis a = 0; a < AXES; a++)
        for (unsigned i = 0; i < e->at->axis[a].legs; i++)
            far |= e->at->axis[a].leg[i].dimension &&
                   strategy_graph_along(e->g, (plan_group)n->group, a);
    if (!far || replicas) return 1;
    return of->replica_share / (stages ? of->stage_share : of->nodes_share);
}

static void extrapolate(const strategy_events *e, event *x) {
    const uint64_t one = e->measured[x->one].cycles,
                   two = x->part ? e->measured[x->two].cycles : one;

    x->cycles = two;
    if (x->part)
        x->cycles += (uint64_t)llround(((double)two - (double)one) *
                                       (double)(x->node.bytes - 2 * x->part) / (double)x->part);
    x->cycles = (uint64_t)llround((double)x->cycles * stretch(e, &x->node) +
                                  starts_us(e, &x->node) * e->machine->cluster.clock_MHz);
}

static int measure(strategy_events *e, measurement *x) {
    char key[EVENT_KEY];
    int rc = EXIT_OK;

    key_of(e, &x->node, key);
    if (e->store) rc = event_store_look(e->store, key, &x->there, &x->cycles);
    if (rc != EXIT_OK || x->there) return rc;
    rc = run_alone(e, &x->node, &x->cycles);
    x->there = rc == EXIT_OK;
    return e->store && x->there ? event_store_keep(e->store, key, x->cycles) : rc;
}

/* Processes with the same events begin at different ones, so each finds events that others have
 * measured meanwhile. */
static int measure_all(strategy_events *e) {
    const unsigned first =
        e->store && e->measurements ? (unsigned)getpid() * 7919U % e->measurements : 0;
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < e->measurements; i++)
        rc = measure(e, &e->measured[(first + i) % e->measurements]);
    for (unsigned i = 0; rc == EXIT_OK && i < e->count; i++) extrapolate(e, &e->event[i]);
    return rc;
}

/* ---- unique events ------------------------------------------------------------------------- */

static event *find(const strategy_events *e, const plan_node *n) {
    for (unsigned i = 0; i < e->count; i++)
        if (same_but_bytes(&e->event[i].node, n) && e->event[i].node.bytes == n->bytes)
            return &e->event[i];
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
    return plan_measurements(e, &e->event[e->count++]);
}

static int time_operations(strategy_events *e) {
    const strategy_work *w = &e->plan->work;
    const double clock_MHz = e->machine->cluster.clock_MHz;

    e->compute = calloc(e->memory->stages, sizeof *e->compute);
    e->launches = calloc((size_t)w->count + 1, sizeof *e->launches);
    if (!e->compute || !e->launches) return message_no_memory();
    for (uint32_t i = 0; i < w->count; i++)
        e->launches[i + 1] = e->launches[i] + (double)w->operation[i].launches;
    for (uint32_t r = 0; r < e->memory->stages; r++) {
        uint64_t *const to = e->compute[r] = calloc((size_t)w->count + 1, sizeof *to);

        if (!to) return message_no_memory();
        for (uint32_t i = 0; i < w->count; i++)
            to[i + 1] = to[i] + graph_operation_cycles_on(&e->memory->stage[r].npu, clock_MHz,
                                                          &w->operation[i], LANE_COMPUTE);
        /* The time of an iteration outside its parts is added to the optimizer. */
        const uint32_t update = w->update[r].first + w->update[r].count;

        for (uint32_t i = update; w->update[r].count && i <= w->count; i++)
            to[i] += (uint64_t)llround(e->machine->cluster.runs.iteration_us * clock_MHz);
    }
    return EXIT_OK;
}

int strategy_events_create(const strategy_plan *p, const strategy_graph *g, const placement *at,
                           const stage_memory *m, const machine *on, const execution *how,
                           event_store *store, uint64_t context, strategy_events **to) {
    strategy_events *e = *to = calloc(1, sizeof *e);
    int rc;

    if (!e) return message_no_memory();
    *e = (strategy_events){ .plan = p,
                            .g = g,
                            .at = at,
                            .memory = m,
                            .machine = on,
                            .execution = how,
                            .store = store,
                            .context = context };
    rc = time_operations(e);
    for (uint64_t r = 0; r < p->s.degree[AXIS_PP]; r++)
        for (uint32_t i = 0; rc == EXIT_OK && i < p->stage[r].nodes; i++) {
            const plan_node *n = &p->stage[r].node[i];

            if (!is_event(n)) continue;
            e->total++;
            if (!find(e, n)) rc = add(e, n);
        }
    return rc == EXIT_OK ? measure_all(e) : rc;
}

void strategy_events_destroy(strategy_events *e) {
    if (!e) return;
    free(e->event);
    free(e->measured);
    for (uint32_t r = 0; e->compute && r < e->memory->stages; r++) free(e->compute[r]);
    free(e->compute);
    free(e->launches);
    free(e);
}

static uint64_t takes(void *self, uint32_t stage, const plan_node *n) {
    const strategy_events *e = self;

    if (n->kind == GRAPH_COMPUTE)
        return e->compute[stage][n->first + n->operations] - e->compute[stage][n->first];
    return is_event(n) ? find(e, n)->cycles : 0;
}

static uint64_t launch(void *self, const plan_node *n) {
    const strategy_events *e = self;
    const double host_us = e->machine->cluster.npu.host_us;
    const double kernels = n->kind == GRAPH_COMPUTE
                               ? e->launches[n->first + n->operations] - e->launches[n->first]
                           : n->kind == GRAPH_COLLECTIVE ? NPU_COLLECTIVE_LAUNCH
                                                         : 0;

    return (uint64_t)llround(kernels * host_us * e->machine->cluster.clock_MHz);
}

/* Returns whether members of the node's group differ along dimensions that share one interface. */
static bool on_interface(const strategy_events *e, const plan_node *n) {
    const unsigned shared = cluster_shared(&e->machine->cluster);

    for (axis a = 0; a < AXES; a++)
        for (unsigned i = 0; i < e->at->axis[a].legs; i++)
            if (shared >> e->at->axis[a].leg[i].dimension & 1 &&
                strategy_graph_along(e->g, (plan_group)n->group, a))
                return true;
    return false;
}

static bool in_queue(void *self, const plan_node *n) {
    const strategy_events *e = self;

    if (e->machine->cluster.endpoint == ENDPOINT_IDEAL) return on_interface(e, n);
    return !strategy_graph_by_messages(e->g, (plan_group)n->group);
}

enum { CHUNKS_IN_FLIGHT = 64 }; /* of the scheduler, and of a software endpoint */

/* The ideal endpoint queues collectives by group. If dimensions share an interface, all collectives
 * share a queue. */
static strategy_queue queue_of(const cluster *c) {
    return c->endpoint == ENDPOINT_IDEAL && !cluster_shared(c) ? QUEUE_BY_GROUP
           : c->order == CLUSTER_FIFO                          ? QUEUE_FIFO
                                                               : QUEUE_LIFO;
}

strategy_costs strategy_events_costs(strategy_events *e) {
    return (strategy_costs){ .self = e,
                             .takes = takes,
                             .launch = launch,
                             .in_queue = in_queue,
                             .queue = queue_of(&e->machine->cluster),
                             .in_flight = e->machine->cluster.endpoint == ENDPOINT_IDEAL
                                              ? 1
                                              : (uint64_t)CHUNKS_IN_FLIGHT *
                                                    e->machine->config.chunk_rows * ACE_ROW_BYTES };
}

unsigned strategy_events_unique(const strategy_events *e) { return e->count; }
unsigned strategy_events_extended(const strategy_events *e) { return e->extended; }
uint64_t strategy_events_total(const strategy_events *e) { return e->total; }
