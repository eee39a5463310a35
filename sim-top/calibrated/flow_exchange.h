/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_exchange.h -- all-to-alls and messages: one piece of work at a time on all links and the
 * memory
 *
 * Its rows go first at links and have turns with loads and stores at the memory.  Between the two
 * stand queues before the links and buffers behind them: so it reads ahead of the links, and sends
 * ahead of its writes.
 */
#ifndef FLOW_EXCHANGE_H
#define FLOW_EXCHANGE_H

#include "flow_state.h"

/* As fast as links, reads and writes let it; the rest is the chunks'. */
void flow_exchange_rates(chunk_flow *f);
/* The first of those that wait begins: it asks the memory, then has its first rows. */
void flow_exchange_begin(chunk_flow *f);
/* When the links have sent the last row, or the memory has it; then this is done. */
double flow_exchange_ends(const exchange *x);
void flow_exchange_end(chunk_flow *f);
/* The first one is over. */
void flow_exchange_next(chunk_flow *f);

#endif
