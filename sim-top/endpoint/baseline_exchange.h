/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_exchange.h -- all-to-alls and messages of a software endpoint
 *
 *     memory --> exchange --> router --> six routed ports, which share the links
 *                   ^            ^  |
 *                   +------------|--+ to this node          from the links
 *
 * The same exchange, router and ports as ACE's (ace_exchange.h, ace_router.h), so the same
 * order, routes and flow control: SMs read each row once, the NICs on its way forward it
 * without touching memory, the receiver's writes it once.  A message is a list of transfers
 * (ace_composition.h), which the exchange reads as ACE's does.
 */
#ifndef BASELINE_EXCHANGE_H
#define BASELINE_EXCHANGE_H

#include "ace_link_port.h"
#include "ace_node.h"
#include "baseline_memory.h"

typedef struct baseline_exchange baseline_exchange;

/* queue_rows: read ahead for a link.  ACE_OK, ACE_EINVAL, ACE_ENOMEM. */
int baseline_exchange_create(const ace_node_setup *setup, unsigned queue_rows,
                             baseline_exchange **to);
void baseline_exchange_destroy(baseline_exchange *x); /* NULL is allowed */
void baseline_exchange_state(baseline_exchange *x, ace_state *s);

bool baseline_exchange_ready(const baseline_exchange *x); /* for a command */
bool baseline_exchange_idle(const baseline_exchange *x);  /* ticks only count */
bool baseline_exchange_error(const baseline_exchange *x); /* a rule was broken; it stays */
/* A row waits to be read. */
bool baseline_exchange_waits(const baseline_exchange *x);
/* The ports, whose tx_ are on the wires, and which hold the others of their links. */
const ace_link_port *baseline_exchange_ports(const baseline_exchange *x);
/* A packet arrives on a link; before the cycle. */
void baseline_exchange_receive(baseline_exchange *x, unsigned link, const ace_flit *f);

/* The words of a list, for the next command that is handed over, a list; it takes them over. */
void baseline_exchange_list(baseline_exchange *x, uint32_t *words, uint32_t bytes);
/* One cycle.  packets, credits: a bit a link; c: a command it is ready for, or NULL.  True
 * when the oldest command is done. */
bool baseline_exchange_cycle(baseline_exchange *x, baseline_memory *m, uint64_t now,
                             unsigned packets, unsigned credits, const ace_command *c);
/* Was the trailer of a message written in the last cycle? */
bool baseline_exchange_heard(const baseline_exchange *x, uint32_t *label);
void baseline_exchange_skip(baseline_exchange *x, uint64_t cycles); /* while idle */

void baseline_exchange_dump(const baseline_exchange *x, FILE *to); /* for a person */

/* Its counters: reads, writes, packets routed. */
enum { BASELINE_EXCHANGE_UNITS = 3 };
void baseline_exchange_classes(const baseline_exchange *x,
                               uint64_t cycles[BASELINE_EXCHANGE_UNITS][4]);

#endif
