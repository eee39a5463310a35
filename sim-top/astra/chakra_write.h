/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_write.h -- a layer table of ASTRA-sim 1.0 as Chakra traces 0.0.4, one for each NPU
 *
 * Who waits for whom is layer_table_walk()'s to say, and which dimensions a collective is of
 * layer_table_dims()'s.
 *
 * Compute has num_ops of 1000 for each nanosecond and tensor_size 1: with roofline-enabled,
 * peak-perf 1 and local-mem-bw 1000 its time is the table's; without a roofline it is
 * duration_micros, rounded.  Collectives name their dimensions in involved_dim.
 */
#ifndef CHAKRA_WRITE_H
#define CHAKRA_WRITE_H

#include "astra_files.h"
#include "layer_table.h"

/* PREFIX.0.et, PREFIX.1.et, ...  file: the table's, for messages.  EXIT_OK; EXIT_USAGE after a
 * message: a collective that no NPUs are for; EXIT_CHECK: a file cannot be written, or no memory.
 */
int chakra_write(const char *prefix, const char *file, const layer_table *t, const astra_network *n,
                 unsigned passes);

#endif
