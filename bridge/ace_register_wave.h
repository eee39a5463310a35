/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_register_wave.h -- the registers of both twins in one waveform
 *
 * A register appears as rtl.UNIT.NAME and twin.UNIT.NAME.  Bits that are meaningless in a cycle
 * are x on the twin's side.  `differ` counts the registers that differ; `cycle` is the number of
 * the cycle.  ace_wave_time.h defines the axis of time, with ACE_WAVE_CLOCK_MHZ.
 */
#ifndef ACE_REGISTER_WAVE_H
#define ACE_REGISTER_WAVE_H

#include "ace_rtl_registers.h"
#include "ace_wave_time.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_register_wave ace_register_wave;

/* ACE_OK, ACE_EINVAL (the file cannot be written) or ACE_ENOMEM. */
int ace_register_wave_open(const char *file, ace_registers *both, ace_register_wave **wave);
/* The present values, in cycle `cycle`; cycles ascend. */
void ace_register_wave_dump(ace_register_wave *wave, uint64_t cycle);
void ace_register_wave_close(ace_register_wave *wave); /* NULL is allowed */

#ifdef __cplusplus
}
#endif
#endif
