/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded.c -- the columns of Hsiao's (72,64) code
 *
 * A data word's column is a byte with three bits set, or 0x1f rotated. A check word's column has
 * one bit. All columns have an odd number of bits, so two wrong bits never look like one.
 */
#include "ace_secded.h"

/* The 56 bytes with three bits set, in rising order; then 0x1f rotated left by 0..7. A check
 * word has a bit of its own. */
uint8_t ace_secded_column(unsigned word) {
    if (word >= ACE_ROW_WORDS) return (uint8_t)(1u << (word - ACE_ROW_WORDS));
    if (word >= 56) return (uint8_t)(0x1f1fu << (word - 56) >> 8 | 0x1fu << (word - 56));
    for (unsigned byte = 0, at = 0;; byte++)
        if (__builtin_popcount(byte) == 3 && at++ == word) return (uint8_t)byte;
}

void ace_secded_columns(uint8_t of[ACE_STORED_WORDS]) {
    for (unsigned w = 0; w < ACE_STORED_WORDS; w++) of[w] = ace_secded_column(w);
}
