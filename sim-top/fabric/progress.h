/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h -- how far a run is and how long it will still take
 *
 * At a terminal the line is written over each second.  Elsewhere it is one more of a log, after ten
 * seconds and then each time the run has taken twice as long: who gave a number that is too large
 * is told so.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_WIDTH = 60 }; /* columns of the line, which is written over */

typedef struct meter {
    bool tty;          /* somebody looks */
    bool log;          /* nobody looks, but somebody may read */
    bool begun;        /* what follows is set */
    int shown;         /* percent */
    unsigned tick;     /* calls so far */
    double from, last; /* seconds: of the first call, of the last line */
    double due;        /* seconds of the run at the next line of a log */
    double first;      /* share that was done at the first call: a run may be resumed */
} meter;

/* A line on stderr where anything has changed, or a second after the last.  share: 0 to 1. */
void progress_show(meter *m, double share, uint64_t cycle);

#endif
