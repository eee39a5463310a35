/* SPDX-License-Identifier: Apache-2.0 */
/* calibration_design.h -- which experiments decide the parameters, and which look at the errors */
#ifndef CALIBRATION_DESIGN_H
#define CALIBRATION_DESIGN_H

#include "experiment.h"

/* What is designed for: the cluster, and the least and the most of what is measured. */
typedef struct design {
    uint8_t live[ACE_CLUSTER_DIMENSIONS], live_count; /* dimensions with more than one member */
    uint64_t bytes[2], chunk[2];
    double memory[2];
    bool quick; /* fewer, and smaller */
} design;

design design_of(const run_setup *cluster, bool quick);
/* The experiments that are fitted, the same for the same cluster; to be freed.  NULL: no memory. */
experiment *design_fit(const design *d, unsigned *count);
/* So many others, of a seed: kinds, sizes (evenly in their logarithm), dimensions, chunk sizes,
 * bandwidths and beginnings at random; to be freed. */
experiment *design_held_out(const design *d, uint64_t seed, unsigned count);
/* Is it small enough for the rung rtl? */
bool design_for_rtl(const experiment *e);

#endif
