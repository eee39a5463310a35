/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rx_half.c -- the twin of rtl/ace_rx_half.v: memory, reset and the state check
 *
 * Each row of the fifo has a slot from the moment its read is granted. So the rows in the fifo,
 * the rows that are being read and the free slots always add up to its size. The steps of an edge
 * are inline in the header, for ace_rx_dma.
 */
#include "ace_rx_half.h"

int ace_rx_half_init(ace_rx_half *h, bool payload) {
    memset(h, 0, sizeof *h);
    if (ace_row_fifo_init(&h->w, ACE_RX_HALF_ROWS, payload) != ACE_OK) return ACE_ENOMEM;
    ace_rx_half_reset(h);
    return ACE_OK;
}

void ace_rx_half_free(ace_rx_half *h) { ace_row_fifo_free(&h->w); }

void ace_rx_half_reset(ace_rx_half *h) {
    ace_dma_jobs_reset(&h->jobs);
    h->done_valid = false;
    h->fly_valid = 0;
    h->places = ACE_RX_HALF_ROWS;
    h->whole = 0;
    ace_row_fifo_reset(&h->w);
    h->b_head = h->b_tail = h->b_jobs = 0;
    h->b_seen = 0;
}

/* Rows are in a slot of w, or on their way to one. */
void ace_rx_half_check(const ace_rx_half *h, unsigned bank_rows, ace_state *s) {
    const unsigned mask = h->row_burst_mask;
    ace_dma_jobs_check(&h->jobs, bank_rows, s);
    ace_state_must(s, !h->jobs.row_active || (mask < 16 && !(mask & (mask + 1))),
                   "ace_rx_half.row_burst_mask");
    ace_state_must(s, !h->jobs.row_active || h->row_beat <= mask, "ace_rx_half.row_beat");
    ace_state_must(s, h->fly_valid < 8, "ace_rx_half.fly_valid");
    const unsigned rows = h->w.count + (unsigned)__builtin_popcount(h->fly_valid);
    ace_state_must(s, rows + h->places == ACE_RX_HALF_ROWS, "ace_rx_half.places");
    ace_state_must(s, h->whole <= rows, "ace_rx_half.whole");
    ace_state_must(s, h->b_jobs <= ACE_RX_HALF_DONE_JOBS, "ace_rx_half.b_jobs");
    ace_state_must(s, h->b_head < ACE_RX_HALF_DONE_JOBS, "ace_rx_half.b_head");
    ace_state_must(s, h->b_tail == (h->b_head + h->b_jobs) % ACE_RX_HALF_DONE_JOBS,
                   "ace_rx_half.b_tail");
    for (unsigned i = 0; ace_state_loaded(s) && i < h->b_jobs; i++) {
        const unsigned at = (h->b_head + i) % ACE_RX_HALF_DONE_JOBS;
        ace_state_must(s, h->b_bursts[at] >= 1 && h->b_bursts[at] <= 1024, "ace_rx_half.b_bursts");
        ace_state_must(s, h->b_id[at] < ACE_DMA_IDS, "ace_rx_half.b_id");
    }
    ace_state_must(s, h->b_jobs ? h->b_seen < h->b_bursts[h->b_head] : h->b_seen == 0,
                   "ace_rx_half.b_seen");
    ACE_STATE_BOOLS(s, "ace_rx_half.done_valid", &h->done_valid);
    ace_state_must(s, !h->done_valid || h->done_id < ACE_DMA_IDS, "ace_rx_half.done_id");
}
