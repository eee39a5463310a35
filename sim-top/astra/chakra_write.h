/* SPDX-License-Identifier: Apache-2.0 */
/*
 * chakra_write.h -- a layer table of ASTRA-sim 1.0 as Chakra traces 0.0.4, one for each NPU
 *
 * A pass goes forward and back.  A layer computes when the one before it is over and, forward, when its own
 * weights of the last pass are reduced:
 *
 *   forward          compute, then its collective, which the next layer waits for
 *   back             input gradient, then its collective, which the layer before it waits for; weight
 *                    gradient, then its collective, which the next pass waits for.  A layer whose input
 *                    gradient has no collective computes its weight gradient first; the first layer has no
 *                    input gradient unless it has a collective
 *   HYBRID_DLRM      the first layer's all-to-all is awaited behind the bottom, forward; back it begins there
 *                    and the first layer waits for it
 *   FWD_IN_BCKWD     the forward pass again, from the checkpoint on, before a layer of checkpoint_initiates
 *
 * Compute has num_ops of 1000 for each nanosecond and tensor_size 1: with roofline-enabled, peak-perf 1 and
 * local-mem-bw 1000 its time is the table's; without a roofline it is duration_micros, rounded.  Collectives
 * name their dimensions in involved_dim.
 */
#ifndef CHAKRA_WRITE_H
#define CHAKRA_WRITE_H

#include "astra_files.h"
#include "layer_table.h"

/* PREFIX.0.et, PREFIX.1.et, ...  file: the table's, for messages.  EXIT_OK; EXIT_USAGE after a message: a
 * collective that no NPUs are for; EXIT_CHECK: a file cannot be written, or no memory. */
int chakra_write(const char *prefix, const char *file, const layer_table *t, const astra_network *n,
                 unsigned passes);

#endif
