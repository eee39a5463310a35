/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rx_dma.c -- the twin of rtl/ace_rx_dma.v: creation, reset and the state check
 *
 * The two halves are ace_rx_half, and `odd` remembers which half each burst belongs to. The tick
 * is inline in the header.
 */
#include "ace_rx_dma.h"

#include <stdlib.h>

int ace_rx_dma_create(unsigned bursts, bool payload, ace_rx_dma **dma) {
    if (bursts < 1 || bursts > ACE_RX_DMA_BURSTS) return ACE_EINVAL;
    ace_rx_dma *d = calloc(1, sizeof *d);
    if (!d) return ACE_ENOMEM;
    d->bursts = bursts;
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++)
        if (ace_rx_half_init(&d->half[i], payload) != ACE_OK) {
            ace_rx_dma_destroy(d);
            return ACE_ENOMEM;
        }
    *dma = d;
    return ACE_OK;
}

void ace_rx_dma_destroy(ace_rx_dma *d) {
    if (!d) return;
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++) ace_rx_half_free(&d->half[i]);
    free(d);
}

void ace_rx_dma_reset(ace_rx_dma *d) {
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++) ace_rx_half_reset(&d->half[i]);
    d->first = d->protocol_error = false;
    d->aw_at = d->w_at = d->b_at = d->open = d->waiting = 0;
    d->classes = (ace_cycle_classes){ 0 };
}

/* Checks a loaded DMA.  The bursts without a write response, and the bursts with beats to come,
 * both end before aw_at, the slot of the next burst. */
static void check(const ace_rx_dma *d, unsigned bank_rows, ace_state *s) {
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++) ace_rx_half_check(&d->half[i], bank_rows, s);
    ACE_STATE_BOOLS(s, "ace_rx_dma.protocol_error", &d->protocol_error);
    ACE_STATE_BOOLS(s, "ace_rx_dma.first", &d->first);
    for (unsigned i = 0; ace_state_loaded(s) && i < ACE_RX_DMA_BURSTS; i++)
        ACE_STATE_BOOLS(s, "ace_rx_dma.odd", &d->odd[i]);
    ace_state_must(s, d->waiting <= d->bursts, "ace_rx_dma.waiting");
    ace_state_must(s, d->open <= d->waiting, "ace_rx_dma.open");
    ace_state_must(s, d->aw_at < d->bursts, "ace_rx_dma.aw_at");
    ace_state_must(s, d->w_at < d->bursts && (d->w_at + d->open) % d->bursts == d->aw_at,
                   "ace_rx_dma.w_at");
    ace_state_must(s, d->b_at < d->bursts && (d->b_at + d->waiting) % d->bursts == d->aw_at,
                   "ace_rx_dma.b_at");
}

void ace_rx_dma_state(ace_rx_dma *d, unsigned bank_rows, ace_state *s) {
    const uint32_t bursts = d->bursts;
    ACE_STATE_BUT(s, *d, &d->half[0].w.rows, &d->half[1].w.rows);
    ace_state_must(s, d->bursts == bursts, "ace_rx_dma.bursts");
    for (unsigned i = 0; i < ACE_RX_DMA_HALVES; i++)
        ace_row_fifo_rows_state(&d->half[i].w, ACE_RX_HALF_ROWS, s);
    if (ace_state_loaded(s)) check(d, bank_rows, s);
}
