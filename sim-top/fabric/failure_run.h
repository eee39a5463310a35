/* SPDX-License-Identifier: Apache-2.0 */
/*
 * failure_run.h -- an all-reduce in which a link or a node dies, until the rest has the right sums
 *
 * Every node is an engine with its driver (ace_host.h), and all cycles are simulated:
 *
 *   1. All engines start, with epochs and silence. Cycle 0 is the cycle in which all links are up;
 *      in it the software of all members submits the collective.
 *   2. In the chosen cycle the link or the node dies. The software of a dead node stops, too.
 *   3. Each member's engine reports the failure, and ace_host_end() ends the member's command.
 *   4. When all members have ended, they compare which links their engines name. Exchange and
 *      decision are outside the model and take no cycle.
 *   5. The members that are left start again with ace_plan_without_link() or _node(), and run the
 *      collective again over themselves.
 *
 * Of a dead node, all nodes of the same coordinate in the largest dimension leave with it.
 */
#ifndef FAILURE_RUN_H
#define FAILURE_RUN_H

#include "machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Cycles, each after the failure unless something else is said. */
typedef struct failure_result {
    uint64_t without;        /* of the collective without a failure, from cycle 0 */
    uint64_t first_reported; /* the first member's software has the error */
    uint64_t last_reported;  /* the last member's has */
    uint64_t ended;          /* the last member's commands have ended, and its engine is stopped */
    uint64_t again;          /* the last member has submitted the collective again */
    uint64_t rerun;          /* from `again` until the last member has its completion */
    uint64_t total;          /* from cycle 0 until then */
    unsigned silence;        /* intervals of 64 cycles */
    unsigned left;           /* members of the second collective */
    unsigned completed;      /* living members whose first collective was complete */
    unsigned wrong;          /* members with a wrong sum, in the first collective or the second */
} failure_result;

/* Runs the collective of m twice: without the failure, and with m->faults.dead. Returns EXIT_OK,
 * EXIT_USAGE after a message if the collective ends before the failure, or EXIT_CHECK after a
 * message. */
int failure_run(const machine *m, failure_result *to);

/* Returns the share of the time that is useful if members run one collective after the other, and
 * each can be hit by a failure: a Poisson process of `rate` failures a cycle, above 0. A collective
 * takes r->without cycles. One that is hit is lost, and costs r->again and r->rerun cycles more;
 * then the cluster is whole again. Expected cycles of a collective are
 * (1 - exp(-rate * without)) * (1 / rate + again + rerun). */
double failure_goodput(const failure_result *r, double rate);

#ifdef __cplusplus
}
#endif

#endif
