/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rx_half.h -- half of the RX DMA: scratchpad to memory, a job at a time
 *
 * The C twin of rtl/ace_rx_half.v.  It is a part of ace_rx_dma, which uses direct calls, one for
 * each stream that moves at an edge.
 *
 * Rules
 *   Job         See ace_dma_jobs.h.  Bytes at or beyond a job's limit are written with strobes 0;
 *               the timing does not change.  Four jobs wait, and 16 more may wait for their last
 *               write responses.
 *   Bursts      A burst is requested on m_aw once all its rows were granted, so that its beats
 *               never wait for a bank.  The memory must take a burst on m_aw before it takes the
 *               burst's beats from m_w.
 *   Done        done_valid is 1 in the cycle after the write response of a job's last burst.  Jobs
 *               finish in order.
 *   Parts       A tick is ace_rx_half_cycle, one part for each stream that moves,
 *               ace_rx_half_begin and the write response, in that order; a job is taken last.
 */
#ifndef ACE_RX_HALF_H
#define ACE_RX_HALF_H

#include "ace_dma_jobs.h"
#include "ace_row_fifo.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_RX_HALF_DONE_JOBS = 16, ACE_RX_HALF_ROWS = 32, ACE_RX_HALF_ID_BITS = 6 };

typedef struct ace_rx_half {
    ace_dma_jobs jobs;
    uint64_t row_bytes; /* bytes from this row to the limit, 0 beyond it */
    uint8_t row_burst_mask, row_beat;
    /* rows granted in the last cycle and the two before, which have the higher bits */
    uint8_t fly_valid, fly_last;
    uint64_t fly_bytes; /* 16 bits each */
    uint8_t places;     /* free slots of w that no row in flight will fill */
    uint8_t whole;      /* bursts whose rows were all granted, not yet requested */
    ace_row_fifo w;
    /* jobs whose write responses are awaited */
    uint32_t b_head, b_tail, b_jobs;
    uint16_t b_seen; /* write responses of the oldest */
    uint16_t b_bursts[ACE_RX_HALF_DONE_JOBS];
    uint8_t b_id[ACE_RX_HALF_DONE_JOBS];
    bool done_valid;
    uint8_t done_id;
} ace_rx_half;

/* In its reset state.  ACE_OK or ACE_ENOMEM, with which there is nothing to free. */
int ace_rx_half_init(ace_rx_half *h, bool payload);
void ace_rx_half_free(ace_rx_half *h);
void ace_rx_half_reset(ace_rx_half *h); /* a rising edge with rst high */
/* Checks the invariants of a loaded half.  bank_rows: rows of a bank of the scratchpad. */
void ace_rx_half_check(const ace_rx_half *h, unsigned bank_rows, ace_state *s);

/* The `side` field of a job: its limit above its id. */
static inline uint64_t ace_rx_half_side(uint64_t limit, uint8_t id) {
    return limit << ACE_RX_HALF_ID_BITS | id;
}
static inline uint64_t ace_rx_half_limit(uint64_t side) { return side >> ACE_RX_HALF_ID_BITS; }
static inline uint8_t ace_rx_half_id(uint64_t side) {
    return (uint8_t)(side & ((1u << ACE_RX_HALF_ID_BITS) - 1));
}

static inline bool ace_rx_half_m_read_valid(const ace_rx_half *h) {
    return h->jobs.row_active & (h->places != 0);
}
static inline bool ace_rx_half_m_aw_valid(const ace_rx_half *h) {
    return h->jobs.request_active & (h->whole != 0);
}
/* Does the half have jobs, or jobs that wait for write responses? */
static inline bool ace_rx_half_held(const ace_rx_half *h) {
    return (h->jobs.jobs | h->b_jobs) != 0;
}
/* Without input, nothing ever changes. */
static inline bool ace_rx_half_idle(const ace_rx_half *h) {
    return ace_dma_jobs_idle(&h->jobs) && h->b_jobs == 0 && !h->done_valid && !h->fly_valid &&
           h->w.count == 0;
}

/* ---- the parts of a tick ---- */

/* Is the row on s_read_data for this half? */
static inline bool ace_rx_half_comes(const ace_rx_half *h) { return h->fly_valid >> 2; }
/* Every cycle and first: pulses, the row granted three cycles ago, which is on s_read_data now.
 * row: the row on m_read is granted. */
static inline void ace_rx_half_cycle(ace_rx_half *h, bool row, const uint32_t *s_read_data,
                                     uint32_t s_read_code) {
    h->done_valid = false;
    if (!(h->fly_valid | row)) return;
    ace_row_fifo_push_if(&h->w, ace_rx_half_comes(h), s_read_data, s_read_code,
                         h->fly_bytes >> 32 & 0xffff, h->fly_last >> 2 & 1);
    h->fly_valid = (uint8_t)((h->fly_valid << 1 | row) & 7);
    h->places = (uint8_t)(h->places - row);
}
/* Called in every cycle, with `moves` instead of a branch, which could not be predicted. */
static inline void ace_rx_half_m_w(ace_rx_half *h, bool moves) {
    ace_row_fifo_pop_if(&h->w, moves);
    h->places = (uint8_t)(h->places + moves);
}
static inline void ace_rx_half_m_aw(ace_rx_half *h) {
    ace_dma_jobs_m_request(&h->jobs);
    h->whole--;
}
static inline void ace_rx_half_m_read(ace_rx_half *h, bool moves) {
    if (!h->fly_valid) return; /* this row is one that flies */
    const uint64_t bytes = h->row_bytes < ACE_ROW_BYTES ? h->row_bytes : ACE_ROW_BYTES;
    const bool last = ace_dma_jobs_m_row_last(&h->jobs) | (h->row_beat == h->row_burst_mask);
    h->fly_last = (uint8_t)((h->fly_last << 1 | last) & 7);
    h->fly_bytes = (h->fly_bytes << 16 | bytes) & 0xffffffffffff;
    ace_dma_jobs_m_row(&h->jobs, moves);
    h->whole = (uint8_t)(h->whole + (moves & last));
    h->row_beat = (uint8_t)((h->row_beat + moves) & h->row_burst_mask);
    h->row_bytes -= moves ? bytes : 0;
}
/* Begins the next job on each side (requests, rows) that has none.  Returns whether its rows begin.
 */
static inline bool ace_rx_half_begin(ace_rx_half *h) {
    const ace_dma_job *j = ace_dma_jobs_begin_request(&h->jobs, h->b_jobs < ACE_RX_HALF_DONE_JOBS);
    if (j) {
        h->b_bursts[h->b_tail] = (uint16_t)((j->rows + (1u << j->burst) - 1) >> j->burst);
        h->b_id[h->b_tail] = ace_rx_half_id(j->side);
        h->b_tail = (h->b_tail + 1) % ACE_RX_HALF_DONE_JOBS;
        h->b_jobs++;
    }
    j = ace_dma_jobs_begin_row(&h->jobs);
    if (!j) return false;
    const uint64_t limit = ace_rx_half_limit(j->side);
    h->row_burst_mask = (uint8_t)((1u << j->burst) - 1);
    h->row_beat = 0;
    h->row_bytes = limit > j->address ? limit - j->address : 0;
    return true;
}
static inline void ace_rx_half_s_b(ace_rx_half *h) {
    if (++h->b_seen != h->b_bursts[h->b_head]) return;
    h->done_valid = true;
    h->done_id = h->b_id[h->b_head];
    h->b_seen = 0;
    h->b_head = (h->b_head + 1) % ACE_RX_HALF_DONE_JOBS;
    h->b_jobs--;
}

#ifdef __cplusplus
}
#endif
#endif
