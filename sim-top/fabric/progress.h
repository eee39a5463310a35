/* SPDX-License-Identifier: Apache-2.0 */
/*
 * progress.h -- prints how much of a run is done and how long the rest will take
 *
 * At a terminal the line is rewritten each second. Elsewhere it is a new line of a log, after ten
 * seconds and then each time the run has taken twice as long. So a user sees early that
 * a number was too large.
 */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

enum { PROGRESS_WIDTH = 60 }; /* columns of the rewritten line */

typedef struct meter {
    bool tty;          /* stderr is a terminal */
    bool log;          /* stderr is a log that somebody may read */
    bool begun;        /* what follows is set */
    int shown;         /* percent */
    unsigned tick;     /* calls so far */
    double from, last; /* time of the first call, and of the last line, seconds */
    double due;        /* seconds after the start at which the next line of a log is due */
    double first;      /* share done at the first call: more than 0 in a resumed run */
} meter;

/* Prints a line on stderr if the percentage has changed, or a second after the last line. share: 0
 * to 1. */
void progress_show(meter *m, double share, uint64_t cycle);

#endif
