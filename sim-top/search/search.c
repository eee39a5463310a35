/* SPDX-License-Identifier: Apache-2.0 */
/* search.c -- runs the strategies that could be best, in rounds, as points of a sweep */
#include "search.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "build_info.h"
#include "cluster_file.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "program_digest.h"
#include "strategy_graph.h"

enum { ROUND = 8, BEST = 5, MINUTE = 60, POINT_ARGUMENTS = SETUP_FIELDS + 16 };

static bool add_number(sweep_point *p, const char *option, uint64_t value) {
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    return !value || sweep_point_add(p, option, text);
}

static bool make_point(const search *s, const candidate *c, bool composed, uint64_t hash,
                       sweep_point *p) {
    bool ok;

    p->arguments = calloc(POINT_ARGUMENTS, sizeof *p->arguments);
    ok = p->arguments && sweep_point_add(p, "train", "") && sweep_point_add(p, "", s->model) &&
         sweep_point_add(p, "--cluster=", s->cluster) &&
         sweep_point_add(p, "--strategy=", c->text) &&
         (!*c->placement || sweep_point_add(p, "--placement=", c->placement)) &&
         add_number(p, "--sequence=", s->sequence) && add_number(p, "--layers=", s->layers) &&
         (!composed || sweep_point_add(p, "--composed", "")) &&
         (c->memory <= s->own || sweep_point_add(p, "--oversize", ""));
    for (unsigned i = 0; ok && i < SETUP_FIELDS; i++) {
        char option[48];

        if (!s->given[i]) continue;
        snprintf(option, sizeof option, "--%s%s", setup_fields[i].option,
                 setup_fields[i].argument ? "=" : "");
        ok = sweep_point_add(p, option, s->given[i]);
    }
    for (int i = 0; ok && i < p->count; i++)
        hash = fnv1a(hash, p->arguments[i], strlen(p->arguments[i]) + 1);
    snprintf(p->key, sizeof p->key, "%016" PRIx64, hash);
    /* --events changes no result, so it is not part of the key. */
    return ok && (!composed || sweep_point_add(p, "--events=", s->database));
}

/* Makes a sweep whose one axis is the strategy. With composed, the runs follow the composed
 * points. */
static int make_sweep(search *s) {
    const size_t n = s->space.count, points = s->composed ? 2 * n : n;
    const uint64_t model = model_digest(&s->m);
    uint64_t hash = FNV1A_START;
    bool ok;

    if (!program_digest(&hash)) return EXIT_CHECK;
    snprintf(s->sweep.program, sizeof s->sweep.program, "%016" PRIx64, hash);
    hash = fnv1a(hash, acesim_version, strlen(acesim_version) + 1);
    hash = fnv1a(hash, &model, sizeof model);
    if (!cluster_file_digest(s->cluster, &hash)) return EXIT_USAGE;
    if (s->given[SETUP_ACCELERATOR] && !accelerator_file_digest(s->given[SETUP_ACCELERATOR], &hash))
        return EXIT_USAGE;
    snprintf(s->sweep.name, sizeof s->sweep.name, "search");
    s->axis.count = (unsigned)n;
    s->axis.name = strdup("strategy");
    s->axis.values = calloc(n, sizeof *s->axis.values);
    s->sweep.points = calloc(points, sizeof *s->sweep.points);
    s->sweep.axes = &s->axis;
    s->sweep.axis_count = 1;
    s->sweep.count = (unsigned)points;
    s->of = calloc(points, sizeof *s->of);
    s->wanted = calloc(points, sizeof *s->wanted);
    ok = s->axis.name && s->axis.values && s->sweep.points && s->of && s->wanted;
    for (size_t i = 0; ok && i < n; i++) {
        s->axis.values[i].text = s->space.at[i].text;
        ok = make_point(s, &s->space.at[i], s->composed, hash, &s->sweep.points[i]) &&
             (!s->composed || make_point(s, &s->space.at[i], false, hash, &s->sweep.points[n + i]));
    }
    return ok ? EXIT_OK : message_no_memory();
}

void search_free(search *s) {
    for (size_t i = 0; s->of && i < s->sweep.count; i++) {
        cJSON_Delete(s->of[i].result);
        free(s->of[i].message);
    }
    for (unsigned i = 0; s->sweep.points && i < s->sweep.count; i++) {
        for (int k = 0; k < s->sweep.points[i].count; k++) free(s->sweep.points[i].arguments[k]);
        free(s->sweep.points[i].arguments);
    }
    sweep_store_close(s->store);
    free(s->sweep.points);
    free(s->axis.values);
    free(s->axis.name);
    free(s->of);
    free(s->wanted);
    accelerators_free(&s->mixed);
    search_space_free(&s->space);
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* True if a finished strategy is at least as good, whatever time the candidate would take. */
static bool needless(const search *s, size_t i) {
    const candidate *c = &s->space.at[i];

    for (size_t k = 0; !s->all && k < s->space.count; k++) {
        const search_outcome *o = &s->of[k];
        const double memory = s->space.at[k].memory;
        const bool no_faster = o->cycles <= (double)c->bound;

        if (!o->done) continue;
        if (s->objective == OBJECTIVE_MEMORY
                ? memory < c->memory || (memory <= c->memory && no_faster)
            : s->objective == OBJECTIVE_FRONT ? memory <= c->memory && no_faster
                                              : no_faster)
            return true;
    }
    return false;
}

size_t search_left_out(const search *s) {
    size_t left_out = 0;

    for (size_t i = 0; i < s->space.count; i++)
        left_out += !s->of[i].done && !s->of[i].message && needless(s, i);
    return left_out;
}

static bool before(const search *s, size_t a, size_t b) {
    const candidate *x = &s->space.at[a], *y = &s->space.at[b];

    if (s->objective == OBJECTIVE_MEMORY && (x->memory < y->memory || x->memory > y->memory))
        return x->memory < y->memory;
    return a < b;
}

/* Returns the next candidate to run, or count if none is left. */
static size_t next_of(const search *s) {
    size_t first = s->space.count;

    for (size_t i = 0; i < s->space.count; i++)
        if (!s->of[i].settled && !s->wanted[i] &&
            (first == s->space.count || before(s, i, first)) && !needless(s, i))
            first = i;
    return first;
}

static bool look(search *s, size_t i) {
    search_outcome *o = &s->of[i];
    sweep_row row;

    if (!sweep_look(s->store, (unsigned)i, &row)) return false;
    o->done = !strcmp(row.state, "done");
    if (row.message) o->message = strdup(row.message);
    if (!o->done || !row.result) return true;
    o->result = json_parse(row.result, NULL, false);
    if (!o->result) return false;
    o->cycles = cJSON_GetObjectItem(o->result, "cycles")->valuedouble;
    o->us = cJSON_GetObjectItem(o->result, "time_us")->valuedouble;
    return true;
}

/* Runs up to ROUND candidates. Returns EXIT_OK, or another status after a message. */
static int run_round(search *s, bool *more) {
    unsigned n = 0;

    memset(s->wanted, 0, s->sweep.count * sizeof *s->wanted);
    for (size_t i; n < ROUND && (i = next_of(s)) < s->space.count; n++) s->wanted[i] = true;
    *more = n > 0;
    s->share.wanted = s->wanted;
    if (n && s->share.jobs) {
        const int rc = sweep_work(&s->sweep, s->store, &s->share, &s->ran);

        if (rc != EXIT_OK) return rc;
    }
    for (size_t i = 0; i < s->space.count; i++) {
        if (!s->wanted[i]) continue;
        s->of[i].settled = true;
        if (!look(s, i)) return EXIT_CHECK;
    }
    return EXIT_OK;
}

/* the search that qsort() sorts, because compare() gets no other argument */
static const search *sorted;
/* Compares by memory, if that is the objective, and by time. Candidates without a result come
 * last. */
static int compare(const void *a, const void *b) {
    const size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const search_outcome *x = &sorted->of[i], *y = &sorted->of[k];
    const candidate *c = &sorted->space.at[i], *d = &sorted->space.at[k];

    if (x->done != y->done) return x->done ? -1 : 1;
    if (x->done && sorted->objective == OBJECTIVE_MEMORY &&
        (c->memory < d->memory || c->memory > d->memory))
        return c->memory < d->memory ? -1 : 1;
    if (x->done && (x->cycles < y->cycles || x->cycles > y->cycles))
        return x->cycles < y->cycles ? -1 : 1;
    return (i > k) - (i < k);
}

size_t *search_order(const search *s) {
    size_t *const order = calloc(s->space.count + 1, sizeof *order);

    for (size_t i = 0; order && i < s->space.count; i++) order[i] = i;
    sorted = s;
    if (order) qsort(order, s->space.count, sizeof *order, compare);
    return order;
}

/* Runs the best composed strategies on the nodes, except those that take a minute or more. Returns
 * EXIT_OK, or another status after a message. */
static int run_best(search *s) {
    const size_t n = s->space.count;
    size_t *const order = search_order(s);
    int rc = order ? EXIT_OK : message_no_memory();

    memset(s->wanted, 0, s->sweep.count * sizeof *s->wanted);
    for (size_t i = 0; order && i < n && i < BEST && s->of[order[i]].done; i++) {
        s->wanted[n + order[i]] = s->space.at[order[i]].seconds < MINUTE;
        s->again += s->wanted[n + order[i]];
        s->slow += !s->wanted[n + order[i]];
    }
    s->share.wanted = s->wanted;
    if (rc == EXIT_OK && s->again && s->share.jobs)
        rc = sweep_work(&s->sweep, s->store, &s->share, &s->ran);
    for (size_t i = 0; rc == EXIT_OK && i < n; i++)
        if (s->wanted[n + i] && !look(s, n + i)) rc = EXIT_CHECK;
    free(order);
    return rc;
}

/* ---- the search ---------------------------------------------------------------------------- */

/* Reads the accelerators of the nodes. Without --capacity, the largest memory limits the space, and
 * each stage has to fit in its own. */
static int prepare_several(search *s, uint64_t *own) {
    const int rc = accelerators_read(&s->o, &s->mixed);

    s->space.accelerators = &s->mixed;
    s->space.own_capacity = !s->capacity;
    *own = 0;
    for (unsigned i = 0; rc == EXIT_OK && i < s->mixed.count; i++) {
        const npu *const n = &s->mixed.of[i].npu;

        if (n->memory_bytes + n->expanded_bytes > *own) *own = n->memory_bytes + n->expanded_bytes;
    }
    return rc;
}

int search_prepare(search *s) {
    uint64_t own = s->o.machine.cluster.npu.memory_bytes + s->o.machine.cluster.npu.expanded_bytes;
    int rc = strategy_graph_check(&s->m);

    if (rc == EXIT_OK && accelerators_several(s->o.machine.cluster.accelerator))
        rc = prepare_several(s, &own);
    if (rc != EXIT_OK) return rc;
    s->space.model = &s->m;
    s->space.machine = &s->o.machine;
    s->space.batch = s->batch;
    /* With several accelerators and a given capacity, runs are not refused for their memory. */
    s->own = s->space.accelerators && s->capacity ? 0 : own ? (double)own : INFINITY;
    if (!s->capacity) s->capacity = own;
    if (!s->capacity) s->capacity = UINT64_C(80000000000);
    s->space.capacity = (double)s->capacity;
    rc = search_space_make(&s->space);
    if (rc != EXIT_OK || s->space.count) return rc;
    fprintf(stderr,
            "acesim search: found %" PRIu64
            " strategies that divide, and none that fits in %.4g GB, "
            "expected one: --fixed, --vary, --capacity\n",
            s->space.divided, (double)s->capacity * 1e-9);
    return EXIT_USAGE;
}

/* Composes iterations if even the first round would take minutes. */
static void choose_way(search *s) {
    double seconds = 0;

    for (size_t i = 0; i < s->space.count && i < ROUND; i++) seconds += s->space.at[i].seconds;
    if (s->composed || s->exact || seconds < 2 * MINUTE) return;
    s->composed = true;
    if (!s->quiet && !s->share.rank)
        fprintf(stderr,
                "running the first %d strategies would take about %.0f minutes: iterations are "
                "composed (--exact runs all)\n",
                ROUND, seconds / MINUTE);
}

int search_run(search *s) {
    bool more = true, good = true;
    int rc;

    choose_way(s);
    rc = make_sweep(s);
    if (rc == EXIT_OK) rc = sweep_store_open(s->database, &s->sweep, &s->store);
    if (rc != EXIT_OK) return rc;
    if (s->retry) good = sweep_forget_failures(s->store);
    if (!good) return EXIT_CHECK;
    while (rc == EXIT_OK && more) rc = run_round(s, &more);
    if (rc == EXIT_OK && s->composed) rc = run_best(s);
    return rc;
}
