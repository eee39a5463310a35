/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_event.h -- the events of a timeline, and how their detail is halved
 *
 * An event becomes some lines of the file. Its detail class names the events with which it shares a
 * part of the limit. At level n of a class:
 *   intervals   are 1024 << n cycles long
 *   chunks      every (1 << n)-th stay of a context is kept
 *   spans       from level 1 on, compute that begins in the same 1024 << n cycles is merged;
 *               collectives are kept if their id is a multiple of 1 << n
 */
#ifndef TIMELINE_EVENT_H
#define TIMELINE_EVENT_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

typedef enum event_kind {
    EVENT_UNIT,       /* track: the unit; value: busy, blocked, starved */
    EVENT_FSM,        /* track: the FSM; value: as for a unit */
    EVENT_TRAFFIC,    /* value: bytes sent on each dimension, read, written */
    EVENT_QUEUE,      /* track: 0 collectives, 1 chunks; value: their number times cycles */
    EVENT_COMPUTE,    /* track: 0, or 1 in the background; value: steps, and their cycles */
    EVENT_COLLECTIVE, /* track: the lane in which it is drawn; value: id */
    /* value: granted, sent, received (first and last), when it left the previous phase */
    EVENT_STAY,
    EVENT_KINDS
} event_kind;
enum { EVENT_TRAFFIC_VALUES = ACE_DIMENSIONS + 2, EVENT_VALUES = 6, NO_PHASE = 255 };

typedef struct event {
    uint8_t kind;
    uint8_t phase, context, mark, link;
    uint8_t before; /* the phase that the chunk comes from, or NO_PHASE */
    uint16_t track;
    uint32_t representative, label;
    /* number of the stay in its context, here and in the previous phase */
    uint32_t stay, before_stay;
    uint32_t packets[2]; /* packets sent, received */
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
/* Returns whether the chunk's stay or the collective with this number is drawn at this level. */
static inline bool event_drawn(uint64_t number, unsigned level) {
    return !(number & ((UINT64_C(1) << level) - 1));
}
/* Returns whether two consecutive events of a track are merged at this level. */
static inline bool event_together(const event *a, const event *b, unsigned level) {
    return a->from / event_width(level) == b->from / event_width(level);
}
static inline void event_merge(event *to, const event *from) {
    to->to = from->to;
    for (unsigned i = 0; i < EVENT_VALUES; i++) to->value[i] += from->value[i];
}

#endif
