/* SPDX-License-Identifier: Apache-2.0 */
/*
 * layer_table_passes.c -- applies a layer table to a network, see layer_table.h
 *
 * A word determines the dimensions of a collective, and the walk determines the waits. Traces
 * (chakra_write.c) and training iterations (npu_schedule.c) use both, so a table is the same work
 * in both.
 */
#include <stdio.h>

#include "exit_status.h"
#include "layer_table.h"
#include "yaml_file.h"

const char *const table_names[TABLE_WORDS + 1] = { "DATA",
                                                   "MICRO",
                                                   "MODEL",
                                                   "HYBRID_DATA_MODEL",
                                                   "HYBRID_MODEL_DATA",
                                                   "HYBRID_TRANSFORMER",
                                                   "HYBRID_TRANSFORMER_FWD_IN_BCKWD",
                                                   "HYBRID_DLRM",
                                                   "HYBRID_CUSTOMIZED",
                                                   NULL };

#define ALL_OF(n) ((1U << (n)->dims) - 1)

/* ---- which NPUs --------------------------------------------------------------------------- */

unsigned layer_table_members(const table_network *n, unsigned dims) {
    unsigned members = 1;

    for (unsigned d = 0; d < n->dims; d++)
        if (dims >> d & 1) members *= n->members[d];
    return members;
}

/* Returns the dimensions that follow the `used` ones and have exactly this many NPUs. If there are
 * none, returns more dimensions than exist. */
static unsigned next_dims(const table_network *n, unsigned used, unsigned npus) {
    unsigned product = 1, dims = 0;

    for (unsigned d = 0; d < n->dims && product < npus; d++) {
        if (used >> d & 1) continue;
        product *= n->members[d];
        dims |= 1U << d;
    }
    return product == npus ? dims : ALL_OF(n) + 1;
}

/* Returns whether the word has a collective for that pass, on any network. */
static bool has_collective(const layer_table *t, unsigned layer, pass p) {
    switch (t->layer[layer].word) {
    case TABLE_MODEL: return p != PASS_WEIGHT;
    case TABLE_MODEL_DATA:
    case TABLE_DATA_MODEL:
    case TABLE_TRANSFORMER:
    case TABLE_TRANSFORMER_AGAIN: return true;
    case TABLE_DLRM: return p == PASS_WEIGHT || !layer;
    default: return p == PASS_WEIGHT;
    }
}

static unsigned word_dims(const layer_table *t, const table_network *n, unsigned layer, pass p) {
    const table_word word = t->layer[layer].word;
    const table_share share = t->layer[layer].collective[p].share;
    const bool weights = p == PASS_WEIGHT;
    unsigned model = 1;

    switch (word) {
    case TABLE_MODEL_DATA: return weights ? 1 : ALL_OF(n) & ~1U;
    case TABLE_DATA_MODEL: break;
    case TABLE_TRANSFORMER:
    case TABLE_TRANSFORMER_AGAIN:
        if (share == SHARE_EXPERT) return n->expert;
        if (share == SHARE_EXPERT_DATA) return ALL_OF(n) & ~(n->model | n->expert);
        model = n->model;
        break;
    default: return ALL_OF(n);
    }
    return weights ? ALL_OF(n) & ~model : model;
}

unsigned layer_table_dims(const layer_table *t, const table_network *n, unsigned layer, pass p) {
    return t->layer[layer].collective[p].bytes && has_collective(t, layer, p)
               ? word_dims(t, n, layer, p)
               : 0;
}

uint64_t layer_table_bytes(const layer_table *t, const table_collective *c, unsigned members) {
    if (c->kind != ACE_ALL_GATHER || !t->total) return c->bytes;
    return (c->bytes + members - 1) / members;
}

bool layer_table_is_parallel(const layer_table *t) {
    for (unsigned i = 0; i < t->count; i++)
        for (pass p = 0; p < PASSES; p++) {
            const table_collective *c = &t->layer[i].collective[p];

            if (c->bytes && (p != PASS_WEIGHT || c->kind != ACE_ALL_REDUCE)) return true;
        }
    return t->word != TABLE_DATA && t->word != TABLE_MICRO;
}

/* ---- checks ------------------------------------------------------------------------------- */

static int check_layer(const char *file, const layer_table *t, unsigned layer) {
    static const char *const names[PASSES] = { [PASS_FORWARD] = "forward pass",
                                               [PASS_INPUT] = "input gradient",
                                               [PASS_WEIGHT] = "weight gradient" };
    const table_layer *l = &t->layer[layer];

    for (pass p = 0; p < PASSES; p++) {
        char found[160];

        if (has_collective(t, layer, p) || !l->collective[p].bytes) continue;
        snprintf(found, sizeof found, "a collective of the %s, which %s has for no NPUs", names[p],
                 table_names[l->word]);
        yaml_error(file, l->line, l->collective[p].column, found, "NONE");
        return EXIT_USAGE;
    }
    return EXIT_OK;
}

/* Finds a transformer's groups as dimensions of the network. */
static int find_groups(const char *file, const layer_table *t, table_network *n) {
    bool model;
    char found[120];

    n->model = next_dims(n, 0, t->model_npus);
    model = n->model <= ALL_OF(n);
    n->expert = model ? next_dims(n, n->model, t->expert_npus) : 0;
    if (n->expert <= ALL_OF(n) && model) return EXIT_OK;
    snprintf(found, sizeof found, model ? "ep: %u" : "model_parallel_NPU_group: %u",
             model ? t->expert_npus : t->model_npus);
    yaml_error(file, 1, 1, found,
               model ? "the product of the dimensions of the network behind the model's"
                     : "the product of the first dimensions of the network");
    return EXIT_USAGE;
}

int layer_table_settle(const char *file, const layer_table *t, table_network *n) {
    return t->model_npus ? find_groups(file, t, n) : EXIT_OK;
}

int layer_table_check(const char *file, const layer_table *t) {
    int rc = EXIT_OK;

    if (t->word == TABLE_DLRM && t->last_bottom + 1 >= t->count) {
        yaml_error(file, 1, 1, "a last layer of the bottom with none behind it",
                   "one before the last layer of the table");
        return EXIT_USAGE;
    }
    for (unsigned i = 0; rc == EXIT_OK && i < t->count; i++) rc = check_layer(file, t, i);
    return rc;
}

void layer_table_report(const char *file, const layer_table *t, const table_network *n) {
    const unsigned npus = layer_table_members(n, ALL_OF(n));
    const unsigned of_stage = t->all_npus / t->stages;

    if (t->broadcasts)
        fprintf(stderr, "acesim: %s: %u times BROADCAST, read as NONE\n", file, t->broadcasts);
    if (t->stages > 1 || t->stage_bytes > 0)
        fprintf(stderr,
                "acesim: %s: pp: %u vpp: %u ga: %u pp_comm %.0f make no cycle: rows are the work "
                "of one "
                "stage; acesim train --strategy has pipelines\n",
                file, t->stages, t->virtual_stages, t->micro_batches, t->stage_bytes);
    if (t->all_npus && of_stage != npus)
        fprintf(
            stderr,
            "acesim: %s: all_gpus: %u, %u of a stage, and the network has %u NPUs: groups of data "
            "parallelism have %u members in place of %u\n",
            file, t->all_npus, of_stage, npus, npus / t->model_npus, of_stage / t->model_npus);
}

/* ---- the walk ----------------------------------------------------------------------------- */

/* A collective that the next layer waits for. any false: there is none. */
typedef struct begun {
    bool any, again;
    unsigned layer;
    pass p;
} begun;

typedef struct walker {
    const layer_table *t;
    const table_visitor *v;
    begun awaited, exchanged; /* exchanged: HYBRID_DLRM, the first layer's in the backward pass */
} walker;

static void await(const walker *w, begun b) {
    if (b.any) w->v->await(w->v->self, b.layer, b.p, b.again);
}

static begun begin(const walker *w, unsigned layer, pass p, bool again) {
    w->v->begin(w->v->self, layer, p, again);
    return (begun){ .any = true, .again = again, .layer = layer, .p = p };
}

static void forward(walker *w, unsigned from, unsigned to, bool again) {
    const layer_table *t = w->t;
    begun exchanged = { 0 };

    for (unsigned i = from; i <= to; i++) {
        await(w, w->awaited);
        if (!again) w->v->await(w->v->self, i, PASS_WEIGHT, false);
        if (t->word == TABLE_DLRM && i == t->last_bottom + 1) await(w, exchanged);
        w->v->compute(w->v->self, i, PASS_FORWARD);
        w->awaited = begin(w, i, PASS_FORWARD, again);
        if (t->word != TABLE_DLRM || i) continue;
        exchanged = w->awaited;
        w->awaited.any = false;
    }
}

static void weight_gradient(const walker *w, unsigned i, begun awaited, begun also) {
    await(w, awaited);
    await(w, also);
    w->v->compute(w->v->self, i, PASS_WEIGHT);
    (void)begin(w, i, PASS_WEIGHT, false);
}

/* Computes the input gradient of a layer, and begins the collective that the previous layer waits
 * for. */
static void input_gradient(walker *w, unsigned i, begun also) {
    const bool dlrm = w->t->word == TABLE_DLRM;

    await(w, w->awaited);
    await(w, also);
    w->v->compute(w->v->self, i, PASS_INPUT);
    w->awaited.any = false;
    if (!dlrm || i) w->awaited = begin(w, i, PASS_INPUT, false);
    if (dlrm && i == w->t->last_bottom + 1) w->exchanged = begin(w, 0, PASS_INPUT, false);
}

void layer_table_walk(const layer_table *t, const table_visitor *v) {
    const begun none = { 0 };
    walker w = { .t = t, .v = v };

    forward(&w, 0, t->count - 1, false);
    if (v->backward) v->backward(v->self);
    for (unsigned i = t->count; i-- > 0;) {
        const table_layer *l = &t->layer[i];
        const begun also = i ? none : w.exchanged;
        begun awaited;

        if (l->again) {
            unsigned from = i;

            while (from && !t->layer[from].checkpoint) from--;
            forward(&w, from, i, true);
        }
        awaited = w.awaited;
        if (l->collective[PASS_INPUT].bytes) { /* its collective runs during the weight gradient */
            input_gradient(&w, i, also);
            weight_gradient(&w, i, awaited, also);
        } else {
            weight_gradient(&w, i, awaited, also);
            if (i) input_gradient(&w, i, also);
        }
    }
}
