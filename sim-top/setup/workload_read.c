/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload_read.c -- layers, from YAML or from a layer table of ASTRA-sim 1.0
 *
 * YAML: layers by shape (layers.h), or the path of a table and what its numbers are of.
 *
 * Table: parallelism, number of layers, then a line a layer: name, -1, forward cycles,
 * collective, bytes, input-gradient cycles, collective, bytes, weight-gradient cycles,
 * collective, bytes, update delay (not modelled).  Cycles are of a 1 GHz clock.
 */
#include "workload_read.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data_path.h"
#include "exit_status.h"
#include "input_file.h"
#include "layers.h"
#include "npu.h"
#include "operations.h"
#include "values.h"
#include "workload.h"
#include "yaml_file.h"
#include "yaml_schema.h"

/* ---- the table --------------------------------------------------------------- */

typedef struct scanner {
    const char *file;
    char *text, *p;
    size_t line;
    const char *bol; /* beginning of the line */
    bool failed;
} scanner;

static void fail(scanner *s, const char *where, const char *found, const char *expected) {
    if (!s->failed) yaml_error(s->file, s->line, (size_t)(where - s->bol) + 1, found, expected);
    s->failed = true;
}

static void next_line(scanner *s) {
    while (*s->p && *s->p != '\n') s->p++;
    if (*s->p) s->p++;
    s->line++;
    s->bol = s->p;
}

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* The next word of the line; a message and "" when there is none. */
static const char *word(scanner *s, char to[128], const char *expected) {
    const char *start;
    size_t n;

    while (blank(*s->p)) s->p++;
    start = s->p;
    while (*s->p && *s->p != '\n' && !blank(*s->p)) s->p++;
    n = (size_t)(s->p - start);
    if (!n) fail(s, start, *s->p ? "the end of the line" : "the end of the file", expected);
    if (n > 127) n = 127;
    memcpy(to, start, n);
    to[n] = 0;
    return start;
}

static uint64_t whole(scanner *s, uint64_t high, const char *expected) {
    char w[128], found[160];
    const char *start = word(s, w, expected);
    uint64_t v = 0;

    if (!s->failed && !parse_unsigned(w, 0, high, &v)) {
        snprintf(found, sizeof found, "'%s'", w);
        fail(s, start, found, expected);
    }
    return v;
}

/* A collective and its bytes; only `allowed` (or NONE) is modelled there. */
static uint64_t collective(scanner *s, const char *allowed, const char *where) {
    char w[128], found[200], expected[64];
    const char *start;
    uint64_t bytes;

    snprintf(expected, sizeof expected, "NONE%s%s", allowed ? " or " : "", allowed ? allowed : "");
    start = word(s, w, expected);
    if (!s->failed && strcmp(w, "NONE") && (!allowed || strcmp(w, allowed))) {
        snprintf(found, sizeof found, "'%s', which is not modelled in the %s", w, where);
        fail(s, start, found, expected);
    }
    bytes = whole(s, UINT64_C(1) << 40, "bytes, 0 to 2^40");
    return strcmp(w, "NONE") ? bytes : 0;
}

/* Times of all passes, and a table's layer. */
static void read_layer(scanner *s, workload *w, layer *l) {
    const uint64_t most = UINT64_C(1) << 40;
    uint64_t cycles[PASSES];
    char w1[128], found[160];
    const char *start = word(s, w1, "the name of a layer");

    snprintf(l->name, sizeof l->name, "%.63s", w1);
    start = word(s, w1, "-1");
    if (!s->failed && strcmp(w1, "-1")) {
        snprintf(found, sizeof found, "'%s'", w1);
        fail(s, start, found, "-1");
    }
    cycles[PASS_FORWARD] = whole(s, most, "cycles of the forward pass");
    (void)collective(s, NULL, "forward pass");
    cycles[PASS_INPUT] = whole(s, most, "cycles of the input gradient");
    (void)collective(s, NULL, "input gradient");
    cycles[PASS_WEIGHT] = whole(s, most, "cycles of the weight gradient");
    l->bytes = collective(s, "ALLREDUCE", "weight gradient");
    (void)whole(s, most, "the update delay");
    while (blank(*s->p)) s->p++;
    if (*s->p && *s->p != '\n') fail(s, s->p, "more fields", "the end of the line");
    for (pass p = 0; p < PASSES; p++) {
        const operation o = { .what = "given", .class_ = OPERATION_TIME, .cycles = cycles[p] };

        if (!workload_add(w, l, p, &o, p == PASS_INPUT && l == w->layers ? 0 : 1))
            fail(s, s->p, "no memory", "some");
    }
}

static int read_table(const char *file, workload *w) {
    scanner s = { .file = input_name(file), .line = 1 };
    char kind[128], found[160];
    const char *start;
    uint64_t count;

    s.text = s.p = input_text(file, NULL);
    if (!s.text) {
        yaml_error(file, 1, 1, strerror(errno), "a readable layer table");
        return EXIT_USAGE;
    }
    s.bol = s.p;
    start = word(&s, kind, "DATA or MICRO");
    if (!s.failed && strcmp(kind, "DATA") && strcmp(kind, "MICRO")) {
        snprintf(found, sizeof found, "parallelism '%s', which is not modelled", kind);
        fail(&s, start, found, "DATA or MICRO");
    }
    if (!s.failed) next_line(&s);
    count = s.failed ? 0 : whole(&s, 100000, "the number of layers, 1 to 100000");
    if (!s.failed && !count) fail(&s, s.bol, "'0'", "the number of layers, 1 to 100000");
    w->layers = s.failed ? NULL : calloc(count, sizeof *w->layers);
    for (w->count = 0; !s.failed && w->layers && w->count < count; w->count++) {
        next_line(&s);
        read_layer(&s, w, &w->layers[w->count]);
    }
    if (!s.failed) {
        next_line(&s);
        while (isspace((unsigned char)*s.p)) s.p++;
        if (*s.p) fail(&s, s.bol, "more lines than layers", "the end of the file");
    }
    free(s.text);
    return s.failed || !w->layers ? EXIT_USAGE : EXIT_OK;
}

/* ---- the YAML ------------------------------------------------------------------ */

static bool read_text(void *to, const char *s) {
    if (!*s || strlen(s) > 63) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_count(void *to, const char *s) { return parse_unsigned(s, 1, 1000000, to); }
static bool read_clock(void *to, const char *s) { return parse_clock(s, to); }
static bool read_type(void *to, const char *s) {
    int v;

    if (!parse_name(s, type_names, &v)) return false;
    *(ace_type *)to = (ace_type)v;
    return true;
}

static bool ends_with(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);

    return n >= m && !strcmp(s + n - m, end);
}

static uint64_t scaled(uint64_t cycles, double factor) {
    return (uint64_t)llround((double)cycles * factor);
}

static bool read_loop(void *to, const char *s) { return parse_name(s, loop_names, to); }
static bool read_parameters(void *to, const char *s) {
    return parse_unsigned(s, 1, UINT64_C(1) << 56, to);
}
static bool read_anchor(void *to, const char *s) {
    (void)to;
    return *s != 0;
}

/* What the table's numbers are of. */
typedef struct table_units {
    uint64_t minibatch;
    double clock_MHz;
    int element; /* -1: not given */
} table_units;

static bool read_element(void *to, const char *s) { return parse_name(s, type_names, to); }

/* Times in cycles of the node clock and of the mini-batch, bytes of the element. */
static void scale(workload *w, const table_units *u, double clock_MHz) {
    const double factor = clock_MHz / u->clock_MHz * (double)w->minibatch / (double)u->minibatch;

    for (unsigned i = 0; i < w->operation_count; i++)
        w->operations[i].cycles = scaled(w->operations[i].cycles, factor);
    for (unsigned i = 0; i < w->count; i++)
        w->layers[i].bytes = w->layers[i].bytes * ace_type_bytes(w->element) /
                             ace_type_bytes(u->element < 0 ? ACE_FP32 : (ace_type)u->element);
}

static int check(const char *file, const workload *w, uint64_t parameters) {
    uint64_t sum = 0;
    char found[128], expected[128];

    for (unsigned i = 0; i < w->count; i++) sum += w->layers[i].parameters;
    if (parameters && parameters != sum) {
        snprintf(found, sizeof found, "layers of %" PRIu64 " parameters in all", sum);
        snprintf(expected, sizeof expected, "%" PRIu64 ", as the key 'parameters' says",
                 parameters);
        yaml_error(file, 1, 1, found, expected);
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

int workload_set_loop(workload *w, const char *file, int loop) {
    bool sharded = false;

    if (loop < 0) return EXIT_OK;
    for (unsigned i = 0; i < w->count; i++) sharded = sharded || w->layers[i].exchanged;
    w->optimised = loop != 0;
    if (!w->optimised || sharded) return EXIT_OK;
    yaml_error(file, 1, 1, "the optimised loop and no sharded embedding",
               "one, whose lookup and update go to the background");
    return EXIT_USAGE;
}

/* What the file says beside the workload itself. */
typedef struct yaml_workload {
    model m;
    yaml_items layers;
    table_units units;
    uint64_t parameters;
    int loop;
    yaml_key keys[11];
} yaml_workload;

static void make_keys(yaml_workload *y, const char *file, workload *w) {
    *y = (yaml_workload){ .m = { .file = file }, .units = { .element = -1 }, .loop = -1 };
    y->layers = layers_items(&y->m);
    const yaml_key keys[] = {
        { "name", false, read_text, w->name, "a name of 1 to 63 characters", NULL },
        { "layers", true, NULL, &y->layers,
          "the path of a layer table, relative to this file, or a list of layers", NULL },
        { "minibatch", false, read_count, &w->minibatch, "samples per NPU, 1 to 1000000", NULL },
        { "element", false, read_type, &w->element, TYPES_ACCEPTED, NULL },
        { "parameters", false, read_parameters, &y->parameters, "how many all layers have", NULL },
        { "loop", false, read_loop, &y->loop, "plain or optimised", NULL },
        { "sequence", false, read_anchor, NULL, "a value to be repeated by its anchor", NULL },
        { "reference_minibatch", false, read_count, &y->units.minibatch,
          "samples the table's cycles are of, 1 to 1000000", NULL },
        { "compute_clock", false, read_clock, &y->units.clock_MHz, "a frequency such as 1 GHz",
          NULL },
        { "table_element", false, read_element, &y->units.element, TYPES_ACCEPTED, NULL },
        { 0 }
    };
    memcpy(y->keys, keys, sizeof keys);
}

cJSON *workload_schema(void) {
    workload w = { 0 };
    yaml_workload y;

    make_keys(&y, "", &w);
    return yaml_schema(y.keys, NULL);
}

static int read_yaml(const char *file, double clock_MHz, workload *w) {
    yaml_workload y;
    make_keys(&y, file, w);
    model *const m = &y.m;
    table_units *const u = &y.units;
    const char *slash = strrchr(file, '/');
    char table[2 * DATA_PATH];
    int rc = yaml_read(file, y.keys) ? EXIT_USAGE : EXIT_OK;

    if (rc == EXIT_OK && m->count && (u->minibatch || u->clock_MHz > 0 || u->element >= 0)) {
        yaml_error(file, 1, 1, "reference_minibatch, compute_clock or table_element",
                   "them beside a layer table only");
        rc = EXIT_USAGE;
    } else if (rc == EXIT_OK && m->count) {
        rc = layers_build(m, w);
    } else if (rc == EXIT_OK) {
        snprintf(table, sizeof table, "%.*s%s",
                 *m->table == '/' || !slash ? 0 : (int)(slash + 1 - file), file, m->table);
        if (!u->minibatch) u->minibatch = 1;
        if (!(u->clock_MHz > 0)) u->clock_MHz = 1000;
        rc = read_table(table, w);
        if (rc == EXIT_OK) scale(w, u, clock_MHz);
    }
    if (rc == EXIT_OK) rc = check(file, w, y.parameters);
    if (rc == EXIT_OK) rc = workload_set_loop(w, file, y.loop);
    layers_free(m);
    return rc;
}

/* A layer table begins with a word and a number, where YAML has a key. */
static bool is_yaml(const char *file) {
    char *text;
    bool yaml = true;

    if (!input_is_standard(file))
        return ends_with(file, ".yaml") || ends_with(file, ".yml") || ends_with(file, ".json");
    text = input_text(file, NULL);
    if (text) yaml = strcspn(text, ":#{") < strcspn(text, "\n");
    free(text);
    return yaml;
}

int workload_read(const char *name, double clock_MHz, workload *w) {
    const char *slash = strrchr(name, '/');
    char file[DATA_PATH];
    int rc;

    *w = (workload){ .minibatch = 1, .element = ACE_FP32 };
    if (!data_path_find(name, file)) return EXIT_USAGE;
    snprintf(w->name, sizeof w->name, "%.63s",
             slash                     ? slash + 1
             : input_is_standard(name) ? "stdin"
                                       : name);
    if (is_yaml(file)) {
        rc = read_yaml(file, clock_MHz, w);
    } else {
        rc = read_table(file, w);
        if (rc == EXIT_OK)
            scale(w, &(table_units){ .minibatch = 1, .clock_MHz = 1000, .element = -1 }, clock_MHz);
    }
    if (rc != EXIT_OK) workload_free(w);
    return rc;
}
