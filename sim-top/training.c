/* SPDX-License-Identifier: Apache-2.0 */
/*
 * training.c -- the loop each NPU runs
 *
 *   forward   layer i waits for its all-reduce of the iteration before, then computes
 *   backward  last layer first: weight gradient, issue its all-reduce, input gradient
 *             (not for the first layer)
 *
 * A completion in cycle c lets the NPU go on in c + 1.  The iteration ends with its
 * backward pass, the last one with its last all-reduce.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acesim.h"
#include "processes.h"

bool spans_add(spans *s, span v) {
    if (s->count == s->room) {
        const size_t room = s->room ? 2 * s->room : 64;
        span *at = realloc(s->at, room * sizeof *at);
        if (!at) return false;
        s->at = at;
        s->room = room;
    }
    s->at[s->count++] = v;
    return true;
}

typedef enum step { FORWARD_WAIT, FORWARD, WEIGHT_GRADIENT, INPUT_GRADIENT, DRAIN, END } step;

typedef struct npu {
    double speed;
    step step;
    unsigned layer, iteration;
    uint64_t until;    /* the present compute step ends */
    uint64_t free;     /* earliest cycle the NPU acts in */
    uint64_t *ready;   /* per layer: cycle in which its all-reduce is over */
    uint64_t *issued;  /* per layer */
    bool *outstanding; /* per layer */
    unsigned open;     /* collectives outstanding */
    uint64_t open_since, communication;
    uint64_t *ended, *compute; /* per iteration */
    spans spans;
    bool failed;
    unsigned steps; /* done, for the progress */
} npu;

struct training {
    const workload *w;
    const options *o;
    fabric *f;
    unsigned members;
    npu *npu;                  /* of each member of the fabric */
    uint64_t vector;           /* bytes between the layers' vectors */
    uint64_t *ended, *compute; /* per iteration: the largest of all NPUs */
};

training *training_create(const workload *w, const options *o, fabric *f) {
    training *t = calloc(1, sizeof *t);

    if (!t) return NULL;
    t->w = w;
    t->o = o;
    t->f = f;
    t->members = fabric_members(f);
    t->npu = calloc(t->members, sizeof *t->npu);
    t->ended = calloc(o->iterations, sizeof *t->ended);
    t->compute = calloc(o->iterations, sizeof *t->compute);
    if (!t->npu || !t->ended || !t->compute) {
        training_destroy(t);
        return NULL;
    }
    for (unsigned i = 0; i < t->members; i++) {
        npu *n = &t->npu[i];
        n->speed = fabric_speed(f, i);
        n->ready = calloc(w->count, sizeof *n->ready);
        n->issued = calloc(w->count, sizeof *n->issued);
        n->outstanding = calloc(w->count, sizeof *n->outstanding);
        n->ended = calloc(o->iterations, sizeof *n->ended);
        n->compute = calloc(o->iterations, sizeof *n->compute);
        if (n->ready && n->issued && n->outstanding && n->ended && n->compute) continue;
        training_destroy(t);
        return NULL;
    }
    for (unsigned l = 0; l < w->count; l++)
        if (w->layers[l].bytes > t->vector) t->vector = w->layers[l].bytes;
    t->vector = (t->vector + 4095) / 4096 * 4096;
    return t;
}

void training_destroy(training *t) {
    if (!t) return;
    for (unsigned i = 0; t->npu && i < t->members; i++) {
        npu *n = &t->npu[i];
        free(n->ready);
        free(n->issued);
        free(n->outstanding);
        free(n->ended);
        free(n->compute);
        free(n->spans.at);
    }
    free(t->npu);
    free(t->ended);
    free(t->compute);
    free(t);
}

static void completed(void *self, unsigned member, const ace_completion *c) {
    training *t = self;
    npu *n = &t->npu[member];
    const unsigned l = c->tag;

    if (l >= t->w->count || !n->outstanding[l]) {
        n->failed = true;
        return;
    }
    n->outstanding[l] = false;
    n->ready[l] = c->cycle + 1;
    if (!--n->open) n->communication += c->cycle + 1 - n->open_since;
    (void)spans_add(
        &n->spans, (span){ "all-reduce", t->w->layers[l].name, n->issued[l], c->cycle + 1, false });
}

/* What takes an NPU of full speed `cycles` takes this one longer. */
static uint64_t paced(const npu *n, uint64_t cycles) {
    return (uint64_t)ceil((double)cycles / n->speed);
}

static void compute(training *t, npu *n, uint64_t now, uint64_t cycles, const char *what) {
    cycles = paced(n, cycles);
    n->until = now + cycles;
    n->compute[n->iteration] += cycles;
    if (cycles)
        (void)spans_add(&n->spans,
                        (span){ what, t->w->layers[n->layer].name, now, now + cycles, true });
}

static void issue(training *t, unsigned member, uint64_t now) {
    npu *n = &t->npu[member];
    const layer *l = &t->w->layers[n->layer];
    ace_command c = { .kind = ACE_ALL_REDUCE,
                      .type = t->o->type_given ? t->o->type : t->w->element,
                      .op = ACE_SUM,
                      .dim_count = t->o->dim_count,
                      .bytes = l->bytes,
                      .tag = (uint16_t)n->layer };

    if (!l->bytes) return;
    memcpy(c.dims, t->o->dims, sizeof c.dims);
    c.source = c.destination = n->layer * t->vector;
    if (fabric_submit(t->f, member, &c, now) != ACE_OK) {
        n->failed = true;
        return;
    }
    n->issued[n->layer] = now;
    n->outstanding[n->layer] = true;
    if (!n->open++) n->open_since = now;
}

/* The least the NPU computes between the completion it waits for and its next issue. */
static uint64_t reaction(const training *t, const npu *n) {
    uint64_t sum = 0;

    if (n->step == DRAIN || n->step == END) return UINT64_MAX;
    if (n->step != FORWARD_WAIT) return UINT64_MAX; /* it waits for its own compute */
    for (unsigned l = n->layer; l < t->w->count; l++) sum += paced(n, t->w->layers[l].forward);
    return sum + paced(n, t->w->layers[t->w->count - 1].weight_gradient);
}

static uint64_t act(void *self, unsigned member, uint64_t now, uint64_t *react) {
    training *t = self;
    npu *n = &t->npu[member];
    const unsigned last = t->w->count - 1;
    uint64_t at = now; /* where the NPU is; behind `now` after a completion */

    if (n->step == FORWARD_WAIT || n->step == DRAIN) at = n->free;
    for (;;) {
        const layer *l = &t->w->layers[n->layer];

        *react = UINT64_MAX;
        switch (n->step) {
        case FORWARD_WAIT:
            *react = reaction(t, n);
            if (n->outstanding[n->layer]) {
                n->free = at;
                return UINT64_MAX;
            }
            if (n->ready[n->layer] > at) at = n->ready[n->layer];
            compute(t, n, at, l->forward, "forward");
            n->step = FORWARD;
            break;
        case FORWARD:
            if (n->until > now) return n->until;
            at = n->until;
            n->steps++;
            if (n->layer < last) {
                n->layer++;
                n->step = FORWARD_WAIT;
                n->free = at;
            } else {
                compute(t, n, at, l->weight_gradient, "weight gradient");
                n->step = WEIGHT_GRADIENT;
            }
            break;
        case WEIGHT_GRADIENT:
            if (n->until > now) return n->until;
            at = n->until;
            n->steps++;
            issue(t, member, at);
            compute(t, n, at, n->layer ? l->input_gradient : 0, "input gradient");
            n->step = INPUT_GRADIENT;
            break;
        case INPUT_GRADIENT:
            if (n->until > now) return n->until;
            at = n->until;
            n->steps++;
            if (n->layer) {
                n->layer--;
                compute(t, n, at, t->w->layers[n->layer].weight_gradient, "weight gradient");
                n->step = WEIGHT_GRADIENT;
                break;
            }
            n->ended[n->iteration] = at;
            n->free = at;
            if (n->iteration + 1 < t->o->iterations) {
                n->iteration++;
                n->step = FORWARD_WAIT;
            } else {
                n->step = DRAIN;
            }
            break;
        case DRAIN:
            if (n->open) return UINT64_MAX;
            for (unsigned i = 0; i <= last; i++)
                if (n->ready[i] > n->ended[n->iteration]) n->ended[n->iteration] = n->ready[i];
            n->step = END;
            break;
        case END: return UINT64_MAX;
        }
    }
}

static bool finished(void *self, unsigned member) {
    const training *t = self;

    return t->npu[member].step == END || t->npu[member].failed;
}

static double progress(void *self) {
    const training *t = self;

    return (double)t->npu[0].steps / (3. * t->w->count * t->o->iterations);
}

/* What a span names, by its place in this list and among the layers. */
static const char *const whats[] = { "all-reduce", "forward", "weight gradient", "input gradient" };
enum { WHATS = sizeof whats / sizeof *whats };

static void span_state(const training *t, span *v, ace_state *s) {
    uint32_t what = 0, layer = 0;

    if (!s->loading) {
        while (what + 1 < WHATS && strcmp(whats[what], v->what)) what++;
        while (layer + 1 < t->w->count && t->w->layers[layer].name != v->name) layer++;
    }
    ACE_STATE_BUT(s, *v, &v->what, &v->name);
    ACE_STATE(s, what);
    ACE_STATE(s, layer);
    if (what >= WHATS || layer >= t->w->count) s->failed = true;
    if (s->failed) return;
    v->what = whats[what];
    v->name = t->w->layers[layer].name;
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

static void npu_state(const training *t, npu *n, ace_state *s) {
    const unsigned layers = t->w->count, iterations = t->o->iterations;
    spans own = n->spans;

    ACE_STATE_BUT(s, *n, &n->ready, &n->issued, &n->outstanding, &n->ended, &n->compute,
                  &n->spans.at);
    n->spans = own;
    ace_state_bytes(s, n->ready, layers * sizeof *n->ready);
    ace_state_bytes(s, n->issued, layers * sizeof *n->issued);
    ace_state_bytes(s, n->outstanding, layers * sizeof *n->outstanding);
    ace_state_bytes(s, n->ended, iterations * sizeof *n->ended);
    ace_state_bytes(s, n->compute, iterations * sizeof *n->compute);
    spans_state(t, &n->spans, s);
}

static void state(void *self, ace_state *s) {
    training *t = self;

    for (unsigned i = 0; i < t->members; i++) npu_state(t, &t->npu[i], s);
}

driver training_driver(training *t) {
    return (driver){ .self = t,
                     .completed = completed,
                     .act = act,
                     .finished = finished,
                     .progress = progress,
                     .state = state };
}

const spans *training_spans(const training *t, unsigned member) { return &t->npu[member].spans; }

bool training_end(training *t) {
    uint64_t failed = 0;

    for (unsigned j = 0; j < t->members; j++) {
        const npu *n = &t->npu[j];

        for (unsigned i = 0; i < t->o->iterations; i++) {
            if (n->ended[i] > t->ended[i]) t->ended[i] = n->ended[i];
            if (n->compute[i] > t->compute[i]) t->compute[i] = n->compute[i];
        }
        failed = failed || n->failed;
    }
    processes_maximum(t->ended, t->o->iterations);
    processes_maximum(t->compute, t->o->iterations);
    processes_maximum(&failed, 1);
    return !failed;
}

iteration training_iteration(const training *t, unsigned i) {
    return (iteration){ t->ended[i] - (i ? t->ended[i - 1] : 0), t->compute[i] };
}

uint64_t training_cycles(const training *t) { return t->ended[t->o->iterations - 1]; }
uint64_t training_communication(const training *t) { return t->npu[0].communication; }
