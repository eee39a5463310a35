/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_tx_dma.h -- memory to scratchpad, one job at a time; reads are requested ahead
 *
 * The C twin of rtl/ace_tx_dma.v: same pins, same cycle, same values.
 *
 *     ace_tx_dma *d;
 *     if (ace_tx_dma_create(payload, &d) != ACE_OK) ...
 *     for (;;) {
 *         ace_tx_dma_eval(d, &out);     outputs of this cycle, from state only
 *         ace_tx_dma_tick(d, &in);      rising edge
 *     }
 *     ace_tx_dma_destroy(d);
 *
 * Rules
 *   Job         As ace_dma_jobs.h has them.
 *   Latency     A job taken in cycle t has its first m_ar in t + 2 when nothing is before it,
 *               then one m_ar a cycle, of the next job too.  A row taken on s_r shows on
 *               m_write in the next cycle.
 *   Write       The row on m_write goes when s_write_grant is 1 in the same cycle; a grant
 *               without m_write_valid does nothing.
 *   Done        m_done is 1 for the cycle after the last row of a job was granted.
 *   Counters    Each cycle in exactly one: busy (a row granted), blocked (a row not granted),
 *               starved (jobs held, no row here), idle.
 *   Parts       A tick is ace_tx_dma_cycle, one part for each stream that moves, and
 *               ace_tx_dma_begin, in that order; a job is taken last.  A parent that knows
 *               which streams move calls the parts itself.
 *   Threads     One DMA, one thread.
 */
#ifndef ACE_TX_DMA_H
#define ACE_TX_DMA_H

#include "ace_cycle_classes.h"
#include "ace_dma_jobs.h"
#include "ace_row_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_TX_DMA_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_job_valid)                                            \
    FIELD(uint64_t, s_job_address, 48, s_job_valid)             \
    FIELD(uint16_t, s_job_rows, 11, s_job_valid)                \
    FIELD(uint8_t, s_job_burst, 3, s_job_valid)                 \
    FIELD(uint8_t, s_job_bank, 2, s_job_valid)                  \
    FIELD(uint16_t, s_job_row, 12, s_job_valid)                 \
    FIELD(uint16_t, s_job_base, 12, s_job_valid)                \
    FIELD(uint16_t, s_job_end, 12, s_job_valid)                 \
    FIELD(uint8_t, s_job_id, 6, s_job_valid)                    \
    BIT(m_ar_ready)                                             \
    BIT(s_r_valid)                                              \
    ROW(s_r_data)                                               \
    FIELD(uint32_t, s_r_code, 32, s_r_data)                     \
    FIELD(bool, s_r_last, 1, s_r_valid)                         \
    BIT(s_write_grant)

#define ACE_TX_DMA_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(s_job_ready)                                             \
    BIT(m_ar_valid)                                              \
    FIELD(uint64_t, m_ar_addr, 48, m_ar_valid)                   \
    FIELD(uint8_t, m_ar_len, 8, m_ar_valid)                      \
    BIT(s_r_ready)                                               \
    BIT(m_write_valid)                                           \
    FIELD(uint8_t, m_write_bank, 2, m_write_valid)               \
    FIELD(uint16_t, m_write_row, 12, m_write_valid)              \
    ROW(m_write_data)                                            \
    FIELD(uint32_t, m_write_code, 32, m_write_data)              \
    BIT(m_done_valid)                                            \
    FIELD(uint8_t, m_done_id, 6, m_done_valid)                   \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)  \
    BIT(idle)

typedef struct ace_tx_dma_in {
    ACE_PORTS(ACE_TX_DMA_INPUTS)
} ace_tx_dma_in;
typedef struct ace_tx_dma_out {
    ACE_PORTS(ACE_TX_DMA_OUTPUTS)
} ace_tx_dma_out;

enum { ACE_TX_DMA_ROWS = 16 };

typedef struct ace_tx_dma {
    ace_dma_jobs jobs;
    ace_row_fifo r;
    uint8_t row_id; /* of the job whose rows are written */
    bool done_valid;
    uint8_t done_id;
    ace_cycle_classes classes;
} ace_tx_dma;

/* A DMA in its reset state.  ACE_OK or ACE_ENOMEM. */
int ace_tx_dma_create(bool payload, ace_tx_dma **dma);
void ace_tx_dma_destroy(ace_tx_dma *d); /* NULL is allowed */
void ace_tx_dma_reset(ace_tx_dma *d);   /* a rising edge with rst high */
void ace_tx_dma_state(ace_tx_dma *d, unsigned bank_rows,
                      ace_state *s); /* bank_rows: of the scratchpad */

static inline bool ace_tx_dma_m_write_valid(const ace_tx_dma *d) {
    return ace_row_fifo_m_valid(&d->r) & d->jobs.row_active;
}

/* Without input, ticks only count idle cycles. */
static inline bool ace_tx_dma_idle(const ace_tx_dma *d) {
    return ace_dma_jobs_idle(&d->jobs) && !d->done_valid && d->r.count == 0;
}

ACE_INLINE void ace_tx_dma_eval(const ace_tx_dma *d, ace_tx_dma_out *o) {
    o->s_job_ready = ace_dma_jobs_s_job_ready(&d->jobs);
    o->m_ar_valid = d->jobs.request_active;
    o->m_ar_addr = d->jobs.request_addr;
    o->m_ar_len = ace_dma_jobs_m_request_len(&d->jobs);
    o->s_r_ready = ace_row_fifo_s_ready(&d->r);
    o->m_write_valid = ace_tx_dma_m_write_valid(d);
    o->m_write_bank = d->jobs.row_bank;
    o->m_write_row = d->jobs.row;
    o->m_write_data = d->jobs.row_active ? ace_row_fifo_row(&d->r) : NULL;
    o->m_write_code = ace_row_fifo_code(&d->r);
    o->m_done_valid = d->done_valid;
    o->m_done_id = d->done_id;
    ace_cycle_classes_lanes(&d->classes, o->count);
    o->idle = ace_tx_dma_idle(d);
}

/* ---- the parts of a tick ---- */

/* Every cycle and first: counters, pulses.  row: the row on m_write is granted. */
static inline void ace_tx_dma_cycle(ace_tx_dma *d, bool row) {
    ace_cycle_classes_tick(&d->classes, row, ace_tx_dma_m_write_valid(d),
                           d->jobs.row_active | (d->jobs.jobs != 0));
    d->done_valid = false;
}
static inline void ace_tx_dma_m_ar(ace_tx_dma *d) { ace_dma_jobs_m_request(&d->jobs); }
/* Is called in every cycle with whether the row moves: no branch could guess it. */
static inline void ace_tx_dma_m_write(ace_tx_dma *d, bool moves) {
    d->done_valid |= ace_dma_jobs_m_row(&d->jobs, moves);
    d->done_id = d->row_id;
    ace_row_fifo_pop_if(&d->r, moves);
}
static inline void ace_tx_dma_s_r(ace_tx_dma *d, bool moves, const uint32_t *row, uint32_t code,
                                  bool last) {
    ace_row_fifo_push_if(&d->r, moves, row, code, 0, last);
}
/* The next job, for the side that has none. */
static inline void ace_tx_dma_begin(ace_tx_dma *d) {
    ace_dma_jobs_begin_request(&d->jobs, true);
    const ace_dma_job *j = ace_dma_jobs_begin_row(&d->jobs);
    if (j) d->row_id = (uint8_t)j->side;
}
/* side: the job's id */
static inline void ace_tx_dma_s_job(ace_tx_dma *d, const ace_dma_job *job) {
    ace_dma_jobs_s_job(&d->jobs, job);
}

/* ---- the tick ---- */

ACE_INLINE void ace_tx_dma_tick(ace_tx_dma *d, const ace_tx_dma_in *in) {
    ace_tx_dma_out o;
    ace_tx_dma_eval(d, &o);
    const bool row = o.m_write_valid && in->s_write_grant;
    ace_tx_dma_cycle(d, row);
    if (o.m_ar_valid && in->m_ar_ready) ace_tx_dma_m_ar(d);
    ace_tx_dma_m_write(d, row);
    ace_tx_dma_s_r(d, o.s_r_ready && in->s_r_valid, in->s_r_data, in->s_r_code, in->s_r_last);
    ace_tx_dma_begin(d);
    if (o.s_job_ready && in->s_job_valid) {
        const ace_dma_job job = {
            .address = in->s_job_address,
            .side = in->s_job_id,
            .rows = in->s_job_rows,
            .row = in->s_job_row,
            .base = in->s_job_base,
            .end = in->s_job_end,
            .burst = in->s_job_burst,
            .bank = in->s_job_bank,
        };
        ace_tx_dma_s_job(d, &job);
    }
}

/* The same as `cycles` ticks without input; only while idle. */
static inline void ace_tx_dma_skip(ace_tx_dma *d, uint64_t cycles) { d->classes.idle += cycles; }

#ifdef __cplusplus
}
#endif
#endif
