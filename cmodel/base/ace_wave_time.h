/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wave_time.h -- the axis of time of every waveform: picoseconds of the node's clock
 *
 * All waveforms have a timescale of 1 ps.  A cycle begins with the rising edge of the clock and
 * lasts as long as a real one does, so a viewer measures real time.  Where the period is no whole
 * number of picoseconds, cycles differ by one.  The clock falls halfway.
 *
 *      cycle c               cycle c + 1
 *   ___/~~~~~~~~~\_________/~~~~~~~~~\____
 *      ^ ace_wave_time(c)  ^ ace_wave_time(c + 1)
 */
#ifndef ACE_WAVE_TIME_H
#define ACE_WAVE_TIME_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The clock of runs without a cluster, such as `acesim lockstep`. */
#define ACE_WAVE_CLOCK_MHZ 1245.0

/* When a cycle begins, in picoseconds. */
static inline uint64_t ace_wave_time(double clock_MHz, uint64_t cycle) {
    return (uint64_t)((double)cycle * 1e6 / clock_MHz);
}

/* When the clock falls within the cycle, in picoseconds. */
static inline uint64_t ace_wave_fall(double clock_MHz, uint64_t cycle) {
    const uint64_t begin = ace_wave_time(clock_MHz, cycle);
    return begin + (ace_wave_time(clock_MHz, cycle + 1) - begin) / 2;
}

#ifdef __cplusplus
}
#endif

#endif
