/* SPDX-License-Identifier: Apache-2.0 */
/*
 * expert_placement.c -- places the experts of a MoE layer: in order, or the busiest first
 *
 * Both placements give each member the same number of experts, or one fewer, because a member's
 * memory has room for so many.  The greedy one is the rule of list scheduling for machines with a
 * limited number of jobs.
 */
#include "expert_placement.h"

#include <stdlib.h>

enum { NOWHERE = UINT16_MAX }; /* an expert without a member */

void expert_placement_in_order(unsigned experts, unsigned members, unsigned *home) {
    for (unsigned e = 0; e < experts; e++) home[e] = (unsigned)((uint64_t)e * members / experts);
}

uint64_t expert_placement_most(const uint64_t *load, unsigned experts, unsigned members,
                               const unsigned *home) {
    uint64_t *const sum = calloc(members, sizeof *sum), most = 0;

    if (!sum) return UINT64_MAX;
    for (unsigned e = 0; e < experts; e++) sum[home[e]] += load[e];
    for (unsigned i = 0; i < members; i++)
        if (sum[i] > most) most = sum[i];
    free(sum);
    return most;
}

/* The expert with most tokens of those without a member; the first one of equals. */
static unsigned busiest(const uint64_t *load, const unsigned *home, unsigned experts) {
    unsigned best = experts;

    for (unsigned e = 0; e < experts; e++)
        if (home[e] == NOWHERE && (best == experts || load[e] > load[best])) best = e;
    return best;
}

bool expert_placement_balanced(const uint64_t *load, unsigned experts, unsigned members,
                               unsigned *home) {
    const unsigned room = (experts + members - 1) / members;
    uint64_t *const sum = calloc(members, sizeof *sum);
    unsigned *const has = calloc(members, sizeof *has);
    uint64_t in_order, balanced;

    expert_placement_in_order(experts, members, home);
    in_order = expert_placement_most(load, experts, members, home);
    for (unsigned e = 0; e < experts; e++) home[e] = NOWHERE;
    for (unsigned k = 0; sum && has && k < experts; k++) {
        const unsigned e = busiest(load, home, experts);
        unsigned to = members;

        for (unsigned i = 0; i < members; i++)
            if (has[i] < room && (to == members || sum[i] < sum[to])) to = i;
        home[e] = to;
        sum[to] += load[e];
        has[to]++;
    }
    balanced = sum && has ? expert_placement_most(load, experts, members, home) : UINT64_MAX;
    free(sum);
    free(has);
    if (balanced > in_order) expert_placement_in_order(experts, members, home);
    return in_order != UINT64_MAX && balanced != UINT64_MAX;
}
