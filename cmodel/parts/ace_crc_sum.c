/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_crc_sum.c -- the twin of rtl/ace_crc_sum.v: a CRC word by word
 *
 * Each word shifts the sum by 32 bits in the field of the polynomial, which three shifts and XORs
 * do. `stride` and `after` shift by more words, so that sums of parts of a frame combine by XOR.
 */
#include "ace_crc_sum.h"

enum { A = 16, B = 7, C = 3 }; /* the code's taps */

/* A polynomial times x^32, modulo x^32 + x^A + x^B + x^C + 1. */
static uint32_t moved(uint32_t v) {
    const uint32_t over = v >> (32 - A) ^ v >> (32 - B) ^ v >> (32 - C);
    return v ^ v << A ^ v << B ^ v << C ^ over ^ over << A ^ over << B ^ over << C;
}

uint32_t ace_crc_sum(const uint32_t *words, unsigned count, unsigned stride, unsigned after) {
    uint32_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned n = 0; n < stride; n++) sum = moved(sum);
        sum ^= words[i];
    }
    for (unsigned n = 0; n < after; n++) sum = moved(sum);
    return sum;
}
