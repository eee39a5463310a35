/* SPDX-License-Identifier: Apache-2.0 */
#include "hub.h"

#include <stdlib.h>
#include <string.h>

#include "ace_program.h"
#include "ace_wire.h"

enum { PORTS = ACE_PROGRAM_PEERS };

typedef struct packet {
    ace_flit flit;
    uint32_t row[ACE_ROW_WORDS]; /* with payload */
} packet;

/* Packets in order; it grows. */
typedef struct lane {
    packet *at;
    size_t first, count, room;
    uint64_t acc; /* cycles of the first one served, Q16.8 */
} lane;

typedef struct grant {
    uint8_t context, tag, from;
} grant;

typedef struct port {
    unsigned waiting; /* packets in its lanes */
    unsigned turn;    /* the lane that is served first */
    unsigned credits; /* places at the node */
    unsigned owed;    /* credits to the node */
    uint16_t number;  /* of the next frame to the node */
    grant grant[256]; /* to the node: a context's are told apart by who grants */
    uint8_t grant_first, grants;
} port;

struct hub {
    /* constant */
    hub_setup setup;
    uint64_t cost; /* of a lane */
    ace_wire *from[PORTS], *to[PORTS];
    /* state */
    uint64_t now;
    unsigned pending; /* what is still to be passed on */
    port port[PORTS];
    lane lane[PORTS][PORTS]; /* to a port; of a switch only the first */
};

hub *hub_create(const hub_setup *setup) {
    hub *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->setup = *setup;
    h->cost = (uint64_t)setup->cost * (setup->direct ? setup->ports - 1 : 1);
    for (unsigned i = 0; i < setup->ports; i++) h->port[i].credits = setup->input_rows;
    return h;
}

void hub_destroy(hub *h) {
    if (!h) return;
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned k = 0; k < PORTS; k++) free(h->lane[i][k].at);
    free(h);
}

void hub_connect(hub *h, unsigned at, ace_wire *from, ace_wire *to) {
    h->from[at] = from;
    h->to[at] = to;
}

uint64_t hub_next(const hub *h) {
    uint64_t next = UINT64_MAX;
    if (h->pending) return h->now;
    for (unsigned i = 0; i < h->setup.ports; i++) {
        const uint64_t arrival = ace_wire_next(h->from[i]);
        next = arrival < next ? arrival : next;
    }
    return next;
}

static packet *place(const lane *l, size_t i) { return &l->at[(l->first + i) % l->room]; }

static packet *push(lane *l) {
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        packet *at = malloc(room * sizeof *at);
        if (!at) abort(); /* as where a row of memory cannot be had in the middle of a run */
        for (size_t i = 0; i < l->count; i++) at[i] = *place(l, i);
        free(l->at);
        l->at = at;
        l->first = 0;
        l->room = room;
    }
    return place(l, l->count++);
}

static void arrive(hub *h, unsigned at, const ace_flit *f, const uint32_t *row) {
    port *p = &h->port[at];
    if (f->credit) p->credits++;
    if (f->grant) {
        port *to = &h->port[f->grant_peer % PORTS];
        to->grant[(uint8_t)(to->grant_first + to->grants++)] =
            (grant){ f->grant_context, f->grant_tag, (uint8_t)at };
        h->pending++;
    }
    if (!f->data) return;
    port *to = &h->port[f->peer % PORTS];
    packet *q = push(&h->lane[f->peer % PORTS][h->setup.direct ? at : 0]);
    q->flit = *f;
    q->flit.peer = (uint8_t)at;
    if (row) memcpy(q->row, row, ACE_ROW_BYTES);
    to->waiting++;
    p->owed++;
    h->pending += 2;
}

/* The lane whose first packet has been served and goes to the node in this cycle, or NULL. */
static lane *serve(hub *h, unsigned at) {
    port *p = &h->port[at];
    const unsigned lanes = h->setup.direct ? h->setup.ports : 1;
    lane *ready = NULL;
    for (unsigned i = 0; i < lanes; i++) {
        const unsigned k = (p->turn + i) % lanes;
        lane *l = &h->lane[at][k];
        if (!l->count) continue;
        if (l->acc < h->cost) l->acc += ACE_COST_ONE;
        if (l->acc < h->cost || ready || !p->credits) continue;
        ready = l;
    }
    if (ready) p->turn = ((unsigned)(ready - h->lane[at]) + 1) % lanes;
    return ready;
}

static void send(hub *h, unsigned at) {
    port *p = &h->port[at];
    ace_flit f = { 0 };
    const uint32_t *row = NULL;
    lane *l = p->waiting ? serve(h, at) : NULL;
    if (!l && !p->owed && !p->grants) return;
    if (l) {
        packet *q = &l->at[l->first];
        f = q->flit;
        row = h->setup.payload ? q->row : NULL;
        l->first = (l->first + 1) % l->room;
        l->count--;
        l->acc = l->count ? l->acc - h->cost : 0;
        p->waiting--;
        p->credits--;
        h->pending--;
    }
    f.frame = true;
    f.number = p->number++;
    f.credit = p->owed != 0;
    f.grant = p->grants != 0;
    if (f.credit) {
        p->owed--;
        h->pending--;
    }
    if (f.grant) {
        const grant *g = &p->grant[p->grant_first++];
        f.grant_context = g->context;
        f.grant_tag = g->tag;
        f.grant_peer = g->from;
        p->grants--;
        h->pending--;
    }
    ace_wire_send(h->to[at], h->now, &f, row);
}

void hub_run(hub *h, uint64_t until) {
    while (h->now < until) {
        const uint64_t next = hub_next(h);
        if (next > h->now) { /* nothing waits */
            h->now = next < until ? next : until;
            continue;
        }
        for (unsigned i = 0; i < h->setup.ports; i++) {
            const uint32_t *row;
            const ace_flit *f = ace_wire_receive(h->from[i], h->now, &row);
            if (f) arrive(h, i, f, row);
        }
        for (unsigned i = 0; i < h->setup.ports; i++) send(h, i);
        h->now++;
    }
}

static void lane_state(const hub *h, lane *l, ace_state *s) {
    uint64_t count = l->count;

    ACE_STATE(s, count);
    ACE_STATE(s, l->acc);
    if (s->loading) l->count = 0;
    for (uint64_t i = 0; i < count && !s->failed; i++) {
        packet *q = s->loading ? push(l) : place(l, i);

        ACE_STATE(s, q->flit);
        if (h->setup.payload) ACE_STATE(s, q->row);
    }
}

void hub_state(hub *h, ace_state *s) {
    ACE_STATE(s, h->now);
    ACE_STATE(s, h->pending);
    for (unsigned i = 0; i < h->setup.ports; i++) {
        ACE_STATE(s, h->port[i]);
        for (unsigned k = 0; k < PORTS; k++) lane_state(h, &h->lane[i][k], s);
    }
}
