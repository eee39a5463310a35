/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_port.h -- the memory side of a node: DMAs, arbiter, memory interface
 *
 * The C twin of rtl/ace_memory_port.v; the contract is there.  The RTL has the same parts.
 *
 *     ace_memory_port_in to = { .loads = ..., .load = ..., .unload = ... };
 *     wake = ace_memory_port_tick(m, &pins, &to, &uses, payload);      a rising edge
 *     ace_memory_port_show(m, &out, payload);                          the AXI pins, from state
 *
 * Rules
 *   Inline      A node's loop has the edge inline.  `payload`, and whether the exchange is NULL,
 *               are constants there.
 *   Rows        load_to and unloaded point into the scratchpad, which the datapath reads and
 *               writes.
 *   Threads     One node, one thread.
 */
#ifndef ACE_MEMORY_PORT_H
#define ACE_MEMORY_PORT_H

#include "ace_exchange.h"
#include "ace_memory_arbiter.h"
#include "ace_memory_interface.h"
#include "ace_row_uses.h"
#include "ace_rx_dma.h"
#include "ace_tx_dma.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_memory_port {
    ace_tx_dma *tx_dma;
    ace_rx_dma *rx_dma;
    ace_memory_interface *memory;
    ace_memory_arbiter *arbiter;
} ace_memory_port;

/* The inputs of an edge of the memory port, from the other blocks. */
typedef struct ace_memory_port_in {
    uint16_t latency;         /* of the memory, cycles */
    const ace_dma_job *loads; /* a job for the TX DMA, or NULL */
    const ace_dma_job *stores;
    bool load;                 /* the scratchpad takes the row of the TX DMA */
    uint32_t *load_to;         /* where; NULL without payload */
    uint8_t unload;            /* the halves of the RX DMA whose row the scratchpad reads */
    const uint32_t *unloaded;  /* the row that was read for the RX DMA some cycles ago, or NULL */
    const ace_exchange_out *x; /* the exchange's pins, NULL while it is idle */
    ace_exchange_in *x_in;     /* and what it is given */
} ace_memory_port_in;

/* Creates the parts; `m` is zeroed before.  ACE_OK; or ACE_EINVAL or ACE_ENOMEM, and the caller
 * calls ace_memory_port_destroy(). */
int ace_memory_port_create(ace_memory_port *m, const ace_parameters *p, bool payload);
void ace_memory_port_destroy(ace_memory_port *m);
/* A rising edge with rst high, for all but the memory interface. */
void ace_memory_port_reset(ace_memory_port *m);
/* A rising edge of the memory interface with `drain` high, while it is busy. */
void ace_memory_port_drain(ace_memory_port *m, const ace_config *cfg, const ace_pins_in *in);
/* Takes the answers of a cycle in which one is an error, or fits no burst.  s_r: a beat is taken.
 * */
void ace_memory_port_fails(ace_memory_port *m, const ace_pins_in *in, bool s_r, ace_pins_out *out);
void ace_memory_port_show_failures(const ace_memory_port *m, ace_pins_out *out);

/* Without input, ticks then only count idle cycles. */
ACE_INLINE bool ace_memory_port_idle(const ace_memory_port *m) {
    return ace_tx_dma_idle(m->tx_dma) && ace_rx_dma_idle(m->rx_dma) &&
           ace_memory_interface_idle(m->memory);
}
/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_memory_port_skip(ace_memory_port *m, uint64_t cycles) {
    ace_tx_dma_skip(m->tx_dma, cycles);
    ace_rx_dma_skip(m->rx_dma, cycles);
    ace_memory_interface_skip(m->memory, cycles);
}

/* The AXI pins, from state alone. */
ACE_INLINE void ace_memory_port_show(const ace_memory_port *port, ace_pins_out *o, bool payload) {
    const ace_memory_interface *m = port->memory;
    o->r_ready = ace_memory_interface_s_r_ready(m);
    o->b_ready = true;
    o->ar_valid = m->ar_ripe != 0;
    if (o->ar_valid) {
        o->ar_addr = m->ar[m->ar_head].addr;
        o->ar_len = m->ar[m->ar_head].len;
    }
    o->aw_valid = m->aw_count != 0;
    if (o->aw_valid) {
        o->aw_addr = m->aw[m->aw_head].addr;
        o->aw_len = m->aw[m->aw_head].len;
    }
    o->w_valid = ace_memory_interface_m_w_valid(m);
    o->w_data = payload ? ace_row_fifo_row(&m->w) : NULL;
    o->w_bytes = m->w.bytes[m->w.head];
    o->w_last = m->w.last[m->w.head];
    o->memory_busy = ace_memory_interface_busy(m);
}

/* The moves of an edge, which follow from the state before the edge. */
typedef struct ace_memory_moves {
    bool ar, m_ar, x_ar;     /* addresses to read: of the TX DMA, to the pins, of the exchange */
    bool r, x_r, r_end, s_r; /* rows read: to the TX DMA, to the exchange, a last one, in */
    bool aw, m_aw, x_aw;     /* addresses to write */
    bool w, x_w, w_valid, w_end; /* rows to write */
    bool m_w, written;           /* a beat leaves, with or without a row */
    bool s_b, m_b, x_b;          /* answers: in, out, to the exchange */
    const ace_row_fifo *w_from;  /* the RX DMA's rows */
} ace_memory_moves;

/* The exchange goes first; the arbiter's share keeps the interface from ever being full. */
ACE_INLINE ace_memory_moves ace_memory_port_moves(const ace_memory_port *port,
                                                  const ace_pins_in *in,
                                                  const ace_exchange_out *x) {
    const ace_tx_dma *const t = port->tx_dma;
    const ace_rx_dma *const u = port->rx_dma;
    const ace_memory_interface *const i = port->memory;
    const ace_memory_arbiter *const a = port->arbiter;
    ace_memory_moves m;
    m.x_ar = x && x->m_ar_valid;
    m.x_aw = x && x->m_aw_valid;
    m.ar = t->jobs.request_active & !m.x_ar & ace_memory_arbiter_ar_share(a);
    m.m_ar = in->ar_ready & (i->ar_ripe != 0);
    m.x_r = x && i->r.count && ace_memory_arbiter_r_first(a);
    m.r = (i->r.count != 0) & !m.x_r & (t->r.count < t->r.depth);
    m.r_end = (m.r | m.x_r) & i->r.last[i->r.head];
    m.s_r = in->r_valid & ace_memory_interface_s_r_ready(i);
    m.aw = ace_rx_dma_m_aw_valid(u) && !m.x_aw && ace_memory_arbiter_aw_share(a, x && !x->idle);
    m.m_aw = in->aw_ready & (i->aw_count != 0);
    const bool x_first = x && ace_memory_arbiter_w_first(a);
    m.w_from = &u->half[ace_rx_dma_w_half(u)].w;
    const bool u_w_valid = ace_rx_dma_m_w_valid(u) & (a->open != 0) & !x_first;
    const bool x_w_valid = x_first && x->m_w_valid;
    const bool s_w_ready = ace_memory_interface_s_w_ready(i);
    m.w = u_w_valid & s_w_ready;
    m.x_w = x_w_valid & s_w_ready;
    m.w_valid = u_w_valid | x_w_valid;
    m.w_end = (m.w & m.w_from->last[m.w_from->head]) | m.x_w;
    m.m_w = ace_memory_interface_w_leaves(i, in->w_ready);
    m.written = in->w_ready & ace_memory_interface_m_w_valid(i);
    m.m_b = ace_memory_interface_m_b_valid(i);
    m.x_b = x && m.m_b && ace_memory_arbiter_b_first(a);
    m.s_b = in->b_valid & ace_memory_interface_b_asked(i);
    return m;
}

/* Fills in the exchange's inputs. */
ACE_INLINE void ace_memory_port_to_exchange(const ace_memory_port *port, const ace_memory_moves *m,
                                            ace_exchange_in *to) {
    const ace_memory_interface *const i = port->memory;
    to->m_ar_ready = to->m_aw_ready = true;
    to->s_r_valid = m->x_r;
    to->s_r_data = m->x_r ? ace_row_fifo_row(&i->r) : NULL;
    to->s_r_code = ace_row_fifo_code(&i->r);
    to->m_w_ready = m->x_w;
    to->s_b_valid = m->x_b;
}

ACE_INLINE void ace_memory_port_reads(ace_memory_port *port, const ace_pins_in *in,
                                      const ace_memory_port_in *to, const ace_memory_moves *m,
                                      ace_row_uses *uses, bool payload) {
    ace_tx_dma *const t = port->tx_dma;
    ace_memory_interface *const i = port->memory;
    ace_memory_arbiter *const a = port->arbiter;
    if (m->ar) {
        ace_memory_interface_s_ar(i, t->jobs.request_addr, ace_dma_jobs_m_request_len(&t->jobs),
                                  to->latency);
        ace_tx_dma_m_ar(t);
        ace_memory_arbiter_ar(a, false);
    }
    if (m->x_ar) {
        ace_memory_interface_s_ar(i, to->x->m_ar_addr, 0, to->latency);
        ace_memory_arbiter_ar(a, true);
    }
    if (m->r_end) ace_memory_arbiter_r_end(a);
    if (payload && to->load) {
        ace_row_uses_check(uses, ACE_ROW_LOADED, 0, ace_row_fifo_row(&t->r),
                           ace_row_fifo_code(&t->r));
        ace_row_copy(to->load_to, ace_row_fifo_row(&t->r));
    }
    ace_tx_dma_m_write(t, to->load);
    ace_tx_dma_s_r(t, m->r, payload ? ace_row_fifo_row(&i->r) : NULL, ace_row_fifo_code(&i->r),
                   i->r.last[i->r.head]);
    ace_memory_interface_m_r(i, m->r | m->x_r);
    ace_memory_interface_s_r(i, m->s_r, payload || to->x ? in->r_data : NULL, in->r_last);
    if (m->m_ar) ace_memory_interface_m_ar(i);
    ace_tx_dma_begin(t);
}

ACE_INLINE void ace_memory_port_writes(ace_memory_port *port, const ace_memory_port_in *to,
                                       const ace_memory_moves *m, ace_row_uses *uses,
                                       bool payload) {
    ace_rx_dma *const u = port->rx_dma;
    ace_memory_interface *const i = port->memory;
    ace_memory_arbiter *const a = port->arbiter;
    if (m->m_aw) ace_memory_interface_m_aw(i);
    if (m->aw) {
        const ace_dma_jobs *const requests = &u->half[ace_rx_dma_aw_half(u)].jobs;
        ace_memory_interface_s_aw(i, requests->request_addr, ace_dma_jobs_m_request_len(requests),
                                  false);
        ace_rx_dma_m_aw(u);
    }
    if (m->x_aw) ace_memory_interface_s_aw(i, to->x->m_aw_addr, 0, to->x->m_aw_pad);
    if (m->w_end) ace_memory_arbiter_w_end(a);
    if (m->aw | m->x_aw) ace_memory_arbiter_aw(a, m->x_aw);
    if (payload && m->written)
        ace_row_uses_check(uses, ACE_ROW_WRITTEN, 0, ace_row_fifo_row(&i->w),
                           ace_row_fifo_code(&i->w));
    ace_memory_interface_m_w(i, m->m_w, to->latency);
    const ace_row_fifo *const w = m->w_from;
    if (m->x_w)
        ace_memory_interface_s_w(i, true, payload ? to->x->m_w_data : NULL, to->x->m_w_code,
                                 to->x->m_w_strb, true);
    else
        ace_memory_interface_s_w(i, m->w, payload ? ace_row_fifo_row(w) : NULL,
                                 ace_row_fifo_code(w), w->bytes[w->head], w->last[w->head]);
    ace_rx_dma_m_w(u, m->w);
    ace_rx_dma_m_read(u, to->unload);
    ace_rx_dma_begin(u);
    if (m->s_b) ace_memory_interface_s_b(i);
    if (m->m_b) {
        ace_memory_interface_m_b(i);
        ace_memory_arbiter_b(a);
        if (!m->x_b) ace_rx_dma_s_b(u);
    }
}

/* Has the port nothing to do but to count an idle cycle?  Then it counts one. */
ACE_INLINE bool ace_memory_port_rests(ace_memory_port *port, bool job, bool exchanges) {
    if (job || exchanges || !ace_memory_port_idle(port)) return false;
    ace_memory_port_skip(port, 1);
    return true;
}

/* A rising edge.  Every handshake reads the state before the edge.  Returns whether the scheduler
 * has something to look at: a job was taken, or is done. */
ACE_INLINE bool ace_memory_port_tick(ace_memory_port *port, const ace_pins_in *in,
                                     const ace_memory_port_in *to, ace_row_uses *uses,
                                     ace_pins_out *out, bool payload) {
    ace_tx_dma *const t = port->tx_dma;
    ace_rx_dma *const u = port->rx_dma;
    ace_memory_interface *const i = port->memory;
    const uint32_t loads = t->jobs.jobs, stores = ace_rx_dma_jobs(u);
    const ace_memory_moves m = ace_memory_port_moves(port, in, to->x);
    if (to->x) ace_memory_port_to_exchange(port, &m, to->x_in);
    if (((in->r_resp | in->b_resp) != ACE_OKAY) | (in->b_valid != m.s_b) |
        (m.s_r & ace_memory_interface_r_odd(i, in->r_last, in->r_resp)))
        ace_memory_port_fails(port, in, m.s_r, out);
    ace_memory_interface_cycle(i, in->r_valid, m.s_r, m.w_valid, m.w | m.x_w);
    ace_tx_dma_cycle(t, to->load);
    ace_rx_dma_cycle(u, to->unload, to->unloaded, ace_row_code_of(to->unloaded));
    ace_memory_port_reads(port, in, to, &m, uses, payload);
    ace_memory_port_writes(port, to, &m, uses, payload);
    if (to->loads) ace_tx_dma_s_job(t, to->loads);
    if (to->stores) ace_rx_dma_s_job(u, to->stores);
    const bool news = t->jobs.jobs != loads || ace_rx_dma_jobs(u) != stores || t->done_valid ||
                      ace_rx_dma_m_done_valid(u);
    ace_memory_port_show(port, out, payload);
    return news;
}

#ifdef __cplusplus
}
#endif
#endif
