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
    bool quick;                               /* fewer, and smaller */
    uint16_t members[ACE_CLUSTER_DIMENSIONS]; /* as an experiment has them */
} design;

/*
 * A cluster of engines is measured itself.  Of one with more dimensions or members what is measured
 * are smaller ones with its dimensions: `fitted` are of up to three of them, with few members;
 * `held_out` are what engines can be at the most: each dimension with as many members as they take,
 * beside a short one, and four of them side by side.  So each held-out experiment is as far from
 * what was fitted as the cluster is from it, about: 32 members of a ring, 128 and 512, 8 of a hub,
 * 64 and 512, three dimensions, four and six.
 */
enum { DESIGNS = ACE_CLUSTER_DIMENSIONS + 2 };
typedef struct designs {
    design fitted[DESIGNS], held_out[DESIGNS];
    unsigned fitted_count, held_out_count;
} designs;

designs designs_of(const machine *m, bool quick);
/* The experiments that are fitted, the same for the same cluster, those alone first; to be freed.
 * NULL: no memory. */
experiment *design_fit(const designs *d, unsigned *count);
/* So many others, of a seed: kinds, sizes (evenly in their logarithm), dimensions, chunk sizes,
 * bandwidths and beginnings at random; to be freed. */
experiment *design_held_out(const designs *d, uint64_t seed, unsigned count);
/* Is it small enough for the rung rtl? */
bool design_for_rtl(const experiment *e);

#endif
