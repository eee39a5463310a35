/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_link_crc.c -- the twin of rtl/ace_link_crc.v: the CRC of a frame
 *
 * The code is linear, so the sum of the row and the sum of the head combine by XOR. The inverted
 * first word gives a frame of zeros a CRC that is not zero.
 */
#include "ace_link_crc.h"

#include "ace_crc_sum.h"
#include "ace_row_sum.h"

uint32_t ace_frame_crc(const ace_frame *f) {
    const uint32_t words[] = { ~(uint32_t)f->route, (uint32_t)(f->route >> 32), (uint32_t)f->head,
                               (uint32_t)(f->head >> 32), (uint32_t)f->ack << 16 | f->number };
    return ace_row_sum(f->row) ^ ace_crc_sum(words, sizeof words / sizeof *words, 1, 1);
}
