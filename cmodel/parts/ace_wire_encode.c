/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wire_encode.c -- rows to the format of the wire
 *
 * A number is an integer of 24 bits times a power of two.  Its last place in the format follows
 * from its highest bit, so one shift and one rounding give the result, for subnormals of both
 * formats, too.
 */
#include "ace_wire_encode.h"

#include <stdlib.h>

/* value / 2^places, rounded to nearest even.  places: at most 0 if nothing is lost. */
static uint32_t rounded(uint32_t value, int places) {
    if (places <= 0) return value << -places;
    if (places > 25) return 0;
    const uint32_t whole = value >> places, lost = value & ((1u << places) - 1);
    const uint32_t tie = 1u << (places - 1);
    return whole + (lost > tie || (lost == tie && (whole & 1)));
}

/* A finite number divided by 2^scale as FP8, without its sign.  An overflow is 0x80. */
static uint32_t magnitude(ace_wire_float f, uint32_t x, int scale) {
    const uint32_t exponent = x >> 23 & 0xff, fraction = x & 0x7fffff;
    const uint32_t value = exponent ? fraction | 1u << 23 : fraction;
    if (!value) return 0;
    const int unit = (exponent ? (int)exponent : 1) - 150 - scale; /* of the value's last place */
    const int bias = (1 << (f.exp_w - 1)) - 1;
    int top = 31 - __builtin_clz(value) + unit; /* of the highest bit */
    if (top < 1 - bias) top = 1 - bias;
    if (top > bias + 1) return 0x80;
    const uint32_t units = rounded(value, top - f.man_w - unit);
    /* a hidden bit adds one to the exponent, and so does a carry */
    const uint32_t r = ((uint32_t)(top + bias - 1) << f.man_w) + units;
    return r < 0x80 ? r : 0x80;
}

/* A number as FP8 that does not saturate. */
static uint8_t plain(ace_wire_float f, uint32_t x) {
    const bool wide = f.man_w == 2;
    const uint32_t sign = x >> 24 & 0x80, largest = wide ? 0x7b : 0x7e;
    const uint32_t beyond = wide ? sign | 0x7c : 0x7f;
    if ((x & 0x7fffffff) > 0x7f800000) return wide ? 0x7e : 0x7f;
    if ((x & 0x7fffffff) == 0x7f800000) return (uint8_t)beyond;
    const uint32_t r = magnitude(f, x, 0);
    return (uint8_t)(r > largest ? beyond : sign | r);
}

/* The scale of a block: its exponent + 127. */
static uint8_t scale_of(const uint32_t *numbers) {
    uint32_t top = 0;
    for (unsigned i = 0; i < ACE_WIRE_BLOCK; i++)
        if ((numbers[i] >> 23 & 0xff) > top) top = numbers[i] >> 23 & 0xff;
    return (uint8_t)(top == 255 ? 255 : top < 8 ? 0 : top - 8);
}

static uint8_t scaled(uint32_t x, uint8_t scale) {
    if (scale == 255) return 0;
    const uint32_t r = magnitude(ace_wire_float_of(ACE_WIRE_MXFP8), x, scale - 127);
    return (uint8_t)((x >> 24 & 0x80) | (r > 0x7e ? 0x7e : r));
}

static uint16_t half(uint32_t x) {
    if ((x & 0x7fffffff) > 0x7f800000) return 0x7fc0;
    return (uint16_t)((x + 0x7fff + (x >> 16 & 1)) >> 16);
}

void ace_wire_encode_row(unsigned format, const uint32_t *row, uint32_t *wire) {
    uint8_t bytes[ACE_ROW_BYTES] = { 0 };
    if (format == ACE_WIRE_NONE) {
        memmove(wire, row, ACE_ROW_BYTES);
        return;
    }
    for (unsigned i = 0; i < ACE_ROW_WORDS; i++) {
        if (format == ACE_WIRE_BF16) {
            const uint16_t h = half(row[i]);
            memcpy(bytes + 2 * i, &h, sizeof h);
        } else if (format < ACE_WIRE_MXFP8) {
            bytes[i] = plain(ace_wire_float_of(format), row[i]);
        } else {
            const unsigned block = i / ACE_WIRE_BLOCK;
            uint8_t *const scale = &bytes[ACE_ROW_WORDS + block];
            if (i % ACE_WIRE_BLOCK == 0) *scale = scale_of(row + i);
            bytes[i] = scaled(row[i], *scale);
        }
    }
    memcpy(wire, bytes, sizeof bytes);
}

/* ---- the pin form ---- */

int ace_wire_encode_create(ace_wire_encode **e) {
    *e = calloc(1, sizeof **e);
    return *e ? ACE_OK : ACE_ENOMEM;
}

void ace_wire_encode_destroy(ace_wire_encode *e) { free(e); }

void ace_wire_encode_reset(ace_wire_encode *e) {
    const ace_wire_encode_in none = { 0 };
    ace_wire_encode_tick(e, &none);
}

void ace_wire_encode_eval(const ace_wire_encode *e, ace_wire_encode_out *out) {
    out->m_data = e->shown ? e->row[ACE_WIRE_ENCODE_CYCLES - 1] : NULL;
}

void ace_wire_encode_tick(ace_wire_encode *e, const ace_wire_encode_in *in) {
    for (unsigned i = ACE_WIRE_ENCODE_CYCLES - 1; i > 0; i--) {
        if (e->valid[i - 1]) ace_row_copy(e->row[i], e->row[i - 1]);
        e->valid[i] = e->valid[i - 1];
    }
    e->shown |= e->valid[ACE_WIRE_ENCODE_CYCLES - 1];
    e->valid[0] = in->s_valid && in->s_data;
    if (e->valid[0]) ace_wire_encode_row(in->cfg_format, in->s_data, e->row[0]);
}

bool ace_wire_encode_idle(const ace_wire_encode *e) { return !e->valid[0] && !e->valid[1]; }
