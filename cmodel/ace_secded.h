/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded.h -- the code of a row in the scratchpad, as rtl/ace_secded_encode.v and
 * rtl/ace_secded_decode.v have it
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

typedef enum ace_secded { ACE_SECDED_RIGHT, ACE_SECDED_CORRECTED, ACE_SECDED_FAILED } ace_secded;

/* The check words that a word (0..71) enters, as bits. */
uint8_t ace_secded_column(unsigned word);
void ace_secded_encode(const uint32_t data[ACE_ROW_WORDS], uint32_t check[ACE_CHECK_WORDS]);
/* Puts every wrong bit right that can be told, also where others of the row cannot: FAILED. */
ace_secded ace_secded_decode(ace_stored_row row);

#ifdef __cplusplus
}
#endif

#endif
