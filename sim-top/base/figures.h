/* SPDX-License-Identifier: Apache-2.0 */
/*
 * figures.h -- numbers as people read them: 1,234,567 and 143.436 us
 *
 * For tables and messages alone: JSON and CSV hold plain numbers, which programs read.
 */
#ifndef FIGURES_H
#define FIGURES_H

enum { FIGURE = 48 }; /* room that each text needs */

/* Each writes to `to`, which it returns. */
const char *figure_count(double v, char to[FIGURE]);              /* 1,234,567 */
const char *figure_real(double v, int decimals, char to[FIGURE]); /* 12,345.678 */
const char *figure_bytes(double v, char to[FIGURE]);              /* 16 MiB, or 1,234 bytes */

/* A unit of time in which a number of microseconds has few digits before its point. */
typedef struct time_unit {
    const char *name;
    double us;
} time_unit;
time_unit figure_time_unit(double us);
const char *figure_time(double us, time_unit in, char to[FIGURE]); /* 143.436 us */

#endif
