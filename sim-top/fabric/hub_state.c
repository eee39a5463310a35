/* SPDX-License-Identifier: Apache-2.0 */
/* hub_state.c -- saves and loads a hub's state, and compares it with an earlier one */
#include "ace_recurrence.h"
#include "ace_wire.h"
#include "hub_inside.h"

/* ---- checkpoints --------------------------------------------------------------------------- */

/* Checks a packet that goes to port `at` and is queued in a lane of channel c. */
static void check_packet(const hub *h, const ace_flit *f, unsigned at, channel c, ace_state *s) {
    const ace_wire *const to = h->to[at];

    ACE_STATE_BOOLS(s, "hub.flit", &f->data, &f->reduce, &f->credit, &f->grant, &f->routed,
                    &f->routed_credit, &f->frame, &f->resend);
    ace_state_must(s, f->data && f->routed == (c == ROUTED) && !f->flip, "hub.packet");
    ace_state_must(s,
                   f->routed || !to->phases || ace_context_is(f->context, to->phases, to->contexts),
                   "hub.context");
}

/* Checks the destination of a packet that waits at port `from`: sender_at() must lead back. */
static void check_target(const hub *h, unsigned from, const target *to, ace_state *s) {
    ace_state_must(s, to->port < h->ports && to->distance < h->setup.members, "hub.target");
    ace_state_must(s, sender_at(h, to->port, to->distance) == from, "hub.target");
}

/* Saves or loads the packets at port `at`: those that leave by it, or (`inside`) that came by
 * it. */
static void lane_state(const hub *h, lane *l, unsigned at, channel c, bool inside, ace_state *s) {
    uint64_t count = l->count;

    ACE_STATE(s, count);
    if (s->loading) l->count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        packet *q = s->loading ? hub_lane_push(l) : packet_at(l, i);

        s->failed = !q;
        if (!q) return;
        ACE_STATE(s, q->flit);
        ACE_STATE(s, q->to);
        ACE_STATE(s, q->code);
        if (h->setup.payload) ACE_STATE(s, q->row);
        if (inside && ace_state_loaded(s)) check_target(h, at, &q->to, s);
        if (ace_state_loaded(s)) check_packet(h, &q->flit, inside ? q->to.port : at, c, s);
    }
}

/* Checks the servers of a port, and that `waiting` counts their packets. */
static void check_servers(const hub *h, unsigned at, ace_state *s) {
    uint64_t waiting = 0;

    for (unsigned k = 0; k < hub_servers(h); k++) {
        const server *const v = &h->server[at][k];
        const size_t count = v->lane[ROUTED].count + v->lane[PLAIN].count;

        waiting += count;
        ace_state_must(s, count ? v->acc < h->cost + ACE_COST_ONE : !v->acc, "hub.acc");
    }
    ace_state_must(s, h->port[at].waiting == waiting, "hub.waiting");
}

static void check_port(const hub *h, unsigned at, ace_state *s) {
    const unsigned rows[CHANNELS] = {
        [ROUTED] = h->setup.router_rows, [PLAIN] = h->setup.input_rows
    };
    const ace_wire *const to = h->to[at];
    const port *const p = &h->port[at];

    ace_state_must(s, p->next_server < hub_servers(h), "hub.next_server");
    for (unsigned c = 0; c < CHANNELS; c++) {
        ace_state_must(s, p->favour[c] < h->setup.members, "hub.favour");
        ace_state_must(s, p->credits[c] <= rows[c], "hub.credits");
        /* software sends without waiting for credits, so the hub may owe it more than an engine */
        ace_state_must(s, !to->phases || p->owed[c] <= rows[c], "hub.owed");
        ace_state_must(s, h->inside || !h->input[at][c].count, "hub.input");
    }
    for (size_t i = 0; i < h->grants[at].count; i++) {
        const grant *const g = grant_at(&h->grants[at], i);

        ace_state_must(s, g->from < h->setup.members, "hub.grant");
        ace_state_must(s, !to->phases || ace_grant_is(g->context, to->phases, to->contexts),
                       "hub.grant");
    }
    ace_state_must(s, h->reducer || !h->up[at].count, "hub.up");
    ace_state_must(s, ace_wire_next(h->from[at]) >= h->now, "hub.from");
    check_servers(h, at, s);
}

static void grants_state(grant_lane *l, ace_state *s) {
    uint64_t count = l->count;

    ACE_STATE(s, count);
    if (s->loading) l->count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        grant *g = s->loading ? hub_grant_push(l) : grant_at(l, i);

        s->failed = !g;
        if (g) ACE_STATE(s, *g);
    }
}

static void check(const hub *h, uint64_t now, ace_state *s) {
    uint64_t pending = 0;

    ace_state_must(s, h->now == now && h->saved_at <= now, "hub.now");
    ace_state_must(s, h->saved <= HUB_COST_ONE + (uint64_t)h->setup.pass_cost, "hub.saved");
    ace_state_must(s, h->first < h->ports, "hub.first");
    for (unsigned i = 0; i < h->ports && ace_state_loaded(s); i++) {
        const port *const p = &h->port[i];

        check_port(h, i, s);
        pending += (uint64_t)p->waiting + h->grants[i].count + h->up[i].count;
        for (unsigned c = 0; c < CHANNELS; c++)
            pending += (uint64_t)p->owed[c] + h->input[i][c].count;
    }
    ace_state_must(s, h->pending == pending, "hub.pending");
}

void hub_state(hub *h, uint64_t now, ace_state *s) {
    ACE_STATE(s, h->now);
    ACE_STATE(s, h->pending);
    ACE_STATE(s, h->saved);
    ACE_STATE(s, h->saved_at);
    ACE_STATE(s, h->first);
    if (h->network) link_network_state(h->network, h->to[0], s);
    if (h->reducer) hub_reduction_state(h->reducer, s);
    for (unsigned i = 0; i < h->ports; i++) {
        ACE_STATE(s, h->port[i]);
        if (h->guard[i]) ace_link_guard_state(h->guard[i], s);
        lane_state(h, &h->up[i], i, PLAIN, false, s);
        grants_state(&h->grants[i], s);
        for (unsigned k = 0; k < hub_servers(h); k++) {
            server *v = &h->server[i][k];

            ACE_STATE(s, v->acc);
            for (unsigned c = 0; c < CHANNELS; c++) lane_state(h, &v->lane[c], i, c, false, s);
        }
        for (unsigned c = 0; c < CHANNELS; c++) lane_state(h, &h->input[i][c], i, c, true, s);
    }
    if (ace_state_loaded(s)) check(h, now, s);
}

/* ---- recurrence ---------------------------------------------------------------------- */

static void put_word(ace_recurrence *to, uint64_t word) {
    ace_recurrence_put(to, &word, sizeof word);
}

static void put_packets(ace_recurrence *to, const lane *l) {
    put_word(to, l->count);
    for (size_t i = 0; i < l->count; i++) {
        const ace_flit *f = &packet_at(l, i)->flit;

        put_word(to, f->context | (uint64_t)f->reduce << 8 |
                         (uint64_t)packet_at(l, i)->to.distance << 16);
        put_word(to, ace_recurrence_mark(to, f->mark));
    }
}

static void put_port(ace_recurrence *to, const port *p, const grant_lane *grants) {
    put_word(to, p->next_server);
    put_word(to, grants->count);
    for (size_t i = 0; i < grants->count; i++) {
        const grant *g = grant_at(grants, i);

        put_word(to, g->context | (uint64_t)g->from << 8);
        put_word(to, ace_recurrence_grant_mark(to, g->context, g->tag));
    }
    for (unsigned c = 0; c < CHANNELS; c++) {
        put_word(to, p->favour[c]);
        put_word(to, p->credits[c]);
        put_word(to, p->owed[c]);
    }
}

bool hub_put(const hub *h, ace_recurrence *to) {
    if (h->network || h->setup.pass_cost) return false;
    if (h->reducer) hub_reduction_put(h->reducer, to);
    for (unsigned i = 0; i < h->ports; i++) {
        if (h->guard[i] || !ace_recurrence_put_wire(to, h->from[i])) return false;
        put_port(to, &h->port[i], &h->grants[i]);
        put_packets(to, &h->up[i]);
        for (unsigned k = 0; k < hub_servers(h); k++) {
            const server *s = &h->server[i][k];

            if (s->lane[ROUTED].count) return false;
            put_word(to, s->acc);
            put_packets(to, &s->lane[PLAIN]);
        }
        if (h->input[i][ROUTED].count) return false;
        put_packets(to, &h->input[i][PLAIN]);
    }
    return true;
}

void hub_keep(hub *h) {
    if (h->reducer) hub_reduction_keep(h->reducer);
}

void hub_shift(hub *h, uint64_t cycles, uint64_t times) {
    if (h->reducer) hub_reduction_shift(h->reducer, times);
    h->now += cycles;
    h->saved_at += cycles;
    for (unsigned i = 0; i < h->ports; i++) ace_wire_shift(h->to[i], cycles, 0);
}
