/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_steps.h -- the least steps that the phases of a cluster's algorithms take
 *
 * A step is one transfer from member to member. It crosses one link of a ring, a direct link, or
 * the two wires to and from a switch. Only dependences of data count, so no endpoint takes fewer
 * steps with the same algorithm.
 */
#ifndef IDEAL_STEPS_H
#define IDEAL_STEPS_H

#include "ace_flit.h"
#include "ace_program.h"
#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { IDEAL_PHASE_KINDS = ACE_PHASE_ALL_GATHER + 1 };

/* Steps of each phase by dimension, odd chunks, kind of phase and member; and the programs of all
 * members. */
typedef struct ideal_steps {
    uint16_t at[ACE_DIMENSIONS][2][IDEAL_PHASE_KINDS][ACE_CLUSTER_MEMBERS];
    uint32_t words[ACE_DIMENSIONS][ACE_MEMBERS][ACE_PROGRAM_WORDS];
} ideal_steps;

/* Counts the steps of the programs in *cfg, which all members of a dimension run. Returns ACE_OK;
 * ACE_EINVAL if a dimension's programs do not run on its members; ACE_ENOMEM. */
int ideal_steps_count(const ace_config *cfg, ideal_steps *steps);

#ifdef __cplusplus
}
#endif
#endif
