/* SPDX-License-Identifier: Apache-2.0 */
/* ace_scale.h -- the factor of an average */
#ifndef ACE_SCALE_H
#define ACE_SCALE_H

#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The factor that makes an average of a sum over 1..2^28 members: the `s_cmd_scale` pins.
 * Floating-point types: the FP32 number nearest to 1 / members.  Integers: 2^(31 + shift) / members
 * rounded up, where shift, returned by ace_scale_shift(), is log2 of members rounded up. */
uint32_t ace_scale(ace_type type, uint64_t members);
unsigned ace_scale_shift(uint64_t members);

#ifdef __cplusplus
}
#endif
#endif
