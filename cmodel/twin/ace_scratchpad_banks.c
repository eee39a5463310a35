/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_scratchpad_banks.h"

#include <stdlib.h>
#include <string.h>

int ace_scratchpad_banks_create(unsigned bank_rows, bool payload, ace_scratchpad_banks *b) {
    *b = (ace_scratchpad_banks){ .bank_rows = bank_rows };
    if (payload)
        b->rows = calloc(ace_scratchpad_banks_rows(b) + ACE_SCRATCHPAD_READS, sizeof *b->rows);
    return payload && !b->rows ? ACE_ENOMEM : ACE_OK;
}

void ace_scratchpad_banks_destroy(ace_scratchpad_banks *b) {
    free(b->rows);
    free(b->flips);
    b->rows = NULL;
    b->flips = NULL;
}

void ace_scratchpad_banks_state(ace_scratchpad_banks *b, bool flips, ace_state *state) {
    const size_t rows = ace_scratchpad_banks_rows(b);
    if (b->rows) ace_state_bytes(state, b->rows, (rows + ACE_SCRATCHPAD_READS) * sizeof *b->rows);
    if (state->loading && !state->failed && flips != (b->flips != NULL)) {
        free(b->flips);
        b->flips = flips ? calloc(rows, sizeof *b->flips) : NULL;
        state->failed = flips && !b->flips;
    }
    if (flips && !state->failed) ace_state_bytes(state, b->flips, rows * sizeof *b->flips);
}

/* The RTL has room for a power of two of rows in each bank but the last, of which not all are
 * used. */
bool ace_scratchpad_banks_upset(ace_scratchpad_banks *b, const ace_fault *f) {
    unsigned places = 1;
    while (places < b->bank_rows) places *= 2;
    const unsigned row = f->row % places;
    if (row >= b->bank_rows || f->word >= ACE_STORED_WORDS) return true;
    if (!b->flips) b->flips = calloc(ace_scratchpad_banks_rows(b), sizeof *b->flips);
    if (b->flips) b->flips[f->bank * b->bank_rows + row][f->word] ^= f->mask;
    return b->flips != NULL;
}

void ace_scratchpad_banks_written(ace_scratchpad_banks *b, ace_row_place at) {
    if (b->flips) memset(b->flips[at.bank * b->bank_rows + at.row], 0, sizeof *b->flips);
}
