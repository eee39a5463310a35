/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_port.h -- one link of the NIC: input buffer, output buffer, serialiser, credits
 *
 * The C twin of rtl/ace_link_port.v: same pins, same cycle, same values.
 *
 *     ace_link_port *p;
 *     if (ace_link_port_create(128, 8, payload, &p) != ACE_OK) ...
 *     for (;;) {
 *         ace_link_port_eval(p, &out);     outputs of this cycle, from state only
 *         ace_link_port_tick(p, &in);      rising edge
 *     }
 *     ace_link_port_destroy(p);
 *
 * Rules
 *   Receive     rx is written without asking: the sender holds a credit.  The head shows
 *               from the next cycle.  m_pop only while m_head_valid; the row is on m_data
 *               from the cycle after the pop until the next pop; tx_credit is 1 in the
 *               cycle after the pop.
 *   Send        s_reserve only while s_room; each reserve is followed, in the same cycle
 *               or any later one, by one s_valid.  Packets leave in the order of s_valid.
 *   Serialiser  While a packet waits and a credit is held, cfg_rate (Q16.16 bytes per
 *               cycle, 256 at most) is added each cycle; the packet is on tx_* in the cycle
 *               after the sum reaches 256 bytes, and the remainder is kept.  The sum is 0
 *               while nothing can be sent.  A place is free again when its packet is on tx.
 *   Counters    Each cycle in exactly one: busy (a packet is being serialised), blocked (a
 *               packet waits for a credit), starved (a place is reserved, none written),
 *               idle.
 *   Errors      A broken rule sets `protocol_error` until reset; the pins are then undefined.
 *   Stretches   Ticks without input up to ace_link_port_due may be passed in one
 *               ace_link_port_skip.  A tick is made of the parts below it; a parent that
 *               knows which of them a cycle has may call those alone, in the tick's order.
 *   Threads     One port, one thread.
 */
#ifndef ACE_LINK_PORT_H
#define ACE_LINK_PORT_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_LINK_PORT_INPUTS(BIT, WORD, FIELD, ROW, STROBE) \
    WORD(uint32_t, cfg_rate, 32)                            \
    BIT(rx_valid)                                           \
    FIELD(uint8_t, rx_context, 8, rx_valid)                 \
    FIELD(bool, rx_reduce, 1, rx_valid)                     \
    FIELD(uint8_t, rx_tag, 8, rx_valid)                     \
    ROW(rx_data)                                            \
    BIT(rx_credit)                                          \
    BIT(m_pop)                                              \
    BIT(s_reserve)                                          \
    BIT(s_valid)                                            \
    FIELD(uint8_t, s_context, 8, s_valid)                   \
    FIELD(bool, s_reduce, 1, s_valid)                       \
    FIELD(uint8_t, s_tag, 8, s_valid)                       \
    ROW(s_data)

#define ACE_LINK_PORT_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE) \
    BIT(tx_valid)                                            \
    FIELD(uint8_t, tx_context, 8, tx_valid)                  \
    FIELD(bool, tx_reduce, 1, tx_valid)                      \
    FIELD(uint8_t, tx_tag, 8, tx_valid)                      \
    ROW(tx_data)                                             \
    BIT(tx_credit)                                           \
    BIT(m_head_valid)                                        \
    FIELD(uint8_t, m_head_context, 8, m_head_valid)          \
    FIELD(bool, m_head_reduce, 1, m_head_valid)              \
    FIELD(uint8_t, m_head_tag, 8, m_head_valid)              \
    ROW(m_data)                                              \
    BIT(s_room)                                              \
    WORD(uint64_t, count_busy, 48)                           \
    WORD(uint64_t, count_starved, 48)                        \
    WORD(uint64_t, count_blocked, 48)                        \
    WORD(uint64_t, count_idle, 48)                           \
    BIT(idle)

typedef struct ace_link_port_in {
    ACE_PORTS(ACE_LINK_PORT_INPUTS)
} ace_link_port_in;
typedef struct ace_link_port_out {
    ACE_PORTS(ACE_LINK_PORT_OUTPUTS)
} ace_link_port_out;

typedef struct ace_link_header {
    uint8_t context, tag;
    bool reduce;
} ace_link_header;

/* Buffers have one slot more than places, so that a row that has just left (m_data,
 * tx_data) is not written over. */
typedef struct ace_link_port {
    uint32_t input_rows, output_rows;
    uint32_t in_head, in_tail, in_count;
    uint32_t out_head, out_tail, out_count, reserved;
    uint32_t credits;
    uint32_t acc;  /* Q16.16 bytes of the present packet serialised */
    uint32_t rate; /* Q16.16 bytes per cycle */
    uint32_t tx_slot, pop_slot;
    bool tx_valid, tx_credit, popped, protocol_error;
    uint64_t count_busy, count_starved, count_blocked, count_idle;
    ace_link_header *in_headers, *out_headers;
    ace_row *in_rows, *out_rows; /* NULL: timing-only */
} ace_link_port;

/* A port in its reset state.  ACE_OK, ACE_EINVAL (rows: 1..65535 each) or ACE_ENOMEM. */
int ace_link_port_create(unsigned input_rows, unsigned output_rows, bool payload,
                         ace_link_port **port);
void ace_link_port_destroy(ace_link_port *p); /* NULL is allowed */
void ace_link_port_reset(ace_link_port *p);   /* a rising edge with rst high */

/* Without input, ticks only count idle cycles (packets may wait in the input buffer). */
static inline bool ace_link_port_idle(const ace_link_port *p) {
    return p->out_count == 0 && p->reserved == 0 && !p->tx_valid && !p->tx_credit && p->acc == 0;
}

ACE_INLINE void ace_link_port_eval(const ace_link_port *p, ace_link_port_out *o) {
    const ace_link_header *tx = &p->out_headers[p->tx_slot], *head = &p->in_headers[p->in_head];
    o->tx_valid = p->tx_valid;
    o->tx_context = tx->context;
    o->tx_reduce = tx->reduce;
    o->tx_tag = tx->tag;
    o->tx_data = p->out_rows && p->tx_valid ? p->out_rows[p->tx_slot] : NULL;
    o->tx_credit = p->tx_credit;
    o->m_head_valid = p->in_count != 0;
    o->m_head_context = head->context;
    o->m_head_reduce = head->reduce;
    o->m_head_tag = head->tag;
    o->m_data = p->in_rows && p->popped ? p->in_rows[p->pop_slot] : NULL;
    o->s_room = p->out_count + p->reserved < p->output_rows;
    o->count_busy = p->count_busy;
    o->count_starved = p->count_starved;
    o->count_blocked = p->count_blocked;
    o->count_idle = p->count_idle;
    o->idle = ace_link_port_idle(p) && p->in_count == 0;
}

/* ---- the parts of a tick ---- */

static inline bool ace_link_port_sends(const ace_link_port *p) {
    return p->out_count != 0 && p->credits != 0;
}

static inline bool ace_link_port_s_room(const ace_link_port *p) {
    return p->out_count + p->reserved < p->output_rows;
}

/* The class of a cycle. */
static inline uint64_t *ace_link_port_class(ace_link_port *p) {
    return p->out_count != 0  ? p->credits != 0 ? &p->count_busy : &p->count_blocked
           : p->reserved != 0 ? &p->count_starved
                              : &p->count_idle;
}

/* The rate stays until it is set again. */
static inline void ace_link_port_set_rate(ace_link_port *p, uint32_t cfg_rate) {
    p->rate = cfg_rate < ACE_ROW_COST ? cfg_rate : ACE_ROW_COST;
}

/* Counter and serialiser, every cycle and first.  True: a packet leaves, `tx_slot` says
 * which. */
static inline bool ace_link_port_serialise(ace_link_port *p) {
    ++*ace_link_port_class(p);
    p->acc = ace_link_port_sends(p) ? p->acc + p->rate : 0;
    p->tx_credit = false;
    p->tx_valid = p->acc >= ACE_ROW_COST;
    if (p->tx_valid) {
        p->acc -= ACE_ROW_COST;
        p->tx_slot = p->out_head;
        p->out_head = ace_ring_next(p->out_head, p->output_rows + 1);
        p->out_count--;
        p->credits--;
    }
    return p->tx_valid;
}

/* A packet for a reserved place. */
static inline void ace_link_port_write(ace_link_port *p, ace_link_header h, const uint32_t *row) {
    p->out_headers[p->out_tail] = h;
    if (p->out_rows) ace_row_copy(p->out_rows[p->out_tail], row);
    p->out_tail = ace_ring_next(p->out_tail, p->output_rows + 1);
    p->out_count++;
    p->reserved--;
}

/* The head leaves the input buffer; its credit goes back. */
static inline void ace_link_port_pop(ace_link_port *p) {
    p->tx_credit = p->popped = true;
    p->pop_slot = p->in_head;
    p->in_head = ace_ring_next(p->in_head, p->input_rows + 1);
    p->in_count--;
}

static inline void ace_link_port_receive(ace_link_port *p, ace_link_header h, const uint32_t *row) {
    p->in_headers[p->in_tail] = h;
    if (p->in_rows) ace_row_copy(p->in_rows[p->in_tail], row);
    p->in_tail = ace_ring_next(p->in_tail, p->input_rows + 1);
    p->in_count++;
}

/* ---- the tick ---- */

ACE_INLINE void ace_link_port_tick(ace_link_port *p, const ace_link_port_in *in) {
    p->protocol_error |= (in->rx_credit && p->credits >= p->input_rows) ||
                         (in->s_reserve && p->out_count + p->reserved >= p->output_rows) ||
                         (in->s_valid && p->reserved + in->s_reserve == 0) ||
                         (in->m_pop && p->in_count == 0) ||
                         (in->rx_valid && p->in_count >= p->input_rows);
    ace_link_port_set_rate(p, in->cfg_rate);
    ace_link_port_serialise(p);
    p->credits += in->rx_credit;
    p->reserved += in->s_reserve;
    if (in->s_valid) {
        const ace_link_header h = { in->s_context, in->s_tag, in->s_reduce };
        ace_link_port_write(p, h, in->s_data);
    }
    if (in->m_pop) ace_link_port_pop(p);
    if (in->rx_valid) {
        const ace_link_header h = { in->rx_context, in->rx_tag, in->rx_reduce };
        ace_link_port_receive(p, h, in->rx_data);
    }
}

/* Without input, the ticks of cycles now .. due - 1 only count and add to the serialiser's
 * sum, and a packet leaves in that of cycle `due`; UINT64_MAX: never. */
static inline uint64_t ace_link_port_due(const ace_link_port *p, uint64_t now) {
    return ace_link_port_sends(p) && p->rate != 0 ? now + (ACE_ROW_COST - 1 - p->acc) / p->rate
                                                  : UINT64_MAX;
}

/* The same as `cycles` ticks without input, to `due` at most. */
static inline void ace_link_port_skip(ace_link_port *p, uint64_t cycles) {
    if (cycles == 0) return;
    *ace_link_port_class(p) += cycles;
    p->acc = ace_link_port_sends(p) ? p->acc + (uint32_t)cycles * p->rate : 0;
    p->tx_valid = p->tx_credit = false;
}

#ifdef __cplusplus
}
#endif
#endif
