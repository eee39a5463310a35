/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_engine.h -- ACE as a system integrates it: registers, memory, links, interrupt
 *
 * The C twin of rtl/ace_engine.v.  Every engine, twin or RTL, begins with the struct ace_engine: a
 * core as in ace_core.h, and the pins of its registers.
 *
 *     ace_engine *e;
 *     if (ace_cycle_engine_create(&parameters, 64, payload, &e) != ACE_OK) ...
 *     ace_driver_create(&e->core, &setup, &node);       memory and links; takes e over
 *     for (;;) {
 *         e->core.class_->out(&e->core);                sets e->out, the outputs of this cycle
 *         e->in = ...;                                  the inputs of this cycle
 *         ace_node_run(node, now + 1);
 *     }
 *
 * Rules
 *   Commands    Commands come by registers.  The pins s_cmd_* and m_done_* and the error pins are
 *               inside the engine; they are 0 in ace_pins_out.
 *   Config      The configuration comes by registers too; the one in a node's setup is not used.
 *   Flags       A memory of flags drives flag_in and takes flag_out (ace_flag_memory.h).  Without
 *               one, flag_in stays 0, and a flag waits for ever.
 *   Registers   `in` stays until it is set again.  While an address or data is offered there, the
 *               engine is not idle.
 */
#ifndef ACE_ENGINE_H
#define ACE_ENGINE_H

#include "ace_control.h"
#include "ace_core.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_engine {
    ace_core core;
    ace_axil_in in;
    ace_axil_out out;
    ace_flag_in flag_in; /* of this cycle, as `in` */
    ace_flag_out flag_out;
} ace_engine;

/* The `cycle` rung, in its reset state: stopped.  ACE_OK, ACE_EINVAL (a parameter) or
 * ACE_ENOMEM. */
int ace_cycle_engine_create(const ace_parameters *p, unsigned completions, bool payload,
                            ace_engine **engine);

/* Something is offered on the register pins. */
static inline bool ace_axil_offered(const ace_axil_in *in) {
    return in->s_axil_awvalid | in->s_axil_wvalid | in->s_axil_arvalid;
}

#ifdef __cplusplus
}
#endif
#endif
