/* SPDX-License-Identifier: Apache-2.0 */
/* ace_row_code.h -- the C twin of rtl/ace_row_code.v and ace_row_check.v: parity of a row's words
 */
#ifndef ACE_ROW_CODE_H
#define ACE_ROW_CODE_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parity code of a row. */
static inline uint32_t ace_row_code(const uint32_t *row) {
    uint32_t lanes[8] = { 0 }, code = 0;
    for (unsigned w = 0; w < ACE_ROW_WORDS; w++) lanes[w % 8] ^= row[w];
    for (unsigned w = 0; w < 8; w++) code ^= lanes[w];
    return code;
}
/* The same, but 0 for NULL, which is a row of a run without payload. */
static inline uint32_t ace_row_code_of(const uint32_t *row) { return row ? ace_row_code(row) : 0; }
/* Does the row fit the code that came with it? */
static inline bool ace_row_fits(const uint32_t *row, uint32_t code) {
    return ace_row_code(row) == code;
}

#ifdef __cplusplus
}
#endif

#endif
