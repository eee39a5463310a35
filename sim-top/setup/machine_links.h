/* SPDX-License-Identifier: Apache-2.0 */
/* machine_links.h -- the links that a file lists, as a machine has them */
#ifndef MACHINE_LINKS_H
#define MACHINE_LINKS_H

#include "machine.h"

/* Cycles of the shortest link that the file lists; 0: no file lists links.  EXIT_OK, or another
 * status after a message about the file. */
int machine_shortest_link(const cluster *c, uint32_t *cycles);
/* The links themselves, the caller's; NULL: no file lists links.  EXIT_OK, or likewise. */
int machine_links_read(const machine *m, struct link_graph **graph);
/* GB/s, one way, of all links of the NPU that has most in the dimension.  EXIT_OK, or likewise. */
int machine_links_GBps(const machine *m, double *GBps);

#endif
