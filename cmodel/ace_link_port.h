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
 *   Threads     One port, one thread.
 */
#ifndef ACE_LINK_PORT_H
#define ACE_LINK_PORT_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_LINK_PORT_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_rate, 32)                                   \
    BIT(rx_valid)                                                  \
    FIELD(uint8_t, rx_context, 8, rx_valid)                        \
    FIELD(bool, rx_reduce, 1, rx_valid)                            \
    FIELD(uint8_t, rx_tag, 8, rx_valid)                            \
    ROW(rx_data)                                                   \
    BIT(rx_credit)                                                 \
    BIT(m_pop)                                                     \
    BIT(s_reserve)                                                 \
    BIT(s_valid)                                                   \
    FIELD(uint8_t, s_context, 8, s_valid)                          \
    FIELD(bool, s_reduce, 1, s_valid)                              \
    FIELD(uint8_t, s_tag, 8, s_valid)                              \
    ROW(s_data)

#define ACE_LINK_PORT_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(tx_valid)                                                   \
    FIELD(uint8_t, tx_context, 8, tx_valid)                         \
    FIELD(bool, tx_reduce, 1, tx_valid)                             \
    FIELD(uint8_t, tx_tag, 8, tx_valid)                             \
    ROW(tx_data)                                                    \
    BIT(tx_credit)                                                  \
    BIT(m_head_valid)                                               \
    FIELD(uint8_t, m_head_context, 8, m_head_valid)                 \
    FIELD(bool, m_head_reduce, 1, m_head_valid)                     \
    FIELD(uint8_t, m_head_tag, 8, m_head_valid)                     \
    ROW(m_data)                                                     \
    BIT(s_room)                                                     \
    WORD(uint64_t, count_busy, 48)                                  \
    WORD(uint64_t, count_starved, 48)                               \
    WORD(uint64_t, count_blocked, 48)                               \
    WORD(uint64_t, count_idle, 48)                                  \
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
    uint32_t acc; /* Q16.16 bytes of the present packet serialised */
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

ACE_INLINE void ace_link_port_tick(ace_link_port *p, const ace_link_port_in *in) {
    /* serialiser: from the state before this edge */
    p->tx_valid = false;
    if (p->out_count != 0 && p->credits != 0) {
        p->count_busy++;
        p->acc += in->cfg_rate < ACE_ROW_COST ? in->cfg_rate : ACE_ROW_COST;
        if (p->acc >= ACE_ROW_COST) {
            p->acc -= ACE_ROW_COST;
            p->tx_valid = true;
            p->tx_slot = p->out_head;
            p->out_head = ace_ring_next(p->out_head, p->output_rows + 1);
            p->out_count--;
            p->credits--;
        }
    } else {
        p->acc = 0;
        if (p->out_count != 0)
            p->count_blocked++;
        else if (p->reserved != 0)
            p->count_starved++;
        else
            p->count_idle++;
    }
    if (in->rx_credit) {
        p->protocol_error |= p->credits >= p->input_rows;
        p->credits++;
    }
    /* engine side send */
    if (in->s_reserve) {
        p->protocol_error |= p->out_count + p->tx_valid + p->reserved >= p->output_rows;
        p->reserved++;
    }
    if (in->s_valid) {
        p->protocol_error |= p->reserved == 0;
        p->reserved -= p->reserved != 0;
        ace_link_header *h = &p->out_headers[p->out_tail];
        h->context = in->s_context;
        h->tag = in->s_tag;
        h->reduce = in->s_reduce;
        if (p->out_rows) ace_row_copy(p->out_rows[p->out_tail], in->s_data);
        p->out_tail = ace_ring_next(p->out_tail, p->output_rows + 1);
        p->out_count++;
    }
    /* engine side receive */
    p->tx_credit = in->m_pop;
    const bool full = p->in_count >= p->input_rows;
    if (in->m_pop) {
        p->protocol_error |= p->in_count == 0;
        p->popped = true;
        p->pop_slot = p->in_head;
        p->in_head = ace_ring_next(p->in_head, p->input_rows + 1);
        p->in_count--;
    }
    if (in->rx_valid) {
        p->protocol_error |= full;
        ace_link_header *h = &p->in_headers[p->in_tail];
        h->context = in->rx_context;
        h->tag = in->rx_tag;
        h->reduce = in->rx_reduce;
        if (p->in_rows) ace_row_copy(p->in_rows[p->in_tail], in->rx_data);
        p->in_tail = ace_ring_next(p->in_tail, p->input_rows + 1);
        p->in_count++;
    }
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_link_port_skip(ace_link_port *p, uint64_t cycles) {
    p->count_idle += cycles;
}

#ifdef __cplusplus
}
#endif
#endif
