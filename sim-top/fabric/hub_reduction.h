/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_reduction.h -- the reducer of a switch: an ace_hub_reducer on the rung cycle or rtl
 *
 *     hub_reduction_create(&setup, &r)
 *     each cycle:  hub_reduction_show(r);                outputs of this cycle
 *                  ... hub_reduction_pins(r)->s_ready, m_valid, m_context, m_mark, m_data ...
 *                  hub_reduction_cycle(r, &arrivals, hold)
 *     hub_reduction_skip(r, cycles)                      while it is idle
 *     hub_reduction_destroy(r)
 *
 * On the rung rtl the outputs come from the RTL (ace_rtl_hub.h), and the twin runs next to the RTL.
 * Each cycle compares every pin, and the first difference ends the run (hub_reduction_error). Two
 * things have no pin and are read from the twin: which ports a row still waits for, and whether the
 * next state follows.
 */
#ifndef HUB_REDUCTION_H
#define HUB_REDUCTION_H

#include "ace_hub_reducer.h"
#include "ace_recurrence.h"

typedef struct hub_reduction_setup {
    unsigned members, simulated; /* members of the switch; those that have ports */
    bool payload, rtl;
} hub_reduction_setup;

/* Counters since the run began. */
typedef struct hub_reduction_counts { /* numbers only: processes send this struct */
    uint64_t rows;                    /* sums that went to all members */
    uint64_t waiting; /* cycles in which the reducer did not take a row that stood at a port */
    uint64_t slots;   /* the most slots in use at one time */
    ace_cycle_classes class_; /* of its cycles */
    uint64_t there, rtl;      /* a reducer exists; it is the RTL */
} hub_reduction_counts;

typedef struct hub_reduction hub_reduction;

/* Returns the number of ports of the reducer in a switch with `members` members. */
unsigned hub_reduction_ports(unsigned members);
/* Returns ACE_OK, ACE_ENOMEM, or ACE_EINVAL when this program holds no RTL for these ports. */
int hub_reduction_create(const hub_reduction_setup *setup, hub_reduction **r);
void hub_reduction_destroy(hub_reduction *r); /* NULL is allowed */
void hub_reduction_show(hub_reduction *r);
const ace_hub_reducer_out *hub_reduction_pins(const hub_reduction *r);
/* Returns how many sums will come even if `hold` stays set. */
unsigned hub_reduction_coming(const hub_reduction *r);
/* Advances one cycle. waits: a row waits at a port whose s_ready is 0. */
void hub_reduction_cycle(hub_reduction *r, const ace_hub_arrivals *a, bool stall, bool waits);
bool hub_reduction_is_idle(const hub_reduction *r);
void hub_reduction_skip(hub_reduction *r, uint64_t cycles);
/* Returns NULL, or what is wrong, with its error code in *err. */
const char *hub_reduction_error(const hub_reduction *r, int *err);
/* Returns whether any row waits for rows of other ports. If so, sets its context, the ports that
 * have sent their row, and the ports that have not. */
bool hub_reduction_waits(const hub_reduction *r, uint8_t *context, uint64_t *there,
                         uint64_t *missing);
hub_reduction_counts hub_reduction_counted(const hub_reduction *r);
void hub_reduction_state(hub_reduction *r, ace_state *s);
/* Like hub_put(), hub_keep() and hub_shift() (hub.h). */
void hub_reduction_put(const hub_reduction *r, ace_recurrence *to);
void hub_reduction_keep(hub_reduction *r);
void hub_reduction_shift(hub_reduction *r, uint64_t times);

#endif
