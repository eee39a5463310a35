/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad.h -- the C twin of rtl/ace_scratchpad.v: banks of rows
 *
 * A row that is being written is not read before the write is reported, so the twin
 * writes when a write is decided and hands out pointers instead of registered copies.
 */
#ifndef ACE_SCRATCHPAD_H
#define ACE_SCRATCHPAD_H

#include "ace_ports.h"

typedef struct ace_scratchpad {
    unsigned bank_rows;
    ace_row *rows; /* bank-major; NULL: timing-only */
} ace_scratchpad;

/* ACE_OK or ACE_ENOMEM. */
int ace_scratchpad_create(unsigned bank_rows, bool payload, ace_scratchpad *s);
void ace_scratchpad_destroy(ace_scratchpad *s);

/* The row, or NULL in a timing-only run. */
static inline uint32_t *ace_scratchpad_row(const ace_scratchpad *s, unsigned bank, unsigned row) {
    return s->rows ? s->rows[bank * s->bank_rows + row] : NULL;
}

#endif
