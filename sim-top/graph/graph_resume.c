/* SPDX-License-Identifier: Apache-2.0 */
/*
 * graph_resume.c -- the state of one NPU in a checkpoint, and what follows from it
 *
 * Queues, lanes and waiting lists are not saved. They are rebuilt from the state of each node in
 * the window. Loaded tags and labels are checked, since a file may be damaged.
 */
#include "graph_resume.h"

#include "graph_command.h"
#include "graph_pool.h"
#include "graph_sequence.h"
#include "graph_time.h"

/* Names are not saved: the label gives them. */
static void spans_state(const graph_engine *e, npu_run *n, ace_state *s) {
    uint64_t count = n->spans.count;

    ACE_STATE(s, count);
    if (s->loading) n->spans.count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        ended one = { 0 };

        if (!s->loading) one = (ended){ n->span_label[i], n->spans.at[i].from, n->spans.at[i].to };
        ACE_STATE(s, one);
        if (s->loading)
            ace_state_must(s, graph_ids_have(&n->window.labels, one.label), "graph_npu.span");
        if (s->loading && !s->failed) graph_span_keep(e, n, &one);
    }
}

/* Rebuilds the lists of ready, running and waiting nodes from the nodes' states. */
static bool find_entries(graph_engine *e, npu_run *n) {
    graph_window *w = &n->window;

    for (unsigned l = 0; l < LANES; l++) n->ready[l].count = n->busy[l] = 0;
    n->timed_count = n->open = n->posted = n->stepping = n->submitted = n->queued = n->due_count =
        0;
    n->gated_count = n->requests = n->cuts = 0;
    for (uint32_t i = 0; i < w->room; i++) {
        const graph_window_entry *p = &w->at[i];
        bool ok = true;

        if (p->state != ENTRY_FREE && p->state != ENTRY_EXPECTED) graph_part_resume(n, &p->node);
        if (p->state == ENTRY_RUNNING) {
            if (graph_is_timed(&p->node))
                n->busy[p->node.lane]++;
            else
                graph_open_count(n, &p->node, true);
            if (graph_is_timed(&p->node) || p->progress.summing) ok = graph_timed_add(n, i);
            if (graph_pool_waits(p)) ok = ok && graph_pool_request(n, i);
            if (graph_is_due(p)) graph_due_push(n, i);
            if (!graph_is_timed(&p->node) && p->progress.sending) {
                if (p->progress.tag >= n->tags) return false;
                n->tag[p->progress.tag].index = i;
            }
        } else if (p->state == ENTRY_READY) {
            if (graph_begins_in_order(e, &p->node))
                n->queued++;
            else
                ok = graph_queue_put(&n->ready[p->node.lane],
                                     (graph_entry){ p->node.id, p->node.priority, i });
        }
        if (!ok) return false;
    }
    return true;
}

/* Checks that saved completions and arrivals belong to commands and channels that exist. */
static void check_news(const graph_engine *e, const npu_run *n, ace_state *s) {
    const uint32_t labels = e->source.messages ? 2 * n->inbox.channels : 0;

    for (unsigned i = 0; i < n->completions && ace_state_loaded(s); i++)
        ace_state_must(
            s, n->completion[i].tag < n->tags && n->tag[n->completion[i].tag].index != GRAPH_NONE,
            "graph_npu.completion");
    for (unsigned i = 0; i < n->arrivals && ace_state_loaded(s); i++)
        ace_state_must(s, n->arrival[i].label < labels, "graph_npu.arrival");
}

/* Finds the waiting nodes of the inbox by their ids. */
static bool find_wants(npu_run *n) {
    for (uint32_t i = 0; i < n->inbox.wants; i++) {
        n->inbox.want[i].index = graph_window_find(&n->window, n->inbox.want[i].node);
        if (n->inbox.want[i].index == GRAPH_NONE) return false;
    }
    return true;
}

void graph_npu_state(graph_engine *e, npu_run *n, ace_state *s) {
    void *tag = n->tag, *completion = n->completion, *arrival = n->arrival;
    uint64_t passed = n->passed;

    ACE_STATE(s, n->host);
    ACE_STATE(s, n->account);
    ACE_STATE(s, n->tags);
    ACE_STATE(s, n->collectives_begun);
    ACE_STATE(s, passed);
    ACE_STATE(s, n->completions);
    ACE_STATE(s, n->ended);
    ACE_STATE_BOOLS(s, "graph_npu.ended", &n->ended);
    ace_state_array(s, &tag, n->tags, sizeof *n->tag);
    ace_state_array(s, &completion, n->completions, sizeof *n->completion);
    ACE_STATE(s, n->arrivals);
    ace_state_array(s, &arrival, n->arrivals, sizeof *n->arrival);
    n->tag = tag;
    n->completion = completion;
    n->arrival = arrival;
    if (s->loading) n->completion_room = n->completions;
    if (s->loading) n->arrival_room = n->arrivals;
    if (s->failed) return;
    graph_window_state(&n->window, s);
    spans_state(e, n, s);
    if (e->source.messages) graph_inbox_state(&n->inbox, s);
    if (!s->loading || s->failed) return;
    for (unsigned i = 0; i < n->tags; i++) n->tag[i].index = GRAPH_NONE;
    s->failed = !find_entries(e, n) || !find_wants(n) || !graph_sequence_resume(e, n, passed);
    if (ace_state_loaded(s)) check_news(e, n, s);
}
