/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h -- the timeline of a run: a Chrome trace, which Perfetto opens
 *
 *     timeline_create(o, f, &t);                 the fabric is built
 *     timeline_begin(t, driver);                 the files are made; they grow from now on
 *     each window, for each member in it
 *         timeline_arrivals(t, i, in, until);    before the member runs to `until`, which is
 *                                                timeline_edge() at most
 *         timeline_departures(t, i, out, until, rests);
 *     timeline_window(t, now);                   between windows
 *     timeline_end(t, now);
 *
 * What the file holds, for each NPU (timeline_text.c)
 *   compute, background   the program's steps
 *   collectives           from issue to completion, each on the lowest track that is free; a
 *                         flow leads from a collective's issue at one NPU to its completion at
 *                         the next, and from the last NPU to the first
 *   phase P, context C    a chunk's stay as it shows on the wires (chunk_stays.h), in it what it
 *                         waited for and when it sent; flows lead to its next phase and to the
 *                         NPU that receives
 *   FSM N                 busy: one of its contexts or more holds a chunk, by the stays
 *   units                 the cycle classes that the node counts: how many of an interval's
 *                         cycles were busy, blocked and starved, drawn in this order from the
 *                         interval's beginning; what is left of it was idle.  So the length of
 *                         all slices of a name is the counter, to the cycle
 *   counters              averages of an interval: bytes sent by dimension, bytes moved to and
 *                         from memory and their share of its bandwidth, collectives
 *                         outstanding, chunks in phases
 *
 * Size.  A file is no larger than --timeline-limit in the end, however long the run.  Half of it
 * is for intervals (units and counters), three eighths for chunks, an eighth for compute and
 * collectives.  When one of the three is full, all of it that lies in the file loses half its
 * detail, and what follows comes with that detail:
 *   intervals     1024 cycles long at first, then twice as long; sums stay exact
 *   chunks        every second of those of a context that were drawn; then every fourth ...
 *   spans         steps that begin in the same interval become one, which says how many; and
 *                 every second collective, the same at all NPUs
 * The file ends with the detail it has.  Only the first NPUs are drawn where there is less than
 * 256 KiB for each.
 *
 * Streaming.  What the file holds is also in memory, some half of its size; it is written as the
 * run goes on, to NAME.part until the run has ended, and written anew where detail is lost.  A
 * run that is killed leaves an array of events without its end, which viewers take.
 *
 * The bytes do not depend on threads, processes, or checkpoints: members are written in their
 * order, between two windows.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "fabric.h"
#include "options.h"

typedef struct timeline timeline;

/* EXIT_OK, or EXIT_CHECK after a message. */
int timeline_create(const options *o, fabric *f, timeline **t);
void timeline_destroy(timeline *t); /* NULL is allowed */
/* After a checkpoint was loaded, if one is.  All processes call.  EXIT_OK, or EXIT_USAGE after a
 * message. */
int timeline_begin(timeline *t, const driver *d);
/* Closes and names the files; after a run that failed they stay NAME.part.  All processes call.
 * EXIT_OK, or EXIT_USAGE after a message. */
int timeline_end(timeline *t, uint64_t now, bool failed);

/* ---- of a member, one thread at a time ------------------------------------------------ */

/* A member that does not rest runs no further than this in one step. */
uint64_t timeline_edge(const timeline *t, uint64_t now);
/* It is in this cycle after it has slept. */
void timeline_awake(timeline *t, unsigned member, uint64_t now);
void timeline_arrivals(timeline *t, unsigned member, ace_wire *const in[ACE_LINKS], uint64_t until);
/* It has run to `now`.  rests: it holds nothing. */
void timeline_departures(timeline *t, unsigned member, ace_wire *const out[ACE_LINKS], uint64_t now,
                         bool rests);
/* Collectives of it that are outstanding: one more, or one less. */
void timeline_outstanding(timeline *t, unsigned member, uint64_t cycle, int change);
/* What its driver did.  label: see driver.label. */
void timeline_compute(timeline *t, unsigned member, bool background, uint32_t label, uint64_t from,
                      uint64_t to);
/* id: the same for the same collective at all members. */
void timeline_collective(timeline *t, unsigned member, uint32_t label, uint64_t id, uint64_t from,
                         uint64_t to);

/* ---- between two windows; all processes call -------------------------------------------- */

void timeline_window(timeline *t, uint64_t now);
void timeline_state(timeline *t, ace_state *s);

#endif
