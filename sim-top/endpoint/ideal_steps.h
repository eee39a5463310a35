/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_steps.h -- the steps that the phases of a cluster's algorithms take at the soonest
 *
 * A step is one transfer from member to member, which crosses one link of a ring, a direct link, or
 * the two wires to a switch and from it.  The steps are counted along the data alone, so that no
 * endpoint takes fewer with the same algorithm.
 */
#ifndef IDEAL_STEPS_H
#define IDEAL_STEPS_H

#include "ace_flit.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IDEAL_PHASE_KINDS = ACE_PHASE_ALL_GATHER + 1 };

/* Steps of each phase by dimension, odd chunks, kind of phase and member. */
typedef struct ideal_steps {
    uint16_t at[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS][ACE_CLUSTER_MEMBERS];
} ideal_steps;

/* Counts those of the programs of *cfg, as all members of its dimensions run them.  ACE_OK;
 * ACE_EINVAL: a dimension's programs do not run on its members; ACE_ENOMEM. */
int ideal_steps_count(const ace_config *cfg, ideal_steps *steps);

#ifdef __cplusplus
}
#endif
#endif
