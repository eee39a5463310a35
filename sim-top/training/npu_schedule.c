/* SPDX-License-Identifier: Apache-2.0 */
/*
 * npu_schedule.c -- builds the steps of an iteration from layers or from a layer table
 *
 * A table is walked twice: the first walk makes the slots of collectives, and the second makes the
 * steps. look_ahead() then computes for each step how many cycles pass before the next command.
 */
#include "npu_schedule.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "graph_engine.h"
#include "message.h"
#include "npu.h"
#include "operations.h"
#include "values.h"
#include "workload.h"

const char *const pass_names[] = { "forward", "weight gradient", "input gradient" };

enum { NO_SLOT = -1 };

typedef struct builder {
    const workload *w;
    const machine *machine;
    npu_schedule *p;
    unsigned room[STREAMS];
    bool gathered; /* no-overlap: one all-reduce of all layers, at the end */
    bool failed;
} builder;

static void add(builder *b, unsigned stream, step s) {
    npu_schedule *p = b->p;

    if (p->steps[stream] == b->room[stream]) {
        const unsigned room = b->room[stream] ? 2 * b->room[stream] : 256;
        step *at = realloc(p->step[stream], room * sizeof *at);

        if (!at) {
            b->failed = true;
            return;
        }
        p->step[stream] = at;
        b->room[stream] = room;
    }
    p->step[stream][p->steps[stream]++] = s;
}

static void compute(builder *b, unsigned stream, unsigned layer, pass pass, uint8_t when) {
    if (b->w->layers[layer].pass[pass].count)
        add(b, stream, (step){ .kind = STEP_COMPUTE, .when = when, .layer = layer, .pass = pass });
}

static void wait_for(builder *b, unsigned stream, int slot, int8_t lag, uint8_t when) {
    if (slot != NO_SLOT)
        add(b, stream,
            (step){ .kind = STEP_WAIT, .when = when, .lag = lag, .slot = (unsigned)slot });
}

static void issue(builder *b, unsigned stream, int slot, int8_t lag, uint8_t when) {
    if (slot == NO_SLOT) return;
    add(b, stream, (step){ .kind = STEP_ISSUE, .when = when, .lag = lag, .slot = (unsigned)slot });
    if (b->gathered) wait_for(b, stream, slot, lag, when);
}

/* Adds the slot of a collective. Returns its index, or NO_SLOT if there is nothing to send. */
static int add_slot(builder *b, ace_kind kind, uint64_t bytes, const char *name, bool alternates) {
    npu_schedule *p = b->p;
    const unsigned first = p->slots;

    if (!bytes) return NO_SLOT;
    for (unsigned i = 0; i < (alternates ? 2 : 1); i++)
        p->slot[p->slots++] =
            (slot){ .kind = kind, .bytes = bytes, .name = name, .alternates = alternates };
    return (int)first;
}

/* Gives each collective its own memory. An all-to-all has a separate destination. */
static void assign_addresses(npu_schedule *p) {
    uint64_t at = 0;

    for (unsigned i = 0; i < p->slots; i++) {
        slot *s = &p->slot[i];
        const uint64_t bytes = (s->bytes + 4095) / 4096 * 4096;

        s->source = s->destination = at;
        at += bytes;
        if (s->kind != ACE_ALL_TO_ALL) continue;
        s->destination = at;
        at += bytes;
    }
}

/* Slots of the layers' all-reduces, and of the all-to-alls in both directions. */
typedef struct slots {
    int *reduce, gathered, forward, backward;
} slots;

static bool make_slots(builder *b, slots *s) {
    const workload *w = b->w;
    uint64_t exchanged = 0, all = 0;

    b->p->slot = calloc(w->count + 5, sizeof *b->p->slot);
    s->reduce = calloc(w->count, sizeof *s->reduce);
    if (!b->p->slot || !s->reduce) return false;
    for (unsigned i = 0; i < w->count; i++) {
        const layer *l = &w->layers[i];

        s->reduce[i] =
            b->gathered ? NO_SLOT : add_slot(b, ACE_ALL_REDUCE, l->bytes, l->name, false);
        all += l->bytes;
        exchanged += l->exchanged;
    }
    s->gathered = b->gathered ? add_slot(b, ACE_ALL_REDUCE, all, "all layers", false) : NO_SLOT;
    s->forward = add_slot(b, ACE_ALL_TO_ALL, exchanged, "forward", true);
    s->backward = add_slot(b, ACE_ALL_TO_ALL, exchanged, "backward", true);
    assign_addresses(b->p);
    return true;
}

static bool sharded(const workload *w, unsigned layer) { return w->layers[layer].exchanged != 0; }

static void lookups(builder *b, const slots *s, unsigned stream, int8_t lag, uint8_t when) {
    for (unsigned i = 0; i < b->w->count; i++)
        if (sharded(b->w, i)) compute(b, stream, i, PASS_FORWARD, when);
    issue(b, stream, s->forward, lag, when);
}

static void updates(builder *b, const slots *s, unsigned stream, int8_t lag, uint8_t when) {
    wait_for(b, stream, s->backward, lag, when);
    for (unsigned i = 0; i < b->w->count; i++)
        if (sharded(b->w, i)) compute(b, stream, i, PASS_WEIGHT, when);
}

/* Returns whether the layer needs the rows that the all-to-all of the embeddings brings. */
static bool awaits_exchange(const workload *w, unsigned layer) {
    return w->shaped && w->layers[layer].shape.kind == LAYER_INTERACTION;
}

static void build(builder *b, const slots *s) {
    const workload *w = b->w;
    const uint8_t once = w->optimised ? ONLY_FIRST : 0, at_last = w->optimised ? ONLY_LAST : 0;

    lookups(b, s, MAIN, 0, once);
    for (unsigned i = 0; i < w->count; i++) {
        if (sharded(w, i)) continue;
        wait_for(b, MAIN, s->reduce[i], 1, 0);
        if (awaits_exchange(w, i)) wait_for(b, MAIN, s->forward, 0, 0);
        compute(b, MAIN, i, PASS_FORWARD, 0);
    }
    add(b, MAIN, (step){ .kind = STEP_BACKWARD });
    for (unsigned i = w->count; i-- > 0;) {
        if (sharded(w, i)) continue;
        compute(b, MAIN, i, PASS_WEIGHT, 0);
        issue(b, MAIN, s->reduce[i], 0, 0);
        compute(b, MAIN, i, PASS_INPUT, 0);
        if (awaits_exchange(w, i)) issue(b, MAIN, s->backward, 0, 0);
    }
    if (w->optimised) add(b, MAIN, (step){ .kind = STEP_WAIT_BACKGROUND, .when = ONLY_LAST });
    updates(b, s, MAIN, 0, at_last);
    issue(b, MAIN, s->gathered, 0, 0);
    if (!w->optimised) return;
    updates(b, s, BACKGROUND, 1, NOT_FIRST);
    lookups(b, s, BACKGROUND, -1, NOT_LAST);
}

/* ---- a layer table ------------------------------------------------------------------------ */

enum { RUNS = 2 }; /* a forward pass, and its repetition before the backward pass */

typedef struct table_builder {
    builder *b;
    table_network on;
    unsigned members[ACE_CLUSTER_DIMENSIONS];
    int (*slot)[PASSES][RUNS]; /* for each layer */
    uint64_t
        gathered[1 << ACE_CLUSTER_DIMENSIONS]; /* no-overlap: bytes on each set of dimensions */
} table_builder;

static void table_compute(void *self, unsigned layer, pass p) {
    compute(((table_builder *)self)->b, MAIN, layer, p, 0);
}

static void table_await(void *self, unsigned layer, pass p, bool again) {
    const table_builder *t = self;

    if (!t->b->gathered) wait_for(t->b, MAIN, t->slot[layer][p][again], p == PASS_WEIGHT, 0);
}

static void table_backward(void *self) {
    add(((table_builder *)self)->b, MAIN, (step){ .kind = STEP_BACKWARD });
}

/* Returns the bytes of the command: what each member sends, or has in the end. */
static uint64_t command_bytes(const layer_table *t, const table_collective *c, unsigned members) {
    return layer_table_bytes(t, c, members) * (c->kind == ACE_ALL_GATHER ? members : 1);
}

static bool is_gathered(const table_builder *t, unsigned layer, pass p) {
    return t->b->gathered && p == PASS_WEIGHT &&
           t->b->w->table.layer[layer].collective[p].kind == ACE_ALL_REDUCE;
}

/* Adds a slot. Slots are made before the steps, because a layer waits for its weights before the
 * step that sends them. */
static void table_slot(void *self, unsigned layer, pass p, bool again) {
    table_builder *t = self;
    const layer_table *table = &t->b->w->table;
    const table_collective *c = &table->layer[layer].collective[p];
    const unsigned dims = layer_table_dims(table, &t->on, layer, p);
    const unsigned members = layer_table_members(&t->on, dims);
    const uint64_t bytes = members > 1 ? command_bytes(table, c, members) : 0;
    int *const slot = &t->slot[layer][p][again];

    if (is_gathered(t, layer, p)) {
        t->gathered[dims] += bytes;
        return;
    }
    *slot = add_slot(t->b, c->kind, bytes, t->b->w->layers[layer].name, false);
    if (*slot != NO_SLOT) t->b->p->slot[*slot].dims = dims;
}

static void table_begin(void *self, unsigned layer, pass p, bool again) {
    const table_builder *t = self;

    issue(t->b, MAIN, t->slot[layer][p][again], 0, 0);
}

static void no_compute(void *self, unsigned layer, pass p) {
    (void)self;
    (void)layer;
    (void)p;
}
static void no_await(void *self, unsigned layer, pass p, bool again) {
    (void)again;
    no_compute(self, layer, p);
}

static void issue_gathered(table_builder *t) {
    for (unsigned dims = 0; dims < 1U << ACE_CLUSTER_DIMENSIONS; dims++) {
        const int slot = add_slot(t->b, ACE_ALL_REDUCE, t->gathered[dims], "all layers", false);

        if (slot != NO_SLOT) t->b->p->slot[slot].dims = dims;
        issue(t->b, MAIN, slot, 0, 0);
    }
}

/* Builds the steps of a table's pass. The network is the cluster. */
static int build_table(builder *b) {
    const cluster *c = &b->machine->cluster;
    const layer_table *table = &b->w->table;
    const size_t slots = (size_t)b->w->count * PASSES * RUNS + (1 << ACE_CLUSTER_DIMENSIONS);
    table_builder t = { .b = b, .on = { .dims = c->sizes, .members = t.members } };
    const table_visitor steps = { &t, table_compute, table_begin, table_await, table_backward };
    const table_visitor sends = { &t, no_compute, table_slot, no_await, NULL };
    int rc;

    if (b->machine->dims_given) {
        fprintf(stderr,
                "acesim: --dims: found it with %s, expected none: the table says which dimensions "
                "its collectives are of\n",
                b->machine->workload);
        return EXIT_USAGE;
    }
    for (unsigned d = 0; d < c->sizes; d++) t.members[d] = c->ring[d];
    rc = layer_table_settle(b->machine->workload, table, &t.on);
    if (rc != EXIT_OK) return rc;
    b->p->slot = calloc(slots, sizeof *b->p->slot);
    t.slot = malloc(b->w->count * sizeof *t.slot);
    b->failed = !b->p->slot || !t.slot;
    for (unsigned i = 0; !b->failed && i < b->w->count; i++)
        for (unsigned k = 0; k < PASSES * RUNS; k++) t.slot[i][k / RUNS][k % RUNS] = NO_SLOT;
    if (!b->failed) layer_table_walk(table, &sends);
    if (!b->failed) layer_table_walk(table, &steps);
    if (!b->failed) issue_gathered(&t);
    if (!b->failed) assign_addresses(b->p);
    free(t.slot);
    return EXIT_OK;
}

uint8_t npu_schedule_dims(const slot *s, const machine *of, uint8_t dims[ACE_CLUSTER_DIMENSIONS]) {
    uint8_t count = 0;

    memcpy(dims, of->dims, ACE_CLUSTER_DIMENSIONS * sizeof *dims);
    if (!s->dims) return of->dim_count;
    for (uint8_t d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        if (s->dims >> d & 1 && of->cluster.ring[d] > 1) dims[count++] = d;
    return count;
}

graph_lane npu_schedule_lane(unsigned stream) {
    return stream == MAIN ? LANE_COMPUTE : LANE_BACKGROUND;
}

static uint64_t step_cycles(const builder *b, const step *s, unsigned stream) {
    const layer *l = &b->w->layers[s->layer];
    uint64_t sum = 0;

    for (unsigned i = 0; i < l->pass[s->pass].count; i++) {
        const uint64_t one = graph_operation_cycles(
            b->machine, &b->w->operations[l->pass[s->pass].first + i], npu_schedule_lane(stream));
        if (one > NPU_MOST_CYCLES) return UINT64_MAX;
        sum += one;
    }
    return sum;
}

/* Computes from the end how many cycles pass before the next command. A step that some iterations
 * leave out counts only for iterations that have it. */
static int look_ahead(builder *b, unsigned stream) {
    uint64_t ahead[ONLY_LAST + 1] = { 0 }; /* for each condition on the iteration */

    for (unsigned i = b->p->steps[stream]; i-- > 0;) {
        step *s = &b->p->step[stream][i];
        const uint64_t cycles = s->kind == STEP_COMPUTE ? step_cycles(b, s, stream) : 0;

        if (cycles == UINT64_MAX) {
            fprintf(stderr,
                    "acesim: %s: found a layer %s with an operation above 2^38 cycles, expected "
                    "less work or more of an NPU\n",
                    b->machine->workload, b->w->layers[s->layer].name);
            return EXIT_USAGE;
        }
        if (s->kind == STEP_ISSUE) memset(ahead, 0, sizeof ahead);
        ahead[s->when] += cycles;
        s->ahead = ahead[0] + (s->when ? ahead[s->when] : 0);
    }
    return EXIT_OK;
}

/* Refuses what the commands or their tags cannot hold. */
static int check(const builder *b) {
    const npu_schedule *p = b->p;

    if (p->slots > 65535) {
        fprintf(stderr, "acesim: %s: found %u collectives, expected at most 65535\n",
                b->machine->workload, p->slots);
        return EXIT_USAGE;
    }
    for (unsigned i = 0; i < p->slots; i++) {
        const slot *s = &p->slot[i];

        if (s->bytes <= UINT64_C(1) << 40 && s->destination < UINT64_C(1) << 47) continue;
        fprintf(stderr,
                "acesim: %s: %s: found an %s above 1 TiB, or all above 128 TiB, more than a "
                "command holds\n",
                b->machine->workload, s->name, kind_names[s->kind]);
        return EXIT_USAGE;
    }
    if (b->w->optimised && b->gathered) {
        fprintf(stderr, "acesim: the optimised loop computes in the background of communication, "
                        "expected an endpoint other than no-overlap\n");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

int npu_schedule_create(const workload *w, const machine *of, npu_schedule *p) {
    builder b = {
        .w = w, .machine = of, .p = p, .gathered = of->cluster.endpoint == ENDPOINT_NO_OVERLAP
    };
    slots s = { 0 };
    int rc = EXIT_OK;

    *p = (npu_schedule){ 0 };
    if (w->table.count) {
        rc = build_table(&b);
    } else {
        b.failed = !make_slots(&b, &s);
        if (!b.failed) build(&b, &s);
        free(s.reduce);
    }
    if (rc == EXIT_OK) rc = b.failed ? message_no_memory() : check(&b);
    for (unsigned i = 0; rc == EXIT_OK && i < STREAMS; i++) rc = look_ahead(&b, i);
    if (rc != EXIT_OK) npu_schedule_free(p);
    return rc;
}

void npu_schedule_free(npu_schedule *p) {
    for (unsigned i = 0; i < STREAMS; i++) free(p->step[i]);
    free(p->slot);
    *p = (npu_schedule){ 0 };
}
