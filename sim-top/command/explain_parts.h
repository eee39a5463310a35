/* SPDX-License-Identifier: Apache-2.0 */
/* explain_parts.h -- what bounds a run of acesim train, astra or msccl, and which change helps */
#ifndef EXPLAIN_PARTS_H
#define EXPLAIN_PARTS_H

#include "result_read.h"

/* Prints where the time of a result with parts (result_parts.h) goes. Then runs its command again
 * with the changes that should help against the largest part, or with all changes if `all` is set.
 * threads: the option "--threads=N" for these runs. Returns EXIT_OK, EXIT_USAGE after a message, or
 * EXIT_CHECK if there is no memory. */
int explain_parts(const saved_run *r, bool all, const char *threads);

#endif
