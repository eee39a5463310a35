/* SPDX-License-Identifier: Apache-2.0 */
/* explain_train.h -- what bounds an iteration of acesim train, and which change of the cluster
 * helps */
#ifndef EXPLAIN_TRAIN_H
#define EXPLAIN_TRAIN_H

#include "result_read.h"

/* Prints where the time of the iteration goes, and runs it again with the changes that should help
 * against the largest part, or with all: `all`.  threads: "--threads=N" of these runs.  EXIT_OK,
 * EXIT_USAGE after a message, or EXIT_CHECK: no memory. */
int explain_train(const saved_run *r, bool all, const char *threads);

#endif
