/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h -- finds nodes that behave alike, so that one of them is simulated for all */
#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Returns the node at the other end of a link. */
unsigned torus_neighbour(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned node, unsigned link);
/* The property in which alike nodes agree. FOLD_PORTS: the class of the neighbour at each port.
 * FOLD_RINGS: the set of classes on each ring; this suffices where all members of a ring only wait
 * for each other. */
typedef enum fold_by { FOLD_PORTS, FOLD_RINGS } fold_by;
/* Divides the nodes of a torus into classes that behave alike. On entry class_of[] holds a colour
 * for each node: nodes of different colours differ. Along each dimension, `period` divides the
 * ring, and two nodes are alike only if their ranks differ by a multiple of the period. A period of
 * 1 separates no nodes. On return class_of[] holds the class of each node, numbered in the order of
 * their first nodes, and *classes their number. Refinement ends early when there are more than
 * `most` classes. Returns false when there is no memory. */
bool fold_torus(const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                const uint16_t period[ACE_CLUSTER_DIMENSIONS], fold_by by, unsigned most,
                uint32_t *class_of, unsigned *classes);
/* Sorts the classes on a node's ring by number, cyclically, and returns a neighbour of the
 * node's own class. It is the following class on an even link, and the preceding one on an odd
 * link. Where each node is a class of its own, that is the neighbour's class. */
uint32_t fold_neighbour(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], const uint32_t *class_of,
                        unsigned node, unsigned link);

#ifdef __cplusplus
}
#endif

#endif
