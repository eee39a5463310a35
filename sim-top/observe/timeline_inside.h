/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline_inside.h -- what a timeline is made of, for timeline.c and for the test of what a
 * loaded state must hold (tests/unit/loaded_test.cc)
 */
#ifndef TIMELINE_INSIDE_H
#define TIMELINE_INSIDE_H

#include "chunk_stays.h"
#include "timeline.h"
#include "timeline_file.h"

enum {
    REPRESENTATIVE_BYTES = 256 << 10, /* of the limit, for each representative that is drawn */
    BATCH_INTERVALS = 64,             /* between two looks at the batches */
    CLASSES = 3,                      /* busy, blocked, starved; the rest is idle */
    FSMS = 4 * ACE_PHASES,
    POINTS = 4096 /* changes not yet settled, before the first is taken as it is */
};

/* What a counter's sum over time comes from. */
typedef struct gauge {
    uint64_t from, at; /* the interval, and how far in it */
    uint64_t area;
    uint32_t held;
} gauge;

/* An FSM has one chunk more or less. */
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
    uint64_t busy[FSMS];           /* cycles of the interval of `chunks` */
    event step[2];                 /* of compute, to be merged with what follows; to 0: none */
    uint64_t lane[TIMELINE_LANES]; /* of collectives: free from then on */
    uint32_t points;
    uint64_t count; /* of the batch */
    /* own */
    point *point;
    event *batch;
    uint64_t room;
    bool failed;
} meter;

/* A counter of a node: a class of a unit, or bytes. */
typedef struct source {
    uint8_t unit, class_; /* unit TIMELINE_UNITS: class_ is the place among the bytes */
    bool used;
} source;

struct timeline {
    const machine *machine;
    const output *output;
    fabric *f;
    timeline_names names;
    timeline_file *file; /* at process 0 */
    chunk_stays *watch;  /* or NULL */
    source source[STATISTICS];
    bool wires; /* units and traffic are counted */
    unsigned per_phase, units;
    unsigned level[DETAILS];
    uint64_t due; /* the batches are looked at */
    meter *meter; /* of each representative that may be drawn */
};

#endif
