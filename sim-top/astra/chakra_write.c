/* SPDX-License-Identifier: Apache-2.0 */
#include "chakra_write.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_file.h"
#include "chakra_file.h"
#include "exit_status.h"
#include "message.h"
#include "yaml_file.h"

enum { PARENTS = 3 };
#define NOBODY      UINT64_MAX
#define OPS_PER_NS  1000 /* at 1 TFLOPS */
#define ALL_OF(net) ((1U << (net)->dims) - 1)

typedef struct writer {
    const char *file;
    const layer_table *t;
    const astra_network *n;
    FILE *to;
    uint64_t id;            /* of the next node */
    uint64_t *weight;       /* the last pass's collective of each layer's weights */
    uint64_t compute;       /* the last that computed */
    uint64_t awaited;       /* the collective that the next layer waits for */
    uint64_t exchanged;     /* HYBRID_DLRM: the first layer's, back */
    unsigned model, expert; /* dimensions of a transformer's groups */
} writer;

/* ---- nodes -------------------------------------------------------------------------------- */

static Chakra__Attribute whole(char *name, uint64_t v) {
    Chakra__Attribute a = CHAKRA__ATTRIBUTE__INIT;

    a.name = name;
    a.value_case = CHAKRA__ATTRIBUTE__VALUE_INT64_VAL;
    a.int64_val = (int64_t)v;
    return a;
}

/* A node behind those parents that there are; its id. */
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

/* ---- which NPUs --------------------------------------------------------------------------- */

/* The dimensions behind those that are `used` whose product is so many NPUs; of no such, more than there are. */
static unsigned next_dims(const astra_network *n, unsigned used, unsigned npus) {
    unsigned product = 1, dims = 0;

    for (unsigned d = 0; d < n->dims && product < npus; d++) {
        if (used >> d & 1) continue;
        product *= n->members[d];
        dims |= 1U << d;
    }
    return product == npus ? dims : ALL_OF(n) + 1;
}

/* Those of a pass's collective of a layer, a bit each; 0: it has none.  *none: the word has none for it on any
 * network. */
static unsigned dims_of(const writer *w, unsigned layer, pass p, bool *none) {
    const table_word word = w->t->layer[layer].word;
    const table_share share = w->t->layer[layer].collective[p].share;
    const bool weights = p == PASS_WEIGHT;
    unsigned model = 1;

    *none = false;
    switch (word) {
    case TABLE_MODEL: *none = weights; return weights ? 0 : ALL_OF(w->n);
    case TABLE_MODEL_DATA: return weights ? 1 : ALL_OF(w->n) & ~1U;
    case TABLE_DATA_MODEL: break;
    case TABLE_TRANSFORMER:
    case TABLE_TRANSFORMER_AGAIN:
        if (share == SHARE_EXPERT) return w->expert;
        if (share == SHARE_EXPERT_DATA) return ALL_OF(w->n) & ~(w->model | w->expert);
        model = w->model;
        break;
    default: *none = !weights && !(word == TABLE_DLRM && !layer); return *none ? 0 : ALL_OF(w->n);
    }
    return weights ? ALL_OF(w->n) & ~model : model;
}

static int check_layer(const writer *w, unsigned layer) {
    static const char *const names[PASSES] = { [PASS_FORWARD] = "forward pass",
                                               [PASS_INPUT] = "input gradient",
                                               [PASS_WEIGHT] = "weight gradient" };
    const table_layer *l = &w->t->layer[layer];

    for (pass p = 0; p < PASSES; p++) {
        char found[160];
        bool none;

        (void)dims_of(w, layer, p, &none);
        if (!none || !l->collective[p].bytes) continue;
        snprintf(found, sizeof found, "a collective of the %s, which %s has for no NPUs", names[p],
                 table_words[l->word]);
        yaml_error(w->file, l->line, l->collective[p].column, found, "NONE");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* A transformer's groups as dimensions of the network. */
static int find_groups(writer *w) {
    const layer_table *t = w->t;
    bool model;
    char found[120];

    w->model = next_dims(w->n, 0, t->model_npus);
    model = w->model <= ALL_OF(w->n);
    w->expert = model ? next_dims(w->n, w->model, t->expert_npus) : 0;
    if (w->expert <= ALL_OF(w->n) && model) return EXIT_OK;
    snprintf(found, sizeof found, model ? "ep: %u" : "model_parallel_NPU_group: %u",
             model ? t->expert_npus : t->model_npus);
    yaml_error(w->file, 1, 1, found,
               model ? "the product of the dimensions of the network behind the model's"
                     : "the product of the first dimensions of the network");
    return EXIT_USAGE;
}

/* What a table says that its traces have not. */
static void tell(const writer *w) {
    const layer_table *t = w->t;
    const unsigned of_stage = t->all_npus / t->stages;

    if (t->broadcasts)
        fprintf(stderr, "acesim: %s: %u times BROADCAST, read as NONE\n", w->file, t->broadcasts);
    if (t->stages > 1 || t->stage_bytes > 0)
        fprintf(
            stderr,
            "acesim: %s: pp: %u vpp: %u ga: %u pp_comm %.0f make no cycle: rows are the work of one "
            "stage; acesim train --strategy has pipelines\n",
            w->file, t->stages, t->virtual_stages, t->micro_batches, t->stage_bytes);
    if (t->all_npus && of_stage != w->n->npus)
        fprintf(
            stderr,
            "acesim: %s: all_gpus: %u, %u of a stage, and the network has %u NPUs: groups of data "
            "parallelism have %u members in place of %u\n",
            w->file, t->all_npus, of_stage, w->n->npus, w->n->npus / t->model_npus,
            of_stage / t->model_npus);
}

static int check(writer *w) {
    int rc = w->t->model_npus ? find_groups(w) : EXIT_OK;

    if (rc != EXIT_OK) return rc;
    if (w->t->word == TABLE_DLRM && w->t->last_bottom + 1 >= w->t->count) {
        yaml_error(w->file, 1, 1, "a last layer of the bottom with none behind it",
                   "one before the last layer of the table");
        return EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < w->t->count; i++) rc = check_layer(w, i);
    if (rc == EXIT_OK) tell(w);
    return rc;
}

/* ---- a pass ------------------------------------------------------------------------------- */

static const char *const pass_words[PASSES] = {
    [PASS_FORWARD] = "forward", [PASS_INPUT] = "input gradient", [PASS_WEIGHT] = "weight gradient"
};

/* A layer computes, behind what it waits for. */
static void put_compute(writer *w, unsigned layer, pass p, uint64_t also) {
    const table_layer *l = &w->t->layer[layer];
    const uint64_t parents[PARENTS] = { w->compute, w->awaited, also }, ns = l->cycles[p];
    char ops[] = "num_ops", size[] = "tensor_size", name[128];
    Chakra__Attribute a[] = { whole(ops, ns * OPS_PER_NS), whole(size, 1) };

    snprintf(name, sizeof name, "%s, %s", l->name, pass_words[p]);
    w->compute =
        ns ? put_node(w, CHAKRA__NODE_TYPE__COMP_NODE, name, parents, (ns + 500) / 1000, a, 2)
           : put_node(w, CHAKRA__NODE_TYPE__METADATA_NODE, name, parents, 0, NULL, 0);
}

/* comm_size, which is of an all-gather what each member brings. */
static uint64_t comm_size(const writer *w, const table_collective *c, unsigned dims) {
    unsigned members = 1;

    if (c->kind != ACE_ALL_GATHER || !w->t->total) return c->bytes;
    for (unsigned d = 0; d < w->n->dims; d++)
        if (dims >> d & 1) members *= w->n->members[d];
    return (c->bytes + members - 1) / members;
}

/* Its collective behind that; NOBODY: it has none. */
static uint64_t put_collective(writer *w, unsigned layer, pass p) {
    static const uint64_t types[] = {
        [ACE_ALL_REDUCE] = 0, [ACE_REDUCE_SCATTER] = 7, [ACE_ALL_GATHER] = 2, [ACE_ALL_TO_ALL] = 6
    };
    const table_layer *l = &w->t->layer[layer];
    const table_collective *c = &l->collective[p];
    const uint64_t parents[PARENTS] = { w->compute, NOBODY, NOBODY };
    char type[] = "comm_type", size[] = "comm_size", involved[] = "involved_dim", name[128];
    protobuf_c_boolean value[ASTRA_DIMENSIONS];
    Chakra__Bools bools = CHAKRA__BOOLS__INIT;
    bool none;
    const unsigned dims = dims_of(w, layer, p, &none);
    Chakra__Attribute a[] = { whole(type, types[c->kind]), whole(size, comm_size(w, c, dims)),
                              CHAKRA__ATTRIBUTE__INIT };

    if (!c->bytes || !dims) return NOBODY;
    for (unsigned d = 0; d < w->n->dims; d++) value[d] = dims >> d & 1;
    bools.values = value;
    bools.n_values = w->n->dims;
    a[2].name = involved;
    a[2].value_case = CHAKRA__ATTRIBUTE__VALUE_BOOL_LIST;
    a[2].bool_list = &bools;
    snprintf(name, sizeof name, "%s, %s, collective", l->name, pass_words[p]);
    return put_node(w, CHAKRA__NODE_TYPE__COMM_COLL_NODE, name, parents, 0, a, 3);
}

static void forward(writer *w, unsigned from, unsigned to, bool again) {
    uint64_t exchanged = NOBODY;

    for (unsigned i = from; i <= to; i++) {
        const bool bottom_over = w->t->word == TABLE_DLRM && i == w->t->last_bottom + 1;
        uint64_t also = again ? NOBODY : w->weight[i];

        if (bottom_over &&
            also != NOBODY) { /* a node has three parents: the exchange is one more */
            const uint64_t parents[PARENTS] = { w->compute, also, NOBODY };

            w->compute = put_node(w, CHAKRA__NODE_TYPE__METADATA_NODE, "weights are reduced",
                                  parents, 0, NULL, 0);
        }
        if (bottom_over) also = exchanged;
        put_compute(w, i, PASS_FORWARD, also);
        w->awaited = put_collective(w, i, PASS_FORWARD);
        if (w->t->word != TABLE_DLRM || i) continue;
        exchanged = w->awaited;
        w->awaited = NOBODY;
    }
}

/* The input gradient of a layer, and what the one before it waits for. */
static void input_gradient(writer *w, unsigned i, uint64_t also) {
    const bool dlrm = w->t->word == TABLE_DLRM;

    put_compute(w, i, PASS_INPUT, also);
    w->awaited = dlrm && !i ? NOBODY : put_collective(w, i, PASS_INPUT);
    if (dlrm && i == w->t->last_bottom + 1) w->exchanged = put_collective(w, 0, PASS_INPUT);
}

static void backward(writer *w) {
    for (unsigned i = w->t->count; i-- > 0;) {
        const table_layer *l = &w->t->layer[i];
        const bool gathers = l->collective[PASS_INPUT].bytes != 0;
        const uint64_t also = !i ? w->exchanged : NOBODY;
        uint64_t awaited;
        unsigned from = i;

        if (l->again) {
            while (from && !w->t->layer[from].checkpoint) from--;
            forward(w, from, i, true);
        }
        awaited = w->awaited;
        if (gathers) input_gradient(w, i, also);
        if (gathers) { /* its collective goes on beside the weight gradient */
            const uint64_t next = w->awaited;

            w->awaited = awaited;
            put_compute(w, i, PASS_WEIGHT, also);
            w->weight[i] = put_collective(w, i, PASS_WEIGHT);
            w->awaited = next;
            continue;
        }
        put_compute(w, i, PASS_WEIGHT, also);
        w->weight[i] = put_collective(w, i, PASS_WEIGHT);
        if (i) input_gradient(w, i, also);
    }
}

/* ---- files -------------------------------------------------------------------------------- */

static void put_trace(writer *w, unsigned passes) {
    char version[] = "0.0.4";
    Chakra__GlobalMetadata m = CHAKRA__GLOBAL_METADATA__INIT;

    m.version = version;
    chakra_file_put(w->to, &m.base);
    for (unsigned i = 0; i < w->t->count; i++) w->weight[i] = NOBODY;
    for (unsigned i = 0; i < passes; i++) {
        forward(w, 0, w->t->count - 1, false);
        backward(w);
        w->awaited = NOBODY;
        w->exchanged = NOBODY;
    }
}

/* The same bytes for each NPU. */
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
    writer w = { .file = file,
                 .t = t,
                 .n = n,
                 .to = open_memstream(&at, &bytes),
                 .weight = malloc(t->count * sizeof *w.weight),
                 .compute = NOBODY,
                 .awaited = NOBODY,
                 .exchanged = NOBODY };
    int rc = w.to && w.weight ? check(&w) : message_no_memory();

    if (rc == EXIT_OK) put_trace(&w, passes);
    if (w.to && fclose(w.to) && rc == EXIT_OK) rc = message_no_memory();
    if (rc == EXIT_OK) rc = write_files(prefix, n->npus, at, bytes);
    free(w.weight);
    free(at);
    return rc;
}
