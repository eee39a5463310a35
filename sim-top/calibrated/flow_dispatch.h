/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_dispatch.h -- commands become chunks, and stages admit them
 *
 * The rules and numbers of dispatcher and scheduler, which are what makes collectives wait for each other.
 */
#ifndef FLOW_DISPATCH_H
#define FLOW_DISPATCH_H

#include "flow_state.h"

/* Takes the command whose turn it is, and plans its next chunk. */
void flow_plan(chunk_flow *f, double from);
/* What can be decided is, and the chunk that waits enters. */
void flow_settle(chunk_flow *f);
/* The dispatcher takes what is on the command pins. */
void flow_take_exchanges(chunk_flow *f);

#endif
