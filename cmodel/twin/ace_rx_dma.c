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

void ace_rx_dma_state(ace_rx_dma *d, ace_state *s) {
    ACE_STATE_BUT(s, *d, &d->w.rows);
    ace_row_fifo_rows_state(&d->w, s);
}
