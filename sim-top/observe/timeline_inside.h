/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_inside.h -- the internal state of a timeline
 *
 * It is shared by timeline.c and by tests/unit/loaded_test.cc, which checks what a loaded state
 * must fulfil.
 */
#ifndef TIMELINE_INSIDE_H
#define TIMELINE_INSIDE_H

#include "chunk_stays.h"
#include "timeline.h"
#include "timeline_file.h"

enum {
    REPRESENTATIVE_BYTES = 256 << 10, /* of the limit, for each representative that is drawn */
    BATCH_INTERVALS = 64,             /* between two transfers of the batches */
    CLASSES = 3,                      /* busy, blocked, starved; the rest is idle */
    FSMS = 4 * ACE_PHASES,
    POINTS = 4096 /* changes that may still be reordered, before the first one is applied */
};

/* A value that is summed over time. */
typedef struct gauge {
    uint64_t from, at; /* beginning of the interval; cycle up to which it is summed */
    uint64_t area;
    uint32_t held;
} gauge;

/* A change of the number of chunks in an FSM. */
typedef struct point {
    uint64_t cycle;
    int16_t change;
    uint16_t fsm;
} point;

typedef struct meter {
    /* units: since `from`, as they were in cycle `last` */
    uint64_t from, last;
    uint64_t was[TIMELINE_UNITS][CLASSES], sum[TIMELINE_UNITS][CLASSES];
    uint64_t traffic_was[EVENT_TRAFFIC_VALUES], traffic[EVENT_TRAFFIC_VALUES];
    gauge collectives, chunks;
    uint32_t held[FSMS];           /* chunks */
    uint64_t busy[FSMS];           /* cycles in the interval of `chunks` */
    event step[2];                 /* of compute, which may be merged with the next; to 0: none */
    uint64_t lane[TIMELINE_LANES]; /* of collectives: the cycle from which the track is free */
    uint32_t points;
    uint64_t count; /* events in the batch */
    /* own */
    point *point;
    event *batch;
    uint64_t room;
    bool failed;
} meter;

/* A counter of a node: a class of a unit, or a count of bytes. */
typedef struct source {
    uint8_t unit, class_; /* if unit is TIMELINE_UNITS, class_ is the index among the byte counts */
    bool used;
} source;

struct timeline {
    const machine *machine;
    const output *output;
    fabric *f;
    timeline_names names;
    timeline_file *file; /* only in process 0 */
    chunk_stays *watch;  /* or NULL */
    source source[STATISTICS];
    bool wires; /* units and traffic are counted */
    unsigned per_phase, units;
    unsigned level[DETAILS];
    uint64_t due; /* cycle of the next transfer of the batches */
    meter *meter; /* for each representative that may be drawn */
};

#endif
