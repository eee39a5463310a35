/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded.h -- the parity-check matrix of the scratchpad's code, as rtl/ace_secded.vh has it
 *
 * A row is 64 words; bit i of each, with bit i of each of 8 check words, is a codeword of
 * Hsiao's (72,64) code.  The code is linear: what a decoder makes of a row with flipped bits
 * depends on the flips alone, so that flips can be followed without the row.
 */
#ifndef ACE_SECDED_H
#define ACE_SECDED_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { ACE_CHECK_WORDS = 8, ACE_STORED_WORDS = ACE_ROW_WORDS + ACE_CHECK_WORDS };
typedef uint32_t ace_stored_row[ACE_STORED_WORDS]; /* data words, then check words */

/* The check words that a word (0..71) enters, as bits; and those of all words. */
uint8_t ace_secded_column(unsigned word);
void ace_secded_columns(uint8_t of[ACE_STORED_WORDS]);

#ifdef __cplusplus
}
#endif

#endif
