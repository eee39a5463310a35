/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_port.c -- the memory side of a node in the cycles that are rare: reset, drain, errors
 *
 * The edge of all other cycles is in ace_memory_port.h, as part of the node's loop.
 */
#include "ace_memory_port.h"

int ace_memory_port_create(ace_memory_port *m, const ace_parameters *p, bool payload) {
    const unsigned bursts = p->memory_bursts + p->exchange_bursts;
    int err = ace_tx_dma_create(payload, &m->tx_dma);
    if (!err) err = ace_rx_dma_create(p->memory_bursts, payload, &m->rx_dma);
    if (!err)
        err = ace_memory_interface_create(bursts, ACE_MEMORY_DRAIN_LIMIT, payload, &m->memory);
    if (!err) err = ace_memory_arbiter_create(p->memory_bursts, bursts, &m->arbiter);
    return err;
}

void ace_memory_port_destroy(ace_memory_port *m) {
    ace_tx_dma_destroy(m->tx_dma);
    ace_rx_dma_destroy(m->rx_dma);
    ace_memory_interface_destroy(m->memory);
    ace_memory_arbiter_destroy(m->arbiter);
}

void ace_memory_port_reset(ace_memory_port *m) {
    ace_tx_dma_reset(m->tx_dma);
    ace_rx_dma_reset(m->rx_dma);
    ace_memory_arbiter_reset(m->arbiter);
}

void ace_memory_port_drain(ace_memory_port *m, const ace_config *cfg, const ace_pins_in *in) {
    const ace_memory_interface_in to = { .drain = true,
                                         .cfg_read_cost = cfg->read_cost,
                                         .cfg_write_cost = cfg->write_cost,
                                         .cfg_latency = cfg->memory_latency,
                                         .m_ar_ready = in->ar_ready,
                                         .s_r_valid = in->r_valid,
                                         .s_r_last = in->r_last,
                                         .s_r_resp = in->r_resp,
                                         .m_aw_ready = in->aw_ready,
                                         .m_w_ready = in->w_ready,
                                         .s_b_valid = in->b_valid,
                                         .s_b_resp = in->b_resp };
    ace_memory_interface_tick(m->memory, &to);
}

void ace_memory_port_fails(ace_memory_port *m, const ace_pins_in *in, bool s_r, ace_pins_out *out) {
    const ace_memory_answers answers = { s_r, in->b_valid, in->r_last, in->r_resp, in->b_resp };
    ace_memory_interface_answers(m->memory, &answers);
    ace_memory_port_show_failures(m, out);
}

void ace_memory_port_show_failures(const ace_memory_port *port, ace_pins_out *out) {
    const ace_memory_interface *m = port->memory;
    out->read_failed = m->read_failed;
    out->read_failed_resp = m->read_failed_resp;
    out->read_failed_addr = m->read_failed_addr;
    out->write_failed = m->write_failed;
    out->write_failed_resp = m->write_failed_resp;
    out->write_failed_addr = m->write_failed_addr;
    out->protocol_failed = m->protocol_failed;
    out->protocol_failed_addr = m->protocol_failed_addr;
    out->memory_lost = m->lost;
}
