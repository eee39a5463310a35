/* SPDX-License-Identifier: Apache-2.0 */
/* ace_word_code.h -- four bits of parity of a word, as rtl/ace_program_ram.v and ace_hub_reducer.v
 * have them */
#ifndef ACE_WORD_CODE_H
#define ACE_WORD_CODE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bit i is the parity of bits i, i+4, .. i+28. */
static inline uint8_t ace_word_code(uint32_t word) {
    uint32_t sums = word;
    for (unsigned shift = 16; shift >= 4; shift /= 2) sums ^= sums >> shift;
    return (uint8_t)(sums & 15);
}

#ifdef __cplusplus
}
#endif

#endif
