/* SPDX-License-Identifier: Apache-2.0 */
/*
 * first_difference.h -- from the pin that differs back to the register that did first
 *
 * The cluster in which RTL and twin differed is run again, with all registers that the twin
 * names compared in every cycle, and once more to write both sides' registers around that
 * moment into one waveform.
 */
#ifndef FIRST_DIFFERENCE_H
#define FIRST_DIFFERENCE_H

#include <stdio.h>

#include "soak.h"

typedef struct first_difference {
    bool found; /* false: the pin differs before any register that the twin names */
    char name[96];
    bool array;
    unsigned at, number;       /* entry; place among the pairs of ace_registers_each */
    uint64_t cycle, rtl, twin; /* from this cycle on */
} first_difference;

/* failed: a soak that ended with an error; its watch is called as before.  wave: FST file, or
 * NULL; a view of it goes beside it.  Says on `to` what is found.  EXIT_OK, or EXIT_USAGE or
 * EXIT_CHECK after a message. */
int first_difference_find(const soak_work *failed, const char *wave, FILE *to, first_difference *d);

#endif
