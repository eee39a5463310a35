/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_bank.h -- the C twin of rtl/ace_bank.v: which rows of a bank wait to be written
 *
 * The rows themselves are the owner's: what is read is what was written last, wherever it lies.
 * With one sub-bank none waits, and there is nothing to do.
 */
#ifndef ACE_BANK_H
#define ACE_BANK_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_BANK_WAITS = 6, ACE_BANK_PAUSE = 4, ACE_BANK_NONE = -1 };

typedef struct ace_bank {
    uint8_t waits; /* used entries of `at`, one bit each */
    uint16_t at[ACE_BANK_WAITS];
} ace_bank;

/* Does nobody begin a read? */
static inline bool ace_bank_m_pause(const ace_bank *b) {
    return __builtin_popcount(b->waits) >= ACE_BANK_PAUSE;
}
/* The rising edge of a bank of 2, 4 or 8 sub-banks: rows read and written in the cycle,
 * ACE_BANK_NONE for none. */
void ace_bank_tick(ace_bank *b, unsigned sub_banks, int read, int write);

#ifdef __cplusplus
}
#endif

#endif
