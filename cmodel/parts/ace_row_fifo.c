/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_row_fifo.c -- the memory and the state check of rtl/ace_row_fifo.v's twin
 *
 * Pushing and popping are inline in the header. Slots are a power of two, so positions wrap by a
 * mask, and `count` distinguishes a full ring from an empty one.
 */
#include "ace_row_fifo.h"

#include <stdlib.h>

int ace_row_fifo_init(ace_row_fifo *f, unsigned depth, bool payload) {
    memset(f, 0, sizeof *f);
    if (depth < ACE_ROW_FIFO_DEPTH_MIN || depth > ACE_ROW_FIFO_DEPTH_MAX) return ACE_EINVAL;
    f->depth = depth;
    f->mask = ace_ring_slots(depth) - 1;
    if (payload) {
        f->rows = calloc(f->mask + 1, sizeof *f->rows);
        if (!f->rows) return ACE_ENOMEM;
    }
    return ACE_OK;
}

void ace_row_fifo_free(ace_row_fifo *f) {
    free(f->rows);
    f->rows = NULL;
}

static void check(const ace_row_fifo *f, unsigned depth, ace_state *s) {
    const uint32_t mask = ace_ring_slots(depth) - 1;
    ace_state_must(s, f->depth == depth && f->mask == mask, "ace_row_fifo.depth");
    ace_state_must(s, f->head <= mask, "ace_row_fifo.head");
    ace_state_must(s, f->tail <= mask, "ace_row_fifo.tail");
    ace_state_must(s, f->count <= depth && f->count == ((f->tail - f->head) & mask),
                   "ace_row_fifo.count");
    for (unsigned i = 0; i <= mask && ace_state_loaded(s); i++) {
        ace_state_must(s, f->bytes[i] <= ACE_ROW_BYTES, "ace_row_fifo.bytes");
        ACE_STATE_BOOLS(s, "ace_row_fifo.last", &f->last[i]);
    }
}

void ace_row_fifo_rows_state(ace_row_fifo *f, unsigned depth, ace_state *s) {
    if (ace_state_loaded(s)) check(f, depth, s);
    if (s->failed) return;
    if (f->rows) ace_state_bytes(s, f->rows, (f->mask + 1) * sizeof *f->rows);
}

int ace_row_fifo_pins_create(unsigned depth, bool payload, ace_row_fifo_pins **pins) {
    ace_row_fifo_pins *p = malloc(sizeof *p);
    if (!p) return ACE_ENOMEM;
    const int err = ace_row_fifo_init(p, depth, payload);
    if (err)
        free(p);
    else
        *pins = p;
    return err;
}

void ace_row_fifo_pins_destroy(ace_row_fifo_pins *p) {
    if (!p) return;
    ace_row_fifo_free(p);
    free(p);
}
