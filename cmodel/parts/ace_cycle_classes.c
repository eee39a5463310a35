/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ace_cycle_classes.c -- the pins of rtl/ace_cycle_classes.v's twin, for unit tests
 *
 * The counting itself is inline in the header. Units embed it directly, and only tests use these
 * pins.
 */
#include "ace_cycle_classes.h"

#include <stdlib.h>

uint64_t ace_cycle_classes_sum(const ace_cycle_classes *c) {
    return c->busy + c->starved + c->blocked + c->idle;
}

int ace_cycle_classes_pins_create(ace_cycle_classes_pins **pins) {
    *pins = calloc(1, sizeof **pins);
    return *pins ? ACE_OK : ACE_ENOMEM;
}

void ace_cycle_classes_pins_destroy(ace_cycle_classes_pins *p) { free(p); }

void ace_cycle_classes_pins_reset(ace_cycle_classes_pins *p) {
    p->classes = (ace_cycle_classes){ 0 };
}

void ace_cycle_classes_pins_eval(const ace_cycle_classes_pins *p,
                                 const ace_cycle_classes_pins_in *in,
                                 ace_cycle_classes_pins_out *out) {
    (void)in; /* the counts are registers */
    ace_cycle_classes_lanes(&p->classes, out->count);
}

void ace_cycle_classes_pins_tick(ace_cycle_classes_pins *p, const ace_cycle_classes_pins_in *in) {
    ace_cycle_classes_tick(&p->classes, in->busy, in->blocked, in->starved);
}

/* A cycle without input is idle whatever came before. */
bool ace_cycle_classes_pins_idle(const ace_cycle_classes_pins *p) {
    (void)p;
    return true;
}

void ace_cycle_classes_pins_skip(ace_cycle_classes_pins *p, uint64_t cycles) {
    p->classes.idle += cycles;
}
