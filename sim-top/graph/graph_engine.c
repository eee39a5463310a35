/* SPDX-License-Identifier: Apache-2.0 */
/* graph_engine.c -- see graph_engine.h */
#include "graph_engine.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "exit_status.h"
#include "fabric_observer.h"
#include "graph_inbox.h"
#include "graph_map.h"
#include "graph_order.h"
#include "graph_queue.h"
#include "graph_window.h"
#include "message.h"
#include "processes.h"
#include "values.h"

/* A command under way. */
typedef struct issued {
    uint32_t place; /* GRAPH_NONE: the tag is free */
    uint64_t id;    /* of the node */
} issued;

/* A collective that has ended: its words are found again by the label. */
typedef struct ended {
    uint32_t label;
    uint64_t from, to;
} ended;

typedef struct npu_run {
    double speed;
    graph_account account;
    graph_window window;
    graph_queue ready[LANES];
    unsigned busy[LANES]; /* slots taken */
    uint32_t *timed;      /* places of what computes or moves, by lane, then as they began */
    unsigned timed_count, timed_room;
    issued *tag;
    unsigned tags;
    unsigned open;     /* collectives and sends under way */
    unsigned posted;   /* receives that wait */
    unsigned stepping; /* collectives under way that go by messages */
    unsigned handed;   /* collectives at the endpoint */
    graph_inbox inbox;
    ace_message *message; /* of the command that is made */
    unsigned message_room;
    uint32_t *due; /* places whose next step begins */
    unsigned dues, due_room;
    ace_arrival *came; /* arrivals that were not yet looked at, in order */
    unsigned comes, come_room;
    /* Where collectives go in order: the order, how many nodes of it were looked at, and of those the
     * collectives at the endpoint whose turn has not come, by id. */
    graph_order *order;
    uint64_t passed, turn; /* turn: collectives begun */
    uint64_t *turns;
    unsigned turn_first, turn_count, turn_room;
    /* By messages: of nodes that were looked at and have not begun, 1 + their place in their
     * sequence; and of each sequence, how many were looked at, and how many have begun. */
    graph_map ordinal, ordered, begun;
    uint32_t *gated; /* places that could begin, but for those before them in their sequence */
    unsigned gateds, gated_room;
    unsigned held;        /* that may begin but for their turn or a slot */
    ace_completion *over; /* completions that were not yet looked at, in order */
    unsigned overs, over_room;
    int failed; /* a status after a message, or EXIT_OK */
    bool ended;
    spans spans;
    uint32_t *span_label; /* of each span */
    size_t span_room;
} npu_run;

struct graph_engine {
    graph_maker maker;
    const run_fields *o;
    fabric *f;
    npu_share whole, share[GRAPH_SHARES]; /* of the compute lane: alone, and as it is */
    unsigned representatives;
    npu_run *npu; /* of each; empty where another process simulates it */
};

enum {
    TAGS = 65535, /* at a time: one is no tag (ace_command.tag) */
    /* Where there are messages, collectives at an endpoint at a time: a dispatcher that is full (of
     * 64) would keep the messages behind them that they may wait for. */
    HANDED = 48
};

/* Room for one more of `size` bytes. */
static bool room_for(void **at, unsigned count, unsigned *room, size_t size) {
    const unsigned more = *room ? 2 * *room : 16;
    void *to;

    if (count < *room) return true;
    to = realloc(*at, more * size);
    if (!to) return false;
    *at = to;
    *room = more;
    return true;
}

static int no_memory(npu_run *n) { return n->failed = message_no_memory(); }

/* ---- making -------------------------------------------------------------------------------- */

/* The graph is read a second time, ahead of what runs. */
static int open_order(const graph_engine *e, npu_run *n) {
    const graph_order_setup how = { .window = e->maker.window, .npu = n->window.npu };
    graph_reader r;
    int rc = e->maker.open(e->maker.self, n->window.npu, &r);

    if (rc == EXIT_OK) rc = graph_order_open(&r, &how, &n->order);
    return rc;
}

int graph_engine_create(const graph_maker *m, const run_fields *o, fabric *f, graph_engine **to) {
    graph_engine *e = calloc(1, sizeof *e);
    int rc = EXIT_OK;

    *to = NULL;
    if (!e) return message_no_memory();
    e->maker = *m;
    e->o = o;
    e->f = f;
    e->whole = npu_whole(&o->cluster.npu);
    for (unsigned i = 0; i < GRAPH_SHARES; i++) {
        const npu_share taken =
            i & 1 ? cluster_communication(&o->cluster) : cluster_reserved(&o->cluster);

        e->share[i] = o->contention ? npu_less(e->whole, taken) : e->whole;
        if (i & 2) e->share[i] = npu_less(e->share[i], GRAPH_BACKGROUND_SHARE);
    }
    e->representatives = fabric_representatives(f);
    e->npu = calloc(e->representatives, sizeof *e->npu);
    if (!e->npu) rc = message_no_memory();
    for (unsigned i = 0; rc == EXIT_OK && i < e->representatives; i++) {
        npu_run *n = &e->npu[i];
        graph_reader r;

        if (!fabric_here(f, i)) continue;
        n->speed = fabric_speed(f, i);
        rc = m->open(m->self, fabric_place(f, i), &r);
        if (rc != EXIT_OK) break;
        graph_window_open(&n->window, &r, m->window, fabric_place(f, i));
        if (m->in_order) rc = open_order(e, n);
        if (m->messages &&
            !graph_inbox_open(&n->inbox, graph_messages_channels(m->messages, n->window.npu)))
            rc = message_no_memory();
    }
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
        free(n->tag);
        graph_inbox_close(&n->inbox);
        free(n->message);
        free(n->due);
        free(n->turns);
        free(n->gated);
        graph_map_free(&n->ordinal);
        graph_map_free(&n->ordered);
        graph_map_free(&n->begun);
        free(n->came);
        free(n->over);
        free(n->spans.at);
        free(n->span_label);
    }
    free(e->npu);
    free(e);
}

/* ---- what an NPU computes ---------------------------------------------------------------- */

uint64_t graph_operation_cycles(const run_fields *o, const operation *op, graph_lane lane) {
    const npu *n = &o->cluster.npu;

    return npu_cycles(n, o->cluster.clock_MHz, op,
                      lane == LANE_BACKGROUND ? GRAPH_BACKGROUND_SHARE : npu_whole(n));
}

/* What takes an NPU of full speed `cycles` takes this one longer. */
static uint64_t paced(const npu_run *n, uint64_t cycles) {
    return (uint64_t)ceil((double)cycles / n->speed);
}

static bool computes(graph_lane lane) { return lane == LANE_COMPUTE || lane == LANE_BACKGROUND; }

/* What is taken of the NPU. */
static unsigned share_of(const npu_run *n) {
    return (n->open != 0) | (unsigned)(n->busy[LANE_BACKGROUND] != 0) << 1;
}

/* The cycles it needs at a rate above 0. */
static uint64_t needs(uint64_t left, uint32_t rate) { return (left + rate - 1) / rate; }

/* Starts the next operation of the node that takes time; false: there is none. */
static bool start_operation(graph_engine *e, npu_run *n, graph_place *p) {
    const graph_node *node = &p->node;
    const cluster *c = &e->o->cluster;

    for (; p->progress.operation < node->operations; p->progress.operation++) {
        const operation *o =
            node->first_operation ? &node->first_operation[p->progress.operation] : &node->single;
        const uint64_t alone = paced(n, graph_operation_cycles(e->o, o, node->lane));

        if (!alone) continue;
        p->progress.left = alone * NPU_RATE_ONE;
        for (unsigned i = 0; i < GRAPH_SHARES; i++)
            p->progress.rate[i] = node->lane == LANE_COMPUTE
                                      ? npu_rate(&c->npu, c->clock_MHz, o, e->whole, e->share[i])
                                      : NPU_RATE_ONE;
        if (node->lane == LANE_COMPUTE) n->account.alone += alone;
        return true;
    }
    return false;
}

/* All that takes time does so until cycle `to`; nothing ends before. */
static void pass_time(npu_run *n, uint64_t to) {
    const uint64_t cycles = to - n->account.now;
    const unsigned share = share_of(n);
    bool any = false;

    for (unsigned k = 0; k < n->timed_count; k++) {
        graph_place *p = &n->window.at[n->timed[k]];
        const uint64_t made = cycles * p->progress.rate[share];

        any = any || computes(p->node.lane);
        p->progress.left -= made < p->progress.left ? made : p->progress.left;
    }
    if (n->busy[LANE_COMPUTE]) n->account.compute_lane += cycles;
    if (any) n->account.computing += cycles;
    if (n->open || n->posted) n->account.communication += cycles;
    if ((n->open || n->posted) && !any) n->account.exposed += cycles;
    n->account.now = to;
}

/* ---- nodes begin and end --------------------------------------------------------------------- */

static void finish(npu_run *n, uint32_t place) {
    if (!graph_window_finish(&n->window, place)) (void)no_memory(n);
}

/* Behind those of its lane. */
static bool add_timed(npu_run *n, uint32_t place) {
    const graph_lane lane = n->window.at[place].node.lane;
    unsigned k = n->timed_count;

    if (n->timed_count == n->timed_room) {
        const unsigned room = n->timed_room ? 2 * n->timed_room : 4;
        uint32_t *at = realloc(n->timed, room * sizeof *at);

        if (!at) return false;
        n->timed = at;
        n->timed_room = room;
    }
    for (; k && n->window.at[n->timed[k - 1]].node.lane > lane; k--) n->timed[k] = n->timed[k - 1];
    n->timed[k] = place;
    n->timed_count++;
    return true;
}

static void begin_timed(graph_engine *e, npu_run *n, uint32_t place) {
    graph_place *p = &n->window.at[place];

    p->progress.operation = 0;
    p->progress.began = n->account.now;
    if (!start_operation(e, n, p)) {
        finish(n, place);
        return;
    }
    p->state = PLACE_RUNNING;
    n->busy[p->node.lane]++;
    if (!add_timed(n, place)) (void)no_memory(n);
}

/* The lowest free tag; GRAPH_NONE: there is none, or no memory. */
static uint32_t take_tag(npu_run *n) {
    unsigned i = 0;

    while (i < n->tags && n->tag[i].place != GRAPH_NONE) i++;
    if (i == TAGS) return GRAPH_NONE;
    if (i == n->tags) {
        issued *at = realloc(n->tag, (n->tags + 1) * sizeof *at);

        if (!at) return GRAPH_NONE;
        n->tag = at;
        n->tags++;
    }
    return i;
}

static int refused(npu_run *n, const graph_node *node, int rc) {
    fprintf(stderr,
            "acesim: %s: node %" PRIu64 " (%s), NPU %u: the endpoint refused its command: %s\n",
            n->window.reader.name, node->id, graph_kind_names[node->kind], n->window.npu,
            ace_strerror(rc));
    return n->failed = EXIT_CHECK;
}

/* Now: the node has run to there, and look_ahead() saw to it that no submission is later. */
static void submit(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                   ace_command c, uint64_t now) {
    graph_place *p = &n->window.at[place];
    const uint32_t tag = take_tag(n);
    int rc = ACE_ENOMEM;

    c.tag = (uint16_t)tag;
    if (tag != GRAPH_NONE)
        rc = n->account.now == now ? fabric_submit(e->f, representative, &c, now) : ACE_ETIME;
    if (rc != ACE_OK) {
        (void)refused(n, &p->node, rc);
        return;
    }
    n->tag[tag] = (issued){ .place = place, .id = p->node.id };
    p->progress.tag = (uint16_t)tag;
    p->progress.sending = true;
}

/* ---- the order of messages ------------------------------------------------------------------- */

/* Messages that must go one after the other, of a node in a step: the channel of one of them names
 * them all. */
static uint64_t sequence_of(const graph_engine *e, const npu_run *n, const graph_node *node,
                            unsigned step) {
    const uint64_t received = UINT64_C(1) << 63;
    const unsigned npu = n->window.npu;
    graph_channel c = { npu, node->peer, node->tag, node->command.bytes };
    bool sends = node->kind == GRAPH_SEND;

    if (graph_by_messages(node)) {
        const graph_step s = graph_step_of(node, step);

        sends = s.to == WHO_OTHERS;
        c = (graph_channel){ npu, graph_other(node, 0), graph_step_tag(node, step), s.bytes };
        if (!sends) c = (graph_channel){ node->member[0], npu, c.tag, c.bytes };
    } else if (!sends) {
        c = (graph_channel){ node->peer, npu, c.tag, c.bytes };
    }
    return (sends ? (uint64_t)c.to << 32 : received) | graph_messages_label(e->maker.messages, &c);
}

/* Is it one of those that go in order, in their turn? */
static bool takes_turns(const graph_engine *e, const graph_node *n) {
    return e->maker.in_order && n->kind == GRAPH_COLLECTIVE && !graph_by_messages(n);
}

/* The next node of the order is looked at, and given its place.  False: there is none. */
static bool look_at(const graph_engine *e, npu_run *n, graph_node *node) {
    const int more = n->order ? graph_order_next(n->order, node) : GRAPH_ORDER_END;
    void *turns = n->turns;
    uint64_t *in, *to;

    if (more < 0) n->failed = EXIT_USAGE; /* told */
    if (more <= 0) return false;
    n->passed++;
    if (takes_turns(e, node)) {
        if (n->turn_first == n->turn_count) n->turn_first = n->turn_count = 0;
        if (!room_for(&turns, n->turn_count, &n->turn_room, sizeof *n->turns))
            return no_memory(n), false;
        n->turns = turns;
        n->turns[n->turn_count++] = node->id;
        return true;
    }
    in = graph_map_at(&n->ordered, sequence_of(e, n, node, 0));
    to = graph_map_at(&n->ordinal, node->id);
    if (!in || !to) return no_memory(n), false;
    *to = ++*in;
    return true;
}

/* Which of its sequence a node is. */
static void find_ordinal(const graph_engine *e, npu_run *n, graph_place *p) {
    graph_node node;

    while (!graph_map_has(&n->ordinal, p->node.id))
        if (!look_at(e, n, &node))
            return; /* the check of the graphs has seen to it that it comes */
    p->progress.ordinal = *graph_map_at(&n->ordinal, p->node.id) - 1;
}

/* Have all before it in its sequence begun, in their present step? */
static bool gate_open(const graph_engine *e, npu_run *n, const graph_place *p) {
    const uint64_t *begun = graph_map_at(&n->begun, sequence_of(e, n, &p->node, p->progress.step));

    if (!begun) return no_memory(n), false;
    return *begun == p->progress.ordinal;
}

static void pass_gate(const graph_engine *e, npu_run *n, const graph_node *node, unsigned step) {
    uint64_t *begun = graph_map_at(&n->begun, sequence_of(e, n, node, step));

    if (begun)
        ++*begun;
    else
        (void)no_memory(n);
}

/* ---- messages -------------------------------------------------------------------------------- */

/* The k-th of a command. */
static bool put_message(const graph_engine *e, npu_run *n, unsigned k, const graph_channel *c) {
    void *at = n->message;

    if (!room_for(&at, k, &n->message_room, sizeof *n->message)) return false;
    n->message = at;
    n->message[k] = (ace_message){ .peer = c->to,
                                   .label = 2 * graph_messages_label(e->maker.messages, c),
                                   .bytes = c->bytes };
    return true;
}

static void want(const graph_engine *e, npu_run *n, uint32_t place, const graph_channel *c) {
    graph_place *p = &n->window.at[place];
    const graph_want w = { .channel = graph_messages_label(e->maker.messages, c),
                           .place = place,
                           .open = graph_messages_ways(e->maker.messages, c) == 2 ? 3 : 1,
                           .ordinal = p->progress.ordinal,
                           .node = p->node.id };
    const int waits = graph_inbox_want(&n->inbox, &w);

    if (waits < 0) (void)no_memory(n);
    p->progress.awaits += waits > 0;
}

static void send_messages(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                          unsigned count, uint64_t now) {
    submit(e, representative, n, place,
           (ace_command){ .kind = ACE_MESSAGES, .message = n->message, .messages = count }, now);
}

/* What it sends and what it waits for, in its present step. */
static void begin_step(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                       uint64_t now) {
    const graph_node *node = &n->window.at[place].node;
    const unsigned step = n->window.at[place].progress.step;
    const graph_step s = graph_step_of(node, step);
    unsigned sends = 0;
    bool ok = true;

    pass_gate(e, n, node, step);
    for (unsigned k = 0; ok && k + 1 < node->members; k++) {
        const unsigned npu = n->window.npu, other = graph_other(node, k);
        const graph_channel out = { npu, other, graph_step_tag(node, step), s.bytes };
        const graph_channel in = { other, npu, graph_step_tag(node, step), s.bytes };

        if (s.to == WHO_OTHERS) ok = put_message(e, n, sends++, &out);
        if (s.from == WHO_OTHERS || (s.from == WHO_FIRST && other == node->member[0]))
            want(e, n, place, &in);
    }
    if (!ok)
        (void)no_memory(n);
    else if (sends)
        send_messages(e, representative, n, place, sends, now);
}

static void push_due(npu_run *n, uint32_t place) {
    void *at = n->due;

    if (!room_for(&at, n->dues, &n->due_room, sizeof *n->due)) {
        (void)no_memory(n);
        return;
    }
    n->due = at;
    n->due[n->dues++] = place;
}

static void begin_sum(const graph_engine *e, npu_run *n, uint32_t place, uint64_t bytes) {
    graph_place *p = &n->window.at[place];
    const double rate = e->maker.sum_bytes, alone = rate > 0 ? ceil((double)bytes / rate) : 0;

    p->progress.summing = true;
    p->progress.left = paced(n, (uint64_t)alone) * NPU_RATE_ONE;
    for (unsigned i = 0; i < GRAPH_SHARES; i++) p->progress.rate[i] = NPU_RATE_ONE;
    if (!add_timed(n, place)) (void)no_memory(n);
}

static void end_communication(graph_engine *e, unsigned representative, npu_run *n, uint32_t place);

/* All of a step but its sum is over, or that, too. */
static void end_step(graph_engine *e, unsigned representative, npu_run *n, uint32_t place) {
    graph_place *p = &n->window.at[place];
    const graph_step s = graph_step_of(&p->node, p->progress.step);

    if (s.sum_bytes && !p->progress.summing) {
        begin_sum(e, n, place, s.sum_bytes);
        return;
    }
    p->progress.summing = false;
    if (++p->progress.step < graph_steps(&p->node))
        push_due(n, place);
    else
        end_communication(e, representative, n, place);
}

/* A command of the node has completed, or a message that it waits for has come: is that all? */
static void advance(graph_engine *e, unsigned representative, npu_run *n, uint32_t place) {
    const graph_place *p = &n->window.at[place];

    if (p->progress.sending || p->progress.awaits || n->failed != EXIT_OK) return;
    if (graph_by_messages(&p->node))
        end_step(e, representative, n, place);
    else
        end_communication(e, representative, n, place);
}

/* ---- collectives, sends and receives ------------------------------------------------------- */

/* Counts it as under way, or no more. */
static void count_open(npu_run *n, const graph_node *node, bool begins) {
    const unsigned one = begins ? 1 : ~0U;

    if (node->kind == GRAPH_RECEIVE) {
        n->posted += one;
        return;
    }
    n->busy[LANE_COMMUNICATION] += one;
    n->open += one;
    if (graph_by_messages(node))
        n->stepping += one;
    else if (node->kind == GRAPH_COLLECTIVE)
        n->handed += one;
}

static void begin_command(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                          uint64_t now) {
    graph_place *p = &n->window.at[place];
    const graph_node *node = &p->node;
    const graph_channel out = { n->window.npu, node->peer, node->tag, node->command.bytes };
    const graph_channel in = { node->peer, n->window.npu, node->tag, node->command.bytes };

    p->progress.began = n->account.now;
    p->state = PLACE_RUNNING;
    count_open(n, node, true);
    if (!takes_turns(e, node) && e->maker.messages) (void)graph_map_take(&n->ordinal, node->id);
    if (node->kind == GRAPH_RECEIVE) {
        want(e, n, place, &in);
    } else if (graph_by_messages(node)) {
        begin_step(e, representative, n, place, now);
    } else if (node->kind == GRAPH_SEND) {
        pass_gate(e, n, node, 0);
        if (put_message(e, n, 0, &out))
            send_messages(e, representative, n, place, 1, now);
        else
            (void)no_memory(n);
    } else {
        submit(e, representative, n, place, node->command, now);
    }
    graph_window_sent(&n->window, place);
    advance(e, representative, n, place);
}

static bool is_timed(const graph_node *n) {
    return n->kind == GRAPH_COMPUTE || n->kind == GRAPH_MEMORY;
}

static bool has_slot(const graph_engine *e, const npu_run *n, graph_lane lane) {
    const unsigned slots = lane == LANE_COMMUNICATION ? e->maker.slots : 1;

    return !slots || n->busy[lane] < slots;
}

/* For a collective at the endpoint. */
static bool has_turn(const graph_engine *e, const npu_run *n) {
    return has_slot(e, n, LANE_COMMUNICATION) && (!e->maker.messages || n->handed < HANDED);
}

/* Is there a collective whose turn it is?  Its id. */
static bool next_turn(const graph_engine *e, npu_run *n, uint64_t *id) {
    graph_node node;

    while (n->turn_first == n->turn_count)
        if (!look_at(e, n, &node)) return false;
    *id = n->turns[n->turn_first];
    return true;
}

/* Those that may begin take their place in a queue; marks are reached.  True: there was one. */
static bool take_ready(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (uint32_t i; (i = graph_window_ready(&n->window)) != GRAPH_NONE; any = true) {
        const graph_place *p = &n->window.at[i];

        if (p->node.kind == GRAPH_MARK) {
            const uint32_t label = p->node.label;

            finish(n, i);
            n->account.finished = n->window.over;
            if (e->maker.marked) e->maker.marked(e->maker.self, representative, label, &n->account);
        } else if (takes_turns(e, &p->node)) {
            n->held++;
        } else if (p->node.kind == GRAPH_RECEIVE) {
            find_ordinal(e, n, &n->window.at[i]);
            begin_command(e, representative, n, i, now);
        } else if (!graph_queue_put(&n->ready[p->node.lane],
                                    (graph_entry){ p->node.id, p->node.priority, i })) {
            (void)no_memory(n);
        }
    }
    return any;
}

/* Those whose turn it is begin. */
static bool take_turns(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;
    uint64_t id;

    while (n->failed == EXIT_OK && n->held && has_turn(e, n) && next_turn(e, n, &id)) {
        const uint32_t i = graph_window_find(&n->window, id);

        if (i == GRAPH_NONE || n->window.at[i].state != PLACE_READY) break;
        begin_command(e, representative, n, i, now);
        n->held--;
        n->turn++;
        n->turn_first++;
        any = true;
    }
    return any;
}

/* Steps begin behind others. */
static bool take_due(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (unsigned k = 0; k < n->dues && n->failed == EXIT_OK;) {
        const uint32_t place = n->due[k];

        if (!gate_open(e, n, &n->window.at[place])) {
            k++;
            continue;
        }
        n->due[k] = n->due[--n->dues];
        begin_step(e, representative, n, place, now);
        advance(e, representative, n, place);
        any = true;
    }
    return any;
}

/* Of a lane of communication: it begins, or waits for those before it in its sequence. */
static void begin_in_sequence(graph_engine *e, unsigned representative, npu_run *n, uint32_t place,
                              uint64_t now) {
    const bool sequence = e->maker.messages && !takes_turns(e, &n->window.at[place].node);
    void *gated = n->gated;

    if (sequence) find_ordinal(e, n, &n->window.at[place]);
    if (!sequence || gate_open(e, n, &n->window.at[place])) {
        begin_command(e, representative, n, place, now);
        return;
    }
    if (!room_for(&gated, n->gateds, &n->gated_room, sizeof *n->gated)) {
        (void)no_memory(n);
        return;
    }
    n->gated = gated;
    n->gated[n->gateds++] = place;
}

/* Those before them in their sequences have begun. */
static bool take_gated(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = false;

    for (unsigned k = 0; k < n->gateds && n->failed == EXIT_OK;) {
        const uint32_t place = n->gated[k];

        if (!has_slot(e, n, LANE_COMMUNICATION) || !gate_open(e, n, &n->window.at[place])) {
            k++;
            continue;
        }
        n->gated[k] = n->gated[--n->gateds];
        begin_command(e, representative, n, place, now);
        any = true;
    }
    return any;
}

/* In the present cycle all that can begin does, and what that brings about. */
static void settle(graph_engine *e, unsigned representative, npu_run *n, uint64_t now) {
    bool any = true;

    while (any && n->failed == EXIT_OK) {
        const int rc = graph_window_fill(&n->window);

        if (rc != EXIT_OK) n->failed = rc;
        any = take_ready(e, representative, n, now);
        any = take_turns(e, representative, n, now) || any;
        any = take_due(e, representative, n, now) || any;
        any = take_gated(e, representative, n, now) || any;
        for (graph_lane l = 0; l < LANES && n->failed == EXIT_OK; l++)
            while (n->failed == EXIT_OK && n->ready[l].count && has_slot(e, n, l)) {
                const uint32_t i = graph_queue_take(&n->ready[l]);

                if (is_timed(&n->window.at[i].node))
                    begin_timed(e, n, i);
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
        graph_place *p = &n->window.at[i];

        if (!p->progress.left) p->progress.operation++;
        if (p->progress.left || (is_timed(&p->node) && start_operation(e, n, p))) {
            n->timed[kept++] = i;
            continue;
        }
        if (!is_timed(&p->node)) { /* a sum */
            end_step(e, representative, n, i);
            continue;
        }
        n->busy[p->node.lane]--;
        fabric_tell(
            e->f, representative,
            &(driver_work){ .kind = p->node.lane == LANE_COMPUTE ? WORK_COMPUTE : WORK_BACKGROUND,
                            .label = p->node.label,
                            .from = p->progress.began,
                            .to = n->account.now });
        finish(n, i);
    }
    n->timed_count = kept;
}

static void keep_span(const graph_engine *e, npu_run *n, const ended *c) {
    graph_words w;

    if (!e->maker.spans) return;
    w = e->maker.words(e->maker.self, c->label);
    if (n->spans.count == n->span_room) {
        const size_t room = n->span_room ? 2 * n->span_room : 64;
        uint32_t *at = realloc(n->span_label, room * sizeof *at);

        if (!at) return; /* what is drawn misses it */
        n->span_label = at;
        n->span_room = room;
    }
    n->span_label[n->spans.count] = c->label;
    (void)spans_add(&n->spans,
                    (span){ .what = w.what, .name = w.name, .from = c->from, .to = c->to });
}

static void end_communication(graph_engine *e, unsigned representative, npu_run *n,
                              uint32_t place) {
    const graph_place *p = &n->window.at[place];

    count_open(n, &p->node, false);
    fabric_tell(e->f, representative,
                &(driver_work){ .kind = WORK_COLLECTIVE,
                                .label = p->node.label,
                                .id = p->node.work,
                                .from = p->progress.began,
                                .to = n->account.now });
    keep_span(e, n, &(ended){ p->node.label, p->progress.began, n->account.now });
    finish(n, place);
}

/* What the fabric has completed by now. */
static void take_completions(graph_engine *e, unsigned representative, npu_run *n) {
    unsigned taken = 0;

    for (; taken < n->overs && n->over[taken].cycle < n->account.now; taken++) {
        issued *t = &n->tag[n->over[taken].tag];
        const uint32_t place = t->place;

        t->place = GRAPH_NONE;
        n->window.at[place].progress.sending = false;
        advance(e, representative, n, place);
    }
    if (!taken) return;
    n->overs -= taken;
    memmove(n->over, n->over + taken, n->overs * sizeof *n->over);
}

/* The messages that have come by now. */
static void take_arrivals(graph_engine *e, unsigned representative, npu_run *n) {
    unsigned taken = 0;

    for (; taken < n->comes && n->came[taken].cycle < n->account.now; taken++) {
        const uint32_t place = graph_inbox_take(&n->inbox, n->came[taken].label);

        if (place == GRAPH_NONE) continue;
        n->window.at[place].progress.awaits--;
        advance(e, representative, n, place);
    }
    if (!taken) return;
    n->comes -= taken;
    memmove(n->came, n->came + taken, n->comes * sizeof *n->came);
}

/* ---- the driver ------------------------------------------------------------------------------ */

static void completed(void *self, unsigned representative, const ace_completion *c) {
    npu_run *n = &((graph_engine *)self)->npu[representative];

    if (n->overs == n->over_room) {
        const unsigned room = n->over_room ? 2 * n->over_room : 16;
        ace_completion *at = realloc(n->over, room * sizeof *at);

        if (!at) {
            (void)no_memory(n);
            return;
        }
        n->over = at;
        n->over_room = room;
    }
    if (c->tag >= n->tags || n->tag[c->tag].place == GRAPH_NONE ||
        (n->overs && c->cycle < n->over[n->overs - 1].cycle)) {
        fprintf(stderr, "acesim: NPU %u: the endpoint completed a command that was not issued\n",
                n->window.npu);
        n->failed = EXIT_CHECK;
    } else {
        n->over[n->overs++] = *c;
    }
}

static void arrived(void *self, unsigned representative, const ace_arrival *a) {
    npu_run *n = &((graph_engine *)self)->npu[representative];
    void *at = n->came;

    if (a->label / 2 >= n->inbox.channels) {
        fprintf(stderr, "acesim: NPU %u: a message came that nobody has sent\n", n->window.npu);
        n->failed = EXIT_CHECK;
    } else if (!room_for(&at, n->comes, &n->come_room, sizeof *n->came)) {
        (void)no_memory(n);
    } else {
        n->came = at;
        n->came[n->comes++] = *a;
    }
}

/* The next cycle in which something ends, as far as is known. */
static uint64_t next_end(const npu_run *n) {
    const unsigned share = share_of(n);
    uint64_t next = n->overs ? n->over[0].cycle + 1 : UINT64_MAX;

    if (n->comes && n->came[0].cycle + 1 < next) next = n->came[0].cycle + 1;

    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_progress *p = &n->window.at[n->timed[k]].progress;

        if (!p->rate[share]) continue;
        const uint64_t end = n->account.now + needs(p->left, p->rate[share]);
        if (end < next) next = end;
    }
    return next;
}

/* How soon after it has begun a node may have something submitted. */
static uint64_t ahead(const graph_engine *e, const graph_node *n) {
    if (e->maker.looks_ahead || !is_timed(n) || !n->operations) return n->ahead;
    return graph_operation_cycles(e->o, n->first_operation ? n->first_operation : &n->single,
                                  n->lane);
}

/* As far as is known from the present cycle on: when the NPU may act, and how soon after a
 * completion. */
static uint64_t look_ahead(const graph_engine *e, const npu_run *n, uint64_t *react) {
    const unsigned share = share_of(n);
    const graph_window *w = &n->window;
    uint64_t wake = UINT64_MAX;

    *react = UINT64_MAX;
    for (unsigned k = 0; k < n->timed_count; k++) {
        const graph_progress *p = &w->at[n->timed[k]].progress;

        if (!p->rate[share]) {
            const uint64_t least = needs(p->left, NPU_RATE_ONE);
            if (least < *react) *react = least;
        } else { /* no sooner than this, even if the communication ends at once */
            const uint64_t end = n->account.now + needs(p->left, p->rate[0]);
            if (end < wake) wake = end;
        }
    }
    for (uint32_t k = 0; k < w->front_count && *react; k++) {
        const uint64_t least = ahead(e, &w->at[w->front[k]].node);
        if (least < *react) *react = least;
    }
    if (n->stepping || n->dues) *react = 0;
    if ((n->open || n->posted) && !e->maker.looks_ahead &&
        (n->ready[LANE_COMMUNICATION].count || n->held || n->gateds ||
         (!w->ended && w->nodes == w->limit)))
        *react = 0;
    return wake;
}

static uint64_t act(void *self, unsigned representative, uint64_t now, uint64_t *react) {
    graph_engine *e = self;
    npu_run *n = &e->npu[representative];

    for (;;) {
        uint64_t next;

        settle(e, representative, n, now);
        if (n->failed != EXIT_OK) break;
        next = next_end(n);
        if (next > now) break;
        pass_time(n, next);
        take_completions(e, representative, n);
        take_arrivals(e, representative, n);
        finish_operations(e, representative, n);
    }
    if (n->failed != EXIT_OK) {
        *react = UINT64_MAX;
        return UINT64_MAX;
    }
    if (n->account.now < now && !n->ended) pass_time(n, now);
    return look_ahead(e, n, react);
}

static bool finished(void *self, unsigned representative) {
    const npu_run *n = &((const graph_engine *)self)->npu[representative];

    return n->ended || n->failed != EXIT_OK;
}

static double progress(void *self) {
    const graph_engine *e = self;
    graph_account a = e->npu[0].account;

    a.finished = e->npu[0].window.over;
    return e->maker.progress ? e->maker.progress(e->maker.self, &a) : 0;
}

static void label(void *self, uint32_t number, char *to, size_t room) {
    const graph_engine *e = self;

    e->maker.label(e->maker.self, number, to, room);
}

/* ---- a checkpoint ---------------------------------------------------------------------------- */

/* Words are found by their label. */
static void spans_state(const graph_engine *e, npu_run *n, ace_state *s) {
    uint64_t count = n->spans.count;

    ACE_STATE(s, count);
    if (s->loading) n->spans.count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        ended one = { 0 };

        if (!s->loading) one = (ended){ n->span_label[i], n->spans.at[i].from, n->spans.at[i].to };
        ACE_STATE(s, one);
        if (s->loading && !s->failed) keep_span(e, n, &one);
    }
}

/* Room for `count` of `size` bytes at *at, which is filled or read. */
static void array_state(void **at, size_t count, size_t size, ace_state *s) {
    if (s->loading) {
        free(*at);
        *at = count ? malloc(count * size) : NULL;
        if (count && !*at) s->failed = true;
    }
    if (!s->failed) ace_state_bytes(s, *at, count * size);
}

/* Of a collective by messages: its next step has not begun. */
static bool is_due(const graph_place *p) {
    return graph_by_messages(&p->node) && p->state == PLACE_RUNNING && !p->progress.sending &&
           !p->progress.awaits && !p->progress.summing;
}

/* From the states of the places: who is ready, who takes time. */
static bool find_places(graph_engine *e, npu_run *n) {
    graph_window *w = &n->window;

    for (unsigned l = 0; l < LANES; l++) n->ready[l].count = n->busy[l] = 0;
    n->timed_count = n->open = n->posted = n->stepping = n->handed = n->held = n->dues = 0;
    n->gateds = 0;
    for (uint32_t i = 0; i < w->room; i++) {
        const graph_place *p = &w->at[i];
        bool ok = true;

        if (p->state == PLACE_RUNNING) {
            if (is_timed(&p->node))
                n->busy[p->node.lane]++;
            else
                count_open(n, &p->node, true);
            if (is_timed(&p->node) || p->progress.summing) ok = add_timed(n, i);
            if (is_due(p)) push_due(n, i);
            if (!is_timed(&p->node) && p->progress.sending) {
                if (p->progress.tag >= n->tags) return false;
                n->tag[p->progress.tag].place = i;
            }
        } else if (p->state == PLACE_READY) {
            if (takes_turns(e, &p->node))
                n->held++;
            else
                ok = graph_queue_put(&n->ready[p->node.lane],
                                     (graph_entry){ p->node.id, p->node.priority, i });
        }
        if (!ok) return false;
    }
    return true;
}

/* Who waits for messages is found by its node. */
static bool find_wants(npu_run *n) {
    for (uint32_t i = 0; i < n->inbox.wants; i++) {
        n->inbox.want[i].place = graph_window_find(&n->window, n->inbox.want[i].node);
        if (n->inbox.want[i].place == GRAPH_NONE) return false;
    }
    return true;
}

/* A node that was looked at has begun: so have its steps. */
static void begin_again(const graph_engine *e, npu_run *n, const graph_node *node) {
    const uint32_t i = graph_window_find(&n->window, node->id);
    unsigned steps = graph_by_messages(node) ? graph_steps(node) : 1;

    if (i != GRAPH_NONE && n->window.at[i].state != PLACE_RUNNING) return;
    if (i == GRAPH_NONE && !graph_ids_have(&n->window.finished, node->id)) return; /* not read */
    if (i != GRAPH_NONE && graph_by_messages(node))
        steps = n->window.at[i].progress.step + !is_due(&n->window.at[i]);
    (void)graph_map_take(&n->ordinal, node->id);
    for (unsigned k = 0; k < steps && node->kind != GRAPH_RECEIVE; k++) pass_gate(e, n, node, k);
}

/* As far on in the order as it had been looked at. */
static bool find_turn(const graph_engine *e, npu_run *n, uint64_t passed) {
    graph_node node;

    if (!n->order) return true;
    if (graph_order_rewind(n->order) != EXIT_OK) return false;
    graph_map_free(&n->ordinal);
    graph_map_free(&n->ordered);
    graph_map_free(&n->begun);
    n->turn_first = n->turn_count = 0;
    n->passed = 0;
    while (n->passed < passed && look_at(e, n, &node))
        if (!takes_turns(e, &node)) begin_again(e, n, &node);
    n->turn_first = (unsigned)n->turn;
    return n->failed == EXIT_OK && n->turn <= n->turn_count;
}

static void npu_state(graph_engine *e, npu_run *n, ace_state *s) {
    void *tag = n->tag, *over = n->over, *came = n->came;
    uint64_t passed = n->passed;

    ACE_STATE(s, n->account);
    ACE_STATE(s, n->tags);
    ACE_STATE(s, n->turn);
    ACE_STATE(s, passed);
    ACE_STATE(s, n->overs);
    ACE_STATE(s, n->ended);
    array_state(&tag, n->tags, sizeof *n->tag, s);
    array_state(&over, n->overs, sizeof *n->over, s);
    ACE_STATE(s, n->comes);
    array_state(&came, n->comes, sizeof *n->came, s);
    n->tag = tag;
    n->over = over;
    n->came = came;
    if (s->loading) n->over_room = n->overs;
    if (s->loading) n->come_room = n->comes;
    if (s->failed) return;
    graph_window_state(&n->window, s);
    spans_state(e, n, s);
    if (e->maker.messages) graph_inbox_state(&n->inbox, s);
    if (!s->loading || s->failed) return;
    for (unsigned i = 0; i < n->tags; i++) n->tag[i].place = GRAPH_NONE;
    s->failed = !find_places(e, n) || !find_wants(n) || !find_turn(e, n, passed);
}

static void state(void *self, ace_state *s) {
    graph_engine *e = self;

    for (unsigned i = 0; i < e->representatives && !s->failed; i++)
        if (e->npu[i].window.limit) npu_state(e, &e->npu[i], s);
    if (e->maker.state) e->maker.state(e->maker.self, s);
}

/* ---- a hang -------------------------------------------------------------------------------- */

/* A node that waits for messages, and the first of them that has not come. */
static void tell_want(const graph_engine *e, const npu_run *n, const graph_want *w, FILE *to) {
    const graph_node *node = &n->window.at[w->place].node;
    graph_channel c;
    char what[64];

    if (!graph_messages_channel(e->maker.messages, n->window.npu, w->channel, &c)) return;
    e->maker.label(e->maker.self, node->label, what, sizeof what);
    fprintf(to,
            "-- %s: node %" PRIu64 " (%s), NPU %u, waits for a message of NPU %u, tag %" PRIu64
            ", %" PRIu64 " bytes\n",
            n->window.reader.name, node->id, what, n->window.npu, c.from,
            node->kind == GRAPH_RECEIVE ? c.tag : 0, c.bytes);
}

static bool waits(void *self, unsigned representative, FILE *to) {
    const graph_engine *e = self;
    const npu_run *n = &e->npu[representative];
    unsigned shown = 0;

    for (uint32_t k = 0; k < n->inbox.channels && shown < 4; k++) {
        const uint32_t i = n->inbox.first[k];

        if (i == GRAPH_NONE) continue;
        tell_want(e, n, &n->inbox.want[i], to);
        shown++;
    }
    if (shown)
        fprintf(to, "   NPU %u: %" PRIu64 " nodes finished, %u read and not finished%s\n",
                n->window.npu, n->window.over, n->window.nodes,
                n->window.ended ? "" : ", others not read");
    return shown && !n->handed;
}

driver graph_engine_driver(graph_engine *e) {
    return (driver){ .self = e,
                     .completed = completed,
                     .arrived = arrived,
                     .act = act,
                     .finished = finished,
                     .progress = progress,
                     .label = label,
                     .state = state,
                     .waits = waits };
}

/* ---- afterwards ----------------------------------------------------------------------------- */

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

    a.finished = e->npu[representative].window.over;
    return a;
}
