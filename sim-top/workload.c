/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload.c -- layers, from YAML or from a layer table of ASTRA-sim 1.0
 *
 * Table: parallelism, number of layers, then a line a layer: name, -1, forward cycles,
 * collective, bytes, input-gradient cycles, collective, bytes, weight-gradient cycles,
 * collective, bytes, update delay (not modelled).  Cycles are of a 1 GHz clock.
 */
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "acesim.h"
#include "conf.h"

/* ---- the table --------------------------------------------------------------- */

typedef struct scanner {
    const char *file;
    char *text, *p;
    size_t line;
    const char *bol; /* beginning of the line */
    bool failed;
} scanner;

static void fail(scanner *s, const char *where, const char *found, const char *expected) {
    if (!s->failed) conf_error(s->file, s->line, (size_t)(where - s->bol) + 1, found, expected);
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

static void read_layer(scanner *s, layer *l) {
    const uint64_t most = UINT64_C(1) << 40;
    char w[128], found[160];
    const char *start = word(s, w, "the name of a layer");

    snprintf(l->name, sizeof l->name, "%.63s", w);
    start = word(s, w, "-1");
    if (!s->failed && strcmp(w, "-1")) {
        snprintf(found, sizeof found, "'%s'", w);
        fail(s, start, found, "-1");
    }
    l->forward = whole(s, most, "cycles of the forward pass");
    (void)collective(s, NULL, "forward pass");
    l->input_gradient = whole(s, most, "cycles of the input gradient");
    (void)collective(s, NULL, "input gradient");
    l->weight_gradient = whole(s, most, "cycles of the weight gradient");
    l->bytes = collective(s, "ALLREDUCE", "weight gradient");
    (void)whole(s, most, "the update delay");
    while (blank(*s->p)) s->p++;
    if (*s->p && *s->p != '\n') fail(s, s->p, "more fields", "the end of the line");
}

static char *slurp(const char *file) {
    FILE *f = fopen(file, "rb");
    char *text = NULL;
    size_t n = 0, room = 0;

    if (!f) return NULL;
    do {
        if (n + 4096 + 1 > room) {
            char *more = realloc(text, room = 2 * room + 4096 + 1);
            if (!more) break;
            text = more;
        }
        n += fread(text + n, 1, 4096, f);
    } while (!feof(f) && !ferror(f));
    if (text) text[n] = 0;
    if (ferror(f)) {
        free(text);
        text = NULL;
    }
    fclose(f);
    return text;
}

static int read_table(const char *file, workload *w) {
    scanner s = { .file = file, .line = 1 };
    char kind[128], found[160];
    const char *start;
    uint64_t count;

    s.text = s.p = slurp(file);
    if (!s.text) {
        conf_error(file, 1, 1, strerror(errno), "a readable layer table");
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
        read_layer(&s, &w->layers[w->count]);
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
static bool read_path(void *to, const char *s) {
    if (!*s || strlen(s) > 1023) return false;
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

static unsigned type_bytes(ace_type t) { return t == ACE_FP32 ? 4 : 2; }

static bool ends_with(const char *s, const char *end) {
    const size_t n = strlen(s), m = strlen(end);

    return n >= m && !strcmp(s + n - m, end);
}

static uint64_t scaled(uint64_t cycles, double factor) {
    return (uint64_t)llround((double)cycles * factor);
}

int workload_read(const char *file, double clock_MHz, workload *w) {
    char layers[1024], table[2048];
    ace_type table_element = ACE_FP32;
    const conf_key keys[] = {
        { "name", false, read_text, w->name, "a name of 1 to 63 characters", NULL },
        { "layers", true, read_path, layers, "the path of a layer table, relative to this file",
          NULL },
        { "minibatch", false, read_count, &w->minibatch, "images per NPU, 1 to 1000000", NULL },
        { "reference_minibatch", false, read_count, &w->reference_minibatch,
          "images the table's cycles are of, 1 to 1000000", NULL },
        { "compute_clock", false, read_clock, &w->compute_MHz, "a frequency such as 1 GHz", NULL },
        { "table_element", false, read_type, &table_element, "one of fp32 fp16 bf16", NULL },
        { "element", false, read_type, &w->element, "one of fp32 fp16 bf16", NULL },
        { 0 }
    };
    const char *slash = strrchr(file, '/');
    double factor;
    int rc;

    *w = (workload){
        .minibatch = 1, .reference_minibatch = 1, .compute_MHz = 1000, .element = ACE_FP32
    };
    snprintf(w->name, sizeof w->name, "%.63s", slash ? slash + 1 : file);
    if (ends_with(file, ".yaml") || ends_with(file, ".yml") || ends_with(file, ".json")) {
        if (conf_read(file, keys)) return EXIT_USAGE;
        if (layers[0] == '/' || !slash)
            snprintf(table, sizeof table, "%s", layers);
        else
            snprintf(table, sizeof table, "%.*s/%s",
                     (int)(slash - file > 1000 ? 1000 : slash - file), file, layers);
        rc = read_table(table, w);
    } else {
        rc = read_table(file, w);
    }
    if (rc != EXIT_OK) {
        workload_free(w);
        return rc;
    }
    factor = clock_MHz / w->compute_MHz * (double)w->minibatch / (double)w->reference_minibatch;
    for (unsigned i = 0; i < w->count; i++) {
        layer *l = &w->layers[i];
        l->forward = scaled(l->forward, factor);
        l->input_gradient = scaled(l->input_gradient, factor);
        l->weight_gradient = scaled(l->weight_gradient, factor);
        l->bytes = l->bytes * type_bytes(w->element) / type_bytes(table_element);
    }
    return EXIT_OK;
}

void workload_free(workload *w) {
    free(w->layers);
    w->layers = NULL;
    w->count = 0;
}

uint64_t workload_digest(const workload *w) {
    uint64_t h = fnv1a(FNV1A_START, w->name, strlen(w->name));

    h = fnv1a(h, &w->element, sizeof w->element);
    for (unsigned i = 0; i < w->count; i++) {
        const layer *l = &w->layers[i];
        const uint64_t v[] = { l->forward, l->input_gradient, l->weight_gradient, l->bytes };
        h = fnv1a(fnv1a(h, l->name, strlen(l->name)), v, sizeof v);
    }
    return h;
}
