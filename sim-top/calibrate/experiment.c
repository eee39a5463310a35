/* SPDX-License-Identifier: Apache-2.0 */
/*
 * experiment.c -- runs an experiment on the exact node, and on the form
 *
 * An experiment's text is its key in the database, so printing and parsing must agree. The range of
 * a time comes from runs in which starts are moved by a few cycles. Such shifts decide which chunk
 * goes first.
 */
#include "experiment.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "algorithms.h"
#include "calibrated_rung.h"
#include "cluster_file.h"
#include "exit_status.h"
#include "fabric.h"
#include "machine_config.h"
#include "message.h"
#include "operations.h"
#include "refusal.h"
#include "values.h"

/* ---- text -------------------------------------------------------------------------------- */

void experiment_print(const experiment *e, char to[EXPERIMENT_TEXT]) {
    char memory[REAL_TEXT];
    size_t n = 0;

    for (unsigned i = 0; i < e->works; i++) {
        const experiment_work *w = &e->work[i];
        char dims[ACE_CLUSTER_DIMENSIONS + 1] = "";

        for (unsigned d = 0; d < w->dim_count; d++) dims[d] = ACE_DIMENSION_LETTERS[w->dims[d]];
        n += (size_t)snprintf(to + n, EXPERIMENT_TEXT - n, "%s%s:%" PRIu64 ":%s@%" PRIu64,
                              i ? "+" : "", kind_names[w->kind], w->bytes, dims, w->start);
    }
    if (e->chunk) n += (size_t)snprintf(to + n, EXPERIMENT_TEXT - n, " chunk=%" PRIu64, e->chunk);
    if (e->memory_GBps > 0)
        n += (size_t)snprintf(to + n, EXPERIMENT_TEXT - n, " memory=%s",
                              real_text(e->memory_GBps, memory));
    for (unsigned d = 0; e->members[0] && d < ACE_CLUSTER_DIMENSIONS; d++)
        n += (size_t)snprintf(to + n, EXPERIMENT_TEXT - n, "%s%u", d ? "x" : " of=", e->members[d]);
}

static bool parse_work(const char *text, experiment_work *w) {
    char kind[32], dims[ACE_CLUSTER_DIMENSIONS + 1];
    int used = 0;

    *w = (experiment_work){ 0 };
    if (sscanf(text, "%31[a-z-]:%" SCNu64 ":%6[a-z]@%" SCNu64 "%n", kind, &w->bytes, dims,
               &w->start, &used) != 4 ||
        text[used])
        return false;
    for (w->kind = 0; kind_names[w->kind] && strcmp(kind_names[w->kind], kind);) w->kind++;
    for (const char *p = dims; *p; p++) {
        const char *letter = strchr(ACE_DIMENSION_LETTERS, *p);
        if (!letter || w->dim_count == ACE_CLUSTER_DIMENSIONS) return false;
        w->dims[w->dim_count++] = (uint8_t)(letter - ACE_DIMENSION_LETTERS);
    }
    return kind_names[w->kind] && w->bytes;
}

/* Parses a text such as "8x1x1x1x1x4". */
static bool parse_members(const char *s, uint16_t members[ACE_CLUSTER_DIMENSIONS]) {
    uint8_t wiring[ACE_CLUSTER_DIMENSIONS];

    return !strncmp(s, "of=", 3) &&
           parse_topology(s + 3, members, wiring) == ACE_CLUSTER_DIMENSIONS;
}

/* Sorts the works by their starts, and keeps the order of equal ones. */
static void order_works(experiment *e) {
    for (unsigned i = 1; i < e->works; i++)
        for (unsigned k = i; k > 0 && e->work[k - 1].start > e->work[k].start; k--) {
            const experiment_work later = e->work[k - 1];
            e->work[k - 1] = e->work[k];
            e->work[k] = later;
        }
}

bool experiment_parse(const char *text, experiment *e) {
    char line[EXPERIMENT_TEXT], *rest, *parts;

    *e = (experiment){ 0 };
    if (strlen(text) >= sizeof line) return false;
    strcpy(line, text);
    parts = strtok_r(line, " ", &rest);
    for (char *p; (p = strtok_r(NULL, " ", &rest));)
        if (sscanf(p, "chunk=%" SCNu64, &e->chunk) != 1 &&
            sscanf(p, "memory=%lf", &e->memory_GBps) != 1 && !parse_members(p, e->members))
            return false;
    for (char *p = parts; p && (p = strtok_r(parts, "+", &rest)); parts = NULL)
        if (e->works == EXPERIMENT_WORKS || !parse_work(p, &e->work[e->works++])) return false;
    order_works(e);
    return e->works > 0;
}

/* ---- the cluster ------------------------------------------------------------------------- */

/* Returns the index of a dimension in the smaller cluster, or with `back` the index in the original
 * one. */
static unsigned index_of(const experiment *e, unsigned dimension, bool back) {
    unsigned index = 0;

    if (!e->members[0]) return dimension;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        if (back ? e->members[d] > 1 && index == dimension : d == dimension)
            return back ? d : index;
        index += e->members[d] > 1;
    }
    return dimension;
}

/* Keeps only the dimensions with members, without gaps, and as many FSMs for a phase as the cluster
 * has. */
static void take_members(const experiment *e, cluster *c) {
    const cluster whole = *c;
    char *word = c->algorithms;
    unsigned n = 0;

    cluster_derive(c);
    const unsigned of_phase = c->parameters.fsms / (c->parameters.dimensions + 1);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) c->ring[d] = 1;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const char *its;
        const size_t length = cluster_algorithm(&whole, d, &its);

        if (e->members[d] < 2) continue;
        c->ring[n] = e->members[d];
        c->wiring[n] = whole.wiring[d];
        c->link_GBps[n] = whole.link_GBps[d];
        c->link_latency[n] = whole.link_latency[d];
        if (length) word += sprintf(word, "%s%.*s", n ? "," : "", (int)length, its);
        n++;
    }
    c->sizes = (uint8_t)n;
    cluster_derive(c);
    c->parameters.fsms = of_phase * (c->parameters.dimensions + 1);
}

int experiment_setup(const experiment *e, const char *file, const char *rung, setup *s) {
    cluster *const c = &s->machine.cluster;
    refusal why = { .form = REFUSAL_NONE };

    setup_initial(s);
    int rc = cluster_read(file, s);
    if (rc != EXIT_OK) return rc;
    s->execution.quiet = true;
    s->machine.kind = ACE_ALL_REDUCE;
    snprintf(c->rungs, sizeof c->rungs, "%s", rung);
    if (e->memory_GBps > 0) c->memory_GBps = e->memory_GBps;
    if (e->members[0]) take_members(e, c);
    const bool engines = cluster_of_engines(c);
    if (!engines && !e->members[0]) snprintf(c->rungs, sizeof c->rungs, "calibrated");
    rc = setup_check(s);
    if (e->chunk) c->chunk_bytes = e->chunk;
    if (rc == EXIT_OK && cluster_links_dimension(c) >= 0) {
        fprintf(stderr,
                "acesim: %s: found links that a file lists, expected rings or hubs: the rung "
                "calibrated has no routes\n",
                file);
        return EXIT_USAGE;
    }
    if (rc == EXIT_OK && engines) return setup_make(s);
    if (rc == EXIT_OK) rc = machine_config(&s->machine, &s->machine.config, NULL, &why);
    return setup_refuse(s, rc, &why);
}

static ace_command command_of(const experiment *e, unsigned work) {
    const experiment_work *w = &e->work[work];
    ace_command c = { .kind = w->kind,
                      .type = ACE_FP32,
                      .op = ACE_SUM,
                      .dim_count = w->dim_count,
                      .bytes = w->bytes,
                      .tag = (uint16_t)work };

    for (unsigned i = 0; i < w->dim_count; i++) c.dims[i] = (uint8_t)index_of(e, w->dims[i], false);
    c.destination = (c.bytes + 4095) / 4096 * 4096 + 4096;
    return c;
}

/* ---- exact ------------------------------------------------------------------------------- */

typedef struct running {
    const experiment *e;
    fabric *f;
    unsigned representatives;
    uint64_t *ends; /* for each representative and work; 0: not finished */
    uint8_t *begun; /* works started, for each representative */
    bool refused;
} running;

static void completed(void *self, unsigned representative, const ace_completion *c) {
    running *r = self;
    r->ends[representative * EXPERIMENT_WORKS + c->tag] = c->cycle + 1;
}

static uint64_t act(void *self, unsigned representative, uint64_t now, uint64_t *reaction) {
    running *r = self;
    uint8_t *begun = &r->begun[representative];

    *reaction = UINT64_MAX;
    while (*begun < r->e->works && r->e->work[*begun].start <= now) {
        const ace_command c = command_of(r->e, *begun);

        if (fabric_submit(r->f, representative, &c, now) != ACE_OK) {
            r->refused = true;
            r->ends[representative * EXPERIMENT_WORKS + *begun] = 1;
        }
        ++*begun;
    }
    return *begun < r->e->works ? r->e->work[*begun].start : UINT64_MAX;
}

static bool finished(void *self, unsigned representative) {
    const running *r = self;

    for (unsigned i = 0; i < r->e->works; i++)
        if (!r->ends[representative * EXPERIMENT_WORKS + i]) return false;
    return true;
}

static double progress(void *self) {
    (void)self;
    return 0;
}

static void label(void *self, uint32_t number, char *to, size_t room) {
    snprintf(to, room, "%s", kind_names[((const running *)self)->e->work[number].kind]);
}

static void state(void *self, ace_state *to) {
    running *r = self;

    ace_state_bytes(to, r->ends, r->representatives * EXPERIMENT_WORKS * sizeof *r->ends);
    ace_state_bytes(to, r->begun, r->representatives);
}

int experiment_run(const experiment *e, const machine *m, const execution *how,
                   uint64_t cycles[EXPERIMENT_WORKS]) {
    running r = { .e = e };
    const driver d = { .self = &r,
                       .completed = completed,
                       .act = act,
                       .finished = finished,
                       .progress = progress,
                       .label = label,
                       .state = state };
    int rc = fabric_create(m, how, &(fabric_work){ 0 }, &(fabric_watch){ 0 }, &r.f);

    if (rc != EXIT_OK) return rc;
    r.representatives = fabric_representatives(r.f);
    r.ends = calloc(r.representatives, EXPERIMENT_WORKS * sizeof *r.ends);
    r.begun = calloc(r.representatives, 1);
    rc = r.ends && r.begun ? fabric_run(r.f, &d, 0) : message_no_memory();
    if (rc == EXIT_OK && r.refused) {
        fprintf(stderr, "acesim calibrate: a node refused a collective, expected one it models\n");
        rc = EXIT_CHECK;
    }
    memset(cycles, 0, EXPERIMENT_WORKS * sizeof *cycles);
    for (unsigned i = 0; rc == EXIT_OK && i < r.representatives; i++)
        for (unsigned w = 0; w < e->works; w++) {
            const uint64_t took = r.ends[i * EXPERIMENT_WORKS + w] - e->work[w].start;
            if (took > cycles[w]) cycles[w] = took;
        }
    (void)fabric_destroy(r.f); /* no waveform, so this cannot fail */
    free(r.ends);
    free(r.begun);
    return rc;
}

/* ---- the form ---------------------------------------------------------------------------- */

/* Returns the parameters of the smaller cluster's dimensions, at their new indices. */
static flow_parameters parameters_of(const experiment *e, const flow_parameters *p) {
    const double *from = (const double *)p;
    flow_parameters own = *p;
    double *to = (double *)&own;

    for (unsigned i = 0; i < flow_parameter_count; i++) {
        const flow_parameter *f = &flow_parameter_list[i];

        for (unsigned k = 0; k < f->count && f->count > 1; k++)
            to[f->at + k] = from[f->at + index_of(e, k, true)];
    }
    return own;
}

static bool model(const experiment *e, const machine *m, const flow_parameters *p, flow_full full,
                  double cycles[EXPERIMENT_WORKS]) {
    const flow_parameters own = parameters_of(e, p);
    chunk_flow_setup setup = calibrated_rung_form(m, &m->config, &own);
    ace_completion c;
    unsigned open = e->works, begun = 0;

    setup.own = FLOW_ALONE;
    setup.full = full;
    chunk_flow *f = chunk_flow_create(&setup);
    if (!f) return false;
    while (open) {
        const uint64_t next = chunk_flow_next(f);

        if (begun < e->works && e->work[begun].start <= next) {
            const ace_command command = command_of(e, begun);

            chunk_flow_run(f, e->work[begun].start);
            if (chunk_flow_submit(f, &command, e->work[begun].start) != ACE_OK) break;
            begun++;
            continue;
        }
        if (next == UINT64_MAX || chunk_flow_error(f) != ACE_OK) break;
        chunk_flow_run(f, next + 1);
        while (chunk_flow_completion(f, &c)) {
            cycles[c.tag] = (double)(c.cycle + 1 - e->work[c.tag].start);
            open--;
        }
    }
    chunk_flow_destroy(f);
    return !open;
}

bool experiment_model(const experiment *e, const machine *m, const flow_parameters *p,
                      double cycles[EXPERIMENT_WORKS]) {
    return model(e, m, p, FLOW_LIKELY, cycles);
}

/* Returns by how many cycles a start is moved: a few cycles, which the form does not resolve, or a
 * hundredth of the time since the first start. Earlier work may end that much sooner or later. */
static uint64_t nudge_of(const experiment *e, unsigned work) {
    const uint64_t since = (e->work[work].start - e->work[0].start) / 100;

    return since > 16 ? since : 16;
}

/* Moves the starts of later works. A bit in `which` selects a work, and a bit in `sooner` its
 * direction. */
static experiment nudged(const experiment *e, unsigned which, unsigned sooner) {
    experiment to = *e;

    for (unsigned i = 1; i < e->works; i++) {
        uint64_t *start = &to.work[i].start;
        const uint64_t by = which >> i & 1 ? nudge_of(e, i) : 0;

        *start = sooner >> i & 1 ? *start - (by < *start ? by : *start) : *start + by;
        if (*start < to.work[i - 1].start) *start = to.work[i - 1].start;
    }
    return to;
}

bool experiment_range(const experiment *e, const machine *m, const flow_parameters *p,
                      double low[EXPERIMENT_WORKS], double high[EXPERIMENT_WORKS]) {
    static const flow_full full[] = { FLOW_LIKELY, FLOW_PASSES, FLOW_WAITS };
    const unsigned moves = 1u << 2 * e->works;
    double cycles[EXPERIMENT_WORKS];

    if (!experiment_model(e, m, p, low)) return false;
    memcpy(high, low, e->works * sizeof *high);
    for (unsigned k = 0; k < moves && e->works > 1; k++) {
        const unsigned which = k % (1u << e->works), sooner = k >> e->works;
        const experiment to = nudged(e, which, sooner);

        /* skips moves of the first work, and duplicates */
        if ((which | sooner) & 1 || sooner & ~which) continue;
        for (unsigned b = 0; b < sizeof full / sizeof *full; b++) {
            if (!model(&to, m, p, full[b], cycles)) return false;
            for (unsigned w = 0; w < e->works; w++) {
                if (cycles[w] < low[w]) low[w] = cycles[w];
                if (cycles[w] > high[w]) high[w] = cycles[w];
            }
        }
    }
    return true;
}
