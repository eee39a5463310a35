/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_row_sum.c -- the twin of rtl/ace_row_sum.v: a row's share of a frame's CRC
 *
 * The share is shifted by the words that follow the row in the frame. A caller combines it with
 * the rest by XOR (ace_link_crc.c).
 */
#include "ace_row_sum.h"

#include "ace_crc_sum.h"

uint32_t ace_row_sum(const uint32_t *s_data) {
    enum { BEHIND = 6 }; /* words of a frame after its row, the CRC included */
    return s_data ? ace_crc_sum(s_data, ACE_ROW_WORDS, 1, BEHIND) : 0;
}
