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
 *   Job         As for ace_tx_dma: rows (1..1024), bursts of 2^s_job_burst rows, ring of rows
 *               s_job_base..s_job_end.  Bytes at or beyond address s_job_limit are written
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
    WORD(uint64_t, count_busy, 48)                               \
    WORD(uint64_t, count_starved, 48)                            \
    WORD(uint64_t, count_blocked, 48)                            \
    WORD(uint64_t, count_idle, 48)                               \
    BIT(idle)

typedef struct ace_rx_dma_in {
    ACE_PORTS(ACE_RX_DMA_INPUTS)
} ace_rx_dma_in;
typedef struct ace_rx_dma_out {
    ACE_PORTS(ACE_RX_DMA_OUTPUTS)
} ace_rx_dma_out;

enum { ACE_RX_DMA_JOBS = 4, ACE_RX_DMA_DONE_JOBS = 16, ACE_RX_DMA_ROWS = 16 };

typedef struct ace_rx_dma_job {
    uint64_t address, limit;
    uint16_t rows, row, base, end;
    uint8_t burst, bank, id;
} ace_rx_dma_job;

typedef struct ace_rx_dma {
    ace_rx_dma_job job[ACE_RX_DMA_JOBS];
    uint32_t jobs, tail, aw_at, row_at; /* jobs held; written, request and row pointers */
    uint32_t aw_jobs;                   /* jobs held that the requests have not begun */
    /* request side */
    bool aw_active;
    uint64_t aw_addr;
    uint16_t aw_left, aw_burst_rows;
    /* row side */
    bool row_active;
    uint64_t row_bytes; /* bytes from this row to the limit, 0 beyond it */
    uint16_t row, row_base, row_end, row_left;
    uint8_t row_bank, row_burst_mask, row_beat;
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
void ace_rx_dma_state(ace_rx_dma *d, ace_state *s);

static inline bool ace_rx_dma_m_read_valid(const ace_rx_dma *d) {
    return d->row_active & (d->places != 0);
}

static inline uint8_t ace_rx_dma_m_aw_len(const ace_rx_dma *d) {
    return (uint8_t)((d->aw_left < d->aw_burst_rows ? d->aw_left : d->aw_burst_rows) - 1);
}

/* Without input, ticks only count idle cycles. */
static inline bool ace_rx_dma_idle(const ace_rx_dma *d) {
    return d->jobs == 0 && d->b_jobs == 0 && !d->row_active && !d->aw_active && !d->done_valid &&
           !d->fly_valid && d->w.count == 0;
}

ACE_INLINE void ace_rx_dma_eval(const ace_rx_dma *d, ace_rx_dma_out *o) {
    o->s_job_ready = d->jobs < ACE_RX_DMA_JOBS;
    o->m_read_valid = ace_rx_dma_m_read_valid(d);
    o->m_read_bank = d->row_bank;
    o->m_read_row = d->row;
    o->m_aw_valid = d->aw_active;
    o->m_aw_addr = d->aw_addr;
    o->m_aw_len = ace_rx_dma_m_aw_len(d);
    o->m_w_valid = ace_row_fifo_m_valid(&d->w);
    o->m_w_data = ace_row_fifo_row(&d->w);
    o->m_w_strb = d->w.bytes[d->w.head];
    o->m_w_last = d->w.last[d->w.head];
    o->s_b_ready = true;
    o->m_done_valid = d->done_valid;
    o->m_done_id = d->done_id;
    o->count_busy = d->classes.busy;
    o->count_starved = d->classes.starved;
    o->count_blocked = d->classes.blocked;
    o->count_idle = d->classes.idle;
    o->idle = ace_rx_dma_idle(d);
}

/* ---- the parts of a tick ---- */

/* Every cycle and first: counters, pulses, the row granted three cycles ago, which is on
 * s_read_data now.  row: the row on m_read is granted. */
static inline void ace_rx_dma_cycle(ace_rx_dma *d, bool row, const uint32_t *s_read_data) {
    ace_cycle_classes_tick(&d->classes, row, d->row_active, (d->jobs | d->b_jobs) != 0);
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
static inline void ace_rx_dma_m_aw(ace_rx_dma *d) {
    d->aw_active = d->aw_left > d->aw_burst_rows;
    d->aw_addr += (uint64_t)d->aw_burst_rows * ACE_ROW_BYTES;
    d->aw_left = (uint16_t)(d->aw_left - d->aw_burst_rows);
}
static inline void ace_rx_dma_m_read(ace_rx_dma *d, bool moves) {
    const uint16_t next = d->row == d->row_end ? d->row_base : (uint16_t)(d->row + 1);
    const uint64_t bytes = d->row_bytes < ACE_ROW_BYTES ? d->row_bytes : ACE_ROW_BYTES;
    const bool last = (d->row_left == 1) | (d->row_beat == d->row_burst_mask);
    d->fly_last = (uint8_t)((d->fly_last << 1 | last) & 7);
    d->fly_bytes = (d->fly_bytes << 16 | bytes) & 0xffffffffffff;
    d->row = moves ? next : d->row;
    d->row_left = (uint16_t)(d->row_left - moves);
    d->row_active &= !(moves & (d->row_left == 0));
    d->row_beat = (uint8_t)((d->row_beat + moves) & d->row_burst_mask);
    d->row_bytes -= moves ? bytes : 0;
}
/* The next job, for the side that has none; the rows of a job after its requests. */
static inline void ace_rx_dma_begin(ace_rx_dma *d) {
    if (!d->aw_active && d->aw_jobs != 0 && d->b_jobs < ACE_RX_DMA_DONE_JOBS) {
        const ace_rx_dma_job *j = &d->job[d->aw_at];
        d->aw_active = true;
        d->aw_addr = j->address;
        d->aw_left = j->rows;
        d->aw_burst_rows = (uint16_t)(1u << j->burst);
        d->aw_at = (d->aw_at + 1) % ACE_RX_DMA_JOBS;
        d->aw_jobs--;
        d->b_bursts[d->b_tail] = (uint16_t)((j->rows + (1u << j->burst) - 1) >> j->burst);
        d->b_id[d->b_tail] = j->id;
        d->b_tail = (d->b_tail + 1) % ACE_RX_DMA_DONE_JOBS;
        d->b_jobs++;
    }
    if (!d->row_active && d->jobs != d->aw_jobs) {
        const ace_rx_dma_job *j = &d->job[d->row_at];
        d->row_active = true;
        d->row = j->row;
        d->row_base = j->base;
        d->row_end = j->end;
        d->row_left = j->rows;
        d->row_bank = j->bank;
        d->row_burst_mask = (uint8_t)((1u << j->burst) - 1);
        d->row_beat = 0;
        d->row_bytes = j->limit > j->address ? j->limit - j->address : 0;
        d->row_at = (d->row_at + 1) % ACE_RX_DMA_JOBS;
        d->jobs--;
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
static inline void ace_rx_dma_s_job(ace_rx_dma *d, const ace_rx_dma_job *job) {
    d->job[d->tail] = *job;
    d->tail = (d->tail + 1) % ACE_RX_DMA_JOBS;
    d->jobs++;
    d->aw_jobs++;
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
        const ace_rx_dma_job job = { in->s_job_address, in->s_job_limit, in->s_job_rows,
                                     in->s_job_row,     in->s_job_base,  in->s_job_end,
                                     in->s_job_burst,   in->s_job_bank,  in->s_job_id };
        ace_rx_dma_s_job(d, &job);
    }
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_rx_dma_skip(ace_rx_dma *d, uint64_t cycles) { d->classes.idle += cycles; }

#ifdef __cplusplus
}
#endif
#endif
