/* SPDX-License-Identifier: Apache-2.0 */
/*
 * hub_reduction.h -- what sums up in a switch: an ace_hub_reducer, on the rung cycle or rtl
 *
 *     hub_reduction_create(&setup, &r)
 *     each cycle:  hub_reduction_look(r);                outputs of this cycle
 *                  ... hub_reduction_pins(r)->s_ready, m_valid, m_context, m_mark, m_data ...
 *                  hub_reduction_cycle(r, &arrivals, hold)
 *     hub_reduction_skip(r, cycles)                      while it is idle
 *     hub_reduction_destroy(r)
 *
 * On the rung rtl the outputs are those of the RTL (ace_rtl_hub.h), and the twin runs beside it:
 * each cycle every pin is compared, and the first difference ends the run (hub_reduction_error).
 * What no pin says is asked of the twin: which ports a row waits for, and whether the next state
 * follows.
 */
#ifndef HUB_REDUCTION_H
#define HUB_REDUCTION_H

#include "ace_hub_reducer.h"
#include "ace_recurrence.h"

typedef struct hub_reduction_setup {
    unsigned members, simulated; /* of the switch; of them, who have ports */
    bool payload, rtl;
} hub_reduction_setup;

/* What it has counted since the run began. */
typedef struct hub_reduction_counts { /* of numbers alone: processes send it */
    uint64_t rows;                    /* sums that went to all members */
    uint64_t waiting; /* cycles in which a row stood at a port that the reducer did not take */
    uint64_t slots;   /* the most that held a row at a time */
    ace_cycle_classes class_; /* of its cycles */
    uint64_t there, rtl;      /* it is there; it is RTL */
} hub_reduction_counts;

typedef struct hub_reduction hub_reduction;

/* Ports of the reducer of a switch of so many members. */
unsigned hub_reduction_ports(unsigned members);
/* ACE_OK, ACE_ENOMEM, or ACE_EINVAL: this program holds no such RTL. */
int hub_reduction_create(const hub_reduction_setup *setup, hub_reduction **r);
void hub_reduction_destroy(hub_reduction *r); /* NULL is allowed */
void hub_reduction_look(hub_reduction *r);
const ace_hub_reducer_out *hub_reduction_pins(const hub_reduction *r);
/* Sums that come, now or later, whatever is held. */
unsigned hub_reduction_coming(const hub_reduction *r);
/* waits: a row stands at a port that s_ready leaves out. */
void hub_reduction_cycle(hub_reduction *r, const ace_hub_arrivals *a, bool hold, bool waits);
bool hub_reduction_is_idle(const hub_reduction *r);
void hub_reduction_skip(hub_reduction *r, uint64_t cycles);
/* NULL, or what is wrong, with its ace_err. */
const char *hub_reduction_error(const hub_reduction *r, int *err);
/* Does any row wait for others?  Its context, and the ports that have sent theirs and that have
 * not. */
bool hub_reduction_waits(const hub_reduction *r, uint8_t *context, uint32_t *there,
                         uint32_t *missing);
hub_reduction_counts hub_reduction_counted(const hub_reduction *r);
void hub_reduction_state(hub_reduction *r, ace_state *s);
/* As of ace_between (ace_recurrence.h). */
void hub_reduction_put(const hub_reduction *r, ace_recurrence *to);
void hub_reduction_keep(hub_reduction *r);
void hub_reduction_shift(hub_reduction *r, uint64_t times);

#endif
