/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_rx_dma.h"

#include <stdlib.h>

int ace_rx_dma_create(bool payload, ace_rx_dma **dma) {
    ace_rx_dma *d = calloc(1, sizeof *d);
    if (!d) return ACE_ENOMEM;
    if (ace_row_fifo_init(&d->w, ACE_RX_DMA_ROWS, payload) != ACE_OK) {
        ace_rx_dma_destroy(d);
        return ACE_ENOMEM;
    }
    ace_rx_dma_reset(d);
    *dma = d;
    return ACE_OK;
}

void ace_rx_dma_destroy(ace_rx_dma *d) {
    if (!d) return;
    ace_row_fifo_free(&d->w);
    free(d);
}

void ace_rx_dma_reset(ace_rx_dma *d) {
    ace_dma_jobs_reset(&d->jobs);
    d->done_valid = d->protocol_error = false;
    d->fly_valid = 0;
    d->places = ACE_RX_DMA_ROWS;
    ace_row_fifo_reset(&d->w);
    d->b_head = d->b_tail = d->b_jobs = 0;
    d->b_seen = 0;
    d->classes = (ace_cycle_classes){ 0 };
}

/* Rows are at a place of w or on their way to one. */
static void check(const ace_rx_dma *d, ace_state *s) {
    const unsigned mask = d->row_burst_mask;
    ACE_STATE_BOOLS(s, "ace_rx_dma.done_valid", &d->done_valid);
    ACE_STATE_BOOLS(s, "ace_rx_dma.protocol_error", &d->protocol_error);
    ace_state_must(s, !d->jobs.row_active || (mask < 16 && !(mask & (mask + 1))),
                   "ace_rx_dma.row_burst_mask");
    ace_state_must(s, !d->jobs.row_active || d->row_beat <= mask, "ace_rx_dma.row_beat");
    ace_state_must(s, d->fly_valid < 8, "ace_rx_dma.fly_valid");
    ace_state_must(
        s, d->w.count + (unsigned)__builtin_popcount(d->fly_valid) + d->places == ACE_RX_DMA_ROWS,
        "ace_rx_dma.places");
    ace_state_must(s, d->b_jobs <= ACE_RX_DMA_DONE_JOBS, "ace_rx_dma.b_jobs");
    ace_state_must(s, d->b_head < ACE_RX_DMA_DONE_JOBS, "ace_rx_dma.b_head");
    ace_state_must(s, d->b_tail == (d->b_head + d->b_jobs) % ACE_RX_DMA_DONE_JOBS,
                   "ace_rx_dma.b_tail");
    for (unsigned i = 0; ace_state_loaded(s) && i < d->b_jobs; i++) {
        const unsigned at = (d->b_head + i) % ACE_RX_DMA_DONE_JOBS;
        ace_state_must(s, d->b_bursts[at] >= 1 && d->b_bursts[at] <= 1024, "ace_rx_dma.b_bursts");
        ace_state_must(s, d->b_id[at] < ACE_DMA_IDS, "ace_rx_dma.b_id");
    }
    ace_state_must(s, d->b_jobs ? d->b_seen < d->b_bursts[d->b_head] : d->b_seen == 0,
                   "ace_rx_dma.b_seen");
    ace_state_must(s, !d->done_valid || d->done_id < ACE_DMA_IDS, "ace_rx_dma.done_id");
}

void ace_rx_dma_state(ace_rx_dma *d, unsigned bank_rows, ace_state *s) {
    ACE_STATE_BUT(s, *d, &d->w.rows);
    ace_row_fifo_rows_state(&d->w, ACE_RX_DMA_ROWS, s);
    ace_dma_jobs_check(&d->jobs, bank_rows, s);
    if (ace_state_loaded(s)) check(d, s);
}
