/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_memory_interface.h -- latency, bandwidth share and outstanding limit before the AXI pins
 *
 * The C twin of rtl/ace_memory_interface.v: same pins, same cycle, same values.
 *
 *     ace_memory_interface *m;
 *     if (ace_memory_interface_create(16, payload, &m) != ACE_OK) ...
 *     for (;;) {
 *         ace_memory_interface_eval(m, &out);     outputs of this cycle, from state only
 *         ace_memory_interface_tick(m, &in);      rising edge
 *     }
 *     ace_memory_interface_destroy(m);
 *
 * Rules
 *   Streams     A beat moves when valid && ready; valid and payload hold until then.
 *   Latency     A read taken in cycle t is on m_ar from cycle t + cfg_latency (2 at least).
 *               m_b for a burst comes cfg_latency after its last beat left on m_w, and
 *               never before the memory's own answer.  Everything else takes one cycle.
 *   Bandwidth   s_r and s_w beats each cost 256 bytes of a Q16.16 sum that grows by cfg_*_rate
 *               a cycle up to 512 bytes.  The sum is 0 after reset.
 *   Outstanding At most `bursts` reads (taken, last beat not yet gone on m_r) and `bursts`
 *               writes (taken, not yet answered on m_b).
 *   Order       All in order.  Beats of a burst stay off m_w until its m_aw was taken.
 *   Counters    Each cycle in exactly one, for s_r and for s_w: busy (a beat moved), blocked
 *               (a beat was offered and had to wait), starved (bursts outstanding, no beat
 *               offered), idle.
 *   Errors      A broken rule sets `protocol_error` until reset.
 *   Threads     One interface, one thread.
 */
#ifndef ACE_MEMORY_INTERFACE_H
#define ACE_MEMORY_INTERFACE_H

#include "ace_row_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_MEMORY_INTERFACE_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    WORD(uint32_t, cfg_read_rate, 32)                                     \
    WORD(uint32_t, cfg_write_rate, 32)                                    \
    WORD(uint16_t, cfg_latency, 16)                                       \
    BIT(s_ar_valid)                                                       \
    FIELD(uint64_t, s_ar_addr, 48, s_ar_valid)                            \
    FIELD(uint8_t, s_ar_len, 8, s_ar_valid)                               \
    BIT(m_r_ready)                                                        \
    BIT(s_aw_valid)                                                       \
    FIELD(uint64_t, s_aw_addr, 48, s_aw_valid)                            \
    FIELD(uint8_t, s_aw_len, 8, s_aw_valid)                               \
    BIT(s_w_valid)                                                        \
    ROW(s_w_data)                                                         \
    STROBE(s_w_strb, s_w_valid)                                           \
    FIELD(bool, s_w_last, 1, s_w_valid)                                   \
    BIT(m_b_ready)                                                        \
    BIT(m_ar_ready)                                                       \
    BIT(s_r_valid)                                                        \
    ROW(s_r_data)                                                         \
    FIELD(bool, s_r_last, 1, s_r_valid)                                   \
    BIT(m_aw_ready)                                                       \
    BIT(m_w_ready)                                                        \
    BIT(s_b_valid)

#define ACE_MEMORY_INTERFACE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_ar_ready)                                                        \
    BIT(m_r_valid)                                                         \
    ROW(m_r_data)                                                          \
    FIELD(bool, m_r_last, 1, m_r_valid)                                    \
    BIT(s_aw_ready)                                                        \
    BIT(s_w_ready)                                                         \
    BIT(m_b_valid)                                                         \
    BIT(m_ar_valid)                                                        \
    FIELD(uint64_t, m_ar_addr, 48, m_ar_valid)                             \
    FIELD(uint8_t, m_ar_len, 8, m_ar_valid)                                \
    WORD(uint8_t, m_ar_size, 3)                                            \
    WORD(uint8_t, m_ar_burst, 2)                                           \
    BIT(s_r_ready)                                                         \
    BIT(m_aw_valid)                                                        \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                             \
    FIELD(uint8_t, m_aw_len, 8, m_aw_valid)                                \
    WORD(uint8_t, m_aw_size, 3)                                            \
    WORD(uint8_t, m_aw_burst, 2)                                           \
    BIT(m_w_valid)                                                         \
    ROW(m_w_data)                                                          \
    STROBE(m_w_strb, m_w_valid)                                            \
    FIELD(bool, m_w_last, 1, m_w_valid)                                    \
    BIT(s_b_ready)                                                         \
    WORD(uint64_t, count_read_busy, 48)                                    \
    WORD(uint64_t, count_read_starved, 48)                                 \
    WORD(uint64_t, count_read_blocked, 48)                                 \
    WORD(uint64_t, count_read_idle, 48)                                    \
    WORD(uint64_t, count_write_busy, 48)                                   \
    WORD(uint64_t, count_write_starved, 48)                                \
    WORD(uint64_t, count_write_blocked, 48)                                \
    WORD(uint64_t, count_write_idle, 48)                                   \
    BIT(idle)

typedef struct ace_memory_interface_in {
    ACE_PORTS(ACE_MEMORY_INTERFACE_INPUTS)
} ace_memory_interface_in;
typedef struct ace_memory_interface_out {
    ACE_PORTS(ACE_MEMORY_INTERFACE_OUTPUTS)
} ace_memory_interface_out;

enum { ACE_MEMORY_BURSTS_MAX = 256, ACE_MEMORY_FIFO_ROWS = 2 };

typedef struct ace_memory_request {
    uint64_t addr;
    uint64_t release; /* reads: cycle from which it shows */
    uint8_t len;
} ace_memory_request;

typedef struct ace_memory_interface {
    uint32_t bursts;
    uint64_t now;                       /* cycles since reset */
    uint32_t read_tokens, write_tokens; /* Q16.16 bytes, 2 rows at most */
    /* reads: requests head .. head + ripe are due, then `waiting` that are not */
    uint32_t ar_head, ar_next, ar_tail, ar_ripe, ar_waiting, reads;
    /* writes */
    uint32_t aw_head, aw_tail, aw_count, writes;
    uint32_t w_open;                    /* m_aw taken whose last m_w has not left */
    uint32_t b_next, b_tail, b_waiting; /* release times of answers not due */
    uint32_t b_ripe, b_got;             /* answers due; answers the memory gave */
    bool protocol_error;
    ace_row_fifo r, w;
    uint64_t count_read_busy, count_read_starved, count_read_blocked, count_read_idle;
    uint64_t count_write_busy, count_write_starved, count_write_blocked, count_write_idle;
    ace_memory_request ar[ACE_MEMORY_BURSTS_MAX], aw[ACE_MEMORY_BURSTS_MAX];
    uint64_t b_release[ACE_MEMORY_BURSTS_MAX];
} ace_memory_interface;

/* An interface in its reset state.  ACE_OK, ACE_EINVAL (bursts 1..256) or ACE_ENOMEM. */
int ace_memory_interface_create(unsigned bursts, bool payload, ace_memory_interface **interface_);
void ace_memory_interface_destroy(ace_memory_interface *m); /* NULL is allowed */
void ace_memory_interface_reset(ace_memory_interface *m);   /* a rising edge with rst high */

static inline bool ace_memory_interface_s_r_ready(const ace_memory_interface *m) {
    return m->read_tokens >= ACE_ROW_COST && ace_row_fifo_s_ready(&m->r);
}
static inline bool ace_memory_interface_s_w_ready(const ace_memory_interface *m) {
    return m->write_tokens >= ACE_ROW_COST && ace_row_fifo_s_ready(&m->w);
}

/* Without input, a tick only counts an idle cycle: nothing is open, the token sums are full. */
static inline bool ace_memory_interface_idle(const ace_memory_interface *m) {
    return m->reads == 0 && m->writes == 0 && m->w.count == 0 && m->r.count == 0 &&
           m->read_tokens == 2 * ACE_ROW_COST && m->write_tokens == 2 * ACE_ROW_COST;
}

ACE_INLINE void ace_memory_interface_eval(const ace_memory_interface *m,
                                          ace_memory_interface_out *o) {
    o->s_ar_ready = m->reads < m->bursts;
    o->m_r_valid = ace_row_fifo_m_valid(&m->r);
    o->m_r_data = ace_row_fifo_row(&m->r);
    o->m_r_last = m->r.last[m->r.head];
    o->s_aw_ready = m->writes < m->bursts;
    o->s_w_ready = ace_memory_interface_s_w_ready(m);
    o->m_b_valid = m->b_ripe != 0 && m->b_got != 0;
    o->m_ar_valid = m->ar_ripe != 0;
    o->m_ar_addr = m->ar[m->ar_head].addr;
    o->m_ar_len = m->ar[m->ar_head].len;
    o->m_ar_size = 7;
    o->m_ar_burst = 1;
    o->s_r_ready = ace_memory_interface_s_r_ready(m);
    o->m_aw_valid = m->aw_count != 0;
    o->m_aw_addr = m->aw[m->aw_head].addr;
    o->m_aw_len = m->aw[m->aw_head].len;
    o->m_aw_size = 7;
    o->m_aw_burst = 1;
    o->m_w_valid = ace_row_fifo_m_valid(&m->w) && m->w_open != 0;
    o->m_w_data = m->w_open != 0 ? ace_row_fifo_row(&m->w) : NULL;
    o->m_w_strb = m->w.bytes[m->w.head];
    o->m_w_last = m->w.last[m->w.head];
    o->s_b_ready = true;
    o->count_read_busy = m->count_read_busy;
    o->count_read_starved = m->count_read_starved;
    o->count_read_blocked = m->count_read_blocked;
    o->count_read_idle = m->count_read_idle;
    o->count_write_busy = m->count_write_busy;
    o->count_write_starved = m->count_write_starved;
    o->count_write_blocked = m->count_write_blocked;
    o->count_write_idle = m->count_write_idle;
    o->idle = ace_memory_interface_idle(m);
}

static inline uint32_t ace_memory_tokens(uint32_t tokens, uint32_t rate, bool beat) {
    const uint32_t sum =
        tokens - (beat ? ACE_ROW_COST : 0) + (rate < ACE_ROW_COST ? rate : ACE_ROW_COST);
    return sum < 2 * ACE_ROW_COST ? sum : 2 * ACE_ROW_COST;
}

ACE_INLINE void ace_memory_interface_tick(ace_memory_interface *m,
                                          const ace_memory_interface_in *in) {
    const uint64_t next = m->now + 1, latency = in->cfg_latency < 2 ? 2 : in->cfg_latency;
    /* every handshake of this cycle, from the state before the edge */
    const bool s_ar = in->s_ar_valid && m->reads < m->bursts;
    const bool m_ar = in->m_ar_ready && m->ar_ripe != 0;
    const bool s_r = in->s_r_valid && ace_memory_interface_s_r_ready(m);
    const bool m_r = in->m_r_ready && ace_row_fifo_m_valid(&m->r);
    const bool s_aw = in->s_aw_valid && m->writes < m->bursts;
    const bool m_aw = in->m_aw_ready && m->aw_count != 0;
    const bool s_w = in->s_w_valid && ace_memory_interface_s_w_ready(m);
    const bool m_w = in->m_w_ready && ace_row_fifo_m_valid(&m->w) && m->w_open != 0;
    const bool m_w_last = m_w && m->w.last[m->w.head];
    const bool m_b = in->m_b_ready && m->b_ripe != 0 && m->b_got != 0;

    if (s_r)
        m->count_read_busy++;
    else if (in->s_r_valid)
        m->count_read_blocked++;
    else if (m->reads != 0)
        m->count_read_starved++;
    else
        m->count_read_idle++;
    if (s_w)
        m->count_write_busy++;
    else if (in->s_w_valid)
        m->count_write_blocked++;
    else if (m->writes != 0)
        m->count_write_starved++;
    else
        m->count_write_idle++;

    m->read_tokens = ace_memory_tokens(m->read_tokens, in->cfg_read_rate, s_r);
    m->write_tokens = ace_memory_tokens(m->write_tokens, in->cfg_write_rate, s_w);

    /* reads */
    if (m_ar) {
        m->ar_head = ace_ring_next(m->ar_head, m->bursts);
        m->ar_ripe--;
    }
    if (m->ar_waiting != 0 && m->ar[m->ar_next].release == next) {
        m->ar_next = ace_ring_next(m->ar_next, m->bursts);
        m->ar_waiting--;
        m->ar_ripe++;
    }
    if (s_ar) {
        ace_memory_request *q = &m->ar[m->ar_tail];
        q->addr = in->s_ar_addr;
        q->len = in->s_ar_len;
        q->release = m->now + latency;
        m->ar_tail = ace_ring_next(m->ar_tail, m->bursts);
        m->ar_waiting++;
        m->reads++;
    }
    if (m_r) {
        if (m->r.last[m->r.head]) {
            m->protocol_error |= m->reads == 0;
            m->reads--;
        }
        ace_row_fifo_pop(&m->r);
    }
    if (s_r) ace_row_fifo_push(&m->r, in->s_r_data, 0, in->s_r_last);

    /* writes */
    if (m_aw) {
        m->aw_head = ace_ring_next(m->aw_head, m->bursts);
        m->aw_count--;
        m->w_open++;
    }
    if (s_aw) {
        ace_memory_request *q = &m->aw[m->aw_tail];
        q->addr = in->s_aw_addr;
        q->len = in->s_aw_len;
        m->aw_tail = ace_ring_next(m->aw_tail, m->bursts);
        m->aw_count++;
        m->writes++;
    }
    if (m_w) ace_row_fifo_pop(&m->w);
    if (s_w) ace_row_fifo_push(&m->w, in->s_w_data, in->s_w_strb, in->s_w_last);
    if (m->b_waiting != 0 && m->b_release[m->b_next] == next) {
        m->b_next = ace_ring_next(m->b_next, m->bursts);
        m->b_waiting--;
        m->b_ripe++;
    }
    if (m_w_last) {
        m->w_open--;
        m->b_release[m->b_tail] = m->now + latency;
        m->b_tail = ace_ring_next(m->b_tail, m->bursts);
        m->b_waiting++;
    }
    if (in->s_b_valid) {
        m->protocol_error |= m->b_got >= m->writes;
        m->b_got++;
    }
    if (m_b) {
        m->b_ripe--;
        m->b_got--;
        m->writes--;
    }
    m->now = next;
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_memory_interface_skip(ace_memory_interface *m, uint64_t cycles) {
    m->now += cycles;
    m->count_read_idle += cycles;
    m->count_write_idle += cycles;
}

#ifdef __cplusplus
}
#endif
#endif
