/* SPDX-License-Identifier: Apache-2.0 */
/*
 * first_difference.h -- finds the register that caused a difference at a pin
 *
 * The cluster in which RTL and twin differed runs again, and all registers that the twin names are
 * compared in every cycle. A further run writes the registers of both sides around that cycle to
 * one waveform.
 */
#ifndef FIRST_DIFFERENCE_H
#define FIRST_DIFFERENCE_H

#include <stdio.h>

#include "soak.h"

typedef struct first_difference {
    bool found; /* false: the pin differs before any register that the twin names */
    char name[96];
    bool array;
    unsigned at, number;       /* entry in an array; index among the pairs of ace_registers_each */
    uint64_t cycle, rtl, twin; /* first cycle of the difference, and both values */
} first_difference;

/* failed: a soak that ended with an error; its watch is called as before. wave: an FST file, next
 * to which a view is written, or NULL. Writes to `to` what is found. Returns EXIT_OK, or EXIT_USAGE
 * or EXIT_CHECK after a message. */
int first_difference_find(const soak_work *failed, const char *wave, FILE *to, first_difference *d);

#endif
