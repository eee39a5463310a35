/* SPDX-License-Identifier: Apache-2.0 */
/* machine_links.h -- reads the links that a file lists, with defaults from the machine */
#ifndef MACHINE_LINKS_H
#define MACHINE_LINKS_H

#include "machine.h"

/* Finds the latency in cycles of the shortest link that the file lists; 0: no file lists links.
 * Returns EXIT_OK, or another status after a message about the file. */
int machine_shortest_link(const cluster *c, uint32_t *cycles);
/* Reads the links, which the caller frees. NULL: no file lists links. Returns EXIT_OK, or another
 * status after a message. */
int machine_links_read(const machine *m, struct link_graph **graph);
/* Finds the GB/s of all links in one direction of the NPU that has most in the dimension. Returns
 * EXIT_OK, or another status after a message. */
int machine_links_GBps(const machine *m, double *GBps);

#endif
