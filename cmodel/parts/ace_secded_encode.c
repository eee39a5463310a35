/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded_encode.c -- the twin of rtl/ace_secded_encode.v: check words as XORs of words
 *
 * Each data word goes into the check words that its column names. All 32 codewords of a row are
 * encoded at once.
 */
#include "ace_secded_encode.h"

#include <string.h>

void ace_secded_encode(const uint32_t data[ACE_ROW_WORDS], uint32_t check[ACE_CHECK_WORDS]) {
    uint8_t column[ACE_STORED_WORDS];
    ace_secded_columns(column);
    memset(check, 0, ACE_CHECK_WORDS * sizeof *check);
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++)
        for (unsigned c = 0; c < ACE_CHECK_WORDS; c++)
            if (column[w] >> c & 1) check[c] ^= data[w];
}
