/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_events.h -- the unique events of a plan, each simulated once on the cluster
 *
 *     strategy_events_create(&plan, graph, &placement, &memory, &setup, NULL, 0, &e);
 *     strategy_costs c = strategy_events_costs(e);           for strategy_times_compose()
 *     strategy_events_destroy(e);
 *
 * An event is a collective or a message of a group, with its bytes. Layers, micro-batches, stages
 * and replicas with equal events share one measurement. The event is run alone, by all NPUs of all
 * groups at once, as a plan of one node. A message of a pipeline goes from the first stage to the
 * second, or back. Operations take as long as they take alone.
 */
#ifndef STRATEGY_EVENTS_H
#define STRATEGY_EVENTS_H

#include "event_store.h"
#include "execution.h"
#include "machine.h"
#include "stage_memory.h"
#include "strategy_times.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct strategy_events strategy_events;
/* store: the events that this and other processes have measured; NULL: none. context: a digest of
 * everything that cycles depend on, without the event and its group's nodes. The caller owns all
 * arguments and keeps them at their addresses. Returns EXIT_OK, or another status after a
 * message. */
int strategy_events_create(const strategy_plan *p, const strategy_graph *g, const placement *at,
                           const stage_memory *m, const machine *on, const execution *how,
                           event_store *store, uint64_t context, strategy_events **e);
void strategy_events_destroy(strategy_events *e); /* NULL is allowed */
strategy_costs strategy_events_costs(strategy_events *e);
/* Events by messages of more than two parts are extrapolated from one part and two parts. A part
 * has so many bytes: of a collective, and of a message from one NPU to another. */
enum { EVENT_PART = 4 << 20, EVENT_PART_OF_TWO = 1 << 20 };
unsigned strategy_events_extended(const strategy_events *e); /* number of extrapolated events */
unsigned strategy_events_unique(const strategy_events *e);
uint64_t
strategy_events_total(const strategy_events *e); /* events of the plan, of one NPU a stage */

#ifdef __cplusplus
}
#endif

#endif
