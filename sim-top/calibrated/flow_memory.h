/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_memory.h -- loads and stores of chunks, one after the other at each of three ports
 *
 * A port gets what the exchange leaves of the memory, and at most what links leave of the chunk's
 * bank.
 */
#ifndef FLOW_MEMORY_H
#define FLOW_MEMORY_H

#include "flow_state.h"

/* Moves a port's first job to the time `to`. */
void flow_port_move(memory_port *m, double to);
/* Returns whether the first phase has so few chunks that a waiting load goes before rows that are
 * copied. */
bool flow_load_first(const chunk_flow *f);
/* Sets the rates of all ports from what exchange and links leave. */
void flow_port_rates(chunk_flow *f);
/* Returns the largest share of the memory that `rows` rows of a chunk can use, 1 at most. */
double flow_port_most(const chunk_flow *f, const memory_port *m, double rows, unsigned burst);
/* flow_port_put() appends a load or store of a chunk. flow_port_take() removes the first, which has
 * finished, and returns its chunk modulo FLOW_CHUNKS. */
void flow_port_put(chunk_flow *f, memory_port *m, uint32_t chunk);
uint32_t flow_port_take(chunk_flow *f, memory_port *m);

#endif
