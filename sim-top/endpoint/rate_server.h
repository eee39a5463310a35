/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate_server.h -- serves rows at a rate that may be more than one a cycle
 *
 * Time is in cycles with RATE_SERVER_FRACTION binary places, so rows leave at the exact rate,
 * whatever part of a cycle each takes. Service is counted as it is used: a cycle is busy when a
 * whole cycle of service has accumulated. So the number of busy cycles is rows x cost.
 */
#ifndef RATE_SERVER_H
#define RATE_SERVER_H

#include "ace_cycle_classes.h"

enum { RATE_SERVER_FRACTION = 24 };

typedef struct rate_server {
    uint64_t cost; /* cycles of a row, with binary places; above 0 */
    uint64_t free; /* time at which everything taken so far has been served */
    uint64_t owed; /* service not counted yet */
    ace_cycle_classes cycles;
} rate_server;

/* Returns whether a row can begin in this cycle. */
static inline bool rate_server_open(const rate_server *s, uint64_t cycle) {
    return s->free >> RATE_SERVER_FRACTION <= cycle;
}
/* Takes rows that begin at time `begin`, or after earlier ones. Returns the time at which the last
 * has been served. */
static inline uint64_t rate_server_take(rate_server *s, uint64_t begin, unsigned rows) {
    const uint64_t service = rows * s->cost;
    s->free = (s->free > begin ? s->free : begin) + service;
    s->owed += service;
    return s->free;
}
/* Returns the first cycle that begins at this time or later. */
static inline uint64_t rate_server_cycle(uint64_t time) {
    return (time + (UINT64_C(1) << RATE_SERVER_FRACTION) - 1) >> RATE_SERVER_FRACTION;
}
/* Counts cycles: as busy while service is owed, else in *otherwise. */
static inline void rate_server_count(rate_server *s, uint64_t cycles, uint64_t *otherwise) {
    const uint64_t owed = s->owed >> RATE_SERVER_FRACTION, busy = owed < cycles ? owed : cycles;
    s->owed -= busy << RATE_SERVER_FRACTION;
    s->cycles.busy += busy;
    *otherwise += cycles - busy;
}

#endif
