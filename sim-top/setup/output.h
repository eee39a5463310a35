/* SPDX-License-Identifier: Apache-2.0 */
/* output.h -- what a run writes, and where: none of this changes a cycle of its result */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "values.h"

/* Which node's waveform is written, in which cycles, and where. */
typedef struct wave_request {
    const char *file; /* NULL: none is */
    unsigned node;
    uint64_t from, to; /* cycles */
} wave_request;

typedef struct output {
    format format;
    bool all;                /* a table says everything, not only the answer */
    bool interval;           /* the result of the rung calibrated has its interval, too */
    const char *compare;     /* endpoints that run the same, or NULL: see compare.h */
    unsigned jobs;           /* of those at a time */
    const char *report;      /* page of HTML, or NULL */
    const char *timeline;    /* file, or NULL */
    uint64_t timeline_limit; /* bytes */
    const char *folder;      /* of all files of the run, or NULL */
    unsigned samples;        /* points of the traffic over time, at most; 0: none */
    wave_request wave;
    const char *record; /* folder, or NULL */
    unsigned record_node;
} output;

#endif
