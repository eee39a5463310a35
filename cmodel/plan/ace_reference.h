/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_reference.h -- the result of a collective over a whole cluster
 *
 * The same order of additions as the rings make, chunk by chunk (chunk parity picks the direction).
 * No timing; independent of the twins, so that it can judge them.
 */
#ifndef ACE_REFERENCE_H
#define ACE_REFERENCE_H

#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* in[i], out[i] are node i's vectors, node index i = x + ring_x * (y + ring_y * (z + ring_z * w)).
 * out[i] is all of `bytes`; only what the collective writes at that node is changed.  ACE_OK,
 * ACE_EINVAL or ACE_ENOMEM. */
int ace_reference_collective(const ace_command *c, const ace_config *cfg, const uint8_t *const *in,
                             uint8_t *const *out);
/* Of a command that comes after so many chunks of others at each node: an odd number turns its
 * rings around, which the last bits of floating-point sums show. */
int ace_reference_after(const ace_command *c, const ace_config *cfg, uint64_t before,
                        const uint8_t *const *in, uint8_t *const *out);

/* One element, from the definition of rtl/ace_alu.v: a (op) b, of an average the sum. */
uint32_t ace_reduce(ace_type type, ace_op op, uint32_t a, uint32_t b);
/* The average of a sum over so many members. */
uint32_t ace_average(ace_type type, uint32_t sum, uint64_t members);

#ifdef __cplusplus
}
#endif
#endif
