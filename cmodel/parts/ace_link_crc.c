/* SPDX-License-Identifier: Apache-2.0 */
#include "ace_link_crc.h"

enum { A = 16, B = 7, C = 3 }; /* the code's taps */

/* acc * x^32 with another word, modulo x^32 + x^A + x^B + x^C + 1. */
static uint32_t step(uint32_t acc, uint32_t word) {
    const uint32_t v = acc ^ word;
    const uint32_t over = v >> (32 - A) ^ v >> (32 - B) ^ v >> (32 - C);
    return v ^ v << A ^ v << B ^ v << C ^ over ^ over << A ^ over << B ^ over << C;
}

uint32_t ace_frame_crc(const ace_frame *f) {
    uint32_t acc = 0;
    for (unsigned i = 0; f->row && i < ACE_ROW_WORDS; i++) acc = step(acc, f->row[i]);
    acc = step(~acc, (uint32_t)f->route);
    acc = step(acc, (uint32_t)(f->route >> 32));
    acc = step(acc, (uint32_t)f->head);
    acc = step(acc, (uint32_t)(f->head >> 32));
    return step(acc, (uint32_t)f->ack << 16 | f->number);
}

uint32_t ace_row_sum(const uint32_t *row) {
    enum { BEHIND = 5 }; /* words of a frame behind its row */
    uint32_t acc = 0;
    for (unsigned i = 0; row && i < ACE_ROW_WORDS; i++) acc = step(acc, row[i]);
    for (unsigned i = 0; i < BEHIND; i++) acc = step(acc, 0);
    return acc;
}
