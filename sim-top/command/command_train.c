/* SPDX-License-Identifier: Apache-2.0 */
/* command_train.c -- acesim train: an iteration of a model under a strategy, run on a cluster */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "digest.h"
#include "exit_status.h"
#include "figures.h"
#include "footprint.h"
#include "message.h"
#include "model_work.h"
#include "observers.h"
#include "options.h"
#include "placement.h"
#include "processes.h"
#include "report.h"
#include "run_cost.h"
#include "strategy_graph.h"
#include "strategy_words.h"

static const char help_head[] =
    "usage: acesim train MODEL --cluster FILE --strategy STRATEGY [OPTIONS]\n\n"
    "Runs an iteration of a model that is divided by a strategy on every NPU of a cluster, on any\n"
    "endpoint and rung: its time, what computed, what of its communication was not hidden, how\n"
    "well the NPUs were used, and what they hold.  acesim strategy --help has the parts of a\n"
    "strategy; here it has no pipeline, and its degrees are products of whole dimensions.\n\n"
    "  --cluster FILE              of the NPUs and the fabric between them\n"
    "  --strategy STRATEGY         such as tp4.dp4.sp.zero1.m2\n"
    "  --placement LIST            dimensions of each degree: tp:x,dp:yz [ranks are nodes]\n"
    "  --batch N                   sequences of an iteration, in place of mN\n"
    "  --sequence N                tokens of a sequence, in place of the model's\n"
    "  --layers N                  layers, in place of the model's\n"
    "  --fractional                heads and widths that do not divide are cut all the same\n"
    "  --format NAME               table, json or csv\n"
    "  --help                      this text\n";
static const char help_tail[] =
    "\nexample: acesim train models/gpt2-345m.yaml --cluster clusters/torus-4x2x2.yaml \\\n"
    "    --strategy tp4.dp4.fused --layers 2\n";

/* Options of acesim run that are taken here, too. */
static const char *const shared[] = {
    "type",           "endpoint",       "rung",     "rtl",           "speed",
    "fold",           "fast-forward",   "sms",      "shares",        "memory-bandwidth",
    "chunk",          "memory-latency", "clock",    "compute-scale", "link-bandwidth",
    "link-latency",   "fsms",           "contexts", "threads",       "timeline",
    "timeline-limit", "quiet",
};
enum { SHARED = sizeof shared / sizeof *shared, OWN = 1000, WORDS = 64, WORD = 300 };

typedef struct train_run {
    strategy_words words;
    const char *cluster, *placement;
    char given[WORDS][WORD]; /* for acesim run */
    unsigned givens;
    training_model m;
    strategy s;
    placement p;
    run_fields o;
    run_setup setup;
    strategy_graph *g;
    graph_account *at; /* of each representative and mark */
    unsigned representatives;
    uint64_t digest;
} train_run;

/* ---- words --------------------------------------------------------------------------------- */

static const setup_field *field_of(const char *option) {
    for (const setup_field *f = setup_fields; f < setup_fields + SETUP_FIELDS; f++)
        if (f->where & SETUP_RUN && !strcmp(f->option, option)) return f;
    return NULL;
}

static void help(void) {
    fputs(help_head, stdout);
    for (unsigned i = 0; i < SHARED; i++) {
        const setup_field *f = field_of(shared[i]);
        char left[64], text[400];

        snprintf(left, sizeof left, "--%s%s%s", f->option, f->argument ? " " : "",
                 f->argument ? f->argument : "");
        setup_help(f, text, sizeof text);
        printf("  %-27s %s\n", left, text);
    }
    fputs(help_tail, stdout);
}

static int take(train_run *r, int c) {
    switch (c) {
    case 'c': r->cluster = optarg; return EXIT_OK;
    case 's': r->words.strategy = optarg; return EXIT_OK;
    case 'p': r->placement = optarg; return EXIT_OK;
    case '?': return EXIT_USAGE;
    default: break;
    }
    if (c < OWN) return strategy_word(&r->words, c, optarg);
    if (r->givens == WORDS || (optarg && strlen(optarg) > WORD - 64)) {
        fprintf(stderr, "acesim train: found too many or too long options, expected fewer\n");
        return EXIT_USAGE;
    }
    snprintf(r->given[r->givens++], WORD, "--%s%s%s", shared[c - OWN], optarg ? "=" : "",
             optarg ? optarg : "");
    return EXIT_OK;
}

/* false: --help was asked for and given, or *rc is not EXIT_OK. */
static bool take_words(int argc, char **argv, train_run *r, int *rc) {
    static const struct option own[] = { { "cluster", required_argument, NULL, 'c' },
                                         { "strategy", required_argument, NULL, 's' },
                                         { "placement", required_argument, NULL, 'p' },
                                         { "batch", required_argument, NULL, 'B' },
                                         { "sequence", required_argument, NULL, 'S' },
                                         { "layers", required_argument, NULL, 'L' },
                                         { "fractional", no_argument, NULL, 'F' },
                                         { "format", required_argument, NULL, 'f' },
                                         { "help", no_argument, NULL, 'h' } };
    enum { OWNS = sizeof own / sizeof *own };
    struct option longs[OWNS + SHARED + 1] = { 0 };
    int c;

    memcpy(longs, own, sizeof own);
    for (unsigned i = 0; i < SHARED; i++)
        longs[OWNS + i] =
            (struct option){ shared[i],
                             field_of(shared[i])->argument ? required_argument : no_argument, NULL,
                             OWN + (int)i };
    optind = 1;
    *rc = EXIT_OK;
    while (*rc == EXIT_OK && (c = message_getopt(argc, argv, longs)) != -1) {
        if (c == 'h') {
            help();
            return false;
        }
        *rc = take(r, c);
    }
    if (*rc != EXIT_OK) return false;
    if (optind + 1 != argc || !r->cluster || !r->words.strategy) {
        fprintf(stderr, "acesim train: found %s, expected one MODEL, --cluster and --strategy\n",
                optind + 1 != argc ? "another number of arguments"
                : !r->cluster      ? "no --cluster"
                                   : "no --strategy");
        *rc = EXIT_USAGE;
        return false;
    }
    r->words.model = argv[optind];
    return true;
}

/* ---- the run ------------------------------------------------------------------------------- */

static int make_fields(train_run *r) {
    char *argv[WORDS + 4], name[] = "run";
    int argc = 0, rc;

    argv[argc++] = name;
    argv[argc++] = (char *)(uintptr_t)r->cluster; /* which getopt leaves as it is */
    argv[argc++] = (char *)(uintptr_t)r->words.model;
    for (unsigned i = 0; i < r->givens; i++) argv[argc++] = r->given[i];
    argv[argc] = NULL;
    rc = options_run(argc, argv, &r->o);
    r->o.format = (format)r->words.format;
    return rc;
}

static int make_placement(train_run *r) {
    strategy_fault why = { 0 };
    char what[192];

    snprintf(what, sizeof what, r->placement ? "--placement '%.100s'" : "cluster '%.100s'",
             r->placement ? r->placement : r->cluster);
    return placement_make(&r->s, r->o.cluster.ring, r->placement, &r->p, &why)
               ? EXIT_OK
               : strategy_refuse("train", what, &why);
}

/* Everything that the result depends on beside the setup. */
static uint64_t digest_of(const train_run *r) {
    char text[STRATEGY_TEXT];
    uint64_t h = model_digest(&r->m);

    strategy_print(&r->s, text);
    h = fnv1a(h, text, strlen(text) + 1);
    for (axis a = 0; a < AXES; a++) {
        for (unsigned i = 0; i < r->p.axis[a].legs; i++) {
            const placement_leg *l = &r->p.axis[a].leg[i];
            const uint32_t leg[] = { (uint32_t)a, l->dimension, l->extent, l->stride };

            h = fnv1a(h, leg, sizeof leg);
        }
    }
    return h;
}

static int open_graph(void *self, unsigned npu, graph_reader *reader) {
    (void)npu; /* all do the same */
    return strategy_graph_open(((train_run *)self)->g, reader);
}
static graph_words words(const void *self, uint32_t label) {
    return strategy_graph_words(((const train_run *)self)->g, label);
}
static void label(const void *self, uint32_t number, char *to, size_t room) {
    strategy_graph_label(((const train_run *)self)->g, number, to, room);
}
static void marked(void *self, unsigned representative, uint32_t number, const graph_account *a) {
    train_run *r = self;

    r->at[representative * STRATEGY_MARKS + strategy_graph_mark(r->g, number)] = *a;
}
static double progress(const void *self, const graph_account *a) {
    return (double)a->finished / (double)strategy_graph_nodes(((const train_run *)self)->g);
}
static void state(void *self, ace_state *s) {
    train_run *r = self;

    ace_state_bytes(s, r->at, (size_t)r->representatives * STRATEGY_MARKS * sizeof *r->at);
}

static int run_on(train_run *r, const observers *watch, fabric **f, graph_engine **e) {
    const graph_maker m = { .self = r,
                            .open = open_graph,
                            .window = strategy_graph_window(r->g),
                            .in_order = true,
                            .words = words,
                            .label = label,
                            .marked = marked,
                            .progress = progress,
                            .state = state };
    driver d;
    int rc = fabric_create(&r->setup, watch->list, watch->count, f);

    if (rc != EXIT_OK) return rc;
    r->representatives = fabric_representatives(*f);
    r->at = calloc((size_t)r->representatives * STRATEGY_MARKS, sizeof *r->at);
    rc = processes_agree(r->at ? graph_engine_create(&m, &r->setup.fields, *f, e)
                               : message_no_memory());
    if (rc != EXIT_OK) return rc;
    d = graph_engine_driver(*e);
    rc = fabric_run(*f, &d, r->digest);
    return rc == EXIT_OK ? graph_engine_end(*e) : rc;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* Cycles of an iteration: of each the longest over all NPUs. */
typedef struct outcome {
    uint64_t cycles, computing, alone, layers, gradients, gathers;
} outcome;

static outcome outcome_of(const train_run *r) {
    outcome o = { 0 };

    for (unsigned i = 0; i < r->representatives; i++) {
        const graph_account *at = &r->at[i * STRATEGY_MARKS];
        const outcome one = {
            .cycles = at[STRATEGY_END].now,
            .computing = at[STRATEGY_END].computing,
            .alone = at[STRATEGY_END].alone,
            .layers = at[STRATEGY_BACKWARD_OVER].exposed,
            .gradients = at[STRATEGY_GRADIENTS_THERE].exposed - at[STRATEGY_BACKWARD_OVER].exposed,
            .gathers = at[STRATEGY_END].exposed - at[STRATEGY_UPDATED].exposed,
        };
        const uint64_t *from = (const uint64_t *)&one;
        uint64_t *to = (uint64_t *)&o;

        for (unsigned k = 0; k < sizeof o / sizeof *to; k++)
            if (from[k] > to[k]) to[k] = from[k];
    }
    processes_maximum((uint64_t *)&o, sizeof o / sizeof(uint64_t));
    return o;
}

static cJSON *make(const train_run *r, const outcome *u, const footprint *held, const fabric *f) {
    cJSON *root = strategy_object(&r->m, &r->s);
    const double us = (double)u->cycles / r->o.cluster.clock_MHz;
    const double tokens = strategy_sequences(&r->s) * (double)r->m.sequence;
    const double could =
        us * 1e-6 * (double)strategy_ranks(&r->s) * r->o.cluster.npu.matrix_TFLOPS * 1e12;
    char topology[TOPOLOGY_TEXT], digest[24];
    double sent = 0;

    print_topology(&r->o.cluster, topology);
    snprintf(digest, sizeof digest, "%016" PRIx64, r->digest);
    cJSON_AddStringToObject(root, "topology", topology);
    cJSON_AddStringToObject(root, "endpoint", endpoint_name(r->o.cluster.endpoint));
    cJSON_AddStringToObject(root, "rung", fabric_rung(f, 0));
    cJSON_AddStringToObject(root, "folding", fabric_folding(f));
    cJSON_AddNumberToObject(root, "cycles", (double)u->cycles);
    cJSON_AddNumberToObject(root, "time_us", us);
    cJSON_AddNumberToObject(root, "compute_cycles", (double)u->computing);
    cJSON_AddNumberToObject(root, "compute_alone_cycles", (double)u->alone);
    cJSON_AddNumberToObject(root, "exposed_communication_cycles",
                            (double)(u->layers + u->gradients + u->gathers));
    cJSON_AddNumberToObject(root, "exposed_layer_cycles", (double)u->layers);
    cJSON_AddNumberToObject(root, "exposed_gradient_cycles", (double)u->gradients);
    cJSON_AddNumberToObject(root, "exposed_gather_cycles", (double)u->gathers);
    cJSON_AddNumberToObject(root, "tokens_per_s", tokens / (us * 1e-6));
    cJSON_AddNumberToObject(root, "model_flops_utilization", model_flops(&r->m, &r->s) / could);
    cJSON_AddNumberToObject(root, "hardware_flops_utilization",
                            model_executed_flops(&r->m, &r->s) / could);
    cJSON_AddNumberToObject(root, "memory_peak_bytes", held->peak);
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) sent += (double)fabric_sent(f, 0, d);
    cJSON_AddNumberToObject(root, "bytes_sent_per_npu", sent);
    cJSON_AddNumberToObject(root, "nodes", (double)strategy_graph_nodes(r->g));
    cJSON_AddNumberToObject(root, "collectives", (double)strategy_graph_collectives(r->g));
    cJSON_AddStringToObject(root, "config_digest", digest);
    return root;
}

static double get(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuedouble;
}
static const char *word(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuestring;
}

static void print_part(const cJSON *root, const char *name, const char *key, time_unit in,
                       double clock_MHz) {
    char time[FIGURE];

    printf("%-24s%14s%10.2f %%\n", name, figure_time(get(root, key) / clock_MHz, in, time),
           100 * get(root, key) / get(root, "cycles"));
}

static void print_table(const train_run *r, const cJSON *root) {
    const time_unit in = figure_time_unit(get(root, "time_us"));
    const double clock = r->o.cluster.clock_MHz;
    char time[FIGURE], count[FIGURE];

    printf("%s, %s on %s, %.0f NPUs; endpoint %s, rung %s\n\n", word(root, "model"),
           word(root, "strategy"), word(root, "topology"), get(root, "ranks"),
           word(root, "endpoint"), word(root, "rung"));
    printf("%-24s%14s   %s cycles\n", "iteration", figure_time(get(root, "time_us"), in, time),
           figure_count(get(root, "cycles"), count));
    print_part(root, "compute", "compute_cycles", in, clock);
    print_part(root, "  had it been alone", "compute_alone_cycles", in, clock);
    print_part(root, "exposed", "exposed_communication_cycles", in, clock);
    print_part(root, "  within layers", "exposed_layer_cycles", in, clock);
    print_part(root, "  of gradients", "exposed_gradient_cycles", in, clock);
    print_part(root, "  of parameters", "exposed_gather_cycles", in, clock);
    printf("\n%-24s%14s\n", "tokens a second", figure_count(get(root, "tokens_per_s"), count));
    printf("%-24s%12.2f %%   of %g TFLOP/s\n%-24s%12.2f %%\n", "model FLOPs",
           100 * get(root, "model_flops_utilization"), r->o.cluster.npu.matrix_TFLOPS,
           "hardware FLOPs", 100 * get(root, "hardware_flops_utilization"));
    printf("%-24s%10.3f GiB   a rank, without workspace\n", "memory",
           get(root, "memory_peak_bytes") / (1024.0 * 1024 * 1024));
    printf("%-24s%14s   in %s nodes of the graph\n", "collectives",
           figure_count(get(root, "collectives"), time), figure_count(get(root, "nodes"), count));
}

static int print(const train_run *r, fabric *f) {
    const outcome u = outcome_of(r);
    footprint held;
    cJSON *root, *list;
    int rc = footprint_make(&r->m, &r->s, 0, &held);

    if (rc == EXIT_OK) rc = fabric_check_bytes(f);
    if (rc != EXIT_OK || processes_rank()) return rc;
    root = make(r, &u, &held, f);
    if (r->o.format == FORMAT_JSON) return strategy_print_json(root);
    if (r->o.format == FORMAT_CSV) {
        list = cJSON_CreateArray();
        cJSON_AddItemToArray(list, root);
        strategy_print_csv(list);
        cJSON_Delete(list);
        return EXIT_OK;
    }
    print_table(r, root);
    cJSON_Delete(root);
    return EXIT_OK;
}

static int run(train_run *r) {
    observers watch;
    fabric *f = NULL;
    graph_engine *e = NULL;
    int closed, rc = processes_agree(observers_create(&r->o, &watch));

    if (rc == EXIT_OK) rc = run_on(r, &watch, &f, &e);
    if (rc == EXIT_OK) rc = print(r, f);
    graph_engine_destroy(e);
    closed = fabric_destroy(f);
    observers_destroy(&watch);
    return rc == EXIT_OK ? closed : rc;
}

static int make_and_run(train_run *r) {
    report about;
    int rc = processes_agree(run_setup_make(&r->o, &r->setup));

    if (rc == EXIT_OK) rc = make_placement(r);
    if (rc == EXIT_OK)
        rc = cluster_reduces(&r->o, ACE_ALL_REDUCE, r->o.type_given ? r->o.type : ACE_FP16);
    if (rc == EXIT_OK) rc = strategy_graph_create(&r->m, &r->s, &r->p, &r->setup.fields, &r->g);
    rc = processes_agree(rc);
    if (rc == EXIT_OK) {
        about = (report){ .o = &r->o,
                          .cfg = &r->setup.config,
                          .faults = &r->setup.faults,
                          .kind = r->m.name,
                          .digest_of = digest_of(r) };
        r->digest = report_digest(&about);
        rc = run(r);
    }
    run_setup_free(&r->setup);
    strategy_graph_destroy(r->g);
    free(r->at);
    return rc;
}

int command_train(int argc, char **argv) {
    const double start = run_cost_start();
    train_run *r = calloc(1, sizeof *r);
    int rc;

    if (!r) return message_no_memory();
    r->words.command = "train";
    if (take_words(argc, argv, r, &rc)) {
        rc = make_fields(r);
        if (rc == EXIT_OK) rc = strategy_from_words(&r->words, &r->m, &r->s);
        if (rc == EXIT_OK) {
            rc = make_and_run(r);
            if (!r->o.quiet) run_cost_print(start);
        }
    }
    free(r);
    return rc;
}
