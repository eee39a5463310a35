/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_dispatch.h -- cuts commands into chunks, and admits chunks to stages
 *
 * These are the rules and numbers of the engine's dispatcher and scheduler, which make collectives
 * wait for each other.
 */
#ifndef FLOW_DISPATCH_H
#define FLOW_DISPATCH_H

#include "flow_state.h"

/* Takes commands from the pins, and plans the next chunk if the dispatcher is free. Called when a
 * command arrives at the pins, has entered, or has given a chunk. */
void flow_command(chunk_flow *f);
/* Makes all decisions that are possible now, and admits the waiting chunk. */
void flow_dispatch_all(chunk_flow *f);

#endif
