/* SPDX-License-Identifier: Apache-2.0 */
/*
 * explain_train.c -- what bounds an iteration of acesim train
 *
 * The result divides the iteration into compute, communication of each degree of parallelism that
 * nothing hid, and the pipeline's bubble.  The largest part is the verdict.  Changes that should
 * help against it are run, because a faster link may only uncover the next bound.  The gain is in
 * tokens a second, as a change of the micro-batches changes the batch.
 */
#include "explain_train.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "child_process.h"
#include "command.h"
#include "exit_status.h"
#include "figures.h"
#include "message.h"
#include "model.h"
#include "strategy.h"
#include "train_parts.h"

enum { WORDS = 160, CHANGES = 8 };
static const double GAIN = 0.1; /* of the tokens a second: less confirms nothing */

typedef struct change {
    train_part_kind kind;
    char word[160];
} change;

/* ---- what may help ------------------------------------------------------------------------- */

/* The links of one dimension twice as fast, or as fast as a port moves a row a cycle; the others as
 * they are. */
static void add_links(const cluster *c, unsigned dimension, change *to) {
    const double most = floor(ACE_ROW_BYTES * c->clock_MHz / 1e3 / c->efficiency); /* GB/s */
    size_t at = (size_t)snprintf(to->word, sizeof to->word, "--link-bandwidth=");

    to->kind = PART_NETWORK;
    for (unsigned d = 0; d < c->sizes && at < sizeof to->word; d++)
        at += (size_t)snprintf(to->word + at, sizeof to->word - at, "%s%.9gGB/s", d ? "," : "",
                               d == dimension ? fmin(2 * c->link_GBps[d], most) : c->link_GBps[d]);
}

/* The strategy with twice the micro-batches; false: it is not one that can be written. */
static bool add_micro_batches(const char *text, change *to) {
    char room[STRATEGY_TEXT];
    strategy_fault why = { 0 };
    strategy s;

    if (!strategy_parse(text, &s, &why)) return false;
    s.micro_batches *= 2;
    to->kind = PART_BUBBLE;
    snprintf(to->word, sizeof to->word, "--strategy=%s", strategy_print(&s, room));
    return true;
}

static unsigned propose(const saved_run *r, const setup *o, change list[CHANGES]) {
    const cluster *const c = &o->machine.cluster;
    unsigned n = 0;

    snprintf(list[n].word, sizeof list[n].word, "--npu-matrix=%.9gTFLOPS",
             2 * c->npu.matrix_TFLOPS);
    list[n++].kind = PART_COMPUTE;
    for (unsigned d = 0; d < c->sizes && n < CHANGES - 2; d++)
        if (c->ring[d] > 1 && c->wiring[d] != WIRING_LINKS) add_links(c, d, &list[n++]);
    if (c->endpoint != ENDPOINT_IDEAL) {
        snprintf(list[n].word, sizeof list[n].word, "--endpoint=ideal");
        list[n++].kind = PART_NETWORK;
    }
    if (saved_number(r->root, "bubble_cycles") > 0 &&
        add_micro_batches(saved_text(r->root, "strategy"), &list[n]))
        n++;
    return n;
}

/* ---- the runs ------------------------------------------------------------------------------ */

typedef struct trial {
    char *words[WORDS];
    int count;
} trial;

static int run(void *self) {
    trial *t = self;

    return command_train(t->count, t->words);
}

/* The words of the result's command, in which a change replaces the word of the same option. */
static void make_words(const saved_run *r, const char *changed, const char *threads, trial *t) {
    const size_t n = changed ? strcspn(changed, "=") : 0;
    const cJSON *v;

    t->count = 0;
    cJSON_ArrayForEach(v, saved_item(r->root, "command")) {
        if (!cJSON_IsString(v) || t->count + 6 >= WORDS) continue;
        if (n && !strncmp(v->valuestring, changed, n) && v->valuestring[n] == '=') continue;
        t->words[t->count++] = v->valuestring;
    }
    t->words[t->count++] = (char *)(uintptr_t) "--format=json";
    t->words[t->count++] = (char *)(uintptr_t) "--quiet";
    t->words[t->count++] = (char *)(uintptr_t)threads; /* which getopt leaves as they are */
    if (changed) t->words[t->count++] = (char *)(uintptr_t)changed;
    t->words[t->count] = NULL;
}

/* Tokens a second with a change; 0 after a line that says why there are none. */
static double tokens_with(const saved_run *r, const change *c, const char *threads) {
    child_output i;
    trial t;
    double tokens = 0;

    make_words(r, c->word, threads, &t);
    if (child_run(run, &t, &i) == EXIT_OK) {
        cJSON *const root = i.status == EXIT_OK ? json_parse(i.out, NULL, false) : NULL;

        tokens = saved_number(root, "tokens_per_s");
        cJSON_Delete(root);
        if (!(tokens > 0))
            printf("  %-44s cannot be run: %.*s\n", c->word, (int)strcspn(i.err, "\n"), i.err);
    }
    child_free(&i);
    return tokens;
}

/* Runs the changes of a kind, or with `all` every one; names the best. */
static void try_changes(const saved_run *r, const change *list, unsigned n, train_part_kind kind,
                        bool all, const char *threads) {
    const double before = saved_number(r->root, "tokens_per_s");
    double most = 0;
    unsigned best = 0;

    printf("\nwhat if\n");
    for (unsigned k = 0; k < n; k++) {
        double gain;

        if (list[k].kind != kind && !all) continue;
        gain = tokens_with(r, &list[k], threads) / before - 1;
        if (gain <= -1) continue;
        printf("  %-44s %+.1f %% tokens a second\n", list[k].word, 100 * gain);
        if (gain <= most) continue;
        most = gain;
        best = k;
    }
    if (most >= GAIN)
        printf("confirmed: %s gains most, %.1f %% more tokens a second\n", list[best].word,
               100 * most);
    else if (most >= GAIN / 5)
        printf("gains little: %s gains most, %.1f %% more tokens a second\n"
               "%.0f %% would confirm the verdict%s\n",
               list[best].word, 100 * most, 100 * GAIN, all ? "" : "; --all tries the others");
    else
        printf("NOT confirmed: no change that was tried gains %.0f %%%s\n", 100 * GAIN / 5,
               all ? "" : "; --all tries the others");
}

/* ---- the answer ---------------------------------------------------------------------------- */

static unsigned print_parts(const saved_run *r) {
    unsigned largest = 0;

    printf("\n%-32s %15s %11s\n", "where the time goes", "cycles", "share");
    for (unsigned k = 0; k < TRAIN_PARTS; k++) {
        const double cycles = saved_number(r->root, train_parts[k].key);
        char text[FIGURE];

        if (cycles > saved_number(r->root, train_parts[largest].key)) largest = k;
        if (cycles > 0)
            printf("%-32s %15s %9.2f %%\n", train_parts[k].name, figure_count(round(cycles), text),
                   100 * cycles / r->cycles);
    }
    return largest;
}

int explain_train(const saved_run *r, bool all, const char *threads) {
    change list[CHANGES];
    setup *o = malloc(sizeof *o);
    unsigned largest;
    trial t;
    char text[FIGURE];
    int rc;

    if (!o) return message_no_memory();
    make_words(r, NULL, threads, &t);
    rc = train_fields(t.count, t.words, o);
    if (rc == EXIT_OK) {
        printf("%s, %s on %s: %s cycles, %s tokens a second\n", r->what,
               saved_text(r->root, "strategy"), saved_text(r->root, "topology"),
               figure_count(r->cycles, text),
               figure_count(round(saved_number(r->root, "tokens_per_s")), (char[FIGURE]){ 0 }));
        largest = print_parts(r);
        printf("\nbound by %s: %.2f %% of the cycles\nwould help: %s\n", train_parts[largest].name,
               100 * saved_number(r->root, train_parts[largest].key) / r->cycles,
               train_parts[largest].help);
        try_changes(r, list, propose(r, o, list), train_parts[largest].kind, all, threads);
    }
    free(o);
    return rc;
}
