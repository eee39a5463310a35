/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_capacity.c -- adds up the tensors of each remote memory, trace by trace
 *
 * A tensor is identified by a hash of its owner and its name, or of its owner and its node. Each
 * tensor is counted once. The first one that does not fit ends the check with a message that names
 * its node.
 */
#include "astra_capacity.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "astra_memory.h"
#include "chakra_file.h"
#include "digest.h"
#include "exit_status.h"
#include "graph_map.h"
#include "message.h"

typedef struct shelf {
    const chakra_setup *s;
    chakra_file *file;
    const Chakra__Node *node;
    unsigned npu;
    double *held;     /* bytes of each memory */
    graph_map *named; /* for each memory: its tensors, by the hash of their names or nodes */
} shelf;

static unsigned memory_of(const shelf *h) {
    const unsigned sharers = astra_memory_sharers(h->s->memory, h->s->network->npus);

    return sharers ? h->npu / sharers : h->npu;
}

static int refuse(const shelf *h, const char *name, double bytes) {
    fprintf(stderr,
            "acesim: %s: node %" PRIu64 " (%s), NPU %u: found tensor %.80s of %.0f bytes beside "
            "%.0f, expected room for it in the %.0f bytes of remote-mem-capacity\n",
            chakra_file_name(h->file), h->node->id, h->node->name, h->npu, name, bytes,
            h->held[memory_of(h)], h->s->memory->capacity_bytes);
    return EXIT_USAGE;
}

/* Counts a tensor of this NPU, or of all NPUs if the pool holds one copy for all. */
static int hold(shelf *h, const char *name, const void *key, size_t length, double bytes) {
    const unsigned m = memory_of(h);
    const bool once = h->s->memory->type == ASTRA_MEMORY_HIERARCHICAL && h->s->memory->in_switch;
    const unsigned owner = once ? 0 : h->npu;
    uint64_t *const known =
        graph_map_at(&h->named[m], fnv1a(fnv1a(FNV1A_START, &owner, sizeof owner), key, length));

    if (!known) return message_no_memory();
    if (*known) return EXIT_OK;
    *known = 1;
    if (h->held[m] + bytes > h->s->memory->capacity_bytes) return refuse(h, name, bytes);
    h->held[m] += bytes;
    return EXIT_OK;
}

static const Chakra__Attribute *find(const Chakra__Node *n, const char *name) {
    for (size_t i = 0; i < n->n_attr; i++)
        if (!strcmp(n->attr[i]->name, name)) return n->attr[i];
    return NULL;
}

/* The list holds name, bytes, name, bytes ..., with the bytes as decimal text. Returns EXIT_OK or
 * another status. */
static int hold_list(shelf *h, const Chakra__Strings *l) {
    int rc = EXIT_OK;

    for (size_t i = 0; i + 1 < l->n_values && rc == EXIT_OK; i += 2) {
        char *end;
        const double bytes = strtod(l->values[i + 1], &end);

        if (end == l->values[i + 1] || *end || !(bytes >= 0 && isfinite(bytes))) {
            fprintf(stderr,
                    "acesim: %s: node %" PRIu64 " (%s), NPU %u: found tensor %.80s of '%.40s', "
                    "expected its bytes\n",
                    chakra_file_name(h->file), h->node->id, h->node->name, h->npu, l->values[i],
                    l->values[i + 1]);
            return EXIT_USAGE;
        }
        rc = hold(h, l->values[i], l->values[i], strlen(l->values[i]), bytes);
    }
    return rc;
}

static int hold_node(shelf *h) {
    const Chakra__Node *n = h->node;
    const Chakra__Attribute *list =
                                find(n, n->type == CHAKRA__NODE_TYPE__MEM_LOAD_NODE ? "inputs"
                                                                                    : "outputs"),
                            *size;
    uint64_t bytes;

    if (n->type != CHAKRA__NODE_TYPE__MEM_LOAD_NODE && n->type != CHAKRA__NODE_TYPE__MEM_STORE_NODE)
        return EXIT_OK;
    if (list && list->value_case == CHAKRA__ATTRIBUTE__VALUE_STRING_LIST &&
        list->string_list->n_values > 1)
        return hold_list(h, list->string_list);
    size = find(n, "tensor_size");
    /* the trace's reader refuses such a size */
    if (!size || !chakra_unsigned(size, &bytes)) return EXIT_OK;
    return hold(h, n->name, &n->id, sizeof n->id, (double)bytes);
}

int astra_capacity_check(const chakra_setup *s) {
    const unsigned npus = s->network->npus;
    shelf h = { .s = s };
    int rc = EXIT_OK;

    if (!(s->memory->capacity_bytes > 0)) return EXIT_OK;
    h.held = calloc(npus, sizeof *h.held);
    h.named = calloc(npus, sizeof *h.named);
    if (!h.held || !h.named) rc = message_no_memory();
    for (; h.npu < npus && rc == EXIT_OK; h.npu++) {
        char name[CHAKRA_TRACE_NAME];
        int more = 0;

        chakra_trace_name(s, h.npu, name, sizeof name);
        if (!*name) continue;
        rc = chakra_file_open(name, &h.file);
        if (rc != EXIT_OK) break;
        while (rc == EXIT_OK && (more = chakra_file_next(h.file, &h.node)) > 0) rc = hold_node(&h);
        if (more < 0) rc = EXIT_USAGE;
        chakra_file_close(h.file);
    }
    for (unsigned i = 0; h.named && i < npus; i++) graph_map_free(&h.named[i]);
    free(h.named);
    free(h.held);
    return rc;
}
