/* SPDX-License-Identifier: Apache-2.0 */
/* output.h -- what a run writes, and where; none of these values changes a cycle of its result */
#ifndef OUTPUT_H
#define OUTPUT_H

#include <stdbool.h>
#include <stdint.h>

#include "values.h"

/* A request for a waveform: which node, which cycles, which file. */
typedef struct wave_request {
    const char *file; /* NULL: no waveform */
    unsigned node;
    uint64_t from, to; /* cycles */
} wave_request;

typedef struct output {
    format format;
    bool all;                /* the table has all values, not only the answer */
    bool interval;           /* the result of the rung calibrated also has its interval */
    const char *compare;     /* endpoints to compare, or NULL: see compare.h */
    unsigned jobs;           /* endpoints that run at a time */
    const char *report;      /* HTML page, or NULL */
    const char *timeline;    /* file, or NULL */
    uint64_t timeline_limit; /* bytes */
    const char *folder;      /* for all files of the run, or NULL */
    unsigned samples;        /* maximum points of the traffic over time; 0: none */
    wave_request wave;
    const char *record; /* folder, or NULL */
    unsigned record_node;
} output;

#endif
