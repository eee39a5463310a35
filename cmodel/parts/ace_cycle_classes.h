/* SPDX-License-Identifier: Apache-2.0 */
/* ace_cycle_classes.h -- the C twin of rtl/ace_cycle_classes.v: each cycle in one class */
#ifndef ACE_CYCLE_CLASSES_H
#define ACE_CYCLE_CLASSES_H

#include "ace_ports.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ace_cycle_classes {
    uint64_t busy, starved, blocked, idle; /* cycles since reset */
} ace_cycle_classes;

static inline void ace_cycle_classes_tick(ace_cycle_classes *c, bool busy, bool blocked,
                                          bool starved) {
    /* selects an offset, so that the compiler generates no branch */
    const size_t at = busy      ? offsetof(ace_cycle_classes, busy)
                      : blocked ? offsetof(ace_cycle_classes, blocked)
                      : starved ? offsetof(ace_cycle_classes, starved)
                                : offsetof(ace_cycle_classes, idle);
    ++*(uint64_t *)(void *)((char *)c + at);
}

/* All cycles counted, whatever their class. */
uint64_t ace_cycle_classes_sum(const ace_cycle_classes *c);

/* The `count` pin of a counter: a lane a class. */
enum { ACE_COUNT_BUSY, ACE_COUNT_STARVED, ACE_COUNT_BLOCKED, ACE_COUNT_IDLE, ACE_COUNT_LANES };
static inline void ace_cycle_classes_lanes(const ace_cycle_classes *c,
                                           uint64_t count[ACE_COUNT_LANES]) {
    count[ACE_COUNT_BUSY] = c->busy;
    count[ACE_COUNT_STARVED] = c->starved;
    count[ACE_COUNT_BLOCKED] = c->blocked;
    count[ACE_COUNT_IDLE] = c->idle;
}

/* ---- the pin form: what tests drive ---- */

#define ACE_CYCLE_CLASSES_INPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    BIT(busy)                                                          \
    BIT(blocked)                                                       \
    BIT(starved)

#define ACE_CYCLE_CLASSES_OUTPUTS(BIT, WORD, FIELD, ROW, STROBE, LANES) \
    LANES(uint64_t, count, 48, ACE_COUNT_LANES, ACE_EVERY_LANE)

typedef struct ace_cycle_classes_pins_in {
    ACE_PORTS(ACE_CYCLE_CLASSES_INPUTS)
} ace_cycle_classes_pins_in;
typedef struct ace_cycle_classes_pins_out {
    ACE_PORTS(ACE_CYCLE_CLASSES_OUTPUTS)
} ace_cycle_classes_pins_out;

typedef struct ace_cycle_classes_pins {
    ace_cycle_classes classes;
} ace_cycle_classes_pins;

/* ACE_OK or ACE_ENOMEM. */
int ace_cycle_classes_pins_create(ace_cycle_classes_pins **pins);
void ace_cycle_classes_pins_destroy(ace_cycle_classes_pins *p); /* NULL is allowed */
void ace_cycle_classes_pins_reset(ace_cycle_classes_pins *p);
void ace_cycle_classes_pins_eval(const ace_cycle_classes_pins *p,
                                 const ace_cycle_classes_pins_in *in,
                                 ace_cycle_classes_pins_out *out);
void ace_cycle_classes_pins_tick(ace_cycle_classes_pins *p, const ace_cycle_classes_pins_in *in);
bool ace_cycle_classes_pins_idle(const ace_cycle_classes_pins *p);
void ace_cycle_classes_pins_skip(ace_cycle_classes_pins *p, uint64_t cycles);

#ifdef __cplusplus
}
#endif

#endif
