/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_node.h -- the Verilated rtl/ace_node.v behind the node interface: the `rtl` rung
 *
 * The C++ class stays in ace_rtl_node_core.h, of which ace_rtl_set.cc makes one for each set of
 * parameters.  The default set is in the program, others are objects beside it (ace_rtl_set.h);
 * parameters that no set has are refused.
 */
#ifndef ACE_RTL_NODE_H
#define ACE_RTL_NODE_H

#include "ace_core.h"
#include "ace_node.h"
#include "ace_rtl_wave.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The parameter sets that are built, by number: 0 is "default".  NULL past the last. */
const ace_parameters *ace_rtl_parameters(unsigned set, const char **name);

/* The RTL as a core.  wave: what to write, of which the file's name stays the caller's, or
 * NULL; tracing costs nothing outside its window.  seed: what registers hold before reset.
 * ACE_EINVAL: configuration, or a parameter set that is not built.  ACE_ENOMEM. */
int ace_rtl_core_create(const ace_parameters *p, const ace_config *cfg, bool payload, uint32_t seed,
                        const ace_rtl_wave *wave, ace_core **core);

/* The RTL as a node of a fabric. */
int ace_rtl_node_create(const ace_node_setup *setup, const ace_rtl_wave *wave, ace_node **node);

#ifdef __cplusplus
}
#endif

#endif
