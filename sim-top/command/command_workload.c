/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_workload.c -- acesim workload: what an NPU computes for each layer
 *
 * The JSON object is made first; the table and the CSV are read from it.
 */
#include <cjson/cJSON.h>
#include <getopt.h>
#include <string.h>

#include "command.h"
#include "exit_status.h"
#include "graph_engine.h"
#include "message.h"
#include "names.h"
#include "npu.h"
#include "npu_schedule.h"
#include "operations.h"
#include "values.h"
#include "workload.h"
#include "workload_read.h"

static void help(void) {
    printf("usage: acesim workload WORKLOAD [OPTIONS]\n\n"
           "The layers of a workload: shapes, parameters, and what each operation computes, reads\n"
           "and writes in a mini-batch, with its cycles on an NPU that does nothing else.\n\n"
           "  --cluster FILE              of the NPU and its clock [80 SMs, 1245 MHz]\n"
           "  --format NAME               table, json or csv\n"
           "  --help                      this text\n"
           "\nexample: acesim workload workloads/models/dlrm.yaml\n");
}

static void number(cJSON *to, const char *name, uint64_t v) {
    cJSON_AddNumberToObject(to, name, (double)v);
}

/* ---- the object ------------------------------------------------------------------ */

typedef struct sums {
    uint64_t flops, read, written, cycles;
} sums;

static void add_sums(cJSON *to, const sums *s) {
    number(to, "flops", s->flops);
    number(to, "read_bytes", s->read);
    number(to, "written_bytes", s->written);
    number(to, "cycles", s->cycles);
}

static void more(sums *s, const operation *o, uint64_t cycles) {
    s->flops += o->flops;
    s->read += o->read_bytes;
    s->written += o->written_bytes;
    s->cycles += cycles;
}

static cJSON *operation_object(const run_fields *o, const operation *op, sums *of) {
    const sums s = { op->flops, op->read_bytes, op->written_bytes,
                     graph_operation_cycles(o, op, LANE_COMPUTE) };
    cJSON *to = cJSON_CreateObject();

    cJSON_AddStringToObject(to, "operation", op->what);
    add_sums(to, &s);
    cJSON_AddStringToObject(to, "bound", npu_bound(&o->cluster.npu, op));
    more(of, op, s.cycles);
    return to;
}

static cJSON *layer_object(const run_fields *o, const workload *w, const layer *l,
                           sums total[PASSES]) {
    cJSON *to = cJSON_CreateObject(), *passes;
    char text[128];

    cJSON_AddStringToObject(to, "layer", l->name);
    cJSON_AddStringToObject(to, "kind", w->shaped ? layer_kind_names[l->shape.kind] : "given");
    if (w->shaped) shape_print(&l->shape, text, sizeof text);
    cJSON_AddStringToObject(to, "shape", w->shaped ? text : "");
    number(to, "parameters", l->parameters);
    number(to, "all_reduce_bytes", l->bytes);
    number(to, "all_to_all_bytes", l->exchanged);
    passes = cJSON_AddObjectToObject(to, "passes");
    for (pass p = 0; p < PASSES; p++) {
        cJSON *one, *list;
        sums s = { 0 };

        if (!l->pass[p].count) continue;
        one = cJSON_AddObjectToObject(passes, pass_names[p]);
        list = cJSON_CreateArray();
        for (unsigned i = 0; i < l->pass[p].count; i++)
            cJSON_AddItemToArray(list,
                                 operation_object(o, &w->operations[l->pass[p].first + i], &s));
        add_sums(one, &s);
        cJSON_AddItemToObject(one, "operations", list);
        total[p].flops += s.flops;
        total[p].read += s.read;
        total[p].written += s.written;
        total[p].cycles += s.cycles;
    }
    return to;
}

static cJSON *make(const run_fields *o, const workload *w) {
    cJSON *root = cJSON_CreateObject(), *layers;
    uint64_t parameters = 0, reduced = 0, exchanged = 0;
    sums total[PASSES] = { { 0 } };

    for (unsigned i = 0; i < w->count; i++) {
        parameters += w->layers[i].parameters;
        reduced += w->layers[i].bytes;
        exchanged += w->layers[i].exchanged;
    }
    cJSON_AddStringToObject(root, "workload", w->name);
    number(root, "minibatch", w->minibatch);
    cJSON_AddStringToObject(root, "element", type_names[w->element]);
    cJSON_AddNumberToObject(root, "clock_MHz", o->cluster.clock_MHz);
    number(root, "parameters", parameters);
    number(root, "all_reduce_bytes", reduced);
    number(root, "all_to_all_bytes", exchanged);
    layers = cJSON_AddArrayToObject(root, "layers");
    for (unsigned i = 0; i < w->count; i++)
        cJSON_AddItemToArray(layers, layer_object(o, w, &w->layers[i], total));
    layers = cJSON_AddObjectToObject(root, "passes");
    for (pass p = 0; p < PASSES; p++)
        add_sums(cJSON_AddObjectToObject(layers, pass_names[p]), &total[p]);
    return root;
}

/* ---- for people and programs ------------------------------------------------------ */

static double get(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuedouble;
}
static const char *word(const cJSON *o, const char *name) {
    return cJSON_GetObjectItem(o, name)->valuestring;
}

static void print_row(const char *layer, const char *kind, const char *pass, const cJSON *s) {
    printf("%-18s%-13s%-17s%12.3f%12.3f%12.3f%14.0f\n", layer, kind, pass, get(s, "flops") / 1e9,
           get(s, "read_bytes") / 1e6, get(s, "written_bytes") / 1e6, get(s, "cycles"));
}

static void print_table(const cJSON *root) {
    const cJSON *l, *p, *v;

    cJSON_ArrayForEach(v, root) {
        if (cJSON_IsString(v)) printf("%-18s%s\n", v->string, v->valuestring);
        if (cJSON_IsNumber(v)) printf("%-18s%.17g\n", v->string, v->valuedouble);
    }
    printf("\n%-18s%-13s%-44s%16s\n", "layer", "kind", "shape", "parameters");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        printf("%-18s%-13s%-44s%16.0f\n", word(l, "layer"), word(l, "kind"), word(l, "shape"),
               get(l, "parameters"));
    printf("\n%-18s%-13s%-17s%12s%12s%12s%14s\n", "layer", "kind", "pass", "GFLOP", "MB read",
           "MB written", "cycles");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        cJSON_ArrayForEach(p, cJSON_GetObjectItem(l, "passes"))
            print_row(word(l, "layer"), word(l, "kind"), p->string, p);
    cJSON_ArrayForEach(p, cJSON_GetObjectItem(root, "passes")) print_row("all", "", p->string, p);
}

/* A line an operation. */
static void print_csv(const cJSON *root) {
    const cJSON *l, *p, *o;

    printf("layer,kind,pass,operation,flops,read_bytes,written_bytes,cycles,bound\n");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        cJSON_ArrayForEach(p, cJSON_GetObjectItem(l, "passes"))
            cJSON_ArrayForEach(o, cJSON_GetObjectItem(p, "operations"))
                printf("\"%s\",%s,%s,\"%s\",%.0f,%.0f,%.0f,%.0f,%s\n", word(l, "layer"),
                       word(l, "kind"), p->string, word(o, "operation"), get(o, "flops"),
                       get(o, "read_bytes"), get(o, "written_bytes"), get(o, "cycles"),
                       word(o, "bound"));
}

static int print(const run_fields *o, const workload *w) {
    cJSON *root = make(o, w);
    char *json = utf8_text(cJSON_Print(root));

    if (o->format == FORMAT_JSON)
        printf("%s\n", json ? json : "");
    else if (o->format == FORMAT_CSV)
        print_csv(root);
    else
        print_table(root);
    cJSON_free(json);
    cJSON_Delete(root);
    return json ? EXIT_OK : EXIT_CHECK;
}

int command_workload(int argc, char **argv) {
    static const struct option longs[] = { { "cluster", required_argument, NULL, 'c' },
                                           { "format", required_argument, NULL, 'f' },
                                           { "help", no_argument, NULL, 'h' },
                                           { 0 } };
    run_fields o;
    workload w;
    int c, v, rc;

    setup_initial(&o);
    optind = 1;
    while ((c = message_getopt(argc, argv, longs)) != -1) {
        switch (c) {
        case 'h': help(); return EXIT_OK;
        case 'c':
            if (cluster_read(optarg, &o) != EXIT_OK) return EXIT_USAGE;
            break;
        case 'f':
            if (parse_name(optarg, format_names, &v)) {
                o.format = (format)v;
                break;
            }
            fprintf(stderr, "acesim: --format: found '%s', expected table, json or csv\n", optarg);
            return EXIT_USAGE;
        default: return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc) {
        fprintf(stderr, "acesim workload: found %d arguments, expected one WORKLOAD\n",
                argc - optind);
        return EXIT_USAGE;
    }
    rc = workload_read(argv[optind], &o.cluster.npu, o.cluster.clock_MHz, &w);
    if (rc != EXIT_OK) return rc;
    rc = print(&o, &w);
    workload_free(&w);
    return rc;
}
