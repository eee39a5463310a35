/* SPDX-License-Identifier: Apache-2.0 */
/* calibration_design.h -- the experiments that are fitted, and those that check the errors */
#ifndef CALIBRATION_DESIGN_H
#define CALIBRATION_DESIGN_H

#include "experiment.h"

/* The subject of a design: the cluster's dimensions, and the ranges to be measured. */
typedef struct design {
    uint8_t live[ACE_CLUSTER_DIMENSIONS], live_count; /* dimensions with more than one member */
    uint64_t bytes[2], chunk[2];
    double memory[2];
    bool quick;                               /* fewer and smaller experiments */
    uint16_t members[ACE_CLUSTER_DIMENSIONS]; /* members of each dimension, as in an experiment */
} design;

/*
 * A cluster of engines is measured itself. A larger cluster is measured on smaller clusters with
 * its dimensions. `fitted` has up to three dimensions with few members. `held_out` has the largest
 * clusters that engines can be. In each of them one dimension has as many members as engines take,
 * next to a short dimension, or four dimensions are combined. So a held-out cluster is about as far
 * from the fitted ones as the real cluster is from it. An example: fitted rings have 32 members,
 * held-out rings 128, and real ones 512. For hubs the numbers are 8, 64 and 512, and for dimensions
 * three, four and six.
 */
enum { DESIGNS = ACE_CLUSTER_DIMENSIONS + 2 };
typedef struct designs {
    design fitted[DESIGNS], held_out[DESIGNS];
    unsigned fitted_count, held_out_count;
} designs;

designs designs_of(const machine *m, bool quick);
/* Returns the experiments to fit, which are the same for equal clusters. Those with one collective
 * come first. The caller frees the list. NULL: no memory. */
experiment *design_fit(const designs *d, unsigned *count);
/* Returns `count` other experiments. Kinds, sizes (log-uniform), dimensions, chunk sizes,
 * bandwidths and starts are drawn from the seed. The caller frees the list. */
experiment *design_held_out(const designs *d, uint64_t seed, unsigned count);
/* Returns whether the experiment is small enough for the rung rtl. */
bool design_for_rtl(const experiment *e);

#endif
