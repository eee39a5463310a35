/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rx_dma.h -- scratchpad to memory, two jobs at a time, without waiting for write responses
 *
 * The C twin of rtl/ace_rx_dma.v: same pins, same cycle, same values.
 *
 *     ace_rx_dma *d;
 *     if (ace_rx_dma_create(bursts, payload, &d) != ACE_OK) ...
 *     for (;;) {
 *         ace_rx_dma_eval(d, &out);     outputs of this cycle, from state only
 *         ace_rx_dma_tick(d, &in);      rising edge
 *     }
 *     ace_rx_dma_destroy(d);
 *
 * Rules
 *   Halves      One half (ace_rx_half.h) stores the chunks of even banks, the other half those of
 *               odd banks.  s_job_ready is 1 when both halves have a free slot.
 *   Read        Each half requests a row.  m_read_first is the half whose job began first; it goes
 *               first if both could be granted.  At most one bit of s_read_grant is 1, and grants
 *               that half's row in the same cycle.  s_read_data carries the row three cycles
 *               later.  m_read_valid is 1 only with a free slot for the row.
 *   Bursts      A burst is requested on m_aw once all its rows were granted.  If both halves have
 *               one, the half that goes first requests first; m_aw may change until it is taken.
 *               The beats of bursts follow on m_w, in the order of m_aw.  At most `bursts` bursts
 *               wait for a write response.
 *   Latency     A job taken in cycle t has its first m_read in t + 2 when nothing is before it.
 *   Done        s_b is always taken.  m_done is 1 for the cycle after the write response of
 *               a job's last burst.  Jobs of a half finish in order.
 *   Counters    Each cycle in exactly one: busy (a row granted), blocked (rows left to read,
 *               none granted), starved (jobs held, all rows read), idle.
 *   Parts       A tick is ace_rx_dma_cycle, one part for each stream that moves,
 *               ace_rx_dma_begin and the write response, in that order; a job is taken last.  A
 *               parent that knows which streams move calls the parts itself.
 *   Threads     One DMA, one thread.
 */
#ifndef ACE_RX_DMA_H
#define ACE_RX_DMA_H

#include "ace_cycle_classes.h"
#include "ace_rx_half.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_RX_DMA_HALVES = 2, ACE_RX_DMA_BURSTS = 256 /* at most wait for a write response */ };

#define ACE_RX_DMA_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_job_valid)                                            \
    FIELD(uint64_t, s_job_address, 48, s_job_valid)             \
    FIELD(uint64_t, s_job_limit, 48, s_job_valid)               \
    FIELD(uint16_t, s_job_rows, 11, s_job_valid)                \
    FIELD(uint8_t, s_job_burst, 3, s_job_valid)                 \
    FIELD(uint8_t, s_job_bank, 2, s_job_valid)                  \
    FIELD(uint16_t, s_job_row, 12, s_job_valid)                 \
    FIELD(uint16_t, s_job_base, 12, s_job_valid)                \
    FIELD(uint16_t, s_job_end, 12, s_job_valid)                 \
    FIELD(uint8_t, s_job_id, 6, s_job_valid)                    \
    WORD(uint8_t, s_read_grant, ACE_RX_DMA_HALVES)              \
    ROW(s_read_data)                                            \
    FIELD(uint32_t, s_read_code, 32, s_read_data)               \
    BIT(m_aw_ready)                                             \
    BIT(m_w_ready)                                              \
    BIT(s_b_valid)

#define ACE_RX_DMA_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES)     \
    BIT(s_job_ready)                                                 \
    WORD(uint8_t, m_read_valid, ACE_RX_DMA_HALVES)                   \
    BIT(m_read_first)                                                \
    LANES(uint8_t, m_read_bank, 2, ACE_RX_DMA_HALVES, m_read_valid)  \
    LANES(uint16_t, m_read_row, 12, ACE_RX_DMA_HALVES, m_read_valid) \
    BIT(m_aw_valid)                                                  \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                       \
    FIELD(uint8_t, m_aw_len, 8, m_aw_valid)                          \
    BIT(m_w_valid)                                                   \
    ROW(m_w_data)                                                    \
    FIELD(uint32_t, m_w_code, 32, m_w_data)                          \
    STROBE(m_w_strb, m_w_valid)                                      \
    FIELD(bool, m_w_last, 1, m_w_valid)                              \
    BIT(s_b_ready)                                                   \
    BIT(m_done_valid)                                                \
    FIELD(uint8_t, m_done_id, 6, m_done_valid)                       \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)      \
    BIT(idle)

typedef struct ace_rx_dma_in {
    ACE_PORTS(ACE_RX_DMA_INPUTS)
} ace_rx_dma_in;
typedef struct ace_rx_dma_out {
    ACE_PORTS(ACE_RX_DMA_OUTPUTS)
} ace_rx_dma_out;

typedef struct ace_rx_dma {
    ace_rx_half half[ACE_RX_DMA_HALVES];
    uint32_t bursts;
    /* The half of each burst that waits for a write response, in the order of m_aw.  b_at is the
     * burst whose write response is next, w_at the burst whose beats are next. */
    bool odd[ACE_RX_DMA_BURSTS];
    uint32_t aw_at, w_at, b_at;
    uint32_t open, waiting; /* bursts whose beats have not all left; without a write response */
    bool first, protocol_error;
    ace_cycle_classes classes;
} ace_rx_dma;

/* A DMA in its reset state.  ACE_OK, ACE_EINVAL (bursts: 1..ACE_RX_DMA_BURSTS) or ACE_ENOMEM. */
int ace_rx_dma_create(unsigned bursts, bool payload, ace_rx_dma **dma);
void ace_rx_dma_destroy(ace_rx_dma *d); /* NULL is allowed */
void ace_rx_dma_reset(ace_rx_dma *d);   /* a rising edge with rst high */
void ace_rx_dma_state(ace_rx_dma *d, unsigned bank_rows,
                      ace_state *s); /* bank_rows: of the scratchpad */

static inline bool ace_rx_dma_s_job_ready(const ace_rx_dma *d) {
    return ace_dma_jobs_s_job_ready(&d->half[0].jobs) && ace_dma_jobs_s_job_ready(&d->half[1].jobs);
}
/* Halves that request a row, a bit each. */
static inline unsigned ace_rx_dma_m_read_valid(const ace_rx_dma *d) {
    return ace_rx_half_m_read_valid(&d->half[0]) | (unsigned)ace_rx_half_m_read_valid(&d->half[1])
                                                       << 1;
}
/* The half whose burst is on m_aw, if there is one. */
static inline unsigned ace_rx_dma_aw_half(const ace_rx_dma *d) {
    return ace_rx_half_m_aw_valid(&d->half[d->first]) ? d->first : !d->first;
}
static inline bool ace_rx_dma_m_aw_valid(const ace_rx_dma *d) {
    return (ace_rx_half_m_aw_valid(&d->half[0]) || ace_rx_half_m_aw_valid(&d->half[1])) &&
           d->waiting < d->bursts;
}
/* The half whose beats are on m_w, if there are any. */
static inline unsigned ace_rx_dma_w_half(const ace_rx_dma *d) { return d->odd[d->w_at]; }
static inline bool ace_rx_dma_m_w_valid(const ace_rx_dma *d) {
    return ace_row_fifo_m_valid(&d->half[ace_rx_dma_w_half(d)].w) & (d->open != 0);
}
/* Jobs held whose rows have not begun. */
static inline uint32_t ace_rx_dma_jobs(const ace_rx_dma *d) {
    return d->half[0].jobs.jobs + d->half[1].jobs.jobs;
}

/* At most one half is done in a cycle. */
static inline bool ace_rx_dma_m_done_valid(const ace_rx_dma *d) {
    return d->half[0].done_valid | d->half[1].done_valid;
}
static inline uint8_t ace_rx_dma_m_done_id(const ace_rx_dma *d) {
    return d->half[d->half[1].done_valid].done_id;
}

/* Is the row on s_read_data for one of the halves? */
static inline bool ace_rx_dma_comes(const ace_rx_dma *d) {
    return ace_rx_half_comes(&d->half[0]) || ace_rx_half_comes(&d->half[1]);
}

/* Without input, ticks only count idle cycles. */
static inline bool ace_rx_dma_idle(const ace_rx_dma *d) {
    return ace_rx_half_idle(&d->half[0]) && ace_rx_half_idle(&d->half[1]);
}

ACE_INLINE void ace_rx_dma_eval(const ace_rx_dma *d, ace_rx_dma_out *o) {
    const ace_rx_half *const w = &d->half[ace_rx_dma_w_half(d)];
    const ace_dma_jobs *const requests = &d->half[ace_rx_dma_aw_half(d)].jobs;
    o->s_job_ready = ace_rx_dma_s_job_ready(d);
    o->m_read_valid = (uint8_t)ace_rx_dma_m_read_valid(d);
    o->m_read_first = d->first;
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++) {
        o->m_read_bank[i] = d->half[i].jobs.row_bank;
        o->m_read_row[i] = d->half[i].jobs.row;
    }
    o->m_aw_valid = ace_rx_dma_m_aw_valid(d);
    o->m_aw_addr = requests->request_addr;
    o->m_aw_len = ace_dma_jobs_m_request_len(requests);
    o->m_w_valid = ace_rx_dma_m_w_valid(d);
    o->m_w_data = o->m_w_valid ? ace_row_fifo_row(&w->w) : NULL;
    o->m_w_code = ace_row_fifo_code(&w->w);
    o->m_w_strb = w->w.bytes[w->w.head];
    o->m_w_last = w->w.last[w->w.head];
    o->s_b_ready = true;
    o->m_done_valid = ace_rx_dma_m_done_valid(d);
    o->m_done_id = ace_rx_dma_m_done_id(d);
    ace_cycle_classes_lanes(&d->classes, o->count);
    o->idle = ace_rx_dma_idle(d);
}

/* ---- the parts of a tick ---- */

/* Every cycle and first: counters, pulses, the row granted three cycles ago, which is on
 * s_read_data now.  rows: halves whose row on m_read is granted. */
static inline void ace_rx_dma_cycle(ace_rx_dma *d, unsigned rows, const uint32_t *s_read_data,
                                    uint32_t s_read_code) {
    const ace_rx_half *const even = &d->half[0], *const odd = &d->half[1];
    ace_cycle_classes_tick(&d->classes, rows != 0, even->jobs.row_active | odd->jobs.row_active,
                           ace_rx_half_held(even) || ace_rx_half_held(odd));
    ace_rx_half_cycle(&d->half[0], rows & 1, s_read_data, s_read_code);
    ace_rx_half_cycle(&d->half[1], rows >> 1, s_read_data, s_read_code);
}
/* Called in every cycle, with `moves` instead of a branch, which could not be predicted. */
static inline void ace_rx_dma_m_w(ace_rx_dma *d, bool moves) {
    ace_rx_half *const h = &d->half[ace_rx_dma_w_half(d)];
    const bool ends = moves & h->w.last[h->w.head];
    ace_rx_half_m_w(h, moves);
    d->open -= ends;
    d->w_at = ends ? ace_ring_next(d->w_at, d->bursts) : d->w_at;
}
static inline void ace_rx_dma_m_aw(ace_rx_dma *d) {
    const unsigned half = ace_rx_dma_aw_half(d);
    d->odd[d->aw_at] = half;
    d->aw_at = ace_ring_next(d->aw_at, d->bursts);
    d->open++;
    d->waiting++;
    ace_rx_half_m_aw(&d->half[half]);
}
static inline void ace_rx_dma_m_read(ace_rx_dma *d, unsigned rows) {
    ace_rx_half_m_read(&d->half[0], rows & 1);
    ace_rx_half_m_read(&d->half[1], rows >> 1);
}
/* Begins the next jobs.  Afterwards the half whose job began earlier goes first. */
static inline void ace_rx_dma_begin(ace_rx_dma *d) {
    const bool even = ace_rx_half_begin(&d->half[0]), odd = ace_rx_half_begin(&d->half[1]);
    d->first = (even | odd) ? !odd : d->first;
}
static inline void ace_rx_dma_s_b(ace_rx_dma *d) {
    ace_rx_half_s_b(&d->half[d->odd[d->b_at]]);
    d->b_at = ace_ring_next(d->b_at, d->bursts);
    d->waiting--;
}
static inline void ace_rx_dma_s_job(ace_rx_dma *d, const ace_dma_job *job) {
    ace_dma_jobs_s_job(&d->half[job->bank % 2].jobs, job);
}

/* ---- the tick ---- */

ACE_INLINE void ace_rx_dma_tick(ace_rx_dma *d, const ace_rx_dma_in *in) {
    ace_rx_dma_out o;
    ace_rx_dma_eval(d, &o);
    const unsigned rows = o.m_read_valid & in->s_read_grant;
    const bool b = in->s_b_valid && d->waiting != 0;
    d->protocol_error |= in->s_b_valid && !b;
    ace_rx_dma_cycle(d, rows, in->s_read_data, in->s_read_code);
    ace_rx_dma_m_w(d, o.m_w_valid && in->m_w_ready);
    if (o.m_aw_valid && in->m_aw_ready) ace_rx_dma_m_aw(d);
    ace_rx_dma_m_read(d, rows);
    ace_rx_dma_begin(d);
    if (b) ace_rx_dma_s_b(d);
    if (o.s_job_ready && in->s_job_valid) {
        const ace_dma_job job = {
            .address = in->s_job_address,
            .side = ace_rx_half_side(in->s_job_limit, in->s_job_id),
            .rows = in->s_job_rows,
            .row = in->s_job_row,
            .base = in->s_job_base,
            .end = in->s_job_end,
            .burst = in->s_job_burst,
            .bank = in->s_job_bank,
        };
        ace_rx_dma_s_job(d, &job);
    }
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_rx_dma_skip(ace_rx_dma *d, uint64_t cycles) { d->classes.idle += cycles; }

#ifdef __cplusplus
}
#endif
#endif
