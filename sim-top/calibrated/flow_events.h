/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_events.h -- the future events of a calibrated node, and its results
 *
 * Among events at the same time, the one that was made first comes first, so that a run is the same
 * on any machine. Results wait in lists until the caller takes them.
 */
#ifndef FLOW_EVENTS_H
#define FLOW_EVENTS_H

#include "flow_state.h"

/* Makes room for one more entry of `bytes` bytes. Returns false, and sets the error, when there is
 * no memory. */
bool flow_grow(chunk_flow *f, void **list, unsigned count, unsigned *room, size_t bytes);
#define GROW(f, list, count, room) flow_grow(f, (void **)&(list), count, &(room), sizeof *(list))

/* Adds an event at a time that is not before now. Stage and chunk are the event's. */
void flow_later(chunk_flow *f, double at, event_kind kind, unsigned stage, uint32_t chunk);
/* Takes the earliest event. There must be one. */
event flow_take_first(chunk_flow *f);
/* Completes a command now. */
void flow_complete(chunk_flow *f, uint16_t tag);
/* Adds a token. If the node is its own only neighbour, its ring is complete at once. */
void flow_at_barrier(chunk_flow *f, flow_token t);

#endif
