/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_write.h -- writes a layer table of ASTRA-sim 1.0 as Chakra traces 0.0.4, one for each NPU
 *
 * layer_table_walk() defines which node waits for which, and layer_table_dims() the dimensions of a
 * collective.
 *
 * Compute nodes have num_ops of 1000 for each nanosecond and tensor_size 1. With roofline-enabled,
 * peak-perf 1 and local-mem-bw 1000, their time is the table's. Without a roofline it is
 * duration_micros, rounded. Collectives name their dimensions in involved_dim.
 */
#ifndef CHAKRA_WRITE_H
#define CHAKRA_WRITE_H

#include "astra_files.h"
#include "layer_table.h"

/* Writes PREFIX.0.et, PREFIX.1.et, ... `file`: the table's name, for messages. Returns EXIT_OK;
 * EXIT_USAGE after a message if a collective has no NPUs; EXIT_CHECK if a file cannot be written,
 * or there is no memory. */
int chakra_write(const char *prefix, const char *file, const layer_table *t, const astra_network *n,
                 unsigned passes);

#endif
