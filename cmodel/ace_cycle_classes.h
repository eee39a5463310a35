/* SPDX-License-Identifier: Apache-2.0 */
/* ace_cycle_classes.h -- the C twin of rtl/ace_cycle_classes.v: each cycle in one class */
#ifndef ACE_CYCLE_CLASSES_H
#define ACE_CYCLE_CLASSES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ace_cycle_classes {
    uint64_t busy, starved, blocked, idle; /* cycles since reset */
} ace_cycle_classes;

static inline void ace_cycle_classes_tick(ace_cycle_classes *c, bool busy, bool blocked,
                                          bool starved) {
    /* a choice of places, so that no branch is made of it */
    const size_t at = busy      ? offsetof(ace_cycle_classes, busy)
                      : blocked ? offsetof(ace_cycle_classes, blocked)
                      : starved ? offsetof(ace_cycle_classes, starved)
                                : offsetof(ace_cycle_classes, idle);
    ++*(uint64_t *)(void *)((char *)c + at);
}

/* All cycles counted, whatever their class. */
uint64_t ace_cycle_classes_sum(const ace_cycle_classes *c);

#endif
