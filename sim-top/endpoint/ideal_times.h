/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ideal_times.h -- the earliest cycles at which the members of a collective can have its result
 *
 * The members may begin in different cycles. Only steps that depend on one another count
 * (ideal_steps.h), so no endpoint is earlier with the same algorithm. A member's number in its
 * group counts along the command's dimensions, x fastest.
 */
#ifndef IDEAL_TIMES_H
#define IDEAL_TIMES_H

#include "ace_types.h"
#include "ideal_steps.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The cluster, as a collective sees it. The pointers must outlive the calls. */
typedef struct ideal_paths {
    const ace_config *cfg; /* of any node */
    const ideal_steps *steps;
    uint64_t step[ACE_DIMENSIONS]; /* cycles from a member to the next, and one at the endpoint */
} ideal_paths;

/* The members whose start a member's result depends on. */
typedef enum ideal_need { IDEAL_NEEDS_NOBODY, IDEAL_NEEDS_ROOT, IDEAL_NEEDS_ALL } ideal_need;
ideal_need ideal_needs(const ace_command *c, const ace_config *cfg, uint64_t member);

/* Returns the dimensions of a command, one bit each. */
unsigned ideal_dims(const ace_command *c);
/* Returns the number of the node of *cfg among the command's members. */
uint64_t ideal_member(const ace_command *c, const ace_config *cfg);
/* Returns the cycles of a row from one member to another by the shortest path. */
uint64_t ideal_distance(const ideal_paths *p, const ace_command *c, uint64_t from, uint64_t to);
/* For a command whose members need all: replaces each start by the cycle at which its
 * result can be complete. start: one value for each member. Returns ACE_OK or ACE_ENOMEM. */
int ideal_times(const ideal_paths *p, const ace_command *c, uint64_t *start);
/* Computes the part of left[] that a late node does not wait for, in cycles Q8 of each dimension.
 * Its links may forward rows of other members before it begins. Own rows may leave its queues after
 * its command is over. queued: the rows that the queues of a link hold. */
void ideal_forwarded(const ace_command *c, const ace_config *cfg, uint64_t queued,
                     const uint64_t left[ACE_DIMENSIONS], uint64_t forwarded[ACE_DIMENSIONS]);

#ifdef __cplusplus
}
#endif

#endif
