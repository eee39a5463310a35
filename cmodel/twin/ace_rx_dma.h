/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rx_dma.h -- scratchpad to memory, a job at a time, answers collected behind
 *
 * The C twin of rtl/ace_rx_dma.v: same pins, same cycle, same values.
 *
 *     ace_rx_dma *d;
 *     if (ace_rx_dma_create(payload, &d) != ACE_OK) ...
 *     for (;;) {
 *         ace_rx_dma_eval(d, &out);     outputs of this cycle, from state only
 *         ace_rx_dma_tick(d, &in);      rising edge
 *     }
 *     ace_rx_dma_destroy(d);
 *
 * Rules
 *   Job         As ace_dma_jobs.h has them.  Bytes at or beyond address s_job_limit are written
 *               with strobes 0; the timing does not change.  Four jobs wait, and 16 more
 *               may be on their way to their last answer.
 *   Latency     A job taken in cycle t has its first m_aw and its first m_read in t + 2 when
 *               nothing is before it.  m_aw may run ahead of m_w and m_w ahead of m_aw.
 *   Read        The row asked for on m_read is given when s_read_grant is 1 in the same
 *               cycle; s_read_data carries it three cycles later, and it shows on m_w in the
 *               one after that.  m_read_valid is 1 only with a place for the row.
 *   Done        s_b is always taken.  m_done is 1 for the cycle after the answer of the last
 *               burst of a job.  Jobs finish in order.
 *   Counters    Each cycle in exactly one: busy (a row granted), blocked (rows left to read,
 *               none granted), starved (jobs held, all rows read), idle.
 *   Parts       A tick is ace_rx_dma_cycle, one part for each stream that moves,
 *               ace_rx_dma_begin and the answer, in that order; a job is taken last.  A
 *               parent that knows which streams move calls the parts itself.
 *   Threads     One DMA, one thread.
 */
#ifndef ACE_RX_DMA_H
#define ACE_RX_DMA_H

#include "ace_cycle_classes.h"
#include "ace_dma_jobs.h"
#include "ace_row_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

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
    BIT(s_read_grant)                                           \
    ROW(s_read_data)                                            \
    BIT(m_aw_ready)                                             \
    BIT(m_w_ready)                                              \
    BIT(s_b_valid)

#define ACE_RX_DMA_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_job_ready)                                             \
    BIT(m_read_valid)                                            \
    FIELD(uint8_t, m_read_bank, 2, m_read_valid)                 \
    FIELD(uint16_t, m_read_row, 12, m_read_valid)                \
    BIT(m_aw_valid)                                              \
    FIELD(uint64_t, m_aw_addr, 48, m_aw_valid)                   \
    FIELD(uint8_t, m_aw_len, 8, m_aw_valid)                      \
    BIT(m_w_valid)                                               \
    ROW(m_w_data)                                                \
    STROBE(m_w_strb, m_w_valid)                                  \
    FIELD(bool, m_w_last, 1, m_w_valid)                          \
    BIT(s_b_ready)                                               \
    BIT(m_done_valid)                                            \
    FIELD(uint8_t, m_done_id, 6, m_done_valid)                   \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)  \
    BIT(idle)

typedef struct ace_rx_dma_in {
    ACE_PORTS(ACE_RX_DMA_INPUTS)
} ace_rx_dma_in;
typedef struct ace_rx_dma_out {
    ACE_PORTS(ACE_RX_DMA_OUTPUTS)
} ace_rx_dma_out;

enum { ACE_RX_DMA_DONE_JOBS = 16, ACE_RX_DMA_ROWS = 16, ACE_RX_DMA_ID_BITS = 6 };

typedef struct ace_rx_dma {
    ace_dma_jobs jobs;
    uint64_t row_bytes; /* bytes from this row to the limit, 0 beyond it */
    uint8_t row_burst_mask, row_beat;
    /* rows granted in the last cycle and the two before, which have the higher bits */
    uint8_t fly_valid, fly_last;
    uint64_t fly_bytes; /* 16 bits each */
    uint8_t places;     /* of w, for which none is on its way */
    ace_row_fifo w;
    /* jobs whose answers are awaited */
    uint32_t b_head, b_tail, b_jobs;
    uint16_t b_seen; /* answers of the oldest */
    uint16_t b_bursts[ACE_RX_DMA_DONE_JOBS];
    uint8_t b_id[ACE_RX_DMA_DONE_JOBS];
    bool done_valid, protocol_error;
    uint8_t done_id;
    ace_cycle_classes classes;
} ace_rx_dma;

/* A DMA in its reset state.  ACE_OK or ACE_ENOMEM. */
int ace_rx_dma_create(bool payload, ace_rx_dma **dma);
void ace_rx_dma_destroy(ace_rx_dma *d); /* NULL is allowed */
void ace_rx_dma_reset(ace_rx_dma *d);   /* a rising edge with rst high */
void ace_rx_dma_state(ace_rx_dma *d, unsigned bank_rows,
                      ace_state *s); /* bank_rows: of the scratchpad */

/* What goes with a job: its limit above its id. */
static inline uint64_t ace_rx_dma_side(uint64_t limit, uint8_t id) {
    return limit << ACE_RX_DMA_ID_BITS | id;
}
static inline uint64_t ace_rx_dma_limit(uint64_t side) { return side >> ACE_RX_DMA_ID_BITS; }
static inline uint8_t ace_rx_dma_id(uint64_t side) {
    return (uint8_t)(side & ((1u << ACE_RX_DMA_ID_BITS) - 1));
}

static inline bool ace_rx_dma_m_read_valid(const ace_rx_dma *d) {
    return d->jobs.row_active & (d->places != 0);
}

/* Without input, ticks only count idle cycles. */
static inline bool ace_rx_dma_idle(const ace_rx_dma *d) {
    return ace_dma_jobs_idle(&d->jobs) && d->b_jobs == 0 && !d->done_valid && !d->fly_valid &&
           d->w.count == 0;
}

ACE_INLINE void ace_rx_dma_eval(const ace_rx_dma *d, ace_rx_dma_out *o) {
    o->s_job_ready = ace_dma_jobs_s_job_ready(&d->jobs);
    o->m_read_valid = ace_rx_dma_m_read_valid(d);
    o->m_read_bank = d->jobs.row_bank;
    o->m_read_row = d->jobs.row;
    o->m_aw_valid = d->jobs.request_active;
    o->m_aw_addr = d->jobs.request_addr;
    o->m_aw_len = ace_dma_jobs_m_request_len(&d->jobs);
    o->m_w_valid = ace_row_fifo_m_valid(&d->w);
    o->m_w_data = ace_row_fifo_row(&d->w);
    o->m_w_strb = d->w.bytes[d->w.head];
    o->m_w_last = d->w.last[d->w.head];
    o->s_b_ready = true;
    o->m_done_valid = d->done_valid;
    o->m_done_id = d->done_id;
    ace_cycle_classes_lanes(&d->classes, o->count);
    o->idle = ace_rx_dma_idle(d);
}

/* ---- the parts of a tick ---- */

/* Every cycle and first: counters, pulses, the row granted three cycles ago, which is on
 * s_read_data now.  row: the row on m_read is granted. */
static inline void ace_rx_dma_cycle(ace_rx_dma *d, bool row, const uint32_t *s_read_data) {
    ace_cycle_classes_tick(&d->classes, row, d->jobs.row_active, (d->jobs.jobs | d->b_jobs) != 0);
    d->done_valid = false;
    ace_row_fifo_push_if(&d->w, d->fly_valid >> 2, s_read_data, d->fly_bytes >> 32 & 0xffff,
                         d->fly_last >> 2 & 1);
    d->fly_valid = (uint8_t)((d->fly_valid << 1 | row) & 7);
    d->places = (uint8_t)(d->places - row);
}
/* Told in every cycle whether the row moves: no branch could guess it. */
static inline void ace_rx_dma_m_w(ace_rx_dma *d, bool moves) {
    ace_row_fifo_pop_if(&d->w, moves);
    d->places = (uint8_t)(d->places + moves);
}
static inline void ace_rx_dma_m_aw(ace_rx_dma *d) { ace_dma_jobs_m_request(&d->jobs); }
static inline void ace_rx_dma_m_read(ace_rx_dma *d, bool moves) {
    const uint64_t bytes = d->row_bytes < ACE_ROW_BYTES ? d->row_bytes : ACE_ROW_BYTES;
    const bool last = ace_dma_jobs_m_row_last(&d->jobs) | (d->row_beat == d->row_burst_mask);
    d->fly_last = (uint8_t)((d->fly_last << 1 | last) & 7);
    d->fly_bytes = (d->fly_bytes << 16 | bytes) & 0xffffffffffff;
    ace_dma_jobs_m_row(&d->jobs, moves);
    d->row_beat = (uint8_t)((d->row_beat + moves) & d->row_burst_mask);
    d->row_bytes -= moves ? bytes : 0;
}
/* The next job, for the side that has none. */
static inline void ace_rx_dma_begin(ace_rx_dma *d) {
    const ace_dma_job *j = ace_dma_jobs_begin_request(&d->jobs, d->b_jobs < ACE_RX_DMA_DONE_JOBS);
    if (j) {
        d->b_bursts[d->b_tail] = (uint16_t)((j->rows + (1u << j->burst) - 1) >> j->burst);
        d->b_id[d->b_tail] = ace_rx_dma_id(j->side);
        d->b_tail = (d->b_tail + 1) % ACE_RX_DMA_DONE_JOBS;
        d->b_jobs++;
    }
    j = ace_dma_jobs_begin_row(&d->jobs);
    if (j) {
        const uint64_t limit = ace_rx_dma_limit(j->side);
        d->row_burst_mask = (uint8_t)((1u << j->burst) - 1);
        d->row_beat = 0;
        d->row_bytes = limit > j->address ? limit - j->address : 0;
    }
}
static inline void ace_rx_dma_s_b(ace_rx_dma *d) {
    if (++d->b_seen != d->b_bursts[d->b_head]) return;
    d->done_valid = true;
    d->done_id = d->b_id[d->b_head];
    d->b_seen = 0;
    d->b_head = (d->b_head + 1) % ACE_RX_DMA_DONE_JOBS;
    d->b_jobs--;
}
static inline void ace_rx_dma_s_job(ace_rx_dma *d, const ace_dma_job *job) {
    ace_dma_jobs_s_job(&d->jobs, job);
}

/* ---- the tick ---- */

ACE_INLINE void ace_rx_dma_tick(ace_rx_dma *d, const ace_rx_dma_in *in) {
    ace_rx_dma_out o;
    ace_rx_dma_eval(d, &o);
    const bool row = o.m_read_valid && in->s_read_grant;
    d->protocol_error |= in->s_b_valid && d->b_jobs == 0;
    ace_rx_dma_cycle(d, row, in->s_read_data);
    ace_rx_dma_m_w(d, o.m_w_valid && in->m_w_ready);
    if (o.m_aw_valid && in->m_aw_ready) ace_rx_dma_m_aw(d);
    ace_rx_dma_m_read(d, row);
    ace_rx_dma_begin(d);
    if (in->s_b_valid) ace_rx_dma_s_b(d);
    if (o.s_job_ready && in->s_job_valid) {
        const ace_dma_job job = {
            .address = in->s_job_address,
            .side = ace_rx_dma_side(in->s_job_limit, in->s_job_id),
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
