/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_wave_file.h -- whether the waveforms of this process were written whole
 *
 * Verilator's FST writer does not check its writes, so a full disk would cut a waveform without an
 * error. The writer is therefore compiled after ace_wave_errors.h, which closes each of its files
 * with ace_wave_close(). A stream remembers a failed write until it is closed, so this call sees
 * the failure.
 *
 *     const unsigned before = ace_wave_failures();
 *     ... a node writes its waveform and is destroyed ...
 *     whole = ace_wave_failures() == before;
 *
 * Rules that hold for every call
 *   Threads   any; failures are not counted separately for threads
 */
#ifndef ACE_WAVE_FILE_H
#define ACE_WAVE_FILE_H

#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Files of waveforms so far that could not be made, or were closed with a part missing. */
unsigned ace_wave_failures(void);

/* Counts one more failure. A caller that opens a waveform and cannot write to it calls it. */
void ace_wave_failed(void);

#ifdef __cplusplus
}
#endif

#endif
