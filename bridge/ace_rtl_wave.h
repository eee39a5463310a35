/* SPDX-License-Identifier: Apache-2.0 */
/* ace_rtl_wave.h -- the waveform that a Verilated model is to write, see ace_rtl_trace.h */
#ifndef ACE_RTL_WAVE_H
#define ACE_RTL_WAVE_H

#include <stdint.h>

typedef struct ace_rtl_wave {
    const char *file;  /* FST */
    uint64_t from, to; /* cycles [from, to) */
    double clock_MHz;  /* above 0: a cycle lasts as long as it does there, see ace_wave_time.h */
} ace_rtl_wave;

#endif
