/* SPDX-License-Identifier: Apache-2.0 */
/* fabric_links.h -- bytes and cycles of each link of each node in a run */
#ifndef FABRIC_LINKS_H
#define FABRIC_LINKS_H

#include <stdint.h>

struct fabric;

typedef struct fabric_link_count {
    uint64_t bytes;
    uint64_t busy;    /* cycles */
    uint64_t starved; /* cycles in which it had nothing to send */
    uint64_t blocked; /* cycles in which a packet waited for a slot at the other end */
} fabric_link_count;

/* Returns an array: for each node in order, 2 * dimensions links, as links are numbered. Entries
 * are 0 where the endpoint counts nothing. The caller frees the array. All processes must call it.
 * Returns NULL after a message when there is no memory. */
fabric_link_count *fabric_links(struct fabric *f, unsigned nodes, unsigned dimensions);

#endif
