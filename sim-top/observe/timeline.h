/* SPDX-License-Identifier: Apache-2.0 */
/*
 * timeline.h -- the timeline of a run: a Chrome trace, which Perfetto opens
 *
 *     timeline_create(of, &t);
 *     observer = timeline_observer(t);     handed to the fabric: see fabric_observer.h
 *     ... the run; the file grows window by window ...
 *     timeline_destroy(t);
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
 * The bytes do not depend on threads, processes, or checkpoints: representatives are written in
 * their order, between two windows.
 */
#ifndef TIMELINE_H
#define TIMELINE_H

#include "fabric.h"
#include "fabric_observer.h"

typedef struct timeline timeline;

/* EXIT_OK, or EXIT_CHECK after a message. */
int timeline_create(const machine *of, const output *asked, timeline **t);
void timeline_destroy(timeline *t); /* NULL is allowed */
fabric_observer timeline_observer(timeline *t);

#endif
