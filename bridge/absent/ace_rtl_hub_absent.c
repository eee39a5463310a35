/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_rtl_hub_absent.c -- what stands for ace_rtl_hub.cc where no RTL of a switch is built: there
 * is none
 */
#include "ace_rtl_hub.h"

bool ace_rtl_hub_is_there(void) { return false; }
int ace_rtl_hub_create(uint32_t members, bool payload, ace_rtl_hub **hub) {
    (void)members;
    (void)payload;
    (void)hub;
    return ACE_EINVAL;
}
void ace_rtl_hub_destroy(ace_rtl_hub *hub) { (void)hub; }
void ace_rtl_hub_eval(ace_rtl_hub *hub, ace_hub_reducer_out *out) {
    (void)hub;
    (void)out;
}
void ace_rtl_hub_cycle(ace_rtl_hub *hub, const ace_hub_arrivals *a, bool hold) {
    (void)hub;
    (void)a;
    (void)hold;
}
void ace_rtl_hub_skip(ace_rtl_hub *hub, uint64_t cycles, bool starved) {
    (void)hub;
    (void)cycles;
    (void)starved;
}
void ace_rtl_hub_registers(ace_rtl_hub *hub, ace_rtl_register_see *see, void *self) {
    (void)hub;
    (void)see;
    (void)self;
}
void ace_rtl_hub_settle(ace_rtl_hub *hub) { (void)hub; }
void ace_rtl_hub_state(ace_rtl_hub *hub, ace_state *s) {
    (void)hub;
    (void)s;
}
