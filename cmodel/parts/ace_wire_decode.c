/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire_decode.c -- rows from the format of the wire
 *
 * A number is a small integer times a power of two.  It becomes an FP32 number by shifting its
 * highest bit to the hidden bit, or to where FP32's subnormals end.
 */
#include "ace_wire_decode.h"

#include <stdlib.h>

/* An FP8 number times 2^scale, without its sign. */
static uint32_t widened(ace_wire_float f, uint32_t x, int scale) {
    const int bias = (1 << (f.exp_w - 1)) - 1;
    const uint32_t field = x >> f.man_w, fraction = x & ((1u << f.man_w) - 1);
    const uint32_t value = field ? fraction | 1u << f.man_w : fraction;
    if (!value) return 0;
    const int unit = (field ? (int)field : 1) - bias - f.man_w + scale; /* of the last place */
    const int bit = 31 - __builtin_clz(value), top = bit + unit;
    if (top > 127) return 0x7f800000;
    if (top < -126) return value << (unit + 149);
    return ((uint32_t)(top + 126) << 23) + (value << (23 - bit));
}

static uint32_t number(unsigned format, uint32_t x, uint8_t scale) {
    const uint32_t sign = (x & 0x80) << 24;
    x &= 0x7f;
    if (scale == 255 || (format == ACE_WIRE_E5M2 ? x > 0x7c : x == 0x7f)) return 0x7fc00000;
    if (format == ACE_WIRE_E5M2 && x == 0x7c) return sign | 0x7f800000;
    return sign | widened(ace_wire_float_of(format), x, scale - 127);
}

void ace_wire_decode_row(unsigned format, const uint32_t *wire, uint32_t *row) {
    uint8_t bytes[ACE_ROW_BYTES];
    memcpy(bytes, wire, sizeof bytes);
    for (unsigned i = 0; i < ACE_ROW_WORDS; i++) {
        uint16_t h;
        memcpy(&h, bytes + 2 * i, sizeof h);
        row[i] = format == ACE_WIRE_NONE   ? wire[i]
                 : format == ACE_WIRE_BF16 ? (uint32_t)h << 16
                 : format < ACE_WIRE_MXFP8
                     ? number(format, bytes[i], 127)
                     : number(format, bytes[i], bytes[ACE_ROW_WORDS + i / ACE_WIRE_BLOCK]);
    }
}

void ace_wire_round_row(unsigned format, uint32_t *row) {
    if (format == ACE_WIRE_NONE) return;
    ace_wire_encode_row(format, row, row);
    ace_wire_decode_row(format, row, row);
}

/* ---- the pin form ---- */

int ace_wire_decode_create(ace_wire_decode **d) {
    *d = calloc(1, sizeof **d);
    return *d ? ACE_OK : ACE_ENOMEM;
}

void ace_wire_decode_destroy(ace_wire_decode *d) { free(d); }

void ace_wire_decode_tick(ace_wire_decode *d, const ace_wire_decode_in *in) {
    d->took = in->s_valid && in->s_data;
    if (!d->took) return;
    ace_wire_decode_row(in->cfg_format, in->s_data, d->row);
    d->shown = true;
}
