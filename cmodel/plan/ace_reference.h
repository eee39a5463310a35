/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_reference.h -- the result of a collective over a whole cluster
 *
 * The reference adds in the same order as the rings, chunk by chunk; the parity of a chunk selects
 * the direction.  It has no timing.  It shares no code with the twins, so it can check them.
 */
#ifndef ACE_REFERENCE_H
#define ACE_REFERENCE_H

#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* in[i], out[i] are node i's vectors, node index i = x + ring_x * (y + ring_y * (z + ring_z * w)).
 * out[i] has room for `bytes`; only bytes that the collective writes at that node are changed.
 * ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int ace_reference_collective(const ace_command *c, const ace_config *cfg, const uint8_t *const *in,
                             uint8_t *const *out);
/* The same for a command that follows `before` chunks of other commands at each node.  An odd
 * number reverses the directions of its rings, which changes the last bits of floating-point sums.
 */
int ace_reference_after(const ace_command *c, const ace_config *cfg, uint64_t before,
                        const uint8_t *const *in, uint8_t *const *out);

/* One element, from the definition of rtl/ace_alu.v: a (op) b; for an average, the sum a + b. */
uint32_t ace_reduce(ace_type type, ace_op op, uint32_t a, uint32_t b);
/* Rounds FP32 numbers as the wire's format does, by a search among all numbers of the format.
 * count: of one block or more of 32 numbers. */
void ace_reference_wire(ace_wire_format format, uint32_t *numbers, unsigned count);
/* The average: a sum divided by the number of members. */
uint32_t ace_average(ace_type type, uint32_t sum, uint64_t members);

#ifdef __cplusplus
}
#endif
#endif
