/* SPDX-License-Identifier: Apache-2.0 */
/*
 * workload_read.c -- reads layers from YAML or from a layer table of ASTRA-sim 1.0
 *
 * A YAML file has layers by shape (layers.h), or the path of a table. It may also hold the layers
 * of a table itself, the units of its numbers, and a model whose shapes give the bounds of the
 * layers. layer_table.h describes a table.
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
#include "layer_table.h"
#include "layers.h"
#include "message.h"
#include "names.h"
#include "npu.h"
#include "operations.h"
#include "values.h"
#include "workload.h"
#include "yaml_file.h"
#include "yaml_schema.h"

/* ---- the table --------------------------------------------------------------- */

/* Takes the times of all passes from a table's layer. A pass of no cycles does not exist. The first
 * layer needs an input gradient only for a collective. */
static bool take_layer(workload *w, layer *l, const table_layer *from, bool parallel) {
    memcpy(l->name, from->name, sizeof l->name);
    l->bytes = parallel ? 0 : from->collective[PASS_WEIGHT].bytes;
    for (pass p = 0; p < PASSES; p++) {
        const operation o = { .what = "given",
                              .class_ = OPERATION_TIME,
                              .cycles = from->cycles[p] };
        const bool none =
            !o.cycles || (p == PASS_INPUT && l == w->layers && !from->collective[p].bytes);

        if (!workload_add(w, l, p, &o, !none)) return false;
    }
    return true;
}

/* Takes the layers of a table, which stays the caller's. */
static int take_table(const layer_table *t, bool parallel, workload *w) {
    w->timed = true;
    w->layers = calloc(t->count, sizeof *w->layers);
    if (!w->layers) return message_no_memory();
    for (w->count = 0; w->count < t->count; w->count++)
        if (!take_layer(w, &w->layers[w->count], &t->layer[w->count], parallel))
            return message_no_memory();
    return EXIT_OK;
}

static int read_table(const char *file, workload *w) {
    layer_table t;
    int rc = layer_table_read(file, true, &t);
    const bool parallel = rc == EXIT_OK && layer_table_is_parallel(&t);

    if (rc == EXIT_OK) rc = take_table(&t, parallel, w);
    if (rc == EXIT_OK && parallel)
        w->table = t;
    else
        layer_table_free(&t);
    return rc;
}

/* ---- the YAML ------------------------------------------------------------------ */

static bool read_text(void *to, const char *s) {
    if (!*s || strlen(s) > 63 || name_fault(s)) return false;
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

static bool read_path(void *to, const char *s) {
    if (!*s || strlen(s) >= DATA_PATH) return false;
    memcpy(to, s, strlen(s) + 1);
    return true;
}
static bool read_loop(void *to, const char *s) { return parse_name(s, loop_names, to); }
static bool read_parameters(void *to, const char *s) {
    return parse_unsigned(s, 1, UINT64_C(1) << 56, to);
}
static bool read_anchor(void *to, const char *s) {
    (void)to;
    return *s != 0;
}

/* The units of the table's numbers. */
typedef struct table_units {
    uint64_t minibatch;
    double clock_MHz;
    int element; /* -1: not given */
} table_units;

static bool read_element(void *to, const char *s) { return parse_name(s, type_names, to); }

static uint64_t of_element(uint64_t bytes, const workload *w, const table_units *u) {
    return bytes * ace_type_bytes(w->element) /
           ace_type_bytes(u->element < 0 ? ACE_FP32 : (ace_type)u->element);
}

/* Scales times to cycles of the node clock and to the mini-batch, and bytes to the element. Bytes
 * of activations and their gradients also scale with the mini-batch. */
static void scale(workload *w, const table_units *u, double clock_MHz) {
    const double factor = clock_MHz / u->clock_MHz * (double)w->minibatch / (double)u->minibatch;

    for (unsigned i = 0; i < w->operation_count; i++)
        w->operations[i].cycles = scaled(w->operations[i].cycles, factor);
    for (unsigned i = 0; i < w->count; i++)
        w->layers[i].bytes = of_element(w->layers[i].bytes, w, u);
    for (unsigned i = 0; i < w->table.count; i++)
        for (pass p = 0; p < PASSES; p++) {
            uint64_t *const bytes = &w->table.layer[i].collective[p].bytes;

            *bytes = of_element(*bytes, w, u);
            if (p != PASS_WEIGHT) *bytes = *bytes * w->minibatch / u->minibatch;
        }
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

/* Values of the file that are not in the workload itself. */
typedef struct yaml_workload {
    model m;
    yaml_items layers;
    table_units units;
    char shapes[DATA_PATH]; /* of a table's layers: a model, or "" */
    uint64_t parameters;
    int loop;
    yaml_key keys[12];
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
        { "shapes", false, read_path, y->shapes,
          "the path of a model by shapes, relative to this file", NULL },
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

enum { RELATIVE = 2 * DATA_PATH };

/* Gives the path of a file that another file names. */
static void relative(const char *file, const char *named, char to[RELATIVE]) {
    const char *slash = strrchr(file, '/');

    snprintf(to, RELATIVE, "%.*s%s", *named == '/' || !slash ? 0 : (int)(slash + 1 - file), file,
             named);
}

/* ---- the shapes of a table's layers -------------------------------------------- */

/* Divides cycles exactly among the operations of a pass, in proportion to their times on a whole
 * NPU. Operations that get none are left out. Returns the number of operations. */
static unsigned divide(const npu *n, uint64_t cycles, const operation *from, unsigned count,
                       operation to[LAYER_OPERATIONS]) {
    double all = 0, sum = 0;
    uint64_t given = 0;
    unsigned used = 0;

    for (unsigned i = 0; i < count; i++) all += npu_time(n, 1, &from[i], npu_whole(n));
    for (unsigned i = 0; i < count && all > 0; i++) {
        sum += npu_time(n, 1, &from[i], npu_whole(n));
        const uint64_t upto = scaled(cycles, sum / all);

        if (upto == given) continue;
        to[used] = from[i];
        to[used++].cycles = upto - given;
        given = upto;
    }
    return used;
}

/* Returns the bytes that a table all-reduces for a layer, without biases and batch norms. */
static uint64_t weights(const layer *l) {
    const shape *s = &l->shape;

    if (s->kind == LAYER_LINEAR) return s->inputs * s->outputs;
    if (s->kind != LAYER_CONVOLUTION) return l->parameters;
    return s->filters * (s->channels / s->groups) * s->kernel[0] * s->kernel[1];
}

/* Gives a line of the table the bounds of the layer `from`. */
static int shape_layer(const char *file, const npu *n, const operation *given, const layer *from,
                       const operation *operations, workload *w, layer *l) {
    const uint64_t reduced = l->bytes / ace_type_bytes(w->element);
    operation at[LAYER_OPERATIONS];
    char found[256];

    if (reduced && reduced != weights(from)) {
        snprintf(found, sizeof found, "layer %.63s of %" PRIu64 " weights for %.63s of %" PRIu64,
                 from->name, weights(from), l->name, reduced);
        yaml_error(file, 1, 1, found, "layers with weights in the order of the table's lines");
        return EXIT_USAGE;
    }
    l->shape = from->shape;
    for (pass p = 0; p < PASSES; p++) {
        const uint64_t cycles = l->pass[p].count ? given[l->pass[p].first].cycles : 0;
        const unsigned count =
            divide(n, cycles, operations + from->pass[p].first, from->pass[p].count, at);

        if (cycles && !count) {
            snprintf(found, sizeof found, "layer %.63s without work in a pass of %.63s that has %s",
                     from->name, l->name, "cycles");
            yaml_error(file, 1, 1, found, "operations in each pass that the table gives a time");
            return EXIT_USAGE;
        }
        if (!workload_add(w, l, p, at, count)) return message_no_memory();
    }
    return EXIT_OK;
}

/* The layers of the model with parameters correspond to the table's lines, one by one. */
static int shape_layers(const char *file, const npu *n, const workload *shapes, workload *w) {
    operation *const given = w->operations;
    unsigned next = 0;
    int rc = EXIT_OK;

    w->operations = NULL;
    w->operation_count = 0;
    for (unsigned i = 0; rc == EXIT_OK && i < w->count; i++) {
        while (next < shapes->count && !shapes->layers[next].parameters) next++;
        if (next == shapes->count) break;
        rc = shape_layer(file, n, given, &shapes->layers[next++], shapes->operations, w,
                         &w->layers[i]);
        if (rc == EXIT_OK && i + 1 == w->count) w->shaped = true;
    }
    while (next < shapes->count && !shapes->layers[next].parameters) next++;
    if (rc == EXIT_OK && (!w->shaped || next < shapes->count)) {
        yaml_error(file, 1, 1, "another number of layers with parameters than the table has lines",
                   "one for each line");
        rc = EXIT_USAGE;
    }
    free(given);
    return rc;
}

static int read_shapes(const char *file, const npu *n, workload *w) {
    workload shapes = { 0 };
    yaml_workload y;
    int rc;

    make_keys(&y, file, &shapes);
    rc = yaml_read(file, y.keys) ? EXIT_USAGE : EXIT_OK;
    if (rc == EXIT_OK && !y.m.count) {
        yaml_error(file, 1, 1, "a layer table", "layers by shape");
        rc = EXIT_USAGE;
    }
    shapes.minibatch = w->minibatch;
    shapes.element = w->element;
    if (rc == EXIT_OK) rc = layers_build(&y.m, &shapes);
    if (rc == EXIT_OK) rc = shape_layers(file, n, &shapes, w);
    workload_free(&shapes);
    layers_free(&y.m);
    return rc;
}

/* ---- all of it ------------------------------------------------------------------ */

static int read_timed(const char *file, const yaml_workload *y, const npu *n, double clock_MHz,
                      workload *w) {
    table_units u = y->units;
    char path[RELATIVE];
    int rc;

    relative(file, y->m.table, path);
    if (!u.minibatch) u.minibatch = 1;
    if (!(u.clock_MHz > 0)) u.clock_MHz = 1000;
    rc = y->m.given.count ? take_table(&y->m.given, false, w) : read_table(path, w);
    if (rc != EXIT_OK) return rc;
    scale(w, &u, clock_MHz);
    if (!*y->shapes) return EXIT_OK;
    relative(file, y->shapes, path);
    return read_shapes(path, n, w);
}

static int read_yaml(const char *file, const npu *n, double clock_MHz, workload *w) {
    yaml_workload y;
    make_keys(&y, file, w);
    model *const m = &y.m;
    const table_units *const u = &y.units;
    int rc = yaml_read(file, y.keys) ? EXIT_USAGE : EXIT_OK;

    if (rc == EXIT_OK && m->count &&
        (u->minibatch || u->clock_MHz > 0 || u->element >= 0 || *y.shapes)) {
        yaml_error(file, 1, 1, "reference_minibatch, compute_clock, table_element or shapes",
                   "them beside a layer table only");
        rc = EXIT_USAGE;
    } else if (rc == EXIT_OK) {
        rc = m->count ? layers_build(m, w) : read_timed(file, &y, n, clock_MHz, w);
    }
    if (rc == EXIT_OK) rc = check(file, w, y.parameters);
    if (rc == EXIT_OK) rc = workload_set_loop(w, file, y.loop);
    layers_free(m);
    return rc;
}

int workload_read_given(const char *file, layer_table *t) {
    workload w = { .minibatch = 1, .element = ACE_FP32 };
    yaml_workload y;
    const char *found = NULL;

    *t = (layer_table){ 0 };
    make_keys(&y, file, &w);
    if (yaml_read(file, y.keys)) return EXIT_USAGE;
    if (!y.m.given.count)
        found = y.m.count ? "layers by shape, whose times are those of an NPU"
                          : "the path of a layer table, which is one already";
    else if (w.minibatch != 1 || y.units.minibatch)
        found = "a minibatch, for which a table has no place";
    else if (w.element != ACE_FP32 || y.units.element >= 0)
        found = "an element, for which a table has no place: its bytes are of fp32";
    else if (y.units.clock_MHz > 0 && fabs(y.units.clock_MHz - 1000) > 0)
        found = "a compute_clock that is not that of tables, 1 GHz";
    else if (*y.shapes || y.parameters || y.loop >= 0)
        found = "shapes, parameters or a loop, for which a table has no place";
    if (found) yaml_error(file, 1, 1, found, "layers of kind given alone");
    if (!found) {
        *t = y.m.given;
        y.m.given = (layer_table){ 0 };
    }
    layers_free(&y.m);
    return found ? EXIT_USAGE : EXIT_OK;
}

/* Returns whether the file is YAML, which begins with a key. A layer table begins with a word and a
 * number. */
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

int workload_read(const char *name, const npu *n, double clock_MHz, workload *w) {
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
        rc = read_yaml(file, n, clock_MHz, w);
    } else {
        rc = read_table(file, w);
        if (rc == EXIT_OK)
            scale(w, &(table_units){ .minibatch = 1, .clock_MHz = 1000, .element = -1 }, clock_MHz);
    }
    if (rc != EXIT_OK) workload_free(w);
    return rc;
}
