/* SPDX-License-Identifier: Apache-2.0 */
/*
 * baseline_exchange.h -- all-to-alls and messages of an endpoint in software
 *
 *     memory --> exchange --> router --> six routed ports, which share the links
 *                   ^            ^  |
 *                   +------------|--+ to this node          from the links
 *
 * It uses the same exchange, router and ports as ACE (ace_exchange.h, ace_router.h), so order,
 * routes and flow control are the same. SMs read each row once, the NICs along the route forward it
 * without using memory, and the receiver's NIC writes it once. Messages and an
 * all-to-all-v are lists of transfers (ace_composition.h), which the exchange reads as ACE's does.
 */
#ifndef BASELINE_EXCHANGE_H
#define BASELINE_EXCHANGE_H

#include "ace_link_port.h"
#include "ace_node.h"
#include "baseline_memory.h"

typedef struct baseline_exchange baseline_exchange;

/* queue_rows: rows read ahead for a link. Returns ACE_OK, ACE_EINVAL or ACE_ENOMEM. */
int baseline_exchange_create(const ace_node_setup *setup, unsigned queue_rows,
                             baseline_exchange **to);
void baseline_exchange_destroy(baseline_exchange *x); /* NULL is allowed */
void baseline_exchange_state(baseline_exchange *x, ace_state *s);

bool baseline_exchange_ready(const baseline_exchange *x); /* for a command */
bool baseline_exchange_idle(const baseline_exchange *x);  /* a tick would only count cycles */
bool baseline_exchange_error(const baseline_exchange *x); /* a rule was broken; this stays true */
/* Returns whether a row waits to be read. */
bool baseline_exchange_waits(const baseline_exchange *x);
/* Returns the ports. Their tx_ outputs are on the wires, and stall the other ports of their
 * links. */
const ace_link_port *baseline_exchange_ports(const baseline_exchange *x);
/* Passes a packet that arrives on a link. Call it before the cycle. */
void baseline_exchange_receive(baseline_exchange *x, unsigned link, const ace_flit *f);

/* Passes the contents of a list for the next command, which must be a list. The exchange owns
 * `words` from then on. */
void baseline_exchange_list(baseline_exchange *x, uint32_t *words, uint32_t bytes);
/* Runs one cycle. packets, credits: one bit for each link; c: a command, if the exchange is ready
 * for one, or NULL. Returns true when the oldest command is done. */
bool baseline_exchange_cycle(baseline_exchange *x, baseline_memory *m, uint64_t now,
                             unsigned packets, unsigned credits, const ace_command *c);
/* Returns whether the trailer of a message was written in the last cycle, and sets its label. */
bool baseline_exchange_heard(const baseline_exchange *x, uint32_t *label);
void baseline_exchange_skip(baseline_exchange *x, uint64_t cycles); /* while idle */

void baseline_exchange_dump(const baseline_exchange *x, FILE *to); /* for a person */

/* Counters of the exchange: reads, writes, routed packets. */
enum { BASELINE_EXCHANGE_UNITS = 3 };
void baseline_exchange_classes(const baseline_exchange *x,
                               uint64_t cycles[BASELINE_EXCHANGE_UNITS][4]);

#endif
