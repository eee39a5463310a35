/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_run.h -- runs traces with the times of ASTRA-sim 2.x's analytical backends
 *
 * This is acesim astra --compat 2. It restates the rules of github.com/astra-sim/astra-sim, master
 * at 518bd51. Ranks have three slots (CPU, NPU, communication). Nodes are issued in the order of
 * their ids, at the start and after each completion. Collectives consist of chunks and phases
 * (compat_collectives.h), and messages cross the analytical networks (compat_network.h). Times are
 * whole nanoseconds.
 *
 * Two deviations avoid hangs. If NPUs' collectives occupy slots that others need, these NPUs get
 * another slot. If nothing else can begin, children of nodes that ended at once begin.
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
    unsigned slots; /* slots for communication; 0: unlimited */
    uint32_t window;
    FILE *collectives; /* rows of compat_csv_collective(), or NULL */
} compat_setup;

/* The times of an NPU, ns. */
typedef struct compat_time {
    uint64_t finished;
    uint64_t exposed; /* ASTRA-sim's definition: total time without the time of issued compute */
    uint64_t communication; /* some communication is under way */
    uint64_t computing;
    uint64_t memory, host; /* nothing of the above is; not with --compat 2 */
} compat_time;

/* Reads the system file. Returns EXIT_OK, or EXIT_USAGE after a message with file, line and
 * column. */
int compat_system_read(const char *file, const astra_network *n, astra_system *a, compat_system *s);
/* Runs the traces. time: for each NPU. Returns EXIT_OK. After a message it returns EXIT_USAGE for
 * something unsupported, or EXIT_CHECK if NPUs wait for each other, or there is no memory. */
int compat_run(const compat_setup *s, compat_time *time);

#endif
