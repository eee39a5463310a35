/* SPDX-License-Identifier: Apache-2.0 */
/*
 * soak.h -- one node as a pair of cores, in a fabric of twins under random work
 */
#ifndef SOAK_H
#define SOAK_H

#include "ace_lockstep.h"
#include "soak_cover.h"

#ifdef __cplusplus
extern "C" {
#endif

/* One node as a pair in a cluster of twins, each dimension a ring, a switch or fully connected;
 * random members, algorithms, rates, latencies, partitions, collectives, memory back-pressure and
 * resets, for at least `cycles` busy cycles of the pair.  With upsets, in a share of the runs the
 * pair's scratchpad has upsets, or its memory answers with an error: a run ends with a row that
 * is lost.  make_second gives the second core of the pair, and make_first the first one where
 * that is not the C twin of the node: an engine, whose commands come later than at other nodes,
 * so that the order is FIFO, and whose memory makes no errors. */
typedef struct soak_work {
    uint64_t seed, cycles;
    bool upsets;
    ace_parameters parameters;
    int (*make_first)(const ace_parameters *, const ace_config *, uint32_t seed,
                      ace_core **); /* may be NULL */
    int (*make_second)(const ace_parameters *, const ace_config *, uint32_t seed, ace_core **);
    FILE *log;         /* a failed run's circumstances go here; may be NULL */
    ace_watch watch;   /* look may be NULL */
    bool faults;       /* in a share of the runs links change bits of what is sent */
    uint64_t dice;     /* 0, or where a run began that is to be repeated */
    soak_cover *cover; /* what was met is counted here; may be NULL */
    /* results */
    uint64_t began, differs; /* dice of the last run; cycle of its difference, if by pin */
    uint64_t busy_cycles, runs, runs_on_hubs, runs_agreed, collectives, resets, packets, resent;
    uint64_t corrected, lost; /* rows of the pair's scratchpad; runs that ended with a row lost */
    char difference[256];     /* empty when equal */
} soak_work;
/* ACE_OK, or ACE_EPROTO with `difference` set: pins differ, a hang, or a wrong value. */
int soak_run(soak_work *soak);

#ifdef __cplusplus
}
#endif

#endif
