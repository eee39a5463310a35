/* SPDX-License-Identifier: Apache-2.0 */
/* pipeline_run.c -- computes when each entry of a pipeline starts and ends */
#include <stdlib.h>

#include "exit_status.h"
#include "message.h"
#include "pipeline.h"
#include "yaml_file.h"

typedef struct run {
    const pipeline *p;
    const pipeline_times *times;
    double hop;
    pipeline_result *r;
    double *end;    /* of pass, virtual stage and micro-batch; below 0: not done */
    size_t *next;   /* of each stage: the entry to run next */
    double *free;   /* of each stage: the time from which it is free */
    uint32_t *todo; /* stages that may be able to continue, each at most once */
    bool *waiting;  /* the stage is in todo */
    uint32_t todos;
} run;

static uint32_t virtual_stage(const pipeline *p, uint32_t r, const pipeline_entry *e) {
    return e->chunk * p->stages + r;
}

static double *end_of(const run *u, pipeline_pass pass, uint32_t x, uint32_t i) {
    const pipeline *p = u->p;

    return &u->end[((size_t)pass * p->stages * p->chunks + x) * p->micro_batches + i];
}

/* Finds the entry whose result an entry needs. Returns false if it needs none. */
static bool input_of(const pipeline *p, const pipeline_entry *e, uint32_t x, pipeline_pass *pass,
                     uint32_t *from) {
    const uint32_t last = p->stages * p->chunks - 1;

    *pass = e->pass == PIPELINE_B && x < last ? PIPELINE_B : PIPELINE_F;
    *from = x;
    if (e->pass == PIPELINE_W)
        *pass = PIPELINE_B;
    else if (e->pass == PIPELINE_B)
        *from = x < last ? x + 1 : x;
    else if (x)
        *from = x - 1;
    return e->pass != PIPELINE_F || x;
}

/* Returns when the input of the next entry of stage r arrives. Below 0: not yet known. */
static double ready(const run *u, uint32_t r, const pipeline_entry *e, uint32_t x) {
    pipeline_pass pass;
    uint32_t from;
    double at;

    if (!input_of(u->p, e, x, &pass, &from)) return 0;
    at = *end_of(u, pass, from, e->micro_batch);
    return at < 0 ? at : at + (from % u->p->stages != r ? u->hop : 0);
}

static void wake(run *u, uint32_t r) {
    if (u->waiting[r]) return;
    u->waiting[r] = true;
    u->todo[u->todos++] = r;
}

/* Wakes the stages that may wait for a pass of virtual stage x. Its own stage continues anyway. */
static void wake_others(run *u, pipeline_pass pass, uint32_t x) {
    const uint32_t p = u->p->stages;

    if (pass == PIPELINE_F && x + 1 < p * u->p->chunks) wake(u, (x + 1) % p);
    if (pass == PIPELINE_B && x) wake(u, (x - 1) % p);
}

static void advance(run *u, uint32_t r) {
    const pipeline *p = u->p;

    while (u->next[r] < p->first[r + 1]) {
        const size_t n = u->next[r];
        const pipeline_entry *e = &p->entry[n];
        const uint32_t x = virtual_stage(p, r, e);
        const pipeline_times *t = &u->times[x];
        const double input = ready(u, r, e, x);
        const double takes = e->pass == PIPELINE_F   ? t->forward
                             : e->pass == PIPELINE_B ? t->backward
                                                     : t->weight;
        double start, end;

        if (input < 0) return;
        start = input > u->free[r] ? input : u->free[r];
        end = start + takes;
        u->r->span[n] = (pipeline_span){ start, end };
        u->r->busy[r] += takes;
        if (end > u->r->makespan) u->r->makespan = end;
        *end_of(u, e->pass, x, e->micro_batch) = u->free[r] = end;
        u->next[r]++;
        wake_others(u, e->pass, x);
    }
}

/* Computes in_flight of each stage from the order of its list. */
static void count_in_flight(const pipeline *p, pipeline_result *r) {
    const pipeline_pass last = p->split ? PIPELINE_W : PIPELINE_B;

    for (uint32_t s = 0; s < p->stages; s++) {
        int64_t now = 0;

        for (size_t n = p->first[s]; n < p->first[s + 1]; n++) {
            if (p->entry[n].pass == PIPELINE_F) now++;
            if (p->entry[n].pass == last) now--;
            if (now > r->in_flight[s]) r->in_flight[s] = (uint32_t)now;
        }
    }
}

/* Returns the stage that the next entry of stage r waits for, and the pass. */
static uint32_t waits_for(const run *u, uint32_t r, pipeline_pass *pass) {
    const pipeline *p = u->p;
    const pipeline_entry *e = &p->entry[u->next[r]];
    uint32_t from;

    (void)input_of(p, e, virtual_stage(p, r, e), pass, &from);
    return from % p->stages;
}

/* Reports a deadlock: follows the waits into their cycle and names the entries in it. */
static int deadlock(const run *u) {
    const pipeline *p = u->p;
    char found[400];
    size_t n = 0;
    uint32_t r = 0;
    pipeline_pass pass;

    while (u->next[r] == p->first[r + 1]) r++;
    for (uint32_t i = 0; i < p->stages; i++) r = waits_for(u, r, &pass);
    const uint32_t begin = r;
    const pipeline_entry *const first = &p->entry[u->next[r]];

    do {
        const pipeline_entry *e = &p->entry[u->next[r]], *before;
        const uint32_t to = waits_for(u, r, &pass);

        before = &p->entry[u->next[to]];
        if (n < sizeof found)
            n += (size_t)snprintf(
                found + n, sizeof found - n,
                "%s%c%u of stage %u waiting for %c%u, which is behind %c%u in stage %u",
                n ? ", " : "", pipeline_letters[e->pass], e->micro_batch, r, pipeline_letters[pass],
                e->micro_batch, pipeline_letters[before->pass], before->micro_batch, to);
        r = to;
    } while (r != begin);
    yaml_error(p->file ? p->file : "schedule", first->line ? first->line : 1,
               first->column ? first->column : 1, found,
               "lists in which no entry waits for itself");
    return EXIT_USAGE;
}

static int evaluate(run *u) {
    const pipeline *p = u->p;
    const size_t ends = (size_t)PIPELINE_PASSES * p->stages * p->chunks * p->micro_batches;

    for (size_t i = 0; i < ends; i++) u->end[i] = -1;
    for (uint32_t r = 0; r < p->stages; r++) {
        u->next[r] = p->first[r];
        wake(u, r);
    }
    while (u->todos) {
        const uint32_t r = u->todo[--u->todos];

        u->waiting[r] = false;
        advance(u, r);
    }
    count_in_flight(p, u->r);
    for (uint32_t r = 0; r < p->stages; r++)
        if (u->next[r] < p->first[r + 1]) return deadlock(u);
    return EXIT_OK;
}

int pipeline_run(const pipeline *p, const pipeline_times *times, double hop, pipeline_result *r) {
    const size_t stages = p->stages, entries = p->first[p->stages];
    const size_t ends = (size_t)PIPELINE_PASSES * stages * p->chunks * p->micro_batches;
    run u = { .p = p,
              .times = times,
              .hop = hop,
              .r = r,
              .end = calloc(ends, sizeof *u.end),
              .next = calloc(stages, sizeof *u.next),
              .free = calloc(stages, sizeof *u.free),
              .todo = calloc(stages, sizeof *u.todo),
              .waiting = calloc(stages, sizeof *u.waiting) };
    int rc;

    *r = (pipeline_result){ .span = calloc(entries, sizeof *r->span),
                            .busy = calloc(stages, sizeof *r->busy),
                            .in_flight = calloc(stages, sizeof *r->in_flight) };
    if (u.end && u.next && u.free && u.todo && u.waiting && r->span && r->busy && r->in_flight)
        rc = evaluate(&u);
    else
        rc = message_no_memory();
    if (rc != EXIT_OK) pipeline_result_free(r);
    free(u.end);
    free(u.next);
    free(u.free);
    free(u.todo);
    free(u.waiting);
    return rc;
}

void pipeline_result_free(pipeline_result *r) {
    free(r->span);
    free(r->busy);
    free(r->in_flight);
    free(r->gap);
    *r = (pipeline_result){ 0 };
}

double pipeline_bubble(const pipeline *p, const pipeline_result *r) {
    double busy = 0;

    for (uint32_t s = 0; s < p->stages; s++) busy += r->busy[s];
    return r->makespan > 0 ? 1 - busy / (r->makespan * p->stages) : 0;
}
