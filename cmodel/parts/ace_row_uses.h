/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_row_uses.h -- uses of rows that failed their parity check, until the node reports them
 *
 * The RTL reports a wrong row some cycles after its use, at an ace_row_check of the block that uses
 * the row.  The twin checks a row when it moves the row, often earlier.  An ace_row_uses therefore
 * holds one set of uses, of ACE_ROW_USES bits, for each of the next cycles.  The lowest set belongs
 * to this cycle.
 */
#ifndef ACE_ROW_USES_H
#define ACE_ROW_USES_H

#include "ace_core.h"
#include "ace_row_code.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef uint64_t ace_row_uses;

/* At an edge: a wrong row is used, or will be used in the RTL in `cycles` cycles. */
static inline void ace_row_uses_wrong(ace_row_uses *u, ace_row_use use, unsigned cycles) {
    *u |= UINT64_C(1) << ((cycles + 1) * ACE_ROW_USES + use);
}
/* The same, if the row does not fit its code; NULL is a row without values, which always fits. */
ACE_INLINE void ace_row_uses_check(ace_row_uses *u, ace_row_use use, unsigned cycles,
                                   const uint32_t *row, uint32_t code) {
    if (__builtin_expect(row && !ace_row_fits(row, code), 0)) ace_row_uses_wrong(u, use, cycles);
}
/* The uses that are reported in this cycle, a bit each; the sets of later cycles move on. */
static inline unsigned ace_row_uses_take(ace_row_uses *u) {
    const unsigned wrong = *u & ((1u << ACE_ROW_USES) - 1);
    *u >>= ACE_ROW_USES;
    return wrong;
}

#ifdef __cplusplus
}
#endif

#endif
