/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_link_crc.h"

#include "ace_crc_sum.h"
#include "ace_row_sum.h"

uint32_t ace_frame_crc(const ace_frame *f) {
    const uint32_t words[] = { ~(uint32_t)f->route, (uint32_t)(f->route >> 32), (uint32_t)f->head,
                               (uint32_t)(f->head >> 32), (uint32_t)f->ack << 16 | f->number };
    return ace_row_sum(f->row) ^ ace_crc_sum(words, sizeof words / sizeof *words, 1, 1);
}
