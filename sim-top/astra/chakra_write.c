/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_write.c -- a layer table becomes the same trace for every NPU
 *
 * A walk over the table calls one function for each step: compute, begin a collective, await a
 * collective. Awaited collectives are collected and become the parents of the next compute node.
 * The trace is made once in memory and then written for each NPU.
 */
#include "chakra_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "chakra_file.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

/* A layer waits for at most four nodes: the last compute, the previous layer's collective, the sum
 * of its weights, and in HYBRID_DLRM the first layer's all-to-all. */
enum { PARENTS = 4, RUNS = 2 };
#define NOBODY     UINT64_MAX
#define OPS_PER_NS 1000 /* at 1 TFLOPS */

typedef struct writer {
    const layer_table *t;
    const astra_network *n;
    table_network on;
    FILE *to;
    uint64_t id; /* id of the next node */
    /* id of each layer's latest collective in each pass; [1]: of the repeated pass */
    uint64_t (*collective)[PASSES][RUNS];
    uint64_t compute;                     /* the last compute node */
    uint64_t awaited[PARENTS - 1], waits; /* parents of the next compute node */
} writer;

/* ---- nodes -------------------------------------------------------------------------------- */

/* Current readers take any integer type. The previous feeder took only one type for each attribute
 * and read others as 0: int64 for num_ops, comm_type and comm_size, uint64 for tensor_size. */
static Chakra__Attribute integer(char *name, uint64_t v) {
    Chakra__Attribute a = CHAKRA__ATTRIBUTE__INIT;

    a.name = name;
    a.value_case = CHAKRA__ATTRIBUTE__VALUE_INT64_VAL;
    a.int64_val = (int64_t)v;
    return a;
}

static Chakra__Attribute size_of_tensor(char *name, uint64_t v) {
    Chakra__Attribute a = CHAKRA__ATTRIBUTE__INIT;

    a.name = name;
    a.value_case = CHAKRA__ATTRIBUTE__VALUE_UINT64_VAL;
    a.uint64_val = v;
    return a;
}

/* Writes a node with those parents that exist. Returns its id. */
static uint64_t put_node(writer *w, Chakra__NodeType type, const char *name,
                         const uint64_t parent[PARENTS], uint64_t micros,
                         Chakra__Attribute *attribute, unsigned attributes) {
    char on_cpu[] = "is_cpu_op", copy[128];
    Chakra__Attribute cpu = CHAKRA__ATTRIBUTE__INIT, *list[8];
    Chakra__Node n = CHAKRA__NODE__INIT;
    uint64_t deps[PARENTS];

    snprintf(copy, sizeof copy, "%s", name);
    cpu.name = on_cpu;
    cpu.value_case = CHAKRA__ATTRIBUTE__VALUE_BOOL_VAL;
    list[0] = &cpu;
    for (unsigned i = 0; i < attributes; i++) list[i + 1] = &attribute[i];
    n.id = w->id++;
    n.name = copy;
    n.type = type;
    n.duration_micros = micros;
    n.attr = list;
    n.n_attr = attributes + 1;
    n.data_deps = deps;
    for (unsigned i = 0; i < PARENTS; i++)
        if (parent[i] != NOBODY) deps[n.n_data_deps++] = parent[i];
    chakra_file_put(w->to, &n.base);
    return n.id;
}

/* ---- a pass ------------------------------------------------------------------------------- */

static const char *const pass_names[PASSES] = {
    [PASS_FORWARD] = "forward", [PASS_INPUT] = "input gradient", [PASS_WEIGHT] = "weight gradient"
};

static void compute(void *self, unsigned layer, pass p) {
    writer *w = self;
    const table_layer *l = &w->t->layer[layer];
    const uint64_t ns = l->cycles[p];
    uint64_t parents[PARENTS] = { w->compute, NOBODY, NOBODY, NOBODY };
    char ops[] = "num_ops", size[] = "tensor_size", name[128];
    Chakra__Attribute a[] = { integer(ops, ns * OPS_PER_NS), size_of_tensor(size, 1) };

    memcpy(&parents[1], w->awaited, w->waits * sizeof *parents);
    w->waits = 0;
    snprintf(name, sizeof name, "%s, %s", l->name, pass_names[p]);
    w->compute =
        ns ? put_node(w, CHAKRA__NODE_TYPE__COMP_NODE, name, parents, (ns + 500) / 1000, a, 2)
           : put_node(w, CHAKRA__NODE_TYPE__METADATA_NODE, name, parents, 0, NULL, 0);
}

static void begin(void *self, unsigned layer, pass p, bool again) {
    static const uint64_t types[] = {
        [ACE_ALL_REDUCE] = 0, [ACE_REDUCE_SCATTER] = 7, [ACE_ALL_GATHER] = 2, [ACE_ALL_TO_ALL] = 6
    };
    writer *w = self;
    const table_layer *l = &w->t->layer[layer];
    const table_collective *c = &l->collective[p];
    const uint64_t parents[PARENTS] = { w->compute, NOBODY, NOBODY, NOBODY };
    char type[] = "comm_type", size[] = "comm_size", involved[] = "involved_dim", name[128];
    protobuf_c_boolean value[ASTRA_DIMENSIONS];
    Chakra__Bools bools = CHAKRA__BOOLS__INIT;
    const unsigned dims = layer_table_dims(w->t, &w->on, layer, p);
    const uint64_t bytes = layer_table_bytes(w->t, c, layer_table_members(&w->on, dims));
    Chakra__Attribute a[] = { integer(type, types[c->kind]), integer(size, bytes),
                              CHAKRA__ATTRIBUTE__INIT };

    if (!dims) return;
    for (unsigned d = 0; d < w->n->dims; d++) value[d] = dims >> d & 1;
    bools.values = value;
    bools.n_values = w->n->dims;
    a[2].name = involved;
    a[2].value_case = CHAKRA__ATTRIBUTE__VALUE_BOOL_LIST;
    a[2].bool_list = &bools;
    snprintf(name, sizeof name, "%s, %s, collective", l->name, pass_names[p]);
    w->collective[layer][p][again] =
        put_node(w, CHAKRA__NODE_TYPE__COMM_COLL_NODE, name, parents, 0, a, 3);
}

static void await(void *self, unsigned layer, pass p, bool again) {
    writer *w = self;
    const uint64_t id = w->collective[layer][p][again];

    if (id != NOBODY) w->awaited[w->waits++] = id;
}

/* ---- files -------------------------------------------------------------------------------- */

static void put_trace(writer *w, unsigned passes) {
    char version[] = "0.0.4";
    Chakra__GlobalMetadata m = CHAKRA__GLOBAL_METADATA__INIT;
    const table_visitor steps = { .self = w, .compute = compute, .begin = begin, .await = await };

    m.version = version;
    chakra_file_put(w->to, &m.base);
    memset(w->collective, 0xff, w->t->count * sizeof *w->collective);
    for (unsigned i = 0; i < passes; i++) layer_table_walk(w->t, &steps);
}

/* Writes the same bytes for each NPU. */
static int write_files(const char *prefix, unsigned npus, const char *at, size_t bytes) {
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < npus; i++) {
        char name[1024];
        atomic_file f;

        snprintf(name, sizeof name, "%s.%u.et", prefix, i);
        rc = atomic_file_open(&f, name);
        if (rc != EXIT_OK) return rc;
        (void)fwrite(at, 1, bytes, f.to);
        rc = atomic_file_close(&f);
    }
    return rc;
}

int chakra_write(const char *prefix, const char *file, const layer_table *t, const astra_network *n,
                 unsigned passes) {
    char *at = NULL;
    size_t bytes = 0;
    writer w = { .t = t,
                 .n = n,
                 .on = { .dims = n->dims, .members = n->members },
                 .to = open_memstream(&at, &bytes),
                 .collective = malloc(t->count * sizeof *w.collective),
                 .compute = NOBODY };
    int rc = w.to && w.collective ? layer_table_settle(file, t, &w.on) : message_no_memory();

    if (rc == EXIT_OK) layer_table_report(file, t, &w.on);
    if (rc == EXIT_OK) put_trace(&w, passes);
    if (w.to && fclose(w.to) && rc == EXIT_OK) rc = message_no_memory();
    if (rc == EXIT_OK) rc = write_files(prefix, n->npus, at, bytes);
    free(w.collective);
    free(at);
    return rc;
}
