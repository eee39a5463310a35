/* SPDX-License-Identifier: Apache-2.0 */
/*
 * exchange_counts.h -- how many bytes each member sends to each member in an all-to-all-v
 *
 *   --counts FILE   CSV: line i has the bytes that member i sends to members 0, 1, ...
 *   --skew S        like the all-to-all of a DLRM, whose embedding tables differ in size: a member
 *                   sends the same to all, but members send different amounts.  With an even
 *                   division each member would send --size over all members.  A share S of this
 *                   is distributed again, in proportion to the square of a random number.  A third
 *                   of the members then send about a tenth of the mean, and the largest send three
 *                   times the mean.
 */
#ifndef EXCHANGE_COUNTS_H
#define EXCHANGE_COUNTS_H

#include <inttypes.h>

#include "machine.h"

/* Makes members x members counts, which the caller frees. Returns EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message. */
int exchange_counts_make(const machine *m, uint64_t members, uint64_t **counts);

#endif
