/* SPDX-License-Identifier: Apache-2.0 */
/*
 * wire_rows.h -- rows of FP32 numbers on which encoders of the wire's formats go wrong
 */
#ifndef WIRE_ROWS_H
#define WIRE_ROWS_H

#include "lockstep.h"

/* A number: any bits, one of a few exponents (so that blocks share a scale), a tie or its
 * neighbour, a subnormal, a zero, an infinity or a NaN. */
inline uint32_t wire_number(Random &r, unsigned kind, uint32_t around) {
    const uint32_t sign = r.bits<uint32_t>(1) << 31, fraction = r.bits<uint32_t>(23);
    const uint32_t exponent = (around + r.below(20)) % 255;
    switch (kind) {
    case 0: return r.bits<uint32_t>(32);
    case 1: return sign | exponent << 23 | fraction;
    case 2: /* near a tie of three, two or seven bits of fraction */
        return (sign | exponent << 23 | (fraction & (r.below(2) ? 0x7f8000 : 0x7fc0000))) +
               r.below(3) - 1;
    case 3: return sign | fraction >> r.below(23);
    case 4: return sign | (r.below(50) ? 0 : 0x7f800000 | (r.below(2) ? fraction : 0));
    default: return sign | exponent << 23 | (fraction & 0x780000);
    }
}

/* A row whose numbers are mostly of one kind, as `row` of the caller. */
inline void wire_row(Random &r, ace_row &row) {
    const uint32_t around = r.below(4) ? r.below(255) : r.below(2) ? 100 + r.below(40) : 0;
    const unsigned most = r.below(6);
    for (uint32_t &x : row) x = wire_number(r, r.below(8) ? most : r.below(6), around);
}

#endif
