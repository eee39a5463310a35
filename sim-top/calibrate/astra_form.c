/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_form.c -- phases of chunks in first-come queues, event by event
 *
 * A phase's time is a closed form for the algorithm of its dimension. run_chunks() then moves the
 * chunks through the queues and jumps from one phase's end to the next. Arithmetic is in whole
 * nanoseconds, rounded as the published code rounds.
 */
#include "astra_form.h"

#include <math.h>
#include <stddef.h>

enum { PHASES = 2 * ACE_CLUSTER_DIMENSIONS };
#define FIRST_MEMORY_GBPS 500000.0 /* the memory bandwidth in version 1.0 */

typedef struct phase {
    unsigned dim;
    uint64_t ns;
} phase;

/* ---- a phase ----------------------------------------------------------------------------- */

static uint64_t message(const astra_form *f, const astra_dimension *d, unsigned hops,
                        uint64_t bytes) {
    const double per_ns = 1.073741824; /* bytes of a GB/s */
    const double latency = hops * d->latency_ns;
    const double links = (f->first ? floor(latency) : latency) + (double)bytes / (d->GBps * per_ns);
    const double memory = f->first && d->hbm_GBps > 0 ? (double)bytes / d->hbm_GBps : 0;

    return (uint64_t)fmax(links, memory);
}

static uint64_t reduction(const astra_form *f, uint64_t bytes) {
    const double GBps = f->first ? FIRST_MEMORY_GBPS : f->memory_GBps;

    return GBps > 0 ? 3 * (uint64_t)((double)bytes / GBps) : 0;
}

static uint64_t ring_phase(const astra_form *f, const astra_dimension *d, ace_kind kind,
                           uint64_t bytes) {
    const uint64_t n = d->members, e = f->endpoint_ns;
    const uint64_t part = kind == ACE_ALL_GATHER ? bytes : bytes / n;
    const uint64_t net = message(f, d, d->hops, part), reduce = (n - 1) * reduction(f, part);

    switch (kind) {
    case ACE_ALL_REDUCE: return 2 * (n - 1) * net + (2 * n - 1) * e + reduce;
    case ACE_REDUCE_SCATTER: return (n - 1) * net + n * e + reduce;
    case ACE_ALL_GATHER: return (n - 1) * net + n * e;
    default: return n * (n - 1) / 2 * net + (n * (n - 1) / 2 + 1) * e;
    }
}

/* All messages are sent at once, so the farthest member determines the time. */
static uint64_t direct_phase(const astra_form *f, const astra_dimension *d, ace_kind kind,
                             uint64_t bytes) {
    const uint64_t n = d->members, e = f->endpoint_ns;
    const uint64_t part = kind == ACE_ALL_GATHER ? bytes : bytes / n;
    const uint64_t net = message(f, d, d->ring ? d->members / 2 : d->hops, part);

    switch (kind) {
    case ACE_ALL_REDUCE: return 2 * net + 3 * e + reduction(f, part);
    case ACE_REDUCE_SCATTER: return net + 2 * e + reduction(f, part);
    default: return net + 2 * e;
    }
}

static uint64_t halving_phase(const astra_form *f, const astra_dimension *d, ace_kind kind,
                              uint64_t bytes) {
    uint64_t down = 0, up = 0, reduced = 0, steps = 0;

    if (kind == ACE_ALL_GATHER) bytes *= d->members;
    for (uint64_t n = 2; n <= d->members; n *= 2, steps++) {
        down += message(f, d, d->hops, bytes / n);
        up += message(f, d, d->hops, bytes / n);
        if (n > 2) reduced += reduction(f, bytes / n);
    }
    switch (kind) {
    case ACE_ALL_REDUCE: return down + up + (2 * steps + 1) * f->endpoint_ns + reduced;
    case ACE_REDUCE_SCATTER: return down + (steps + 1) * f->endpoint_ns + reduced;
    default: return up + (steps + 1) * f->endpoint_ns;
    }
}

static phase phase_of(const astra_form *f, unsigned dim, ace_kind kind, uint64_t bytes) {
    const astra_dimension *d = &f->dim[dim];

    switch (kind == ACE_ALL_TO_ALL ? d->exchange : d->reduce) {
    case ASTRA_DIRECT: return (phase){ dim, direct_phase(f, d, kind, bytes) };
    case ASTRA_HALVING: return (phase){ dim, halving_phase(f, d, kind, bytes) };
    default: return (phase){ dim, ring_phase(f, d, kind, bytes) };
    }
}

/* Lists the phases of a chunk. Returns how many. */
static unsigned phases_of(const astra_form *f, ace_kind kind, uint64_t chunk, phase to[PHASES]) {
    unsigned n = 0;

    if (kind == ACE_ALL_GATHER) {
        for (unsigned d = f->dims; d-- > 0; chunk *= f->dim[d].members)
            to[n++] = phase_of(f, d, kind, chunk);
        return n;
    }
    for (unsigned d = 0; d < f->dims; d++) {
        const bool last = d + 1 == f->dims;

        to[n++] =
            phase_of(f, d, kind == ACE_ALL_REDUCE && !last ? ACE_REDUCE_SCATTER : kind, chunk);
        if (kind != ACE_ALL_TO_ALL && !(kind == ACE_ALL_REDUCE && last)) chunk /= f->dim[d].members;
    }
    if (kind != ACE_ALL_REDUCE) return n;
    for (unsigned d = f->dims - 1; d-- > 0; chunk *= f->dim[d].members)
        to[n++] = phase_of(f, d, ACE_ALL_GATHER, chunk);
    return n;
}

/* ---- chunks in queues -------------------------------------------------------------------- */

typedef struct chunk {
    unsigned phase;
    uint64_t end;   /* of the phase; UINT64_MAX: it waits, or all phases are done */
    uint64_t order; /* order of joining the queue, or of beginning */
    bool waits;
} chunk;

typedef struct run {
    const astra_form *f;
    const phase *of;
    chunk at[ASTRA_SPLITS];
    unsigned running[ACE_CLUSTER_DIMENSIONS];
    uint64_t order;
} run;

static void enter(run *r, chunk *c) {
    c->waits = true;
    c->order = r->order++;
}

static void fill(run *r, unsigned dim, unsigned chunks, uint64_t now) {
    while (r->running[dim] < r->f->active) {
        chunk *first = NULL;

        for (unsigned i = 0; i < chunks; i++) {
            chunk *c = &r->at[i];
            if (c->waits && r->of[c->phase].dim == dim && (!first || c->order < first->order))
                first = c;
        }
        if (!first) return;
        first->waits = false;
        first->end = now + r->of[first->phase].ns;
        first->order = r->order++;
        r->running[dim]++;
    }
}

static uint64_t run_chunks(const astra_form *f, const phase *of, unsigned phases, unsigned chunks) {
    run r = { .f = f, .of = of };
    uint64_t now = 0;

    for (unsigned i = 0; i < chunks; i++) {
        r.at[i].end = UINT64_MAX;
        enter(&r, &r.at[i]);
    }
    fill(&r, of[0].dim, chunks, 0);
    for (unsigned open = chunks; open;) {
        chunk *c = NULL;

        for (unsigned i = 0; i < chunks; i++) {
            chunk *x = &r.at[i];
            if (x->end != UINT64_MAX &&
                (!c || x->end < c->end || (x->end == c->end && x->order < c->order)))
                c = x;
        }
        if (!c) return UINT64_MAX;
        const unsigned left = of[c->phase].dim;

        now = c->end;
        c->end = UINT64_MAX;
        r.running[left]--;
        if (++c->phase < phases)
            enter(&r, c);
        else
            open--;
        fill(&r, left, chunks, now);
        if (c->waits) fill(&r, of[c->phase].dim, chunks, now);
    }
    return now;
}

double astra_form_ns(const astra_form *f, ace_kind kind, double bytes) {
    phase of[PHASES];
    uint64_t npus = 1, size = (uint64_t)bytes;

    if (kind != ACE_ALL_REDUCE && kind != ACE_REDUCE_SCATTER && kind != ACE_ALL_GATHER &&
        kind != ACE_ALL_TO_ALL)
        return NAN;
    for (unsigned d = 0; d < f->dims; d++) npus *= f->dim[d].members;
    if (kind == ACE_ALL_GATHER) size /= npus;
    uint64_t chunk = size / f->splits;
    if (kind != ACE_ALL_GATHER && chunk < npus) {
        chunk = npus;
        size = f->splits * chunk;
    }
    if (!chunk) return NAN;
    const uint64_t chunks = (size + chunk - 1) / chunk;
    if (!f->dims || chunks > ASTRA_SPLITS) return NAN;
    return (double)run_chunks(f, of, phases_of(f, kind, chunk, of), (unsigned)chunks);
}
