/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_datapath.h -- where a node's rows lie and move: switch, scratchpad, ALUs, and the pipes
 * between them
 *
 * The C twin of rtl/ace_datapath.v; the contract is there.  The RTL has the same parts.
 *
 *     ace_datapath_decide(d, ..., &grant);      what the switch grants, from state alone
 *     ace_datapath_tick(d, &edge, payload);     a rising edge: packets leave, rows move
 *     ace_datapath_unload(d, ...);              rows for the RX DMA, while the memory port is busy
 *     ace_datapath_upset(d, ...);               upsets of the scratchpad
 *
 * Rules
 *   Rows        The twin moves a row when it is taken and not at the end of a pipe.  The RTL's
 *               registers for rows have no twin, but for the row that waits for its operand,
 *               `arrived`.
 *   Payload     Without payload no row is read, unless the scratchpad has had upsets.
 *   Threads     One node, one thread.
 */
#ifndef ACE_DATAPATH_H
#define ACE_DATAPATH_H

#include "ace_alu.h"
#include "ace_nic.h"
#include "ace_phases.h"
#include "ace_scratchpad.h"
#include "ace_switch.h"
#include "ace_wire_decode.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The most cycles from the choice of a row to the link. */
enum { ACE_SENDING_CYCLES = ACE_SENT_CYCLES + ACE_WIRE_ENCODE_CYCLES };

/* A row in a send pipe.  It is read in the cycle after it was chosen, and is at the link
 * `sending` cycles after the choice. */
typedef struct ace_outgoing {
    bool valid;
    ace_request request;
    uint8_t context;
    const uint32_t *row;
} ace_outgoing;

/* The registers of the receive pipes, in addition to the contexts of their stages. */
typedef struct ace_receiving {
    /* stage 1: links and marks of the popped packets, and the rows of a copy */
    uint8_t reduce_link, reduce_mark, store_link, store_mark;
    uint16_t copy_source, copy_target;
    /* stage 2: the row in the scratchpad, and how it is reduced with the row that arrived */
    uint16_t source;
    bool zero;
    ace_reduction how;
    uint16_t store_row;
    uint16_t reduce_row[ACE_PIPE_SLOTS]; /* target rows; indexed as the switch's ring */
} ace_receiving;

typedef struct ace_datapath {
    ace_switch switch_;
    ace_scratchpad scratchpad;
    ace_outgoing outgoing[ACE_SENDING_CYCLES][2]; /* a ring: entry `oldest` is at the links, the */
    unsigned oldest;                              /* others follow */
    unsigned sending; /* entries of the ring: ACE_SENT_CYCLES, or all with wire_formats */
    unsigned format;  /* of rows on the links, an ace_wire_format */
    const uint32_t *unloaded[ACE_READ_CYCLES]; /* a ring: rows granted to the RX DMA */
    ace_receiving receiving;
    ace_row arrived; /* the row in stage 2, if there are rows */
    uint32_t arrived_code;
    ace_switch_in requests; /* heads are kept from cycle to cycle */
} ace_datapath;

extern const ace_row ace_datapath_zero_row; /* sent for rows without bytes of the chunk */

/* A rising edge with rst high, for parameters `p`.  format: of rows on the links. */
void ace_datapath_reset(ace_datapath *d, const ace_parameters *p, unsigned format,
                        ace_pins_out *out);
void ace_datapath_show_scratchpad(const ace_datapath *d, ace_pins_out *out);

static inline bool ace_datapath_is_sending(const ace_datapath *d) {
    bool sends = false;
    for (unsigned i = 0; i < d->sending; i++)
        sends |= d->outgoing[i][0].valid | d->outgoing[i][1].valid;
    return sends;
}
/* Without input, ticks then only count idle cycles. */
static inline bool ace_datapath_idle(const ace_datapath *d) {
    return !ace_datapath_is_sending(d) && !d->requests.head_valid && ace_switch_idle(&d->switch_);
}
static inline void ace_datapath_skip(ace_datapath *d, uint64_t cycles) {
    ace_switch_skip(&d->switch_, cycles);
    ace_scratchpad_skip(&d->scratchpad, cycles);
}

/* Does it matter which rows are read?  Without payload only where there have been upsets. */
ACE_INLINE bool ace_datapath_reads_matter(const ace_datapath *d, bool payload) {
    return payload || ace_scratchpad_banks_watched(&d->scratchpad.banks);
}
static inline ace_outgoing *ace_datapath_chosen(ace_datapath *d, unsigned pipe) {
    return &d->outgoing[d->oldest ? d->oldest - 1 : d->sending - 1][pipe];
}

/* ---- before the edge ---- */

/* The banks that the switch's pipes read in this cycle. */
static inline uint8_t ace_datapath_banks_read(ace_datapath *d) {
    const ace_pipe_stage *reduced = &d->switch_.reduce[ace_switch_stage(&d->switch_, 2)];
    unsigned banks = (unsigned)reduced->valid << reduced->context % ACE_BANKS;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        const ace_outgoing *o = ace_datapath_chosen(d, pipe);
        banks |= (unsigned)o->valid << o->context % ACE_BANKS;
    }
    return (uint8_t)banks;
}
/* In a pause of the scratchpad nothing is seen that would begin a read; nor are rows to be stored.
 * */
static inline void ace_datapath_begin_no_read(ace_switch_in *requests) {
    requests->head_valid = requests->room = requests->unload_valid = 0;
    requests->copy_valid = 0;
}
/* Gives the switch's grants of this cycle.  room: the links with a free slot. */
ACE_INLINE void ace_datapath_decide(ace_datapath *d, const ace_phases *p, const ace_front *front,
                                    const ace_memory_port *m, unsigned room,
                                    ace_switch_out *grant) {
    ace_switch_in *const requests = &d->requests;
    requests->room = (uint8_t)room;
    requests->reading = ace_datapath_banks_read(d);
    requests->copy_valid = p->copies;
    requests->load_valid = ace_tx_dma_m_write_valid(m->tx_dma);
    requests->load_bank = m->tx_dma->jobs.row_bank;
    requests->load_first = ace_scheduler_load_first(&front->scheduler);
    requests->unload_valid = (uint8_t)ace_rx_dma_m_read_valid(m->rx_dma);
    requests->unload_first = m->rx_dma->first;
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++)
        requests->unload_bank[i] = m->rx_dma->half[i].jobs.row_bank;
    ace_phases_stall(p, &d->switch_, requests);
    if (ace_scratchpad_m_pause(&d->scratchpad)) ace_datapath_begin_no_read(requests);
    ace_switch_decide(&d->switch_, requests, grant);
}

/* ---- the edge ---- */

/* The inputs of an edge of the datapath, from the other blocks. */
typedef struct ace_datapath_edge {
    ace_phases *phases;
    ace_front *front;
    ace_link_port *links;
    const ace_switch_out *grant;
    ace_pins_out *out;
    uint8_t copy_context; /* the context whose row is copied next */
    uint32_t takes;       /* FSMs whose requests the switch takes, of ace_phases_requests() */
    const unsigned *room; /* likewise; an array in here would keep all members in memory */
} ace_datapath_edge;

/* The row that a send pipe reads. */
static inline const uint32_t *ace_datapath_sent_row(ace_datapath *d, unsigned pipe,
                                                    const ace_outgoing *o, bool payload) {
    if (o->request.send.zero) return payload ? ace_datapath_zero_row : NULL;
    return ace_scratchpad_read(&d->scratchpad, pipe ? ACE_READ_MINUS : ACE_READ_PLUS,
                               o->context % ACE_BANKS, o->request.row);
}

/* The send pipes: the rows they read three cycles ago go to the links, those chosen in the last
 * cycle are read, and those granted are chosen.  Gives the links that are written and reserved.
 * Once a row could not be corrected, none is. */
ACE_INLINE void ace_datapath_send(ace_datapath *d, const ace_datapath_edge *e, unsigned *write,
                                  unsigned *reserve, bool payload) {
    *write = *reserve = 0;
    for (unsigned pipe = 0; pipe < 2; pipe++) {
        ace_outgoing *o = &d->outgoing[d->oldest][pipe], *reads = ace_datapath_chosen(d, pipe);
        /* The slot behind the last is free: what is put there counts only when it is written.
         * No link is both pipes': one has the plus links. */
        const ace_send *send = &o->request.send;
        const ace_link_header h = { o->context, send->mark, send->reduce, send->peer };
        const uint32_t *row = payload && o->valid ? o->row : NULL;
        ace_row wire;
        if (row && d->format) {
            ace_wire_encode_row(d->format, row, wire);
            row = wire;
        }
        ace_link_port_put_s(e->links, send->link, h, row);
        *write |= (unsigned)(o->valid & !(e->out->scratchpad_failed | e->out->parity_failed))
                  << send->link;
        if (ace_datapath_reads_matter(d, payload) && reads->valid)
            reads->row = ace_datapath_sent_row(d, pipe, reads, payload);
        o->valid = e->grant->send_queue[pipe] >= 0;
        if (!o->valid) continue;
        const unsigned queue = (unsigned)e->grant->send_queue[pipe];
        o->request = *ace_switch_older(&d->switch_, queue);
        o->context = ace_switch_context(&d->switch_, queue, &o->request);
        *reserve |= 1u << o->request.send.link;
        ace_phases_progress(e->phases, e->front, ace_switch_fsm(&d->switch_, o->context),
                            o->request.send.index);
    }
    d->oldest = d->oldest == d->sending - 1 ? 0 : d->oldest + 1;
}

/* Stage 2 of the reduce pipe: the row here is read, and what becomes of it is known. */
ACE_INLINE void ace_datapath_reduce(ace_datapath *d, ace_row_uses *uses, bool payload) {
    const ace_switch *s = &d->switch_;
    const ace_receiving *r = &d->receiving;
    const unsigned stage = ace_switch_stage(s, 2), bank = s->reduce[stage].context % ACE_BANKS;
    if (!ace_datapath_reads_matter(d, payload) || !s->reduce[stage].valid) return;
    const uint32_t *local =
        r->zero ? ace_datapath_zero_row
                : ace_scratchpad_read(&d->scratchpad, ACE_READ_REDUCE, bank, r->source);
    if (!payload) return;
    uint32_t *to = ace_scratchpad_row(&d->scratchpad, bank, r->reduce_row[stage]);
    if (s->reduce[stage].copy) {
        ace_row_copy(to, local);
        ace_wire_round_row(d->format, to);
        return;
    }
    /* a row of a wire with formats is checked a cycle before the others */
    const unsigned checked = ACE_DATA_STAGE - 2 - (d->sending > ACE_SENT_CYCLES);
    ace_row_uses_check(uses, ACE_ROW_ARRIVED, checked, d->arrived, d->arrived_code);
    if (d->format) {
        ace_row arrived;
        ace_wire_decode_row(d->format, d->arrived, arrived);
        ace_reduce_row(r->how, arrived, local, to, ACE_ROW_WORDS);
        if (r->how.op != ACE_AVERAGE && r->how.op < ACE_PRODUCT) ace_wire_round_row(d->format, to);
    } else {
        ace_reduce_row(r->how, d->arrived, local, to, ACE_ROW_WORDS);
    }
}

/* Stage 1 of the receive pipes: rows go where the contexts say. */
ACE_INLINE void ace_datapath_read(ace_datapath *d, const ace_datapath_edge *e, bool payload) {
    const ace_switch *s = &d->switch_;
    const ace_pipe_stage *reduced = &s->reduce[s->at], *stored = &s->store[s->at];
    ace_phases *const p = e->phases;
    ace_receiving *r = &d->receiving;
    if (reduced->copy) {
        r->source = r->copy_source;
        r->reduce_row[s->at] = r->copy_target;
        r->zero = false;
    } else if (reduced->valid) {
        const unsigned f = ace_switch_fsm(s, reduced->context);
        const unsigned index = ace_context_index(reduced->context);
        e->out->mismatch |= ace_fsm_foreign(&p->fsm[f], index, r->reduce_mark);
        ace_fsm_reduce_take(&p->fsm[f], index, &r->source, &r->zero, &r->reduce_row[s->at],
                            &r->how);
        if (p->fsm[f].granting) ace_phases_may_grant(p, f);
        ace_phases_may_stall(p, f);
        if (payload) {
            ace_row_copy(d->arrived, ace_link_port_popped_data(e->links, r->reduce_link));
            d->arrived_code = ace_link_port_popped_code(e->links, r->reduce_link);
        }
    }
    if (stored->valid) {
        const unsigned f = ace_switch_fsm(s, stored->context);
        const unsigned index = ace_context_index(stored->context);
        e->out->mismatch |= ace_fsm_foreign(&p->fsm[f], index, r->store_mark);
        ace_fsm_store_take(&p->fsm[f], index, &r->store_row);
        ace_phases_may_stall(p, f);
        if (payload) {
            const uint32_t *row = ace_link_port_popped_data(e->links, r->store_link);
            ace_row_uses_check(&p->unfit, ACE_ROW_STORED, ACE_STORE_STAGE - 1, row,
                               ace_link_port_popped_code(e->links, r->store_link));
            uint32_t *const to =
                ace_scratchpad_row(&d->scratchpad, stored->context % ACE_BANKS, r->store_row);
            if (d->format)
                ace_wire_decode_row(d->format, row, to);
            else
                ace_row_copy(to, row);
        }
    }
}

/* The chunk that the packet at a link's head belongs to; anything for link -1. */
static inline uint8_t ace_datapath_head_mark(const ace_link_port *links, int link) {
    return ace_link_port_head(links, (unsigned)link % ACE_LINKS)->mark;
}

/* The receive pipes: what is in their stages moves on, and what was granted enters. */
ACE_INLINE void ace_datapath_receive(ace_datapath *d, const ace_datapath_edge *e, bool payload) {
    const ace_switch_out *const grant = e->grant;
    ace_phases *const p = e->phases;
    ace_receiving *r = &d->receiving;
    ace_datapath_reduce(d, &p->unfit, payload);
    ace_datapath_read(d, e, payload);
    if (grant->copy_fsm >= 0) {
        const unsigned f = (unsigned)grant->copy_fsm;
        const unsigned at = ace_fsm_copy(&p->fsm[f], &r->copy_source, &r->copy_target);
        ace_fsm_copy_take(&p->fsm[f], at);
        if (!p->fsm[f].copies) p->copies &= ~(1u << f);
    }
    r->reduce_link = (uint8_t)((unsigned)grant->reduce_link % ACE_LINKS);
    r->store_link = (uint8_t)((unsigned)grant->store_link % ACE_LINKS);
    r->reduce_mark = ace_datapath_head_mark(e->links, grant->reduce_link);
    r->store_mark = ace_datapath_head_mark(e->links, grant->store_link);
    if (grant->reduced.valid) ace_phases_written(p, e->front, &d->switch_, &grant->reduced);
    if (grant->stored.valid) ace_phases_written(p, e->front, &d->switch_, &grant->stored);
}

/* A rising edge of switch and pipes.  Gives the links that are written and reserved. */
ACE_INLINE void ace_datapath_tick(ace_datapath *d, const ace_datapath_edge *e, unsigned *write,
                                  unsigned *reserve, bool payload) {
    ace_datapath_send(d, e, write, reserve, payload);
    ace_phases_send(e->phases, e->front, &d->switch_, e->takes, e->room);
    ace_datapath_receive(d, e, payload);
    ace_switch_tick(&d->switch_, &d->requests, e->grant, e->copy_context);
}

/* The links whose head packet the switch takes, a bit each. */
static inline unsigned ace_datapath_pops(const ace_switch_out *grant) {
    return (grant->reduce_link >= 0 ? 1u << grant->reduce_link : 0) |
           (grant->store_link >= 0 ? 1u << grant->store_link : 0);
}
/* The heads of the links' ports after their edge. */
static inline void ace_datapath_heads(ace_datapath *d, const ace_link_port *links) {
    d->requests.head_valid = links->m_head_valid;
    d->requests.head_reduce = ace_link_port_heads(links, d->requests.head_context);
}

/* The row that was read for the RX DMA leaves the scratchpad's pipe; the row granted in this cycle
 * enters the pipe. */
ACE_INLINE const uint32_t *ace_datapath_unload(ace_datapath *d, const ace_rx_dma *u,
                                               unsigned unload, bool payload) {
    const uint32_t *const unloaded =
        payload && ace_rx_dma_comes(u) ? d->unloaded[ACE_READ_CYCLES - 1] : NULL;
    for (unsigned read = ACE_READ_CYCLES - 1; payload && read; read--)
        d->unloaded[read] = d->unloaded[read - 1];
    if (ace_datapath_reads_matter(d, payload) && unload) {
        const ace_dma_jobs *const read = &u->half[unload >> 1].jobs;
        d->unloaded[0] =
            ace_scratchpad_read(&d->scratchpad, ACE_READ_UNLOAD, read->row_bank, read->row);
    }
    return unloaded;
}

/* The rows that are given to the scratchpad in this cycle, before the edge. */
unsigned ace_datapath_rows_written(const ace_datapath *d, const ace_switch_out *grant,
                                   const ace_tx_dma *t, ace_row_index to[ACE_SCRATCHPAD_WRITES]);
/* An edge of the scratchpad that has, or had, upsets; after all its reads of the cycle. */
void ace_datapath_upset(ace_datapath *d, const ace_pins_in *in, const ace_row_index written[],
                        unsigned count, ace_pins_out *out);

#ifdef __cplusplus
}
#endif
#endif
