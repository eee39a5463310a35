/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_explain.c -- acesim explain: what bounded a run, and what would help
 *
 * The verdict comes from the result's cycle classes (bottleneck.h). Then the verdict is tested: the
 * command that the result names runs again with one option changed, on the C twins. The gain is
 * printed, whether it confirms the verdict or not. If the counts are not conclusive, all changes
 * are tried, and the one that gains most names what bounded the run.
 *
 * A result lists its collectives and when each was issued only with --samples. Without this list,
 * the command is run again to get one.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ace_plan.h"
#include "bottleneck.h"
#include "child_process.h"
#include "command.h"
#include "exchange_counts.h"
#include "exit_status.h"
#include "explain_parts.h"
#include "figures.h"
#include "input_file.h"
#include "machine_config.h"
#include "message.h"
#include "npu_schedule.h"
#include "option_table.h"
#include "options.h"
#include "refusal.h"
#include "report.h"
#include "result_parts.h"
#include "values.h"
#include "what_if.h"
#include "workload.h"
#include "workload_read.h"

enum { LONGEST = 5, WORDS = OPTION_WORDS + 8 };

/* The gain that confirms a verdict: a share of the cycles, or of the cycles in which communication
 * is exposed, whichever is less. A gain below NONE times this share counts as none. */
static const double GAIN = 0.1;
static const double GAIN_OF_EXPOSED = 0.25;
static const double NONE = 0.2;
static const double CLOSE_BEHIND = 0.9;
static const double EXPOSED = 0.01; /* an iteration with less exposed communication hides it well */

typedef struct explain {
    const char *file;
    bool all;
    unsigned threads_again; /* of the runs that are made again */
    char threads[32];       /* the option that sets threads_again */
    saved_run run;
    setup o;
    workload w;
    npu_schedule schedule; /* the collectives of a training run */
    uint64_t *counts;      /* of an all-to-all-v */
    char *words[WORDS];
    int count;
} explain;

static const option_row rows[] = {
    OPTION_FLAG_ROW(explain, all, "all", "try every change, not only the most promising one"),
    { "threads", "N", OPTION_UNSIGNED, offsetof(explain, threads_again),
      .text = "threads of the runs, 1 to 256 [1]", .accepted = "1 to 256", .low = 1, .high = 256 },
};
static const option_table options = {
    .command = "explain",
    .about =
        "usage: acesim explain RUN [OPTIONS]\n\n"
        "Reports what bounded a result of acesim collective, run, train, astra or msccl with\n"
        "--format json, or the best strategy of acesim search. It gives the evidence, and runs\n"
        "the command again with one option changed to show what helps.\n\n",
    .tail = "\nexample: acesim collective all-reduce --size 4MiB --format json > run.json\n"
            "         acesim explain run.json\n",
    .least = 1,
    .most = 1,
    .expected = "one RUN",
    .group = { OPTION_GROUP(rows) },
};

/* ---- the run, as it was configured ------------------------------------------------------ */

static uint64_t digest_now(const explain *e) {
    const report r = { .setup = &e->o,
                       .kind = e->run.training ? e->w.name : kind_names[e->o.machine.kind],
                       .digest_of = e->run.training ? workload_digest(&e->w) : 0 };

    return report_digest(&r);
}

/* Returns true for an argument that stands for standard input, alone or behind an option. A second
 * run cannot read this input again. */
static bool names_standard_input(const char *word) {
    const char *value = strncmp(word, "--", 2) ? word : strchr(word, '=');

    return value && input_is_standard(value + (*value == '='));
}

/* Turns the command in the result into options and configuration. Refuses if the digest differs,
 * because the cluster, the workload or the program has changed since the run. */
static int reconstruct(explain *e) {
    const cJSON *words = saved_item(e->run.root, "command"), *v;
    char *argv[WORDS], now[24];
    refusal why = { .form = REFUSAL_NONE };
    int rc;

    cJSON_ArrayForEach(v, words) {
        if (!cJSON_IsString(v) || e->count + 8 >= WORDS) break;
        e->words[e->count++] = v->valuestring;
        if (!names_standard_input(v->valuestring)) continue;
        fprintf(
            stderr,
            "acesim: %s: found a run that read standard input (-), expected one of files: explain "
            "runs its command again\n",
            e->file);
        return EXIT_USAGE;
    }
    if (!e->count || strcmp(e->words[0], e->run.training ? "run" : "collective")) {
        fprintf(stderr, "acesim: %s: found no command of a run, expected one\n", e->file);
        return EXIT_USAGE;
    }
    memcpy(argv, e->words, sizeof argv); /* getopt reorders them */
    argv[e->count] = NULL;
    (void)(e->run.training ? options_run : options_collective)(e->count, argv, &e->o, &rc);
    if (rc == EXIT_OK)
        rc = setup_refuse(&e->o, machine_config(&e->o.machine, &e->o.machine.config, &why), &why);
    if (rc == EXIT_OK && e->run.training)
        rc = workload_read(e->o.machine.workload, &e->o.machine.cluster.npu,
                           e->o.machine.cluster.clock_MHz, &e->w);
    if (rc == EXIT_OK && e->run.training)
        rc = workload_set_loop(&e->w, e->o.machine.workload, e->o.machine.dlrm_loop);
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

/* Runs the command with one more argument, on the twins. Returns false after a line that says why
 * it failed. The caller frees r in both cases. */
static bool run_again(const explain *e, const char *change, saved_run *r) {
    char *words[WORDS], text[4][40] = { "", "--rung=cycle", "--format=json", "" };
    trial t = { .words = words };
    bool ok = false;
    child_output i;

    *r = (saved_run){ 0 };
    /* neither payload nor the rung of a node changes a cycle */
    for (int k = 0; k < e->count; k++)
        if (strncmp(e->words[k], "--payload", 9) && strcmp(e->words[k], "--check") &&
            strncmp(e->words[k], "--rung=", 7))
            words[t.count++] = e->words[k];
    snprintf(text[3], sizeof text[3], "%s", e->threads);
    if (e->o.machine.cluster.endpoint == ENDPOINT_ACE && strcmp(change, "--endpoint=ideal"))
        words[t.count++] = text[1];
    words[t.count++] = text[2];
    words[t.count++] = text[3];
    words[t.count++] = strdup(change);
    words[t.count] = NULL;
    if (child_run(try, &t, &i) == EXIT_OK) {
        ok = i.status == EXIT_OK && saved_run_parse(change, i.out, r) == EXIT_OK;
        if (!ok) printf("  %-44s cannot be run: %.*s\n", change, (int)strcspn(i.err, "\n"), i.err);
    }
    child_free(&i);
    free(words[t.count - 1]);
    return ok;
}

/* Reads all digits of the cycles, because a double may not hold them. */
static uint64_t cycles_of(const saved_run *r) {
    uint64_t v;

    return json_whole(saved_item(r->root, "cycles"), &v) ? v : (uint64_t)r->cycles;
}

/* Prints and returns the share of the cycles that a change saves. */
static double tried(const explain *e, const char *change) {
    const uint64_t before = cycles_of(&e->run);
    saved_run r;
    const uint64_t cycles = run_again(e, change, &r) ? cycles_of(&r) : 0;
    const double gain = cycles ? 1 - (double)cycles / (double)before : 0;

    saved_run_free(&r);
    if (cycles)
        printf("  %-44s %12" PRIu64 " cycles instead of %" PRIu64 ": %.1f %% %s\n", change, cycles,
               before, 100 * fabs(gain), gain >= 0 ? "fewer" : "more");
    return gain;
}

/* Tries all changes. The change that gains most names what bounds the run. */
static void find_by_trying(const explain *e, const what_if *list, unsigned n, bottleneck *b,
                           double enough) {
    double gain = 0;
    unsigned best = 0;
    char name[96];

    for (unsigned i = 0; i < n; i++) {
        const double g = tried(e, list[i].word);

        if (g <= gain) continue;
        gain = g;
        best = i;
    }
    if (gain < enough) {
        printf("bound by none of these alone: no change gains %.2g %%\n", 100 * enough);
        return;
    }
    b->kind = list[best].kind;
    bottleneck_name(b, name, sizeof name);
    printf("bound by %s: %s gains most, %.1f %% of the cycles\n"
           "would help: %s\n",
           name, list[best].word, 100 * gain, bottleneck_remedy(b));
}

/* Prints whether the gain of the best change confirms the verdict. */
static void print_outcome(double gain, double enough) {
    if (gain >= enough)
        printf("confirmed: %.1f %% fewer cycles\n", 100 * gain);
    else if (gain >= NONE * enough)
        printf("gains little: %.1f %% fewer cycles, where %.2g %% would confirm the verdict\n",
               100 * gain, 100 * enough);
    else
        printf("NOT confirmed: what should help gains %.1f %%\n", 100 * fmax(gain, 0));
}

/* enough: the gain that confirms, as a share of the cycles. */
static void try_what_ifs(const explain *e, bottleneck *b, double enough) {
    what_if list[WHAT_IFS];
    const unsigned n = what_if_propose(&e->o.machine.cluster, &e->o.machine.config, b, list);
    double gain = -1, other = 0;
    unsigned own = 0, best = 0;
    bool rest = e->all;

    printf("\nwhat if\n");
    if (b->kind == BOUND_STEPS) {
        find_by_trying(e, list, n, b, enough);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        double g;

        if (!what_if_against(&list[i], b->kind)) continue;
        own++;
        g = tried(e, list[i].word);
        if (g > gain) gain = g;
    }
    rest = rest || (own && gain < enough);
    for (unsigned i = 0; i < n && rest; i++) {
        double g;

        if (what_if_against(&list[i], b->kind)) continue;
        g = tried(e, list[i].word);
        if (g <= other) continue;
        other = g;
        best = i;
    }
    if (own)
        print_outcome(gain, enough);
    else
        printf("  no option changes that: the verdict is not put to the test\n");
    if (other > fmax(gain, enough)) printf("more than that helps %s\n", list[best].word);
}

/* ---- a collective --------------------------------------------------------------------------- */

static const char *const use_names[USES] = { "links of x", "links of y",  "links of z",
                                             "links of w", "memory read", "memory write",
                                             "ALUs",       "send pipes",  "store pipe",
                                             "SMs",        "router" };

/* True if the endpoint has the unit and the collective can use it. */
static bool has_use(const explain *e, const bottleneck *b, unsigned use) {
    const endpoint end = e->o.machine.cluster.endpoint;

    switch (use) {
    case USE_READ:
    case USE_WRITE: return end != ENDPOINT_IDEAL;
    case USE_ALU:
    case USE_SEND:
    case USE_STORE: return end == ENDPOINT_ACE && b->way != WAY_ROWS;
    case USE_SMS: return endpoint_is_baseline(end);
    case USE_ROUTER: return b->use[USE_ROUTER] > 0;
    default: return e->run.ring[use] > 1;
    }
}

static void print_use(const explain *e, const bottleneck *b) {
    printf("\n%-16s %11s\n", "in use", "of cycles");
    for (unsigned i = 0; i < USES; i++) {
        if (!has_use(e, b, i)) continue;
        printf("%-16s %9.1f %%", use_names[i], 100 * b->use[i]);
        if (i < ACE_DIMENSIONS && b->credits[i] >= 0.001)
            printf("   waiting for credits %.1f %%", 100 * b->credits[i]);
        printf("\n");
    }
    if (!b->chunks) return;
    printf("%-16s %11llu", "chunks", (unsigned long long)b->chunks);
    if (b->fits != UINT32_MAX)
        printf("   at a time at most %u by FSM contexts, %u by partition %u of the scratchpad",
               b->contexts, b->fits, b->partition);
    else if (b->software)
        printf("   at a time at most %u", b->contexts);
    printf("\n");
}

/* Prints units of another kind that had nearly as much work. With such a unit, improving only the
 * busiest one gains little. */
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

/* Prints how long links wait for credits, and how many packets a round trip needs. */
static void print_credits(const bottleneck *b) {
    unsigned needed = 0;

    for (unsigned d = 0; d < ACE_DIMENSIONS; d++)
        if (b->dims[d] && b->needed[d] > needed) needed = b->needed[d];
    printf("links wait in %.1f %% of the cycles", 100 * b->share);
    if (b->rows < needed)
        printf("; an input buffer holds %u packets of %d bytes, a round trip %u", b->rows,
               ACE_ROW_BYTES, needed);
    printf("\n");
}

/* Prints how slow the nodes are whose memory bounds the run, and how long their rows wait. */
static void print_slow(const bottleneck *b) {
    const slow_nodes *s = &b->slow;

    if (b->kind != BOUND_MEMORY || !*s->nodes) return;
    printf(
        "the speed there is %.3g of full speed; on the fastest nodes memory is in use in %.1f %%\n",
        s->speed, 100 * s->fast_use);
    if (s->waits > s->fast_waits)
        printf(
            "rows there wait for memory in %.1f %% of the cycles, on the fastest nodes in %.1f %%\n",
            100 * s->waits, 100 * s->fast_waits);
}

/* Prints the verdict in a sentence, with its evidence. */
static void print_verdict(const bottleneck *b) {
    const double idle = 100 * (1 - b->share);
    char name[96];

    bottleneck_name(b, name, sizeof name);
    if (b->kind == BOUND_STEPS) {
        printf(
            "\ntwo steps, one after the other, and over both no unit in use in more than %.1f %% "
            "of the cycles: what bounds it is found by trying\n",
            idle);
        return;
    }
    printf("\nbound by %s: ", name);
    if (b->kind < BOUND_CREDITS)
        printf("in use in %.1f %% of the cycles\n", 100 * b->share);
    else if (b->kind == BOUND_CREDITS)
        print_credits(b);
    else if (b->chunks)
        printf(
            "%llu chunks, no unit in use in more than %.1f %% of the cycles; the latencies that a "
            "chunk meets are %.1f %%\n",
            (unsigned long long)b->chunks, idle, 100 * b->latency);
    else
        printf("no unit in use in more than %.1f %% of the cycles; the latencies that a row meets "
               "are %.1f %%\n",
               idle, 100 * b->latency);
    print_close(b);
    print_slow(b);
    printf("would help: %s\n", bottleneck_remedy(b));
}

static int explain_collective(explain *e) {
    const double fraction = saved_number(e->run.root, "fraction_of_ideal");
    ace_command c = machine_collective(&e->o.machine);
    bottleneck b;
    int rc;

    if (c.kind == ACE_ALL_TO_ALL_V) {
        rc = exchange_counts_make(&e->o.machine, ace_plan_members(&c, &e->o.machine.config),
                                  &e->counts);

        if (rc != EXIT_OK) return rc;
        c.counts = e->counts;
    }
    rc = bottleneck_find(&e->run, &e->o.machine, &e->o.machine.config, &c, &b);
    if (rc == EXIT_USAGE)
        fprintf(stderr, "acesim: %s: found no cycles of its units, expected them in node_groups\n",
                e->file);
    if (rc != EXIT_OK) return rc;
    printf("%s ", e->run.what);
    if (c.bytes) printf("of %llu bytes ", (unsigned long long)c.bytes);
    printf("on %s: %" PRIu64 " cycles", saved_text(e->run.root, "topology"), cycles_of(&e->run));
    if (fraction > 0) printf(", %.1f %% of the ideal network bandwidth", 100 * fraction);
    printf("\n");
    print_use(e, &b);
    print_verdict(&b);
    try_what_ifs(e, &b, GAIN);
    return EXIT_OK;
}

/* ---- training ------------------------------------------------------------------------------- */

typedef struct alone {
    setup o;
} alone;

static int run_alone(void *self) {
    alone *a = self;

    return collective_run(&a->o);
}

/* Runs a collective of the run alone on the cluster. Gives its cycles and what bounds it. Returns
 * false, with the reason in why, if it cannot run alone. */
static bool explain_alone(const explain *e, const slot *what, double *cycles, bottleneck *b,
                          char why[96]) {
    alone a = { .o = e->o };
    ace_command c;
    saved_run r = { 0 };
    bool ok = false;
    child_output i;

    a.o.machine.workload = NULL;
    a.o.machine.kind = what->kind;
    a.o.machine.size = what->bytes;
    a.o.machine.dim_count = npu_schedule_dims(what, &e->o.machine, a.o.machine.dims);
    a.o.output.samples = 0;
    a.o.output.format = FORMAT_JSON;
    if (!a.o.machine.type_given) a.o.machine.type = e->w.element;
    strcpy(a.o.machine.cluster.rungs, "cycle");
    /* The child uses one process and the arguments of acesim collective, and its result can be
     * read. */
    c = machine_collective(&a.o.machine);
    if (child_run(run_alone, &a, &i) == EXIT_OK && i.status == EXIT_OK &&
        saved_run_parse("a collective alone", i.out, &r) == EXIT_OK) {
        *cycles = r.cycles;
        ok = bottleneck_find(&r, &a.o.machine, &a.o.machine.config, &c, b) == EXIT_OK;
    }
    if (!ok) snprintf(why, 96, "%.*s", i.err ? (int)strcspn(i.err, "\n") : 0, i.err ? i.err : "");
    saved_run_free(&r);
    child_free(&i);
    return ok;
}

/* Returns the collective of this kind and name in the run's schedule, or NULL if there is none. */
static const slot *find_slot(const explain *e, const char *kind, const char *name) {
    for (unsigned i = 0; i < e->schedule.slots; i++) {
        const slot *s = &e->schedule.slot[i];

        if (!strcmp(kind_names[s->kind], kind) && !strcmp(s->name, name)) return s;
    }
    return NULL;
}

typedef struct longest {
    const slot *what;
    double cycles; /* from issue to completion; 0 if unknown */
    double size;   /* sort key */
} longest;

/* Inserts into the sorted list. A kind and name appears only once. */
static void rank(longest list[LONGEST], unsigned *n, longest one) {
    unsigned at = 0;

    while (at < *n && list[at].what != one.what) at++;
    if (at == LONGEST) at--;
    if (at == *n)
        ++*n;
    else if (list[at].size >= one.size)
        return;
    for (; at && list[at - 1].size < one.size; at--) list[at] = list[at - 1];
    list[at] = one;
}

/* Lists the collectives that took longest from issue to completion, each kind and name once. */
static unsigned longest_of(const explain *e, const saved_run *r, longest list[LONGEST]) {
    const cJSON *v;
    unsigned n = 0;

    cJSON_ArrayForEach(v, saved_item(r->root, "samples.collectives")) {
        const double cycles = saved_number(v, "completed") - saved_number(v, "issued");
        const slot *what = find_slot(e, saved_text(v, "kind"), saved_text(v, "name"));

        if (what && cycles > 0) rank(list, &n, (longest){ what, cycles, cycles });
    }
    return n;
}

/* If the result has no such list, runs again to get one. The ideal endpoint never has one: there
 * the largest collectives stand for the longest. */
static unsigned find_longest(const explain *e, longest list[LONGEST]) {
    unsigned n = longest_of(e, &e->run, list);
    saved_run again = { 0 };

    if (n || !e->schedule.slots) return n;
    if (e->o.machine.cluster.endpoint != ENDPOINT_IDEAL && run_again(e, "--samples=16", &again))
        n = longest_of(e, &again, list);
    saved_run_free(&again);
    if (n) return n;
    for (unsigned i = 0; i < e->schedule.slots; i++) {
        const slot *what = &e->schedule.slot[i];

        if (find_slot(e, kind_names[what->kind], what->name) == what)
            rank(list, &n, (longest){ .what = what, .size = (double)what->bytes });
    }
    return n;
}

/* Prints "encoder0", the name of the layer, or "all-to-all forward" if the kind is not
 * all-reduce. */
static void print_name(const slot *s) {
    char text[96];

    snprintf(text, sizeof text, "%s%s%s", s->kind == ACE_ALL_REDUCE ? "" : kind_names[s->kind],
             s->kind == ACE_ALL_REDUCE ? "" : " ", s->name);
    printf("%-24.23s %13llu", text, (unsigned long long)s->bytes);
}

static void print_cycles(double cycles) {
    if (cycles > 0)
        printf("%14.0f", cycles);
    else
        printf("%14s", "-");
}

/* Prints the longest collectives and returns their number. *worst becomes what bounds the one that
 * takes longest alone. It stays unchanged if none can be run alone. */
static unsigned print_longest(const explain *e, bottleneck *worst) {
    longest list[LONGEST] = { 0 };
    const unsigned n = find_longest(e, list);
    double most = 0;

    if (n)
        printf("\n%-24s %13s %13s %13s  %s\n", "longest collectives", "bytes", "cycles", "alone",
               "alone bound by");
    for (unsigned i = 0; i < n; i++) {
        double cycles = 0;
        char text[96];
        bottleneck b;

        print_name(list[i].what);
        print_cycles(list[i].cycles);
        if (!explain_alone(e, list[i].what, &cycles, &b, text)) {
            print_cycles(0);
            printf("  %s\n", text);
            continue;
        }
        bottleneck_name(&b, text, sizeof text);
        print_cycles(cycles);
        printf("  %s%s\n", text, list[i].cycles > 1.5 * cycles ? "; it waits behind others" : "");
        if (cycles <= most) continue;
        most = cycles;
        *worst = b;
    }
    return n;
}

/* Compute is the bound if the ideal network gains little. Where nodes differ in speed, it is the
 * bound if full speed of the slowest node gains much. */
static void test_compute(const explain *e, const slow_nodes *slow) {
    double gain;

    if (*slow->nodes) {
        print_outcome(tried(e, "--speed=1"), GAIN);
        return;
    }
    if (e->o.machine.cluster.endpoint == ENDPOINT_IDEAL) {
        printf("  the endpoint is the ideal one: no network is faster\n");
        return;
    }
    gain = fmax(tried(e, "--endpoint=ideal"), 0);
    if (gain < NONE * GAIN)
        printf("confirmed: the fastest network gains %.1f %%\n", 100 * gain);
    else if (gain < GAIN)
        printf("mostly so: the fastest network gains %.1f %%, by collectives that leave compute "
               "alone\n",
               100 * gain);
    else
        printf("NOT confirmed: an ideal network gains %.1f %%\n", 100 * gain);
}

static void explain_compute(const explain *e, double part, unsigned collectives,
                            const slow_nodes *slow) {
    printf("\nbound by compute");
    if (*slow->nodes)
        printf(" of node%s %s, whose speed is %.3g", strpbrk(slow->nodes, ",") ? "s" : "",
               slow->nodes, slow->speed);
    if (collectives)
        printf(": it hides the communication but for %.2f %% of the cycles\n", 100 * part);
    else
        printf(": the workload has no collective\n");
    printf("would help: %s\n\nwhat if\n",
           *slow->nodes ? "full speed of the slow nodes, for which the others wait"
                        : "faster compute; the network cannot");
    test_compute(e, slow);
}

static int explain_training(explain *e) {
    const double exposed = saved_number(e->run.root, "exposed_communication_cycles");
    const double part = exposed / e->run.cycles;
    const int rc = npu_schedule_create(&e->w, &e->o.machine, &e->schedule);
    bottleneck b = { .kind = BOUND_STEPS, .way = WAY_STEPS };
    unsigned collectives;
    slow_nodes slow;
    char name[96];

    if (rc != EXIT_OK) return rc;
    if (!bottleneck_slowest(&e->o.machine.cluster, e->run.nodes, &slow)) return message_no_memory();
    printf("%s on %s: %" PRIu64
           " cycles in %u iteration%s, %.2f %% of them exposed communication\n",
           e->run.what, saved_text(e->run.root, "topology"), cycles_of(&e->run),
           e->o.machine.iterations, e->o.machine.iterations > 1 ? "s" : "", 100 * part);
    collectives = print_longest(e, &b);
    if (part < EXPOSED || !collectives ||
        bottleneck_slow_compute(&slow, saved_number(e->run.root, "compute_cycles"), exposed)) {
        explain_compute(e, part, collectives, &slow);
        return EXIT_OK;
    }
    if (b.kind == BOUND_STEPS) {
        printf("\nbound by communication: %.2f %% of the cycles are exposed; what bounds that is "
               "found by trying\n",
               100 * part);
    } else {
        bottleneck_name(&b, name, sizeof name);
        printf("\nbound by communication, and that by %s: %.2f %% of the cycles are exposed\n"
               "would help: %s\n",
               name, 100 * part, bottleneck_remedy(&b));
    }
    try_what_ifs(e, &b, fmin(GAIN, GAIN_OF_EXPOSED * part));
    return EXIT_OK;
}

static int refuse_other(const explain *e) {
    fprintf(stderr,
            "acesim: %s: found a result of acesim %s, expected one of a run: of collective, run, "
            "train, search, astra or msccl\n",
            e->file, *e->run.command ? e->run.command : "without a command");
    return EXIT_USAGE;
}

static int answer(explain *e) {
    int rc = saved_result_read(e->file, &e->run);

    if (rc != EXIT_OK) return rc;
    if (result_parts(&e->run) && e->run.cycles > 0)
        return explain_parts(&e->run, e->all, e->threads);
    if (!saved_run_is_run(&e->run)) return refuse_other(e);
    rc = saved_run_check(&e->run);
    if (rc == EXIT_OK) rc = reconstruct(e);
    if (rc != EXIT_OK) return rc;
    return e->run.training ? explain_training(e) : explain_collective(e);
}

int command_explain(int argc, char **argv) {
    explain *e = calloc(1, sizeof *e);
    char **file;
    int rc;

    if (!e) return message_no_memory();
    e->threads_again = 1;
    file = option_table_read(&options, argc, argv, e, &rc);
    if (file) {
        e->file = *file;
        snprintf(e->threads, sizeof e->threads, "--threads=%u", e->threads_again);
        rc = answer(e);
    }
    saved_run_free(&e->run);
    workload_free(&e->w);
    npu_schedule_free(&e->schedule);
    free(e->counts);
    free(e);
    return rc;
}
