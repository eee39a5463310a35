/* SPDX-License-Identifier: Apache-2.0 */
/* astra_check.c -- see astra_check.h */
#include "astra_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_node.h"
#include "digest.h"
#include "exit_status.h"
#include "graph_order.h"
#include "message.h"
#include "values.h"

enum { MASKS = 1 << ACE_DIMENSIONS };

/* What an NPU hands over on a set of dimensions. */
typedef struct sequence {
    uint64_t count, digest;
} sequence;
typedef struct rank_digest {
    sequence on[MASKS];
    uint64_t graph;
} rank_digest;

/* A reader that passes nodes on and looks at them. */
typedef struct watch {
    graph_reader from;
    const ace_config *cfg;
    rank_digest *of;
    astra_ranks *all;
    unsigned npu;
    uint64_t first; /* id, of the graph: ids may go on from rank to rank */
    bool any;
} watch;

static uint64_t command_digest(uint64_t h, const ace_command *c) {
    const uint64_t v[] = { c->kind, c->type, c->op, c->bytes, chakra_dims(c) };

    return fnv1a(h, v, sizeof v);
}

static uint64_t node_digest(const watch *w, const graph_node *n) {
    const uint64_t v[] = { n->id - w->first, n->kind,          n->lane,
                           n->operations,    n->single.flops,  n->single.read_bytes,
                           n->single.cycles, n->single.class_, n->parents };
    uint64_t h = command_digest(fnv1a(w->of->graph, v, sizeof v), &n->command);

    for (unsigned i = 0; i < n->parents; i++) {
        const uint64_t p = n->parent[i] - w->first;

        h = fnv1a(h, &p, sizeof p);
    }
    return h;
}

static int watch_next(void *self, graph_node *n) {
    watch *w = self;
    const int more = w->from.next(w->from.self, n);

    if (more <= 0) return more;
    if (!w->any) w->first = n->id;
    w->any = true;
    w->of->graph = node_digest(w, n);
    if (n->kind != GRAPH_COLLECTIVE) return 1;
    if (ace_command_check(&n->command, w->cfg) != ACE_OK) {
        fprintf(stderr,
                "acesim: %s: node %" PRIu64 ", NPU %u: found an %s of %" PRIu64
                " bytes that the endpoint does not take, expected one of whole elements\n",
                w->from.name, n->id, w->npu, kind_names[n->command.kind], n->command.bytes);
        return -1;
    }
    return 1;
}

static void watch_close(void *self) {
    watch *w = self;

    w->from.close(w->from.self);
}

/* One rank with one choice of dependencies: its collectives, in their order.  EXIT_OK, with whether
 * nodes are left that cannot begin in *stuck; or another status after a message. */
static int walk(const chakra_setup *s, const graph_order_setup *how, bool data_only, watch *w,
                bool *stuck) {
    graph_reader r = { .self = w, .next = watch_next, .close = watch_close };
    graph_order *order = NULL;
    graph_node n;
    int more = 1, rc = chakra_graph_open(s, how->npu, data_only, &w->from);

    if (rc != EXIT_OK) return rc;
    r.name = w->from.name;
    *w->of = (rank_digest){ .graph = FNV1A_START };
    w->any = false;
    rc = graph_order_open(&r, how, &order);
    while (rc == EXIT_OK && (more = graph_order_next(order, &n)) > 0) {
        sequence *q = &w->of->on[chakra_dims(&n.command)];

        q->digest = command_digest(q->count++ ? q->digest : FNV1A_START, &n.command);
        w->all->collectives++;
        w->all->bytes += n.command.bytes;
    }
    if (rc == EXIT_OK) w->all->nodes += graph_order_nodes(order);
    graph_order_close(order);
    *stuck = more == GRAPH_ORDER_STUCK;
    return more == GRAPH_ORDER_FAILED ? EXIT_USAGE : rc;
}

static int check_rank(const chakra_setup *s, astra_deps deps, const graph_order_setup *how,
                      watch *w) {
    const astra_ranks before = *w->all;
    graph_order_setup quiet = *how;
    bool stuck, *data_only = &w->all->data_only[how->npu];
    int rc;

    quiet.quiet = deps == DEPS_AUTO;
    *data_only = deps == DEPS_DATA;
    rc = walk(s, &quiet, *data_only, w, &stuck);
    if (rc == EXIT_OK && stuck && deps == DEPS_AUTO) {
        *w->all = before;
        *data_only = true;
        rc = walk(s, how, true, w, &stuck);
        if (rc == EXIT_OK && !stuck)
            fprintf(stderr,
                    "acesim: %s.%u.et: ctrl_deps name nodes that never come, or go round in a "
                    "circle: data_deps alone are followed\n",
                    s->prefix, how->npu);
    }
    if (rc != EXIT_OK) return rc;
    return stuck ? EXIT_USAGE : EXIT_OK;
}

/* ---- whether members agree ---------------------------------------------------------------- */

/* A member's collectives on some dimensions, in their order. */
typedef struct member {
    unsigned npu;
    graph_order *order;
    int more; /* there is one: */
    graph_node node;
} member;

static int open_member(const chakra_setup *s, const astra_ranks *all, uint32_t window, member *m) {
    const graph_order_setup how = { .window = window, .npu = m->npu };
    graph_reader r;
    int rc = chakra_graph_open(s, m->npu, all->data_only[m->npu], &r);

    if (rc == EXIT_OK) rc = graph_order_open(&r, &how, &m->order);
    return rc;
}

static void next_on(member *m, unsigned dims) {
    do m->more = graph_order_next(m->order, &m->node);
    while (m->more > 0 && chakra_dims(&m->node.command) != dims);
}

static void tell_member(const chakra_setup *s, const member *m) {
    const graph_node *n = &m->node;

    if (m->more > 0)
        fprintf(stderr, "%s.%u.et: node %" PRIu64 ", NPU %u, %s of %" PRIu64 " bytes", s->prefix,
                m->npu, n->id, m->npu, kind_names[n->command.kind], n->command.bytes);
    else
        fprintf(stderr, "%s.%u.et: NPU %u, none", s->prefix, m->npu, m->npu);
}

/* Where the collectives of two members first differ. */
static int tell_difference(const chakra_setup *s, const astra_ranks *all, uint32_t window,
                           unsigned dims, unsigned a, unsigned b) {
    member m[2] = { { .npu = a }, { .npu = b } };
    int rc = open_member(s, all, window, &m[0]);

    if (rc == EXIT_OK) rc = open_member(s, all, window, &m[1]);
    while (rc == EXIT_OK) {
        for (unsigned i = 0; i < 2; i++) next_on(&m[i], dims);
        if (m[0].more > 0 && m[1].more > 0 &&
            command_digest(0, &m[0].node.command) == command_digest(0, &m[1].node.command))
            continue;
        fprintf(stderr, "acesim: found ");
        tell_member(s, &m[0]);
        fprintf(stderr, "; and ");
        tell_member(s, &m[1]);
        fprintf(stderr, "; expected the same collective of both, which are of one group\n");
        rc = EXIT_USAGE;
    }
    for (unsigned i = 0; i < 2; i++) graph_order_close(m[i].order);
    return rc;
}

static int compare(const chakra_setup *s, uint32_t window, const rank_digest *rank,
                   astra_ranks *all) {
    all->alike = true;
    all->digest = FNV1A_START;
    for (unsigned i = 0; i < s->network->npus; i++)
        all->digest = fnv1a(all->digest, &rank[i].graph, sizeof rank[i].graph);
    for (unsigned i = 0; i < s->network->npus; i++) {
        for (unsigned dims = 1; dims < MASKS; dims++) {
            const unsigned leader = chakra_leader(s->network, i, dims);
            const sequence *a = &rank[leader].on[dims], *b = &rank[i].on[dims];

            if (a->count == b->count && a->digest == b->digest) continue;
            return tell_difference(s, all, window, dims, leader, i);
        }
        all->alike =
            all->alike && rank[i].graph == rank[0].graph && all->data_only[i] == all->data_only[0];
    }
    return EXIT_OK;
}

/* A trace for each NPU is there; those beyond are left alone. */
static int check_files(const chakra_setup *s) {
    const size_t room = strlen(s->prefix) + 32;
    char *name = malloc(room);
    unsigned i = 0;

    if (!name) return message_no_memory();
    for (; i < s->network->npus; i++) {
        snprintf(name, room, "%s.%u.et", s->prefix, i);
        if (access(name, R_OK)) break;
    }
    if (i < s->network->npus)
        fprintf(stderr,
                "acesim: %s: %s; found traces of %u NPUs, expected one for each of the %u of "
                "the network\n",
                name, strerror(errno), i, s->network->npus);
    free(name);
    return i < s->network->npus ? EXIT_USAGE : EXIT_OK;
}

int astra_check(const chakra_setup *s, const ace_config *cfg, astra_deps deps, uint32_t window,
                astra_ranks *r) {
    const unsigned npus = s->network->npus;
    rank_digest *rank = calloc(npus, sizeof *rank);
    int rc = check_files(s);

    *r = (astra_ranks){ .data_only = calloc(npus, sizeof *r->data_only) };
    if (rc == EXIT_OK && (!rank || !r->data_only)) rc = message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < npus; i++) {
        const graph_order_setup how = { .window = window, .npu = i };
        watch w = { .cfg = cfg, .of = &rank[i], .all = r, .npu = i };

        rc = check_rank(s, deps, &how, &w);
    }
    if (rc == EXIT_OK) rc = compare(s, window, rank, r);
    free(rank);
    return rc;
}

void astra_ranks_free(astra_ranks *r) {
    free(r->data_only);
    *r = (astra_ranks){ 0 };
}
