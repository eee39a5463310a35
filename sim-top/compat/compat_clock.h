/* SPDX-License-Identifier: Apache-2.0 */
/*
 * compat_clock.h -- the event queue of ASTRA-sim 2.x's analytical backends
 *
 * Ticks are 1 ns. Events of one tick run in the order in which they were scheduled.
 *
 *     compat_clock_after(&c, 5, (compat_call){ report, self, 1, 2 });
 *     while (compat_clock_step(&c)) ...        calls report(self, 1, 2) at tick 5
 *     compat_clock_free(&c);
 */
#ifndef COMPAT_CLOCK_H
#define COMPAT_CLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct compat_call {
    void (*call)(void *self, void *of, uint64_t what);
    void *self, *of;
    uint64_t what;
} compat_call;

typedef struct compat_event {
    uint64_t time, number;
    compat_call call;
} compat_event;

typedef struct compat_clock {
    uint64_t now, numbers;
    bool out_of_memory; /* an event was lost: the result is invalid */
    bool beyond;        /* an event was lost, because its time has more than 64 bits */
    compat_event *at;   /* a binary heap */
    size_t count, room;
} compat_clock;

/* Schedules a call after `ticks` ticks. */
void compat_clock_after(compat_clock *c, uint64_t ticks, compat_call call);
/* Returns a time in whole ticks. More than 64 bits give UINT64_MAX, for which no event can wait. */
uint64_t compat_ticks(double ns);
/* Runs the next event. Returns false if there is none. */
bool compat_clock_step(compat_clock *c);
void compat_clock_free(compat_clock *c);

#ifdef __cplusplus
}
#endif

#endif
