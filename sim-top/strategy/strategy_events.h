/* SPDX-License-Identifier: Apache-2.0 */
/*
 * strategy_events.h -- the unique events of a plan, each measured once on the exact nodes of its
 * cluster
 *
 *     strategy_events_create(&plan, graph, &placement, &memory, &setup, NULL, 0, &e);
 *     strategy_costs c = strategy_events_costs(e);           for strategy_times_compose()
 *     strategy_events_destroy(e);
 *
 * An event is a collective or a message of a group, with its bytes: it is the same for all layers,
 * micro-batches, stages and replicas.  It is run alone, by all NPUs of all groups at once, as a
 * plan of one node; a message of a pipeline from the first stage to the second, or back. Operations
 * take what they take alone.
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
/* store: where events are looked for and kept that others have measured, with a digest of
 * everything that cycles depend on beside an event and its place; or NULL. All of these stay the
 * caller's and in place.  EXIT_OK, or another status after a message. */
int strategy_events_create(const strategy_plan *p, const strategy_graph *g, const placement *at,
                           const stage_memory *m, const machine *on, const execution *how,
                           event_store *store, uint64_t context, strategy_events **e);
void strategy_events_destroy(strategy_events *e); /* NULL is allowed */
strategy_costs strategy_events_costs(strategy_events *e);
/* Of these, the ones that go by messages of more than two parts: measured at one part and at two,
 * the others taking what the second takes.  Bytes of a part: of collectives, and of what one sends
 * one other. */
enum { EVENT_PART = 4 << 20, EVENT_PART_OF_TWO = 1 << 20 };
unsigned strategy_events_extended(const strategy_events *e);
unsigned strategy_events_unique(const strategy_events *e);
uint64_t strategy_events_total(const strategy_events *e); /* in the plan, of one NPU a stage */

#ifdef __cplusplus
}
#endif

#endif
