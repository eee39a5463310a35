/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_crc_sum.h -- what some words of a frame add to its CRC-32
 *
 * The C twin of rtl/ace_crc_sum.v, whose contract says what the sum is: a function of the words.
 */
#ifndef ACE_CRC_SUM_H
#define ACE_CRC_SUM_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words, the first one high, each `stride` words of the frame from the next and the last one
 * with `after` words behind it.  Sums of parts of a frame are joined by an exclusive or. */
uint32_t ace_crc_sum(const uint32_t *words, unsigned count, unsigned stride, unsigned after);

#ifdef __cplusplus
}
#endif
#endif
