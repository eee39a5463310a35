/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_events.h -- what is to come at a calibrated node, and what it tells
 *
 * Times are exact: of events at the same time the first made is the first, so that a run is the
 * same on any machine. What is told waits in lists until the node is asked.
 */
#ifndef FLOW_EVENTS_H
#define FLOW_EVENTS_H

#include "flow_state.h"

/* Room for one more of so many bytes each; false, and an error: there is no memory. */
bool flow_grow(chunk_flow *f, void **list, unsigned count, unsigned *room, size_t bytes);
#define GROW(f, list, count, room) flow_grow(f, (void **)&(list), count, &(room), sizeof *(list))

/* In a time that is not before now; stage and chunk are the event's. */
void flow_later(chunk_flow *f, double at, event_kind kind, unsigned stage, uint32_t chunk);
/* Takes the first of those that there are. */
event flow_take_first(chunk_flow *f);
/* A command is over now. */
void flow_complete(chunk_flow *f, uint16_t tag);
/* Is here; who has no neighbour but itself has met all others. */
void flow_meet(chunk_flow *f, flow_token t);

#endif
