/* SPDX-License-Identifier: Apache-2.0 */
/*
 * process_borders.h -- divides the representatives among processes, and exchanges their flits
 *
 * A wire whose ends are at two processes exists at both. The sender's copy collects what is sent in
 * a window. process_borders_exchange() takes the flits from there and puts them on the receiver's
 * copy, with their cycles of arrival.
 */
#ifndef PROCESS_BORDERS_H
#define PROCESS_BORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"

/* Process p simulates the representatives [slab_first(p), slab_first(p + 1)). */
unsigned slab_first(unsigned representatives, unsigned process);
unsigned slab_process(unsigned representatives, unsigned representative);

typedef struct process_borders process_borders;
/* window: the largest number of cycles between two exchanges. Returns NULL when there is no
 * memory. */
process_borders *process_borders_create(uint32_t window, bool payload);
void process_borders_destroy(process_borders *b); /* the caller owns the wires; NULL is allowed */
/* Adds a wire to (out) or from a representative of another process. That process must add the wire,
 * too, in the same order. Returns false when there is no memory. */
bool process_borders_add(process_borders *b, unsigned process, ace_wire *w, bool out);
void process_borders_exchange(process_borders *b);
/* Delays by `cycles` what is on the wires from other processes. */
void process_borders_shift(process_borders *b, uint64_t cycles);

#endif
