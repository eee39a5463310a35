/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_event.h -- what a timeline is made of, and how its detail is halved
 *
 * An event is what becomes some lines of the file.  Its detail class says what it competes with
 * for room; at level n of a class
 *   intervals   are 1024 << n cycles long
 *   chunks      are those of every (1 << n)-th turn of a context
 *   spans       of compute that begin in the same 1024 << n cycles are one, from level 1 on;
 *               collectives are those of every (1 << n)-th id
 */
#ifndef TIMELINE_EVENT_H
#define TIMELINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

typedef enum event_kind {
    EVENT_UNIT,       /* track: the unit; value: busy, blocked, starved */
    EVENT_FSM,        /* track: the FSM; the same */
    EVENT_TRAFFIC,    /* value: bytes sent on each dimension, read, written */
    EVENT_QUEUE,      /* track: 0 collectives, 1 chunks; value: their number times cycles */
    EVENT_COMPUTE,    /* track: 0, or 1 in the background; value: steps, cycles of them */
    EVENT_COLLECTIVE, /* track: where it is drawn; value: id */
    EVENT_STAY,       /* value: granted, sent, received (first and last), left the phase before */
    EVENT_KINDS
} event_kind;
enum { EVENT_TRAFFIC_VALUES = ACE_DIMENSIONS + 2, EVENT_VALUES = 6, NO_PHASE = 255 };

typedef struct event {
    uint8_t kind;
    uint8_t phase, context, mark, link;
    uint8_t before; /* the phase the chunk comes from, or NO_PHASE */
    uint16_t track;
    uint32_t representative, label;
    uint32_t turn, before_turn; /* of the context, in its phase and the one before */
    uint32_t packets[2];        /* sent, received */
    uint64_t from, to;
    uint64_t value[EVENT_VALUES];
} event;

typedef enum event_detail { DETAIL_INTERVALS, DETAIL_CHUNKS, DETAIL_SPANS, DETAILS } event_detail;

static inline event_detail event_detail_of(const event *e) {
    return e->kind <= EVENT_QUEUE  ? DETAIL_INTERVALS
           : e->kind == EVENT_STAY ? DETAIL_CHUNKS
                                   : DETAIL_SPANS;
}

enum { DETAIL_LEVELS = 40, FIRST_WIDTH_BITS = 10 };
static inline uint64_t event_width(unsigned level) {
    return UINT64_C(1) << (FIRST_WIDTH_BITS + level);
}
/* Of a chunk's turn or a collective's id: is it drawn at this level? */
static inline bool event_drawn(uint64_t number, unsigned level) {
    return !(number & ((UINT64_C(1) << level) - 1));
}
/* Two events of a track, one after the other, are one at this level. */
static inline bool event_together(const event *a, const event *b, unsigned level) {
    return a->from / event_width(level) == b->from / event_width(level);
}
static inline void event_merge(event *to, const event *from) {
    to->to = from->to;
    for (unsigned i = 0; i < EVENT_VALUES; i++) to->value[i] += from->value[i];
}

#endif
