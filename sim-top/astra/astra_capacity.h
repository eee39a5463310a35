/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_capacity.h -- whether what traces keep in remote memory fits into it
 *
 * A tensor that a memory node loads or stores lives there from the first cycle to the last: traces
 * do not say when one is given up.  A node's tensors are those that its `inputs` (of a load) or
 * `outputs` (of a store) name, of the bytes that stand behind the names; of a node without these,
 * one of its own, of tensor_size.  NPUs that share a memory (astra_memory_sharers) fill it
 * together.  A pool that gathers and reduces (in_switch) has a tensor once for all NPUs.
 */
#ifndef ASTRA_CAPACITY_H
#define ASTRA_CAPACITY_H

#include "chakra_graph.h"

/* EXIT_OK, also where the memory has no capacity; EXIT_USAGE after a message with the trace, the
 * node and the tensor that does not fit, EXIT_CHECK: no memory. */
int astra_capacity_check(const chakra_setup *s);

#endif
