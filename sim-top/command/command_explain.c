/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_explain.c -- acesim explain: what bounded a run, and what would help
 *
 * The verdict comes from the result's cycle classes (bottleneck.h).  It is then put to the test:
 * the command that the result names is run again with one option changed, on the C twins,
 * and what that gains is printed, whether it confirms the verdict or not.
 */
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bottleneck.h"
#include "child_process.h"
#include "cluster.h"
#include "command.h"
#include "exit_status.h"
#include "options.h"
#include "report.h"
#include "values.h"
#include "what_if.h"
#include "workload.h"
#include "workload_read.h"

enum { LONGEST = 5, WORDS = OPTION_WORDS + 8 };

static const double GAIN = 0.02; /* what confirms a verdict, of the cycles */
static const double CLOSE_BEHIND = 0.9;
static const double EXPOSED = 0.01; /* less of an iteration is hidden well */

typedef struct explain {
    const char *file;
    bool all;
    char threads[32]; /* "--threads=N" for what is run again */
    saved_run run;
    options o;
    ace_config cfg;
    workload w;
    char *words[WORDS];
    int count;
} explain;

static void help(void) {
    printf("usage: acesim explain RUN [OPTIONS]\n\n"
           "Says what bounded a result of acesim collective or run with --format json, with the\n"
           "evidence, and tries what would help: the same command with one option changed.\n\n"
           "  --all                       try every change, not only the one that should help\n"
           "  --threads N                 of what is run again, 1 to 256 [1]\n"
           "  --help                      this text\n"
           "\nexample: acesim collective all-reduce --size 4MiB --format json > run.json\n"
           "         acesim explain run.json\n");
}

static int read_options(int argc, char **argv, explain *e, bool *helped) {
    static const struct option longs[] = { { "all", no_argument, NULL, 'a' },
                                           { "threads", required_argument, NULL, 't' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
    uint64_t threads = 1;
    int c;

    optind = 1;
    while ((c = getopt_long(argc, argv, "h", longs, NULL)) != -1) {
        switch (c) {
        case 'a': e->all = true; break;
        case 't':
            if (parse_unsigned(optarg, 1, 256, &threads)) break;
            fprintf(stderr, "acesim explain: found '%s', expected --threads 1 to 256\n", optarg);
            return EXIT_USAGE;
        case 'h':
            help();
            *helped = true;
            return EXIT_OK;
        default:
            fprintf(stderr, "acesim explain --help lists what is accepted\n");
            return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "acesim explain: found %d arguments, expected one RUN\n", argc - optind);
        return EXIT_USAGE;
    }
    e->file = argv[optind];
    snprintf(e->threads, sizeof e->threads, "--threads=%u", (unsigned)threads);
    return EXIT_OK;
}

/* ---- the run, as it was configured ------------------------------------------------------ */

static uint64_t digest_now(const explain *e) {
    const report r = { .o = &e->o,
                       .cfg = &e->cfg,
                       .kind = e->run.training ? e->w.name : kind_names[e->o.kind],
                       .digest_of = e->run.training ? workload_digest(&e->w) : 0 };

    return report_digest(&r);
}

/* The words of the command, into options and configuration: those of the result, or the
 * cluster, the workload or the program is another today. */
static int reconstruct(explain *e) {
    const cJSON *words = saved_item(e->run.root, "command"), *v;
    char *argv[WORDS], now[24];
    int rc;

    cJSON_ArrayForEach(v, words) {
        if (!cJSON_IsString(v) || e->count + 8 >= WORDS) break;
        e->words[e->count++] = v->valuestring;
    }
    if (!e->count || strcmp(e->words[0], e->run.training ? "run" : "collective")) {
        fprintf(stderr, "acesim: %s: found no command of a run, expected one\n", e->file);
        return EXIT_USAGE;
    }
    memcpy(argv, e->words, sizeof argv); /* getopt reorders them */
    argv[e->count] = NULL;
    rc = (e->run.training ? options_run : options_collective)(e->count, argv, &e->o);
    if (rc == EXIT_OK) rc = cluster_config(&e->o, &e->cfg);
    if (rc == EXIT_OK && e->run.training)
        rc = workload_read(e->o.workload, e->o.cluster.clock_MHz, &e->w);
    if (rc != EXIT_OK) return rc;
    snprintf(now, sizeof now, "%016llx", (unsigned long long)digest_now(e));
    if (!strcmp(now, saved_text(e->run.root, "config_digest"))) return EXIT_OK;
    fprintf(stderr,
            "acesim: %s: found configuration %s, expected %s as its command gives it today: the "
            "cluster, the workload or the program was another\n",
            e->file, saved_text(e->run.root, "config_digest"), now);
    return EXIT_USAGE;
}

/* ---- what if ------------------------------------------------------------------------------ */

typedef struct trial {
    char **words;
    int count;
} trial;

static int try(void *self) {
    const trial *t = self;

    return (strcmp(t->words[0], "run") ? command_collective : command_run)(t->count, t->words);
}

/* The cycles of the run with these words at the end; 0 after a line that says why not. */
static double run_again(const explain *e, const char *change) {
    char *words[WORDS], text[4][40] = { "", "--rung=cycle", "--format=json", "" };
    trial t = { .words = words };
    double cycles = 0;
    saved_run r = { 0 };
    child_output i;

    /* payload does not change a cycle */
    for (int k = 0; k < e->count; k++)
        if (strncmp(e->words[k], "--payload", 9) && strcmp(e->words[k], "--check"))
            words[t.count++] = e->words[k];
    snprintf(text[3], sizeof text[3], "%s", e->threads);
    if (e->o.cluster.endpoint != ENDPOINT_IDEAL && strcmp(change, "--endpoint=ideal"))
        words[t.count++] = text[1];
    words[t.count++] = text[2];
    words[t.count++] = text[3];
    words[t.count++] = strdup(change);
    words[t.count] = NULL;
    if (child_run(try, &t, &i) == EXIT_OK) {
        if (i.status == EXIT_OK && saved_run_parse(change, i.out, &r) == EXIT_OK)
            cycles = r.cycles;
        else
            printf("  %-44s cannot be run: %.*s\n", change, (int)strcspn(i.err, "\n"), i.err);
    }
    saved_run_free(&r);
    child_free(&i);
    free(words[t.count - 1]);
    return cycles;
}

/* The share of the cycles that a change saves, printed. */
static double tried(const explain *e, const char *change) {
    const double cycles = run_again(e, change), before = e->run.cycles;
    const double gain = cycles > 0 ? 1 - cycles / before : 0;

    if (cycles > 0)
        printf("  %-44s %12.0f cycles instead of %.0f: %.1f %% %s\n", change, cycles, before,
               100 * fabs(gain), gain >= 0 ? "fewer" : "more");
    return gain;
}

static void try_what_ifs(const explain *e, const bottleneck *b) {
    what_if list[WHAT_IFS];
    const unsigned n = what_if_propose(&e->o.cluster, &e->cfg, b, list);
    double gain = -1, other = 0;
    unsigned own = 0, best = 0;
    bool rest = e->all;

    printf("\nwhat if\n");
    for (unsigned i = 0; i < n; i++) {
        double g;

        if (list[i].kind != b->kind) continue;
        own++;
        g = tried(e, list[i].word);
        if (g > gain) gain = g;
    }
    rest = rest || (own && gain < GAIN);
    for (unsigned i = 0; i < n && rest; i++) {
        double g;

        if (list[i].kind == b->kind) continue;
        g = tried(e, list[i].word);
        if (g <= other) continue;
        other = g;
        best = i;
    }
    if (!own)
        printf("  no option changes that: the verdict is not put to the test\n");
    else if (gain >= GAIN)
        printf("confirmed: %.1f %% fewer cycles\n", 100 * gain);
    else
        printf("NOT confirmed: what should help does not\n");
    if (other > fmax(gain, GAIN)) printf("more than that helps %s\n", list[best].word);
}

/* ---- a collective --------------------------------------------------------------------------- */

static const char *const use_names[USES] = { "links of x", "links of y",  "links of z",
                                             "links of w", "memory read", "memory write",
                                             "ALUs",       "send pipes",  "store pipe" };

static void print_use(const explain *e, const bottleneck *b) {
    printf("\n%-16s%12s\n", "in use", "of cycles");
    for (unsigned i = 0; i < USES; i++) {
        if (i < ACE_DIMENSIONS && e->run.ring[i] == 1) continue;
        printf("%-16s%10.1f %%", use_names[i], 100 * b->use[i]);
        if (i < ACE_DIMENSIONS && b->credits[i] >= 0.001)
            printf("   waiting for credits %.1f %%", 100 * b->credits[i]);
        printf("\n");
    }
    printf("%-16s%12llu   at a time at most %u by FSM contexts, %u by partition %u of the "
           "scratchpad\n",
           "chunks", (unsigned long long)b->chunks, b->contexts, b->fits, b->partition);
}

/* Units of another kind that had nearly as much to do: to help the first alone gains little. */
static void print_close(const bottleneck *b) {
    for (unsigned i = 0; i < USES && b->kind < BOUND_CREDITS; i++) {
        const bool link = i < ACE_DIMENSIONS, memory = i == USE_READ || i == USE_WRITE;
        const bool own = b->kind == BOUND_LINKS    ? link && b->dims[i]
                         : b->kind == BOUND_MEMORY ? memory
                                                   : b->use[i] >= b->share;

        if (!own && b->use[i] >= CLOSE_BEHIND * b->share)
            printf("close behind: %s, %.1f %%\n", use_names[i], 100 * b->use[i]);
    }
}

static int explain_collective(explain *e) {
    const ace_command c = collective_command(&e->o);
    char name[96];
    bottleneck b;

    if (!bottleneck_find(&e->run, &e->o, &e->cfg, &c, &b)) {
        fprintf(stderr, "acesim: %s: found an endpoint that counts no cycles, expected ace\n",
                e->file);
        return EXIT_USAGE;
    }
    printf("%s of %llu bytes on %s: %.0f cycles, %.1f %% of the ideal network bandwidth\n",
           e->run.what, (unsigned long long)c.bytes, saved_text(e->run.root, "topology"),
           e->run.cycles, 100 * saved_number(e->run.root, "fraction_of_ideal"));
    print_use(e, &b);
    bottleneck_name(&b, name, sizeof name);
    printf("\nbound by %s: ", name);
    if (b.kind < BOUND_CREDITS)
        printf("in use in %.1f %% of the cycles\n", 100 * b.share);
    else if (b.kind == BOUND_CREDITS)
        printf("links wait in %.1f %% of the cycles\n", 100 * b.share);
    else
        printf(
            "%llu chunks, no unit in use in more than %.1f %% of the cycles; the latencies that a "
            "chunk meets are %.1f %%\n",
            (unsigned long long)b.chunks, 100 * (1 - b.share), 100 * b.latency);
    print_close(&b);
    printf("would help: %s\n", bottleneck_remedy(&b));
    try_what_ifs(e, &b);
    return EXIT_OK;
}

/* ---- training ------------------------------------------------------------------------------- */

typedef struct alone {
    options o;
    ace_config cfg;
} alone;

static int run_alone(void *self) {
    const alone *a = self;

    return collective_run(&a->o, &a->cfg);
}

/* A layer's all-reduce with the cluster to itself: its cycles, and what bounds it. */
static bool explain_alone(const explain *e, uint64_t bytes, double *cycles, bottleneck *b) {
    alone a = { .o = e->o, .cfg = e->cfg };
    ace_command c;
    saved_run r = { 0 };
    bool ok = false;
    child_output i;

    a.o.workload = NULL;
    a.o.size = bytes;
    a.o.format = FORMAT_JSON;
    if (!a.o.type_given) a.o.type = e->w.element;
    strcpy(a.o.cluster.rungs, "cycle");
    /* on one process: the words of a collective, for a result that can be read */
    c = collective_command(&a.o);
    if (child_run(run_alone, &a, &i) == EXIT_OK && i.status == EXIT_OK &&
        saved_run_parse("a collective alone", i.out, &r) == EXIT_OK) {
        *cycles = r.cycles;
        ok = bottleneck_find(&r, &a.o, &a.cfg, &c, b);
    }
    saved_run_free(&r);
    child_free(&i);
    return ok;
}

static uint64_t layer_bytes(const workload *w, const char *name) {
    for (unsigned i = 0; i < w->count; i++)
        if (!strcmp(w->layers[i].name, name)) return w->layers[i].bytes;
    return 0;
}

typedef struct longest {
    const cJSON *item;
    double cycles;
} longest;

/* The collectives that took the longest from issue to completion, each layer's once. */
static unsigned find_longest(const explain *e, longest list[LONGEST]) {
    const cJSON *v;
    unsigned n = 0;

    cJSON_ArrayForEach(v, saved_item(e->run.root, "samples.collectives")) {
        const longest one = { v, saved_number(v, "completed") - saved_number(v, "issued") };
        unsigned at = 0;

        while (at < n && strcmp(saved_text(list[at].item, "name"), saved_text(v, "name"))) at++;
        if (at == LONGEST) at--;
        if (at == n)
            n++;
        else if (list[at].cycles >= one.cycles)
            continue;
        for (; at && list[at - 1].cycles < one.cycles; at--) list[at] = list[at - 1];
        list[at] = one;
    }
    return n;
}

/* False: a message was printed. */
static bool print_longest(const explain *e, bottleneck *worst) {
    longest list[LONGEST] = { 0 };
    const unsigned n = find_longest(e, list);
    double most = 0;

    if (!n) {
        fprintf(stderr,
                "acesim: %s: found no list of collectives, expected a result of --samples 256\n",
                e->file);
        return false;
    }
    printf("\n%-24s%14s%14s%14s  %s\n", "longest collectives", "bytes", "cycles", "alone",
           "alone bound by");
    for (unsigned i = 0; i < n; i++) {
        const char *name = saved_text(list[i].item, "name");
        const uint64_t bytes = layer_bytes(&e->w, name);
        double cycles = 0;
        char text[96];
        bottleneck b;

        if (!bytes || !explain_alone(e, bytes, &cycles, &b)) {
            fprintf(stderr, "acesim: %s: found an endpoint that counts no cycles, expected ace\n",
                    e->file);
            return false;
        }
        bottleneck_name(&b, text, sizeof text);
        printf("%-24.23s%14llu%14.0f%14.0f  %s%s\n", name, (unsigned long long)bytes,
               list[i].cycles, cycles, text,
               list[i].cycles > 1.5 * cycles ? "; it waits behind others" : "");
        if (cycles <= most) continue;
        most = cycles;
        *worst = b;
    }
    return true;
}

static int explain_training(explain *e) {
    const double exposed = saved_number(e->run.root, "exposed_communication_cycles");
    const double part = exposed / e->run.cycles;
    char name[96];
    bottleneck b;

    printf("%s on %s: %.0f cycles in %u iterations, %.2f %% of them exposed communication\n",
           e->run.what, saved_text(e->run.root, "topology"), e->run.cycles, e->o.iterations,
           100 * part);
    if (!print_longest(e, &b)) return EXIT_USAGE;
    if (part < EXPOSED) {
        double gain;

        printf("\nbound by compute: it hides the communication but for %.2f %% of the cycles\n"
               "would help: faster compute; the network cannot\n\nwhat if\n",
               100 * part);
        gain = tried(e, "--endpoint=ideal");
        printf(gain < GAIN ? "confirmed: with the fastest network, too\n"
                           : "NOT confirmed: an ideal network helps\n");
        return EXIT_OK;
    }
    bottleneck_name(&b, name, sizeof name);
    printf("\nbound by communication, and that by %s: %.2f %% of the cycles are exposed\n"
           "would help: %s\n",
           name, 100 * part, bottleneck_remedy(&b));
    try_what_ifs(e, &b);
    return EXIT_OK;
}

int command_explain(int argc, char **argv) {
    explain *e = calloc(1, sizeof *e);
    bool helped = false;
    int rc;

    if (!e) {
        fprintf(stderr, "acesim: out of memory\n");
        return EXIT_CHECK;
    }
    rc = read_options(argc, argv, e, &helped);
    if (rc == EXIT_OK && !helped) rc = saved_run_read(e->file, &e->run);
    if (rc == EXIT_OK && !helped) rc = reconstruct(e);
    if (rc == EXIT_OK && !helped)
        rc = e->run.training ? explain_training(e) : explain_collective(e);
    saved_run_free(&e->run);
    workload_free(&e->w);
    free(e);
    return rc;
}
