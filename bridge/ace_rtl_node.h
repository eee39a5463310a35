/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_node.h -- the Verilated rtl/ace_node.v behind the node interface: the `rtl` rung
 *
 * The C++ class stays in ace_rtl_node.cc.  Two parameter sets are built: the default one
 * and the small one of cmake/ace_node_small.parameters; others are refused.
 */
#ifndef ACE_RTL_NODE_H
#define ACE_RTL_NODE_H

#include "ace_node_pins.h"

#ifdef __cplusplus
extern "C" {
#endif

#define ACE_PARAMETERS_SMALL                                                                      \
    {                                                                                             \
        .fsms = 4, .contexts = 4, .bank_rows = 256, .link_input_rows = 16, .link_output_rows = 2, \
        .commands = 4, .memory_bursts = 2                                                         \
    }

/* The RTL as a core.  wave: FST file for cycles [from, to), or NULL; tracing costs nothing
 * outside the window.  seed: what registers hold before reset.
 * ACE_EINVAL: configuration, or a parameter set that is not built.  ACE_ENOMEM. */
int ace_rtl_core_create(const ace_parameters *p, const ace_config *cfg, bool payload, uint32_t seed,
                        const char *wave, uint64_t from, uint64_t to, ace_core **core);

/* The RTL as a node of a fabric. */
int ace_rtl_node_create(const ace_node_setup *setup, const char *wave, uint64_t from, uint64_t to,
                        ace_node **node);

#ifdef __cplusplus
}
#endif

#endif
