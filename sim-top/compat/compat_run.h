/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_run.h -- traces with the times that ASTRA-sim 2.x's analytical backends give them
 *
 * acesim astra --compat 2.  What is evaluated are the rules of github.com/astra-sim/astra-sim,
 * master at 518bd51, restated: ranks with three slots (CPU, NPU, communication), nodes issued in
 * the order of their ids at the start and after each completion, collectives of chunks and phases
 * (compat_collectives.h), messages over the analytical networks (compat_network.h), times in whole
 * nanoseconds.  Where its rules end in a hang, these do not: NPUs whose collectives stand in each
 * other's slots get another slot, and children of what is over at once begin when nothing else
 * would.
 */
#ifndef COMPAT_RUN_H
#define COMPAT_RUN_H

#include <stdio.h>

#include "astra_check.h"
#include "compat_collectives.h"

typedef struct compat_setup {
    const chakra_setup *chakra;
    const astra_ranks *ranks;
    const compat_system *system;
    bool aware;     /* of congestion */
    unsigned slots; /* of communication; 0: no limit */
    uint32_t window;
    FILE *collectives; /* rows of compat_csv_collective(), or NULL */
} compat_setup;

/* Of an NPU, ns. */
typedef struct compat_time {
    uint64_t finished;
    uint64_t exposed;       /* what it calls so: without the time of compute that was issued */
    uint64_t communication; /* with any under way */
    uint64_t computing;
    uint64_t memory, host; /* with nothing of the above; not of --compat 2 */
} compat_time;

/* The system's file.  EXIT_OK; or EXIT_USAGE after a message with file, line and column. */
int compat_system_read(const char *file, const astra_network *n, astra_system *a, compat_system *s);
/* time: of each NPU.  EXIT_OK; EXIT_USAGE: what it cannot carry out, EXIT_CHECK: NPUs wait for each
 * other, or no memory, after a message. */
int compat_run(const compat_setup *s, compat_time *time);

#endif
