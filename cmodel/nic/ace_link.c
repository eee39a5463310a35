/* SPDX-License-Identifier: Apache-2.0 */
/* ace_link.c -- the links of a node made and looked at, their guards where they do more than count,
 * and the pins of one */
#include "ace_link.h"

#include <stdlib.h>

int ace_link_create(unsigned links, const ace_parameters *p, bool payload, ace_link *k) {
    *k = (ace_link){ .lanes = links };
    int err = ace_link_port_create_lanes(ACE_LINKS, p->link_input_rows, p->link_output_rows, false,
                                         payload, &k->plain);
    if (!err)
        err = ace_link_port_create_lanes(ACE_LINKS, p->router_input_rows, p->router_output_rows,
                                         true, payload, &k->routed);
    return err;
}

void ace_link_destroy(ace_link *k) {
    ace_link_port_destroy(k->plain);
    ace_link_port_destroy(k->routed);
    for (unsigned l = 0; l < ACE_LINKS; l++) ace_link_guard_destroy(k->guard[l]);
}

int ace_link_keep_frames(ace_link *k, const ace_parameters *p, uint16_t retry) {
    const bool payload = k->plain->in_rows != NULL;
    for (unsigned l = 0; l < k->lanes; l++) {
        if (k->guard[l] && (k->guard[l]->frames || !retry)) continue;
        ace_link_guard_destroy(k->guard[l]);
        k->guard[l] = NULL;
        const int err = ace_link_guard_create_for(p->link_input_rows, p->router_input_rows, retry,
                                                  payload, &k->guard[l]);
        if (err) return err;
    }
    return ACE_OK;
}

void ace_link_reset(ace_link *k, const ace_config *cfg) {
    ace_link_port_reset(k->plain);
    ace_link_port_reset(k->routed);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        ace_link_port_set_cost(k->plain, l, cfg->link_cost[l / 2]);
        ace_link_port_set_cost(k->routed, l, cfg->link_cost[l / 2]);
    }
    for (unsigned l = 0; l < k->lanes; l++) {
        k->guard[l]->retry = cfg->retry;
        k->guard[l]->cost = ace_cost(cfg->link_cost[l / 2]);
        ace_link_guard_reset(k->guard[l]);
        k->given[l] = (ace_frame){ 0 };
    }
    k->retry = cfg->retry;
    k->hold = k->tight = 0;
}

static const uint32_t *tx_row(const ace_link *k, unsigned l, bool routed) {
    return ace_link_port_tx_data(routed ? k->routed : k->plain, l);
}

void ace_link_state(ace_link *k, ace_state *s) {
    ace_link_port_state(k->plain, s);
    ace_link_port_state(k->routed, s);
    ACE_STATE(s, k->hold);
    ACE_STATE(s, k->tight);
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_frame *const f = &k->given[l];
        ace_link_guard_state(k->guard[l], s);
        ACE_STATE(s, f->head);
        ACE_STATE(s, f->route);
        f->row = f->head & 1 ? tx_row(k, l, f->head >> ACE_FRAME_ROUTED & 1) : NULL;
    }
}

/* ---- the guards ------------------------------------------------------------------- */

/* What ports and grants show in this cycle is a frame. */
static void give(ace_link *k, const ace_pins_out *o, unsigned l) {
    const uint64_t packet = o->tx_valid >> l & 1;
    const uint64_t set = packet | (uint64_t)(o->tx_reduce >> l & 1) << ACE_FRAME_REDUCE |
                         (uint64_t)(o->tx_credit >> l & 1) << ACE_FRAME_CREDIT |
                         (uint64_t)(o->tx_grant_valid >> l & 1) << ACE_FRAME_GRANT |
                         (uint64_t)(o->tx_routed >> l & 1) << ACE_FRAME_ROUTED |
                         (uint64_t)(o->tx_routed_credit >> l & 1) << ACE_FRAME_ROUTED_CREDIT;
    const uint64_t bytes =
        o->tx[l].context | (uint64_t)o->tx[l].mark << 8 | (uint64_t)o->tx_grant[l].context << 16 |
        (uint64_t)o->tx_grant[l].mark << 24 | (uint64_t)o->tx_grant_peer[l] << 32;
    k->given[l] = (ace_frame){ .head = ace_frame_clean(set | bytes << 8),
                               .route = packet ? o->tx_route[l] : 0,
                               .row = packet ? o->tx_data[l] : NULL };
}

/* The pins of a link in this cycle. */
static void show_frame(const ace_link *k, ace_pins_out *o, unsigned l) {
    const unsigned bit = 1u << l;
    ace_frame tx;
    ace_link_guard_show(k->guard[l], &k->given[l], &tx);
    const uint64_t h = tx.valid ? tx.head : 0;
    o->tx_valid = (uint8_t)((o->tx_valid & ~bit) | (h & 1) << l);
    o->tx_reduce = (uint8_t)((o->tx_reduce & ~bit) | (h >> ACE_FRAME_REDUCE & 1) << l);
    o->tx_credit = (uint8_t)((o->tx_credit & ~bit) | (h >> ACE_FRAME_CREDIT & 1) << l);
    o->tx_grant_valid = (uint8_t)((o->tx_grant_valid & ~bit) | (h >> ACE_FRAME_GRANT & 1) << l);
    o->tx_routed = (uint8_t)((o->tx_routed & ~bit) | (h >> ACE_FRAME_ROUTED & 1) << l);
    o->tx_routed_credit =
        (uint8_t)((o->tx_routed_credit & ~bit) | (h >> ACE_FRAME_ROUTED_CREDIT & 1) << l);
    o->tx_resend = (uint8_t)((o->tx_resend & ~bit) | (h >> ACE_FRAME_RESEND & 1) << l);
    o->tx_frame = (uint8_t)((o->tx_frame & ~bit) | (unsigned)tx.valid << l);
    o->tx[l].context = (uint8_t)(h >> 8);
    o->tx[l].mark = (uint8_t)(h >> 16);
    o->tx_grant[l].context = (uint8_t)(h >> 24);
    o->tx_grant[l].mark = (uint8_t)(h >> 32);
    o->tx_grant_peer[l] = (uint8_t)(h >> 40);
    o->tx_route[l] = tx.route;
    o->tx_data[l] = tx.row;
    o->tx_number[l] = tx.number;
    o->tx_ack[l] = tx.ack;
}

static ace_frame arrived(const ace_pins_in *in, unsigned l) {
    const ace_rx_pins *rx = &in->rx;
    const uint64_t set = (rx->valid >> l & 1u) | (rx->credit >> l & 1u) << ACE_FRAME_CREDIT |
                         (rx->grant_valid >> l & 1u) << ACE_FRAME_GRANT |
                         (rx->routed_credit >> l & 1u) << ACE_FRAME_ROUTED_CREDIT |
                         (rx->resend >> l & 1u) << ACE_FRAME_RESEND;
    return (ace_frame){
        .valid = rx->frame >> l & 1, .head = set, .number = rx->number[l], .ack = rx->ack[l]
    };
}

void ace_link_receive(ace_link *k, ace_pins_in *in, ace_pins_out *out) {
    unsigned accepted = 0;
    k->hold = k->tight = 0;
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_link_guard *g = k->guard[l];
        const ace_frame rx = arrived(in, l);
        const bool good = !(in->rx.flipped >> l & 1);
        if (!g->retry) { /* its numbers are those of the pins */
            g->next = out->tx_number[l];
            g->expect = out->tx_ack[l];
            give(k, out, l);
        }
        k->hold = (uint8_t)(k->hold | (unsigned)ace_link_guard_hold(g) << l);
        k->tight = (uint8_t)(k->tight | (unsigned)ace_link_guard_tight(g) << l);
        accepted |= (unsigned)ace_link_guard_accepts(g, &rx, good) << l;
        ace_link_guard_move(g, &k->given[l], &rx, good);
    }
    in->rx.valid &= (uint8_t)accepted;
    in->rx.reduce &= (uint8_t)accepted;
    in->rx.credit &= (uint8_t)accepted;
    in->rx.grant_valid &= (uint8_t)accepted;
    in->rx.routed &= (uint8_t)accepted;
    in->rx.routed_credit &= (uint8_t)accepted;
    out->tx_routed = out->tx_routed_credit = 0; /* what is routed says so again */
}

bool ace_link_send(ace_link *k, ace_pins_out *out) {
    bool idle = true;
    for (unsigned l = 0; l < k->lanes; l++) {
        const ace_link_guard *g = k->guard[l];
        const uint32_t counts[ACE_LINK_COUNTS] = { g->resent, g->bad, g->dropped };
        give(k, out, l);
        show_frame(k, out, l);
        memcpy(out->link_count[l], counts, sizeof counts);
        out->link_failed = (uint8_t)(out->link_failed | (unsigned)g->failed << l);
        idle = idle && ace_link_guard_idle(g);
    }
    return idle;
}

void ace_link_point(const ace_link *k, ace_pins_out *out) {
    for (unsigned l = 0; l < ACE_LINKS; l++)
        out->tx_data[l] = tx_row(k, l, out->tx_routed >> l & 1);
    for (unsigned l = 0; k->retry && l < k->lanes; l++) show_frame(k, out, l);
}

/* ---- pins ------------------------------------------------------------------------- */

int ace_link_pins_create(const ace_parameters *p, bool payload, ace_link_pins **pins) {
    ace_link_pins *n = calloc(1, sizeof *n);
    if (!n) return ACE_ENOMEM;
    int err = ace_link_create(1, p, payload, &n->link);
    if (!err) err = ace_link_keep_frames(&n->link, p, 1);
    if (err) {
        ace_link_pins_destroy(n);
        return err;
    }
    ace_link_pins_reset(n);
    *pins = n;
    return ACE_OK;
}

void ace_link_pins_destroy(ace_link_pins *p) {
    if (!p) return;
    ace_link_destroy(&p->link);
    free(p);
}

void ace_link_pins_reset(ace_link_pins *p) {
    const ace_config cfg = { .retry = p->link.retry };
    ace_link_reset(&p->link, &cfg);
    p->out = (ace_pins_out){ 0 };
    p->protocol_error = false;
}

static ace_frame frame_rx(const ace_link_pins_in *in) {
    if (!in->rx_frame) return (ace_frame){ 0 };
    const uint64_t set = (uint64_t)in->rx_valid | (uint64_t)in->rx_reduce << ACE_FRAME_REDUCE |
                         (uint64_t)in->rx_credit << ACE_FRAME_CREDIT |
                         (uint64_t)in->rx_grant_valid << ACE_FRAME_GRANT |
                         (uint64_t)in->rx_routed << ACE_FRAME_ROUTED |
                         (uint64_t)in->rx_routed_credit << ACE_FRAME_ROUTED_CREDIT |
                         (uint64_t)in->rx_resend << ACE_FRAME_RESEND;
    const uint64_t bytes = in->rx_context | (uint64_t)in->rx_mark << 8 |
                           (uint64_t)in->rx_grant_context << 16 |
                           (uint64_t)in->rx_grant_mark << 24 | (uint64_t)in->rx_grant_peer << 32;
    return (ace_frame){ .valid = true,
                        .head = set | bytes << 8,
                        .route = in->rx_route,
                        .number = in->rx_number,
                        .ack = in->rx_ack,
                        .row = in->rx_data };
}

/* The guard, and what it shows, as the pins have it in this cycle; the ports' part stays in p->out. */
static void show_pins(const ace_link_pins *p, const ace_link_pins_in *in, ace_link_guard *g,
                      ace_link *k, ace_pins_out *out) {
    *g = *p->link.guard[0];
    g->retry = in->cfg_retry;
    g->cost = ace_cost(in->cfg_cost);
    if (!g->retry) {
        g->next = p->out.tx_number[0];
        g->expect = p->out.tx_ack[0];
    }
    *k = p->link;
    k->guard[0] = g;
    k->retry = g->retry;
    *out = p->out;
    out->tx_grant_valid = in->s_grant_valid;
    memcpy(&out->tx_grant[0], (uint8_t[]){ in->s_grant_context, in->s_grant_mark }, 2);
    out->tx_grant_peer[0] = in->s_grant_peer;
    if (k->retry || g->failed)
        ace_link_send(k, out);
    else
        ace_link_show(out);
}

static uint32_t note_of(const ace_link_header *h) {
    return (uint32_t)h->reduce << 16 | (uint32_t)h->context << 8 | h->mark;
}

static void eval_ports(const ace_link *k, ace_link_pins_out *o) {
    const ace_link_header *head = ace_link_port_head(k->plain, 0);
    o->m_head_valid = k->plain->m_head_valid & 1;
    o->m_head_context = head->context;
    o->m_head_reduce = head->reduce;
    o->m_head_mark = head->mark;
    o->m_data = ace_link_port_popped_data(k->plain, 0);
    o->s_room = k->plain->s_room & 1;
    o->m_routed_valid = k->routed->m_head_valid & 1;
    o->m_routed_route = ace_link_port_head_route(k->routed, 0);
    o->m_routed_note = note_of(ace_link_port_head(k->routed, 0));
    o->m_routed_data = ace_link_port_popped_data(k->routed, 0);
    o->s_routed_room = k->routed->s_room & 1;
    o->s_routed_room_two = ace_link_port_room_two(k->routed) & 1;
    ace_link_port_classes(k->plain, 0, o->count);
}

void ace_link_pins_eval(const ace_link_pins *p, const ace_link_pins_in *in, ace_link_pins_out *o) {
    const ace_frame rx = frame_rx(in);
    ace_link_guard g;
    ace_link k;
    ace_pins_out out;
    show_pins(p, in, &g, &k, &out);
    o->tx_frame = out.tx_frame;
    o->tx_resend = out.tx_resend;
    o->tx_number = out.tx_number[0];
    o->tx_ack = out.tx_ack[0];
    o->tx_valid = out.tx_valid;
    o->tx_context = out.tx[0].context;
    o->tx_reduce = out.tx_reduce;
    o->tx_mark = out.tx[0].mark;
    o->tx_data = out.tx_valid ? out.tx_data[0] : NULL;
    o->tx_routed = out.tx_routed;
    o->tx_route = out.tx_route[0];
    o->tx_credit = out.tx_credit;
    o->tx_routed_credit = out.tx_routed_credit;
    o->tx_grant_valid = out.tx_grant_valid;
    o->tx_grant_context = out.tx_grant[0].context;
    o->tx_grant_mark = out.tx_grant[0].mark;
    o->tx_grant_peer = out.tx_grant_peer[0];
    give(&k, &out, 0);
    ace_frame tx = k.given[0];
    tx.head |= (uint64_t)out.tx_resend << ACE_FRAME_RESEND;
    tx.number = o->tx_number;
    tx.ack = o->tx_ack;
    o->tx_crc = ace_frame_crc(&tx);
    o->m_tight = ace_link_guard_tight(&g);
    o->m_grant_valid = in->rx_frame && in->rx_grant_valid &&
                       ace_link_guard_accepts(&g, &rx, ace_frame_crc(&rx) == in->rx_crc);
    o->failed = g.failed;
    o->count_resent = g.resent;
    o->count_bad = g.bad;
    o->count_dropped = g.dropped;
    eval_ports(&k, o);
    o->idle = ace_link_pins_idle(p);
}

/* The pins of lane 0 as a node has them; whether the frame is good is known already. */
static ace_pins_in pins_rx(const ace_link_pins_in *in, const ace_frame *rx, bool good) {
    ace_pins_in to = { .rx_data[0] = in->rx_data, .rx_route[0] = in->rx_route };
    if (!rx->valid) return to;
    to.rx = (ace_rx_pins){ .frame = 1,
                           .valid = in->rx_valid,
                           .reduce = in->rx_reduce,
                           .credit = in->rx_credit,
                           .grant_valid = in->rx_grant_valid,
                           .routed = in->rx_routed,
                           .routed_credit = in->rx_routed_credit,
                           .resend = in->rx_resend,
                           .flipped = !good,
                           .number[0] = in->rx_number,
                           .ack[0] = in->rx_ack };
    to.rx.link[0].context = in->rx_context;
    to.rx.link[0].mark = in->rx_mark;
    return to;
}

static void tick_ports(ace_link_pins *p, const ace_link_pins_in *in, const ace_pins_in *rx) {
    ace_link *const k = &p->link;
    const bool payload = k->plain->in_rows != NULL;
    const unsigned wants = ace_link_port_wants(k->routed), routed = rx->rx.routed & rx->rx.valid;
    p->protocol_error |=
        ace_link_port_breaks(k->plain, 0, rx->rx.valid & ~routed & 1, rx->rx.credit, in->m_pop,
                             in->s_reserve, in->s_valid) ||
        ace_link_port_breaks(k->routed, 0, routed, rx->rx.routed_credit, in->m_routed_pop,
                             in->s_routed_reserve, in->s_routed_valid);
    const ace_link_header s = { in->s_context, in->s_mark, in->s_reduce, in->s_peer };
    const ace_link_header r = { (uint8_t)(in->s_routed_note >> 8), (uint8_t)in->s_routed_note,
                                (uint8_t)(in->s_routed_note >> 16), 0 };
    if (in->s_valid) ace_link_port_put_s(k->plain, 0, s, in->s_data);
    if (in->s_routed_valid) {
        ace_link_port_put_s(k->routed, 0, r, in->s_routed_data);
        ace_link_port_put_s_route(k->routed, 0, in->s_routed_route);
    }
    ace_link_port_set_cost(k->plain, 0, in->cfg_cost);
    ace_link_port_set_cost(k->routed, 0, in->cfg_cost);
    ace_link_plain(k, rx, in->m_pop, in->s_reserve, in->s_valid, wants, payload, &p->out);
    ace_link_routed(k, rx, in->m_routed_pop, in->s_routed_reserve, in->s_routed_valid, payload,
                    &p->out);
}

void ace_link_pins_tick(ace_link_pins *p, const ace_link_pins_in *in) {
    const ace_frame rx = frame_rx(in);
    ace_pins_in to = pins_rx(in, &rx, rx.valid && ace_frame_crc(&rx) == in->rx_crc);
    ace_link_guard g, *const guard = p->link.guard[0];
    ace_link k;
    ace_pins_out out;
    show_pins(p, in, &g, &k, &out);
    *guard = g;
    k.guard[0] = guard;
    p->link = k;
    /* a node's neighbour never sends a number that is not expected while retry is off */
    if (k.retry || g.failed || to.rx.flipped || (rx.valid && rx.number != g.expect)) {
        ace_link_receive(&p->link, &to, &out);
        p->out.tx_number[0] = guard->next;
        p->out.tx_ack[0] = guard->expect;
    } else {
        ace_link_count(&out, &to);
        p->out.tx_number[0] = out.tx_number[0];
        p->out.tx_ack[0] = out.tx_ack[0];
    }
    tick_ports(p, in, &to);
}

bool ace_link_pins_idle(const ace_link_pins *p) {
    const ace_link *k = &p->link;
    return ace_link_port_idle(k->plain) && !(k->plain->m_head_valid & 1) &&
           ace_link_port_idle(k->routed) && !(k->routed->m_head_valid & 1) &&
           ace_link_guard_idle(k->guard[0]);
}

void ace_link_pins_skip(ace_link_pins *p, uint64_t cycles) {
    ace_link_port_skip(p->link.plain, cycles);
    ace_link_port_skip(p->link.routed, cycles);
}
