/* SPDX-License-Identifier: Apache-2.0 */
/*
 * borders.h -- which process simulates what, and the wires in between
 *
 * A wire whose ends are at two processes is made at both.  The sender's collects what is
 * sent in a window; borders_exchange() takes it from there, and puts it on the receiver's,
 * with its cycles of arrival.
 */
#ifndef BORDERS_H
#define BORDERS_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_node.h"

/* Of `members`, process p simulates [slab_first(p), slab_first(p + 1)). */
unsigned slab_first(unsigned members, unsigned process);
unsigned slab_process(unsigned members, unsigned member);

typedef struct borders borders;
/* window: the most cycles between two exchanges.  NULL: no memory. */
borders *borders_create(uint32_t window, bool payload);
void borders_destroy(borders *b); /* the wires are the caller's; NULL is allowed */
/* A wire to (out) or from a member of another process, which adds it too, in the same
 * order.  False: no memory. */
bool borders_add(borders *b, unsigned process, ace_wire *w, bool out);
void borders_exchange(borders *b);

#endif
