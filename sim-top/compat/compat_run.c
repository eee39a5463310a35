/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_run.c -- ranks with slots that issue nodes in the order of their ids
 *
 * A completion frees a slot and starts a pass over the ready nodes. Nodes that become ready in a
 * pass wait for the next one, as in ASTRA-sim. If no event is left and ranks still wait, revive()
 * first lets children of instant nodes begin, and then gives extra slots. A rank that still cannot
 * continue is reported as stuck.
 */
#include "compat_run.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "astra_memory.h"
#include "compat_csv.h"
#include "compat_mail.h"
#include "exit_status.h"
#include "graph_map.h"
#include "graph_order.h"
#include "graph_queue.h"
#include "graph_window.h"
#include "message.h"

/* The slots that a node can occupy while it runs; SLOT_NONE occupies none. */
enum { SLOT_CPU, SLOT_COMPUTE, SLOT_COMMUNICATION, SLOT_NONE, SLOTS };

/* Adds up the time during which at least one operation is in flight. */
typedef struct stretch {
    unsigned open;
    uint64_t since, sum;
} stretch;

typedef struct rank {
    unsigned npu;
    bool opened;
    graph_window window;
    graph_queue ready[SLOTS];
    unsigned busy[SLOTS];
    unsigned in_flight;
    graph_order *order; /* reads the trace ahead of the run; NULL: it was read to its end */
    graph_map counts;   /* number of collectives read so far, for each group */
    /* for each collective that has not begun, by its node's id: its number in its group */
    graph_map ordinal;
    uint64_t last, computed; /* ns: the last completion; time of issued compute */
    stretch communication, computing;
} rank;

typedef struct run {
    const compat_setup *s;
    compat_clock clock;
    compat_network *network;
    compat_collectives *collectives;
    compat_mail mail;
    rank *rank;
    unsigned ranks;
    uint64_t *memory_free; /* for each memory that NPUs share: it is busy until then */
    int failed;            /* an exit status, after a message; or EXIT_OK */
    bool widened;
} run;

static void fail(run *r, int status) {
    if (r->failed == EXIT_OK) r->failed = status;
}

/* ---- opening ----------------------------------------------------------------------------- */

static int open_graph(const run *r, unsigned npu, graph_reader *to) {
    return chakra_graph_open(r->s->chakra, npu, r->s->ranks->data_only[npu], to);
}

/* Reads the next collective of the trace, and stores its number in its group. Members agree on
 * these numbers, because the order does not depend on time. The trace is read a second time for
 * this, only as far as needed, and only collectives that have not begun are stored. Returns
 * EXIT_OK, also at the end, or another status after a message. */
static int number_next(rank *k) {
    graph_node n;
    const int more = graph_order_next(k->order, &n);
    uint64_t *count, *at;

    if (more <= 0) {
        graph_order_close(k->order);
        k->order = NULL;
        return more < 0 ? EXIT_USAGE : EXIT_OK;
    }
    if (n.kind != GRAPH_COLLECTIVE) return EXIT_OK;
    count = graph_map_at(&k->counts, n.tag);
    at = graph_map_at(&k->ordinal, n.id);
    if (!count || !at) return message_no_memory();
    *at = (*count)++;
    return EXIT_OK;
}

/* Opens this second reader. A short trace is read at once, and its file closed again. */
static int number_first(const run *r, rank *k) {
    const graph_order_setup how = { .window = r->s->window, .npu = k->npu };
    graph_reader reader;
    int rc = open_graph(r, k->npu, &reader);

    if (rc == EXIT_OK) rc = graph_order_open(&reader, &how, &k->order);
    while (rc == EXIT_OK && k->order && graph_order_nodes(k->order) < r->s->window)
        rc = number_next(k);
    return rc;
}

/* Sets *ordinal to the number of a collective that begins. */
static int number_of(rank *k, uint64_t id, uint64_t *ordinal) {
    int rc = EXIT_OK;

    while (rc == EXIT_OK && k->order && !graph_map_has(&k->ordinal, id)) rc = number_next(k);
    if (rc == EXIT_OK) *ordinal = graph_map_take(&k->ordinal, id);
    return rc;
}

static int open_rank(run *r, unsigned npu) {
    rank *k = &r->rank[npu];
    graph_reader reader;
    int rc;

    k->npu = npu;
    rc = number_first(r, k);
    if (rc == EXIT_OK) rc = open_graph(r, npu, &reader);
    if (rc != EXIT_OK) return rc;
    graph_window_open(&k->window, &reader, r->s->window, npu);
    k->opened = true;
    return graph_window_fill(&k->window); /* closes the file of a trace that was read to its end */
}

/* ---- times -------------------------------------------------------------------------------- */

static void open_stretch(stretch *t, uint64_t now) {
    if (!t->open++) t->since = now;
}
static void close_stretch(stretch *t, uint64_t now) {
    if (!--t->open) t->sum += now - t->since;
}

/* Returns the time of a node on the NPU, the CPU or in remote memory, ns. */
static uint64_t time_of(const run *r, const graph_node *n) {
    const astra_system *a = r->s->chakra->system;
    double per_second;

    /* cycles of a clock of 1 GHz */
    if (n->single.class_ == OPERATION_TIME) return n->single.cycles;
    if (n->single.flops <= 0)
        return compat_ticks((double)n->single.read_bytes / (a->memory_GBps * 1e9) * 1e9);
    per_second = fmin(a->memory_GBps * 1e9 * (double)n->single.flops / (double)n->single.read_bytes,
                      a->peak_TFLOPS * 1e12);
    return compat_ticks((double)n->single.flops / per_second * 1e9);
}

static unsigned slot_of(const graph_node *n) {
    if (n->kind == GRAPH_MARK || n->kind == GRAPH_RECEIVE) return SLOT_NONE;
    if (n->lane == LANE_HOST) return SLOT_CPU;
    return n->lane == LANE_COMMUNICATION ? SLOT_COMMUNICATION : SLOT_COMPUTE;
}

/* Returns whether a node ends as soon as it begins. */
static bool is_instant(const graph_node *n) {
    return n->kind == GRAPH_MARK ||
           (n->kind == GRAPH_COMPUTE && n->single.class_ != OPERATION_TIME &&
            n->single.read_bytes <= 0);
}

static bool is_communication(const graph_node *n) {
    return n->kind == GRAPH_COLLECTIVE || n->kind == GRAPH_SEND || n->kind == GRAPH_RECEIVE;
}

/* ---- nodes -------------------------------------------------------------------------------- */

static void pass(run *r, rank *k);

static void finish(run *r, rank *k, uint32_t index) {
    const graph_node *n = &k->window.at[index].node;

    k->last = r->clock.now;
    k->busy[slot_of(n)]--;
    k->in_flight--;
    if (is_communication(n)) close_stretch(&k->communication, r->clock.now);
    if (n->kind == GRAPH_COMPUTE && n->lane != LANE_HOST)
        close_stretch(&k->computing, r->clock.now);
    if (!graph_window_finish(&k->window, index)) fail(r, message_no_memory());
    pass(r, k);
}

static void operation_done(void *self, void *of, uint64_t what) {
    finish(self, of, (uint32_t)what);
}
static void collective_done(void *self, void *of, uint64_t what) {
    run *r = self;

    (void)of;
    finish(r, &r->rank[what >> 32], (uint32_t)what);
}

static void explain(void *self, unsigned npu, uint32_t index, const compat_breakdown *b) {
    const run *r = self;

    compat_csv_collective(r->s->collectives, npu, &r->rank[npu].window.at[index].node,
                          r->s->chakra->network->dims, b);
}

static void later(run *r, rank *k, uint32_t index, uint64_t ns) {
    compat_clock_after(&r->clock, ns, (compat_call){ operation_done, r, k, index });
}

static graph_channel channel_of(unsigned from, unsigned to, const graph_node *n) {
    return (graph_channel){ from, to, n->tag, n->command.bytes };
}

/* Handles a message's arrival at its receiver. For ASTRA-sim, the send ends at the same time. */
static void message_arrived(void *self, void *of, uint64_t index) {
    run *r = self;
    rank *k = of;
    const graph_node *n = &k->window.at[index].node;
    const graph_channel c = channel_of(k->npu, n->peer, n);
    uint32_t waits;

    switch (compat_mail_deliver(&r->mail, &c, &waits)) {
    case MAIL_PAIRED: later(r, &r->rank[n->peer], waits, 0); break;
    case MAIL_NO_MEMORY: fail(r, message_no_memory()); break;
    case MAIL_KEPT: break;
    }
    finish(r, k, (uint32_t)index);
}

static void receive(run *r, rank *k, uint32_t index) {
    const graph_node *n = &k->window.at[index].node;
    const graph_channel c = channel_of(n->peer, k->npu, n);

    switch (compat_mail_receive(&r->mail, &c, index)) {
    case MAIL_PAIRED: later(r, k, index, 0); break;
    case MAIL_NO_MEMORY: fail(r, message_no_memory()); break;
    case MAIL_KEPT: break;
    }
}

/* Returns the time of a transfer, ns. Memory that NPUs share serves one transfer at a time. */
static uint64_t memory_ns(run *r, const rank *k, const graph_node *n) {
    const chakra_setup *c = r->s->chakra;
    const uint64_t now = r->clock.now;
    uint64_t *free_at;

    if (!n->shared) return time_of(r, n);
    free_at = &r->memory_free[k->npu / astra_memory_sharers(c->memory, c->network->npus)];
    if (*free_at < now) *free_at = now;
    *free_at += time_of(r, n);
    return *free_at - now;
}

static void issue(run *r, rank *k, uint32_t index) {
    graph_window_entry *at = &k->window.at[index];
    const graph_node *n = &at->node;
    const uint64_t now = r->clock.now;
    int rc;

    if (is_instant(n)) {
        k->last = now;
        if (!graph_window_finish(&k->window, index)) fail(r, message_no_memory());
        return;
    }
    at->progress.sending = true;
    k->busy[slot_of(n)]++;
    k->in_flight++;
    if (is_communication(n)) open_stretch(&k->communication, now);
    if (n->lane != LANE_HOST && (n->kind == GRAPH_COMPUTE || n->label == CHAKRA_LABEL_REPLAY ||
                                 (n->kind == GRAPH_MEMORY && r->s->chakra->system->replay)))
        k->computed += time_of(r, n);
    if (n->kind == GRAPH_COMPUTE && n->lane != LANE_HOST) open_stretch(&k->computing, now);
    switch (n->kind) {
    case GRAPH_COLLECTIVE:
        rc = number_of(k, n->id, &at->progress.ordinal);
        if (rc == EXIT_OK &&
            !compat_collectives_begin(r->collectives, k->npu, n, at->progress.ordinal, index))
            rc = message_no_memory();
        if (rc != EXIT_OK) fail(r, rc);
        break;
    case GRAPH_SEND:
        compat_network_send(r->network, k->npu, n->peer, n->command.bytes,
                            (compat_call){ message_arrived, r, k, index });
        break;
    case GRAPH_RECEIVE: receive(r, k, index); break;
    case GRAPH_MEMORY: later(r, k, index, memory_ns(r, k, n)); break;
    default: later(r, k, index, time_of(r, n)); break;
    }
}

/* Moves nodes that may begin into the queues of their slots. */
static void collect(run *r, rank *k) {
    graph_window *w = &k->window;

    if (graph_window_fill(w) != EXIT_OK) fail(r, EXIT_USAGE);
    for (uint32_t i; (i = graph_window_ready(w)) != GRAPH_NONE;)
        if (!graph_queue_put(&k->ready[slot_of(&w->at[i].node)],
                             (graph_entry){ w->at[i].node.id, 0, i }))
            fail(r, message_no_memory());
}

static bool has_room(const run *r, const rank *k, unsigned slot) {
    const unsigned most = slot == SLOT_COMMUNICATION ? r->s->slots : 1;

    return slot == SLOT_NONE || !most || k->busy[slot] < most;
}

/* Issues ready nodes in the order of their ids. Nodes that become ready meanwhile wait for the next
 * pass: after the next completion, or at once if there will be none. */
static void pass(run *r, rank *k) {
    bool any = true;

    while (any && r->failed == EXIT_OK) {
        collect(r, k);
        for (any = false;;) {
            graph_queue *first = NULL;

            for (unsigned i = 0; i < SLOTS; i++) {
                graph_queue *q = &k->ready[i];

                if (q->count && has_room(r, k, i) && (!first || q->at[0].id < first->at[0].id))
                    first = q;
            }
            if (!first) break;
            issue(r, k, graph_queue_take(first));
            any = true;
        }
        if (k->in_flight) break;
    }
}

/* ---- NPUs that would wait for ever -------------------------------------------------------- */

static uint64_t progress_of(const run *r) {
    uint64_t sum = 0;

    for (unsigned i = 0; i < r->ranks; i++)
        sum += r->rank[i].window.finished_count + r->rank[i].in_flight;
    return sum;
}

/* Called when nothing is in flight. Lets children of instant nodes begin, and then gives a slot to
 * nodes that wait for one. Returns false if nothing can begin. */
static bool revive(run *r) {
    const uint64_t before = progress_of(r);

    for (unsigned i = 0; i < r->ranks; i++) pass(r, &r->rank[i]);
    if (progress_of(r) != before) return true;
    for (unsigned i = 0; i < r->ranks; i++) {
        graph_queue *q = &r->rank[i].ready[SLOT_COMMUNICATION];

        if (q->count) issue(r, &r->rank[i], graph_queue_take(q));
    }
    if (progress_of(r) == before) return false;
    if (!r->widened)
        fprintf(
            stderr,
            "acesim: %s: NPUs wait for one another's collectives or sends behind others that hold "
            "their slots, where ASTRA-sim 2.x ends nothing any more: each gets one more\n",
            r->s->chakra->prefix);
    r->widened = true;
    return true;
}

static void print_node(const run *r, const rank *k, const graph_window_entry *at) {
    const graph_node *n = &at->node;

    fprintf(stderr, "acesim: %s.%u.et: node %" PRIu64 " (%s), NPU %u, waits for ",
            r->s->chakra->prefix, k->npu, n->id, chakra_label(n->label), k->npu);
    if (n->kind == GRAPH_COLLECTIVE)
        fprintf(stderr, "%u members that do not begin it, %" PRIu64 " bytes\n",
                compat_collectives_missing(r->collectives, k->npu, n, at->progress.ordinal),
                n->command.bytes);
    else
        fprintf(stderr, "a message %s NPU %u, tag %" PRIu64 ", %" PRIu64 " bytes\n",
                n->kind == GRAPH_SEND ? "to" : "of", n->peer, n->tag, n->command.bytes);
}

/* Prints what each unfinished NPU waits for. Returns how many NPUs these are. */
static unsigned print_stuck(const run *r) {
    unsigned count = 0;

    for (unsigned i = 0; i < r->ranks; i++) {
        const rank *k = &r->rank[i];
        uint32_t never = 0;

        if (graph_window_over(&k->window)) continue;
        count++;
        for (uint32_t p = 0; p < k->window.room; p++) {
            const graph_window_entry *at = &k->window.at[p];

            if (at->state == ENTRY_FREE || at->state == ENTRY_EXPECTED) continue;
            if (at->progress.sending)
                print_node(r, k, at);
            else
                never++;
        }
        fprintf(stderr, "acesim: %s.%u.et: NPU %u: %" PRIu32 " nodes were never begun\n",
                r->s->chakra->prefix, i, i, never);
    }
    return count;
}

/* ---- the run ------------------------------------------------------------------------------ */

static int create(run *r) {
    const astra_network *n = r->s->chakra->network;
    int rc = EXIT_OK;

    r->ranks = n->npus;
    r->rank = calloc(n->npus, sizeof *r->rank);
    r->memory_free = calloc(n->npus, sizeof *r->memory_free);
    r->network = compat_network_create(n, r->s->aware, &r->clock);
    r->collectives = r->network
                         ? compat_collectives_create(r->s->system, n, r->network, &r->clock,
                                                     (compat_call){ collective_done, r, NULL, 0 })
                         : NULL;
    if (!r->rank || !r->memory_free || !r->collectives) return message_no_memory();
    if (r->s->collectives) compat_collectives_explain(r->collectives, explain, r);
    for (unsigned i = 0; rc == EXIT_OK && i < n->npus; i++) rc = open_rank(r, i);
    return rc;
}

static void destroy(run *r) {
    for (unsigned i = 0; r->rank && i < r->ranks; i++) {
        rank *k = &r->rank[i];

        if (k->opened) graph_window_close(&k->window);
        for (unsigned s = 0; s < SLOTS; s++) free(k->ready[s].at);
        graph_order_close(k->order);
        graph_map_free(&k->counts);
        graph_map_free(&k->ordinal);
    }
    compat_mail_free(&r->mail);
    compat_collectives_destroy(r->collectives);
    compat_network_destroy(r->network);
    compat_clock_free(&r->clock);
    free(r->memory_free);
    free(r->rank);
}

/* Explains a result that exceeds the links: without congestion messages share nothing, so more
 * chunks at a time get more bandwidth. */
static void print_bound_violation(const run *r) {
    const compat_bound_violation b = compat_collectives_bound_violation(r->collectives);

    if (!b.count) return;
    fprintf(stderr,
            "acesim: %s: %" PRIu64
            " collectives of NPUs are over sooner than their links carry the "
            "bytes: of NPU %u one of %" PRIu64 " bytes takes %" PRIu64
            " ns, and its links need %" PRIu64 " at least\n",
            r->s->chakra->prefix, b.count, b.npu, b.bytes, b.ns, b.least_ns);
}

/* Reports an event that was lost. */
static void check_clock(run *r) {
    if (r->clock.out_of_memory) fail(r, message_no_memory());
    if (!r->clock.beyond || r->failed != EXIT_OK) return;
    fprintf(stderr, "acesim: %s: found a time of 2^64 ns or more, expected less\n",
            r->s->chakra->prefix);
    fail(r, EXIT_USAGE);
}

/* Checks law 13 for links on which messages wait for each other. */
static int check_links(const run *r) {
    compat_carried c;

    if (!compat_network_beaten(r->network, &c)) return EXIT_OK;
    fprintf(stderr,
            "acesim: %s: a link of NPU %u carried %" PRIu64 " bytes in %" PRIu64
            " ns, which takes %.0f ns: the result beats the links\n",
            r->s->chakra->prefix, c.npu, c.bytes, r->clock.now, c.least_ns);
    return EXIT_CHECK;
}

int compat_run(const compat_setup *s, compat_time *time) {
    run r = { .s = s };
    int rc = create(&r);

    r.failed = rc;
    for (unsigned i = 0; r.failed == EXIT_OK && i < r.ranks; i++) pass(&r, &r.rank[i]);
    check_clock(&r);
    while (r.failed == EXIT_OK && (compat_clock_step(&r.clock) || revive(&r))) check_clock(&r);
    if (r.failed == EXIT_OK && print_stuck(&r)) r.failed = EXIT_CHECK;
    if (r.failed == EXIT_OK) print_bound_violation(&r);
    if (r.failed == EXIT_OK) r.failed = check_links(&r);
    for (unsigned i = 0; r.failed == EXIT_OK && i < r.ranks; i++)
        time[i] = (compat_time){ .finished = r.rank[i].last,
                                 .exposed = r.rank[i].last - r.rank[i].computed,
                                 .communication = r.rank[i].communication.sum,
                                 .computing = r.rank[i].computing.sum };
    destroy(&r);
    return r.failed;
}
