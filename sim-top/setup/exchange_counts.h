/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange_counts.h -- who sends whom how much in an all-to-all-v: from a file, or uneven by a rule
 *
 *   --counts FILE   CSV: line i has the bytes that member i sends to members 0, 1, ...
 *   --skew S        like the all-to-all of a DLRM, whose embedding tables differ in size: a member
 *                   sends the same to all, but members send unequally much.  Of what each
 *                   would send evenly, --size over all members, a share S is dealt out anew, in
 *                   proportion to the square of a random number: a third of the members then send
 *                   about a tenth of the mean, the largest three times as much.
 */
#ifndef EXCHANGE_COUNTS_H
#define EXCHANGE_COUNTS_H

#include <inttypes.h>

#include "machine.h"

/* members x members, the caller's to free.  EXIT_OK, or EXIT_USAGE or EXIT_CHECK after a message.
 */
int exchange_counts_make(const machine *m, uint64_t members, uint64_t **counts);
/* Bytes of a vector that holds what any member sends or receives, blocks padded to rows. */
uint64_t exchange_counts_vector(const uint64_t *counts, uint64_t members);

#endif
