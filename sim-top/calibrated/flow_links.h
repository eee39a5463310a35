/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_links.h -- phases of chunks on links, and the scratchpad that they share
 *
 * A link has jobs. Each job is a phase of a chunk and has a maximum share of the link. Which job
 * goes first at a link follows the engine's switch. All links share the banks and the pipes of the
 * scratchpad, so a change at one link may change the others.
 */
#ifndef FLOW_LINKS_H
#define FLOW_LINKS_H

#include "flow_state.h"

/* Returns the cycles of a row on a dimension's links. */
double flow_cost_of(const chunk_flow *f, unsigned d);
/* Returns the shape of a phase of a chunk. */
phase_shape flow_phase_shape(const chunk_flow *f, const ace_phase *p);
/* Moves a link's jobs to the time `to`. */
void flow_link_move(link *k, double to);
/* Set the rates of a link's jobs before the scratchpad slows them, and the time when the first one
 * ends. The link must have been moved to now. */
void flow_link_rates(chunk_flow *f, link *k);
void flow_link_ends(chunk_flow *f, const link *k);
/* Slows jobs that together want too much of the scratchpad. Loads and stores get the rest. */
void flow_scratchpad(chunk_flow *f);
/* Begins a phase of a chunk on its link. */
void flow_join(chunk_flow *f, uint32_t chunk, unsigned phase);
/* Begins the next shard of a phase at a hub. */
void flow_next_shard(chunk_flow *f, uint32_t chunk, unsigned phase);
/* Removes the jobs of a link that have finished. */
void flow_leave(chunk_flow *f, unsigned l);

#endif
