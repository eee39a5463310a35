/* SPDX-License-Identifier: Apache-2.0 */
/* ace_row_code.h -- the C twin of rtl/ace_row_code.v: parity of a row's words, bit by bit */
#ifndef ACE_ROW_CODE_H
#define ACE_ROW_CODE_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Of a row that there is. */
static inline uint32_t ace_row_code(const uint32_t *row) {
    uint32_t lanes[8] = { 0 }, code = 0;
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++) lanes[w % 8] ^= row[w];
    for (unsigned w = 0; w < 8; w++) code ^= lanes[w];
    return code;
}

#ifdef __cplusplus
}
#endif

#endif
