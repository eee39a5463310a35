/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_dispatch.h -- commands become chunks, and stages admit them
 *
 * The rules and numbers of dispatcher and scheduler, which are what makes collectives wait for each
 * other.
 */
#ifndef FLOW_DISPATCH_H
#define FLOW_DISPATCH_H

#include "flow_state.h"

/* Takes commands from the pins and plans the next chunk, where the dispatcher is free to.  Called
 * when a command comes to the pins, has entered, or has given a chunk. */
void flow_command(chunk_flow *f);
/* What can be decided is, and the chunk that waits enters. */
void flow_settle(chunk_flow *f);

#endif
