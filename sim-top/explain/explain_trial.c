/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_trial.c -- runs the command of a result again with one option changed
 *
 * The gain is printed, whether it confirms the verdict or not. If the counts of a result are not
 * conclusive, all changes are tried, and the one that gains most names what bounded the run.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child_process.h"
#include "exit_status.h"
#include "explain_inside.h"
#include "figures.h"
#include "what_if.h"

const explain_command *explain_command_of(const explain_commands *all, const char *name) {
    for (unsigned i = 0; i < all->count; i++)
        if (!strcmp(all->at[i].name, name)) return &all->at[i];
    return NULL;
}

typedef struct trial {
    const explain_command *command;
    char **arguments;
    int count;
} trial;

static int try(void *self) {
    const trial *t = self;

    return t->command->run(t->count, t->arguments);
}

/* Runs the command with one more argument, on the twins. Returns false after a line with the reason
 * it failed. The caller frees r in both cases. */
bool explain_again(const explain *e, const char *change, saved_run *r) {
    char *arguments[EXPLAIN_ARGUMENTS], text[4][40] = { "", "--rung=cycle", "--format=json", "" };
    trial t = { .command = e->command, .arguments = arguments };
    bool ok = false;
    child_output i;

    *r = (saved_run){ 0 };
    /* neither payload nor the rung of a node changes a cycle */
    for (int k = 0; k < e->count; k++)
        if (strncmp(e->arguments[k], "--payload", 9) && strcmp(e->arguments[k], "--check") &&
            strncmp(e->arguments[k], "--rung=", 7))
            arguments[t.count++] = e->arguments[k];
    snprintf(text[3], sizeof text[3], "%s", e->threads);
    if (e->o.machine.cluster.endpoint == ENDPOINT_ACE && strcmp(change, "--endpoint=ideal"))
        arguments[t.count++] = text[1];
    arguments[t.count++] = text[2];
    arguments[t.count++] = text[3];
    arguments[t.count++] = strdup(change);
    arguments[t.count] = NULL;
    if (child_run(try, &t, &i) == EXIT_OK) {
        ok = i.status == EXIT_OK && saved_run_parse(change, i.out, r) == EXIT_OK;
        if (!ok) printf("  %-44s cannot be run: %.*s\n", change, (int)strcspn(i.err, "\n"), i.err);
    }
    child_free(&i);
    free(arguments[t.count - 1]);
    return ok;
}

/* Reads all digits of the cycles, because a double may not hold them. */
uint64_t explain_cycles(const saved_run *r) {
    uint64_t v;

    return json_unsigned(saved_item(r->root, "cycles"), &v) ? v : (uint64_t)r->cycles;
}

/* Prints and returns the share of the cycles that a change saves. */
double explain_tried(const explain *e, const char *change) {
    const uint64_t before = explain_cycles(&e->run);
    saved_run r;
    const uint64_t cycles = explain_again(e, change, &r) ? explain_cycles(&r) : 0;
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
        const double g = explain_tried(e, list[i].word);

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
void explain_outcome(double gain, double enough) {
    if (gain >= enough)
        printf("confirmed: %.1f %% fewer cycles\n", 100 * gain);
    else if (gain >= EXPLAIN_NONE * enough)
        printf("gains little: %.1f %% fewer cycles, where %.2g %% would confirm the verdict\n",
               100 * gain, 100 * enough);
    else
        printf("NOT confirmed: what should help gains %.1f %%\n", 100 * fmax(gain, 0));
}

/* enough: the gain that confirms, as a share of the cycles. */
void explain_changes(const explain *e, bottleneck *b, double enough) {
    what_if list[WHAT_IFS];
    const unsigned n = what_if_propose(&e->o.machine.cluster, &e->o.machine.config, b, list);
    double gain = -1, other = 0;
    unsigned own = 0, best = 0;
    bool rest = e->request->all;

    printf("\nwhat if\n");
    if (b->kind == BOUND_STEPS) {
        find_by_trying(e, list, n, b, enough);
        return;
    }
    for (unsigned i = 0; i < n; i++) {
        double g;

        if (!what_if_against(&list[i], b->kind)) continue;
        own++;
        g = explain_tried(e, list[i].word);
        if (g > gain) gain = g;
    }
    rest = rest || (own && gain < enough);
    for (unsigned i = 0; i < n && rest; i++) {
        double g;

        if (what_if_against(&list[i], b->kind)) continue;
        g = explain_tried(e, list[i].word);
        if (g <= other) continue;
        other = g;
        best = i;
    }
    if (own)
        explain_outcome(gain, enough);
    else
        printf("  no option changes that: the verdict is not put to the test\n");
    if (other > fmax(gain, enough)) printf("more than that helps %s\n", list[best].word);
}
