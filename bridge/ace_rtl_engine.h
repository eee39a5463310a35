/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_engine.h -- the Verilated rtl/ace_engine.v as an engine (ace_engine.h)
 */
#ifndef ACE_RTL_ENGINE_H
#define ACE_RTL_ENGINE_H

#include "ace_engine.h"
#include "ace_rtl_wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameter sets that are built, by number, and their places for completions; NULL past
 * the last. */
const ace_parameters *ace_rtl_engine_parameters(unsigned set, unsigned *completions);

/* In its reset state.  wave: what to write, or NULL.  seed: what registers
 * hold before reset.  The state of one cannot be saved.
 * ACE_EINVAL: a parameter set that is not built.  ACE_ENOMEM. */
int ace_rtl_engine_create(const ace_parameters *p, bool payload, uint32_t seed,
                          const ace_rtl_wave *wave, ace_engine **engine);

#ifdef __cplusplus
}
#endif
#endif
