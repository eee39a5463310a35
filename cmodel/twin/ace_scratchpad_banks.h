/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad_banks.h -- the C twin of rtl/ace_scratchpad_banks.v: banks of stored rows
 *
 * Rows are stored as they were written, without their check words.  The bits that upsets have
 * flipped, check words included, are stored separately.  They can thus be tracked in a timing-only
 * run too.  The flipped bits of a row are cleared when the RTL writes the row, which is later than
 * the twin does.  An upset takes a few cycles, because it needs cycles in which its bank is idle.
 */
#ifndef ACE_SCRATCHPAD_BANKS_H
#define ACE_SCRATCHPAD_BANKS_H

#include "ace_bank.h"
#include "ace_ports.h"
#include "ace_secded.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_SCRATCHPAD_READS = 4, ACE_SCRATCHPAD_WRITES = 3 }; /* ports */
enum { ACE_READ_CYCLES = 3 }; /* from a read to its row at the port */

typedef struct ace_row_index {
    uint8_t bank;
    uint16_t row;
} ace_row_index;

typedef struct ace_scratchpad_banks {
    unsigned bank_rows, sub_banks;
    ace_row *rows;         /* bank-major, then extra rows, see ace_scratchpad_banks_extra(); NULL:
                      timing-only */
    ace_stored_row *flips; /* bank-major; NULL: there has been no upset */
    uint8_t reads;         /* banks read in this cycle, a bit each; used while watched */
    uint16_t read_at[ACE_BANKS]; /* the row read in each of these banks */
    ace_bank bank[ACE_BANKS];
    uint8_t fault_step; /* step of the upset in progress, as in the RTL; 0: none */
    ace_fault fault;
} ace_scratchpad_banks;

/* ACE_OK or ACE_ENOMEM. */
int ace_scratchpad_banks_create(unsigned bank_rows, unsigned sub_banks, bool payload,
                                ace_scratchpad_banks *b);
void ace_scratchpad_banks_destroy(ace_scratchpad_banks *b);
/* The state behind the pointers; the owner moves the struct itself. */
void ace_scratchpad_banks_state(ace_scratchpad_banks *b, bool flips, ace_state *state);

static inline size_t ace_scratchpad_banks_rows(const ace_scratchpad_banks *b) {
    return (size_t)b->bank_rows * ACE_BANKS;
}
/* The row as it was written, or NULL in a timing-only run. */
static inline uint32_t *ace_scratchpad_banks_row(const ace_scratchpad_banks *b, unsigned bank,
                                                 unsigned row) {
    return b->rows ? b->rows[bank * b->bank_rows + row] : NULL;
}
/* Extra rows after the rows of the banks: for each read port, the rows in flight to the port. */
enum { ACE_SCRATCHPAD_EXTRA = ACE_READ_CYCLES + 1 };
static inline size_t ace_scratchpad_banks_extra(const ace_scratchpad_banks *b, unsigned port,
                                                unsigned at) {
    return ace_scratchpad_banks_rows(b) + port * ACE_SCRATCHPAD_EXTRA + at;
}
/* Must reads and writes be tracked?  They must if upsets have happened or are in progress, or if
 * rows may wait in sub-banks. */
static inline bool ace_scratchpad_banks_watched(const ace_scratchpad_banks *b) {
    return b->flips != NULL || b->fault_step != 0 || b->sub_banks > 1;
}
bool ace_scratchpad_banks_m_pause(const ace_scratchpad_banks *b);
/* The edge of the banks, before the edge of the upset.  written: rows that the RTL writes in this
 * cycle. */
void ace_scratchpad_banks_tick(ace_scratchpad_banks *b, const ace_row_index written[],
                               unsigned count);
/* The edge of the upset in progress.  writes: banks that the RTL writes in this cycle, a bit each.
 * fault: a new upset, or NULL.  False: out of memory. */
bool ace_scratchpad_banks_upset(ace_scratchpad_banks *b, unsigned writes, const ace_fault *fault);
/* A row was written, which clears its flipped bits. */
void ace_scratchpad_banks_written(ace_scratchpad_banks *b, ace_row_index at);

#ifdef __cplusplus
}
#endif

#endif
