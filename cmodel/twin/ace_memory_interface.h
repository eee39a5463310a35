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
 *   Bandwidth   s_r and s_w beats each cost cfg_*_cost of a sum that grows by a cycle (Q16.8)
 *               a cycle up to 512 bytes.  The sum is 0 after reset.
 *   Outstanding At most `bursts` reads (taken, last beat not yet gone on m_r) and `bursts`
 *               writes (taken, not yet answered on m_b).
 *   Order       All in order.  Beats of a burst stay off m_w until its s_aw was taken and a cycle
 *               has passed.  They wait for no m_aw_ready.
 *   Padding     A burst of one beat taken with s_aw_pad writes nothing and is no access: it takes
 *               its turn, its cost and its answer as any other, and is never on m_aw or m_w.
 *   Code        A row read has its code from the pins on; that of a row written comes with it and
 *               goes on.
 *   Drain       While `drain` is high nothing is taken from the DMAs and rows read go nowhere, but
 *               the bursts taken before are carried out; beats that are owed and never came go
 *               without a strobe.  `busy` says that bursts are left; once it is low, `drain` is
 *               a reset.  `drain` stays until then.
 *   Errors      Bit 1 of a response is an error.  Rows of a read that failed, and all after
 *               them, are taken and go no further.  *_failed says so until reset, with the
 *               first response and the address of its burst.
 *   Protocol    A row or an answer that no burst waits for, a last bit that does not fit its
 *               burst, and EXOKAY set protocol_failed until reset, with the address of the first
 *               one's burst, or 0.  Rows go no further from there on.
 *   Lost        A drain in which no burst has come on for `drain_limit` cycles sets memory_lost.
 *               Until reset the interface then forgets all and drops what comes.
 *   Counters    Each cycle in exactly one, for s_r and for s_w: busy (a beat moved), blocked
 *               (a beat was offered and had to wait), starved (bursts outstanding, no beat
 *               offered), idle.
 *   Parts       A tick is made of ace_memory_interface_cycle and one part for each stream
 *               that moves.  A parent that knows which streams move calls the parts itself;
 *               that is decided for all streams before any part.
 *   Threads     One interface, one thread.
 */
#ifndef ACE_MEMORY_INTERFACE_H
#define ACE_MEMORY_INTERFACE_H

#include "ace_cycle_classes.h"
#include "ace_row_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_MEMORY_INTERFACE_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(drain)                                                            \
    WORD(uint32_t, cfg_read_cost, 24)                                     \
    WORD(uint32_t, cfg_write_cost, 24)                                    \
    WORD(uint16_t, cfg_latency, 16)                                       \
    BIT(s_ar_valid)                                                       \
    FIELD(uint64_t, s_ar_addr, 48, s_ar_valid)                            \
    FIELD(uint8_t, s_ar_len, 8, s_ar_valid)                               \
    BIT(m_r_ready)                                                        \
    BIT(s_aw_valid)                                                       \
    FIELD(uint64_t, s_aw_addr, 48, s_aw_valid)                            \
    FIELD(uint8_t, s_aw_len, 8, s_aw_valid)                               \
    FIELD(bool, s_aw_pad, 1, s_aw_valid)                                  \
    BIT(s_w_valid)                                                        \
    ROW(s_w_data)                                                         \
    FIELD(uint32_t, s_w_code, 32, s_w_data)                               \
    STROBE(s_w_strb, s_w_valid)                                           \
    FIELD(bool, s_w_last, 1, s_w_valid)                                   \
    BIT(m_b_ready)                                                        \
    BIT(m_ar_ready)                                                       \
    BIT(s_r_valid)                                                        \
    ROW(s_r_data)                                                         \
    FIELD(bool, s_r_last, 1, s_r_valid)                                   \
    FIELD(uint8_t, s_r_resp, 2, s_r_valid)                                \
    BIT(m_aw_ready)                                                       \
    BIT(m_w_ready)                                                        \
    BIT(s_b_valid)                                                        \
    FIELD(uint8_t, s_b_resp, 2, s_b_valid)

#define ACE_MEMORY_INTERFACE_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(busy)                                                              \
    BIT(s_ar_ready)                                                        \
    BIT(m_r_valid)                                                         \
    ROW(m_r_data)                                                          \
    FIELD(uint32_t, m_r_code, 32, m_r_data)                                \
    FIELD(bool, m_r_last, 1, m_r_valid)                                    \
    BIT(s_aw_ready)                                                        \
    BIT(s_w_ready)                                                         \
    BIT(m_b_valid)                                                         \
    BIT(m_ar_valid)                                                        \
    FIELD(uint64_t, m_ar_addr, 48, m_ar_valid)                             \
    FIELD(uint8_t, m_ar_len, 8, m_ar_valid)                                \
    WORD(uint8_t, m_ar_size, 3)                                            \
    WORD(uint8_t, m_ar_burst, 2)                                           \
    WORD(uint8_t, m_ar_prot, 3)                                            \
    BIT(s_r_ready)                                                         \
    BIT(m_aw_valid)                                                        \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                             \
    FIELD(uint8_t, m_aw_len, 8, m_aw_valid)                                \
    WORD(uint8_t, m_aw_size, 3)                                            \
    WORD(uint8_t, m_aw_burst, 2)                                           \
    WORD(uint8_t, m_aw_prot, 3)                                            \
    BIT(m_w_valid)                                                         \
    ROW(m_w_data)                                                          \
    FIELD(uint32_t, m_w_code, 32, m_w_data)                                \
    STROBE(m_w_strb, m_w_valid)                                            \
    FIELD(bool, m_w_last, 1, m_w_valid)                                    \
    BIT(s_b_ready)                                                         \
    BIT(read_failed)                                                       \
    FIELD(uint8_t, read_failed_resp, 2, read_failed)                       \
    FIELD(uint64_t, read_failed_addr, 48, read_failed)                     \
    BIT(write_failed)                                                      \
    FIELD(uint8_t, write_failed_resp, 2, write_failed)                     \
    FIELD(uint64_t, write_failed_addr, 48, write_failed)                   \
    BIT(protocol_failed)                                                   \
    FIELD(uint64_t, protocol_failed_addr, 48, protocol_failed)             \
    BIT(memory_lost)                                                       \
    LANES(uint64_t, count_read, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)       \
    LANES(uint64_t, count_write, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)      \
    BIT(idle)

typedef struct ace_memory_interface_in {
    ACE_PORTS(ACE_MEMORY_INTERFACE_INPUTS)
} ace_memory_interface_in;
typedef struct ace_memory_interface_out {
    ACE_PORTS(ACE_MEMORY_INTERFACE_OUTPUTS)
} ace_memory_interface_out;

/* PROT: data, non-secure, unprivileged, as the RTL has it by default */
enum {
    ACE_MEMORY_BURSTS_MAX = 256,
    ACE_MEMORY_FIFO_ROWS = 2,
    ACE_MEMORY_PROT = 2,
    ACE_MEMORY_DRAIN_LIMIT = 65536 /* cycles, as the RTL has it by default */
};

typedef struct ace_memory_request {
    uint64_t addr;
    uint64_t release; /* reads: cycle from which it shows */
    uint8_t len;
} ace_memory_request;

typedef struct ace_memory_interface {
    uint32_t bursts, drain_limit;
    uint64_t now;                       /* cycles since reset */
    uint32_t read_cost, write_cost;     /* cycles a row takes, Q16.8 */
    uint32_t read_tokens, write_tokens; /* likewise, 2 rows at most */
    /* reads: requests head .. head + ripe are due, then `waiting` that are not */
    uint32_t ar_head, ar_next, ar_tail, ar_ripe, ar_waiting, reads;
    /* asked: requests that the memory took and has not answered.  The first of them is at r_at in
     * `ar`, and r_beat of its beats have come. */
    uint32_t asked, r_at, r_beat;
    /* writes */
    uint32_t aw_head, aw_tail, aw_count;   /* addresses: of all bursts but padding */
    uint32_t unanswered;                   /* likewise, by the memory */
    uint32_t sent;                         /* of these, whose last beat the memory took */
    uint32_t turn_head, turn_tail, writes; /* bursts not yet answered on m_b */
    uint32_t w_open; /* s_aw taken, and not just now, whose last m_w has not left */
    uint32_t w_beat; /* beats of the first of these that have */
    uint32_t b_next, b_tail, b_waiting; /* release times of answers not due */
    uint32_t b_ripe, b_got;             /* answers due; answers the memory gave */
    bool aw_new;                        /* s_aw was taken in the cycle before */
    bool draining; /* drain was high in the cycle before, and bursts were left */
    bool read_failed, write_failed, protocol_failed;
    bool lost;      /* memory_lost */
    uint32_t quiet; /* cycles of the drain since a burst came on */
    uint8_t read_failed_resp, write_failed_resp;
    uint64_t read_failed_addr, write_failed_addr, protocol_failed_addr;
    ace_row_fifo r, w;
    ace_cycle_classes read, write;
    ace_memory_request ar[ACE_MEMORY_BURSTS_MAX], aw[ACE_MEMORY_BURSTS_MAX];
    bool turn_pad[ACE_MEMORY_BURSTS_MAX]; /* of the bursts in their order: padding, and lengths */
    uint8_t turn_len[ACE_MEMORY_BURSTS_MAX];
    uint64_t b_release[ACE_MEMORY_BURSTS_MAX];
} ace_memory_interface;

/* An interface in its reset state.  drain_limit: cycles, 0: any number.  ACE_OK, ACE_EINVAL (bursts
 * 1..256) or ACE_ENOMEM. */
int ace_memory_interface_create(unsigned bursts, unsigned drain_limit, bool payload,
                                ace_memory_interface **interface_);
void ace_memory_interface_destroy(ace_memory_interface *m); /* NULL is allowed */
void ace_memory_interface_reset(ace_memory_interface *m);   /* a rising edge with rst high */
void ace_memory_interface_state(ace_memory_interface *m, ace_state *s);

static inline bool ace_memory_interface_s_r_ready(const ace_memory_interface *m) {
    return ((m->read_tokens >= m->read_cost) & ace_row_fifo_s_ready(&m->r)) | m->lost;
}
static inline bool ace_memory_interface_s_w_ready(const ace_memory_interface *m) {
    return (m->write_tokens >= m->write_cost) & ace_row_fifo_s_ready(&m->w);
}

/* In a drain: a beat that is owed and is not here. */
static inline bool ace_memory_interface_fills(const ace_memory_interface *m) {
    return m->draining & !ace_row_fifo_m_valid(&m->w);
}
/* A beat may leave; it goes nowhere if it is padding. */
static inline bool ace_memory_interface_w_here(const ace_memory_interface *m) {
    return (ace_row_fifo_m_valid(&m->w) | m->draining) & (m->w_open != 0);
}
static inline bool ace_memory_interface_m_w_valid(const ace_memory_interface *m) {
    return ace_memory_interface_w_here(m) & !m->turn_pad[m->b_tail];
}
static inline bool ace_memory_interface_w_leaves(const ace_memory_interface *m, bool m_w_ready) {
    return ace_memory_interface_w_here(m) & (m_w_ready | m->turn_pad[m->b_tail]);
}
bool ace_memory_interface_owed_last(const ace_memory_interface *m); /* the last of its burst */
static inline bool ace_memory_interface_m_w_last(const ace_memory_interface *m) {
    if (ace_memory_interface_fills(m)) return ace_memory_interface_owed_last(m);
    return m->w.last[m->w.head];
}
/* Bursts were taken and are not done with. */
static inline bool ace_memory_interface_busy(const ace_memory_interface *m) {
    return m->reads != 0 || m->writes != 0;
}
static inline bool ace_memory_interface_m_b_valid(const ace_memory_interface *m) {
    return m->b_ripe != 0 && (m->b_got != 0 || m->turn_pad[m->turn_head]);
}

/* Without input, a tick only counts an idle cycle: nothing is open, the token sums are full. */
static inline bool ace_memory_interface_idle(const ace_memory_interface *m) {
    return !m->draining && m->reads == 0 && m->writes == 0 && m->w.count == 0 && m->r.count == 0 &&
           m->read_tokens == 2 * m->read_cost && m->write_tokens == 2 * m->write_cost;
}

static inline void ace_memory_interface_show_w(const ace_memory_interface *m,
                                               ace_memory_interface_out *o) {
    static const ace_row zero = { 0 };
    const bool fills = ace_memory_interface_fills(m);
    o->m_w_data = fills ? zero : m->w_open != 0 ? ace_row_fifo_row(&m->w) : NULL;
    o->m_w_code = fills ? 0 : ace_row_fifo_code(&m->w);
    o->m_w_strb = fills ? 0 : m->w.bytes[m->w.head];
    o->m_w_last = ace_memory_interface_m_w_last(m);
}

ACE_INLINE void ace_memory_interface_eval(const ace_memory_interface *m,
                                          ace_memory_interface_out *o) {
    o->busy = ace_memory_interface_busy(m);
    o->s_ar_ready = m->reads < m->bursts;
    o->m_r_valid = ace_row_fifo_m_valid(&m->r);
    o->m_r_data = ace_row_fifo_row(&m->r);
    o->m_r_code = ace_row_fifo_code(&m->r);
    o->m_r_last = m->r.last[m->r.head];
    o->s_aw_ready = m->writes < m->bursts;
    o->s_w_ready = ace_memory_interface_s_w_ready(m);
    o->m_b_valid = ace_memory_interface_m_b_valid(m);
    o->m_ar_valid = m->ar_ripe != 0;
    o->m_ar_addr = m->ar[m->ar_head].addr;
    o->m_ar_len = m->ar[m->ar_head].len;
    o->m_ar_size = 7;
    o->m_ar_burst = 1;
    o->m_ar_prot = ACE_MEMORY_PROT;
    o->s_r_ready = ace_memory_interface_s_r_ready(m);
    o->m_aw_valid = m->aw_count != 0;
    o->m_aw_addr = m->aw[m->aw_head].addr;
    o->m_aw_len = m->aw[m->aw_head].len;
    o->m_aw_size = 7;
    o->m_aw_burst = 1;
    o->m_aw_prot = ACE_MEMORY_PROT;
    o->m_w_valid = ace_memory_interface_m_w_valid(m);
    ace_memory_interface_show_w(m, o);
    o->s_b_ready = true;
    o->read_failed = m->read_failed;
    o->read_failed_resp = m->read_failed_resp;
    o->read_failed_addr = m->read_failed_addr;
    o->write_failed = m->write_failed;
    o->write_failed_resp = m->write_failed_resp;
    o->write_failed_addr = m->write_failed_addr;
    o->protocol_failed = m->protocol_failed;
    o->protocol_failed_addr = m->protocol_failed_addr;
    o->memory_lost = m->lost;
    ace_cycle_classes_lanes(&m->read, o->count_read);
    ace_cycle_classes_lanes(&m->write, o->count_write);
    o->idle = ace_memory_interface_idle(m);
}

/* The costs stay until they are set again. */
static inline void ace_memory_interface_set_costs(ace_memory_interface *m, uint32_t cfg_read_cost,
                                                  uint32_t cfg_write_cost) {
    m->read_cost = ace_cost(cfg_read_cost);
    m->write_cost = ace_cost(cfg_write_cost);
}

static inline uint32_t ace_memory_tokens(uint32_t tokens, uint32_t cost, bool beat) {
    const uint32_t sum = tokens - (beat ? cost : 0) + ACE_COST_ONE;
    return sum < 2 * cost ? sum : 2 * cost;
}

/* ---- the parts of a tick ---- */
/* Beats come in most cycles and no branch could guess them: their parts are called in every
 * cycle with the argument whether the beat moves. */

/* The next beat that is read is the last of its burst. */
static inline bool ace_memory_interface_r_last(const ace_memory_interface *m) {
    return m->r_beat == m->ar[m->r_at].len;
}
/* A write waits for an answer of the memory. */
static inline bool ace_memory_interface_b_asked(const ace_memory_interface *m) {
    return (m->sent != 0) & (m->unanswered != m->aw_count);
}
/* A beat that moves does not fit its burst, or there is none. */
static inline bool ace_memory_interface_r_odd(const ace_memory_interface *m, bool last,
                                              uint8_t resp) {
    return (m->asked == 0) | (last != ace_memory_interface_r_last(m)) | (resp == ACE_EXOKAY);
}
static inline bool ace_memory_interface_b_odd(const ace_memory_interface *m, uint8_t resp) {
    return !ace_memory_interface_b_asked(m) | (resp == ACE_EXOKAY);
}
/* The memory's answers, which may be errors or break the protocol. Handled before everything
 * else. */
typedef struct ace_memory_answers {
    bool s_r, s_b; /* a beat moves */
    bool r_last;
    uint8_t r_resp, b_resp;
} ace_memory_answers;
void ace_memory_interface_answers(ace_memory_interface *m, const ace_memory_answers *a);
/* The burst that the memory answers next. */
uint32_t ace_memory_interface_b_at(const ace_memory_interface *m);
/* A cycle with drain; moves: something below or a beat at a pin happens in it. */
void ace_memory_interface_quiet(ace_memory_interface *m, bool moves);
/* Called in each cycle of a drain that has ended or was lost. */
void ace_memory_interface_clear(ace_memory_interface *m);

/* Every cycle and first: counters, token sums, what becomes due.  s_r, s_w: a beat moves. */
ACE_INLINE void ace_memory_interface_cycle(ace_memory_interface *m, bool s_r_valid, bool s_r,
                                           bool s_w_valid, bool s_w) {
    ace_cycle_classes_tick(&m->read, s_r, s_r_valid, m->reads != 0);
    ace_cycle_classes_tick(&m->write, s_w, s_w_valid, m->writes != 0);
    m->read_tokens = ace_memory_tokens(m->read_tokens, m->read_cost, s_r);
    m->write_tokens = ace_memory_tokens(m->write_tokens, m->write_cost, s_w);
    m->now++;
    m->w_open += m->aw_new;
    m->aw_new = false;
    if (m->ar_waiting != 0 && m->ar[m->ar_next].release == m->now) {
        m->ar_next = ace_ring_next(m->ar_next, m->bursts);
        m->ar_waiting--;
        m->ar_ripe++;
    }
    if (m->b_waiting != 0 && m->b_release[m->b_next] == m->now) {
        m->b_next = ace_ring_next(m->b_next, m->bursts);
        m->b_waiting--;
        m->b_ripe++;
    }
}

/* When what comes in now may leave; `now` is already the next cycle. */
static inline uint64_t ace_memory_release(const ace_memory_interface *m, uint16_t cfg_latency) {
    return m->now - 1 + (cfg_latency < 2 ? 2 : cfg_latency);
}
static inline void ace_memory_interface_m_ar(ace_memory_interface *m) {
    m->ar_head = ace_ring_next(m->ar_head, m->bursts);
    m->ar_ripe--;
    m->asked++;
}
static inline void ace_memory_interface_s_ar(ace_memory_interface *m, uint64_t addr, uint8_t len,
                                             uint16_t cfg_latency) {
    ace_memory_request *q = &m->ar[m->ar_tail];
    q->addr = addr;
    q->len = len;
    q->release = ace_memory_release(m, cfg_latency);
    m->ar_tail = ace_ring_next(m->ar_tail, m->bursts);
    m->ar_waiting++;
    m->reads++;
}
static inline void ace_memory_interface_m_r(ace_memory_interface *m, bool moves) {
    m->reads -= moves & m->r.last[m->r.head];
    ace_row_fifo_pop_if(&m->r, moves);
}
/* Before m_ar, as the request of this cycle has no answer in it. */
static inline void ace_memory_interface_s_r(ace_memory_interface *m, bool moves,
                                            const uint32_t *row, bool last) {
    const bool stopped = m->read_failed | m->protocol_failed, goes_on = moves & !stopped;
    const bool counts = moves & (m->asked != 0);
    const bool ends = counts & (last | ace_memory_interface_r_last(m));
    ace_row_fifo_push_if(&m->r, goes_on, row, goes_on ? ace_row_code_of(row) : 0, 0, last);
    m->reads -= ends & stopped;
    m->asked -= ends;
    m->r_beat = ends ? 0 : m->r_beat + counts;
    m->r_at = ends ? ace_ring_next(m->r_at, m->bursts) : m->r_at;
}
static inline void ace_memory_interface_m_aw(ace_memory_interface *m) {
    m->aw_head = ace_ring_next(m->aw_head, m->bursts);
    m->aw_count--;
}
static inline void ace_memory_interface_s_aw(ace_memory_interface *m, uint64_t addr, uint8_t len,
                                             bool pad) {
    if (!pad) {
        ace_memory_request *q = &m->aw[m->aw_tail];
        q->addr = addr;
        q->len = len;
        m->aw_tail = ace_ring_next(m->aw_tail, m->bursts);
        m->aw_count++;
        m->unanswered++;
    }
    m->turn_pad[m->turn_tail] = pad;
    m->turn_len[m->turn_tail] = len;
    m->turn_tail = ace_ring_next(m->turn_tail, m->bursts);
    m->aw_new = true;
    m->writes++;
}
static inline void ace_memory_interface_m_w(ace_memory_interface *m, bool moves,
                                            uint16_t cfg_latency) {
    const bool ends = moves & (ace_memory_interface_m_w_last(m) | m->turn_pad[m->b_tail]);
    m->w_beat = ends ? 0 : m->w_beat + moves;
    if (ends) {
        m->w_open--;
        m->sent += !m->turn_pad[m->b_tail];
        m->b_release[m->b_tail] = ace_memory_release(m, cfg_latency);
        m->b_tail = ace_ring_next(m->b_tail, m->bursts);
        m->b_waiting++;
    }
    ace_row_fifo_pop_if(&m->w, moves & ace_row_fifo_m_valid(&m->w));
}
static inline void ace_memory_interface_s_w(ace_memory_interface *m, bool moves,
                                            const uint32_t *row, uint32_t code, uint16_t strb,
                                            bool last) {
    ace_row_fifo_push_if(&m->w, moves, row, code, strb, last);
}
/* A write waits for it. */
static inline void ace_memory_interface_s_b(ace_memory_interface *m) {
    m->b_got++;
    m->unanswered--;
    m->sent--;
}
static inline void ace_memory_interface_m_b(ace_memory_interface *m) {
    m->b_ripe--;
    m->b_got -= !m->turn_pad[m->turn_head];
    m->turn_head = ace_ring_next(m->turn_head, m->bursts);
    m->writes--;
}

/* ---- the tick ---- */

ACE_INLINE void ace_memory_interface_tick(ace_memory_interface *m,
                                          const ace_memory_interface_in *in) {
    ace_memory_interface_out o;
    ace_memory_interface_eval(m, &o);
    if ((in->drain && !o.busy) || m->lost) {
        ace_memory_interface_clear(m);
        ace_memory_interface_set_costs(m, in->cfg_read_cost, in->cfg_write_cost);
        return;
    }
    const bool s_w_valid = in->s_w_valid && !in->drain;
    const bool s_r = in->s_r_valid && o.s_r_ready, s_w = s_w_valid && o.s_w_ready;
    const bool m_r = (in->m_r_ready || in->drain) && o.m_r_valid;
    const bool m_b = (in->m_b_ready || in->drain) && o.m_b_valid;
    const bool w_leaves = ace_memory_interface_w_leaves(m, in->m_w_ready);
    const bool m_ar = in->m_ar_ready && o.m_ar_valid, m_aw = in->m_aw_ready && o.m_aw_valid;
    const bool s_b = in->s_b_valid && ace_memory_interface_b_asked(m);
    const uint32_t held = m->ar_waiting + m->b_waiting;
    bool moves = m_ar || m_aw || w_leaves || s_b || m_r || m_b || (s_r && m->asked != 0);
    const ace_memory_answers answers = { s_r, in->s_b_valid, in->s_r_last, in->s_r_resp,
                                         in->s_b_resp };
    ace_memory_interface_answers(m, &answers);
    ace_memory_interface_set_costs(m, in->cfg_read_cost, in->cfg_write_cost);
    ace_memory_interface_cycle(m, in->s_r_valid, s_r, s_w_valid, s_w);
    moves |= m->ar_waiting + m->b_waiting != held;
    if (in->s_ar_valid && o.s_ar_ready && !in->drain)
        ace_memory_interface_s_ar(m, in->s_ar_addr, in->s_ar_len, in->cfg_latency);
    ace_memory_interface_m_r(m, m_r);
    ace_memory_interface_s_r(m, s_r, in->s_r_data, in->s_r_last);
    if (m_ar) ace_memory_interface_m_ar(m);
    if (m_aw) ace_memory_interface_m_aw(m);
    if (in->s_aw_valid && o.s_aw_ready && !in->drain)
        ace_memory_interface_s_aw(m, in->s_aw_addr, in->s_aw_len, in->s_aw_pad);
    ace_memory_interface_m_w(m, w_leaves, in->cfg_latency);
    ace_memory_interface_s_w(m, s_w, in->s_w_data, in->s_w_code, in->s_w_strb, in->s_w_last);
    if (s_b) ace_memory_interface_s_b(m);
    if (m_b) ace_memory_interface_m_b(m);
    if (in->drain) ace_memory_interface_quiet(m, moves);
    m->draining = in->drain;
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_memory_interface_skip(ace_memory_interface *m, uint64_t cycles) {
    m->now += cycles;
    m->read.idle += cycles;
    m->write.idle += cycles;
}

#ifdef __cplusplus
}
#endif
#endif
