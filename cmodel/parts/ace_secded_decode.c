/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_secded_decode.c -- the twin of rtl/ace_secded_decode.v: syndromes, bit by bit
 *
 * A row has 32 codewords, one for each bit position of its words. A syndrome that equals a column
 * names the wrong bit. Any other syndrome is an error that cannot be corrected.
 */
#include "ace_secded_decode.h"

ace_secded ace_secded_decode(ace_stored_row row) {
    ace_secded all = ACE_SECDED_RIGHT;
    uint8_t column[ACE_STORED_WORDS];
    ace_secded_columns(column);
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
