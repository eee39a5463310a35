/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_check.c -- digests of each rank's graph, compared before a run
 *
 * Each trace's reader is wrapped by one that hashes each node it passes on. Each NPU keeps a count
 * and a hash of its collectives for each group. If two members differ, both traces are read again
 * in step to find the first collective that differs.
 *
 * Simulated nodes need a table of all messages, which gives each channel its label. Without
 * simulated nodes, sums suffice to compare sends and receives. Then a table is made only to name
 * the message that lacks its partner.
 */
#include "astra_check.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ace_node.h"
#include "astra_capacity.h"
#include "data_path.h"
#include "digest.h"
#include "exit_status.h"
#include "graph_order.h"
#include "graph_window.h"
#include "message.h"
#include "values.h"

enum { MASKS = CHAKRA_MASKS };

/* The collectives that an NPU submits on a set of dimensions, or in another group. */
typedef struct sequence {
    uint64_t count, digest;
} sequence;
typedef struct rank_digest {
    sequence *on; /* each set of the network's dimensions */
    sequence *in; /* for each other group, by its index */
    sequence all; /* all collectives on whole dimensions */
    uint64_t graph;
} rank_digest;

/* Counts over all NPUs, from which choose_rings() decides. */
typedef struct census {
    bool messages; /* some communication must be messages: sends, or collectives of other groups */
    uint64_t bytes[MASKS]; /* bytes to reduce and gather, for each set of dimensions */
    bool any[MASKS];
} census;

/* A reader that passes nodes on and hashes them. */
typedef struct watch {
    graph_reader from;
    char name[DATA_PATH]; /* name of the trace, because a closed reader no longer has it */
    const ace_config *cfg;
    rank_digest *of;
    astra_ranks *all;
    census *census;
    unsigned npu, rank; /* rank: for messages */
    const chakra_setup *setup;
    uint32_t missing, waiting; /* from graph_order_left(), when no node can begin */
    uint64_t first;            /* smallest id in the graph: ids may continue from rank to rank */
    bool any;
} watch;

/* Returns the number of sets of the network's dimensions, the empty set included. */
static unsigned masks_of(const chakra_setup *s) { return 1U << s->network->dims; }

static uint64_t command_digest(uint64_t h, const graph_node *n) {
    const ace_command *c = &n->command;
    const uint64_t v[] = { c->kind, c->type, c->op, c->bytes, chakra_dims(n) };

    return fnv1a(h, v, sizeof v);
}

/* Returns the position of an NPU relative to this one, as steps up in each dimension. Without
 * simulated nodes it returns the NPU's number. */
static uint64_t offset_to(const watch *w, unsigned npu) {
    uint64_t offset = 0;
    unsigned from = w->npu;

    if (!w->cfg) return npu;
    for (unsigned d = 0; d < ACE_CLUSTER_DIMENSIONS; d++) {
        const unsigned ring = w->cfg->ring[d];

        offset = offset << 10 | (npu % ring + ring - from % ring) % ring;
        npu /= ring;
        from /= ring;
    }
    return offset;
}

/* Adds a node's peers to the digest, as relative positions. So the digests of NPUs that are shifted
 * against each other are equal. */
static uint64_t peers_digest(const watch *w, const graph_node *n, uint64_t h) {
    uint64_t v = offset_to(w, n->peer);

    if (n->kind == GRAPH_SEND || n->kind == GRAPH_RECEIVE) {
        h = fnv1a(fnv1a(h, &v, sizeof v), &n->tag, sizeof n->tag);
    } else if (graph_by_messages(n)) {
        for (unsigned k = 0; k + 1 < n->members; k++) {
            v = offset_to(w, graph_other(n, k));
            h = fnv1a(h, &v, sizeof v);
        }
        v = n->command.kind == ACE_BROADCAST ? offset_to(w, n->member[0]) : 0;
        h = fnv1a(h, &v, sizeof v);
    }
    return h;
}

static uint64_t node_digest(const watch *w, const graph_node *n) {
    const uint64_t v[] = { n->id - w->first, n->kind,          n->lane,
                           n->operations,    n->single.flops,  n->single.read_bytes,
                           n->single.cycles, n->single.class_, n->parents,
                           n->shared };
    uint64_t h = command_digest(fnv1a(w->of->graph, v, sizeof v), n);

    for (unsigned i = 0; i < n->parents; i++) {
        const uint64_t p = n->parent[i] - w->first;

        h = fnv1a(h, &p, sizeof p);
    }
    return graph_goes_to_fabric(n) ? peers_digest(w, n, h) : h;
}

static int watch_next(void *self, graph_node *n) {
    watch *w = self;
    const int more = w->from.next(w->from.self, n);

    if (more <= 0) return more;
    if (!w->any) w->first = n->id;
    w->any = true;
    w->of->graph = node_digest(w, n);
    w->all->empty_nodes += n->kind == GRAPH_MARK && n->label == CHAKRA_LABEL_NOTHING;
    w->all->shared = w->all->shared || n->shared;
    if (n->kind == GRAPH_COLLECTIVE && w->setup->refuse) {
        const char *found = w->setup->refuse(w->setup->refuse_of, n);

        if (found)
            fprintf(stderr, "acesim: %s: node %" PRIu64 ", NPU %u: found %s\n", w->name, n->id,
                    w->npu, found);
        return found ? -1 : 1;
    }
    if (n->kind != GRAPH_COLLECTIVE || graph_by_messages(n) || w->setup->with_compat) return 1;
    if (ace_command_check(&n->command, w->cfg) != ACE_OK) {
        fprintf(stderr,
                "acesim: %s: node %" PRIu64 ", NPU %u: found an %s of %" PRIu64
                " bytes that the endpoint does not take, expected one of whole elements\n",
                w->name, n->id, w->rank, kind_names[n->command.kind], n->command.bytes);
        return -1;
    }
    w->all->kinds |= UINT32_C(1) << n->command.kind;
    uint64_t *const carried = w->all->carried;
    if (!carried[0] || n->command.bytes < carried[0]) carried[0] = n->command.bytes;
    if (n->command.bytes > carried[1]) carried[1] = n->command.bytes;
    return 1;
}

static void watch_close(void *self) {
    watch *w = self;

    w->from.close(w->from.self);
}

static void add_to(sequence *q, const graph_node *n) {
    q->digest = command_digest(q->count++ ? q->digest : FNV1A_START, n);
}

/* Counts a node that goes to the fabric. */
static void count_node(watch *w, const graph_node *n) {
    const unsigned dims = chakra_dims(n);
    const ace_kind kind = n->command.kind;

    if (n->kind != GRAPH_RECEIVE) w->all->bytes += n->command.bytes;
    if (n->kind != GRAPH_COLLECTIVE || graph_by_messages(n)) w->census->messages = true;
    if (n->kind != GRAPH_COLLECTIVE) return;
    w->all->collectives++;
    if (!dims) {
        add_to(&w->of->in[chakra_group(n)], n);
        return;
    }
    add_to(&w->of->on[dims], n);
    add_to(&w->of->all, n);
    w->census->any[dims] = true;
    if (kind == ACE_ALL_REDUCE || kind == ACE_REDUCE_SCATTER || kind == ACE_ALL_GATHER)
        w->census->bytes[dims] += n->command.bytes;
}

/* Reads one rank's trace with one choice of dependencies. *stuck: some nodes can never begin.
 * Returns EXIT_OK, or another status after a message. */
static int walk(const chakra_setup *s, const graph_order_setup *how, bool data_only, watch *w,
                bool *stuck) {
    graph_reader r = { .self = w, .next = watch_next, .close = watch_close };
    graph_order *order = NULL;
    graph_node n;
    int more = 1, rc = chakra_graph_open(s, how->npu, data_only, &w->from);

    if (rc != EXIT_OK) return rc;
    snprintf(w->name, sizeof w->name, "%s", w->from.name);
    r.name = w->name;
    memset(w->of->in, 0, s->groups->count * sizeof *w->of->in);
    memset(w->of->on, 0, (size_t)masks_of(s) * sizeof *w->of->on);
    *w->of = (rank_digest){ .on = w->of->on, .in = w->of->in, .graph = FNV1A_START };
    w->any = false;
    rc = graph_order_open(&r, how, &order);
    while (rc == EXIT_OK && (more = graph_order_next(order, &n)) > 0) count_node(w, &n);
    if (rc == EXIT_OK) w->all->nodes += graph_order_nodes(order);
    *stuck = more == GRAPH_ORDER_STUCK;
    if (*stuck) graph_order_left(order, &w->missing, &w->waiting);
    graph_order_close(order);
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
                    "acesim: %s: with ctrl_deps %" PRIu32 " nodes that are named never come, and "
                    "%" PRIu32 " wait for such or in a circle: data_deps alone are followed\n",
                    w->name, w->missing, w->waiting);
    }
    if (rc != EXIT_OK) return rc;
    return stuck ? EXIT_USAGE : EXIT_OK;
}

/* ---- whether members agree ---------------------------------------------------------------- */

/* A member's trace, read again for its collectives. */
typedef struct member {
    unsigned npu;
    graph_order *order;
    int more; /* 1: `node` is the next collective */
    graph_node node;
} member;

static int open_member(const chakra_setup *s, const astra_ranks *all, uint32_t window, member *m) {
    const graph_order_setup how = { .window = window, .npu = m->npu };
    graph_reader r;
    int rc = chakra_graph_open(s, m->npu, all->data_only[m->npu], &r);

    if (rc == EXIT_OK) rc = graph_order_open(&r, &how, &m->order);
    return rc;
}

/* Advances to the member's next collective of the group with this tag. */
static void next_of(member *m, uint64_t tag) {
    do m->more = graph_order_next(m->order, &m->node);
    while (m->more > 0 && (m->node.kind != GRAPH_COLLECTIVE || m->node.tag != tag));
}

static void print_member(const chakra_setup *s, const member *m) {
    const graph_node *n = &m->node;
    char name[CHAKRA_TRACE_NAME];

    chakra_trace_name(s, m->npu, name, sizeof name);
    if (m->more > 0)
        fprintf(stderr, "%s: node %" PRIu64 ", NPU %u, %s of %" PRIu64 " bytes", name, n->id,
                astra_rank_of(s->rank_map, m->npu), kind_names[n->command.kind], n->command.bytes);
    else
        fprintf(stderr, "%s: NPU %u, none", name, astra_rank_of(s->rank_map, m->npu));
}

/* Prints where the collectives of two members first differ. */
static int print_difference(const chakra_setup *s, const astra_ranks *all, uint32_t window,
                            uint64_t tag, unsigned a, unsigned b) {
    member m[2] = { { .npu = a }, { .npu = b } };
    int rc = open_member(s, all, window, &m[0]);

    if (rc == EXIT_OK) rc = open_member(s, all, window, &m[1]);
    while (rc == EXIT_OK) {
        for (unsigned i = 0; i < 2; i++) next_of(&m[i], tag);
        if (m[0].more > 0 && m[1].more > 0 &&
            command_digest(0, &m[0].node) == command_digest(0, &m[1].node))
            continue;
        fprintf(stderr, "acesim: found ");
        print_member(s, &m[0]);
        fprintf(stderr, "; and ");
        print_member(s, &m[1]);
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
        for (unsigned dims = 1; dims < masks_of(s); dims++) {
            const unsigned leader = chakra_leader(s->network, i, dims);
            const sequence *a = &rank[leader].on[dims], *b = &rank[i].on[dims];

            if (a->count == b->count && a->digest == b->digest) continue;
            return print_difference(s, all, window, chakra_dims_tag(dims), leader, i);
        }
        all->alike =
            all->alike && rank[i].graph == rank[0].graph && all->data_only[i] == all->data_only[0];
    }
    for (unsigned g = 0; g < s->groups->count; g++)
        for (unsigned i = 1; i < s->groups->at[g].count; i++) {
            const unsigned *npu = s->groups->at[g].npu;
            const sequence *a = &rank[npu[0]].in[g], *b = &rank[npu[i]].in[g];

            if (a->count == b->count && a->digest == b->digest) continue;
            return print_difference(s, all, window, chakra_group_tag(g), npu[0], npu[i]);
        }
    return EXIT_OK;
}

/* ---- rings or messages -------------------------------------------------------------------- */

/* Chooses the rings of one job, or of all NPUs. All collectives of whole dimensions run on the
 * endpoint if that is possible, else only those on one set of dimensions. */
static void choose_rings(const chakra_setup *s, unsigned job, const rank_digest *rank,
                         const census *c, chakra_rings *r) {
    const unsigned first = s->jobs ? s->jobs->at[job].npu[0] : 0;
    unsigned masks = 0, best = 0, all = 0;
    bool same = true;

    for (unsigned i = 0; i < s->network->npus; i++) {
        if (s->jobs && s->jobs->job[i] != job) continue;
        same = same && rank[i].all.count == rank[first].all.count &&
               rank[i].all.digest == rank[first].all.digest;
    }
    for (unsigned dims = 1; dims < MASKS; dims++) {
        masks += c->any[dims];
        if (c->any[dims]) all |= dims;
        if (c->bytes[dims] > c->bytes[best]) best = dims;
    }
    *r = (chakra_rings){ .masks = UINT32_MAX, .reductions = s->with_compat && c->messages };
    if (s->with_compat) return;
    r->along = all;
    if (!c->messages && (same || masks == 1)) return;
    *r = (chakra_rings){ .masks = best ? UINT32_C(1) << best : 0,
                         .along = best,
                         .reductions = true };
}

static void trace_name(const void *self, unsigned npu, char *to, size_t room) {
    chakra_trace_name(self, npu, to, room);
}

/* Adds all messages of an NPU to the table, or to the sums if there is no table. *digest is equal
 * for NPUs that send to the same relative positions. */
static int add_messages_of(const chakra_setup *s, const ace_config *cfg, unsigned npu,
                           astra_ranks *all, graph_balance *sums, uint64_t *digest) {
    const watch from = { .cfg = cfg, .npu = npu };
    graph_reader r;
    graph_node n;
    int more = 0, rc = chakra_graph_open(s, npu, all->data_only[npu], &r);

    *digest = FNV1A_START;
    if (rc != EXIT_OK) return rc;
    while (rc == EXIT_OK && (more = r.next(r.self, &n)) > 0) {
        if (s->with_compat && n.kind == GRAPH_COLLECTIVE) continue;
        if (graph_goes_to_fabric(&n)) *digest = peers_digest(&from, &n, *digest);
        if (all->messages)
            rc = graph_messages_add(all->messages, &n, npu);
        else
            graph_balance_add(sums, &n, npu);
    }
    r.close(r.self);
    return more < 0 ? EXIT_USAGE : rc;
}

/* Adds all messages of all NPUs. Only now is it known which collectives are messages. So NPUs that
 * were alike before may send to different relative positions. */
static int go_through_messages(const chakra_setup *s, const ace_config *cfg, astra_ranks *all,
                               graph_balance *sums) {
    uint64_t first = 0, digest;
    int rc = EXIT_OK;

    for (unsigned i = 0; rc == EXIT_OK && i < s->network->npus; i++) {
        rc = add_messages_of(s, cfg, i, all, sums, &digest);
        if (!i) first = digest;
        all->alike = all->alike && digest == first;
    }
    return rc;
}

/* Simulated nodes need the table, because both ends must agree on a label for each channel. Without
 * simulated nodes, sums show whether each message has its receive, and the memory does not grow
 * with the traces. If the sums differ, a table is made after all, to find the message that the
 * error names. */
static int add_messages(const chakra_setup *s, const ace_config *cfg, astra_ranks *all) {
    graph_balance sums = { 0 };
    int rc = EXIT_OK;

    if (s->with_compat) {
        rc = go_through_messages(s, cfg, all, &sums);
        all->sent = sums.sent;
        if (rc != EXIT_OK || graph_balance_even(&sums)) return rc;
    }
    all->messages = graph_messages_create(s->network->npus, cfg);
    if (!all->messages) return message_no_memory();
    rc = go_through_messages(s, cfg, all, &sums);
    all->sent = graph_messages_count(all->messages);
    return rc == EXIT_OK ? graph_messages_check_named(all->messages, trace_name, s) : rc;
}

/* Checks that there is a trace for each NPU, and, unless lenient, no further trace. */
static int check_prefix(const char *prefix, unsigned npus, const char *of, bool lenient) {
    char name[CHAKRA_TRACE_NAME];
    unsigned i = 0, more = 0;

    for (; i < npus; i++) {
        snprintf(name, sizeof name, "%s.%u.et", prefix, i);
        if (access(name, R_OK)) break;
    }
    if (i < npus)
        fprintf(stderr,
                "acesim: %s: %s; found traces of %u NPUs, expected one for each of the %u of "
                "%s\n",
                name, strerror(errno), i, npus, of);
    for (more = i; i == npus && !lenient; more++) {
        snprintf(name, sizeof name, "%s.%u.et", prefix, more);
        if (access(name, R_OK)) break;
    }
    if (more > npus)
        fprintf(stderr,
                "acesim: %s.%u.et: found traces of %u NPUs, expected one for each of the %u of "
                "%s; --lenient leaves the others alone\n",
                prefix, i, more, npus, of);
    return i < npus || more > npus ? EXIT_USAGE : EXIT_OK;
}

static int check_files(const chakra_setup *s) {
    int rc = EXIT_OK;

    if (!s->jobs) return check_prefix(s->prefix, s->network->npus, "the network", s->lenient);
    for (unsigned i = 0; i < s->jobs->count && rc == EXIT_OK; i++)
        rc = check_prefix(s->jobs->at[i].prefix, s->jobs->at[i].count, "its job", s->lenient);
    return rc;
}

static bool make_digests(const chakra_setup *s, rank_digest **to) {
    rank_digest *rank = *to = calloc(s->network->npus, sizeof *rank);

    for (unsigned i = 0; rank && i < s->network->npus; i++) {
        rank[i].in = calloc(s->groups->count + 1, sizeof *rank[i].in);
        rank[i].on = calloc(masks_of(s), sizeof *rank[i].on);
        if (!rank[i].in || !rank[i].on) return false;
    }
    return rank != NULL;
}

/* Chooses the rings of each job. Returns whether any collective becomes messages. */
static bool choose_all(chakra_setup *s, const rank_digest *rank, const census *seen,
                       astra_ranks *r) {
    bool any = false;

    for (unsigned k = 0; k < (s->jobs ? s->jobs->count : 1); k++) {
        choose_rings(s, k, rank, &seen[k], &r->rings[k]);
        any = any || r->rings[k].reductions;
    }
    return any;
}

int astra_check(chakra_setup *s, const ace_config *cfg, astra_deps deps, uint32_t window,
                astra_ranks *r) {
    const unsigned npus = s->network->npus, jobs = s->jobs ? s->jobs->count : 1;
    rank_digest *rank;
    census *seen = calloc(jobs, sizeof *seen);
    int rc = check_files(s);

    *r = (astra_ranks){ .data_only = calloc(npus, sizeof *r->data_only),
                        .rings = calloc(jobs, sizeof *r->rings) };
    if ((!make_digests(s, &rank) || !r->data_only || !r->rings || !seen) && rc == EXIT_OK)
        rc = message_no_memory();
    for (unsigned i = 0; r->rings && i < jobs; i++)
        r->rings[i] = (chakra_rings){ .masks = UINT32_MAX };
    s->rings = r->rings;
    for (unsigned i = 0; rc == EXIT_OK && i < npus; i++) {
        const graph_order_setup how = { .window = window, .npu = i };
        watch w = { .cfg = cfg,
                    .of = &rank[i],
                    .all = r,
                    .census = &seen[chakra_job(s, i)],
                    .npu = i,
                    .rank = astra_rank_of(s->rank_map, i),
                    .setup = s };

        rc = check_rank(s, deps, &how, &w);
    }
    if (rc == EXIT_OK) rc = compare(s, window, rank, r);
    if (rc == EXIT_OK) rc = astra_capacity_check(s);
    if (rc == EXIT_OK && choose_all(s, rank, seen, r)) rc = add_messages(s, cfg, r);
    for (unsigned i = 0; rank && i < npus; i++) {
        free(rank[i].in);
        free(rank[i].on);
    }
    free(rank);
    free(seen);
    return rc;
}

void astra_ranks_free(astra_ranks *r) {
    free(r->data_only);
    free(r->rings);
    graph_messages_destroy(r->messages);
    *r = (astra_ranks){ 0 };
}
