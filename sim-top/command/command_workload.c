/* SPDX-License-Identifier: Apache-2.0 */
/*
 * command_workload.c -- acesim workload: what an NPU computes for each layer
 *
 * The JSON object is made first; the table and the CSV are read from it.
 */
#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>

#include "cluster_file.h"
#include "command_plan.h"
#include "exit_status.h"
#include "figures.h"
#include "graph_engine.h"
#include "message.h"
#include "names.h"
#include "npu.h"
#include "npu_schedule.h"
#include "operations.h"
#include "option_table.h"
#include "result_print.h"
#include "setup.h"
#include "values.h"
#include "workload.h"
#include "workload_read.h"

/* ---- the object ------------------------------------------------------------------ */

typedef struct sums {
    uint64_t flops, read, written, cycles;
} sums;

static void add_sums(cJSON *to, const sums *s) {
    json_count(to, "flops", s->flops);
    json_count(to, "read_bytes", s->read);
    json_count(to, "written_bytes", s->written);
    json_count(to, "cycles", s->cycles);
}

static void more(sums *s, const operation *o, uint64_t cycles) {
    s->flops += o->flops;
    s->read += o->read_bytes;
    s->written += o->written_bytes;
    s->cycles += cycles;
}

static cJSON *operation_object(const machine *o, const operation *op, sums *of) {
    const sums s = { op->flops, op->read_bytes, op->written_bytes,
                     graph_operation_cycles(o, op, LANE_COMPUTE) };
    cJSON *to = cJSON_CreateObject();

    cJSON_AddStringToObject(to, "operation", op->what);
    add_sums(to, &s);
    cJSON_AddStringToObject(to, "bound", npu_bound(&o->cluster.npu, op));
    more(of, op, s.cycles);
    return to;
}

static cJSON *layer_object(const machine *o, const workload *w, unsigned at, sums total[PASSES]) {
    const layer *const l = &w->layers[at];
    cJSON *to = cJSON_CreateObject(), *passes;
    char text[128];

    cJSON_AddStringToObject(to, "layer", l->name);
    cJSON_AddStringToObject(to, "kind", w->shaped ? layer_kind_names[l->shape.kind] : "given");
    if (w->shaped) shape_print(&l->shape, text, sizeof text);
    cJSON_AddStringToObject(to, "shape", w->shaped ? text : "");
    json_count(to, "parameters", l->parameters);
    json_count(to, "all_reduce_bytes", workload_collective_bytes(w, at, ACE_ALL_REDUCE));
    json_count(to, "all_to_all_bytes", workload_collective_bytes(w, at, ACE_ALL_TO_ALL));
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

static cJSON *make(const machine *o, const workload *w) {
    cJSON *root = cJSON_CreateObject(), *layers;
    uint64_t parameters = 0, reduced = 0, exchanged = 0;
    sums total[PASSES] = { { 0 } };

    for (unsigned i = 0; i < w->count; i++) {
        parameters += w->layers[i].parameters;
        reduced += workload_collective_bytes(w, i, ACE_ALL_REDUCE);
        exchanged += workload_collective_bytes(w, i, ACE_ALL_TO_ALL);
    }
    cJSON_AddStringToObject(root, "workload", w->name);
    json_count(root, "minibatch", w->minibatch);
    cJSON_AddStringToObject(root, "element", type_names[w->element]);
    cJSON_AddNumberToObject(root, "clock_MHz", o->cluster.clock_MHz);
    json_count(root, "parameters", parameters);
    json_count(root, "all_reduce_bytes", reduced);
    json_count(root, "all_to_all_bytes", exchanged);
    layers = cJSON_AddArrayToObject(root, "layers");
    for (unsigned i = 0; i < w->count; i++)
        cJSON_AddItemToArray(layers, layer_object(o, w, i, total));
    layers = cJSON_AddObjectToObject(root, "passes");
    for (pass p = 0; p < PASSES; p++)
        add_sums(cJSON_AddObjectToObject(layers, pass_names[p]), &total[p]);
    return root;
}

/* ---- for people and programs ------------------------------------------------------ */

static uint64_t unsigned_of(const cJSON *o, const char *name) {
    uint64_t v = 0;

    (void)json_unsigned(cJSON_GetObjectItem(o, name), &v);
    return v;
}

static void print_row(const char *layer, const char *kind, const char *pass, const cJSON *s) {
    printf("%-17s %-12s %-17s %11.3f %11.3f %11.3f%14" PRIu64 "\n", layer, kind, pass,
           json_number(s, "flops") / 1e9, json_number(s, "read_bytes") / 1e6,
           json_number(s, "written_bytes") / 1e6, unsigned_of(s, "cycles"));
}

static void print_table(const cJSON *root, const void *self) {
    const cJSON *l, *p, *v;

    (void)self;
    cJSON_ArrayForEach(v, root) {
        char text[REAL_TEXT];
        uint64_t n;

        if (cJSON_IsString(v)) printf("%-18s%s\n", v->string, v->valuestring);
        if (json_unsigned(v, &n))
            printf("%-18s%" PRIu64 "\n", v->string, n);
        else if (cJSON_IsNumber(v))
            printf("%-18s%s\n", v->string, real_text(v->valuedouble, text));
    }
    printf("\n%-17s %-12s %-44s %15s\n", "layer", "kind", "shape", "parameters");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        printf("%-17s %-12s %-44s%16" PRIu64 "\n", json_string(l, "layer"), json_string(l, "kind"),
               json_string(l, "shape"), unsigned_of(l, "parameters"));
    printf("\n%-17s %-12s %-17s %11s %11s %11s %13s\n", "layer", "kind", "pass", "GFLOP", "MB read",
           "MB written", "cycles");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        cJSON_ArrayForEach(p, cJSON_GetObjectItem(l, "passes"))
            print_row(json_string(l, "layer"), json_string(l, "kind"), p->string, p);
    cJSON_ArrayForEach(p, cJSON_GetObjectItem(root, "passes")) print_row("all", "", p->string, p);
}

/* Prints a line for each operation. */
static void print_csv(const cJSON *root) {
    const cJSON *l, *p, *o;

    printf("layer,kind,pass,operation,flops,read_bytes,written_bytes,cycles,bound\n");
    cJSON_ArrayForEach(l, cJSON_GetObjectItem(root, "layers"))
        cJSON_ArrayForEach(p, cJSON_GetObjectItem(l, "passes"))
            cJSON_ArrayForEach(o, cJSON_GetObjectItem(p, "operations"))
                printf("\"%s\",%s,%s,\"%s\",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s\n",
                       json_string(l, "layer"), json_string(l, "kind"), p->string,
                       json_string(o, "operation"), unsigned_of(o, "flops"),
                       unsigned_of(o, "read_bytes"), unsigned_of(o, "written_bytes"),
                       unsigned_of(o, "cycles"), json_string(o, "bound"));
}

static int print(const machine *m, const workload *w, format as, const option_line *line) {
    cJSON *root = make(m, w);

    if (as != FORMAT_CSV)
        return result_print(root, as, &(result_form){ .table = print_table, .line = line });
    print_csv(root);
    cJSON_Delete(root);
    return EXIT_OK;
}

static bool take_cluster(void *fields, unsigned row, const char *value) {
    (void)row;
    return cluster_read(value, fields) == EXIT_OK; /* it prints the message */
}

typedef struct question {
    setup fields;
    const char *accelerator;
} question;

static const option_row rows[] = {
    { "cluster", "FILE", OPTION_OWN, 0,
      .text = "file with the NPU and its clock [80 SMs, 1245 MHz]", .take = take_cluster },
    OPTION_TEXT_ROW(question, accelerator, "accelerator", "FILE",
                    "file that describes the NPU, in place of the cluster's"),
    OPTION_FORMAT(question, fields.output.format),
};
static const option_table options = {
    .command = "plan workload",
    .about =
        "usage: acesim plan workload WORKLOAD [OPTIONS]\n\n"
        "The layers of a workload: shapes, parameters, and what each operation computes, reads\n"
        "and writes in a mini-batch, with its cycles on an NPU that does nothing else.\n\n",
    .tail = "\nexample: acesim plan workload workloads/models/dlrm.yaml\n",
    .least = 1,
    .most = 1,
    .expected = "one WORKLOAD",
    .group = { OPTION_GROUP(rows) },
};

int command_workload(int argc, char **argv) {
    question q = { 0 };
    machine *const on = &q.fields.machine;
    workload w;
    int rc;
    char **file;

    setup_initial(&q.fields);
    file = option_table_read(&options, argc, argv, &q, &rc);
    if (!file) return rc;
    if (q.accelerator) rc = accelerator_take(q.accelerator, &q.fields);
    if (rc == EXIT_OK) rc = workload_read(*file, &on->cluster.npu, on->cluster.clock_MHz, &w);
    if (rc != EXIT_OK) return rc;
    rc = print(on, &w, q.fields.output.format, &(option_line){ &options, argc, argv });
    workload_free(&w);
    return rc;
}
