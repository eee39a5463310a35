/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_row_sum.h -- what a row adds to the CRC of the frame that it is in
 *
 * The C twin of rtl/ace_row_sum.v: its m_sum, of a row that was s_valid.  The twin keeps rows, and
 * sums one where its sum is looked at, so the registers between have no state here.
 */
#ifndef ACE_ROW_SUM_H
#define ACE_ROW_SUM_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* s_data: ACE_ROW_WORDS words; NULL: zeros, which add nothing. */
uint32_t ace_row_sum(const uint32_t *s_data);

#ifdef __cplusplus
}
#endif
#endif
