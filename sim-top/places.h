/* SPDX-License-Identifier: Apache-2.0 */
/* places.h -- what the cluster says of each node: its rung and its speed */
#ifndef PLACES_H
#define PLACES_H

#include "acesim.h"

typedef enum rung { RUNG_CYCLE, RUNG_RTL, RUNG_IDEAL, RUNG_BASELINE } rung;

extern const char *const rung_names[];

typedef struct places {
    unsigned nodes;
    uint8_t *rung; /* RUNG_CYCLE or RUNG_RTL */
    float *speed;  /* above 0, at most 1 */
} places;

/* Fills the arrays, of `nodes` each.  EXIT_OK, or EXIT_USAGE after a message. */
int places_read(const options *o, places *p);

#endif
