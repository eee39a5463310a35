/* SPDX-License-Identifier: Apache-2.0 */
/* calibrate_order.h -- what a calibration measures, and how */
#ifndef CALIBRATE_ORDER_H
#define CALIBRATE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

typedef struct calibrate_order {
    const char *cluster;  /* file */
    const char *name;     /* name of that file in messages */
    const char *database; /* SQLite */
    const char *rung;     /* cycle or rtl */
    unsigned jobs, held_out;
    uint64_t seed;
    const struct experiment *given; /* experiments instead of a grid; NULL: none */
    unsigned given_count;
    bool quick, quiet;
} calibrate_order;

#endif
