/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training_graph.c -- makes a schedule's steps into graph nodes, one at a time
 *
 * The parents of the next node of each stream are collected while steps are read. A slot stores the
 * node of its latest collective and the iteration, so a wait may refer to the previous iteration.
 */
#include "training_graph.h"

#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "message.h"

/* Ids of nodes that the next node of a stream waits for. */
typedef struct parents {
    uint64_t *at;
    unsigned count, room;
    uint64_t ahead; /* of the first wait among them */
    bool waits;     /* there is one */
} parents;

/* The latest node of a slot, and the iteration of its collective; -1: none yet. */
typedef struct latest {
    uint64_t id;
    int64_t iteration;
} latest;

typedef struct unrolling {
    const workload *w;
    const machine *machine;
    const npu_schedule *p;
    unsigned iteration, stream, step;
    uint64_t id; /* of the next node */
    uint64_t background_over;
    bool steps_over; /* the main stream's last iteration has ended */
    /* From the next call on, the next node of a stream waits only for this one. Until then the
     * parents of the last node stay valid. */
    bool follows;
    unsigned follows_stream;
    uint64_t follows_id;
    parents before[STREAMS];
    latest *slot;
    bool failed;
} unrolling;

uint32_t training_step_label(const workload *w, const step *s) {
    return (uint32_t)s->pass * w->count + s->layer;
}
uint32_t training_slot_label(const workload *w, unsigned slot) {
    return (uint32_t)PASSES * w->count + slot;
}

uint32_t training_graph_window(const npu_schedule *p) {
    /* The background of two iterations, the running collectives, and a part of the main stream. */
    return 2 * (p->steps[BACKGROUND] + 1) + p->slots + 64;
}

static void add_parent(unrolling *m, parents *p, uint64_t id) {
    if (p->count == p->room) {
        const unsigned room = p->room ? 2 * p->room : 16;
        uint64_t *at = realloc(p->at, room * sizeof *at);

        if (!at) {
            if (!m->failed) (void)message_no_memory();
            m->failed = true;
            return;
        }
        p->at = at;
        p->room = room;
    }
    p->at[p->count++] = id;
}

static void follow(unrolling *m) {
    parents *p = &m->before[m->follows_stream];

    if (!m->follows) return;
    m->follows = false;
    p->count = 0;
    p->waits = false;
    add_parent(m, p, m->follows_id);
}

static int next_id(unrolling *m, graph_node *n) {
    const parents *p = &m->before[m->stream];

    n->id = m->id++;
    n->parent = p->at;
    n->parents = p->count;
    return 1;
}

/* Returns the latest node of a slot in the step's iteration. */
static latest *slot_of(const unrolling *m, const step *s, int64_t *iteration) {
    *iteration = (int64_t)m->iteration - s->lag;
    return &m->slot[s->slot + (m->p->slot[s->slot].alternates ? *iteration & 1 : 0)];
}

static bool left_out(const unrolling *m, const step *s) {
    const bool first = !m->iteration, last = m->iteration + 1 == m->machine->iterations;

    return (s->when & NOT_FIRST && first) || (s->when & NOT_LAST && last) ||
           (s->when & ONLY_FIRST && !first) || (s->when & ONLY_LAST && !last);
}

static void wait_for(unrolling *m, const step *s) {
    parents *p = &m->before[m->stream];
    int64_t iteration;
    const latest *l = slot_of(m, s, &iteration);

    if (iteration < 0) return;
    if (l->iteration != iteration)
        m->failed = true; /* issued after the wait, which no schedule does */
    if (!p->waits) p->ahead = s->ahead;
    p->waits = true;
    add_parent(m, p, l->id);
}

static int compute(unrolling *m, const step *s, graph_node *n) {
    const layer *l = &m->w->layers[s->layer];

    *n = (graph_node){ .kind = GRAPH_COMPUTE,
                       .lane = npu_schedule_lane(m->stream),
                       .label = training_step_label(m->w, s),
                       .first_operation = &m->w->operations[l->pass[s->pass].first],
                       .operations = l->pass[s->pass].count,
                       .cycles_to_submission =
                           m->before[m->stream].waits ? m->before[m->stream].ahead : s->ahead };
    return next_id(m, n);
}

/* Returns the priority of a collective. If both streams issue in one cycle, the main stream goes
 * first. With --smallest-first the collective with the fewest bytes does. */
static uint32_t priority(const unrolling *m, const slot *what) {
    return m->machine->smallest_first ? graph_smallest_first(what->bytes) : m->stream;
}

static int issue(unrolling *m, const step *s, graph_node *n) {
    int64_t iteration;
    latest *l = slot_of(m, s, &iteration);
    const unsigned number = (unsigned)(l - m->slot);
    const slot *what = &m->p->slot[number];

    *n = (graph_node){ .kind = GRAPH_COLLECTIVE,
                       .lane = LANE_COMMUNICATION,
                       .priority = priority(m, what),
                       .label = training_slot_label(m->w, number),
                       .work = (uint64_t)iteration * m->p->slots + number,
                       .command = { .kind = what->kind,
                                    .type =
                                        m->machine->type_given ? m->machine->type : m->w->element,
                                    .op = m->machine->op,
                                    .source = what->source,
                                    .destination = what->destination,
                                    .bytes = what->bytes } };
    n->command.dim_count = npu_schedule_dims(what, m->machine, n->command.dims);
    *l = (latest){ m->id, iteration };
    return next_id(m, n);
}

static int mark(unrolling *m, uint32_t label, uint64_t ahead, graph_node *n) {
    *n = (graph_node){ .kind = GRAPH_MARK, .label = label, .cycles_to_submission = ahead };
    return next_id(m, n);
}

/* Makes a node from the step. Returns 0 if there is none. */
static int take_step(unrolling *m, const step *s, graph_node *n) {
    if (left_out(m, s)) return 0;
    switch (s->kind) {
    case STEP_COMPUTE: return compute(m, s, n);
    case STEP_ISSUE: return issue(m, s, n);
    case STEP_WAIT: wait_for(m, s); break;
    case STEP_WAIT_BACKGROUND: add_parent(m, &m->before[MAIN], m->background_over); break;
    case STEP_BACKWARD:
        return mark(m, TRAINING_MARKS * m->iteration,
                    m->before[m->stream].waits ? m->before[m->stream].ahead : s->ahead, n);
    }
    return 0;
}

/* Ends an iteration of a stream. Returns whether it made a node. */
static int end_stream(unrolling *m, graph_node *n) {
    const bool last = m->iteration + 1 == m->machine->iterations;
    const parents *p = &m->before[m->stream];
    const uint64_t ahead = p->waits ? p->ahead : 0;

    if (m->stream == BACKGROUND) {
        if (!last || !m->p->steps[BACKGROUND]) return 0;
        m->background_over = m->id;
        return mark(m, TRAINING_NO_MARK, ahead, n);
    }
    if (last && !m->steps_over) return mark(m, TRAINING_NO_MARK, ahead, n);
    if (last) { /* the run ends with its last collective and the background */
        for (unsigned i = 0; i < m->p->slots; i++)
            if (m->slot[i].iteration >= 0) add_parent(m, &m->before[MAIN], m->slot[i].id);
        if (m->p->steps[BACKGROUND]) add_parent(m, &m->before[MAIN], m->background_over);
        return mark(m, TRAINING_MARKS * m->iteration + 1, UINT64_MAX, n);
    }
    return mark(m, TRAINING_MARKS * m->iteration + 1, ahead, n);
}

/* Continues with the next stream. */
static void next_stream(unrolling *m, int any, uint64_t id) {
    m->step = 0;
    if (m->stream == BACKGROUND) {
        m->stream = MAIN;
        return;
    }
    if (m->iteration + 1 == m->machine->iterations && !m->steps_over) {
        m->steps_over = true;
        m->step = m->p->steps[MAIN];
        return;
    }
    if (any) add_parent(m, &m->before[BACKGROUND], id);
    m->stream = BACKGROUND;
    m->iteration++;
}

static int next(void *self, graph_node *n) {
    unrolling *m = self;
    int any = 0;

    follow(m);
    while (!any && !m->failed && m->iteration < m->machine->iterations) {
        const unsigned stream = m->stream;
        const bool past = m->step == m->p->steps[stream];

        any = past ? end_stream(m, n) : take_step(m, &m->p->step[stream][m->step], n);
        if (past)
            next_stream(m, any, m->id - 1);
        else
            m->step++;
        if (!any || n->kind == GRAPH_COLLECTIVE) continue;
        m->follows = true;
        m->follows_stream = stream;
        m->follows_id = n->id;
    }
    return m->failed ? -1 : any;
}

static void begin(unrolling *m) {
    m->iteration = m->step = 0;
    m->stream = BACKGROUND;
    m->id = 0;
    m->steps_over = m->follows = m->failed = false;
    for (unsigned s = 0; s < STREAMS; s++) {
        m->before[s].count = 0;
        m->before[s].waits = false;
    }
    for (unsigned i = 0; i < m->p->slots; i++) m->slot[i] = (latest){ .iteration = -1 };
}

static int again(void *self) {
    begin(self);
    return EXIT_OK;
}

static void release(void *self) {
    unrolling *m = self;

    for (unsigned s = 0; s < STREAMS; s++) free(m->before[s].at);
    free(m->slot);
    free(m);
}

int training_graph_open(const workload *w, const machine *of, const npu_schedule *p,
                        graph_reader *r) {
    unrolling *m = calloc(1, sizeof *m);

    if (m) m->slot = calloc(p->slots + 1, sizeof *m->slot);
    if (!m || !m->slot) {
        free(m);
        return message_no_memory();
    }
    m->w = w;
    m->machine = of;
    m->p = p;
    begin(m);
    *r = (graph_reader){
        .self = m, .name = w->name, .next = next, .rewind = again, .close = release
    };
    return EXIT_OK;
}
