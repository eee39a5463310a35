/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training.c -- runs the graph of training iterations and collects their times
 *
 * A completion in cycle c lets the NPU continue in cycle c + 1. An iteration ends with the main
 * stream's last step. The last iteration ends with its last collective.
 */
#include "training.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric.h"
#include "graph_engine.h"
#include "message.h"
#include "npu.h"
#include "npu_schedule.h"
#include "operations.h"
#include "processes.h"
#include "spans.h"
#include "training_graph.h"
#include "values.h"
#include "workload.h"

typedef struct npu_run {
    iteration *iteration; /* cycles of the ends, not lengths */
    graph_account before; /* at the end of the previous iteration */
} npu_run;

struct training {
    const workload *w;
    const machine *machine;
    npu_schedule schedule;
    graph_engine *engine;
    uint64_t nodes; /* of the graph */
    unsigned representatives;
    npu_run *npu;       /* for each representative of the fabric */
    iteration *longest; /* of all NPUs */
};

static int check_speed(const training *t, double speed) {
    for (unsigned i = 0; i < t->w->operation_count; i++) {
        const double cycles =
            (double)graph_operation_cycles(t->machine, &t->w->operations[i], LANE_COMPUTE);

        if (cycles / speed <= (double)NPU_MOST_CYCLES) continue;
        fprintf(stderr,
                "acesim: found a node at %g of its speed, expected more: an operation "
                "takes it above 2^38 cycles\n",
                speed);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* ---- what the engine requests -------------------------------------------------------------- */

static int open_graph(void *self, unsigned npu, graph_reader *r) {
    training *t = self;

    (void)npu; /* all NPUs have the same graph */
    return training_graph_open(t->w, t->machine, &t->schedule, r);
}

static graph_names names(const void *self, uint32_t number) {
    const training *t = self;
    const slot *s = &t->schedule.slot[number - training_slot_label(t->w, 0)];

    return (graph_names){ kind_names[s->kind], s->name };
}

static void label(const void *self, uint32_t number, char *to, size_t room) {
    const training *t = self;
    const uint32_t slots = training_slot_label(t->w, 0);

    if (number < slots) {
        snprintf(to, room, "%s %s", pass_names[number / t->w->count],
                 t->w->layers[number % t->w->count].name);
    } else if (number - slots >= t->schedule.slots) { /* comes from a timeline that was loaded */
        snprintf(to, room, "label %" PRIu32, number);
    } else {
        const graph_names w = names(self, number);

        snprintf(to, room, "%s %s", w.what, w.name);
    }
}

static void marked(void *self, unsigned representative, uint32_t mark, const graph_account *a) {
    npu_run *n = &((training *)self)->npu[representative];
    iteration *i;

    if (mark == TRAINING_NO_MARK) return;
    i = &n->iteration[mark / TRAINING_MARKS];
    if (mark % TRAINING_MARKS == 0) {
        i->forward = a->now;
        return;
    }
    i->cycles = a->now;
    i->compute = a->computing - n->before.computing;
    i->main = a->compute_lane - n->before.compute_lane;
    i->alone = a->alone - n->before.alone;
    i->launching = a->launching - n->before.launching;
    n->before = *a;
}

static double progress(const void *self, const graph_account *a) {
    return (double)a->finished / (double)((const training *)self)->nodes;
}

static void state(void *self, ace_state *s) {
    training *t = self;

    for (unsigned i = 0; i < t->representatives; i++) {
        ace_state_bytes(s, t->npu[i].iteration,
                        t->machine->iterations * sizeof *t->npu[i].iteration);
        ACE_STATE(s, t->npu[i].before);
    }
}

/* ---- making ---------------------------------------------------------------------------------- */

/* With --smallest-first each NPU issues the collective that is smallest at that moment. Rings join
 * NPUs that issue the same collective, so all NPUs must always be alike. */
static int check_alike(const training *t) {
    if (!t->machine->smallest_first || t->representatives == 1) return EXIT_OK;
    fprintf(stderr,
            "acesim: --smallest-first: found %u classes of nodes, expected nodes that fold to one: "
            "those that "
            "differ would hand over others\n",
            t->representatives);
    return EXIT_USAGE;
}

/* Counts the nodes by reading the graph once. */
static int count_nodes(training *t) {
    graph_reader r;
    graph_node n;
    int rc = open_graph(t, 0, &r), more = 0;

    if (rc != EXIT_OK) return rc;
    while ((more = r.next(r.self, &n)) > 0) t->nodes++;
    r.close(r.self);
    return more ? message_no_memory() : EXIT_OK;
}

static int make_engine(training *t, fabric *f) {
    const graph_source m = { .self = t,
                             .open = open_graph,
                             .window = training_graph_window(&t->schedule),
                             .slots = t->machine->smallest_first,
                             .has_exact_lookahead = !t->machine->smallest_first,
                             .spans = true,
                             .names = names,
                             .label = label,
                             .marked = marked,
                             .progress = progress,
                             .state = state };

    return graph_engine_create(&m, t->machine, f, &t->engine);
}

static int make(training *t, fabric *f) {
    double slowest = 0;
    int rc = npu_schedule_create(t->w, t->machine, &t->schedule);

    if (rc != EXIT_OK) return rc;
    t->representatives = fabric_representatives(f);
    t->npu = calloc(t->representatives, sizeof *t->npu);
    t->longest = calloc(t->machine->iterations, sizeof *t->longest);
    if (!t->npu || !t->longest) return message_no_memory();
    for (unsigned i = 0; i < t->representatives; i++) {
        const double speed = fabric_speed(f, i);

        t->npu[i].iteration = calloc(t->machine->iterations, sizeof *t->npu[i].iteration);
        if (!t->npu[i].iteration) return message_no_memory();
        if (!i || speed < slowest) slowest = speed;
    }
    rc = check_alike(t);
    if (rc == EXIT_OK) rc = check_speed(t, slowest);
    if (rc == EXIT_OK) rc = count_nodes(t);
    return rc == EXIT_OK ? make_engine(t, f) : rc;
}

int training_create(const workload *w, const machine *of, fabric *f, training **to) {
    training *t = calloc(1, sizeof *t);
    int rc;

    *to = NULL;
    if (!t) return message_no_memory();
    t->w = w;
    t->machine = of;
    rc = make(t, f);
    if (rc == EXIT_OK)
        *to = t;
    else
        training_destroy(t);
    return rc;
}

void training_destroy(training *t) {
    if (!t) return;
    graph_engine_destroy(t->engine);
    for (unsigned i = 0; t->npu && i < t->representatives; i++) free(t->npu[i].iteration);
    npu_schedule_free(&t->schedule);
    free(t->npu);
    free(t->longest);
    free(t);
}

driver training_driver(training *t) { return graph_engine_driver(t->engine); }

/* ---- afterwards ----------------------------------------------------------------------------- */

const spans *training_spans(const training *t, unsigned representative) {
    return graph_engine_spans(t->engine, representative);
}

/* Sets each member to the larger of both values. */
static void largest(iteration *to, const iteration *from) {
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;

    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        if (b[i] > a[i]) a[i] = b[i];
}

int training_end(training *t) {
    for (unsigned j = 0; j < t->representatives; j++)
        for (unsigned i = 0; i < t->machine->iterations; i++)
            largest(&t->longest[i], &t->npu[j].iteration[i]);
    processes_maximum((uint64_t *)t->longest,
                      t->machine->iterations * (sizeof *t->longest / sizeof(uint64_t)));
    return graph_engine_end(t->engine);
}

iteration training_iteration(const training *t, unsigned i) {
    const uint64_t before = i ? t->longest[i - 1].cycles : 0;
    iteration it = t->longest[i];

    it.cycles -= before;
    it.forward -= before;
    return it;
}

ace_command training_largest(const training *t) {
    ace_command c = { .kind = ACE_ALL_REDUCE };

    for (unsigned i = 0; i < t->schedule.slots; i++) {
        const slot *s = &t->schedule.slot[i];

        if (s->bytes <= c.bytes) continue;
        c.kind = s->kind;
        c.bytes = s->bytes;
        c.dim_count = npu_schedule_dims(s, t->machine, c.dims);
    }
    return c;
}
uint64_t training_cycles(const training *t) {
    return t->longest[t->machine->iterations - 1].cycles;
}
uint64_t training_communication(const training *t) {
    return graph_engine_account(t->engine, 0).communication;
}
