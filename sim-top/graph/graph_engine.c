/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_engine.c -- the driver that a fabric calls: begins nodes, and returns when to call again
 *
 * act() repeats two moves: begin all that can begin in this cycle, then go to the next cycle in
 * which something ends. Beginning continues until a pass changes nothing, because one node's end
 * may let others begin. The driver gives the fabric a lower bound for the next submission, so nodes
 * may run alone up to that cycle.
 *
 * A node of the graph that has begun or may begin is in one of these states, or in two. `open`
 * includes the collectives by messages, which are also `stepping`, and perhaps `due`.
 *
 *     state       waits for                                             ended by
 *     ready       a slot of its lane                                    resolve()
 *     queued      its position in the agreed order, room, and a slot    take_agreed()
 *     gated       the begin of earlier nodes of its sequence            take_gated()
 *     timed       the end of its operation, or of a sum                 finish_operations()
 *     requested   memory that NPUs share                                graph_pool_serve()
 *     open        the completion of its command                         take_completions()
 *     posted      a message, as a receive                               take_arrivals()
 *     stepping    the sends, messages and sum of a step                 graph_advance()
 *     due         the begin of earlier steps of its sequence            take_due()
 */
#include "graph_engine.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric_observer.h"
#include "graph_command.h"
#include "graph_pool.h"
#include "graph_resume.h"
#include "graph_sequence.h"
#include "graph_time.h"
#include "message.h"
#include "processes.h"
#include "values.h"

/* With messages, at most so many collectives are at an endpoint. Otherwise they could fill the
 * dispatcher and block the messages that they wait for. The number is three quarters of the 64
 * commands that the default dispatcher has room for. */
enum { COLLECTIVES_SUBMITTED = 48 };

/* ---- making -------------------------------------------------------------------------------- */

/* Reads the graph a second time, ahead of the run. */
static int open_order(const graph_engine *e, npu_run *n) {
    const graph_order_setup how = { .window = e->source.window, .npu = n->window.npu };
    graph_reader r;
    int rc = e->source.open(e->source.self, n->window.npu, &r);

    if (rc == EXIT_OK) rc = graph_order_open(&r, &how, &n->order);
    return rc;
}

int graph_engine_create(const graph_source *m, const machine *of, fabric *f, graph_engine **to) {
    graph_engine *e = calloc(1, sizeof *e);
    int rc = EXIT_OK;

    *to = NULL;
    if (!e) return message_no_memory();
    e->source = *m;
    e->machine = of;
    e->f = f;
    e->full_npu = npu_whole(&of->cluster.npu);
    for (unsigned i = 0; i < GRAPH_SHARES; i++) {
        const npu_share taken = i & GRAPH_WITH_COMMUNICATION ? cluster_communication(&of->cluster)
                                                             : cluster_reserved(&of->cluster);

        e->share[i] = of->contention ? npu_less(e->full_npu, taken) : e->full_npu;
        if (i & GRAPH_WITH_BACKGROUND) e->share[i] = npu_less(e->share[i], GRAPH_BACKGROUND_SHARE);
        if (i & GRAPH_WITH_TRANSFER && of->contention)
            e->share[i] = npu_less(e->share[i], (npu_share){ 0, m->moved_GBps });
    }
    e->representatives = fabric_representatives(f);
    e->npu = calloc(e->representatives, sizeof *e->npu);
    if (!e->npu) rc = message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < e->representatives; i++) {
        npu_run *n = &e->npu[i];
        graph_reader r;

        if (!fabric_is_local(f, i)) continue;
        n->speed = fabric_speed(f, i);
        n->on = m->npu ? m->npu(m->self, fabric_first_node(f, i)) : &of->cluster.npu;
        rc = m->open(m->self, fabric_first_node(f, i), &r);
        if (rc != EXIT_OK) break;
        graph_window_open(&n->window, &r, m->window, fabric_first_node(f, i));
        if (m->in_order) rc = open_order(e, n);
        if (m->messages &&
            !graph_inbox_open(&n->inbox, graph_messages_channels(m->messages, n->window.npu)))
            rc = message_no_memory();
    }
    if (rc == EXIT_OK) rc = graph_pool_open(e);
    if (rc == EXIT_OK)
        *to = e;
    else
        graph_engine_destroy(e);
    return rc;
}

void graph_engine_destroy(graph_engine *e) {
    if (!e) return;
    for (unsigned i = 0; e->npu && i < e->representatives; i++) {
        npu_run *n = &e->npu[i];

        graph_window_close(&n->window);
        graph_order_close(n->order);
        for (unsigned l = 0; l < LANES; l++) free(n->ready[l].at);
        free(n->timed);
        free(n->requested);
        free(n->tag);
        graph_inbox_close(&n->inbox);
        free(n->message);
        free(n->cut);
        free(n->due);
        free(n->agreed);
        free(n->gated);
        graph_map_free(&n->ordinal);
        graph_map_free(&n->ordered);
        graph_map_free(&n->begun);
        free(n->arrival);
        free(n->completion);
        free(n->spans.at);
        free(n->span_label);
    }
    graph_pool_close(e);
    free(e->npu);
    free(e);
}

/* ---- beginning everything possible in one cycle ---------------------------------------------- */

/* Returns whether the node can have a slot of its lane. The parts of one split collective share the
 * slot of the first part that began. */
static bool has_slot(const graph_engine *e, const npu_run *n, uint32_t index) {
    const graph_node *node = &n->window.at[index].node;
    const unsigned slots = node->lane == LANE_COMMUNICATION ? e->source.slots : 1;

    return !slots || n->busy[node->lane] < slots || graph_part_held(n, node);
}

/* Returns whether the endpoint has room for another collective. */
static bool endpoint_has_room(const graph_engine *e, const npu_run *n) {
    const unsigned room = e->machine->cluster.parameters.commands;
    const unsigned most = room > COLLECTIVES_SUBMITTED ? COLLECTIVES_SUBMITTED : room - 1;

    return !e->source.messages || n->submitted < most;
}

/* Begins a node of the communication lane, or queues it behind earlier nodes of its sequence. */
static void begin_in_sequence(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                              uint64_t now) {
    const bool sequence =
        e->source.messages && !graph_begins_in_order(e, &n->window.at[index].node);
    void *gated = n->gated;

    if (sequence) graph_ordinal_find(e, n, &n->window.at[index]);
    if (!sequence || graph_gate_open(e, n, &n->window.at[index])) {
        graph_command_begin(e, representative, n, index, now);
        return;
    }
    if (!graph_room_for(&gated, n->gated_count, &n->gated_room, sizeof *n->gated)) {
        (void)graph_no_memory(n);
        return;
    }
    n->gated = gated;
    n->gated[n->gated_count++] = index;
}

/* Moves ready nodes into the queues of their lanes, and handles marks. Returns whether any node was
 * ready. */
static bool take_ready(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (uint32_t i; (i = graph_window_ready(&n->window)) != GRAPH_NONE; any = true) {
        const graph_window_entry *p = &n->window.at[i];

        if (p->node.kind == GRAPH_MARK) {
            const uint32_t label = p->node.label;

            graph_finish(n, i);
            n->account.finished = n->window.finished_count;
            if (e->source.marked)
                e->source.marked(e->source.self, representative, label, &n->account);
        } else if (graph_begins_in_order(e, &p->node)) {
            n->queued++;
        } else if (p->node.kind == GRAPH_RECEIVE) {
            graph_ordinal_find(e, n, &n->window.at[i]);
            graph_command_begin(e, representative, n, i, now);
        } else if (graph_part_held(n, &p->node)) {
            begin_in_sequence(e, representative, n, i, now);
        } else if (!graph_queue_put(&n->ready[p->node.lane],
                                    (graph_entry){ p->node.id, p->node.priority, i })) {
            (void)graph_no_memory(n);
        }
    }
    return any;
}

/* Begins collectives in the agreed order. */
static bool take_agreed(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;
    uint64_t id;

    while (n->failed == EXIT_OK && n->queued && endpoint_has_room(e, n) &&
           graph_agreed_next(e, n, &id)) {
        const uint32_t i = graph_window_find(&n->window, id);

        if (i == GRAPH_NONE || n->window.at[i].state != ENTRY_READY || !has_slot(e, n, i)) break;
        graph_command_begin(e, representative, n, i, now);
        n->queued--;
        n->collectives_begun++;
        n->agreed_first++;
        any = true;
    }
    return any;
}

/* Begins next steps of collectives by messages, if all earlier steps of their sequences have
 * begun. */
static bool take_due(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (unsigned k = 0; k < n->due_count && n->failed == EXIT_OK;) {
        const uint32_t index = n->due[k];

        if (!graph_gate_open(e, n, &n->window.at[index])) {
            k++;
            continue;
        }
        n->due[k] = n->due[--n->due_count];
        graph_step_begin(e, representative, n, index, now);
        graph_advance(e, representative, n, index);
        any = true;
    }
    return any;
}

/* Begins nodes whose predecessors in their sequence have begun. */
static bool take_gated(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (unsigned k = 0; k < n->gated_count && n->failed == EXIT_OK;) {
        const uint32_t index = n->gated[k];

        if (!has_slot(e, n, index) || !graph_gate_open(e, n, &n->window.at[index])) {
            k++;
            continue;
        }
        n->gated[k] = n->gated[--n->gated_count];
        graph_command_begin(e, representative, n, index, now);
        any = true;
    }
    return any;
}

/* Begins everything that can begin in this cycle, including what follows from that. */
static void resolve(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = true;

    while (any && n->failed == EXIT_OK) {
        const int rc = graph_window_fill(&n->window);

        if (rc != EXIT_OK) n->failed = rc;
        any = take_ready(e, representative, n, now);
        any = take_agreed(e, representative, n, now) || any;
        any = take_due(e, representative, n, now) || any;
        any = take_gated(e, representative, n, now) || any;
        for (graph_lane l = 0; l < LANES && n->failed == EXIT_OK; l++)
            while (n->failed == EXIT_OK && n->ready[l].count &&
                   has_slot(e, n, n->ready[l].at[0].index)) {
                const uint32_t i = graph_queue_take(&n->ready[l]);

                if (graph_is_timed(&n->window.at[i].node))
                    graph_timed_begin(e, n, i);
                else
                    begin_in_sequence(e, representative, n, i, now);
                any = true;
            }
    }
    if (n->failed != EXIT_OK) return;
    n->ended = graph_window_over(&n->window);
    if (!n->ended && !n->timed_count && !n->open && !n->posted)
        n->failed = graph_window_stuck(&n->window);
}

static void finish_operations(graph_engine *e, unsigned representative, npu_run *n) {
    unsigned kept = 0;

    for (unsigned k = 0; k < n->timed_count; k++) {
        const uint32_t i = n->timed[k];
        graph_window_entry *p = &n->window.at[i];

        if (!p->progress.left) p->progress.operation++;
        if (p->progress.left || (graph_is_timed(&p->node) && graph_operation_start(e, n, p))) {
            n->timed[kept++] = i;
            continue;
        }
        if (!graph_is_timed(&p->node)) { /* a sum */
            graph_step_end(e, representative, n, i);
            continue;
        }
        n->busy[p->node.lane]--;
        fabric_notify_work(
            e->f, representative,
            &(driver_work){ .kind = p->node.lane == LANE_COMPUTE ? WORK_COMPUTE : WORK_BACKGROUND,
                            .label = p->node.label,
                            .from = p->progress.began,
                            .to = n->account.now });
        graph_finish(n, i);
    }
    n->timed_count = kept;
}

/* Handles the commands that the fabric has completed by now. */
static void take_completions(graph_engine *e, unsigned representative, npu_run *n) {
    unsigned taken = 0;

    for (; taken < n->completions && n->completion[taken].cycle < n->account.now; taken++) {
        issued *t = &n->tag[n->completion[taken].tag];
        const uint32_t index = t->index;

        t->index = GRAPH_NONE;
        n->window.at[index].progress.sending = false;
        graph_advance(e, representative, n, index);
    }
    if (!taken) return;
    n->completions -= taken;
    memmove(n->completion, n->completion + taken, n->completions * sizeof *n->completion);
}

/* Handles the messages that have come by now. */
static void take_arrivals(graph_engine *e, unsigned representative, npu_run *n) {
    unsigned taken = 0;

    for (; taken < n->arrivals && n->arrival[taken].cycle < n->account.now; taken++) {
        const uint32_t index = graph_inbox_take(&n->inbox, n->arrival[taken].label);

        if (index == GRAPH_NONE) continue;
        n->window.at[index].progress.awaits--;
        graph_advance(e, representative, n, index);
    }
    if (!taken) return;
    n->arrivals -= taken;
    memmove(n->arrival, n->arrival + taken, n->arrivals * sizeof *n->arrival);
}

/* ---- the driver ------------------------------------------------------------------------------ */

static void completed(void *self, unsigned representative, const ace_completion *c) {
    npu_run *n = &((graph_engine *)self)->npu[representative];

    if (n->completions == n->completion_room) {
        const unsigned room = n->completion_room ? 2 * n->completion_room : 16;
        ace_completion *at = realloc(n->completion, room * sizeof *at);

        if (!at) {
            (void)graph_no_memory(n);
            return;
        }
        n->completion = at;
        n->completion_room = room;
    }
    if (c->tag >= n->tags || n->tag[c->tag].index == GRAPH_NONE ||
        (n->completions && c->cycle < n->completion[n->completions - 1].cycle)) {
        fprintf(stderr, "acesim: NPU %u: the endpoint completed a command that was not issued\n",
                n->window.npu);
        n->failed = EXIT_CHECK;
    } else {
        n->completion[n->completions++] = *c;
    }
}

static void arrived(void *self, unsigned representative, const ace_arrival *a) {
    npu_run *n = &((graph_engine *)self)->npu[representative];
    void *at = n->arrival;

    if (graph_inbox_channel(a->label) >= n->inbox.channels) {
        fprintf(stderr, "acesim: NPU %u: a message arrived that no NPU has sent\n", n->window.npu);
        n->failed = EXIT_CHECK;
    } else if (!graph_room_for(&at, n->arrivals, &n->arrival_room, sizeof *n->arrival)) {
        (void)graph_no_memory(n);
    } else {
        n->arrival = at;
        n->arrival[n->arrivals++] = *a;
    }
}

/* Returns the next cycle in which something ends, as far as is known. */
static uint64_t next_end(const npu_run *n) {
    const unsigned share = graph_share_of(n);
    uint64_t next = n->completions ? n->completion[0].cycle + 1 : UINT64_MAX;

    if (n->arrivals && n->arrival[0].cycle + 1 < next) next = n->arrival[0].cycle + 1;

    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_progress *p = &n->window.at[n->timed[k]].progress;

        if (!p->rate[share]) continue;
        const uint64_t end = n->account.now + graph_needs(p->left, p->rate[share]);
        if (end < next) next = end;
    }
    return next;
}

/* Returns a lower bound on the cycles from the node's begin to the next submission. */
static uint64_t cycles_to_submission(const graph_engine *e, const npu *on, const graph_node *n) {
    if (e->source.has_exact_lookahead || !graph_is_timed(n) || !n->operations)
        return n->cycles_to_submission;
    return graph_operation_cycles_on(on, e->machine->cluster.clock_MHz,
                                     n->first_operation ? n->first_operation : &n->single, n->lane);
}

static void between(void *self) { graph_pool_serve(self); }

/* Returns the cycle in which the NPU may act next, as far as is known now. *react: the least number
 * of cycles from a completion to the NPU's next submission. */
static uint64_t next_action(const graph_engine *e, const npu_run *n, uint64_t *react) {
    const unsigned share = graph_share_of(n);
    const graph_window *w = &n->window;
    uint64_t wake = UINT64_MAX;

    *react = UINT64_MAX;
    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_progress *p = &w->at[n->timed[k]].progress;

        if (!p->rate[share]) { /* stalled: a completion may let it go on */
            const uint64_t least = graph_needs(p->left, NPU_RATE_ONE);
            if (least < *react) *react = least;
        } else { /* a lower bound: communication may end at once */
            const uint64_t end = n->account.now + graph_needs(p->left, p->rate[0]);
            if (end < wake) wake = end;
        }
    }
    for (uint32_t k = 0; k < w->front_count && *react; k++) {
        const uint64_t least = cycles_to_submission(e, n->on, &w->at[w->front[k]].node);
        if (least < *react) *react = least;
    }
    /* The end of a step lets the next step send at once. */
    if (n->stepping || n->due_count) *react = 0;
    /* A completion may free a slot, the agreed order or a sequence for which a node waits, or room
     * in the window for nodes that have not been read. Such a node may submit at once. */
    if ((n->open || n->posted) && !e->source.has_exact_lookahead &&
        (n->ready[LANE_COMMUNICATION].count || n->queued || n->gated_count ||
         (!w->ended && w->nodes == w->limit)))
        *react = 0;
    return wake;
}

static uint64_t act(void *self, unsigned representative, uint64_t now, uint64_t *react) {
    graph_engine *e = self;
    npu_run *n = &e->npu[representative];

    for (;;) {
        uint64_t next;

        resolve(e, representative, n, now);
        if (n->failed != EXIT_OK) break;
        next = next_end(n);
        if (next > now) break;
        graph_time_pass(n, next);
        take_completions(e, representative, n);
        take_arrivals(e, representative, n);
        finish_operations(e, representative, n);
    }
    if (n->failed != EXIT_OK) {
        *react = UINT64_MAX;
        return UINT64_MAX;
    }
    if (n->account.now < now && !n->ended) graph_time_pass(n, now);
    return next_action(e, n, react);
}

static bool finished(void *self, unsigned representative) {
    const npu_run *n = &((const graph_engine *)self)->npu[representative];

    return n->ended || n->failed != EXIT_OK;
}

static double progress(void *self) {
    const graph_engine *e = self;
    graph_account a = e->npu[0].account;

    a.finished = e->npu[0].window.finished_count;
    return e->source.progress ? e->source.progress(e->source.self, &a) : 0;
}

static void label(void *self, uint32_t number, char *to, size_t room) {
    const graph_engine *e = self;

    e->source.label(e->source.self, number, to, room);
}

static void state(void *self, ace_state *s) {
    graph_engine *e = self;

    for (unsigned i = 0; i < e->representatives && !s->failed; i++)
        if (e->npu[i].window.limit) graph_npu_state(e, &e->npu[i], s);
    graph_pool_state(e, s);
    if (e->source.state) e->source.state(e->source.self, s);
}

/* ---- a hang -------------------------------------------------------------------------------- */

/* Prints a node that waits for messages, and the first message that has not come. */
static void print_want(const graph_engine *e, const npu_run *n, const graph_want *w, FILE *to) {
    const graph_node *node = &n->window.at[w->index].node;
    graph_channel c;
    char what[64];

    if (!graph_messages_channel(e->source.messages, n->window.npu, w->channel, &c)) return;
    e->source.label(e->source.self, node->label, what, sizeof what);
    fprintf(to,
            "-- %s: node %" PRIu64 " (%s), NPU %u, waits for a message of NPU %u, tag %" PRIu64
            ", %" PRIu64 " bytes\n",
            n->window.reader.name, node->id, what, n->window.npu, c.from,
            node->kind == GRAPH_RECEIVE ? c.tag : 0, c.bytes);
}

/* Prints compute that is stalled, because communication submitted earlier uses all SMs, or all
 * memory bandwidth. */
static void print_stalled(const graph_engine *e, const npu_run *n, FILE *to) {
    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_window_entry *p = &n->window.at[n->timed[k]];
        char what[64];

        if (!p->progress.left || p->progress.rate[graph_share_of(n)] > 0) continue;
        e->source.label(e->source.self, p->node.label, what, sizeof what);
        fprintf(to,
                "-- %s: node %" PRIu64
                " (%s), NPU %u, stalled: endpoint %s reserves the whole NPU for communication, "
                "and a submitted collective has not completed\n",
                n->window.reader.name, p->node.id, what, n->window.npu,
                endpoint_name(e->machine->cluster.endpoint));
    }
}

/* Prints the messages and stalls that the NPU waits for. Returns true if that explains the hang.
 * Returns false if collectives are on the endpoint: then the node prints its own state, too. */
static bool print_waiting(void *self, unsigned representative, FILE *to) {
    const graph_engine *e = self;
    const npu_run *n = &e->npu[representative];
    unsigned shown = 0;

    print_stalled(e, n, to);

    for (uint32_t k = 0; k < n->inbox.channels && shown < 4; k++) {
        const uint32_t i = n->inbox.first[k];

        if (i == GRAPH_NONE) continue;
        print_want(e, n, &n->inbox.want[i], to);
        shown++;
    }
    if (shown)
        fprintf(to, "   NPU %u: %" PRIu64 " nodes finished, %u read and not finished%s\n",
                n->window.npu, n->window.finished_count, n->window.nodes,
                n->window.ended ? "" : ", others not read");
    if (!shown && graph_pool_print(e, n, to)) shown++;
    return shown && !n->submitted;
}

driver graph_engine_driver(graph_engine *e) {
    return (driver){ .self = e,
                     .completed = completed,
                     .arrived = arrived,
                     .act = act,
                     .between = between,
                     .finished = finished,
                     .progress = progress,
                     .label = label,
                     .state = state,
                     .waits = print_waiting };
}

/* ---- after the run --------------------------------------------------------------------------- */

int graph_engine_end(const graph_engine *e) {
    uint64_t rc = EXIT_OK;

    for (unsigned i = 0; i < e->representatives; i++)
        if ((uint64_t)e->npu[i].failed > rc) rc = (uint64_t)e->npu[i].failed;
    processes_maximum(&rc, 1);
    return (int)rc;
}

const spans *graph_engine_spans(const graph_engine *e, unsigned representative) {
    return &e->npu[representative].spans;
}

graph_account graph_engine_account(const graph_engine *e, unsigned representative) {
    graph_account a = e->npu[representative].account;

    a.finished = e->npu[representative].window.finished_count;
    return a;
}
