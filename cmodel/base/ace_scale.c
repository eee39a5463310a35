/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_scale.c -- the factor with which an average multiplies each sum
 *
 * Floating-point types get the float nearest to 1/members. Integer types get a fixed-point
 * reciprocal, rounded up, whose point depends on the shift. The shift is the least power of two
 * that is no less than the number of members.
 */
#include "ace_scale.h"

#include <string.h>

unsigned ace_scale_shift(uint64_t members) {
    unsigned shift = 0;

    while (members > (uint64_t)1 << shift) shift++;
    return shift;
}

uint32_t ace_scale(ace_type type, uint64_t members) {
    const uint64_t one = (uint64_t)1 << (31 + ace_scale_shift(members));
    const float nearest = 1.0f / (float)members;
    uint32_t bits;

    if (type >= ACE_INT8) return (uint32_t)((one + members - 1) / members);
    memcpy(&bits, &nearest, sizeof bits);
    return bits;
}
