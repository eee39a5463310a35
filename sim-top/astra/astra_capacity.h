/* SPDX-License-Identifier: Apache-2.0 */
/*
 * astra_capacity.h -- checks whether the tensors that traces keep in remote memory fit
 *
 * A tensor that a memory node loads or stores stays in remote memory for the whole run, because
 * traces do not say when a tensor is freed. The tensors of a load are those that its `inputs` name,
 * and of a store those that its `outputs` name. Each name is followed by the tensor's bytes. A node
 * without such names has one tensor of its own, of tensor_size bytes. NPUs that share a memory
 * (astra_memory_sharers) fill it together. A pool that gathers and reduces (in_switch) holds one
 * copy of a tensor for all NPUs.
 */
#ifndef ASTRA_CAPACITY_H
#define ASTRA_CAPACITY_H

#include "chakra_graph.h"

/* Returns EXIT_OK, also where the memory has no capacity. Returns EXIT_USAGE after a message with
 * the trace, the node and the tensor that does not fit; EXIT_CHECK when there is no memory for the
 * check. */
int astra_capacity_check(const chakra_setup *s);

#endif
