/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_links.h -- what each link of each node has carried in a run, and how long that took */
#ifndef FABRIC_LINKS_H
#define FABRIC_LINKS_H

#include <stdint.h>

struct fabric;

typedef struct fabric_link_count {
    uint64_t bytes;
    uint64_t busy;    /* cycles */
    uint64_t starved; /* with nothing to send */
    uint64_t blocked; /* with a packet that has no place at the other end */
} fabric_link_count;

/* Of the nodes in their order, 2 * dimensions links each, as links are numbered; zeros where the
 * endpoint counts nothing.  All processes call, and the caller frees.  NULL, after a message: no
 * memory. */
fabric_link_count *fabric_links(struct fabric *f, unsigned nodes, unsigned dimensions);

#endif
