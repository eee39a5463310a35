/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wheel.h -- which links have something to do in which of the next cycles
 *
 *     ace_wheel_put(w, now, cycle, link);    cycle > now
 *     set = ace_wheel_take(w, now);          in each cycle in turn: a bit a link
 *
 * A cycle too far ahead is put at the wheel's end: what comes early is put again.
 */
#ifndef ACE_WHEEL_H
#define ACE_WHEEL_H

#include <stdint.h>
#include <string.h>

enum { ACE_WHEEL_CYCLES = 256 };

typedef struct ace_wheel {
    uint8_t links[ACE_WHEEL_CYCLES];
} ace_wheel;

static inline void ace_wheel_clear(ace_wheel *w) { memset(w, 0, sizeof *w); }

static inline void ace_wheel_put(ace_wheel *w, uint64_t now, uint64_t cycle, unsigned link) {
    const uint64_t end = now + ACE_WHEEL_CYCLES - 1, at = cycle < end ? cycle : end;
    uint8_t *links = &w->links[at % ACE_WHEEL_CYCLES];
    *links = (uint8_t)(*links | 1u << link);
}

static inline unsigned ace_wheel_take(ace_wheel *w, uint64_t now) {
    uint8_t *links = &w->links[now % ACE_WHEEL_CYCLES];
    const unsigned set = *links;
    *links = 0;
    return set;
}

#endif
