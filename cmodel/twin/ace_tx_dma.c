/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_tx_dma.c -- the twin of rtl/ace_tx_dma.v: creation, reset and the state check
 *
 * The tick is inline in the header. Requests and rows of its jobs are ace_dma_jobs, and a fifo
 * holds the rows from memory.
 */
#include "ace_tx_dma.h"

#include <stdlib.h>

int ace_tx_dma_create(bool payload, ace_tx_dma **dma) {
    ace_tx_dma *d = calloc(1, sizeof *d);
    if (!d) return ACE_ENOMEM;
    if (ace_row_fifo_init(&d->r, ACE_TX_DMA_ROWS, payload) != ACE_OK) {
        ace_tx_dma_destroy(d);
        return ACE_ENOMEM;
    }
    ace_tx_dma_reset(d);
    *dma = d;
    return ACE_OK;
}

void ace_tx_dma_destroy(ace_tx_dma *d) {
    if (!d) return;
    ace_row_fifo_free(&d->r);
    free(d);
}

void ace_tx_dma_reset(ace_tx_dma *d) {
    ace_dma_jobs_reset(&d->jobs);
    d->done_valid = false;
    ace_row_fifo_reset(&d->r);
    d->classes = (ace_cycle_classes){ 0 };
}

void ace_tx_dma_state(ace_tx_dma *d, unsigned bank_rows, ace_state *s) {
    ACE_STATE_BUT(s, *d, &d->r.rows);
    ace_row_fifo_rows_state(&d->r, ACE_TX_DMA_ROWS, s);
    ace_dma_jobs_check(&d->jobs, bank_rows, s);
    for (unsigned i = 0; ace_state_loaded(s) && i < d->jobs.jobs; i++)
        ace_state_must(s, d->jobs.job[(d->jobs.row_at + i) % ACE_DMA_JOBS].side < ACE_DMA_IDS,
                       "ace_tx_dma.side");
    ACE_STATE_BOOLS(s, "ace_tx_dma.done_valid", &d->done_valid);
    ace_state_must(s, !d->jobs.row_active || d->row_id < ACE_DMA_IDS, "ace_tx_dma.row_id");
    ace_state_must(s, !d->done_valid || d->done_id < ACE_DMA_IDS, "ace_tx_dma.done_id");
}
