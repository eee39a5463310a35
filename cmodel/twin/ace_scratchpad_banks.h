/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scratchpad_banks.h -- the C twin of rtl/ace_scratchpad_banks.v: banks of stored rows
 *
 * Rows are kept as they were written, without their check words.  What upsets have turned over,
 * check words included, lies beside them, so it can be followed without bits too; it is cleared
 * when the RTL writes the row, which is later than the twin does.  An upset is on its way for a few
 * cycles, as it takes those in which its bank is at rest.
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

typedef struct ace_row_place {
    uint8_t bank;
    uint16_t row;
} ace_row_place;

typedef struct ace_scratchpad_banks {
    unsigned bank_rows, sub_banks;
    ace_row *rows; /* bank-major, and some for each read port, see ace_scratchpad_banks_extra; NULL:
                      timing-only */
    ace_stored_row *flips;       /* bank-major; NULL: there has been no upset */
    uint8_t reads;               /* banks, in this cycle: a bit each; counted while watched */
    uint16_t read_at[ACE_BANKS]; /* and which row */
    ace_bank bank[ACE_BANKS];
    uint8_t fault_step; /* of the upset on its way, as in the RTL; 0: none */
    ace_fault fault;
} ace_scratchpad_banks;

/* ACE_OK or ACE_ENOMEM. */
int ace_scratchpad_banks_create(unsigned bank_rows, unsigned sub_banks, bool payload,
                                ace_scratchpad_banks *b);
void ace_scratchpad_banks_destroy(ace_scratchpad_banks *b);
/* What is stored; the struct itself is moved with its owner. */
void ace_scratchpad_banks_state(ace_scratchpad_banks *b, bool flips, ace_state *state);

static inline size_t ace_scratchpad_banks_rows(const ace_scratchpad_banks *b) {
    return (size_t)b->bank_rows * ACE_BANKS;
}
/* The row as it was written, or NULL in a timing-only run. */
static inline uint32_t *ace_scratchpad_banks_row(const ace_scratchpad_banks *b, unsigned bank,
                                                 unsigned row) {
    return b->rows ? b->rows[bank * b->bank_rows + row] : NULL;
}
/* Rows behind those of the banks: of each read port, those on their way to it. */
enum { ACE_SCRATCHPAD_EXTRA = ACE_READ_CYCLES + 1 };
static inline size_t ace_scratchpad_banks_extra(const ace_scratchpad_banks *b, unsigned port,
                                                unsigned at) {
    return ace_scratchpad_banks_rows(b) + port * ACE_SCRATCHPAD_EXTRA + at;
}
/* Does it matter which rows are read and written: are there upsets, is one on its way, or are rows
 * that wait in sub-banks? */
static inline bool ace_scratchpad_banks_watched(const ace_scratchpad_banks *b) {
    return b->flips != NULL || b->fault_step != 0 || b->sub_banks > 1;
}
bool ace_scratchpad_banks_m_pause(const ace_scratchpad_banks *b);
/* The edge of the banks, before that of the upset: rows that the RTL writes in this cycle. */
void ace_scratchpad_banks_tick(ace_scratchpad_banks *b, const ace_row_place written[],
                               unsigned count);
/* The upset on its way in a cycle in which the RTL writes these banks, a bit each; and the one that
 * comes in it, or NULL.  False: there is no memory to follow it. */
bool ace_scratchpad_banks_upset(ace_scratchpad_banks *b, unsigned writes, const ace_fault *fault);
/* A write, which ends what upsets did to the row. */
void ace_scratchpad_banks_written(ace_scratchpad_banks *b, ace_row_place at);

#ifdef __cplusplus
}
#endif

#endif
