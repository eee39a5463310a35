/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_search.c -- acesim search: which strategy divides a model best over a cluster
 *
 * Strategies that divide and fit (search_space.h) are points of a sweep, each an acesim train. They
 * are run in rounds, the lowest bound first. The search ends when no strategy that is left could be
 * better than the best one found. Rounds do not depend on the number of workers, so the answer does
 * not either.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "build_info.h"
#include "cluster_file.h"
#include "command.h"
#include "command_plan.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "machine_words.h"
#include "message.h"
#include "option_table.h"
#include "pareto.h"
#include "program_digest.h"
#include "result_print.h"
#include "run_cost.h"
#include "search_space.h"
#include "setup_rows.h"
#include "strategy_graph.h"
#include "strategy_words.h"
#include "sweep_file.h"

enum { ROUND = 8, BEST = 5, MINUTE = 60, WORDS = SETUP_FIELDS + 16 };

typedef enum objective {
    OBJECTIVE_TIME,
    OBJECTIVE_COST,
    OBJECTIVE_MEMORY,
    OBJECTIVE_FRONT
} objective;
static const char *const objectives[] = { "time", "cost", "memory", "front", NULL };

/* The state and the result of a strategy. */
typedef struct outcome {
    bool settled, wanted, done;
    double cycles, us;
    cJSON *result; /* NULL: there is none */
    char *message; /* why it failed, or NULL */
} outcome;

typedef struct search {
    strategy_words words;
    setup_rows given;
    const char *cluster, *database, *svg;
    uint64_t capacity, limit_s;
    double own; /* bytes of an NPU's memory by the cluster's file; INFINITY: not given */
    objective objective;
    uint64_t top; /* rows of the table; 0: all */
    bool all, composed, exact, retry, list, quiet;
    sweep_share share;
    training_model m;
    setup o;
    search_space space;
    sweep sweep;
    sweep_axis axis;
    sweep_store *store;
    outcome *of;  /* of each candidate; with composed, followed by the run of each */
    bool *wanted; /* to run in this round */
    size_t again; /* how many of the best were run */
    unsigned ran;
} search;

/* ---- arguments ----------------------------------------------------------------------------- */

static bool take_varied(void *search_, unsigned row, const char *text) {
    search *const s = search_;
    char word[32];

    (void)row;
    s->space.varied = 0;
    if (!strcmp(text, "none")) return true;
    for (const char *p = text;; p++) {
        const size_t n = strcspn(p, ",");
        int v;

        snprintf(word, sizeof word, "%.*s", (int)(n < 30 ? n : 30), p);
        if (!parse_name(word, search_choice_names, &v)) return false;
        s->space.varied |= 1U << v;
        p += n;
        if (!*p) return true;
    }
}

static const option_row rows[] = {
    OPTION_TEXT_ROW(search, cluster, "cluster", "FILE",
                    "file with the NPUs and the fabric between them"),
    OPTION_COUNT_ROW(search, words.batch, "batch", "sequences of an iteration"),
    { "capacity", "SIZE", OPTION_SIZE, offsetof(search, capacity),
      .text = "memory of an NPU [the cluster file's, or 80GB]", .accepted = "a size such as 80GB" },
    OPTION_TEXT_ROW(search, space.fixed, "fixed", "PARTS",
                    "parts that all strategies have; tp8 fixes that degree [sp.fused.zero1]"),
    { "vary", "LIST", OPTION_OWN, 0,
      .text = "what varies: b, recompute, schedule, zero, sp, cp, or none [b,recompute,schedule]",
      .accepted = "some of b, recompute, schedule, zero, sp, cp, or none", .take = take_varied },
    { "objective", "NAME", OPTION_WORD, offsetof(search, objective),
      .text = "time, cost (NPU hours for a thousand million tokens), memory, or front: strategies "
              "that no other beats in both time and memory [time]",
      .accepted = "time, cost, memory or front", .names = objectives },
    OPTION_FLAG_ROW(search, all, "all", "also run the strategies that cannot be best"),
    OPTION_FLAG_ROW(
        search, composed, "composed",
        "compose iterations as acesim train --composed does, then run the best five [where "
        "running all would take minutes]"),
    OPTION_FLAG_ROW(search, exact, "exact", "run all, however long that takes"),
    { "top", "N", OPTION_COUNT, offsetof(search, top), .text = "rows of the table [all]",
      .accepted = "1 to 1000000", .low = 1, .high = 1000000 },
    OPTION_COUNT_ROW(search, words.sequence, "sequence",
                     "tokens of a sequence, in place of the model's"),
    OPTION_COUNT_ROW(search, words.layers, "layers", "layers, in place of the model's"),
    OPTION_TEXT_ROW(search, database, "database", "FILE", "results, SQLite [search.sqlite]"),
    OPTION_JOBS_OR_NONE(search, share.jobs),
    { "point-limit", "SECONDS", OPTION_COUNT, offsetof(search, limit_s),
      .text = "stop an iteration that takes longer, and count it as failed",
      .accepted = "1 to 31536000", .low = 1, .high = SWEEP_LIMIT_S },
    OPTION_FLAG_ROW(search, retry, "retry", "run failed strategies again"),
    OPTION_FLAG_ROW(search, list, "list",
                    "print the strategies with their bounds and memory; run none"),
    OPTION_TEXT_ROW(search, svg, "svg", "FILE",
                    "write a plot of time against memory, with the front"),
    OPTION_FORMAT(search, words.format),
    OPTION_QUIET(search, quiet),
};
static const option_table options = {
    .command = "search",
    .about =
        "usage: acesim search MODEL --cluster FILE --batch N [OPTIONS]\n\n"
        "Runs an iteration of every strategy that divides a model over a cluster and fits in\n"
        "memory, and ranks them. A strategy whose lower bound exceeds the best time is skipped.\n"
        "Results are kept in a database: a stopped search continues, and several searches share\n"
        "the work.\n\n",
    .tail = "\nexample: acesim search models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml "
            "--batch "
            "16 \\\n    --layers 4 --sequence 256 --endpoint ideal --jobs 2\n",
    .least = 1,
    .most = 1,
    .expected = "one MODEL, --cluster and --batch",
    .group = { OPTION_GROUP(rows) },
};

/* Returns false if --help was given and printed, or if *rc is not EXIT_OK. */
static bool take_words(int argc, char **argv, search *s, int *rc) {
    option_table all = options;
    char **model;

    all.group[1] = setup_rows_group(&s->given, strategy_takes, offsetof(search, given));
    model = option_table_read(&all, argc, argv, s, rc);
    if (!model) return false;
    if (!s->cluster || !s->words.batch) {
        fprintf(stderr, "acesim search: found no --%s, expected %s\n",
                s->cluster ? "batch" : "cluster", options.expected);
        *rc = EXIT_USAGE;
        return false;
    }
    if (s->composed && s->exact) {
        fprintf(stderr, "acesim search: found --composed and --exact, expected one of them\n");
        *rc = EXIT_USAGE;
        return false;
    }
    s->share.limit_s = (double)s->limit_s;
    s->share.quiet = s->quiet;
    s->words.model = *model;
    return true;
}

/* ---- points -------------------------------------------------------------------------------- */

static bool add_number(sweep_point *p, const char *option, uint64_t value) {
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    return !value || sweep_point_add(p, option, text);
}

static bool make_point(const search *s, const candidate *c, bool composed, uint64_t hash,
                       sweep_point *p) {
    bool ok;

    p->words = calloc(WORDS, sizeof *p->words);
    ok = p->words && sweep_point_add(p, "train", "") && sweep_point_add(p, "", s->words.model) &&
         sweep_point_add(p, "--cluster=", s->cluster) &&
         sweep_point_add(p, "--strategy=", c->text) &&
         (!*c->placement || sweep_point_add(p, "--placement=", c->placement)) &&
         add_number(p, "--sequence=", s->words.sequence) &&
         add_number(p, "--layers=", s->words.layers) &&
         (!composed || sweep_point_add(p, "--composed", "")) &&
         (c->memory <= s->own || sweep_point_add(p, "--oversize", ""));
    for (unsigned i = 0; ok && i < SETUP_FIELDS; i++) {
        char option[48];

        if (!s->given.at[i]) continue;
        snprintf(option, sizeof option, "--%s%s", setup_fields[i].option,
                 setup_fields[i].argument ? "=" : "");
        ok = sweep_point_add(p, option, s->given.at[i]);
    }
    for (int i = 0; ok && i < p->count; i++)
        hash = fnv1a(hash, p->words[i], strlen(p->words[i]) + 1);
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
    if (s->given.at[SETUP_ACCELERATOR] &&
        !accelerator_file_digest(s->given.at[SETUP_ACCELERATOR], &hash))
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

static void free_search(search *s) {
    for (size_t i = 0; s->of && i < s->sweep.count; i++) {
        cJSON_Delete(s->of[i].result);
        free(s->of[i].message);
    }
    for (unsigned i = 0; s->sweep.points && i < s->sweep.count; i++) {
        for (int k = 0; k < s->sweep.points[i].count; k++) free(s->sweep.points[i].words[k]);
        free(s->sweep.points[i].words);
    }
    sweep_store_close(s->store);
    free(s->sweep.points);
    free(s->axis.values);
    free(s->axis.name);
    free(s->of);
    free(s->wanted);
    search_space_free(&s->space);
    free(s);
}

/* ---- rounds -------------------------------------------------------------------------------- */

/* True if a finished strategy is at least as good, whatever time the candidate would take. */
static bool needless(const search *s, size_t i) {
    const candidate *c = &s->space.at[i];

    for (size_t k = 0; !s->all && k < s->space.count; k++) {
        const outcome *o = &s->of[k];
        const double memory = s->space.at[k].memory;
        const bool late = o->cycles <= (double)c->bound;

        if (!o->done) continue;
        if (s->objective == OBJECTIVE_MEMORY  ? memory < c->memory || (memory <= c->memory && late)
            : s->objective == OBJECTIVE_FRONT ? memory <= c->memory && late
                                              : late)
            return true;
    }
    return false;
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
    outcome *o = &s->of[i];
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

/* Compares by the objective. Candidates without a result come last. */
/* the search that qsort() sorts, because compare() gets no other argument */
static const search *sorted;
static int compare(const void *a, const void *b) {
    const size_t i = *(const size_t *)a, k = *(const size_t *)b;
    const outcome *x = &sorted->of[i], *y = &sorted->of[k];
    const candidate *c = &sorted->space.at[i], *d = &sorted->space.at[k];

    if (x->done != y->done) return x->done ? -1 : 1;
    if (x->done && sorted->objective == OBJECTIVE_MEMORY &&
        (c->memory < d->memory || c->memory > d->memory))
        return c->memory < d->memory ? -1 : 1;
    if (x->done && (x->cycles < y->cycles || x->cycles > y->cycles))
        return x->cycles < y->cycles ? -1 : 1;
    return (i > k) - (i < k);
}

/* Returns the candidates in the order of the objective, or NULL if there is no memory. */
static size_t *order_of(const search *s) {
    size_t *const order = calloc(s->space.count + 1, sizeof *order);

    for (size_t i = 0; order && i < s->space.count; i++) order[i] = i;
    sorted = s;
    if (order) qsort(order, s->space.count, sizeof *order, compare);
    return order;
}

/* Runs the best composed strategies on the nodes, unless one takes minutes. Returns EXIT_OK, or
 * another status after a message. */
static int run_best(search *s) {
    const size_t n = s->space.count;
    size_t *const order = order_of(s);
    int rc = order ? EXIT_OK : message_no_memory();

    memset(s->wanted, 0, s->sweep.count * sizeof *s->wanted);
    for (size_t i = 0; order && i < n && i < BEST && s->of[order[i]].done &&
                       s->space.at[order[i]].seconds < MINUTE;
         i++) {
        s->wanted[n + order[i]] = true;
        s->again++;
    }
    s->share.wanted = s->wanted;
    if (rc == EXIT_OK && s->again && s->share.jobs)
        rc = sweep_work(&s->sweep, s->store, &s->share, &s->ran);
    for (size_t i = 0; rc == EXIT_OK && i < n; i++)
        if (s->wanted[n + i] && !look(s, n + i)) rc = EXIT_CHECK;
    free(order);
    return rc;
}

/* ---- what is printed ----------------------------------------------------------------------- */

/* Returns the outcome of a composed candidate's run, or NULL if it has none. */
static const outcome *run_of(const search *s, size_t i) {
    const outcome *const o = s->composed ? &s->of[s->space.count + i] : NULL;

    return o && o->done ? o : NULL;
}

static double hours(const search *s, const outcome *o) {
    const double tokens = (double)s->words.batch * (double)s->m.sequence;

    return o->us * 1e-6 / 3600 * cJSON_GetObjectItem(o->result, "ranks")->valuedouble * 1e9 /
           tokens;
}

static double share_of(const outcome *o, const char *part) {
    return 100 * cJSON_GetObjectItem(o->result, part)->valuedouble / o->cycles;
}

static const char *state_of(const outcome *o) {
    return o->done ? "done" : o->message ? "failed" : o->settled ? "waiting" : "needless";
}

static cJSON *object_of(const search *s, size_t i) {
    static const char *const parts[] = { "compute_cycles", "exposed_communication_cycles",
                                         "bubble_cycles", "tokens_per_s",
                                         "model_flops_utilization" };
    const outcome *o = &s->of[i];
    cJSON *one = cJSON_CreateObject();

    cJSON_AddStringToObject(one, "strategy", s->space.at[i].text);
    cJSON_AddStringToObject(one, "placement", s->space.at[i].placement);
    cJSON_AddStringToObject(one, "state", state_of(o));
    cJSON_AddNumberToObject(one, "memory_peak_bytes", s->space.at[i].memory);
    json_count(one, "bound_cycles", s->space.at[i].bound);
    if (!o->done) return one;
    cJSON_AddNumberToObject(one, "cycles", o->cycles);
    cJSON_AddNumberToObject(one, "time_us", o->us);
    cJSON_AddNumberToObject(one, "npu_hours", hours(s, o));
    if (run_of(s, i)) cJSON_AddNumberToObject(one, "run_time_us", run_of(s, i)->us);
    for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
        cJSON_AddNumberToObject(one, parts[k],
                                cJSON_GetObjectItem(o->result, parts[k])->valuedouble);
    /* The whole result of acesim train, because explain, report and diff read it. */
    cJSON_AddItemToObject(one, "result", cJSON_Duplicate(o->result, true));
    return one;
}

static void print_row(const search *s, unsigned rank, size_t i, time_unit in) {
    const outcome *o = &s->of[i];
    const candidate *c = &s->space.at[i];
    char time[FIGURE], bound[FIGURE];
    const double us = (double)c->bound / s->o.machine.cluster.clock_MHz;

    printf("%4u  %12s %11s", rank, figure_time(o->us, in, time), figure_time(us, in, bound));
    if (s->again) printf(" %11s", run_of(s, i) ? figure_time(run_of(s, i)->us, in, time) : "-");
    printf(" %8.3f %7.2f %12s %8.2f %8.1f %8.1f %8.1f  %s %s\n", c->memory / 1024 / 1024 / 1024,
           100 * json_number(o->result, "model_flops_utilization"),
           figure_count(json_number(o->result, "tokens_per_s"), bound), hours(s, o),
           share_of(o, "compute_cycles"), share_of(o, "exposed_communication_cycles"),
           share_of(o, "bubble_cycles"), c->text, c->placement);
}

static void print_table(const search *s, const size_t *order, unsigned done, unsigned failed) {
    const outcome *best = done ? &s->of[order[0]] : NULL;
    double slowest = 0;
    char topology[TOPOLOGY_TEXT];

    print_topology(&s->o.machine.cluster, topology);
    printf("%s, a batch of %" PRIu64 " on %s; endpoint %s, by %s\n\n", s->m.name, s->words.batch,
           topology, endpoint_name(s->o.machine.cluster.endpoint), objectives[s->objective]);
    printf("strategies that divide  %8" PRIu64 "\n", s->space.divided);
    printf("that fit                %8zu   in %.4g GB of an NPU\n",
           s->space.count + s->space.long_ones, (double)s->capacity * 1e-9);
    if (s->space.long_ones) printf("too long for a plan     %8" PRIu64 "\n", s->space.long_ones);
    printf("with a result           %8u\n", done);
    if (failed) printf("failed                  %8u\n", failed);
    printf("left out                %8zu   whose bound says that they cannot be better\n\n",
           s->space.count - done - failed);
    if (!best) return;
    printf("rank          time never below%s      GiB   MFU %%     tokens/s    hours  compute  "
           "exposed   bubble  strategy\n",
           s->again ? "         run" : "");
    for (unsigned i = 0; i < done; i++) {
        if (!s->top || i < s->top) print_row(s, i + 1, order[i], figure_time_unit(best->us));
        if (s->of[order[i]].us > slowest) slowest = s->of[order[i]].us;
    }
    if (s->top && s->top < done) printf("...\n");
    printf("\nthe slowest of these %u takes %.2f times as long as the first\n", done,
           slowest / best->us);
    if (s->again)
        printf("composed of events that were measured once each; the best %zu ran, too\n",
               s->again);
    else if (s->composed)
        printf("composed of events that were measured once each; a run would take minutes\n");
    machine_words_print(best->result, 7);
}

/* Draws time against memory for everything that was run. */
static int draw(const search *s, const size_t *order, unsigned done) {
    pareto_point *at = calloc(done + 1, sizeof *at);
    const double scale = 1.0 / 1024 / 1024 / 1024;
    char title[160];
    atomic_file f;
    int rc;

    if (!at) return message_no_memory();
    for (unsigned i = 0; i < done; i++)
        at[i] = (pareto_point){ .x = s->of[order[i]].us * 1e-3,
                                .y = s->space.at[order[i]].memory * scale,
                                .label = s->space.at[order[i]].text };
    pareto_mark(at, done);
    snprintf(title, sizeof title, "%.60s, a batch of %" PRIu64 ": %u strategies", s->m.name,
             s->words.batch, done);
    rc = atomic_file_open(&f, s->svg);
    if (rc == EXIT_OK) {
        pareto_svg(f.to, at, done, title, "milliseconds of an iteration", "GiB of a rank");
        rc = atomic_file_close(&f);
    }
    free(at);
    return rc;
}

/* Prints the result. If several workers were started together, only the first prints. */
static int print(search *s) {
    const bool first = !s->share.rank;
    size_t *order = order_of(s);
    unsigned done = 0, failed = 0;
    cJSON *list;
    int rc = EXIT_OK;

    if (!order) return message_no_memory();
    for (size_t i = 0; i < s->space.count; i++) {
        done += s->of[i].done;
        failed += s->of[i].settled && !s->of[i].done;
        if (first && s->of[i].settled && s->of[i].message && !s->of[i].done && *s->of[i].message)
            fprintf(stderr, "acesim search: %s: %s\n", s->space.at[i].text, s->of[i].message);
    }
    if (first && s->svg) rc = draw(s, order, done);
    if (first && s->words.format == FORMAT_TABLE) {
        print_table(s, order, done, failed);
    } else if (first) {
        list = cJSON_CreateArray();
        for (size_t i = 0; i < s->space.count; i++)
            cJSON_AddItemToArray(list, object_of(s, order[i]));
        rc = result_print(list, s->words.format, &(result_form){ 0 });
    }
    free(order);
    return rc == EXIT_OK && failed ? EXIT_CHECK : rc;
}

static void print_list(const search *s) {
    for (size_t i = 0; i < s->space.count; i++)
        printf("%14" PRIu64 "%10.3f GiB  %s %s\n", s->space.at[i].bound,
               s->space.at[i].memory / 1024 / 1024 / 1024, s->space.at[i].text,
               s->space.at[i].placement);
}

/* ---- the command --------------------------------------------------------------------------- */

static int make(search *s) {
    const strategy any = { .experts = 1, .degree = { 1, 1, 1, 1 } };
    int rc = strategy_fields(&s->words, &s->given, s->cluster, &s->o);

    if (rc == EXIT_OK) rc = strategy_from_words(&s->words, &s->m, NULL);
    if (rc == EXIT_OK) rc = strategy_graph_check(&s->m, &any);
    if (rc != EXIT_OK) return rc;
    s->space.model = &s->m;
    s->space.machine = &s->o.machine;
    s->space.batch = s->words.batch;
    const uint64_t own =
        s->o.machine.cluster.npu.memory_bytes + s->o.machine.cluster.npu.expanded_bytes;

    s->own = own ? (double)own : INFINITY;
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

static int run(search *s) {
    const double start = run_cost_start();
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
    if (rc != EXIT_OK) return rc;
    rc = print(s);
    if (!s->quiet)
        fprintf(stderr, "%u iterations run here; wall time %.3f s\n", s->ran,
                run_cost_start() - start);
    return rc;
}

int command_search(int argc, char **argv) {
    search *s = calloc(1, sizeof *s);
    int rc;

    if (!s) return message_no_memory();
    s->words.command = "search";
    s->database = "search.sqlite";
    s->space.fixed = "sp.fused.zero1";
    s->space.varied = 1U << CHOICE_MICRO_BATCH | 1U << CHOICE_RECOMPUTATION | 1U << CHOICE_SCHEDULE;
    s->share = (sweep_share){ .jobs = 1, .shards = 1, .ranks = 1, .run = command_point };
    sweep_share_find(&s->share);
    if (take_words(argc, argv, s, &rc)) {
        rc = make(s);
        if (rc == EXIT_OK && s->list)
            print_list(s);
        else if (rc == EXIT_OK)
            rc = run(s);
    }
    free_search(s);
    return rc;
}
