/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_memory.h -- loads and stores of chunks, a job behind the other at each of two ports
 *
 * A port has of the memory what the exchange leaves it, and no more than its bank has free beside
 * the links.
 */
#ifndef FLOW_MEMORY_H
#define FLOW_MEMORY_H

#include "flow_state.h"

/* What is left of the first job at a time. */
void flow_port_move(memory_port *m, double to);
/* Rates of both ports, from what exchange and links leave. */
void flow_port_rates(chunk_flow *f);
/* Cycles of the memory that the rows of a chunk take. */
double flow_port_work(const chunk_flow *f, const memory_port *m, double rows, unsigned burst);
/* A load or store of a chunk comes behind the others; the first one is over, and its chunk, modulo
 * FLOW_CHUNKS, taken. */
void flow_port_put(chunk_flow *f, memory_port *m, uint32_t chunk);
uint32_t flow_port_take(chunk_flow *f, memory_port *m);

#endif
