/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.h -- which node of a fabric each rank of a strategy is
 *
 *     placement_make(&strategy, ring, NULL, &p, &why)      ranks in the order of the nodes
 *     placement_make(&strategy, ring, "tp:x,dp:yz", ...)   each kind along dimensions
 *
 * Nodes are numbered with x fastest.  Without a text, rank r is at node r, with tensor parallelism
 * varying fastest, then context, data and pipeline.
 */
#ifndef PLACEMENT_H
#define PLACEMENT_H

#include "ace_types.h"
#include "strategy.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Ranks of one kind of parallelism along a dimension: `extent` nodes, `stride` apart. */
typedef struct placement_leg {
    uint8_t dimension;
    uint32_t extent, stride;
} placement_leg;
enum { PLACEMENT_LEGS = 8 };

typedef struct placement_axis {
    placement_leg leg[PLACEMENT_LEGS]; /* the fastest first */
    unsigned legs;
    bool whole; /* its groups are products of whole dimensions */
} placement_axis;

typedef struct placement {
    uint32_t ring[ACE_CLUSTER_DIMENSIONS];
    uint64_t degree[AXES];
    placement_axis axis[AXES];
} placement;

/* false: *why, whose column is that of the text, or 0.  ring: of the fabric, whose nodes are as
 * many as the strategy has ranks. */
bool placement_make(const strategy *s, const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                    const char *text, placement *p, strategy_fault *why);
/* The node of a rank, whose index along each axis is given. */
uint64_t placement_node(const placement *p, const uint64_t index[AXES]);
/* The indices of rank r, of which tensor parallelism varies fastest. */
void placement_indices(const placement *p, uint64_t rank, uint64_t index[AXES]);

#ifdef __cplusplus
}
#endif

#endif
