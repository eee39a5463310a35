/* SPDX-License-Identifier: Apache-2.0 */
/* ace_node_core_guards.c -- what the links' guards make of a cycle of the node, while they do more than count */
#include <string.h>

#include "ace_node_core.h"

/* The links' guards, with room for frames if they are to send some again. */
int ace_node_guards_make(ace_cycle_core *n) {
    const ace_parameters *p = &n->p;
    const bool payload = n->scratchpad.banks.rows != NULL;
    for (unsigned l = 0; l < n->links_count; l++) {
        if (n->guard[l] && (n->guard[l]->frames || !n->cfg.retry)) continue;
        ace_link_guard_destroy(n->guard[l]);
        n->guard[l] = NULL;
        const int err = ace_link_guard_create_for(p->link_input_rows, p->router_input_rows,
                                                  n->cfg.retry, payload, &n->guard[l]);
        if (err) return err;
    }
    return ACE_OK;
}

void ace_node_guards_reset(ace_cycle_core *n) {
    for (unsigned l = 0; l < n->links_count; l++) {
        n->guard[l]->retry = n->cfg.retry;
        n->guard[l]->cost = ace_cost(n->cfg.link_cost[l / 2]);
        ace_link_guard_reset(n->guard[l]);
        n->given[l] = (ace_frame){ 0 };
    }
    n->hold = n->tight = 0;
}

/* What ports and grants show in this cycle is a frame. */
static void give(ace_cycle_core *n, unsigned l) {
    const ace_pins_out *o = &n->out;
    const uint64_t packet = o->tx_valid >> l & 1;
    const uint64_t set = packet | (uint64_t)(o->tx_reduce >> l & 1) << ACE_FRAME_REDUCE |
                         (uint64_t)(o->tx_credit >> l & 1) << ACE_FRAME_CREDIT |
                         (uint64_t)(o->tx_grant_valid >> l & 1) << ACE_FRAME_GRANT |
                         (uint64_t)(o->tx_routed >> l & 1) << ACE_FRAME_ROUTED |
                         (uint64_t)(o->tx_routed_credit >> l & 1) << ACE_FRAME_ROUTED_CREDIT;
    const uint64_t bytes =
        o->tx[l].context | (uint64_t)o->tx[l].mark << 8 | (uint64_t)o->tx_grant[l].context << 16 |
        (uint64_t)o->tx_grant[l].mark << 24 | (uint64_t)o->tx_grant_peer[l] << 32;
    n->given[l] = (ace_frame){ .head = ace_frame_clean(set | bytes << 8),
                               .route = packet ? o->tx_route[l] : 0,
                               .row = packet ? o->tx_data[l] : NULL };
}

/* The pins of a link in this cycle. */
static void show_frame(ace_cycle_core *n, unsigned l) {
    ace_pins_out *o = &n->out;
    const unsigned bit = 1u << l;
    ace_frame tx;
    ace_link_guard_show(n->guard[l], &n->given[l], &tx);
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

void ace_node_guards_receive(ace_cycle_core *n, ace_pins_in *in) {
    unsigned accepted = 0;
    n->hold = n->tight = 0;
    for (unsigned l = 0; l < n->links_count; l++) {
        ace_link_guard *g = n->guard[l];
        const ace_frame rx = arrived(in, l);
        const bool good = !(in->rx.flipped >> l & 1);
        if (!g->retry) { /* its numbers are those of the pins */
            g->next = n->out.tx_number[l];
            g->expect = n->out.tx_ack[l];
            give(n, l);
        }
        n->hold = (uint8_t)(n->hold | (unsigned)ace_link_guard_hold(g) << l);
        n->tight = (uint8_t)(n->tight | (unsigned)ace_link_guard_tight(g) << l);
        accepted |= (unsigned)ace_link_guard_accepts(g, &rx, good) << l;
        ace_link_guard_move(g, &n->given[l], &rx, good);
    }
    in->rx.valid &= (uint8_t)accepted;
    in->rx.reduce &= (uint8_t)accepted;
    in->rx.credit &= (uint8_t)accepted;
    in->rx.grant_valid &= (uint8_t)accepted;
    in->rx.routed &= (uint8_t)accepted;
    in->rx.routed_credit &= (uint8_t)accepted;
    n->out.tx_routed = n->out.tx_routed_credit = 0; /* what is routed says so again */
}

void ace_node_guards_send(ace_cycle_core *n) {
    bool idle = true;
    for (unsigned l = 0; l < n->links_count; l++) {
        const ace_link_guard *g = n->guard[l];
        const uint32_t counts[ACE_LINK_COUNTS] = { g->resent, g->bad, g->dropped };
        give(n, l);
        show_frame(n, l);
        memcpy(n->out.link_count[l], counts, sizeof counts);
        n->out.link_failed = (uint8_t)(n->out.link_failed | (unsigned)g->failed << l);
        idle = idle && ace_link_guard_idle(g);
    }
    n->out.idle = n->out.idle && idle;
}

void ace_node_guards_state(ace_cycle_core *n, ace_state *s) {
    ACE_STATE(s, n->hold);
    ACE_STATE(s, n->tight);
    for (unsigned l = 0; l < n->links_count; l++) {
        ace_frame *const f = &n->given[l];
        ace_link_guard_state(n->guard[l], s);
        ACE_STATE(s, f->head);
        ACE_STATE(s, f->route);
        const bool routed = f->head >> ACE_FRAME_ROUTED & 1;
        f->row = f->head & 1 ? ace_link_port_tx_data(routed ? n->routed : n->links, l) : NULL;
        if (n->cfg.retry) show_frame(n, l);
    }
}
