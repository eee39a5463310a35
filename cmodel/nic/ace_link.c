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
    memset(k->tx, 0, sizeof k->tx);
    memset(k->rx, 0, sizeof k->rx);
    k->tx_at = k->rx_at = k->taken = 0;
    k->wrong = k->counted = false;
    memset(k->next, 0, sizeof k->next);
    memset(k->expect, 0, sizeof k->expect);
    memset(k->take, 0, sizeof k->take);
}

/* What the port has put on tx in this cycle. */
static const uint32_t *tx_row(const ace_link *k, unsigned l, bool routed) {
    return ace_link_port_tx_data(routed ? k->routed : k->plain, l);
}

/* What stands under no bit depends on who has sent it: 0, so that states with the same meaning are the
 * same bytes. */
static void clean_tx(ace_tx_step *s) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!(s->frame >> l & 1)) s->number[l] = s->ack[l] = 0;
        if (!(s->valid >> l & 1)) {
            s->tx[l].context = s->tx[l].mark = 0;
            s->route[l] = s->row[l] = 0;
        }
        if (!(s->grant_valid >> l & 1))
            s->grant[l].context = s->grant[l].mark = s->grant_peer[l] = 0;
    }
}

static void clean_rx(ace_rx_pins *rx) {
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        if (!(rx->frame >> l & 1)) rx->number[l] = rx->ack[l] = 0;
        if (!(rx->flipped >> l & 1)) rx->flip[l] = 0;
        if (!(rx->valid >> l & 1)) rx->link[l].context = rx->link[l].mark = 0;
        if (!(rx->grant_valid >> l & 1))
            rx->link[l].grant_context = rx->link[l].grant_mark = rx->grant_peer[l] = 0;
    }
}

static void normal_tx(ace_tx_step *to, const ace_tx_step *from, bool numbers) {
    memcpy(to, from, sizeof *to);
    clean_tx(to);
    memset(to->row, 0, sizeof to->row);
    to->kept = 0;
    if (numbers) return;
    memset(to->number, 0, sizeof to->number);
    memset(to->ack, 0, sizeof to->ack);
}

static void normal_rx(ace_rx_step *to, const ace_rx_step *from, bool numbers) {
    memcpy(to, from, sizeof *to);
    clean_rx(&to->pins);
    memset(to->pins.flip, 0, sizeof to->pins.flip); /* the bit has changed */
    if (numbers) return;
    memset(to->pins.number, 0, sizeof to->pins.number);
    memset(to->pins.ack, 0, sizeof to->pins.ack);
}

void ace_link_state(ace_link *k, ace_state *s) {
    ace_link_port_state(k->plain, s);
    ace_link_port_state(k->routed, s);
    for (unsigned i = 0; i < ACE_LINK_TX_STEPS; i++) clean_tx(&k->tx[i]);
    for (unsigned i = 0; i < ACE_LINK_RX_STEPS; i++) clean_rx(&k->rx[i].pins);
    ACE_STATE(s, k->hold);
    ACE_STATE(s, k->tight);
    ACE_STATE(s, k->tx);
    ACE_STATE(s, k->rx);
    ACE_STATE(s, k->tx_at);
    ACE_STATE(s, k->rx_at);
    ACE_STATE(s, k->taken);
    ACE_STATE(s, k->wrong);
    ACE_STATE(s, k->counted);
    ACE_STATE(s, k->next);
    ACE_STATE(s, k->expect);
    ACE_STATE(s, k->take);
    if (k->tx_at >= ACE_LINK_TX_STEPS || k->rx_at >= ACE_LINK_RX_STEPS) s->failed = true;
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_frame *const f = &k->given[l];
        ace_link_guard_state(k->guard[l], s);
        ACE_STATE(s, f->head);
        ACE_STATE(s, f->route);
        f->row = f->head & 1 ? tx_row(k, l, f->head >> ACE_FRAME_ROUTED & 1) : NULL;
    }
}

void ace_link_normal(ace_link *k) {
    ace_tx_step tx[ACE_LINK_TX_STEPS];
    ace_rx_step rx[ACE_LINK_RX_STEPS];
    memset(rx, 0, sizeof rx);
    ace_link_know(k, false);
    k->taken = 0; /* of the cycle before */
    for (unsigned i = 0; i < ACE_LINK_TX_STEPS; i++)
        normal_tx(&tx[ACE_LINK_TX_STEPS - 1 - i], ace_link_tx(k, i), k->retry);
    for (unsigned i = 0; i + 1 < ACE_LINK_RX_STEPS; i++) /* the oldest has gone on */
        normal_rx(&rx[ACE_LINK_RX_STEPS - 1 - i], ace_link_rx(k, i), k->retry);
    memcpy(k->tx, tx, sizeof tx);
    memcpy(k->rx, rx, sizeof rx);
    k->tx_at = ACE_LINK_TX_STEPS - 1;
    k->rx_at = ACE_LINK_RX_STEPS - 1;
    if (k->retry) return;
    memset(k->next, 0, sizeof k->next);
    memset(k->expect, 0, sizeof k->expect);
    memset(k->take, 0, sizeof k->take);
}

void ace_link_know(ace_link *k, bool arrived) {
    const unsigned first = arrived; /* the age of the youngest that was only counted */
    if (!k->counted) return;
    k->counted = false;
    memcpy(k->take, k->expect, sizeof k->take);
    for (unsigned age = first + ACE_LINK_RX_STEPS - 1; --age > first;) {
        ace_rx_step *const s = ace_link_rx(k, age);
        s->took = s->pins.frame;
        ace_link_count_frames(k->take, s->took);
    }
}

uint16_t ace_link_due(const ace_link *k, unsigned l) {
    const unsigned ages = ACE_LINK_RX_STEPS - 1; /* the oldest step has gone on */
    unsigned number = k->expect[l];
    for (unsigned age = 0; age < ages; age++)
        number += k->rx[(k->rx_at - age) % ACE_LINK_RX_STEPS].pins.frame >> l & 1;
    return (uint16_t)number;
}

void ace_link_change(ace_rx_pins *rx) {
    uint8_t *const sets[] = { &rx->valid,  &rx->reduce,        &rx->credit, &rx->grant_valid,
                              &rx->routed, &rx->routed_credit, NULL,        &rx->resend };
    for (unsigned set = rx->flipped & rx->frame; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set), bit = rx->flip[l] - 1u;
        if (bit < 8) {
            if (sets[bit]) *sets[bit] ^= (uint8_t)(1u << l);
        } else if (bit >= ACE_BIT_NUMBER && bit < ACE_BIT_ACK) {
            rx->number[l] = (uint16_t)(rx->number[l] ^ 1u << (bit - ACE_BIT_NUMBER));
        }
    }
    rx->flipped &= rx->frame;
}

/* ---- the guards ------------------------------------------------------------------- */

/* What ports and grants show in this cycle is a frame. */
static void give(ace_link *k, unsigned l) {
    const ace_tx_step *o = ace_link_tx(k, 0);
    const uint64_t packet = o->valid >> l & 1;
    const uint64_t set = packet | (uint64_t)(o->reduce >> l & 1) << ACE_FRAME_REDUCE |
                         (uint64_t)(o->credit >> l & 1) << ACE_FRAME_CREDIT |
                         (uint64_t)(o->grant_valid >> l & 1) << ACE_FRAME_GRANT |
                         (uint64_t)(o->routed >> l & 1) << ACE_FRAME_ROUTED |
                         (uint64_t)(o->routed_credit >> l & 1) << ACE_FRAME_ROUTED_CREDIT;
    const uint64_t bytes = o->tx[l].context | (uint64_t)o->tx[l].mark << 8 |
                           (uint64_t)o->grant[l].context << 16 | (uint64_t)o->grant[l].mark << 24 |
                           (uint64_t)o->grant_peer[l] << 32;
    k->given[l] = (ace_frame){ .head = ace_frame_clean(set | bytes << 8),
                               .route = packet ? o->route[l] : 0,
                               .row = packet ? tx_row(k, l, o->routed >> l & 1) : NULL };
}

/* The frame that leaves in this cycle. */
static void show_frame(ace_link *k, unsigned l) {
    const unsigned bit = 1u << l;
    const ace_link_guard *g = k->guard[l];
    ace_tx_step *const o = ace_link_tx(k, 0);
    ace_frame tx;
    ace_link_guard_show(g, &k->given[l], &tx);
    const uint64_t h = tx.valid ? tx.head : 0;
    uint8_t *const sets[] = { &o->valid,  &o->reduce,        &o->credit, &o->grant_valid,
                              &o->routed, &o->routed_credit, NULL,       &o->resend };
    for (unsigned i = 0; i < 8; i++)
        if (sets[i]) *sets[i] = (uint8_t)((*sets[i] & ~bit) | (h >> i & 1) << l);
    o->frame = (uint8_t)((o->frame & ~bit) | (unsigned)tx.valid << l);
    o->tx[l].context = (uint8_t)(h >> 8);
    o->tx[l].mark = (uint8_t)(h >> 16);
    o->grant[l].context = (uint8_t)(h >> 24);
    o->grant[l].mark = (uint8_t)(h >> 32);
    o->grant_peer[l] = (uint8_t)(h >> 40);
    o->route[l] = tx.route;
    o->number[l] = tx.number;
    o->ack[l] = tx.ack;
    if (!ace_link_guard_again(g)) return;
    o->kept = (uint8_t)(o->kept | bit);
    o->row[l] = g->kept[g->send & (g->frames - 1)].rows;
}

/* Of a frame that has come, what a guard asks for. */
static ace_frame arrived(const ace_rx_step *s, unsigned l) {
    const ace_rx_pins *rx = &s->pins;
    const uint64_t set = (rx->valid >> l & 1u) | (rx->credit >> l & 1u) << ACE_FRAME_CREDIT |
                         (rx->grant_valid >> l & 1u) << ACE_FRAME_GRANT |
                         (rx->routed_credit >> l & 1u) << ACE_FRAME_ROUTED_CREDIT |
                         (rx->resend >> l & 1u) << ACE_FRAME_RESEND;
    return (ace_frame){ .valid = rx->frame >> l & 1,
                        .took = s->took >> l & 1,
                        .head = set,
                        .number = rx->number[l],
                        .ack = rx->ack[l] };
}

/* Is the frame whose row is to be written taken? */
static bool takes(const ace_link *k, unsigned l, const ace_rx_step *s) {
    const ace_frame f = arrived(s, l);
    const ace_link_port *p = s->pins.routed >> l & 1 ? k->routed : k->plain;
    return f.valid && (f.head & ACE_FRAME_NUMBERED) && f.number == k->take[l] &&
           (!(f.head & 1) || ace_link_port_rx_room(p, l));
}

/* What was taken behind a frame that is not good goes with it. */
static void abort_rows(ace_link *k, unsigned l, uint16_t expect) {
    ace_rx_step *const sum = ace_link_rx(k, 2);
    sum->took = (uint8_t)(sum->took & ~(1u << l));
    k->take[l] = expect;
    ace_link_port_abort(k->plain, l);
    ace_link_port_abort(k->routed, l);
}

void ace_link_receive(ace_link *k) {
    ace_rx_step *const s = ace_link_rx(k, 3), *const row = ace_link_rx(k, 1);
    unsigned accepted = 0;
    ace_link_know(k, true);
    k->hold = k->tight = 0;
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_link_guard *g = k->guard[l];
        const ace_frame rx = arrived(s, l);
        const bool good = !(s->pins.flipped >> l & 1);
        if (!g->retry) { /* its numbers are counted apart, and it sends what it is given */
            g->next = k->next[l];
            g->expect = k->expect[l];
            give(k, l);
        }
        const uint16_t expect = g->expect;
        k->hold = (uint8_t)(k->hold | (unsigned)ace_link_guard_hold(g) << l);
        k->tight = (uint8_t)(k->tight | (unsigned)ace_link_guard_tight(g) << l);
        accepted |= (unsigned)ace_link_guard_accepts(g, &rx, good) << l;
        ace_link_guard_move(g, &k->given[l], &rx, good);
        k->next[l] = g->next;
        k->expect[l] = g->expect;
        if (rx.valid && rx.took && !good) {
            abort_rows(k, l, expect);
        } else if (takes(k, l, row)) {
            row->took = (uint8_t)(row->took | 1u << l);
            k->take[l]++;
        }
    }
    k->taken = row->took;
    s->pins.valid &= (uint8_t)accepted;
    s->pins.reduce &= (uint8_t)accepted;
    s->pins.credit &= (uint8_t)accepted;
    s->pins.grant_valid &= (uint8_t)accepted;
    s->pins.routed &= (uint8_t)accepted;
    s->pins.routed_credit &= (uint8_t)accepted;
    k->wrong = (ace_link_rx(k, 0)->pins.flipped | row->pins.flipped |
                ace_link_rx(k, 2)->pins.flipped) != 0;
    ace_link_next_step(k);
}

static bool has_rows(const ace_link *k) { return k->plain->in_rows != NULL; }

bool ace_link_send(ace_link *k, ace_pins_out *out) {
    bool idle = true;
    for (unsigned l = 0; l < k->lanes; l++) {
        const ace_link_guard *g = k->guard[l];
        const uint32_t counts[ACE_LINK_COUNTS] = { g->resent, g->bad, g->dropped };
        give(k, l);
        show_frame(k, l);
        memcpy(out->link_count[l], counts, sizeof counts);
        out->link_failed = (uint8_t)(out->link_failed | (unsigned)g->failed << l);
        idle = idle && ace_link_guard_idle(g);
    }
    ace_link_to_pins(k, has_rows(k), out);
    return idle;
}

void ace_link_point(ace_link *k, ace_pins_out *out) { ace_link_to_pins(k, has_rows(k), out); }

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

static uint32_t crc_of(const ace_pins_out *o) {
    const uint64_t set = (uint64_t)o->tx_valid | (uint64_t)o->tx_reduce << ACE_FRAME_REDUCE |
                         (uint64_t)o->tx_credit << ACE_FRAME_CREDIT |
                         (uint64_t)o->tx_grant_valid << ACE_FRAME_GRANT |
                         (uint64_t)o->tx_routed << ACE_FRAME_ROUTED |
                         (uint64_t)o->tx_routed_credit << ACE_FRAME_ROUTED_CREDIT |
                         (uint64_t)o->tx_resend << ACE_FRAME_RESEND;
    const uint64_t bytes =
        o->tx[0].context | (uint64_t)o->tx[0].mark << 8 | (uint64_t)o->tx_grant[0].context << 16 |
        (uint64_t)o->tx_grant[0].mark << 24 | (uint64_t)o->tx_grant_peer[0] << 32;
    const ace_frame tx = { .head = ace_frame_clean(set | bytes << 8),
                           .route = o->tx_valid ? o->tx_route[0] : 0,
                           .number = o->tx_number[0],
                           .ack = o->tx_ack[0],
                           .row = o->tx_valid ? o->tx_data[0] : NULL };
    return ace_frame_crc(&tx);
}

void ace_link_pins_eval(const ace_link_pins *p, ace_link_pins_out *o) {
    const ace_pins_out *out = &p->out;
    const ace_rx_step *rx = &p->link.rx[(p->link.rx_at + 2u) % ACE_LINK_RX_STEPS]; /* the verdict */
    const ace_link_guard *g = p->link.guard[0];
    o->tx_frame = out->tx_frame;
    o->tx_resend = out->tx_resend;
    o->tx_number = out->tx_number[0];
    o->tx_ack = out->tx_ack[0];
    o->tx_valid = out->tx_valid;
    o->tx_context = out->tx[0].context;
    o->tx_reduce = out->tx_reduce;
    o->tx_mark = out->tx[0].mark;
    o->tx_data = out->tx_valid ? out->tx_data[0] : NULL;
    o->tx_routed = out->tx_routed;
    o->tx_route = out->tx_route[0];
    o->tx_credit = out->tx_credit;
    o->tx_routed_credit = out->tx_routed_credit;
    o->tx_grant_valid = out->tx_grant_valid;
    o->tx_grant_context = out->tx_grant[0].context;
    o->tx_grant_mark = out->tx_grant[0].mark;
    o->tx_grant_peer = out->tx_grant_peer[0];
    o->tx_crc = crc_of(out);
    o->m_tight = ace_link_guard_tight(g);
    o->m_grant_valid = (rx->took & ~rx->pins.flipped & rx->pins.grant_valid) != 0;
    o->m_grant_context = rx->pins.link[0].grant_context;
    o->m_grant_mark = rx->pins.link[0].grant_mark;
    o->m_grant_peer = rx->pins.grant_peer[0];
    o->failed = g->failed;
    o->count_resent = g->resent;
    o->count_bad = g->bad;
    o->count_dropped = g->dropped;
    eval_ports(&p->link, o);
    o->idle = ace_link_pins_idle(p);
}

static ace_frame frame_rx(const ace_link_pins_in *in) {
    const uint64_t set = (uint64_t)in->rx_valid | (uint64_t)in->rx_reduce << ACE_FRAME_REDUCE |
                         (uint64_t)in->rx_credit << ACE_FRAME_CREDIT |
                         (uint64_t)in->rx_grant_valid << ACE_FRAME_GRANT |
                         (uint64_t)in->rx_routed << ACE_FRAME_ROUTED |
                         (uint64_t)in->rx_routed_credit << ACE_FRAME_ROUTED_CREDIT |
                         (uint64_t)in->rx_resend << ACE_FRAME_RESEND;
    const uint64_t bytes = in->rx_context | (uint64_t)in->rx_mark << 8 |
                           (uint64_t)in->rx_grant_context << 16 |
                           (uint64_t)in->rx_grant_mark << 24 | (uint64_t)in->rx_grant_peer << 32;
    return (ace_frame){ .head = set | bytes << 8,
                        .route = in->rx_route,
                        .number = in->rx_number,
                        .ack = in->rx_ack,
                        .row = in->rx_data };
}

/* The pins of lane 0 as a node has them, which is told whether the frame is good. */
static ace_pins_in pins_rx(const ace_link_pins_in *in) {
    ace_pins_in to = { .rx_data[0] = in->rx_data, .rx_route[0] = in->rx_route };
    if (!in->rx_frame) return to;
    const ace_frame rx = frame_rx(in);
    to.rx = (ace_rx_pins){ .frame = 1,
                           .valid = in->rx_valid,
                           .reduce = in->rx_reduce,
                           .credit = in->rx_credit,
                           .grant_valid = in->rx_grant_valid,
                           .routed = in->rx_routed,
                           .routed_credit = in->rx_routed_credit,
                           .resend = in->rx_resend,
                           .flipped = ace_frame_crc(&rx) != in->rx_crc,
                           .flip[0] = 1 + ACE_BIT_CRC, /* what is wrong is so on the pins */
                           .number[0] = in->rx_number,
                           .ack[0] = in->rx_ack };
    to.rx.link[0].context = in->rx_context;
    to.rx.link[0].mark = in->rx_mark;
    to.rx.link[0].grant_context = in->rx_grant_context;
    to.rx.link[0].grant_mark = in->rx_grant_mark;
    to.rx.grant_peer[0] = in->rx_grant_peer;
    return to;
}

static void tick_ports(ace_link_pins *p, const ace_link_pins_in *in, const ace_pins_in *rx) {
    ace_link *const k = &p->link;
    const bool payload = has_rows(k);
    const unsigned wants = ace_link_port_wants(k->routed);
    const ace_rx_step *row = ace_link_rx(k, 1);
    const ace_rx_pins *on = ace_link_accepted(k);
    const unsigned packet = row->took & row->pins.valid;
    p->protocol_error |=
        ace_link_port_breaks(k->plain, 0, packet & ~(unsigned)row->pins.routed,
                             on->valid & ~(unsigned)on->routed, on->credit, in->m_pop,
                             in->s_reserve, in->s_valid) ||
        ace_link_port_breaks(k->routed, 0, packet & row->pins.routed, on->valid & on->routed,
                             on->routed_credit, in->m_routed_pop, in->s_routed_reserve,
                             in->s_routed_valid);
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
    ace_link_leaving(k)->grant_valid = 0;
    ace_link_plain(k, rx, in->m_pop, in->s_reserve, in->s_valid, wants, payload);
    ace_link_routed(k, rx, in->m_routed_pop, in->s_routed_reserve, in->s_routed_valid, payload);
}

void ace_link_pins_tick(ace_link_pins *p, const ace_link_pins_in *in) {
    ace_link *const k = &p->link;
    ace_link_guard *const g = k->guard[0];
    ace_tx_step *const leaves = ace_link_leaving(k);
    const ace_pins_in to = pins_rx(in);
    k->retry = g->retry = in->cfg_retry;
    g->cost = ace_cost(in->cfg_cost);
    if (!g->retry) {
        g->next = k->next[0];
        g->expect = k->expect[0];
    }
    leaves->grant_valid = in->s_grant_valid;
    leaves->grant[0].context = in->s_grant_context;
    leaves->grant[0].mark = in->s_grant_mark;
    leaves->grant_peer[0] = in->s_grant_peer;
    give(k, 0);
    show_frame(k, 0);
    k->wrong = true; /* frames are looked at, not only counted */
    ace_link_arrive(k, &to);
    ace_link_receive(k);
    tick_ports(p, in, &to);
    ace_link_to_pins(k, has_rows(k), &p->out);
}

bool ace_link_pins_idle(const ace_link_pins *p) {
    const ace_link *k = &p->link;
    return ace_link_port_idle(k->plain) && !ace_link_port_held(k->plain, 0) &&
           ace_link_port_idle(k->routed) && !ace_link_port_held(k->routed, 0) &&
           ace_link_guard_idle(k->guard[0]) && !ace_link_flying(k);
}

void ace_link_pins_skip(ace_link_pins *p, uint64_t cycles) {
    ace_link_port_skip(p->link.plain, cycles);
    ace_link_port_skip(p->link.routed, cycles);
}
