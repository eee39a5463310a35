/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search_space.c -- enumerates degrees, placements and choices, and sorts them by bound
 *
 * The loops nest: degrees, ways to place them, micro-batches, memory, recomputation, schedule.
 * Each candidate is checked, its memory is measured, and its bound is computed. Dimensions that
 * are alike are not permuted.
 */
#include "search_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "footprint.h"
#include "message.h"
#include "strategy_bound.h"
#include "strategy_seconds.h"

const char *const search_choice_names[CHOICES + 1] = { "b",  "recompute", "schedule", "zero",
                                                       "sp", "cp",        NULL };

/* Which parts of a strategy `fixed` names. */
typedef struct given {
    bool axis[AXES], experts, choice[CHOICES], chunks;
} given;

typedef struct maker {
    search_space *x;
    strategy base; /* of what is fixed */
    given given;
    int rc;
} maker;

/* ---- what is fixed ------------------------------------------------------------------------- */

static bool is_number(const char *word, size_t n, const char *name) {
    const size_t k = strlen(name);

    return n > k && !strncmp(word, name, k) && word[k] >= '0' && word[k] <= '9';
}

static int read_fixed(maker *k) {
    strategy_fault why = { 0 };
    const char *p = k->x->fixed;

    if (!*p) {
        (void)strategy_parse("tp1", &k->base, &why);
        return EXIT_OK;
    }
    if (!strategy_parse(p, &k->base, &why)) {
        fprintf(stderr, "acesim search: --fixed '%.100s', column %zu: found %s, expected %s\n", p,
                why.column, why.found, why.expected);
        return EXIT_USAGE;
    }
    if (k->base.micro_batches > 1) {
        fprintf(stderr, "acesim search: --fixed '%.100s': found m%d, expected --batch\n", p,
                (int)k->base.micro_batches);
        return EXIT_USAGE;
    }
    for (; *p; p += strcspn(p, "."), p += *p == '.') {
        const size_t n = strcspn(p, ".");

        for (axis a = 0; a < AXES; a++)
            k->given.axis[a] = k->given.axis[a] || is_number(p, n, axis_names[a]);
        k->given.experts = k->given.experts || is_number(p, n, "ep");
        k->given.chunks = k->given.chunks || is_number(p, n, "v");
        if (is_number(p, n, "b")) k->given.choice[CHOICE_MICRO_BATCH] = true;
        if (is_number(p, n, "zero")) k->given.choice[CHOICE_ZERO] = true;
        if (n == 2 && !strncmp(p, "sp", n)) k->given.choice[CHOICE_SEQUENCE] = true;
        for (const char *const *r = recomputation_names; *r; r++)
            if (strlen(*r) == n && !strncmp(p, *r, n)) k->given.choice[CHOICE_RECOMPUTATION] = true;
        for (const char *const *s = pipeline_names; *s; s++)
            if (strlen(*s) == n && !strncmp(p, *s, n)) k->given.choice[CHOICE_SCHEDULE] = true;
    }
    k->given.choice[CHOICE_SCHEDULE] = k->given.choice[CHOICE_SCHEDULE] || k->given.chunks;
    return EXIT_OK;
}

static bool varies(const maker *k, search_choice c) {
    return !k->given.choice[c] && k->x->varied >> c & 1;
}

/* ---- a candidate --------------------------------------------------------------------------- */

/* The fullest rank of all stages. */
static int measure(const search_space *x, candidate *c) {
    for (uint64_t r = 0; r < c->s.degree[AXIS_PP] && c->memory <= x->capacity; r++) {
        footprint f;
        const int rc = footprint_make(x->model, &c->s, r, &f);

        if (rc != EXIT_OK) return rc;
        if (f.peak > c->memory) c->memory = f.peak;
    }
    return EXIT_OK;
}

static int bound_of(const search_space *x, const placement *p, candidate *c, bool *made) {
    stage_memory memory;
    pipeline lists;
    strategy_plan *plan = NULL;
    int rc = pipeline_make(c->s.schedule, (uint32_t)c->s.degree[AXIS_PP], (uint32_t)c->s.chunks,
                           (uint32_t)c->s.micro_batches, &lists);

    if (rc == EXIT_OK) rc = strategy_plan_try(x->model, &c->s, &lists, &plan);
    *made = plan != NULL;
    if (rc == EXIT_OK && plan) {
        rc = stage_memory_make(x->model, &c->s, &lists, &x->machine->cluster.npu, &memory);
        if (rc == EXIT_OK) rc = strategy_bound(plan, p, x->machine, &memory, &c->bound);
        c->seconds = strategy_seconds(plan, p, x->machine);
        stage_memory_free(&memory);
    }
    strategy_plan_free(plan);
    pipeline_free(&lists);
    return rc;
}

static void consider(maker *k, const strategy *s, const placement *p, const char *text) {
    search_space *x = k->x;
    strategy_fault why;
    candidate c = { .s = *s };
    bool made;

    if (k->rc != EXIT_OK || !strategy_fits(s, x->model, &why)) return;
    x->divided++;
    snprintf(c.placement, sizeof c.placement, "%s", text);
    strategy_print(s, c.text);
    k->rc = measure(x, &c);
    if (k->rc != EXIT_OK || c.memory > x->capacity) return;
    k->rc = bound_of(x, p, &c, &made);
    x->long_ones += !made;
    if (k->rc != EXIT_OK || !made) return;
    if (x->count == x->room) {
        const size_t room = x->room ? 2 * x->room : 64;
        candidate *more = realloc(x->at, room * sizeof *more);

        if (!more) {
            k->rc = message_no_memory();
            return;
        }
        x->at = more;
        x->room = room;
    }
    x->at[x->count++] = c;
}

/* ---- what is varied ------------------------------------------------------------------------ */

static void vary_schedule(maker *k, strategy s, const placement *p, const char *text) {
    consider(k, &s, p, text);
    if (!varies(k, CHOICE_SCHEDULE) || s.degree[AXIS_PP] == 1) return;
    s.schedule = PIPELINE_ZB_H1;
    consider(k, &s, p, text);
    s.schedule = PIPELINE_INTERLEAVED;
    for (s.chunks = 2; s.chunks <= 4; s.chunks *= 2) consider(k, &s, p, text);
}

static void vary_recomputation(maker *k, strategy s, const placement *p, const char *text) {
    const bool all = varies(k, CHOICE_RECOMPUTATION);

    for (unsigned r = all ? RECOMPUTE_NOTHING : s.recompute;
         r <= (all ? RECOMPUTE_FULL : s.recompute); r++) {
        /* Fused attention keeps no scores that could be computed again. */
        if (all && r == RECOMPUTE_SELECTIVE && s.fused) continue;
        s.recompute = (recomputation)r;
        vary_schedule(k, s, p, text);
    }
}

static void vary_memory(maker *k, strategy s, const placement *p, const char *text) {
    const bool zero = varies(k, CHOICE_ZERO) && strategy_replicas(&s) > 1;
    const bool sp = varies(k, CHOICE_SEQUENCE) && s.degree[AXIS_TP] > 1;

    for (uint64_t z = zero ? 0 : s.zero; z <= (zero ? 3 : s.zero); z++)
        for (int q = sp ? 0 : s.sequence; q <= (sp ? 1 : s.sequence); q++) {
            strategy one = s;

            one.zero = z;
            one.sequence = q != 0;
            vary_recomputation(k, one, p, text);
        }
}

/* All micro-batches that divide the batch, and experts over all replicas or over none. */
static void vary(maker *k, strategy s, const placement *p, const char *text) {
    const uint64_t d = s.degree[AXIS_DP];
    const uint64_t low = varies(k, CHOICE_MICRO_BATCH) ? 1 : s.micro_batch;
    const uint64_t high = varies(k, CHOICE_MICRO_BATCH) ? k->x->batch : s.micro_batch;
    const bool experts = k->x->model->experts.count && !k->given.experts;

    for (uint64_t b = low; b <= high; b *= 2) {
        if (k->x->batch % (d * b)) continue;
        s.micro_batch = b;
        s.micro_batches = k->x->batch / (d * b);
        for (int e = 0; e < (experts && d > 1 ? 2 : 1); e++) {
            if (experts) s.experts = e ? d : 1;
            vary_memory(k, s, p, text);
        }
    }
}

/* ---- degrees and their places -------------------------------------------------------------- */

static bool wanted(const maker *k, const uint64_t degree[AXES]) {
    for (axis a = 0; a < AXES; a++)
        if (k->given.axis[a] && degree[a] != k->base.degree[a]) return false;
    return degree[AXIS_CP] == 1 || k->given.axis[AXIS_CP] || k->x->varied >> CHOICE_CONTEXT & 1;
}

static void place(maker *k, const uint64_t degree[AXES], const char *text) {
    strategy s = k->base;
    strategy_fault why;
    placement p;

    memcpy(s.degree, degree, sizeof s.degree);
    if (placement_make(&s, k->x->machine->cluster.ring, *text ? text : NULL, &p, &why))
        vary(k, s, &p, text);
}

/* Two dimensions between which no NPU could tell a difference. */
static bool alike(const cluster *c, unsigned d, unsigned e) {
    return c->ring[d] == c->ring[e] && c->wiring[d] == c->wiring[e] &&
           c->link_GBps[d] >= c->link_GBps[e] && c->link_GBps[d] <= c->link_GBps[e] &&
           c->link_latency[d] == c->link_latency[e];
}

/* An axis for each dimension; false: alike ones changed places would be the same. */
static bool is_first(const cluster *c, const axis of[ACE_CLUSTER_DIMENSIONS]) {
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++)
        for (unsigned e = d + 1; e < ACE_CLUSTER_DIMENSIONS; e++)
            if (c->ring[d] > 1 && alike(c, d, e) && of[d] > of[e]) return false;
    return true;
}

static void print_places(const cluster *c, const axis of[ACE_CLUSTER_DIMENSIONS], char to[64]) {
    size_t n = 0;

    *to = 0;
    for (axis a = 0; a < AXES; a++) {
        bool any = false;

        for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
            if (c->ring[d] < 2 || of[d] != a) continue;
            if (!any) n += (size_t)snprintf(to + n, 64 - n, "%s%s:", n ? "," : "", axis_names[a]);
            to[n++] = ACE_DIMENSION_LETTERS[d];
            to[n] = 0;
            any = true;
        }
    }
}

/* Dimension by dimension.  How many ways carry the degrees. */
static unsigned places(maker *k, const uint64_t degree[AXES], unsigned d,
                       axis of[ACE_CLUSTER_DIMENSIONS]) {
    const cluster *c = &k->x->machine->cluster;
    uint64_t product[AXES] = { 1, 1, 1, 1 };
    char text[64];
    unsigned ways = 0;

    if (d < ACE_CLUSTER_DIMENSIONS) {
        for (axis a = 0; a < (c->ring[d] > 1 ? AXES : 1); a++) {
            of[d] = a;
            ways += places(k, degree, d + 1, of);
        }
        return ways;
    }
    for (unsigned e = 0; e < ACE_CLUSTER_DIMENSIONS; e++)
        if (c->ring[e] > 1) product[of[e]] *= c->ring[e];
    if (memcmp(product, degree, sizeof product) || !is_first(c, of)) return 0;
    print_places(c, of, text);
    place(k, degree, text);
    return 1;
}

static void degrees(maker *k, uint64_t nodes) {
    axis of[ACE_CLUSTER_DIMENSIONS] = { 0 };

    for (uint64_t t = 1; t <= nodes; t++)
        for (uint64_t p = 1; nodes % t == 0 && p <= nodes / t; p++)
            for (uint64_t c = 1; nodes / t % p == 0 && c <= nodes / t / p; c++) {
                const uint64_t degree[AXES] = {
                    [AXIS_TP] = t, [AXIS_CP] = c, [AXIS_DP] = nodes / t / p / c, [AXIS_PP] = p
                };

                if (nodes / t / p % c || !wanted(k, degree)) continue;
                if (!places(k, degree, 0, of)) place(k, degree, "");
            }
}

static int by_bound(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    const int text = strcmp(x->text, y->text);

    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return text ? text : strcmp(x->placement, y->placement);
}

int search_space_make(search_space *x) {
    maker k = { .x = x, .rc = EXIT_OK };
    uint64_t nodes = 1;

    k.rc = read_fixed(&k);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) nodes *= x->machine->cluster.ring[d];
    if (k.rc == EXIT_OK) degrees(&k, nodes);
    if (k.rc == EXIT_OK && x->count) qsort(x->at, x->count, sizeof *x->at, by_bound);
    return k.rc;
}

void search_space_free(search_space *x) {
    free(x->at);
    x->at = NULL;
    x->count = x->room = 0;
}
