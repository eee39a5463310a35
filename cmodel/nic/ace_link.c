/* SPDX-License-Identifier: Apache-2.0 */
/* ace_link.c -- creates and reads the links of a node, their guards where they do more than count,
 * and the pins of one */
#include "ace_link.h"

#include <stdlib.h>

#include "ace_wire_encode.h"

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

/* The row that the port has put on tx in this cycle. */
static const uint32_t *tx_row(const ace_link *k, unsigned l, bool routed) {
    return ace_link_port_tx_data(routed ? k->routed : k->plain, l);
}

/* Checks that each leaving row is in the buffer of its port or, when sent again, of the guard. */
static void check_leaving(const ace_link *k, ace_state *s) {
    for (unsigned i = 0; i < ACE_LINK_TX_SLOTS; i++) {
        const ace_tx_step *const o = &k->sender.step[i];
        for (unsigned l = 0; l < ACE_LINKS; l++) {
            const ace_link_port *const p = o->routed >> l & 1 ? k->routed : k->plain;
            const bool kept = o->kept >> l & 1;
            ace_state_must(s, !kept || (l < k->lanes && k->retry), "ace_link_sender.kept");
            ace_state_must(s, !(o->valid >> l & 1) || kept || o->row[l] <= p->out_mask,
                           "ace_link_sender.row");
        }
    }
}

/* A port has written the rows that were taken and have no verdict, and no others that are not
 * committed. */
static void check_written(const ace_link *k, ace_state *s) {
    const ace_link_receiver *const r = &k->receiver;
    for (unsigned i = 0; i < 2 * k->lanes; i++) {
        const unsigned routed = i % 2, l = i / 2;
        const ace_link_port *const p = routed ? k->routed : k->plain;
        uint32_t rows = 0;
        for (unsigned age = ACE_LINK_RX_ROW; age < ACE_LINK_RX_VERDICT; age++) {
            const ace_rx_step *const t = &r->step[(r->at - age) % ACE_LINK_RX_STEPS];
            const unsigned took = r->counted ? t->pins.frame : t->took;
            rows += ((took & t->pins.valid) >> l & 1u) && (t->pins.routed >> l & 1u) == routed;
        }
        ace_state_must(s, rows == ((p->in_end[l] - p->in_tail[l]) & p->in_mask),
                       "ace_link_receiver.took");
    }
}

void ace_link_state(ace_link *k, ace_state *s) {
    ace_link_port_state(k->plain, s);
    ace_link_port_state(k->routed, s);
    ACE_STATE(s, k->hold);
    ACE_STATE(s, k->tight);
    ace_link_turn_state(&k->turn, s);
    ace_link_sender_state(&k->sender, s);
    ace_link_receiver_state(&k->receiver, s);
    ACE_STATE(s, k->next);
    ACE_STATE(s, k->expect);
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_frame *const f = &k->given[l];
        ace_link_guard_state(k->guard[l], s);
        ace_link_sync_state(&k->sync[l], s);
        ACE_STATE(s, f->head);
        ACE_STATE(s, f->route);
        f->row = f->head & 1 ? tx_row(k, l, f->head >> ACE_FRAME_ROUTED & 1) : NULL;
    }
    if (ace_state_loaded(s)) check_leaving(k, s);
    if (ace_state_loaded(s)) check_written(k, s);
}

void ace_link_normal(ace_link *k) {
    ace_link_know(k, false);
    ace_link_sender_normal(&k->sender, k->retry);
    ace_link_receiver_normal(&k->receiver, k->retry);
    if (k->retry) return;
    memset(k->next, 0, sizeof k->next);
    memset(k->expect, 0, sizeof k->expect);
}

uint16_t ace_link_due(const ace_link *k, unsigned l) {
    const unsigned ages = ACE_LINK_RX_STEPS - 1; /* the oldest step has gone on */
    const ace_link_receiver *r = &k->receiver;
    unsigned number = k->expect[l];
    for (unsigned age = 0; age < ages; age++)
        number += r->step[(r->at - age) % ACE_LINK_RX_STEPS].pins.frame >> l & 1;
    return (uint16_t)number;
}

/* ---- the guards ------------------------------------------------------------------- */

/* Gives the guard the frame that ports and grants make in this cycle. */
static void give(ace_link *k, unsigned l) {
    const ace_tx_step *o = ace_link_leaving(k);
    k->given[l] = ace_link_sender_given(o, l);
    if (o->valid >> l & 1) k->given[l].row = tx_row(k, l, o->routed >> l & 1);
}

/* The frame that leaves in this cycle. */
static void show_frame(ace_link *k, unsigned l) {
    const ace_link_guard *g = k->guard[l];
    ace_tx_step *const o = ace_link_leaving(k);
    ace_frame tx;
    ace_link_guard_show(g, &k->given[l], &tx);
    ace_link_sync_show(&k->sync[l], &tx);
    ace_link_sender_s_frame(&k->sender, l, &tx);
    if (!ace_link_guard_again(g)) return;
    o->kept = (uint8_t)(o->kept | 1u << l);
    o->row[l] = g->kept[g->send & (g->frames - 1)].rows;
}

void ace_link_reset(ace_link *k, const ace_config *cfg) {
    ace_link_port_reset(k->plain);
    ace_link_port_reset(k->routed);
    for (unsigned l = 0; l < ACE_LINKS; l++) {
        const uint32_t cost = cfg->link_cost[l / 2];
        ace_link_port_set_cost(k->plain, l, ace_wire_cost(cfg->wire_format, cost));
        ace_link_port_set_cost(k->routed, l, cfg->link_cost[l / 2]);
    }
    for (unsigned l = 0; l < k->lanes; l++) {
        k->guard[l]->retry = cfg->retry;
        k->guard[l]->cost = ace_cost(cfg->link_cost[l / 2]);
        ace_link_guard_reset(k->guard[l]);
        k->sync[l].epoch = cfg->epoch_links >> l & 1 ? cfg->epoch : 0;
        k->sync[l].silence = cfg->silence;
        ace_link_sync_reset(&k->sync[l]);
        k->given[l] = (ace_frame){ 0 };
    }
    k->retry = cfg->retry;
    ace_link_turn_reset(&k->turn, cfg->routed_rows);
    k->synced = cfg->epoch && cfg->epoch_links;
    k->hold = k->tight = 0;
    ace_link_sender_reset(&k->sender);
    ace_link_receiver_reset(&k->receiver);
    memset(k->next, 0, sizeof k->next);
    memset(k->expect, 0, sizeof k->expect);
    for (unsigned l = 0; k->synced && l < k->lanes; l++) show_frame(k, l); /* in the first cycle */
}

/* Returns whether the row's port has a free slot. */
static bool has_room(const ace_link *k, unsigned l, const ace_rx_step *row) {
    return ace_link_port_rx_room(row->pins.routed >> l & 1 ? k->routed : k->plain, l);
}

/* Did a SYNC frame leave in this cycle? */
static bool sync_sent(const ace_tx_step *o, unsigned l) {
    return (o->frame & o->routed & ~(unsigned)o->valid) >> l & 1;
}

/* The pin `failed`. */
static bool has_failed(const ace_link *k, unsigned l) {
    const ace_link_sync *y = &k->sync[l];
    return k->guard[l]->failed || y->ended || ace_link_sync_lost(y);
}

static void abort_rows(ace_link *k, unsigned l, uint16_t expect) {
    ace_link_receiver_m_abort(&k->receiver, l, expect);
    ace_link_port_abort(k->plain, l);
    ace_link_port_abort(k->routed, l);
}

void ace_link_receive(ace_link *k, bool close) {
    ace_rx_step *const s = ace_link_rx(k, ACE_LINK_RX_VERDICT);
    const ace_rx_step *const row = ace_link_rx(k, ACE_LINK_RX_ROW);
    const ace_tx_step *const leaves = ace_link_leaving(k);
    unsigned accepted = 0;
    ace_link_know(k, true);
    k->hold = k->tight = 0;
    for (unsigned l = 0; l < k->lanes; l++) {
        ace_link_guard *g = k->guard[l];
        ace_link_sync *y = &k->sync[l];
        const ace_frame came = ace_link_receiver_m_frame(s, l);
        const bool good = !(s->pins.flipped >> l & 1), up = ace_link_sync_up(y),
                   blocks = ace_link_sync_blocks(y);
        ace_frame rx = came;
        rx.valid = ace_link_sync_passes(y, &came, good);
        if (!g->retry) { /* its numbers are counted apart, and it sends what it is given */
            g->next = k->next[l];
            g->expect = k->expect[l];
            give(k, l);
        }
        const uint16_t expect = g->expect;
        k->hold = (uint8_t)(k->hold | (unsigned)(ace_link_guard_hold(g) || blocks) << l);
        k->tight = (uint8_t)(k->tight | (unsigned)(ace_link_guard_tight(g) || blocks) << l);
        accepted |= (unsigned)ace_link_guard_accepts(g, &rx, good) << l;
        ace_link_guard_move(g, &k->given[l], &rx, good);
        ace_link_sync_move(y, close, sync_sent(leaves, l), &came, good);
        k->next[l] = g->next;
        k->expect[l] = g->expect;
        if (came.valid && came.took && !(good && up)) {
            abort_rows(k, l, expect);
        } else if (ace_link_receiver_takes(&k->receiver, l, has_room(k, l, row))) {
            ace_link_receiver_take(&k->receiver, l);
        }
    }
    k->receiver.taken = row->took;
    s->pins.valid &= (uint8_t)accepted;
    s->pins.reduce &= (uint8_t)accepted;
    s->pins.credit &= (uint8_t)accepted;
    s->pins.grant_valid &= (uint8_t)accepted;
    s->pins.routed &= (uint8_t)accepted;
    s->pins.routed_credit &= (uint8_t)accepted;
    ace_link_receiver_check(&k->receiver);
    ace_link_sender_tick(&k->sender);
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
        out->link_failed = (uint8_t)(out->link_failed | (unsigned)has_failed(k, l) << l);
        idle = idle && ace_link_guard_idle(g);
    }
    out->link_state = ace_link_states(k);
    ace_link_to_pins(k, has_rows(k), out);
    return idle;
}

uint16_t ace_link_states(const ace_link *k) {
    unsigned state = 0;
    for (unsigned l = 0; l < k->lanes; l++)
        state |= (unsigned)ace_link_sync_life(&k->sync[l]) << 2 * l;
    return (uint16_t)state;
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
    const ace_config cfg = { .retry = p->link.retry,
                             .epoch = p->link.sync[0].epoch,
                             .epoch_links = 1,
                             .silence = p->link.sync[0].silence };
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
    o->m_code = ace_link_port_popped_code(k->plain, 0);
    o->s_room = k->plain->s_room & 1;
    o->s_room_two = ace_link_port_room_two(k->plain) & 1;
    o->m_routed_valid = k->routed->m_head_valid & 1;
    o->m_routed_route = ace_link_port_head_route(k->routed, 0);
    o->m_routed_note = note_of(ace_link_port_head(k->routed, 0));
    o->m_routed_data = ace_link_port_popped_data(k->routed, 0);
    o->m_routed_code = ace_link_port_popped_code(k->routed, 0);
    o->s_routed_room = k->routed->s_room & 1;
    o->s_routed_room_two = ace_link_port_room_two(k->routed) & 1;
    ace_link_port_classes(k->plain, 0, o->count);
}

void ace_link_pins_eval(const ace_link_pins *p, ace_link_pins_out *o) {
    const ace_pins_out *out = &p->out;
    const ace_link_receiver *r = &p->link.receiver;
    const ace_rx_step *rx = &r->step[(r->at + 2u) % ACE_LINK_RX_STEPS]; /* the verdict */
    const ace_link_guard *g = p->link.guard[0];
    const ace_link_sync *y = &p->link.sync[0];
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
    o->tx_crc = ace_link_sender_tx_crc(out, 0);
    o->m_tight = ace_link_guard_tight(g) || ace_link_sync_blocks(y);
    o->m_grant_valid = (rx->took & ~rx->pins.flipped & rx->pins.grant_valid) && ace_link_sync_up(y);
    o->m_grant_context = rx->pins.link[0].grant_context;
    o->m_grant_mark = rx->pins.link[0].grant_mark;
    o->m_grant_peer = rx->pins.grant_peer[0];
    o->failed = has_failed(&p->link, 0);
    o->state = (uint8_t)ace_link_sync_life(y);
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

/* The rx pins of lane 0 in a node's form.  A node checks the frame by `flipped`. */
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
    const unsigned wants = ace_link_port_wants(k->routed), waits = ace_link_port_waits(k->routed);
    const ace_rx_step *row = ace_link_rx(k, ACE_LINK_RX_ROW);
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
    ace_link_port_set_cost(k->plain, 0, in->cfg_plain_cost);
    ace_link_port_set_cost(k->routed, 0, in->cfg_cost);
    ace_link_leaving(k)->grant_valid = 0;
    ace_link_plain(k, rx, in->m_pop, in->s_reserve, in->s_valid, wants, waits, payload);
    ace_link_routed(k, rx, in->m_routed_pop, in->s_routed_reserve, in->s_routed_valid, payload);
}

void ace_link_pins_tick(ace_link_pins *p, const ace_link_pins_in *in) {
    ace_link *const k = &p->link;
    ace_link_guard *const g = k->guard[0];
    ace_tx_step *const leaves = ace_link_leaving(k);
    const ace_pins_in to = pins_rx(in);
    k->retry = g->retry = in->cfg_retry;
    k->turn.share = in->cfg_share;
    k->sync[0].epoch = in->cfg_epoch;
    k->sync[0].silence = in->cfg_silence;
    k->synced = in->cfg_epoch != 0;
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
    k->receiver.wrong = true; /* frames are checked, not only counted */
    ace_link_arrive(k, &to);
    ace_link_receive(k, in->s_close);
    tick_ports(p, in, &to);
    ace_link_to_pins(k, has_rows(k), &p->out);
}

bool ace_link_pins_idle(const ace_link_pins *p) {
    const ace_link *k = &p->link;
    return ace_link_port_idle(k->plain) && !ace_link_port_held(k->plain, 0) &&
           ace_link_port_idle(k->routed) && !ace_link_port_held(k->routed, 0) &&
           ace_link_guard_idle(k->guard[0]) && !ace_link_begins(k) && !ace_link_flying(k);
}

void ace_link_pins_skip(ace_link_pins *p, uint64_t cycles) {
    ace_link_port_skip(p->link.plain, cycles);
    ace_link_port_skip(p->link.routed, cycles);
}
