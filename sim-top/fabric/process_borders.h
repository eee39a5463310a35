/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_borders.h -- which process simulates what, and the wires in between
 *
 * A wire whose ends are at two processes is made at both.  The sender's collects what is
 * sent in a window; process_borders_exchange() takes it from there, and puts it on the receiver's,
 * with its cycles of arrival.
 */
#ifndef PROCESS_BORDERS_H
#define PROCESS_BORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"

/* Of `representatives`, process p simulates [slab_first(p), slab_first(p + 1)). */
unsigned slab_first(unsigned representatives, unsigned process);
unsigned slab_process(unsigned representatives, unsigned representative);

typedef struct process_borders process_borders;
/* window: the most cycles between two exchanges.  NULL: no memory. */
process_borders *process_borders_create(uint32_t window, bool payload);
void process_borders_destroy(process_borders *b); /* the wires are the caller's; NULL is allowed */
/* A wire to (out) or from a representative of another process, which adds it too, in the same
 * order.  False: no memory. */
bool process_borders_add(process_borders *b, unsigned process, ace_wire *w, bool out);
void process_borders_exchange(process_borders *b);
/* What is on the wires from other processes arrives so much later. */
void process_borders_shift(process_borders *b, uint64_t cycles);

#endif
