/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak.h -- runs random work on a fabric of twins in which one node is a pair of cores
 */
#ifndef SOAK_H
#define SOAK_H

#include "ace_lockstep.h"
#include "soak_cover.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * One node of a cluster of twins is a pair of cores. Each dimension is a ring, a switch or fully
 * connected. Members, algorithms, rates, latencies, partitions, collectives, memory back-pressure
 * and resets are random. The soak runs for at least `cycles` busy cycles of the pair.
 *
 * With upsets, in some runs the pair's scratchpad has upsets or its memory answers with an error.
 * Such a run ends when a row is lost.
 *
 * make_second makes the second core of the pair. make_first makes the first one if it is not the C
 * twin of the node: an engine. An engine gets commands later than the other nodes, so the order is
 * FIFO, and its memory makes no errors.
 */
typedef struct soak_work {
    uint64_t seed, cycles;
    bool upsets;
    ace_parameters parameters;
    int (*make_first)(const ace_parameters *, const ace_config *, uint32_t seed,
                      ace_core **); /* may be NULL */
    int (*make_second)(const ace_parameters *, const ace_config *, uint32_t seed, ace_core **);
    FILE *log;         /* gets the details of a failed run; may be NULL */
    ace_watch watch;   /* look may be NULL */
    bool faults;       /* in some runs links flip bits */
    uint64_t dice;     /* 0, or the state of the dice at the beginning of a run to repeat */
    soak_cover *cover; /* counts what was met; may be NULL */
    /* results */
    uint64_t began, differs; /* dice of the last run; cycle of its difference, if at a pin */
    uint64_t busy_cycles, runs, runs_on_hubs, runs_agreed, collectives, resets, packets, resent;
    /* corrected rows of the pair's scratchpad; runs that ended with a lost row */
    uint64_t corrected, lost;
    char difference[256]; /* "" if there is no difference */
} soak_work;
/* Returns ACE_OK, or ACE_EPROTO with `difference` set if pins differ, a run hangs, or a value is
 * wrong. */
int soak_run(soak_work *soak);

#ifdef __cplusplus
}
#endif

#endif
