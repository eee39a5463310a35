/* SPDX-License-Identifier: Apache-2.0 */
/* workload.c -- collects operations of layers, and sums up and hashes a workload */
#include "workload.h"

#include <stdlib.h>
#include <string.h>

#include "digest.h"

bool workload_add(workload *w, layer *l, pass p, const operation *o, unsigned count) {
    operation *at = w->operations;

    /* Room grows by doubling, so it is full when the count is a power of two. */
    for (unsigned i = 0; i < count; i++) {
        if (!(w->operation_count & (w->operation_count - 1))) {
            at = realloc(at, (w->operation_count ? 2 * w->operation_count : 1) * sizeof *at);
            if (!at) return false;
            w->operations = at;
        }
        at[w->operation_count++] = o[i];
    }
    l->pass[p].first = w->operation_count - count;
    l->pass[p].count = count;
    return true;
}

double workload_memory(const workload *w, unsigned nodes, double *cold) {
    const double element = ace_type_bytes(w->element);
    double bytes = 0;

    *cold = 0;
    for (unsigned i = 0; i < w->count; i++) {
        const layer *l = &w->layers[i];
        const double parameters = (double)l->parameters;

        if (l->exchanged) {
            bytes += (element * parameters + 4 * (double)l->shape.rows) / nodes;
            *cold += 4 * (double)l->shape.rows / nodes;
        } else {
            bytes += 16 * parameters;
            *cold += (16 - 2 * element) * parameters;
        }
    }
    return bytes;
}

uint64_t workload_collective_bytes(const workload *w, unsigned layer, ace_kind kind) {
    uint64_t bytes = kind == ACE_ALL_REDUCE   ? w->layers[layer].bytes
                     : kind == ACE_ALL_TO_ALL ? w->layers[layer].exchanged
                                              : 0;

    for (pass p = 0; w->table.count && p < PASSES; p++)
        if (w->table.layer[layer].collective[p].kind == kind)
            bytes += w->table.layer[layer].collective[p].bytes;
    return bytes;
}

/* Returns a digest of the word, the first line, and the collectives of each layer. */
static uint64_t table_digest(uint64_t h, const layer_table *t) {
    const uint64_t v[] = { t->word, t->last_bottom, t->model_npus, t->expert_npus, t->total };

    h = fnv1a(h, v, sizeof v);
    for (unsigned i = 0; i < t->count; i++) {
        const table_layer *l = &t->layer[i];
        const uint64_t own[] = { l->word, l->checkpoint, l->again };

        h = fnv1a(h, own, sizeof own);
        for (pass p = 0; p < PASSES; p++) {
            const table_collective *c = &l->collective[p];
            const uint64_t one[] = { c->kind, c->share, c->bytes };

            h = fnv1a(h, one, sizeof one);
        }
    }
    return h;
}

void workload_free(workload *w) {
    layer_table_free(&w->table);
    free(w->layers);
    free(w->operations);
    w->layers = NULL;
    w->operations = NULL;
    w->count = w->operation_count = 0;
}

uint64_t workload_digest(const workload *w) {
    uint64_t h = fnv1a(FNV1A_START, w->name, strlen(w->name));

    h = fnv1a(h, &w->element, sizeof w->element);
    h = fnv1a(h, &w->optimised, sizeof w->optimised);
    for (unsigned i = 0; i < w->count; i++) {
        const layer *l = &w->layers[i];
        const uint64_t v[] = { l->bytes,         l->exchanged,     l->pass[0].count,
                               l->pass[1].count, l->pass[2].count, l->shape.kind };
        h = fnv1a(fnv1a(h, l->name, strlen(l->name)), v, sizeof v);
    }
    if (w->table.count) h = table_digest(h, &w->table);
    for (unsigned i = 0; i < w->operation_count; i++) {
        const operation *o = &w->operations[i];
        const uint64_t v[] = { o->class_,        o->flops,    o->read_bytes,
                               o->written_bytes, o->launches, o->cycles };
        const double sizes[] = { o->products, o->m, o->n, o->left_bytes, o->right_bytes };
        h = fnv1a(fnv1a(h, v, sizeof v), sizes, sizeof sizes);
    }
    return h;
}
