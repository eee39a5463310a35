/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wave_file.h -- whether the waveforms of this process were written whole
 *
 * The FST writer that Verilator brings looks at none of its writes, so a waveform on a full disk
 * ends in the middle and nobody is told.  It is compiled with ace_wave_errors.h before it, which
 * sends each of its files through ace_wave_close(): a stream remembers that one of its writes
 * failed until it is closed.
 *
 *     const unsigned before = ace_wave_failures();
 *     ... a node writes its waveform and is destroyed ...
 *     whole = ace_wave_failures() == before;
 *
 * Rules that hold for every call
 *   Threads   any; waveforms of several threads are told apart by nobody
 */
#ifndef ACE_WAVE_FILE_H
#define ACE_WAVE_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Files of waveforms so far that could not be made, or were closed with a part missing. */
unsigned ace_wave_failures(void);

/* One more: for who opens a waveform and finds it closed. */
void ace_wave_failed(void);

#ifdef __cplusplus
}
#endif

#endif
