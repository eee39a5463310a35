/* SPDX-License-Identifier: Apache-2.0 */
/*
 * search_space.c -- enumerates degrees, placements and choices, and sorts them by bound
 *
 * The loops nest: degrees, their placements, micro-batches, memory, recomputation, schedule.
 * Each candidate is checked, its memory is measured, and its bound is computed. Dimensions that
 * are alike are not permuted; others are, since a collective's phases follow their order.
 */
#include "search_space.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#    include <malloc.h>
#endif

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

/* A placement of degrees, and its text. */
typedef struct placed_candidate {
    placement p;
    char text[64];
} placed_candidate;

typedef struct enumeration {
    search_space *x;
    strategy base; /* has the fixed parts */
    given given;
    placed_candidate *at; /* the placements of the current degrees */
    unsigned count, room;
    int rc;
} enumeration;

/* ---- what is fixed ------------------------------------------------------------------------- */

static bool is_number(const char *word, size_t n, const char *name) {
    const size_t k = strlen(name);

    return n > k && !strncmp(word, name, k) && word[k] >= '0' && word[k] <= '9';
}

static int read_fixed(enumeration *k) {
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

static bool varies(const enumeration *k, search_choice c) {
    return !k->given.choice[c] && k->x->varied >> c & 1;
}

/* ---- a candidate --------------------------------------------------------------------------- */

/* Computes the memory of the stage that needs the most. */
static int measure(const search_space *x, candidate *c) {
    for (uint64_t r = 0; r < c->s.degree[AXIS_PP] && c->memory <= x->capacity; r++) {
        footprint f;
        const int rc = footprint_make(x->model, &c->s, r, &f);

        if (rc != EXIT_OK) return rc;
        if (f.peak > c->memory) c->memory = f.peak;
    }
    return EXIT_OK;
}

static int add(search_space *x, const candidate *c) {
    if (x->count == x->room) {
        const size_t room = x->room ? 2 * x->room : 64;
        candidate *more = realloc(x->at, room * sizeof *more);

        if (!more) return message_no_memory();
        x->at = more;
        x->room = room;
    }
    x->at[x->count++] = *c;
    return EXIT_OK;
}

/* Computes the memory of the stages. With several accelerators it depends on the placement. */
static int remember(const search_space *x, const candidate *c, const pipeline *lists,
                    const strategy_plan *plan, const placement *at, stage_memory *to) {
    const cluster *const of = &x->machine->cluster;
    const stage_accelerators on = {
        .list = x->accelerators, .at = at, .work = &plan->work, .clock_MHz = of->clock_MHz
    };

    stage_memory_free(to);
    return x->accelerators ? stage_memory_make_of(x->model, &c->s, lists, &on, to)
                           : stage_memory_make(x->model, &c->s, lists, &of->npu, to);
}

/* Adds the candidate with each placement and its bound. All candidates have the same plan. */
static int bound_all(enumeration *k, const strategy_plan *plan, const pipeline *lists,
                     candidate *c) {
    search_space *x = k->x;
    stage_memory memory = { 0 };
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < k->count; i++) {
        const placed_candidate *at = &k->at[i];

        if (!i || x->accelerators) rc = remember(x, c, lists, plan, &at->p, &memory);
        if (rc != EXIT_OK) break;
        if (x->own_capacity && !memory.stage[memory.fullest].held.fits) continue;
        memcpy(c->placement, at->text, sizeof c->placement);
        rc = strategy_bound(plan, &at->p, x->machine, &memory, &c->bound);
        c->seconds = strategy_seconds(plan, &at->p, x->machine);
        if (rc == EXIT_OK) rc = add(x, c);
    }
    stage_memory_free(&memory);
    return rc;
}

static int plan_and_bound(enumeration *k, candidate *c) {
    const search_space *x = k->x;
    pipeline lists;
    strategy_plan *plan = NULL;
    int rc = pipeline_make(c->s.schedule, (uint32_t)c->s.degree[AXIS_PP], (uint32_t)c->s.chunks,
                           (uint32_t)c->s.micro_batches, &lists);

    if (rc == EXIT_OK) rc = strategy_plan_try(x->model, &c->s, &lists, &plan);
    if (rc == EXIT_OK && !plan) k->x->long_ones += k->count;
    if (rc == EXIT_OK && plan) rc = bound_all(k, plan, &lists, c);
    strategy_plan_free(plan);
    pipeline_free(&lists);
    return rc;
}

/* Adds a strategy with every placement of its degrees, if it divides the model and fits. */
static void consider(enumeration *k, const strategy *s) {
    search_space *x = k->x;
    strategy_fault why;
    candidate c = { .s = *s };

    if (k->rc != EXIT_OK || !strategy_fits(s, x->model, &why)) return;
    x->divided += k->count;
    strategy_print(s, c.text);
    k->rc = measure(x, &c);
    if (k->rc == EXIT_OK && c.memory <= x->capacity) k->rc = plan_and_bound(k, &c);
}

/* ---- what is varied ------------------------------------------------------------------------ */

/* Tries every schedule. The interleaved one has all numbers of chunks that divide the layers. */
static void vary_schedule(enumeration *k, strategy s) {
    const uint64_t layers = (model_layers(k->x->model) + 2 * s.ends) / s.degree[AXIS_PP];

    consider(k, &s);
    if (!varies(k, CHOICE_SCHEDULE) || s.degree[AXIS_PP] == 1) return;
    for (pipeline_kind kind = 0; kind <= PIPELINE_ZB_H1; kind++) {
        if (kind == s.schedule || kind == PIPELINE_INTERLEAVED) continue;
        strategy one = s;

        one.schedule = kind;
        consider(k, &one);
    }
    s.schedule = PIPELINE_INTERLEAVED;
    for (s.chunks = 2; s.chunks <= layers; s.chunks++)
        if (s.chunks * s.degree[AXIS_PP] <= STAGES_MOST) consider(k, &s);
}

static void vary_recomputation(enumeration *k, strategy s) {
    const bool all = varies(k, CHOICE_RECOMPUTATION);

    for (unsigned r = all ? RECOMPUTE_NOTHING : s.recompute;
         r <= (all ? RECOMPUTE_FULL : s.recompute); r++) {
        /* Fused attention keeps no scores that could be computed again. */
        if (all && r == RECOMPUTE_SELECTIVE && s.fused) continue;
        s.recompute = (recomputation)r;
        vary_schedule(k, s);
    }
}

static void vary_memory(enumeration *k, strategy s) {
    const bool zero = varies(k, CHOICE_ZERO) && strategy_replicas(&s) > 1;
    const bool sp = varies(k, CHOICE_SEQUENCE) && s.degree[AXIS_TP] > 1;

    for (uint64_t z = zero ? 0 : s.zero; z <= (zero ? 3 : s.zero); z++)
        for (int q = sp ? 0 : s.sequence; q <= (sp ? 1 : s.sequence); q++) {
            strategy one = s;

            one.zero = z;
            one.sequence = q != 0;
            vary_recomputation(k, one);
        }
}

/* Tries all micro-batches that divide the batch, and experts over all replicas or over none. */
static void vary(enumeration *k, strategy s) {
    const uint64_t d = s.degree[AXIS_DP];
    const uint64_t low = varies(k, CHOICE_MICRO_BATCH) ? 1 : s.micro_batch;
    const uint64_t high = varies(k, CHOICE_MICRO_BATCH) ? k->x->batch : s.micro_batch;
    const bool experts = k->x->model->experts.count && !k->given.experts;

    for (uint64_t b = low; b <= high; b++) {
        if (k->x->batch % (d * b)) continue;
        s.micro_batch = b;
        s.micro_batches = k->x->batch / (d * b);
        for (int e = 0; e < (experts && d > 1 ? 2 : 1); e++) {
            if (experts) s.experts = e ? d : 1;
            vary_memory(k, s);
        }
    }
}

/* ---- degrees and their placements ---------------------------------------------------------- */

static bool wanted(const enumeration *k, const uint64_t degree[AXES]) {
    for (axis a = 0; a < AXES; a++)
        if (k->given.axis[a] && degree[a] != k->base.degree[a]) return false;
    return degree[AXIS_CP] == 1 || k->given.axis[AXIS_CP] || k->x->varied >> CHOICE_CONTEXT & 1;
}

/* Adds the placement that the text names. "" means the order of the nodes. It is left out if its
 * groups cover whole dimensions, because another text names that placement. */
static void add_placement(enumeration *k, const uint64_t degree[AXES], const char *text) {
    strategy s = k->base;
    strategy_fault why;
    placed_candidate one;
    bool named = !*text; /* another text names this placement */

    memcpy(s.degree, degree, sizeof s.degree);
    if (!placement_make(&s, k->x->machine->cluster.ring, *text ? text : NULL, &one.p, &why)) return;
    for (axis a = 0; a < AXES; a++) named = named && one.p.axis[a].whole;
    if (named && k->count) return;
    if (k->count == k->room) {
        const unsigned room = k->room ? 2 * k->room : 16;
        placed_candidate *more = realloc(k->at, room * sizeof *more);

        if (!more) {
            k->rc = message_no_memory();
            return;
        }
        k->at = more;
        k->room = room;
    }
    snprintf(one.text, sizeof one.text, "%s", text);
    k->at[k->count++] = one;
}

static bool same(double a, double b) { return a >= b && a <= b; }

/* Returns whether links of dimensions d < e have the same shares of bandwidth. Links of the first
 * dimension have no separate shares for stages and for tensor groups across nodes. */
static bool alike_shares(const cluster *c, unsigned d, unsigned e) {
    const cluster_runs *const r = &c->runs;

    return same(cluster_link_share(c, d), cluster_link_share(c, e)) &&
           (d ||
            (same(r->replica_share, r->stage_share) && same(r->replica_share, r->nodes_share)));
}

/* Returns whether an exchange of dimensions d and e (d < e) changes no result. */
static bool alike(const cluster *c, unsigned d, unsigned e) {
    const unsigned shared = cluster_shared(c);

    return c->ring[d] == c->ring[e] && c->wiring[d] == c->wiring[e] &&
           same(c->link_GBps[d], c->link_GBps[e]) && same(c->npu_GBps[d], c->npu_GBps[e]) &&
           c->link_latency[d] == c->link_latency[e] && alike_shares(c, d, e) &&
           !(shared >> d & 1) && !(shared >> e & 1) && !strchr(c->algorithms, ',');
}

/* The dimensions assigned so far, in the order in which the text names them. */
typedef struct assignment {
    unsigned count, order[ACE_CLUSTER_DIMENSIONS]; /* of each dimension: its rank, from 1 on */
    bool routed; /* messages of stages or of a ring of keys cross several dimensions */
    char text[64];
    size_t length;
} assignment;

/* If placements differ only by an exchange of alike dimensions, one is tried: the placement with
 * the lower dimension first. Messages cross dimensions in their order (x first), so with messages
 * all are tried. */
static bool is_first(const cluster *c, const assignment *at) {
    for (unsigned e = 0; e < ACE_CLUSTER_DIMENSIONS && !at->routed; e++)
        for (unsigned d = 0; d < e; d++)
            if (at->order[d] > at->order[e] && c->ring[e] > 1 && alike(c, d, e)) return false;
    return true;
}

/* Assigns whole dimensions to axis a and to the later ones, in every order. Phases of a collective
 * and stages of a pipeline follow this order. carried: product of the dimensions that axis a has so
 * far. */
static void assign_dimensions(enumeration *k, const uint64_t degree[AXES], axis a, uint64_t carried,
                              const assignment *at) {
    const cluster *c = &k->x->machine->cluster;

    if (a == AXES) {
        if (k->x->accelerators || is_first(c, at)) add_placement(k, degree, at->text);
        return;
    }
    if (carried == degree[a]) {
        assign_dimensions(k, degree, a + 1, 1, at);
        return;
    }
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        assignment next = *at;
        const bool more = carried > 1;

        if (c->ring[d] < 2 || at->order[d] || degree[a] % (carried * c->ring[d])) continue;
        next.length +=
            (size_t)snprintf(next.text + next.length, sizeof next.text - next.length, "%s%s%s%c",
                             more || !next.length ? "" : ",", more ? "" : axis_names[a],
                             more ? "" : ":", ACE_DIMENSION_LETTERS[d]);
        next.order[d] = ++next.count;
        next.routed |= more && (a == AXIS_PP || a == AXIS_CP);
        assign_dimensions(k, degree, a, carried * c->ring[d], &next);
    }
}

static void assign_all(enumeration *k, const uint64_t degree[AXES]) {
    strategy s = k->base;

    memcpy(s.degree, degree, sizeof s.degree);
    k->count = 0;
    assign_dimensions(k, degree, 0, 1, &(assignment){ 0 });
    add_placement(k, degree, "");
    if (k->count) vary(k, s);
}

static void degrees(enumeration *k, uint64_t nodes) {
    for (uint64_t t = 1; t <= nodes; t++)
        for (uint64_t p = 1; nodes % t == 0 && p <= nodes / t; p++)
            for (uint64_t c = 1; nodes / t % p == 0 && c <= nodes / t / p; c++) {
                const uint64_t degree[AXES] = {
                    [AXIS_TP] = t, [AXIS_CP] = c, [AXIS_DP] = nodes / t / p / c, [AXIS_PP] = p
                };

                if (nodes / t / p % c || !wanted(k, degree)) continue;
                assign_all(k, degree);
            }
}

static int by_bound(const void *a, const void *b) {
    const candidate *x = a, *y = b;
    const int text = strcmp(x->text, y->text);

    if (x->bound != y->bound) return x->bound < y->bound ? -1 : 1;
    return text ? text : strcmp(x->placement, y->placement);
}

/* Each plan grows to megabytes and is freed.  By default the C library returns such blocks to the
 * system, which clears their pages for the next plan: that took eight times as long. */
static void keep_memory(void) {
#ifdef __GLIBC__
    (void)mallopt(M_MMAP_THRESHOLD, 1 << 30);
    (void)mallopt(M_TRIM_THRESHOLD, 1 << 30);
#endif
}

int search_space_make(search_space *x) {
    enumeration k = { .x = x, .rc = EXIT_OK };
    uint64_t nodes = 1;

    keep_memory();
    k.rc = read_fixed(&k);
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) nodes *= x->machine->cluster.ring[d];
    if (k.rc == EXIT_OK) degrees(&k, nodes);
    free(k.at);
    if (k.rc == EXIT_OK && x->count) qsort(x->at, x->count, sizeof *x->at, by_bound);
    return k.rc;
}

void search_space_free(search_space *x) {
    free(x->at);
    x->at = NULL;
    x->count = x->room = 0;
}
