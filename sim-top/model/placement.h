/* SPDX-License-Identifier: Apache-2.0 */
/*
 * placement.h -- which node of a fabric each rank of a strategy is
 *
 *     placement_make(&strategy, ring, NULL, &p, &why)      ranks in the order of the nodes
 *     placement_make(&strategy, ring, "tp:x,dp:yz", ...)   each kind along dimensions
 *
 * Nodes are numbered with x fastest. Without a text, rank r is at node r. Tensor parallelism then
 * varies fastest, followed by context, data and pipeline parallelism.
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

/* Returns false and sets *why if the ranks do not fit. why->column is a column of the text, or 0.
 * ring: the dimensions of the fabric, which has as many nodes as the strategy has ranks. */
bool placement_make(const strategy *s, const uint16_t ring[ACE_CLUSTER_DIMENSIONS],
                    const char *text, placement *p, strategy_fault *why);
/* Returns the node of the rank that has these indices along the axes. */
uint64_t placement_node(const placement *p, const uint64_t index[AXES]);
/* Returns the indices of rank r along the axes. Tensor parallelism varies fastest. */
void placement_indices(const placement *p, uint64_t rank, uint64_t index[AXES]);

#ifdef __cplusplus
}
#endif

#endif
