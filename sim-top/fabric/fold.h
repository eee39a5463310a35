/* SPDX-License-Identifier: Apache-2.0 */
/* fold.h -- nodes that behave alike */
#ifndef FOLD_H
#define FOLD_H

#include <stdbool.h>
#include <stdint.h>

#include "ace_types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The node at the other end of a link. */
unsigned torus_neighbour(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], unsigned node, unsigned link);
/* What a node can tell of the others: who is at each of its ports; or, where all on a ring only
 * wait for each other, who is on it, in any order and however often. */
typedef enum fold_by { FOLD_PORTS, FOLD_RINGS } fold_by;
/* In: the colour of each node, and for each dimension a period that divides its ring: along it,
 * nodes whose ranks are no multiple of the period apart are not alike; 1: none are told apart by
 * it.  Out: its class; classes are numbered in the order of their first nodes.  Refinement ends
 * early, with more than `most` classes, when there are so many.  False: no memory. */
bool fold_torus(const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                const uint16_t period[ACE_CLUSTER_DIMENSIONS], fold_by by, unsigned most,
                uint32_t *class_of, unsigned *classes);
/* Of the classes on the node's ring: that behind its own on an even link, that before it on an odd
 * one, by their numbers and around.  Where each node is a class, that is its neighbour. */
uint32_t fold_beside(const uint16_t ring[ACE_CLUSTER_DIMENSIONS], const uint32_t *class_of,
                     unsigned node, unsigned link);

#ifdef __cplusplus
}
#endif

#endif
