/* SPDX-License-Identifier: Apache-2.0 */
/* compat_system.c -- reads the system file as ASTRA-sim 2.x itself interprets it */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compat_run.h"
#include "exit_status.h"
#include "values.h"
#include "yaml_file.h"

typedef struct choice_list {
    const char *file;
    compat_system *to;
    unsigned kind;
} choice_list;

static const char *const list_names[COMPAT_KINDS] = {
    [COMPAT_ALL_REDUCE] = "all-reduce-implementation",
    [COMPAT_REDUCE_SCATTER] = "reduce-scatter-implementation",
    [COMPAT_ALL_GATHER] = "all-gather-implementation",
    [COMPAT_ALL_TO_ALL] = "all-to-all-implementation"
};

/* Keys without effect in ASTRA-sim, and keys whose effect is not modelled. */
static const char *const idle[] = {
    "local-reduction-delay",      "boost-mode",    "intra-dimension-scheduling",
    "inter-dimension-scheduling", "trace-enabled", "track-local-mem",
    "local-mem-trace-filename"
};
static const char *const custom[] = { "all-reduce-implementation-custom",
                                      "all-gather-implementation-custom",
                                      "reduce-scatter-implementation-custom",
                                      "all-to-all-implementation-custom",
                                      "per-node-custom-implementation" };
enum { IDLE = sizeof idle / sizeof *idle, CUSTOM = sizeof custom / sizeof *custom };

static bool read_order(void *to, const char *s) {
    *(ace_order *)to = strcmp(s, "LIFO") ? ACE_FIFO : ACE_LIFO;
    return !strcmp(s, "LIFO") || !strcmp(s, "FIFO");
}
static bool read_count(void *to, const char *s) {
    uint64_t v;

    if (!parse_unsigned(s, 1, 1 << 16, &v)) return false;
    *(unsigned *)to = (unsigned)v;
    return true;
}
static bool read_ns(void *to, const char *s) { return parse_unsigned(s, 0, 1000000000, to); }
static bool read_number(void *to, const char *s) {
    char *end;
    const double v = strtod(s, &end);

    *(double *)to = v;
    return end != s && !*end && isfinite(v) && v > 0;
}
static bool read_truth(void *to, const char *s) {
    *(bool *)to = *s == '1';
    return !strcmp(s, "0") || !strcmp(s, "1");
}
static bool read_zero(void *to, const char *s) {
    (void)to;
    return !strcmp(s, "0");
}
static bool read_optimization(void *to, const char *s) {
    *(bool *)to = !strcmp(s, "baseline");
    return *(bool *)to || !strcmp(s, "localBWAware");
}
static bool read_idle(void *to, const char *s) {
    *(bool *)to = strcmp(s, "0") != 0;
    return true;
}

/* Parses ring, direct[w] or halvingDoubling; after the prefix `one`, the first letter is a
 * capital. */
static bool parse_choice(const char *s, compat_choice *w, bool *one_dimension) {
    static const struct {
        const char *word, *behind_one;
        compat_algorithm algorithm;
    } names[] = { { "ring", "Ring", COMPAT_RING },
                  { "direct", "Direct", COMPAT_DIRECT },
                  { "halvingDoubling", "HalvingDoubling", COMPAT_HALVING } };
    uint64_t window = 0;

    *one_dimension = !strncmp(s, "one", 3);
    for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
        const char *const word = *one_dimension ? names[i].behind_one : names[i].word;
        const char *const rest = s + (*one_dimension ? 3 : 0);
        const size_t n = strlen(word);

        if (strncmp(rest, word, n)) continue;
        if (rest[n] &&
            (names[i].algorithm != COMPAT_DIRECT || !parse_unsigned(rest + n, 1, 1 << 20, &window)))
            return false;
        *w = (compat_choice){ names[i].algorithm, (unsigned)window };
        return true;
    }
    return false;
}

static bool take_choice(void *self, const yaml_item *i) {
    choice_list *l = self;
    compat_choice w;
    char found[96];
    bool one_dimension;

    if (i->index < ASTRA_DIMENSIONS && parse_choice(i->value, &w, &one_dimension)) {
        if (!i->index) l->to->one_dimension[l->kind] = one_dimension;
        l->to->choice[l->kind][i->index] = w;
        l->to->choices[l->kind] = i->index + 1;
        return true;
    }
    snprintf(found, sizeof found, "'%.60s'", i->value);
    yaml_error(l->file, i->line, i->column, found,
               "ring, direct or direct4, halvingDoubling, for each of at most eight dimensions; or "
               "oneRing, oneDirect, oneHalvingDoubling");
    return false;
}

static bool refuse_custom(void *self, const yaml_item *i) {
    yaml_error(self, i->key_line, i->key_column, "a custom collective, a trace of its own",
               "native implementations: it is not modelled");
    return false;
}

static int check_lists(const char *file, const astra_network *n, const compat_system *s) {
    for (unsigned k = 0; k < COMPAT_KINDS; k++) {
        char found[160];

        if (!s->choices[k] || s->one_dimension[k] || s->choices[k] == n->dims) continue;
        snprintf(found, sizeof found, "%u words in %s and %u dimensions of the network",
                 s->choices[k], list_names[k], n->dims);
        yaml_error(file, 1, 1, found, "a word for each");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

int compat_system_read(const char *file, const astra_network *n, astra_system *a,
                       compat_system *s) {
    choice_list list[COMPAT_KINDS];
    yaml_items items[COMPAT_KINDS], none = { .take = refuse_custom, .self = (void *)(size_t)file };
    bool said[IDLE] = { 0 };
    yaml_key keys[32] = {
        { "scheduling-policy", true, read_order, &a->order, "LIFO or FIFO", NULL },
        { "endpoint-delay", false, read_ns, &s->endpoint_ns, "ns, 0 to 1000000000", NULL },
        { "active-chunks-per-dimension", false, read_count, &s->active, "1 to 65536", NULL },
        { "preferred-dataset-splits", true, read_count, &s->splits, "1 to 65536", NULL },
        { "local-mem-bw", false, read_number, &a->memory_GBps, "GB/s, above 0", NULL },
        { "peak-perf", false, read_number, &a->peak_TFLOPS, "TFLOPS, above 0", NULL },
        { "roofline-enabled", false, read_truth, &a->roofline, "0 or 1", NULL },
        { "replay-only", false, read_truth, &a->replay, "0 or 1", NULL },
        { "model-shared-bus", false, read_zero, NULL, "0: its bus of LogGP is not modelled", NULL },
        { "collective-optimization", true, read_optimization, &s->baseline,
          "baseline or localBWAware", NULL }
    };
    yaml_key *k = keys;
    int rc;

    *a = (astra_system){ 0 };
    *s = (compat_system){ .endpoint_ns = 10, .active = 1, .queues = 1 };
    while (k->name) k++;
    for (unsigned i = 0; i < COMPAT_KINDS; i++) {
        list[i] = (choice_list){ file, s, i };
        items[i] = (yaml_items){ .take = take_choice, .self = &list[i] };
        *k++ =
            (yaml_key){ list_names[i], false, NULL, &items[i], "a list of implementations", NULL };
    }
    for (unsigned i = 0; i < IDLE; i++)
        *k++ = (yaml_key){ idle[i], false, read_idle, &said[i], "a value", NULL };
    for (unsigned i = 0; i < CUSTOM; i++)
        *k++ = (yaml_key){ custom[i], false, NULL, &none, "no such key", NULL };
    if (yaml_read(file, keys)) return EXIT_USAGE;
    s->order = a->order;
    s->memory_GBps = a->memory_GBps;
    rc = check_lists(file, n, s);
    if (rc == EXIT_OK && a->roofline && !(a->memory_GBps > 0 && a->peak_TFLOPS > 0)) {
        yaml_error(file, 1, 1, "roofline-enabled without local-mem-bw or peak-perf", "both");
        rc = EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < IDLE; i++)
        if (said[i])
            fprintf(stderr, "acesim: %s: %s makes no difference to a time of ASTRA-sim 2.x\n", file,
                    idle[i]);
    return rc;
}
