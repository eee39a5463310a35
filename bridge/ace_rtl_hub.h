/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_hub.h -- rtl/ace_hub_reducer.v, verilated, behind the pins of its twin: what reduces in a
 * switch
 *
 *     ace_rtl_hub *h;
 *     if (ace_rtl_hub_create(members, payload, &h) != ACE_OK) ...
 *     for (;;) {
 *         ace_rtl_hub_eval(h, &out);             outputs of this cycle
 *         ace_rtl_hub_cycle(h, &arrivals, hold); rising edge
 *     }
 *     ace_rtl_hub_destroy(h);
 *
 * Rules
 *   Set       The program holds one set, with ACE_RTL_HUB_PORTS ports and ALUs for some of the
 *             types.  A larger set would take long to compile: each ALU of a Verilated tree is
 *             compiled separately, and a tree with 16 ports has 60 ALUs.
 *   Pins      m_data points into the model until the next edge; without payload it is NULL.
 *   Contexts  Each has its own simulation context: distinct hubs share no state.
 */
#ifndef ACE_RTL_HUB_H
#define ACE_RTL_HUB_H

#include "ace_hub_reducer.h"
#include "ace_rtl_registers.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    ACE_RTL_HUB_PORTS = ACE_HUB_FEW_PORTS,
    ACE_RTL_HUB_TYPES = 65, /* FP32 and INT32, a bit each */
    ACE_RTL_HUB_OPS = 5     /* sums and minima, likewise */
};

typedef struct ace_rtl_hub ace_rtl_hub;

/* Does this program hold one? */
bool ace_rtl_hub_is_there(void);
/* In its reset state.  members: ports 0, 1, ... that take part, a bit each.  ACE_OK, ACE_ENOMEM, or
 * ACE_EINVAL: there is none. */
int ace_rtl_hub_create(uint32_t members, bool payload, ace_rtl_hub **hub);
void ace_rtl_hub_destroy(ace_rtl_hub *hub); /* NULL is allowed */
void ace_rtl_hub_eval(ace_rtl_hub *hub, ace_hub_reducer_out *out);
void ace_rtl_hub_cycle(ace_rtl_hub *hub, const ace_hub_arrivals *a, bool hold);
/* Counts cycles in which an idle hub is not run.  starved: rows in the hub wait for rows of other
 * ports. */
void ace_rtl_hub_skip(ace_rtl_hub *hub, uint64_t cycles, bool starved);
/* Lists the hub's registers and the rows of its slots.  After writing to them, call
 * ace_rtl_hub_settle(), which evaluates the model again. */
void ace_rtl_hub_registers(ace_rtl_hub *hub, ace_rtl_register_see *see, void *self);
void ace_rtl_hub_settle(ace_rtl_hub *hub);
/* See ace_state.h. */
void ace_rtl_hub_state(ace_rtl_hub *hub, ace_state *s);

#ifdef __cplusplus
}
#endif
#endif
