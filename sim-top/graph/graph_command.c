/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_command.c -- begins a node's command, and takes it from step to step to its end
 *
 * A submitted node has a tag, and its completion returns the tag. A step of a collective by
 * messages begins with one command for all its sends and one entry in the inbox for each receive.
 * When both are finished, a sum may take time. Then the next step begins, or the node ends. A
 * collective cut into parts occupies one slot of its lane.
 */
#include "graph_command.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "exit_status.h"
#include "graph_sequence.h"
#include "graph_time.h"

enum { TAGS = 65535 }; /* commands at a time: one value means no tag (ace_command.tag) */

/* Returns the lowest free tag; GRAPH_NONE when there is none, or no memory. */
static uint32_t take_tag(npu_run *n) {
    unsigned i = 0;

    while (i < n->tags && n->tag[i].index != GRAPH_NONE) i++;
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

/* Submits a command now. The NPU has run to `now`, and next_action() made sure that no submission
 * comes later than its cycle. */
static void submit(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                   ace_command c, uint64_t now) {
    graph_window_entry *p = &n->window.at[index];
    const uint32_t tag = take_tag(n);
    int rc = ACE_ENOMEM;

    c.tag = (uint16_t)tag;
    if (tag != GRAPH_NONE)
        rc = n->account.now == now ? fabric_submit(e->f, representative, &c, now) : ACE_ETIME;
    if (rc != ACE_OK) {
        (void)refused(n, &p->node, rc);
        return;
    }
    n->tag[tag] = (issued){ .index = index, .id = p->node.id };
    p->progress.tag = (uint16_t)tag;
    p->progress.sending = true;
}

/* Adds the k-th message of a command. */
static bool put_message(const graph_engine *e, npu_run *n, unsigned k, const graph_channel *c) {
    void *at = n->message;

    if (!graph_room_for(&at, k, &n->message_room, sizeof *n->message)) return false;
    n->message = at;
    n->message[k] = (ace_message){ .peer = c->to,
                                   .label = 2 * graph_messages_label(e->source.messages, c),
                                   .bytes = c->bytes };
    return true;
}

static void want(const graph_engine *e, npu_run *n, uint32_t index, const graph_channel *c) {
    graph_window_entry *p = &n->window.at[index];
    const graph_want w = { .channel = graph_messages_label(e->source.messages, c),
                           .index = index,
                           .open = graph_messages_routes(e->source.messages, c) == 2 ? 3 : 1,
                           .ordinal = p->progress.ordinal,
                           .node = p->node.id };
    const int waits = graph_inbox_want(&n->inbox, &w);

    if (waits < 0) (void)graph_no_memory(n);
    p->progress.awaits += waits > 0;
}

static void send_messages(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                          unsigned count, uint64_t now) {
    submit(e, representative, n, index,
           (ace_command){ .kind = ACE_MESSAGES, .message = n->message, .messages = count }, now);
}

void graph_due_push(npu_run *n, uint32_t index) {
    void *at = n->due;

    if (!graph_room_for(&at, n->due_count, &n->due_room, sizeof *n->due)) {
        (void)graph_no_memory(n);
        return;
    }
    n->due = at;
    n->due[n->due_count++] = index;
}

/* Returns the index of a part's collective among those that have begun, or their number if it has
 * not. */
static unsigned find_cut(const npu_run *n, const graph_node *node) {
    unsigned i = 0;

    while (i < n->cuts && n->cut[i].first != node->id - node->part) i++;
    return i;
}

bool graph_part_held(const npu_run *n, const graph_node *node) {
    return node->parts && find_cut(n, node) < n->cuts;
}

/* Takes the slot of a part's collective. The first part that begins takes the slot for all. */
static cut *keep_cut(npu_run *n, const graph_node *node) {
    const uint64_t first = node->id - node->part;
    const unsigned i = find_cut(n, node);
    void *at = n->cut;

    if (i < n->cuts) return &n->cut[i];
    if (!graph_room_for(&at, n->cuts, &n->cut_room, sizeof *n->cut)) {
        (void)graph_no_memory(n);
        return NULL;
    }
    n->cut = at;
    n->cut[n->cuts++] = (cut){ first, node->parts };
    for (unsigned k = 0; k < node->parts; k++)
        n->cut[i].left -= graph_ids_have(&n->window.finished, first + k);
    n->busy[LANE_COMMUNICATION]++;
    return &n->cut[i];
}

static void count_part(npu_run *n, const graph_node *node, bool begins) {
    cut *c = keep_cut(n, node);

    if (begins || !c || --c->left) return;
    *c = n->cut[--n->cuts];
    n->busy[LANE_COMMUNICATION]--;
}

void graph_part_resume(npu_run *n, const graph_node *node) {
    bool begun = false;

    for (unsigned k = 0; k < node->parts; k++)
        begun = begun || graph_ids_have(&n->window.finished, node->id - node->part + k);
    if (begun) (void)keep_cut(n, node);
}

void graph_open_count(npu_run *n, const graph_node *node, bool begins) {
    const unsigned one = begins ? 1 : ~0U;

    if (node->kind == GRAPH_RECEIVE) {
        n->posted += one;
        return;
    }
    if (node->parts)
        count_part(n, node, begins);
    else
        n->busy[LANE_COMMUNICATION] += one;
    n->open += one;
    if (graph_by_messages(node))
        n->stepping += one;
    else if (node->kind == GRAPH_COLLECTIVE)
        n->submitted += one;
}

void graph_span_keep(const graph_engine *e, npu_run *n, const ended *c) {
    graph_names w;

    if (!e->source.spans) return;
    w = e->source.names(e->source.self, c->label);
    if (n->spans.count == n->span_room) {
        const size_t room = n->span_room ? 2 * n->span_room : 64;
        uint32_t *at = realloc(n->span_label, room * sizeof *at);

        if (!at) return; /* no memory: the span is missing in the picture */
        n->span_label = at;
        n->span_room = room;
    }
    n->span_label[n->spans.count] = c->label;
    (void)spans_add(&n->spans,
                    (span){ .what = w.what, .name = w.name, .from = c->from, .to = c->to });
}

static void end_communication(graph_engine *e, unsigned representative, npu_run *n,
                              uint32_t index) {
    const graph_window_entry *p = &n->window.at[index];

    graph_open_count(n, &p->node, false);
    fabric_notify_work(e->f, representative,
                       &(driver_work){ .kind = WORK_COLLECTIVE,
                                       .label = p->node.label,
                                       .id = p->node.work,
                                       .from = p->progress.began,
                                       .to = n->account.now });
    graph_span_keep(e, n, &(ended){ p->node.label, p->progress.began, n->account.now });
    graph_finish(n, index);
}

static void begin_sum(const graph_engine *e, npu_run *n, uint32_t index, uint64_t bytes) {
    graph_window_entry *p = &n->window.at[index];
    const double rate = e->source.sum_bytes, alone = rate > 0 ? ceil((double)bytes / rate) : 0;

    p->progress.summing = true;
    p->progress.left = graph_paced(n, (uint64_t)alone) * NPU_RATE_ONE;
    for (unsigned i = 0; i < GRAPH_SHARES; i++) p->progress.rate[i] = NPU_RATE_ONE;
    if (!graph_timed_add(n, index)) (void)graph_no_memory(n);
}

void graph_step_end(graph_engine *e, unsigned representative, npu_run *n, uint32_t index) {
    graph_window_entry *p = &n->window.at[index];
    const graph_step s = graph_step_of(&p->node, p->progress.step);

    if (s.sum_bytes && !p->progress.summing) {
        begin_sum(e, n, index, s.sum_bytes);
        return;
    }
    p->progress.summing = false;
    if (++p->progress.step < graph_steps(&p->node))
        graph_due_push(n, index);
    else
        end_communication(e, representative, n, index);
}

void graph_advance(graph_engine *e, unsigned representative, npu_run *n, uint32_t index) {
    const graph_window_entry *p = &n->window.at[index];

    if (p->progress.sending || p->progress.awaits || n->failed != EXIT_OK) return;
    if (graph_by_messages(&p->node))
        graph_step_end(e, representative, n, index);
    else
        end_communication(e, representative, n, index);
}

void graph_step_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                      uint64_t now) {
    const graph_node *node = &n->window.at[index].node;
    const unsigned step = n->window.at[index].progress.step;
    const graph_step s = graph_step_of(node, step);
    unsigned sends = 0;
    bool ok = true;

    graph_gate_pass(e, n, node, step);
    for (unsigned k = 0; ok && k + 1 < node->members; k++) {
        const unsigned npu = n->window.npu, other = graph_other(node, k);
        const graph_channel out = { npu, other, graph_step_tag(node, step), s.bytes };
        const graph_channel in = { other, npu, graph_step_tag(node, step), s.bytes };

        if (s.to == WHO_OTHERS) ok = put_message(e, n, sends++, &out);
        if (s.from == WHO_OTHERS || (s.from == WHO_FIRST && other == node->member[0]))
            want(e, n, index, &in);
    }
    if (!ok)
        (void)graph_no_memory(n);
    else if (sends)
        send_messages(e, representative, n, index, sends, now);
}

void graph_command_begin(graph_engine *e, unsigned representative, npu_run *n, uint32_t index,
                         uint64_t now) {
    graph_window_entry *p = &n->window.at[index];
    const graph_node *node = &p->node;
    const graph_channel out = { n->window.npu, node->peer, node->tag, node->command.bytes };
    const graph_channel in = { node->peer, n->window.npu, node->tag, node->command.bytes };

    p->progress.began = n->account.now;
    p->state = ENTRY_RUNNING;
    if (node->kind == GRAPH_COLLECTIVE) (void)graph_launch(e, n, NPU_COLLECTIVE_LAUNCH);
    graph_open_count(n, node, true);
    if (!graph_begins_in_order(e, node) && e->source.messages)
        (void)graph_map_take(&n->ordinal, node->id);
    if (node->kind == GRAPH_RECEIVE) {
        want(e, n, index, &in);
    } else if (graph_by_messages(node)) {
        graph_step_begin(e, representative, n, index, now);
    } else if (node->kind == GRAPH_SEND) {
        graph_gate_pass(e, n, node, 0);
        if (put_message(e, n, 0, &out))
            send_messages(e, representative, n, index, 1, now);
        else
            (void)graph_no_memory(n);
    } else {
        submit(e, representative, n, index, node->command, now);
    }
    graph_window_sent(&n->window, index);
    graph_advance(e, representative, n, index);
}
