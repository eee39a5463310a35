/* SPDX-License-Identifier: Apache-2.0 */
/*
 * link_network.c -- packets under way over a graph, in a heap ordered by time
 *
 * A link serves packets in order. So the cycle in which a packet leaves a link is known when the
 * packet joins its queue. Each packet is one entry of the heap, ordered by the time of its next
 * step. Rows lie in a separate array and are referred to by a slot, so sorting moves no rows.
 */
#include <stdlib.h>
#include <string.h>

#include "ace_wire.h"
#include "link_network_inside.h"

link_network *link_network_create(const link_graph *graph, bool payload, uint32_t wire) {
    link_network *n = calloc(1, sizeof *n);

    if (!n) return NULL;
    n->graph = graph;
    n->payload = payload;
    n->wire = wire;
    return n;
}

void link_network_destroy(link_network *n) {
    if (!n) return;
    free(n->heap);
    free(n->row);
    free(n->spare);
    free(n);
}

/* ---- the heap ---------------------------------------------------------------------------- */

static bool before(const in_transit *a, const in_transit *b) {
    return a->time != b->time ? a->time < b->time : a->number < b->number;
}

static void sift_up(link_network *n, size_t at) {
    const in_transit u = n->heap[at];

    for (; at && before(&u, &n->heap[(at - 1) / 2]); at = (at - 1) / 2)
        n->heap[at] = n->heap[(at - 1) / 2];
    n->heap[at] = u;
}

/* Replaces the earliest entry by u. */
static void sift_down(link_network *n, const in_transit *u) {
    size_t at = 0;

    for (;;) {
        size_t next = 2 * at + 1;

        if (next >= n->count) break;
        next += next + 1 < n->count && before(&n->heap[next + 1], &n->heap[next]);
        if (!before(&n->heap[next], u)) break;
        n->heap[at] = n->heap[next];
        at = next;
    }
    n->heap[at] = *u;
}

/* Makes room for one more entry. Returns false when there is no memory. */
static bool grow(link_network *n) {
    const size_t room = n->room ? 2 * n->room : 64;
    void *at;

    if (n->count < n->room) return true;
    if (!(at = realloc(n->heap, room * sizeof *n->heap))) return false;
    n->heap = at;
    if (n->payload) {
        if (!(at = realloc(n->row, room * sizeof *n->row))) return false;
        n->row = at;
        if (!(at = realloc(n->spare, room * sizeof *n->spare))) return false;
        n->spare = at;
        for (size_t i = room; i > n->room; i--) n->spare[n->spares++] = (uint32_t)i - 1;
    }
    n->room = room;
    return true;
}

/* ---- the route -------------------------------------------------------------------------- */

static const link_route *route_of(const link_network *n, const in_transit *u) {
    return &n->graph->route[u->from][u->to];
}

/* Puts u at the tail of a link's queue, and sets the time at which it leaves the link. That time is
 * known now, because a link serves packets in order. */
static void enter(link_network *n, in_transit *u) {
    const uint16_t link = route_of(n, u)->link[u->hop];
    link_state *const l = &n->link[link];
    const uint64_t start = u->time * ACE_COST_ONE;

    l->free = (l->free > start ? l->free : start) + n->graph->link[link].cost;
    l->packets++;
    u->time = (l->free - 1) / ACE_COST_ONE; /* the last cycle in which the link serves it */
    u->stage = LEAVING;
}

/* Moves u past a link: to the queue of the next link, or to its receiver. */
static void leave(link_network *n, in_transit *u) {
    const link_route *const r = route_of(n, u);
    const bool last = u->hop + 1 == r->hops;

    u->time += n->graph->link[r->link[u->hop]].latency - (last ? n->wire + 1 : 0);
    u->hop++;
    u->stage = last ? THERE : QUEUED;
}

bool link_network_send(link_network *n, uint64_t now, unsigned from, unsigned to, unsigned plane,
                       bool packet, const ace_flit *f, const uint32_t *row) {
    in_transit u = { .time = now,
                     .number = n->number++,
                     .flit = *f,
                     .from = (uint8_t)from,
                     .to = (uint8_t)to,
                     .plane = (uint8_t)plane,
                     .packet = packet };

    if (!grow(n)) return false;
    if (packet && n->payload) {
        u.slot = n->spare[--n->spares];
        memcpy(n->row[u.slot], row, sizeof n->row[0]);
    }
    if (packet) {
        enter(n, &u);
    } else {
        u.time += route_of(n, &u)->latency - (n->wire + 1);
        u.stage = THERE;
    }
    n->heap[n->count++] = u;
    sift_up(n, n->count - 1);
    return true;
}

uint64_t link_network_next(const link_network *n) {
    return n->count ? n->heap[0].time : UINT64_MAX;
}

static void drop_first(link_network *n, const in_transit *u) {
    const in_transit last = n->heap[--n->count];

    if (n->count) sift_down(n, &last);
    if (u->packet && n->payload) n->spare[n->spares++] = u->slot;
}

bool link_network_take(link_network *n, uint64_t now, network_event *e) {
    while (n->count && n->heap[0].time <= now) {
        in_transit u = n->heap[0];
        const stage was = u.stage;

        *e = (network_event){ .kind = !u.packet      ? NETWORK_GRANT
                                      : was == THERE ? NETWORK_PACKET
                                                     : NETWORK_LEFT,
                              .from = u.from,
                              .to = u.to,
                              .plane = u.plane,
                              .flit = u.flit };
        if (was == THERE) {
            if (u.packet && n->payload) {
                memcpy(n->shown, n->row[u.slot], sizeof n->shown);
                e->row = n->shown;
            }
            drop_first(n, &u);
            return true;
        }
        if (was == QUEUED)
            enter(n, &u);
        else
            leave(n, &u);
        u.number = n->number++;
        sift_down(n, &u);
        if (was == LEAVING && u.hop == 1) return true;
    }
    return false;
}

/* ---- reading ---------------------------------------------------------------------------- */

uint64_t link_network_bytes(const link_network *n, unsigned link) {
    return n->link[link].packets * ACE_ROW_BYTES;
}

uint64_t link_network_busy(const link_network *n, unsigned link) {
    return n->link[link].packets * n->graph->link[link].cost / ACE_COST_ONE;
}

/* Checks what holds for every entry of the heap, for entry `at`. */
static void check_loaded(const link_network *n, size_t at, const ace_wire *like, ace_state *s) {
    const in_transit *const u = &n->heap[at];
    const ace_flit *const f = &u->flit;
    const unsigned npus = n->graph->npus;

    ACE_STATE_BOOLS(s, "link_network.packet", &u->packet, &f->data, &f->reduce, &f->credit,
                    &f->grant, &f->routed, &f->routed_credit, &f->frame, &f->resend);
    ace_state_must(s, u->from < npus && u->to < npus && u->from != u->to, "link_network.from");
    ace_state_must(s, u->plane < 2 && u->stage <= THERE && (u->packet || u->stage == THERE),
                   "link_network.stage");
    ace_state_must(s, u->stage == THERE || u->hop < route_of(n, u)->hops, "link_network.hop");
    ace_state_must(s, u->number < n->number, "link_network.number");
    ace_state_must(s, !at || before(&n->heap[(at - 1) / 2], u), "link_network.time");
    ace_state_must(s, !f->flip && (u->packet ? f->data : f->grant), "link_network.flit");
    if (!like->phases) return; /* endpoints in software use the context differently */
    ace_state_must(
        s, !u->packet || f->routed || ace_context_is(f->context, like->phases, like->contexts),
        "link_network.context");
    ace_state_must(s, u->packet || ace_grant_is(f->grant_context, like->phases, like->contexts),
                   "link_network.context");
}

void link_network_state(link_network *n, const ace_wire *like, ace_state *s) {
    uint64_t count = n->count;

    ACE_STATE(s, n->number);
    ACE_STATE(s, n->link);
    ACE_STATE(s, count);
    if (s->loading) {
        n->count = n->spares = 0;
        for (size_t i = n->room; n->payload && i > 0; i--) n->spare[n->spares++] = (uint32_t)i - 1;
    }
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        in_transit *u;

        if (s->loading && !grow(n)) {
            s->failed = true;
            return;
        }
        if (s->loading) n->count++;
        u = &n->heap[i];
        ACE_STATE(s, *u);
        if (ace_state_loaded(s)) check_loaded(n, i, like, s);
        if (s->failed) return;
        if (!n->payload || !u->packet) continue;
        if (s->loading) u->slot = n->spare[--n->spares];
        ACE_STATE(s, n->row[u->slot]);
    }
}
