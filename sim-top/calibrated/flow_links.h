/* SPDX-License-Identifier: Apache-2.0 */
/*
 * flow_links.h -- phases of chunks on links, and the scratchpad that they share
 *
 * A link has jobs, each a phase of a chunk with the most of the link that it can use; who goes
 * first at a link is what the switch of the engine decides.  All of them together have the banks
 * and the pipes of the scratchpad, so a change at one link may change the others.
 */
#ifndef FLOW_LINKS_H
#define FLOW_LINKS_H

#include "flow_state.h"

/* Cycles of a row on a dimension's links. */
double flow_cost_of(const chunk_flow *f, unsigned d);
/* A phase as a chunk has it. */
phase_shape flow_phase_shape(const chunk_flow *f, const ace_phase *p);
/* What is left of its jobs at a time. */
void flow_link_move(link *k, double to);
/* Rates of the jobs of a link that has moved to now, before the scratchpad slows them; and when the
 * first ends. */
void flow_link_rates(chunk_flow *f, link *k);
void flow_link_ends(chunk_flow *f, const link *k);
/* Who wants too much of the scratchpad is slowed down; loads and stores have what is left. */
void flow_scratchpad(chunk_flow *f);
/* A phase of a chunk begins to send. */
void flow_join(chunk_flow *f, uint32_t chunk, unsigned phase);
/* The jobs of a link that have nothing left. */
void flow_leave(chunk_flow *f, unsigned l);

#endif
