/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training.c -- each NPU goes through its program
 *
 * A completion in cycle c lets the NPU go on in c + 1.  An iteration ends with the main
 * stream's last step, the last one with its last collective.
 *
 * Between two cycles in which something changes for it, an NPU is left alone: how far its
 * operations have got is worked out afterwards, from the cycles in which collectives ended.
 * What an operation makes in a cycle depends on what else goes on in it (npu.h), all in whole
 * numbers, so it does not matter how often anyone looks.
 */
#include "training.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric.h"
#include "fabric_observer.h"
#include "message.h"
#include "npu.h"
#include "npu_schedule.h"
#include "operations.h"
#include "processes.h"
#include "spans.h"
#include "values.h"
#include "workload.h"

/* Shares of the NPU: bit 0, a collective is under way; bit 1, so is background work. */
enum { SHARES = 4 };

/* Where a stream is. */
typedef struct stream {
    unsigned step, iteration;
    bool computing;
    unsigned operation; /* of the step's */
    uint64_t left;      /* of it, in cycles alone and 1 / NPU_RATE_ONE */
    uint32_t rate[SHARES];
    uint64_t began; /* the step */
} stream;

typedef struct instance {
    uint64_t issued;    /* cycle */
    uint32_t iteration; /* whose it is */
    uint32_t done;      /* iterations whose collective is over: 1 after that of iteration 0 */
    bool outstanding;
} instance;

typedef struct npu_run {
    double speed;
    uint64_t now; /* the NPU has got to here */
    stream stream[STREAMS];
    bool ended, failed;
    instance *slot;
    ace_completion *over; /* completions that were not yet looked at, in order */
    unsigned overs;
    unsigned open; /* collectives outstanding */
    uint64_t open_since, communication;
    iteration *iteration; /* ends, not lengths */
    spans spans;
} npu_run;

struct training {
    const workload *w;
    const run_fields *o;
    fabric *f;
    npu_schedule schedule;
    npu_share whole, share[SHARES]; /* of the main stream: alone, and as it is */
    unsigned representatives;
    npu_run *npu;       /* of each representative of the fabric */
    iteration *longest; /* of all NPUs */
};

static int no_memory(training *t) {
    training_destroy(t);
    return message_no_memory();
}

/* What takes an NPU of full speed `cycles` takes this one longer. */
static uint64_t paced(const npu_run *n, uint64_t cycles) {
    return (uint64_t)ceil((double)cycles / n->speed);
}

static int check_speed(const training *t, const npu_run *n) {
    for (unsigned i = 0; i < t->w->operation_count; i++) {
        const double cycles = (double)npu_schedule_cycles(t->o, &t->w->operations[i], MAIN);

        if (cycles / n->speed <= (double)NPU_MOST_CYCLES) continue;
        fprintf(stderr,
                "acesim: found a node at %g of its speed, expected more: an operation "
                "takes it above 2^38 cycles\n",
                n->speed);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

int training_create(const workload *w, const run_fields *o, fabric *f, training **to) {
    training *t = calloc(1, sizeof *t);
    int rc;

    *to = NULL;
    if (!t) return no_memory(t);
    t->w = w;
    t->o = o;
    t->f = f;
    rc = npu_schedule_create(w, o, &t->schedule);
    if (rc != EXIT_OK) {
        training_destroy(t);
        return rc;
    }
    t->whole = npu_whole(&o->cluster.npu);
    for (unsigned i = 0; i < SHARES; i++) {
        const npu_share taken =
            i & 1 ? cluster_communication(&o->cluster) : cluster_reserved(&o->cluster);

        t->share[i] = o->contention ? npu_less(t->whole, taken) : t->whole;
        if (i & 2) t->share[i] = npu_less(t->share[i], BACKGROUND_SHARE);
    }
    t->representatives = fabric_representatives(f);
    t->npu = calloc(t->representatives, sizeof *t->npu);
    t->longest = calloc(o->iterations, sizeof *t->longest);
    if (!t->npu || !t->longest) return no_memory(t);
    for (unsigned i = 0; rc == EXIT_OK && i < t->representatives; i++) {
        npu_run *n = &t->npu[i];

        n->speed = fabric_speed(f, i);
        n->slot = calloc(t->schedule.slots + 1, sizeof *n->slot);
        n->over = calloc(t->schedule.slots + 1, sizeof *n->over);
        n->iteration = calloc(o->iterations, sizeof *n->iteration);
        if (!n->slot || !n->over || !n->iteration) return no_memory(t);
        if (!i || n->speed < t->npu[i - 1].speed) rc = check_speed(t, n);
    }
    if (rc == EXIT_OK)
        *to = t;
    else
        training_destroy(t);
    return rc;
}

void training_destroy(training *t) {
    if (!t) return;
    for (unsigned i = 0; t->npu && i < t->representatives; i++) {
        npu_run *n = &t->npu[i];
        free(n->slot);
        free(n->over);
        free(n->iteration);
        free(n->spans.at);
    }
    npu_schedule_free(&t->schedule);
    free(t->npu);
    free(t->longest);
    free(t);
}

/* ---- what an NPU computes ---------------------------------------------------------------- */

static const step *step_of(const training *t, const npu_run *n, unsigned s) {
    return &t->schedule.step[s][n->stream[s].step];
}

static bool past(const training *t, const npu_run *n, unsigned s) {
    return n->stream[s].step == t->schedule.steps[s];
}

/* Computes in the background: its share is taken. */
static unsigned share_of(const npu_run *n) {
    return (n->open != 0) | (unsigned)n->stream[BACKGROUND].computing << 1;
}

static uint32_t rate_of(const npu_run *n, unsigned s) { return n->stream[s].rate[share_of(n)]; }

/* The cycles it needs at a rate above 0. */
static uint64_t needs(uint64_t left, uint32_t rate) { return (left + rate - 1) / rate; }

/* Starts the next operation of the step that takes time; false: there is none. */
static bool start_operation(training *t, npu_run *n, unsigned s) {
    stream *at = &n->stream[s];
    const step *p = step_of(t, n, s);
    const layer *l = &t->w->layers[p->layer];
    const cluster *c = &t->o->cluster;

    for (; at->operation < l->pass[p->pass].count; at->operation++) {
        const operation *o = &t->w->operations[l->pass[p->pass].first + at->operation];
        const uint64_t alone = paced(n, npu_schedule_cycles(t->o, o, s));

        if (!alone) continue;
        at->left = alone * NPU_RATE_ONE;
        for (unsigned i = 0; i < SHARES; i++)
            at->rate[i] = s == BACKGROUND
                              ? NPU_RATE_ONE
                              : npu_rate(&c->npu, c->clock_MHz, o, t->whole, t->share[i]);
        if (s == MAIN) n->iteration[at->iteration].alone += alone;
        return true;
    }
    return false;
}

/* All that computes does so until cycle `to`; nothing ends before. */
static void pass_time(npu_run *n, uint64_t to) {
    const uint64_t cycles = to - n->now;
    const unsigned share = share_of(n);
    iteration *it = &n->iteration[n->stream[MAIN].iteration];
    bool any = false;

    for (unsigned s = 0; s < STREAMS; s++) {
        stream *at = &n->stream[s];
        const uint64_t made = at->computing ? cycles * at->rate[share] : 0;

        any = any || at->computing;
        at->left -= made < at->left ? made : at->left;
    }
    if (n->stream[MAIN].computing) it->main += cycles;
    if (any) it->compute += cycles;
    n->now = to;
}

/* Of a step of a layer, and of a slot's collective. */
static uint32_t step_label(const training *t, const step *p) {
    return (uint32_t)p->pass * t->w->count + p->layer;
}
static uint32_t slot_label(const training *t, unsigned slot) {
    return (uint32_t)PASSES * t->w->count + slot;
}

static void label(void *self, uint32_t number, char *to, size_t room) {
    const training *t = self;
    const uint32_t steps = slot_label(t, 0);

    if (number < steps)
        snprintf(to, room, "%s %s", pass_names[number / t->w->count],
                 t->w->layers[number % t->w->count].name);
    else
        snprintf(to, room, "%s %s", kind_names[t->schedule.slot[number - steps].kind],
                 t->schedule.slot[number - steps].name);
}

static void finish_operations(training *t, unsigned representative, npu_run *n) {
    for (unsigned s = 0; s < STREAMS; s++) {
        stream *at = &n->stream[s];
        const step *p;

        if (!at->computing || at->left) continue;
        at->operation++;
        if (start_operation(t, n, s)) continue;
        p = step_of(t, n, s);
        at->computing = false;
        at->step++;
        fabric_tell(t->f, representative,
                    &(driver_work){ .kind = s == BACKGROUND ? WORK_BACKGROUND : WORK_COMPUTE,
                                    .label = step_label(t, p),
                                    .from = at->began,
                                    .to = n->now });
    }
}

/* ---- steps --------------------------------------------------------------------------------- */

static bool left_out(const training *t, const npu_run *n, unsigned s) {
    const unsigned i = n->stream[s].iteration, when = step_of(t, n, s)->when;
    const bool first = !i, last = i + 1 == t->o->iterations;

    return (when & NOT_FIRST && first) || (when & NOT_LAST && last) ||
           (when & ONLY_FIRST && !first) || (when & ONLY_LAST && !last);
}

/* Of a step in the stream's iteration; *whose: the iteration it belongs to. */
static instance *slot_of(const training *t, npu_run *n, unsigned s, int64_t *whose) {
    const step *p = step_of(t, n, s);

    *whose = (int64_t)n->stream[s].iteration - p->lag;
    return &n->slot[p->slot + (t->schedule.slot[p->slot].alternates ? *whose & 1 : 0)];
}

/* Now: the node has run to there, and look_ahead() saw to it that no step is later. */
static void issue(training *t, unsigned representative, npu_run *n, unsigned s, uint64_t now) {
    int64_t whose;
    instance *i = slot_of(t, n, s, &whose);
    const slot *what = &t->schedule.slot[i - n->slot];
    ace_command c = { .kind = what->kind,
                      .type = t->o->type_given ? t->o->type : t->w->element,
                      .op = t->o->op,
                      .dim_count = t->o->dim_count,
                      .source = what->source,
                      .destination = what->destination,
                      .bytes = what->bytes,
                      .tag = (uint16_t)(i - n->slot) };

    memcpy(c.dims, t->o->dims, sizeof c.dims);
    if (n->now != now || i->outstanding || fabric_submit(t->f, representative, &c, now) != ACE_OK) {
        n->failed = true;
        return;
    }
    *i = (instance){
        .issued = n->now, .iteration = (uint32_t)whose, .done = i->done, .outstanding = true
    };
    if (!n->open++) n->open_since = n->now;
}

static bool background_over(const training *t, const npu_run *n) {
    return !t->schedule.steps[BACKGROUND] || n->stream[BACKGROUND].iteration == t->o->iterations;
}

/* Takes the steps of a stream that take no time; true: there was one. */
static bool take_step(training *t, unsigned representative, npu_run *n, unsigned s, uint64_t now) {
    stream *at = &n->stream[s];
    const step *p;
    int64_t whose;

    if (at->computing || at->iteration == t->o->iterations) return false;
    if (s == BACKGROUND && (background_over(t, n) || at->iteration > n->stream[MAIN].iteration))
        return false;
    if (past(t, n, s)) {
        const bool last = s == MAIN && at->iteration + 1 == t->o->iterations;

        if (last && (n->ended || n->open || !background_over(t, n))) return false;
        if (s == MAIN) n->iteration[at->iteration].cycles = n->now;
        if (last) return n->ended = true;
        at->iteration++;
        at->step = 0;
        return true;
    }
    p = step_of(t, n, s);
    if (!left_out(t, n, s)) {
        switch (p->kind) {
        case STEP_COMPUTE:
            at->operation = 0;
            at->began = n->now;
            at->computing = start_operation(t, n, s);
            if (at->computing) return true;
            break;
        case STEP_ISSUE: issue(t, representative, n, s, now); break;
        case STEP_WAIT: {
            const instance *i = slot_of(t, n, s, &whose);
            if (whose >= (int64_t)i->done) return false;
            break;
        }
        case STEP_WAIT_BACKGROUND:
            if (!background_over(t, n)) return false;
            break;
        case STEP_BACKWARD: n->iteration[at->iteration].forward = n->now; break;
        }
    }
    at->step++;
    return true;
}

/* ---- time ------------------------------------------------------------------------------------ */

static void completed(void *self, unsigned representative, const ace_completion *c) {
    training *t = self;
    npu_run *n = &t->npu[representative];

    if (c->tag >= t->schedule.slots || !n->slot[c->tag].outstanding ||
        (n->overs && c->cycle < n->over[n->overs - 1].cycle))
        n->failed = true;
    else
        n->over[n->overs++] = *c;
}

/* The next cycle in which something ends, as far as is known. */
static uint64_t next_end(const npu_run *n) {
    uint64_t next = n->overs ? n->over[0].cycle + 1 : UINT64_MAX;

    for (unsigned s = 0; s < STREAMS; s++) {
        const uint32_t rate = rate_of(n, s);

        if (!n->stream[s].computing || !rate) continue;
        const uint64_t end = n->now + needs(n->stream[s].left, rate);
        if (end < next) next = end;
    }
    return next;
}

/* The collectives that have ended by now. */
static void take_completions(training *t, unsigned representative, npu_run *n) {
    unsigned taken = 0;

    for (; taken < n->overs && n->over[taken].cycle < n->now; taken++) {
        const unsigned tag = n->over[taken].tag;
        instance *i = &n->slot[tag];
        const slot *what = &t->schedule.slot[tag];

        i->outstanding = false;
        i->done = i->iteration + 1;
        if (!--n->open) n->communication += n->now - n->open_since;
        fabric_tell(t->f, representative,
                    &(driver_work){ .kind = WORK_COLLECTIVE,
                                    .label = slot_label(t, tag),
                                    .id = (uint64_t)i->iteration * t->schedule.slots + tag,
                                    .from = i->issued,
                                    .to = n->now });
        (void)spans_add(&n->spans, (span){ .what = kind_names[what->kind],
                                           .name = what->name,
                                           .from = i->issued,
                                           .to = n->now });
    }
    n->overs -= taken;
    memmove(n->over, n->over + taken, n->overs * sizeof *n->over);
}

/* In an iteration, for what a completion brings about.  (The background, before its iteration,
 * waits for the main stream to get there, which looks ahead to it.) */
static bool waits(const training *t, const npu_run *n, unsigned s) {
    const unsigned i = n->stream[s].iteration;

    return i < t->o->iterations && i <= n->stream[MAIN].iteration && !past(t, n, s);
}

/* As far as is known from cycle n->now on: when the NPU may act, and how soon after a
 * completion. */
static uint64_t look_ahead(const training *t, const npu_run *n, uint64_t *react) {
    uint64_t wake = UINT64_MAX;

    *react = UINT64_MAX;
    for (unsigned s = 0; s < STREAMS && !n->ended; s++) {
        const stream *at = &n->stream[s];

        if (at->computing && rate_of(n, s)) {
            /* no sooner than this, even if the communication ends at once */
            const uint64_t end = n->now + needs(at->left, at->rate[0]);
            if (end < wake) wake = end;
        } else if (at->computing) {
            const uint64_t least = needs(at->left, NPU_RATE_ONE);
            if (least < *react) *react = least;
        } else if (waits(t, n, s) && step_of(t, n, s)->ahead < *react) {
            *react = step_of(t, n, s)->ahead;
        }
    }
    return wake;
}

static uint64_t act(void *self, unsigned representative, uint64_t now, uint64_t *react) {
    training *t = self;
    npu_run *n = &t->npu[representative];

    for (;;) {
        uint64_t next;
        bool any;

        do {
            any = false;
            for (unsigned s = 0; s < STREAMS && !n->failed; s++)
                any = take_step(t, representative, n, s, now) || any;
        } while (any && !n->failed);
        next = next_end(n);
        if (next > now) break;
        pass_time(n, next);
        take_completions(t, representative, n);
        finish_operations(t, representative, n);
    }
    if (n->now < now && !n->ended) pass_time(n, now);
    return look_ahead(t, n, react);
}

static bool finished(void *self, unsigned representative) {
    const training *t = self;

    return t->npu[representative].ended || t->npu[representative].failed;
}

static double progress(void *self) {
    const training *t = self;
    const stream *s = &t->npu[0].stream[MAIN];

    return (s->iteration + (double)s->step / t->schedule.steps[MAIN]) / t->o->iterations;
}

/* A span's words: `what` by its place among the kinds, the name by the slot's. */
static void span_state(const training *t, span *v, ace_state *s) {
    uint32_t what = 0, name = 0;

    if (!s->loading) {
        while (kind_names[what] != v->what) what++;
        while (t->schedule.slot[name].name != v->name) name++;
    }
    ACE_STATE_BUT(s, *v, &v->what, &v->name);
    ACE_STATE(s, what);
    ACE_STATE(s, name);
    if (what > ACE_ALL_TO_ALL || name >= t->schedule.slots) s->failed = true;
    if (s->failed) return;
    v->what = kind_names[what];
    v->name = t->schedule.slot[name].name;
}

static void spans_state(const training *t, spans *v, ace_state *s) {
    uint64_t count = v->count;

    ACE_STATE(s, count);
    if (s->loading) v->count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        span one = s->loading ? (span){ 0 } : v->at[i];

        span_state(t, &one, s);
        if (s->loading && !s->failed) s->failed = !spans_add(v, one);
    }
}

static void npu_state(const training *t, npu_run *n, ace_state *s) {
    spans own = n->spans;

    ACE_STATE_BUT(s, *n, &n->slot, &n->over, &n->iteration, &n->spans.at);
    n->spans = own;
    ace_state_bytes(s, n->slot, t->schedule.slots * sizeof *n->slot);
    ace_state_bytes(s, n->over, t->schedule.slots * sizeof *n->over);
    ace_state_bytes(s, n->iteration, t->o->iterations * sizeof *n->iteration);
    spans_state(t, &n->spans, s);
}

static void state(void *self, ace_state *s) {
    training *t = self;

    for (unsigned i = 0; i < t->representatives; i++) npu_state(t, &t->npu[i], s);
}

driver training_driver(training *t) {
    return (driver){ .self = t,
                     .completed = completed,
                     .act = act,
                     .finished = finished,
                     .progress = progress,
                     .label = label,
                     .state = state };
}

const spans *training_spans(const training *t, unsigned representative) {
    return &t->npu[representative].spans;
}

/* The largest of all NPUs, one by one. */
static void largest(iteration *to, const iteration *from) {
    uint64_t *a = (uint64_t *)to;
    const uint64_t *b = (const uint64_t *)from;

    for (size_t i = 0; i < sizeof *to / sizeof *a; i++)
        if (b[i] > a[i]) a[i] = b[i];
}

bool training_end(training *t) {
    uint64_t failed = 0;

    for (unsigned j = 0; j < t->representatives; j++) {
        for (unsigned i = 0; i < t->o->iterations; i++)
            largest(&t->longest[i], &t->npu[j].iteration[i]);
        failed = failed || t->npu[j].failed;
    }
    processes_maximum((uint64_t *)t->longest,
                      t->o->iterations * (sizeof *t->longest / sizeof(uint64_t)));
    processes_maximum(&failed, 1);
    return !failed;
}

iteration training_iteration(const training *t, unsigned i) {
    const uint64_t before = i ? t->longest[i - 1].cycles : 0;
    iteration it = t->longest[i];

    it.cycles -= before;
    it.forward -= before;
    return it;
}

uint64_t training_cycles(const training *t) { return t->longest[t->o->iterations - 1].cycles; }
uint64_t training_communication(const training *t) { return t->npu[0].communication; }
