/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub.c -- a hub, cycle by cycle: packets, grants and credits between its ports
 *
 * A cycle has a fixed order. Arrivals are taken, packets leave the link network, packets pass the
 * switch, the reducer ticks, links are shared, and each port sends one frame. Queues are rings
 * that grow, because a full hub must not lose a packet. hub_run() skips cycles in which nothing
 * waits and nothing arrives.
 */
#include "hub.h"

#include <stdlib.h>
#include <string.h>

#include "ace_link_guard.h"
#include "ace_wire.h"
#include "hub_inside.h"

hub *hub_create(const hub_setup *setup) {
    hub *h = calloc(1, sizeof *h);
    if (!h) return NULL;
    h->setup = *setup;
    h->planes = setup->rings || setup->graph || setup->direct;
    h->ports = setup->simulated * (h->planes ? 2 : 1);
    h->cost = setup->cost;
    if (setup->direct) /* both ports of a member together feed its links to all others */
        h->cost = ((uint64_t)setup->cost * (setup->members - 1) + 1) / 2;
    h->inside = !setup->direct && !setup->graph && (setup->buffer_rows || setup->pass_cost);
    if (setup->graph) { /* the graph's links already account for the time of a packet */
        h->cost = ACE_COST_ONE;
        h->network = link_network_create(setup->graph, setup->payload, setup->wire);
        if (!h->network) {
            hub_destroy(h);
            return NULL;
        }
    }
    if (setup->reduces) {
        const hub_reduction_setup reduction = { .members = setup->members,
                                                .simulated = h->ports,
                                                .payload = setup->payload,
                                                .rtl = setup->rtl };
        if (hub_reduction_create(&reduction, &h->reducer) != ACE_OK) {
            hub_destroy(h);
            return NULL;
        }
    }
    for (unsigned i = 0; i < h->ports; i++) {
        h->server[i] = calloc(hub_servers(h), sizeof *h->server[i]);
        if (!h->server[i]) {
            hub_destroy(h);
            return NULL;
        }
        h->port[i].credits[PLAIN] = setup->input_rows;
        h->port[i].credits[ROUTED] = setup->router_rows;
        if (!setup->retry) continue;
        if (ace_link_guard_create_for(setup->input_rows, setup->router_rows, true, setup->payload,
                                      &h->guard[i]) != ACE_OK) {
            hub_destroy(h);
            return NULL;
        }
        h->guard[i]->retry = setup->retry;
        h->guard[i]->cost = ace_cost(setup->cost);
    }
    return h;
}

void hub_destroy(hub *h) {
    if (!h) return;
    link_network_destroy(h->network);
    hub_reduction_destroy(h->reducer);
    for (unsigned i = 0; i < PORTS; i++) free(h->up[i].at);
    for (unsigned i = 0; i < PORTS; i++) ace_link_guard_destroy(h->guard[i]);
    for (unsigned i = 0; i < PORTS; i++) {
        for (unsigned k = 0; h->server[i] && k < hub_servers(h); k++)
            for (unsigned c = 0; c < CHANNELS; c++) free(h->server[i][k].lane[c].at);
        free(h->server[i]);
        free(h->grants[i].at);
    }
    for (unsigned i = 0; i < PORTS; i++)
        for (unsigned c = 0; c < CHANNELS; c++) free(h->input[i][c].at);
    free(h);
}

void hub_connect(hub *h, unsigned at, unsigned node, unsigned rank, ace_wire *from, ace_wire *to) {
    h->node[at] = node;
    h->rank[at] = rank;
    h->from[at] = from;
    h->to[at] = to;
}

uint64_t hub_next(const hub *h) {
    uint64_t next = h->network ? link_network_next(h->network) : UINT64_MAX;
    if (h->pending || (h->reducer && !hub_reduction_is_idle(h->reducer))) return h->now;
    for (unsigned i = 0; i < h->ports; i++) {
        const uint64_t arrival = ace_wire_next(h->from[i]);
        if (h->guard[i] && !ace_link_guard_idle(h->guard[i])) return h->now;
        next = arrival < next ? arrival : next;
    }
    return next;
}

packet *hub_lane_push(lane *l) {
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        packet *at = malloc(room * sizeof *at);
        if (!at) return NULL;
        for (size_t i = 0; i < l->count; i++) at[i] = *packet_at(l, i);
        free(l->at);
        l->at = at;
        l->first = 0;
        l->room = room;
    }
    packet_at(l, l->count)->code = (codes){ 0 };
    return packet_at(l, l->count++);
}

grant *hub_grant_push(grant_lane *l) {
    if (l->count == l->room) {
        const size_t room = l->room ? 2 * l->room : 64;
        grant *at = malloc(room * sizeof *at);
        if (!at) return NULL;
        for (size_t i = 0; i < l->count; i++) at[i] = *grant_at(l, i);
        free(l->at);
        l->at = at;
        l->first = 0;
        l->room = room;
    }
    return grant_at(l, l->count++);
}

/* Removes the first packet. */
static void drop(lane *l) {
    l->first = (l->first + 1) % l->room;
    l->count--;
}

static target further(const hub *h, unsigned at, unsigned hops, bool down) {
    const unsigned n = h->setup.members;
    const unsigned distance = (down ? n - hops % n : hops) % n;

    return (target){ facing(h, at, (member_at(h, at) + distance) % h->setup.simulated), distance };
}

static bool is_down(const hub *h, unsigned at) { return h->planes ? at & 1 : h->setup.link & 1; }

/* Returns the port of a peer, given by its rank. With `rings` the peer is always the next
 * member. */
static target target_of(const hub *h, unsigned at, uint64_t peer) {
    if (h->setup.rings) return further(h, at, 1, is_down(h, at));
    return further(h, at, (unsigned)(peer % h->setup.members) + h->setup.members - h->rank[at],
                   false);
}

/* Consumes the hops of this dimension, and returns the port that they lead to. */
static target route(const hub *h, unsigned at, uint64_t *route) {
    const unsigned shift = h->setup.link / 2 * 8;
    const unsigned hops = (unsigned)(*route >> shift & 0x7f) + 1;

    *route &= ~((uint64_t)0x7f << shift);
    return further(h, at, hops, is_down(h, at));
}

/* The flit that a port received in this cycle, and where it goes. */
typedef struct arrival {
    const ace_flit *flit; /* NULL: nothing */
    const uint32_t *row;
    target data, grant;
    uint64_t route; /* the hops that remain */
} arrival;

static channel channel_of(const ace_flit *f) { return f->routed ? ROUTED : PLAIN; }

/* distance: in ranks, from the sender to the port. */
static void add_packet(hub *h, unsigned at, unsigned distance, const ace_flit *f,
                       const uint32_t *row) {
    packet *q = hub_lane_push(&h->server[at][h->setup.direct ? distance : 0].lane[channel_of(f)]);
    if (!q) { /* the packet is lost; hub_error() reports it */
        h->out_of_memory = true;
        return;
    }
    q->flit = *f;
    q->to = (target){ 0 }; /* it has reached its port */
    if (row) memcpy(q->row, row, ACE_ROW_BYTES);
    h->port[at].waiting++;
    h->pending++;
}

/* Queues a packet at its input port. */
static void add_input(hub *h, unsigned at, target to, const ace_flit *f, const uint32_t *row) {
    packet *q = hub_lane_push(&h->input[at][channel_of(f)]);
    if (!q) {
        h->out_of_memory = true;
        return;
    }
    q->flit = *f;
    q->to = to;
    if (row) memcpy(q->row, row, ACE_ROW_BYTES);
    h->pending++;
}

/* Returns the header that a packet for the reducer carries. */
static ace_hub_header header_of(const packet *q) {
    return (ace_hub_header){ .context = q->flit.context,
                             .mark = q->flit.mark,
                             .how = q->flit.route & 0x3f,
                             .code = (uint8_t)q->code.header };
}

/* Queues a packet for the reducer. The caller has checked that there is one. */
static void add_up(hub *h, unsigned at, const ace_flit *f, const uint32_t *row) {
    packet *q = hub_lane_push(&h->up[at]);
    if (!q) {
        h->out_of_memory = true;
        return;
    }
    q->flit = *f;
    q->to = (target){ 0 }; /* its destination is the reducer */
    if (row) memcpy(q->row, row, ACE_ROW_BYTES);
    const ace_hub_header header = header_of(q);
    q->code = (codes){ .row = ace_row_code_of(row), .header = ace_hub_header_code(&header) };
    h->pending++;
}

static bool to_switch(const hub *h, const ace_flit *f) {
    return h->reducer && f->data && !f->routed && (f->route & ACE_TO_SWITCH);
}

static void add_owed(hub *h, unsigned at, const ace_flit *f) {
    h->port[at].owed[channel_of(f)]++;
    h->pending++;
}

/* Queues a grant for a node. `from` is the granting member's rank, as the receiver counts ranks. */
static void add_grant(hub *h, unsigned at, unsigned from, const ace_flit *f) {
    grant *to = hub_grant_push(&h->grants[at]);

    if (!to) {
        h->out_of_memory = true;
        return;
    }
    *to = (grant){ f->grant_context, f->grant_mark, (uint8_t)from };
    h->pending++;
}

static void cross(hub *h, unsigned at, target to, bool is_packet, const ace_flit *f,
                  const uint32_t *row) {
    if (!link_network_send(h->network, h->now, member_at(h, at), member_at(h, to.port), at & 1,
                           is_packet, f, row))
        h->out_of_memory = true;
}

static void take_packet(hub *h, unsigned at, const arrival *a) {
    ace_flit f = *a->flit;

    f.route = a->route;
    if (h->network) {
        cross(h, at, a->data, true, &f, a->row);
        return;
    }
    if (h->inside) {
        add_input(h, at, a->data, &f, a->row);
        return;
    }
    add_packet(h, a->data.port, a->data.distance, &f, a->row);
    add_owed(h, at, &f);
}

static void take_grant(hub *h, unsigned at, const arrival *a) {
    const unsigned n = h->setup.members;

    if (h->network)
        cross(h, at, a->grant, false, a->flit, NULL);
    else
        add_grant(h, a->grant.port, (h->rank[a->grant.port] + n - a->grant.distance) % n, a->flit);
}

/* Takes the events of the link network that are due in this cycle. */
static void come_off(hub *h) {
    network_event e;
    while (h->network && link_network_take(h->network, h->now, &e)) {
        const unsigned from = 2U * e.from + e.plane, to = facing(h, from, e.to);
        switch (e.kind) {
        case NETWORK_LEFT: add_owed(h, from, &e.flit); break;
        case NETWORK_PACKET: add_packet(h, to, 0, &e.flit, e.row); break;
        case NETWORK_GRANT: add_grant(h, to, e.from, &e.flit); break;
        }
    }
}

/* Takes what has arrived in a cycle. Packets for one port are queued by the distance to their
 * sender, the nearest first, so that the result does not depend on where ranks begin (fold.h). */
static void arrive(hub *h, arrival come[PORTS]) {
    uint64_t distance = 0; /* the distances that occur, one bit each */

    for (unsigned i = 0; i < h->ports; i++) {
        arrival *a = &come[i];
        const ace_flit *f = a->flit;
        if (!f) continue;
        h->port[i].credits[PLAIN] += f->credit;
        h->port[i].credits[ROUTED] += f->routed_credit;
        a->route = f->route;
        if (to_switch(h, f)) add_up(h, i, f, a->row);
        if (f->data) a->data = f->routed ? route(h, i, &a->route) : target_of(h, i, f->route);
        if (f->grant) a->grant = target_of(h, i, f->grant_peer);
        distance |= (uint64_t)f->data << a->data.distance | (uint64_t)f->grant << a->grant.distance;
    }
    for (; distance; distance &= distance - 1) {
        const unsigned on = (unsigned)__builtin_ctzll(distance);
        for (unsigned i = 0; i < h->ports; i++) {
            const arrival *a = &come[i];
            if (a->flit && a->flit->grant && a->grant.distance == on) take_grant(h, i, a);
            if (a->flit && a->flit->data && a->data.distance == on && !to_switch(h, a->flit))
                take_packet(h, i, a);
        }
    }
}

/* ---- a switch with finite buffers or bandwidth --------------------------------------------- */

/* Returns the next input port, round-robin, whose first packet of the channel is for `at`; PORTS
 * when there is none or the output queue is full. */
static unsigned choose(const hub *h, unsigned at, channel c, const bool taken[PORTS][CHANNELS],
                       unsigned *distance) {
    const unsigned n = h->setup.members;

    if (h->setup.buffer_rows && h->server[at][0].lane[c].count >= h->setup.buffer_rows)
        return PORTS;
    for (unsigned i = 0; i < n; i++) {
        const unsigned on = (h->port[at].favour[c] + i) % n, from = sender_at(h, at, on);
        const lane *l = &h->input[from][c];
        const target *to = l->count ? &packet_at(l, 0)->to : NULL;

        if (!to || taken[from][c] || to->port != at || to->distance != on) continue;
        *distance = on;
        return from;
    }
    return PORTS;
}

/* Passes at most one packet to a port, round-robin among the inputs, routed packets first. */
static void pass(hub *h, unsigned at, bool taken[PORTS][CHANNELS]) {
    unsigned distance = 0, from = PORTS;
    channel c = ROUTED;
    lane *l;

    for (; c < CHANNELS && from == PORTS; c++) from = choose(h, at, c, taken, &distance);
    if (from == PORTS) return;
    l = &h->input[from][--c];
    taken[from][c] = true;
    h->port[at].favour[c] = (distance + 1) % h->setup.members;
    add_packet(h, at, 0, &packet_at(l, 0)->flit, h->setup.payload ? packet_at(l, 0)->row : NULL);
    add_owed(h, from, &packet_at(l, 0)->flit);
    drop(l);
    h->pending--;
    if (!h->setup.pass_cost) return;
    h->saved -= h->setup.pass_cost;
    h->first = (at + 1) % h->ports;
}

/* Passes at most one packet to each port in this cycle, while the switch has bandwidth. Unused
 * bandwidth is saved for one cycle only. */
static void pass_all(hub *h) {
    const uint64_t cost = h->setup.pass_cost, most = HUB_COST_ONE + cost;
    const unsigned first = h->first;
    bool taken[PORTS][CHANNELS] = { 0 };

    h->saved += (h->now - h->saved_at) * HUB_COST_ONE;
    h->saved_at = h->now;
    if (h->saved > most) h->saved = most;
    for (unsigned i = 0; i < h->ports && h->saved >= cost; i++)
        pass(h, (first + i) % h->ports, taken);
}

/* Returns whether some port's queue has room only for the sums already under way. */
static bool is_full(const hub *h) {
    const size_t room = h->setup.buffer_rows, coming = hub_reduction_coming(h->reducer);
    bool full = false;
    for (unsigned i = 0; room && i < h->ports; i++)
        full = full || h->server[i][0].lane[PLAIN].count + coming >= room;
    return full;
}

/* Runs the reducer for one cycle: a sum goes to all ports, and rows that wait at ports go in. */
static void reduce(hub *h) {
    const ace_hub_reducer_out *pins = hub_reduction_pins(h->reducer);
    ace_hub_arrivals come = { 0 };
    const bool stall = is_full(h);
    bool waits = false;
    hub_reduction_show(h->reducer);
    if (pins->m_valid) {
        const ace_flit f = { .data = true, .context = pins->m_context, .mark = pins->m_mark };
        for (unsigned i = 0; i < h->ports; i++) add_packet(h, i, 0, &f, pins->m_data);
    }
    for (unsigned i = 0; i < h->ports; i++) {
        lane *l = &h->up[i];
        waits = waits || (l->count && !(pins->s_ready >> i & 1));
        if (!l->count || !(pins->s_ready >> i & 1)) continue;
        const packet *q = packet_at(l, 0);
        come.valid |= UINT64_C(1) << i;
        come.header[i] = header_of(q);
        come.row[i] = h->setup.payload ? q->row : NULL;
        come.code[i] = q->code.row;
    }
    hub_reduction_cycle(h->reducer, &come, stall, waits);
    for (unsigned i = 0; i < h->ports; i++) {
        if (!(come.valid >> i & 1)) continue;
        add_owed(h, i, &packet_at(&h->up[i], 0)->flit);
        drop(&h->up[i]);
        h->pending--;
    }
}

static bool wants(const hub *h, const server *s) {
    return (s->lane[ROUTED].count || s->lane[PLAIN].count) && s->acc < h->cost;
}

/* A link between two members carries the packets of both ports of its sender. Where both ports use
 * the link, each gets half of its bandwidth. */
static void share_links(hub *h) {
    for (unsigned at = 0; at < h->ports; at += 2) {
        if (!h->port[at].waiting && !h->port[at + 1].waiting) continue;
        for (unsigned k = 0; k < hub_servers(h); k++) {
            server *a = &h->server[at][k], *b = &h->server[at + 1][k];
            const bool up = wants(h, a), down = wants(h, b);
            const uint64_t part = up && down ? ACE_COST_ONE / 2 : ACE_COST_ONE;

            if (up) a->acc += part;
            if (down) b->acc += part;
        }
    }
}

/* Returns a server that has finished a packet for which the node has a free slot, and sets the
 * packet's channel; NULL when there is none. */
static server *serve(hub *h, unsigned at, channel *done) {
    const unsigned servers = hub_servers(h);
    port *p = &h->port[at];
    server *ready = NULL;
    for (unsigned i = 0; i < servers; i++) {
        server *s = &h->server[at][(p->next_server + i) % servers];
        channel c = ROUTED;
        if (!s->lane[ROUTED].count && !s->lane[PLAIN].count) continue;
        if (s->acc < h->cost && !h->setup.direct) s->acc += ACE_COST_ONE;
        if (s->acc < h->cost || ready) continue;
        while (c < CHANNELS && !(s->lane[c].count && p->credits[c])) c++;
        if (c == CHANNELS) continue;
        ready = s;
        *done = c;
    }
    if (ready) p->next_server = ((unsigned)(ready - h->server[at]) + 1) % servers;
    return ready;
}

/* Takes one credit from those owed, if there is one. Returns whether there was. */
static bool pay(hub *h, unsigned *owed) {
    const bool any = *owed != 0;
    *owed -= any;
    h->pending -= any;
    return any;
}

/* Returns the flit that the port sends to its node in this cycle. *row, if the flit is a packet, is
 * valid until another packet is queued. */
static ace_flit give(hub *h, unsigned at, const uint32_t **row) {
    port *p = &h->port[at];
    const ace_link_guard *g = h->guard[at];
    ace_flit f = { 0 };
    channel c = PLAIN;
    server *s = p->waiting && !(g && ace_link_guard_hold(g)) ? serve(h, at, &c) : NULL;
    if (s) {
        lane *l = &s->lane[c];
        packet *q = packet_at(l, 0);
        f = q->flit;
        if (h->setup.payload) *row = q->row;
        drop(l);
        s->acc = s->lane[ROUTED].count || s->lane[PLAIN].count ? s->acc - h->cost : 0;
        p->waiting--;
        p->credits[c]--;
        h->pending--;
    }
    f.credit = pay(h, &p->owed[PLAIN]);
    f.routed_credit = pay(h, &p->owed[ROUTED]);
    grant_lane *grants = &h->grants[at];
    f.grant = grants->count && !(g && ace_link_guard_tight(g));
    if (f.grant) {
        const grant *next = grant_at(grants, 0);
        f.grant_context = next->context;
        f.grant_mark = next->tag;
        f.grant_peer = next->from;
        grants->first = (grants->first + 1) % grants->room;
        grants->count--;
        h->pending--;
    }
    return f;
}

static ace_frame frame_of(const ace_flit *f) {
    const uint64_t bytes = f->context | (uint64_t)f->mark << 8 | (uint64_t)f->grant_context << 16 |
                           (uint64_t)f->grant_mark << 24 | (uint64_t)f->grant_peer << 32;
    const uint64_t set =
        (uint64_t)f->data << ACE_FRAME_PACKET | (uint64_t)f->reduce << ACE_FRAME_REDUCE |
        (uint64_t)f->credit << ACE_FRAME_CREDIT | (uint64_t)f->grant << ACE_FRAME_GRANT |
        (uint64_t)f->routed << ACE_FRAME_ROUTED |
        (uint64_t)f->routed_credit << ACE_FRAME_ROUTED_CREDIT |
        (uint64_t)f->resend << ACE_FRAME_RESEND;
    return (ace_frame){ .valid = f->frame,
                        .head = set | bytes << 8,
                        .route = f->route,
                        .number = f->number,
                        .ack = f->ack };
}

static ace_flit flit_of(const ace_frame *f) {
    return (ace_flit){ .frame = f->valid,
                       .data = f->head >> ACE_FRAME_PACKET & 1,
                       .reduce = f->head >> ACE_FRAME_REDUCE & 1,
                       .credit = f->head >> ACE_FRAME_CREDIT & 1,
                       .grant = f->head >> ACE_FRAME_GRANT & 1,
                       .routed = f->head >> ACE_FRAME_ROUTED & 1,
                       .routed_credit = f->head >> ACE_FRAME_ROUTED_CREDIT & 1,
                       .resend = f->head >> ACE_FRAME_RESEND & 1,
                       .context = (uint8_t)(f->head >> 8),
                       .mark = (uint8_t)(f->head >> 16),
                       .grant_context = (uint8_t)(f->head >> 24),
                       .grant_mark = (uint8_t)(f->head >> 32),
                       .grant_peer = (uint8_t)(f->head >> 40),
                       .number = f->number,
                       .ack = f->ack,
                       .route = f->route };
}

/* Passes the flit `f` through the link-layer retry and sends the resulting frame. `rx` is the frame
 * that arrived in the same cycle. */
static void send_with_retry(hub *h, unsigned at, const ace_flit *f, const uint32_t *row,
                            const ace_frame *rx, bool good) {
    ace_frame given = frame_of(f), tx;
    ace_flit out;
    given.row = row;
    ace_link_guard_show(h->guard[at], &given, &tx);
    ace_link_guard_move(h->guard[at], &given, rx, good);
    out = flit_of(&tx);
    if (tx.valid) ace_wire_send(h->to[at], h->now, &out, tx.row);
}

static void send(hub *h, unsigned at, ace_flit *f, const uint32_t *row) {
    f->frame = f->data || f->credit || f->routed_credit || f->grant;
    if (!f->frame) return;
    f->number = h->port[at].number++;
    ace_wire_send(h->to[at], h->now, f, row);
}

static void cycle(hub *h) {
    ace_frame rx[PORTS];
    bool good[PORTS] = { 0 };
    arrival come[PORTS];
    for (unsigned i = 0; i < h->ports; i++) {
        const uint32_t *row = NULL;
        const ace_flit *f = ace_wire_receive(h->from[i], h->now, &row);
        rx[i] = f ? frame_of(f) : (ace_frame){ 0 };
        good[i] = f && !f->flip;
        rx[i].took = h->guard[i] && ace_link_guard_takes(h->guard[i], &rx[i]);
        if (f && h->guard[i] && !ace_link_guard_accepts(h->guard[i], &rx[i], good[i])) f = NULL;
        come[i] = (arrival){ .flit = f, .row = row };
    }
    arrive(h, come);
    come_off(h);
    if (h->inside) pass_all(h);
    if (h->reducer) reduce(h);
    if (h->setup.direct) share_links(h);
    for (unsigned i = 0; i < h->ports; i++) {
        const uint32_t *row = NULL;
        ace_flit f = give(h, i, &row);
        if (h->guard[i])
            send_with_retry(h, i, &f, row, &rx[i], good[i]);
        else
            send(h, i, &f, row);
    }
}

void hub_run(hub *h, uint64_t until) {
    while (h->now < until) {
        const uint64_t next = hub_next(h);
        if (next > h->now) { /* nothing is queued */
            const uint64_t past = next < until ? next : until;
            if (h->reducer) hub_reduction_skip(h->reducer, past - h->now);
            h->now = past;
            continue;
        }
        cycle(h);
        h->now++;
    }
}

static int reducer_error(const hub *h) {
    int err;
    const char *wrong = hub_reduction_error(h->reducer, &err);
    if (!wrong) return ACE_OK;
    fprintf(stderr, "acesim: switch of node %u and others, link %c%c, cycle %llu: %s\n",
            h->setup.node, ACE_DIMENSION_LETTERS[h->setup.link / 2], "+-"[h->setup.link % 2],
            (unsigned long long)h -> now, wrong);
    return err;
}

int hub_error(const hub *h) {
    if (h->out_of_memory) {
        fprintf(stderr, "acesim: hub of node %u and others, cycle %llu: out of memory\n",
                h->setup.node, (unsigned long long)h->now);
        return ACE_ENOMEM;
    }
    for (unsigned i = 0; i < h->ports; i++) {
        if (!h->guard[i] || !h->guard[i]->failed) continue;
        fprintf(stderr, "acesim: hub of node %u and others, link %c%c, port %u, cycle %llu: %s\n",
                h->setup.node, ACE_DIMENSION_LETTERS[h->setup.link / 2], "+-"[h->setup.link % 2], i,
                (unsigned long long)h -> now, ace_strerror(ACE_ELINK));
        return ACE_ELINK;
    }
    return h->reducer ? reducer_error(h) : ACE_OK;
}

/* Prints the nodes at the ports of a bit mask. */
static void print_nodes(const hub *h, uint64_t ports) {
    fprintf(stderr, " node%s", ports & (ports - 1) ? "s" : "");
    for (const char *before = " "; ports; ports &= ports - 1, before = ", ")
        fprintf(stderr, "%s%u", before, h->node[__builtin_ctzll(ports)]);
}

void hub_print(const hub *h) {
    uint8_t context;
    uint64_t there, missing;
    if (!h->reducer || !hub_reduction_waits(h->reducer, &context, &there, &missing)) return;
    fprintf(stderr,
            "-- switch of node %u and others, link %c%c: rows to reduce, of phase %u, context %u, "
            "have come from",
            h->setup.node, ACE_DIMENSION_LETTERS[h->setup.link / 2], "+-"[h->setup.link % 2],
            ace_context_phase(context), ace_context_index(context));
    print_nodes(h, there);
    fprintf(stderr, " and wait for those of");
    print_nodes(h, missing);
    fputc('\n', stderr);
}

hub_reduction_counts hub_reduced(const hub *h, unsigned link) {
    return h->reducer && h->setup.link == link ? hub_reduction_counted(h->reducer)
                                               : (hub_reduction_counts){ 0 };
}

uint64_t hub_packets(const hub *h) {
    uint64_t packets = 0;

    for (unsigned i = 0; i < h->ports; i++) packets += ace_wire_packets(h->to[i]);
    return packets;
}

void hub_count(const hub *h, uint64_t counts[ACE_LINK_COUNTS]) {
    for (unsigned i = 0; i < h->ports; i++) {
        if (!h->guard[i]) continue;
        counts[0] += h->guard[i]->resent;
        counts[1] += h->guard[i]->bad;
        counts[2] += h->guard[i]->dropped;
    }
}

const link_network *hub_network(const hub *h) { return h->network; }
