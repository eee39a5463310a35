/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_crc_sum.h -- the share of some words of a frame in its CRC-32
 *
 * The C twin of rtl/ace_crc_sum.v, whose contract says what the sum is: a function of the words.
 */
#ifndef ACE_CRC_SUM_H
#define ACE_CRC_SUM_H

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The CRC sum of `count` words of a frame, the first word highest.  The words are `stride` words
 * apart in the frame, and `after` words follow the last one.  The exclusive or of the sums of all
 * parts is the sum of the frame. */
uint32_t ace_crc_sum(const uint32_t *words, unsigned count, unsigned stride, unsigned after);

#ifdef __cplusplus
}
#endif
#endif
