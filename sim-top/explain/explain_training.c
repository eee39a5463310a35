/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_training.c -- what bounded the iterations of a workload
 *
 * Compute bounds a run that hides its communication. Otherwise the longest collectives run alone,
 * and what bounds the longest of these bounds the run.
 *
 * A result lists its collectives and when each was issued only with --samples. Without this list,
 * the command is run again to get one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "child_process.h"
#include "exit_status.h"
#include "explain_inside.h"
#include "message.h"
#include "values.h"

enum { LONGEST = 5 };
/* The gain that confirms a verdict is at most this share of the cycles in which communication is
 * exposed. */
static const double GAIN_OF_EXPOSED = 0.25;
static const double EXPOSED = 0.01; /* an iteration with less exposed communication hides it well */

typedef struct alone {
    setup o;
    int (*run)(setup *o);
} alone;

static int run_alone(void *self) {
    alone *a = self;

    return a->run(&a->o);
}

/* Runs a collective of the run alone on the cluster. Gives its cycles and what bounds it. Returns
 * false, with the reason in why, if it cannot run alone. */
static bool explain_alone(const explain *e, const slot *what, double *cycles, bottleneck *b,
                          char why[96]) {
    alone a = { .o = e->o, .run = e->request->commands->collective };
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
    if (e->o.machine.cluster.endpoint != ENDPOINT_IDEAL && explain_again(e, "--samples=16", &again))
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
        explain_outcome(explain_tried(e, "--speed=1"), EXPLAIN_GAIN);
        return;
    }
    if (e->o.machine.cluster.endpoint == ENDPOINT_IDEAL) {
        printf("  the endpoint is the ideal one: no network is faster\n");
        return;
    }
    gain = fmax(explain_tried(e, "--endpoint=ideal"), 0);
    if (gain < EXPLAIN_NONE * EXPLAIN_GAIN)
        printf("confirmed: the fastest network gains %.1f %%\n", 100 * gain);
    else if (gain < EXPLAIN_GAIN)
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
        printf(": in %.2f %% of the cycles an NPU only waits for communication\n", 100 * part);
    else
        printf(": the workload has no collective\n");
    printf("would help: %s\n\nwhat if\n",
           *slow->nodes ? "full speed of the slow nodes, for which the others wait"
                        : "faster compute; the network cannot");
    test_compute(e, slow);
}

int explain_training(explain *e) {
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
           e->run.what, saved_text(e->run.root, "topology"), explain_cycles(&e->run),
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
    explain_changes(e, &b, fmin(EXPLAIN_GAIN, GAIN_OF_EXPOSED * part));
    return EXIT_OK;
}
