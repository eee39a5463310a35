/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_exchange.h -- all-to-alls and messages: one command at a time uses all links and the memory
 *
 * The exchange's rows have precedence at links, and alternate with loads and stores at the memory.
 * Queues before the links and buffers behind them separate the two. So the exchange reads ahead of
 * the links, and sends ahead of its writes.
 */
#ifndef FLOW_EXCHANGE_H
#define FLOW_EXCHANGE_H

#include "flow_state.h"

/* Sets the exchange's rates, as fast as links, reads and writes allow. The rest is left to
 * chunks. */
void flow_exchange_rates(chunk_flow *f);
/* Begins the first waiting command: it requests memory, and is called again when the first rows
 * arrive. */
void flow_exchange_begin(chunk_flow *f);
/* Returns when the links have sent the last row, or the memory has written it. Then
 * flow_exchange_end() must be called. */
double flow_exchange_ends(const exchange *x);
void flow_exchange_end(chunk_flow *f);
/* Completes the first command, and begins the next. */
void flow_exchange_next(chunk_flow *f);

#endif
