/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_lockstep.h -- two cores in one node, compared on every pin in every cycle
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

#include "ace_core.h"

#ifdef __cplusplus
extern "C" {
#endif

int ace_lockstep_core_create(ace_core *first, ace_core *second, unsigned dimensions,
                             ace_core **core);
const char *ace_lockstep_difference(const ace_core *core);
/* The cycle of the difference; the pair's present cycle when there is none. */
uint64_t ace_lockstep_cycle(const ace_core *core);

/* Observes a pair in each cycle in which it ticks, before the edge. */
typedef struct ace_watch {
    void (*check)(void *self, uint64_t cycle, ace_core *first, ace_core *second,
                  const ace_pins_in *in);
    void *self;
} ace_watch;
void ace_lockstep_watch(ace_core *core, ace_watch watch);
/* Compares the counters of all units, which otherwise happens every 1024 cycles. */
void ace_lockstep_compare_counts(ace_core *core);
/* Cycles in which the pair ticked. */
uint64_t ace_lockstep_busy(const ace_core *core);

#ifdef __cplusplus
}
#endif

#endif
