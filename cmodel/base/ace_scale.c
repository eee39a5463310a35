/* SPDX-License-Identifier: Apache-2.0 */
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
