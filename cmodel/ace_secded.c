/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_secded.h"

#include <string.h>

/* The 56 bytes with three bits set, in rising order; then 0x1f turned left by 0..7; of the check
 * words, each its own bit. */
uint8_t ace_secded_column(unsigned word) {
    if (word >= ACE_ROW_WORDS) return (uint8_t)(1u << (word - ACE_ROW_WORDS));
    if (word >= 56) return (uint8_t)(0x1f1fu << (word - 56) >> 8 | 0x1fu << (word - 56));
    for (unsigned byte = 0, at = 0;; byte++)
        if (__builtin_popcount(byte) == 3 && at++ == word) return (uint8_t)byte;
}

static void columns(uint8_t of[ACE_STORED_WORDS]) {
    for (unsigned w = 0; w < ACE_STORED_WORDS; w++) of[w] = ace_secded_column(w);
}

void ace_secded_encode(const uint32_t data[ACE_ROW_WORDS], uint32_t check[ACE_CHECK_WORDS]) {
    uint8_t column[ACE_STORED_WORDS];
    columns(column);
    memset(check, 0, ACE_CHECK_WORDS * sizeof *check);
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++)
        for (unsigned c = 0; c < ACE_CHECK_WORDS; c++)
            if (column[w] >> c & 1) check[c] ^= data[w];
}

ace_secded ace_secded_decode(ace_stored_row row) {
    ace_secded all = ACE_SECDED_RIGHT;
    uint8_t column[ACE_STORED_WORDS];
    columns(column);
    for (unsigned bit = 0; bit < 32; bit++) { /* a codeword */
        uint8_t syndrome = 0;
        unsigned at = 0;
        for (unsigned w = 0; w < ACE_STORED_WORDS; w++)
            if (row[w] >> bit & 1) syndrome ^= column[w];
        if (!syndrome) continue;
        while (at < ACE_STORED_WORDS && column[at] != syndrome) at++;
        if (at == ACE_STORED_WORDS) {
            all = ACE_SECDED_FAILED;
            continue;
        }
        row[at] ^= 1u << bit;
        if (all == ACE_SECDED_RIGHT) all = ACE_SECDED_CORRECTED;
    }
    return all;
}
