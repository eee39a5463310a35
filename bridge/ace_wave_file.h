/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wave_file.h -- detects waveforms of this process that were not written completely
 *
 * Verilator's FST writer does not check its writes, so a waveform on a full disk would end in the
 * middle without an error.  The writer is compiled with ace_wave_errors.h included first, which
 * closes each of its files through ace_wave_close().  A stream remembers a failed write until it is
 * closed, so checking at the end is enough.
 *
 *     const unsigned before = ace_wave_failures();
 *     ... a node writes its waveform and is destroyed ...
 *     whole = ace_wave_failures() == before;
 *
 * Rules that hold for every call
 *   Threads   Any.  The count covers the waveforms of all threads together.
 */
#ifndef ACE_WAVE_FILE_H
#define ACE_WAVE_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The number of waveform files so far that could not be opened or are incomplete. */
unsigned ace_wave_failures(void);

/* Counts one more failure; for a caller that could not open a waveform. */
void ace_wave_failed(void);

#ifdef __cplusplus
}
#endif

#endif
