/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_lockstep.h -- two cores in one place, compared on every pin in every cycle
 *
 *     ace_lockstep_core_create(twin, rtl, dimensions, &core);     takes both over
 *     ace_driver_create(core, &setup, &node);               a node like any other
 *     ... run the fabric ...
 *     const char *difference = ace_lockstep_difference(core);    NULL: equal so far
 *
 * The pair drives its neighbours with the first core's pins.  At the first difference it
 * keeps cycle, pin and both values and compares no more.
 */
#ifndef ACE_LOCKSTEP_H
#define ACE_LOCKSTEP_H

#include "ace_node_pins.h"

#ifdef __cplusplus
extern "C" {
#endif

int ace_lockstep_core_create(ace_core *first, ace_core *second, unsigned dimensions,
                             ace_core **core);
const char *ace_lockstep_difference(const ace_core *core);
/* The cycle of the difference; that of the pair when there is none. */
uint64_t ace_lockstep_cycle(const ace_core *core);

/* Looks at a pair in each cycle in which it ticks, before the edge. */
typedef struct ace_watch {
    void (*look)(void *self, uint64_t cycle, ace_core *first, ace_core *second,
                 const ace_pins_in *in);
    void *self;
} ace_watch;
void ace_lockstep_watch(ace_core *core, ace_watch watch);

/* A random soak: one node as a pair in a torus of twins, random torus, rates, latencies,
 * partitions, collectives, memory back-pressure and resets, for at least `cycles` busy
 * cycles of the pair; with upsets, also upsets of the pair's scratchpad in a share of the runs,
 * one of which ends when a row cannot be corrected.  make_second gives the second core of the
 * pair, and make_first the first one where that is not the C twin of the node: an engine, whose
 * commands come later than at other nodes, so that the order is FIFO. */
typedef struct ace_soak {
    uint64_t seed, cycles;
    bool upsets;
    ace_parameters parameters;
    int (*make_first)(const ace_parameters *, const ace_config *, uint32_t seed,
                      ace_core **); /* may be NULL */
    int (*make_second)(const ace_parameters *, const ace_config *, uint32_t seed, ace_core **);
    FILE *log;       /* a failed run's circumstances go here; may be NULL */
    ace_watch watch; /* look may be NULL */
    bool faults;     /* in a share of the runs links change bits of what is sent */
    uint64_t dice;   /* 0, or where a run began that is to be repeated */
    /* results */
    uint64_t began, differs; /* dice of the last run; cycle of its difference, if by pin */
    uint64_t busy_cycles, runs, collectives, resets, packets, resent;
    uint64_t corrected, lost; /* rows of the pair's scratchpad; runs that ended so */
    char difference[256];     /* empty when equal */
} ace_soak;
/* ACE_OK, or ACE_EPROTO with `difference` set: pins differ, a hang, or a wrong value. */
int ace_soak_run(ace_soak *soak);

#ifdef __cplusplus
}
#endif

#endif
