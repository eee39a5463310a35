/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_parts.c -- what bounds a run of acesim train, astra or msccl
 *
 * The result divides its time into parts (result_parts.h): compute, communication that nothing hid,
 * a bubble, memory. The largest part is the verdict. Changes that should help against it are run,
 * because a faster link may only uncover the next bound. The gain of a training iteration is in
 * tokens a second, as a change of the micro-batches changes the batch.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child_process.h"
#include "exit_status.h"
#include "explain_inside.h"
#include "figures.h"
#include "message.h"
#include "model.h"
#include "result_parts.h"
#include "strategy.h"

enum { ARGUMENTS = 160, CHANGES = 12, OPTION = 160 /* letters of a change */ };
static const double GAIN = 0.1;    /* a gain of at least this confirms the verdict */
static const double LITTLE = 0.02; /* a gain of at least this gains little; less does not confirm */

typedef struct change {
    result_part_kind kind;
    char word[OPTION];
} change;

typedef struct changes {
    change at[CHANGES];
    unsigned count;
} changes;

/* How the results of a command are run again. */
typedef struct rerun {
    const char *command;
    void (*propose)(const saved_run *r, const cluster *c, changes *to);
    const char *goal; /* the member that a change should raise; NULL: the cycles should fall */
    const char *goal_name;
} rerun;

/* ---- what may help ------------------------------------------------------------------------- */

/* Adds the change "--option=VALUE". */
static void add(changes *to, result_part_kind kind, const char *option, double value,
                const char *unit) {
    change *const c = &to->at[to->count];

    if (to->count == CHANGES) return;
    c->kind = kind;
    snprintf(c->word, sizeof c->word, "--%s=%.9g%s", option, value, unit);
    to->count++;
}

static void add_ideal(const cluster *c, changes *to) {
    if (c->endpoint == ENDPOINT_IDEAL || to->count == CHANGES) return;
    to->at[to->count].kind = PART_NETWORK;
    snprintf(to->at[to->count++].word, sizeof to->at->word, "--endpoint=ideal");
}

/* Adds a change that makes the links of one dimension twice as fast, but no faster than a port that
 * moves a row a cycle. The other dimensions stay. */
static void add_links(const cluster *c, changes *to) {
    const double most = floor(ACE_ROW_BYTES * c->clock_MHz / 1e3 / c->efficiency); /* GB/s */

    for (unsigned k = 0; k < c->sizes && to->count < CHANGES; k++) {
        change *const one = &to->at[to->count];
        size_t at = (size_t)snprintf(one->word, sizeof one->word, "--link-bandwidth=");

        if (c->ring[k] <= 1 || c->wiring[k] == WIRING_LINKS) continue;
        one->kind = PART_NETWORK;
        for (unsigned d = 0; d < c->sizes && at < sizeof one->word; d++)
            at +=
                (size_t)snprintf(one->word + at, sizeof one->word - at, "%s%.9gGB/s", d ? "," : "",
                                 d == k ? fmin(2 * c->link_GBps[d], most) : c->link_GBps[d]);
        to->count++;
    }
}

/* Adds the strategy with twice the micro-batches, if it can be expressed. */
static void add_micro_batches(const char *text, changes *to) {
    change *const c = &to->at[to->count];
    char room[STRATEGY_TEXT];
    strategy_fault why = { 0 };
    strategy s;

    if (to->count == CHANGES || !strategy_parse(text, &s, &why)) return;
    s.micro_batches *= 2;
    c->kind = PART_BUBBLE;
    snprintf(c->word, sizeof c->word, "--strategy=%s", strategy_print(&s, room));
    to->count++;
}

/* Proposes changes for acesim train. If products have measured times, the peak of the matrix units
 * has no effect. */
static void propose_train(const saved_run *r, const cluster *c, changes *to) {
    const npu *const n = &c->npu;

    if (n->products)
        add(to, PART_COMPUTE, "compute-scale", n->compute_scale / 2, "");
    else
        add(to, PART_COMPUTE, "npu-matrix", 2 * n->matrix_TFLOPS, "TFLOPS");
    add_links(c, to);
    add_ideal(c, to);
    if (saved_number(r->root, "bubble_cycles") > 0)
        add_micro_batches(saved_text(r->root, "strategy"), to);
}

/* Proposes changes for acesim astra. Links come from the network's file, so they are not changed.
 * The scale of compute is not changed if the command sets one. */
static void propose_astra(const saved_run *r, const cluster *c, changes *to) {
    const cJSON *v;
    bool scaled = false;

    cJSON_ArrayForEach(v, saved_item(r->root, "command")) scaled =
        scaled || !strncmp(v->valuestring, "--compute-scale=", 16);
    if (!scaled) add(to, PART_COMPUTE, "compute-scale", 0.5, "");
    if (*saved_text(r->root, "compatibility")) return; /* no option changes the formulas */
    add_ideal(c, to);
    if (c->endpoint != ENDPOINT_IDEAL)
        add(to, PART_NETWORK, "memory-bandwidth", 2 * cluster_memory_GBps(c), "GB/s");
}

static void propose_msccl(const saved_run *r, const cluster *c, changes *to) {
    add_links(c, to);
    add_ideal(c, to);
    if (c->endpoint != ENDPOINT_IDEAL)
        add(to, PART_LATENCY, "memory-bandwidth", 2 * cluster_memory_GBps(c), "GB/s");
    if (saved_number(r->root, "loops") <= 512)
        add(to, PART_LATENCY, "loops", 2 * saved_number(r->root, "loops"), "");
}

static const rerun reruns[] = {
    { "train", propose_train, "tokens_per_s", "tokens a second" },
    { "astra", propose_astra, NULL, "speed" },
    { "msccl", propose_msccl, NULL, "speed" },
};

static const rerun *rerun_of(const saved_run *r) {
    for (unsigned i = 0; i < sizeof reruns / sizeof *reruns; i++)
        if (!strcmp(reruns[i].command, r->command)) return &reruns[i];
    return NULL;
}

/* ---- the runs ------------------------------------------------------------------------------ */

typedef struct trial {
    const explain_command *command;
    char *arguments[ARGUMENTS];
    int count;
} trial;

static int run(void *self) {
    trial *t = self;

    return t->command->run(t->count, t->arguments);
}

/* Copies the arguments of the result's command. A change replaces the argument of the same
 * option. */
static void make_arguments(const explain *e, const char *changed, trial *t) {
    const size_t n = changed ? strcspn(changed, "=") : 0;
    const cJSON *v;

    t->command = explain_command_of(e->request->commands, e->run.command);
    t->count = 0;
    cJSON_ArrayForEach(v, saved_item(e->run.root, "command")) {
        if (!cJSON_IsString(v) || t->count + 7 >= ARGUMENTS) continue;
        if (n && !strncmp(v->valuestring, changed, n) && v->valuestring[n] == '=') continue;
        t->arguments[t->count++] = v->valuestring;
    }
    if (!strcmp(e->run.command, "train")) /* also explain a run that did not fit */
        t->arguments[t->count++] = (char *)(uintptr_t) "--oversize";
    t->arguments[t->count++] = (char *)(uintptr_t) "--format=json";
    t->arguments[t->count++] = (char *)(uintptr_t) "--quiet";
    t->arguments[t->count++] = (char *)(uintptr_t)e->threads; /* getopt does not change it */
    if (changed) t->arguments[t->count++] = (char *)(uintptr_t)changed;
    t->arguments[t->count] = NULL;
}

/* Returns the value that a change should raise. */
static double speed_of(const rerun *of, const cJSON *root) {
    return of->goal ? saved_number(root, of->goal) : 1 / saved_number(root, "cycles");
}

/* Returns the speed with a change, or 0 after a line with the reason. */
static double speed_with(const explain *e, const change *c) {
    child_output i;
    trial t;
    double speed = 0;

    make_arguments(e, c->word, &t);
    if (child_run(run, &t, &i) == EXIT_OK) {
        cJSON *const root = i.status == EXIT_OK ? json_parse(i.out, NULL, false) : NULL;

        if (root) speed = speed_of(rerun_of(&e->run), root);
        cJSON_Delete(root);
        if (!(speed > 0))
            printf("  %-44s cannot be run: %.*s\n", c->word, (int)strcspn(i.err, "\n"), i.err);
    }
    child_free(&i);
    return speed;
}

/* Runs the changes of a kind, or all changes if requested, and names the best. */
static void try_changes(const explain *e, const changes *list, result_part_kind kind) {
    const bool all = e->request->all;
    const rerun *const of = rerun_of(&e->run);
    const double before = speed_of(of, e->run.root);
    double most = 0;
    unsigned best = 0, tried = 0;

    printf("\nwhat if\n");
    for (unsigned k = 0; k < list->count; k++) {
        double gain;

        if (list->at[k].kind != kind && !all) continue;
        tried++;
        gain = speed_with(e, &list->at[k]) / before - 1;
        if (gain <= -1) continue;
        printf("  %-44s %+.1f %% %s\n", list->at[k].word, 100 * gain, of->goal_name);
        if (gain <= most) continue;
        most = gain;
        best = k;
    }
    if (!tried)
        printf("  no option changes that%s\n", all ? "" : "; --all tries what changes other parts");
    else if (most >= GAIN)
        printf("confirmed: %s gains most, %.1f %% more %s\n", list->at[best].word, 100 * most,
               of->goal_name);
    else if (most >= LITTLE)
        printf("gains little: %s gains most, %.1f %% more %s\n"
               "%.0f %% would confirm the verdict%s\n",
               list->at[best].word, 100 * most, of->goal_name, 100 * GAIN,
               all ? "" : "; --all tries the others");
    else
        printf("NOT confirmed: no change that was tried gains %.0f %%%s\n", 100 * LITTLE,
               all ? "" : "; --all tries the others");
}

/* ---- the answer ---------------------------------------------------------------------------- */

static const result_part *print_parts(const saved_run *r) {
    const result_part *const parts = result_parts(r), *largest = parts;

    printf("\n%-40s %15s %11s\n", "where the time goes", "cycles", "share");
    for (const result_part *p = parts; p->key; p++) {
        const double cycles = saved_number(r->root, p->key);
        char text[FIGURE];

        if (cycles > saved_number(r->root, largest->key)) largest = p;
        if (cycles > 0)
            printf("%-40s %15s %9.2f %%\n", p->name, figure_count(round(cycles), text),
                   100 * cycles / r->cycles);
    }
    return largest;
}

/* Prints a title such as "gpt2-345m, tp4.dp4 on 4x2x2: 4,507,221 cycles, 565,706 tokens a
 * second". */
static void print_title(const saved_run *r, const rerun *of) {
    const char *const strategy = saved_text(r->root, "strategy");
    char text[FIGURE];

    printf("%s%s%s on %s: %s cycles", r->what, *strategy ? ", " : "", strategy,
           saved_text(r->root, "topology"), figure_count(r->cycles, text));
    if (of->goal)
        printf(", %s %s", figure_count(round(speed_of(of, r->root)), text), of->goal_name);
    if (saved_item(r->root, "last_rank"))
        printf("; rank %.0f ends last", saved_number(r->root, "last_rank"));
    printf("\n");
}

int explain_parts(const explain *e) {
    const saved_run *const r = &e->run;
    const rerun *const of = rerun_of(r);
    changes list = { .count = 0 };
    setup *o = malloc(sizeof *o);
    const result_part *largest;
    trial t;
    int rc;

    if (!o) return message_no_memory();
    make_arguments(e, NULL, &t);
    rc = t.command->fields(t.count, t.arguments, o);
    if (rc == EXIT_OK) {
        print_title(r, of);
        largest = print_parts(r);
        printf("\nbound by %s: %.2f %% of the cycles\nwould help: %s\n", largest->name,
               100 * saved_number(r->root, largest->key) / r->cycles, largest->help);
        of->propose(r, &o->machine.cluster, &list);
        try_changes(e, &list, largest->kind);
    }
    free(o);
    return rc;
}
