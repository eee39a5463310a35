/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_nic.c -- the parts of a clock-edge update that serve all-to-alls and lists, and the states of
 * a node's links
 *
 * Most cycles have no all-to-all.  So these functions are calls, while the update of the links'
 * plain ports is part of the node's loop (ace_nic.h).
 */
#include "ace_nic.h"

int ace_nic_create(ace_nic *n, const ace_parameters *p, unsigned links, uint16_t retry,
                   bool payload) {
    int err = ace_link_create(links, p, payload, &n->links);
    if (!err) err = ace_link_keep_frames(&n->links, p, retry);
    if (!err)
        err = ace_exchange_create(p->dimensions, p->exchange_rows, p->exchange_bursts,
                                  ACE_LIST_SENDS, payload, &n->exchange);
    if (!err) err = ace_router_create(p->dimensions, &n->router);
    return err;
}

void ace_nic_destroy(ace_nic *n) {
    ace_link_destroy(&n->links);
    ace_exchange_destroy(n->exchange);
    ace_router_destroy(n->router);
}

void ace_nic_reset(ace_nic *n, const ace_config *cfg, ace_pins_out *out) {
    ace_link_reset(&n->links, cfg);
    ace_exchange_reset(n->exchange);
    ace_router_reset(n->router);
    n->exchange_active = false;
    n->idle_cycles_uncounted = 0;
    ace_nic_show_transfers(n, out);
    out->tx_valid = out->tx_credit = out->tx_grant_valid = 0;
    out->tx_routed = out->tx_routed_credit = out->tx_frame = out->tx_resend = 0;
    memset(out->tx_number, 0, sizeof out->tx_number);
    memset(out->tx_ack, 0, sizeof out->tx_ack);
    out->link_failed = 0;
    out->link_state = ace_link_states(&n->links);
    memset(out->link_count, 0, sizeof out->link_count);
}

void ace_nic_show_transfers(const ace_nic *n, ace_pins_out *out) {
    const ace_exchange *x = n->exchange;
    out->transfer_failed = x->failed;
    out->transfer_failed_list = x->failed_list;
    out->transfer_failed_addr = x->failed_addr;
    out->count_refused = x->refused;
}

/* Adds the idle cycles that are not counted yet to the counters. */
static void count_idle(ace_nic *n) {
    ace_exchange_skip(n->exchange, n->idle_cycles_uncounted);
    ace_router_skip(n->router, n->idle_cycles_uncounted);
    ace_link_port_skip(n->links.routed, n->idle_cycles_uncounted);
    n->idle_cycles_uncounted = 0;
}

void ace_nic_offer(ace_nic *n, ace_exchanging *e) {
    const ace_link_port *p = n->links.routed;
    ace_router_in *a = &e->requests;
    if (n->idle_cycles_uncounted) count_idle(n);
    memset(&e->in, 0, sizeof e->in);
    ace_exchange_eval(n->exchange, &e->out);
    a->s_head_valid = p->m_head_valid;
    for (unsigned set = p->m_head_valid; set; set &= set - 1) {
        const unsigned l = (unsigned)__builtin_ctz(set);
        const ace_link_header *h = ace_link_port_head(p, l);
        a->s_head_route[l] = ace_link_port_head_route(p, l);
        a->s_head_note[l] = (uint32_t)h->reduce << 16 | (uint32_t)h->context << 8 | h->mark;
    }
    a->s_queue_valid = e->out.m_head_valid;
    memcpy(a->s_queue_route, e->out.m_head_route, sizeof a->s_queue_route);
    memcpy(a->s_queue_note, e->out.m_head_note, sizeof a->s_queue_note);
    const unsigned links =
        (1u << n->links.lanes) - 1; /* absent links always signal room, so they are masked out */
    a->s_room = (uint8_t)(p->s_room & links);
    a->s_room_two = (uint8_t)(ace_link_port_room_two(p) & links);
    a->s_eject_room = e->out.m_room;
    ace_router_decide(n->router, a, &e->grant);
    e->wants = ace_link_port_wants(p);
    e->waits = ace_link_port_waits(p);
}

static void exchange_command(ace_exchange_in *in, const ace_command *cmd) {
    in->s_cmd_valid = cmd != NULL;
    if (!cmd) return;
    in->s_cmd_list = cmd->kind == ACE_LIST;
    in->s_cmd_dim_count = cmd->dim_count;
    for (unsigned i = 0; i < cmd->dim_count; i++)
        in->s_cmd_dims = (uint8_t)(in->s_cmd_dims | cmd->dims[i] << 2 * i);
    in->s_cmd_source = cmd->source;
    in->s_cmd_destination = cmd->destination;
    in->s_cmd_bytes = cmd->bytes;
    in->s_cmd_tag = cmd->tag;
}

void ace_nic_exchange(ace_nic *n, const ace_config *cfg, const ace_command *cmd, bool done_ready,
                      ace_exchanging *e, ace_row_uses *uses, ace_pins_out *out) {
    ace_exchange_in *in = &e->in;
    for (unsigned d = 0; d < ACE_DIMENSIONS; d++) {
        in->cfg_ring |= (uint32_t)cfg->ring[d] << 8 * d;
        in->cfg_rank |= (uint32_t)cfg->rank[d] << 8 * d;
    }
    for (unsigned w = 0; w < ACE_WINDOWS; w++) {
        in->cfg_window_first[w] = cfg->window_first[w];
        in->cfg_window_last[w] = ace_window_last(cfg, w);
    }
    exchange_command(in, cmd);
    in->m_done_ready = done_ready;
    ace_exchange_tick(n->exchange, in);
    if (n->exchange->walk->code_mismatch) ace_row_uses_wrong(uses, ACE_ROW_LISTED, 0);
    ace_nic_show_transfers(n, out);
    n->exchange_active = !(ace_exchange_idle(n->exchange) && ace_router_idle(n->router) &&
                           ace_link_port_idle(n->links.routed) && !n->links.routed->m_head_valid &&
                           !ace_link_routed_arrives(&n->links));
}
